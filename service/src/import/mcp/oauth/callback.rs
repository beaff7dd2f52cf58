//! Where the browser of whoever signs in brings the answer: a port that only this machine reaches, for one answer (RFC 8252, 7.3).

use std::net::Ipv4Addr;
use std::time::Duration;

use reqwest::Url;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::denied::{Denied, known};

const PATH: &str = "/callback";
/// Longest request that is read.
const LONGEST: usize = 16 * 1024;
/// How long a browser may take to send one.
const READING: Duration = Duration::from_secs(5);
/// Connections that are read at once: browsers open some that they do not use.
const MOST: usize = 32;

const HEARD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncache-control: no-store\r\n\
    referrer-policy: no-referrer\r\nconnection: close\r\ncontent-length: 53\r\n\r\n\
    Ambit has the answer. You can go back to the terminal";
const NOTHING: &str = "HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

pub(super) struct Callback {
    listener: TcpListener,
    redirect: String,
}

/// What the browser brought.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer(Vec<(String, String)>);

impl Callback {
    pub(super) async fn open(port: u16) -> Result<Self, Denied> {
        let no_port = |error: std::io::Error| Denied::NoPort { port, why: error.to_string() };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(no_port)?;
        let redirect = format!("http://{}{PATH}", listener.local_addr().map_err(no_port)?);
        Ok(Self { listener, redirect })
    }

    /// The address to come back to.
    pub(super) fn redirect(&self) -> &str {
        &self.redirect
    }

    /// Waits for the first answer, whosever it is.
    pub(super) async fn answer(&self) -> Answer {
        let mut reading = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if reading.len() < MOST => {
                    if let Ok((stream, _)) = accepted {
                        reading.spawn(read(stream));
                    }
                }
                Some(read) = reading.join_next() => {
                    if let Ok(Some(answer)) = read {
                        return answer;
                    }
                }
            }
        }
    }
}

impl Answer {
    /// The code and who says that it gave it, where this answers the question with that state.
    pub(super) fn granted(&self, state: &str) -> Result<(&str, Option<&str>), Denied> {
        if self.one("state")? != Some(state) {
            return Err(Denied::State);
        }
        if let Some(code) = self.one("error")? {
            return Err(Denied::NotGranted { code: known(code) });
        }
        let code = self.one("code")?.ok_or(Denied::NoAnswer { missing: "code" })?;
        Ok((code, self.one("iss")?))
    }

    /// No parameter stands more than once (RFC 6749, 3.1).
    fn one(&self, name: &'static str) -> Result<Option<&str>, Denied> {
        let mut found = self.0.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
        let first = found.next();
        if found.next().is_some() { Err(Denied::NoAnswer { missing: name }) } else { Ok(first) }
    }

    /// Nothing where something else was asked for, such as the icon of the page.
    fn of(head: &str) -> Option<Self> {
        let mut words = head.lines().next()?.split(' ');
        let (method, target) = (words.next()?, words.next()?);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if method != "GET" || path != PATH {
            return None;
        }
        let url = Url::parse(&format!("http://127.0.0.1/?{query}")).ok()?;
        Some(Self(url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect()))
    }
}

async fn read(mut stream: TcpStream) -> Option<Answer> {
    let head = tokio::time::timeout(READING, head(&mut stream)).await.ok()??;
    let answer = Answer::of(&head);
    let page = if answer.is_some() { HEARD } else { NOTHING };
    // The answer counts also where nobody reads the page any more.
    drop(stream.write_all(page.as_bytes()).await);
    drop(stream.shutdown().await);
    answer
}

/// The request's line and headers.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 2048]);
    while bytes.len() < LONGEST {
        let size = stream.read(&mut piece).await.ok().filter(|size| *size > 0)?;
        bytes.extend_from_slice(piece.get(..size)?);
        if bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            return String::from_utf8(bytes).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(target: &str, expected: &str) {
        let answer = Answer::of(&format!("GET {target} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"));
        let found = answer.as_ref().map_or_else(
            || "nothing".to_owned(),
            |answer| match answer.granted("s") {
                Ok((code, issuer)) => format!("{code} of {issuer:?}"),
                Err(denied) => format!("{denied:?}"),
            },
        );
        assert_eq!(found, expected, "{target}");
    }

    #[test]
    fn an_answer_is_one_to_the_question() {
        check("/callback?code=a%20b&state=s", "a b of None");
        check("/callback?state=s&iss=https%3A%2F%2Fas.example&code=a", "a of Some(\"https://as.example\")");
        check("/callback?code=a&state=t", "State");
        check("/callback?code=a", "State");
        check("/callback", "State");
        check("/callback?error=access_denied&state=s", "NotGranted { code: Some(\"access_denied\") }");
        check("/callback?error=hunter2&state=s", "NotGranted { code: None }");
        check("/callback?error=access_denied&state=t", "State");
        check("/callback?state=s", "NoAnswer { missing: \"code\" }");
        check("/callback?code=a&state=s&state=s", "NoAnswer { missing: \"state\" }");
        check("/callback?code=a&state=s&iss=x&iss=y", "NoAnswer { missing: \"iss\" }");
        check("/favicon.ico", "nothing");
        check("//evil.example/callback?code=a&state=s", "nothing");
    }

    #[test]
    fn the_page_is_as_long_as_it_says() {
        let (head, body) = HEARD.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
