//! An MCP server on standard input and output, as small as one can be, and as bad as a test of `ambit import --stdio` wants it.
//! The first argument says how it behaves.

use std::io::{BufRead as _, Write as _};

use serde_json::{Value, json};

/// Tools of which each but the first has something that no type can hold.
const ODD: &str = r#"{"name":"sound","description":"Lists the orders.","inputSchema":{}},{"name":"huge","description":"Counts the orders.","inputSchema":{"type":"object","properties":{"a":{"minimum":-1e400}}}},{"name":"half \ud800","description":"Reads half a name.","inputSchema":{}}"#;

fn main() {
    let how = std::env::args().nth(1).unwrap_or_default();
    if how == "exits" {
        return;
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        if how == "garbage" {
            say("Server starting…\n{\"half\": \n\u{1}\u{2}");
        }
        if how == "silent" {
            continue;
        }
        if how == "floods" {
            say(&"x".repeat(1024 * 1024));
            continue;
        }
        if let (Some(id), Some(method)) = (message.get("id"), message.get("method").and_then(Value::as_str)) {
            // No value can hold these.
            let result = match (how.as_str(), method) {
                ("odd", "tools/list") => format!("{{\"tools\":[{ODD}]}}"),
                ("broken", "tools/list") => "7e999".to_owned(),
                _ => {
                    say(&answer(&how, id, method, message.get("params")).to_string());
                    continue;
                }
            };
            say(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"));
        }
    }
}

fn answer(how: &str, id: &Value, method: &str, params: Option<&Value>) -> Value {
    let result = match method {
        _ if how == "refuses" => {
            return json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32000, "message": "no licence\nfor this" } });
        }
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "test", "version": "1" },
        }),
        "tools/list" => {
            let second = params.and_then(|params| params.get("cursor")).is_some();
            let environment: Vec<String> =
                std::env::vars().map(|(name, _)| name).filter(|name| name.starts_with("AMBIT_")).collect();
            if second {
                json!({ "tools": [{ "name": "env", "description": environment.join(" "), "inputSchema": true }, 7] })
            } else {
                let tool = json!({ "name": "files.read", "description": "Reads a file of the folder.", "inputSchema": { "type": "object" } });
                json!({ "tools": [tool], "nextCursor": "2" })
            }
        }
        _ => return json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "no such method" } }),
    };
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    drop(writeln!(out, "{line}"));
    drop(out.flush());
}
