//! Publishing, going back, and two who publish at once.
//! Each refusal is followed by a look at what it left behind, which must be nothing.

use std::time::Duration;

use ambit_model::digest::Digest;
use ambit_model::snapshot::ActivationKind;
use sea_orm::{
    ConnectionTrait as _, DbBackend, EntityTrait as _, IsolationLevel, PaginatorTrait as _, TransactionTrait as _,
};

use super::super::entity;
use super::{Home, NewSnapshot, Store, StoreError, Tested, audit, check, part, refused, rollback, snapshot};

on_both![
    what_is_published_is_live,
    the_next_snapshot_adds_only_what_changed,
    the_same_digest_may_be_published_twice,
    publishing_repairs_a_damaged_part,
    going_back_is_a_new_line_of_the_list,
    publishing_on_another_snapshot_than_the_live_one_is_refused,
    a_number_that_was_never_given_is_refused,
    a_failure_in_the_middle_leaves_nothing_and_spends_no_number,
    a_dropped_transaction_leaves_nothing,
    a_publish_that_is_given_up_leaves_all_or_nothing,
    of_two_who_publish_at_once_one_wins,
    a_damaged_record_says_which,
];

/// Rows of part, snapshot and activation, all as of one moment.
async fn rows(store: &Store) -> Result<[u64; 3], sea_orm::DbErr> {
    // SQLite needs no telling.
    let level =
        (store.database.get_database_backend() == DbBackend::Postgres).then_some(IsolationLevel::RepeatableRead);
    let moment = store.database.begin_with_config(level, None).await?;
    let rows = [
        entity::part::Entity::find().count(&moment).await?,
        entity::snapshot::Entity::find().count(&moment).await?,
        entity::activation::Entity::find().count(&moment).await?,
    ];
    moment.commit().await?;
    Ok(rows)
}

async fn what_is_published_is_live(home: &Home) -> Tested {
    let store = home.store().await?;
    let new = snapshot(&["root", "a", "b"]);
    let record = store.publish(new.clone(), None, audit()).await?;
    assert_eq!((record.number, record.parent), (1, None));
    assert_eq!((&record.digest, &record.source_digest), (&new.digest, &new.source_digest));
    assert_eq!((&record.author, &record.message, &record.git_commit), (&new.author, &new.message, &None));
    assert_eq!((record.tools, &record.report), (1, &new.report));
    let Some((live, activation)) = store.live().await? else {
        return Err("nothing is live".into());
    };
    assert_eq!(live, record);
    assert_eq!((activation.sequence, activation.snapshot, activation.kind), (1, 1, ActivationKind::Apply));
    assert_eq!((activation.at, activation.by, activation.reason), (new.created_at, new.author, None));
    Ok(())
}

async fn the_next_snapshot_adds_only_what_changed(home: &Home) -> Tested {
    let store = home.store().await?;
    store.publish(snapshot(&["root 1", "a", "b"]), None, audit()).await?;
    let second = store.publish(snapshot(&["root 2", "a", "c"]), Some(1), audit()).await?;
    assert_eq!((second.number, second.parent), (2, Some(1)));
    assert_eq!(rows(&store).await?, [5, 2, 2]);
    let numbers: Vec<i64> = store.records().await?.iter().map(|record| record.number).collect();
    assert_eq!(numbers, [2, 1]);
    Ok(())
}

async fn the_same_digest_may_be_published_twice(home: &Home) -> Tested {
    let store = home.store().await?;
    let first = store.publish(snapshot(&["root"]), None, audit()).await?;
    let without_parts = NewSnapshot { parts: Vec::new(), ..snapshot(&["root"]) };
    let second = store.publish(without_parts, Some(1), audit()).await?;
    assert_eq!((first.number, second.number), (1, 2));
    assert_eq!(first.digest, second.digest);
    Ok(())
}

