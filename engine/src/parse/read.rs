//! Reads one document: `kind` first, then the keys of that kind, from one pass over the YAML events.
//! A `Watch` follows the pass from outside, because an error of serde does not say in which mapping it arose.

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IntoDeserializer as _, MapAccess, Visitor};
use serde_saphyr::{Error, MergeKeyPolicy, Options};

use super::at::{At, Span};
use super::body::{Body, Kind};

/// Deepest nesting of lists and mappings in a document.
pub(crate) const MAX_DEPTH: usize = 32;
/// Most keys, values, lists and mappings in a document: the 100,000 tools that an import may bring, or 40,000 fully described ones.
pub(crate) const MAX_NODES: usize = 2_000_000;

/// What was seen of a document before reading ended.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The kind, once it is read.
    pub(crate) kind: Option<(Kind, Span)>,
    /// What is wrong with the opening of the document.
    pub(crate) opening: Option<Opening>,
    /// The latest key of the document's own mapping.
    pub(crate) key: Option<At<String>>,
    pub(crate) stage: Stage,
}

/// Which part of the document's own mapping was being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    #[default]
    Key,
    Value,
    End,
}

/// How a document fails to open with a known `kind`.
#[derive(Debug)]
pub(crate) enum Opening {
    /// It is no mapping, or an empty one.
    NoMapping,
    /// Another key comes first.
    OtherKey(At<String>),
    /// No kind has this name.
    UnknownKind(At<String>),
}

/// Reads a document's text; whatever happens, `watch` has seen how far it came.
pub(crate) fn read(text: &str, watch: &mut Watch) -> Result<Body, Error> {
    with_document(text, |deserializer| deserializer.deserialize_any(DocumentVisitor { watch }))
}

/// Runs `take` over the events of one document, under the options every declaration is read with.
pub(crate) fn with_document<'de, R>(
    text: &'de str,
    take: impl for<'e> FnOnce(serde_saphyr::Deserializer<'de, 'e>) -> Result<R, Error>,
) -> Result<R, Error> {
    serde_saphyr::with_deserializer_from_str_with_options(text, options(), take)
}

fn options() -> Options {
    serde_saphyr::options! {
        strict_booleans: true,
        merge_keys: MergeKeyPolicy::Error,
        reject_unsupported_tags: true,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_aliases: 0,
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: 3 * MAX_NODES,
        },
    }
}

struct DocumentVisitor<'w> {
    watch: &'w mut Watch,
}

impl DocumentVisitor<'_> {
    fn refuse<T, E: serde::de::Error>(self, opening: Opening) -> Result<T, E> {
        self.watch.opening = Some(opening);
        Err(E::custom("the document does not open with a known kind"))
    }
}

impl<'de> Visitor<'de> for DocumentVisitor<'_> {
    type Value = Body;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a mapping that opens with `kind`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
        let Some(first) = map.next_key::<At<String>>()? else {
            return self.refuse(Opening::NoMapping);
        };
        if first.value != "kind" {
            return self.refuse(Opening::OtherKey(first));
        }
        let word = map.next_value::<At<String>>()?;
        let Some(kind) = Kind::parse(&word.value) else {
            return self.refuse(Opening::UnknownKind(word));
        };
        self.watch.kind = Some((kind, word.span));
        kind.read(Watched { map, watch: self.watch })
    }
}

/// A mapping whose reading is watched.
struct Watched<'w, A> {
    map: A,
    watch: &'w mut Watch,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Watched<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.watch.stage = Stage::Key;
        let Some(key) = self.map.next_key::<At<String>>()? else {
            self.watch.stage = Stage::End;
            return Ok(None);
        };
        let name = key.value.clone();
        self.watch.key = Some(key);
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.watch.stage = Stage::Value;
        self.map.next_value_seed(seed)
    }
}

/// True where the document is no mapping at all: its own word for an error that serde states in terms of types.
pub(crate) fn is_no_mapping(watch: &Watch, error: &Error) -> bool {
    watch.kind.is_none() && watch.opening.is_none() && matches!(error.without_snippet(), Error::SerdeInvalidType { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_of_a_thousand_tools_fits() -> Result<(), Error> {
        let tool = "entity: a, operation: list, effect: read, risk: low, confirmation: false, identity: [id], requires: [x], produces: [y], next: [z]";
        let mut text = "kind: Catalog\nid: big\nfile: big.json\ntools:\n".to_owned();
        for number in 0..1_000 {
            text.push_str(&format!("  tool_{number}: {{{tool}, examples: [How many?, Which one?]}}\n"));
        }
        let body = read(&text, &mut Watch::default())?;
        assert!(matches!(body, Body::Catalog(catalog) if catalog.tools.len() == 1_000));
        Ok(())
    }
}
