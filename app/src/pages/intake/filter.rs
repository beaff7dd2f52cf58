//! The filter of the Intake page: a plain form that asks for the page again.

use leptos::prelude::*;
use leptos_router::params::ParamsMap;

use crate::data::IntakePage;
use crate::pages::INTAKE;

/// What is asked for; empty texts let everything through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) catalog: String,
    pub(crate) code: String,
    pub(crate) acknowledged: bool,
    /// `tool`, or empty for by rule.
    pub(crate) by: String,
}

impl Filter {
    /// Reads `catalog`, `code` and `acknowledged=true`.
    pub(crate) fn read(query: &ParamsMap) -> Self {
        let text = |key: &str| query.get(key).unwrap_or_default();
        Self {
            catalog: text("catalog"),
            code: text("code"),
            acknowledged: text("acknowledged") == "true",
            by: text("by"),
        }
    }
}

/// The form, with what was asked for already chosen.
pub(crate) fn filter(asked: &Filter, page: &IntakePage) -> impl IntoView + use<> {
    view! {
        <form class="panel filter" method="get" action=INTAKE.path aria-label="Filter">
            <label class="field">
                <span>"Catalog"</span>
                <select class="in" name="catalog">
                    {options("All catalogs", &page.catalogs, &asked.catalog)}
                </select>
            </label>
            <label class="field">
                <span>"Code"</span>
                <select class="in" name="code">
                    {options("All codes", &page.codes, &asked.code)}
                </select>
            </label>
            <label class="field">
                <span>"Arranged"</span>
                <select class="in" name="by">
                    <option value="" selected=asked.by != "tool">
                        "by rule"
                    </option>
                    <option value="tool" selected=asked.by == "tool">
                        "by tool"
                    </option>
                </select>
            </label>
            <label class="check">
                <input type="checkbox" name="acknowledged" value="true" checked=asked.acknowledged />
                <span>"Acknowledged too"</span>
            </label>
            <button class="btn" type="submit">
                "Filter"
            </button>
        </form>
    }
}

fn options(all: &'static str, values: &[String], chosen: &str) -> impl IntoView + use<> {
    // What was asked for stays chosen, also where nothing has it.
    let unknown = (!chosen.is_empty() && !values.iter().any(|value| value == chosen)).then(|| chosen.to_owned());
    let listed = values
        .iter()
        .chain(&unknown)
        .map(|value| {
            view! {
                <option value=value.clone() selected=value == chosen>
                    {value.clone()}
                </option>
            }
        })
        .collect_view();
    view! {
        <option value="" selected=chosen.is_empty()>
            {all}
        </option>
        {listed}
    }
}

#[cfg(test)]
mod tests {
    use leptos_router::params::ParamsMap;

    use super::Filter;

    #[test]
    fn only_the_word_true_asks_for_acknowledged_ones() {
        let query = |pairs: &[(&'static str, &str)]| {
            let mut map = ParamsMap::new();
            for (key, value) in pairs {
                map.insert(*key, (*value).to_owned());
            }
            Filter::read(&map)
        };
        assert_eq!(query(&[]), Filter::default());
        assert!(query(&[("acknowledged", "true")]).acknowledged);
        assert!(!query(&[("acknowledged", "1")]).acknowledged);
        assert_eq!(query(&[("catalog", "mail")]).catalog, "mail");
    }
}
