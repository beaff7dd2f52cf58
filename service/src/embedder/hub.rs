//! Models of fastembed's own list, which it fetches from the model hub once and then finds in the models folder.
//! For machines with the open internet; nothing of Ambit needs it.

use std::path::Path;

use fastembed::{AutoDevicePolicy, EmbeddingModel, Error, TextEmbedding, TextInitOptions};

use super::error::Cause;
use super::runtime::Runtime;
use super::session::Session;
use super::{EmbedError, HUB, join};

/// The model of this name in fastembed's list, in any case.
pub(super) fn find(name: &str) -> Option<EmbeddingModel> {
    models().find(|model| format!("{model:?}").eq_ignore_ascii_case(name))
}

/// As it is written in a workspace: `hub:BGESmallENV15`.
pub(super) fn name(model: &EmbeddingModel) -> String {
    format!("{HUB}{model:?}")
}

/// How many numbers its vectors have.
pub(super) fn dimensions(model: &EmbeddingModel) -> Option<usize> {
    TextEmbedding::get_model_info(model).ok().map(|info| info.dim)
}

pub(super) fn names() -> impl Iterator<Item = String> {
    models().map(|model| name(&model))
}

fn models() -> impl Iterator<Item = EmbeddingModel> {
    TextEmbedding::list_supported_models().into_iter().map(|info| info.model)
}

pub(super) fn open(model: EmbeddingModel, folder: &Path, runtime: Runtime) -> Result<Session, EmbedError> {
    let name = name(&model);
    let loading = || format!("load the embedding model `{name}`");
    let dimensions = TextEmbedding::get_model_info(&model).map_err(|cause| EmbedError::failed(loading(), cause))?.dim;
    let quantization = TextEmbedding::get_quantization_mode(&model);
    let options = TextInitOptions::new(model)
        .with_environment(runtime.environment)
        .with_cache_dir(folder.to_owned())
        .with_intra_threads(1)
        .with_auto_device(AutoDevicePolicy::PreferCPU)
        .with_show_download_progress(false);
    let loaded = TextEmbedding::try_new(options).map_err(|cause| match fetching(cause) {
        Ok(cause) => EmbedError::HubUnreachable { name: name.clone(), folder: folder.to_owned(), cause },
        Err(cause) => EmbedError::failed(loading(), cause),
    })?;
    Ok(Session::new(join(&name, &runtime.id), dimensions, quantization, loaded))
}

/// `Ok` where the error is about fetching. fastembed has a variant for the model's files, but only a text for the tokenizer's.
fn fetching(error: Error) -> Result<Cause, Cause> {
    let fetching = match &error {
        Error::ModelRetrieval { .. } => true,
        Error::Other(text) => text.contains("HuggingFace API"),
        _ => false,
    };
    if fetching { Ok(error.into()) } else { Err(error.into()) }
}
