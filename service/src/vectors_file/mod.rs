//! Carrying vectors between machines, and from a machine to CI, so that what one embedded no other has to embed again.
//! INVARIANT: an import takes all of a file or none of it, and never changes a vector that is here.

mod format;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use ambit_engine::compile;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use serde::Serialize;

use crate::caller::Caller;
use crate::embedder::{self, ModelPlaces};
use crate::store::{KeptWinners, Store};
use crate::vectors::{self, LazyEmbedder};
use crate::winners::SCORER;
use crate::{Error, clock, workspace};
use format::{Reader, Record, Unread, Writer};

/// Vectors that are in memory at once.
const BATCH: usize = 500;

/// What a file holds now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exported {
    pub vectors: usize,
    /// Projects of which it says what compiling found out.
    pub winners: usize,
    /// Texts of the workspace that have no vector yet.
    pub missing: usize,
    pub models: BTreeSet<String>,
}

/// What came of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    pub added: usize,
    /// Here already, bit by bit.
    pub known: usize,
    /// Here already with other bits, which stay.
    pub different: usize,
    /// Projects of which it said what compiling found out, and of which nothing was known.
    pub winners: usize,
    pub models: BTreeSet<String>,
}

/// Writes the vectors of the workspace's texts, or all that there are, into a file: whole or not at all.
pub async fn export_vectors(
    caller: &Caller,
    folder: &Path,
    store: &Store,
    places: &ModelPlaces,
    file: &Path,
    all: bool,
) -> Result<Exported, Error> {
    caller.local_only("export vectors")?;
    let unwritable = |source| Error::FileNotWritten { path: file.to_owned(), source };
    let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = tempfile::NamedTempFile::new_in(beside).map_err(unwritable)?;
    let out = Writer::new(BufWriter::new(temporary)).map_err(unwritable)?;
    let mut export = Export { store, out, done: Exported::default() };
    let written = if all { export.everything().await } else { export.of_workspace(folder, places).await };
    written.map_err(|failed| failed.of(file))?;
    let written = export.out.finish().map_err(unwritable)?;
    let temporary = written.into_inner().map_err(|error| unwritable(error.into_error()))?;
    temporary.as_file().sync_all().map_err(unwritable)?;
    temporary.persist(file).map_err(|error| unwritable(error.error))?;
    Ok(export.done)
}

/// Takes in what a file holds and this data folder does not.
pub async fn import_vectors(caller: &Caller, store: &Store, file: &Path) -> Result<Imported, Error> {
    caller.local_only("import vectors")?;
    let opened = File::open(file).map_err(|error| refused(file, &format!("cannot be read: {error}")))?;
    let mut reader = Reader::new(BufReader::new(opened)).map_err(|unread| of_file(file, unread))?;
    let arriving = store.begin_arriving().await?;
    let (mut done, today) = (Imported::default(), clock::today());
    let mut batch: Vec<(Digest, Vec<f32>)> = Vec::new();
    let mut of = String::new();
    let mut lengths = BTreeMap::new();
    loop {
        let record = reader.next().map_err(|unread| of_file(file, unread))?;
        let goes_on = matches!(&record, Some(Record::Vector { model, .. }) if *model == of && batch.len() < BATCH);
        if !goes_on && !batch.is_empty() {
            let arrived = arriving.vectors(&of, &batch).await?;
            done.added += arrived.added;
            done.known += arrived.known;
            done.different += arrived.different;
            batch.clear();
        }
        match record {
            Some(Record::Vector { model, text, vector }) => {
                fits(&mut lengths, &model, vector.len()).map_err(|what| of_file(file, reader.wrong(what)))?;
                done.models.insert(model.clone());
                of = model;
                batch.push((text, vector));
            }
            Some(Record::Winners(row)) => done.winners += usize::from(arriving.winners(row, &today).await?),
            None => break,
        }
    }
    arriving.commit().await?;
    Ok(done)
}

