//! Passages of documents as text: where each stands, then what it says.

use ambit_service::knowledge::Searched;

use super::snapshots::counted;

/// The best passage first.
pub(in crate::cli) fn passages(searched: &Searched) -> String {
    let answer = &searched.answer;
    let mut text = format!(
        "snapshot {} ({}), documents of {}\n\n",
        answer.snapshot.number,
        answer.snapshot.digest.short(),
        answer.project
    );
    for found in &answer.results {
        let heading = if found.heading.is_empty() { String::new() } else { format!(", {}", found.heading) };
        text.push_str(&format!(
            "{:.4}  {}:{}  {}{heading}\n",
            found.score.to_f64(),
            found.path,
            found.line,
            found.title
        ));
        for line in found.text.lines() {
            text.push_str(format!("        {line}").trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    if !answer.degraded.is_empty() {
        text.push_str("degraded: words_only: no vectors were at hand, so meaning did not count\n");
    }
    if let Some(why) = &searched.without_model {
        text.push_str(&format!("  because: {}\n  help: {}\n", why.because, why.help));
    }
    format!("{text}{}\n", counted(answer.results.len(), "passage"))
}
