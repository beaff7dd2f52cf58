//! What a server answered, as it wrote it: `rmcp` learns the meaning, and the text of each result waits here to be taken.
//! A list of tools reaches `rmcp` without its tools: a number beyond its range, a lone surrogate or a deep schema in one of them
//! would refuse the whole list, and what a tool is worth is intake's to say.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::ServerJsonRpcMessage;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::Trouble;
use crate::import::Unsaid;

/// Shared by a transport and by who asks through it.
#[derive(Clone, Debug)]
pub(super) struct Heard(Arc<Mutex<Inner>>, Unsaid);

#[derive(Debug, Default)]
struct Inner {
    /// By the id of the request; the first answer counts.
    results: BTreeMap<String, String>,
    /// Why nothing more is heard.
    trouble: Option<Trouble>,
}

/// A message as far as it is an answer.
#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<IgnoredAny>,
    method: Option<IgnoredAny>,
}

/// A result that lists tools; the texts of its values are passed over, however deep they nest.
#[derive(Deserialize)]
struct List {
    #[serde(rename = "tools")]
    _tools: IgnoredAny,
}

impl Heard {
    pub(super) fn new(unsaid: Unsaid) -> Self {
        Self(Arc::default(), unsaid)
    }

    /// The message for `rmcp`; of one that has a result, the text of that is kept.
    pub(super) fn message(&self, text: &str) -> Result<ServerJsonRpcMessage, Trouble> {
        let answer: Option<Answer<'_>> = serde_json::from_str(text).ok();
        let short = answer.as_ref().and_then(Answer::without_tools);
        let message = serde_json::from_str(short.as_deref().unwrap_or(text));
        let message = message.map_err(|error| Trouble::NoMessage { why: self.shortened(&error.to_string()) })?;
        if let Some(Answer { id: Some(id), result: Some(result), .. }) = answer {
            let id = id.get().trim_matches('"').to_owned();
            self.inner().results.entry(id).or_insert_with(|| result.get().to_owned());
        }
        Ok(message)
    }

    /// The result of the request with this id.
    pub(super) fn take(&self, id: &str) -> Option<String> {
        self.inner().results.remove(id)
    }

    /// Nothing more will be heard.
    pub(super) fn fail(&self, trouble: Trouble) {
        self.inner().trouble.get_or_insert(trouble);
    }

    /// Why nothing more is heard, once.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.inner().trouble.take()
    }

    /// What somebody else says, as it may be repeated.
    pub(super) fn shortened(&self, text: &str) -> String {
        self.1.shortened(text)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a text would answer a request, were it sound.
pub(super) fn is_answer(text: &str) -> bool {
    let answer = serde_json::from_str::<Answer<'_>>(text);
    answer.is_ok_and(|answer| answer.id.is_some() && (answer.result.is_some() || answer.error.is_some()))
}

impl Answer<'_> {
    /// The same message with an empty list, where it answers with one of tools.
    fn without_tools(&self) -> Option<String> {
        let Self { jsonrpc: Some(version), id: Some(id), result: Some(result), error: None, method: None } = self
        else {
            return None;
        };
        serde_json::from_str::<List>(result.get()).ok()?;
        Some(format!(r#"{{"jsonrpc":{version},"id":{id},"result":{{"tools":[]}}}}"#))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hears an answer with this result, and gives what is kept of it.
    #[track_caller]
    fn check(result: &str) {
        let heard = Heard::new(Unsaid::default());
        let message = heard.message(&format!(r#"{{"jsonrpc":"2.0","id":7,"result":{result}}}"#));
        assert!(matches!(message, Ok(ServerJsonRpcMessage::Response(_))), "{message:?}");
        assert_eq!(heard.take("7").as_deref(), Some(result));
    }

    #[test]
    fn no_tool_refuses_its_list() {
        check(r#"{"tools":[{"name":"a","inputSchema":{"minimum":-1e400}}]}"#);
        check(r#"{"tools":[{"name":"\ud800","b\udc00":1}],"nextCursor":"x"}"#);
        check(r#"{"tools":3}"#);
        check(&format!(r#"{{"tools":[{}1{}]}}"#, r#"{"a":"#.repeat(200_000), "}".repeat(200_000)));
        check(r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}"#);
    }

    #[test]
    fn what_is_no_message_stays_none() {
        let said = |text: &str| Heard::new(Unsaid::default()).message(text).err().map(|trouble| trouble.to_string());
        for text in [
            r#"{"id":1,"result":{"tools":[]}}"#,
            r#"{"jsonrpc":"1.0","id":1,"result":{"tools":[]}}"#,
            r#"{"jsonrpc":"2.0","id":{},"result":{"tools":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[}}"#,
            &format!(r#"{{"jsonrpc":"2.0","id":{}{},"result":{{"tools":[]}}}}"#, "[".repeat(9000), "]".repeat(9000)),
        ] {
            assert!(said(text).is_some_and(|said| said.contains("no message of MCP")), "{text}");
        }
    }
}
