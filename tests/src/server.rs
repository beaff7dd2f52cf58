//! A server for these tests: the real binary at a free port, spoken to over the network, and gone when the test ends.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::http::{HeaderMap, Request};

use crate::Place;

/// Whom most questions here are for, as arguments.
pub const ANALYST: [&str; 4] = ["--as", "acme:user:analyst", "--project", "finance"];
/// How long a test waits for whatever must come; the server itself gives up earlier.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    address: String,
    /// The key whose questions all say that they are about `acme/finance`.
    in_finance: Option<String>,
    log: Arc<Mutex<Vec<String>>>,
}

/// What it answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Who administers the sample workspace, and may ask in all projects of Acme; as arguments.
pub const OPERATOR: [&str; 2] = ["--as", "acme:user:platform"];

/// A server on the applied sample, and a key of who administers it. What is asked with this key is asked in `acme/finance`.
pub struct Served {
    // First, so that the server ends before its folder does.
    pub server: Server,
    pub place: Place,
    pub key: String,
}

/// Applies the sample, makes a key and starts a server.
pub fn served() -> Served {
    let place = Place::with_sample();
    apply(&place);
    let key = make_key(&place, &[["--name", "test"].as_slice(), OPERATOR.as_slice()].concat());
    let mut server = Server::start(&place);
    server.asks_in_finance(&key);
    Served { server, place, key }
}

/// Applies the workspace.
#[track_caller]
pub fn apply(place: &Place) {
    let run = place.run(&["apply"]);
    assert_eq!(run.code, 0, "{run:?}");
}

/// Makes a key with these arguments, and gives the whole key.
#[track_caller]
#[expect(clippy::expect_used, reason = "a test without its key has nothing to say")]
pub fn make_key(place: &Place, arguments: &[&str]) -> String {
    let run = place.run(&[["keys", "create", "--format", "json"].as_slice(), arguments].concat());
    assert_eq!(run.code, 0, "{run:?}");
    match run.json().pointer("/key").and_then(Value::as_str) {
        Some(key) => key.to_owned(),
        // The first key lies in a file.
        None => std::fs::read_to_string(place.path(".ambit/admin.key")).expect("the first key").trim().to_owned(),
    }
}

/// Waits until this holds.
#[track_caller]
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < Duration::from_secs(15), "not within 15 seconds: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

impl Server {
    /// Starts it on the data folder of a place, and waits until it listens. Tests ask faster than anybody should, so nobody is held
    /// back.
    pub fn start(place: &Place) -> Self {
        Self::start_with(place, &["--rate-per-key", "0", "--rate-per-address", "0"])
    }

