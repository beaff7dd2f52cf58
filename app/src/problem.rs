//! What a page could not do, as a code of the one table.
//! INVARIANT: it carries no text, so a URL that somebody made up can never put words on a page.

use ambit_model::codes;
use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Deserializer, Serialize};

/// A code of the table; whatever else was said is read as `E_INTERNAL`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Problem {
    code: &'static str,
}

impl Problem {
    /// The problem with this code.
    pub fn new(code: &str) -> Self {
        let known = codes::find(code).map_or(codes::E_INTERNAL, |entry| entry.code);
        Self { code: known }
    }

    /// The code.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What it means, in one sentence.
    pub fn meaning(&self) -> &'static str {
        codes::find(self.code).map_or("", |entry| entry.meaning)
    }
}

impl From<String> for Problem {
    fn from(code: String) -> Self {
        Self::new(&code)
    }
}

// By hand: derived, it would ask for `'de: 'static`, because the code is a borrowed text.
impl<'de> Deserialize<'de> for Problem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl From<Problem> for String {
    fn from(problem: Problem) -> Self {
        problem.code.to_owned()
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code)
    }
}

impl std::error::Error for Problem {}

impl FromServerFnError for Problem {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Request(_) | ServerFnErrorErr::Response(_) => Self::new(codes::E_UNREACHABLE),
            ServerFnErrorErr::Deserialization(_) | ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => {
                Self::new(codes::E_REQUEST)
            }
            _ => Self::new(codes::E_INTERNAL),
        }
    }
}
