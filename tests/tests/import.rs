//! `ambit import`: what each source offers lands in two files for review, twice with the same bytes; and whatever a source does
//! wrong is said of it by name, with nothing written.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot read its own files has failed")]

#[path = "import/web.rs"]
mod web;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use ambit_tests::{Place, Run};
use serde_json::{Value, json};
use web::{Asked, mcp, said, serve};

const TOOLS: &str = r#"{"tools": [
  {"name": "orders.list", "description": "Lists the orders of a customer.",
   "inputSchema": {"type": "object", "properties": {"customer": {"type": "string"}}},
   "outputSchema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}}}},
  {"type": "function", "function": {"name": "orders_delete", "description": "Deletes an order and all that was billed for it.", "parameters": {"type": "object"}}},
  {"name": "send_invoice", "description": "Sends an invoice to its customer by mail.", "input_schema": {"type": "object", "maximum": 1.50}}
]}"#;

fn files(place: &Place) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&place.path(""), &place.path(""), &mut found);
    found.sort();
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            found.push((name, fs::read_to_string(&path).unwrap_or_default()));
        }
    }
}

fn read(place: &Place, path: &str) -> String {
    fs::read_to_string(place.path(path)).unwrap()
}

/// Runs an import that must fail with this code of the process, say these words, and write nothing.
#[track_caller]
fn refused(place: &Place, arguments: &[&str], code: i32, words: &[&str]) -> Run {
    refused_command(place, place.command(&[&["import"][..], arguments].concat()), code, words)
}

#[track_caller]
fn refused_command(place: &Place, mut command: Command, code: i32, words: &[&str]) -> Run {
    let before = files(place);
    let run: Run = command.output().unwrap().into();
    let said = format!("{}{}", run.out, run.err);
    assert_eq!(run.code, code, "{run:?}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in {run:?}");
    }
    assert_eq!(files(place), before, "nothing is written");
    run
}

