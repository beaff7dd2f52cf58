//! Tables of declarations that name tools, against the tools that intake accepted and refused.

use super::*;
use crate::parse::parse;
use crate::parse::rendered::{rendered, tree};
use crate::resolve::resolve;

const ACCEPTED: [&str; 6] = [
    "billing/get_revenue",
    "billing/list_invoices",
    "billing/v1/ping",
    "crm/customers.find",
    "crm/customers.search",
    "mail/send_email_v2",
];
const REFUSED: [&str; 3] = ["billing/misc", "mail/send_email", "old/one"];

fn tools(ids: &[&str]) -> BTreeSet<ToolId> {
    ids.iter().filter_map(|id| ToolId::parse(id)).collect()
}

fn linked(yaml: &str) -> (Linked, String) {
    let workspace = "kind: Workspace\nname: w\n---\nkind: Tenant\nid: acme\nname: A\nusers: [{ id: ada }]\n---\nkind: Project\nid: p\ntenant: acme\nname: P\ncatalogs: [billing, mail, empty]\n---\nkind: Catalog\nid: empty\nfile: e.json\n";
    let others = "kind: Catalog\nid: mail\nfile: m.json\n";
    let billing = if yaml.contains("id: billing\nfile") { "" } else { "kind: Catalog\nid: billing\nfile: b.json\n" };
    let tree = tree(&[("w.yaml", workspace), ("m.yaml", others), ("b.yaml", billing), ("a.yaml", yaml)]);
    let (written, problems) = parse(&tree);
    assert_eq!(rendered(&problems), "");
    let (declarations, problems) = resolve(&written, &tree);
    assert_eq!(rendered(&problems), "");
    let (linked, problems) = link(&declarations, &ToolNames { accepted: tools(&ACCEPTED), refused: tools(&REFUSED) });
    (linked, rendered(&problems))
}

fn check(yaml: &str, expected: &str) {
    assert_eq!(linked(yaml).1, expected, "\n{yaml}");
}

fn ids(tools: &[ToolId]) -> Vec<&str> {
    tools.iter().map(ToolId::as_str).collect()
}

fn group(members: &str) -> String {
    format!("kind: Group\nid: g\ntitle: G\ndescription: d\nmembers: {members}\n")
}

#[test]
fn globs_expand_to_accepted_tools_and_do_not_cross_a_slash() {
    for (members, expected) in [
        ("['billing/*']", &["billing/get_revenue", "billing/list_invoices"][..]),
        ("['billing/**']", &["billing/get_revenue", "billing/list_invoices", "billing/v1/ping"]),
        (
            "['*/customers.*', 'billing/get_*', crm/customers.find]",
            &["billing/get_revenue", "crm/customers.find", "crm/customers.search"],
        ),
        ("['{crm,mail}/*']", &["crm/customers.find", "crm/customers.search", "mail/send_email_v2"]),
    ] {
        let (linked, problems) = linked(&group(members));
        assert_eq!(problems, "");
        assert_eq!(
            linked.groups.iter().flat_map(|group| ids(&group.members)).collect::<Vec<_>>(),
            expected,
            "{members}"
        );
    }
}

#[test]
fn a_tool_knows_its_groups() {
    let (linked, _) =
        linked(&format!("{}---\n{}", group("['crm/*']").replace("id: g", "id: z"), group("[crm/customers.find]")));
    let groups: Vec<_> = linked.groups_of.iter().map(|(tool, groups)| (tool.as_str(), groups.join(" "))).collect();
    assert_eq!(groups, [("crm/customers.find", "g z".to_owned()), ("crm/customers.search", "z".to_owned())]);
}

#[test]
fn members_that_match_nothing_are_told() {
    check(
        &group("['*', 'old/*', billing/misc, billing/get_revenu]"),
        "a.yaml:5:11 W_UNUSED <'*'> the glob `*` matches no tool | `*` does not cross a slash: `billing/*` are the tools of the catalog `billing`\na.yaml:5:16 W_UNUSED <'old/*'> the glob `old/*` matches only tools that intake refused | the intake report says why\na.yaml:5:25 W_UNUSED <billing/misc> intake refused the tool `billing/misc`: it is left out of the group `g` | the intake report says why\na.yaml:5:39 E_UNRESOLVED <billing/get_revenu> no catalog offers the tool `billing/get_revenu` | did you mean `billing/get_revenue`?",
    );
}

#[test]
fn twins_lose_refused_members() {
    let (both, problems) = linked(
        "kind: TwinGroup\nid: t\nmembers: [crm/customers.search, crm/customers.find, billing/misc]\npreferred: billing/misc\nreason: r\n",
    );
    assert_eq!(
        problems,
        "a.yaml:3:53 W_UNUSED <billing/misc> intake refused the tool `billing/misc`: it is left out of the twin group `t` | the intake report says why"
    );
    let twins: Vec<_> = both.twins.iter().map(|twins| (ids(&twins.members), twins.preferred.as_str())).collect();
    assert_eq!(twins, [(vec!["crm/customers.find", "crm/customers.search"], "crm/customers.find")]);
    let (none, _) = linked(
        "kind: TwinGroup\nid: t\nmembers: [crm/customers.find, billing/misc]\npreferred: crm/customers.find\nreason: r\n",
    );
    assert_eq!(none.twins, []);
    check(
        "kind: TwinGroup\nid: t\nmembers: [crm/customers.find, crm/customer.search]\npreferred: crm/customers.find\nreason: r\n",
        "a.yaml:3:31 E_UNRESOLVED <crm/customer.search> no catalog offers the tool `crm/customer.search` | did you mean `crm/customers.search`?",
    );
}