    /// The same with these flags.
    #[expect(clippy::expect_used, reason = "a server that does not start is the failure")]
    pub fn start_with(place: &Place, flags: &[&str]) -> Self {
        let mut command = place.command(&[["serve", "--listen", "127.0.0.1:0"].as_slice(), flags].concat());
        for name in ["AMBIT_LISTEN", "AMBIT_SITE", "AMBIT_LOG", "AMBIT_LOG_FORMAT"] {
            command.env_remove(name);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("ambit starts");
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let mut server = Self { child, address: String::new(), in_finance: None, log: Arc::default() };
        let (tell, told) = channel();
        server.keep(out.expect("its standard output"), tell.clone());
        server.keep(err.expect("its log"), tell);
        let address = told.recv_timeout(PATIENCE);
        assert!(address.is_ok(), "it does not listen: {}", server.log());
        server.address = address.unwrap_or_default();
        server
    }

    /// Whatever is asked with this key from now on is asked in `acme/finance`.
    pub fn asks_in_finance(&mut self, key: &str) {
        self.in_finance = Some(key.to_owned());
    }

    /// Collects what it writes, and tells the address it listens at.
    fn keep(&self, output: impl Read + Send + 'static, tell: Sender<String>) {
        let log = Arc::clone(&self.log);
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some((_, rest)) = line.split_once("listening on http://") {
                    let address: String = rest.chars().take_while(|c| !matches!(c, '"' | ' ')).collect();
                    drop(tell.send(address));
                }
                log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        });
    }

    /// Everything it has written so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }

    /// Where it listens, `127.0.0.1:PORT`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A GET with a key.
    #[track_caller]
    pub fn get(&self, path: &str, key: &str) -> Reply {
        let bearer = format!("Bearer {key}");
        let headers = [("authorization", bearer.as_str())];
        self.send("GET", path, &[headers.as_slice(), self.project(path, key)].concat(), None)
    }

    /// A GET without one.
    #[track_caller]
    pub fn open(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    /// A POST of JSON with a key.
    #[track_caller]
    pub fn post(&self, path: &str, key: &str, body: impl AsRef<[u8]>) -> Reply {
        let bearer = format!("Bearer {key}");
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        self.send("POST", path, &[headers.as_slice(), self.project(path, key)].concat(), Some(body.as_ref()))
    }

    fn project(&self, path: &str, key: &str) -> &'static [(&'static str, &'static str)] {
        let asks =
            ["/v1/route", "/route", "/v1/tools", "/v1/export", "/v1/plans"].iter().any(|door| path.starts_with(door));
        if asks && self.in_finance.as_deref() == Some(key) { &[("x-ambit-project", "acme/finance")] } else { &[] }
    }

    /// A question.
    #[track_caller]
    pub fn route(&self, key: &str, question: &str) -> Reply {
        self.post("/v1/route", key, json!({ "question": question }).to_string())
    }

    /// Any request, on a connection of its own; redirects are not followed.
    #[track_caller]
    #[expect(clippy::expect_used, reason = "a server that does not answer is the failure")]
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let sent = match body {
            None => agent().run(request.body(()).expect("a request")),
            Some(body) => agent().run(request.body(body.to_vec()).expect("a request")),
        };
        let mut answer = sent.expect("an answer");
        let body = answer.body_mut().read_to_vec().expect("a whole answer");
        Reply { status: answer.status().as_u16(), headers: answer.headers().clone(), body }
    }

    /// A connection on which nothing has been said.
    #[expect(clippy::expect_used, reason = "a server that accepts nothing is the failure")]
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit of patience");
        stream
    }

    /// Sends these bytes as they are; gives what comes back until the server closes the connection.
    #[expect(clippy::expect_used, reason = "a server that does not listen is the failure")]
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).expect("the request leaves");
        rest(&mut stream)
    }

    /// Tells it to stop, as a service manager does.
    pub fn tell_to_stop(&self) {
        let told = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status();
        assert!(told.is_ok_and(|status| status.success()), "it can be told to stop");
    }

    /// Waits for its end; the exit code, where it ended by itself and in time.
    pub fn ended(&mut self) -> Option<i32> {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// Both.
    pub fn terminate(&mut self) -> Option<i32> {
        self.tell_to_stop();
        self.ended()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What still comes on a connection until the other side closes it.
pub fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is cut off has said what it has said.
    drop(stream.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None);
    config.timeout_global(Some(PATIENCE)).build().new_agent()
}

impl Reply {
    /// A header's value; empty where it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("")
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    #[track_caller]
    #[expect(clippy::panic, reason = "a test that wants JSON and gets none has failed")]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// The number of the snapshot that answered.
    pub fn snapshot(&self) -> Option<i64> {
        self.header("x-ambit-snapshot").parse().ok()
    }

    /// It is a refusal with this status and code, in the one envelope.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        let said = self.text();
        let body = self.json();
        let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
        assert_eq!((self.status, text("code").as_str()), (status, code), "{said}");
        let mut keys: Vec<&str> = body.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["code", "help", "message", "request_id"], "{said}");
        assert!(!text("message").is_empty() && !text("help").is_empty(), "{said}");
        assert!(!text("request_id").is_empty(), "{said}");
        assert_eq!(text("request_id"), self.header("x-request-id"), "{said}");
        assert_eq!(self.header("content-type"), "application/json", "{said}");
    }
}

/// The files of a place's data folder in which these words stand, whatever else is in them.
#[expect(clippy::expect_used, reason = "a data folder that cannot be read has nothing to say")]
pub fn files_with(place: &Place, words: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(place.path(".ambit")).expect("a data folder") {
        let entry = entry.expect("a file of the data folder");
        let bytes = std::fs::read(entry.path()).expect("a file of the data folder");
        if bytes.windows(words.len()).any(|window| window == words.as_bytes()) {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    names
}
