//! Tools as the live snapshot holds them: a search over their cards, and one card with who may do what with it and what became
//! of it from snapshot to snapshot. For whoever may read snapshots.

use std::collections::{BTreeMap, BTreeSet};

use ambit_engine::authority::Decided;
use ambit_engine::{parts, text};
use ambit_model::administration::AdminAction;
use ambit_model::card::ToolCard;
use ambit_model::declaration::{TwinGroup, VersionFamily};
use ambit_model::digest::Digest;
use ambit_model::facts::Stated;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::snapshot::{SnapshotName, SnapshotRecord};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::administration::narrowed;
use crate::caller::Caller;
use crate::live::Live;
use crate::named::{self, declared};
use crate::sight::Seen;

/// Most principals that a card is asked for; of more, the first by kind: roles say most.
const MOST_ASKED: usize = 400;
/// Snapshots that a history looks back over.
const LOOKED_BACK: usize = 100;

/// Tools on a page of a search.
pub const ON_A_PAGE: usize = 100;

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct CardQuery {
    /// Words, or a piece of an id; empty: everything.
    pub words: String,
    /// Empty: every catalog.
    pub catalog: String,
    /// From 1.
    pub page: usize,
}

/// One page of the tools whose cards hold every word that was looked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CardList {
    pub snapshot: SnapshotName,
    /// All tools that the reader may see.
    pub of: usize,
    pub found: usize,
    pub page: usize,
    pub pages: usize,
    /// Every catalog that the reader may see, to choose from.
    pub catalogs: Vec<String>,
    /// By id.
    pub tools: Vec<ToolCard>,
}

/// One card and what stands beside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CardDetails {
    pub snapshot: SnapshotName,
    pub card: ToolCard,
    pub digest: Option<Digest>,
    /// Every fact with where it came from.
    pub facts: Vec<Stated>,
    pub twins: Option<TwinGroup>,
    pub family: Option<VersionFamily>,
    /// Whoever may at least name it, by project.
    pub may: Vec<MayUse>,
    /// Principals that were asked about and may not even name it.
    pub may_not: usize,
    /// Principals that were not asked about, because there are so many.
    pub not_asked: usize,
    /// Newest first.
    pub history: Vec<CardVersion>,
}

/// What one principal may do with it in one project, and by which policies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MayUse {
    pub project: ProjectId,
    pub principal: Principal,
    pub route: bool,
    pub invoke: bool,
    pub needs_confirmation: bool,
    /// Those that decide whether it may be invoked.
    pub policies: Vec<String>,
}

/// A stretch of snapshots in which the card was the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardVersion {
    /// Absent where the snapshots of the stretch had no such tool.
    pub digest: Option<Digest>,
    /// The first and the last snapshot of the stretch.
    pub from: i64,
    pub to: i64,
    /// When the first of them was compiled: RFC 3339, UTC.
    pub at: String,
}

/// Searches the live snapshot's tools by words of id, title, description, entity and groups, and by catalog; an empty text finds all.
pub async fn list_cards(caller: &Caller, live: &Live, query: &CardQuery) -> Result<CardList, Error> {
    let seen = Seen::by(caller, live).await?;
    let snapshot = seen.snapshot();
    let CardQuery { words, catalog, page } = query;
    let wanted = text::words(words);
    let plain = words.trim().to_lowercase();
    let holds = |card: &ToolCard| {
        // Who pastes a piece of an id means that piece.
        let in_id = card.id.as_str().to_lowercase().contains(&plain);
        if in_id || wanted.is_empty() {
            return in_id;
        }
        let own: BTreeSet<String> = searched(card).iter().flat_map(|part| text::words(part)).collect();
        wanted.iter().all(|word| own.iter().any(|known| known.starts_with(word.as_str())))
    };
    let of_catalog = |card: &&ToolCard| catalog.is_empty() || card.id.catalog() == *catalog;
    let found: Vec<&ToolCard> = snapshot.tools.iter().filter(of_catalog).filter(|card| holds(card)).collect();
    let pages = found.len().div_ceil(ON_A_PAGE).max(1);
    let page = (*page).clamp(1, pages);
    Ok(CardList {
        snapshot: seen.loaded.name(),
        of: snapshot.tools.len(),
        found: found.len(),
        page,
        pages,
        catalogs: snapshot.catalogs.iter().map(|catalog| catalog.id.clone()).collect(),
        tools: found.into_iter().skip((page - 1) * ON_A_PAGE).take(ON_A_PAGE).cloned().collect(),
    })
}

fn searched(card: &ToolCard) -> [String; 5] {
    [
        card.id.to_string(),
        card.title.clone().unwrap_or_default(),
        card.description.clone(),
        card.facts.entity.value.clone(),
        card.groups.join(" "),
    ]
}

