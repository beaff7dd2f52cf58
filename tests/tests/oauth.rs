//! `ambit import` from an MCP server that wants a token of its authorization server: a client alone and a person with a browser get
//! one; whatever is wrong on the way is said, and nothing is written; and no secret, code or token is anywhere afterwards.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot ask its own servers has failed")]

#[path = "oauth/authority.rs"]
mod authority;
#[path = "import/web.rs"]
mod web;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use ambit_tests::{Place, Run};
use authority::{Parties, SECRETS, Says, form};
use serde_json::json;
use web::said;

/// The command, with the client's secret where `ambit secrets` says that it belongs, and everything logged.
fn import(place: &Place, parties: &Parties, more: &[&str]) -> Command {
    let url = format!("{}/mcp?key=hunter2-query", parties.mcp.url);
    let first = ["import", "--mcp", &url, "--id", "far", "--tenant", "acme", "--allow-private", "--within", "5"];
    let mut command = place.command(&[&first, more].concat());
    command.env("AMBIT_SECRET_ACME_FAR_CI", "hunter2-secret").env("AMBIT_LOG", "trace");
    command
}

const ALONE: [&str; 4] = ["--oauth-client", "ci", "--oauth-secret", "ci"];

/// Runs it while somebody with a browser opens the page that it shows, and is led back from there.
fn with_browser(mut command: Command, changed: impl Fn(&str) -> String) -> Run {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut shown = BufReader::new(child.stderr.take().unwrap());
    let mut err = String::new();
    let page = loop {
        let mut line = String::new();
        if shown.read_line(&mut line).unwrap() == 0 {
            break None;
        }
        err.push_str(&line);
        if line.starts_with("http") {
            break Some(line.trim().to_owned());
        }
    };
    if let Some(page) = page {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false).build().into();
        let answer = agent.get(&page).call().unwrap();
        let back = changed(answer.headers()["location"].to_str().unwrap());
        // A browser asks for other things of the place too, and opens connections that it does not use.
        let home = back.split("/callback").next().unwrap();
        let idle = std::net::TcpStream::connect(home.strip_prefix("http://").unwrap()).unwrap();
        assert_eq!(agent.get(format!("{home}/favicon.ico")).call().unwrap().status(), 404);
        assert_eq!(agent.get(&back).call().unwrap().status(), 200);
        drop(idle);
    }
    shown.read_to_string(&mut err).unwrap();
    let output = child.wait_with_output().unwrap();
    Run { err, ..output.into() }
}

fn unchanged(back: &str) -> String {
    back.to_owned()
}

fn written(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| if path.is_dir() { written(&path) } else { format!("{path:?} {:?}\n", fs::read(&path)) })
        .collect()
}

/// Nothing that is secret is in what was said or written.
#[track_caller]
fn nothing_told(place: &Place, run: &Run) {
    let mut everything = format!("{}{}", run.out, run.err);
    for path in ["policies/catalogs/far.yaml", "catalogs/far.json"] {
        everything += &fs::read_to_string(place.path(path)).unwrap_or_default();
    }
    assert!(!place.path(".ambit").exists(), "no data folder");
    for secret in SECRETS {
        assert!(!everything.contains(secret), "`{secret}` is told: {everything}");
    }
}

#[track_caller]
fn imported(place: &Place, run: &Run) {
    assert_eq!(run.code, 0, "{run:?}");
    assert!(fs::read_to_string(place.path("catalogs/far.json")).unwrap().contains("orders.list"));
    nothing_told(place, run);
}

#[test]
fn a_client_alone_gets_a_token() {
    let (place, parties) = (Place::small(), Parties::start(|_| ()));
    let run: Run = import(&place, &parties, &ALONE).output().unwrap().into();
    imported(&place, &run);
    let document = fs::read_to_string(place.path("policies/catalogs/far.yaml")).unwrap();
    assert!(document.contains("\nsecrets: [ci]\n"), "{document}");
    let fields = form(&parties.asked("/token").unwrap().text);
    assert_eq!((fields["grant_type"].as_str(), fields["scope"].as_str()), ("client_credentials", "tools:read"));
    // What the server calls itself, without the query.
    assert_eq!(fields["resource"], format!("{}/mcp", parties.mcp.url));
    assert!(parties.asked("/authorize").is_none() && parties.asked("/register").is_none());
}

#[test]
fn the_well_known_place_is_looked_at_where_the_challenge_names_none() {
    let (place, parties) = (Place::small(), Parties::start(|says| says.challenge = "Bearer".to_owned()));
    let run: Run = import(&place, &parties, &ALONE).output().unwrap().into();
    imported(&place, &run);
}

