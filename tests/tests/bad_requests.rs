//! Bad requests, pages of other sites, clients that hang and made-up addresses: each is refused plainly, and nobody else notices.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ambit_tests::server::{Reply, Server, make_key, rest, served};
use serde_json::json;

const QUESTION: &str = r#"{"question": "Which invoices are overdue?"}"#;
/// Largest body, in bytes.
const LARGEST: usize = 1024 * 1024;
const PAGES: [&str; 6] = ["/", "/intake", "/snapshots", "/snapshots/diff", "/snapshots/1/rollback", "/route"];

/// Sends a form, as a browser without scripts does.
#[track_caller]
fn form(server: &Server, path: &str, cookie: &str, fields: &str) -> Reply {
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let headers = [kind, ("accept", "text/html"), ("cookie", cookie)];
    server.send("POST", path, &headers, Some(fields.as_bytes()))
}

/// Signs in, and gives the session's cookie.
#[track_caller]
fn sign_in(server: &Server, key: &str, cookie: &str) -> String {
    let reply = form(server, "/api/ui/sign_in", cookie, &format!("key={key}&next=/intake"));
    assert!(matches!(reply.status, 302 | 303), "{reply:?}");
    assert_eq!(reply.header("location"), "/intake");
    let (cookie, attributes) = reply.header("set-cookie").split_once(';').unwrap_or_default();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(attributes.contains(attribute), "{attribute} in {attributes}");
    }
    cookie.to_owned()
}

fn page(server: &Server, path: &str, cookie: &str) -> Reply {
    server.send("GET", path, &[("cookie", cookie)], None)
}

/// What a person reads on a page.
fn words(html: &str) -> String {
    let mut inside = false;
    let visible = |&c: &char| {
        inside = inside || c == '<';
        let kept = !inside;
        inside = inside && c != '>';
        kept
    };
    let body = html.split("<body").nth(1).unwrap_or("").split("<script").next().unwrap_or("");
    body.chars().filter(visible).collect()
}

/// Half a request, on a connection that stays open.
fn hang(server: &Server, bytes: &str) -> TcpStream {
    let mut stream = server.connect();
    // A server that closes at once is found out when the answer is read.
    drop(stream.write_all(bytes.as_bytes()));
    stream
}

#[test]
fn bodies_that_are_no_route_request() {
    let served = served();
    let deep = "[".repeat(100_000);
    let nested = format!("{{\"question\": {deep}");
    let long = json!({ "question": "invoices ".repeat(1_000) }).to_string();
    let cases: [(&[u8], &str); 17] = [
        (b"", "E_REQUEST"),
        (b"{", "E_REQUEST"),
        (b"question: hello", "E_REQUEST"),
        (b"{\"question\": \"\xff\xfe\"}", "E_REQUEST"),
        (deep.as_bytes(), "E_REQUEST"),
        (nested.as_bytes(), "E_REQUEST"),
        (b"null", "E_REQUEST"),
        (b"{}", "E_REQUEST"),
        (b"{\"question\": 7}", "E_REQUEST"),
        (b"{\"question\": \"hello\", \"limit\": 3}", "E_REQUEST"),
        (b"{\"question\": \"hello\", \"ambiguity\": \"maybe\"}", "E_REQUEST"),
        (b"{\"question\": \"hello\", \"k\": -1}", "E_REQUEST"),
        (b"{\"question\": \"hello\"} and more", "E_REQUEST"),
        (b"{\"question\": \"hello\", \"k\": 0}", "E_LIMIT"),
        (b"{\"question\": \"hello\", \"k\": 9}", "E_LIMIT"),
        (b"{\"question\": \" \\n \"}", "E_QUESTION"),
        (long.as_bytes(), "E_QUESTION"),
    ];
    for (body, code) in cases {
        served.server.post("/v1/route", &served.key, body).refused(400, code);
    }
    served.server.post("/v1/plans/validate", &served.key, "{\"decision\": tools").refused(400, "E_VALUE");
    served.server.post("/v1/plans/validate", &served.key, &deep).refused(400, "E_VALUE");
    served.server.get("/v1/tools?form=mcp", &served.key).refused(400, "E_REQUEST");
    served.server.get("/v1/tools?format=yaml", &served.key).refused(400, "E_REQUEST");
    served.server.get("/v1/snapshots/diff?from=one", &served.key).refused(400, "E_REQUEST");
    assert_eq!(served.server.post("/v1/route", &served.key, QUESTION).status, 200);
}

