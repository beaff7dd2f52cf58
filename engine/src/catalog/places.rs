//! Where each tool stands in its file. A file of one long line costs no more than one of many, and what `_meta` says is never part
//! of the line that is shown: it leaves through no door.

use std::ops::Range;

use ambit_model::diagnostic::Place;
use serde_json::value::RawValue;

use crate::source::SourceFile;

/// Most characters of a line that a place carries, as in [`SourceFile::place`].
const LONGEST_LINE: usize = 400;
/// What stands for each character that is not shown, so that columns stay true.
const HIDDEN: char = '·';

/// The places of slices of a file's text, taken in file order, so that no part of it is walked twice.
pub(super) struct Places<'a> {
    file: &'a SourceFile,
    /// Byte ranges that are not shown, in file order.
    hidden: Vec<Range<usize>>,
    at: usize,
    line: usize,
    column: usize,
    /// The line that `at` is on, as it may be shown.
    text: String,
}

impl<'a> Places<'a> {
    /// For slices of the file's own text; `hidden` are slices of it too.
    pub(super) fn new(file: &'a SourceFile, hidden: &[&RawValue]) -> Self {
        let mut hidden: Vec<Range<usize>> = hidden.iter().map(|raw| range(file, raw)).collect();
        hidden.sort_by_key(|range| range.start);
        let mut places = Self { file, hidden, at: 0, line: 1, column: 1, text: String::new() };
        places.text = places.shown(0);
        places
    }

    /// The place of a slice that does not come before the last one.
    pub(super) fn next(&mut self, raw: &RawValue) -> Place {
        let start = range(self.file, raw).start;
        let between = self.file.text.get(self.at..start).unwrap_or("");
        match between.rfind('\n') {
            None => self.column += between.chars().count(),
            Some(last) => {
                self.line += between.matches('\n').count();
                self.column = between.get(last + 1..).unwrap_or("").chars().count() + 1;
                self.text = self.shown(self.at + last + 1);
            }
        }
        self.at = start;
        let length = raw.get().chars().take_while(|c| !matches!(c, '\r' | '\n')).count();
        Place {
            file: self.file.path.clone(),
            line: number(self.line),
            column: number(self.column),
            length: number(length.max(1)),
            text: self.text.clone(),
        }
    }

    fn shown(&self, line_start: usize) -> String {
        let rest = self.file.text.get(line_start..).unwrap_or("");
        let line = rest.char_indices().take(LONGEST_LINE).take_while(|(_, c)| !matches!(c, '\r' | '\n'));
        line.map(|(at, character)| if self.hides(line_start + at) { HIDDEN } else { character }).collect()
    }

    fn hides(&self, at: usize) -> bool {
        let before = self.hidden.partition_point(|range| range.start <= at);
        before.checked_sub(1).and_then(|last| self.hidden.get(last)).is_some_and(|range| range.contains(&at))
    }
}

fn range(file: &SourceFile, raw: &RawValue) -> Range<usize> {
    let start = (raw.get().as_ptr() as usize).saturating_sub(file.text.as_ptr() as usize);
    start..start + raw.get().len()
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
