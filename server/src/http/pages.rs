//! The pages of `ambit-app`, their stylesheets and, where it was built, the browser bundle.

use std::path::Path;

use ambit_app::App;
use ambit_app::answers::own_path;
use ambit_app::shell::{Shell, shell};
use axum::Form;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use leptos::config::LeptosOptions;
use leptos::nonce::use_nonce;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{LeptosRoutes as _, ResponseOptions, generate_route_list};
use serde::Deserialize;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use super::Shared;
use super::session::cookie;

/// Largest form, in bytes.
const LARGEST_FORM: usize = 64 * 1024;
const THEME_COOKIE: &str = "ambit_theme";
/// A year.
const THEME_SECONDS: u64 = 365 * 24 * 60 * 60;
/// The name of the bundle's files.
const BUNDLE: &str = "ambit";

pub(super) fn router(shared: &Shared) -> Router {
    let bundle = shared.site.as_deref().filter(|site| site.join("pkg").join(format!("{BUNDLE}.js")).is_file());
    if let (Some(site), None) = (&shared.site, bundle) {
        tracing::warn!(site = %site.display(), "there is no browser bundle here: pages work by full page loads");
    }
    let options = options(bundle);
    let routes = generate_route_list(App);
    let with_bundle = bundle.is_some();
    let page = {
        let options = options.clone();
        move || shell(Shell { options: options.clone(), bundle: with_bundle, theme: theme() })
    };
    let pages = Router::new()
        .leptos_routes_with_context(&options, routes, look_around, page.clone())
        .fallback(move |request: Request| not_found(request, page))
        .with_state(options);
    let pages = pages
        .route(
            "/static/tokens.css",
            get(|headers: HeaderMap| text(headers, "text/css", include_str!("../../../style/tokens.css"))),
        )
        .route(
            "/static/ambit.css",
            get(|headers: HeaderMap| text(headers, "text/css", include_str!("../../../style/ambit.css"))),
        )
        .route(
            "/static/icon.svg",
            get(|headers: HeaderMap| text(headers, "image/svg+xml", include_str!("../../../style/icon.svg"))),
        )
        .route("/theme", post(choose_theme))
        .layer(RequestBodyLimitLayer::new(LARGEST_FORM));
    match bundle {
        None => pages,
        Some(site) => {
            let files = ServeDir::new(site.join("pkg")).precompressed_br().precompressed_gzip();
            // The files have no digest in their names, so a browser asks each time whether they are still the same.
            let fresh = SetResponseHeaderLayer::overriding(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            pages.nest_service("/pkg", tower::ServiceBuilder::new().layer(fresh).service(files))
        }
    }
}

/// A page that says so, in the frame of all pages.
async fn not_found<V: leptos::IntoView + 'static>(
    request: Request,
    page: impl Fn() -> V + Clone + Send + Sync + 'static,
) -> Response {
    let render = leptos_axum::render_app_async_with_context(look_around, page);
    let mut response = render(request).await;
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn options(bundle: Option<&Path>) -> LeptosOptions {
    let site = bundle.map(|site| site.display().to_string()).unwrap_or_default();
    LeptosOptions::builder().output_name(BUNDLE).site_root(site).site_pkg_dir("pkg").build()
}

/// Runs before a page or a server function: its visitor goes into the context, and its nonce into the policy of the answer.
fn look_around() {
    let Some(parts) = use_context::<Parts>() else { return };
    if let Some(visitor) = parts.extensions.get::<ambit_app::visitor::Visitor>() {
        provide_context(visitor.clone());
    }
    let (Some(response), Some(nonce)) = (use_context::<ResponseOptions>(), use_nonce()) else { return };
    let policy = format!(
        "default-src 'none'; style-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; img-src 'self' data:; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(CONTENT_SECURITY_POLICY, policy);
    }
}

/// The theme that the visitor chose; nothing where the system's is followed.
fn theme() -> Option<&'static str> {
    let parts = use_context::<Parts>()?;
    match cookie(&parts.headers, THEME_COOKIE)?.as_str() {
        "light" => Some("light"),
        "dark" => Some("dark"),
        _ => None,
    }
}

#[derive(Deserialize)]
struct Choice {
    theme: String,
    next: String,
}

async fn choose_theme(Form(choice): Form<Choice>) -> Response {
    let theme = match choice.theme.as_str() {
        known @ ("light" | "dark") => known,
        _ => "system",
    };
    let cookie = format!("{THEME_COOKIE}={theme}; Path=/; SameSite=Lax; HttpOnly; Max-Age={THEME_SECONDS}");
    let mut response = Redirect::to(own_path(&choice.next)).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// A file that is part of the binary; a browser that has it is told that it is still the same.
async fn text(headers: HeaderMap, kind: &'static str, body: &'static str) -> Response {
    let tag = format!("\"{}\"", ambit_model::digest::Digest::of(body.as_bytes()).short());
    let known = headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let kept = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    if known {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    (kept, [(CONTENT_TYPE, kind)], body).into_response()
}
