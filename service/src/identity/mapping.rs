//! From what an issuer says of somebody to who that is here: the claims mapping of a Tenant document.
//! INVARIANT: claims mean something in one tenant at most, and only as long as the live snapshot says so.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{IdentityProvider, Tenant};
use ambit_model::identity::{Principal, PrincipalKind, is_user_name};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Error;

/// Why claims are nobody here; for the log.
pub(super) type Reason = &'static str;

/// What an issuer has vouched for, verified: who it says it is, and only those claims that a mapping names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    /// The claim `iss`.
    pub issuer: String,
    /// The claim `sub`: who it is at the issuer.
    pub subject: String,
    /// The other claims, by name.
    pub members: BTreeMap<String, Value>,
}

/// A principal that an identity provider vouches for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// A user or an agent of the tenant. The user may be undeclared.
    pub principal: Principal,
    /// Declared roles of the tenant that the claims give, beside those that the declarations give.
    pub roles: BTreeSet<String>,
    /// Who vouches.
    pub issuer: String,
    /// Who it is there.
    pub subject: String,
}

/// Who somebody that has signed in is now, in the tenants as they are live.
pub fn person(tenants: &[Tenant], claims: &Claims) -> Result<Person, Error> {
    let found = providers(tenants, &claims.issuer)
        .filter(|(_, provider)| provider.sign_in.is_some() && belongs(provider, claims));
    sole(found).and_then(|(tenant, provider)| map(tenant, provider, claims)).map_err(|reason| {
        tracing::debug!(issuer = claims.issuer, reason, "a person that has signed in is nobody here");
        Error::SignInRefused
    })
}

impl Claims {
    /// Of all the claims of a token those that these providers' mappings name; nothing where it does not say whom it is about.
    pub(super) fn of<'a>(
        issuer: &str,
        mut all: Map<String, Value>,
        providers: impl Iterator<Item = &'a IdentityProvider>,
    ) -> Option<Self> {
        let subject = all.get("sub").and_then(Value::as_str).filter(|subject| !subject.is_empty())?.to_owned();
        let members = providers.flat_map(named).filter_map(|name| all.remove_entry(name)).collect();
        Some(Self { issuer: issuer.to_owned(), subject, members })
    }

    fn text(&self, claim: &str) -> Option<&str> {
        match claim {
            "iss" => Some(&self.issuer),
            "sub" => Some(&self.subject),
            _ => self.members.get(claim).and_then(Value::as_str),
        }
    }

    /// The texts of a claim that holds one or a list of them.
    fn texts(&self, claim: &str) -> Vec<&str> {
        match self.members.get(claim) {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => self.text(claim).into_iter().collect(),
        }
    }
}

/// Every provider of a tenant that is this issuer, to the character.
pub(super) fn providers<'a>(
    tenants: &'a [Tenant],
    issuer: &str,
) -> impl Iterator<Item = (&'a Tenant, &'a IdentityProvider)> {
    let all = tenants.iter().flat_map(|tenant| tenant.identity.iter().map(move |provider| (tenant, provider)));
    all.filter(move |(_, provider)| provider.issuer == issuer)
}

/// Names of the claims that a provider's mapping looks at.
fn named(provider: &IdentityProvider) -> impl Iterator<Item = &str> {
    let user = provider.user.claim.as_str();
    let verified = (user == "email").then_some("email_verified");
    let roles = provider.roles.iter().map(|roles| roles.claim.as_str());
    provider.when.keys().map(String::as_str).chain([user]).chain(verified).chain(roles)
}

/// The claims have the values that belong to the provider's tenant.
pub(super) fn belongs(provider: &IdentityProvider, claims: &Claims) -> bool {
    provider.when.iter().all(|(claim, value)| claims.text(claim) == Some(value.as_str()))
}

/// The only one; claims that belong to two tenants belong to none.
pub(super) fn sole<T>(mut found: impl Iterator<Item = T>) -> Result<T, Reason> {
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err("its claims belong to no tenant"),
        (Some(_), Some(_)) => Err("its claims belong to more than one tenant"),
    }
}

/// Who it is in this tenant.
pub(super) fn map(tenant: &Tenant, provider: &IdentityProvider, claims: &Claims) -> Result<Person, Reason> {
    Ok(Person {
        principal: principal(tenant, provider, claims)?,
        roles: roles(tenant, provider, claims),
        issuer: claims.issuer.clone(),
        subject: claims.subject.clone(),
    })
}

