//! Who may do more or less: per project, the askers whose rights change alike, with every tool, the policies and what made it so.

use ambit_model::diff::{AuthorityChanges, ClassChange, ReachChange, ToolChange};
use leptos::prelude::*;

use crate::pages::AUTHORITY;
use crate::parts::anchor::anchors;
use crate::parts::count::count;
use crate::parts::icon::{Icon, classed_icon, tag};
use crate::parts::panel::Panel;
use crate::parts::policy::policies;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;
use crate::parts::words::words;

/// How many tools, and rights to administer, somebody gains; how many loses; how many effects are others.
pub fn gained_and_lost(changes: &AuthorityChanges) -> [usize; 3] {
    let AuthorityChanges { classes, reaches, .. } = changes;
    let sum = |of: fn(&ClassChange) -> usize| classes.iter().map(of).sum::<usize>();
    let reached = |of: fn(&ReachChange) -> usize| reaches.iter().map(of).sum::<usize>();
    [
        sum(|class| class.gains.len()) + reached(|reach| reach.gains.len()),
        sum(|class| class.loses.len()) + reached(|reach| reach.loses.len()),
        sum(|class| class.effects.len()),
    ]
}

/// The same in words.
pub fn authority_counts(changes: &AuthorityChanges) -> String {
    match gained_and_lost(changes) {
        [0, 0, 0] => "Nobody may do more or less".to_owned(),
        [gains, losses, effects] => format!(
            "{}, {}, {}",
            count(gains, "gain", "gains"),
            count(losses, "loss", "losses"),
            count(effects, "other effect", "other effects")
        ),
    }
}

/// Classes first, then administration.
pub fn authority(changes: AuthorityChanges) -> impl IntoView {
    let counted = authority_counts(&changes);
    let AuthorityChanges { classes, reaches, compared } = changes;
    let names: Vec<String> = classes.iter().map(|class| format!("{} {}", class.project, class.class)).collect();
    let ids = anchors("class", names.iter().map(String::as_str));
    let listed = classes.into_iter().zip(ids).map(|(class, id)| class_row(class, id)).collect_view();
    view! {
        <Panel id="authority" title="Authority" count=counted>
            <p class="lead-in">
                {format!(
                    "{compared} askers were compared: every declared principal, each role alone and each mapping of a claim. Whoever is not listed may do what it could before.",
                )}
            </p>
            <ul class="rows classes">{listed}</ul>
            {(!reaches.is_empty()).then(|| administration(reaches))}
        </Panel>
    }
}

fn class_row(class: ClassChange, id: String) -> impl IntoView {
    const COLUMNS: &[Column] = &[
        Column::Text("Tool"),
        Column::Text("Change"),
        Column::Text("What"),
        Column::Text("Policies"),
        Column::Text("Because"),
    ];
    let ClassChange { project, class, who, gains, loses, effects } = class;
    let askers = count(who.len(), "asker", "askers");
    let example = who.first().map(|who| view! { "For example " {words(&who.to_string())} ". " });
    let members: Vec<String> = who.iter().map(ToString::to_string).collect();
    let about = format!("Changes of {class} in {project}");
    let rows = rows(gains, loses, effects);
    let ids = anchors(&id, rows.iter().map(|row| row.name.as_str()));
    let rows = rows.into_iter().zip(ids).map(|(row, id)| change_row(row, id)).collect_view();
    view! {
        <li id=id>
            <details class="fold drift" open>
                <summary>
                    {classed_icon(Icon::Chevron, "i chev")}
                    <span class="row">
                        <b class="mono">{project.to_string()}</b> <span>{words(&class)}</span>
                    </span> <span class="dim">{askers}</span>
                </summary>
                <div class="in-fold stack">
                    <div class="sub">{example} {(members.len() > 1).then(|| all(members))}</div>
                    <table class="tbl cards two-up ledger" role="table" aria-label=about>
                        {head(COLUMNS)}
                        <tbody role="rowgroup">{rows}</tbody>
                    </table>
                </div>
            </details>
        </li>
    }
}

fn all(members: Vec<String>) -> impl IntoView {
    let says = format!("All {}", members.len());
    view! {
        <details class="asdata">
            <summary>{classed_icon(Icon::Chevron, "i chev")} {says}</summary>
            <ul>{members.iter().map(|who| view! { <li>{words(who)}</li> }).collect_view()}</ul>
        </details>
    }
}

/// One line of a class.
struct Line {
    /// Of its anchor.
    name: String,
    tool: String,
    tag: (&'static str, Icon, &'static str),
    what: String,
    policies: Vec<String>,
    because: Vec<String>,
}

