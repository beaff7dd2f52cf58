//! One project's language model: a prompt is sent, and its answer read as what was asked for, with one more call where it cannot be.
//! INVARIANT: a secret, and what a model answered, stand in no message.

mod models;

use std::time::{Duration, Instant};

use ambit_engine::prompt::{self, Prompt};
use ambit_model::identity::ProjectId;
use ambit_model::llm::{Llm, LlmProvider};
use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, JsonSpec};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget, webc};
use reqwest::Url;

pub(crate) use models::Models;

use crate::outbound;
use crate::secrets::{SecretError, SecretPlaces};

/// Sent where a provider wants a key and the project names none.
const NO_KEY: &str = "none";

/// A model that can be asked.
pub(crate) struct Model {
    client: Client,
    target: ServiceTarget,
    patience: Duration,
}

/// What is asked, and the form of the answer.
pub(crate) struct Question<'q> {
    /// Letters and `_` alone.
    pub(crate) name: &'q str,
    pub(crate) prompt: Prompt,
    pub(crate) schema: serde_json::Value,
    /// Most tokens of the answer.
    pub(crate) most_tokens: u32,
    /// When all of it has to be over; without one each call may take as long as the model's patience.
    pub(crate) until: Option<Instant>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    #[error("{0}")]
    Secret(#[from] SecretError),
    #[error("the language model cannot be asked from here")]
    Client,
    #[error("the language model answered with status {0}")]
    Status(u16),
    #[error("the language model did not answer in time")]
    TooLate,
    #[error("the language model cannot be reached")]
    Unreachable,
    #[error("the language model answered in a form that its provider does not have")]
    Form,
    #[error("the answer of the language model cannot be used: {0}")]
    Unusable(String),
    #[error("the language model did not answer before, so it was not asked again")]
    GivenUp,
}

impl NoAnswer {
    /// Nobody answered, so that others will hardly be answered either.
    pub(crate) fn is_silence(&self) -> bool {
        matches!(self, Self::TooLate | Self::Unreachable | Self::Status(401 | 403 | 404 | 429 | 500..))
    }
}

impl Model {
    /// Ready to be asked; its secret is found now.
    pub(crate) fn new(
        project: &ProjectId,
        llm: &Llm,
        secrets: &SecretPlaces,
        patience: Duration,
    ) -> Result<Self, NoAnswer> {
        let kind = adapter(llm.provider);
        let key =
            llm.secret.as_ref().map(|name| secrets.of_project(&project.tenant, &project.project, name)).transpose()?;
        let key = key.as_ref().map_or(NO_KEY, |secret| secret.expose());
        let endpoint = endpoint(llm)?;
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(endpoint),
            auth: AuthData::from_single(key),
            model: ModelIden::new(kind, llm.model.as_str()),
        };
        let http = outbound::client(patience).map_err(|_| NoAnswer::Client)?;
        let client = Client::builder().with_reqwest(http).build().map_err(|_| NoAnswer::Client)?;
        Ok(Self { client, target, patience })
    }

    /// The answer as `read` reads it, and how many calls that took: one, and one more where the first could not be used.
    pub(crate) async fn answer<T>(
        &self,
        question: Question<'_>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> (Result<T, NoAnswer>, usize) {
        let Prompt { system, user } = &question.prompt;
        let mut request = ChatRequest::from_system(system.clone()).append_message(ChatMessage::user(user.clone()));
        let mut said = match self.ask(&question, request.clone()).await {
            Ok(said) => said,
            Err(why) => return (Err(why), 1),
        };
        let why = match read(&said) {
            Ok(answer) => return (Ok(answer), 1),
            Err(why) => why,
        };
        // One structured correction, as with plans (DESIGN 8).
        request = request
            .append_message(ChatMessage::assistant(said))
            .append_message(ChatMessage::user(prompt::repair(&why)));
        said = match self.ask(&question, request).await {
            Ok(said) => said,
            Err(why) => return (Err(why), 2),
        };
        (read(&said).map_err(NoAnswer::Unusable), 2)
    }

    async fn ask(&self, question: &Question<'_>, request: ChatRequest) -> Result<String, NoAnswer> {
        let options = ChatOptions::default()
            .with_max_tokens(question.most_tokens)
            .with_response_format(JsonSpec::new(question.name, question.schema.clone()));
        let left = question.until.map(|until| until.saturating_duration_since(Instant::now()));
        let patience = left.map_or(self.patience, |left| left.min(self.patience));
        let asking = self.client.exec_chat(self.target.clone(), request, Some(&options));
        let answer = tokio::time::timeout(patience, asking).await.map_err(|_| NoAnswer::TooLate)?;
        let said = answer.map_err(|error| silence(&error))?.into_first_text().ok_or(NoAnswer::Form)?;
        Ok(said)
    }
}

/// Texts of others stay out of what is said of a failure.
fn silence(error: &genai::Error) -> NoAnswer {
    let (genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. }) = error
    else {
        return NoAnswer::Form;
    };
    match webc_error {
        webc::Error::ResponseFailedStatus { status, .. } => NoAnswer::Status(status.as_u16()),
        webc::Error::Reqwest(error) if error.is_timeout() => NoAnswer::TooLate,
        webc::Error::Reqwest(_) => NoAnswer::Unreachable,
        _ => NoAnswer::Form,
    }
}

fn adapter(provider: LlmProvider) -> AdapterKind {
    match provider {
        LlmProvider::Openai | LlmProvider::OpenaiCompatible => AdapterKind::OpenAI,
        LlmProvider::Anthropic => AdapterKind::Anthropic,
        LlmProvider::Gemini => AdapterKind::Gemini,
        LlmProvider::Ollama => AdapterKind::Ollama,
    }
}

/// Where the provider is asked: as declared, else as it is known; never by a URL that the rule for URLs refuses.
fn endpoint(llm: &Llm) -> Result<String, NoAnswer> {
    let usual = match llm.provider {
        LlmProvider::Openai | LlmProvider::OpenaiCompatible => "https://api.openai.com/v1/",
        LlmProvider::Anthropic => "https://api.anthropic.com/v1/",
        LlmProvider::Gemini => "https://generativelanguage.googleapis.com/v1beta/",
        LlmProvider::Ollama => "http://localhost:11434/",
    };
    let written = llm.url.as_deref().unwrap_or(usual);
    let url = Url::parse(written).map_err(|_| NoAnswer::Client)?;
    outbound::permitted(&url).map_err(|_| NoAnswer::Client)?;
    // The library joins its paths to what ends in a slash.
    Ok(if written.ends_with('/') { written.to_owned() } else { format!("{written}/") })
}
