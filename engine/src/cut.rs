//! What a reader may see of a report or a snapshot, where that is less than all of it: nothing that is another tenant's.
//! INVARIANT: of what is another tenant's no name, text or count is left. Settings, schema and vocabularies are everybody's.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::{Catalog, Group, Policy, VersionFamily};
use ambit_model::identity::{Principal, ToolId};
use ambit_model::intake::{Clash, ClashQuestion, Finding, IntakeReport, Likeness};
use ambit_model::policies::{Idle, PolicyNote, PolicyReport, TestOutcome};
use ambit_model::snapshot::Snapshot;

use crate::authority::entities_named;

/// What stands in place of words about a tool that the reader may not see.
const ANOTHER: &str = "another tool comes first for some of its example questions";
const SET_APART: &str = "say in the description what sets it apart from other tools";

/// The part of a report that is about these catalogs, for a reader of one tenant. The other side of a clash is named only where it is among them.
pub fn report(whole: &IntakeReport, tenant: &str, catalogs: &BTreeSet<String>) -> IntakeReport {
    let seen = |tool: &str| tool.split_once('/').is_some_and(|(catalog, _)| catalogs.contains(catalog));
    let accepted: Vec<String> = whole.accepted.iter().filter(|tool| seen(tool)).cloned().collect();
    // That tools look alike says something of each of them, so nothing of it is left where one is another's.
    let in_sight =
        |like: &&Likeness| seen(&like.tool) && seen(&like.other) && like.speaks_of.iter().all(|tool| seen(tool));
    let likenesses: Vec<Likeness> = whole.likenesses.iter().filter(in_sight).cloned().collect();
    let pairs: BTreeSet<(&str, &str)> =
        likenesses.iter().flat_map(|l| [(&*l.tool, &*l.other), (&*l.other, &*l.tool)]).collect();
    let whole_pair = |finding: &&Finding| {
        let of_pair = [codes::W_TWIN_UNDECLARED, codes::W_VERSION_UNDECLARED].contains(&finding.code.as_ref());
        !of_pair || finding.other.as_deref().is_some_and(|other| pairs.contains(&(&*finding.tool, other)))
    };
    let about_seen = whole.findings.iter().filter(|finding| seen(&finding.tool)).filter(whole_pair);
    let findings: Vec<Finding> = about_seen.map(|finding| one_sided(finding, &seen)).collect();
    let clashes = told_clashes(whole.clashes.iter().filter_map(|clash| one_side(clash, &seen)));
    let refused: BTreeSet<&str> = findings
        .iter()
        .map(|f| f.tool.as_str())
        .filter(|tool| accepted.binary_search_by(|a| a.as_str().cmp(tool)).is_err())
        .collect();
    let of_seen = |catalog: &&String| catalogs.contains(*catalog);
    IntakeReport {
        offered: accepted.len() + refused.len(),
        accepted,
        findings,
        refused: whole
            .refused
            .iter()
            .filter(|card| seen(card.id.as_str()))
            .map(|card| without_others(card, |tool| seen(tool.as_str())))
            .collect(),
        clashes,
        likenesses,
        // Title and members came of all of them, so a part of them would tell of the rest.
        proposed_groups: whole
            .proposed_groups
            .iter()
            .filter(|group| group.project.split('/').next() == Some(tenant) && group.members.iter().all(|m| seen(m)))
            .cloned()
            .collect(),
        unreviewed: whole.unreviewed.iter().filter(|(id, _)| of_seen(id)).map(|(id, n)| (id.clone(), *n)).collect(),
        // Paths may name what others have; [`places`] tells those that do not.
        written: BTreeMap::new(),
    }
}

