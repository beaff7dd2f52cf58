//! Opening: what a new data folder looks like, every folder that cannot be one, and what older and newer builds left.
//! Root passes over file rights, so those cases run again in a child that gave up that power.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use sea_orm::ConnectionTrait as _;

use ambit_model::digest::Digest;

use super::{Home, Store, StoreError, Tested, audit, check, refused, rollback, snapshot};

on_both![
    opening_again_finds_everything,
    many_may_open_a_new_store_at_once,
    a_newer_database_is_left_alone,
    a_writer_that_waits_too_long_is_told_why,
    rows_that_point_nowhere_are_refused,
    a_store_from_before_callers_is_brought_up_to_date,
    what_is_put_into_the_audit_by_hand_is_found,
];

const TELLS_CHILD: &str = "AMBIT_TEST_WITHOUT_POWERS";

fn mode(path: &Path) -> Result<u32, std::io::Error> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o777)
}

fn allow(path: &Path, mode: u32) -> Result<(), std::io::Error> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

#[tokio::test]
async fn a_new_folder_is_private_and_kept_out_of_git() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    let nested = data.join("a/b");
    let store = Store::open(&nested).await?;
    assert_eq!(mode(&nested)?, 0o700);
    assert_eq!(mode(&nested.join("ambit.db"))?, 0o600);
    assert_eq!(mode(&nested.join("ambit.db-wal"))?, 0o600);
    assert_eq!(fs::read_to_string(nested.join(".gitignore"))?, "*\n");
    assert_eq!(store.live().await?, None);
    Ok(())
}

#[tokio::test]
async fn a_folder_that_holds_something_is_not_hidden_from_git() -> Tested {
    let home = Home::on_sqlite()?;
    fs::write(home.around().join("README.md"), "mine")?;
    Store::open(home.around()).await?;
    assert!(!home.around().join(".gitignore").exists());
    Ok(())
}

async fn opening_again_finds_everything(home: &Home) -> Tested {
    let store = home.store().await?;
    let record = store.publish(snapshot(&["root", "a"]), None, audit()).await?;
    store.close().await?;
    assert!(!home.data().join("ambit.db-wal").exists(), "closing leaves one file");
    assert_eq!(home.data().exists(), home.url().is_none(), "a database elsewhere needs no folder");
    let again = Store::open_existing(home.place()?).await?;
    assert_eq!(again.record(1).await?, record);
    again.write_secret("the first key")?.keep("admin.key")?;
    assert_eq!(mode(&home.data())?, 0o700);
    assert_eq!(mode(&home.data().join("admin.key"))?, 0o600);
    Ok(())
}

#[tokio::test]
async fn a_database_that_is_moved_away_is_missed_until_it_is_back() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    let store = Store::open(&data).await?;
    store.publish(snapshot(&["root"]), None, audit()).await?;
    let (here, there) = (data.join("ambit.db"), home.around().join("elsewhere"));
    fs::rename(&here, &there)?;
    assert!(matches!(store.newest_activation().await, Err(StoreError::Gone { .. })));
    assert!(matches!(store.key("0a").await, Err(StoreError::Gone { .. })));
    assert!(matches!(store.activate(rollback(1), Some(1), &audit()).await, Err(StoreError::Gone { .. })));
    fs::copy(&there, &here)?;
    assert!(matches!(store.newest_activation().await, Err(StoreError::Gone { .. })), "a copy is another database");
    fs::rename(&there, &here)?;
    assert_eq!(store.newest_activation().await?.map(|a| a.snapshot), Some(1));
    Ok(())
}

#[tokio::test]
async fn a_name_with_characters_of_urls_is_a_name() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    let odd = data.join("a b?mode=ro#%20ü");
    Store::open(&odd).await?.publish(snapshot(&["root"]), None, audit()).await?;
    assert!(odd.join("ambit.db").exists());
    Ok(())
}

async fn many_may_open_a_new_store_at_once(home: &Home) -> Tested {
    let place = home.place()?;
    let openings: Vec<_> = (0..8).map(|_| tokio::spawn(Store::open(place.clone()))).collect();
    for opening in openings {
        assert_eq!(opening.await??.live().await?, None);
    }
    Ok(())
}

#[tokio::test]
async fn a_missing_database_asks_for_an_apply() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    let error = refused(Store::open_existing(&data).await)?;
    check(&error, &home, "there is no database in `DIR/.ambit`", "run `ambit apply` first");
    assert!(!data.exists(), "looking makes nothing");
    fs::create_dir(&data)?;
    fs::write(data.join("ambit.db"), "")?;
    let error = refused(Store::open_existing(&data).await)?;
    check(&error, &home, "there is no database in `DIR/.ambit`", "run `ambit apply` first");
    Ok(())
}

