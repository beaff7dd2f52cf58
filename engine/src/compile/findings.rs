//! Findings that need the whole: tools in no group, versions past their date; and findings as diagnostics for the terminal.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place, Severity};
use ambit_model::facts::Origin;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Finding, IntakeReport};

use crate::catalog::OfferedTool;
use crate::resolve::link::Linked;

/// Warnings about admitted tools that only the linked declarations can give.
pub(super) fn late(cards: &BTreeMap<ToolId, ToolCard>, linked: &Linked, today: &str) -> Vec<Finding> {
    let alone = cards.values().filter(|card| card.groups.is_empty()).map(|card| {
        let message = "the tool is a member of no Group, so it is looked at for every question".to_owned();
        warning(&card.id, codes::W_NO_GROUP, message, "add it to the `members` of a Group")
    });
    let members = linked.families.iter().flat_map(|family| family.members.iter().map(move |member| (family, member)));
    let retired = members.filter_map(|(family, member)| {
        let date = member.retired_on.as_deref().filter(|date| *date < today)?;
        let message = format!("version {} of `{}` was to be retired on {date}", member.version, family.id);
        Some(warning(&member.tool, codes::W_RETIRED, message, "remove it from the catalog, or move the date"))
    });
    alone.chain(retired).collect()
}

/// A tool left out because policies decide by a fact that nobody wrote.
pub(super) fn inferred(tool: &ToolId, fact: &str, origin: Origin) -> Finding {
    let whence = if origin == Origin::Hint { "only a hint of its source" } else { "only read off its name" };
    Finding {
        severity: Severity::Error,
        code: Cow::Borrowed(codes::E_FACT_INFERRED),
        ..warning(
            tool,
            codes::E_FACT_INFERRED,
            format!("policies decide by `{fact}`, and this tool's is {whence}"),
            &format!("write `{fact}:` for it in its Catalog"),
        )
    }
}

fn warning(tool: &ToolId, code: &'static str, message: String, remedy: &str) -> Finding {
    Finding {
        tool: tool.to_string(),
        severity: Severity::Warning,
        code: Cow::Borrowed(code),
        pointer: String::new(),
        message,
        remedy: remedy.to_owned(),
        acknowledged: false,
        place: None,
        other: None,
    }
}

/// Gives findings that know only their tool the place where it stands in its catalog file.
pub(super) fn locate(findings: &mut [Finding], offered: &[OfferedTool]) {
    let places: BTreeMap<String, &Place> = offered.iter().map(|tool| (tool.label(), &tool.place)).collect();
    for finding in findings.iter_mut().filter(|finding| finding.place.is_none()) {
        finding.place = places.get(&finding.tool).map(|place| (*place).clone());
    }
}

/// The report's findings that nobody acknowledged, as diagnostics.
pub fn as_diagnostics(report: &IntakeReport) -> Vec<Diagnostic> {
    let open = report.findings.iter().filter(|finding| !finding.acknowledged);
    open.map(|finding| Diagnostic {
        severity: finding.severity,
        code: finding.code.clone(),
        message: match finding.pointer.as_str() {
            "" => format!("`{}`: {}", finding.tool, finding.message),
            pointer => format!("`{}` at `{pointer}`: {}", finding.tool, finding.message),
        },
        place: finding.place.clone(),
        related: Vec::new(),
        help: Some(finding.remedy.clone()),
    })
    .collect()
}
