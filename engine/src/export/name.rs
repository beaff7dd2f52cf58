//! A canonical id as a name that the target's API takes, such that nobody else has it and the id can be read back.
//! OpenAI and Anthropic take letters, digits, `_` and `-`, 64 at most; MCP also `.` and `/`, 128 at most (SEP-986).

use ambit_model::digest::Digest;
use ambit_model::export::Target;
use ambit_model::identity::ToolId;

/// Longest name that OpenAI takes; Anthropic by now takes twice as many.
const LONGEST: usize = 64;
const LONGEST_OF_MCP: usize = 128;
/// Hexadecimal digits of the id's digest in a name that was cut: 64 bits, so that two of a million ids meet once in 10^7 tries.
const DIGITS: usize = 16;

/// What stands for one sign between two letters or digits. Each is a run of `_` and `-` that no other sign has.
const SIGNS: [(&str, &str); 5] = [("_", "_"), ("/", "__"), (":", "___"), (".", "-"), ("-", "--")];
/// Around any other run of signs, in hexadecimal.
const OPENS: &str = "-_";
const CLOSES: &str = "_-";
/// Before the digest of a name that was cut.
const CUT: &str = "_--";
/// Opens a name of MCP that is not the id: no id begins so.
const MARK: char = '_';

/// The name of a tool for this target: `crm/orders.list` is `crm__orders-list`, and to MCP itself.
pub fn exported(target: Target, id: &ToolId) -> String {
    let text = id.as_str();
    match target {
        Target::Mcp if fits_mcp(text) => text.to_owned(),
        Target::Mcp => format!("{MARK}{}", fitted(text, LONGEST_OF_MCP - 1)),
        Target::OpenAiChat | Target::OpenAiResponses | Target::Anthropic => fitted(text, LONGEST),
    }
}

/// The tool of a name that `exported` made; nothing for one that was cut, whose tool stands in `Exported::names`.
pub fn original(target: Target, name: &str) -> Option<ToolId> {
    let text = match (target, name.strip_prefix(MARK)) {
        (Target::Mcp, None) => name.to_owned(),
        (Target::Mcp, Some(marked)) => decoded(marked)?,
        _ => decoded(name)?,
    };
    ToolId::parse(&text).filter(|id| exported(target, id) == name)
}

fn fits_mcp(id: &str) -> bool {
    id.len() <= LONGEST_OF_MCP && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
}

fn fitted(id: &str, longest: usize) -> String {
    let whole = encoded(id);
    if whole.len() <= longest {
        return whole;
    }
    let kept: String = whole.chars().take(longest - CUT.len() - DIGITS).collect();
    let digest: String = Digest::of(id.as_bytes()).as_str().chars().skip("sha256:".len()).take(DIGITS).collect();
    format!("{}{CUT}{digest}", kept.trim_end_matches(['_', '-']))
}

fn encoded(id: &str) -> String {
    runs(id, |c| c.is_ascii_alphanumeric()).map(|(plain, run)| if plain { run.to_owned() } else { sign(run) }).collect()
}

fn sign(run: &str) -> String {
    let known = SIGNS.iter().find(|(sign, _)| *sign == run).map(|(_, token)| (*token).to_owned());
    known.unwrap_or_else(|| {
        let hex: String = run.bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("{OPENS}{hex}{CLOSES}")
    })
}

fn decoded(name: &str) -> Option<String> {
    let mut id = String::with_capacity(name.len());
    let mut runs = runs(name, |c| c.is_ascii_alphanumeric());
    while let Some((plain, run)) = runs.next() {
        match (plain, run) {
            (true, letters) => id.push_str(letters),
            (false, OPENS) => {
                let (_, hex) = runs.next()?;
                id.push_str(&unhex(hex)?);
                runs.next().filter(|(_, run)| *run == CLOSES)?;
            }
            (false, token) => id.push_str(SIGNS.iter().find(|(_, known)| *known == token)?.0),
        }
    }
    Some(id)
}

fn unhex(hex: &str) -> Option<String> {
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
    String::from_utf8(bytes?).ok()
}

/// The text in longest runs of characters that are plain, or are not.
fn runs(text: &str, is_plain: fn(char) -> bool) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let plain = is_plain(rest.chars().next()?);
        let end = rest.find(|c| is_plain(c) != plain).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end)?;
        rest = after;
        Some((plain, run))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    const TARGETS: [Target; 4] = [Target::OpenAiChat, Target::OpenAiResponses, Target::Anthropic, Target::Mcp];

    fn is_taken(target: Target, name: &str) -> bool {
        let sign = |c: char| matches!(c, '_' | '-') || (target == Target::Mcp && matches!(c, '.' | '/'));
        let longest = if target == Target::Mcp { 128 } else { 64 };
        (1..=longest).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || sign(c))
    }

    #[test]
    fn names_stay_readable() {
        let check = |id: &str, expected: &str, mcp: &str| {
            let id = ToolId::parse(id).unwrap();
            assert_eq!(
                (exported(Target::OpenAiChat, &id).as_str(), exported(Target::Mcp, &id).as_str()),
                (expected, mcp)
            );
        };
        check("mail/send_email_v2", "mail__send_email_v2", "mail/send_email_v2");
        check("crm/customers.search", "crm__customers-search", "crm/customers.search");
        check("my-api/get/v1/pets/:id:", "my--api__get__v1__pets-_2f3a_-id___", "_my--api__get__v1__pets-_2f3a_-id___");
        check("a/b__c", "a__b-_5f5f_-c", "a/b__c");
        check("a/été", "a-_2fc3a9_-t-_c3a9_-", "_a-_2fc3a9_-t-_c3a9_-");
        let long = format!("a/{}", "n".repeat(80));
        check(&long, &format!("a__{}_--00a73e08f0738cf3", "n".repeat(42)), &long);
    }

    #[test]
    fn what_was_not_made_here_is_nobodys() {
        for name in ["", "a", "a__", "a-_2f", "a-_zz_-b", "a____b", "_a__b", "a__n_--0123456789abcdef"] {
            assert_eq!(original(Target::Anthropic, name), None, "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Signs that a target forbids, runs of them, any script, and lengths on both sides of every limit.
        #[test]
        fn distinct_ids_have_distinct_names_that_lead_back(
            ids in prop::collection::btree_set("[a-c][a-c_.-]{0,3}/([a-b_./:-]|[éß日]|[a-b]{20}){1,9}", 1..40),
        ) {
            for target in TARGETS {
                let mut names = BTreeMap::new();
                for id in ids.iter().filter_map(|id| ToolId::parse(id)) {
                    let name = exported(target, &id);
                    prop_assert!(is_taken(target, &name), "{name}");
                    if let Some(read) = original(target, &name) {
                        prop_assert_eq!(&read, &id);
                    } else {
                        prop_assert!(name.contains(CUT), "{} cannot be read back", name);
                    }
                    prop_assert_eq!(names.insert(name, id), None);
                }
            }
        }
    }
}
