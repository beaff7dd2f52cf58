//! The Authority page: the policies and their tests always, a view where somebody is asked about, and why where a tool is.

use ambit_model::codes::{self, E_INTERNAL};
use ambit_model::declaration::Action;
use ambit_model::explain::{Change, Decided, Explained, Why};
use ambit_model::listed::{ListedTool, PrincipalList};
use ambit_model::policies::{Idle, IdleKind, ListedPolicy, PolicyList, PolicyNote, Shown, TestKind, TestOutcome};
use ambit_service::Error;
use ambit_service::caller::{Caller, Wanted};
use ambit_service::live::Live;
use ambit_service::policies::list_policies;
use ambit_service::principals::{list_principals, read_view};
use ambit_service::why::explain_decision;

use super::{given, refuse, shown, signed_in};
use crate::data::{AskedAbout, AuthorityPage, DecidedRow, PolicyRow, TestRow, ToolRow, ViewPage, WhyPage};
use crate::problem::Problem;

/// Tools on a page.
const ON_A_PAGE: usize = 100;

/// What lets tools through: its word in the URL, what people read, and which.
type Filter<D> = (&'static str, &'static str, fn(&ListedTool<D>) -> bool);

pub(crate) async fn authority(asked: AskedAbout, filter: &str, page: usize) -> Result<AuthorityPage, Problem> {
    let (live, caller) = signed_in()?;
    let declared = list_principals(&caller, &live).await.map_err(|e| refuse(&e))?;
    let PolicyList { policies, tests, .. } = list_policies(&caller, &live).await.map_err(|e| refuse(&e))?;
    let asked = in_a_project(asked, &declared);
    let mut trouble = Vec::new();
    let view = view(&live, &caller, &asked, filter, page).await;
    let view = answered(view, &mut trouble)?.flatten();
    let why = answered(why(&live, &caller, &asked).await, &mut trouble)?.flatten();
    shown(&AuthorityPage {
        snapshot: declared.snapshot.number,
        principals: declared.principals.iter().map(|one| one.principal.to_string()).collect(),
        projects: declared.projects.iter().map(ToString::to_string).collect(),
        asked,
        trouble,
        view,
        why,
        policies: policies.into_iter().map(policy_row).collect(),
        tests: failed_first(tests).into_iter().map(test_row).collect(),
    })
}

/// Where no project is named, the first of the principal's tenant.
fn in_a_project(asked: AskedAbout, declared: &PrincipalList) -> AskedAbout {
    let tenant = asked.principal.split(':').next().unwrap_or("");
    let first = declared.projects.iter().find(|project| project.tenant == tenant);
    match first {
        Some(first) if asked.project.is_empty() => AskedAbout { project: first.to_string(), ..asked },
        _ => asked,
    }
}

/// What lies in the question is said on the page, and something else can be asked.
fn answered<T>(answer: Result<T, Error>, trouble: &mut Vec<String>) -> Result<Option<T>, Problem> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.code() == E_INTERNAL || codes::status(error.code()) >= 500 => Err(refuse(&error)),
        Err(error) => {
            let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
            let says = format!("{error}{help}");
            if !trouble.contains(&says) {
                trouble.push(says);
            }
            Ok(None)
        }
    }
}

fn wanted(asked: &AskedAbout) -> Option<Wanted> {
    let principal = Some(given(&asked.principal)?);
    Some(Wanted { principal, acting_for: given(&asked.acting_for), project: given(&asked.project) })
}

async fn view(
    live: &Live,
    caller: &Caller,
    asked: &AskedAbout,
    filter: &str,
    page: usize,
) -> Result<Option<ViewPage>, Error> {
    let Some(wanted) = wanted(asked) else { return Ok(None) };
    Ok(Some(filtered(&read_view(caller, live, &wanted).await?.tools, filter, page)))
}

