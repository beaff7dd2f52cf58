//! Small parts that several pages share. Plain functions where nothing is put inside, components where something is.

pub mod activation;
pub mod anchor;
pub mod authority;
pub mod ceiling;
pub mod command;
pub mod count;
pub mod difference;
pub mod digest;
pub mod head;
pub mod icon;
pub mod loaded;
pub mod made;
pub mod moment;
pub mod note;
pub mod panel;
pub mod policy;
pub mod query;
pub mod section;
pub mod snapshot;
pub mod table;
pub mod tool;
pub mod words;
