//! Turns a schema error into a place, a phrase and what to do, for a model that has to mend its arguments.
//! Argument values are never repeated: they may be personal, and verdicts are logged.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::report::{below, last, list, near, quote};
use super::tools::Tool;
use crate::schema::{JsonType, Place};

/// Most branches of an `anyOf` or `oneOf` that a help line describes.
const MOST_BRANCHES: usize = 3;

/// One thing wrong with the arguments.
pub(super) struct Problem {
    /// Pointer relative to the arguments.
    pub(super) at: String,
    pub(super) rule: String,
    pub(super) help: String,
}

/// Everything that this error says; each unexpected member is a problem of its own.
pub(super) fn explain(error: &ValidationError<'_>, tool: &Tool<'_>) -> Vec<Problem> {
    let at = error.instance_path().as_str();
    let about =
        About { error, schema: &tool.input, name: if at.is_empty() { "the whole".to_owned() } else { last(at) } };
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| about.unexpected(at, name)).collect()
        }
        _ => {
            let (rule, help) = about.sentence();
            vec![Problem { at: at.to_owned(), rule, help }]
        }
    }
}

struct About<'e> {
    error: &'e ValidationError<'e>,
    schema: &'e Value,
    /// The member that is wrong, in backticks.
    name: String,
}

impl About<'_> {
    /// The schema that holds the broken keyword.
    fn place(&self) -> Option<Place<'_>> {
        let keyword = self.error.schema_path().as_str();
        let (holder, _) = keyword.rsplit_once('/')?;
        self.schema.pointer(holder).map(|schema| Place::inside(self.schema, [schema]))
    }

    fn unexpected(&self, at: &str, name: &str) -> Problem {
        let known = self
            .place()
            .map(|place| place.properties().into_iter().map(str::to_owned).collect::<Vec<_>>())
            .unwrap_or_default();
        let names = || known.iter().map(String::as_str);
        let help = near(name, names()).unwrap_or_else(|| {
            if known.is_empty() { "remove it".to_owned() } else { format!("remove it; known are {}", list(names())) }
        });
        Problem { at: below(at, name), rule: format!("{} is not declared", quote(name)), help }
    }

    fn sentence(&self) -> (String, String) {
        let name = &self.name;
        match self.error.kind() {
            Kind::Required { property } => self.missing(property.as_str().unwrap_or("a member")),
            Kind::Type { .. } => self.wrong_type(),
            Kind::Enum { options } => self.not_listed(options),
            Kind::Constant { expected_value } => {
                (format!("{name} has one allowed value"), format!("write {}", literal(expected_value)))
            }
            Kind::Minimum { limit } => (format!("{name} is too small"), format!("give at least {limit}")),
            Kind::Maximum { limit } => (format!("{name} is too large"), format!("give at most {limit}")),
            Kind::ExclusiveMinimum { limit } => (format!("{name} is too small"), format!("give more than {limit}")),
            Kind::ExclusiveMaximum { limit } => (format!("{name} is too large"), format!("give less than {limit}")),
            Kind::MultipleOf { multiple_of } => {
                (format!("{name} is not a multiple of {multiple_of}"), format!("give a multiple of {multiple_of}"))
            }
            Kind::MinLength { limit } => (format!("{name} is too short"), format!("give at least {limit} characters")),
            Kind::MaxLength { limit } => (format!("{name} is too long"), format!("give at most {limit} characters")),
            Kind::MinItems { limit } => (format!("{name} has too few items"), format!("give at least {limit}")),
            Kind::MaxItems { limit } => (format!("{name} has too many items"), format!("give at most {limit}")),
            Kind::MinProperties { limit } => (format!("{name} has too few members"), format!("give at least {limit}")),
            Kind::MaxProperties { limit } => (format!("{name} has too many members"), format!("give at most {limit}")),
            Kind::UniqueItems => (format!("{name} holds an item twice"), "give each item once".to_owned()),
            Kind::Format { format } => {
                (format!("{name} is not of the format {}", quote(format)), format!("write {}", example(format)))
            }
            Kind::Pattern { pattern } => {
                (format!("{name} does not match its pattern"), format!("write a text that matches {}", quote(pattern)))
            }
            Kind::FalseSchema => (format!("{name} may not stand here"), "remove it".to_owned()),
            Kind::PropertyNames { .. } => {
                (format!("{name} has a member whose name is not allowed"), "rename the member".to_owned())
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => self.no_form(context),
            Kind::OneOfMultipleValid { .. } => (
                format!("{name} fits several forms of which it may have one"),
                "leave out members that belong to another form".to_owned(),
            ),
            _ => (
                format!("{name} breaks `{}`", self.error.kind().keyword()),
                "read the tool's input schema and mend the value".to_owned(),
            ),
        }
    }

    fn missing(&self, property: &str) -> (String, String) {
        let place = self.place().and_then(|place| place.property(property));
        let wanted = place.as_ref().map(phrase).filter(|phrase| !phrase.is_empty());
        let wanted = wanted.map(|phrase| format!(", {phrase}")).unwrap_or_default();
        (format!("{} is missing", quote(property)), format!("add {}{wanted}", quote(property)))
    }

    fn wrong_type(&self) -> (String, String) {
        let wanted = self.place().as_ref().map(phrase).filter(|phrase| !phrase.is_empty());
        let wanted = wanted.unwrap_or_else(|| "another type".to_owned());
        let found = JsonType::of(self.error.instance()).phrase();
        (format!("{} must be {wanted}, and is {found}", self.name), format!("give {wanted}"))
    }

    fn not_listed(&self, options: &Value) -> (String, String) {
        let words: Vec<String> = options.as_array().into_iter().flatten().map(plain).collect();
        let names = || words.iter().map(String::as_str);
        let meant = self.error.instance().as_str().and_then(|written| near(written, names()));
        let help = meant.map_or_else(String::new, |meant| format!("{meant} "));
        (format!("{} is not one of its values", self.name), format!("{help}use one of {}", list(names())))
    }

    fn no_form(&self, context: &[Vec<ValidationError<'static>>]) -> (String, String) {
        let forms = context.iter().take(MOST_BRANCHES).filter_map(|branch| {
            let error = branch.first()?;
            let at = error.instance_path().as_str();
            let name = if at.is_empty() { "the whole".to_owned() } else { last(at) };
            match error.kind() {
                Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => None,
                _ => Some(About { error, schema: self.schema, name }.sentence().0),
            }
        });
        let forms: Vec<String> = forms.enumerate().map(|(form, rule)| format!("({}) {rule}", form + 1)).collect();
        let help = if forms.is_empty() {
            "read the tool's input schema and mend the value".to_owned()
        } else {
            format!("mend one of these: {}", forms.join("; "))
        };
        (format!("{} fits none of its forms", self.name), help)
    }
}

/// `a string or null`; `one of …` where the values are listed.
fn phrase(place: &Place<'_>) -> String {
    let listed = place.keyword("enum").and_then(Value::as_array);
    if let Some(values) = listed {
        let words: Vec<String> = values.iter().map(plain).collect();
        return format!("one of {}", list(words.iter().map(String::as_str)));
    }
    place.types().into_iter().map(JsonType::phrase).collect::<Vec<_>>().join(" or ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn literal(value: &Value) -> String {
    quote(&value.to_string())
}

fn example(format: &str) -> String {
    match format {
        "date" => "a date: `2026-01-31`".to_owned(),
        "time" => "a time: `09:30:00Z`".to_owned(),
        "date-time" => "a moment: `2026-01-31T09:30:00Z`".to_owned(),
        "duration" => "a duration: `P1D`".to_owned(),
        "email" => "an e-mail address".to_owned(),
        "uuid" => "a UUID".to_owned(),
        "uri" => "a whole URL".to_owned(),
        other => format!("a value of the format {}", quote(other)),
    }
}
