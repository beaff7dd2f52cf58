//! Blocks over a view: the one overlay that touches authority, and it only takes away.
//! INVARIANT: nothing is allowed that the view denies, and a block of a tool outside `discover` makes no difference at all.

use std::collections::BTreeSet;

use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::overlay::Block;
use serde::Serialize;

use super::view::View;
use crate::canonical::{self, NotCanonical};

/// The blocks in force that somebody may know of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// SHA-256 over which tools are blocked until when, as canonical JSON (RFC 8785): who blocked them and why stays out, so
    /// that the digest tells no more than the answers do.
    pub digest: Digest,
    /// Sorted by tool, each one in the view's `discover` set.
    pub blocks: Vec<Block>,
}

/// The view while these tools are blocked, and the overlay that its answers name. Nothing where no block is about the view.
pub fn under_blocks(view: &View, blocks: &[Block]) -> Result<Option<(View, Overlay)>, NotCanonical> {
    let mut in_sight: Vec<Block> = blocks.iter().filter(|block| view.discovers(&block.tool)).cloned().collect();
    if in_sight.is_empty() {
        return Ok(None);
    }
    in_sight.sort();
    let digested: Vec<DigestedBlock<'_>> = in_sight.iter().map(DigestedBlock::of).collect();
    let digest = canonical::digest(&digested)?;
    Ok(Some((without(view, &in_sight)?, Overlay { digest, blocks: in_sight })))
}

/// Takes `route` and `invoke` away. The digest changes with the sets alone: of a tool that could not be routed there is nothing to take.
fn without(view: &View, blocks: &[Block]) -> Result<View, NotCanonical> {
    let digest = |view: &Digest, blocked: &BTreeSet<ToolId>| canonical::digest(&DigestedView { view, blocked });
    let narrow = view.withhold(blocks.iter().map(|block| block.tool.clone()), digest)?;
    Ok(narrow.unwrap_or_else(|| view.clone()))
}

#[derive(Serialize)]
struct DigestedBlock<'a> {
    tool: &'a ToolId,
    until: Option<&'a str>,
}

impl<'a> DigestedBlock<'a> {
    fn of(block: &'a Block) -> Self {
        Self { tool: &block.tool, until: block.until.as_deref() }
    }
}

#[derive(Serialize)]
struct DigestedView<'a> {
    view: &'a Digest,
    blocked: &'a BTreeSet<ToolId>,
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::super::sample::{PERMIT_ALL, authority, principal, project_id, snapshot, tool_id};
    use super::*;

    fn block(tool: &str, until: Option<&str>) -> Block {
        Block {
            tool: tool_id(tool),
            reason: "it answers too much".to_owned(),
            until: until.map(str::to_owned),
            at: "2026-11-30T09:00:00Z".to_owned(),
            by: "local:ann".to_owned(),
        }
    }

    /// Everything of two catalogs may be named, and no mail invoked.
    static VIEW: LazyLock<View> = LazyLock::new(|| {
        let no_mail = r#"forbid (principal, action == Ambit::Action::"invoke", resource in Ambit::Catalog::"mail");"#;
        let snapshot = snapshot(&[PERMIT_ALL, no_mail]);
        authority(&snapshot).view(&principal("acme:user:ada"), &project_id("acme/finance")).unwrap()
    });

    fn under(blocks: &[Block]) -> Option<(View, Overlay)> {
        under_blocks(&VIEW, blocks).unwrap()
    }

    /// `tool+!` may be routed and invoked, then the policies of each set.
    #[track_caller]
    fn check(blocked: &str, tool: &str, expected: &str) {
        let (view, _) = under(&[block(blocked, None)]).unwrap();
        let c = view.capability(&tool_id(tool)).unwrap();
        let flags = format!("{}{}", if c.route { "+" } else { "" }, if c.invoke { "!" } else { "" });
        assert_eq!(format!("{flags} {:?} {:?} {:?}", c.discover_by, c.route_by, c.invoke_by), expected, "{blocked}");
    }

    #[test]
    fn a_block_takes_route_and_invoke_and_says_so() {
        check("billing/list", "billing/list", r#" ["p0"] ["ambit/blocked"] ["ambit/blocked"]"#);
        check("billing/list", "mail/send", r#"+ ["p0"] ["p0"] ["p1"]"#);
        // What a policy forbids is still the policy's.
        check("mail/send", "mail/send", r#" ["p0"] ["ambit/blocked"] ["p1"]"#);
    }

    #[test]
    fn a_block_that_is_out_of_sight_is_none() {
        assert!(under(&[]).is_none());
        assert!(under(&[block("plant/status", None), block("nowhere/tool", None)]).is_none());
        let seen = |blocks: &[Block]| {
            under(blocks).map(|(view, overlay)| {
                let capabilities = view.capabilities().map(|(id, capability)| (id.clone(), capability));
                (view.digest.clone(), capabilities.collect::<Vec<_>>(), overlay)
            })
        };
        let both = seen(&[block("billing/list", None), block("plant/status", None)]);
        assert!(both.is_some());
        assert_eq!(both, seen(&[block("billing/list", None)]));
    }

    #[test]
    fn digests_follow_what_is_blocked_until_when_in_any_order() {
        let of = |blocks: &[Block]| under(blocks).map(|(view, overlay)| (view.digest, overlay.digest)).unwrap();
        let (list, pay) = (block("billing/list", None), block("billing/pay", None));
        let one = of(std::slice::from_ref(&list));
        assert_ne!(one.0, VIEW.digest);
        assert_eq!(of(&[list.clone(), pay.clone()]), of(&[pay, list.clone()]));
        let reworded = Block { reason: "another".to_owned(), by: "local:bob".to_owned(), ..list };
        assert_eq!(of(&[reworded]), one);
        let ending = of(&[block("billing/list", Some("2026-12-01T00:00:00Z"))]);
        assert_eq!(ending.0, one.0, "the sets are the same");
        assert_ne!(ending.1, one.1);
    }

    proptest! {
        #[test]
        fn a_blocked_view_is_a_subset(picked in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
            let ids: Vec<&ToolId> = VIEW.ids().collect();
            let blocks: Vec<Block> = picked.iter().map(|at| block(ids.get(at.index(ids.len())).unwrap().as_str(), None)).collect();
            let narrow = under(&blocks).map_or_else(|| VIEW.clone(), |(view, _)| view);
            prop_assert!(narrow.ids().eq(VIEW.ids()), "what may be named stays");
            for (id, capability) in narrow.capabilities() {
                let wide = VIEW.capability(id).unwrap();
                let blocked = blocks.iter().any(|block| block.tool == *id);
                prop_assert_eq!(capability.route, wide.route && !blocked);
                prop_assert_eq!(capability.invoke, wide.invoke && !blocked);
                prop_assert!(capability.route || !capability.invoke);
                prop_assert!(blocked || capability == wide);
            }
        }
    }
}
