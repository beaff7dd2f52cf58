//! The keys of an issuer: which of them may have signed a token. A token names a key and an algorithm, and neither is believed
//! where the key is not of the algorithm's kind (RFC 8725, 3.1).

use ambit_model::declaration::SigningAlgorithm;
use jsonwebtoken::Algorithm;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use openidconnect::core::CoreJwsSigningAlgorithm;

/// Base64 digits of the shortest RSA modulus, 2048 bits (RFC 7518, 3.3).
const SHORTEST_MODULUS: usize = 342;

/// The one key that may have signed: of this id where the token names one, and else the only one that fits.
pub(super) fn choose<'a>(keys: &'a [Jwk], id: Option<&str>, algorithm: Algorithm) -> Option<&'a Jwk> {
    let named = |key: &&Jwk| id.is_none() || key.common.key_id.as_deref() == id;
    let mut fitting = keys.iter().filter(named).filter(|key| fits(key, algorithm));
    let only = fitting.next()?;
    fitting.next().is_none().then_some(only)
}

/// The key is one to sign with, of the algorithm's kind, and meant for no other algorithm (RFC 7517, 4.2 and 4.4).
fn fits(key: &Jwk, algorithm: Algorithm) -> bool {
    let signs = key.common.public_key_use.as_ref().is_none_or(|word| *word == PublicKeyUse::Signature);
    let meant = key.common.key_algorithm.is_none_or(|word| word == KeyAlgorithm::from(algorithm));
    signs && meant && is_of_kind(&key.algorithm, algorithm)
}

fn is_of_kind(key: &AlgorithmParameters, algorithm: Algorithm) -> bool {
    match (algorithm, key) {
        (
            Algorithm::RS256
            | Algorithm::RS384
            | Algorithm::RS512
            | Algorithm::PS256
            | Algorithm::PS384
            | Algorithm::PS512,
            AlgorithmParameters::RSA(key),
        ) => key.n.len() >= SHORTEST_MODULUS,
        (Algorithm::ES256, AlgorithmParameters::EllipticCurve(key)) => key.curve == EllipticCurve::P256,
        (Algorithm::ES384, AlgorithmParameters::EllipticCurve(key)) => key.curve == EllipticCurve::P384,
        (Algorithm::EdDSA, AlgorithmParameters::OctetKeyPair(key)) => key.curve == EllipticCurve::Ed25519,
        // A shared secret is nobody's signature.
        _ => false,
    }
}

/// The algorithm as jsonwebtoken calls it.
pub(super) fn algorithm(declared: SigningAlgorithm) -> Algorithm {
    match declared {
        SigningAlgorithm::RS256 => Algorithm::RS256,
        SigningAlgorithm::RS384 => Algorithm::RS384,
        SigningAlgorithm::RS512 => Algorithm::RS512,
        SigningAlgorithm::PS256 => Algorithm::PS256,
        SigningAlgorithm::PS384 => Algorithm::PS384,
        SigningAlgorithm::PS512 => Algorithm::PS512,
        SigningAlgorithm::ES256 => Algorithm::ES256,
        SigningAlgorithm::ES384 => Algorithm::ES384,
        SigningAlgorithm::EdDSA => Algorithm::EdDSA,
    }
}

/// The algorithm as openidconnect calls it.
pub(super) fn algorithm_of_sign_in(declared: SigningAlgorithm) -> CoreJwsSigningAlgorithm {
    match declared {
        SigningAlgorithm::RS256 => CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
        SigningAlgorithm::RS384 => CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
        SigningAlgorithm::RS512 => CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
        SigningAlgorithm::PS256 => CoreJwsSigningAlgorithm::RsaSsaPssSha256,
        SigningAlgorithm::PS384 => CoreJwsSigningAlgorithm::RsaSsaPssSha384,
        SigningAlgorithm::PS512 => CoreJwsSigningAlgorithm::RsaSsaPssSha512,
        SigningAlgorithm::ES256 => CoreJwsSigningAlgorithm::EcdsaP256Sha256,
        SigningAlgorithm::ES384 => CoreJwsSigningAlgorithm::EcdsaP384Sha384,
        SigningAlgorithm::EdDSA => CoreJwsSigningAlgorithm::EdDsa,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn keys(written: Value) -> Vec<Jwk> {
        serde_json::from_value(written).unwrap()
    }

    fn chosen(written: Value, id: Option<&str>, algorithm: Algorithm) -> Option<String> {
        choose(&keys(written), id, algorithm).map(|key| key.common.key_id.clone().unwrap_or_default())
    }

    fn rsa(more: Value) -> Value {
        let mut key = json!({ "kty": "RSA", "n": "x".repeat(342), "e": "AQAB" });
        key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        key
    }

    #[test]
    fn a_key_of_another_kind_use_or_algorithm_never_fits() {
        let cases = [
            (rsa(json!({})), Algorithm::RS256, true),
            (rsa(json!({ "use": "sig", "alg": "RS256" })), Algorithm::RS256, true),
            (rsa(json!({})), Algorithm::PS512, true),
            (rsa(json!({})), Algorithm::ES256, false),
            (rsa(json!({})), Algorithm::HS256, false),
            (rsa(json!({ "use": "enc" })), Algorithm::RS256, false),
            (rsa(json!({ "alg": "PS256" })), Algorithm::RS256, false),
            (rsa(json!({ "alg": "RSA-OAEP" })), Algorithm::RS256, false),
            (rsa(json!({ "alg": "later" })), Algorithm::RS256, false),
            (rsa(json!({ "n": "x".repeat(171) })), Algorithm::RS256, false),
            (json!({ "kty": "EC", "crv": "P-256", "x": "x", "y": "y" }), Algorithm::ES256, true),
            (json!({ "kty": "EC", "crv": "P-384", "x": "x", "y": "y" }), Algorithm::ES256, false),
            (json!({ "kty": "EC", "crv": "P-384", "x": "x", "y": "y" }), Algorithm::ES384, true),
            (json!({ "kty": "OKP", "crv": "Ed25519", "x": "x" }), Algorithm::EdDSA, true),
            (json!({ "kty": "oct", "k": "c2VjcmV0" }), Algorithm::HS256, false),
            (json!({ "kty": "oct", "k": "c2VjcmV0" }), Algorithm::RS256, false),
            (json!({ "kty": "later" }), Algorithm::RS256, false),
        ];
        for (key, algorithm, right) in cases {
            assert_eq!(choose(&keys(json!([key.clone()])), None, algorithm).is_some(), right, "{algorithm:?} {key}");
        }
    }

    #[test]
    fn a_token_that_names_no_key_has_one_only_where_there_is_one() {
        let (a, b) = (rsa(json!({ "kid": "a" })), rsa(json!({ "kid": "b" })));
        let elliptic = json!({ "kty": "EC", "crv": "P-256", "x": "x", "y": "y", "kid": "c" });
        let all = json!([a, b, elliptic]);
        assert_eq!(chosen(all.clone(), Some("b"), Algorithm::RS256).as_deref(), Some("b"));
        assert_eq!(chosen(all.clone(), None, Algorithm::RS256), None);
        assert_eq!(chosen(all.clone(), None, Algorithm::ES256).as_deref(), Some("c"));
        assert_eq!(chosen(all.clone(), Some("c"), Algorithm::RS256), None);
        assert_eq!(chosen(all, Some("d"), Algorithm::RS256), None);
        let twice = json!([rsa(json!({ "kid": "a" })), rsa(json!({ "kid": "a" }))]);
        assert_eq!(chosen(twice, Some("a"), Algorithm::RS256), None);
    }
}