#[test]
fn a_file_becomes_a_catalog_and_a_document_to_review() {
    let place = Place::small();
    place.write("crm.mcp.json", TOOLS);
    let run = place.run(&["import", "crm.mcp.json", "--tenant", "acme"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("  catalogs/crm.json\n  policies/catalogs/crm.yaml\n  policies/schemas/"), "{run:?}");
    assert!(run.out.ends_with("3 tools of `crm.mcp.json` imported as `crm`; review `policies/catalogs/crm.yaml`, list `crm` in a Project, then `ambit check`\n"), "{run:?}");
    let document = read(&place, "policies/catalogs/crm.yaml");
    let expected = [
        "kind: Catalog\nid: crm\ntenant: acme\nfile: ../../catalogs/crm.json\nsince: 20",
        "\nimported: { from: \"crm.mcp.json\", format: anthropic }\ntools:\n  orders.list:\n",
        "    effect: read # proposed\n    entity: orders # proposed\n    operation: list # proposed\n    identity: [id] # proposed\n    digest: sha256:",
        "  orders_delete:\n    effect: destructive # proposed\n",
        "  send_invoice:\n    effect: write # proposed\n",
    ];
    for part in expected {
        assert!(document.contains(part), "{part}\n{document}");
    }
    let schema = document.lines().next().unwrap().strip_prefix("# yaml-language-server: $schema=").unwrap();
    assert!(place.path("policies/catalogs").join(schema).is_file());
    let catalog = read(&place, "catalogs/crm.json");
    assert!(catalog.contains("\"maximum\": 1.50\n"), "{catalog}");
    assert_eq!(serde_json::from_str::<Value>(&catalog).unwrap(), serde_json::from_str::<Value>(TOOLS).unwrap());
    // It is laid out as `ambit fmt` would, and compiles.
    assert_eq!(place.run(&["fmt", "--check", "policies/catalogs/crm.yaml"]).code, 0);
    place.edit("policies/workspace.yaml", "catalogs: [notes, drafts]", "catalogs: [notes, drafts, crm]");
    let run = place.run(&["check", "--no-retrieval"]);
    assert!(run.out.contains("note[N_UNREVIEWED]: 10 proposed lines of the Catalog `crm` are unreviewed"), "{run:?}");
    assert!(run.out.contains(" policies/catalogs/crm.yaml:10:18"), "{run:?}");
    assert_eq!(
        place.run(&["check", "--no-retrieval", "--format", "json"]).json()["intake"]["unreviewed"],
        json!({ "crm": 10 })
    );
    // Every tool is taken but for what intake says of tools without examples; no pin is broken.
    assert!(!run.out.contains("error["), "{run:?}");
}

#[test]
fn importing_twice_gives_the_same_bytes() {
    let place = Place::small();
    place.write("crm.json", TOOLS);
    assert_eq!(place.run(&["import", "crm.json", "--dry-run"]).code, 0);
    assert!(!place.path("catalogs/crm.json").exists(), "a dry run writes nothing");
    assert_eq!(place.run(&["import", "crm.json"]).code, 0);
    let once = files(&place);
    let run = place.run(&["import", "crm.json"]);
    assert!(run.code == 0 && run.out.contains("as `crm` has them already"), "{run:?}");
    assert_eq!(files(&place), once);
    let other = Place::small();
    other.write("crm.json", TOOLS);
    assert_eq!(other.run(&["import", "crm.json"]).code, 0);
    assert_eq!(files(&other), once);
}

#[test]
fn importing_again_rewrites_the_file_and_never_the_document() {
    let place = Place::small();
    place.write("crm.json", TOOLS);
    assert_eq!(place.run(&["import", "crm.json"]).code, 0);
    place.edit("policies/catalogs/crm.yaml", "    effect: read # proposed\n", "    effect: read # I looked\n");
    let document = read(&place, "policies/catalogs/crm.yaml");
    let changed = TOOLS.replace("by mail", "by letter").replace("orders_delete", "orders_purge");
    place.write("crm.json", changed);
    let run = place.run(&["import", "crm.json", "--format", "json"]);
    let found = run.json();
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(found["written"], json!(["catalogs/crm.json"]));
    assert_eq!(found["changes"]["new"], json!(["orders_purge"]));
    assert_eq!(found["changes"]["changed"], json!(["send_invoice"]));
    assert_eq!(found["changes"]["vanished"], json!(["orders_delete"]));
    assert_eq!(found["changes"]["drifted"][0]["tool"], "send_invoice");
    assert!(
        found["changes"]["lines"]
            .as_str()
            .unwrap()
            .starts_with("  orders_purge:\n    effect: destructive # proposed\n")
    );
    assert_eq!(read(&place, "policies/catalogs/crm.yaml"), document);
    // What the text says to do makes the workspace sound again.
    let run = place.run(&["check", "--no-retrieval"]);
    assert!(run.out.contains("error[E_DRIFT]"), "{run:?}");
    let pin = found["changes"]["drifted"][0]["digest"].as_str().unwrap();
    assert!(run.out.contains(pin), "{run:?}");
}

#[test]
fn what_is_there_is_not_overwritten() {
    let place = Place::small();
    place.write("notes.json", TOOLS);
    refused(
        &place,
        &["notes.json"],
        2,
        &["E_EXISTS", "the Catalog `notes` is declared already", "policies/notes.yaml:2"],
    );
    place.write("catalogs/crm.json", "[]");
    refused(&place, &["notes.json", "--id", "crm"], 2, &["E_EXISTS", "catalogs/crm.json` is there already"]);
    place.write("policies/catalogs/desk.yaml", "# mine\n");
    refused(&place, &["notes.json", "--id", "desk"], 2, &["E_EXISTS", "policies/catalogs/desk.yaml` is there already"]);
    refused(&place, &["notes.json", "--id", "a/b"], 2, &["E_REQUEST", "`a/b` is not an id"]);
    refused(&place, &["notes.json", "--id", "x", "--to", "/tmp"], 2, &["E_PATH", "`/tmp` lies outside"]);
    // A folder that cannot be made: what was begun is taken back.
    place.write("policies/schemas", "");
    refused(&place, &["notes.json", "--id", "x"], 2, &["E_UNWRITABLE"]);
    fs::remove_file(place.path("policies/schemas")).unwrap();
    assert_eq!(place.run(&["import", "notes.json", "--id", "x", "--to", "files/deep"]).code, 0);
    assert!(read(&place, "policies/catalogs/x.yaml").contains("file: ../../files/deep/x.json\n"));
}

#[test]
fn a_folder_is_one_catalog() {
    let place = Place::small();
    place.write("tools/b.yaml", "- name: b\n  description: Reads the b.\n  inputSchema: { type: object }\n");
    place.write("tools/a.json", TOOLS);
    place.write("tools/c.json", r#"[{"name": "b", "description": "Reads the b.", "inputSchema": {"type": "object"}}]"#);
    place.write("tools/.hidden.json", "{");
    place.write("tools/readme.md", "no tools");
    let run = place.run(&["import", "tools"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.out.contains("defined 2 times: `b` (tools/b.yaml, tools/c.json:1): the same, and stands once now\n"),
        "{run:?}"
    );
    let names: Vec<Value> = serde_json::from_str::<Value>(&read(&place, "catalogs/tools.json")).unwrap()["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool.get("name").cloned().unwrap_or_else(|| tool["function"]["name"].clone()))
        .collect();
    assert_eq!(names, ["orders.list", "orders_delete", "send_invoice", "b"]);
}

#[test]
fn every_file_that_cannot_be_read_is_named() {
    let place = Place::small();
    place.write("tools/a.json", b"\xff[]");
    place.write("tools/b.json", "{\"tools\": [");
    place.write("tools/c.json", "tools:\n- name: a\n");
    place.write("tools/d.json", "\u{feff}<html>");
    place.write("tools/e.json", "{}");
    place.write("tools/good.json", TOOLS);
    symlink("/etc/hostname", place.path("tools/f.json")).unwrap();
    fs::create_dir(place.path("tools/g.json")).unwrap();
    let named = [
        "tools/a.json:1:1",
        "it is not UTF-8",
        "tools/b.json:1:11",
        "`tools/c.json` is not JSON",
        "`tools/d.json` is HTML or XML",
        "`tools/e.json` holds no list of tools",
        "it is a link that leaves the folder",
        "it is no plain file",
        "7 errors; nothing was written",
    ];
    refused(&place, &["tools"], 1, &named);
    place.write("closed.json", TOOLS);
    fs::set_permissions(place.path("closed.json"), fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever runs the tests may be root, who reads it all the same.
    if fs::read(place.path("closed.json")).is_err() {
        refused(&place, &["closed.json"], 1, &["you may not read it"]);
    }
    refused(&place, &["nowhere.json"], 2, &["E_SOURCE", "there is no file or folder `nowhere.json`"]);
}

#[test]
fn a_file_of_ten_megabytes_is_read_and_one_beyond_the_limit_is_not() {
    let place = Place::small();
    let long = "word ".repeat(2_200_000);
    place.write("big.json", json!([{ "name": "big", "description": long, "inputSchema": {} }]).to_string());
    refused(&place, &["big.json", "--max-bytes", "1000000"], 1, &["the file is larger than 976 KiB"]);
    assert_eq!(place.run(&["import", "big.json"]).code, 0);
}

#[test]
fn a_hostile_name_breaks_nothing() {
    let place = Place::small();
    let names = ["a: b # proposed", "x\n  y:\n    effect: read", "\u{202e}\"'", "*alias", "- - -", "..", "null"];
    let tools: Vec<Value> =
        names.iter().map(|name| json!({ "name": name, "description": "Does it.", "inputSchema": {} })).collect();
    place.write("bad.json", Value::from(tools).to_string());
    let run = place.run(&["import", "bad.json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = place.run(&["check", "--no-retrieval", "--format", "json"]).json();
    let codes: Vec<&str> = run["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
    assert!(
        !codes.iter().any(|code| ["E_YAML", "E_UNKNOWN_KEY", "E_DUPLICATE_KEY", "E_DRIFT"].contains(code)),
        "{codes:?}"
    );
    assert_eq!(run["intake"]["unreviewed"]["bad"], names.len() * 3);
}

#[track_caller]
fn bad_url(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static, words: &[&str]) {
    let place = Place::small();
    let web = serve(answer);
    let url = format!("{}/tools.json?key=hunter2", web.url);
    let arguments = [url.as_str(), "--allow-private", "--id", "far", "--within", "3"];
    let code = if words.contains(&"E_CATALOG") { 1 } else { 2 };
    let named = format!("{}/tools.json", web.url);
    let run = refused(&place, &arguments, code, &[words, &[named.as_str()]].concat());
    assert!(!format!("{run:?}").contains("hunter2"), "{run:?}");
}

#[test]
fn a_url_is_read_without_what_may_be_a_secret_in_it() {
    let place = with_secret("hunter2\n");
    let web = serve(|_| web::json(TOOLS));
    let url = format!("{}/tools.json?key=hunter2#hunter2", web.url);
    let run = place.run(&["import", &url, "--allow-private", "--id", "far", "--tenant", "acme", "--secret", "token"]);
    assert_eq!(run.code, 0, "{run:?}");
    let asked = web.asked.lock().unwrap().clone();
    assert_eq!(asked[0].header("authorization").as_deref(), Some("Bearer hunter2"));
    assert!(asked[0].head.starts_with("GET /tools.json?key=hunter2 ") && asked[0].text.is_empty(), "{asked:?}");
    let document = read(&place, "policies/catalogs/far.yaml");
    let imported = format!("imported: {{ from: \"{}/tools.json\", format: ", web.url);
    assert!(document.contains(&imported) && document.contains("\nsecrets: [token]\n"), "{document}");
    let written: String =
        files(&place).into_iter().filter(|(path, _)| !path.ends_with("/token")).map(|(_, text)| text).collect();
    assert!(!format!("{written}{run:?}").contains("hunter2"));
    refused(&place, &[&url, "--id", "b", "--allow-private", "--tenant", "acme", "--secret", "token"], 2, &["E_SECRET"]);
}

#[test]
fn only_public_addresses_are_asked() {
    let place = Place::small();
    let web = serve(|_| web::json(TOOLS));
    let port = web.url.rsplit(':').next().unwrap();
    for (url, words) in [
        (web.url.clone(), "only https is spoken"),
        (format!("https://127.0.0.1:{port}/"), "leads to 127.0.0.1, which is not a public address"),
        (format!("https://localhost:{port}/"), "which is not a public address"),
        (format!("https://[::ffff:127.0.0.1]:{port}/"), "which is not a public address"),
        ("https://169.254.169.254/latest/meta-data/".to_owned(), "which is not a public address"),
        ("https://0x0a000001/".to_owned(), "leads to 10.0.0.1"),
        ("mcp+https://10.0.0.1/mcp".to_owned(), "leads to 10.0.0.1"),
        ("file:///etc/passwd".to_owned(), "only https is spoken"),
    ] {
        refused(&place, &[&url, "--id", "far"], 2, &["E_SOURCE", words]);
    }
    refused(&place, &["https://ada:hunter2@tools.example/"], 2, &["holds a user or a password"]);
    assert!(web.asked.lock().unwrap().is_empty(), "nobody was asked");
    refused(&place, &["http://tools.example/", "--allow-private"], 2, &["only https is spoken"]);
}

#[test]
fn a_bad_answer_is_said_of_its_source() {
    bad_url(|_| Vec::new(), &["E_SOURCE", "did not answer within 3 s"]);
    bad_url(
        |_| b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n[".to_vec(),
        &["E_SOURCE", "did not answer"],
    );
    bad_url(
        |_| b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{\"tools\": []}".to_vec(),
        &["E_CATALOG", "is not JSON"],
    );
    bad_url(
        |_| b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n[".to_vec(),
        &["E_SOURCE", "answers with more than 32768 KiB"],
    );
    bad_url(
        |_| b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n".to_vec(),
        &["E_SOURCE", "redirects to another address (302)"],
    );
    bad_url(
        |_| {
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\nx"
                .to_vec()
        },
        &["E_SOURCE", "compressed"],
    );
    bad_url(|_| said("500 Oh", "text/plain", "hunter"), &["E_SOURCE", "answers with the status 500"]);
    bad_url(|_| said("401 Who", "text/plain", ""), &["E_SOURCE", "wants to know who asks", "--secret NAME"]);
    bad_url(|_| said("200 OK", "text/html; charset=utf-8", "<html>"), &["E_SOURCE", "answers with `text/html`"]);
    bad_url(|_| said("200 OK", "", "<html>"), &["E_CATALOG", "is HTML or XML"]);
    bad_url(
        |_| said("200 OK", "application/json", b"[\n\"\xff\"]"),
        &["E_SOURCE", "is not UTF-8 from byte 3 on, in line 2"],
    );
    bad_url(|_| web::json("tools:\n- name: a\n"), &["E_CATALOG", "is not JSON"]);
    bad_url(|_| web::json("{\"tools\": {}}"), &["E_CATALOG", "`tools` is not a list"]);
    bad_url(|_| web::json("[]"), &["E_CATALOG", "offers no tools"]);
}

#[test]
fn an_openapi_document_is_one_tool_an_operation() {
    let place = Place::small();
    let operation = |id: &str| {
        format!(
            "operationId: {id}, summary: Works on the orders of a shop, responses: {{ \"200\": {{ description: ok }} }}"
        )
    };
    let (get, delete) = (operation("orders.all"), operation("orders.cancelled"));
    place.write(
        "orders.yaml",
        format!("openapi: 3.0.3\ninfo: {{ title: T, version: \"1\" }}\npaths:\n  /orders:\n    get: {{ {get} }}\n    delete: {{ {delete} }}\n"),
    );
    let run = place.run(&["import", "orders.yaml"]);
    assert_eq!(run.code, 0, "{run:?}");
    let document = read(&place, "policies/catalogs/orders.yaml");
    assert!(document.contains("format: openapi }"), "{document}");
    assert!(document.contains("  orders.all:\n") && document.contains("  orders.cancelled:\n"), "{document}");
    place.write("bad.json", r#"{"openapi": "3.0.3", "paths": 7}"#);
    refused(&place, &["bad.json"], 1, &["E_CATALOG", "`bad.json`"]);
}

#[test]
fn a_byte_order_mark_and_yaml_are_read() {
    for (kind, body) in [
        ("application/json", format!("\u{feff}{TOOLS}")),
        ("application/yaml", "- name: a\n  description: A tool.\n".to_owned()),
    ] {
        let place = Place::small();
        let web = serve(move |_| said("200 OK", kind, &body));
        let run = place.run(&["import", &format!("{}/x", web.url), "--allow-private", "--id", "far"]);
        assert_eq!(run.code, 0, "{run:?}");
    }
}

fn tool(name: &str) -> Value {
    json!({ "name": name, "title": "T", "description": "Lists the things.", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } })
}

#[test]
fn the_pages_of_a_live_server_are_joined() {
    let place = Place::small();
    let web = serve(|asked| {
        let answer = mcp(asked, |asked| match asked.body["params"]["cursor"].as_str() {
            None => {
                json!({ "tools": [tool("a"), { "name": 7 }, { "name": "b", "inputSchema": false }], "nextCursor": "two" })
            }
            Some(_) => json!({ "tools": [tool("c")] }),
        });
        let text = String::from_utf8(answer).unwrap();
        text.replacen("content-type", "mcp-session-id: s1\r\ncontent-type", 1).into_bytes()
    });
    let url = format!("{}/mcp?key=hunter2", web.url);
    let run = place.run(&["import", "--mcp", &url, "--allow-private", "--id", "far"]);
    assert_eq!(run.code, 0, "{run:?}");
    let catalog: Value = serde_json::from_str(&read(&place, "catalogs/far.json")).unwrap();
    assert_eq!(catalog["tools"], json!([tool("a"), { "name": 7 }, { "name": "b", "inputSchema": false }, tool("c")]));
    let document = read(&place, "policies/catalogs/far.yaml");
    assert!(document.contains(&format!("imported: {{ from: \"{}/mcp\", format: mcp }}", web.url)), "{document}");
    let asked = web.asked.lock().unwrap().clone();
    let last = asked.iter().rfind(|asked| asked.method() == "tools/list").unwrap();
    assert_eq!(last.header("mcp-session-id").as_deref(), Some("s1"));
    assert_eq!(last.header("mcp-protocol-version").as_deref(), Some("2025-11-25"));
    assert!(asked.iter().any(|asked| asked.head.starts_with("DELETE ")), "the session is ended");
    let once = files(&place);
    assert_eq!(place.run(&["import", &format!("mcp+{url}"), "--allow-private", "--id", "far"]).code, 0);
    assert_eq!(files(&place), once);
}

#[test]
fn a_stream_of_events_is_read_until_the_answer() {
    let place = Place::small();
    let web = serve(|asked| {
        let answer = mcp(asked, |_| json!({ "tools": [tool("a")] }));
        let body = String::from_utf8(answer).unwrap().split_once("\r\n\r\n").unwrap().1.to_owned();
        if asked.method() != "tools/list" {
            return mcp(asked, |_| Value::Null);
        }
        let note =
            json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "info", "data": "hi" } });
        // The stream stays open: its length is not said, and the answer is not its end.
        format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hello\n\nevent: message\ndata: {note}\n\ndata: {body}\n\ndata: {{").into_bytes()
    });
    let run = place.run(&["import", "--mcp", &web.url, "--allow-private", "--id", "far"]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[track_caller]
fn bad_server(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static, words: &[&str]) {
    let place = Place::small();
    let web = serve(answer);
    let code = if words.contains(&"E_CATALOG") { 1 } else { 2 };
    let arguments = ["--mcp", &web.url, "--allow-private", "--id", "far", "--within", "3", "--max-bytes", "1000000"];
    refused(&place, &arguments, code, &[words, &[web.url.as_str()]].concat());
}

#[test]
fn a_bad_server_is_said_to_be_one() {
    let error = |asked: &Asked| json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": { "code": -32000, "message": "no licence" } });
    bad_server(move |asked| web::json(&error(asked).to_string()), &["E_SOURCE", "it refuses: no licence (-32000)"]);
    bad_server(|_| Vec::new(), &["E_SOURCE", "did not answer within 3 s"]);
    bad_server(|_| said("500 Oh", "text/html", "<html>"), &["E_SOURCE", "it answers with the status 500"]);
    bad_server(|_| said("200 OK", "text/html", "<html>"), &["E_SOURCE", "it answers with `text/html`"]);
    bad_server(|_| said("401 Who", "", ""), &["E_SOURCE", "it wants to know who asks (401)"]);
    bad_server(|_| web::json("{\"tools\": []}"), &["E_SOURCE", "no message of MCP"]);
    bad_server(|_| said("200 OK", "application/json", b"\xff"), &["E_SOURCE", "not UTF-8"]);
    bad_server(|_| said("202 Accepted", "", ""), &["E_SOURCE", "without having answered"]);
    bad_server(|_| said("200 OK", "text/event-stream", "data: \n\n"), &["E_SOURCE", "without having answered"]);
    bad_server(
        |_| b"HTTP/1.1 307 There\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n".to_vec(),
        &["E_SOURCE", "redirects to another address (307)"],
    );
    bad_server(|asked| mcp(asked, |_| json!({ "tools": 3 })), &["E_SOURCE", "holds no list `tools`"]);
    bad_server(|asked| mcp(asked, |_| json!({ "tools": [] })), &["E_CATALOG", "offers no tools"]);
    bad_server(|asked| mcp(asked, |_| json!({ "tools": [], "nextCursor": "x" })), &["E_SOURCE", "round in a circle"]);
    let next = |asked: &Asked| asked.body["params"]["cursor"].as_str().unwrap_or_default().to_owned() + "x";
    bad_server(
        move |asked| mcp(asked, |asked| json!({ "tools": [], "nextCursor": next(asked) })),
        &["E_SOURCE", "more than 100 pages"],
    );
    let long = "x".repeat(300_000);
    bad_server(
        move |asked| mcp(asked, |asked| json!({ "tools": [long], "nextCursor": next(asked) })),
        &["E_SOURCE", "answers with more than 976 KiB"],
    );
}

/// A place where the secret `token` of the catalog `far` is this.
fn with_secret(value: &str) -> Place {
    let place = Place::small();
    fs::create_dir_all(place.path(".ambit/secrets/acme/far")).unwrap();
    place.write(".ambit/secrets/acme/far/token", value);
    for folder in [".ambit", ".ambit/secrets", ".ambit/secrets/acme", ".ambit/secrets/acme/far"] {
        fs::set_permissions(place.path(folder), fs::Permissions::from_mode(0o700)).unwrap();
    }
    fs::set_permissions(place.path(".ambit/secrets/acme/far/token"), fs::Permissions::from_mode(0o600)).unwrap();
    place
}

const WITH_TOKEN: [&str; 7] = ["--allow-private", "--id", "far", "--tenant", "acme", "--secret", "token"];

#[test]
fn a_server_that_says_the_secret_again_is_masked_or_refused() {
    let secret = "sk-9f\"2/Zq71";
    let place = with_secret(secret);
    let token = |asked: &Asked| asked.header("authorization").unwrap_or_default();
    let refusal = |asked: &Asked, words: String| {
        let error = json!({ "code": 1, "message": words });
        web::json(&json!({ "jsonrpc": "2.0", "id": asked.body["id"], "error": error }).to_string())
    };
    let spelled = |text: &str| text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
    let as_mcp = |answer: &dyn Fn(&Asked) -> Vec<u8>, asked: &Asked| match asked.method() {
        "tools/list" => answer(asked),
        _ => mcp(asked, |_| Value::Null),
    };
    let no_secret = |arguments: &[&str], words: &[&str]| {
        let mut command = place.command(&[&["import"][..], arguments, &WITH_TOKEN].concat());
        // Libraries that log what they hear log it then.
        command.env("AMBIT_LOG", "trace");
        let run = refused_command(&place, command, 2, words);
        let said = format!("{}{}", run.out, run.err).to_lowercase();
        for part in ["sk-9f", "2/zq71", &spelled("sk-9f")] {
            assert!(!said.contains(part), "{run:?}");
        }
    };
    let web = serve(move |asked| refusal(asked, format!("you sent {}", token(asked))));
    no_secret(&["--mcp", &web.url], &["E_SOURCE", "it refuses: you sent Bearer *** (1)"]);
    // It is masked before it is cut, and in a long text too.
    let web = serve(move |asked| refusal(asked, format!("{}{}", "x".repeat(190), token(asked))));
    no_secret(&["--mcp", &web.url], &["E_SOURCE", "it refuses: xxx"]);
    let web = serve(move |asked| refusal(asked, spelled(&token(asked))));
    no_secret(&["--mcp", &web.url], &["E_SOURCE", "it refuses: *** (1)"]);
    let web = serve(move |asked| said("200 OK", &format!("text/{}", token(asked).replace(' ', "-")), "x"));
    no_secret(&["--mcp", &web.url], &["E_SOURCE", "it answers with `text/bearer-***`"]);
    no_secret(&[&web.url], &["E_SOURCE", "answers with `text/bearer-***`"]);
    // In a tool it refuses the source, however it is written there.
    let echo = move |asked: &Asked| {
        mcp(
            asked,
            |asked| json!({ "tools": [tool("a"), { "name": "b", "description": token(asked), "inputSchema": {} }] }),
        )
    };
    let web = serve(echo);
    no_secret(&["--mcp", &web.url], &["E_SOURCE", "offers holds a secret of this import"]);
    let key = move |asked: &Asked| {
        let key = spelled(token(asked).strip_prefix("Bearer ").unwrap_or_default());
        let tools = format!(r#"[{{"name":"a","inputSchema":{{"properties":{{"{key}":{{}}}}}}}}]"#);
        web::json(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":{tools}}}}}"#, asked.body["id"]))
    };
    let web = serve(move |asked| as_mcp(&key, asked));
    no_secret(&["--mcp", &web.url], &["E_SOURCE", "offers holds a secret of this import"]);
    let web = serve(move |asked| {
        said("200 OK", "application/yaml", format!("- name: a\n  description: '{}'\n", token(asked)))
    });
    no_secret(&[&web.url], &["E_SOURCE", "offers holds a secret of this import"]);
    // What would have been refused anyway does not show it either.
    let web = serve(move |asked| said("200 OK", "application/yaml", format!("'{}': [\n", token(asked))));
    no_secret(&[&web.url], &["E_SOURCE", "offers holds a secret of this import"]);
}

#[test]
fn a_short_secret_is_masked_and_refuses_nothing() {
    let place = with_secret("ist");
    let web = serve(|asked| mcp(asked, |_| json!({ "tools": [tool("list")] })));
    let run = place.run(&[&["import", "--mcp", &web.url][..], &WITH_TOKEN].concat());
    assert_eq!(run.code, 0, "{run:?}");
}

/// What a server of HTTP or a program answers, of which only the first tool is as it should be.
const ODD: &str = r#"{"name":"sound","description":"Lists the orders.","inputSchema":{}},{"name":"huge","description":"Counts the orders.","inputSchema":{"type":"object","properties":{"a":{"minimum":-1e400}}}},{"name":"half \ud800","description":"Reads half a name.","inputSchema":{}}"#;

#[test]
fn one_odd_tool_does_not_refuse_the_others() {
    let list = |tools: String| {
        serve(move |asked| match asked.method() {
            "tools/list" => {
                web::json(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"tools":[{tools}]}}}}"#, asked.body["id"]))
            }
            _ => mcp(asked, |_| Value::Null),
        })
    };
    let deep = format!(
        r#"{{"name":"deep","description":"Lists all.","inputSchema":{}1{}}}"#,
        r#"{"a":"#.repeat(50_000),
        "}".repeat(50_000)
    );
    let web = list(format!("{ODD},{deep}"));
    let place = Place::small();
    let run = place.run(&["import", "--mcp", &web.url, "--allow-private", "--id", "far"]);
    assert!(run.code == 0 && run.out.contains("3 tools of "), "{run:?}");
    assert!(format!("{}{}", run.out, run.err).contains("warning[W_SOURCE]"), "{run:?}");
    assert!(
        format!("{}{}", run.out, run.err).contains("the tool at position 4 nests deeper than 128 levels"),
        "{run:?}"
    );
    let catalog = read(&place, "catalogs/far.json");
    assert!(catalog.contains("\"minimum\": -1e400\n") && catalog.contains("\"half \\ud800\""), "{catalog}");
    // A file of the same text gives the same.
    let other = Place::small();
    other.write("far.json", format!("[{ODD},{deep}]"));
    assert_eq!(other.run(&["import", "far.json"]).code, 0);
    assert_eq!(read(&other, "catalogs/far.json"), catalog);
    // So does a program.
    let program = Place::small();
    let run = program.run(&["import", "--id", "far", "--stdio", SERVER, "odd"]);
    assert!(run.code == 0 && run.out.contains("3 tools of "), "{run:?}");
    assert_eq!(read(&program, "catalogs/far.json"), catalog);
    let only = list(deep);
    refused(
        &place,
        &["--mcp", &only.url, "--allow-private", "--id", "deep"],
        1,
        &["E_CATALOG", "position 1 nests deeper"],
    );
}

#[test]
fn a_program_ends_with_all_that_it_started() {
    let place = Place::small();
    // How long each sleeps is how it is known again.
    let ours = |seconds: &str| {
        let folders = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let lines = folders.filter_map(|folder| fs::read(folder.path().join("cmdline")).ok());
        lines.filter(|line| *line == format!("sleep\0{seconds}\0").into_bytes()).count()
    };
    // What is killed needs a moment to go.
    let left = |seconds: &str| {
        let tries = (0..100).map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            ours(seconds)
        });
        tries.take_while(|left| *left > 0).count() == 100
    };
    let run = ["import", "--id", "x", "--within", "1", "--stdio", "sh", "-c"];
    // It hangs; it answers nothing and is gone; and it is interrupted.
    let hung = place.run(&[&run[..], &["sleep 78011 & sleep 78011"]].concat());
    assert!(hung.code == 2 && hung.err.contains("did not answer within 1 s"), "{hung:?}");
    assert!(!left("78011"));
    let gone = place.run(&[&run[..], &["sleep 78012 >&- & sleep 0.1"]].concat());
    assert!(gone.code == 2 && !left("78012"), "{gone:?}");
    let served = format!("sleep 78013 & exec {SERVER}");
    let served = place.run(&[&run[..], &[served.as_str()]].concat());
    assert!(served.code == 0 && !left("78013"), "{served:?}");
    let interrupted = ["import", "--id", "y", "--within", "30", "--stdio", "sh", "-c", "sleep 78014 & sleep 78014"];
    let mut child = place.command(&interrupted).spawn().unwrap();
    while ours("78014") < 2 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(child.try_wait().unwrap().is_none());
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert!(child.wait().unwrap().code() == Some(2) && !left("78014"));
}

const SERVER: &str = env!("CARGO_BIN_EXE_mcp_server");

#[test]
fn a_program_is_a_source_too() {
    let place = Place::small();
    let mut command = place.command(&["import", "--id", "files", "--stdio", SERVER, "garbage", "--key=hunter2"]);
    let run: Run = command.env("AMBIT_SECRET_ACME_CRM_TOKEN", "hunter2").output().unwrap().into();
    assert_eq!(run.code, 0, "{run:?}");
    let catalog: Value = serde_json::from_str(&read(&place, "catalogs/files.json")).unwrap();
    assert_eq!(catalog["tools"][0]["name"], "files.read");
    // It sees none of ambit's own variables.
    assert_eq!(catalog["tools"][1], json!({ "name": "env", "description": "", "inputSchema": true }));
    let document = read(&place, "policies/catalogs/files.yaml");
    assert!(document.contains("imported: { from: \"stdio:mcp_server\", format: mcp }"), "{document}");
    assert!(!format!("{:?}{run:?}", files(&place)).contains("hunter2"));
}

#[test]
fn a_bad_program_is_said_to_be_one() {
    let place = Place::small();
    for (how, words) in [
        ("refuses", "it refuses: no licence (-32000)"),
        ("exits", "it closes the connection before it answers"),
        ("silent", "did not answer within 2 s"),
        ("floods", "it answers with more than 488 KiB"),
        ("broken", "no message of MCP: "),
    ] {
        let arguments = ["--id", "x", "--within", "2", "--max-bytes", "500000", "--stdio", SERVER, how];
        refused(&place, &arguments, 2, &["E_SOURCE", "`stdio:mcp_server`", words]);
    }
    refused(&place, &["--id", "x", "--stdio", "/nowhere/at-all"], 2, &["E_SOURCE", "the program does not start"]);
    let run = place.run(&["import", "--id", "x", "--tenant", "acme", "--secret", "token", "--stdio", SERVER]);
    assert!(run.code == 2 && run.err.contains("a program is not given a secret"), "{run:?}");
}
