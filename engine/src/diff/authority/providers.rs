//! Whom identity providers may make somebody: what a change of a provider's declaration lets in that was refused before, or the
//! other way round. Which roles claims map to is compared by asking; this is about whose tokens count, and as whom.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{IdentityProvider, Tenant};
use ambit_model::diff::{ReachChange, Who};
use ambit_model::snapshot::Snapshot;

/// The changes of every provider of every tenant, in their order.
pub(super) fn compare(from: &Snapshot, to: &Snapshot) -> Vec<ReachChange> {
    let providers = |snapshot: &Snapshot| -> BTreeMap<(String, String), Vec<IdentityProvider>> {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let of = |tenant: &Tenant| (tenant.id.clone(), tenant.identity.clone());
        for (tenant, provider) in
            snapshot.tenants.iter().map(of).flat_map(|(id, of)| of.into_iter().map(move |p| (id.clone(), p)))
        {
            all.entry((tenant, provider.issuer.clone())).or_default().push(provider);
        }
        all
    };
    let (before, after) = (providers(from), providers(to));
    let keys: BTreeSet<&(String, String)> = before.keys().chain(after.keys()).collect();
    let lines =
        |of: Option<&Vec<IdentityProvider>>| -> Vec<BTreeSet<Line>> { of.into_iter().flatten().map(lines).collect() };
    let change = |key: &(String, String)| {
        let (was, is) = (lines(before.get(key)), lines(after.get(key)));
        let (gains, loses) = told(&was, &is);
        let who = Who::Provider { tenant: key.0.clone(), issuer: key.1.clone() };
        (!gains.is_empty() || !loses.is_empty()).then_some(ReachChange { who, gains, loses, policies: Vec::new() })
    };
    keys.into_iter().filter_map(change).collect()
}

/// One thing that a declaration says, and whether saying it lets more in, or less.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    says: String,
    effect: Effect,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    /// More is let in where it is said.
    Opens,
    /// Less is: what it says is let in where it is not said.
    Closes,
    /// Others are.
    Turns,
}

fn lines(of: &IdentityProvider) -> BTreeSet<Line> {
    let mut lines = BTreeSet::new();
    let mut say = |effect, says: String| {
        lines.insert(Line { says, effect });
    };
    say(Effect::Opens, "is trusted".to_owned());
    for audience in &of.audience {
        say(Effect::Opens, format!("tokens made for `{}`", audience.escape_debug()));
    }
    for algorithm in &of.algorithms {
        say(Effect::Opens, format!("tokens signed with {}", algorithm.word()));
    }
    if let Some(kind) = &of.token_type {
        say(Effect::Closes, format!("tokens of another type than `{}`", kind.escape_debug()));
    }
    for (claim, value) in &of.when {
        say(Effect::Closes, format!("tokens without `{}` in `{}`", value.escape_debug(), claim.escape_debug()));
    }
    say(Effect::Turns, format!("the user is named by `{}`", of.user.claim.escape_debug()));
    for (value, principal) in &of.user.principals {
        say(Effect::Opens, format!("`{}` is {principal}", value.escape_debug()));
    }
    if of.user.undeclared {
        say(Effect::Opens, "users who are not declared".to_owned());
    }
    if let Some(roles) = &of.roles {
        say(Effect::Turns, format!("roles are named by `{}`", roles.claim.escape_debug()));
    }
    if let Some(sign_in) = &of.sign_in {
        say(Effect::Opens, format!("people sign in as the client `{}`", sign_in.client.escape_debug()));
    }
    lines
}

/// Gains and losses: what is let in now and was not, and the other way round.
fn told(was: &[BTreeSet<Line>], is: &[BTreeSet<Line>]) -> (Vec<String>, Vec<String>) {
    let (mut gains, mut loses) = (BTreeSet::new(), BTreeSet::new());
    let (old, new): (BTreeSet<&Line>, BTreeSet<&Line>) =
        (was.iter().flatten().collect(), is.iter().flatten().collect());
    // What closes is open where one of several entries lacks it, so there each entry counts by itself.
    let several = was.len() > 1 || is.len() > 1;
    if several && was != is {
        gains.insert("its entries are others; see the tenant below".to_owned());
        loses.insert("its entries are others; see the tenant below".to_owned());
    }
    for line in new.difference(&old) {
        match line.effect {
            Effect::Opens => drop(gains.insert(line.says.clone())),
            Effect::Closes if old.is_empty() => {}
            Effect::Closes => drop(loses.insert(line.says.clone())),
            Effect::Turns if old.is_empty() => {}
            Effect::Turns => drop(gains.insert(line.says.clone())),
        }
    }
    for line in old.difference(&new) {
        match line.effect {
            Effect::Opens => drop(loses.insert(line.says.clone())),
            Effect::Closes if !new.is_empty() => drop(gains.insert(line.says.clone())),
            Effect::Turns if !new.is_empty() => drop(loses.insert(line.says.clone())),
            Effect::Closes | Effect::Turns => {}
        }
    }
    (gains.into_iter().collect(), loses.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::{SigningAlgorithm, UserClaim};

    use super::*;

    fn provider() -> IdentityProvider {
        IdentityProvider {
            issuer: "https://login.example.com".to_owned(),
            audience: vec!["ambit".to_owned()],
            algorithms: vec![SigningAlgorithm::RS256],
            token_type: None,
            when: BTreeMap::from([("org".to_owned(), "globex".to_owned())]),
            user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: false },
            roles: None,
            sign_in: None,
        }
    }

    #[track_caller]
    fn check(change: impl FnOnce(&mut IdentityProvider), gains: &[&str], loses: &[&str]) {
        let mut changed = provider();
        change(&mut changed);
        let (was, is) = ([lines(&provider())], [lines(&changed)]);
        let texts = |of: &[&str]| of.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(told(&was, &is), (texts(gains), texts(loses)));
        let back = told(&is, &was);
        assert_eq!((back.0.is_empty(), back.1.is_empty()), (loses.is_empty(), gains.is_empty()), "turned round");
    }

    #[test]
    fn what_lets_more_in_is_a_gain() {
        check(|_| {}, &[], &[]);
        check(|p| p.when.clear(), &["tokens without `globex` in `org`"], &[]);
        check(|p| p.audience.push("other".to_owned()), &["tokens made for `other`"], &[]);
        check(|p| p.user.undeclared = true, &["users who are not declared"], &[]);
        check(
            |p| p.user.claim = "email".to_owned(),
            &["the user is named by `email`"],
            &["the user is named by `sub`"],
        );
        check(|p| p.token_type = Some("at+jwt".to_owned()), &[], &["tokens of another type than `at+jwt`"]);
    }
}