#[test]
fn families_rise_by_version_and_keep_a_current_one() {
    let family = |current: u32| {
        format!(
            "kind: VersionFamily\nid: f\ncurrent: {current}\nmembers:\n  - {{ tool: mail/send_email_v2, version: 2, deprecated: true }}\n  - {{ tool: crm/customers.find, version: 1 }}\n  - {{ tool: mail/send_email, version: 3 }}\n"
        )
    };
    for (written, current) in [(2, 2), (3, 1)] {
        let (linked, problems) = linked(&family(written));
        assert_eq!(
            problems,
            "a.yaml:7:13 W_UNUSED <mail/send_email> intake refused the tool `mail/send_email`: it is left out of the version family `f` | the intake report says why"
        );
        let families: Vec<_> = linked
            .families
            .iter()
            .map(|f| (f.current, f.members.iter().map(|m| m.version).collect::<Vec<_>>()))
            .collect();
        assert_eq!(families, [(current, vec![1, 2])]);
    }
    check(
        "kind: VersionFamily\nid: f\ncurrent: 1\nmembers:\n  - { tool: nowhere/x, version: 1 }\n  - { tool: mail/send_email_v2, version: 2 }\n",
        "a.yaml:5:13 E_UNRESOLVED <nowhere/x> no catalog offers the tool `nowhere/x` | known: `billing/get_revenue`, `billing/list_invoices`, `billing/v1/ping`, `crm/customers.find`, `crm/customers.search` and `mail/send_email_v2`",
    );
}

#[test]
fn catalog_entries_name_tools_of_their_file() {
    check(
        "kind: Catalog\nid: billing\nfile: b.json\nacknowledged: [{ tool: misc, code: E_DESC_VAGUE, reason: r }, { tool: msc, code: E_DESC_VAGUE, reason: r }]\ntools:\n  get_revenue: {}\n  misc: {}\n  list_invoice: {}\n",
        "a.yaml:4:71 W_UNUSED <msc> the catalog `billing` offers no tool `msc` whose `E_DESC_VAGUE` could be acknowledged | take the entry out\na.yaml:8:3 E_UNRESOLVED <list_invoice> the catalog `billing` offers no tool `list_invoice` | did you mean `list_invoices`?",
    );
    check(
        "kind: Catalog\nid: nothing\nfile: n.json\ntools: { a: {}, b: {} }\n---\nkind: Project\nid: q\ntenant: acme\nname: Q\ncatalogs: [nothing]\n",
        "a.yaml:4:10 E_UNRESOLVED <a> the catalog `nothing` offers no tool, so nothing answers to the names under `tools` | mend `n.json`, or take the entries out",
    );
}

#[test]
fn next_and_after_are_canonical() {
    let (linked, problems) = linked(
        "kind: Catalog\nid: billing\nfile: b.json\ndefaults: { next: [get_revenue] }\ntools:\n  get_revenue: { next: [mail/send_email_v2, v1/ping, v1/ping], after: [list_invoices] }\n  v1/ping: { next: [] }\n",
    );
    assert_eq!(problems, "");
    let flow = |map: &BTreeMap<ToolId, Vec<ToolId>>| {
        map.iter().map(|(tool, others)| format!("{tool}: {}", ids(others).join(" "))).collect::<Vec<_>>()
    };
    assert_eq!(
        flow(&linked.next),
        ["billing/get_revenue: mail/send_email_v2 billing/v1/ping", "billing/list_invoices: billing/get_revenue"]
    );
    assert_eq!(flow(&linked.after), ["billing/get_revenue: billing/list_invoices"]);
    check(
        "kind: Catalog\nid: billing\nfile: b.json\ntools:\n  get_revenue: { next: [misc, list_invoce], after: [mail/send_email, x/y] }\n",
        "a.yaml:5:25 W_UNUSED <misc> intake refused the tool `billing/misc`: it is not offered as a next tool | the intake report says why\na.yaml:5:31 E_UNRESOLVED <list_invoce> `list_invoce` is neither a tool of the catalog `billing` nor a canonical id | did you mean `list_invoices`?\na.yaml:5:53 W_UNUSED <mail/send_email> intake refused the tool `mail/send_email`: nothing waits for it | the intake report says why\na.yaml:5:70 E_UNRESOLVED <x/y> `x/y` is neither a tool of the catalog `billing` nor a canonical id",
    );
}

#[test]
fn expectations_name_offered_tools() {
    check(
        "kind: GoldenRoute\nquestion: q?\nprincipal: acme:user:ada\nproject: p\ntools: [billing/get_revenue, billing/misc, billing/list_invoce]\n---\nkind: PolicyTest\nprincipal: acme:user:ada\nproject: p\naction: route\ntool: biling/*\nexpect: deny\n",
        "a.yaml:5:30 W_UNUSED <billing/misc> intake refused the tool `billing/misc`: a test names it here | the intake report says why\na.yaml:5:44 E_UNRESOLVED <billing/list_invoce> no catalog offers the tool `billing/list_invoce` | did you mean `billing/list_invoices`?\na.yaml:11:7 W_UNUSED <biling/*> the glob `biling/*` matches no tool | `*` does not cross a slash: `billing/*` are the tools of the catalog `billing`",
    );
}
