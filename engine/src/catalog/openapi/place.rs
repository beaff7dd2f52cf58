//! Where a value stands in a document, as an RFC 6901 pointer that is written only when somebody has to read it.
//! Converting a large document visits millions of places and tells of a few.

use std::fmt;

/// A pointer, token by token, each below the one before.
#[derive(Clone, Copy, Debug)]
pub(super) enum At<'p> {
    /// A pointer as written.
    Pointer(&'p str),
    /// One token further.
    Below(&'p At<'p>, &'p str),
}

impl<'p> At<'p> {
    pub(super) fn below(&'p self, token: &'p str) -> Self {
        Self::Below(self, token)
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pointer(pointer) => f.write_str(pointer),
            Self::Below(above, token) => write!(f, "{above}/{}", escaped(token)),
        }
    }
}

/// The pointer, one token further.
pub(super) fn below(pointer: &str, token: &str) -> String {
    At::Pointer(pointer).below(token).to_string()
}

/// One reference token (RFC 6901, 3).
fn escaped(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// The fragment of a reference as a pointer: percent-encoding undone (RFC 6901, 6).
pub(super) fn of_fragment(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_escaped_and_fragments_read() {
        assert_eq!(below("/paths", "/pets/{id}~"), "/paths/~1pets~1{id}~0");
        assert_eq!(of_fragment("/paths/~1pets~1%7Bid%7D").as_deref(), Some("/paths/~1pets~1{id}"));
        assert_eq!(of_fragment("/a%2"), None);
        assert_eq!(of_fragment("/a%ff"), None);
    }
}