fn principal(tenant: &Tenant, provider: &IdentityProvider, claims: &Claims) -> Result<Principal, Reason> {
    let user = &provider.user;
    let written = claims.text(&user.claim).ok_or("the claim that names the principal is not there, or is no text")?;
    let by_email = user.claim == "email";
    // Whoever may write any address into an account would else be whomever they like.
    if by_email && !(written.contains('@') && claims.members.get("email_verified").is_some_and(is_true)) {
        return Err("its e-mail address is not verified");
    }
    // An address is one person's, however it is written.
    let value = &if by_email { written.to_ascii_lowercase() } else { written.to_owned() };
    if let Some(principal) = user.principals.get(value) {
        let right = principal.tenant == tenant.id && principal.kind != PrincipalKind::Role;
        return if right {
            Ok(principal.clone())
        } else {
            Err("its principal is none of the tenant's users and agents")
        };
    }
    let may_be = tenant.users.contains_key(value) || (user.undeclared && is_user_name(value));
    if !may_be {
        return Err("the claim that names the principal names nobody of the tenant");
    }
    Ok(Principal { tenant: tenant.id.clone(), kind: PrincipalKind::User, name: value.clone() })
}

/// Some providers write it as a text.
fn is_true(value: &Value) -> bool {
    value.as_bool().unwrap_or(false) || value.as_str() == Some("true")
}

