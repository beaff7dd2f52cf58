//! What `ambit init` wrote, and what to do with it.

use std::path::Path;

/// The files, then commands that work as they stand.
pub(in crate::cli) fn written(folder: &Path, files: &[String]) -> String {
    let listed: String = files.iter().map(|file| format!("  {file}\n")).collect();
    let here = match folder.to_str() {
        Some("policies") => String::new(),
        _ => format!(" --workspace {}", quoted(&folder.display().to_string())),
    };
    format!(
        "a workspace in `{}`:\n{listed}\nnext:\n  ambit check{here}\n  ambit apply{here} --message \"a beginning\"\n  ambit route \"Which of my notes mention the garden?\" --as acme:user:ada --project desk\n\n{} files written; `# yaml-language-server` on top of them gives editors the schema\n",
        folder.display(),
        files.len()
    )
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_folder_where_it_is_not_the_usual_one() {
        assert!(written(Path::new("policies"), &[]).contains("  ambit check\n"));
        assert!(written(Path::new("a/b"), &[]).contains("  ambit check --workspace a/b\n"));
        assert!(written(Path::new("it's"), &[]).contains("  ambit check --workspace 'it'\\''s'\n"));
    }
}
