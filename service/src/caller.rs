//! The Caller of a use case: the authenticated identity of this request, and for whom it may have answers made.
//! INVARIANT: every use case takes it first, so no door can forget to; `authentication` and `sessions` make or end a Caller.

use std::collections::BTreeSet;

use ambit_engine::authority::ViewRefused;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::key::{Asker, KeyRecord};

use crate::Error;
use crate::identity::Person;
use crate::loaded::{AskedView, Loaded};

/// Who is at the door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A person at the command line, with the rights of the data folder's files: break-glass, always allowed.
    Local { operating_system_user: String },
    /// Who holds a key: an application, or a person who signed in with it.
    Key(Box<KeyRecord>),
    /// Whom an identity provider vouches for.
    Person(Box<Person>),
}

/// For whom an answer is wanted, as somebody wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Who asks; only the local command line may name another than itself.
    pub principal: Option<String>,
    /// The user or role that it asks on behalf of.
    pub acting_for: Option<String>,
    /// With or without its tenant.
    pub project: Option<String>,
}

impl Caller {
    /// A person at the command line.
    pub fn local(operating_system_user: impl Into<String>) -> Self {
        Self::Local { operating_system_user: operating_system_user.into() }
    }

    /// How records name the caller: `local:<user>`, `key:<id>`, or the principal that a provider vouches for.
    pub fn label(&self) -> String {
        match self {
            Self::Local { operating_system_user } => format!("local:{operating_system_user}"),
            Self::Key(key) => format!("key:{}", key.id),
            Self::Person(person) => person.principal.to_string(),
        }
    }

    /// Who it is to policies; nobody at the command line.
    pub fn principal(&self) -> Option<&Principal> {
        match self {
            Self::Local { .. } => None,
            Self::Key(key) => Some(&key.principal),
            Self::Person(person) => Some(&person.principal),
        }
    }

    /// Roles beside the declared ones.
    pub(crate) fn roles(&self) -> BTreeSet<String> {
        match self {
            Self::Person(person) => person.roles.clone(),
            _ => BTreeSet::new(),
        }
    }

    /// Refuses everybody but the command line on the data folder.
    pub(crate) fn local_only(&self, what: &'static str) -> Result<(), Error> {
        match self {
            Self::Local { .. } => Ok(()),
            _ => Err(Error::LocalOnly { what }),
        }
    }

    /// For whom this caller has an answer made, and what is in sight for them. What does not exist and what may not be seen are
    /// refused alike.
    pub(crate) fn view(&self, loaded: &Loaded, wanted: &Wanted) -> Result<AskedView, Error> {
        let asker = self.asker(loaded, wanted)?;
        loaded.view(asker).map_err(|error| self.as_little_said(error))
    }

    /// The projects in which it may use something; none at the command line, which is nobody's.
    pub(crate) fn projects(&self, loaded: &Loaded) -> Vec<ProjectId> {
        let Some(own) = self.principal() else { return Vec::new() };
        let of_tenant = loaded.snapshot.projects.iter().map(|project| &project.id).filter(|id| id.tenant == own.tenant);
        let open = of_tenant.filter(|id| {
            let wanted = Wanted { project: Some(id.to_string()), ..Wanted::default() };
            self.view(loaded, &wanted).is_ok()
        });
        open.cloned().collect()
    }

    fn asker(&self, loaded: &Loaded, wanted: &Wanted) -> Result<Asker, Error> {
        let named = wanted.principal.as_deref().map(Principal::parse).transpose().map_err(|form| wrong(&form))?;
        let principal = match (self.principal(), named) {
            (None, Some(named)) => named,
            (None, None) => return Err(Error::AsksForNobody),
            (Some(own), Some(named)) if *own != named => return Err(Error::NotItsOwn),
            (Some(own), _) => own.clone(),
        };
        let acting_for = wanted.acting_for.as_deref().map(Principal::parse).transpose().map_err(|form| wrong(&form))?;
        let project = wanted.project.as_deref().map(|text| ProjectId::parse(text, Some(&principal.tenant)));
        let project = project.transpose().map_err(|form| wrong(&form))?;
        let (scope, tools) = match self {
            Self::Key(key) => (key.project.clone(), key.tools.clone()),
            _ => (None, BTreeSet::new()),
        };
        let project = match (project, scope) {
            (Some(named), Some(own)) if named != own => return Err(Error::NotItsOwn),
            (Some(named), _) => Some(named),
            (None, own) => own,
        };
        let acting_for = acting_for.filter(|user| *user != principal);
        let roles = self.roles();
        match project {
            Some(project) => Ok(Asker { principal, roles, acting_for, project, tools }),
            None => self.only_project(loaded, |project| {
                let (principal, roles, acting_for) = (principal.clone(), roles.clone(), acting_for.clone());
                Asker { principal, roles, acting_for, project, tools: tools.clone() }
            }),
        }
    }

    /// No project is named: there may be one that can be meant.
    fn only_project(&self, loaded: &Loaded, asker: impl Fn(ProjectId) -> Asker) -> Result<Asker, Error> {
        let mut refused = Error::NothingHere;
        let mut open = Vec::new();
        for project in loaded.snapshot.projects.iter().map(|project| &project.id) {
            let asker = asker(project.clone());
            if project.tenant != asker.principal.tenant {
                continue;
            }
            match loaded.view(asker) {
                Ok(seen) => open.push(seen.asker),
                Err(error) => refused = self.as_little_said(error),
            }
        }
        match open.as_slice() {
            [] => Err(refused),
            [only] => Ok(only.clone()),
            more => Err(Error::WhichProject(more.iter().map(|asker| asker.project.to_string()).collect())),
        }
    }

    /// Whoever is not at the data folder does not hear whether a project is not there or only not theirs.
    fn as_little_said(&self, error: Error) -> Error {
        use ViewRefused::{MayNotActFor, NoAccess, UnknownPrincipal, UnknownProject};
        match (self, error) {
            (Self::Local { .. }, error) => error,
            (_, Error::View(MayNotActFor { .. })) => Error::Forbidden { what: "act for this user, or there is none" },
            (_, Error::View(NoAccess { .. } | UnknownPrincipal(_) | UnknownProject { .. })) => Error::NothingHere,
            (_, error) => error,
        }
    }
}

pub(crate) fn wrong(form: &str) -> Error {
    Error::Request(Box::new(Diagnostic::error(codes::E_VALUE, form).help("docs/callers.md shows the forms")))
}
