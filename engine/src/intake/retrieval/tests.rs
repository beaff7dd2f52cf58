//! What is kept and what is ruled out changes no outcome: every trial is that of comparing each question with each tool, one by one.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ambit_model::declaration::Thresholds;
use ambit_model::declaration::Weights;
use ambit_model::digest::Digest;
use ambit_model::route::MOST_TOOLS;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::index::{ProjectIndex, card_texts, cosine};
use crate::{sample, text};

/// A tool as the test writes it: words by number.
#[derive(Clone, Debug)]
struct Written {
    id: usize,
    description: Vec<usize>,
    examples: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
enum Edit {
    /// Adds a tool, or replaces the one of its id.
    Put(Written),
    Remove(usize),
    /// Gives a tool the texts of another.
    Copy(usize, usize),
}

const WORDS: [&str; 14] = [
    "parcel", "letter", "invoice", "order", "town", "list", "show", "count", "late", "open", "north", "south", "week",
    "van",
];

fn prose(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[word % WORDS.len()]).collect::<Vec<_>>().join(" ")
}

static CARD: LazyLock<ToolCard> = LazyLock::new(|| sample::snapshot().unwrap().tools[0].clone());

fn card(written: &Written) -> ToolCard {
    ToolCard {
        id: ToolId::new("c", &format!("t{:02}", written.id)),
        description: prose(&written.description),
        examples: written.examples.iter().map(|words| prose(words)).collect(),
        ..CARD.clone()
    }
}

/// Near for texts that share words; texts of an odd length of digits have none where `holes` are wanted.
fn vectors(cards: &[ToolCard], holes: bool) -> Vectors {
    let mut vectors = Vectors::default();
    for text in cards.iter().flat_map(card_texts) {
        let digest = Digest::of(text.as_bytes());
        if holes && digest.bytes()[0] < 40 {
            continue;
        }
        let mut vector = vec![0.0_f32; 19];
        for word in text::words(&text) {
            for (slot, byte) in vector.iter_mut().zip(Digest::of(word.as_bytes()).bytes()) {
                *slot += f32::from(byte) / 128.0 - 0.8;
            }
        }
        let length = vector.iter().map(|n| n * n).sum::<f32>().sqrt().max(1e-6);
        vectors.insert(digest, vector.into_iter().map(|n| n / length).collect());
    }
    vectors
}

fn settings(semantic: i32, bm25: i32) -> Settings {
    Settings {
        workspace: "w".to_owned(),
        embedding_model: "m".to_owned(),
        embedding_languages: ambit_model::declaration::english(),
        weights: Weights { semantic: Ratio(semantic), bm25: Ratio(bm25), ..Weights::default() },
        thresholds: Thresholds::default(),
    }
}

fn project() -> ProjectId {
    ProjectId::parse("a/p", None).unwrap()
}

/// One by one, with nothing kept and nothing ruled out: how retrieval is defined.
fn reference(cards: &[ToolCard], vectors: &Vectors, kin: &Kin, settings: &Settings) -> Vec<Trial> {
    let index = ProjectIndex::build(cards.to_vec()).unwrap();
    let all = index.all();
    let (of_meaning, of_words) = (settings.weights.semantic.to_f64(), settings.weights.bm25.to_f64());
    let whole = (of_meaning + of_words).max(f64::EPSILON);
    let ask = |(tool, asked): (usize, &crate::index::IndexedTool)| {
        let mut trial = Trial { tool, asked: 0, first: 0, lost: BTreeMap::new() };
        for (example, text) in asked.card.examples.iter().zip(asked.texts.iter().skip(1)) {
            let Some(question) = vectors.get(text) else { continue };
            let bm25 = index.words.scores(&text::words(example), &all).unwrap();
            let signals = |at: usize| {
                let texts = index.tools[at].texts.iter().filter(|other| at != tool || *other != text);
                let rows = texts.filter_map(|text| vectors.get(text));
                let semantic = rows.map(|row| cosine(question, row)).fold(0.0, f64::max);
                let score = Ratio::from_f64((of_meaning * semantic + of_words * bm25.share(at)) / whole);
                (score, semantic, bm25.share(at))
            };
            let none = BTreeSet::new();
            let kin = kin.0.get(&asked.card.id).unwrap_or(&none);
            let rivals = (0..index.tools.len()).filter(|at| *at != tool && !kin.contains(&index.tools[*at].card.id));
            let own = signals(tool);
            let rivals: Vec<_> = rivals.map(|at| (signals(at), at)).collect();
            let ahead = rivals.iter().filter(|(rival, _)| rival.0 >= own.0).count();
            let best = rivals.iter().max_by(|a, b| a.0.0.cmp(&b.0.0).then(b.1.cmp(&a.1)));
            trial.asked += 1;
            match best.filter(|(rival, _)| rival.0 >= own.0) {
                Some((rival, at)) => trial.lost.entry(*at).or_default().push(ClashQuestion {
                    question: example.clone(),
                    own_score: own.0.0,
                    rival_score: rival.0.0,
                    own_rank: ahead.min(MOST_TOOLS) + 1,
                    semantic_margin: Ratio::from_f64(own.1).0 - Ratio::from_f64(rival.1).0,
                    bm25_margin: Ratio::from_f64(own.2).0 - Ratio::from_f64(rival.2).0,
                }),
                None => trial.first += 1,
            }
        }
        trial
    };
    index.tools.iter().enumerate().map(ask).collect()
}

