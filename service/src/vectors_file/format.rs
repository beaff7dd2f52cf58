//! The form of vectors files, record by record, so that a file of any size is written and read in little memory.
//!
//! A file is the line `ambit vectors 1`, then records: a tag of one byte, the length of the body as u32, the body. `v` is a vector:
//! model (u16 length, UTF-8), the SHA-256 of the text, its numbers as f32. `w` is what compiling kept of a project: model, version
//! of the scorer (i32), project (u16 length, UTF-8), a blob. `.` ends the file: how many records came before (u64), and their seal.
//! All numbers are little-endian. The seal begins as 32 zeros; each record makes it the SHA-256 of itself and the record's bytes.
//! Records stand in ascending order of (tag, model, text) or (tag, model, scorer, project), none twice: equal stores give equal files.

use std::io::{self, Read, Write};

use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;

use crate::store::KeptWinners;

const MAGIC: &[u8; 16] = b"ambit vectors 1\n";
const VECTOR: u8 = b'v';
const WINNERS: u8 = b'w';
const END: u8 = b'.';
/// Longest name of a model or a project, in bytes.
const LONGEST_NAME: usize = 512;
/// Most numbers of a vector.
const MOST_NUMBERS: usize = 8_192;
/// Largest blob of winners, in bytes: of several times the tools that a project can hold.
const LARGEST_BLOB: u32 = 512 * 1024 * 1024;
/// Vectors have length 1; rounding moves none by more.
const ROUNDING: f32 = 1e-2;

/// One record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Record {
    Vector { model: String, text: Digest, vector: Vec<f32> },
    Winners(KeptWinners),
}