/// One card. A tool that the reader does not see is answered like one that nobody has.
pub async fn read_card(caller: &Caller, live: &Live, tool: &str) -> Result<CardDetails, Error> {
    let seen = Seen::by(caller, live).await?;
    let snapshot = seen.snapshot();
    let id = named::tool(snapshot, tool)?;
    let card = snapshot.tools.iter().find(|card| card.id == id).cloned().ok_or(Error::NoSuchProject)?;
    let (may, may_not, not_asked) = who_may(&seen, &id);
    Ok(CardDetails {
        snapshot: seen.loaded.name(),
        digest: parts::card_digest(&card).ok(),
        facts: card.facts.stated(),
        twins: snapshot.twins.iter().find(|twins| twins.members.contains(&id)).cloned(),
        family: snapshot.families.iter().find(|family| family.members.iter().any(|m| m.tool == id)).cloned(),
        history: history(caller, live, &seen, &id).await?,
        card,
        may,
        may_not,
        not_asked,
    })
}

/// What is decided is what is really decided; of the policies, those in sight are named.
fn who_may(seen: &Seen, tool: &ToolId) -> (Vec<MayUse>, usize, usize) {
    let snapshot = seen.snapshot();
    let in_sight: BTreeSet<&str> = seen.authority().policy_ids().collect();
    let (mut may, mut may_not, mut not_asked) = (Vec::new(), 0, 0);
    let listing = snapshot.projects.iter().filter(|p| p.catalogs.iter().any(|id| id == tool.catalog()));
    for project in listing {
        let of_tenant = snapshot.tenants.iter().filter(|tenant| tenant.id == project.id.tenant).flat_map(declared);
        let mut everybody: Vec<Principal> = of_tenant.map(|(principal, _)| principal).collect();
        everybody.sort_by(|a, b| b.kind.cmp(&a.kind).then_with(|| a.cmp(b)));
        not_asked += everybody.len().saturating_sub(MOST_ASKED);
        everybody.truncate(MOST_ASKED);
        for decided in seen.loaded.authority().decide_for(everybody, &project.id, tool) {
            match may_use(&project.id, decided) {
                Some(mut one) => {
                    one.policies.retain(|id| !seen.is_part() || in_sight.contains(id.as_str()));
                    may.push(one);
                }
                None => may_not += 1,
            }
        }
    }
    (may, may_not, not_asked)
}

fn may_use(project: &ProjectId, decided: Decided) -> Option<MayUse> {
    let Decided { principal, decisions: [discover, route, invoke], needs_confirmation } = decided;
    discover.allow.then(|| MayUse {
        project: project.clone(),
        principal,
        route: route.allow,
        invoke: invoke.allow,
        needs_confirmation: invoke.allow && needs_confirmation,
        policies: invoke.policies,
    })
}

/// The card's digest in the newest snapshots, as stretches in which it did not change. A snapshot in which the reader did not see
/// its catalog had no such tool for it.
async fn history(caller: &Caller, live: &Live, seen: &Seen, tool: &ToolId) -> Result<Vec<CardVersion>, Error> {
    let store = live.store();
    let mut records = store.records().await?;
    records.truncate(LOOKED_BACK);
    let roots: Vec<Digest> = records.iter().map(|record| record.digest.clone()).collect();
    let bodies = store.parts(&roots).await?;
    let mut lists: BTreeMap<Digest, Digest> = BTreeMap::new();
    for (root, part) in &bodies {
        // A damaged snapshot has no history to tell; `ambit verify` says what is wrong with it.
        if let Ok(Some(list)) = parts::tool_list(root, &part.body, tool.catalog()) {
            lists.insert(root.clone(), list);
        }
    }
    let wanted: BTreeSet<Digest> = lists.values().cloned().collect();
    let listed = store.parts(&wanted.into_iter().collect::<Vec<_>>()).await?;
    let card = |record: &SnapshotRecord| {
        let list = lists.get(&record.digest)?;
        parts::listed_card(list, &listed.get(list)?.body, tool).ok().flatten()
    };
    let tenant =
        seen.is_part().then(|| narrowed(caller, &seen.loaded, AdminAction::ReadSnapshot).tenant.clone()).flatten();
    let mut versions: Vec<CardVersion> = Vec::new();
    for record in &records {
        let visible = match &tenant {
            Some(tenant) => live.ownership(record).await?.in_sight(tenant).contains(tool.catalog()),
            None => true,
        };
        add(&mut versions, record, visible.then(|| card(record)).flatten());
    }
    // Before it was there, nothing is to be told.
    while versions.last().is_some_and(|version| version.digest.is_none()) {
        versions.pop();
    }
    Ok(versions)
}

fn add(versions: &mut Vec<CardVersion>, record: &SnapshotRecord, digest: Option<Digest>) {
    match versions.last_mut() {
        Some(last) if last.digest == digest => {
            last.from = record.number;
            last.at.clone_from(&record.created_at);
        }
        _ => {
            versions.push(CardVersion { digest, from: record.number, to: record.number, at: record.created_at.clone() })
        }
    }
}