#[test]
fn a_person_signs_in_with_a_client_that_is_registered() {
    // A server is a resource too where it lies below one.
    let (place, parties) = (Place::small(), Parties::start(|says| says.resource = says.resource.replace("/mcp", "")));
    let run = with_browser(import(&place, &parties, &["--oauth"]), unchanged);
    imported(&place, &run);
    let document = fs::read_to_string(place.path("policies/catalogs/far.yaml")).unwrap();
    assert!(!document.contains("oauth") && !document.contains("secrets:"), "{document}");
    let registered = parties.asked("/register").unwrap();
    let redirect = registered.body["redirect_uris"][0].as_str().unwrap();
    assert!(redirect.starts_with("http://127.0.0.1:") && redirect.ends_with("/callback"), "{redirect}");
    let page = form(parties.asked("/authorize").unwrap().head.split([' ', '?']).nth(2).unwrap());
    let token = form(&parties.asked("/token").unwrap().text);
    assert_eq!((page["client_id"].as_str(), page["code_challenge_method"].as_str()), ("registered", "S256"));
    assert_eq!((page["resource"].as_str(), page["scope"].as_str()), (parties.mcp.url.as_str(), "tools:read"));
    assert_eq!((token["redirect_uri"].as_str(), token["resource"].as_str()), (redirect, parties.mcp.url.as_str()));
}

#[test]
fn a_person_signs_in_with_a_client_that_is_known() {
    let (place, parties) = (
        Place::small(),
        Parties::start(|says| {
            says.metadata["registration_endpoint"].take();
            says.metadata["authorization_response_iss_parameter_supported"] = json!(true);
        }),
    );
    // With the secret of the client too, where it has one.
    for (id, more) in [("desk", &["--oauth-client", "desk"][..]), ("ci", &[&["--oauth"], &ALONE[..]].concat())] {
        let run = with_browser(import(&place, &parties, &[more, &["--dry-run"]].concat()), unchanged);
        assert_eq!(run.code, 0, "{run:?}");
        nothing_told(&place, &run);
        assert!(parties.asked("/authorize").unwrap().head.contains(&format!("client_id={id}&")));
    }
}

#[test]
fn who_wants_no_token_is_told_nothing() {
    let (place, parties) = (Place::small(), Parties::start(|says| says.open = true));
    imported(&place, &with_browser(import(&place, &parties, &["--oauth"]), unchanged));
    assert!(parties.authority.asked.lock().unwrap().is_empty());
}

const PERSON: &[&str] = &["--oauth"];
const BOTH: &[&[&str]] = &[&ALONE, PERSON];

/// Each of the ways to a token ends in these words, with nothing written and nothing told.
#[track_caller]
fn refused(change: impl FnOnce(&mut Says), ways: &[&[&str]], back: impl Fn(&str) -> String + Copy, words: &[&str]) {
    let (place, parties) = (Place::small(), Parties::start(change));
    let before = written(&place.path(""));
    let named = format!("`{}/mcp`", parties.mcp.url);
    for way in ways {
        let run = with_browser(import(&place, &parties, way), back);
        assert_eq!(run.code, 2, "{way:?} {run:?}");
        for word in [words, &["E_SOURCE", &named]].concat() {
            assert!(run.err.contains(word), "`{word}` is not said: {run:?}");
        }
        nothing_told(&place, &run);
        assert_eq!(written(&place.path("")), before, "nothing is written");
    }
}

#[test]
fn a_server_without_pkce_is_refused() {
    for methods in [json!(["plain"]), json!(null)] {
        let change = |says: &mut Says| says.metadata["code_challenge_methods_supported"] = methods;
        refused(change, &[PERSON], unchanged, &["does not say that it takes PKCE with S256"]);
    }
}

#[test]
fn what_names_an_address_that_is_not_asked_is_refused() {
    // Of a machine in the own network only https is asked, with `--allow-private` too. Without it: in the service's own tests.
    let plain = |says: &mut Says| says.servers = json!(["http://10.0.0.1"]);
    refused(plain, BOTH, unchanged, &["`10.0.0.1` is not asked: only https is spoken"]);
    for (endpoint, ways) in
        [("token_endpoint", BOTH), ("registration_endpoint", &[PERSON]), ("authorization_endpoint", &[PERSON])]
    {
        let plain = |says: &mut Says| says.metadata[endpoint] = json!("http://169.254.169.254/latest");
        refused(plain, ways, unchanged, &["`169.254.169.254` is not asked: only https is spoken"]);
    }
    let pointer = |says: &mut Says| says.challenge = "Bearer resource_metadata=\"http://10.0.0.1/\"".to_owned();
    refused(pointer, BOTH, unchanged, &["lies at an address that is not asked"]);
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = web::serve(|_| web::json("{}"));
    let there = format!("HTTP/1.1 307 There\r\nlocation: {}/token\r\ncontent-length: 0\r\n\r\n", elsewhere.url);
    let redirects = |says: &mut Says| says.token = Some(there.into_bytes());
    refused(redirects, BOTH, unchanged, &["`127.0.0.1` redirects to another address (307)"]);
    assert!(elsewhere.asked.lock().unwrap().is_empty());
}