/// Gains first. More authority is a warning and never green.
fn rows(gains: Vec<ToolChange>, loses: Vec<ToolChange>, effects: Vec<ambit_model::diff::EffectChange>) -> Vec<Line> {
    let gains = gains.into_iter().map(|change| line(change, ("warn", Icon::Up, "gains")));
    let loses = loses.into_iter().map(|change| line(change, ("info", Icon::Down, "loses")));
    let effects = effects.into_iter().map(|change| Line {
        name: format!("effect {}", change.tool),
        tool: change.tool.to_string(),
        tag: ("bad", Icon::Diamond, "effect"),
        what: format!("from {} to {}", change.from.word(), change.to.word()),
        policies: Vec::new(),
        because: Vec::new(),
    });
    gains.chain(loses).chain(effects).collect()
}

fn line(change: ToolChange, tag: (&'static str, Icon, &'static str)) -> Line {
    let ToolChange { tool, actions, effect, condition, policies, because } = change;
    let actions: Vec<&str> = actions.iter().map(|action| action.word()).collect();
    let condition = condition.map(|condition| format!(", {condition}")).unwrap_or_default();
    Line {
        name: format!("{} {tool}", tag.2),
        tool: tool.to_string(),
        tag,
        what: format!("{} of a {} tool{condition}", actions.join(", "), effect.word()),
        policies,
        because,
    }
}

fn change_row(row: Line, id: String) -> impl IntoView {
    let (class, shape, word) = row.tag;
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <a href=format!("#{id}")>{tool(&row.tool)}</a>
            </td>
            <td role="cell" data-l="Change">
                {tag(class, shape, word)}
            </td>
            <td role="cell" class="full" data-l="What">
                {words(&row.what)}
            </td>
            <td role="cell" class="full" data-l="Policies">
                {policies(AUTHORITY.path, row.policies)}
            </td>
            <td role="cell" class="why full" data-l="Because">
                {row.because.iter().map(|line| view! { <p>{words(line)}</p> }).collect_view()}
            </td>
        </tr>
    }
}

fn administration(reaches: Vec<ReachChange>) -> impl IntoView {
    const COLUMNS: &[Column] =
        &[Column::Text("Who"), Column::Text("Gains"), Column::Text("Loses"), Column::Text("Policies")];
    let names: Vec<String> = reaches.iter().map(|reach| reach.who.to_string()).collect();
    let ids = anchors("reach", names.iter().map(String::as_str));
    view! {
        <p class="lead-in">"Administration, and acting for others:"</p>
        <table class="tbl cards two-up ledger" role="table" aria-label="Changes of administration">
            {head(COLUMNS)}
            <tbody role="rowgroup">
                {reaches.into_iter().zip(ids).map(|(reach, id)| reach_row(reach, id)).collect_view()}
            </tbody>
        </table>
    }
}

fn reach_row(reach: ReachChange, id: String) -> impl IntoView {
    let ReachChange { who, gains, loses, policies: ids } = reach;
    let lines = |class: &'static str, shape: Icon, all: Vec<String>| {
        all.into_iter().map(|one| view! { <p>{tag(class, shape, &one)}</p> }).collect_view()
    };
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <a href=format!("#{id}")>{words(&who.to_string())}</a>
            </td>
            <td role="cell" class="full" data-l="Gains">
                {lines("warn long", Icon::Up, gains)}
            </td>
            <td role="cell" class="full" data-l="Loses">
                {lines("info long", Icon::Down, loses)}
            </td>
            <td role="cell" class="full" data-l="Policies">
                {policies(AUTHORITY.path, ids)}
            </td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::Action;
    use ambit_model::diff::EffectChange;
    use ambit_model::facts::Effect;
    use ambit_model::identity::{ProjectId, ToolId};

    use super::*;

    #[test]
    fn changes_are_counted_and_gains_come_first() {
        let tool = ToolId::new("mail", "send");
        let change = ToolChange {
            tool: tool.clone(),
            actions: vec![Action::Route, Action::Invoke],
            effect: Effect::Write,
            condition: Some("when a person confirms each call".to_owned()),
            policies: Vec::new(),
            because: Vec::new(),
        };
        let effect = EffectChange { tool, from: Effect::Read, to: Effect::Write };
        let lines = rows(vec![change.clone()], vec![change.clone()], vec![effect.clone()]);
        let said: Vec<String> = lines.iter().map(|line| format!("{}: {}", line.name, line.what)).collect();
        assert_eq!(
            said,
            [
                "gains mail/send: route, invoke of a write tool, when a person confirms each call",
                "loses mail/send: route, invoke of a write tool, when a person confirms each call",
                "effect mail/send: from read to write",
            ]
        );
        let mut changes = AuthorityChanges::default();
        assert_eq!(authority_counts(&changes), "Nobody may do more or less");
        changes.classes.push(ClassChange {
            project: ProjectId::parse("acme/desk", None).unwrap(),
            class: "whoever holds `acme:role:analyst`".to_owned(),
            who: Vec::new(),
            gains: vec![change],
            loses: Vec::new(),
            effects: vec![effect],
        });
        assert_eq!(authority_counts(&changes), "1 gain, 0 losses, 1 other effect");
    }
}
