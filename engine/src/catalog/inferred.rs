//! What a tool's name and schemas show where nobody says it: its operation, its thing, what it needs and makes.
//! Everything here is a guess that is shown as one: no policy decides by it, and only the first two are ranked by.

use std::collections::BTreeSet;

use ambit_model::facts::Operation;
use serde_json::Value;

use crate::identifier::{identifies_a_row, is_identifier};
use crate::schema;
use crate::text;

/// Words of names that tell the operation: the first word of the name, else the last, else any (the word lists of the agent
/// capability planner's seed, writes added).
const OPERATION_WORDS: &[(Operation, &[&str])] = &[
    (
        Operation::Delete,
        &["delete", "remove", "purge", "cancel", "revoke", "destroy", "clear", "erase", "wipe", "unsubscribe"],
    ),
    (Operation::Create, &["create", "add", "insert", "new", "register", "open", "book", "generate", "upload"]),
    (
        Operation::Update,
        &[
            "update", "edit", "modify", "change", "set", "assign", "close", "move", "rename", "patch", "reset", "put",
            "enable", "disable", "write", "replace",
        ],
    ),
    (Operation::Send, &["send", "email", "post", "notify", "publish", "forward", "reply"]),
    (Operation::Search, &["search", "find", "lookup", "query"]),
    (Operation::List, &["list", "all", "index"]),
    (Operation::Detail, &["detail", "details", "show"]),
    (Operation::Get, &["get", "fetch", "retrieve", "read"]),
    (Operation::Summary, &["summary", "summarize", "overview", "aggregate", "stats", "statistics", "report"]),
    (Operation::Count, &["count", "total"]),
    (Operation::Check, &["check", "exists", "status", "verify", "validate"]),
    (Operation::Execute, &["run", "execute", "start", "stop", "trigger", "invoke"]),
];

/// Words of operations that are things as well: what a tool is about where its name says nothing else, as in `send_email`.
const THINGS_TOO: &[&str] = &[
    "email",
    "post",
    "query",
    "index",
    "details",
    "summary",
    "overview",
    "stats",
    "statistics",
    "report",
    "status",
    "book",
];

/// Words of names that say nothing about the thing.
const NOISE: &[&str] = &[
    "api", "mcp", "tool", "my", "by", "for", "with", "v1", "v2", "v3", "v4", "the", "to", "of", "a", "an", "and",
    "from", "in",
];

/// Row fields that usually identify a row.
const IDENTITY_FIELDS: &[&str] = &["id", "public_id", "uuid", "code", "number", "slug", "email"];

/// Most things that are inferred as needed or made, as many as a hint may name.
const MOST_THINGS: usize = super::hints::MOST_THINGS;

/// What kind of call it is; reading one thing, where no word tells.
pub(super) fn operation(name: &str) -> Operation {
    let prose = text::name_as_prose(name);
    let words: Vec<&str> = prose.split(' ').collect();
    telling(&words).and_then(told_by).unwrap_or(Operation::Get)
}

/// The operation that a word of the name tells.
pub(crate) fn told_by_name(name: &str) -> Option<Operation> {
    let prose = text::name_as_prose(name);
    telling(&prose.split(' ').collect::<Vec<_>>()).and_then(told_by)
}

/// What is left of the name without verbs and noise, at most three words, in the number that the name has them;
/// `data` where nothing is left.
pub(super) fn entity(name: &str) -> String {
    let prose = text::name_as_prose(name);
    let words: Vec<&str> = prose.split(' ').collect();
    let told = |word: &&&str| !word.is_empty() && !NOISE.contains(*word);
    let left: Vec<&str> = words.iter().filter(told).filter(|w| told_by(w).is_none()).take(3).copied().collect();
    if !left.is_empty() {
        return left.join("_");
    }
    let verb = telling(&words);
    let thing = words.iter().filter(|word| Some(**word) != verb).find(|word| THINGS_TOO.contains(*word));
    thing.map_or_else(|| "data".to_owned(), |word| (*word).to_owned())
}

/// The word of the name that tells the operation.
fn telling<'w>(words: &[&'w str]) -> Option<&'w str> {
    let ends = words.first().into_iter().chain(words.last());
    ends.chain(words).find(|word| told_by(word).is_some()).copied()
}

fn told_by(word: &str) -> Option<Operation> {
    OPERATION_WORDS.iter().find(|(_, verbs)| verbs.contains(&word)).map(|(operation, _)| *operation)
}

/// Fields of a row that identify it.
pub(super) fn identity(output: Option<&Value>, collection: Option<&str>) -> Vec<String> {
    let rows = output.map(|schema| schema::row_fields(schema, collection)).unwrap_or_default();
    IDENTITY_FIELDS.iter().filter(|field| rows.contains(**field)).map(|field| (*field).to_owned()).collect()
}

