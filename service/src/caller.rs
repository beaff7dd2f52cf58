//! The Caller of a use case: the authenticated identity of this request.
//! So far there is one door, the command line on the data folder: break-glass, always allowed, named in every record.

/// Who is at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    operating_system_user: String,
}

impl Caller {
    /// A person at the command line, with the rights of the data folder's files.
    pub fn local(operating_system_user: impl Into<String>) -> Self {
        Self { operating_system_user: operating_system_user.into() }
    }

    /// How records name the caller: `local:<user>`.
    pub fn label(&self) -> String {
        format!("local:{}", self.operating_system_user)
    }
}
