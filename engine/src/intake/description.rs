//! A description has to say more than the name does, in any language; it is what a tool is found by. Where it does not, what the
//! tool takes and returns may still set it apart.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;

use super::Offer;
use crate::{schema, text};

/// Fewer words than this are worth a look.
const SHORT: usize = 4;
/// Words of one stem in a language that is not English: so many letters in common, and at most so many of an ending.
const STEM: usize = 4;
const ENDING: usize = 3;
/// Said where there is none. (One that is no text is a flaw of the definition, and said in other words.)
pub(super) const MISSING: &str = "the tool has no description";

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let description = offer.description().map(str::trim).unwrap_or_default();
    if description.is_empty() {
        let flawed = offer.tool.flaws.iter().any(|f| f.code == codes::E_DESC_MISSING);
        if !flawed {
            findings.push(offer.finding(
                Severity::Error,
                codes::E_DESC_MISSING,
                offer.pointer("description"),
                MISSING,
                "say what it does, on what, and what it returns; or write a `description` in its Catalog",
            ));
        }
        return;
    }
    let name = offer.tool.name.as_deref().unwrap_or("");
    let remedy = "say what it does, on what, and what it returns";
    let said = if adds_to(name, description) {
        if !is_short(description) {
            return;
        }
        format!("the description `{}` has fewer than {SHORT} words", shortened(description))
    } else {
        format!("the description `{}` adds no word to the name", shortened(description))
    };
    // Where the name says enough, public catalogs repeat it; what the tool takes or returns then tells it from others.
    let vague = !adds_to(name, description) && !speaking_schemas(offer).any(|text| adds_to(name, &text));
    let (severity, code) =
        if vague { (Severity::Error, codes::E_DESC_VAGUE) } else { (Severity::Warning, codes::W_DESC_SHORT) };
    findings.push(offer.finding(severity, code, offer.pointer("description"), said, remedy));
}

/// The names of all that it takes and returns, with what is said of each.
fn speaking_schemas(offer: &Offer<'_>) -> impl Iterator<Item = String> {
    let schemas = [offer.tool.input_schema.as_deref(), offer.tool.output_schema.as_deref()];
    let words = schemas.into_iter().flatten().flat_map(|text| schema::words(&schema::parse_text(text)));
    words.map(|(name, description)| format!("{name} {}", description.unwrap_or_default()))
}

/// Some word of the description is no form of a word of the name.
fn adds_to(name: &str, description: &str) -> bool {
    // What is not English passes no English stemmer, and a sentence without spaces is one long word, so words are compared as they
    // stand too; but English stop words add nothing.
    let known = text::words(name);
    let spoken = text::name_as_prose(name);
    let plain: Vec<&str> = spoken.split(' ').collect();
    let is_new = |word: &str| !known.iter().any(|k| same_stem(k, word)) && !plain.iter().any(|p| same_stem(p, word));
    let stemmed = text::words(description);
    if stemmed.iter().any(|word| is_new(word)) {
        return true;
    }
    let unspaced = description.split(|c: char| !c.is_alphanumeric()).filter(|word| has_no_spaces(word));
    unspaced.map(str::to_lowercase).any(|word| !plain.contains(&word.as_str()))
}

fn same_stem(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let longest = a.chars().count().max(b.chars().count());
    a == b || (common >= STEM && longest - common <= ENDING)
}

fn is_short(description: &str) -> bool {
    !has_no_spaces(description) && description.split_whitespace().count() < SHORT
}

/// Some of it is in a script that does not part its words: Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan.
fn has_no_spaces(text: &str) -> bool {
    let unspaced = |c| {
        matches!(c, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
    };
    text.chars().any(unspaced)
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > LONGEST { format!("{line}…") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, description: &str, adds: bool) {
        assert_eq!(adds_to(name, description), adds, "for {name}: {description}");
    }

    #[test]
    fn a_description_adds_a_word_in_any_language() {
        check("drafts.create", "Creates the draft of a letter", true);
        check("list_orders", "列出订单", true);
        check("list_orders", "すべての注文を一覧表示し、それぞれの合計金額と配送状況を返します", true);
        check("list_orders", "แสดงรายการคำสั่งซื้อทั้งหมด", true);
        check("list_orders", "Показывает заказы", true);
        check("list_orders", "주문 목록", true);
        check("fatture.elenca", "Elenca le fatture di un cliente", true);
        check("订单列表", "列出一个客户的所有订单", true);
    }

    #[test]
    fn the_name_in_another_inflection_adds_none() {
        check("drafts.create", "Creation of drafts", false);
        check("createDrafts", "create_drafts", false);
        check("get_users", "Get all the users.", false);
        check("invio_fatture", "Invia fattura", false);
        check("订单列表", "订单列表", false);
        check("a", "…", false);
    }

    #[test]
    fn words_are_counted_where_they_are_parted() {
        for (text, short) in
            [("Writes a letter.", true), ("Crée une facture", true), ("列出订单", false), ("a b c d", false)]
        {
            assert_eq!(is_short(text), short, "for {text}");
        }
    }
}
