//! How documents become passages: tables, and the laws that nothing is lost, doubled or moved.

use ambit_model::identity::ProjectId;
use ambit_model::knowledge::KnowledgeDocument;
use proptest::prelude::*;

use crate::knowledge::document::{LONGEST_PASSAGE, read};
use crate::source::SourceTree;

fn document(path: &str, text: &str) -> KnowledgeDocument {
    let mut tree = SourceTree::default();
    tree.insert(path, text);
    read(&ProjectId::parse("acme/desk", None).unwrap(), tree.get(path).unwrap())
}

/// `title`, then `line headings: text` of each passage, its line breaks as `/`.
#[track_caller]
fn check(text: &str, title: &str, expected: &[&str]) {
    let document = document("docs/how-to_pack.md", text);
    let lines: Vec<String> = document
        .chunks
        .iter()
        .map(|chunk| format!("{} {}: {}", chunk.line, chunk.headings.join(" > "), chunk.text.replace('\n', "/")))
        .collect();
    assert_eq!(
        (document.title.as_str(), lines),
        (title, expected.iter().map(|line| (*line).to_owned()).collect()),
        "{text}"
    );
}

#[test]
fn a_document_is_cut_at_its_headings() {
    check("# A\n\none\n\n## B\n\ntwo\n\n# C\nthree\n", "A", &["1 : # A//one", "5 B: ## B//two", "9 C: # C/three"]);
    check("one\n\n## B\n\ntwo\n", "B", &["1 : one", "3 : ## B//two"]);
    check("# A\n### deep\nx\n## up\ny\n", "A", &["1 deep: # A/### deep/x", "4 up: ## up/y"]);
    check("A\n=\n\none\n\nB\n-\n\ntwo\n", "A", &["1 : A/=//one", "6 B: B/-//two"]);
    check("# A `code` *and* more #\nx\n", "A code and more", &["1 : # A `code` *and* more #/x"]);
}

#[test]
fn a_heading_with_nothing_under_it_stays_with_what_follows() {
    check("# A\n## B\n### C\nx\n", "A", &["1 B > C: # A/## B/### C/x"]);
    check("# A\nx\n## B\n", "A", &["1 : # A/x", "3 B: ## B"]);
    check("# A\n", "A", &["1 : # A"]);
}

#[test]
fn what_is_no_heading_of_the_document_cuts_nothing() {
    check("```\n# no\n```\ny\n", "how to pack", &["1 : ```/# no/```/y"]);
    check("> # quoted\n> x\n\ny\n", "how to pack", &["1 : > # quoted/> x//y"]);
    check("- # listed\n- y\n", "how to pack", &["1 : - # listed/- y"]);
    check("    # code\n\ny\n", "how to pack", &["1 :     # code//y"]);
    check("#no\n", "how to pack", &["1 : #no"]);
}

#[test]
fn front_matter_gives_a_title_and_is_no_text() {
    check("---\ntitle: Packing\n---\n# A\nx\n", "Packing", &["4 A: # A/x"]);
    check("---\ntitle: 2026\n...\nx\n", "2026", &["4 : x"]);
    check("---\ntags: [a, b]\n---\n\n# A\nx\n", "A", &["5 : # A/x"]);
    check("---\ntitle: \"\"\n---\nx\n", "how to pack", &["4 : x"]);
    // No mapping, no end, not at the beginning: text.
    check("---\nwords\n---\nx\n", "words", &["1 : ---", "2 : words/---/x"]);
    check("---\ntitle: a\nx\n", "how to pack", &["1 : ---/title: a/x"]);
    check("\n---\ntitle: a\n---\nx\n", "title: a", &["2 : ---", "3 : title: a/---/x"]);
}

#[test]
fn line_breaks_and_marks_of_byte_order_change_nothing() {
    check("\u{feff}# A\r\n\r\none\r\n", "A", &["1 : # A//one"]);
    check("\u{feff}---\r\ntitle: T\r\n---\r\none\r\n", "T", &["4 : one"]);
}