#[tokio::test]
async fn a_text_file_is_not_a_database() -> Tested {
    for text in ["these are my notes, and they are longer than a page header", "x"] {
        let home = Home::on_sqlite()?;
        let data = home.data();
        fs::create_dir(&data)?;
        fs::write(data.join("ambit.db"), text)?;
        for answer in [Store::open(&data).await, Store::open_existing(&data).await] {
            check(
                &refused(answer)?,
                &home,
                "`DIR/.ambit/ambit.db` is not a database",
                "move `DIR/.ambit/ambit.db` away",
            );
        }
        assert_eq!(fs::read_to_string(data.join("ambit.db"))?, text, "it is left as it was");
    }
    Ok(())
}

#[tokio::test]
async fn a_folder_in_the_place_of_the_database_is_none() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    fs::create_dir_all(data.join("ambit.db"))?;
    for answer in [Store::open(&data).await, Store::open_existing(&data).await] {
        check(&refused(answer)?, &home, "`DIR/.ambit/ambit.db` is not a database", "move ");
    }
    Ok(())
}

#[tokio::test]
async fn a_database_cut_short_is_damaged() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    let store = Store::open(&data).await?;
    store.publish(snapshot(&["root", "a"]), None, audit()).await?;
    store.close().await?;
    let whole = fs::read(data.join("ambit.db"))?;
    fs::write(data.join("ambit.db"), whole.get(..5_000).unwrap_or_default())?;
    let error = refused(Store::open(&data).await)?;
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    Ok(())
}

#[tokio::test]
async fn a_file_where_a_folder_should_be_is_named() -> Tested {
    let home = Home::on_sqlite()?;
    let data = home.data();
    fs::write(&data, "a file")?;
    for path in [data.clone(), data.join("deeper")] {
        let error = refused(Store::open(&path).await)?;
        assert!(matches!(&error, StoreError::DataFolder { path: named, .. } if *named == path), "{error:?}");
        let named = path.strip_prefix(home.around())?.display().to_string();
        check(&error, &home, &format!("cannot use the data folder `DIR/{named}`"), "name a folder that you may write");
    }
    Ok(())
}

async fn a_newer_database_is_left_alone(home: &Home) -> Tested {
    let store = home.store().await?;
    let row = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m20990101_000001_later', 0)";
    store.database.execute_unprepared(row).await?;
    for answer in [Store::open(home.place()?).await, Store::open_existing(home.place()?).await] {
        check(
            &refused(answer)?,
            home,
            "DATABASE was made by a newer ambit",
            "use the ambit that made it (it added `m20990101_000001_later`)",
        );
    }
    Ok(())
}

async fn a_writer_that_waits_too_long_is_told_why(home: &Home) -> Tested {
    let store = home.store().await?;
    let hasty = Store::enter(home.place()?, Duration::from_millis(50)).await?;
    let writing = store.write("hold the lock").await?;
    let error = refused(hasty.publish(snapshot(&["root"]), None, audit()).await)?;
    check(&error, home, "another process is writing to the database", "wait until it is done");
    assert_eq!(hasty.live().await?, None, "readers do not wait");
    drop(writing);
    hasty.publish(snapshot(&["root"]), None, audit()).await?;
    Ok(())
}

async fn rows_that_point_nowhere_are_refused(home: &Home) -> Tested {
    let store = home.store().await?;
    let orphan = "INSERT INTO activation (snapshot, kind, at, by) VALUES (7, 'apply', '', '')";
    assert!(store.database.execute_unprepared(orphan).await.is_err());
    Ok(())
}

#[test]
fn folders_without_rights_are_read_only() -> Tested {
    let home = Home::on_sqlite()?;
    allow(home.around(), 0o500)?;
    let passes = fs::write(home.around().join("probe"), "").is_ok();
    if !passes {
        return tokio::runtime::Runtime::new()?.block_on(rights());
    }
    if std::env::var_os(TELLS_CHILD).is_some() {
        return Err("root's power over file rights could not be given up".into());
    }
    // A process keeps its powers for life; a child started by `setpriv` has those that are left.
    let child = Command::new("setpriv")
        .args(["--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"])
        .arg(std::env::current_exe()?)
        .args(["--exact", "store::tests::opening::folders_without_rights_are_read_only"])
        .env(TELLS_CHILD, "1")
        .output()
        .map_err(|error| format!("as root this test needs `setpriv` (util-linux): {error}"))?;
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
    Ok(())
}

