//! One file per page, and the one list of pages that menu, crumbs and titles are made of.

pub mod audit;
pub mod authority;
pub mod clashes;
pub mod diff;
pub mod intake;
pub mod keys;
pub mod not_found;
pub mod overview;
pub mod revoke;
pub mod rollback;
pub mod route;
pub mod sign_in;
pub mod snapshots;
pub mod tools;

use std::collections::BTreeSet;

use ambit_model::administration::AdminAction;

use crate::parts::icon::Icon;

/// A page: where it is and what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Without parameters; a page below another starts with its path.
    pub path: &'static str,
    pub title: &'static str,
    pub icon: Icon,
    pub in_menu: bool,
    /// What whoever opens it must be allowed somewhere; nothing: everybody may.
    pub needs: Option<AdminAction>,
}

/// A page of the menu.
const fn listed(path: &'static str, title: &'static str, icon: Icon, needs: Option<AdminAction>) -> Page {
    Page { path, title, icon, in_menu: true, needs }
}

/// A page that others lead to.
const fn below(path: &'static str, title: &'static str, icon: Icon, needs: Option<AdminAction>) -> Page {
    Page { path, title, icon, in_menu: false, needs }
}

pub const OVERVIEW: Page = listed("/", "Overview", Icon::Overview, Some(AdminAction::ReadSnapshot));
pub const INTAKE: Page = listed("/intake", "Intake", Icon::Intake, Some(AdminAction::ReadIntake));
pub const TOOL_INTAKE: Page = below("/intake/tool", "Intake of a tool", Icon::Intake, Some(AdminAction::ReadIntake));
pub const CLASHES: Page = listed("/clashes", "Clashes", Icon::Clash, Some(AdminAction::ReadIntake));
pub const CLASH: Page = below("/clashes/pair", "Clash", Icon::Clash, Some(AdminAction::ReadIntake));
pub const TOOLS: Page = listed("/tools", "Tools", Icon::Tool, Some(AdminAction::ReadSnapshot));
pub const CARD: Page = below("/tools/card", "Tool", Icon::Tool, Some(AdminAction::ReadSnapshot));
pub const SNAPSHOTS: Page = listed("/snapshots", "Snapshots", Icon::Snapshot, Some(AdminAction::ReadSnapshot));
pub const DIFF: Page = below("/snapshots/diff", "Diff", Icon::Diamond, Some(AdminAction::ReadSnapshot));
pub const ROLLBACK: Page = below("/snapshots", "Roll back", Icon::Undo, Some(AdminAction::Rollback));
pub const AUTHORITY: Page = listed("/authority", "Authority", Icon::Shield, Some(AdminAction::ReadSnapshot));
pub const ROUTE: Page = listed("/route", "Route", Icon::Route, None);
pub const KEYS: Page = listed("/keys", "Keys", Icon::Key, Some(AdminAction::ManageKeys));
pub const REVOKE: Page = below("/keys", "Revoke", Icon::Bad, Some(AdminAction::ManageKeys));
pub const AUDIT: Page = listed("/audit", "Audit", Icon::Ledger, Some(AdminAction::ReadAudit));
pub const SIGN_IN: Page = below("/sign-in", "Sign in", Icon::Key, None);

/// Every page, in the order of the menu.
pub const PAGES: [Page; 16] = [
    OVERVIEW,
    INTAKE,
    TOOL_INTAKE,
    CLASHES,
    CLASH,
    TOOLS,
    CARD,
    SNAPSHOTS,
    DIFF,
    ROLLBACK,
    AUTHORITY,
    ROUTE,
    KEYS,
    REVOKE,
    AUDIT,
    SIGN_IN,
];

/// The pages of the menu of somebody who may do this much.
pub fn menu_of(may: &BTreeSet<AdminAction>) -> impl Iterator<Item = Page> {
    PAGES.into_iter().filter(|page| page.in_menu && page.needs.is_none_or(|needed| may.contains(&needed)))
}

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
    use std::collections::BTreeSet;

    use ambit_model::administration::AdminAction;

    use super::{INTAKE, OVERVIEW, SNAPSHOTS, menu_of};

    #[test]
    fn a_page_holds_itself_and_what_is_below_it() {
        assert!(OVERVIEW.holds("/") && !OVERVIEW.holds("/intake"));
        assert!(SNAPSHOTS.holds("/snapshots") && SNAPSHOTS.holds("/snapshots/3/rollback"));
        assert!(!INTAKE.holds("/intakes") && !INTAKE.holds("/"));
    }

    #[test]
    fn a_menu_lists_what_can_be_opened() {
        let titles = |may: &[AdminAction]| {
            let may: BTreeSet<AdminAction> = may.iter().copied().collect();
            menu_of(&may).map(|page| page.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(&[]), ["Route"]);
        assert_eq!(titles(&[AdminAction::ReadSnapshot]), ["Overview", "Tools", "Snapshots", "Authority", "Route"]);
        assert_eq!(
            titles(&AdminAction::ALL),
            ["Overview", "Intake", "Clashes", "Tools", "Snapshots", "Authority", "Route", "Keys", "Audit"]
        );
    }
}
