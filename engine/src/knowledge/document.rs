//! One Markdown document as passages: cut at its headings, and what is longer than a passage at blocks, then sentences.
//! INVARIANT: nothing but white space and front matter lies outside the passages, and none lies in two.

use std::ops::Range;

use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::knowledge::{KnowledgeChunk, KnowledgeDocument};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use text_splitter::MarkdownSplitter;

use super::front_matter;
use crate::source::SourceFile;
use crate::text;

/// Most characters of a passage: about 200 tokens of English, which with its headings stays inside the 256 that the local model
/// reads (sentence-transformers/all-MiniLM-L6-v2, model card).
pub(super) const LONGEST_PASSAGE: usize = 800;
/// Most characters of a title or a heading.
const LONGEST_TITLE: usize = 120;

/// Reads a document; one without text has no passages.
pub(super) fn read(project: &ProjectId, file: &SourceFile) -> KnowledgeDocument {
    let (named, start) = front_matter::split(&file.text);
    let body = file.text.get(start..).unwrap_or("");
    let headings = headings(body);
    let first = headings.iter().min_by_key(|heading| heading.level).map(|heading| heading.text.clone());
    let title = named.map(|title| one_line(&title)).filter(|title| !title.is_empty()).or(first);
    let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| name(&file.path));
    let (lines, splitter) = (Lines::of(&file.text), MarkdownSplitter::new(LONGEST_PASSAGE));
    let chunks = sections(body, &headings).into_iter().flat_map(|section| {
        let text = body.get(section.range.clone()).unwrap_or("");
        let under = section.trail.strip_prefix(std::slice::from_ref(&title)).unwrap_or(&section.trail);
        let cut = splitter.chunk_indices(text).map(|(at, text)| KnowledgeChunk {
            headings: under.to_vec(),
            line: lines.number(start + section.range.start + at),
            text: text.to_owned(),
        });
        cut.filter(|chunk| !chunk.text.trim().is_empty()).collect::<Vec<_>>()
    });
    KnowledgeDocument {
        chunks: chunks.collect(),
        project: project.clone(),
        path: file.path.clone(),
        digest: Digest::of(file.text.as_bytes()),
        title,
    }
}

/// A heading that is inside no list and no quotation.
struct Heading {
    range: Range<usize>,
    level: HeadingLevel,
    text: String,
}

fn headings(body: &str) -> Vec<Heading> {
    let (mut found, mut depth, mut open): (Vec<Heading>, usize, bool) = (Vec::new(), 0, false);
    for (event, range) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                found.push(Heading { range, level, text: String::new() });
                (depth, open) = (1, true);
            }
            Event::End(TagEnd::Heading(_)) if open && depth == 1 => (depth, open) = (0, false),
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Text(words) | Event::Code(words) if open => {
                found.last_mut().into_iter().for_each(|heading| heading.text.push_str(&words));
            }
            _ => {}
        }
    }
    found.iter_mut().for_each(|heading| heading.text = one_line(&heading.text));
    found
}

/// A run of the text under the same headings.
struct Section {
    range: Range<usize>,
    /// The outermost first.
    trail: Vec<String>,
}

/// Cut before each heading; a heading with nothing under it stays with what follows.
fn sections(body: &str, headings: &[Heading]) -> Vec<Section> {
    let mut sections = vec![Section { range: 0..body.len(), trail: Vec::new() }];
    let mut open: Vec<&Heading> = Vec::new();
    let mut said = 0;
    for heading in headings {
        open.retain(|above| above.level < heading.level);
        open.push(heading);
        let trail = open.iter().map(|above| above.text.clone()).filter(|text| !text.is_empty()).collect();
        let silent = body.get(said..heading.range.start).unwrap_or("").trim().is_empty();
        match sections.last_mut() {
            Some(last) if silent => last.trail = trail,
            last => {
                last.into_iter().for_each(|last| last.range.end = heading.range.start);
                sections.push(Section { range: heading.range.start..body.len(), trail });
            }
        }
        said = heading.range.end;
    }
    sections
}

/// Where each line of a text begins.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The 1-based line of a byte.
    fn number(&self, at: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST_TITLE).collect()
}

/// The file's name as a title, where the document names none.
fn name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let prose = text::name_as_prose(name.strip_suffix(".md").unwrap_or(name));
    if prose.is_empty() { one_line(name) } else { one_line(&prose) }
}
