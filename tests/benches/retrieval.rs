//! What self-retrieval costs in a whole `check`: worlds of 1,000 and of 10,000 tools with eight example questions each.
//! No model is asked: the vectors are made of words and come through `ambit vectors import`. A number over its limit makes the
//! benchmark fail; `TOOLS` sets one size in place of both, and its numbers are printed without limits.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use ambit_engine::compile;
use ambit_engine::text::words;
use ambit_model::digest::Digest;
use ambit_service::embedder::{DEFAULT_MODEL, ModelPlaces, identify};
use ambit_service::workspace;
use ambit_tests::Place;
use serde_json::json;

/// Numbers of a vector, as the default model has them.
const NUMBERS: usize = 384;
const CATALOGS: usize = 20;
const VERBS: [(&str, &str, &str); 6] = [
    ("list", "list", "read"),
    ("find", "search", "read"),
    ("count", "count", "read"),
    ("create", "create", "write"),
    ("update", "update", "write"),
    ("remove", "delete", "destructive"),
];
const STATES: [&str; 6] = ["overdue", "draft", "archived", "urgent", "shared", "disputed"];
const NOUNS: [&str; 20] = [
    "invoice",
    "shipment",
    "contract",
    "ticket",
    "employee",
    "warehouse",
    "voucher",
    "meeting",
    "vehicle",
    "supplier",
    "budget",
    "campaign",
    "lease",
    "permit",
    "sensor",
    "patient",
    "course",
    "booking",
    "recipe",
    "asset",
];
const TOWNS: [&str; 24] = [
    "Leeds", "Cork", "Turin", "Graz", "Lyon", "Porto", "Ghent", "Oslo", "Riga", "Brno", "Bilbao", "Malmo", "Tampere",
    "Gdansk", "Split", "Varna", "Patras", "Tartu", "Sofia", "Zurich", "Bergen", "Aarhus", "Kosice", "Trieste",
];
const FILE: &str = "catalogs/c000.json";
const EDIT: [&str; 2] = ["with its number, owner and state", "with its number, owner and due date"];

/// Most seconds with everything cached, with vectors only, after one change; and most megabytes.
type Limits = [Option<f64>; 4];

fn main() -> ExitCode {
    let size: Option<usize> = std::env::var("TOOLS").ok().and_then(|text| text.parse().ok());
    let worlds: Vec<(usize, Limits)> = match size {
        Some(tools) => vec![(tools, [None; 4])],
        None => {
            vec![(1_000, [Some(2.0), Some(5.0), Some(0.5), None]), (10_000, [None, None, Some(2.0), Some(1_024.0)])]
        }
    };
    // Every world is measured, also after one that was over a limit.
    let over = worlds.into_iter().filter(|(tools, limits)| !measure(*tools, *limits)).count();
    if over == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(tools: usize, [cached, vectors, changed, memory]: Limits) -> bool {
    let place = Place::empty();
    write(&place, tools);
    place.write("carried", carried(&place));
    let (took, _) = run(&place, &["vectors", "import", "carried"]);
    println!("{tools} tools, 8 example questions each; their vectors imported in {:.1} s", took.as_secs_f64());
    let mut within = true;
    let mut row = |what: &str, value: f64, unit: &str, limit: Option<f64>| {
        let told = limit.map_or("no limit".to_owned(), |limit| format!("limit {limit} {unit}"));
        println!("{what:<32} {value:>8.2} {unit:<2}  {told}");
        within &= limit.is_none_or(|limit| value <= limit);
    };
    let (first, peak) = run(&place, &["check"]);
    row("check, vectors only", first.as_secs_f64(), "s", vectors);
    row("its memory", peak, "MB", memory);
    let again: Vec<Duration> = (0..3).map(|_| run(&place, &["check"]).0).collect();
    row("check, all cached", median(again).as_secs_f64(), "s", cached);
    let [before, after] = EDIT;
    let one_changed = [(before, after), (after, before), (before, after)].map(|(from, to)| {
        place.edit(FILE, from, to);
        run(&place, &["check"])
    });
    let took = median(one_changed.iter().map(|(took, _)| *took).collect());
    row("check, one tool changed", took.as_secs_f64(), "s", changed);
    row("its memory", one_changed.iter().map(|(_, peak)| *peak).fold(0.0, f64::max), "MB", memory);
    within
}

/// One run: its time, and the highest `VmHWM` seen of it in megabytes (0 where there is no `/proc`).
fn run(place: &Place, arguments: &[&str]) -> (Duration, f64) {
    let started = Instant::now();
    let mut child = place.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("ambit starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak: f64 = 0.0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
        let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0);
        peak = peak.max(kilobytes / 1024.0);
        if let Some(ended) = child.try_wait().expect("ambit ends") {
            assert!(ended.success(), "{arguments:?} ended with {ended}");
            return (started.elapsed(), peak);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn write(place: &Place, tools: usize) {
    let catalogs: Vec<String> = (0..CATALOGS).map(|n| format!("c{n:03}")).collect();
    let mut text = format!(
        "kind: Workspace\nname: retrieval\nroot: ..\n---\nkind: Tenant\nid: acme\nname: Acme\nusers: [{{ id: ada }}]\n---\n\
         kind: Project\nid: desk\ntenant: acme\nname: Desk\ncatalogs: [{}]\n",
        catalogs.join(", ")
    );
    for catalog in &catalogs {
        let _ = write!(
            text,
            "---\nkind: Group\nid: {catalog}\ntitle: Tools of {catalog}\ndescription: What {catalog} offers.\nmembers: ['{catalog}/**']\n"
        );
    }
    place.write("policies/workspace.yaml", text);
    for catalog in 0..CATALOGS {
        let (file, document) = self::catalog(catalog, tools);
        place.write(&format!("catalogs/c{catalog:03}.json"), file);
        place.write(&format!("policies/catalogs/c{catalog:03}.yaml"), document);
    }
}

/// The catalog file and the Catalog document: every so manieth tool of all.
fn catalog(catalog: usize, tools: usize) -> (String, String) {
    let mut listed = Vec::new();
    let mut document = format!(
        "kind: Catalog\nid: c{catalog:03}\ntenant: acme\nfile: ../../catalogs/c{catalog:03}.json\ndefaults: {{ source: api }}\ntools:\n"
    );
    for n in (catalog..tools).step_by(CATALOGS) {
        // Towns first, so that a small world, too, has many nouns that are alike in few towns.
        let of = |words: &[&'static str], by: usize| words.get(n / by % words.len()).copied().unwrap_or_default();
        let (noun, town) = (of(&NOUNS, 1), of(&TOWNS, NOUNS.len()));
        let (verb, operation, effect) =
            VERBS.get(n / (NOUNS.len() * TOWNS.len()) % VERBS.len()).copied().unwrap_or_default();
        let state = of(&STATES, NOUNS.len() * TOWNS.len() * VERBS.len());
        let name = format!("{verb}_{state}_{noun}_{}", town.to_lowercase());
        let owner = EDIT.first().copied().unwrap_or_default();
        let description = format!("{verb} each {state} {noun} that the {town} office looks after, {owner}.");
        listed.push(json!({
            "name": name, "description": description,
            "inputSchema": {"type": "object", "required": [format!("{noun}_id")], "additionalProperties": false, "properties": {
                format!("{noun}_id"): {"type": "string", "description": format!("Which {noun}")},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100}}},
            "outputSchema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {
                "id": {"type": "string"}, "state": {"type": "string"}}}}}}
        }));
        let examples = [
            format!("{verb} every {state} {noun} of {town}"),
            format!("which {state} {noun} do we {verb} for the {town} office"),
            format!("{town} asks us to {verb} one {state} {noun}"),
            format!("please {verb} {state} {noun} entries, {town} only"),
            format!("can you {verb} the {state} {noun} that {town} sent this week"),
            format!("{verb} {noun} records marked {state} in {town}"),
            format!("a colleague in {town} wants to {verb} a {noun} that is {state}"),
            format!("{state} {noun}, {town} branch: {verb} it"),
        ];
        let _ = write!(
            document,
            "  {name}:\n    entity: {noun}\n    operation: {operation}\n    effect: {effect}\n    examples:\n"
        );
        for example in examples {
            let _ = writeln!(document, "      - \"{example}\"");
        }
    }
    (serde_json::to_string_pretty(&json!({ "tools": listed })).expect("a catalog"), document)
}

