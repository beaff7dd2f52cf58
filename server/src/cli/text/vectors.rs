//! What became of vectors that travel.

use std::path::Path;

use ambit_service::vectors_file::{Exported, Imported};

use super::snapshots::counted;

/// What a file holds now.
pub(in crate::cli) fn exported(done: &Exported, file: &Path) -> String {
    let missing = match done.missing {
        0 => String::new(),
        missing => {
            format!("{} of the workspace not embedded yet: `ambit check` embeds them\n", counted(missing, "text"))
        }
    };
    format!(
        "{missing}{} and what compiling kept of {} written to `{}`; `ambit vectors import` takes them in\n",
        counted(done.vectors, "vector"),
        counted(done.winners, "project"),
        file.display()
    )
}

/// What came of a file.
pub(in crate::cli) fn imported(done: &Imported) -> String {
    let models: String = done.models.iter().map(|model| format!("model {model}\n")).collect();
    let different = match done.different {
        0 => String::new(),
        different => format!("{} here with other numbers already, which stay\n", counted(different, "text")),
    };
    format!(
        "{models}{different}{} added, {} here already; what compiling kept of {} added\n",
        counted(done.added, "vector"),
        done.known,
        counted(done.winners, "project"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_what_did_not_happen() {
        let done = Exported { vectors: 1, ..Exported::default() };
        let expected =
            "1 vector and what compiling kept of 0 projects written to `f`; `ambit vectors import` takes them in\n";
        assert_eq!(exported(&done, Path::new("f")), expected);
        let done = Imported { added: 2, known: 1, ..Imported::default() };
        assert_eq!(imported(&done), "2 vectors added, 1 here already; what compiling kept of 0 projects added\n");
    }

    #[test]
    fn what_stays_and_what_is_missing_is_said() {
        let done = Exported { missing: 3, ..Exported::default() };
        let told = exported(&done, Path::new("f"));
        assert!(told.starts_with("3 texts of the workspace not embedded yet: `ambit check` embeds them\n"), "{told}");
        let done = Imported { different: 1, models: ["m@r".to_owned()].into(), ..Imported::default() };
        let told = imported(&done);
        assert!(told.starts_with("model m@r\n1 text here with other numbers already, which stay\n"), "{told}");
    }
}
