//! The table of a measured set, for people and, with other bars, for a document in Markdown.

use ambit_service::evaluate::{Evaluated, Kinds};
use ambit_service::evaluate::{GapRate, Measures};

const HEADS: [&str; 14] = [
    "",
    "kind",
    "n",
    "R@8",
    "NDCG@5",
    "exact",
    "95 %",
    "sequence",
    "precision",
    "tools",
    "abstains P/R",
    "tokens",
    "p50/p99 ms",
    "embedding",
];

/// For a terminal: columns of even width.
pub(in crate::cli) fn report(evaluated: &Evaluated) -> String {
    let mut rows = vec![HEADS.map(str::to_owned).to_vec()];
    rows.extend(all_rows(evaluated));
    let widths: Vec<usize> = (0..HEADS.len())
        .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| match at {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let table: String = rows.iter().map(line).collect();
    format!("{}\n{table}{}{}", about(evaluated), gaps(evaluated), notes(evaluated))
}

/// For a document.
pub(in crate::cli) fn markdown(evaluated: &Evaluated, name: impl Fn(&str) -> String) -> String {
    let bar = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut table = bar(HEADS.map(str::to_owned).to_vec());
    table.push_str(&bar(HEADS
        .map(|head| if head.is_empty() || head == "kind" { "---" } else { "---:" }.to_owned())
        .to_vec()));
    for mut row in all_rows(evaluated) {
        if let Some(first) = row.first_mut() {
            *first = name(first);
        }
        table.push_str(&bar(row));
    }
    let about = format!(
        "{}: {} tools, {} admitted; {} with the name of a wanted tool in them.",
        name(&evaluated.set),
        evaluated.tools,
        evaluated.accepted,
        counted(evaluated.leaks, "question")
    );
    format!("{about}\n\n{table}\n{}{}", gaps(evaluated), notes(evaluated))
}

fn about(evaluated: &Evaluated) -> String {
    format!(
        "{}: {}, {} admitted; {} with the name of a wanted tool in them\n",
        evaluated.set,
        counted(evaluated.tools, "tool"),
        evaluated.accepted,
        counted(evaluated.leaks, "question")
    )
}

fn all_rows(evaluated: &Evaluated) -> Vec<Vec<String>> {
    let own = rows("router", &evaluated.kinds);
    let others = evaluated.ablation.iter().chain(&evaluated.baselines);
    own.into_iter().chain(others.flat_map(|row| rows(&row.name, &row.kinds))).collect()
}

fn rows(name: &str, kinds: &Kinds) -> Vec<Vec<String>> {
    let both = [("single", &kinds.single), ("multi", &kinds.multi)];
    both.into_iter().filter_map(|(kind, measures)| Some(row(name, kind, measures.as_ref()?))).collect()
}

fn row(name: &str, kind: &str, of: &Measures) -> Vec<String> {
    let maybe = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
    let sure = of.ci95.get("exact_set").map_or_else(String::new, |i| format!("{} to {}", percent(i.0), percent(i.1)));
    vec![
        name.to_owned(),
        kind.to_owned(),
        of.n.to_string(),
        percent(of.recall_at_8),
        percent(of.ndcg_at_5),
        percent(of.exact_set),
        sure,
        maybe(of.exact_sequence),
        percent(of.precision),
        format!("{:.2}", of.mean_tools),
        format!("{}/{}", maybe(of.abstention_precision), maybe(of.abstention_recall)),
        format!("{:.2} %", of.tokens_ratio * 100.0),
        format!("{:.1}/{:.1}", of.p50_ms, of.p99_ms),
        format!("{} %", percent(of.embed_share)),
    ]
}

/// The curve of gaps of single questions: each of the wanted tools was away once.
fn gaps(evaluated: &Evaluated) -> String {
    let curve = evaluated.kinds.single.as_ref().map(|of| of.gaps.as_slice()).unwrap_or_default();
    if curve.is_empty() {
        return String::new();
    }
    let point = |rate: &GapRate| format!("{} % at {} %", percent(rate.right_gaps), percent(rate.false_gaps));
    let points: Vec<String> = curve.iter().map(point).collect();
    format!("right gaps at false gaps, the wanted tool away, by how near a pick must come: {}\n", points.join(", "))
}

fn notes(evaluated: &Evaluated) -> String {
    let mut notes = String::new();
    if let Some(planned) = &evaluated.planned {
        notes.push_str(&format!(
            "planned by a language model: {}; {} fell back to the local planner\n",
            counted(planned.by_model, "question"),
            planned.fell_back
        ));
    }
    if let Some(tuned) = &evaluated.tuned {
        notes.push_str(&format!(
            "tuned on these questions, {} tried; on those held out {} % exact before and {} % after (single and multi weigh alike):\n{}",
            counted(tuned.tried, "setting"),
            percent(tuned.held_out_before),
            percent(tuned.held_out_after),
            tuned.yaml
        ));
    }
    if evaluated.unknown_gold > 0 {
        notes.push_str(&format!(
            "{} not in the catalog, and counted as missed\n",
            counted(evaluated.unknown_gold, "wanted tool")
        ));
    }
    if !evaluated.diagnostics.is_empty() {
        notes.push_str(&crate::cli::diagnostics::render(&evaluated.diagnostics));
    }
    notes
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
