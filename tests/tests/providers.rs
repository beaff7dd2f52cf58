//! Identity providers: real ones, as processes of their own with keys of their own, reached over HTTP (tests/provider). What no
//! provider would sign is signed here with the provider's own key. Where there is no node a desk says so and goes on; CI fails.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot begin, or that gets what it cannot read, has nothing to say"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use ambit_tests::server::{Reply, Server, apply, until};
use ambit_tests::{Place, repository};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use ureq::http::Request;

/// How long a provider may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);
const TOOLS: &str = "/v1/tools?project=finance";
/// Base64 of `{"alg":"none","typ":"at+jwt"}`.
const NO_ALGORITHM: &str = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0";

/// A provider that runs.
struct Provider {
    child: Child,
    commands: ChildStdin,
    lines: Receiver<Value>,
    /// Its newest line: issuer and keys.
    told: Value,
}

impl Provider {
    /// Nothing where it cannot run, at a desk.
    fn start() -> Option<Self> {
        let script = repository().join("tests/provider/provider.mjs");
        if !repository().join("tests/provider/node_modules/oidc-provider").is_dir() {
            return lacking("the packages of tests/provider are not installed");
        }
        let Some(node) = in_path("node") else { return lacking("there is no node here") };
        let mut command = Command::new(node);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("node starts");
        let (commands, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                drop(serde_json::from_str(&line).map(|told: Value| tell.send(told)));
            }
        });
        let mut provider = Self { child, commands, lines, told: Value::Null };
        provider.listen();
        Some(provider)
    }

    fn listen(&mut self) {
        self.told = self.lines.recv_timeout(PATIENCE).expect("the provider says what it is");
    }

    fn command(&mut self, line: &str) {
        writeln!(self.commands, "{line}").expect("the provider listens");
        self.listen();
    }

    fn text(&self, key: &str) -> &str {
        self.told.get(key).and_then(Value::as_str).expect("a text")
    }

    fn issuer(&self) -> &str {
        self.text("issuer")
    }

    /// Its own access token for the client `svc-billing`.
    fn token(&self) -> String {
        let form = "grant_type=client_credentials&client_id=svc-billing&client_secret=svc-billing-secret";
        let reply = fetch("POST", &format!("{}/token", self.issuer()), &[], Some(form));
        reply.json().get("access_token").and_then(Value::as_str).expect("an access token").to_owned()
    }

    fn key(&self) -> EncodingKey {
        EncodingKey::from_rsa_der(&bytes(self.text("private_der")))
    }

    fn header(&self) -> Header {
        let mut header = Header::new(Algorithm::RS256);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some(self.text("kid").to_owned());
        header
    }

    /// The claims of an access token that is all right, but for these; null takes one away.
    fn claims(&self, more: Value) -> Value {
        let now = get_current_timestamp();
        let mut claims = json!({
            "iss": self.issuer(), "sub": "svc-billing", "aud": "ambit", "iat": now, "nbf": now, "exp": now + 300,
            "org": "acme", "groups": ["analysts"],
        });
        let members = claims.as_object_mut().unwrap();
        for (name, value) in more.as_object().unwrap() {
            members.insert(name.clone(), value.clone());
        }
        members.retain(|_, value| !value.is_null());
        claims
    }

    /// Such a token, signed with the provider's key.
    fn signed(&self, more: Value) -> String {
        encode(&self.header(), &self.claims(more), &self.key()).unwrap()
    }

    /// The same with another header.
    fn headed(&self, change: impl FnOnce(&mut Header)) -> String {
        let mut header = self.header();
        change(&mut header);
        encode(&header, &self.claims(json!({})), &self.key()).unwrap()
    }

    fn stop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A missing provider is no failure at a desk.
#[expect(clippy::print_stderr, reason = "whoever runs the tests has to know what was not tested")]
fn lacking<T>(what: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "{what}, and CI tests with a provider");
    eprintln!("skipped: {what} (`npm ci` in tests/provider brings it)");
    None
}

fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The bytes of a hexadecimal text.
fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// A request to anybody; redirects are not followed.
fn fetch(method: &str, url: &str, headers: &[(&str, &str)], form: Option<&str>) -> Reply {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None);
    let agent = config.timeout_global(Some(PATIENCE)).build().new_agent();
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let sent = match form {
        None => agent.run(request.body(()).unwrap()),
        Some(form) => {
            let request = request.header("content-type", "application/x-www-form-urlencoded");
            agent.run(request.body(form.as_bytes().to_vec()).unwrap())
        }
    };
    let mut answer = sent.expect("an answer");
    let body = answer.body_mut().read_to_vec().expect("a whole answer");
    Reply { status: answer.status().as_u16(), headers: answer.headers().clone(), body }
}

/// What acme says of its provider, which tokens of agents and people who sign in come from.
fn acme(provider: &Provider) -> String {
    format!(
        "identity:
  - issuer: {}
    audience: [ambit]
    algorithms: [RS256]
    token_type: at+jwt
    when: {{ org: acme }}
    user:
      principals: {{ svc-billing: agent:finance-bot }}
      undeclared: true
    roles:
      claim: groups
      map: {{ analysts: analyst }}
    sign_in:
      client: ambit-dashboard
      scopes: [email]
",
        provider.issuer()
    )
}

/// What globex says of its own, which sends no `typ` of access tokens.
fn globex(provider: &Provider) -> String {
    format!(
        "identity:
  - issuer: {}
    audience: [ambit]
    algorithms: [RS256]
    user:
      principals: {{ svc-billing: agent:people-bot }}
",
        provider.issuer()
    )
}

/// A server on the applied sample, with these declarations in its two tenants.
fn served(acme: &str, globex: &str) -> (Server, Place) {
    let place = Place::with_sample();
    place.edit("policies/acme.yaml", "name: Acme Trading\n", &format!("name: Acme Trading\n{acme}"));
    place.edit("policies/globex.yaml", "name: Globex\n", &format!("name: Globex\n{globex}"));
    apply(&place);
    (Server::start(&place), place)
}

#[track_caller]
fn accepted(server: &Server, token: &str) {
    let reply = server.get(TOOLS, token);
    assert_eq!(reply.status, 200, "{}\n{}", reply.text(), server.log());
}

#[track_caller]
fn refused(server: &Server, token: &str) {
    server.get(TOOLS, token).refused(401, "E_TOKEN");
}

