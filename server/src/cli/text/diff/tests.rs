//! What a diff looks like, over one that holds a bit of everything, and names that try to be more than names.

use ambit_model::codes;
use ambit_model::declaration::Action;
use ambit_model::diff::{
    AuthorityChanges, Changed, ClassChange, DiffKind, EffectChange, FieldChange, Piece, PieceKind, ReachChange,
    Section, ToolChange, Who,
};
use ambit_model::digest::Digest;
use ambit_model::facts::Effect;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::snapshot::SnapshotName;

use super::*;

fn who(principal: &str) -> Who {
    Who::Principal { principal: Principal::parse(principal).unwrap() }
}

fn tool(id: &str, actions: &[Action], effect: Effect, policy: &str) -> ToolChange {
    ToolChange {
        tool: ToolId::parse(id).unwrap(),
        actions: actions.to_vec(),
        effect,
        condition: None,
        policies: vec![policy.to_owned()],
        because: vec![format!("`{policy}` is new")],
    }
}

fn ceiling(project: &str, from: Option<Ceiling>, to: Option<Ceiling>) -> CeilingChange {
    CeilingChange { project: project.to_owned(), from, to, raised: from.is_some() && to > from }
}

/// The workspace against snapshot 3: a new permit, a forbid, another effect, an administrator, and a description that attacks.
pub(in crate::cli) fn hostile() -> Comparison {
    let project = |id: &str| ProjectId::parse(id, None).unwrap();
    let confirmed = ToolChange {
        condition: Some("when a person confirms each call".to_owned()),
        ..tool("billing/book_payment", &[Action::Invoke], Effect::Write, "finance-writes")
    };
    let analysts = ClassChange {
        project: project("acme/finance"),
        class: "whoever holds `acme:role:analyst`".to_owned(),
        who: vec![who("acme:role:analyst"), who("acme:user:analyst"), who("acme:user:ada@acme.test")],
        gains: vec![
            confirmed,
            tool("billing/create_invoice", &Action::ALL, Effect::Write, "finance-writes"),
            tool("crm/<img src=x>|`@octocat`", &Action::ALL, Effect::Read, "finance-writes"),
        ],
        loses: vec![tool("mail/send_email", &[Action::Route, Action::Invoke], Effect::Write, "no-mail")],
        effects: vec![EffectChange {
            tool: ToolId::parse("crm/orders.list").unwrap(),
            from: Effect::Read,
            to: Effect::Write,
        }],
    };
    let bot = ClassChange {
        project: project("globex/people"),
        class: "globex:agent:bot".to_owned(),
        who: vec![who("globex:agent:bot")],
        gains: Vec::new(),
        loses: vec![tool("people/search", &[Action::Invoke], Effect::Read, "no-bots")],
        effects: Vec::new(),
    };
    let lead = ReachChange {
        who: who("acme:role:lead"),
        gains: vec!["rollback on workspace".to_owned()],
        loses: Vec::new(),
        policies: vec!["leads-roll-back".to_owned()],
    };
    let text = "Lists orders of one customer, newest first, with what is open, what was paid and when.";
    let attack = format!("{text} ```\n</details> @octocat <script>alert(1)</script>\n| a | b |");
    let changed = |id: &str, field: &str, from: &str, to: &str| Changed {
        id: id.to_owned(),
        fields: vec![FieldChange {
            field: field.to_owned(),
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
            pieces: to.strip_prefix(from).map(added_to(from)).unwrap_or_default(),
        }],
    };
    let section = |kind, added: &[&str], changed| Section {
        kind,
        added: added.iter().map(|id| (*id).to_owned()).collect(),
        removed: Vec::new(),
        changed,
    };
    Comparison {
        from: End::Snapshot {
            name: SnapshotName { number: 3, digest: Digest::of(b"live") },
            source_digest: Digest::of(b"source of live"),
        },
        to: End::Workspace { digest: Digest::of(b"new"), source_digest: Digest::of(b"source of new") },
        diff: Diff {
            ceilings: vec![
                ceiling("globex/people", Some(Ceiling::ConfirmWrites), Some(Ceiling::Open)),
                ceiling("acme/desk", None, Some(Ceiling::ReadOnly)),
            ],
            authority: AuthorityChanges { classes: vec![analysts, bot], reaches: vec![lead], compared: 12 },
            sections: vec![
                section(DiffKind::Policies, &["finance-writes", "leads-roll-back", "no-bots", "no-mail"], Vec::new()),
                section(
                    DiffKind::Projects,
                    &["acme/desk"],
                    vec![changed("globex/people", "ceiling", "confirm_writes", "open")],
                ),
                section(DiffKind::Tools, &[], vec![changed("crm/orders.list", "description", text, &attack)]),
                section(DiffKind::Settings, &[], vec![changed("settings", "thresholds.floor", "2600", "3000")]),
            ],
        },
    }
}

/// The pieces of a text that another was added to.
fn added_to(same: &str) -> impl Fn(&str) -> Vec<Piece> {
    move |added| {
        let piece = |kind, text: &str| Piece { kind, text: text.to_owned() };
        vec![piece(PieceKind::Same, same), piece(PieceKind::Added, added)]
    }
}

pub(in crate::cli) fn report(comparison: &Comparison) -> Report<'_> {
    Report {
        comparison,
        problems: &[],
        refusals: &[],
        stopped: &[Alarm::Gains, Alarm::Ceiling],
        saved: None,
        proof: None,
    }
}

#[test]
fn the_text_is_as_it_was_reviewed() {
    let comparison = hostile();
    let text = [Detail::Short, Detail::Full].map(|detail| diff(&report(&comparison), detail)).join("\n=== --full\n\n");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/text/diff/expected.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap());
    assert!(text.starts_with("ceiling of globex/people RAISED: confirm_writes -> open\n"), "the first line");
}

#[test]
fn the_last_line_says_what_comes_next() {
    let check = |comparison: &Comparison, refusals: &[Diagnostic], detail, expected: &str| {
        let text = diff(&Report { refusals, stopped: &[], ..report(comparison) }, detail);
        assert_eq!(text.lines().last(), Some(expected));
    };
    let counts = "1 ceiling raised, 2 gain, 2 lose; 5 added, 0 removed, 3 changed";
    let workspace = hostile();
    let short = format!("{counts}; `--full` shows every field, `ambit apply` makes it live");
    check(&workspace, &[], Detail::Short, &short);
    check(&workspace, &[], Detail::Full, &format!("{counts}; `ambit apply` makes it live"));
    let vanishes = [Diagnostic::error(codes::E_WOULD_VANISH, "the live snapshot serves `a/b`")];
    check(&workspace, &vanishes, Detail::Full, &format!("{counts}; `ambit apply` would refuse it"));
    let same = Comparison { diff: Diff::default(), ..workspace.clone() };
    check(&same, &[], Detail::Short, "they hold the same; there is nothing to apply");
    let stored = Comparison { to: workspace.from.clone(), ..workspace };
    check(&stored, &[], Detail::Short, &format!("{counts}; `--full` shows every field"));
}
