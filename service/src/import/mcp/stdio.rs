//! A program that speaks MCP on its standard input and output. Only a person at the command line names one: no declaration and no
//! request does. It is given none of ambit's own variables, for secrets of catalogs may stand there, and it ends with the import,
//! with all that it started: all of it is one group of processes, which is killed at the end.

use std::io;
use std::path::Path;
use std::process::Stdio as Piped;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::RoleClient;
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;

use super::Trouble;
use super::groups::Groups;
use super::heard::{self, Heard};
use crate::import::Unsaid;

/// What the names of ambit's own variables begin with.
const OWN_VARIABLES: &str = "AMBIT_";
/// How long a program may take to end once nobody speaks to it any more.
const ENDING: Duration = Duration::from_secs(2);

/// The program, and the line to it.
pub(super) struct Stdio {
    input: Arc<Mutex<Option<ChildStdin>>>,
    lines: Lines,
    heard: Heard,
    child: Child,
    groups: Groups,
    /// The program's own.
    group: Option<u32>,
}

impl Stdio {
    /// Starts it; what it says on its standard error is not read.
    pub(super) fn start(command: &[String], most_bytes: usize, groups: &Groups) -> Result<(Self, Heard), Trouble> {
        let no_start = |why: &dyn std::fmt::Display| Trouble::NoStart { why: why.to_string() };
        let (program, arguments) = command.split_first().ok_or_else(|| no_start(&"it has no name"))?;
        let mut command = Command::new(Path::new(program));
        command.args(arguments).stdin(Piped::piped()).stdout(Piped::piped()).stderr(Piped::null());
        command.kill_on_drop(true).process_group(0);
        let own = std::env::vars_os().map(|(name, _)| name);
        own.filter(|name| name.to_string_lossy().starts_with(OWN_VARIABLES)).for_each(|name| {
            command.env_remove(name);
        });
        let mut child = command.spawn().map_err(|error| no_start(&error))?;
        let group = child.id();
        group.into_iter().for_each(|group| groups.began(group));
        let (Some(output), Some(input)) = (child.stdout.take(), child.stdin.take()) else {
            return Err(no_start(&"nobody can speak to it"));
        };
        // It is not sent a secret.
        let heard = Heard::new(Unsaid::default());
        let lines = Lines { output: BufReader::new(output), line: Vec::new(), left: most_bytes, most_bytes };
        let input = Arc::new(Mutex::new(Some(input)));
        Ok((Self { input, lines, heard: heard.clone(), child, groups: groups.clone(), group }, heard))
    }
}

impl Transport<RoleClient> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let input = self.input.clone();
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut input = input.lock().await;
            let input = input.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            input.write_all(&line).await?;
            input.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let line = match self.lines.next().await {
                Ok(line) => line?,
                Err(trouble) => {
                    self.heard.fail(trouble);
                    return None;
                }
            };
            // Programs print what is no message, too. What should have been the answer does not come again.
            let Ok(line) = std::str::from_utf8(&line) else { continue };
            let line = line.trim().trim_start_matches('\u{feff}');
            match self.heard.message(line) {
                Ok(message) => return Some(message),
                Err(trouble) if heard::is_answer(line) => {
                    self.heard.fail(trouble);
                    return None;
                }
                Err(_) => {}
            }
        }
    }

    /// Its input is closed; what goes on all the same is killed.
    async fn close(&mut self) -> io::Result<()> {
        let ending = async {
            self.input.lock().await.take();
            self.child.wait().await
        };
        drop(tokio::time::timeout(ENDING, ending).await);
        self.end();
        Ok(())
    }
}

impl Stdio {
    fn end(&mut self) {
        self.group.take().into_iter().for_each(|group| self.groups.end(group));
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.end();
    }
}

/// The program's output by lines, up to a limit of all bytes.
struct Lines {
    output: BufReader<ChildStdout>,
    /// What came of the next line; it waits here where nobody waits for the rest any more.
    line: Vec<u8>,
    left: usize,
    most_bytes: usize,
}

impl Lines {
    /// The next whole line; nothing at the end. Whoever stops waiting loses none.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        loop {
            let bytes = self.output.fill_buf().await.unwrap_or_default();
            if bytes.is_empty() {
                return Ok(None);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let piece = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let size = piece.len();
            self.line.extend_from_slice(piece);
            self.output.consume(size);
            self.left = self.left.checked_sub(size).ok_or(Trouble::TooLarge { most_bytes: self.most_bytes })?;
            if end.is_some() {
                return Ok(Some(std::mem::take(&mut self.line)));
            }
        }
    }
}
