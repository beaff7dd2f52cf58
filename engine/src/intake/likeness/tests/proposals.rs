//! What is proposed: one document for all that are alike, so that all of them can be taken over at once; and nothing of tools out of sight.

use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::intake::IntakeReport;

use super::*;
use crate::compile::{Compiled, prepare};
use crate::cut;
use crate::intake::tests::tree;

const BELL: &str = "Rings the bell at the front door.";
const MAIL: &str = "Sends a mail as plain text.";

/// These names, with the same description and inputs.
fn equal<const N: usize>(names: [&'static str; N], description: &'static str, inputs: &'static str) -> [Written; N] {
    names.map(|name| (name, description, inputs, None))
}

/// The tools with every proposal of a report, each once.
fn pasted(tools: &[Written], report: &IntakeReport) -> Compiled {
    let proposals: BTreeSet<&str> = report.likenesses.iter().map(|like| like.proposal.as_str()).collect();
    compiled(&json(tools), &proposals.iter().map(|proposal| format!("---\n{proposal}")).collect::<String>())
}

/// All proposals together compile, end every likeness, and declare `twins a b` and `versions a b`.
#[track_caller]
fn check_pasted(tools: &[Written], expected: &[&str]) {
    let compiled = pasted(tools, &compiled(&json(tools), "").report);
    assert_eq!(compiled.diagnostics, Vec::<Diagnostic>::new());
    assert_eq!(compiled.report.likenesses, []);
    let snapshot = compiled.snapshot.unwrap();
    let listed = |kind: &str, members: Vec<&str>| format!("{kind} {}", members.join(" ").replace("c/", ""));
    let twins = snapshot.twins.iter().map(|one| listed("twins", one.members.iter().map(ToolId::as_str).collect()));
    let families = snapshot.families.iter().map(|one| {
        let tools = one.members.iter().map(|member| member.tool.as_str());
        listed("versions", tools.collect())
    });
    assert_eq!(twins.chain(families).collect::<Vec<String>>(), expected);
}

#[test]
fn all_that_are_alike_are_one_document() {
    check_pasted(&equal(["a", "b", "c"], BELL, ""), &["twins a b c"]);
    check_pasted(&equal(["send", "send_v2", "send_v3"], MAIL, "to"), &["versions send send_v2 send_v3"]);
    // One version twice.
    check_pasted(&equal(["send", "send_v2", "sendV2"], MAIL, "to"), &["versions send sendV2 send_v2"]);
    // Another tool is a twin of two versions.
    let bells = equal(["ring_bell", "ring_bell_v2", "bell.ring"], BELL, "times");
    check_pasted(&bells, &["twins bell.ring ring_bell ring_bell_v2"]);
    // The second version takes more than the twin of the first.
    let more = ("send_v2", MAIL, "to text pictures", None);
    let [post, send] = equal(["post", "send"], MAIL, "to text");
    check_pasted(&[post, send, more], &["twins post send", "versions send send_v2"]);
}

#[test]
fn all_proposals_can_be_taken_over_at_once() {
    let people = [
        SEARCH,
        ("people.find", "Finds persons by their name.", "query", Some("id name")),
        ("人物.查找", "Searches persons by their name.", "query", Some("id name")),
    ];
    let tools = [
        equal(["a", "b", "c"], BELL, ""),
        equal(["ring_bell", "ring_bell_v2", "bell.ring"], BELL, "times"),
        people,
        equal(["send", "send_v2", "legacy_send"], MAIL, "to text"),
    ];
    let expected = [
        "twins a b c",
        "twins bell.ring ring_bell ring_bell_v2",
        "twins people.find people.search 人物.查找",
        "versions legacy_send send send_v2",
    ];
    check_pasted(&tools.concat(), &expected);
}

#[test]
fn every_pair_is_told_of_the_document_of_all() {
    let report = compiled(&json(&equal(["a", "b", "c"], BELL, "")), "").report;
    let all = "kind: TwinGroup\nid: c-a\nmembers:\n  - c/a\n  - c/b\n  - c/c\npreferred: c/a\n";
    assert_eq!(report.likenesses.len(), 2);
    assert!(report.likenesses.iter().all(|like| like.proposal.starts_with(all)), "{:?}", report.likenesses);
    let remedies = |report: &IntakeReport| -> BTreeSet<String> {
        let told = report.findings.iter().filter(|finding| finding.code == codes::W_TWIN_UNDECLARED);
        told.map(|finding| finding.remedy.clone()).collect()
    };
    let of = |all: &str| format!("declare a TwinGroup{all}, or say in the descriptions what sets the two apart");
    assert_eq!(remedies(&report), BTreeSet::from([of(" of all that are alike")]));
    assert_eq!(remedies(&compiled(&json(&equal(["a", "b"], BELL, "")), "").report), BTreeSet::from([of("")]));
}

#[test]
fn what_is_declared_already_is_to_be_extended() {
    let tools = equal(["a", "b", "c"], BELL, "");
    let declared = "---\nkind: TwinGroup\nid: bells\nmembers: [c/a, c/b]\npreferred: c/a\nreason: r\n";
    let report = compiled(&json(&tools), declared).report;
    let found = &report.likenesses;
    assert_eq!(found.iter().map(|like| like.other.as_str()).collect::<Vec<_>>(), ["c/c"]);
    let last = found[0].evidence.last().map(String::as_str);
    assert_eq!(last, Some("`c/a` is in the twin group `bells` already"));
    assert_eq!(found[0].speaks_of, ["c/a", "c/b", "c/c"]);
    assert_eq!(found[0].proposal, "# add `c/c` to the TwinGroup `bells`\n");
    let of_c = |finding: &&Finding| finding.tool == "c/c" && finding.code == codes::W_TWIN_UNDECLARED;
    let remedy = report.findings.iter().find(of_c).map(|finding| finding.remedy.as_str());
    let expected = "add `c/c` to the TwinGroup `bells`, or say in the descriptions what sets the two apart";
    assert_eq!(remedy, Some(expected));
}

#[test]
fn two_declarations_of_tools_that_are_alike_are_to_be_one() {
    let tools = equal(["a", "b", "d", "e"], BELL, "");
    let group = |id: &str, members: &str| {
        format!("---\nkind: TwinGroup\nid: {id}\nmembers: [{members}]\npreferred: c/{id}\nreason: r\n")
    };
    let declared = format!("{}{}", group("a", "c/a, c/b"), group("e", "c/d, c/e"));
    let found = compiled(&json(&tools), &declared).report.likenesses;
    assert!(!found.is_empty());
    assert!(found.iter().all(|like| like.proposal == "# make one TwinGroup of `a` and `e`\n"), "{found:?}");
}

#[test]
fn a_declaration_whose_tools_were_refused_keeps_its_id_and_its_members() {
    let bells = equal(["a", "b"], BELL, "");
    let refused = [("gone", "Gone", "", None), ("lost", "Lost", "", None)];
    let proposal = |members: &str| {
        let more = format!("---\nkind: TwinGroup\nid: c-a\nmembers: [{members}]\npreferred: c/gone\nreason: r\n");
        compiled(&json(&[bells, refused].concat()), &more).report.likenesses[0].proposal.clone()
    };
    let other = proposal("c/gone, c/lost");
    assert!(other.starts_with("kind: TwinGroup\nid: c-a-2\n"), "{other}");
    assert_eq!(proposal("c/gone, c/b"), "# add `c/a` to the TwinGroup `c-a`\n");
}

#[test]
fn a_document_lists_no_more_than_people_read() {
    let tool = |n: usize| -> Written {
        let name: &'static str = format!("ring{n:02}x").leak();
        (name, BELL, "", None)
    };
    let tools: Vec<Written> = (0..60).map(tool).collect();
    let report = compiled(&json(&tools), "").report;
    let (words, documents): (Vec<&str>, Vec<&str>) =
        report.likenesses.iter().map(|like| like.proposal.as_str()).partition(|proposal| proposal.starts_with('#'));
    assert_eq!((words.len(), documents.len()), (10, 49));
    assert_eq!(words[0], "# declare the TwinGroup `c-ring00x` and add `c/ring50x` to it\n");
    assert_eq!(documents.iter().collect::<BTreeSet<_>>().len(), 1);
    assert_eq!(documents[0].matches("\n  - ").count(), 50);
    let compiled = pasted(&tools, &report);
    assert_eq!(compiled.diagnostics, Vec::<Diagnostic>::new());
    let left: Vec<&str> = compiled.report.likenesses.iter().map(|like| like.proposal.as_str()).collect();
    assert_eq!(left.len(), 10);
    assert_eq!(left[0], "# add `c/ring50x` to the TwinGroup `c-ring00x`\n");
}

#[test]
fn nothing_is_told_of_four_that_are_alike_to_who_sees_three() {
    let both = "---\nkind: Catalog\nid: d\nfile: d.json\n---\nkind: Project\nid: both\ntenant: a\nname: Both\ncatalogs: [c, d]\n";
    let mut tree = tree(&json(&equal(["a", "b", "e"], BELL, "")), both);
    tree.insert("d.json", json(&equal(["z"], BELL, "")));
    let compiled = prepare(&tree).finish_without_retrieval("2026-06-01").unwrap();
    assert_eq!(compiled.report.likenesses.len(), 3);
    assert!(compiled.report.likenesses.iter().all(|like| like.proposal.contains("  - d/z\n")));
    let seen = cut::report(&compiled.report, "a", &BTreeSet::from(["c".to_owned()]));
    assert_eq!(seen.likenesses, []);
    assert!(seen.findings.iter().all(|finding| finding.code != codes::W_TWIN_UNDECLARED));
    assert!(!format!("{seen:?}").contains("d/z"));

    // Among the tools in sight they are three.
    let snapshot = compiled.snapshot.unwrap();
    let cards: Vec<&ToolCard> = snapshot.tools.iter().filter(|card| card.id.catalog() == "c").collect();
    let pair = [cards[1], cards[2]];
    let Some(Remedy::Declare(proposal)) =
        between(cards.iter().copied(), pair, &Declared::default(), &snapshot.vocabularies)
    else {
        panic!("nothing is proposed");
    };
    assert_eq!(proposal.members().iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["c/a", "c/b", "c/e"]);
}

#[test]
fn what_a_tenant_is_proposed_does_not_depend_on_others() {
    let catalog = json(&equal(["find"], "Finds persons by their name.", "query"));
    let document = |id: &str, owner: &str| format!("---\nkind: Catalog\nid: {id}\n{owner}file: c.json\n");
    let other = format!(
        "{}---\nkind: Tenant\nid: b\nname: B\n---\nkind: Project\nid: q\ntenant: b\nname: Q\ncatalogs: [c, d]\n",
        document("d", "tenant: b\n"),
    );
    let lists = |id: &str, catalogs: &str| {
        format!("---\nkind: Project\nid: {id}\ntenant: a\nname: P\ncatalogs: [{catalogs}]\n")
    };
    let own = format!("{}{}", document("e", "tenant: a\n"), lists("r", "c, e"));
    let of_own = |more: &str| {
        let found = compiled(&catalog, &format!("{own}{more}")).report.likenesses;
        let own: Vec<Likeness> = found.into_iter().filter(|like| like.other == "e/find").collect();
        assert_eq!(own.len(), 1, "with {more}");
        own[0].clone()
    };
    let alone = of_own("");
    assert!(alone.proposal.starts_with("kind: TwinGroup\nid: e-find\nmembers:\n  - c/find\n  - e/find\n"), "{alone:?}");
    assert_eq!(of_own(&other), alone);
    // Two shared tools are twins by themselves.
    let shared = format!("{}{}", document("f", ""), lists("s", "c, e, f"));
    let beside = of_own(&shared);
    assert_eq!(beside.proposal, "# declare the TwinGroup `c-find` and add `e/find` to it\n");
    assert_eq!(of_own(&format!("{shared}{other}")), beside);
}
