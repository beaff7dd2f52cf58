//! Facts of a tool or of a catalog's defaults: words of closed lists checked, names of tools kept for `link`.

use ambit_model::facts::{Effect, Operation, Risk, SourceKind};

use super::declarations::{Located, WrittenFacts};
use super::forms::Reader;
use crate::parse::written::Text;
use crate::parse::written_catalog::Facts;

impl Reader<'_> {
    pub(super) fn facts(&mut self, facts: Facts<'_>) -> WrittenFacts {
        WrittenFacts {
            source: facts.source.and_then(|word| self.word(word, SourceKind::ALL, SourceKind::word)),
            entity: facts.entity.and_then(|entity| self.said(entity, "the thing the tool is about, such as `orders`")),
            operation: facts.operation.and_then(|word| self.word(word, Operation::ALL, Operation::word)),
            effect: facts.effect.and_then(|word| self.word(word, Effect::ALL, Effect::word)),
            risk: facts.risk.and_then(|word| self.word(word, Risk::ALL, Risk::word)),
            confirmation: facts.confirmation,
            identity: facts.identity.map(<[String]>::to_vec),
            collection: facts.collection.and_then(|path| self.collection(path)),
            requires: facts.requires.map(<[String]>::to_vec),
            produces: facts.produces.map(<[String]>::to_vec),
            next: facts.next.map(|names| self.tool_names(names)),
            after: facts.after.map(|names| self.tool_names(names)),
        }
    }

    /// `$`, or keys parted by dots.
    fn collection(&mut self, path: &Text) -> Option<String> {
        if path.value.split('.').any(str::is_empty) {
            self.refuse(
                path.span,
                format!("`{}` is not a path", path.value),
                "write keys parted by dots, such as `data.rows`, or `$` where the result itself is the list",
            );
            return None;
        }
        Some(path.value.clone())
    }

    pub(super) fn said(&mut self, text: &Text, what: &str) -> Option<String> {
        if text.value.trim().is_empty() {
            self.refuse(text.span, "the value is empty", format!("write {what}, or leave the key out"));
            return None;
        }
        Some(text.value.clone())
    }

    fn tool_names(&mut self, names: &[Text]) -> Vec<Located<String>> {
        names.iter().map(|name| self.located(name)).collect()
    }
}
