//! Text inside a link's query, the same on server and in the browser.

use std::fmt::Write as _;

/// Percent-encodes all but the unreserved characters (RFC 3986, 2.3).
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn what_has_a_meaning_in_a_query_is_encoded() {
        assert_eq!(encoded("a&b=c d+ü"), "a%26b%3Dc%20d%2B%C3%BC");
    }
}