fn filtered<D>(tools: &[ListedTool<D>], filter: &str, page: usize) -> ViewPage {
    let filters: [Filter<D>; 5] = [
        ("", "all", |_| true),
        ("route", "may be offered", |tool| tool.route),
        ("invoke", "may be called", |tool| tool.invoke),
        ("confirm", "called once confirmed", |tool| tool.invoke && tool.needs_confirmation),
        ("denied", "may not be called", |tool| !tool.invoke),
    ];
    let [all, ..] = &filters;
    let (word, _, passes) = filters.iter().find(|(word, ..)| *word == filter).unwrap_or(all);
    let passing: Vec<&ListedTool<D>> = tools.iter().filter(|tool| passes(tool)).collect();
    let pages = passing.len().div_ceil(ON_A_PAGE).max(1);
    let page = page.clamp(1, pages);
    let counted = |(word, says, passes): &Filter<D>| {
        ((*word).to_owned(), (*says).to_owned(), tools.iter().filter(|tool| passes(tool)).count())
    };
    ViewPage {
        filters: filters.iter().map(counted).collect(),
        filter: (*word).to_owned(),
        page,
        pages,
        rows: passing.into_iter().skip((page - 1) * ON_A_PAGE).take(ON_A_PAGE).map(tool_row).collect(),
    }
}

fn tool_row<D>(tool: &ListedTool<D>) -> ToolRow {
    let decided = |action: Action, allow: bool, policies: &Vec<String>| {
        let decided = Decided { allow, policies: policies.clone(), errors: Vec::new() };
        decided_row(action.word().to_owned(), &decided, action == Action::Invoke && tool.needs_confirmation)
    };
    ToolRow {
        tool: tool.id.to_string(),
        effect: tool.effect.word().to_owned(),
        decided: vec![
            decided(Action::Discover, true, &tool.policies.discover),
            decided(Action::Route, tool.route, &tool.policies.route),
            decided(Action::Invoke, tool.invoke, &tool.policies.invoke),
        ],
    }
}

fn decided_row(of: String, decided: &Decided, confirmed: bool) -> DecidedRow {
    let how = if decided.allow && confirmed { ", confirmed" } else { "" };
    let errors: String = decided.errors.iter().map(|error| format!("{error}; ")).collect();
    DecidedRow {
        of,
        allow: decided.allow,
        verdict: format!("{}{how}", decided.verdict()),
        by: format!("{errors}{}", decided.by()),
        policies: decided.policies.clone(),
    }
}

async fn why(live: &Live, caller: &Caller, asked: &AskedAbout) -> Result<Option<WhyPage>, Error> {
    let (Some(wanted), Some(tool)) = (wanted(asked), given(&asked.tool)) else { return Ok(None) };
    let action = Action::ALL.into_iter().find(|action| action.word() == asked.action).unwrap_or(Action::Invoke);
    Ok(Some(why_page(&explain_decision(caller, live, &wanted, &tool, action).await?)))
}

fn why_page(why: &Why) -> WhyPage {
    let explained = &why.explained;
    WhyPage {
        allow: explained.allow,
        answer: explained.answer(),
        unseen: why.unseen,
        facts: facts(explained),
        decided: decisions(explained),
        above_changes: explained.above_changes().to_owned(),
        changes: explained.changes.iter().map(change).collect(),
    }
}

/// The tool as policies see it, what the project does to it, and what everybody holds.
fn facts(explained: &Explained) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |what: &str, says: String| facts.push((what.to_owned(), says));
    if let Some(seen) = &explained.seen {
        let attributes: Vec<String> = seen.attributes.iter().map(|(name, value)| format!("{name} {value}")).collect();
        add("Tool", attributes.join(", "));
        add("In", seen.within.join(", "));
    }
    if let Some(within) = &explained.within {
        let bars = if within.ceiling_bars { ", which keeps the tool from being routed and invoked" } else { "" };
        add("Ceiling", format!("{}{bars}", within.ceiling));
        let lists = if within.lists_catalog { "lists" } else { "does not list" };
        add("Project", format!("{lists} the catalog {}", explained.tool.catalog()));
    }
    for side in &explained.sides {
        let roles: Vec<String> = side.roles.iter().map(ToString::to_string).collect();
        let holds = if roles.is_empty() { "no role".to_owned() } else { roles.join(", ") };
        add("Holds", format!("{}: {holds}", side.principal));
    }
    facts
}