/// Vectors of one model have the same length, and that of the model where it is known: others would be compared in part, and wrongly.
fn fits(lengths: &mut BTreeMap<String, usize>, model: &str, length: usize) -> Result<(), String> {
    let known = *lengths.entry(model.to_owned()).or_insert_with(|| embedder::dimensions(model).unwrap_or(length));
    if known == length {
        Ok(())
    } else {
        Err(format!("a vector has {length} numbers, and those of `{model}` have {known}"))
    }
}

/// A file that is being written.
struct Export<'s> {
    store: &'s Store,
    out: Writer<BufWriter<tempfile::NamedTempFile>>,
    done: Exported,
}

/// What can go wrong on the way: the file, or all else.
enum Failed {
    File(std::io::Error),
    Other(Error),
}

impl Failed {
    fn of(self, file: &Path) -> Error {
        match self {
            Self::File(source) => Error::FileNotWritten { path: file.to_owned(), source },
            Self::Other(error) => error,
        }
    }
}

impl<E: Into<Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

impl Export<'_> {
    async fn of_workspace(&mut self, folder: &Path, places: &ModelPlaces) -> Result<(), Failed> {
        let workspace = workspace::read(folder)?;
        let prepared = compile::prepare(&workspace.tree);
        let embedder = LazyEmbedder::new(prepared.model(), places.clone());
        let model = vectors::identify(self.store, &embedder).await?;
        let texts: BTreeSet<Digest> = prepared.texts().iter().map(|text| Digest::of(text.as_bytes())).collect();
        let texts: Vec<Digest> = texts.into_iter().collect();
        for some in texts.chunks(BATCH) {
            let found = self.store.vectors(&model, some).await?;
            self.done.missing += some.len() - found.len();
            self.vectors(&model, found)?;
        }
        let projects: BTreeSet<String> = prepared.projects().iter().map(|project| project.id.to_string()).collect();
        self.winners(|row| row.model == model && row.scorer == SCORER && projects.contains(&row.project)).await
    }

    async fn everything(&mut self) -> Result<(), Failed> {
        for model in self.store.vector_models().await? {
            let mut last = None;
            loop {
                let some = self.store.vectors_after(&model, last.as_ref(), BATCH).await?;
                let Some(newest) = some.keys().next_back().cloned() else { break };
                self.vectors(&model, some)?;
                last = Some(newest);
            }
        }
        self.winners(|_| true).await
    }

    fn vectors(&mut self, model: &str, found: impl IntoIterator<Item = (Digest, Vec<f32>)>) -> Result<(), Failed> {
        for (text, vector) in found {
            self.out.add(&Record::Vector { model: model.to_owned(), text, vector }).map_err(Failed::File)?;
            self.done.vectors += 1;
            self.done.models.insert(model.to_owned());
        }
        Ok(())
    }

    /// One project at a time: they are the large ones.
    async fn winners(&mut self, wanted: impl Fn(&KeptWinners) -> bool) -> Result<(), Failed> {
        for named in self.store.winners_kept().await?.into_iter().filter(wanted) {
            let Some(row) = self.store.winners_of(named).await? else { continue };
            self.out.add(&Record::Winners(row)).map_err(Failed::File)?;
            self.done.winners += 1;
        }
        Ok(())
    }
}

fn of_file(file: &Path, unread: Unread) -> Error {
    match unread {
        Unread::Io(error) => refused(file, &format!("cannot be read: {error}")),
        Unread::Wrong { at, what } => refused(file, &format!("cannot be imported: at byte {at}, {what}")),
    }
}

fn refused(file: &Path, wrong: &str) -> Error {
    let diagnostic = Diagnostic::error(codes::E_VECTORS, format!("`{}` {wrong}", file.display()))
        .help("nothing was imported; make the file again with `ambit vectors export FILE` where the vectors are");
    Error::Request(Box::new(diagnostic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_one_model_have_one_length_and_that_of_the_model() {
        let mut lengths = BTreeMap::new();
        let mut check = |model: &str, length, fits_in| assert_eq!(fits(&mut lengths, model, length).is_ok(), fits_in);
        let known = format!("{}@x", embedder::DEFAULT_MODEL);
        check(&known, 384, true);
        check(&known, 5_000, false);
        check("of-somebody@x", 12, true);
        check("of-somebody@x", 11, false);
    }
}
