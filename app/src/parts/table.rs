//! Heads of tables that become a list of cards on narrow windows. Their roles are written out, because a table whose rows are
//! laid out as blocks is no table to some readers.

use leptos::prelude::*;

/// A column's heading; numbers stand at the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Text(&'static str),
    Number(&'static str),
    /// Over two columns.
    Wide(&'static str),
    /// For readers only.
    Hidden(&'static str),
}

/// The table's head.
pub fn head(columns: &'static [Column]) -> impl IntoView {
    view! {
        <thead role="rowgroup">
            <tr role="row">{columns.iter().map(heading).collect_view()}</tr>
        </thead>
    }
}

fn heading(column: &Column) -> impl IntoView + use<> {
    let (class, span, name) = match *column {
        Column::Text(name) => (None, None, name),
        Column::Number(name) => (Some("num"), None, name),
        Column::Wide(name) => (None, Some("2"), name),
        Column::Hidden(name) => (None, None, name),
    };
    let hidden = matches!(column, Column::Hidden(_)).then_some("sr");
    view! {
        <th role="columnheader" scope="col" class=class colspan=span>
            <span class=hidden>{name}</span>
        </th>
    }
}
