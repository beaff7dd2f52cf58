//! Listening: the socket, the patience with slow clients, and an end that lets answers in flight finish.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum_server::Handle;

/// How long a client may take to send a request's headers.
const HEADERS: Duration = Duration::from_secs(10);
/// How long answers in flight may take after the server was told to stop.
const FAREWELL: Duration = Duration::from_secs(30);

/// An open socket, before anything is served.
pub(crate) struct Listening {
    socket: std::net::TcpListener,
    pub(crate) address: SocketAddr,
}

impl Listening {
    /// Takes the address, so that nothing is begun where it is in use.
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let socket = std::net::TcpListener::bind(address)?;
        socket.set_nonblocking(true)?;
        Ok(Self { address: socket.local_addr()?, socket })
    }
}

/// Serves until the process is told to stop, and then until every answer in flight is finished.
pub(crate) async fn listen(listening: Listening, router: Router) -> io::Result<()> {
    let handle = Handle::new();
    let stopping = handle.clone();
    let waiting = tokio::spawn(async move {
        told_to_stop().await;
        tracing::info!("stopping: answers in flight are finished first");
        stopping.graceful_shutdown(Some(FAREWELL));
        told_to_stop().await;
        tracing::warn!("told to stop twice: answers in flight are given up");
        stopping.shutdown();
    });
    let mut server = axum_server::from_tcp(listening.socket)?.http1_only().handle(handle);
    server.http_builder().http1().header_read_timeout(HEADERS);
    let served = server.serve(router.into_make_service_with_connect_info::<SocketAddr>()).await;
    waiting.abort();
    served
}

/// Ctrl-C, or the signal that service managers send.
pub(crate) async fn told_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! { _ = interrupt => {}, _ = terminate.recv() => {} }
        }
        Err(_) => drop(interrupt.await),
    }
}
