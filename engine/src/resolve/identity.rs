//! Identity providers of a tenant: which tokens may come in, and whom their claims stand for.
//! INVARIANT: an issuer that two tenants name is told apart by a claim, so that no token belongs to both.

use core::net::{Ipv4Addr, Ipv6Addr};
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::declaration::{IdentityProvider, RoleClaim, SignIn, SigningAlgorithm, UserClaim};
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::{Principal, PrincipalKind};

use super::catalogs::sign_in_variable;
use super::declarations::Located;
use super::forms::Reader;
use super::names::unresolved;
use crate::parse::at::At;
use crate::parse::problem::listed;
use crate::parse::written::{self, Text};

/// The claim that names the user unless another is written: only it is unique at every provider (OpenID Connect Core 1.0, 5.7).
const USER_CLAIM: &str = "sub";
/// What a bearer token may have to say in its header `typ` (RFC 9068, 2.1; RFC 7519, 5.1).
pub(crate) const TOKEN_TYPES: [&str; 2] = ["at+jwt", "JWT"];

/// An issuer that a tenant names, kept until all tenants are read.
pub(super) struct NamedIssuer {
    tenant: String,
    issuer: Located<String>,
    when: BTreeMap<String, String>,
    /// Where it is said that signing in with it needs a secret.
    secret: Option<Place>,
}

