//! Turns texts into vectors with a model that is on this machine, and says which model and runtime made them.
//! Vectors are stored by that id and the text's digest, so what was embedded once is never embedded again.

use ambit_engine::nearest;

mod error;
mod hub;
mod local;
mod places;
mod runtime;
mod session;
#[cfg(test)]
mod tests;

pub use error::EmbedError;
pub use places::ModelPlaces;

use local::LocalModel;

/// The model that a workspace uses when it names none.
pub const DEFAULT_MODEL: &str = "all-minilm-l6-v2-w8";

/// How the name of a model of fastembed's list opens; the rest is the name there, in any case: `hub:BGESmallENV15`.
const HUB: &str = "hub:";

/// Makes vectors; one instance serves many threads.
pub trait Embedder: Send + Sync {
    /// Model and runtime, `all-minilm-l6-v2-w8@onnxruntime-1.32.0`: the vectors of two embedders with one id may be mixed.
    fn id(&self) -> &str;

    /// One vector for each text, in their order, each of length 1. A text's vector does not depend on the texts beside it.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Loads a model. Takes some tenths of a second, and for a model of the hub that is not here yet a download.
pub fn open(model: &str, places: &ModelPlaces) -> Result<Box<dyn Embedder>, EmbedError> {
    match choose(model)? {
        Choice::Local(model) => {
            let files = model.read(&places.models)?;
            let runtime = runtime::load(&places.library())?;
            Ok(Box::new(model.open(files, runtime)?))
        }
        Choice::Hub(model) => {
            let runtime = runtime::load(&places.library())?;
            Ok(Box::new(hub::open(model, &places.hub(), runtime)?))
        }
    }
}

/// The id that [`open`]'s embedder would have, without loading the runtime or the model.
pub fn identify(model: &str, places: &ModelPlaces) -> Result<String, EmbedError> {
    let name = choose(model)?.name();
    Ok(join(&name, &runtime::id(&places.library())?))
}

/// What the ids of this model begin with, whatever the runtime.
pub fn of_model(model: &str) -> Result<String, EmbedError> {
    Ok(join(&choose(model)?.name(), ""))
}

/// How many numbers the vectors have that are kept under this model and runtime id, where this ambit knows the model.
pub fn dimensions(id: &str) -> Option<usize> {
    match choose(id.split_once('@')?.0).ok()? {
        Choice::Local(model) => Some(model.dimensions()),
        Choice::Hub(model) => hub::dimensions(&model),
    }
}

fn join(model: &str, runtime: &str) -> String {
    format!("{model}@{runtime}")
}

enum Choice {
    Local(&'static LocalModel),
    Hub(fastembed::EmbeddingModel),
}

impl Choice {
    fn name(&self) -> String {
        match self {
            Self::Local(model) => model.name.to_owned(),
            Self::Hub(model) => hub::name(model),
        }
    }
}

fn choose(model: &str) -> Result<Choice, EmbedError> {
    let found = match model.strip_prefix(HUB) {
        Some(name) => hub::find(name).map(Choice::Hub),
        None => local::find(model).map(Choice::Local),
    };
    found.ok_or_else(|| {
        let known: Vec<String> = local::names().map(str::to_owned).chain(hub::names()).collect();
        EmbedError::ModelUnknown {
            name: model.to_owned(),
            nearest: nearest::nearest(model, known.iter().map(String::as_str)).map(str::to_owned),
        }
    })
}
