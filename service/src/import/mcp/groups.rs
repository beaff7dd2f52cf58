//! The groups of processes that an import started: whatever becomes of the import, they end with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};

/// The groups that were not ended yet, by the process that leads each.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups(Arc<Mutex<Vec<u32>>>);

/// Ends what is left when it goes.
pub(super) struct Guard(pub(super) Groups);

impl Groups {
    pub(super) fn began(&self, leader: u32) {
        self.groups().push(leader);
    }

    /// Kills everything in a group, once: later its number may be that of another.
    pub(super) fn end(&self, leader: u32) {
        let mut groups = self.groups();
        if let Some(at) = groups.iter().position(|group| *group == leader) {
            kill(groups.swap_remove(at));
        }
    }

    fn groups(&self) -> MutexGuard<'_, Vec<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.groups().drain(..).for_each(kill);
    }
}

fn kill(leader: u32) {
    // Neither 0 nor 1: these would be groups of others.
    if let Some(leader) = i32::try_from(leader).ok().filter(|leader| *leader > 1) {
        // It fails where nothing is left of the group.
        killpg(Pid::from_raw(leader), Signal::SIGKILL).ok();
    }
}

/// Comes back when somebody wants this command to end. A terminal tells only its own group, and a program in another would go on.
pub(super) async fn interrupted() {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
    std::future::poll_fn(|context| {
        let told = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
        if told { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}
