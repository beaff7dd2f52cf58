//! Secrets that declarations name, and where each was found.

use ambit_service::secrets::{Found, SecretState};

use super::snapshots::counted;

/// Sorted by name; the place of a missing one is where it could be.
pub(in crate::cli) fn list(secrets: &[SecretState]) -> String {
    if secrets.is_empty() {
        return "the workspace names no secrets; `secrets` of a Catalog does\n".to_owned();
    }
    let mut text = String::from("secret                          state        where\n");
    for secret in secrets {
        let (state, place) = match &secret.found {
            Found::Environment => ("environment", secret.variable.clone()),
            Found::File => ("file", secret.file.clone()),
            Found::Missing => ("missing", format!("set {}, or write {}", secret.variable, secret.file)),
            Found::Refused { why } => ("refused", why.clone()),
        };
        text.push_str(&format!("{:<30}  {state:<11}  {place}\n", secret.secret));
    }
    let open = secrets.iter().filter(|secret| !secret.is_there()).count();
    let last = match open {
        0 => "all are there".to_owned(),
        _ => format!("{open} cannot be used: a file of a secret is a plain file with mode 0600 that holds it alone"),
    };
    format!("{text}\n{}; {last}\n", counted(secrets.len(), "secret"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(secret: &str, found: Found) -> SecretState {
        let (variable, file) = (format!("AMBIT_{secret}"), format!(".ambit/secrets/{secret}"));
        SecretState { secret: secret.to_owned(), variable, file, found }
    }

    #[test]
    fn each_secret_has_one_line() {
        let said = list(&[
            state("a", Found::Environment),
            state("b", Found::File),
            state("c", Found::Missing),
            state("d", Found::Refused { why: "`x` is empty".to_owned() }),
        ]);
        let expected = "\
secret                          state        where
a                               environment  AMBIT_a
b                               file         .ambit/secrets/b
c                               missing      set AMBIT_c, or write .ambit/secrets/c
d                               refused      `x` is empty

4 secrets; 2 cannot be used: a file of a secret is a plain file with mode 0600 that holds it alone
";
        assert_eq!(said, expected);
        assert!(list(&[state("a", Found::File)]).ends_with("1 secret; all are there\n"));
    }
}
