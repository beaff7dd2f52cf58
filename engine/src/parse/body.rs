//! The kinds of document: one row each, its word and its written shape.

use schemars::{JsonSchema as _, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::MapAccess;
use serde::de::value::MapAccessDeserializer;

use super::{written, written_catalog};

macro_rules! kinds {
    ($($kind:ident: $shape:ty),+ $(,)?) => {
        /// What a document declares.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind { $($kind),+ }

        /// A document's keys after `kind`.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Body { $($kind(Box<$shape>)),+ }

        impl Kind {
            /// Every kind, in the order of the docs.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The written word.
            pub fn word(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind)),+ }
            }

            /// The kind with this written word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.word() == word)
            }

            /// The JSON Schema of its shape, without `kind`.
            pub(crate) fn schema(self, generator: &mut SchemaGenerator) -> Schema {
                match self { $(Self::$kind => <$shape>::json_schema(generator)),+ }
            }

            /// Reads what follows `kind` in the same mapping: spans survive, as nothing is buffered.
            pub(crate) fn read<'de, A: MapAccess<'de>>(self, rest: A) -> Result<Body, A::Error> {
                let rest = MapAccessDeserializer::new(rest);
                match self { $(Self::$kind => <$shape>::deserialize(rest).map(|shape| Body::$kind(Box::new(shape)))),+ }
            }
        }
    };
}

kinds! {
    Workspace: written::Workspace,
    Tenant: written::Tenant,
    Project: written::Project,
    Catalog: written_catalog::Catalog,
    Group: written::Group,
    TwinGroup: written::TwinGroup,
    VersionFamily: written::VersionFamily,
    Policy: written::Policy,
    Vocabulary: written::Vocabulary,
    PolicyTest: written::PolicyTest,
    GoldenRoute: written::GoldenRoute,
}
