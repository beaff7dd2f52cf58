//! Styles that take a text out of sight: not displayed, without size or colour, cut away, or moved off the page (CSS Display 3, CSS Color 4,
//! CSS Masking 1, CSS Positioned Layout 3).

/// A distance from which on nothing is left on the page, whatever its unit.
const FAR: f64 = 50.0;
/// An opacity that cannot be seen.
const FAINT: f64 = 0.1;

/// The value of a `style` attribute hides what it is about.
pub(super) fn hides(style: &str) -> bool {
    let style = without_comments(&style.to_ascii_lowercase());
    // No honest style spells its words with escapes.
    if style.contains('\\') {
        return true;
    }
    let declared: Vec<(&str, &str)> = style.split(';').filter_map(|part| part.split_once(':')).collect();
    let declared: Vec<(&str, &str)> = declared.iter().map(|(name, value)| (name.trim(), plain(value))).collect();
    let value = |name: &str| declared.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| *value);
    let cut = value("overflow").is_some_and(|value| matches!(value, "hidden" | "clip"));
    let background = value("background-color").or(value("background"));
    declared.iter().any(|(name, value)| match *name {
        "display" => *value == "none",
        "visibility" => matches!(*value, "hidden" | "collapse"),
        "content-visibility" => *value == "hidden",
        "opacity" => {
            numbers(value).first().is_some_and(|(n, unit)| *n < if *unit == "%" { FAINT * 100.0 } else { FAINT })
        }
        "filter" => value.replace(' ', "").contains("opacity(0"),
        "font-size" | "font" => numbers(value).into_iter().any(is_tiny),
        "color" | "-webkit-text-fill-color" => {
            is_transparent(value)
                || background.map_or(matches!(*value, "white" | "#fff" | "#ffffff"), |behind| behind == *value)
        }
        "clip" => *value != "auto",
        "clip-path" => *value != "none",
        "width" | "height" | "max-width" | "max-height" => {
            cut && numbers(value).first().is_some_and(|size| is_tiny(*size))
        }
        "transform" | "scale" | "translate" => {
            is_moved(value) || value.replace(' ', "").contains("scale(0") || *value == "0"
        }
        "text-indent" => numbers(value).iter().any(|(n, _)| n.abs() >= FAR),
        "left" | "right" | "top" | "bottom" => is_moved(value),
        _ => (name.starts_with("margin") || name.starts_with("inset")) && is_moved(value),
    })
}

fn without_comments(style: &str) -> String {
    let mut out = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

/// A value without its weight.
fn plain(value: &str) -> &str {
    value.split('!').next().unwrap_or("").trim()
}

fn is_moved(value: &str) -> bool {
    numbers(value).iter().any(|(n, _)| *n <= -FAR)
}

/// Smaller than anybody reads: two pixels, or the same in another unit.
fn is_tiny((n, unit): (f64, &str)) -> bool {
    n <= match unit {
        "px" | "pt" => 2.0,
        "em" | "rem" => 0.15,
        "%" => 15.0,
        _ => 0.0,
    }
}

/// No colour at all, or one whose fourth part is nothing.
fn is_transparent(value: &str) -> bool {
    let alpha = numbers(value).get(3).is_some_and(|(n, unit)| *n < if *unit == "%" { FAINT * 100.0 } else { FAINT });
    let short = value.strip_prefix('#').is_some_and(|hex| match hex.len() {
        4 => hex.ends_with('0'),
        8 => hex.ends_with("00"),
        _ => false,
    });
    value == "transparent" || short || (value.contains('(') && alpha)
}

/// Every number of a value with the unit behind it.
fn numbers(value: &str) -> Vec<(f64, &str)> {
    let starts = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
    let parts = value.split(|c: char| c.is_whitespace() || matches!(c, ',' | '/' | '(' | ')'));
    let numbers = parts.filter(|part| part.starts_with(starts)).filter_map(|part| {
        let end = part.find(|c: char| !starts(c)).unwrap_or(part.len());
        Some((part.get(..end)?.parse().ok()?, part.get(end..)?))
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_found() {
        for style in [
            "display:none",
            "DISPLAY : None !important",
            "disp/**/lay:none",
            "d\\69splay:none",
            "visibility: hidden",
            "color: red; font-size:0",
            "font-size: 1px",
            "font: 0/0 a",
            "font-size:.1em",
            "opacity:0",
            "opacity: 0.01",
            "opacity: 0%",
            "color: transparent",
            "color: rgba(0, 0, 0, 0)",
            "color: rgb(0 0 0 / 0%)",
            "color:#0000",
            "color:white",
            "color:#000;background:#000",
            "position:absolute;left:-9999px",
            "position:fixed; top: -100em",
            "text-indent:-999em",
            "text-indent:100%; white-space:nowrap; overflow:hidden",
            "margin-left: -10000px",
            "position:absolute; clip: rect(0,0,0,0)",
            "clip-path: inset(50%)",
            "height:0;overflow:hidden",
            "transform: translateX(-9999px)",
            "transform: scale( 0 )",
        ] {
            assert!(hides(style), "{style}");
        }
    }

    #[test]
    fn what_is_seen_passes() {
        for style in [
            "",
            "color: red",
            "color: white; background: navy",
            "color: rgba(0, 0, 0, 0.8)",
            "color:#333",
            "font-size: 12px",
            "font: bold 14px/1.5 serif",
            "opacity: 0.9",
            "display: block; margin: -4px auto; left: 0",
            "width: 0.5em; height: 1px",
            "text-indent: 2em",
            "overflow:hidden; width: 100%; max-height: 20em",
        ] {
            assert!(!hides(style), "{style}");
        }
    }
}
