//! Identity providers of tenants: what is read of them, and what is refused.

use super::*;

/// A tenant with these entries of `identity`, indented by two, from line 8 on.
fn tenant_of(id: &str, identity: &str) -> String {
    format!(
        "kind: Tenant\nid: {id}\nname: C\nroles: [{{ id: analyst }}]\nusers: [{{ id: ada, roles: [analyst] }}]\nagents: [{{ id: finance-bot }}]\nidentity:\n{identity}"
    )
}

fn identity_of(identity: &str) -> Vec<IdentityProvider> {
    let (declarations, problems) = resolved(&[("base.yaml", BASE), ("a.yaml", &tenant_of("c", identity))]);
    assert_eq!(problems, "", "\n{identity}");
    declarations.tenants.into_iter().find(|tenant| tenant.id == "c").unwrap().identity
}

/// The problems of a tenant with these entries.
fn check_identity(identity: &str, expected: &str) {
    check(&tenant_of("c", identity), expected);
}

#[test]
fn an_identity_provider_is_read_whole() {
    let provider = IdentityProvider {
        issuer: "https://login.c.example".to_owned(),
        audience: vec!["ambit".to_owned(), "other".to_owned()],
        algorithms: vec![SigningAlgorithm::RS256, SigningAlgorithm::EdDSA],
        token_type: Some("at+jwt".to_owned()),
        when: [("org".to_owned(), "c".to_owned())].into(),
        user: UserClaim {
            claim: "email".to_owned(),
            principals: [
                ("ada@c.example".to_owned(), Principal::parse("c:user:ada").unwrap()),
                ("svc-billing".to_owned(), Principal::parse("c:agent:finance-bot").unwrap()),
            ]
            .into(),
            undeclared: true,
        },
        roles: Some(RoleClaim {
            claim: "groups".to_owned(),
            map: [("analysts".to_owned(), "analyst".to_owned())].into(),
        }),
        sign_in: Some(SignIn { client: "ambit-dashboard".to_owned(), scopes: vec!["email".to_owned()], secret: true }),
    };
    let written = "  - issuer: https://login.c.example
    audience: [other, ambit]
    algorithms: [EdDSA, RS256]
    token_type: at+jwt
    when: { org: c }
    user:
      claim: email
      principals: { svc-billing: agent:finance-bot, ada@c.example: user:ada }
      undeclared: true
    roles:
      claim: groups
      map: { analysts: analyst }
    sign_in: { client: ambit-dashboard, scopes: [email], secret: true }
";
    assert_eq!(identity_of(written), [provider]);
}

#[test]
fn what_an_identity_provider_leaves_out_is_the_safe_thing() {
    let provider = IdentityProvider {
        // The slash at the end is the issuer's own.
        issuer: "https://login.c.example/".to_owned(),
        audience: Vec::new(),
        algorithms: vec![SigningAlgorithm::RS256],
        token_type: None,
        when: BTreeMap::new(),
        user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: false },
        roles: None,
        sign_in: Some(SignIn { client: "ambit".to_owned(), scopes: Vec::new(), secret: false }),
    };
    assert_eq!(identity_of("  - { issuer: https://login.c.example/, sign_in: { client: ambit } }\n"), [provider]);
}

#[test]
fn an_issuer_is_a_plain_https_url() {
    for right in [
        "https://login.example.com",
        "https://login.example.com/",
        "https://login.example.com:8443/realms/acme",
        "https://10.0.0.7/tenant/v2.0",
        "https://[2001:db8::1]:443",
        "http://127.0.0.1:9000",
        "http://127.8.8.8/realms/a",
        "http://[::1]:9000",
        "http://localhost:9000/",
    ] {
        assert_eq!(crate::resolve::identity::wrong_with_issuer(right), None, "{right}");
    }
    for (wrong, why) in [
        ("", "it is no URL that begins with `https://`"),
        ("login.example.com", "it is no URL that begins with `https://`"),
        ("HTTPS://login.example.com", "it is no URL that begins with `https://`"),
        ("https://", "it has no usable host"),
        ("https:///path", "it has no usable host"),
        ("https://a..b", "it has no usable host"),
        ("https://login.example.com.", "it has no usable host"),
        ("https://a:", "it has no usable host"),
        ("https://a:0", "it has no usable host"),
        ("https://a:+1", "it has no usable host"),
        ("https://a:65536", "it has no usable host"),
        ("https://[::1", "it has no usable host"),
        ("https://[::1]x", "it has no usable host"),
        ("https://127.1", "it has no usable host"),
        ("https://0x7f000001", "it has no usable host"),
        ("https://a%2eb", "it has no usable host"),
        ("https://a?b", "it has a query"),
        ("https://a/#b", "it has a fragment"),
        ("https://login.example.com@evil.example", "it has a user or a password"),
        ("https://a\\@b", "it has a user or a password"),
        ("https://a\\b", "it holds a character that a URL cannot"),
        ("https://löwe.example", "it holds a character that a URL cannot"),
        ("https://a/ b", "it holds a character that a URL cannot"),
        ("http://login.example.com", "it is not `https`"),
        ("http://localhost.example.com", "it is not `https`"),
        ("http://126.0.0.1", "it is not `https`"),
        ("http://[::ffff:127.0.0.1]", "it is not `https`"),
        ("https://a/.well-known/openid-configuration", "it is the address of the provider's settings"),
        ("https://a/b/../c", "its path has a part `.` or `..`"),
        ("https://a/b/%2E./c", "its path has a part `.` or `..`"),
    ] {
        assert_eq!(crate::resolve::identity::wrong_with_issuer(wrong).map(|(why, _)| why), Some(why), "{wrong}");
    }
}

