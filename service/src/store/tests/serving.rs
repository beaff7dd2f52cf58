//! What only a server can do: be away, refuse, be replaced, cut connections; and what a URL may be.
//! A password is looked for in everything that could be printed.

use std::error::Error;
use std::time::Duration;

use ambit_model::codes;
use sea_orm::ConnectionTrait as _;

use super::super::Place;
use super::{Home, Store, StoreError, Tested, audit, check, refused, snapshot};

/// In every URL here.
const PASSWORD: &str = "hunter2";

/// Everything that a log or a terminal could show of an error.
fn everything(error: &StoreError) -> String {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    format!("{error} {} {cause} {error:?}", error.help())
}

#[test]
fn a_url_that_is_none_is_refused_without_its_password() {
    let cases = [
        ("host=db.example password=hunter2", "what `--database` names is no URL"),
        ("mysql://ada:hunter2@db.example/ambit", "`--database` takes a URL that begins with `postgres://`"),
        (
            "postgres://ada:hunter2@db.example:port/ambit",
            "the URL of `--database` cannot be read: look at its port and its options",
        ),
        (
            "postgres://ada:12/hunter2@db.example/ambit",
            "the URL of `--database` has a `/`, `?` or `#` before its `@`, or an `@` or `#` behind",
        ),
        (
            "postgres://ada:12?hunter2@db.example/ambit",
            "the URL of `--database` has a `/`, `?` or `#` before its `@`, or an `@` or `#` behind",
        ),
        (
            "postgres://ada:hunter2@db.example/ambit?sslmodus=require",
            "the URL of `--database` has the option `sslmodus`, which there is not",
        ),
    ];
    for (url, message) in cases {
        let Err(refused) = Place::new(".ambit", Some(url)) else { panic!("`{url}` should have been refused") };
        assert_eq!((&*refused.code, refused.message.as_str()), (codes::E_VALUE, message), "{url}");
        assert!(refused.help.as_ref().is_some_and(|help| !help.is_empty()), "{url}");
        assert!(!format!("{refused:?}").contains(PASSWORD), "{refused:?}");
    }
}

