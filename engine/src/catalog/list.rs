//! Where a catalog file keeps its tools: in a bare list, under `tools`, in the answer of a JSON-RPC call, or one level deeper,
//! as namespaces of OpenAI's and the pages of a recorded `tools/list` have them.

use serde_json::value::RawValue;

use super::formats::{META, object};

/// The tools of a file in its order, and every `_meta` beside them or in them, none of which may be shown.
#[derive(Default)]
pub(crate) struct Listed<'a> {
    pub(crate) tools: Vec<&'a RawValue>,
    pub(super) metas: Vec<&'a RawValue>,
}

/// The tools of a whole file; why there are none, where it holds no list.
pub(crate) fn listed(root: &RawValue) -> Result<Listed<'_>, &'static str> {
    let mut listed = Listed::default();
    let list = match root.get().as_bytes().first() {
        Some(b'[') => root,
        Some(b'{') => listed.under_tools(root).ok_or("it has no member `tools`")?,
        _ => return Err("it is neither an object nor a list"),
    };
    let elements: Vec<&RawValue> = serde_json::from_str(list.get()).map_err(|_| "`tools` is not a list")?;
    for element in elements {
        listed.element(element);
    }
    Ok(listed)
}

impl<'a> Listed<'a> {
    /// The member `tools` of an object or of its `result` (JSON-RPC 2.0, 5).
    fn under_tools(&mut self, raw: &'a RawValue) -> Option<&'a RawValue> {
        let mut members = object(raw)?;
        if member(&members, "tools").is_none()
            && let Some(result) = member(&members, "result").and_then(object)
        {
            self.hide(&members);
            members = result;
        }
        self.hide(&members);
        member(&members, "tools")
    }

    /// A tool; or an object that is none and holds some, one level deep.
    fn element(&mut self, raw: &'a RawValue) {
        let Some(members) = object(raw) else {
            self.tools.push(raw);
            return;
        };
        let inner: Option<Vec<&RawValue>> = is_holder(&members)
            .then(|| self.under_tools(raw))
            .flatten()
            .and_then(|tools| serde_json::from_str(tools.get()).ok());
        match inner {
            Some(tools) => tools.into_iter().for_each(|tool| self.tool(tool)),
            None => self.tool(raw),
        }
    }

    fn tool(&mut self, raw: &'a RawValue) {
        self.tools.push(raw);
        let Some(members) = object(raw) else { return };
        self.hide(&members);
        if let Some(function) = member(&members, "function").and_then(object) {
            self.hide(&function);
        }
    }

    fn hide(&mut self, members: &[(String, &'a RawValue)]) {
        self.metas.extend(members.iter().filter(|(name, _)| name == META).map(|(_, value)| *value));
    }
}

/// No tool itself: it has no name, or says that it is a namespace.
fn is_holder(members: &[(String, &RawValue)]) -> bool {
    member(members, "name").is_none() || member(members, "type").is_some_and(|kind| kind.get() == "\"namespace\"")
}

fn member<'a>(members: &[(String, &'a RawValue)], name: &str) -> Option<&'a RawValue> {
    members.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
}
