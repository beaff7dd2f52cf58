//! Knowledge from text to answer: tables of documents, the tool that a compile makes of them, and what is found in them.

mod compiling;
mod cutting;
mod finding;
