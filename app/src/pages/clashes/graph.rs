//! The graph of clashes: the tools that clash, are twins or are versions, in the groups that they are members of. Drawn in fixed
//! units, so that the same report is the same picture.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::intake::IntakeReport;
use ambit_service::clashes::DeclaredKin;
use leptos::prelude::*;

use super::pair_path;
use crate::parts::count::count;
use crate::parts::panel::Panel;

/// Most tools that are drawn; the list has them all.
const MOST: usize = 48;
const COLUMNS: usize = 3;
const WIDTH: usize = 280;
const GAP: usize = 40;
const NODE: usize = 30;
const NODE_HEIGHT: usize = 26;
const HEAD: usize = 34;
const PAD: usize = 14;

/// What two tools are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Clash,
    Twins,
    Versions,
}

/// Where everything stands.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    hulls: Vec<Hull>,
    nodes: BTreeMap<String, (usize, usize)>,
    edges: Vec<(Kind, String, String)>,
    clashing: BTreeSet<String>,
    /// Tools that are not drawn.
    left_off: usize,
    height: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Hull {
    title: String,
    x: usize,
    y: usize,
    height: usize,
}

impl Graph {
    /// Nothing where there is no edge to draw.
    pub(super) fn of(report: &IntakeReport, kin: &DeclaredKin) -> Option<Self> {
        let mut edges: Vec<(Kind, String, String)> = Vec::new();
        let both = report.clashes.iter().filter(|clash| !clash.rival.is_empty());
        edges.extend(both.map(|clash| (Kind::Clash, clash.tool.clone(), clash.rival.clone())));
        for twins in &kin.twins {
            let others = twins.members.iter().filter(|member| **member != twins.preferred);
            edges.extend(others.map(|other| (Kind::Twins, twins.preferred.to_string(), other.to_string())));
        }
        for family in &kin.families {
            let pairs = family.members.iter().zip(family.members.iter().skip(1));
            edges.extend(pairs.map(|(old, new)| (Kind::Versions, old.tool.to_string(), new.tool.to_string())));
        }
        edges.sort();
        let touched: BTreeSet<&String> = edges.iter().flat_map(|(_, one, other)| [one, other]).collect();
        let all = touched.len();
        let mut drawn: BTreeSet<String> = BTreeSet::new();
        // Clashes first; a tie is drawn where there is room for both of its ends.
        edges.retain(|(_, one, other)| {
            let new = [one, other].into_iter().filter(|tool| !drawn.contains(*tool)).count();
            let fits = drawn.len() + new <= MOST;
            if fits {
                drawn.extend([one.clone(), other.clone()]);
            }
            fits
        });
        let left_off = all - drawn.len();
        let of_clash = edges.iter().filter(|(kind, ..)| *kind == Kind::Clash);
        let clashing = of_clash.flat_map(|(_, one, other)| [one.clone(), other.clone()]).collect();
        let mut graph = Self { edges, clashing, left_off, ..Self::default() };
        graph.place(by_group(drawn, kin));
        (!graph.edges.is_empty()).then_some(graph)
    }

    /// Hull after hull, each into the column that is shortest.
    fn place(&mut self, groups: Vec<(String, Vec<String>)>) {
        let mut columns = [0_usize; COLUMNS];
        for (title, members) in groups {
            let Some((column, top)) = columns.iter().copied().enumerate().min_by_key(|(at, top)| (*top, *at)) else {
                return;
            };
            let height = HEAD + members.len() * (NODE + 8) + PAD - 8;
            let x = 1 + column * (WIDTH + GAP);
            let y = 1 + top;
            for (at, member) in members.into_iter().enumerate() {
                self.nodes.insert(member, (x + PAD, y + HEAD + at * (NODE + 8)));
            }
            self.hulls.push(Hull { title, x, y, height });
            if let Some(filled) = columns.get_mut(column) {
                *filled = top + height + 20;
            }
        }
        self.height = columns.iter().copied().max().unwrap_or(0);
    }
}

