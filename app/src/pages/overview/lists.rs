//! Projects with their ceilings, catalogs with what intake let in, and what was made live last.

use leptos::either::Either;
use leptos::prelude::*;

use crate::data::{ActivationRow, CatalogRow, ProjectRow};
use crate::pages::INTAKE;
use crate::parts::activation::{activation, activation_icon};
use crate::parts::anchor::anchor;
use crate::parts::ceiling::ceiling;
use crate::parts::count::count;
use crate::parts::icon::icon;
use crate::parts::moment::moment;
use crate::parts::panel::Panel;
use crate::parts::query::encoded;
use crate::parts::table::{Column, head};

/// Every project, and how far its callers may go.
pub(crate) fn projects(rows: Vec<ProjectRow>) -> impl IntoView {
    const COLUMNS: &[Column] = &[
        Column::Text("Project"),
        Column::Text("Name"),
        Column::Text("Ceiling"),
        Column::Text("Catalogs"),
        Column::Number("Tools"),
    ];
    view! {
        <Panel id="projects" title="Projects" count=rows.len().to_string()>
            <table class="tbl cards" role="table" aria-label="Projects">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.into_iter().map(project).collect_view()}</tbody>
            </table>
        </Panel>
    }
}

fn project(row: ProjectRow) -> impl IntoView {
    let id = anchor("project", &row.id);
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <a class="id" href=format!("#{id}")>
                    {row.id}
                </a>
            </td>
            <td role="cell" data-l="Name">
                {row.name}
            </td>
            <td role="cell" data-l="Ceiling">
                {ceiling(&row.ceiling)}
            </td>
            <td role="cell" data-l="Catalogs" class="sub">
                {row.catalogs.join(", ")}
            </td>
            <td role="cell" data-l="Tools" class="num">
                {row.tools}
            </td>
        </tr>
    }
}

/// Every catalog, and how many of its tools are in.
pub(crate) fn catalogs(rows: Vec<CatalogRow>) -> impl IntoView {
    const COLUMNS: &[Column] =
        &[Column::Text("Catalog"), Column::Text("Tenant"), Column::Number("Admitted"), Column::Number("Refused")];
    view! {
        <Panel id="catalogs" title="Catalogs" count=rows.len().to_string()>
            <table class="tbl cards" role="table" aria-label="Catalogs">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.into_iter().map(catalog).collect_view()}</tbody>
            </table>
        </Panel>
    }
}

fn catalog(row: CatalogRow) -> impl IntoView {
    let id = anchor("catalog", &row.id);
    let report = format!("{}?catalog={}", INTAKE.path, encoded(&row.id));
    let refused = if row.refused == 0 {
        Either::Left("0")
    } else {
        Either::Right(view! { <a href=report.clone()>{row.refused}</a> })
    };
    view! {
        <tr role="row" id=id>
            <td role="cell" class="lead">
                <a class="id" href=report>
                    {row.id}
                </a>
            </td>
            <td role="cell" data-l="Tenant">
                {row.tenant.unwrap_or_else(|| "every tenant".to_owned())}
            </td>
            <td role="cell" data-l="Admitted" class="num">
                {row.admitted}
            </td>
            <td role="cell" data-l="Refused" class="num">
                {refused}
            </td>
        </tr>
    }
}

/// The newest activations.
pub(crate) fn activations(rows: Vec<ActivationRow>) -> impl IntoView {
    let shown = count(rows.len(), "newest", "newest");
    let listed = rows
        .iter()
        .map(|row| {
            view! {
                <li>
                    <span>{icon(activation_icon(row))}</span>
                    {activation(row)}
                    <span class="dim">{moment(&row.at)}</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <Panel id="activations" title="Activations" count=shown class="c4">
            <ul class="feed">{listed}</ul>
            <footer>
                <a href="/snapshots#activations">"All activations"</a>
            </footer>
        </Panel>
    }
}
