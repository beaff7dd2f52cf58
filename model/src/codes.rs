//! The one table of diagnostic codes: the stage that reports each, and what it means. docs/codes.md is made of it.
//! Every code also has a page, in `server/src/cli/pages/`, which `ambit explain` prints.

use crate::diagnostic::Severity;

/// One row: the code, the stage that reports it, and what it means, in one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeEntry {
    pub code: &'static str,
    pub stage: &'static str,
    pub meaning: &'static str,
}

impl CodeEntry {
    /// As its first letter says.
    pub fn severity(&self) -> Severity {
        match self.code.get(..2) {
            Some("W_") => Severity::Warning,
            Some("N_") => Severity::Note,
            _ => Severity::Error,
        }
    }

    /// Compiling a workspace reports it.
    pub fn is_of_compiling(&self) -> bool {
        COMPILING.contains(&self.stage)
    }

    /// Intake reports it of a tool, so a Catalog may acknowledge it; a definition that drifted it may not.
    pub fn can_be_acknowledged(&self) -> bool {
        self.stage == INTAKE && self.code != E_CATALOG && self.code != E_DRIFT
    }

    /// The HTTP status of an answer that is refused with it; nothing where no door answers with it.
    pub fn status(&self) -> Option<u16> {
        let answers = match self.code {
            // A request has values, and names tenants, too.
            E_VALUE | E_OTHER_TENANT => true,
            E_WOULD_VANISH | E_UNREACHABLE | E_ADDRESS | E_SOURCE | W_SOURCE => false,
            _ => !self.is_of_compiling(),
        };
        answers.then(|| status(self.code))
    }
}

const INTAKE: &str = "intake";
const COMPILING: [&str; 5] = ["read", "parse", "resolve", "check", INTAKE];

