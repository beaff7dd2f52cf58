//! An MCP server that wants a token, and the authorization server that gives it. What they say can be changed before they are asked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::web::{self, Asked, Web, mcp, said, serve};

/// What must be told nowhere.
pub(crate) const SECRETS: [&str; 6] =
    ["hunter2-secret", "hunter2-token", "hunter2-code", "hunter2-refresh", "hunter2-identity", "hunter2-query"];
/// `ci:hunter2-secret`.
const BASIC: &str = "Basic Y2k6aHVudGVyMi1zZWNyZXQ=";
const METADATA_OF_RESOURCE: &str = "/.well-known/oauth-protected-resource/mcp";

/// What both say.
#[derive(Default)]
pub(crate) struct Says {
    /// What the MCP server calls itself.
    pub(crate) resource: String,
    pub(crate) servers: Value,
    pub(crate) challenge: String,
    /// The token that it takes.
    pub(crate) taken: String,
    /// What the description of a tool ends with.
    pub(crate) described: String,
    /// It wants none.
    pub(crate) open: bool,
    pub(crate) metadata: Value,
    /// What the token endpoint answers, whatever it is asked.
    pub(crate) token: Option<Vec<u8>>,
    /// The same of the registration endpoint.
    pub(crate) registered: Option<Vec<u8>>,
    /// Of the page that was opened last (RFC 7636, 4.3).
    code_challenge: String,
}

pub(crate) struct Parties {
    pub(crate) mcp: Web,
    pub(crate) authority: Web,
}

impl Parties {
    pub(crate) fn start(change: impl FnOnce(&mut Says)) -> Self {
        let says = Arc::new(Mutex::new(Says::default()));
        let (of_mcp, of_authority) = (says.clone(), says.clone());
        let mcp = serve(move |asked| server(&of_mcp.lock().unwrap(), asked));
        let authority = serve(move |asked| authority(&mut of_authority.lock().unwrap(), asked));
        let mut said = as_it_should_be(&mcp.url, &authority.url);
        change(&mut said);
        *says.lock().unwrap() = said;
        Self { mcp, authority }
    }

    /// The last question to a place of the authorization server.
    pub(crate) fn asked(&self, place: &str) -> Option<Asked> {
        self.authority.asked.lock().unwrap().iter().rfind(|asked| asked.head.contains(place)).cloned()
    }
}

fn as_it_should_be(mcp: &str, authority: &str) -> Says {
    Says {
        resource: format!("{mcp}/mcp"),
        servers: json!([authority]),
        challenge: format!("Bearer resource_metadata=\"{mcp}{METADATA_OF_RESOURCE}\", scope=\"tools:read\""),
        taken: "hunter2-token".to_owned(),
        metadata: json!({
            "issuer": authority,
            "authorization_endpoint": format!("{authority}/authorize"),
            "token_endpoint": format!("{authority}/token"),
            "registration_endpoint": format!("{authority}/register"),
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["everything", "offline_access"],
        }),
        ..Says::default()
    }
}

fn server(says: &Says, asked: &Asked) -> Vec<u8> {
    if asked.head.contains(METADATA_OF_RESOURCE) {
        let document = json!({ "resource": says.resource, "authorization_servers": says.servers });
        return web::json(&document.to_string());
    }
    if !asked.head.contains(" /mcp") {
        return said("404 Nothing", "", "");
    }
    if !says.open && asked.header("authorization") != Some(format!("Bearer {}", says.taken)) {
        return said(&format!("401 Who\r\nwww-authenticate: {}", says.challenge), "", "");
    }
    let tool = json!({ "name": "orders.list", "description": format!("Lists orders.{}", says.described), "inputSchema": { "type": "object" } });
    mcp(asked, |_| json!({ "tools": [tool] }))
}

fn authority(says: &mut Says, asked: &Asked) -> Vec<u8> {
    let target = asked.head.split(' ').nth(1).unwrap();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match path {
        "/.well-known/oauth-authorization-server" => web::json(&says.metadata.to_string()),
        "/register" => says.registered.clone().unwrap_or_else(|| register(asked)),
        "/authorize" => authorize(says, &form(query)),
        "/token" => says.token.clone().unwrap_or_else(|| token(says, asked)),
        _ => said("404 Nothing", "", ""),
    }
}

fn register(asked: &Asked) -> Vec<u8> {
    let client = json!({ "client_id": "registered", "redirect_uris": asked.body["redirect_uris"] });
    said("201 Created", "application/json", client.to_string())
}

fn authorize(says: &mut Says, asked: &BTreeMap<String, String>) -> Vec<u8> {
    says.code_challenge = asked["code_challenge"].clone();
    let issuer = says.metadata["issuer"].as_str().unwrap();
    let back = format!("{}?code=hunter2-code&state={}&iss={issuer}", asked["redirect_uri"], asked["state"]);
    said(&format!("302 Back\r\nlocation: {back}"), "", "")
}

fn token(says: &Says, asked: &Asked) -> Vec<u8> {
    let fields = form(&asked.text);
    let sound = match fields["grant_type"].as_str() {
        "client_credentials" => asked.header("authorization").as_deref() == Some(BASIC),
        _ => fields["code"] == "hunter2-code" && hashed(&fields["code_verifier"]) == says.code_challenge,
    };
    if !sound {
        return said("400 No", "application/json", r#"{"error": "invalid_grant"}"#);
    }
    let given = json!({
        "access_token": "hunter2-token",
        "token_type": "Bearer",
        "expires_in": 60,
        "refresh_token": "hunter2-refresh",
        "id_token": "hunter2-identity",
    });
    web::json(&given.to_string())
}

/// The fields of a form or of a query.
pub(crate) fn form(text: &str) -> BTreeMap<String, String> {
    let fields = text.split('&').filter_map(|field| field.split_once('='));
    fields.map(|(name, value)| (name.to_owned(), decoded(value))).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            byte => byte,
        });
    }
    String::from_utf8(out).unwrap()
}

/// SHA-256 in base64 for URLs (RFC 7636, 4.2).
fn hashed(verifier: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: String = Sha256::digest(verifier).iter().map(|byte| format!("{byte:08b}")).collect();
    let sextets = bits.as_bytes().chunks(6).map(|bits| format!("{:0<6}", std::str::from_utf8(bits).unwrap()));
    sextets.map(|bits| char::from(LETTERS[usize::from_str_radix(&bits, 2).unwrap()])).collect()
}
