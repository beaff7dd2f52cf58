//! Where the tools of one Catalog document stand, line by line, and where lines of theirs can be put.
//! Only block style can take a line; what is written in braces is left to a person.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};

use super::{Addition, Edit};
use crate::parse::Document;
use crate::parse::at::{At, Page};
use crate::parse::written_catalog::{Catalog, Tool};
use crate::scalar::scalar;
use crate::source::SourceFile;

/// Columns by which a level is indented where the file shows no other.
const STEP: usize = 2;
const FLOW: &str = "it is written in braces: write it in block style, one key a line";
const ODD: &str = "it is written in a form that takes no lines: write it in block style, one key a line";

/// The document, as lines.
pub(super) struct Outline<'a> {
    page: Page<'a>,
    text: &'a str,
    lines: Vec<&'a str>,
    catalog: &'a Catalog,
    /// The column of the document's own keys.
    column: usize,
    /// The line of `tools:`, from 0.
    tools: Option<usize>,
}

/// Where lines go: after which line of the document, from 0, and in which column.
struct Spot {
    after: usize,
    column: usize,
}

impl<'a> Outline<'a> {
    /// What stands in the way is said in words.
    pub(super) fn of(file: &'a SourceFile, document: &Document, catalog: &'a Catalog) -> Result<Self, &'static str> {
        let page = Page { file, start: document.start, lines_above: document.lines_above };
        let text = crate::parse::chunk_at(&file.text, document.start);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = document.kind.line.saturating_sub(1);
        let line = lines.get(first).copied().unwrap_or("");
        if line.trim_start().starts_with('{') {
            return Err(FLOW);
        }
        let column = indent(line).filter(|_| without_quotes(line.trim_start()).starts_with("kind")).ok_or(ODD)?;
        let mut outline = Self { page, text, lines, catalog, column, tools: None };
        outline.tools = outline.find_tools()?;
        Ok(outline)
    }

    /// The edits for these additions, and which of them could be placed.
    pub(super) fn place<'w>(
        &self,
        wanted: &[&'w Addition],
        problems: &mut Vec<Diagnostic>,
    ) -> (Vec<Edit>, Vec<&'w Addition>) {
        let (mut edits, mut taken) = (Vec::new(), Vec::new());
        let mut fresh: BTreeMap<&str, Vec<&'w Addition>> = BTreeMap::new();
        for addition in wanted {
            let Some((name, tool)) = self.catalog.tools.iter().find(|(name, _)| name.value == addition.tool) else {
                fresh.entry(addition.tool.as_str()).or_default().push(addition);
                continue;
            };
            let spot = if addition.extends { self.below_list(tool) } else { self.inside(name) };
            match spot {
                Ok(spot) => {
                    let lines = self.indented(spot.column, addition);
                    edits.push(self.edit(&spot, lines));
                    taken.push(*addition);
                }
                Err(why) => problems.push(by_hand(addition, self.page.place(name.span), why)),
            }
        }
        if !fresh.is_empty() {
            edits.push(self.entries(&fresh));
            taken.extend(fresh.into_values().flatten());
        }
        (edits, taken)
    }

    /// The line of `tools:`; its value has to be in block style.
    fn find_tools(&self) -> Result<Option<usize>, &'static str> {
        let at_key = |line: &&str| indent(line) == Some(self.column);
        for (number, line) in self.lines.iter().enumerate().filter(|(_, line)| at_key(line)) {
            let rest = without_quotes(line.trim_start()).strip_prefix("tools").map(without_quotes);
            if let Some(value) = rest.and_then(|rest| rest.trim_start().strip_prefix(':')) {
                block_value(value)?;
                return Ok(Some(number));
            }
        }
        if self.catalog.tools.is_empty() { Ok(None) } else { Err(ODD) }
    }

    /// The end of a tool's own mapping.
    fn inside(&self, name: &At<String>) -> Result<Spot, &'static str> {
        let column = self.column_of(name).ok_or(FLOW)?;
        let line = name.span.line.saturating_sub(1);
        let rest = self.text.get(name.span.end..).unwrap_or("").lines().next().unwrap_or("");
        block_value(without_quotes(rest).trim_start().strip_prefix(':').ok_or(ODD)?)?;
        Ok(Spot { after: self.last_below(line, column), column: self.column_below(line, column, column + STEP) })
    }

    /// The end of the list of a tool's examples.
    fn below_list(&self, tool: &Tool) -> Result<Spot, &'static str> {
        let last = tool.examples.iter().max_by_key(|example| example.span.start).ok_or("there is no list to add to")?;
        let number = last.span.line.saturating_sub(1);
        let line = self.lines.get(number).copied().unwrap_or("");
        let column = indent(line).filter(|_| line.trim_start().starts_with("- ")).ok_or(FLOW)?;
        let more = self.page.text(last.span).trim_end().matches('\n').count();
        Ok(Spot { after: number + more, column })
    }

    /// Entries of tools that have none, at the end of `tools:`.
    fn entries(&self, fresh: &BTreeMap<&str, Vec<&Addition>>) -> Edit {
        let (mut lines, after, column) = match self.tools {
            Some(line) => {
                let column = self.column_below(line, self.column, self.column + STEP);
                (Vec::new(), self.last_below(line, self.column), column)
            }
            None => {
                let remark = fresh.values().flatten().find_map(|one| one.remark.as_deref());
                let key = remarked(format!("{}tools:", " ".repeat(self.column)), remark);
                (vec![key], self.last(), self.column + STEP)
            }
        };
        for (name, additions) in fresh {
            let remark = additions.iter().find_map(|one| one.remark.as_deref());
            lines.push(remarked(format!("{}{}:", " ".repeat(column), scalar(name)), remark));
            lines.extend(additions.iter().flat_map(|one| self.indented(column + self.step(column), one)));
        }
        self.edit(&Spot { after, column }, lines)
    }

    /// How far the keys of the first tool that has some are indented from its name.
    fn step(&self, column: usize) -> usize {
        let first = self.catalog.tools.keys().filter(|name| self.column_of(name) == Some(column));
        let below = |name: &At<String>| self.first_below(name.span.line.saturating_sub(1), column);
        first.min_by_key(|name| name.span.start).and_then(below).map_or(STEP, |below| below - column)
    }

    fn indented(&self, column: usize, addition: &Addition) -> Vec<String> {
        let line = |line: &String| remarked(format!("{}{line}", " ".repeat(column)), addition.remark.as_deref());
        addition.lines.iter().map(line).collect()
    }

    fn edit(&self, spot: &Spot, lines: Vec<String>) -> Edit {
        Edit { path: self.page.file.path.clone(), line: self.page.lines_above + spot.after + 1, lines }
    }

    /// The column of a key that begins its line.
    fn column_of(&self, key: &At<String>) -> Option<usize> {
        let line_start = self.text.get(..key.span.start)?.rfind('\n').map_or(0, |at| at + 1);
        let before = self.text.get(line_start..key.span.start)?.trim_end_matches(['"', '\'']);
        before.chars().all(|c| c == ' ').then_some(before.len())
    }

    /// The last line that is indented more than the column, as far as such lines reach below this one. Comments among them are of
    /// the same thing: those inside a text in block style cannot be told from others, and must not be parted from it.
    fn last_below(&self, line: usize, column: usize) -> usize {
        let below = self.lines.iter().enumerate().skip(line + 1);
        let within = below.filter_map(|(number, line)| indent(line).map(|indent| (number, indent)));
        within.take_while(|(_, indent)| *indent > column).last().map_or(line, |(number, _)| number)
    }

    /// The column of the first key below a line, where there is any.
    fn first_below(&self, line: usize, column: usize) -> Option<usize> {
        let below = self.lines.iter().skip(line + 1).filter(|line| !line.trim_start().starts_with('#'));
        below.filter_map(|line| indent(line)).next().filter(|indent| *indent > column)
    }

    fn column_below(&self, line: usize, column: usize, otherwise: usize) -> usize {
        self.first_below(line, column).unwrap_or(otherwise)
    }

    /// The last line that says anything; comments at its end, in the column of its keys, stay below.
    fn last(&self) -> usize {
        let says = |line: &&str| {
            let deeper = indent(line).is_some_and(|indent| indent > self.column);
            deeper || (indent(line) == Some(self.column) && !line.trim_start().starts_with(['#', '.']))
        };
        self.lines.iter().rposition(says).unwrap_or(0)
    }
}

/// Why a person has to write it.
pub(super) fn by_hand(addition: &Addition, place: Place, why: &str) -> Diagnostic {
    let Addition { catalog, tool, key, .. } = addition;
    Diagnostic::error(codes::E_FORMAT, format!("`{key}` of `{catalog}/{tool}` cannot be added: {why}"))
        .at(place)
        .help("write it by hand, or bring the file into block style and ask again")
}

/// Nothing may stand after the colon but a comment.
fn block_value(rest: &str) -> Result<(), &'static str> {
    match rest.trim() {
        "" => Ok(()),
        rest if rest.starts_with('#') => Ok(()),
        rest if rest.starts_with('{') => Err(FLOW),
        _ => Err(ODD),
    }
}

fn remarked(line: String, remark: Option<&str>) -> String {
    match remark {
        Some(remark) => format!("{line} # {remark}"),
        None => line,
    }
}

/// Spaces before the first word; nothing for a blank line.
fn indent(line: &str) -> Option<usize> {
    let blank = line.trim().is_empty();
    (!blank).then(|| line.len() - line.trim_start_matches(' ').len())
}

fn without_quotes(text: &str) -> &str {
    text.trim_start_matches(['"', '\''])
}
