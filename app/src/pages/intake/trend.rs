//! What the intake reports counted, from snapshot to snapshot, as one line each.

use ambit_service::intake::TrendPoint;
use leptos::prelude::*;

use crate::parts::panel::Panel;

/// Nothing where there is one snapshot alone.
pub(super) fn trend(points: &[TrendPoint]) -> impl IntoView + use<> {
    let line = |what: &'static str, of: fn(&TrendPoint) -> usize| {
        let numbers: Vec<usize> = points.iter().map(of).collect();
        let (first, last) = (numbers.first().copied().unwrap_or(0), numbers.last().copied().unwrap_or(0));
        let says = format!("{what} per snapshot, from {first} to {last}");
        let path = path(&numbers);
        let area = format!("{path}L100 20L0 20Z");
        view! {
            <div class="stat">
                <span class="k">{what}</span>
                <span class="v">{last}</span>
                <svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label=says>
                    <path class="a" d=area />
                    <path d=path />
                </svg>
            </div>
        }
    };
    let span = points
        .first()
        .zip(points.last())
        .map(|(first, last)| format!("snapshots {} to {}", first.snapshot, last.snapshot));
    let lines = view! {
        {line("Offered", |point| point.offered)} {line("Refused", |point| point.refused)}
        {line("Open findings", |point| point.open_findings)} {line("Clashes", |point| point.clashes)}
    };
    (points.len() > 1).then(|| {
        view! {
            <Panel id="trend" title="Trend" count=span.unwrap_or_default()>
                <div class="stats">{lines}</div>
            </Panel>
        }
    })
}

/// From left to right over a field of 100 by 20, with 0 at the bottom.
fn path(numbers: &[usize]) -> String {
    let most = numbers.iter().copied().max().unwrap_or(0).max(1);
    let last = numbers.len().saturating_sub(1).max(1);
    let mut path = String::new();
    for (at, number) in numbers.iter().enumerate() {
        // Tenths, in whole numbers, so that the picture is the same everywhere.
        let (x, y) = (at * 1000 / last, 200 - number * 180 / most);
        let letter = if at == 0 { 'M' } else { 'L' };
        path.push_str(&format!("{letter}{}.{} {}.{} ", x / 10, x % 10, y / 10, y % 10));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_has_its_line_where_there_are_two_snapshots() {
        let point = |snapshot, offered| TrendPoint {
            snapshot,
            at: String::new(),
            offered,
            refused: 1,
            open_findings: 7,
            clashes: 2,
        };
        let html = trend(&[point(4, 3), point(5, 9)]).into_view().to_html();
        for text in ["snapshots 4 to 5", "Offered per snapshot, from 3 to 9", "Clashes per snapshot, from 2 to 2"] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
        assert!(!trend(&[point(4, 3)]).into_view().to_html().contains("Trend"));
    }

    #[test]
    fn a_line_spans_the_field() {
        assert_eq!(path(&[0, 5, 10]), "M0.0 20.0 L50.0 11.0 L100.0 2.0 ");
        assert_eq!(path(&[0]), "M0.0 20.0 ");
        assert_eq!(path(&[]), "");
    }
}
