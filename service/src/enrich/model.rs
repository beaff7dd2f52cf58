//! One project's language model, asked for the examples of one tool: a call, and one more where the answer cannot be used.
//! INVARIANT: a secret, and what a model answered, stand in no message.

use std::collections::BTreeSet;
use std::time::Duration;

use ambit_engine::examples::{self, Prompt};
use ambit_model::card::ToolCard;
use ambit_model::identity::ProjectId;
use ambit_model::llm::{Llm, LlmProvider};
use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, JsonSpec};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget, webc};
use reqwest::Url;

use crate::outbound;
use crate::secrets::{SecretError, SecretPlaces};

/// Tokens of an answer; ten examples have about five hundred.
const MOST_TOKENS: u32 = 2_000;
/// Sent where a provider wants a key and the project names none.
const NO_KEY: &str = "none";

/// A model that can be asked.
pub(super) struct Model {
    client: Client,
    target: ServiceTarget,
    patience: Duration,
}

/// Why there is no draft.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoDraft {
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

impl NoDraft {
    /// Nobody answered, so that others will hardly be answered either.
    pub(super) fn is_silence(&self) -> bool {
        matches!(self, Self::TooLate | Self::Unreachable | Self::Status(401 | 403 | 404 | 429 | 500..))
    }
}

impl Model {
    /// Ready to be asked; its secret is found now.
    pub(super) fn new(
        project: &ProjectId,
        llm: &Llm,
        secrets: &SecretPlaces,
        patience: Duration,
    ) -> Result<Self, NoDraft> {
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
        let http = outbound::client(patience).map_err(|_| NoDraft::Client)?;
        let client = Client::builder().with_reqwest(http).build().map_err(|_| NoDraft::Client)?;
        Ok(Self { client, target, patience })
    }

    /// The examples that it drafts, and how many calls that took.
    pub(super) async fn draft(
        &self,
        card: &ToolCard,
        taken: &BTreeSet<String>,
    ) -> (Result<Vec<String>, NoDraft>, usize) {
        let Ok(Prompt { system, user, .. }) = examples::prompt(card) else { return (Err(NoDraft::Client), 0) };
        let mut request = ChatRequest::from_system(system).append_message(ChatMessage::user(user));
        let mut said = match self.ask(request.clone()).await {
            Ok(said) => said,
            Err(why) => return (Err(why), 1),
        };
        let why = match examples::read_answer(&said, card, taken) {
            Ok(drafted) => return (Ok(drafted), 1),
            Err(why) => why,
        };
        // One structured correction, as with plans (DESIGN 8).
        request = request
            .append_message(ChatMessage::assistant(said))
            .append_message(ChatMessage::user(examples::repair(&why)));
        said = match self.ask(request).await {
            Ok(said) => said,
            Err(why) => return (Err(why), 2),
        };
        (examples::read_answer(&said, card, taken).map_err(NoDraft::Unusable), 2)
    }

    async fn ask(&self, request: ChatRequest) -> Result<String, NoDraft> {
        let options = ChatOptions::default()
            .with_max_tokens(MOST_TOKENS)
            .with_response_format(JsonSpec::new("examples", examples::answer_schema()));
        let asking = self.client.exec_chat(self.target.clone(), request, Some(&options));
        let answer = tokio::time::timeout(self.patience, asking).await.map_err(|_| NoDraft::TooLate)?;
        let said = answer.map_err(|error| silence(&error))?.into_first_text().ok_or(NoDraft::Form)?;
        Ok(said)
    }
}

/// Texts of others stay out of what is said of a failure.
fn silence(error: &genai::Error) -> NoDraft {
    let (genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. }) = error
    else {
        return NoDraft::Form;
    };
    match webc_error {
        webc::Error::ResponseFailedStatus { status, .. } => NoDraft::Status(status.as_u16()),
        webc::Error::Reqwest(error) if error.is_timeout() => NoDraft::TooLate,
        webc::Error::Reqwest(_) => NoDraft::Unreachable,
        _ => NoDraft::Form,
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
fn endpoint(llm: &Llm) -> Result<String, NoDraft> {
    let usual = match llm.provider {
        LlmProvider::Openai | LlmProvider::OpenaiCompatible => "https://api.openai.com/v1/",
        LlmProvider::Anthropic => "https://api.anthropic.com/v1/",
        LlmProvider::Gemini => "https://generativelanguage.googleapis.com/v1beta/",
        LlmProvider::Ollama => "http://localhost:11434/",
    };
    let written = llm.url.as_deref().unwrap_or(usual);
    let url = Url::parse(written).map_err(|_| NoDraft::Client)?;
    outbound::permitted(&url).map_err(|_| NoDraft::Client)?;
    // The library joins its paths to what ends in a slash.
    Ok(if written.ends_with('/') { written.to_owned() } else { format!("{written}/") })
}