#[test]
fn bodies_of_another_size_or_kind() {
    let served = served();
    let padded = |bytes: usize| format!("{QUESTION}{}", " ".repeat(bytes - QUESTION.len()));
    assert_eq!(served.server.post("/v1/route", &served.key, padded(LARGEST)).status, 200);
    for path in ["/v1/route", "/v1/plans/validate"] {
        served.server.post(path, &served.key, padded(LARGEST + 1)).refused(413, "E_TOO_LARGE");
    }
    let bearer = format!("Bearer {}", served.key);
    let send = |kind: &str| {
        let headers = [("authorization", bearer.as_str()), ("content-type", kind)];
        served.server.send("POST", "/v1/route?project=finance", &headers, Some(QUESTION.as_bytes()))
    };
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
        send(kind).refused(415, "E_MEDIA_TYPE");
    }
    for kind in ["application/json", "Application/JSON; charset=utf-8"] {
        assert_eq!(send(kind).status, 200, "{kind}");
    }
}

#[test]
fn pages_of_other_sites_change_nothing() {
    let served = served();
    let (server, cookie) = (&served.server, sign_in(&served.server, &served.key, ""));
    let foreign = [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://127.0.0.1:1"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ];
    let bearer = format!("Bearer {}", served.key);
    for path in
        ["/v1/route", "/v1/snapshots/1/rollback", "/v1/nothing", "/api/ui/sign_in", "/api/ui/sign_out", "/theme"]
    {
        for header in foreign {
            let headers = [
                header,
                ("content-type", "application/json"),
                ("authorization", bearer.as_str()),
                ("cookie", cookie.as_str()),
            ];
            server.send("POST", path, &headers, Some(QUESTION.as_bytes())).refused(403, "E_ORIGIN");
        }
    }
    assert_eq!(page(server, "/intake", &cookie).status, 200, "the session is still open");
    let own = format!("http://{}", server.address());
    let headers = [("origin", own.as_str()), ("sec-fetch-site", "same-origin"), ("cookie", cookie.as_str())];
    assert_eq!(server.send("POST", "/api/ui/overview", &headers, Some(b"".as_slice())).status, 200);
}

#[test]
fn an_address_in_use_is_said_and_left_alone() {
    let served = served();
    let address = served.server.address();
    let run = served.place.run(&["serve", "--listen", address, "--data", "other", "--format", "json"]);
    assert_eq!(run.code, 2, "{run:?}");
    let error = run.json()["error"].clone();
    assert_eq!(error["code"], "E_ADDRESS");
    assert!(error["message"].as_str().unwrap().contains(address), "{error}");
    assert!(error["help"].as_str().unwrap().contains("--listen"), "{error}");
    assert!(!served.place.path("other").exists(), "nothing was begun");
    assert_eq!(served.server.post("/v1/route", &served.key, QUESTION).status, 200);
}

/// Takes 30 seconds: so long the server waits for a body.
#[test]
fn clients_that_hang_are_let_go_and_hold_up_nobody() {
    let served = served();
    let begun = Instant::now();
    let head = "POST /v1/route HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let body = format!("{head}authorization: Bearer {}\r\ncontent-length: 100\r\n\r\n{{\"question\":", served.key);
    let mut without_body = hang(&served.server, &body);
    let halves = (0..20).map(|_| hang(&served.server, "GET /v1/health HTTP/1.1\r\nhost: x\r\nx-half: "));
    let silent = (0..20).map(|_| hang(&served.server, ""));
    let hanging: Vec<TcpStream> = halves.chain(silent).collect();
    for _ in 0..5 {
        let asked = Instant::now();
        assert_eq!(served.server.post("/v1/route", &served.key, QUESTION).status, 200);
        assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    }
    for mut stream in hanging {
        let said = rest(&mut stream);
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 408"), "{said}");
    }
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let said = rest(&mut without_body);
    assert!(said.starts_with("HTTP/1.1 408 ") && said.contains("\"E_TIMEOUT\""), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(45), "{:?}", begun.elapsed());
}

#[test]
fn bytes_that_are_no_request() {
    let served = served();
    let check = |bytes: &str, status: &str| {
        let said = served.server.raw(bytes.as_bytes());
        assert!(said.starts_with(&format!("HTTP/1.1 {status} ")), "{bytes:.40}: {said}");
    };
    check("\u{16}\u{3}\u{1}\r\n\r\n", "400");
    check("GET /v1/health HTTP/9.9\r\n\r\n", "400");
    check("POST /v1/route HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n", "400");
    check(&format!("GET /v1/health HTTP/1.1\r\nhost: x\r\n{}\r\n", "x-more: 1\r\n".repeat(300)), "431");
    assert_eq!(served.server.open("/v1/health").status, 200);
}

#[test]
fn pages_ask_who_is_there_and_go_on_to_own_pages_only() {
    let served = served();
    let server = &served.server;
    for path in PAGES.into_iter().chain(["/nothing"]) {
        let reply = server.open(path);
        assert_eq!((reply.status, reply.header("location")), (303, format!("/sign-in?next={path}").as_str()));
    }
    let reply = server.open("/intake?catalog=crm&code=E_NAME");
    assert_eq!(reply.header("location"), "/sign-in?next=/intake%3Fcatalog%3Dcrm%26code%3DE_NAME");
    for next in
        ["//evil.example", "https://evil.example", "/%5Cevil.example", "javascript:alert(1)", "%2F%2Fevil.example"]
    {
        let reply = form(server, "/api/ui/sign_in", "", &format!("key={}&next={next}", served.key));
        assert_eq!(reply.header("location"), "/", "{next}");
        let reply = form(server, "/theme", "", &format!("theme=dark&next={next}"));
        assert_eq!((reply.status, reply.header("location")), (303, "/"), "{next}");
    }
    for name in ["overview", "intake", "snapshots", "diff", "route", "rollback"] {
        let reply = server.send("POST", &format!("/api/ui/{name}"), &[], Some(b"".as_slice()));
        assert_eq!((reply.status, reply.json()), (401, json!("E_KEY")), "{name}");
    }
}

#[test]
fn a_session_is_new_at_each_sign_in_and_ends_at_once() {
    let served = served();
    let (server, key) =
        (&served.server, make_key(&served.place, &["--name", "operator", "--as", "acme:user:platform"]));
    let first = sign_in(server, &key, "");
    assert_eq!(page(server, "/intake", &first).status, 200);
    let second = sign_in(server, &key, &first);
    assert_ne!(first, second);
    assert_eq!(page(server, "/intake", &first).status, 303, "the former session has ended");
    assert_eq!(page(server, "/intake", &second).status, 200);
    let reply = form(server, "/api/ui/sign_out", &second, "");
    assert_eq!(reply.header("location"), "/sign-in");
    assert!(reply.header("set-cookie").contains("Max-Age=0"), "{reply:?}");
    assert_eq!(page(server, "/intake", &second).status, 303, "signed out");
    let third = sign_in(server, &key, "");
    assert_eq!(page(server, "/intake", &third).status, 200);
    let run = served.place.run(&["keys", "revoke", key.split('_').nth(1).unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(page(server, "/intake", &third).status, 303, "its key was revoked");
    assert_eq!(page(server, "/intake", "ambit_session=").status, 303);
    assert_eq!(page(server, "/intake", &format!("ambit_session={}", "0".repeat(64))).status, 303);
}

#[test]
fn a_wrong_key_comes_back_to_the_form_without_words_of_its_own() {
    let served = served();
    let server = &served.server;
    let referer = format!("http://{}/sign-in?next=/intake", server.address());
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let headers = [kind, ("accept", "text/html"), ("referer", referer.as_str())];
    let reply = server.send("POST", "/api/ui/sign_in", &headers, Some(b"key=made-up&next=/intake".as_slice()));
    assert_eq!(reply.header("set-cookie"), "");
    let back = reply.header("location");
    assert!(back.starts_with("/sign-in?next=/intake&") && !back.contains("made-up"), "{back}");
    let shown = words(&server.open(back).text());
    assert!(shown.contains("No key was given, or it is not known") && !shown.contains("made-up"), "{shown}");
    // A browser goes back only where the status says so (RFC 9110, 15.4).
    assert!(matches!(reply.status, 302 | 303), "{reply:?}");
}

#[test]
fn a_made_up_address_puts_no_words_on_a_page() {
    let served = served();
    // "made-up words" as JSON, the same without quotes, and "<b>made-up</b> words", in base64; then plain.
    let errors =
        ["Im1hZGUtdXAgd29yZHMi", "bWFkZS11cCB3b3Jkcw%3D%3D", "IjxiPm1hZGUtdXA8L2I%2BIHdvcmRzIg%3D%3D", "made-up+words"];
    let cookie = sign_in(&served.server, &served.key, "");
    for error in errors {
        for (path, action) in [("/sign-in", "sign_in"), ("/snapshots/1/rollback", "rollback"), ("/route", "route")] {
            let path = format!("{path}?__path=%2Fapi%2Fui%2F{action}&__err={error}");
            let text = page(&served.server, &path, &cookie).text();
            assert!(!words(&text).contains("made-up") && !text.contains("<b>made"), "{path}: {}", words(&text));
            assert!(words(&text).contains("Ambit"), "{path}: {}", words(&text));
        }
    }
}

#[test]
fn pages_run_no_script_but_their_own() {
    let served = served();
    let cookie = sign_in(&served.server, &served.key, "");
    let mut nonces = BTreeSet::new();
    for path in PAGES.into_iter().chain(["/sign-in", "/nothing"]) {
        let reply = page(&served.server, path, &cookie);
        let policy = reply.header("content-security-policy").to_owned();
        for part in ["default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{path}: {policy}");
        let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap().to_owned();
        let text = reply.text();
        for script in text.split("<script").skip(1) {
            let tag = script.split('>').next().unwrap();
            assert!(tag.contains(&format!("nonce=\"{nonce}\"")), "{path}: <script{tag}>");
        }
        assert!(!text.contains(" style=\"") && !text.contains("<style"), "{path}");
        assert!(nonces.insert(nonce), "{path}: a nonce is used once");
    }
}

#[test]
fn nothing_outside_is_served_and_nothing_is_done_by_a_get() {
    let served = served();
    let cookie = sign_in(&served.server, &served.key, "");
    let get = |path: &str, cookie: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n");
        served.server.raw(head.as_bytes())
    };
    let files = ["/.ambit/admin.key", "/static/../.ambit/admin.key", "/static/%2e%2e/.ambit/admin.key"];
    let more = ["/pkg/../.ambit/admin.key", "/pkg/..%2f.ambit/admin.key", "//.ambit/admin.key", "/policies/acme.yaml"];
    for path in files.into_iter().chain(more) {
        for cookie in ["", cookie.as_str()] {
            let said = get(path, cookie);
            assert!(!said.starts_with("HTTP/1.1 200"), "{path}: {said}");
            assert!(!said.contains(&served.key) && !said.contains("Acme Trading"), "{path}: {said}");
        }
    }
    for name in ["overview", "snapshots", "route?question=invoices&strict=false", "sign_out", "frame"] {
        let said = get(&format!("/api/ui/{name}"), &cookie);
        assert!(said.starts_with("HTTP/1.1 405") && !said.contains("sha256"), "{name}: {said}");
    }
    let said = get(&format!("/api/ui/sign_in?key={}&next=/", served.key), "");
    assert!(said.starts_with("HTTP/1.1 405") && !said.contains("set-cookie"), "{said}");
    assert_eq!(page(&served.server, "/intake", &cookie).status, 200, "the session is still open");
}
