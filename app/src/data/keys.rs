//! The Keys page: what is shown of a key, and the server functions that list, make and revoke keys.

use leptos::server;
use serde::{Deserialize, Serialize};

use crate::data::Moment;
use crate::problem::Problem;

/// Whether a key opens anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyState {
    Valid,
    Expired,
    Revoked,
}

impl KeyState {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Valid, Self::Expired, Self::Revoked];

    /// As it is written, in the page and in its URL.
    pub fn word(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }

    /// The state with this word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// What is known of a key; never the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRow {
    pub id: String,
    pub name: String,
    pub principal: String,
    /// Absent: any of the tenant's.
    pub project: Option<String>,
    /// Globs; empty: whatever the principal may use.
    pub tools: Vec<String>,
    pub created: Moment,
    pub created_by: String,
    pub expires: Option<Moment>,
    pub revoked: Option<Moment>,
    pub state: KeyState,
    /// The one that the visitor is signed in with.
    pub own: bool,
}

/// The Keys page, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysPage {
    /// After the filter.
    pub keys: Vec<KeyRow>,
    /// The filter; nothing lets every key through.
    pub state: Option<KeyState>,
    pub all: usize,
    pub valid: usize,
    pub expired: usize,
    pub revoked: usize,
}

/// A key that was just made. INVARIANT: it is sent to the page once and kept nowhere; without `Debug`, so that no log can hold it.
#[derive(Clone, Serialize, Deserialize)]
pub struct MadeKey {
    pub id: String,
    pub name: String,
    /// The whole key.
    pub key: String,
}

/// The Keys page; any word but a state's lets every key through.
#[server(prefix = "/api/ui", endpoint = "keys")]
pub async fn keys(state: String) -> Result<KeysPage, Problem> {
    crate::answers::keys(&state).await
}

/// One key, by its id.
#[server(prefix = "/api/ui", endpoint = "key")]
pub async fn key(id: String) -> Result<KeyRow, Problem> {
    crate::answers::key(&id).await
}

/// Makes a key, for a page that can show it: the answer of a form without a script would show it to nobody.
#[server(prefix = "/api/ui", endpoint = "create_key")]
pub async fn create_key(
    name: String,
    principal: String,
    project: String,
    tools: String,
    expires: String,
) -> Result<MadeKey, Problem> {
    crate::answers::create_key(name, &principal, &project, &tools, &expires).await
}

/// Revokes a key, and goes back to the list.
#[server(prefix = "/api/ui", endpoint = "revoke_key")]
pub async fn revoke_key(id: String, confirm: Option<String>) -> Result<(), Problem> {
    crate::answers::revoke_key(&id, confirm.is_some()).await
}

#[cfg(test)]
mod tests {
    use super::KeyState;

    #[test]
    fn a_state_is_read_by_its_word() {
        for state in KeyState::ALL {
            assert_eq!(KeyState::read(state.word()), Some(state));
        }
        assert_eq!(KeyState::read(""), None);
        assert_eq!(KeyState::read("Valid"), None);
    }
}
