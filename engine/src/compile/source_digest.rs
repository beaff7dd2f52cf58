//! The source digest: equal on every machine for equal declarations, policies, catalogs and model, whatever the order of files,
//! of documents in them and of tools in a catalog, and whatever the comments and line breaks.

use std::collections::BTreeMap;

use ambit_model::declaration::Settings;
use ambit_model::digest::Digest;
use ambit_model::knowledge::KnowledgeDocument;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;

use crate::canonical;
use crate::catalog::OfferedTool;
use crate::parse::{self, Written};
use crate::source::SourceTree;

#[derive(Serialize)]
struct Source<'a> {
    /// Digests of the YAML documents by meaning, sorted.
    documents: Vec<Digest>,
    /// Digests of the policy files' texts, sorted.
    policies: Vec<Digest>,
    /// By catalog, the sorted digests of the definitions it offers.
    catalogs: BTreeMap<&'a str, Vec<Digest>>,
    /// By project and path, the digests of the documents; left out where there is none, as before there were any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    knowledge: BTreeMap<String, &'a Digest>,
    model: &'a str,
}

pub(super) fn of(
    written: &Written,
    tree: &SourceTree,
    (offered, known): (&[OfferedTool], &[KnowledgeDocument]),
    settings: &Settings,
) -> Digest {
    let mut documents: Vec<Digest> = parse::document_texts(tree).into_par_iter().map(document_digest).collect();
    documents.sort();
    let mut policies: Vec<Digest> =
        written.policies.iter().map(|p| Digest::of(p.cedar.replace("\r\n", "\n").as_bytes())).collect();
    policies.sort();
    let mut catalogs: BTreeMap<&str, Vec<Digest>> = BTreeMap::new();
    let digests: Vec<Digest> = offered.par_iter().map(OfferedTool::definition_digest).collect();
    for (tool, digest) in offered.iter().zip(digests) {
        catalogs.entry(&tool.catalog).or_default().push(digest);
    }
    catalogs.values_mut().for_each(|digests| digests.sort());
    let knowledge = known.iter().map(|one| (one.key(), &one.digest)).collect();
    let source = Source { documents, policies, catalogs, knowledge, model: &settings.embedding_model };
    canonical::digest(&source).unwrap_or_else(|_| Digest::of(b""))
}

/// By the document's values; one that cannot be read counts by its text, and refuses the apply anyway.
fn document_digest(text: &str) -> Digest {
    let value: Option<serde_json::Value> = serde_saphyr::from_str(text).ok();
    let canonical = value.and_then(|value| canonical::to_canonical(&value).ok());
    Digest::of(canonical.unwrap_or_else(|| text.replace("\r\n", "\n").trim().to_owned()).as_bytes())
}
