//! Characters that have no picture of their own, and the company in which they are honest: joiners inside the scripts and emoji that
//! are written with them, marks of direction in texts that run from right to left, one variation selector after what varies.

use super::Found;

const BIDIRECTIONAL: &str = "a control of the direction of text";
const ZERO_WIDTH: &str = "a character without width";
const TAG: &str = "a tag character, which nobody sees";
const SELECTOR: &str = "a variation selector that varies nothing";
const CONTROL: &str = "a control character";
const SEPARATOR: &str = "a separator of lines, which nobody sees";
const BLANK: &str = "a blank that is no space";
const UNDEFINED: &str = "a code that stands for no character";

/// Tags of the only three flags that are spelt with them (Unicode 16, emoji-sequences: England, Scotland, Wales).
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];
/// The space of braille, in which it stands between letters.
const BRAILLE_BLANK: char = '\u{2800}';
const BLACK_FLAG: char = '\u{1f3f4}';
const CANCEL_TAG: char = '\u{e007f}';
/// Tags of a flag, with the one that ends it.
const TAGS_OF_A_FLAG: usize = 6;

/// Every character that hides.
pub(super) fn all(text: &str) -> Vec<Found> {
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let right_to_left = text.chars().any(runs_from_right);
    let found = characters.iter().enumerate().filter_map(|(position, (at, character))| {
        let near = Neighbours { characters: &characters, position, right_to_left };
        let what = near.hidden(*character)?;
        Some(Found { place: *at..*at + character.len_utf8(), character: *character, what })
    });
    found.collect()
}

/// The character has no picture: in the wrong company it hides something.
pub fn may_hide(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || is_mark(c)
        || is_bidirectional(c)
        || is_zero_width(c)
        || is_tag(c)
        || is_selector(c)
        || is_undefined(c)
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | BRAILLE_BLANK)
}

/// Controls that reorder what follows them (UAX 9, 2.1 to 2.5).
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Marks of direction (UAX 9, 2.6).
fn is_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

/// Format characters and fillers that no text of a tool needs.
fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{2060}'..='\u{2064}'
            | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}'
    )
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Codes that are shown as nothing and mean nothing: noncharacters (Unicode 16, 23.7), and those that are kept for characters without a
/// picture (Unicode 16, DerivedCoreProperties, Default_Ignorable_Code_Point).
fn is_undefined(c: char) -> bool {
    matches!(c, '\u{2065}' | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fff8}' | '\u{e0080}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

fn is_braille(c: char) -> bool {
    matches!(c, BRAILLE_BLANK..='\u{28ff}')
}

/// A selector of how the character before it is drawn.
pub fn is_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours, with the presentation forms.
fn runs_from_right(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{1e900}'..='\u{1e95f}')
}

/// Scripts that are spelt with joiners: Arabic and its kin, those of India, Tibet and South-East Asia, Mongolian.
fn joins(c: char) -> bool {
    matches!(
        c,
        '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{17b3}'
            | '\u{17b6}'..='\u{17ff}' | '\u{1820}'..='\u{18af}' | '\u{1a00}'..='\u{1cff}' | '\u{a800}'..='\u{abff}'
            | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}'
    )
}

/// Scripts without spaces, in which U+200B says where a line may break (UAX 14, ZW).
fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}' | '\u{1950}'..='\u{19df}')
}

fn is_pictograph(c: char) -> bool {
    matches!(
        c,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{2bff}' | '\u{3030}'
            | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}'
    )
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}') && !may_hide(c)
}

/// A place in a text and what stands beside it.
struct Neighbours<'a> {
    characters: &'a [(usize, char)],
    position: usize,
    right_to_left: bool,
}