fn roles(tenant: &Tenant, provider: &IdentityProvider, claims: &Claims) -> BTreeSet<String> {
    let Some(mapped) = &provider.roles else { return BTreeSet::new() };
    let given = claims.texts(&mapped.claim).into_iter().filter_map(|value| mapped.map.get(value));
    given.filter(|role| tenant.roles.contains_key(*role)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::{RoleClaim, SignIn, SigningAlgorithm, UserClaim};
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://login.example";

    fn provider() -> IdentityProvider {
        IdentityProvider {
            issuer: ISSUER.to_owned(),
            audience: vec!["ambit".to_owned()],
            algorithms: vec![SigningAlgorithm::RS256],
            token_type: None,
            when: BTreeMap::from([("org".to_owned(), "acme".to_owned())]),
            user: UserClaim {
                claim: "email".to_owned(),
                principals: BTreeMap::from([(
                    "bot@a.example".to_owned(),
                    Principal::parse("acme:agent:finance-bot").unwrap(),
                )]),
                undeclared: true,
            },
            roles: Some(RoleClaim {
                claim: "groups".to_owned(),
                map: BTreeMap::from([
                    ("analysts".to_owned(), "analyst".to_owned()),
                    ("kings".to_owned(), "king".to_owned()),
                ]),
            }),
            sign_in: Some(SignIn { client: "dashboard".to_owned(), scopes: Vec::new(), secret: false }),
        }
    }

    fn tenant(id: &str, identity: Vec<IdentityProvider>) -> Tenant {
        Tenant {
            id: id.to_owned(),
            name: id.to_owned(),
            users: BTreeMap::from([("ada".to_owned(), Vec::new()), ("ada@a.example".to_owned(), Vec::new())]),
            agents: BTreeMap::from([("finance-bot".to_owned(), Vec::new())]),
            roles: BTreeMap::from([("analyst".to_owned(), Vec::new())]),
            identity,
        }
    }

    fn claims(written: Value) -> Claims {
        let mut all = json!({ "sub": "7", "iss": ISSUER, "org": "acme", "email_verified": true, "more": "x" });
        all.as_object_mut().unwrap().extend(written.as_object().unwrap().clone());
        Claims::of(ISSUER, all.as_object().unwrap().clone(), [provider()].iter()).unwrap()
    }

    fn who(provider: IdentityProvider, written: Value) -> Option<String> {
        person(&[tenant("acme", vec![provider])], &claims(written)).ok().map(|person| person.principal.to_string())
    }

    #[test]
    fn only_what_a_mapping_names_is_kept() {
        let kept = claims(json!({ "email": "ada", "email_verified": true, "groups": [], "phone": "1" }));
        let names: Vec<&str> = kept.members.keys().map(String::as_str).collect();
        assert_eq!(names, ["email", "email_verified", "groups", "org"]);
        assert_eq!(kept.subject, "7");
        let nobody = Map::from_iter([("org".to_owned(), json!("acme"))]);
        assert_eq!(Claims::of(ISSUER, nobody, [provider()].iter()), None);
    }

    #[test]
    fn a_value_is_a_named_principal_or_a_user_of_the_tenant_or_nobody() {
        let known = || {
            let mut provider = provider();
            provider.user.undeclared = false;
            provider
        };
        let cases = [
            (provider(), json!({ "email": "bot@a.example" }), Some("acme:agent:finance-bot")),
            (provider(), json!({ "email": "ada@a.example" }), Some("acme:user:ada@a.example")),
            (provider(), json!({ "email": "ADA@A.example" }), Some("acme:user:ada@a.example")),
            (provider(), json!({ "email": "eve@a.example" }), Some("acme:user:eve@a.example")),
            (
                provider(),
                json!({ "email": "eve@a.example", "email_verified": "true" }),
                Some("acme:user:eve@a.example"),
            ),
            (provider(), json!({ "email": "eve@a.example", "email_verified": false }), None),
            (provider(), json!({ "email": "eve@a.example", "email_verified": null }), None),
            (provider(), json!({ "email": "ada@a.example", "email_verified": false }), None),
            (provider(), json!({ "email": "ada@a.example", "email_verified": "false" }), None),
            (provider(), json!({ "email": "ada" }), None),
            (provider(), json!({ "email": "two words@a.example" }), None),
            (provider(), json!({ "email": "" }), None),
            (provider(), json!({ "email": ["ada@a.example"] }), None),
            (provider(), json!({}), None),
            (known(), json!({ "email": "ada@a.example" }), Some("acme:user:ada@a.example")),
            (known(), json!({ "email": "finance-bot" }), None),
            (known(), json!({ "email": "eve@a.example" }), None),
        ];
        for (provider, written, expected) in cases {
            assert_eq!(who(provider, written.clone()).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn an_address_that_nobody_says_is_verified_is_nobodys() {
        let unsaid = Map::from_iter([
            ("sub".to_owned(), json!("7")),
            ("org".to_owned(), json!("acme")),
            ("email".to_owned(), json!("ada@a.example")),
        ]);
        let claims = Claims::of(ISSUER, unsaid, [provider()].iter()).unwrap();
        assert!(person(&[tenant("acme", vec![provider()])], &claims).is_err());
    }

    #[test]
    fn the_subject_is_a_claim_like_others() {
        let mut by_subject = provider();
        by_subject.user.claim = "sub".to_owned();
        assert_eq!(who(by_subject, json!({ "sub": "ada" })).as_deref(), Some("acme:user:ada"));
    }

    #[test]
    fn what_a_tenant_asks_of_claims_has_to_be_there() {
        let cases = [
            (json!({ "org": "acme" }), true),
            (json!({ "org": ["globex", "acme"] }), false),
            (json!({ "org": "Acme" }), false),
            (json!({ "org": ["acme.example"] }), false),
            (json!({ "org": null }), false),
            (json!({ "org": { "acme": true } }), false),
        ];
        for (mut written, right) in cases {
            written["email"] = json!("ada@a.example");
            assert_eq!(who(provider(), written.clone()).is_some(), right, "{written}");
        }
    }

    #[test]
    fn only_mapped_and_declared_roles_are_given() {
        let roles = |groups: Value| {
            let claims = claims(json!({ "email": "ada@a.example", "groups": groups }));
            let person = person(&[tenant("acme", vec![provider()])], &claims).unwrap();
            person.roles.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(roles(json!("analysts")), ["analyst"]);
        assert_eq!(roles(json!(["analysts", "kings", "analyst", 7])), ["analyst"]);
        assert!(roles(json!(["kings"])).is_empty());
        assert!(roles(Value::Null).is_empty());
    }

    #[test]
    fn claims_belong_to_one_tenant_at_most_and_end_with_the_mapping() {
        let claims = claims(json!({ "email": "ada@a.example" }));
        let mut other = provider();
        assert!(person(&[], &claims).is_err());
        assert!(person(&[tenant("acme", Vec::new())], &claims).is_err());
        let two = [tenant("acme", vec![provider()]), tenant("globex", vec![other.clone()])];
        assert!(person(&two, &claims).is_err());
        other.when = BTreeMap::from([("org".to_owned(), "globex".to_owned())]);
        let two = [tenant("acme", vec![provider()]), tenant("globex", vec![other.clone()])];
        assert_eq!(person(&two, &claims).unwrap().principal.tenant, "acme");
        other = provider();
        other.sign_in = None;
        assert!(person(&[tenant("acme", vec![other.clone()])], &claims).is_err());
        other = provider();
        other.issuer.push('/');
        assert!(person(&[tenant("acme", vec![other])], &claims).is_err());
    }

    #[test]
    fn a_principal_of_another_tenant_is_nobody() {
        assert!(person(&[tenant("globex", vec![provider()])], &claims(json!({ "email": "bot@a.example" }))).is_err());
    }
}