/// Why a file cannot be read.
#[derive(Debug)]
pub(super) enum Unread {
    Io(io::Error),
    /// What is wrong, and at which byte.
    Wrong {
        at: u64,
        what: String,
    },
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes records and, at last, the seal.
pub(super) struct Writer<W> {
    out: W,
    seal: [u8; 32],
    records: u64,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    pub(super) fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self { out, seal: [0; 32], records: 0 })
    }

    /// Adds a record, which has to come after the last in order.
    pub(super) fn add(&mut self, record: &Record) -> io::Result<()> {
        let bytes = encode(record)?;
        self.out.write_all(&bytes)?;
        self.seal = sealed(&self.seal, &bytes);
        self.records += 1;
        Ok(())
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let end = framed(END, &[self.records.to_le_bytes().as_slice(), &self.seal].concat())?;
        self.out.write_all(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Reads records and looks, at the end, whether they are all there.
pub(super) struct Reader<R> {
    from: R,
    at: u64,
    seal: [u8; 32],
    records: u64,
    last: Option<Vec<u8>>,
}

impl<R: Read> Reader<R> {
    /// Begins a file; one of another form is refused.
    pub(super) fn new(from: R) -> Result<Self, Unread> {
        let mut reader = Self { from, at: 0, seal: [0; 32], records: 0, last: None };
        let magic = reader.exactly(MAGIC.len()).map_err(|unread| match unread {
            Unread::Wrong { at, .. } => Unread::Wrong { at, what: "it is no vectors file".to_owned() },
            other => other,
        })?;
        if magic != MAGIC {
            let family = MAGIC.get(..14).is_some_and(|family| magic.starts_with(family));
            let what = if family { "it is of another version than this ambit reads" } else { "it is no vectors file" };
            return Err(Unread::Wrong { at: 0, what: what.to_owned() });
        }
        Ok(reader)
    }

    /// The next record; nothing at a sound end.
    pub(super) fn next(&mut self) -> Result<Option<Record>, Unread> {
        let at = self.at;
        let wrong = |what: &str| Unread::Wrong { at, what: what.to_owned() };
        let head = self.exactly(5)?;
        let (tag, length) = match head.as_slice() {
            [tag, a, b, c, d] => (*tag, u32::from_le_bytes([*a, *b, *c, *d])),
            _ => return Err(wrong("a record has no head")),
        };
        let most = if tag == WINNERS { LARGEST_BLOB } else { 64 * 1024 };
        if length > most {
            return Err(wrong("a record is longer than any can be"));
        }
        let body = self.exactly(usize::try_from(length).unwrap_or(usize::MAX))?;
        if tag == END {
            return self.end(at, &body).map(|()| None);
        }
        let record = decode(tag, &body).ok_or_else(|| wrong("a record cannot be read"))?;
        if let Record::Vector { vector, .. } = &record
            && !is_unit(vector)
        {
            return Err(wrong("a vector is not of length 1"));
        }
        let key = key(&record);
        if self.last.as_ref().is_some_and(|last| *last >= key) {
            return Err(wrong("a record stands twice or out of order"));
        }
        self.last = Some(key);
        self.seal = sealed(&self.seal, &[head, body].concat());
        self.records += 1;
        Ok(Some(record))
    }

    /// What is wrong with the record that was read last.
    pub(super) fn wrong(&self, what: String) -> Unread {
        Unread::Wrong { at: self.at, what }
    }

    fn end(&mut self, at: u64, body: &[u8]) -> Result<(), Unread> {
        let expected = [self.records.to_le_bytes().as_slice(), &self.seal].concat();
        if body != expected {
            return Err(Unread::Wrong { at, what: "its records are not those that were written".to_owned() });
        }
        let mut more = [0; 1];
        if self.from.read(&mut more)? > 0 {
            return Err(Unread::Wrong { at: self.at, what: "something stands behind its end".to_owned() });
        }
        Ok(())
    }

    /// So many bytes; memory is taken as they come, not as they are promised.
    fn exactly(&mut self, length: usize) -> Result<Vec<u8>, Unread> {
        let wanted = u64::try_from(length).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        self.from.by_ref().take(wanted).read_to_end(&mut bytes)?;
        self.at += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if bytes.len() < length {
            return Err(Unread::Wrong { at: self.at, what: "it ends too early".to_owned() });
        }
        Ok(bytes)
    }
}

fn is_unit(vector: &[f32]) -> bool {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    (1.0 - ROUNDING..=1.0 + ROUNDING).contains(&length)
}

fn sealed(seal: &[u8; 32], record: &[u8]) -> [u8; 32] {
    Digest::of(&[seal.as_slice(), record].concat()).bytes()
}

fn framed(tag: u8, body: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(body.len()).map_err(|_| io::Error::other("a record is too long"))?;
    Ok([&[tag], length.to_le_bytes().as_slice(), body].concat())
}

fn encode(record: &Record) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    match record {
        Record::Vector { model, text, vector } => {
            push_name(&mut body, model)?;
            body.extend_from_slice(&text.bytes());
            body.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
            framed(VECTOR, &body)
        }
        Record::Winners(KeptWinners { model, scorer, project, kept }) => {
            push_name(&mut body, model)?;
            body.extend_from_slice(&scorer.to_le_bytes());
            push_name(&mut body, project)?;
            body.extend_from_slice(kept);
            framed(WINNERS, &body)
        }
    }
}

fn decode(tag: u8, body: &[u8]) -> Option<Record> {
    let (model, rest) = take_name(body)?;
    match tag {
        VECTOR => {
            let (text, rest) = rest.split_first_chunk::<32>()?;
            let (numbers, over) = rest.as_chunks::<4>();
            let sound = over.is_empty() && (1..=MOST_NUMBERS).contains(&numbers.len());
            let text = Digest::parse(&format!("sha256:{}", hex::encode(text)))?;
            let vector = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
            sound.then_some(Record::Vector { model, text, vector })
        }
        WINNERS => {
            let (scorer, rest) = rest.split_first_chunk::<4>()?;
            let (project, kept) = take_name(rest)?;
            ProjectId::parse(&project, None).ok()?;
            let scorer = i32::from_le_bytes(*scorer);
            Some(Record::Winners(KeptWinners { model, scorer, project, kept: kept.to_vec() }))
        }
        _ => None,
    }
}

/// What records are sorted by.
fn key(record: &Record) -> Vec<u8> {
    match record {
        Record::Vector { model, text, .. } => [&[VECTOR], model.as_bytes(), &[0], &text.bytes()].concat(),
        Record::Winners(KeptWinners { model, scorer, project, .. }) => {
            [&[WINNERS], model.as_bytes(), &[0], scorer.to_be_bytes().as_slice(), project.as_bytes()].concat()
        }
    }
}

fn push_name(body: &mut Vec<u8>, name: &str) -> io::Result<()> {
    let length = u16::try_from(name.len()).map_err(|_| io::Error::other("a name is too long"))?;
    body.extend_from_slice(&length.to_le_bytes());
    body.extend_from_slice(name.as_bytes());
    Ok(())
}

fn take_name(body: &[u8]) -> Option<(String, &[u8])> {
    let (length, rest) = body.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (name, rest) = rest.split_at_checked(length)?;
    let name = std::str::from_utf8(name).ok()?;
    let sound = (1..=LONGEST_NAME).contains(&length) && !name.chars().any(char::is_control);
    sound.then(|| (name.to_owned(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let vector = |model: &str, text: u8, vector: &[f32]| Record::Vector {
            model: model.to_owned(),
            text: Digest::parse(&format!("sha256:{}", hex::encode([text; 32]))).unwrap(),
            vector: vector.to_vec(),
        };
        let kept = KeptWinners { model: "m@r".to_owned(), scorer: 1, project: "a/p".to_owned(), kept: vec![1, 2, 3] };
        vec![
            vector("m@r", 1, &[0.6, 0.8]),
            vector("m@r", 2, &[1.0]),
            vector("n@r", 1, &[-1.0, 0.0]),
            Record::Winners(kept),
        ]
    }

    fn file(records: &[Record]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new()).unwrap();
        records.iter().for_each(|record| writer.add(record).unwrap());
        writer.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Vec<Record>, String> {
        let told = |unread| match unread {
            Unread::Wrong { at, what } => format!("{at}: {what}"),
            Unread::Io(error) => panic!("{error}"),
        };
        let mut reader = Reader::new(bytes).map_err(told)?;
        let mut found = Vec::new();
        while let Some(record) = reader.next().map_err(told)? {
            found.push(record);
        }
        Ok(found)
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(read(bytes).unwrap_err(), expected);
    }

    #[test]
    fn records_are_read_back_as_they_were() {
        assert_eq!(read(&file(&records())), Ok(records()));
        assert_eq!(read(&file(&[])), Ok(Vec::new()));
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_found() {
        let whole = file(&records());
        for at in 0..whole.len() {
            assert!(read(&whole[..at]).is_err(), "cut at {at}");
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            assert!(read(&flipped).is_err(), "byte {at}");
        }
    }

    #[test]
    fn what_is_no_sound_file_is_refused_with_its_place() {
        check(b"", "0: it is no vectors file");
        check(b"{\"version\": 1}\n and more", "0: it is no vectors file");
        check(b"ambit vectors 2\n", "0: it is of another version than this ambit reads");
        check(&file(&[])[..20], "20: it ends too early");
        check(
            &[file(&records()), vec![0]].concat(),
            &format!("{}: something stands behind its end", file(&records()).len()),
        );
        let mut records = records();
        records.swap(0, 1);
        check(&file(&records), "62: a record stands twice or out of order");
        let long = Record::Vector { model: "m".to_owned(), text: Digest::of(b""), vector: vec![1.0, 1.0] };
        check(&file(&[long]), "16: a vector is not of length 1");
        let nan = Record::Vector { model: "m".to_owned(), text: Digest::of(b""), vector: vec![f32::NAN] };
        check(&file(&[nan]), "16: a vector is not of length 1");
        let nameless = Record::Vector { model: String::new(), text: Digest::of(b""), vector: vec![1.0] };
        check(&file(&[nameless]), "16: a record cannot be read");
        check(&[MAGIC.as_slice(), b"v\xff\xff\xff\xff"].concat(), "16: a record is longer than any can be");
    }
}