/// Clashes in an order that says nothing of rivals out of sight, and those of one tool with such rivals as one: how many there are, and
/// which took what, is not told.
fn told_clashes(cut: impl Iterator<Item = Clash>) -> Vec<Clash> {
    let mut told: BTreeMap<(String, String), Clash> = BTreeMap::new();
    for clash in cut {
        match told.entry((clash.tool.clone(), clash.rival.clone())) {
            Entry::Vacant(entry) => drop(entry.insert(clash)),
            Entry::Occupied(mut entry) => entry.get_mut().questions.extend(clash.questions),
        }
    }
    let sorted = |mut clash: Clash| {
        if clash.rival.is_empty() {
            clash.questions.sort();
        }
        clash
    };
    told.into_values().map(sorted).collect()
}

/// A clash as who may see one side of it reads it: its own questions that were lost, and nothing of who took them.
fn one_side(clash: &Clash, seen: &impl Fn(&str) -> bool) -> Option<Clash> {
    let alone = |tool: &str, questions: &[ClashQuestion]| Clash {
        tool: tool.to_owned(),
        rival: String::new(),
        // Not even how near it comes is told.
        questions: questions
            .iter()
            .map(|asked| ClashQuestion { question: asked.question.clone(), ..ClashQuestion::default() })
            .collect(),
        taken: Vec::new(),
        words: Vec::new(),
        likeness: 0,
    };
    match (seen(&clash.tool), seen(&clash.rival)) {
        (true, true) => Some(of_two(clash.clone())),
        (true, false) if !clash.questions.is_empty() => Some(alone(&clash.tool, &clash.questions)),
        (false, true) if !clash.taken.is_empty() => Some(alone(&clash.rival, &clash.taken)),
        _ => None,
    }
}

/// A clash without what tools out of sight have a part in: ranks count them, and how rare a word is among all moves what it counts, the
/// scores by it and the order of words. What remains is of the two alone.
fn of_two(mut clash: Clash) -> Clash {
    for asked in clash.questions.iter_mut().chain(&mut clash.taken) {
        *asked = ClashQuestion {
            question: std::mem::take(&mut asked.question),
            semantic_margin: asked.semantic_margin,
            ..ClashQuestion::default()
        };
    }
    clash.words.sort();
    clash
}

fn one_sided(finding: &Finding, seen: &impl Fn(&str) -> bool) -> Finding {
    match &finding.other {
        Some(other) if !seen(other) => {
            Finding { message: ANOTHER.to_owned(), remedy: SET_APART.to_owned(), other: None, ..finding.clone() }
        }
        _ => finding.clone(),
    }
}

/// The part of a snapshot that is a tenant's: what it owns, the shared catalogs that its projects list, and the policies that
/// name nobody and nothing else.
pub fn snapshot(whole: &Snapshot, tenant: &str) -> Snapshot {
    let projects = whole.projects.iter().filter(|project| project.id.tenant == tenant).cloned().collect();
    let catalogs: Vec<Catalog> = catalogs(whole, tenant).cloned().collect();
    let in_sight: BTreeSet<&str> = catalogs.iter().map(|catalog| catalog.id.as_str()).collect();
    let cards = whole.tools.iter().filter(|card| in_sight.contains(card.id.catalog()));
    let ids: BTreeSet<ToolId> = cards.clone().map(|card| card.id.clone()).collect();
    let tools: Vec<ToolCard> = cards.map(|card| without_others(card, |tool| ids.contains(tool))).collect();
    let mut cut = Snapshot {
        format: whole.format,
        scorer: whole.scorer,
        settings: whole.settings.clone(),
        schema: whole.schema.clone(),
        policies: Vec::new(),
        tenants: whole.tenants.iter().filter(|one| one.id == tenant).cloned().collect(),
        projects,
        catalogs,
        groups: groups_of(whole, &ids),
        twins: whole.twins.iter().filter(|twin| twin.members.iter().all(|tool| ids.contains(tool))).cloned().collect(),
        families: families_of(whole, &ids),
        vocabularies: whole.vocabularies.clone(),
        tools,
        knowledge: whole.knowledge.iter().filter(|document| document.project.tenant == tenant).cloned().collect(),
    };
    cut.policies = whole.policies.iter().filter(|policy| names_nothing_else(policy, &cut, tenant)).cloned().collect();
    cut
}

