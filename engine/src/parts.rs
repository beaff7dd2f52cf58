//! A snapshot as parts named by their digests, so that a change of one tool among thousands adds a few rows.
//! A root part lists every other part; the snapshot's digest is the root's. `assemble` is the way back, and checks each digest.

use std::collections::BTreeMap;

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::knowledge::KnowledgeDocument;
use ambit_model::snapshot::{FORMAT, Snapshot};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::canonical::{self, NotCanonical};

/// One immutable part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub digest: Digest,
    pub kind: Kind,
    /// JSON.
    pub body: String,
}

/// What a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Root,
    Settings,
    Schema,
    Policy,
    Tenant,
    Project,
    Catalog,
    Group,
    Twins,
    Family,
    Vocabulary,
    /// The tools of one catalog, by canonical id.
    Tools,
    Tool,
    /// A document of a project's knowledge folders.
    Document,
}

impl Kind {
    /// The word it is stored under.
    pub fn word(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Settings => "settings",
            Self::Schema => "schema",
            Self::Policy => "policy",
            Self::Tenant => "tenant",
            Self::Project => "project",
            Self::Catalog => "catalog",
            Self::Group => "group",
            Self::Twins => "twins",
            Self::Family => "family",
            Self::Vocabulary => "vocabulary",
            Self::Tools => "tools",
            Self::Tool => "tool",
            Self::Document => "document",
        }
    }
}

/// Why stored parts are no snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("the part {} is missing", .0.short())]
    Missing(Digest),
    #[error("the part {} holds something else: its digest is {}", .expected.short(), .found.short())]
    Altered { expected: Digest, found: Digest },
    #[error("the part {} cannot be read: {reason}", .digest.short())]
    Unreadable { digest: Digest, reason: String },
    #[error("the snapshot has format {found}, and this version of ambit reads format {FORMAT}")]
    Format { found: u32 },
}

/// The root: by kind, each part's key and digest.
#[derive(Debug, Serialize, Deserialize)]
struct Root {
    format: u32,
    scorer: u32,
    parts: BTreeMap<Kind, BTreeMap<String, Digest>>,
}

/// The tools of one catalog.
#[derive(Debug, Serialize, Deserialize)]
struct ToolList(BTreeMap<ToolId, Digest>);

/// The digest of one card: RFC 8785 over the card, its schemas key-sorted with their number literals.
pub fn card_digest(card: &ToolCard) -> Result<Digest, NotCanonical> {
    let sorted = |schema: &SchemaText| canonical::sort_keys(&schema.0).map(SchemaText);
    let optional = |schema: &Option<SchemaText>| schema.as_ref().map(sorted).transpose();
    let normal = ToolCard {
        input_schema: sorted(&card.input_schema)?,
        output_schema: optional(&card.output_schema)?,
        annotations: optional(&card.annotations)?,
        extras: card.extras.iter().map(|(name, text)| Ok((name.clone(), sorted(text)?))).collect::<Result<_, _>>()?,
        ..card.clone()
    };
    canonical::digest(&normal)
}

/// All parts, the root last.
pub fn split(snapshot: &Snapshot) -> Result<Vec<Part>, NotCanonical> {
    let mut splitter = Splitter::default();
    splitter.add(Kind::Settings, "settings", &snapshot.settings)?;
    splitter.add(Kind::Schema, "schema", &snapshot.schema)?;
    splitter.add_all(Kind::Policy, &snapshot.policies, |p| p.id.clone())?;
    splitter.add_all(Kind::Tenant, &snapshot.tenants, |t| t.id.clone())?;
    splitter.add_all(Kind::Project, &snapshot.projects, |p| p.id.to_string())?;
    splitter.add_all(Kind::Catalog, &snapshot.catalogs, |c| c.id.clone())?;
    splitter.add_all(Kind::Group, &snapshot.groups, |g| g.id.clone())?;
    splitter.add_all(Kind::Twins, &snapshot.twins, |t| t.id.clone())?;
    splitter.add_all(Kind::Family, &snapshot.families, |f| f.id.clone())?;
    splitter.add_all(Kind::Vocabulary, &snapshot.vocabularies, |v| v.language.clone())?;
    splitter.add_tools(&snapshot.tools)?;
    splitter.add_all(Kind::Document, &snapshot.knowledge, KnowledgeDocument::key)?;
    let root = Root { format: snapshot.format, scorer: snapshot.scorer, parts: splitter.listed };
    let mut parts = splitter.parts;
    parts.push(part(Kind::Root, &root)?);
    Ok(parts)
}

#[derive(Default)]
struct Splitter {
    parts: Vec<Part>,
    listed: BTreeMap<Kind, BTreeMap<String, Digest>>,
}

impl Splitter {
    fn add<T: Serialize>(&mut self, kind: Kind, key: &str, value: &T) -> Result<(), NotCanonical> {
        let part = part(kind, value)?;
        self.listed.entry(kind).or_default().insert(key.to_owned(), part.digest.clone());
        self.parts.push(part);
        Ok(())
    }

    fn add_all<T: Serialize>(
        &mut self,
        kind: Kind,
        values: &[T],
        key: impl Fn(&T) -> String,
    ) -> Result<(), NotCanonical> {
        values.iter().try_for_each(|value| self.add(kind, &key(value), value))
    }

    fn add_tools(&mut self, cards: &[ToolCard]) -> Result<(), NotCanonical> {
        let mut lists: BTreeMap<&str, BTreeMap<ToolId, Digest>> = BTreeMap::new();
        for card in cards {
            let digest = card_digest(card)?;
            lists.entry(card.id.catalog()).or_default().insert(card.id.clone(), digest.clone());
            let body = serde_json::to_string(card).map_err(|e| NotCanonical::Syntax(e.to_string()))?;
            self.parts.push(Part { digest, kind: Kind::Tool, body });
        }
        lists.into_iter().try_for_each(|(catalog, list)| self.add(Kind::Tools, catalog, &ToolList(list)))
    }
}

