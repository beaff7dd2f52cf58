//! From MCP servers, over HTTP and as programs: their pages are joined, one odd tool costs no other, no secret is repeated, and
//! whatever a server does wrong is said of it by name, with nothing written.

use std::fs;
use std::process::Command;

use ambit_tests::{Place, Run};
use serde_json::{Value, json};

use super::web::{self, Asked, mcp, said, serve};
use super::{files, read, refused, refused_command, with_secret};

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