/// The trials with what was kept before, and what is kept after.
fn with(cards: &[ToolCard], vectors: &Vectors, kin: &Kin, settings: &Settings, kept: &[u8]) -> (Vec<Trial>, Vec<u8>) {
    let arena = Arena::new(cards.iter().collect(), vectors, kin, settings, |_| true).unwrap();
    let lists = arena.lists(&Lists::from_bytes(kept).unwrap_or_default());
    (arena.ask(&lists), lists.to_bytes())
}

fn written() -> impl Strategy<Value = Written> {
    let words = || vec(0_usize..WORDS.len(), 1..5);
    (0_usize..40, words(), vec(words(), 0..4)).prop_map(|(id, description, examples)| Written {
        id,
        description,
        examples,
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        3 => written().prop_map(Edit::Put),
        1 => (0_usize..40).prop_map(Edit::Remove),
        1 => (0_usize..40, 0_usize..40).prop_map(|(from, to)| Edit::Copy(from, to)),
    ]
}

fn apply(world: &mut BTreeMap<usize, Written>, edit: &Edit) {
    match edit {
        Edit::Put(written) => drop(world.insert(written.id, written.clone())),
        Edit::Remove(id) => drop(world.remove(id)),
        Edit::Copy(from, to) => {
            if let Some(written) = world.get(from).cloned() {
                world.insert(*to, Written { id: *to, ..written });
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_kept_and_ruled_out_changes_no_outcome(
        tools in vec(written(), 1..40),
        edits in vec(vec(edit(), 1..4), 1..5),
        kin in vec(0_usize..40, 0..4),
        (semantic, bm25) in prop_oneof![Just((4_000, 2_500)), Just((9_000, 0)), Just((0, 9_000)), Just((500, 9_000)), Just((0, 0))],
        holes in any::<bool>(),
    ) {
        let settings = settings(semantic, bm25);
        let mut related = Kin::default();
        let ids: Vec<ToolId> = kin.iter().map(|id| ToolId::new("c", &format!("t{id:02}"))).collect();
        related.join(ids.iter());
        let mut world: BTreeMap<usize, Written> = tools.into_iter().map(|written| (written.id, written)).collect();
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut kept = Vec::new();
        for edits in std::iter::once(Vec::new()).chain(edits) {
            for edit in &edits {
                apply(&mut world, edit);
            }
            let cards: Vec<ToolCard> = world.values().map(card).collect();
            let vectors = vectors(&cards, holes);
            let expected = reference(&cards, &vectors, &related, &settings);
            let (cold, _) = with(&cards, &vectors, &related, &settings, &[]);
            prop_assert_eq!(&cold, &expected);
            let (warm, next) = with(&cards, &vectors, &related, &settings, &kept);
            prop_assert_eq!(&warm, &expected);
            let again = one_thread.install(|| with(&cards, &vectors, &related, &settings, &kept));
            prop_assert_eq!((&again.0, &again.1), (&expected, &next));
            kept = next;
        }
    }
}

#[test]
fn what_another_machine_kept_of_the_same_texts_is_not_taken_over() {
    let written =
        |id, words: &[usize]| Written { id, description: words.to_vec(), examples: vec![words.to_vec(), vec![id]] };
    let cards: Vec<ToolCard> = (0..6).map(|id| card(&written(id, &[id, id + 1, 5]))).collect();
    let (here, none) = (vectors(&cards, false), Kin::default());
    let there: Vectors = cards
        .iter()
        .flat_map(card_texts)
        .map(|text| Digest::of(text.as_bytes()))
        .map(|text| (text.clone(), here.get(&text).unwrap().iter().rev().map(|n| -n).collect()))
        .collect();
    let settings = settings(4_000, 2_500);
    let (_, kept) = with(&cards, &there, &none, &settings, &[]);
    let (fresh, expected) = with(&cards, &here, &none, &settings, &[]);
    assert_ne!(kept, expected);
    assert_eq!(with(&cards, &here, &none, &settings, &kept), (fresh, expected));
}

#[test]
fn two_tools_of_the_same_text_are_told_in_both_orders() {
    let twin = Written { id: 1, description: vec![0, 3, 8], examples: vec![vec![6, 8, 0], vec![7, 3]] };
    let other = Written { id: 9, description: vec![1, 3, 9], examples: vec![vec![1, 9]] };
    let copy = ToolCard { id: ToolId::new("d", "t01"), ..card(&twin) };
    let cards = [card(&twin), card(&other), copy];
    let vectors = vectors(&cards, false);
    let settings = settings(4_000, 2_500);
    let check = |cards: Vec<&ToolCard>| {
        check(&[Field { project: project(), cards }], &vectors, &Kin::default(), &settings, &Winners::default())
            .unwrap()
    };
    let found = check(cards.iter().collect());
    assert_eq!(found.clashes, check(cards.iter().rev().collect()).clashes);
    let told: Vec<_> = found.findings.iter().map(|f| (f.tool.as_str(), f.code.as_ref(), f.other.as_deref())).collect();
    let warning = codes::W_SELF_RETRIEVAL;
    assert_eq!(told, [("c/t01", warning, Some("d/t01")), ("d/t01", warning, Some("c/t01"))]);
    let [clash] = found.clashes.as_slice() else { panic!("{:?}", found.clashes) };
    assert_eq!((clash.tool.as_str(), clash.rival.as_str()), ("c/t01", "d/t01"));
    assert_eq!(clash.questions, clash.taken);
    assert_eq!((clash.questions.len(), clash.likeness), (2, 10_000));
    assert!(clash.questions.iter().all(|question| (2..=3).contains(&question.own_rank)));
    assert!(clash.questions.iter().all(|question| question.semantic_margin < 0 && question.bm25_margin == 0));
    // `order` is a word of all three.
    assert_eq!(clash.words, ["t01", "parcel", "late", "order"]);
}
