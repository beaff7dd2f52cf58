//! What is shown of every pair of a door and a principal.
//!
//! (a) A door opens to whoever the oracle says, and to nobody else; who is refused has changed nothing.
//! (b) With the cards deleted that whoever asks cannot discover, every answer is the same, byte for byte.
//! (c) What another tenant has is in no answer, no header and no line of the log; and a name of another tenant is answered like a
//!     name that is nobody's.

use std::collections::BTreeSet;

use ambit_model::administration::AdminAction;
use ambit_model::codes::{E_FORBIDDEN, E_PRINCIPAL};
use ambit_model::identity::{ProjectId, ToolId};
use ambit_service::caller::Caller;
use ambit_service::rollback::{RollbackRequest, rollback_snapshot};
use ambit_tests::draw::Draw;

use crate::doors::{Ask, Door, Named, Need, OtherKeys, Row, administering, asking, echoes};
use crate::side::Answer;
use crate::stage::{Stage, Subject};

/// Of so many subjects, one also looks at pages: they are slow to write.
const PAGES: usize = 4;

/// How often something was shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) pairs: usize,
    /// Answers that were the same of the whole snapshot and of the cut one.
    pub(crate) same: usize,
    /// Answers to whoever the door opens to, and refusals.
    pub(crate) opened: usize,
    pub(crate) refused: usize,
    /// Principals without any right.
    pub(crate) without: usize,
}

/// What is expected of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Opens,
    /// 403, or what a page makes of it.
    Refuses,
    /// It has to be said which project is meant.
    Asks,
}

impl Stage {
    /// Everybody at every door.
    pub(crate) async fn play(&mut self, draw: &mut Draw) -> Count {
        let mut count = Count::default();
        self.nobody(draw, &mut count).await;
        for place in 0..self.subjects.len() {
            let subject = self.subjects.get(place).expect("a subject");
            let seen = self.in_sight(subject);
            self.cut_to(&seen).await;
            let subject = self.subjects.get(place).expect("a subject");
            let pages = place.is_multiple_of(PAGES);
            self.asks(draw, subject, &seen, pages, &mut count).await;
            if subject.first {
                self.administers_all(subject, &seen, pages, &mut count).await;
                self.names_others(draw, subject, &mut count).await;
            }
        }
        self.go_back(&mut count).await;
        count
    }

    /// Nobody has a key.
    async fn nobody(&self, draw: &mut Draw, count: &mut Count) {
        let subject = self.subjects.first().expect("a subject");
        let named = self.named(subject).await;
        let mut rows = asking(draw, &self.world, self.tenant(subject), subject, true);
        // The frame is there for everybody.
        rows.retain(|row| row.need != Need::SignedIn(None));
        rows.extend(administering(self.tenant(subject), &named, true));
        for row in rows {
            let answer = self.whole.answer(row.door, &row.ask, None).await;
            let refused = match row.door {
                Door::Page => matches!(answer.status, 302 | 303 | 307) && !answer.says(&self.tenant(subject).token),
                Door::Api | Door::Function => answer.status == 401,
            };
            assert!(refused, "{}: `{}` opens to nobody: {answer:#?}", self.world.label, row.name);
            for tenant in self.world.tenants.iter().filter(|_| row.door != Door::Page) {
                assert!(!answer.says(&tenant.token), "{}: `{}` tells nobody: {answer:#?}", self.world.label, row.name);
            }
            count.pairs += 1;
            count.refused += 1;
        }
    }

