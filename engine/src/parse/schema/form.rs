//! The forms of single values, as editors are told them: the same that `resolve` asks for, as patterns and closed lists.
//! A type here has no values; a written key names it in `#[schemars(with = "…")]`.

use ambit_model::administration::AdminAction;
use ambit_model::codes;
use ambit_model::declaration::{Action, SigningAlgorithm};
use ambit_model::facts::{Ceiling, Effect, Operation, Risk, SourceKind};
use ambit_model::llm::{LlmProvider, LlmUse};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::resolve::declarations;
use crate::resolve::{GAP_CAUSES, TOKEN_TYPES, TRUSTABLE};
use crate::route::Part;

/// An id that an operator chooses (`is_identifier`).
macro_rules! id {
    () => {
        "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"
    };
}
/// The id of a user (`is_user_name`).
macro_rules! user {
    () => {
        "[A-Za-z0-9][A-Za-z0-9_.@+-]{0,63}"
    };
}

macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident: $schema:expr),+ $(,)?) => {$(
        $(#[$doc])*
        pub(crate) enum $name {}

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )+};
}

/// A bare number is a text where a text is wanted, as the compiler reads it.
macro_rules! text {
    () => { json_schema!({ "type": ["string", "number"] }) };
    ($($pattern:expr),+) => { json_schema!({ "type": ["string", "number"], "pattern": concat!("^", $($pattern),+, "$") }) };
}

macro_rules! words {
    ($all:expr) => {{
        let words: Vec<&str> = $all.iter().map(|one| one.word()).collect();
        json_schema!({ "type": "string", "enum": words })
    }};
}

forms! {
    /// An id.
    Id: text!(id!()),
    /// The id of a model, or `hub:` and its name in fastembed's list.
    ModelName: text!("(hub:)?", id!()),
    /// The id of a user.
    UserName: text!(user!()),
    /// A text.
    Phrase: text!(),
    /// A text that is not blank.
    Filled: json_schema!({ "type": ["string", "number"], "pattern": "\\S" }),
    /// One word of a list.
    Word: text!(),
    /// A folder.
    Path: json_schema!({ "type": "string" }),
    /// A file inside the root, relative to the one that names it.
    RelativePath: json_schema!({ "type": "string", "pattern": "^[^/]" }),
    /// A share from 0 to 1 with at most four digits after the point, quoted or not.
    Share: json_schema!({
        "type": ["number", "string"], "minimum": 0, "maximum": 1, "pattern": "^(0(\\.[0-9]{1,4})?|1(\\.0{1,4})?)$",
    }),
    /// A number of a version.
    Version: json_schema!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
    /// A day of the calendar.
    Date: json_schema!({ "type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
    /// A digest that pins a definition.
    Pin: json_schema!({ "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" }),
    /// The canonical id of a tool.
    Tool: json_schema!({ "type": "string", "pattern": concat!("^", id!(), "/.+$") }),
    /// The canonical id of a tool, or a glob over them.
    ToolGlob: json_schema!({ "type": "string", "pattern": concat!("^(", id!(), "/.+|.*[*?\\[\\]{}\\\\].*)$") }),
    /// A principal with its tenant.
    PrincipalName: json_schema!({
        "type": "string", "pattern": concat!("^", id!(), ":(user:", user!(), "|(agent|role):", id!(), ")$"),
    }),
    /// A user or an agent of the document's own tenant.
    Member: json_schema!({ "type": "string", "pattern": concat!("^(user:", user!(), "|agent:", id!(), ")$") }),
    /// A project, with its tenant or without.
    ProjectName: text!("(", id!(), "/)?", id!()),
    /// The issuer of tokens.
    Issuer: json_schema!({ "type": "string", "pattern": "^https?://[^\\s?#]+$" }),
    /// A scope (RFC 6749, 3.3).
    Scope: json_schema!({ "type": "string", "pattern": "^[!#-\\[\\]-~]+$" }),
    /// The name of a secret, never the secret itself.
    SecretName: json_schema!({ "type": "string", "pattern": "^[a-z0-9_]{1,64}$" }),
    /// Keys parted by dots.
    RowPath: text!("[^.]+(\\.[^.]+)*"),
    /// The text of policies.
    Cedar: json_schema!({ "type": "string", "pattern": "\\S" }),
    /// A word of the closed list of effects.
    EffectWord: words!(Effect::ALL),
    /// A word of the closed list of risks.
    RiskWord: words!(Risk::ALL),
    /// A word of the closed list of operations.
    OperationWord: words!(Operation::ALL),
    /// A word of the closed list of parts that small words play in a sentence.
    PartWord: words!(Part::ALL),
    /// A word of the closed list of sources.
    Source: words!(SourceKind::ALL),
    /// A format that catalogs are imported from.
    ImportedFormat: words!(declarations::ImportedFormat::ALL),
    /// A word of the closed list of ceilings.
    CeilingWord: words!(Ceiling::ALL),
    /// What a language model may be asked for.
    LlmUseWord: words!(LlmUse::ALL),
    /// Whose way of speaking a language model has.
    LlmProviderWord: words!(LlmProvider::ALL),
    /// What a test may be about.
    TestedAction: json_schema!({ "type": "string", "enum": Action::ALL.map(Action::word).into_iter()
        .chain(AdminAction::ALL.map(AdminAction::word)).chain(["act_for"]).collect::<Vec<_>>() }),
    /// The cause of a gap.
    GapWord: words!(GAP_CAUSES),
    /// A signature algorithm.
    Algorithm: words!(SigningAlgorithm::ALL),
    /// What a token may say of its type.
    TokenType: json_schema!({ "type": "string", "enum": TOKEN_TYPES }),
    /// An annotation of MCP.
    Annotation: json_schema!({ "type": "string", "enum": TRUSTABLE }),
    /// What a test expects.
    Decision: json_schema!({ "type": "string", "enum": ["allow", "deny"] }),
    /// A code of the table.
    Code: json_schema!({ "type": "string", "enum": codes::TABLE.iter().map(|entry| entry.code).collect::<Vec<_>>() }),
}
