//! Parts, vectors and gaps: what goes in comes out, in any number.
//! Five thousand keys need several queries; the answer must not show it.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::digest::Digest;
use ambit_model::feedback::FeedbackOutcome;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::ratio::Score;
use ambit_model::route::GapCause;
use sea_orm::ConnectionTrait as _;

use super::super::{FeedbackScope, GapScope, NewFeedback, NewGap, Questions};
use super::{Home, NewSnapshot, Store, Tested, audit, part, refused, snapshot};

on_both![
    five_thousand_parts_come_back,
    what_is_not_stored_is_absent,
    a_body_is_text_as_given,
    vectors_come_back_bit_by_bit,
    the_first_vector_of_a_text_stays,
    many_vectors_come_back,
    a_vector_of_odd_length_is_damaged,
    gaps_come_back_newest_first_in_pages,
    a_tenant_sees_only_its_gaps,
    where_questions_are_off_no_word_is_kept,
    a_gap_of_no_snapshot_keeps_none_of_its_batch,
    every_cause_comes_back,
    a_character_that_postgres_does_not_keep_spoils_no_batch,
    feedback_comes_back_newest_first_as_far_as_it_is_asked_for,
    the_oldest_feedback_of_a_project_makes_room,
];

async fn five_thousand_parts_come_back(home: &Home) -> Tested {
    let store = home.store().await?;
    let parts: Vec<_> = (0..5_000).map(|number| part(&format!("body {number}"))).collect();
    let digests: Vec<Digest> = parts.iter().map(|(digest, _)| digest.clone()).collect();
    store.publish(NewSnapshot { parts: parts.clone(), ..snapshot(&["body 0"]) }, None, audit()).await?;
    assert_eq!(store.parts(&digests).await?, parts.into_iter().collect::<BTreeMap<_, _>>());
    assert_eq!(store.known_parts(&digests).await?, digests.into_iter().collect::<BTreeSet<_>>());
    Ok(())
}

async fn what_is_not_stored_is_absent(home: &Home) -> Tested {
    let store = home.store().await?;
    store.publish(snapshot(&["root", "a"]), None, audit()).await?;
    let (a, body) = part("a");
    let asked = [Digest::of(b"nowhere"), a.clone(), a.clone()];
    assert_eq!(store.parts(&asked).await?, BTreeMap::from([(a.clone(), body)]));
    assert_eq!(store.known_parts(&asked).await?, BTreeSet::from([a]));
    assert!(store.parts(&[]).await?.is_empty());
    Ok(())
}

async fn a_body_is_text_as_given(home: &Home) -> Tested {
    let store = home.store().await?;
    let bodies = ["", "\n", "{\"a\": 1.0e+2}\r\n", "naïve 😀 \u{202e}", "'; DROP TABLE part; --"];
    store.publish(snapshot(&bodies), None, audit()).await?;
    for body in bodies {
        let (digest, given) = part(body);
        assert_eq!(store.parts(std::slice::from_ref(&digest)).await?.get(&digest), Some(&given));
    }
    Ok(())
}

fn bits(vector: &[f32]) -> Vec<u32> {
    vector.iter().map(|number| number.to_bits()).collect()
}

async fn vectors_come_back_bit_by_bit(home: &Home) -> Tested {
    let store = home.store().await?;
    let cases: [&[f32]; 4] = [
        &[0.1, -0.2, 1e-40],
        &[0.0, -0.0, f32::MIN_POSITIVE, f32::MAX],
        &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY],
        &[],
    ];
    let given: Vec<(Digest, Vec<f32>)> = cases
        .iter()
        .enumerate()
        .map(|(case, vector)| (Digest::of(&[u8::try_from(case).unwrap_or(0)]), vector.to_vec()))
        .collect();
    assert_eq!(store.put_vectors("minilm+ort", &given).await?, 4);
    let texts: Vec<Digest> = given.iter().map(|(text, _)| text.clone()).collect();
    let found = store.vectors("minilm+ort", &texts).await?;
    for (text, vector) in &given {
        assert_eq!(found.get(text).map(|found| bits(found)), Some(bits(vector)));
    }
    assert!(store.vectors("another model", &texts).await?.is_empty());
    Ok(())
}

async fn the_first_vector_of_a_text_stays(home: &Home) -> Tested {
    let store = home.store().await?;
    let (one, two) = (Digest::of(b"one"), Digest::of(b"two"));
    assert_eq!(store.put_vectors("m", &[(one.clone(), vec![1.0])]).await?, 1);
    assert_eq!(store.put_vectors("m", &[(one.clone(), vec![2.0]), (two.clone(), vec![3.0])]).await?, 1);
    assert_eq!(store.put_vectors("m", &[(one.clone(), vec![2.0])]).await?, 0);
    assert_eq!(store.put_vectors("m", &[]).await?, 0);
    let found = store.vectors("m", &[one.clone(), two.clone()]).await?;
    assert_eq!(found, BTreeMap::from([(one, vec![1.0]), (two, vec![3.0])]));
    Ok(())
}