    async fn named(&self, subject: &Subject) -> Named<'_> {
        let spare = self.spare.get(subject.tenant).expect("a key to revoke");
        Named { spare, live: self.whole.name().await.number }
    }

    async fn asks(&self, draw: &mut Draw, subject: &Subject, seen: &BTreeSet<ToolId>, pages: bool, count: &mut Count) {
        for row in asking(draw, &self.world, self.tenant(subject), subject, pages) {
            let answer = self.shown(subject, &row, count).await;
            // The pages list the projects that are open without anybody to ask for.
            let listed = row.door != Door::Api && subject.acting_for.is_some() && seen.is_empty();
            let framed = row.need == Need::SignedIn(None) && self.administers(&subject.principal);
            if !listed && !framed {
                self.is_same(subject, &row, &answer, count).await;
            }
        }
    }

    async fn administers_all(&self, subject: &Subject, seen: &BTreeSet<ToolId>, pages: bool, count: &mut Count) {
        let named = self.named(subject).await;
        let administers = self.administers(&subject.principal);
        let without = !administers && seen.is_empty() && self.in_any_project(subject).is_empty();
        let before = self.standing().await;
        for row in administering(self.tenant(subject), &named, pages) {
            // Going back, and blocking, changes what is live: whoever may do so does it last.
            if row.need == Need::Everywhere(AdminAction::Rollback) && self.expected(subject, &row) == Expected::Opens {
                continue;
            }
            let answer = self.shown(subject, &row, count).await;
            if !administers {
                self.is_same(subject, &row, &answer, count).await;
            }
        }
        if !administers {
            let (label, principal) = (&self.world.label, &subject.principal);
            assert_eq!(self.standing().await, before, "{label}: {principal} was refused, and changed something");
        }
        count.without += usize::from(without);
    }

    fn in_any_project(&self, subject: &Subject) -> BTreeSet<ToolId> {
        self.projects(subject).iter().flat_map(|project| self.discovers(subject, project)).collect()
    }

    /// (a) and (c) of one pair.
    async fn shown(&self, subject: &Subject, row: &Row, count: &mut Count) -> Answer {
        let answer = self.whole.answer(row.door, &row.ask, Some(&subject.shown)).await;
        let expected = self.expected(subject, row);
        let as_expected = match expected {
            Expected::Opens => row.fine.contains(&answer.status),
            Expected::Refuses => refuses(row, &answer),
            Expected::Asks => answer.status == 400,
        };
        let who = self.who(subject, row);
        assert!(as_expected, "{who}: not {expected:?}: {:#?}\n{answer:#?}", row.ask);
        self.tells_nothing(subject, row, &answer);
        count.pairs += 1;
        match expected {
            Expected::Opens => count.opened += 1,
            Expected::Refuses | Expected::Asks => count.refused += 1,
        }
        answer
    }

    /// For messages: enough to see it again.
    fn who(&self, subject: &Subject, row: &Row) -> String {
        let Subject { principal, acting_for, named, .. } = subject;
        let acting_for = acting_for.as_ref().map(|user| format!(" for {user}")).unwrap_or_default();
        let named = named.as_ref().map(|project| format!(" in {project}")).unwrap_or_default();
        format!("{}: `{}` of {principal}{acting_for}{named}", self.world.label, row.name)
    }

    /// What the oracle says.
    fn expected(&self, subject: &Subject, row: &Row) -> Expected {
        let by = |opens| if opens { Expected::Opens } else { Expected::Refuses };
        match &row.need {
            Need::SignedIn(_) => Expected::Opens,
            // The page is there in any case; what it says is compared.
            Need::Use(_) if row.door != Door::Api => Expected::Opens,
            Need::Use(Some(project)) => by(!self.discovers(subject, project).is_empty()),
            Need::Use(None) => {
                let open = |project: &&ProjectId| !self.discovers(subject, project).is_empty();
                match self.projects(subject).iter().filter(open).count() {
                    0 => Expected::Refuses,
                    1 => Expected::Opens,
                    _ => Expected::Asks,
                }
            }
            Need::Somewhere(action) => by(self.somewhere(&subject.principal, *action)),
            Need::Everywhere(action) => by(self.everywhere(&subject.principal, *action)),
        }
    }

    /// (c) No answer, no header and no line of the log holds what another tenant has, unless the request itself did.
    fn tells_nothing(&self, subject: &Subject, row: &Row, answer: &Answer) {
        let action = match &row.need {
            Need::Use(_) | Need::SignedIn(None) => None,
            Need::SignedIn(Some(action)) | Need::Somewhere(action) | Need::Everywhere(action) => Some(*action),
        };
        if action.is_some_and(|action| self.everywhere(&subject.principal, action)) {
            return;
        }
        let asked = format!("{:?}", row.ask);
        let said = answer.everything();
        for secret in self.secrets_of_others(subject) {
            let told = said.contains(secret) && !asked.contains(secret);
            assert!(!told, "{}: tells `{secret}`: {answer:#?}", self.who(subject, row));
        }
        assert!(answer.log.contains("answered"), "{}: the log is not kept: {answer:#?}", self.who(subject, row));
    }

    /// (b) The second server, which serves what is in sight and nothing else, answers the same.
    async fn is_same(&self, subject: &Subject, row: &Row, answer: &Answer, count: &mut Count) {
        let of_cut = self.cut.answer(row.door, &row.ask, Some(&subject.shown)).await;
        let (whole, cut) = (answer.plain(&self.whole.name().await), of_cut.plain(&self.cut.name().await));
        if whole != cut {
            let differs = whole.bytes().zip(cut.bytes()).take_while(|(one, other)| one == other).count();
            let around = |text: &str| {
                let from = differs.saturating_sub(200);
                String::from_utf8_lossy(text.as_bytes().get(from..text.len().min(differs + 200)).unwrap_or_default())
                    .into_owned()
            };
            assert_eq!(around(&whole), around(&cut), "{}: differs, asked: {:#?}", self.who(subject, row), row.ask);
            assert_eq!(whole, cut, "{}", self.who(subject, row));
        }
        count.same += 1;
    }

    /// (c) A name of another tenant is answered like a name that is nobody's.
    async fn names_others(&self, draw: &mut Draw, subject: &Subject, count: &mut Count) {
        let (at, other) = self.other(subject);
        let theirs = self.spare.get(at).expect("a key of another tenant");
        let nobodys = draw.hex(theirs.len());
        let keys = OtherKeys { theirs, nobodys: &nobodys };
        let project = subject.named.as_ref().map(ToString::to_string).unwrap_or_default();
        for echo in echoes(&self.world, (self.tenant(subject), other), &keys, &project) {
            if echo.unless.is_some_and(|action| self.everywhere(&subject.principal, action)) {
                continue;
            }
            let name = self.whole.name().await;
            let mut said = Vec::new();
            for (word, ask) in [&echo.theirs, &echo.nobodys] {
                said.push(self.echoed(subject, echo.door, ask, word).await.plain(&name));
            }
            let who = format!("{}: `{}` of {}", self.world.label, echo.name, subject.principal);
            assert_eq!(said.first(), said.last(), "{who}: there is a difference: {:#?}", echo.theirs.1);
            count.pairs += 1;
        }
    }

    /// An answer with the name that was asked for taken out.
    async fn echoed(&self, subject: &Subject, door: Door, ask: &Ask, word: &str) -> Answer {
        let mut answer = self.whole.answer(door, ask, Some(&subject.shown)).await;
        // A page links to what was asked, so the name is there as part of a URL too (RFC 3986, 2.1).
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let in_url: String = word
            .bytes()
            .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
            .collect();
        answer.body = answer.body.replace(word, "NAME").replace(&in_url, "NAME");
        answer
    }

    /// Whoever may go back does so, and the world is put right again.
    async fn go_back(&self, count: &mut Count) {
        for subject in self.subjects.iter().filter(|subject| subject.first) {
            if !self.everywhere(&subject.principal, AdminAction::Rollback) {
                continue;
            }
            let named = self.named(subject).await;
            let rows = administering(self.tenant(subject), &named, false);
            for row in rows.iter().filter(|row| row.need == Need::Everywhere(AdminAction::Rollback)) {
                self.shown(subject, row, count).await;
                if row.name.contains("block") {
                    continue;
                }
                let (live, _) = self.standing().await;
                assert_eq!(live, Some(1), "{}: it is not live", self.who(subject, row));
                let request = RollbackRequest {
                    number: Some(named.live),
                    reason: "back".to_owned(),
                    accept_gains: true,
                    ..RollbackRequest::default()
                };
                let back = rollback_snapshot(&Caller::local("matrix"), &self.whole.live, &request).await;
                back.expect("the world can be put right");
                self.whole.live.refresh().await.expect("a snapshot that can be loaded");
            }
        }
    }
}

fn refuses(row: &Row, answer: &Answer) -> bool {
    let forbidden =
        |code: &str| answer.says(code) || answer.says(ambit_model::codes::find(code).map_or(code, |e| e.meaning));
    match row.door {
        Door::Api | Door::Function => answer.status == 403 && (forbidden(E_FORBIDDEN) || forbidden(E_PRINCIPAL)),
        Door::Page => matches!(answer.status, 302 | 303) || forbidden(E_FORBIDDEN),
    }
}
