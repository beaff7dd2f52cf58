//! `ambit import`: what each source offers lands in two files for review, twice with the same bytes; and whatever a source does
//! wrong is said of it by name, with nothing written.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot read its own files has failed")]

#[path = "import/servers.rs"]
mod servers;
#[path = "import/web.rs"]
mod web;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use ambit_tests::{Place, Run};
use serde_json::{Value, json};
use web::{Asked, said, serve};

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