impl Reader<'_> {
    /// The providers that are right, and the issuers of all.
    pub(super) fn identity(&mut self, tenant: &written::Tenant) -> (Vec<IdentityProvider>, Vec<NamedIssuer>) {
        let mut providers = Vec::new();
        let mut issuers: Vec<NamedIssuer> = Vec::new();
        for written in &tenant.identity {
            let provider = self.provider(written, tenant);
            if wrong_with_issuer(&written.issuer.value).is_some() {
                continue;
            }
            let issuer = self.located(&written.issuer);
            if let Some(first) = issuers.iter().find(|one| one.issuer.value == issuer.value) {
                let problem = issuer_twice(tenant, issuer, first.issuer.place.clone());
                self.report(problem);
                continue;
            }
            let secret = written.sign_in.as_ref().and_then(|sign_in| sign_in.secret.as_ref());
            issuers.push(NamedIssuer {
                tenant: tenant.id.value.clone(),
                issuer,
                when: texts(&written.when),
                secret: secret.filter(|secret| secret.value).map(|secret| self.place(secret.span)),
            });
            providers.extend(provider);
        }
        (providers, issuers)
    }

    /// Nothing where anything is wrong with it: half a provider could let in more than was written.
    fn provider(&mut self, written: &written::IdentityProvider, tenant: &written::Tenant) -> Option<IdentityProvider> {
        let before = self.problems.len();
        let issuer = self.issuer(&written.issuer);
        if written.audience.is_none() && written.sign_in.is_none() {
            self.refuse(
                written.issuer.span,
                format!("the identity provider `{}` opens nothing", written.issuer.value),
                "write `audience` to take its bearer tokens, `sign_in` to let people sign in to the dashboard, or both",
            );
        }
        let provider = IdentityProvider {
            issuer,
            audience: self.audience(written.audience.as_ref()),
            algorithms: self.algorithms(written.algorithms.as_ref()),
            token_type: written
                .token_type
                .as_ref()
                .and_then(|word| self.word(word, &TOKEN_TYPES, |word| word))
                .map(str::to_owned),
            when: self.when(&written.when),
            user: self.user_claim(written.user.as_ref(), tenant),
            roles: written.roles.as_ref().map(|roles| self.role_claim(roles, tenant)),
            sign_in: written.sign_in.as_ref().map(|sign_in| self.sign_in(sign_in)),
        };
        (self.problems.len() == before).then_some(provider)
    }

    fn issuer(&mut self, issuer: &Text) -> String {
        if let Some((why, help)) = wrong_with_issuer(&issuer.value) {
            self.refuse(issuer.span, format!("`{}` is not an issuer: {why}", issuer.value), help);
        }
        issuer.value.clone()
    }

    fn audience(&mut self, audience: Option<&At<Vec<Text>>>) -> Vec<String> {
        let Some(audience) = audience else { return Vec::new() };
        let help = "write what the provider's tokens say in `aud`, or leave the key out to take no bearer tokens";
        self.not_empty(audience, help);
        let names: BTreeSet<String> = audience.value.iter().map(|name| self.filled(name, help)).collect();
        names.into_iter().collect()
    }

    fn algorithms(&mut self, algorithms: Option<&At<Vec<Text>>>) -> Vec<SigningAlgorithm> {
        let Some(algorithms) = algorithms else { return vec![SigningAlgorithm::RS256] };
        self.not_empty(algorithms, "write what the provider signs with, or leave the key out for `RS256`");
        let known: BTreeSet<SigningAlgorithm> =
            algorithms.value.iter().filter_map(|word| self.algorithm(word)).collect();
        known.into_iter().collect()
    }

    fn algorithm(&mut self, word: &Text) -> Option<SigningAlgorithm> {
        let why = match word.value.as_str() {
            "HS256" | "HS384" | "HS512" => "a shared secret would let anybody who can verify a token also sign one",
            "none" => "anybody can write a token that is not signed",
            _ => return self.word(word, &SigningAlgorithm::ALL, SigningAlgorithm::word),
        };
        let safe = listed(SigningAlgorithm::ALL.iter().map(|algorithm| algorithm.word()));
        self.refuse(
            word.span,
            format!("tokens signed with `{}` are not taken", word.value),
            format!("{why}; the words are {safe}"),
        );
        None
    }

    fn when(&mut self, when: &BTreeMap<Text, Text>) -> BTreeMap<String, String> {
        for (claim, value) in when {
            self.claim(claim);
            self.filled(value, "write the value that the claim has for this tenant, or leave the claim out");
        }
        texts(when)
    }

    fn user_claim(&mut self, user: Option<&written::UserClaim>, tenant: &written::Tenant) -> UserClaim {
        let claim = user.and_then(|user| user.claim.as_ref());
        let principals = user.map(|user| &user.principals).into_iter().flatten();
        UserClaim {
            claim: claim.map_or_else(|| USER_CLAIM.to_owned(), |claim| self.claim(claim)),
            principals: principals
                .filter_map(|(value, principal)| Some((self.claimed(value), self.member(principal, tenant)?)))
                .collect(),
            undeclared: user.is_some_and(|user| user.undeclared),
        }
    }

    /// A user or an agent of the same tenant: a provider never vouches for principals of another.
    fn member(&mut self, written: &Text, tenant: &written::Tenant) -> Option<Principal> {
        let (kind, name) = match written.value.split_once(':') {
            Some(("user", name)) => (PrincipalKind::User, name),
            Some(("agent", name)) => (PrincipalKind::Agent, name),
            _ => {
                let message = format!("`{}` is not a user or an agent of this tenant", written.value);
                self.refuse(written.span, message, "write `user:name` or `agent:name`");
                return None;
            }
        };
        let known: BTreeSet<&str> = match kind {
            PrincipalKind::Agent => tenant.agents.iter().map(|agent| agent.id.value.as_str()).collect(),
            _ => tenant.users.iter().map(|user| user.id.value.as_str()).collect(),
        };
        if !known.contains(name) {
            let message = format!("tenant `{}` has no {} `{name}`", tenant.id.value, kind.word());
            let problem = unresolved(message, name, known, self.place(written.span));
            self.report(problem);
            return None;
        }
        Some(Principal { tenant: tenant.id.value.clone(), kind, name: name.to_owned() })
    }

    fn role_claim(&mut self, roles: &written::RoleClaim, tenant: &written::Tenant) -> RoleClaim {
        let known: BTreeSet<&str> = tenant.roles.iter().map(|role| role.id.value.as_str()).collect();
        let claim = self.claim(&roles.claim);
        let map = roles
            .map
            .iter()
            .filter_map(|(value, role)| Some((self.claimed(value), self.role(role, &tenant.id.value, &known)?.value)));
        RoleClaim { claim, map: map.collect() }
    }

    fn sign_in(&mut self, sign_in: &written::SignIn) -> SignIn {
        let client = self.filled(&sign_in.client, "write the id that the provider gave the dashboard as its client");
        let scopes: BTreeSet<String> = sign_in.scopes.iter().filter_map(|scope| self.scope(scope)).collect();
        SignIn {
            client,
            scopes: scopes.into_iter().collect(),
            secret: sign_in.secret.as_ref().is_some_and(|secret| secret.value),
        }
    }

    /// A scope token (RFC 6749, 3.3).
    fn scope(&mut self, scope: &Text) -> Option<String> {
        let fits = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
        if scope.value.is_empty() || !scope.value.bytes().all(fits) {
            self.refuse(scope.span, format!("`{}` is not a scope", scope.value), "write one word, such as `email`");
            return None;
        }
        if scope.value == "openid" {
            self.refuse(scope.span, "the scope `openid` is always asked for", "take it off the list");
            return None;
        }
        Some(scope.value.clone())
    }

    /// The name of a claim.
    fn claim(&mut self, claim: &Text) -> String {
        self.filled(claim, "write the name of a claim of the token, such as `sub` or `groups`")
    }

    /// A value of a claim that stands for something.
    fn claimed(&mut self, value: &Text) -> String {
        self.filled(value, "write a value that the claim can have, or leave the line out")
    }

    pub(super) fn filled(&mut self, written: &Text, help: &str) -> String {
        if written.value.trim().is_empty() {
            self.refuse(written.span, "the value is empty", help);
        }
        written.value.clone()
    }

    fn not_empty(&mut self, list: &At<Vec<Text>>, help: &str) {
        if list.value.is_empty() {
            self.refuse(list.span, "the list is empty", help);
        }
    }
}