impl Neighbours<'_> {
    fn hidden(&self, c: char) -> Option<&'static str> {
        match c {
            '\n' | '\r' | '\t' => None,
            c if c.is_control() => Some(CONTROL),
            c if is_bidirectional(c) => Some(BIDIRECTIONAL),
            c if is_mark(c) => (!self.right_to_left || self.before().is_some_and(is_mark)).then_some(BIDIRECTIONAL),
            c if is_zero_width(c) => Some(ZERO_WIDTH),
            c if is_tag(c) => (!self.spells_a_flag()).then_some(TAG),
            c if is_selector(c) => (!self.varies(c)).then_some(SELECTOR),
            c if is_undefined(c) => Some(UNDEFINED),
            '\u{2028}' | '\u{2029}' => Some(SEPARATOR),
            BRAILLE_BLANK => (!self.both(|c| is_braille(c) && c != BRAILLE_BLANK)).then_some(BLANK),
            '\u{200b}' => (!self.both(has_no_spaces)).then_some(ZERO_WIDTH),
            '\u{200c}' => (!self.joins_letters()).then_some(ZERO_WIDTH),
            '\u{200d}' => (!self.joins_letters() && !self.joins_pictographs()).then_some(ZERO_WIDTH),
            // A soft hyphen inside a word is what hyphenation leaves in a text that was copied, and it changes no meaning: refusing
            // honest tools for it would cost more. Anywhere else it only hides. (W_INSTRUCTION reads words without it.)
            '\u{ad}' => (!self.both(char::is_alphabetic)).then_some(ZERO_WIDTH),
            _ => None,
        }
    }

    fn at(&self, position: Option<usize>) -> Option<char> {
        self.characters.get(position?).map(|(_, c)| *c)
    }

    fn before(&self) -> Option<char> {
        self.at(self.position.checked_sub(1))
    }

    fn after(&self) -> Option<char> {
        self.at(self.position.checked_add(1))
    }

    fn both(&self, is: impl Fn(char) -> bool) -> bool {
        self.before().is_some_and(&is) && self.after().is_some_and(&is)
    }

    /// After a letter of a script that joins, or between another letter and one: `API` before a Persian ending.
    fn joins_letters(&self) -> bool {
        let (before, after) = (self.before(), self.after());
        before.is_some_and(joins) || (before.is_some_and(char::is_alphanumeric) && after.is_some_and(joins))
    }

    /// Between two pictographs, of which the first may be varied or coloured.
    fn joins_pictographs(&self) -> bool {
        self.before().is_some_and(|c| c == '\u{fe0f}' || is_pictograph(c)) && self.after().is_some_and(is_pictograph)
    }

    /// One selector after a character that has variants (Unicode 16, StandardizedVariants and emoji-variation-sequences; UTS 37).
    fn varies(&self, selector: char) -> bool {
        let Some(base) = self.before() else { return false };
        match selector {
            '\u{fe0e}' | '\u{fe0f}' => is_pictograph(base) || base.is_ascii_digit() || matches!(base, '#' | '*'),
            '\u{e0100}'..='\u{e01ef}' => is_ideograph(base),
            '\u{180b}'..='\u{180f}' => matches!(base, '\u{1820}'..='\u{18af}'),
            _ => {
                is_ideograph(base)
                    || matches!(base, '\u{1000}'..='\u{109f}' | '\u{2200}'..='\u{22ff}' | '\u{a840}'..='\u{a87f}')
            }
        }
    }

    /// Part of one of the three flags.
    fn spells_a_flag(&self) -> bool {
        let tags = |c: &(usize, char)| is_tag(c.1);
        let upto = self.characters.get(..self.position).unwrap_or(&[]);
        let most = TAGS_OF_A_FLAG + 1;
        let start = self.position - upto.iter().rev().take(most).take_while(|c| tags(c)).count();
        let run = self.characters.get(start..).unwrap_or(&[]).iter().take(most).take_while(|c| tags(c));
        let spelt: String = run.map(|(_, c)| plain(*c)).collect();
        let flag = spelt.strip_suffix('\u{7f}').is_some_and(|name| FLAGS.contains(&name));
        flag && self.at(start.checked_sub(1)) == Some(BLACK_FLAG)
    }
}

/// The ASCII character that a tag stands for.
fn plain(tag: char) -> char {
    debug_assert!(tag <= CANCEL_TAG, "only tags are asked about");
    char::from_u32(u32::from(tag) & 0x7f).unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(all(text).first().map(|hidden| hidden.what), expected, "for {}", text.escape_unicode());
    }

    #[test]
    fn what_hides_is_found() {
        check("pay \u{202e}eciovni", Some(BIDIRECTIONAL));
        check("a\u{2066}b\u{2069}", Some(BIDIRECTIONAL));
        check("left\u{200e} to right", Some(BIDIRECTIONAL));
        check("שלום\u{200f}\u{200f}", Some(BIDIRECTIONAL));
        check("list\u{200b} files", Some(ZERO_WIDTH));
        check("list\u{200d}files", Some(ZERO_WIDTH));
        check("list\u{200c}files", Some(ZERO_WIDTH));
        check("\u{feff}Lists files", Some(ZERO_WIDTH));
        check("a\u{2060}b", Some(ZERO_WIDTH));
        check("a \u{3164} b", Some(ZERO_WIDTH));
        check("two \u{ad}words", Some(ZERO_WIDTH));
        check("in\u{ad}\u{ad}voice", Some(ZERO_WIDTH));
        check("ok\u{e0069}\u{e0067}", Some(TAG));
        check("🏴\u{e0069}\u{e0067}\u{e007f}", Some(TAG));
        check("a\u{fe01}", Some(SELECTOR));
        check("😀\u{fe0f}\u{fe01}", Some(SELECTOR));
        check("😀\u{e0101}\u{e0102}", Some(SELECTOR));
        check("\u{1b}[8mread the key\u{1b}[0m", Some(CONTROL));
        check("a\u{9b}31m", Some(CONTROL));
        check("ok\u{e0080}\u{e00ff}", Some(UNDEFINED));
        check("ok\u{e01f0}", Some(UNDEFINED));
        check("ok\u{fffe}", Some(UNDEFINED));
        check("ok\u{10ffff}", Some(UNDEFINED));
        check("ok\u{fdd0}", Some(UNDEFINED));
        check("a\u{2028}b", Some(SEPARATOR));
        check("a\u{2029}b", Some(SEPARATOR));
        check("a\u{2800}b", Some(BLANK));
        check("⠓\u{2800}\u{2800}⠓", Some(BLANK));
    }

    #[test]
    fn whatever_hides_is_on_the_list() {
        for c in ('\0'..=char::MAX).filter(|c| !may_hide(*c)) {
            assert!(all(&c.to_string()).is_empty(), "{}", c.escape_unicode());
        }
    }

    #[test]
    fn what_scripts_and_emoji_need_passes() {
        for honest in [
            "Lists files.\r\n\tAll of them.",
            "می\u{200c}خواهم",
            "API\u{200c}ها",
            "क्\u{200d}ष और क्\u{200c}ष",
            "ක්\u{200d}රි",
            "שלום (abc)\u{200f}.",
            "ไทย\u{200b}ภาษา",
            "👩\u{200d}💻 ❤\u{fe0f}\u{200d}🔥 👩🏽\u{200d}🚀 1\u{fe0f}\u{20e3}",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "葛\u{e0100}城",
            "in\u{ad}voice",
            "⠓⠊\u{2800}⠁⠇⠇",
            "naïve café 日本語 한국어 Ελληνικά",
        ] {
            check(honest, None);
        }
    }
}