async fn rights() -> Tested {
    let home = Home::on_sqlite()?;
    let (parent, data) = (home.around(), home.data());
    allow(parent, 0o500)?;
    read_only(&Store::open(&data).await, &data);
    allow(parent, 0o700)?;

    let store = Store::open(&data).await?;
    store.publish(snapshot(&["root"]), None, audit()).await?;
    store.close().await?;
    allow(&data.join("ambit.db"), 0o400)?;
    read_only(&Store::open(&data).await, &data);
    read_only(&Store::open_existing(&data).await, &data);
    allow(&data.join("ambit.db"), 0o600)?;

    allow(&data, 0o500)?;
    read_only(&Store::open(&data).await, &data);
    allow(&data, 0o700)?;
    assert_eq!(Store::open_existing(&data).await?.records().await?.len(), 1);

    fs::remove_file(data.join("ambit.db"))?;
    allow(&data, 0o500)?;
    read_only(&Store::open(&data).await, &data);
    allow(&data, 0o700)?;
    Ok(())
}

fn read_only(answer: &Result<Store, StoreError>, data: &Path) {
    assert!(matches!(answer, Err(StoreError::ReadOnly { place }) if place.data() == data), "{answer:?}");
}

async fn a_store_from_before_callers_is_brought_up_to_date(home: &Home) -> Tested {
    // Made as an earlier build made it, with a key that only administered and one that asks for somebody.
    let old = home.raw().await?;
    ambit_migrations::migrate_to(&old, 2).await?;
    let digest = format!("sha256:{}", "a".repeat(64));
    for (id, admin, principal, project) in [
        ("0a", true, "NULL", "NULL"),
        ("0b", true, "'acme:user:ada'", "'acme/finance'"),
        ("0c", false, "'acme:agent:bot'", "'acme/finance'"),
    ] {
        let insert = format!(
            "INSERT INTO access_key VALUES ('{id}', '{digest}', 'old', {admin}, {principal}, {project}, '2026-11-01T00:00:00Z', \
             'local:ada', NULL, NULL)"
        );
        old.execute_unprepared(&insert).await?;
    }
    old.execute_unprepared(&format!("INSERT INTO session VALUES ('{digest}', '0b', '2099-01-01T00:00:00Z')")).await?;
    old.close().await?;

    let store = home.store().await?;
    let keys = store.keys().await?;
    let told: Vec<String> = keys.iter().map(|key| format!("{} {} {:?}", key.id, key.principal, key.tools)).collect();
    assert_eq!(told, ["0b acme:user:ada {}", "0c acme:agent:bot {}"]);
    assert!(store.key("0a").await?.is_none(), "a key that only administered opens nothing");
    assert!(store.key("0b").await?.is_some());
    assert_eq!(store.session(&Digest::of(b"any"), "2026-11-30T12:00:00Z").await?, None);
    store.publish(snapshot(&["root"]), None, audit()).await?;
    assert_eq!(store.audit_head().await?.map(|head| head.sequence), Some(1));
    Ok(())
}

async fn what_is_put_into_the_audit_by_hand_is_found(home: &Home) -> Tested {
    use ambit_engine::audit::Verifier;

    let store = home.store().await?;
    for _ in 0..4 {
        store.add_audit(&audit()).await?;
    }
    let sound = |store: Store| async move {
        let mut verifier = Verifier::default();
        for salted in store.audit_after(i64::MIN, 100).await? {
            if verifier.take(&salted.entry, salted.salt.as_deref())?.is_err() {
                return Ok::<_, Box<dyn std::error::Error>>(false);
            }
        }
        Ok(verifier.finish().is_ok())
    };
    assert!(sound(store.clone()).await?);
    let again = "INSERT INTO audit SELECT {}, at, tenant, action, outcome, payload, salt, payload_digest, former, hash FROM audit \
                 WHERE sequence = 2";
    for (change, back) in [
        (
            "UPDATE audit SET action = 'rollback' WHERE sequence = 2",
            "UPDATE audit SET action = 'apply' WHERE sequence = 2",
        ),
        ("UPDATE audit SET payload = NULL, salt = NULL WHERE sequence = 4", ""),
    ] {
        store.database.execute_unprepared(change).await?;
        assert!(!sound(store.clone()).await?, "{change}");
        if !back.is_empty() {
            store.database.execute_unprepared(back).await?;
            assert!(sound(store.clone()).await?, "{back}");
        }
    }
    store.database.execute_unprepared("DELETE FROM audit WHERE sequence = 4").await?;
    for sequence in ["-5", "0", "9"] {
        store.database.execute_unprepared(&again.replace("{}", sequence)).await?;
        assert!(!sound(store.clone()).await?, "a row {sequence}");
        store.database.execute_unprepared(&format!("DELETE FROM audit WHERE sequence = {sequence}")).await?;
        assert!(sound(store.clone()).await?);
    }
    store.database.execute_unprepared(&again.replace("{}", &i64::MAX.to_string())).await?;
    assert!(matches!(store.add_audit(&audit()).await, Err(StoreError::Corrupt { .. })), "an error, not a panic");
    Ok(())
}