fn part<T: Serialize>(kind: Kind, value: &T) -> Result<Part, NotCanonical> {
    let body = canonical::to_canonical(value)?;
    Ok(Part { digest: Digest::of(body.as_bytes()), kind, body })
}

/// The body is what the digest names. (A tool's text may be laid out otherwise and still be the same.)
pub fn is_whole(kind: Kind, digest: &Digest, body: &str) -> bool {
    match kind {
        Kind::Tool => read::<ToolCard>(digest, body).is_ok_and(|card| card_digest(&card).as_ref() == Ok(digest)),
        _ => Digest::of(body.as_bytes()) == *digest,
    }
}

/// The parts that this root or list names, and what each must be; a leaf names none.
pub fn children(kind: Kind, digest: &Digest, body: &str) -> Result<Vec<(Kind, Digest)>, Broken> {
    match kind {
        Kind::Root => {
            let listed = read::<Root>(digest, body)?.parts.into_iter();
            Ok(listed.flat_map(|(kind, parts)| parts.into_values().map(move |digest| (kind, digest))).collect())
        }
        Kind::Tools => Ok(read::<ToolList>(digest, body)?.0.into_values().map(|digest| (Kind::Tool, digest)).collect()),
        _ => Ok(Vec::new()),
    }
}

/// The digest of the part that lists the tools of a catalog, read off a root; nothing where the snapshot has no such catalog.
pub fn tool_list(digest: &Digest, root: &str, catalog: &str) -> Result<Option<Digest>, Broken> {
    Ok(read::<Root>(digest, root)?.parts.remove(&Kind::Tools).and_then(|mut lists| lists.remove(catalog)))
}

/// The digest of one tool's card, read off the list of its catalog.
pub fn listed_card(digest: &Digest, list: &str, tool: &ToolId) -> Result<Option<Digest>, Broken> {
    Ok(read::<ToolList>(digest, list)?.0.remove(tool))
}

/// Stored bodies by digest.
pub type Bodies = BTreeMap<Digest, String>;

/// Puts a snapshot together again, checking every digest on the way.
pub fn assemble(root: &Digest, bodies: &Bodies) -> Result<Snapshot, Broken> {
    let loader = Loader { bodies };
    let root: Root = loader.part(root)?;
    if root.format != FORMAT {
        return Err(Broken::Format { found: root.format });
    }
    let listed = |kind| root.parts.get(&kind).into_iter().flat_map(BTreeMap::values);
    let mut tools = Vec::new();
    for list in listed(Kind::Tools) {
        for digest in loader.part::<ToolList>(list)?.0.values() {
            tools.push(loader.tool(digest)?);
        }
    }
    tools.sort_by(|a, b| a.id.cmp(&b.id));
    let mut knowledge: Vec<KnowledgeDocument> = loader.all(listed(Kind::Document))?;
    knowledge.sort_by(|a, b| (&a.project, &a.path).cmp(&(&b.project, &b.path)));
    Ok(Snapshot {
        format: root.format,
        scorer: root.scorer,
        settings: loader.only(listed(Kind::Settings))?,
        schema: loader.only(listed(Kind::Schema))?,
        policies: loader.all(listed(Kind::Policy))?,
        tenants: loader.all(listed(Kind::Tenant))?,
        projects: loader.all(listed(Kind::Project))?,
        catalogs: loader.all(listed(Kind::Catalog))?,
        groups: loader.all(listed(Kind::Group))?,
        twins: loader.all(listed(Kind::Twins))?,
        families: loader.all(listed(Kind::Family))?,
        vocabularies: loader.all(listed(Kind::Vocabulary))?,
        tools,
        knowledge,
    })
}

struct Loader<'a> {
    bodies: &'a Bodies,
}

impl Loader<'_> {
    fn body(&self, digest: &Digest) -> Result<&str, Broken> {
        self.bodies.get(digest).map(String::as_str).ok_or_else(|| Broken::Missing(digest.clone()))
    }

    fn part<T: DeserializeOwned>(&self, digest: &Digest) -> Result<T, Broken> {
        let body = self.body(digest)?;
        same(digest, Digest::of(body.as_bytes()))?;
        read(digest, body)
    }

    fn tool(&self, digest: &Digest) -> Result<ToolCard, Broken> {
        let card: ToolCard = read(digest, self.body(digest)?)?;
        let found =
            card_digest(&card).map_err(|e| Broken::Unreadable { digest: digest.clone(), reason: e.to_string() })?;
        same(digest, found)?;
        Ok(card)
    }

    fn all<'d, T: DeserializeOwned>(&self, digests: impl Iterator<Item = &'d Digest>) -> Result<Vec<T>, Broken> {
        digests.map(|digest| self.part(digest)).collect()
    }

    fn only<'d, T: DeserializeOwned>(&self, mut digests: impl Iterator<Item = &'d Digest>) -> Result<T, Broken> {
        match digests.next() {
            Some(digest) => self.part(digest),
            None => Err(Broken::Missing(Digest::of(b""))),
        }
    }
}

fn same(expected: &Digest, found: Digest) -> Result<(), Broken> {
    if *expected == found { Ok(()) } else { Err(Broken::Altered { expected: expected.clone(), found }) }
}

fn read<T: DeserializeOwned>(digest: &Digest, body: &str) -> Result<T, Broken> {
    serde_json::from_str(body).map_err(|e| Broken::Unreadable { digest: digest.clone(), reason: e.to_string() })
}