/// Each tool under the first of its groups; those of none last.
fn by_group(tools: BTreeSet<String>, kin: &DeclaredKin) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let mut left = tools;
    for group in &kin.groups {
        let own: Vec<String> = group.members.iter().map(ToString::to_string).filter(|id| left.remove(id)).collect();
        if !own.is_empty() {
            groups.push((format!("{} · {}", group.title, count(group.members.len(), "tool", "tools")), own));
        }
    }
    if !left.is_empty() {
        groups.push(("No group".to_owned(), left.into_iter().collect()));
    }
    groups
}

pub(super) fn graph(of: Graph) -> impl IntoView {
    // The gap behind the last column too: ties bulge into it.
    let width = COLUMNS * (WIDTH + GAP) + 2;
    let says = format!(
        "{} and {} between tools in {}.",
        count(of.edges.iter().filter(|(kind, ..)| *kind == Kind::Clash).count(), "clash", "clashes"),
        count(of.edges.iter().filter(|(kind, ..)| *kind != Kind::Clash).count(), "declared tie", "declared ties"),
        count(of.hulls.len(), "group", "groups"),
    );
    let hulls = of.hulls.iter().map(hull).collect_view();
    let edges = of.edges.iter().filter_map(|edge| drawn(edge, &of.nodes)).collect_view();
    let nodes = of.nodes.iter().map(|(tool, at)| node(tool, *at, of.clashing.contains(tool))).collect_view();
    let left = (of.left_off > 0).then(|| format!(" {} more are not drawn.", count(of.left_off, "tool", "tools")));
    view! {
        <Panel id="graph" title="Groups, twins, families and clashes" end=legend().into_any()>
            <div class="body graph" tabindex="0" role="region" aria-label="Graph, scrolls sideways">
                <svg width=width height=of.height viewBox=format!("0 0 {width} {}", of.height) role="group" aria-labelledby="graph-says">
                    <title id="graph-says">{says.clone()}</title>
                    {hulls}
                    {edges}
                    {nodes}
                </svg>
            </div>
            <p class="lead-in">{says} {left}</p>
        </Panel>
    }
}

fn legend() -> impl IntoView {
    let key = |class: &'static str, path: &'static str, says: &'static str| {
        view! {
            <li>
                <svg width="20" height="10" class="key" aria-hidden="true">
                    <path class=class d=path />
                </svg>
                {says}
            </li>
        }
    };
    view! {
        <ul class="legend graph">
            {key("e bad", "M0 5h20", "clash")} {key("e twin", "M0 3h20M0 7h20", "twins")}
            {key("e dash", "M0 5h20", "versions")}
        </ul>
    }
}

fn hull(of: &Hull) -> impl IntoView + use<> {
    view! {
        <rect class="hull" x=of.x y=of.y width=WIDTH height=of.height rx="10" />
        <text class="hull-t" x=of.x + PAD y=of.y + 21>
            {of.title.clone()}
        </text>
    }
}

fn node(tool: &str, (x, y): (usize, usize), clashes: bool) -> impl IntoView + use<> {
    let class = if clashes { "node hit" } else { "node" };
    view! {
        <g class=class>
            <rect x=x y=y width=WIDTH - 2 * PAD height=NODE_HEIGHT rx="5" />
            <text x=x + 10 y=y + 17>
                {shortened(tool)}
            </text>
        </g>
    }
}

/// As many characters as fit a node.
fn shortened(tool: &str) -> String {
    const FIT: usize = 36;
    let letters = tool.chars().count();
    if letters <= FIT {
        tool.to_owned()
    } else {
        format!("…{}", tool.chars().skip(letters - FIT + 1).collect::<String>())
    }
}

