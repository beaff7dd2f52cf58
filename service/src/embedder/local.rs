//! Models that lie as files in the models folder, where `make setup` puts them.
//! A model is a row here, because pooling and length are facts of the model that its files do not tell.

use std::fs;
use std::path::Path;

use fastembed::{
    AutoDevicePolicy, InitOptionsUserDefined, Pooling, QuantizationMode, TextEmbedding, TokenizerFiles,
    UserDefinedEmbeddingModel,
};

use super::runtime::Runtime;
use super::session::Session;
use super::{DEFAULT_MODEL, EmbedError, join};

/// One model of the models folder; its files lie in a folder of its name.
pub(super) struct LocalModel {
    pub(super) name: &'static str,
    dimensions: usize,
    /// Tokens of a text that count; the rest is cut off.
    max_length: usize,
    pooling: Pooling,
}

/// all-MiniLM-L6-v2 (Reimers and Gurevych; model card: mean pooling, 256 word pieces) with 8-bit weights, computed in f32.
static MODELS: [LocalModel; 1] =
    [LocalModel { name: DEFAULT_MODEL, dimensions: 384, max_length: 256, pooling: Pooling::Mean }];

pub(super) fn find(name: &str) -> Option<&'static LocalModel> {
    MODELS.iter().find(|model| model.name == name)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().map(|model| model.name)
}

impl LocalModel {
    /// Numbers of a vector.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The model's files out of the models folder.
    pub(super) fn read(&self, models: &Path) -> Result<UserDefinedEmbeddingModel, EmbedError> {
        let folder = models.join(self.name);
        let read = |file: &str| {
            let path = folder.join(file);
            fs::read(&path).map_err(|cause| EmbedError::ModelMissing { path, cause })
        };
        let onnx = read("model.onnx")?;
        let tokenizer = TokenizerFiles {
            tokenizer_file: read("tokenizer.json")?,
            config_file: read("config.json")?,
            special_tokens_map_file: read("special_tokens_map.json")?,
            tokenizer_config_file: read("tokenizer_config.json")?,
        };
        Ok(UserDefinedEmbeddingModel::new(onnx, tokenizer)
            .with_pooling(self.pooling.clone())
            .with_quantization(QuantizationMode::None))
    }

    pub(super) fn open(&self, files: UserDefinedEmbeddingModel, runtime: Runtime) -> Result<Session, EmbedError> {
        let id = join(self.name, &runtime.id);
        // The processor on every system: other devices give other vectors under the same id.
        let options = InitOptionsUserDefined::new()
            .with_environment(runtime.environment)
            .with_intra_threads(1)
            .with_auto_device(AutoDevicePolicy::PreferCPU)
            .with_max_length(self.max_length);
        let model = TextEmbedding::try_new_from_user_defined(files, options)
            .map_err(|cause| EmbedError::failed(format!("load the embedding model `{}`", self.name), cause))?;
        Ok(Session::new(id, self.dimensions, QuantizationMode::None, model))
    }
}
