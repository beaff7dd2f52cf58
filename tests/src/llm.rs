//! A language model for these tests: a local server that speaks as a provider does and says what it is told to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

/// What was heard: the head of each request, and its body.
type Heard = Arc<Mutex<Vec<(String, Value)>>>;

/// A running model, gone when the process ends.
#[derive(Debug)]
pub struct Llm {
    /// Where it is asked.
    pub url: String,
    heard: Heard,
}

impl Llm {
    /// `answer` makes of a request's body and its number a status, and the text of OpenAI's message, or the whole body where that is
    /// an object.
    #[expect(clippy::expect_used, reason = "a server that does not start is the failure")]
    pub fn start(answer: impl Fn(&Value, usize) -> (u16, Value) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/v1", listener.local_addr().expect("its address"));
        let heard = Heard::default();
        let (told, answer) = (Arc::clone(&heard), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (told, answer) = (Arc::clone(&told), Arc::clone(&answer));
                thread::spawn(move || speak(stream, &told, answer.as_ref()));
            }
        });
        Self { url, heard }
    }

    /// How often it was asked.
    pub fn calls(&self) -> usize {
        self.heard().len()
    }

    /// Everything that it was asked.
    pub fn heard(&self) -> Vec<(String, Value)> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[expect(clippy::expect_used, reason = "a request of another shape is the failure")]
fn speak(mut stream: TcpStream, told: &Mutex<Vec<(String, Value)>>, answer: &dyn Fn(&Value, usize) -> (u16, Value)) {
    let mut reader = BufReader::new(stream.try_clone().expect("its other end"));
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a whole body");
    let body: Value = serde_json::from_slice(&body).expect("JSON");
    let number = {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        told.push((head, body.clone()));
        told.len()
    };
    let (status, said) = answer(&body, number);
    let whole = match said {
        Value::String(text) => json!({
            "id": "1", "object": "chat.completion", "model": "m", "created": 0,
            "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
            "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
        }),
        other => other,
    };
    let text = whole.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())));
}
