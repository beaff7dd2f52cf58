//! A process that is killed while it publishes.
//! The test starts itself as the process to kill, lets it publish without end, and looks at what is left.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ambit_model::digest::Digest;
use sea_orm::{EntityTrait as _, PaginatorTrait as _};

use super::super::entity;
use super::{Store, Tested, audit, place, snapshot};

const TELLS_CHILD: &str = "AMBIT_TEST_PUBLISH_INTO";
const PARTS: u64 = 400;

#[tokio::test]
async fn a_killed_publish_leaves_the_former_snapshot_live() -> Tested {
    if let Some(data) = std::env::var_os(TELLS_CHILD) {
        return publish_without_end(&PathBuf::from(data)).await;
    }
    let (_place, data) = place()?;
    let store = Store::open(&data).await?;
    for round in 0_u32..6 {
        let before = store.records().await?.len();
        let mut child = start(&data)?;
        while store.records().await?.len() < before + 2 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_micros(u64::from(round) * 1_700)).await;
        child.kill()?;
        child.wait()?;
        look(&Store::open_existing(&data).await?).await?;
    }
    Ok(())
}

fn start(data: &Path) -> Result<Child, std::io::Error> {
    Command::new(std::env::current_exe()?)
        .args(["--exact", "store::tests::crashing::a_killed_publish_leaves_the_former_snapshot_live"])
        .env(TELLS_CHILD, data)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

fn bodies(number: i64) -> Vec<String> {
    (0..PARTS).map(|part| format!("part {part} of snapshot {number}")).collect()
}

async fn publish_without_end(data: &Path) -> Tested {
    let store = Store::open(data).await?;
    loop {
        let live = store.live().await?.map(|(record, _)| record.number);
        let bodies = bodies(live.unwrap_or(0) + 1);
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        store.publish(snapshot(&bodies), live, audit()).await?;
    }
}

/// The newest snapshot is live and whole, and nothing lies about that belongs to none.
async fn look(store: &Store) -> Tested {
    let records = store.records().await?;
    let live = store.live().await?.map(|(record, _)| record);
    assert_eq!(records.first(), live.as_ref());
    let number = live.map_or(0, |record| record.number);
    let digests: Vec<Digest> = bodies(number).iter().map(|body| Digest::of(body.as_bytes())).collect();
    assert_eq!(store.parts(&digests).await?.len(), digests.len());
    assert_eq!(store.activations().await?.len(), records.len());
    let parts = entity::part::Entity::find().count(&store.database).await?;
    assert_eq!(parts, PARTS * u64::try_from(records.len())?);
    Ok(())
}