/// A vectors file of every text of the workspace, before the edit and after.
fn carried(place: &Place) -> Vec<u8> {
    let mut texts = texts(place);
    let [before, after] = EDIT;
    place.edit(FILE, before, after);
    texts.extend(self::texts(place));
    place.edit(FILE, after, before);
    let by_digest: BTreeMap<[u8; 32], String> =
        texts.into_iter().map(|text| (Digest::of(text.as_bytes()).bytes(), text)).collect();
    let model = identify(DEFAULT_MODEL, &ModelPlaces::resolve(None, None))
        .unwrap_or_else(|_| format!("{DEFAULT_MODEL}@onnxruntime-0"));
    let mut known = BTreeMap::new();
    let (mut file, mut seal, mut records) = (b"ambit vectors 1\n".to_vec(), [0; 32], 0_u64);
    for (digest, text) in by_digest {
        let mut body = u16::try_from(model.len()).expect("a short name").to_le_bytes().to_vec();
        body.extend_from_slice(model.as_bytes());
        body.extend_from_slice(&digest);
        body.extend(vector(&text, &mut known).iter().flat_map(|number| number.to_le_bytes()));
        let record = framed(b'v', &body);
        seal = Digest::of(&[seal.as_slice(), &record].concat()).bytes();
        records += 1;
        file.extend(record);
    }
    file.extend(framed(b'.', &[records.to_le_bytes().as_slice(), &seal].concat()));
    file
}

fn framed(tag: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a short record");
    [&[tag], length.to_le_bytes().as_slice(), body].concat()
}

fn texts(place: &Place) -> BTreeSet<String> {
    let workspace = workspace::read(&place.path("policies")).expect("the workspace can be read");
    compile::prepare(&workspace.tree).texts().into_iter().collect()
}

/// Near for texts that share words: the sum of a random direction for each word, and of one for the text itself.
fn vector(text: &str, known: &mut BTreeMap<String, Vec<f32>>) -> Vec<f32> {
    let mut sum: Vec<f32> = direction(text).into_iter().map(|number| number / 2.0).collect();
    for word in words(text) {
        let of_word = known.entry(word).or_insert_with_key(|word| direction(word));
        sum.iter_mut().zip(of_word).for_each(|(sum, number)| *sum += *number);
    }
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
    sum.into_iter().map(|number| number / length).collect()
}

/// Numbers that look random and are the same on every run (SplitMix64: Steele, Lea and Flood 2014).
fn direction(seed: &str) -> Vec<f32> {
    let first = Digest::of(seed.as_bytes()).bytes();
    let mut state = first.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        i16::from_le_bytes((mixed ^ (mixed >> 31)).to_le_bytes().first_chunk::<2>().copied().unwrap_or_default())
    };
    (0..NUMBERS).map(|_| f32::from(next()) / f32::from(i16::MAX)).collect()
}