/// Reports the later of two tenants to which one token could belong.
pub(super) fn tell_apart(issuers: &[NamedIssuer], problems: &mut Vec<Diagnostic>) {
    for (index, later) in issuers.iter().enumerate() {
        let mut same = issuers.iter().take(index).filter(|earlier| earlier.issuer.value == later.issuer.value);
        if let Some(earlier) = same.find(|earlier| !are_apart(&earlier.when, &later.when)) {
            let message = format!(
                "a token of `{}` could belong to tenant `{}` and to tenant `{}`",
                later.issuer.value, earlier.tenant, later.tenant
            );
            problems.push(
                Diagnostic::error(codes::E_VALUE, message)
                    .at(later.issuer.place.clone())
                    .related("the other tenant names the issuer here", Some(earlier.issuer.place.clone()))
                    .help(format!(
                        "give both a `when` with one claim in common and different values, such as `when: {{ org: {} }}`",
                        later.tenant
                    )),
            );
        }
    }
}

/// A claim that is one text fulfils at most one of two conditions that want different ones. A token whose claim is a list that
/// fulfils both is refused when it comes.
fn are_apart(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> bool {
    one.iter().any(|(claim, value)| other.get(claim).is_some_and(|wanted| wanted != value))
}

/// Reports the later of two providers that would be shown the same secret.
pub(super) fn part_secrets(issuers: &[NamedIssuer], problems: &mut Vec<Diagnostic>) {
    let mut earlier: BTreeMap<String, (&str, &Place)> = BTreeMap::new();
    for one in issuers {
        let Some(place) = &one.secret else { continue };
        let variable = sign_in_variable(&one.tenant);
        let Some((tenant, first)) = earlier.get(&variable) else {
            earlier.insert(variable, (one.tenant.as_str(), place));
            continue;
        };
        let (message, help) = if *tenant == one.tenant {
            let message = format!("two identity providers of tenant `{tenant}` would be shown one sign-in secret");
            (message, "leave `secret` to one of them: a tenant has one such secret, in one place")
        } else {
            let message =
                format!("tenants `{tenant}` and `{}` would have one sign-in secret, `{variable}`", one.tenant);
            (message, "give one tenant another id: in a variable, all that is no letter or digit becomes `_`")
        };
        problems.push(
            Diagnostic::error(codes::E_VALUE, message)
                .at(place.clone())
                .related("the other asks for it here", Some(Place::clone(first)))
                .help(help),
        );
    }
}

fn issuer_twice(tenant: &written::Tenant, issuer: Located<String>, first: Place) -> Diagnostic {
    let message = format!("tenant `{}` names the issuer `{}` twice", tenant.id.value, issuer.value);
    Diagnostic::error(codes::E_DUPLICATE_ID, message)
        .at(issuer.place)
        .related("it stands here first", Some(first))
        .help("write all that its tokens may do into one entry")
}

/// Why a text is no issuer, and what to write: an https URL without query and fragment (OpenID Connect Core 1.0, 2), as tokens
/// say it in `iss`, to the character. Stricter than URLs are, so that nothing is read in two ways.
pub(super) fn wrong_with_issuer(text: &str) -> Option<(&'static str, &'static str)> {
    const FORM: &str = "write the URL that the provider's tokens say in `iss`, such as `https://login.example.com`";
    let (secure, rest) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (true, rest),
        (None, Some(rest)) => (false, rest),
        (None, None) => return Some(("it is no URL that begins with `https://`", FORM)),
    };
    if rest.contains('?') {
        return Some(("it has a query", "leave out the `?` and what follows"));
    }
    if rest.contains('#') {
        return Some(("it has a fragment", "leave out the `#` and what follows"));
    }
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    if authority.contains('@') {
        return Some(("it has a user or a password", "leave out what stands before `@`: an issuer is public"));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]@!$&'()*+,;=%".contains(c);
    if !rest.chars().all(is_plain) {
        return Some(("it holds a character that a URL cannot", FORM));
    }
    match is_loopback(authority) {
        None => return Some(("it has no usable host", FORM)),
        Some(false) if !secure => {
            return Some((
                "it is not `https`",
                "only a provider on this machine (`127.0.0.1`, `[::1]`, `localhost`) may be `http`",
            ));
        }
        Some(_) => {}
    }
    if path.split('/').any(|part| part == ".well-known") {
        return Some((
            "it is the address of the provider's settings",
            "leave out `/.well-known` and what follows: it is found from the issuer",
        ));
    }
    let leads_away = |part: &str| matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    path.split('/').any(leads_away).then_some(("its path has a part `.` or `..`", FORM))
}

/// Whether the host of `host:port` is this machine; nothing where there is no usable host.
fn is_loopback(authority: &str) -> Option<bool> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => authority.find(':').map_or((authority, ""), |colon| authority.split_at(colon)),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = |text: &str| digits(text) && text.parse::<u16>().is_ok_and(|port| port != 0);
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return None;
    }
    if authority.starts_with('[') {
        return host.parse::<Ipv6Addr>().ok().map(|address| address.is_loopback());
    }
    // Programs read a name whose last part is a number as an address, in more forms than one.
    let last = host.rsplit('.').next().unwrap_or("");
    if digits(last) || last.starts_with("0x") || last.starts_with("0X") {
        return host.parse::<Ipv4Addr>().ok().map(|address| address.is_loopback());
    }
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(fits);
    (host.len() <= 253 && host.split('.').all(is_label)).then_some(host == "localhost")
}

fn texts(map: &BTreeMap<Text, Text>) -> BTreeMap<String, String> {
    map.iter().map(|(key, value)| (key.value.clone(), value.value.clone())).collect()
}