#[test]
fn a_place_is_shown_without_its_password() -> Tested {
    let cases = [
        ("postgres://ada:hunter2@db.example/ambit", "the database `postgres://ada@db.example:5432/ambit`"),
        ("postgresql://ada:hunter2@db.example:5433", "the database `postgres://ada@db.example:5433/ada`"),
        (
            "postgres:///ambit?host=/run/postgresql&user=ada&password=hunter2",
            "the database `postgres:///ambit?host=/run/postgresql&user=ada`",
        ),
        ("", "the database in `.ambit`"),
    ];
    for (url, shown) in cases {
        let place = Place::new(".ambit", Some(url)).map_err(|refused| refused.message)?;
        assert_eq!(place.to_string(), shown);
        assert!(!format!("{place:?}").contains(PASSWORD), "{place:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_server_that_is_away_is_said_at_once() -> Tested {
    let place =
        Place::new(".ambit", Some("postgres://ada:hunter2@127.0.0.1:1/ambit")).map_err(|refused| refused.message)?;
    for answer in [Store::open(&place).await, Store::open_existing(&place).await] {
        let error = refused(answer)?;
        assert_eq!(error.to_string(), "the database `postgres://ada@127.0.0.1:1/ambit` cannot be reached");
        assert!(error.help().starts_with("see whether the server runs"), "{}", error.help());
        assert_eq!(error.code(), codes::E_STORE);
        let everything = everything(&error);
        assert!(everything.contains("refused") && !everything.contains(PASSWORD), "{everything}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_is_told_so() -> Tested {
    let Some(home) = Home::on_postgres().await? else { return Ok(()) };
    let url = home.url().unwrap_or_default().to_owned();
    let role = format!("guarded_{}", home.name());
    let open = async |url: String| -> Result<StoreError, Box<dyn Error>> {
        let place = Place::new(home.data(), Some(&url)).map_err(|refused| refused.message)?;
        Ok(refused(Store::open(&place).await)?)
    };
    home.administer(&[format!("CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'"), format!("GRANT guarded TO {role}")])
        .await?;

    let wrong = open(url.replace("user=ambit", &format!("user={role}&password={PASSWORD}no"))).await?;
    assert!(matches!(wrong, StoreError::NotLetIn { .. }), "{wrong:?}");
    assert!(wrong.to_string().ends_with("does not let this user in"), "{wrong}");
    assert!(!everything(&wrong).contains(PASSWORD), "{wrong:?}");

    let powerless = open(url.replace("user=ambit", &format!("user={role}&password={PASSWORD}"))).await?;
    assert!(matches!(powerless, StoreError::ReadOnly { .. }), "no tables may be made: {powerless:?}");

    let nowhere = open(url.replace(home.name(), "nowhere")).await?;
    assert!(matches!(nowhere, StoreError::NoSuchDatabase { .. }), "{nowhere:?}");
    assert!(nowhere.to_string().contains("nowhere") && nowhere.to_string().ends_with("does not exist"), "{nowhere}");

    home.administer(&[format!("DROP ROLE {role}")]).await?;
    home.remove().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_database_asks_for_an_apply() -> Tested {
    let Some(home) = Home::on_postgres().await? else { return Ok(()) };
    let error = refused(Store::open_existing(home.place()?).await)?;
    check(&error, &home, "DATABASE holds nothing of ambit yet", "run `ambit apply` first, or name another database");
    let tables = "SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'";
    assert_eq!(home.raw().await?.execute_unprepared(tables).await?.rows_affected(), 0, "looking makes nothing");
    home.remove().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_takes_no_writes_is_read() -> Tested {
    let Some(home) = Home::on_postgres().await? else { return Ok(()) };
    home.store().await?.publish(snapshot(&["root"]), None, audit()).await?;
    home.administer(&[format!("ALTER DATABASE {} SET default_transaction_read_only = on", home.name())]).await?;
    let store = Store::open_existing(home.place()?).await?;
    assert_eq!(store.newest_activation().await?.map(|activation| activation.snapshot), Some(1));
    let error = refused(store.publish(snapshot(&["other"]), Some(1), audit()).await)?;
    check(&error, &home, "DATABASE cannot be written", "let the user make and change tables in it");
    home.remove().await
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_were_cut_are_made_anew() -> Tested {
    let Some(home) = Home::on_postgres().await? else { return Ok(()) };
    let store = home.store().await?;
    store.publish(snapshot(&["root"]), None, audit()).await?;
    let cut = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'", home.name());
    for number in 2..6 {
        home.administer(std::slice::from_ref(&cut)).await?;
        assert_eq!(store.newest_activation().await?.map(|activation| activation.snapshot), Some(number - 1));
        home.administer(std::slice::from_ref(&cut)).await?;
        assert_eq!(store.publish(snapshot(&["root"]), Some(number - 1), audit()).await?.number, number);
    }
    home.remove().await
}

#[tokio::test(flavor = "multi_thread")]
async fn another_database_under_the_same_name_is_not_used() -> Tested {
    let Some(home) = Home::on_postgres().await? else { return Ok(()) };
    let name = home.name();
    let store = Store::enter(home.place()?, Duration::from_millis(200)).await?;
    store.publish(snapshot(&["root"]), None, audit()).await?;
    let cut = |name: &str| format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    let rename = |from: &str, to: &str| format!("ALTER DATABASE {from} RENAME TO {to}");
    let away = format!("{name}_away");
    home.administer(&[cut(name), rename(name, &away), format!("CREATE DATABASE {name} TEMPLATE {away}")]).await?;
    let error = refused(store.newest_activation().await)?;
    check(&error, &home, "DATABASE was moved away or replaced", "put it back where it was");
    assert!(matches!(refused(store.add_audit(&audit()).await)?, StoreError::Gone { .. }), "nothing is written into it");
    home.administer(&[cut(name), format!("DROP DATABASE {name}"), rename(&away, name)]).await?;
    assert_eq!(store.newest_activation().await?.map(|activation| activation.snapshot), Some(1), "it is back");
    home.remove().await
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_isolation_is_usual_there_writers_take_turns() -> Tested {
    for usual in ["repeatable read", "serializable"] {
        let Some(home) = Home::on_postgres().await? else { return Ok(()) };
        let set = format!("ALTER DATABASE {} SET default_transaction_isolation = '{usual}'", home.name());
        home.administer(&[set]).await?;
        let writers: Vec<Store> = [home.store().await?, home.store().await?, home.store().await?].into();
        let writing: Vec<_> = (0..30)
            .map(|turn| {
                let store = writers.get(turn % 3).cloned();
                tokio::spawn(async move {
                    match store {
                        Some(store) => store.add_audit(&audit()).await.map(|head| head.sequence),
                        None => Ok(0),
                    }
                })
            })
            .collect();
        let mut sequences = Vec::new();
        for one in writing {
            sequences.push(one.await??);
        }
        sequences.sort_unstable();
        assert_eq!(sequences, (1..=30).collect::<Vec<i64>>(), "{usual}");
        home.remove().await?;
    }
    Ok(())
}