/// Inside one column a bow at the right; else a line from side to side.
fn drawn((kind, one, other): &(Kind, String, String), nodes: &BTreeMap<String, (usize, usize)>) -> Option<AnyView> {
    let (from, to) = (nodes.get(one)?, nodes.get(other)?);
    let (class, offsets): (&'static str, &[usize]) = match kind {
        Kind::Clash => ("e bad", &[0]),
        Kind::Twins => ("e twin", &[0, 4]),
        Kind::Versions => ("e dash", &[0]),
    };
    let right = |x: usize| x + WIDTH - 2 * PAD;
    let middle = |y: usize, offset: usize| y + NODE_HEIGHT / 2 + offset;
    let paths = offsets.iter().map(|offset| {
        let (from_y, to_y) = (middle(from.1, *offset), middle(to.1, *offset));
        let path = match from.0.cmp(&to.0) {
            std::cmp::Ordering::Equal => {
                let (x, bow) = (right(from.0), right(from.0) + PAD + GAP / 2 + offset);
                format!("M{x} {from_y} C{bow} {from_y} {bow} {to_y} {x} {to_y}")
            }
            std::cmp::Ordering::Less => format!("M{} {from_y} L{} {to_y}", right(from.0), to.0),
            std::cmp::Ordering::Greater => format!("M{} {from_y} L{} {to_y}", from.0, right(to.0)),
        };
        view! { <path class=class d=path /> }
    });
    let paths = paths.collect_view();
    Some(match kind {
        Kind::Clash => {
            view! { <a href=pair_path(one, other) aria-label=format!("Clash of {one} and {other}")>{paths}</a> }
                .into_any()
        }
        _ => paths.into_any(),
    })
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::{Group, TwinGroup};
    use ambit_model::identity::ToolId;
    use ambit_model::intake::Clash;

    use super::*;

    fn clash(tool: &str, rival: &str) -> Clash {
        Clash { tool: tool.to_owned(), rival: rival.to_owned(), ..Clash::default() }
    }

    fn id(text: &str) -> ToolId {
        ToolId::parse(text).unwrap()
    }

    #[test]
    fn tools_stand_in_their_groups_and_ties_between_them() {
        let report = IntakeReport { clashes: vec![clash("a/x", "b/y"), clash("a/x", "")], ..IntakeReport::default() };
        let twins = TwinGroup {
            id: "t".into(),
            members: vec![id("a/x"), id("c/z")],
            preferred: id("c/z"),
            reason: String::new(),
        };
        let group = Group {
            id: "g".into(),
            title: "Figures".into(),
            description: String::new(),
            members: vec![id("a/x"), id("a/w")],
        };
        let kin = DeclaredKin { groups: vec![group], twins: vec![twins], families: Vec::new() };
        let graph = Graph::of(&report, &kin).unwrap();
        let titles: Vec<&str> = graph.hulls.iter().map(|hull| hull.title.as_str()).collect();
        assert_eq!(titles, ["Figures · 2 tools", "No group"]);
        assert_eq!(graph.nodes.keys().collect::<Vec<_>>(), ["a/x", "b/y", "c/z"]);
        assert_eq!(graph.edges.len(), 2, "who may not see the rival sees no edge");
        assert_eq!(graph.clashing.iter().collect::<Vec<_>>(), ["a/x", "b/y"]);
        assert_eq!(Graph::of(&IntakeReport::default(), &DeclaredKin::default()), None);
    }

    #[test]
    fn no_two_nodes_lie_on_each_other() {
        let clashes = (0..60).map(|n| clash(&format!("a/{n:02}"), &format!("b/{n:02}"))).collect();
        let report = IntakeReport { clashes, ..IntakeReport::default() };
        let graph = Graph::of(&report, &DeclaredKin::default()).unwrap_or_default();
        assert_eq!(graph.left_off + graph.nodes.len(), 120);
        let places: BTreeSet<_> = graph.nodes.values().collect();
        assert_eq!(places.len(), graph.nodes.len());
        assert!(graph.nodes.values().all(|(_, y)| y + NODE_HEIGHT <= graph.height));
    }
}
