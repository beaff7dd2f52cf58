//! Signals and scores as bars. Lengths are SVG attributes, because the page allows no inline style.

use ambit_model::declaration::Weights;
use ambit_model::ratio::{Ratio, Score};
use ambit_model::route::Signals;
use leptos::prelude::*;

/// A signal: its name, the shade of its bars, and where its value and its weight stand.
pub(crate) struct Signal {
    pub(crate) name: &'static str,
    pub(crate) shade: &'static str,
    weight: fn(&Weights) -> Ratio,
    of: fn(&Signals) -> Score,
}

/// The four, in their fixed order.
pub(crate) const SIGNALS: [Signal; 4] = [
    Signal { name: "semantic", shade: "s1", weight: |weights| weights.semantic, of: |signals| signals.semantic },
    Signal { name: "bm25", shade: "s2", weight: |weights| weights.bm25, of: |signals| signals.bm25 },
    Signal { name: "param_fit", shade: "s3", weight: |weights| weights.param_fit, of: |signals| signals.param_fit },
    Signal { name: "output_fit", shade: "s4", weight: |weights| weights.output_fit, of: |signals| signals.output_fit },
];

/// One signal as a number and a bar.
pub(crate) fn signal(of: &Signal, signals: &Signals) -> impl IntoView + use<> {
    let value = (of.of)(signals).to_f64();
    view! {
        <span class="sig">
            <svg class="bar" aria-hidden="true">
                <rect class="t" width="100%" height="100%"></rect>
                <rect class=format!("v {}", of.shade) width=percent(value) height="100%"></rect>
            </svg>
            {format!("{value:.2}")}
        </span>
    }
}

/// The weighted parts of a score, one behind the other.
pub(crate) fn score_bar(signals: &Signals, weights: &Weights) -> impl IntoView + use<> {
    let mut at = 0.0;
    let parts: Vec<_> = SIGNALS
        .iter()
        .map(|signal| {
            let part = (signal.of)(signals).to_f64() * (signal.weight)(weights).to_f64();
            let start = at;
            at += part;
            view! { <rect class=signal.shade x=percent(start) y="37%" width=percent(part) height="26%"></rect> }
        })
        .collect();
    view! {
        <svg class="score-bar" aria-hidden="true">
            <rect class="t" y="37%" width="100%" height="26%" rx="3"></rect>
            {parts}
        </svg>
    }
}

/// What the shades mean, and their weights.
pub(crate) fn legend(weights: &Weights) -> impl IntoView + use<> {
    let entries = SIGNALS
        .iter()
        .map(|signal| {
            view! {
                <li>
                    <svg class="sw" aria-hidden="true">
                        <rect class=signal.shade width="10" height="10"></rect>
                    </svg>
                    {format!("{} {:.2}", signal.name, (signal.weight)(weights).to_f64())}
                </li>
            }
        })
        .collect_view();
    view! {
        <ul class="legend" aria-label="Weights of the signals">
            {entries}
        </ul>
    }
}

/// Never outside the track, whatever moved the number.
fn percent(share: f64) -> String {
    format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_bar_stays_on_its_track() {
        assert_eq!([percent(0.7312), percent(1.2), percent(-0.1)], ["73.1%", "100.0%", "0.0%"]);
    }
}
