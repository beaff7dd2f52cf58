//! Answers as Markdown, for the comment of a pull request.
//! INVARIANT: what others wrote (ids, descriptions, diagnostics) never ends a cell, a fence or an element, mentions nobody and links nothing.

pub(super) mod diff;

use ambit_model::hidden::visible;

/// Most bytes of a comment; GitHub takes 65,536 characters.
const LONGEST: usize = 60_000;
/// Bytes that are kept free for saying what was cut.
const RESERVE: usize = 1_000;
/// Most characters of one text of others.
const MOST_OF_ONE: usize = 200;

/// A measured set as a table.
pub(super) fn evaluated(evaluated: &ambit_service::evaluate::Evaluated) -> String {
    super::text::evaluate::markdown(evaluated, code)
}

/// A text that others wrote, as code: nobody is mentioned in it, and nothing linked.
fn code(text: &str) -> String {
    let text = clipped(text);
    let plain = |c: char| c.is_alphanumeric() || " _-./:@,+=()'".contains(c);
    if text.chars().all(plain) { format!("`{text}`") } else { format!("<code>{}</code>", entities(&text)) }
}

/// The same among words of our own. After `@` and `#` stands a word joiner (U+2060), so that they name nobody and nothing.
fn plain(text: &str) -> String {
    let joined = |encoded: String| encoded.replace("&#64;", "&#64;&#8288;").replace("&#35;", "&#35;&#8288;");
    joined(entities(&clipped(text)))
}

/// A line of ours that quotes names in backticks; where a name holds one too, both sides of it are as safe as each other.
fn prose(line: &str) -> String {
    let line = clipped(line);
    let parts = line.split('`').enumerate().filter(|(_, part)| !part.is_empty());
    parts.map(|(place, part)| if place % 2 == 1 { code(part) } else { between(part) }).collect()
}

/// Words between names, with the spaces that part them.
fn between(words: &str) -> String {
    let space = |is: bool| if is { " " } else { "" };
    if words.trim().is_empty() {
        return " ".to_owned();
    }
    format!("{}{}{}", space(words.starts_with(' ')), plain(words), space(words.ends_with(' ')))
}

/// Every sign of ASCII as a character reference, which is never structure (CommonMark 0.31, 2.5).
fn entities(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if c.is_ascii_punctuation() {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
        out
    })
}

/// One line of bounded length, with nothing hidden in it.
fn clipped(text: &str) -> String {
    let line = visible(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().nth(MOST_OF_ONE).is_none() {
        return if line.is_empty() { "(empty)".to_owned() } else { line };
    }
    format!("{}…", line.chars().take(MOST_OF_ONE).collect::<String>())
}

/// A comment that grows until it is full.
struct Page {
    text: String,
    /// What did not fit, one line each.
    cut: Vec<String>,
}

impl Page {
    fn new() -> Self {
        Self { text: String::new(), cut: Vec::new() }
    }

    fn left(&self) -> usize {
        (LONGEST - RESERVE).saturating_sub(self.text.len())
    }

    /// Adds it, where it fits.
    fn add(&mut self, piece: &str) -> bool {
        let fits = piece.len() <= self.left();
        if fits {
            self.text.push_str(piece);
        }
        fits
    }

    /// A heading and a table under it; nothing where it has no rows.
    fn table(&mut self, title: &str, columns: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        let head = format!("\n### {title}\n\n| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
        let row = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
        let added = if self.add(&head) { rows.iter().take_while(|cells| self.add(&row(cells))).count() } else { 0 };
        if added < rows.len() {
            self.cut.push(format!("{} of {} rows of \"{title}\"", rows.len() - added, rows.len()));
        }
    }

    /// Lines of text as they are, folded away. The fence is longer than any in them.
    fn folded(&mut self, summary: &str, text: &str) {
        let text = visible(text);
        let fence = "`".repeat(longest_run(&text, '`').max(2) + 1);
        let (open, shut) =
            (format!("\n<details><summary>{summary}</summary>\n\n{fence}text\n"), format!("{fence}\n\n</details>\n"));
        let room = self.left().saturating_sub(open.len() + shut.len());
        let (mut kept, mut lines) = (String::new(), 0);
        for line in text.lines() {
            if kept.len() + line.len() + 1 > room {
                break;
            }
            kept.push_str(line);
            kept.push('\n');
            lines += 1;
        }
        let all = text.lines().count();
        if lines < all {
            self.cut.push(format!("{} of {all} lines of \"{summary}\"", all - lines));
        }
        if lines > 0 {
            self.add(&format!("{open}{kept}{shut}"));
        }
    }

    /// The comment, with a word about what did not fit.
    fn finish(mut self, last: &str) -> String {
        if !self.cut.is_empty() {
            self.text.push_str(&format!("\n**Cut, because a comment has a limit:** {}.\n", self.cut.join("; ")));
        }
        self.text.push_str(&format!("\n{last}\n"));
        self.text
    }
}

fn longest_run(text: &str, of: char) -> usize {
    text.split(|c| c != of).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_stays_inside() {
        let check = |text: &str, expected: &str| assert_eq!(code(text), expected);
        check("acme/finance", "`acme/finance`");
        check("a`b", "<code>a&#96;b</code>");
        check("a | b\\", "<code>a &#124; b&#92;</code>");
        check("</code><img src=x>", "<code>&#60;&#47;code&#62;&#60;img src&#61;x&#62;</code>");
        check("two\nlines", "`two lines`");
        check("\u{202e}", "<code>&#92;u&#123;202e&#125;</code>");
        check("", "`(empty)`");
        assert_eq!(plain("by @octocat, #1"), "by &#64;&#8288;octocat&#44; &#35;&#8288;1");
        assert_eq!(prose("`a|b` is new"), "<code>a&#124;b</code> is new");
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        let mut page = Page::new();
        page.folded("more", "````\n</details>\n@octocat");
        assert_eq!(
            page.finish("end"),
            "\n<details><summary>more</summary>\n\n`````text\n````\n</details>\n@octocat\n`````\n\n</details>\n\nend\n"
        );
    }

    #[test]
    fn a_comment_is_bounded_and_says_what_is_cut() {
        let mut page = Page::new();
        let rows = vec![vec!["x".repeat(200)]; 1_000];
        page.table("Who gains", &["project"], &rows);
        page.folded("all", &"line\n".repeat(10_000));
        let text = page.finish("end");
        assert!(text.len() < LONGEST, "{}", text.len());
        assert!(
            text.contains("rows of \"Who gains\"") && text.contains("lines of \"all\"") && text.ends_with("\nend\n")
        );
    }
}
