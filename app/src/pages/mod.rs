//! One file per page, and the one list of pages that menu, crumbs and titles are made of.

pub mod diff;
pub mod intake;
pub mod not_found;
pub mod overview;
pub mod rollback;
pub mod route;
pub mod sign_in;
pub mod snapshots;

use crate::parts::icon::Icon;

/// A page: where it is and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Without parameters; a page below another starts with its path.
    pub path: &'static str,
    pub title: &'static str,
    pub icon: Icon,
    pub in_menu: bool,
}

pub const OVERVIEW: Page = Page { path: "/", title: "Overview", icon: Icon::Overview, in_menu: true };
pub const INTAKE: Page = Page { path: "/intake", title: "Intake", icon: Icon::Intake, in_menu: true };
pub const SNAPSHOTS: Page = Page { path: "/snapshots", title: "Snapshots", icon: Icon::Snapshot, in_menu: true };
pub const DIFF: Page = Page { path: "/snapshots/diff", title: "Diff", icon: Icon::Diamond, in_menu: false };
pub const ROLLBACK: Page = Page { path: "/snapshots", title: "Roll back", icon: Icon::Undo, in_menu: false };
pub const ROUTE: Page = Page { path: "/route", title: "Route", icon: Icon::Route, in_menu: true };
pub const SIGN_IN: Page = Page { path: "/sign-in", title: "Sign in", icon: Icon::Key, in_menu: false };

/// Every page, in the order of the menu.
pub const PAGES: [Page; 7] = [OVERVIEW, INTAKE, SNAPSHOTS, DIFF, ROLLBACK, ROUTE, SIGN_IN];

impl Page {
    /// This path shows the page, or one below it.
    pub fn holds(&self, path: &str) -> bool {
        match path.strip_prefix(self.path) {
            Some("") => true,
            Some(rest) => self.path != "/" && rest.starts_with('/'),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{INTAKE, OVERVIEW, SNAPSHOTS};

    #[test]
    fn a_page_holds_itself_and_what_is_below_it() {
        assert!(OVERVIEW.holds("/") && !OVERVIEW.holds("/intake"));
        assert!(SNAPSHOTS.holds("/snapshots") && SNAPSHOTS.holds("/snapshots/3/rollback"));
        assert!(!INTAKE.holds("/intakes") && !INTAKE.holds("/"));
    }
}