macro_rules! codes {
    ($([$stage:literal] $($name:ident: $meaning:literal,)+)+) => {
        $($(#[doc = $meaning] pub const $name: &str = stringify!($name);)+)+

        /// Every code, in the order of the stages that report it.
        pub const TABLE: &[CodeEntry] = &[$($(CodeEntry { code: $name, stage: $stage, meaning: $meaning }),+),+];
    };
}

codes! {
    ["read"]
    E_UNREADABLE: "A file could not be read, or is not UTF-8.",
    E_PATH: "A path is absolute, leaves the workspace's root, or names nothing.",
    ["parse"]
    E_YAML: "The document is not valid YAML, holds an alias, or exceeds a budget of nesting or nodes.",
    E_KIND: "A document does not open with a known `kind`.",
    E_UNKNOWN_KEY: "A key is not one of the document's kind.",
    E_DUPLICATE_KEY: "A key stands twice in one mapping.",
    E_MISSING_KEY: "A required key is absent.",
    E_VALUE: "A value is not of the form its key wants.",
    ["resolve"]
    E_WORKSPACE: "There is not exactly one Workspace document.",
    E_DUPLICATE_ID: "Two documents of a kind have the same id.",
    E_UNRESOLVED: "A name refers to nothing that is declared.",
    E_CYCLE: "Roles include each other in a circle.",
    E_OTHER_TENANT: "A project lists a catalog that belongs to another tenant.",
    W_UNUSED: "Something is declared and nothing refers to it, or it matches nothing.",
    ["check"]
    E_CEDAR: "Cedar cannot parse a policy, or it does not hold against the schema.",
    E_POLICY_ID: "A policy has no `@id`, or two have the same.",
    E_LINK: "A link does not fit its template: a slot is left empty, or one is filled that is not there.",
    W_NEVER_APPLIES: "No request that can be made of what is declared meets a policy.",
    W_SHADOWED: "A policy applies, and taking it away changes no decision about what is declared.",
    W_OPEN_PERMIT: "A permit leaves open both who may and what it is about.",
    N_LINTS_SKIPPED: "Policies were not searched for those that decide nothing: there is too much to enumerate, or no solver to prove it.",
    N_UNREVIEWED: "Lines of a Catalog that import proposed are still marked `# proposed`: nobody reviewed them.",
    E_POLICY_TEST: "A PolicyTest expects another decision than the policies make.",
    ["intake"]
    E_CATALOG: "A catalog file is not JSON, or holds no list of tools.",
    E_NAME: "A tool has no usable name.",
    E_DUPLICATE: "Two tools of a catalog have the same name.",
    E_SCHEMA: "A tool's input or output schema is not a valid JSON Schema.",
    E_DESC_MISSING: "A tool has no description.",
    E_DESC_VAGUE: "A tool's description adds no word to its name, and neither do its schemas.",
    E_SELF_RETRIEVAL: "A tool ranks first for too few of its own example questions.",
    E_FACT_INFERRED: "Policies decide by a fact of a tool that the operator did not write: it is read off the tool's name, or a hint of its source.",
    E_HIDDEN_TEXT: "A tool's text holds what a model reads and a person does not see, or an address that carries data out.",
    E_DRIFT: "A tool's definition differs from its pinned digest.",
    W_SELF_RETRIEVAL: "A tool does not rank first for all of its own example questions.",
    W_SCHEMA: "A schema has a number in quotes where its keyword wants a number; it is read as the number.",
    W_DESC_SHORT: "A description has fewer than four words, or none that the name does not have.",
    W_INSTRUCTION: "A tool's text speaks to the model in place of describing the tool.",
    W_NO_EXAMPLES: "A tool has no example questions, so self-retrieval cannot be checked.",
    W_NO_OUTPUT_SCHEMA: "A tool has no output schema, so no reference into its result can be proved.",
    W_EFFECT_UNREVIEWED: "A tool's effect is nobody's word: it counts as `write`.",
    W_HINT: "A hint of the source was left out, or cut.",
    W_TWIN_UNDECLARED: "Two tools look like twins, and no TwinGroup says so.",
    W_VERSION_UNDECLARED: "Two tools look like versions of one, and no VersionFamily says so.",
    W_NO_GROUP: "A tool is in no Group.",
    W_RETIRED: "A version's retired-on date has passed.",
    ["ask"]
    E_QUESTION: "A question is empty or too long.",
    E_LIMIT: "A number is outside its limits.",
    ["apply"]
    E_REASON: "An act has no reason, or one that is not a line of at most 500 characters.",
    E_WOULD_VANISH: "A tool that the live snapshot serves would be refused or removed.",
    E_NO_SNAPSHOT: "No snapshot is live yet.",
    E_SNAPSHOT: "There is no snapshot with this number.",
    E_ALREADY_LIVE: "The snapshot is live already.",
    E_LOSS: "A tool whose loss is accepted is not lost.",
    E_DIFF: "A saved diff cannot be read, or the workspace compiles to something else than it says.",
    E_GAINS: "A rollback gives somebody more than now, or that cannot be told, and it was not accepted.",
    E_MOVED: "Another snapshot became live in the meantime, so nothing was changed.",
    E_NOT_BLOCKED: "The tool that is to be unblocked is not blocked.",
    E_CONFIRM: "What cannot be taken back was not confirmed.",
    ["network"]
    E_KEY: "No key was given, or it is not known, has expired or was revoked.",
    E_FORBIDDEN: "The caller may not do this, or not on behalf of whom it names.",
    E_PRINCIPAL: "The live snapshot knows no such principal or project.",
    E_ORIGIN: "A browser sent the request from a page of another site.",
    E_REQUEST: "A request is not of the documented shape.",
    E_MEDIA_TYPE: "A request's body is not JSON by its `Content-Type`.",
    E_TOO_LARGE: "A request's body is larger than the limit.",
    E_TIMEOUT: "A request did not arrive, or could not be answered, in time.",
    E_NOT_FOUND: "Nothing is served at this path, or there is no such key to manage.",
    E_METHOD: "The path does not take this method.",
    E_UNREACHABLE: "The server did not answer.",
    E_RATE: "Too many requests came from one key or address.",
    E_PROJECT: "A question names no project, and there is more than one in which the caller may use something.",
    E_TOKEN: "A token of an identity provider is not one that the live snapshot accepts.",
    E_SIGN_IN: "Signing in with an identity provider did not succeed.",
    E_PROVIDER: "An identity provider cannot be reached, or does not answer as one.",
    ["audit"]
    E_AUDIT: "The audit was changed by something other than ambit.",
    ["secrets"]
    E_SECRET: "A secret that a declaration refers to is not there, or is open to others.",
    ["machine"]
    // files that ambit writes
    E_VECTORS: "A vectors file cannot be read, or is damaged.",
    E_EXISTS: "A file that would be written is there already.",
    E_FORMAT: "A file was not formatted, because it would not keep its meaning or its comments.",
    E_UNWRITABLE: "A file or a folder could not be written.",
    // sources of an import
    E_SOURCE: "A source to import from cannot be read, may not be asked, or does not answer as one.",
    W_SOURCE: "A part of a source could not become a tool and was left out, or came in otherwise than it stands there.",
    // the machine
    E_STORE: "The data folder or the database cannot be used now.",
    E_DAMAGED: "Something in the data folder is damaged.",
    E_MODEL: "The embedding model cannot be used.",
    E_ADDRESS: "The server cannot listen at this address.",
    E_INTERNAL: "Something went wrong inside ambit.",
}

/// The row of a code.
pub fn find(code: &str) -> Option<&'static CodeEntry> {
    TABLE.iter().find(|entry| entry.code == code)
}

/// The HTTP status of an answer that is refused with this code (RFC 9110, 15).
pub fn status(code: &str) -> u16 {
    match code {
        E_KEY | E_TOKEN | E_SIGN_IN => 401,
        E_FORBIDDEN | E_PRINCIPAL | E_ORIGIN => 403,
        E_NOT_FOUND | E_SNAPSHOT | E_NOT_BLOCKED => 404,
        E_METHOD => 405,
        E_TIMEOUT => 408,
        E_ALREADY_LIVE | E_GAINS | E_MOVED => 409,
        E_TOO_LARGE => 413,
        E_MEDIA_TYPE => 415,
        E_RATE => 429,
        E_INTERNAL | E_SECRET | E_AUDIT | E_DAMAGED | E_UNREADABLE => 500,
        E_NO_SNAPSHOT | E_STORE | E_MODEL | E_PROVIDER | E_UNREACHABLE => 503,
        _ => 400,
    }
}