#[test]
fn an_empty_document_has_no_passage() {
    for text in ["", "\n \n\t\n", "---\ntitle: T\n---\n", "\u{feff}"] {
        assert_eq!(document("a.md", text).chunks, [], "{text:?}");
    }
}

#[test]
fn a_long_text_is_cut_at_its_blocks() {
    let paragraph = "Ten words stand here so that this one is long. ".repeat(12);
    let text = format!("# A\n\n{paragraph}\n\n{paragraph}\n\n- one\n- two\n");
    let document = document("a.md", &text);
    let firsts: Vec<&str> = document.chunks.iter().map(|chunk| chunk.text.lines().next().unwrap()).collect();
    assert_eq!(firsts.len(), 2);
    assert_eq!(document.chunks.iter().map(|chunk| chunk.line).collect::<Vec<_>>(), [1, 5]);
    assert!(document.chunks[1].text.ends_with("- one\n- two"));
}

#[test]
fn a_block_of_code_or_a_list_that_fits_is_not_cut() {
    let filler = "Some words of no weight. ".repeat(28);
    let code = format!("```yaml\n{}```", "key: value # with a remark\n".repeat(12));
    let list = "- an entry of the list\n".repeat(20);
    for block in [code.as_str(), list.trim_end()] {
        let text = format!("# A\n\n{filler}\n\n{block}\n\n{filler}\n");
        let document = document("a.md", &text);
        assert!(document.chunks.iter().any(|chunk| chunk.text.contains(block)), "{:#?}", document.chunks);
    }
}

#[test]
fn a_huge_paragraph_and_a_huge_word_are_cut_all_the_same() {
    for text in ["A sentence of some words. ".repeat(4_000), "x".repeat(20_000), "ü\u{301}".repeat(5_000)] {
        let document = document("a.md", &text);
        assert!(document.chunks.len() > 10);
        assert!(document.chunks.iter().all(|chunk| chunk.text.chars().count() <= LONGEST_PASSAGE));
    }
}

#[test]
fn titles_and_headings_are_one_bounded_line() {
    let document = document("a.md", &format!("# {}\nx\n## B\u{9}c\ny\n", "word ".repeat(200)));
    assert_eq!(document.title.chars().count(), 120);
    assert_eq!(document.chunks.last().unwrap().headings, ["B c"]);
}

fn some_markdown() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "#{1,4} [a-c]{0,3}",
        "[a-z ]{0,30}",
        "- [a-z]{1,8}",
        "> [#a-z ]{1,8}",
        "```",
        "---",
        "===",
        "    [a-z]{1,5}",
        "\\| [a-z]{1,3} \\| b \\|",
        "[a-zA-Zß漢\u{301}*_`<>&\\[\\]()!. ]{0,60}",
        Just(String::new()),
        Just("long words ".repeat(90)),
    ];
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.join("\n"))
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    #[test]
    fn passages_hold_the_whole_text_in_order_and_nothing_twice(text in some_markdown()) {
        let document = document("a.md", &text);
        let whole: String = document.chunks.iter().map(|chunk| letters(&chunk.text)).collect();
        let (_, start) = crate::knowledge::front_matter::split(&text);
        prop_assert_eq!(whole, letters(text.get(start..).unwrap_or_default()));
    }

    #[test]
    fn passages_stand_where_they_say_and_are_short(text in some_markdown()) {
        let lines: Vec<&str> = text.split('\n').collect();
        for chunk in document("a.md", &text).chunks {
            let first = chunk.text.split('\n').next().unwrap();
            prop_assert!(lines[chunk.line as usize - 1].contains(first), "{chunk:?}");
            prop_assert!(chunk.text.chars().count() <= LONGEST_PASSAGE);
            prop_assert!(!chunk.text.trim().is_empty());
        }
    }

    #[test]
    fn the_same_text_is_cut_alike(text in some_markdown()) {
        prop_assert_eq!(document("a.md", &text), document("a.md", &text.replace('\n', "\r\n")));
    }
}
