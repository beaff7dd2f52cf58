//! What makes a bearer token one to believe: its form, its header, its signature and its claims (RFC 7519, 8725 and 9068).
//! INVARIANT: the algorithm is one that is declared for the issuer, and the key is one that the issuer publishes; nothing in a token
//! chooses beyond these.

use ambit_model::declaration::IdentityProvider;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{DecodingKey, Header, Validation};
use serde_json::{Map, Value};

use super::keys;
use super::mapping::Reason;

/// Bytes of a token that are looked at.
const LARGEST: usize = 16 * 1024;
/// Seconds by which clocks may differ, either way.
const LEEWAY: u64 = 60;
/// Claims of an ID token (OpenID Connect Core 1.0, 2 and 3.3.2.11), which says who signed in and opens nothing.
const OF_ID_TOKENS: [&str; 3] = ["nonce", "at_hash", "c_hash"];

/// A token as it came: nothing of it is believed.
pub(super) struct Token<'a> {
    text: &'a str,
    header: Header,
    /// Whom it says it is from.
    pub(super) issuer: String,
}

impl<'a> Token<'a> {
    /// Reads its form.
    pub(super) fn read(text: &'a str) -> Result<Self, Reason> {
        if text.len() > LARGEST {
            return Err("it is too long");
        }
        // An algorithm that is not known, `none` among them, fails here.
        let header = jsonwebtoken::decode_header(text).map_err(|_| "its header cannot be read")?;
        if header.crit.is_some() || header.enc.is_some() || header.zip.is_some() {
            return Err("its header asks for more than a signature");
        }
        let claims: Map<String, Value> =
            jsonwebtoken::dangerous::insecure_decode_claims(text).map_err(|_| "its claims cannot be read")?;
        let issuer = claims.get("iss").and_then(Value::as_str).ok_or("it names no issuer")?.to_owned();
        Ok(Self { text, header, issuer })
    }

    /// The header is as this provider is declared to write it.
    pub(super) fn suits(&self, provider: &IdentityProvider) -> bool {
        provider.algorithms.iter().any(|declared| keys::algorithm(*declared) == self.header.alg)
            && is_typed(self.header.typ.as_deref(), provider.token_type.as_deref())
    }

    /// The one of these keys that it says it was signed with.
    pub(super) fn key<'k>(&self, keys: &'k [Jwk]) -> Option<&'k Jwk> {
        keys::choose(keys, self.header.kid.as_deref(), self.header.alg)
    }

    /// Its claims, once the key has signed them and they are for one of these audiences, and now.
    pub(super) fn claims(&self, key: &Jwk, audience: &[&str]) -> Result<Map<String, Value>, Reason> {
        let key = DecodingKey::from_jwk(key).map_err(|_| "its key cannot be used")?;
        // One algorithm, for jsonwebtoken refuses a list of several kinds; the header's was found in the declared list.
        let mut rules = Validation::new(self.header.alg);
        rules.leeway = LEEWAY;
        rules.validate_nbf = true;
        rules.set_required_spec_claims(&["iss", "aud", "exp", "nbf"]);
        rules.set_issuer(&[&self.issuer]);
        rules.set_audience(audience);
        let read = jsonwebtoken::decode::<Map<String, Value>>(self.text, &key, &rules);
        let claims = read.map_err(|error| reason(error.kind()))?.claims;
        // jsonwebtoken would take a list that holds the issuer.
        if claims.get("iss").and_then(Value::as_str) != Some(self.issuer.as_str()) {
            return Err("it names another issuer");
        }
        if OF_ID_TOKENS.iter().any(|claim| claims.contains_key(*claim)) {
            return Err("it is an ID token");
        }
        // Such a token is worth nothing without a proof that its holder has a key (RFC 7800), and no proof is asked for here.
        if claims.contains_key("cnf") {
            return Err("it is bound to a key of its holder");
        }
        Ok(claims)
    }
}

