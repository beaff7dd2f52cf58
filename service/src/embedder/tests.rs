//! The embedder as its callers meet it: the ways it refuses, and the model that `make setup` fetched at work.
//! Tests may run in one process or in many, so none relies on the runtime library being loaded or not.

use std::fs;
use std::path::Path;

use super::*;

/// The places that `make setup` fills.
fn prepared() -> ModelPlaces {
    ModelPlaces::resolve(None, None)
}

fn open_prepared() -> Box<dyn Embedder> {
    open(DEFAULT_MODEL, &prepared()).unwrap_or_else(|error| panic!("{error}; {}", error.help()))
}

fn refused(model: &str, places: &ModelPlaces) -> EmbedError {
    match open(model, places) {
        Ok(embedder) => panic!("`{}` was opened", embedder.id()),
        Err(error) => error,
    }
}

/// A models folder with the default model's files, of whatever content.
fn folder_with_model(content: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join(DEFAULT_MODEL);
    fs::create_dir(&model).unwrap();
    for file in ["model.onnx", "tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json"] {
        fs::write(model.join(file), content).unwrap();
    }
    folder
}

fn places(models: &Path, runtime: Option<&Path>) -> ModelPlaces {
    ModelPlaces { models: models.to_owned(), runtime: runtime.map(Path::to_owned) }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn a_missing_runtime_is_an_error_that_says_where_and_what_to_do() {
    let folder = folder_with_model("{}");
    let error = refused(DEFAULT_MODEL, &places(folder.path(), None));
    let EmbedError::RuntimeMissing { path } = &error else { panic!("{error:?}") };
    assert!(path.starts_with(folder.path()));
    assert!(error.help().contains("make setup") && error.help().contains("AMBIT_RUNTIME"), "{}", error.help());
    assert!(matches!(identify(DEFAULT_MODEL, &places(folder.path(), None)), Err(EmbedError::RuntimeMissing { .. })));
}

#[test]
fn a_folder_is_no_runtime() {
    let folder = folder_with_model("{}");
    let error = refused(DEFAULT_MODEL, &places(folder.path(), Some(folder.path())));
    assert!(matches!(error, EmbedError::RuntimeMissing { .. }), "{error:?}");
}

#[test]
fn a_runtime_that_is_a_text_file_is_an_error() {
    let folder = folder_with_model("{}");
    let library = folder.path().join("library.so");
    fs::write(&library, "this is no library").unwrap();
    let error = refused(DEFAULT_MODEL, &places(folder.path(), Some(&library)));
    // Settled instead of invalid where a test before it in this process loaded the true library.
    assert!(matches!(error, EmbedError::RuntimeInvalid { .. } | EmbedError::RuntimeSettled { .. }), "{error:?}");
    assert!(error.help().contains("AMBIT_RUNTIME"));
}

#[test]
fn a_missing_model_names_the_missing_file() {
    let folder = folder_with_model("{}");
    fs::remove_file(folder.path().join(DEFAULT_MODEL).join("config.json")).unwrap();
    let error = refused(DEFAULT_MODEL, &places(folder.path(), None));
    assert!(error.to_string().contains("config.json"), "{error}");
    assert!(matches!(error, EmbedError::ModelMissing { .. }), "{error:?}");
    assert!(error.help().contains("make setup") && error.help().contains("AMBIT_MODELS"), "{}", error.help());
}

#[test]
fn a_damaged_model_is_an_error() {
    let folder = folder_with_model("not a model");
    let error = refused(DEFAULT_MODEL, &places(folder.path(), Some(&prepared().library())));
    assert!(matches!(error, EmbedError::Failed { .. }), "{error:?}");
}

#[test]
fn an_unknown_model_suggests_the_nearest_one() {
    let check = |name: &str, expected: Option<&str>| match refused(name, &prepared()) {
        EmbedError::ModelUnknown { nearest, .. } => {
            assert_eq!(nearest.as_deref(), expected, "{name}")
        }
        error => panic!("{name}: {error:?}"),
    };
    check("all-minilm-l6-v2", Some(DEFAULT_MODEL));
    check("hub:BGESmalENV15", Some("hub:BGESmallENV15"));
    check("BGESmallENV15x", Some("hub:BGESmallENV15"));
    check("qqq", None);
}

#[test]
fn a_hub_name_is_found_in_any_case_and_kept_in_one() {
    let id = identify("hub:bgesmallenv15", &prepared()).unwrap();
    assert!(id.starts_with("hub:BGESmallENV15@onnxruntime-"), "{id}");
}

#[test]
fn a_library_without_a_note_is_known_by_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library.so");
    fs::write(&library, "one").unwrap();
    let places = places(folder.path(), Some(&library));
    let id = identify(DEFAULT_MODEL, &places).unwrap();
    assert_eq!(id, format!("{DEFAULT_MODEL}@onnxruntime-sha256-7692c3ad3540"));
    fs::write(folder.path().join("version.txt"), "onnxruntime-1.30.0\nsha256:…\n").unwrap();
    assert_eq!(identify(DEFAULT_MODEL, &places).unwrap(), format!("{DEFAULT_MODEL}@onnxruntime-1.30.0"));
}

#[test]
fn a_second_library_in_one_process_is_refused() {
    open_prepared();
    let folder = folder_with_model("{}");
    let library = folder.path().join("library.so");
    fs::copy(prepared().library(), &library).unwrap();
    let error = refused(DEFAULT_MODEL, &places(folder.path(), Some(&library)));
    assert!(matches!(error, EmbedError::RuntimeSettled { .. }), "{error:?}");
}

#[test]
fn the_prepared_model_gives_unit_vectors_that_know_what_texts_mean() {
    let embedder = open_prepared();
    assert_eq!(embedder.id(), identify(DEFAULT_MODEL, &prepared()).unwrap());
    let vectors = embedder
        .embed(&texts(&["list the unpaid invoices", "which bills are still open?", "the weather in Lisbon"]))
        .unwrap();
    let [invoices, bills, weather] = vectors.as_slice() else { panic!("{} vectors", vectors.len()) };
    for vector in &vectors {
        assert_eq!(vector.len(), 384);
        assert!((dot(vector, vector) - 1.0).abs() < 1e-5);
    }
    assert!(dot(invoices, bills) > dot(invoices, weather) + 0.2);
}

#[test]
fn a_vector_does_not_depend_on_the_texts_beside_it() {
    const MORE_THAN_A_BATCH: usize = 70;
    let embedder = open_prepared();
    let mut many = texts(&["send the report", &"a long text that pads the others ".repeat(6), ""]);
    many.extend((0..MORE_THAN_A_BATCH).map(|n| format!("text number {n}")));
    let together = embedder.embed(&many).unwrap();
    assert_eq!(together.len(), many.len());
    for (text, vector) in many.iter().zip(&together).step_by(13) {
        let alone = embedder.embed(std::slice::from_ref(text)).unwrap();
        assert_eq!(alone.as_slice(), std::slice::from_ref(vector), "{text}");
    }
}

#[test]
fn no_texts_give_no_vectors() {
    assert!(open_prepared().embed(&[]).unwrap().is_empty());
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