fn decisions(explained: &Explained) -> Vec<DecidedRow> {
    let alone = explained.sides.len() == 1;
    let of_side = |side: &ambit_model::explain::Side| {
        Action::ALL.map(|action| {
            let of = if alone { action.word().to_owned() } else { format!("{}: {}", side.principal, action.word()) };
            decided_row(of, side.decided(action), action == Action::Invoke && explained.needs_confirmation)
        })
    };
    let mut rows: Vec<DecidedRow> = explained.sides.iter().flat_map(of_side).collect();
    if let (Some(user), Some(acting)) = (&explained.acting_for, &explained.acting) {
        rows.push(decided_row(format!("act_for {user}"), acting, false));
    }
    rows
}

fn change(change: &Change) -> (String, Vec<String>) {
    let near = change.nearest.iter().map(|near| format!("`{}`: {}", near.policy, near.but.join("; ")));
    (change.says.clone(), near.collect())
}

fn policy_row(listed: ListedPolicy) -> PolicyRow {
    let ListedPolicy { id, built_in, named, note } = listed;
    PolicyRow {
        id,
        effect: named.effect,
        built_in,
        reason: named.reason,
        cedar: without_said(&named.cedar),
        place: named.place,
        marks: note.as_ref().map(marks).unwrap_or_default(),
    }
}

/// Its text without what the row says already.
fn without_said(cedar: &str) -> String {
    let said = |line: &&str| !line.starts_with("@id(") && !line.starts_with("@reason(");
    cedar.lines().filter(said).collect::<Vec<_>>().join("\n")
}

fn marks(note: &PolicyNote) -> Vec<String> {
    let untested = (!note.tested).then(|| "no test reaches it".to_owned());
    untested.into_iter().chain(note.idle.as_ref().map(idle)).collect()
}

fn idle(idle: &Idle) -> String {
    let what = match (idle.kind, idle.by.as_slice()) {
        (IdleKind::NeverApplies, _) => "never applies".to_owned(),
        (IdleKind::Shadowed, []) => "shadowed".to_owned(),
        (IdleKind::Shadowed, by) => format!("shadowed by {}", by.join(", ")),
    };
    let shown = match idle.shown {
        Shown::Enumeration => "enumeration",
        Shown::Proof => "proof",
    };
    format!("{what}, shown by {shown}")
}

fn failed_first(mut tests: Vec<TestOutcome>) -> Vec<TestOutcome> {
    tests.sort_by_key(|test| test.passed);
    tests
}

fn test_row(test: TestOutcome) -> TestRow {
    let kind = match test.kind {
        TestKind::PolicyTest => "PolicyTest",
        TestKind::GoldenRoute => "GoldenRoute",
    };
    TestRow {
        kind: kind.to_owned(),
        place: (!test.file.is_empty()).then(|| format!("{}:{}", test.file, test.line)),
        says: test.says,
        passed: test.passed,
        instead: test.instead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_what_is_worth_a_look_and_how_it_is_known() {
        let check = |tested: bool, idle: Option<(IdleKind, &[&str])>, expected: &[&str]| {
            let idle = idle.map(|(kind, by)| {
                let by = by.iter().map(|id| (*id).to_owned()).collect();
                Idle { kind, by, shown: Shown::Enumeration }
            });
            let note = PolicyNote { id: "p".into(), file: "p.cedar".into(), line: 1, template: None, tested, idle };
            assert_eq!(marks(&note), expected);
        };
        check(true, None, &[]);
        check(false, None, &["no test reaches it"]);
        check(true, Some((IdleKind::NeverApplies, &[])), &["never applies, shown by enumeration"]);
        check(
            false,
            Some((IdleKind::Shadowed, &["a", "b"])),
            &["no test reaches it", "shadowed by a, b, shown by enumeration"],
        );
    }

    #[test]
    fn a_project_is_chosen_where_none_is_named() {
        let snapshot = ambit_model::snapshot::SnapshotName { number: 1, digest: ambit_model::digest::Digest::of(b"") };
        let project = |text: &str| ambit_model::identity::ProjectId::parse(text, None).unwrap();
        let projects = vec![project("acme/desk"), project("globex/ops")];
        let declared = PrincipalList { snapshot, complete: true, principals: Vec::new(), projects };
        let check = |principal: &str, named: &str, expected: &str| {
            let asked = AskedAbout { principal: principal.into(), project: named.into(), ..AskedAbout::default() };
            assert_eq!(in_a_project(asked, &declared).project, expected);
        };
        check("globex:user:gus", "", "globex/ops");
        check("globex:user:gus", "globex/other", "globex/other");
        check("", "", "");
    }
}
