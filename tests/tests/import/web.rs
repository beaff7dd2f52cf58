//! A server on this machine for one test: each connection is one request, answered by a function with the bytes to send.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// What was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Method, path and headers.
    pub(crate) head: String,
    pub(crate) body: Value,
    /// The body as it came.
    pub(crate) text: String,
}

impl Asked {
    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned()).next()
    }
}

/// A running server; what it was asked stays to be looked at.
pub(crate) struct Web {
    pub(crate) url: String,
    pub(crate) asked: Arc<Mutex<Vec<Asked>>>,
}

/// Starts one. An answer without bytes keeps the connection open and says nothing.
pub(crate) fn serve(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Web {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (seen, answer) = (asked.clone(), Arc::new(answer));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (seen, answer) = (seen.clone(), answer.clone());
            std::thread::spawn(move || one(stream, &seen, answer.as_ref()));
        }
    });
    Web { url, asked }
}

fn one(mut stream: TcpStream, seen: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked) -> Vec<u8>) {
    let Some(asked) = read(&mut stream) else { return };
    seen.lock().unwrap().push(asked.clone());
    let bytes = answer(&asked);
    if bytes.is_empty() {
        std::thread::sleep(Duration::from_secs(60));
    }
    drop(stream.write_all(&bytes));
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let size = stream.read(&mut piece).ok().filter(|size| *size > 0)?;
        bytes.extend_from_slice(piece.get(..size)?);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let mut asked = Asked { head: head.to_owned(), body: Value::Null, text: body.to_owned() };
        let length: usize = asked.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if body.len() >= length {
            asked.body = serde_json::from_str(body).unwrap_or_default();
            return Some(asked);
        }
    }
}

/// A whole answer.
pub(crate) fn said(status: &str, kind: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let kind = if kind.is_empty() { String::new() } else { format!("content-type: {kind}\r\n") };
    let head = format!("HTTP/1.1 {status}\r\n{kind}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

pub(crate) fn json(body: &str) -> Vec<u8> {
    said("200 OK", "application/json", body)
}

/// An answer of MCP: notifications are taken, the greeting is answered, and `list` says the result of `tools/list`.
pub(crate) fn mcp(asked: &Asked, list: impl FnOnce(&Asked) -> Value) -> Vec<u8> {
    let id = &asked.body["id"];
    let result = match asked.method() {
        "initialize" => {
            let server = json!({ "name": "test", "version": "1" });
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} }, "serverInfo": server })
        }
        "tools/list" => list(asked),
        _ if id.is_null() => return said("202 Accepted", "", ""),
        _ => {
            return json(
                &json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "what?" } }).to_string(),
            );
        }
    };
    json(&json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string())
}