async fn many_vectors_come_back(home: &Home) -> Tested {
    let store = home.store().await?;
    let given: Vec<(Digest, Vec<f32>)> =
        (0..2_000_u16).map(|number| (Digest::of(&number.to_le_bytes()), vec![f32::from(number); 384])).collect();
    assert_eq!(store.put_vectors("m", &given).await?, 2_000);
    let texts: Vec<Digest> = given.iter().map(|(text, _)| text.clone()).collect();
    assert_eq!(store.vectors("m", &texts).await?, given.into_iter().collect::<BTreeMap<_, _>>());
    Ok(())
}

async fn a_vector_of_odd_length_is_damaged(home: &Home) -> Tested {
    let store = home.store().await?;
    let text = Digest::of(b"one");
    store.put_vectors("m", &[(text.clone(), vec![1.0])]).await?;
    let damage = home.words("UPDATE vector SET vector = x'0102'", r"UPDATE vector SET vector = '\x0102'");
    store.database.execute_unprepared(damage).await?;
    let error = refused(store.vectors("m", std::slice::from_ref(&text)).await)?;
    assert_eq!(
        error.to_string(),
        format!("the vector of text `{text}` is damaged in the database: its length is no whole count of numbers")
    );
    Ok(())
}

fn gap(project: &str, question: &str) -> Result<NewGap, String> {
    Ok(NewGap {
        at: "2026-11-30T11:00:00Z".to_owned(),
        snapshot: 1,
        project: ProjectId::parse(project, None)?,
        principal: Principal::parse("acme:user:analyst")?,
        question: Some(question.to_owned()),
        step: Some("cancel the <id>".to_owned()),
        cause: GapCause::BelowFloor,
        nearest: BTreeMap::from([(ToolId::new("crm", "orders.cancel"), Score::from_f64(0.2113))]),
        questions: Questions::Typed,
    })
}

async fn with_gaps(home: &Home, gaps: &[NewGap]) -> Result<Store, Box<dyn std::error::Error>> {
    let store = home.store().await?;
    store.publish(snapshot(&["root"]), None, audit()).await?;
    store.add_gaps(gaps).await?;
    Ok(store)
}

async fn gaps_come_back_newest_first_in_pages(home: &Home) -> Tested {
    let given = [gap("acme/finance", "one")?, gap("acme/finance", "two")?, gap("acme/finance", "three")?];
    let store = with_gaps(home, &given).await?;
    let [one, two, three] = given;
    let first: Vec<_> = store.gaps(&GapScope::Everything, None, 2).await?;
    assert_eq!(first.iter().map(|stored| &stored.gap).collect::<Vec<_>>(), [&three, &two]);
    let last = first.last().map(|stored| stored.id);
    let rest = store.gaps(&GapScope::Everything, last, 2).await?;
    assert_eq!(rest.iter().map(|stored| &stored.gap).collect::<Vec<_>>(), [&one]);
    Ok(())
}

async fn a_tenant_sees_only_its_gaps(home: &Home) -> Tested {
    let given = [gap("acme/finance", "ours")?, gap("acme/support", "ours too")?, gap("globex/finance", "theirs")?];
    let store = with_gaps(home, &given).await?;
    let cases = [
        (GapScope::Tenant("acme".to_owned()), vec!["ours too", "ours"]),
        (GapScope::Project(ProjectId::parse("acme/finance", None)?), vec!["ours"]),
        (GapScope::Project(ProjectId::parse("globex/finance", None)?), vec!["theirs"]),
        (GapScope::Tenant("initech".to_owned()), vec![]),
    ];
    for (scope, expected) in cases {
        let found = store.gaps(&scope, None, 10).await?;
        let questions: Vec<&str> = found.iter().filter_map(|stored| stored.gap.question.as_deref()).collect();
        assert_eq!(questions, expected, "{scope:?}");
    }
    Ok(())
}

async fn where_questions_are_off_no_word_is_kept(home: &Home) -> Tested {
    let store = with_gaps(home, &[NewGap { questions: Questions::Off, ..gap("acme/finance", "secret")? }]).await?;
    let found = store.gaps(&GapScope::Everything, None, 10).await?;
    let kept: Vec<_> =
        found.iter().map(|stored| (&stored.gap.question, &stored.gap.step, stored.gap.questions)).collect();
    assert_eq!(kept, [(&None, &None, Questions::Off)]);
    Ok(())
}

async fn a_gap_of_no_snapshot_keeps_none_of_its_batch(home: &Home) -> Tested {
    let store = with_gaps(home, &[]).await?;
    let batch = [gap("acme/finance", "one")?, NewGap { snapshot: 9, ..gap("acme/finance", "two")? }];
    let error = refused(store.add_gaps(&batch).await)?;
    assert_eq!(error.to_string(), "could not store gaps");
    assert!(store.gaps(&GapScope::Everything, None, 10).await?.is_empty());
    Ok(())
}

