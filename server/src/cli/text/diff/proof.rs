//! What a solver said of a change.

use ambit_model::proof::{Outcome, Proof, Verdict};

/// The verdict on the policies, then each claim of the core.
pub(super) fn proof(proof: &Proof) -> String {
    let solver = proof.solver.as_deref().map(|solver| format!(" by {solver}")).unwrap_or_default();
    let verdict = match &proof.policies {
        Verdict::Equivalent => "equivalent: the policies allow the same use of tools, whatever is declared".to_owned(),
        Verdict::Narrows => "narrows: the policies allow no more use of tools, whatever is declared".to_owned(),
        Verdict::Widens { counterexample } => {
            format!("widens: the policies allow more use of tools, for example\n{}", indented(counterexample))
        }
        Verdict::Unknown { why } => format!("unknown: {why}"),
    };
    let claims: String =
        proof.core.iter().map(|claim| format!("  {}: {}\n", claim.says, outcome(&claim.outcome))).collect();
    format!("proof{solver}\n  {verdict}\n{claims}")
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Proved => "proved".to_owned(),
        Outcome::Refuted { counterexample } => format!("DOES NOT HOLD, for example\n{}", indented(counterexample)),
        Outcome::Unknown { why } => format!("unknown: {why}"),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("      {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use ambit_model::proof::Claim;

    use super::*;

    #[test]
    fn a_proof_says_what_was_shown_and_by_what() {
        let core = vec![Claim { says: "nothing crosses tenants".to_owned(), outcome: Outcome::Proved }];
        let found = Proof { solver: Some("cvc5 1.0.3".to_owned()), core, policies: Verdict::Narrows };
        let expected = "proof by cvc5 1.0.3\n  narrows: the policies allow no more use of tools, whatever is declared\n  nothing crosses tenants: proved\n";
        assert_eq!(proof(&found), expected);
        let nobody = Verdict::Unknown { why: "no solver".to_owned() };
        assert_eq!(proof(&Proof { solver: None, core: Vec::new(), policies: nobody }), "proof\n  unknown: no solver\n");
    }
}
