//! A stream of server-sent events, cut into the data of each (WHATWG HTML, 9.2.6), as far as MCP uses them.

/// What of a stream was not a whole event yet.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The end of what came, without a line break.
    line: Vec<u8>,
    data: Vec<u8>,
}

impl Events {
    /// Takes the next bytes of the stream, and gives the data of every event that they end.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut ended = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                self.line_ended(line.strip_suffix(b"\r").unwrap_or(line), &mut ended);
            }
        }
        ended
    }

    fn line_ended(&mut self, line: &[u8], ended: &mut Vec<Vec<u8>>) {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            if !data.is_empty() {
                ended.push(data);
            }
        } else if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stream: &str, expected: &[&str]) {
        for size in [1, 3, stream.len()] {
            let mut events = Events::default();
            let found: Vec<Vec<u8>> = stream.as_bytes().chunks(size).flat_map(|bytes| events.feed(bytes)).collect();
            let found: Vec<String> = found.into_iter().map(|data| String::from_utf8(data).unwrap()).collect();
            assert_eq!(found, expected, "{stream:?} by {size}");
        }
    }

    #[test]
    fn data_is_joined_until_a_blank_line() {
        check("event: message\nid: 1\ndata: {\"a\":\ndata: 1}\n\n", &["{\"a\":\n1}"]);
        check(": ping\r\n\r\ndata:x\r\n\r\ndata: y\n\n", &["x", "y"]);
        check("data: begun", &[]);
        check("id: 7\ndata:\n\n", &[]);
    }
}
