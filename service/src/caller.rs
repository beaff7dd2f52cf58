//! The Caller of a use case: the authenticated identity of this request, and what it may ask for.
//! INVARIANT: every use case asks here first, so no door can forget to; `keys::authenticate` and `sessions` make or end a Caller.

use ambit_model::identity::ProjectId;
use ambit_model::key::{Asker, KeyRecord};

use crate::Error;

/// Who is at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A person at the command line, with the rights of the data folder's files: break-glass, always allowed.
    Local { operating_system_user: String },
    /// Who holds a key: an application, or a person who signed in with it.
    Key(Box<KeyRecord>),
}

/// What only some callers may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Administration {
    ReadIntake,
    ReadSnapshots,
    RollBack,
    ManageKeys,
    Apply,
}

impl Administration {
    /// Completes "this key may not …".
    fn words(self) -> &'static str {
        match self {
            Self::ReadIntake => "read the intake report",
            Self::ReadSnapshots => "read snapshots",
            Self::RollBack => "roll back",
            Self::ManageKeys => "manage keys",
            Self::Apply => "apply a workspace",
        }
    }
}

impl Caller {
    /// A person at the command line.
    pub fn local(operating_system_user: impl Into<String>) -> Self {
        Self::Local { operating_system_user: operating_system_user.into() }
    }

    /// How records name the caller: `local:<user>`, `key:<id>`.
    pub fn label(&self) -> String {
        match self {
            Self::Local { operating_system_user } => format!("local:{operating_system_user}"),
            Self::Key(key) => format!("key:{}", key.id),
        }
    }

    /// Refuses what this caller may not administer. Keys and applies belong to the command line.
    pub fn may(&self, administration: Administration) -> Result<(), Error> {
        let allowed = match self {
            Self::Local { .. } => true,
            Self::Key(key) => {
                key.admin && !matches!(administration, Administration::ManageKeys | Administration::Apply)
            }
        };
        if allowed { Ok(()) } else { Err(Error::Forbidden { what: administration.words() }) }
    }

    /// Whom this caller asks for. Whatever else it names gets one answer, whether or not that exists.
    pub fn asker(&self, for_whom: Option<&str>, project: Option<&str>) -> Result<Asker, Error> {
        let Self::Key(key) = self else { return Err(Error::AsksForNobody) };
        let own = key.asker.as_ref().ok_or(Error::AsksForNobody)?;
        let same =
            |text: &str| ProjectId::parse(text, Some(&own.principal.tenant)).is_ok_and(|named| named == own.project);
        let its_own = for_whom.is_none_or(|text| text == own.principal.to_string()) && project.is_none_or(same);
        if its_own { Ok(own.clone()) } else { Err(Error::NotItsOwn) }
    }

    /// Refuses to answer for anybody but the key's own principal, in its own project.
    pub fn may_ask_as(&self, asker: &Asker) -> Result<(), Error> {
        match self {
            Self::Local { .. } => Ok(()),
            Self::Key(key) if key.asker.as_ref() == Some(asker) => Ok(()),
            Self::Key(_) => Err(Error::NotItsOwn),
        }
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::identity::Principal;

    use super::*;

    fn asker(principal: &str) -> Asker {
        let principal = Principal::parse(principal).unwrap();
        let project = ProjectId::parse("finance", Some(&principal.tenant)).unwrap();
        Asker { principal, project }
    }

    fn key(admin: bool) -> Caller {
        Caller::Key(Box::new(KeyRecord {
            id: "0a".to_owned(),
            name: "bot".to_owned(),
            admin,
            asker: Some(asker("acme:agent:bot")),
            created_at: String::new(),
            created_by: String::new(),
            expires_at: None,
            revoked_at: None,
        }))
    }

    #[test]
    fn a_key_without_admin_administers_nothing() {
        use Administration::*;
        for what in [ReadIntake, ReadSnapshots, RollBack, ManageKeys, Apply] {
            assert!(key(false).may(what).is_err(), "{what:?}");
            assert!(Caller::local("ada").may(what).is_ok(), "{what:?}");
        }
        assert!(key(true).may(RollBack).is_ok());
        assert!(key(true).may(ManageKeys).is_err());
    }

    #[test]
    fn a_key_may_name_its_own_and_nothing_else() {
        let own = key(false);
        assert_eq!(own.asker(None, None).unwrap(), asker("acme:agent:bot"));
        assert!(own.asker(Some("acme:agent:bot"), Some("acme/finance")).is_ok());
        assert!(own.asker(None, Some("finance")).is_ok());
        for (for_whom, project) in
            [(Some("acme:user:analyst"), None), (None, Some("nowhere")), (None, Some("globex/people"))]
        {
            assert!(matches!(own.asker(for_whom, project), Err(Error::NotItsOwn)), "{for_whom:?} {project:?}");
        }
    }

    #[test]
    fn a_key_asks_for_its_own_principal_only() {
        for admin in [false, true] {
            assert!(key(admin).may_ask_as(&asker("acme:agent:bot")).is_ok());
            assert!(key(admin).may_ask_as(&asker("acme:user:analyst")).is_err());
            assert!(key(admin).may_ask_as(&asker("globex:agent:bot")).is_err());
        }
    }
}