/// The part of what is known of policies that is about the policies of a tenant's part, and the tests that are about its own
/// principals. A file or a test that names what others have is left out.
pub fn policies(known: &PolicyReport, whole: &Snapshot, part: &Snapshot, tenant: &str) -> PolicyReport {
    let in_sight: BTreeSet<&str> = part.policies.iter().map(|policy| policy.id.as_str()).collect();
    let others = names_of_others(whole, part);
    let tells = |text: &str| others.iter().any(|name| holds_word(text, name));
    let note = |note: &PolicyNote| PolicyNote {
        file: if tells(&note.file) { String::new() } else { note.file.clone() },
        template: note.template.clone().filter(|template| !tells(template)),
        idle: note.idle.as_ref().map(|idle| Idle {
            by: idle.by.iter().filter(|by| in_sight.contains(by.as_str())).cloned().collect(),
            ..idle.clone()
        }),
        ..note.clone()
    };
    let own = |test: &&TestOutcome| {
        let who = test.says.split(' ').next().unwrap_or("");
        Principal::parse(who).is_ok_and(|who| who.tenant == tenant) && !tells(&test.says) && !tells(&test.file)
    };
    PolicyReport {
        policies: known.policies.iter().filter(|note| in_sight.contains(note.id.as_str())).map(note).collect(),
        // What was decided instead may name policies out of sight.
        tests: known.tests.iter().filter(own).map(|test| TestOutcome { instead: Vec::new(), ..test.clone() }).collect(),
    }
}

/// Tenants and catalogs of a snapshot that are not in a part of it, and policies.
fn names_of_others<'a>(whole: &'a Snapshot, part: &Snapshot) -> Vec<&'a str> {
    let tenants = whole.tenants.iter().map(|tenant| tenant.id.as_str());
    let tenants = tenants.filter(|id| part.tenants.iter().all(|own| own.id != *id));
    let catalogs = whole.catalogs.iter().map(|catalog| catalog.id.as_str());
    let catalogs = catalogs.filter(|id| part.catalogs.iter().all(|own| own.id != *id));
    let policies = whole.policies.iter().map(|policy| policy.id.as_str());
    let policies = policies.filter(|id| part.policies.iter().all(|own| own.id != *id));
    tenants.chain(catalogs).chain(policies).collect()
}

/// The name stands in the text, and no letter or digit right before or after it.
fn holds_word(text: &str, name: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        !joins(before.chars().next_back()) && !joins(rest.strip_prefix(name).and_then(|rest| rest.chars().next()))
    })
}

/// The catalogs that are a tenant's, and the shared ones that its projects list.
pub fn catalogs<'a>(whole: &'a Snapshot, tenant: &str) -> impl Iterator<Item = &'a Catalog> + use<'a> {
    let own = whole.projects.iter().filter(|project| project.id.tenant == tenant);
    let listed: BTreeSet<&String> = own.flat_map(|project| &project.catalogs).collect();
    let tenant = tenant.to_owned();
    whole.catalogs.iter().filter(move |catalog| match &catalog.tenant {
        Some(owner) => *owner == tenant,
        None => listed.contains(&catalog.id),
    })
}

/// Groups with the members that are in sight, where there are any.
fn groups_of(whole: &Snapshot, ids: &BTreeSet<ToolId>) -> Vec<Group> {
    let seen = whole.groups.iter().map(|group| {
        let members = group.members.iter().filter(|member| ids.contains(member)).cloned().collect();
        Group { members, ..group.clone() }
    });
    seen.filter(|group| !group.members.is_empty()).collect()
}

fn families_of(whole: &Snapshot, ids: &BTreeSet<ToolId>) -> Vec<VersionFamily> {
    let seen = |family: &&VersionFamily| family.members.iter().all(|member| ids.contains(&member.tool));
    whole.families.iter().filter(seen).cloned().collect()
}