async fn every_cause_comes_back(home: &Home) -> Tested {
    let causes = [
        GapCause::Absent,
        GapCause::BelowFloor,
        GapCause::Ambiguous,
        GapCause::Limit,
        GapCause::TwinReserved,
        GapCause::NoOutputPath,
        GapCause::UpstreamDown,
    ];
    let given = causes.map(|cause| gap("acme/finance", "q").map(|gap| NewGap { cause, ..gap }));
    let given = given.into_iter().collect::<Result<Vec<_>, _>>()?;
    let store = with_gaps(home, &given).await?;
    let found = store.gaps(&GapScope::Everything, None, 10).await?;
    assert_eq!(found.iter().rev().map(|stored| stored.gap.cause).collect::<Vec<_>>(), causes);
    Ok(())
}

async fn a_character_that_postgres_does_not_keep_spoils_no_batch(home: &Home) -> Tested {
    let store = with_gaps(home, &[gap("acme/finance", "or\0ders")?, gap("acme/finance", "invoices")?]).await?;
    let found = store.gaps(&GapScope::Everything, None, 10).await?;
    let questions: Vec<&str> = found.iter().filter_map(|stored| stored.gap.question.as_deref()).collect();
    assert_eq!(questions, ["invoices", "or\u{fffd}ders"]);
    assert!(store.key("0\0a").await?.is_none());
    Ok(())
}

fn feedback(project: &str, question: &str) -> Result<NewFeedback, String> {
    Ok(NewFeedback {
        at: "2026-12-01T11:00:00Z".to_owned(),
        snapshot: 1,
        project: ProjectId::parse(project, None)?,
        principal: Principal::parse("acme:user:analyst")?,
        question: Some(question.to_owned()),
        step: None,
        outcome: FeedbackOutcome::Wrong,
        tool: Some(ToolId::new("crm", "orders.cancel")),
        instead: Some(ToolId::new("crm", "orders.close")),
        questions: Questions::Typed,
    })
}

async fn questions(store: &Store, scope: &FeedbackScope, tool: Option<&str>) -> Result<Vec<String>, super::StoreError> {
    let stored = store.feedback(scope, tool, 0, 100).await?;
    Ok(stored.into_iter().filter_map(|stored| stored.feedback.question).collect())
}

async fn feedback_comes_back_newest_first_as_far_as_it_is_asked_for(home: &Home) -> Tested {
    let store = with_gaps(home, &[]).await?;
    let mut given = vec![feedback("acme/finance", "one")?, feedback("acme/support", "two")?];
    given.push(NewFeedback { tool: None, instead: None, ..feedback("globex/people", "a\0b")? });
    given.push(NewFeedback { questions: Questions::Off, ..feedback("acme/finance", "unsaid")? });
    for one in &given {
        assert_eq!(store.add_feedback(one, 10).await?, 0);
    }
    let all = store.feedback(&FeedbackScope::Everything, None, 0, 100).await?;
    let first = all.first().ok_or("nothing came back")?;
    assert_eq!((&first.feedback.question, first.feedback.questions), (&None, Questions::Off));
    assert_eq!(all.last().map(|stored| &stored.feedback), given.first());
    assert_eq!(questions(&store, &FeedbackScope::Everything, None).await?, ["a\u{fffd}b", "two", "one"]);
    let acme = FeedbackScope::Tenant("acme".to_owned());
    assert_eq!(questions(&store, &acme, None).await?, ["two", "one"]);
    assert_eq!(questions(&store, &acme, Some("crm/orders.close")).await?, ["two", "one"]);
    for nowhere in ["crm/orders", "crm/\0"] {
        assert_eq!(questions(&store, &acme, Some(nowhere)).await?, [""; 0]);
    }
    let support = FeedbackScope::Projects(BTreeSet::from([ProjectId::parse("acme/support", None)?]));
    assert_eq!(questions(&store, &support, None).await?, ["two"]);
    assert!(store.feedback(&FeedbackScope::Projects(BTreeSet::new()), None, 0, 100).await?.is_empty());
    assert_eq!(store.feedback(&FeedbackScope::Everything, None, 1, 2).await?, all.get(1..3).unwrap_or_default());
    Ok(())
}

async fn the_oldest_feedback_of_a_project_makes_room(home: &Home) -> Tested {
    let store = with_gaps(home, &[]).await?;
    store.add_feedback(&feedback("acme/support", "of another")?, 2).await?;
    let mut dropped = Vec::new();
    for question in ["one", "two", "three", "four"] {
        dropped.push(store.add_feedback(&feedback("acme/finance", question)?, 2).await?);
    }
    assert_eq!(dropped, [0, 0, 1, 1]);
    assert_eq!(questions(&store, &FeedbackScope::Everything, None).await?, ["four", "three", "of another"]);
    Ok(())
}
