//! A program that speaks MCP on its standard input and output. Only a person at the command line names one: no declaration and no
//! request does. It is given none of ambit's own variables, for secrets of catalogs may stand there, and it ends with the import.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::process::Stdio as Piped;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::RoleClient;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::Trouble;
use super::heard::Heard;

/// What the names of ambit's own variables begin with.
const OWN_VARIABLES: &str = "AMBIT_";
/// How long a program may take to end once nobody speaks to it any more.
const ENDING: Duration = Duration::from_secs(2);

/// The program, and the line to it.
pub(super) struct Stdio {
    line: AsyncRwTransport<RoleClient, Tap, ChildStdin>,
    child: Child,
}

impl Stdio {
    /// Starts it; what it says on its standard error is not read.
    pub(super) fn start(command: &[String], most_bytes: usize) -> Result<(Self, Heard), Trouble> {
        let no_start = |why: &dyn std::fmt::Display| Trouble::NoStart { why: why.to_string() };
        let (program, arguments) = command.split_first().ok_or_else(|| no_start(&"it has no name"))?;
        let mut command = Command::new(Path::new(program));
        command.args(arguments).stdin(Piped::piped()).stdout(Piped::piped()).stderr(Piped::null()).kill_on_drop(true);
        let own = std::env::vars_os().map(|(name, _)| name);
        own.filter(|name| name.to_string_lossy().starts_with(OWN_VARIABLES)).for_each(|name| {
            command.env_remove(name);
        });
        let mut child = command.spawn().map_err(|error| no_start(&error))?;
        let (Some(output), Some(input)) = (child.stdout.take(), child.stdin.take()) else {
            return Err(no_start(&"nobody can speak to it"));
        };
        let heard = Heard::default();
        let tap = Tap { output, heard: heard.clone(), line: Vec::new(), left: most_bytes, most_bytes };
        let line = AsyncRwTransport::new_client(tap, input).with_max_line_length(most_bytes);
        Ok((Self { line, child }, heard))
    }
}

impl Transport<RoleClient> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.line.send(message)
    }

    fn receive(&mut self) -> impl Future<Output = Option<ServerJsonRpcMessage>> + Send {
        self.line.receive()
    }

    /// Its input is closed; a program that goes on all the same is killed when it is dropped.
    async fn close(&mut self) -> io::Result<()> {
        self.line.close().await?;
        drop(tokio::time::timeout(ENDING, self.child.wait()).await);
        Ok(())
    }
}

/// The program's output, which is noted line by line on its way, up to a limit.
struct Tap {
    output: ChildStdout,
    heard: Heard,
    line: Vec<u8>,
    left: usize,
    most_bytes: usize,
}

impl Tap {
    fn note(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(left) = self.left.checked_sub(bytes.len()) else {
            self.heard.fail(Trouble::TooLarge { most_bytes: self.most_bytes });
            return Err(io::Error::other("too much was said"));
        };
        self.left = left;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.heard.note(std::str::from_utf8(&line).unwrap_or_default().trim().trim_start_matches('\u{feff}'));
            }
        }
        Ok(())
    }
}

impl AsyncRead for Tap {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.output).poll_read(context, buffer))?;
        let new = buffer.filled().get(before..).unwrap_or_default().to_vec();
        Poll::Ready(self.note(&new))
    }
}
