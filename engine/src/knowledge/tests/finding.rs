//! What is found: by words and meaning together, by words alone, in a fixed order, and in one project only.

use ambit_model::codes;
use ambit_model::declaration::{Settings, Thresholds, Weights};
use ambit_model::identity::ProjectId;
use ambit_model::knowledge::{KnowledgeChunk, KnowledgeDocument};
use ambit_model::snapshot::Snapshot;
use proptest::prelude::*;

use crate::index::Vectors;
use crate::knowledge::{KnowledgeIndex, check_request, texts};
use crate::sample;

const PASSAGES: &[(&str, &str)] = &[
    ("a.md", "Goods go back within thirty days"),
    ("b.md", "Damaged goods are replaced"),
    ("b.md", "The phones are open on Monday"),
    ("c.md", "The phones are open on Monday"),
];

fn project(text: &str) -> ProjectId {
    ProjectId::parse(text, None).unwrap()
}

/// One document a path, whose title says nothing.
fn snapshot(passages: &[(&str, &str)]) -> Snapshot {
    let settings = Settings {
        workspace: "w".to_owned(),
        embedding_model: "none".to_owned(),
        embedding_languages: ambit_model::declaration::english(),
        weights: Weights::default(),
        thresholds: Thresholds::default(),
    };
    let mut knowledge: Vec<KnowledgeDocument> = Vec::new();
    for (at, (path, text)) in passages.iter().enumerate() {
        let chunk =
            KnowledgeChunk { headings: Vec::new(), line: u32::try_from(at).unwrap() + 1, text: (*text).to_owned() };
        match knowledge.last_mut().filter(|last| last.path == *path) {
            Some(last) => last.chunks.push(chunk),
            None => knowledge.push(KnowledgeDocument {
                project: project("acme/desk"),
                path: (*path).to_owned(),
                title: "of".to_owned(),
                digest: ambit_model::digest::Digest::of(b""),
                chunks: vec![chunk],
            }),
        }
    }
    Snapshot { knowledge, ..Snapshot::empty(settings, "") }
}

fn index(snapshot: &Snapshot, vectors: &Vectors) -> KnowledgeIndex {
    KnowledgeIndex::build(snapshot, &project("acme/desk"), vectors).unwrap().unwrap()
}

fn found(question: &str, limit: usize, with_meaning: bool) -> Vec<String> {
    let snapshot = snapshot(PASSAGES);
    let vectors = if with_meaning { sample::vectors(texts(&snapshot.knowledge).collect()) } else { Vectors::default() };
    let asked = sample::vectors(vec![question.to_owned()]);
    let asked = asked.get(&ambit_model::digest::Digest::of(question.as_bytes()));
    let found = index(&snapshot, &vectors).search(question, asked, limit).unwrap();
    assert_eq!(found.words_only, !with_meaning);
    found.passages.iter().map(|passage| format!("{}:{}", passage.path, passage.line)).collect()
}

#[track_caller]
fn check(question: &str, limit: usize, expected: &[&str]) {
    assert_eq!(found(question, limit, true), expected, "{question}");
    assert_eq!(found(question, limit, false), expected, "by words alone: {question}");
}

#[test]
fn the_nearest_comes_first_and_equals_in_the_order_of_places() {
    check("damaged goods", 20, &["b.md:2", "a.md:1"]);
    check("damaged goods", 1, &["b.md:2"]);
    check("When are the phones open?", 20, &["b.md:3", "c.md:4"]);
    check("thirty days for goods", 20, &["a.md:1", "b.md:2"]);
    check("xylophone", 20, &[]);
}

#[test]
fn a_vector_that_is_missing_leaves_meaning_out_for_all() {
    let snapshot = snapshot(PASSAGES);
    let some = sample::vectors(texts(&snapshot.knowledge).take(1).collect());
    let asked = sample::vectors(vec!["goods".to_owned()]);
    let asked = asked.get(&ambit_model::digest::Digest::of(b"goods"));
    let half = index(&snapshot, &some).search("goods", asked, 9).unwrap();
    let none = index(&snapshot, &Vectors::default()).search("goods", None, 9).unwrap();
    assert!(half.words_only && none.words_only);
    assert_eq!(half.passages, none.passages);
}

#[test]
fn another_project_has_nothing_of_it() {
    let snapshot = snapshot(PASSAGES);
    for other in ["acme/lab", "globex/desk"] {
        assert!(KnowledgeIndex::build(&snapshot, &project(other), &Vectors::default()).unwrap().is_none());
    }
    let mut both = snapshot.clone();
    let mut theirs = snapshot.knowledge[1].clone();
    theirs.project = project("globex/desk");
    both.knowledge.push(theirs);
    let answers = |of: &Snapshot| index(of, &Vectors::default()).search("damaged phones", None, 20).unwrap().passages;
    assert_eq!(answers(&both), answers(&snapshot));
}

#[test]
fn a_request_is_looked_at_before_anything_is_searched() {
    let code = |question: &str, limit| check_request(question, limit).err().map(|told| told.code.into_owned());
    assert_eq!(code("goods", 1), None);
    assert_eq!(code("goods", 20), None);
    assert_eq!(code("goods", 0).as_deref(), Some(codes::E_LIMIT));
    assert_eq!(code("goods", 21).as_deref(), Some(codes::E_LIMIT));
    assert_eq!(code(" \n", 5).as_deref(), Some(codes::E_QUESTION));
    assert_eq!(code(&"x".repeat(4_001), 5).as_deref(), Some(codes::E_QUESTION));
}

proptest! {
    #[test]
    fn fewer_are_the_first_of_more_and_scores_fall(words in prop::collection::vec("(goods|days|phones|open|back|damaged|zebra)", 1..5), limit in 1..6_usize) {
        let snapshot = snapshot(PASSAGES);
        let question = words.join(" ");
        let vectors = sample::vectors(texts(&snapshot.knowledge).collect());
        let asked = sample::vectors(vec![question.clone()]);
        let asked = asked.get(&ambit_model::digest::Digest::of(question.as_bytes()));
        let index = index(&snapshot, &vectors);
        let all = index.search(&question, asked, 20).unwrap().passages;
        let some = index.search(&question, asked, limit).unwrap().passages;
        prop_assert_eq!(&some[..], &all[..limit.min(all.len())]);
        prop_assert!(all.is_sorted_by(|a, b| a.score >= b.score));
        prop_assert!(all.iter().all(|passage| passage.score.to_f64() > 0.0 && passage.score.to_f64() <= 1.0001));
    }
}
