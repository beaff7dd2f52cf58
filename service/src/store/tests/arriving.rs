//! Winners that are kept, and vectors and winners that arrive from elsewhere: all or none, and nothing that is here changes.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;

use super::super::{Arrived, KeptWinners};
use super::{Home, Tested};

on_both![
    winners_come_back_by_model_scorer_and_project,
    winners_that_nobody_writes_are_dropped,
    what_is_here_stays_when_something_arrives,
    an_import_that_is_not_ended_never_happened,
    vectors_are_read_in_pages,
];

fn kept(model: &str, scorer: i32, project: &str, kept: &[u8]) -> KeptWinners {
    KeptWinners { model: model.to_owned(), scorer, project: project.to_owned(), kept: kept.to_vec() }
}

async fn winners_come_back_by_model_scorer_and_project(home: &Home) -> Tested {
    let store = home.store().await?;
    let rows =
        vec![kept("m", 1, "acme/desk", &[0, 255]), kept("m", 2, "acme/desk", b"two"), kept("n", 1, "acme/desk", b"n")];
    store.put_winners(rows.clone(), "2026-11-30", "2026-09-01").await?;
    store.put_winners(vec![kept("m", 2, "acme/desk", b"newer")], "2026-11-30", "2026-09-01").await?;
    let (desk, lab) = (ProjectId::parse("acme/desk", None)?, ProjectId::parse("acme/lab", None)?);
    let found = store.winners("m", 2, &[desk.clone(), lab]).await?;
    assert_eq!(found, BTreeMap::from([(desk, b"newer".to_vec())]));
    let named: Vec<KeptWinners> = rows.into_iter().map(|row| KeptWinners { kept: Vec::new(), ..row }).collect();
    assert_eq!(store.winners_kept().await?, named);
    assert_eq!(store.winners_of(kept("m", 1, "acme/desk", b"")).await?, Some(kept("m", 1, "acme/desk", &[0, 255])));
    assert_eq!(store.winners_of(kept("m", 9, "acme/desk", b"")).await?, None);
    Ok(())
}

async fn winners_that_nobody_writes_are_dropped(home: &Home) -> Tested {
    let store = home.store().await?;
    store.put_winners(vec![kept("m", 1, "acme/old", b"o")], "2026-08-31", "2026-01-01").await?;
    store.put_winners(vec![kept("m", 1, "acme/new", b"n")], "2026-09-01", "2026-06-01").await?;
    assert_eq!(store.winners_kept().await?.len(), 2);
    store.put_winners(vec![kept("m", 1, "acme/newer", b"n")], "2026-11-30", "2026-09-01").await?;
    let projects: Vec<String> = store.winners_kept().await?.into_iter().map(|row| row.project).collect();
    assert_eq!(projects, ["acme/new", "acme/newer"]);
    Ok(())
}

async fn what_is_here_stays_when_something_arrives(home: &Home) -> Tested {
    let store = home.store().await?;
    let [one, two, three] = ["one", "two", "three"].map(|text| Digest::of(text.as_bytes()));
    store.put_vectors("m", &[(one.clone(), vec![0.0, 1.0]), (two.clone(), vec![1.0])]).await?;
    store.put_winners(vec![kept("m", 1, "acme/desk", b"ours")], "2026-11-30", "2026-09-01").await?;
    let arriving = store.begin_arriving().await?;
    let given = [(one.clone(), vec![-0.0, 1.0]), (two.clone(), vec![1.0]), (three.clone(), vec![3.0])];
    let arrived = arriving.vectors("m", &given).await?;
    assert_eq!(arrived, Arrived { added: 1, known: 1, different: 1 });
    assert!(!arriving.winners(kept("m", 1, "acme/desk", b"theirs"), "2026-11-30").await?);
    assert!(arriving.winners(kept("m", 1, "acme/lab", b"theirs"), "2026-11-30").await?);
    arriving.commit().await?;
    let found = store.vectors("m", &[one.clone(), three.clone()]).await?;
    assert_eq!(
        found.get(&one).map(|vector| vector.iter().map(|n| n.to_bits()).collect::<Vec<_>>()),
        Some(vec![0, 1.0_f32.to_bits()])
    );
    assert_eq!(found.get(&three), Some(&vec![3.0]));
    assert_eq!(store.winners_of(kept("m", 1, "acme/desk", b"")).await?.map(|row| row.kept), Some(b"ours".to_vec()));
    Ok(())
}

async fn an_import_that_is_not_ended_never_happened(home: &Home) -> Tested {
    let store = home.store().await?;
    let one = Digest::of(b"one");
    let arriving = store.begin_arriving().await?;
    arriving.vectors("m", &[(one.clone(), vec![1.0])]).await?;
    drop(arriving);
    assert!(store.vectors("m", &[one]).await?.is_empty());
    Ok(())
}

async fn vectors_are_read_in_pages(home: &Home) -> Tested {
    let store = home.store().await?;
    let given: BTreeMap<Digest, Vec<f32>> =
        (0..7_u16).map(|number| (Digest::of(&number.to_le_bytes()), vec![f32::from(number)])).collect();
    store.put_vectors("m", &given.clone().into_iter().collect::<Vec<_>>()).await?;
    store.put_vectors("a", &[(Digest::of(b"other"), vec![1.0])]).await?;
    assert_eq!(store.vector_models().await?, ["a", "m"]);
    let (mut found, mut last, mut pages) = (BTreeMap::new(), None, 0);
    loop {
        let page = store.vectors_after("m", last.as_ref(), 3).await?;
        let Some(newest) = page.keys().next_back().cloned() else { break };
        found.extend(page);
        (last, pages) = (Some(newest), pages + 1);
    }
    assert_eq!((found, pages), (given, 3));
    Ok(())
}