#[test]
fn an_answer_to_another_question_is_refused() {
    let other_state = |back: &str| back.replacen("state=", "state=x", 1);
    refused(|_| (), &[PERSON], other_state, &["its `state` is not the one that was sent"]);
    let other_issuer = |back: &str| back.replacen("iss=http", "iss=https", 1);
    refused(|_| (), &[PERSON], other_issuer, &["and calls itself `https"]);
    let not_in = |back: &str| back.replacen("code=", "error=access_denied&error_description=", 1);
    refused(|_| (), &[PERSON], not_in, &["lets nobody in: `access_denied`"]);
    let promises = |says: &mut Says| says.metadata["authorization_response_iss_parameter_supported"] = json!(true);
    refused(promises, &[PERSON], |back| back.replacen("iss=", "not=", 1), &["does not say who it is"]);
}

#[test]
fn what_is_about_another_resource_is_refused() {
    let other = |says: &mut Says| says.resource = "https://other.example/mcp".to_owned();
    refused(other, BOTH, unchanged, &["about another resource, `https://other.example/mcp`"]);
    let other = |says: &mut Says| says.metadata["issuer"] = json!("https://other.example");
    refused(other, BOTH, unchanged, &["calls itself `https://other.example`"]);
}

#[test]
fn a_token_that_is_not_taken_is_said_to_be() {
    let other = |says: &mut Says| says.taken = "hunter2-other".to_owned();
    refused(other, BOTH, unchanged, &["does not take the token that its authorization server gave (401)"]);
}

#[test]
fn what_an_authorization_server_says_again_is_not_repeated() {
    for (status, error, words) in [
        ("401 Who", "invalid_client", "it answers with `invalid_client`, 401"),
        ("400 Bad", "hunter2-secret", "it answers with 400"),
    ] {
        let body = json!({ "error": error, "error_description": SECRETS.join(" ") }).to_string();
        let says_again = |says: &mut Says| says.token = Some(said(status, "application/json", body));
        refused(says_again, BOTH, unchanged, &[words]);
    }
    let no_text = json!({ "access_token": ["hunter2-token"] });
    for body in [no_text, json!({ "access_token": "hunter2-token", "token_type": "mac" })] {
        let other = |says: &mut Says| says.token = Some(web::json(&body.to_string()));
        refused(other, BOTH, unchanged, &["answers with no bearer token"]);
    }
    let says_again = |says: &mut Says| says.registered = Some(said("400 No", "text/plain", "hunter2-secret"));
    refused(says_again, &[PERSON], unchanged, &["`127.0.0.1` gives nothing: it answers with 400"]);
}

#[test]
fn a_server_that_offers_what_it_was_told_is_refused() {
    for told in ["hunter2-secret", "hunter2-token", "hunter2-refresh"] {
        let says_again = |says: &mut Says| says.described = format!(" ({told})");
        refused(says_again, &[&ALONE], unchanged, &["E_SOURCE", "offers holds a secret of this import"]);
    }
    let says_again = |says: &mut Says| says.described = " (HUNTER2-CODE)".to_owned();
    refused(says_again, &[&["--oauth"]], unchanged, &["E_SOURCE", "offers holds a secret of this import"]);
    let named = |says: &mut Says| says.resource = "https://other.example/hunter2-secret".to_owned();
    refused(named, &[&ALONE], unchanged, &["another resource, `https://other.example/***`"]);
}

#[test]
fn who_says_nothing_of_it_gives_no_token() {
    let nothing = |says: &mut Says| {
        says.challenge = "Basic realm=\"x\"".to_owned();
        says.servers = json!([]);
    };
    refused(nothing, BOTH, unchanged, &["does not say who gives one", "--secret NAME"]);
    let none = |says: &mut Says| drop(says.metadata["registration_endpoint"].take());
    refused(none, &[PERSON], unchanged, &["registers no clients", "--oauth-client"]);
    // One that never answers: its own time or that of the whole import ends first.
    let silent = |says: &mut Says| says.token = Some(Vec::new());
    refused(silent, BOTH, unchanged, &["did not answer "]);
}

#[test]
fn nobody_is_waited_for_for_ever() {
    let (place, parties) = (Place::small(), Parties::start(|_| ()));
    let run: Run = import(&place, &parties, &["--oauth", "--oauth-wait", "1"]).output().unwrap().into();
    assert!(run.code == 2 && run.err.contains("nobody signed in within 1 s"), "{run:?}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let run: Run = import(&place, &parties, &["--oauth", "--oauth-port", &port]).output().unwrap().into();
    assert!(run.code == 2 && run.err.contains(&format!("at port {port}")), "{run:?}");
}

#[test]
fn only_a_server_over_http_is_signed_in_to() {
    let place = Place::small();
    place.write("crm.json", "[]");
    for (arguments, words) in [
        (&["import", "crm.json", "--oauth"][..], "only an MCP server is asked with a token of OAuth"),
        (&["import", "https://a.example/x.json", "--oauth"], "only an MCP server"),
        (&["import", "--oauth", "--id", "x", "--stdio", "true"], "cannot be used with"),
        (
            &["import", "--mcp", "https://a.example", "--tenant", "acme", "--secret", "t", "--oauth"],
            "cannot be used with",
        ),
        (&["import", "--mcp", "https://a.example", "--oauth-secret", "t", "--tenant", "acme"], "--oauth-client"),
    ] {
        let run = place.run(arguments);
        assert!(run.code == 2 && run.err.contains(words), "{words} {run:?}");
    }
}
