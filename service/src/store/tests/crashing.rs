//! A process that is killed while it publishes.
//! The test starts itself as the process to kill, lets it publish without end, and looks at what is left.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ambit_model::digest::Digest;
use sea_orm::{EntityTrait as _, PaginatorTrait as _};

use super::super::{Place, entity};
use super::{Home, Store, Tested, audit, snapshot};

/// Tells the child its data folder and, on Postgres, its database.
const TELLS_FOLDER: &str = "AMBIT_TEST_PUBLISH_INTO";
const TELLS_DATABASE: &str = "AMBIT_TEST_PUBLISH_DATABASE";
const PARTS: u64 = 400;

on_both![a_killed_publish_leaves_the_former_snapshot_live];

async fn a_killed_publish_leaves_the_former_snapshot_live(home: &Home) -> Tested {
    let store = home.store().await?;
    for round in 0_u32..6 {
        let before = store.records().await?.len();
        let mut child = start(home)?;
        while store.records().await?.len() < before + 2 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_micros(u64::from(round) * 1_700)).await;
        child.kill()?;
        child.wait()?;
        let store = Store::open_existing(home.place()?).await?;
        // A server ends by itself what the dead had asked for last.
        drop(store.write("wait for that").await?);
        look(&store).await?;
    }
    Ok(())
}

fn start(home: &Home) -> Result<Child, std::io::Error> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--exact", "store::tests::crashing::the_child_publishes_without_end"]);
    command.env(TELLS_FOLDER, home.data()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(url) = home.url() {
        command.env(TELLS_DATABASE, url);
    }
    command.spawn()
}

/// No test of its own: only the child is told where to publish.
#[tokio::test]
async fn the_child_publishes_without_end() -> Tested {
    let Some(data) = std::env::var_os(TELLS_FOLDER) else { return Ok(()) };
    let url = std::env::var(TELLS_DATABASE).ok();
    let store = Store::open(Place::new(data, url.as_deref()).map_err(|refused| refused.message)?).await?;
    loop {
        let live = store.live().await?.map(|(record, _)| record.number);
        let bodies = bodies(live.unwrap_or(0) + 1);
        let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
        store.publish(snapshot(&bodies), live, audit()).await?;
    }
}

fn bodies(number: i64) -> Vec<String> {
    (0..PARTS).map(|part| format!("part {part} of snapshot {number}")).collect()
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