/// Required inputs that identify a thing, which another tool may have found.
pub(super) fn requires(input: Option<&Value>) -> Vec<String> {
    let inputs = input.map(schema::inputs).unwrap_or_default();
    let needed = inputs.into_iter().filter(|i| i.required && !i.has_default && i.values.is_empty());
    first_of(needed.map(|input| input.name).filter(|name| identifies_a_row(name)))
}

/// Outputs that identify a thing; a bare `id` of a row is the identifier of the list's things, or else of the tool's own.
pub(super) fn produces(output: Option<&Value>, entity: &str) -> Vec<String> {
    let outputs = output.map(schema::outputs).unwrap_or_default();
    first_of(outputs.into_iter().filter(|output| is_identifier(&output.name)).filter_map(|output| {
        if identifies_a_row(&output.name) {
            return Some(output.name);
        }
        let of_rows = output.parent.filter(|parent| !WRAPPERS.contains(&parent.as_str()));
        let thing = of_rows.unwrap_or_else(|| entity.to_owned());
        (output.name == "id").then(|| format!("{}_id", singular(&thing)))
    }))
}

/// Properties that hold rows and name no thing.
const WRAPPERS: &[&str] =
    &["items", "data", "results", "result", "rows", "records", "list", "values", "entries", "response"];

/// English plurals of the regular kinds; any other word stays as it is.
fn singular(thing: &str) -> String {
    let ends = |ending: &str| thing.strip_suffix(ending).filter(|rest| rest.len() > 1);
    if let Some(rest) = ends("ies") {
        return format!("{rest}y");
    }
    let hissing = ["sses", "shes", "ches", "xes"].iter().any(|ending| thing.ends_with(ending));
    let stays = ["ss", "us", "is"].iter().any(|ending| thing.ends_with(ending));
    let rest = if hissing { ends("es") } else { ends("s").filter(|_| !stays) };
    rest.unwrap_or(thing).to_owned()
}

fn first_of(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(name.clone())).take(MOST_THINGS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(name: &str, expected: Operation, thing: &str) {
        assert_eq!((operation(name), entity(name).as_str()), (expected, thing), "for {name}");
    }

    #[test]
    fn operation_and_entity_are_read_off_the_name() {
        check("orders.list", Operation::List, "orders");
        check("getUserProfile_v2", Operation::Get, "user_profile");
        check("delete", Operation::Delete, "data");
        check("search_open_tickets", Operation::Search, "tickets");
        check("reports.monthly.generate", Operation::Create, "reports_monthly");
    }

    /// Names as public catalogs have them: kebab case with articles, verbs inside, verbs last, things that are verbs too.
    #[test]
    fn names_of_public_catalogs() {
        check("create-a-data-source", Operation::Create, "data_source");
        check("retrieve-a-page", Operation::Get, "page");
        check("get-an-artists-top-tracks", Operation::Get, "artists_top_tracks");
        check("admin_usergroups_addTeams", Operation::Create, "admin_usergroups_teams");
        check("invoice_search", Operation::Search, "invoice");
        check("promotion_code_list", Operation::List, "promotion_code");
        check("label_write", Operation::Update, "label");
        check("browser_cookie_clear", Operation::Delete, "browser_cookie");
        check("usergroups_disable", Operation::Update, "usergroups");
        check("checkDeviceStatus", Operation::Check, "device");
        check("SendEmail", Operation::Send, "email");
        check("get_report", Operation::Get, "report");
        check("listCountries", Operation::List, "countries");
        check("translate_text", Operation::Get, "translate_text");
        check("", Operation::Get, "data");
    }

    #[test]
    fn what_a_tool_needs_and_makes_is_read_off_its_schemas() {
        let input = json!({"type": "object", "required": ["customerId", "country_code", "id", "mode_id"], "properties": {
            "customerId": {}, "country_code": {}, "id": {}, "mode_id": {"enum": ["a"]}, "other_id": {}}});
        assert_eq!(requires(Some(&input)), ["customerId"]);
        let rows = |name: &str| {
            json!({"type": "object", "properties": {name: {"type": "array", "items": {"type": "object",
                "properties": {"id": {}, "owner_id": {}, "country_code": {}, "name": {}}}}}})
        };
        assert_eq!(produces(Some(&rows("companies")), "orders"), ["company_id", "owner_id"]);
        assert_eq!(produces(Some(&rows("items")), "orders"), ["order_id", "owner_id"]);
        assert_eq!(produces(None, "orders"), Vec::<String>::new());
    }

    #[test]
    fn regular_plurals_become_one() {
        for (many, one) in [
            ("orders", "order"),
            ("companies", "company"),
            ("boxes", "box"),
            ("classes", "class"),
            ("status", "status"),
            ("s", "s"),
            ("Häuser", "Häuser"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