/// A card that speaks of tools out of sight no longer does.
pub fn without_others(card: &ToolCard, seen: impl Fn(&ToolId) -> bool) -> ToolCard {
    let mut card = card.clone();
    card.facts.next.retain(&seen);
    card.facts.after.retain(&seen);
    card
}

fn names_nothing_else(policy: &Policy, cut: &Snapshot, tenant: &str) -> bool {
    let own = |id: &str| id.split([':', '/']).next() == Some(tenant);
    entities_named(&policy.cedar).iter().all(|(kind, id)| match kind.as_str() {
        "Tenant" => id == tenant,
        "User" | "Agent" | "Role" | "Project" => own(id),
        "Catalog" => cut.catalogs.iter().any(|catalog| catalog.id == *id),
        "Group" => cut.groups.iter().any(|group| group.id == *id),
        "EntityFamily" => cut.tools.iter().any(|card| card.facts.entity_family() == *id),
        "Tool" => cut.tools.iter().any(|card| card.id.as_str() == id),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use ambit_model::diagnostic::Severity;
    use ambit_model::facts::{Effect, Risk};
    use ambit_model::intake::LikenessKind;
    use ambit_model::policies::{IdleKind, Shown, TestKind};

    use super::*;
    use crate::authority::sample;

    const ACME: &str =
        r#"permit (principal in Ambit::Role::"acme:role:member", action in Ambit::Action::"use", resource);"#;
    const GLOBEX: &str =
        r#"permit (principal in Ambit::Role::"globex:role:member", action in Ambit::Action::"use", resource);"#;
    const PLANT: &str = r#"forbid (principal, action, resource in Ambit::Catalog::"plant");"#;
    const ALL: &str =
        r#"forbid (principal is Ambit::Agent, action, resource) when { resource.risk == Ambit::Risk::"critical" };"#;

    #[test]
    fn a_tenants_part_is_the_same_whatever_others_do() {
        let whole = sample::snapshot(&[ACME, GLOBEX, PLANT, ALL]);
        let seen = snapshot(&whole, "acme");
        let ids = |of: &Snapshot| of.tools.iter().map(|card| card.id.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(ids(&seen), "billing/list billing/pay billing/report mail/send");
        assert_eq!(seen.policies.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(), ["p0", "p3"]);
        assert!(!format!("{seen:?}").contains("globex"));
        assert!(!format!("{seen:?}").contains("plant"));
        let mut busier = whole.clone();
        busier.tools.push(sample::card("plant/more", Effect::Write, Risk::Low, false));
        busier.tools.push(sample::card("hidden/more", Effect::Write, Risk::Low, false));
        busier.tenants.retain(|tenant| tenant.id == "acme");
        busier.policies.retain(|policy| policy.cedar != GLOBEX);
        assert_eq!(snapshot(&busier, "acme"), seen);
    }

    #[test]
    fn of_policies_and_tests_only_those_in_sight_are_told() {
        let whole = sample::snapshot(&[ACME, GLOBEX, PLANT, ALL]);
        let note = |id: &str, file: &str, by: &[&str]| PolicyNote {
            id: id.to_owned(),
            file: file.to_owned(),
            line: 3,
            template: None,
            tested: true,
            idle: Some(Idle {
                kind: IdleKind::Shadowed,
                by: by.iter().map(|id| (*id).to_owned()).collect(),
                shown: Shown::Enumeration,
            }),
        };
        let test = |says: &str| TestOutcome {
            kind: TestKind::PolicyTest,
            file: "tests.yaml".to_owned(),
            line: 1,
            says: says.to_owned(),
            passed: false,
            instead: vec!["`p1` decides".to_owned()],
        };
        let known = PolicyReport {
            policies: vec![
                note("p0", "acme.cedar", &["p1", "p3"]),
                note("p1", "acme.cedar", &[]),
                note("p2", "acme.cedar", &[]),
                note("p3", "globex-and-all.cedar", &[]),
            ],
            tests: vec![
                test("acme:user:ada may invoke billing/* in acme/finance"),
                test("acme:user:ada may not invoke plant/status in acme/finance"),
                test("globex:user:gus may discover plant/status in globex/works"),
            ],
        };
        let seen = policies(&known, &whole, &snapshot(&whole, "acme"), "acme");
        let notes: Vec<_> = seen.policies.iter().map(|note| (note.id.as_str(), note.place())).collect();
        assert_eq!(notes, [("p0", Some("acme.cedar:3".to_owned())), ("p3", None)]);
        assert_eq!(
            seen.policies.first().and_then(|note| note.idle.clone()).map(|idle| idle.by),
            Some(vec!["p3".to_owned()])
        );
        assert_eq!(
            seen.tests.iter().map(|test| test.says.as_str()).collect::<Vec<_>>(),
            ["acme:user:ada may invoke billing/* in acme/finance"]
        );
        assert!(!format!("{seen:?}").contains("p1") && !format!("{seen:?}").contains("globex"));
    }

    #[test]
    fn a_name_is_found_as_a_word() {
        let check =
            |text: &str, name: &str, expected: bool| assert_eq!(holds_word(text, name), expected, "{name} in {text}");
        check("policies/acme-payments.cedar", "acme", true);
        check("policies/acmes.cedar", "acme", false);
        check("acme:user:ada", "acme", true);
        check("pacme acme", "acme", true);
    }

    #[test]
    fn a_report_names_the_other_side_only_to_who_may_read_it() {
        let finding = |tool: &str, other: Option<&str>, severity| Finding {
            tool: tool.to_owned(),
            severity,
            code: "E_SELF_RETRIEVAL".into(),
            pointer: String::new(),
            message: format!("comes after {other:?}"),
            remedy: format!("differ from {other:?}"),
            acknowledged: false,
            place: None,
            other: other.map(str::to_owned),
        };
        let asked = || {
            vec![ClashQuestion { question: "q".to_owned(), rival_score: 7, own_rank: 3, ..ClashQuestion::default() }]
        };
        let clash = |tool: &str, rival: &str| Clash {
            tool: tool.to_owned(),
            rival: rival.to_owned(),
            questions: asked(),
            taken: asked(),
            words: vec!["plant".to_owned()],
            likeness: 9,
        };
        let whole = IntakeReport {
            offered: 4,
            accepted: vec!["mail/send".to_owned(), "plant/status".to_owned()],
            findings: vec![
                finding("mail/find", Some("plant/status"), Severity::Error),
                finding("mail/send", Some("mail/find"), Severity::Warning),
                finding("plant/off", Some("mail/send"), Severity::Error),
            ],
            clashes: vec![clash("mail/find", "plant/status"), clash("plant/off", "mail/send")],
            ..IntakeReport::default()
        };
        let seen = report(&whole, "acme", &BTreeSet::from(["mail".to_owned()]));
        assert!(!format!("{seen:?}").contains("plant"));
        assert_eq!((seen.offered, seen.rejected(), seen.findings.len(), seen.clashes.len()), (2, 1, 2, 2));
        assert!(seen.clashes.iter().flat_map(|c| &c.questions).all(|q| q.rival_score == 0 && q.own_rank == 0));
        assert_eq!(seen.findings.get(1).and_then(|f| f.other.as_deref()), Some("mail/find"));
        let everything = BTreeSet::from(["mail".to_owned(), "plant".to_owned()]);
        let mut of_two = whole.clone();
        for asked in of_two.clashes.iter_mut().flat_map(|clash| clash.questions.iter_mut().chain(&mut clash.taken)) {
            (asked.own_rank, asked.rival_score) = (0, 0);
        }
        assert_eq!(report(&whole, "acme", &everything), of_two);
    }

    #[test]
    fn margins_of_two_tools_in_sight_are_the_same_with_and_without_a_third() {
        let asked = |own_score, rival_score, own_rank, bm25_margin| ClashQuestion {
            question: "q".to_owned(),
            own_score,
            rival_score,
            own_rank,
            semantic_margin: -40,
            bm25_margin,
        };
        let whole = |asked: ClashQuestion, words: [&str; 2]| IntakeReport {
            clashes: vec![Clash {
                tool: "mail/find".to_owned(),
                rival: "mail/seek".to_owned(),
                questions: vec![asked.clone()],
                taken: vec![asked],
                words: words.map(str::to_owned).to_vec(),
                likeness: 9,
            }],
            ..IntakeReport::default()
        };
        let mine = BTreeSet::from(["mail".to_owned()]);
        let alone = report(&whole(asked(10, 20, 2, -30), ["letter", "by"]), "acme", &mine);
        let beside_another = report(&whole(asked(12, 21, 3, -25), ["by", "letter"]), "acme", &mine);
        assert_eq!(alone, beside_another);
        assert_eq!(alone.clashes[0].questions[0].semantic_margin, -40);
    }

    #[test]
    fn a_refused_card_leads_to_nothing_out_of_sight() {
        let mut card = sample::card("mail/send", Effect::Write, Risk::Low, false);
        card.facts.next = ["mail/find", "plant/off"].into_iter().filter_map(ToolId::parse).collect();
        card.facts.after = ToolId::parse("plant/off").into_iter().collect();
        let whole = IntakeReport { refused: vec![card], ..IntakeReport::default() };
        let seen = report(&whole, "acme", &BTreeSet::from(["mail".to_owned()]));
        assert_eq!(seen.refused.iter().map(|card| card.facts.next.len()).collect::<Vec<_>>(), [1]);
        assert!(!format!("{seen:?}").contains("plant"));
    }

    #[test]
    fn nothing_is_told_of_likenesses_and_rivals_out_of_sight() {
        let like = |speaks_of: &[&str]| Likeness {
            kind: LikenessKind::Twins,
            tool: "mail/find".to_owned(),
            other: "mail/seek".to_owned(),
            evidence: Vec::new(),
            proposal: speaks_of.join(" "),
            speaks_of: speaks_of.iter().map(|id| (*id).to_owned()).collect(),
        };
        let warned = Finding {
            tool: "mail/find".to_owned(),
            severity: Severity::Warning,
            code: codes::W_TWIN_UNDECLARED.into(),
            pointer: String::new(),
            message: String::new(),
            remedy: String::new(),
            acknowledged: false,
            place: None,
            other: Some("mail/seek".to_owned()),
        };
        let lost = |rival: &str, question: &str| {
            let asked = ClashQuestion { question: question.to_owned(), own_rank: 4, ..ClashQuestion::default() };
            Clash { tool: "mail/find".to_owned(), rival: rival.to_owned(), questions: vec![asked], ..Clash::default() }
        };
        let whole = |like: Likeness| IntakeReport {
            accepted: vec!["mail/find".to_owned(), "mail/seek".to_owned()],
            findings: vec![warned.clone()],
            likenesses: vec![like],
            clashes: vec![lost("mail/seek", "x"), lost("plant/a", "z"), lost("plant/b", "y")],
            ..IntakeReport::default()
        };
        let mine = BTreeSet::from(["mail".to_owned()]);
        let seen = report(&whole(like(&["mail/find", "mail/seek"])), "acme", &mine);
        assert_eq!((seen.likenesses.len(), seen.findings.len()), (1, 1));
        let seen = report(&whole(like(&["mail/find", "mail/seek", "plant/find"])), "acme", &mine);
        assert_eq!((seen.likenesses.len(), seen.findings.len()), (0, 0), "the proposal would name the third");
        let told: Vec<(String, Vec<(String, usize)>)> = seen
            .clashes
            .into_iter()
            .map(|c| (c.rival, c.questions.into_iter().map(|q| (q.question, q.own_rank)).collect()))
            .collect();
        let asked = |question: &str| (question.to_owned(), 0);
        assert_eq!(told, [(String::new(), vec![asked("y"), asked("z")]), ("mail/seek".to_owned(), vec![asked("x")])]);
    }
}