#[test]
fn values_of_an_identity_provider_have_their_form() {
    let claim = "write the name of a claim of the token, such as `sub` or `groups`";
    let aud = "write what the provider's tokens say in `aud`, or leave the key out to take no bearer tokens";
    let algorithms = "`RS256`, `RS384`, `RS512`, `PS256`, `PS384`, `PS512`, `ES256`, `ES384` and `EdDSA`";
    check_identity(
        "  - issuer: http://login.c.example
    audience: []
    algorithms: []
  - issuer: https://two.c.example
    audience: ['']
    algorithms: [HS256, none, RS265]
    token_type: at-jwt
    when: { '': c, org: '' }
    user: { claim: '' }
    roles: { claim: '', map: { '': analyst } }
    sign_in: { client: '', scopes: [openid, 'a b'] }
",
        &format!(
            "a.yaml:8:13 E_VALUE <http://login.c.example> `http://login.c.example` is not an issuer: it is not `https` | only a provider on this machine (`127.0.0.1`, `[::1]`, `localhost`) may be `http`
a.yaml:9:15 E_VALUE <[> the list is empty | {aud}
a.yaml:10:17 E_VALUE <[> the list is empty | write what the provider signs with, or leave the key out for `RS256`
a.yaml:12:16 E_VALUE <''> the value is empty | {aud}
a.yaml:13:18 E_VALUE <HS256> tokens signed with `HS256` are not taken | a shared secret would let anybody who can verify a token also sign one; the words are {algorithms}
a.yaml:13:25 E_VALUE <none> tokens signed with `none` are not taken | anybody can write a token that is not signed; the words are {algorithms}
a.yaml:13:31 E_VALUE <RS265> `RS265` is not one of the words for this key | did you mean `RS256`?
a.yaml:14:17 E_VALUE <at-jwt> `at-jwt` is not one of the words for this key | did you mean `at+jwt`?
a.yaml:15:13 E_VALUE <''> the value is empty | {claim}
a.yaml:15:25 E_VALUE <''> the value is empty | write the value that the claim has for this tenant, or leave the claim out
a.yaml:16:20 E_VALUE <''> the value is empty | {claim}
a.yaml:17:21 E_VALUE <''> the value is empty | {claim}
a.yaml:17:32 E_VALUE <''> the value is empty | write a value that the claim can have, or leave the line out
a.yaml:18:24 E_VALUE <''> the value is empty | write the id that the provider gave the dashboard as its client
a.yaml:18:37 E_VALUE <openid> the scope `openid` is always asked for | take it off the list
a.yaml:18:45 E_VALUE <'a b'> `a b` is not a scope | write one word, such as `email`"
        ),
    );
}

#[test]
fn an_identity_provider_opens_something_for_principals_of_its_own_tenant() {
    check_identity(
        "  - issuer: https://login.c.example
    user:
      principals: { a: user:adda, b: agent:ada, c: role:analyst, d: acme:user:ada, e: ada }
    roles: { claim: groups, map: { a: analist } }
  - { issuer: https://login.c.example, audience: [ambit] }
",
        "a.yaml:8:13 E_VALUE <https://login.c.example> the identity provider `https://login.c.example` opens nothing | write `audience` to take its bearer tokens, `sign_in` to let people sign in to the dashboard, or both
a.yaml:10:24 E_UNRESOLVED <user:adda> tenant `c` has no user `adda` | did you mean `ada`?
a.yaml:10:38 E_UNRESOLVED <agent:ada> tenant `c` has no agent `ada` | known: `finance-bot`
a.yaml:10:52 E_VALUE <role:analyst> `role:analyst` is not a user or an agent of this tenant | write `user:name` or `agent:name`
a.yaml:10:69 E_VALUE <acme:user:ada> `acme:user:ada` is not a user or an agent of this tenant | write `user:name` or `agent:name`
a.yaml:10:87 E_VALUE <ada> `ada` is not a user or an agent of this tenant | write `user:name` or `agent:name`
a.yaml:11:39 E_UNRESOLVED <analist> tenant `c` has no role `analist` | did you mean `analyst`?
a.yaml:12:15 E_DUPLICATE_ID <https://login.c.example> tenant `c` names the issuer `https://login.c.example` twice | write all that its tokens may do into one entry
  a.yaml:8:13 see <https://login.c.example> it stands here first",
    );
}

#[test]
fn a_role_that_only_a_claim_gives_is_held() {
    check(
        "kind: Tenant\nid: c\nname: C\nroles: [{ id: analyst, includes: [member] }, { id: member }]\nidentity:\n  - issuer: https://login.c.example\n    audience: [ambit]\n    roles: { claim: groups, map: { analysts: analyst } }\n",
        "",
    );
}

/// Two tenants that name one issuer, each with this `when`, in lines 3 and 9.
fn two_tenants(first: &str, second: &str) -> String {
    let tenant = |id: &str, when: &str| {
        format!(
            "kind: Tenant\nid: {id}\nidentity: [{{ issuer: https://login.example, audience: [ambit]{when} }}]\nname: N\n"
        )
    };
    format!("{}---\n# two\n{}", tenant("c", first), tenant("d", second))
}

#[test]
fn tenants_that_share_an_issuer_are_told_apart() {
    check(&two_tenants(", when: { org: c }", ", when: { org: d }"), "");
    check(&two_tenants(", when: { org: c, env: live }", ", when: { org: d, env: live }"), "");
    let refused = "a.yaml:9:22 E_VALUE <https://login.example> a token of `https://login.example` could belong to tenant `c` and to tenant `d` | give both a `when` with one claim in common and different values, such as `when: { org: d }`\n  a.yaml:3:22 see <https://login.example> the other tenant names the issuer here";
    check(&two_tenants("", ""), refused);
    check(&two_tenants(", when: { org: c }", ""), refused);
    check(&two_tenants(", when: { org: c }", ", when: { org: c }"), refused);
    check(&two_tenants(", when: { org: c }", ", when: { team: d }"), refused);
}

#[test]
fn a_sign_in_secret_is_shown_to_one_provider() {
    check_identity(
        "  - issuer: https://one.example
    sign_in: { client: a, secret: true }
  - issuer: https://two.example
    sign_in: { client: b, secret: false }
  - issuer: https://three.example
    sign_in: { client: c, secret: true }
",
        "a.yaml:13:35 E_VALUE <true> two identity providers of tenant `c` would be shown one sign-in secret | leave `secret` to one of them: a tenant has one such secret, in one place\n  a.yaml:9:35 see <true> the other asks for it here",
    );
    let tenant = |id: &str| {
        tenant_of(id, &format!("  - {{ issuer: https://{id}.example, sign_in: {{ client: a, secret: true }} }}\n"))
    };
    check(
        &format!("{}---\n{}", tenant("a-b"), tenant("a.b")),
        "a.yaml:17:66 E_VALUE <true> tenants `a-b` and `a.b` would have one sign-in secret, `AMBIT_SIGN_IN_SECRET_A_B` | give one tenant another id: in a variable, all that is no letter or digit becomes `_`\n  a.yaml:8:66 see <true> the other asks for it here",
    );
}

#[test]
fn an_address_is_a_users_id_and_no_agents() {
    check(
        "kind: Tenant\nid: c\nname: C\nusers: [{ id: ada+test@c.example }, { id: '@ada' }]\nagents: [{ id: bot@c.example }]\n",
        "a.yaml:4:43 E_VALUE <'@ada'> `@ada` is not a user's id | begin with a letter or digit and use only letters, digits, `_`, `-`, `.`, `@` and `+`, at most 64 in all\na.yaml:5:16 E_VALUE <bot@c.example> `bot@c.example` is not an id | begin with a letter or digit and use only letters, digits, `_`, `-` and `.`, at most 64 in all",
    );
}