async fn publishing_repairs_a_damaged_part(home: &Home) -> Tested {
    let store = home.store().await?;
    let (digest, whole) = part("root");
    let damaged = crate::store::StoredPart { body: "something else under the same digest".to_owned(), ..whole.clone() };
    store.publish(NewSnapshot { parts: vec![(digest.clone(), damaged)], ..snapshot(&["root"]) }, None, audit()).await?;
    store
        .publish(NewSnapshot { parts: vec![(digest.clone(), whole.clone())], ..snapshot(&["root"]) }, Some(1), audit())
        .await?;
    let stored = store.parts(std::slice::from_ref(&digest)).await?;
    assert_eq!(stored.get(&digest), Some(&whole));
    Ok(())
}

async fn going_back_is_a_new_line_of_the_list(home: &Home) -> Tested {
    let store = home.store().await?;
    store.publish(snapshot(&["root 1"]), None, audit()).await?;
    store.publish(snapshot(&["root 2"]), Some(1), audit()).await?;
    let back = store.activate(rollback(1), Some(2), &audit()).await?;
    assert_eq!((back.sequence, back.snapshot, back.kind), (3, 1, ActivationKind::Rollback));
    assert_eq!(back.reason.as_deref(), Some("it routes refunds to the wrong desk"));
    let live = store.live().await?;
    assert_eq!(live.map(|(record, activation)| (record.number, activation)), Some((1, back)));
    let list: Vec<(i64, i64)> = store.activations().await?.iter().map(|line| (line.sequence, line.snapshot)).collect();
    assert_eq!(list, [(3, 1), (2, 2), (1, 1)]);
    // The parent of what comes next is what is live, not the highest number.
    assert_eq!(store.publish(snapshot(&["root 3"]), Some(1), audit()).await?.parent, Some(1));
    Ok(())
}

async fn publishing_on_another_snapshot_than_the_live_one_is_refused(home: &Home) -> Tested {
    let store = home.store().await?;
    let error = refused(store.publish(snapshot(&["root"]), Some(1), audit()).await)?;
    check(&error, home, "no snapshot is live, where snapshot 1 was expected", "somebody else got there first");
    assert_eq!(rows(&store).await?, [0, 0, 0]);
    store.publish(snapshot(&["root"]), None, audit()).await?;
    let error = refused(store.publish(snapshot(&["other"]), None, audit()).await)?;
    check(&error, home, "snapshot 1 is live, where no snapshot was expected", "somebody else got there first");
    assert_eq!(rows(&store).await?, [1, 1, 1]);
    let error = refused(store.activate(rollback(1), Some(7), &audit()).await)?;
    check(&error, home, "snapshot 1 is live, where snapshot 7 was expected", "somebody else got there first");
    assert_eq!(rows(&store).await?, [1, 1, 1]);
    Ok(())
}

async fn a_number_that_was_never_given_is_refused(home: &Home) -> Tested {
    let store = home.store().await?;
    let message = "there is no snapshot `9`";
    check(&refused(store.record(9).await)?, home, message, "nothing is stored yet: run `ambit apply` first");
    store.publish(snapshot(&["root"]), None, audit()).await?;
    check(&refused(store.activate(rollback(9), Some(1), &audit()).await)?, home, message, "the only snapshot is 1");
    store.publish(snapshot(&["root"]), Some(1), audit()).await?;
    store.publish(snapshot(&["root"]), Some(2), audit()).await?;
    check(&refused(store.record(9).await)?, home, message, "snapshots are numbered from 1 to 3");
    assert_eq!(rows(&store).await?, [1, 3, 3]);
    Ok(())
}

async fn a_failure_in_the_middle_leaves_nothing_and_spends_no_number(home: &Home) -> Tested {
    let store = home.store().await?;
    store.publish(snapshot(&["root 1"]), None, audit()).await?;
    let missing = NewSnapshot { digest: Digest::of(b"nowhere"), ..snapshot(&["a", "b"]) };
    let error = refused(store.publish(missing, Some(1), audit()).await)?;
    assert!(matches!(error, StoreError::NoRootPart { .. }), "{error:?}");
    // The last statement of the transaction fails.
    let trap = home.words(
        "CREATE TRIGGER trap BEFORE INSERT ON activation BEGIN SELECT RAISE(ABORT, 'trapped'); END",
        "CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$; \
         CREATE TRIGGER trap BEFORE INSERT ON activation FOR EACH ROW EXECUTE FUNCTION trap()",
    );
    store.database.execute_unprepared(trap).await?;
    let error = refused(store.publish(snapshot(&["c", "d"]), Some(1), audit()).await)?;
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert_eq!(error.to_string(), "could not publish the snapshot");
    assert!(cause.contains("trapped"), "{cause}");
    assert_eq!(rows(&store).await?, [1, 1, 1]);
    store.database.execute_unprepared(home.words("DROP TRIGGER trap", "DROP TRIGGER trap ON activation")).await?;
    assert_eq!(store.publish(snapshot(&["e"]), Some(1), audit()).await?.number, 2);
    Ok(())
}

