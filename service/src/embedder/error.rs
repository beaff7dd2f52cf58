//! What can go wrong between a text and its vector, and for each case what the reader does next.
//! The cause is the error's source, so a report that prints the chain prints it once.

use std::path::PathBuf;

use super::DEFAULT_MODEL;

/// Any error of a library below, kept as the cause.
pub(super) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why texts cannot be embedded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// No file stands where the runtime library is looked for.
    #[error("there is no ONNX Runtime library at `{path}`")]
    RuntimeMissing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A file is there, but it is no ONNX Runtime, is too old, or was built for another machine.
    #[error("`{path}` cannot be loaded as the ONNX Runtime library")]
    RuntimeInvalid {
        /// The file.
        path: PathBuf,
        /// What the loader says.
        #[source]
        cause: Cause,
    },
    /// A process loads one runtime library, and this one was asked for second.
    #[error("cannot load the ONNX Runtime library `{path}`: this process already runs `{loaded}`")]
    RuntimeSettled {
        /// The library that was asked for.
        path: PathBuf,
        /// The library in use.
        loaded: PathBuf,
    },
    /// A file of the model cannot be read.
    #[error("the embedding model has no readable file `{path}`")]
    ModelMissing {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        #[source]
        cause: std::io::Error,
    },
    /// No model has this name.
    #[error("there is no embedding model `{name}`")]
    ModelUnknown {
        /// As it was written.
        name: String,
        /// The known name that is most like it.
        nearest: Option<String>,
    },
    /// A model of the hub is not on this machine, and the hub did not give it.
    #[error("the embedding model `{name}` is not on this machine and could not be fetched from the model hub")]
    HubUnreachable {
        /// The model, as `hub:BGESmallENV15`.
        name: String,
        /// The folder that holds what was fetched.
        folder: PathBuf,
        /// What the hub's client says.
        #[source]
        cause: Cause,
    },
    /// Anything else that broke.
    #[error("could not {doing}")]
    Failed {
        /// What was being done, as `embed 64 texts`.
        doing: String,
        /// What the library below says.
        #[source]
        cause: Cause,
    },
}

impl EmbedError {
    pub(super) fn failed(doing: impl Into<String>, cause: impl Into<Cause>) -> Self {
        Self::Failed { doing: doing.into(), cause: cause.into() }
    }

    /// What to do about it, as a sentence without a full stop.
    pub fn help(&self) -> String {
        match self {
            Self::RuntimeMissing { .. } => "run `make setup`, or set `AMBIT_RUNTIME` to the file of an ONNX Runtime library, \
                version 1.24 or later"
                .to_owned(),
            Self::RuntimeInvalid { .. } => "run `make setup` to have it checked and fetched again, or set `AMBIT_RUNTIME` to the \
                file of an ONNX Runtime library for this machine, version 1.24 or later"
                .to_owned(),
            Self::RuntimeSettled { .. } => "restart the program to use another library, and set `AMBIT_RUNTIME` once".to_owned(),
            Self::ModelMissing { .. } => "run `make setup`, or set `AMBIT_MODELS` to the folder that holds the model's folder".to_owned(),
            Self::ModelUnknown { nearest, .. } => unknown_help(nearest.as_deref()),
            Self::HubUnreachable { folder, .. } => format!(
                "run it once with access to the hub, or copy `{}` from a machine that has the model, or use `{DEFAULT_MODEL}`, which \
                 `make setup` fetches",
                folder.display()
            ),
            Self::Failed { .. } => {
                "run `make setup` to have the model and its runtime checked; if they are whole, report this with its cause".to_owned()
            }
        }
    }
}

fn unknown_help(nearest: Option<&str>) -> String {
    let known = format!("use `{DEFAULT_MODEL}`, or `hub:` and a name of fastembed's list, such as `hub:BGESmallENV15`");
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`? Otherwise {known}"),
        None => known,
    }
}
