//! What an earlier compile found out about meaning: for each question the tools nearest to it, so that one changed tool costs little.
//! INVARIANT: only a cache, and pure: questions and tools are named by their texts and the bits of their vectors, so that what is
//! kept of another workspace, another model or another machine is never taken for theirs. Losing it changes no outcome.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;

/// What is kept of each project, each a blob that only the engine reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Winners(BTreeMap<ProjectId, Vec<u8>>);

impl Winners {
    /// What is kept of this project.
    pub fn get(&self, project: &ProjectId) -> Option<&[u8]> {
        self.0.get(project).map(Vec::as_slice)
    }

    /// Keeps something of a project.
    pub fn insert(&mut self, project: ProjectId, kept: Vec<u8>) {
        self.0.insert(project, kept);
    }

    /// Everything, by project.
    pub fn iter(&self) -> impl Iterator<Item = (&ProjectId, &[u8])> {
        self.0.iter().map(|(project, kept)| (project, kept.as_slice()))
    }
}

/// Names a question: the digest of its text, and a fingerprint of its vector.
pub(super) type Key = [u8; 40];
/// Names the texts of a tool and their vectors.
pub(super) type Name = [u8; 32];

/// For each question of a project the tools nearest in meaning. Tools of the same texts are one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lists {
    /// The tools that were looked at, sorted.
    pub(super) wordings: Vec<Name>,
    /// By key, each once.
    pub(super) questions: Vec<Listed>,
}

/// The tools nearest to one question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Listed {
    pub(super) key: Key,
    /// No tool that is not listed is nearer; [`NOBODY`] where every tool is.
    pub(super) bound: f32,
    /// Places in `wordings`, and how near each is; the nearest first.
    pub(super) nearest: Vec<(u32, f32)>,
}

/// The bound where nobody is left out: less than any nearness, which is 0 or more.
pub(super) const NOBODY: f32 = -1.0;

/// The form of blobs; another one is not read. Change it with the form, or with how a cosine is summed.
const VERSION: u8 = 1;
/// SHA-256 over all before it ends a blob.
const SEAL: usize = 32;

impl Lists {
    /// One blob: version, wordings, questions, seal; numbers are little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        push_count(&mut bytes, self.wordings.len());
        for name in &self.wordings {
            bytes.extend_from_slice(name);
        }
        push_count(&mut bytes, self.questions.len());
        for question in &self.questions {
            bytes.extend_from_slice(&question.key);
            bytes.extend_from_slice(&question.bound.to_le_bytes());
            push_count(&mut bytes, question.nearest.len());
            for (wording, nearness) in &question.nearest {
                bytes.extend_from_slice(&wording.to_le_bytes());
                bytes.extend_from_slice(&nearness.to_le_bytes());
            }
        }
        let seal = Digest::of(&bytes).bytes();
        bytes.extend_from_slice(&seal);
        bytes
    }

    /// Nothing where the blob is of another form, cut off or damaged.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (body, seal) = bytes.split_at_checked(bytes.len().checked_sub(SEAL)?)?;
        if Digest::of(body).bytes() != seal {
            return None;
        }
        let mut rest = Reader(body);
        if rest.take::<1>()? != [VERSION] {
            return None;
        }
        let wordings: Vec<Name> = (0..rest.count()?).map(|_| rest.take()).collect::<Option<_>>()?;
        let questions: Vec<Listed> = (0..rest.count()?).map(|_| rest.listed()).collect::<Option<_>>()?;
        let whole = rest.0.is_empty()
            && wordings.is_sorted_by(|a, b| a < b)
            && questions.is_sorted_by(|a, b| a.key < b.key)
            && questions.iter().all(|q| q.nearest.iter().all(|(at, _)| place(*at) < wordings.len()));
        whole.then_some(Self { wordings, questions })
    }

    /// What is known of a question.
    pub(super) fn of(&self, key: &Key) -> Option<&Listed> {
        self.questions.binary_search_by(|listed| listed.key.cmp(key)).ok().and_then(|at| self.questions.get(at))
    }
}

pub(super) fn place(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn push_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

/// What is left of a blob.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn count(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn listed(&mut self) -> Option<Listed> {
        let (key, bound) = (self.take()?, f32::from_le_bytes(self.take()?));
        let mut nearest = Vec::new();
        for _ in 0..self.count()? {
            nearest.push((self.count()?, f32::from_le_bytes(self.take()?)));
        }
        Some(Listed { key, bound, nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists() -> Lists {
        let question =
            |key: u8, bound, nearest: &[(u32, f32)]| Listed { key: [key; 40], bound, nearest: nearest.to_vec() };
        Lists {
            wordings: vec![[1; 32], [2; 32], [9; 32]],
            questions: vec![question(3, NOBODY, &[(2, 0.75), (0, 0.5)]), question(7, 0.25, &[])],
        }
    }

    fn sealed(mut body: Vec<u8>) -> Vec<u8> {
        let seal = Digest::of(&body).bytes();
        body.extend_from_slice(&seal);
        body
    }

    #[test]
    fn a_blob_is_read_back_as_it_was() {
        for lists in [lists(), Lists::default()] {
            assert_eq!(Lists::from_bytes(&lists.to_bytes()), Some(lists));
        }
    }

    #[test]
    fn a_damaged_or_foreign_blob_is_ignored() {
        let bytes = lists().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(Lists::from_bytes(&damaged), None, "byte {at}");
            assert_eq!(Lists::from_bytes(&bytes[..at]), None, "cut at {at}");
        }
        let body = &bytes[..bytes.len() - SEAL];
        let mut other = body.to_vec();
        other[0] = VERSION + 1;
        assert_eq!(Lists::from_bytes(&sealed(other)), None, "another version");
        assert_eq!(Lists::from_bytes(&sealed([body, &[0]].concat())), None, "something behind it");
        let mut beyond = lists();
        beyond.questions[0].nearest[0].0 = 3;
        assert_eq!(Lists::from_bytes(&beyond.to_bytes()), None, "a tool that is none");
        beyond = lists();
        beyond.wordings.swap(0, 1);
        assert_eq!(Lists::from_bytes(&beyond.to_bytes()), None, "out of order");
    }
}
