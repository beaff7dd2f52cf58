//! Feedback: what was kept, the list, and examples that are suggested from it, the patch first.

use ambit_service::feedback::{Compared, Evaluation, FEWEST, FeedbackList, LeftOut, Reported, Suggestion, Suggestions};

use super::snapshots::counted;
use crate::cli::diagnostics;

/// One that was kept.
pub(in crate::cli) fn reported(reported: &Reported) -> String {
    let kept = &reported.feedback;
    let question = kept.question.as_deref().unwrap_or("(no question is kept)");
    let next = "`ambit feedback suggest` proposes examples";
    format!("kept of {}: {} {}\n  {question}\n\n{next}\n", kept.project, kept.outcome.word(), tools(kept))
}

/// Newest first.
pub(in crate::cli) fn list(listed: &FeedbackList) -> String {
    let mut text = String::from("at                    project           snapshot  outcome  tool\n");
    for one in &listed.feedback {
        let (project, outcome) = (one.project.to_string(), one.outcome.word());
        text.push_str(&format!("{:<20}  {project:<16}  {:<8}  {outcome:<7}  {}\n", one.at, one.snapshot, tools(one)));
        for words in one.question.iter().chain(&one.step) {
            text.push_str(&format!("    {words}\n"));
        }
    }
    let next = if listed.complete {
        "`ambit feedback suggest` proposes examples".to_owned()
    } else {
        format!("`--page {}` shows the next", listed.page + 1)
    };
    format!("{text}\n{} on page {}; {next}\n", counted(listed.feedback.len(), "report"), listed.page)
}

fn tools(one: &ambit_service::store::NewFeedback) -> String {
    let instead = one.instead.as_ref().map(|tool| format!("instead {tool}"));
    let tool = one.tool.as_ref().map(ToString::to_string);
    tool.into_iter().chain(instead).collect::<Vec<_>>().join(", ")
}

/// What could not be done, the patch, the evaluation, what is proposed and why, and what to do next.
pub(in crate::cli) fn suggestions(found: &Suggestions, wanted: bool) -> String {
    let patch: String = found.changed.iter().map(|file| file.difference.as_str()).collect();
    let mut parts = vec![diagnostics::render(&found.diagnostics), patch];
    parts.push(found.tools.iter().map(suggestion).collect());
    parts.push(found.compared.as_ref().map(compared).unwrap_or_default());
    parts
        .push(found.left_out.iter().map(|(reason, count)| format!("{count} left out: {}\n", words(*reason))).collect());
    parts.retain(|part| !part.is_empty());
    parts.push(format!("{}\n", last_line(found, wanted)));
    parts.join("\n")
}

fn suggestion(of: &Suggestion) -> String {
    let mut text = format!("{}\n", of.tool);
    for example in &of.examples {
        let wrong = if example.wrong > 0 { format!(", wrong {}", example.wrong) } else { String::new() };
        let projects = example.projects.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("  {} (used {}{wrong}; {projects})\n", example.question, example.used));
    }
    if !of.shared_with.is_empty() {
        let tenants = of.shared_with.iter().cloned().collect::<Vec<_>>().join(", ");
        text.push_str(&format!("  its Catalog is listed by {tenants} too, who would read these questions there\n"));
    }
    text
}

fn compared(compared: &Compared) -> String {
    let Compared { before, after, newly_refused, lost, won } = compared;
    let row =
        |what: &str, of: &dyn Fn(&Evaluation) -> String| format!("{what:<32}  {:<12}  {}\n", of(before), of(after));
    let golden =
        |of: &Evaluation| of.golden.map_or_else(|| "none".to_owned(), |of| format!("{} of {}", of.right, of.asked));
    let recall = |of: &Evaluation| of.golden.map_or_else(|| "none".to_owned(), |of| format!("{:.3}", of.recall_at_8));
    let first = |of: &Evaluation| format!("{} of {}", of.retrieval.first, of.retrieval.asked);
    let mut text = format!("{:<32}  {:<12}  after\n", "", "before");
    text.push_str(&row("GoldenRoutes that are right", &golden));
    text.push_str(&row("recall of GoldenRoutes at 8", &recall));
    text.push_str(&row("examples that find their tool", &first));
    text.push_str(&row("tools that intake refuses", &|of| of.refused.to_string()));
    text.push_str(&row("errors", &|of| of.errors.to_string()));
    for (told, all) in [("would be refused", newly_refused), ("not right any more", lost), ("right now", won)] {
        text.extend(all.iter().map(|name| format!("{told}: {name}\n")));
    }
    text
}

fn words(reason: LeftOut) -> String {
    match reason {
        LeftOut::Rare => format!("served less than {FEWEST} times"),
        LeftOut::Disputed => "the tool did not fit as often as it served".to_owned(),
        LeftOut::OfAnother => "another tool served it as often".to_owned(),
        LeftOut::Masked => "a value in the question was replaced by its type".to_owned(),
        LeftOut::Unfit => "too short, too long or not plain, or it holds the tool's name".to_owned(),
        LeftOut::Known => "an example already".to_owned(),
        LeftOut::Enough => "enough is proposed for the tool; the next run has the rest".to_owned(),
        LeftOut::NoTool => "the workspace offers no such tool".to_owned(),
    }
}

fn last_line(found: &Suggestions, wanted: bool) -> String {
    if found.tools.is_empty() {
        return format!("nothing to propose from {}", counted(found.read, "report"));
    }
    let examples: usize = found.tools.iter().map(|tool| tool.examples.len()).sum();
    let what = format!("{} for {}", counted(examples, "example"), counted(found.tools.len(), "tool"));
    let worse = found.compared.as_ref().is_some_and(Compared::is_worse);
    let next = match (found.changed.is_empty(), found.written, worse) {
        (true, ..) => "nothing could be written",
        (false, true, _) => "written; review the lines marked `# proposed`",
        (false, false, true) if wanted => {
            "not written, because something gets worse; `--tool` narrows what is proposed"
        }
        (false, false, true) => "something gets worse, so `--write` would not write them",
        (false, false, false) => "`--write` writes them",
    };
    format!("{what} from {}; {next}", counted(found.read, "report"))
}
