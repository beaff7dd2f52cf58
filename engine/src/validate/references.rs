//! Checks every reference of an action and notes how each stands.
//! The form is read in `reference`, the source in `sources`, and `item` in `items`.

use ambit_model::plan::ViolationCode;

use super::items::{items, of_item};
use super::reference::{locate, read};
use super::report::{Report, below};
use super::sources::{Scene, target};

/// Checks the references of one action and notes how each stands.
pub(super) fn check(scene: &Scene<'_>, index: usize, report: &mut Report) {
    let Some(action) = scene.draft.actions.get(index) else { return };
    let items = items(scene, index, report);
    let Some(arguments) = action.arguments else { return };
    let root = below(&action.at, "arguments");
    if arguments.contains_key("$from") {
        let rule = "a reference stands for one argument, not for all of them";
        report.violation(
            &root,
            ViolationCode::ReferenceGrammar,
            rule,
            "name each argument and give it a reference of its own",
        );
        return;
    }
    for (pointer, object) in locate(arguments) {
        let Some(reference) = read(&format!("{root}{pointer}"), object, report) else { continue };
        let standing = if reference.source == "item" {
            of_item(&reference, &items, report)
        } else {
            target(scene, index, &reference, report).map(|target| target.standing())
        };
        if let Some(standing) = standing {
            report.reference(&reference.at, standing);
        }
    }
}
