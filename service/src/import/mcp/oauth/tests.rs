//! What names a private address is not asked, whoever names it: here the documents stand by, and everything else is really asked.

use std::collections::BTreeMap;

use rmcp::transport::auth::{OAuthHttpClientFuture, OAuthHttpRequest};
use serde_json::Value;

use super::*;
use crate::outbound::Bounds;

/// Answers for the URLs that it knows.
struct Known {
    documents: BTreeMap<&'static str, Value>,
    asking: Arc<Asking>,
}

impl OAuthHttpClient for Known {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        let Some(document) = self.documents.get(request.request.uri().to_string().as_str()) else {
            return self.asking.execute(request);
        };
        let answer = openidconnect::HttpResponse::new(document.to_string().into_bytes());
        Box::pin(async move { Ok(answer) })
    }
}

const CHALLENGE: &str = "Bearer resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\"";

async fn discovered(challenge: &str, resource: Value, server: Value) -> Result<Authority, Denied> {
    let bounds = Bounds { allow_private: false, within: Duration::from_secs(5), most_bytes: 100_000 };
    let url = Url::parse("https://mcp.example/mcp").unwrap();
    let asking = Arc::new(Asking::new(Guarded::new(bounds).unwrap(), url, Unsaid::default()));
    let documents = BTreeMap::from([
        ("https://mcp.example/.well-known/oauth-protected-resource/mcp", resource),
        ("https://as.example/.well-known/oauth-authorization-server", server),
    ]);
    let known = Known { documents, asking: asking.clone() };
    Authority::discover(asking, Arc::new(known), challenge).await
}

fn resource(server: &str) -> Value {
    json!({ "resource": "https://mcp.example/mcp", "authorization_servers": [server] })
}

fn server(endpoint: &str) -> Value {
    json!({
        "issuer": "https://as.example",
        "authorization_endpoint": format!("{endpoint}/authorize"),
        "token_endpoint": format!("{endpoint}/token"),
        "registration_endpoint": format!("{endpoint}/register"),
        "code_challenge_methods_supported": ["S256"],
    })
}

#[track_caller]
fn not_public<T>(found: Result<T, Denied>, address: &str) {
    let said = found.err().map_or_else(|| "it was done".to_owned(), |denied| denied.to_string());
    assert!(said.ends_with(&format!("leads to {address}, which is not a public address")), "{said}");
}

#[tokio::test]
async fn a_private_authorization_server_is_not_asked() {
    for (named, address) in [
        ("https://10.0.0.1", "10.0.0.1"),
        ("https://169.254.169.254/latest", "169.254.169.254"),
        ("https://[::ffff:10.0.0.1]/", "::ffff:10.0.0.1"),
        ("https://0x7f.1/", "127.0.0.1"),
    ] {
        not_public(discovered(CHALLENGE, resource(named), Value::Null).await, address);
    }
    let plain = discovered(CHALLENGE, resource("http://as.example"), Value::Null).await.err().unwrap();
    assert!(plain.to_string().contains("only https is spoken"), "{plain}");
    let pointer = CHALLENGE.replace("mcp.example", "10.0.0.1");
    let found = discovered(&pointer, resource("https://as.example"), server("https://as.example")).await;
    assert!(matches!(found, Err(Denied::Pointer)));
}

#[tokio::test]
async fn no_private_endpoint_is_asked_or_shown() {
    let found = || discovered(CHALLENGE, resource("https://as.example"), server("https://10.0.0.1"));
    let secret = || Secret::new("hunter2".to_owned());
    not_public(found().await.unwrap().of_client("ci", &secret()).await, "10.0.0.1");
    // To register, and to lead a browser to.
    let redirect = "http://127.0.0.1:1/callback";
    not_public(found().await.unwrap().lead(None, None, redirect).await, "10.0.0.1");
    not_public(found().await.unwrap().lead(Some("desk"), None, redirect).await, "10.0.0.1");
}

#[tokio::test]
async fn documents_of_others_are_not_believed() {
    let other = json!({ "resource": "https://other.example/mcp", "authorization_servers": ["https://as.example"] });
    let found = discovered(CHALLENGE, other, server("https://as.example")).await.err().unwrap();
    assert!(matches!(&found, Denied::Resource { named } if named == "https://other.example/mcp"), "{found:?}");
    let mut other = server("https://as.example");
    other["issuer"] = json!("https://other.example");
    let found = discovered(CHALLENGE, resource("https://as.example"), other).await.err().unwrap();
    assert!(matches!(&found, Denied::Issuer { received, .. } if received == "https://other.example"), "{found:?}");
}
