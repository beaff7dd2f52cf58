//! Questions in the other built-in languages, cut as English ones are (`planner.rs`).

use ambit_model::facts::Operation;

use super::planner::plan;
use super::vocabulary::tests::built_in;

/// The clauses, then context and what is not to be done.
#[track_caller]
fn check_in(language: &str, question: &str, expected: &[&str]) {
    let plan = plan(question, &built_in(language));
    let mut lines: Vec<String> = plan.clauses.iter().map(|c| c.text.clone()).collect();
    lines.extend(plan.context.iter().map(|c| format!("context: {c}")));
    lines.extend(plan.excluded.iter().map(|c| format!("not: {c}")));
    assert_eq!(lines, expected, "for {question}");
}

#[test]
fn italian_is_cut_where_a_verb_begins() {
    let check = |question: &str, expected: &[&str]| check_in("it", question, expected);
    check("Mostra gli ordini di Northwind", &["Mostra gli ordini di Northwind"]);
    check(
        "Cerca la fattura INV-7, inviala ad Ada e chiudi il ticket",
        &["Cerca la fattura INV-7", "inviala ad Ada", "chiudi il ticket"],
    );
    check("Elenca i clienti e poi cancella l'ordine SO-12", &["Elenca i clienti", "cancella l'ordine SO-12"]);
    check("Elenca clienti e fornitori", &["Elenca clienti e fornitori"]);
    check("Quante fatture sono scadute?", &["Quante fatture sono scadute"]);
    check("Potresti mostrarmi le fatture?", &["Potresti mostrarmi le fatture"]);
}

#[test]
fn italian_orders_negates_and_refers() {
    let check = |question: &str, expected: &[&str]| check_in("it", question, expected);
    check("Controlla il saldo prima di pagare la fattura", &["Controlla il saldo", "pagare la fattura"]);
    check("Prima di pagare la fattura, controlla il saldo", &["controlla il saldo", "pagare la fattura"]);
    check("Elenca le fatture ma non inviarle", &["Elenca le fatture", "not: non inviarle"]);
    check(
        "Non mandare nessuna mail, mostra solo le fatture",
        &["mostra solo le fatture", "not: Non mandare nessuna mail"],
    );
    check("Quando l'ordine è pronto, mandalo ad Ada", &["mandalo ad Ada", "context: Quando l'ordine è pronto"]);
    let plan = plan("Disegna il grafico e invialo ad Ada", &built_in("it"));
    assert_eq!(plan.clauses.last().unwrap().needs, ["chart"]);
}

#[test]
fn german_is_cut_where_a_verb_begins() {
    let check = |question: &str, expected: &[&str]| check_in("de", question, expected);
    check("Zeig mir die Bestellungen von Northwind", &["Zeig mir die Bestellungen von Northwind"]);
    check(
        "Suche die Rechnung INV-7, schicke sie an Ada und schließe das Ticket",
        &["Suche die Rechnung INV-7", "schicke sie an Ada", "schließe das Ticket"],
    );
    check("Liste Kunden und Lieferanten auf", &["Liste Kunden und Lieferanten auf"]);
    check("Leg einen Kunden an und schick die Rechnung ab", &["Leg einen Kunden an", "schick die Rechnung ab"]);
    check(
        "Zeig mir die Lieferanten und dann storniere den Auftrag SO-12",
        &["Zeig mir die Lieferanten", "storniere den Auftrag SO-12"],
    );
    check("Wie viele Rechnungen sind überfällig?", &["Wie viele Rechnungen sind überfällig"]);
}

#[test]
fn a_german_verb_may_end_its_clause() {
    let check = |question: &str, expected: &[&str]| check_in("de", question, expected);
    check("Kannst du mir die Rechnungen anzeigen?", &["Kannst du mir die Rechnungen anzeigen"]);
    check(
        "Bitte die Bestellung stornieren und den Kunden benachrichtigen",
        &["Bitte die Bestellung stornieren", "den Kunden benachrichtigen"],
    );
    let plan = plan("Bitte die Bestellung SO-12 stornieren", &built_in("de"));
    let clause = plan.clauses.first().unwrap();
    assert_eq!(clause.verb.as_deref(), Some("stornieren"));
    assert_eq!(clause.produces.as_deref(), Some("order"));
    assert!(clause.operations.contains(&Operation::Delete));
}

#[test]
fn german_orders_and_denies() {
    let check = |question: &str, expected: &[&str]| check_in("de", question, expected);
    check("Prüfe den Saldo vor dem Bezahlen der Rechnung", &["Prüfe den Saldo", "Bezahlen der Rechnung"]);
    check("Zeig die Rechnungen, aber schick sie nicht", &["Zeig die Rechnungen", "not: schick sie nicht"]);
    check("Sende keine Mail, zeig nur die Rechnungen", &["zeig nur die Rechnungen", "not: Sende keine Mail"]);
}

#[test]
fn any_text_is_something_in_every_language() {
    for language in ["it", "de"] {
        for question in ["?", "…", "l'", "und und und", "e poi e poi", "non", "nicht", "vor dem", "prima di", "\n.;"]
        {
            let plan = plan(question, &built_in(language));
            assert!(!plan.clauses.is_empty() || !plan.excluded.is_empty(), "{language}: {question}");
        }
    }
}