async fn a_dropped_transaction_leaves_nothing(home: &Home) -> Tested {
    let store = home.store().await?;
    let writing = store.write("be forgotten").await?;
    writing.add_parts(vec![part("a"), part("b")]).await?;
    drop(writing);
    assert_eq!(rows(&store).await?, [0, 0, 0]);
    let record = store.publish(snapshot(&["root"]), None, audit()).await?;
    assert_eq!(record.number, 1);
    Ok(())
}

async fn a_publish_that_is_given_up_leaves_all_or_nothing(home: &Home) -> Tested {
    let store = home.store().await?;
    let bodies: Vec<String> = (0..3_000).map(|number| format!("body {number}")).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    for wait in [0, 1, 2, 4, 8, 16, 32, 64, 128] {
        let publish = store.publish(snapshot(&bodies), None, audit());
        let given_up = tokio::time::timeout(Duration::from_millis(wait), publish).await.is_err();
        // Given up while it commits, it may happen all the same, but then it happens whole.
        let rows = rows(&store).await?;
        assert!(rows == [3_000, 1, 1] || (given_up && rows == [0, 0, 0]), "after {wait} ms: {rows:?}");
        if rows == [3_000, 1, 1] {
            return Ok(());
        }
    }
    store.publish(snapshot(&bodies), None, audit()).await?;
    assert_eq!(rows(&store).await?, [3_000, 1, 1]);
    Ok(())
}

async fn of_two_who_publish_at_once_one_wins(home: &Home) -> Tested {
    let (one, two) = (home.store().await?, home.store().await?);
    let mut live = None;
    for round in 0..10 {
        let (ours, theirs) = (format!("ours {round}"), format!("theirs {round}"));
        let (first, second) = tokio::join!(
            tokio::spawn({
                let one = one.clone();
                async move { one.publish(snapshot(&[&ours]), live, audit()).await }
            }),
            tokio::spawn({
                let two = two.clone();
                async move { two.publish(snapshot(&[&theirs]), live, audit()).await }
            }),
        );
        let (winner, loser) = match (first?, second?) {
            (Ok(winner), Err(loser)) | (Err(loser), Ok(winner)) => (winner, loser),
            other => return Err(format!("not one winner: {other:?}").into()),
        };
        let found = Some(winner.number);
        assert!(
            matches!(loser, StoreError::Moved { expected, found: now } if expected == live && now == found),
            "{loser:?}"
        );
        live = found;
    }
    assert_eq!(rows(&one).await?, [10, 10, 10]);
    Ok(())
}

async fn a_damaged_record_says_which(home: &Home) -> Tested {
    let cases = [
        ("UPDATE snapshot SET report = '{'", "the record of snapshot 1 is damaged in the database: "),
        (
            "UPDATE snapshot SET source_digest = 'abc'",
            "the record of snapshot 1 is damaged in the database: `abc` is not a digest",
        ),
        (
            "UPDATE activation SET kind = 'magic'",
            "activation 1 is damaged in the database: `magic` is no kind of activation",
        ),
    ];
    let whole = ["UPDATE snapshot SET report = '{}', source_digest = digest", "UPDATE activation SET kind = 'apply'"];
    let store = home.store().await?;
    store.publish(snapshot(&["root"]), None, audit()).await?;
    for (damage, message) in cases {
        for mended in whole {
            store.database.execute_unprepared(mended).await?;
        }
        store.database.execute_unprepared(damage).await?;
        let error = refused(store.live().await)?;
        assert!(error.to_string().starts_with(message), "{error}");
        assert!(error.help().starts_with("restore the database from a backup"));
    }
    Ok(())
}