#[test]
fn a_token_of_the_provider_lists_the_tools_of_its_agent() {
    let Some(provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    let reply = server.get(TOOLS, &provider.token());
    assert_eq!(reply.status, 200, "{}\n{}", reply.text(), server.log());
    assert!(reply.text().contains("billing/"), "{}", reply.text());
    accepted(&server, &provider.signed(json!({})));
    // A user whom nobody declared, with the role that its groups give, and one whose groups give none.
    accepted(&server, &provider.signed(json!({ "sub": "ada" })));
    let none = server.get(TOOLS, &provider.signed(json!({ "sub": "ben", "groups": [] })));
    assert_ne!(none.status, 401, "{}", none.text());
    assert!(!none.text().contains("billing/"), "{}", none.text());
}

#[test]
fn claims_are_required_and_true_and_clocks_may_differ_by_a_minute() {
    let Some(provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    let now = get_current_timestamp();
    accepted(&server, &provider.signed(json!({ "aud": ["others", "ambit"] })));
    accepted(&server, &provider.signed(json!({ "exp": now - 30 })));
    accepted(&server, &provider.signed(json!({ "nbf": now + 30 })));
    let wrong = [
        json!({ "aud": "others" }),
        json!({ "aud": ["others"] }),
        json!({ "aud": null }),
        json!({ "nbf": null }),
        json!({ "exp": null }),
        json!({ "iss": null }),
        json!({ "sub": null }),
        json!({ "exp": now - 120 }),
        json!({ "nbf": now + 120 }),
        json!({ "iss": "https://login.example" }),
        json!({ "iss": format!("{}/", provider.issuer()) }),
        json!({ "iss": [provider.issuer()] }),
        json!({ "org": "globex" }),
        json!({ "org": null }),
        json!({ "sub": "two words" }),
        json!({ "nonce": "of an ID token" }),
        json!({ "cnf": { "jkt": "of its holder" } }),
    ];
    for more in wrong {
        let reply = server.get(TOOLS, &provider.signed(more.clone()));
        assert_eq!(reply.status, 401, "{more}: {}", reply.text());
        reply.refused(401, "E_TOKEN");
    }
    accepted(&server, &provider.token());
}

#[test]
fn a_header_chooses_nothing_that_is_not_declared() {
    let Some(provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    let good = provider.signed(json!({}));
    accepted(&server, &good);
    accepted(&server, &provider.headed(|header| header.typ = Some("application/AT+JWT".to_owned())));

    let parts: Vec<&str> = good.split('.').collect();
    refused(&server, &format!("{NO_ALGORITHM}.{}.", parts[1]));
    refused(&server, &format!("{NO_ALGORITHM}.{}.{}", parts[1], parts[2]));
    refused(&server, &format!("{}.{}.", parts[0], parts[1]));
    refused(&server, &format!("{good}x"));

    // The public key, which everybody has, as a shared secret.
    let public = provider.text("public_pem").as_bytes().to_vec();
    let modulus = provider.told["private_jwk"]["n"].as_str().unwrap().as_bytes().to_vec();
    for secret in [public, modulus] {
        let mut header = provider.header();
        header.alg = Algorithm::HS256;
        refused(&server, &encode(&header, &provider.claims(json!({})), &shared(&secret)).unwrap());
    }
    // A key that the provider publishes too, of an algorithm that is not declared.
    let mut header = provider.header();
    (header.alg, header.kid) = (Algorithm::ES256, Some(provider.text("ec_kid").to_owned()));
    let elliptic = EncodingKey::from_ec_der(&bytes(provider.text("ec_private_der")));
    refused(&server, &encode(&header, &provider.claims(json!({})), &elliptic).unwrap());

    refused(&server, &provider.headed(|header| header.alg = Algorithm::RS512));
    refused(&server, &provider.headed(|header| header.kid = Some("made-up".to_owned())));
    refused(&server, &provider.headed(|header| header.kid = Some(provider.text("ec_kid").to_owned())));
    refused(&server, &provider.headed(|header| header.crit = Some(vec!["b64".to_owned()])));
    refused(&server, &provider.headed(|header| header.typ = None));
    refused(&server, &provider.headed(|header| header.typ = Some("JWT".to_owned())));
    refused(&server, &provider.headed(|header| header.typ = Some("logout+jwt".to_owned())));
    // Without an id the algorithm says which key it is, for there is one.
    accepted(&server, &provider.headed(|header| header.kid = None));
    accepted(&server, &good);
}

fn shared(secret: &[u8]) -> EncodingKey {
    EncodingKey::from_secret(secret).unwrap()
}

#[test]
fn issuers_are_not_confused() {
    let (Some(ours), Some(theirs)) = (Provider::start(), Provider::start()) else { return };
    let (server, _place) = served(&acme(&ours), &globex(&theirs));
    accepted(&server, &ours.signed(json!({})));

    // Theirs says that it is ours, with its own key's id and with that of our key.
    refused(&server, &theirs.signed(json!({ "iss": ours.issuer() })));
    let mut header = theirs.header();
    header.kid = Some(ours.text("kid").to_owned());
    refused(&server, &encode(&header, &theirs.claims(json!({ "iss": ours.issuer() })), &theirs.key()).unwrap());
    refused(&server, &encode(&ours.header(), &theirs.claims(json!({})), &ours.key()).unwrap());

    // Theirs is somebody of globex, whatever it says of acme, and nobody in acme.
    let people = server.get("/v1/tools?project=people", &theirs.signed(json!({})));
    assert_eq!(people.status, 200, "{}\n{}", people.text(), server.log());
    assert!(!people.text().contains("billing/"), "{}", people.text());
    for project in ["acme/finance", "finance"] {
        let reply = server.get(&format!("/v1/tools?project={project}"), &theirs.signed(json!({})));
        assert_eq!(reply.status, 403, "{}", reply.text());
    }

    // Where no type is declared, any token for access is taken, and still no ID token.
    let untyped = |claims: Value, typ: Option<&str>| {
        let mut header = theirs.header();
        header.typ = typ.map(str::to_owned);
        let token = encode(&header, &theirs.claims(claims), &theirs.key()).unwrap();
        server.get("/v1/tools?project=people", &token)
    };
    assert_eq!(untyped(json!({}), None).status, 200);
    assert_eq!(untyped(json!({}), Some("JWT")).status, 200);
    untyped(json!({ "nonce": "x" }), None).refused(401, "E_TOKEN");
    untyped(json!({ "at_hash": "x" }), Some("JWT")).refused(401, "E_TOKEN");
    untyped(json!({}), Some("logout+jwt")).refused(401, "E_TOKEN");
}

#[test]
fn new_keys_are_taken_and_old_ones_are_not_any_more() {
    let Some(mut provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    let old = provider.token();
    accepted(&server, &old);
    provider.command("rotate");
    let new = provider.token();
    // The server asks for keys again at most once in ten seconds, and is not asked too often itself.
    until("the new key is taken", || {
        thread::sleep(Duration::from_millis(500));
        server.get(TOOLS, &new).status == 200
    });
    refused(&server, &old);

    provider.stop();
    accepted(&server, &new);
    accepted(&server, &provider.signed(json!({})));
    refused(&server, &old);
}

#[test]
fn a_provider_that_is_not_there_is_not_the_callers_fault() {
    let Some(mut provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    let token = provider.token();
    provider.stop();
    server.get(TOOLS, &token).refused(503, "E_PROVIDER");
    // And a token that is nothing stays one.
    refused(&server, "non.sen.se");
    assert!(!server.log().contains(&token), "tokens are not logged");
}

/// A browser as far as it goes: cookies, each for its path.
#[derive(Default)]
struct Browser {
    cookies: Vec<(String, String, String)>,
}

impl Browser {
    fn send(&mut self, method: &str, url: &str, form: Option<&str>) -> Reply {
        let rest = url.strip_prefix("http://").expect("a URL");
        let path = format!("/{}", rest.split_once('/').map_or("", |(_, path)| path.split('?').next().unwrap()));
        let fitting = self.cookies.iter().filter(|(_, of, _)| path.starts_with(of.as_str()));
        let cookies: Vec<String> = fitting.map(|(name, _, value)| format!("{name}={value}")).collect();
        let reply = fetch(method, url, &[("cookie", cookies.join("; ").as_str())], form);
        for cookie in reply.headers.get_all("set-cookie") {
            self.keep(cookie.to_str().unwrap());
        }
        reply
    }

    fn keep(&mut self, cookie: &str) {
        let mut parts = cookie.split(';').map(str::trim);
        let (name, value) = parts.next().unwrap().split_once('=').unwrap();
        let path = parts.find_map(|part| part.strip_prefix("Path=").or(part.strip_prefix("path=")));
        let path = path.unwrap_or("/").to_owned();
        self.cookies.retain(|(known, of, _)| known != name || *of != path);
        if !value.is_empty() {
            self.cookies.push((name.to_owned(), path, value.to_owned()));
        }
    }

    fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.iter().find(|(known, ..)| known == name).map(|(_, _, value)| value.as_str())
    }

    /// Begins at the dashboard; the URL of the provider that it names.
    fn begin(&mut self, server: &Server, provider: &Provider) -> String {
        let reply =
            self.send("GET", &format!("http://{}/sign-in/with?tenant=acme&next=/route", server.address()), None);
        assert_eq!(reply.status, 200, "{}\n{}", reply.text(), server.log());
        assert!(self.cookie("ambit_sign_in").is_some(), "{:?}", reply.headers);
        let page = reply.text();
        let address = format!("{}/auth?", provider.issuer());
        let (_, rest) = page.split_once(&address).expect("a link to the provider");
        let query = rest.split(['"', '\'', '<']).next().unwrap().replace("&amp;", "&");
        let url = format!("{address}{query}");
        assert!(url.contains("code_challenge_method=S256") && url.contains("response_type=code"), "{url}");
        url
    }

    /// Signs in at the provider with this name; the URL that it sends the browser back to.
    fn sign_in_at(&mut self, provider: &Provider, mut url: String, name: &str) -> String {
        for _ in 0..10 {
            if !url.starts_with(provider.issuer()) {
                return url;
            }
            let mut reply = self.send("GET", &url, None);
            if reply.status == 200 {
                // A page that asks who it is, and then one that asks whether that is all right.
                let login = reply.text().contains(r#"value="login""#);
                let form =
                    if login { format!("prompt=login&login={name}&password=x") } else { "prompt=consent".to_owned() };
                reply = self.send("POST", &url, Some(&form));
            }
            let to = reply.header("location");
            assert!(!to.is_empty(), "{url}: {}", reply.text());
            url = if to.starts_with('/') { format!("{}{to}", provider.issuer()) } else { to.to_owned() };
        }
        panic!("the provider does not send the browser back, but to {url}");
    }
}

/// No session came of it.
#[track_caller]
fn not_signed_in(reply: &Reply) {
    assert_eq!(reply.status, 401, "{}", reply.text());
    let session = |cookie: &str| cookie.starts_with("ambit_session=") && !cookie.starts_with("ambit_session=;");
    let cookies: Vec<&str> = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(!cookies.iter().any(|cookie| session(cookie)), "{cookies:?}");
}

#[test]
fn a_person_signs_in_and_each_answer_counts_once_and_for_one_browser() {
    let Some(mut provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    provider.command(&format!("redirect http://{}/sign-in/acme/callback", server.address()));

    let mut browser = Browser::default();
    let url = browser.begin(&server, &provider);
    let back = browser.sign_in_at(&provider, url, "ada");
    assert!(back.starts_with(&format!("http://{}/sign-in/acme/callback?", server.address())), "{back}");

    // Nobody else's browser, nobody else's attempt, no other issuer, no other tenant.
    not_signed_in(&Browser::default().send("GET", &back, None));
    let mut other = Browser::default();
    other.begin(&server, &provider);
    not_signed_in(&other.send("GET", &back, None));
    let wrong = [
        back.replace("state=", "state=0"),
        back.replace("iss=", "iss=https%3A%2F%2Fevil.example%2F"),
        back.replace("code=", "code=0"),
        back.split("&iss=").next().unwrap().to_owned(),
    ];
    for url in wrong {
        let cookies = browser.cookies.clone();
        not_signed_in(&browser.send("GET", &url, None));
        // The attempt is over for a browser that brought nonsense; this one tries the next.
        browser.cookies = cookies;
    }

    let before = browser.cookies.clone();
    let reply = browser.send("GET", &back, None);
    assert_eq!((reply.status, reply.header("location")), (303, "/route"), "{}\n{}", reply.text(), server.log());
    let session = browser.cookie("ambit_session").expect("a session").to_owned();
    let page = server.send("GET", "/route", &[("cookie", &format!("ambit_session={session}"))], None);
    assert_eq!(page.status, 200, "{}", page.text());

    // The same answer again, even from a browser that has forgotten nothing.
    not_signed_in(&Browser { cookies: before }.send("GET", &back, None));
    for secret in [back.as_str(), session.as_str()] {
        assert!(!server.log().contains(secret), "what opens something is not logged");
    }
}

#[test]
fn who_does_not_belong_to_the_tenant_is_not_signed_in() {
    let Some(mut provider) = Provider::start() else { return };
    let (server, _place) = served(&acme(&provider), "");
    provider.command(&format!("redirect http://{}/sign-in/acme/callback", server.address()));
    let mut browser = Browser::default();
    let url = browser.begin(&server, &provider);
    let back = browser.sign_in_at(&provider, url, "otto");
    not_signed_in(&browser.send("GET", &back, None));
}

#[test]
fn a_session_ends_with_the_mapping_that_made_it() {
    let Some(mut provider) = Provider::start() else { return };
    let (server, place) = served(&acme(&provider), "");
    provider.command(&format!("redirect http://{}/sign-in/acme/callback", server.address()));
    let mut browser = Browser::default();
    let url = browser.begin(&server, &provider);
    let back = browser.sign_in_at(&provider, url, "ada");
    assert_eq!(browser.send("GET", &back, None).status, 303);
    let session = format!("ambit_session={}", browser.cookie("ambit_session").expect("a session"));
    let page = || server.send("GET", "/route", &[("cookie", session.as_str())], None);
    assert_eq!(page().status, 200);
    place.edit("policies/acme.yaml", "org: acme", "org: acme-trading");
    apply(&place);
    until("the session is over", || page().status != 200);
}
