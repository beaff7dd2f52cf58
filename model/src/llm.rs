//! The language model that a project may ask, and for what. Without this nothing of a project is sent to any.

use serde::{Deserialize, Serialize};

/// A provider, a model there, and what it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Llm {
    /// Sorted, at least one.
    pub uses: Vec<LlmUse>,
    pub provider: LlmProvider,
    /// As the provider names it.
    pub model: String,
    /// Where the provider is asked: https, or http on this machine; absent: where it usually is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The name of the secret that the provider knows the project by; its value is never in a declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

impl Llm {
    /// It may be asked for this.
    pub fn is_for(&self, what: LlmUse) -> bool {
        self.uses.contains(&what)
    }
}

/// What a language model may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmUse {
    /// Drafts of texts that a person reviews: example questions.
    Drafts,
    /// Cutting questions into steps.
    Planner,
    /// Choosing among the tools that may be offered.
    Router,
}

impl LlmUse {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Drafts, Self::Planner, Self::Router];

    /// The written word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Drafts => "drafts",
            Self::Planner => "planner",
            Self::Router => "router",
        }
    }
}

/// Whose way of speaking is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LlmProvider {
    Openai,
    Anthropic,
    Gemini,
    Ollama,
    /// Any server that speaks OpenAI's chat completions; its URL has to be named.
    OpenaiCompatible,
}

impl LlmProvider {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Openai, Self::Anthropic, Self::Gemini, Self::Ollama, Self::OpenaiCompatible];

    /// The written word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::OpenaiCompatible => "openai_compatible",
        }
    }
}