/// A token that was verified is for this audience too.
pub(super) fn is_for(claims: &Map<String, Value>, audience: &[String]) -> bool {
    let meant = |value: &Value| value.as_str().is_some_and(|text| audience.iter().any(|name| name == text));
    match claims.get("aud") {
        Some(Value::Array(list)) => list.iter().any(meant),
        Some(one) => meant(one),
        None => false,
    }
}

/// The header's `typ` is the declared one (RFC 9068, 4); where none is declared, it is that of some JWT for access, or absent.
fn is_typed(said: Option<&str>, declared: Option<&str>) -> bool {
    match (said.map(media_type), declared.map(media_type)) {
        (Some(said), Some(declared)) => said == declared,
        (None, Some(_)) => false,
        (Some(said), None) => matches!(said.as_str(), "jwt" | "at+jwt"),
        (None, None) => true,
    }
}

/// A media type in short, as RFC 7515, 4.1.9 has it: `application/` may stand or not, and case means nothing.
fn media_type(written: &str) -> String {
    let lower = written.to_ascii_lowercase();
    lower.strip_prefix("application/").map(str::to_owned).unwrap_or(lower)
}

fn reason(kind: &ErrorKind) -> Reason {
    match kind {
        ErrorKind::InvalidSignature => "its signature is not the key's",
        ErrorKind::ExpiredSignature => "it has expired",
        ErrorKind::ImmatureSignature => "it is not valid yet",
        ErrorKind::InvalidAudience => "it is for another audience",
        ErrorKind::InvalidIssuer => "it names another issuer",
        ErrorKind::MissingRequiredClaim(_) => "one of the claims iss, aud, exp and nbf is missing",
        _ => "it is malformed",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ambit_model::declaration::{SigningAlgorithm, UserClaim};
    use jsonwebtoken::{Algorithm, EncodingKey, encode, get_current_timestamp};
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://login.example";
    /// A key made for these tests, PKCS #8.
    const KEY: &str = "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b02010104201d7244819399dd65e7bf755bf3\
        df11ceaafd17905474a953c6e5d3d3f1bc010ba14403420004615b34631bf74d16d2d7a19182aa4a669bd84febe36214a4dbf5c82028d0fdaa\
        49a0e6cfad3c83a889a8964bce3f1ed0fc8faefdf12c4c0a01444c5955a73116";

    fn key() -> EncodingKey {
        EncodingKey::from_ec_der(&hex::decode(KEY).unwrap())
    }

    fn published() -> Vec<Jwk> {
        vec![Jwk::from_encoding_key(&key(), Algorithm::ES256).unwrap()]
    }

    fn good() -> Value {
        let now = get_current_timestamp();
        json!({ "iss": ISSUER, "sub": "ada", "aud": "ambit", "exp": now + 300, "nbf": now })
    }

    fn with(more: Value) -> Value {
        let mut claims = good();
        let members = claims.as_object_mut().unwrap();
        for (name, value) in more.as_object().unwrap() {
            match value {
                Value::Null => drop(members.remove(name)),
                _ => drop(members.insert(name.clone(), value.clone())),
            }
        }
        claims
    }

    fn header(typ: Option<&str>) -> Header {
        let mut header = Header::new(Algorithm::ES256);
        header.typ = typ.map(str::to_owned);
        header
    }

    fn checked(claims: &Value) -> Result<Map<String, Value>, Reason> {
        let text = encode(&header(None), claims, &key()).unwrap();
        let token = Token::read(&text)?;
        token.claims(token.key(&published()).unwrap(), &["other", "ambit"])
    }

    fn declared(token_type: Option<&str>, algorithms: &[SigningAlgorithm]) -> IdentityProvider {
        IdentityProvider {
            issuer: ISSUER.to_owned(),
            audience: vec!["ambit".to_owned()],
            algorithms: algorithms.to_vec(),
            token_type: token_type.map(str::to_owned),
            when: BTreeMap::new(),
            user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: true },
            roles: None,
            sign_in: None,
        }
    }

    #[test]
    fn claims_are_all_there_and_for_now_and_us() {
        let now = get_current_timestamp();
        let right = [
            json!({}),
            json!({ "aud": ["x", "ambit"] }),
            json!({ "exp": now - 30 }),
            json!({ "nbf": now + 30 }),
            json!({ "exp": 1e15 }),
        ];
        for more in right {
            assert!(checked(&with(more.clone())).is_ok(), "{more}");
        }
        let wrong = [
            json!({ "aud": "ambition" }),
            json!({ "aud": [] }),
            json!({ "aud": null }),
            json!({ "exp": null }),
            json!({ "exp": "later" }),
            json!({ "exp": now - 90 }),
            json!({ "nbf": null }),
            json!({ "nbf": now + 90 }),
            json!({ "nbf": -1 }),
            json!({ "iss": null }),
            json!({ "iss": [ISSUER] }),
            json!({ "nonce": "x" }),
            json!({ "at_hash": "x" }),
            json!({ "cnf": { "jkt": "x" } }),
        ];
        for more in wrong {
            assert!(checked(&with(more.clone())).is_err(), "{more}");
        }
    }

    #[test]
    fn a_changed_token_is_not_signed() {
        let text = encode(&header(None), &good(), &key()).unwrap();
        let other = encode(&header(None), &with(json!({ "sub": "eve" })), &key()).unwrap();
        let parts = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
        let (mut mixed, other) = (parts(&text), parts(&other));
        mixed[1] = other[1].clone();
        let mixed = mixed.join(".");
        let token = Token::read(&mixed).unwrap();
        assert_eq!(token.claims(token.key(&published()).unwrap(), &["ambit"]), Err("its signature is not the key's"));
    }

    #[test]
    fn what_is_no_signed_token_is_not_read() {
        let none = "eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2xvZ2luLmV4YW1wbGUifQ.";
        let mut critical = header(None);
        critical.crit = Some(vec!["exp".to_owned()]);
        let critical = encode(&critical, &good(), &key()).unwrap();
        let long = format!("{}{}", "a".repeat(LARGEST), ".b.c");
        for text in ["", "x", "a.b.c", "..", none, critical.as_str(), long.as_str()] {
            assert!(Token::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_header_is_as_declared() {
        use SigningAlgorithm::{ES256, RS256};
        let cases = [
            (Some("at+jwt"), declared(Some("at+jwt"), &[ES256]), true),
            (Some("application/AT+JWT"), declared(Some("at+jwt"), &[RS256, ES256]), true),
            (Some("JWT"), declared(Some("at+jwt"), &[ES256]), false),
            (None, declared(Some("at+jwt"), &[ES256]), false),
            (Some("at+jwt"), declared(Some("at+jwt"), &[RS256]), false),
            (Some("at+jwt"), declared(Some("at+jwt"), &[]), false),
            (None, declared(None, &[ES256]), true),
            (Some("JWT"), declared(None, &[ES256]), true),
            (Some("at+jwt"), declared(None, &[ES256]), true),
            (Some("logout+jwt"), declared(None, &[ES256]), false),
        ];
        for (typ, provider, right) in cases {
            let text = encode(&header(typ), &good(), &key()).unwrap();
            assert_eq!(Token::read(&text).unwrap().suits(&provider), right, "{typ:?} {provider:?}");
        }
    }

    #[test]
    fn an_audience_is_one_of_those_named() {
        let claims = |aud: Value| Map::from_iter([("aud".to_owned(), aud)]);
        let ours = ["ambit".to_owned()];
        assert!(is_for(&claims(json!("ambit")), &ours) && is_for(&claims(json!(["x", "ambit"])), &ours));
        for other in [json!("x"), json!(["x"]), json!([]), json!({ "ambit": 1 }), Value::Null] {
            assert!(!is_for(&claims(other.clone()), &ours), "{other}");
        }
        assert!(!is_for(&claims(json!("ambit")), &[]));
    }
}
