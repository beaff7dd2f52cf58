//! The doors, one row each: its name, what it needs, and the request. An issue that adds an endpoint adds its row here.

use ambit_model::administration::AdminAction::{
    self, ManageKeys, ReadAudit, ReadGaps, ReadIntake, ReadSnapshot, Rollback,
};
use ambit_model::identity::ProjectId;
use ambit_tests::draw::Draw;
use serde_json::json;

use crate::stage::Subject;
use crate::world::{Tenant, World};

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// Its type and its text.
    pub(crate) body: Option<(&'static str, String)>,
}

/// Which of the doors it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    Api,
    /// A server function of the pages.
    Function,
    Page,
}

/// What opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Whoever may use something in this project, or in the only one that can be meant.
    Use(Option<ProjectId>),
    /// Whoever is signed in; what it shows is cut to what they may administer by this action.
    SignedIn(Option<AdminAction>),
    /// Whoever may do this somewhere.
    Somewhere(AdminAction),
    /// Whoever may do this to the whole workspace.
    Everywhere(AdminAction),
}

/// One row of the matrix.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) door: Door,
    pub(crate) need: Need,
    /// Statuses of an answer to whoever it opens to.
    pub(crate) fine: &'static [u16],
    pub(crate) ask: Ask,
}

/// The same request twice: once with a name of another tenant, once with one that is nobody's and as long.
pub(crate) struct Echo {
    pub(crate) name: &'static str,
    pub(crate) door: Door,
    /// Whoever may do this to the whole workspace hears a difference.
    pub(crate) unless: Option<AdminAction>,
    pub(crate) theirs: (String, Ask),
    pub(crate) nobodys: (String, Ask),
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const OK: &[u16] = &[200];
/// An answer that may be a refusal too, by what it says of somebody.
const MAY: &[u16] = &[200, 403];
/// A server function that leads on to another page.
const LEADS_ON: &[u16] = &[200, 302, 303];

fn get(path: impl Into<String>) -> Ask {
    Ask { method: "GET", path: path.into(), headers: Vec::new(), body: None }
}

fn post(path: impl Into<String>, body: &serde_json::Value) -> Ask {
    Ask { method: "POST", path: path.into(), headers: Vec::new(), body: Some((JSON, body.to_string())) }
}

fn function(name: &str, arguments: &[(&str, &str)]) -> Ask {
    let pairs: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
    let headers = vec![("accept", JSON.to_owned())];
    Ask { method: "POST", path: format!("/api/ui/{name}"), headers, body: Some((FORM, pairs.join("&"))) }
}

fn page(path: impl Into<String>) -> Ask {
    Ask { headers: vec![("accept", "text/html".to_owned())], ..get(path) }
}

/// A value of a query or a form.
pub(crate) fn encode(text: &str) -> String {
    let kept = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    text.bytes().map(|byte| if kept(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// `path` with a query of whatever is there.
fn with(path: &str, query: &[(&str, Option<&str>)]) -> String {
    let given = query.iter().filter_map(|(name, value)| value.map(|value| format!("{name}={}", encode(value))));
    let given: Vec<String> = given.collect();
    if given.is_empty() { path.to_owned() } else { format!("{path}?{}", given.join("&")) }
}

/// A plan that names tools of the tenant, whether in sight or not, one of them misspelt, and one of another tenant.
pub(crate) fn plan(tools: &[&str]) -> serde_json::Value {
    let action = |(number, tool): (usize, &&str)| {
        let id = format!("a{number}");
        json!({ "id": id, "tool": tool, "arguments": {}, "depends_on": [], "purpose": "to see" })
    };
    json!({ "decision": "tools", "actions": tools.iter().enumerate().map(action).collect::<Vec<_>>() })
}

fn drawn_plan(draw: &mut Draw, world: &World, tenant: &Tenant) -> serde_json::Value {
    let misspelt = draw.pick(&tenant.tools).replacen('_', "__", 1);
    let foreign = foreign(draw, world, tenant);
    let (one, other) = (draw.pick(&tenant.tools), draw.pick(&tenant.tools));
    plan(&[one.as_str(), misspelt.as_str(), "common-tools/list_order", foreign.as_str(), other.as_str()])
}

/// A tool of another tenant.
fn foreign(draw: &mut Draw, world: &World, tenant: &Tenant) -> String {
    let others = world.tenants.iter().filter(|other| other.token != tenant.token);
    let tools: Vec<&String> = others.flat_map(|other| &other.tools).collect();
    draw.pick(&tools).to_string()
}

/// What whoever uses tools asks.
pub(crate) fn asking(draw: &mut Draw, world: &World, tenant: &Tenant, subject: &Subject, pages: bool) -> Vec<Row> {
    let project = subject.named.as_ref().map(ToString::to_string);
    let acting_for = subject.acting_for.as_ref().map(ToString::to_string);
    let (of, who) = (project.as_deref(), acting_for.as_deref());
    let need = Need::Use(subject.named.clone());
    let row = |name, door, ask| Row { name, door, need: need.clone(), fine: OK, ask };
    let mut by_header = get(with("/v1/tools", &[("format", Some("anthropic"))]));
    by_header.headers.extend(acting_for.clone().map(|user| ("x-ambit-for", user)));
    by_header.headers.extend(project.clone().map(|project| ("x-ambit-project", project)));
    let question = |text: String, more: serde_json::Value| {
        let mut body = json!({ "question": text });
        let members = body.as_object_mut().expect("an object");
        members.extend(project.clone().map(|project| ("project".to_owned(), json!(project))));
        members.extend(acting_for.clone().map(|user| ("for".to_owned(), json!(user))));
        members.extend(more.as_object().cloned().unwrap_or_default());
        body
    };
    let query = [("project", of), ("for", who)];
    let export = json!({ "target": "openai-responses", "project": of, "for": who });
    let strict = json!({ "ambiguity": "strict", "k": 1 + draw.below(8) });
    let foreign = foreign(draw, world, tenant);
    let (used, of_others) = (
        json!({ "outcome": "used", "tool": draw.pick(&tenant.tools) }),
        json!({ "outcome": "wrong", "tool": foreign }),
    );
    let feedback = |more: &serde_json::Value| question(world.question(&mut Draw::new(1), tenant), more.clone());
    let feedback_of_none = json!({ "question": "Mend the printer", "outcome": "missing" });
    let plan_of_one = plan(&[draw.pick(&tenant.tools).as_str()]);
    let shown = world.question(draw, tenant);
    let form = [
        ("question", shown.as_str()),
        ("strict", if draw.chance(50) { "true" } else { "false" }),
        ("project", of.unwrap_or("")),
        ("acting_for", who.unwrap_or("")),
    ];
    let mut rows = vec![
        row("tools", Door::Api, get(with("/v1/tools", &query))),
        row(
            "tools, with definitions",
            Door::Api,
            get(with("/v1/tools", &[("format", Some("openai")), ("project", of), ("for", who)])),
        ),
        row("tools, by headers", Door::Api, by_header),
        row("export", Door::Api, post(with("/v1/export", &query), &json!({ "target": "mcp" }))),
        row("export, to a provider", Door::Api, post("/v1/export", &export)),
        row("route", Door::Api, post("/v1/route", &question(world.question(draw, tenant), json!({})))),
        row(
            "route, strictly",
            Door::Api,
            post("/route?format=openai", &question(world.question(draw, tenant), strict)),
        ),
        row("route, naming others", Door::Api, post("/v1/route", &question(format!("use {foreign} now"), json!({})))),
        // No project of the matrix has documents, and who may use something there hears the same as who may search none.
        Row {
            fine: &[403],
            ..row("knowledge", Door::Api, post("/v1/knowledge/search", &question("When?".to_owned(), json!({}))))
        },
        // A tool that is not offered to whoever asks is refused like one that nobody has.
        Row { fine: &[201, 400], ..row("feedback", Door::Api, post("/v1/feedback", &feedback(&used))) },
        Row { fine: &[400], ..row("feedback, of others", Door::Api, post("/v1/feedback", &feedback(&of_others))) },
        Row {
            fine: &[201],
            ..row("feedback, of no tool", Door::Api, post(with("/v1/feedback", &query), &feedback_of_none))
        },
        row("plan", Door::Api, post(with("/v1/plans/validate", &query), &drawn_plan(draw, world, tenant))),
        row("plan, of one", Door::Api, post(with("/v1/plans/validate", &query), &plan_of_one)),
        row("plan, no plan", Door::Api, post(with("/v1/plans/validate", &query), &json!({ "actions": "none" }))),
        Row { need: Need::SignedIn(None), ..row("frame", Door::Function, function("frame", &[])) },
        row("route, of the page", Door::Function, function("route", &form)),
    ];
    // Who names no project is told which there are.
    let told = if subject.named.is_some() { need.clone() } else { Need::SignedIn(None) };
    rows.push(Row { need: told, ..row("whoami", Door::Api, get(with("/v1/whoami", &query))) });
    if pages {
        let asked = [("q", Some(shown.as_str())), ("project", of), ("for", who)];
        rows.push(row("page of route", Door::Page, page(with("/route", &asked))));
    }
    rows
}

/// Keys that rows name.
pub(crate) struct Named<'a> {
    /// A key of the tenant that may be revoked again and again.
    pub(crate) spare: &'a str,
    /// The live snapshot.
    pub(crate) live: i64,
}

/// What whoever administers asks.
pub(crate) fn administering(tenant: &Tenant, named: &Named<'_>, pages: bool) -> Vec<Row> {
    let mut rows = api(tenant, named);
    rows.extend(functions(tenant, named));
    if pages {
        rows.extend(page_rows(tenant, named));
    }
    rows
}

fn api(tenant: &Tenant, named: &Named<'_>) -> Vec<Row> {
    let row = |name, need, fine, ask| Row { name, door: Door::Api, need, fine, ask };
    let somewhere = Need::Somewhere;
    let key = json!({ "name": format!("made by {}", tenant.token), "principal": tenant.user("mia") });
    let project = tenant.projects.first().expect("a tenant has a project");
    let (lea, bot) = (tenant.user("lea"), tenant.agent());
    let (lea, bot, in_first) = (Some(lea.as_str()), Some(bot.as_str()), Some(project.id.as_str()));
    let own = tenant.tools.first().map(String::as_str);
    let other = tenant.tools.last().map(String::as_str);
    let scoped = json!({
        "name": format!("made by {}", tenant.token), "principal": tenant.user("mia"), "project": project.id,
        "tools": [format!("{}/*", tenant.catalog())], "expires_in": "1d",
    });
    let blocked = tenant.tools.last().expect("a tenant has a tool");
    let block = json!({ "tool": blocked, "reason": "the matrix", "until": "1d" });
    let unblock = json!({ "tool": blocked, "reason": "the matrix" });
    vec![
        row("intake", somewhere(ReadIntake), OK, get("/v1/intake")),
        row("intake, of an old snapshot", somewhere(ReadIntake), OK, get("/v1/intake?snapshot=1")),
        row(
            "intake, try",
            somewhere(ReadIntake),
            &[200, 400, 503],
            post("/v1/intake/try", &json!({ "tool": own, "description": "Lists what is asked for" })),
        ),
        row("cards", somewhere(ReadSnapshot), OK, get("/v1/cards")),
        row("cards, searched", somewhere(ReadSnapshot), OK, get("/v1/cards?q=list&page=2")),
        // A tool that intake refused has no card.
        row("card", somewhere(ReadSnapshot), &[200, 400], get(with("/v1/cards/show", &[("tool", own)]))),
        row(
            "clash",
            somewhere(ReadIntake),
            &[200, 400],
            get(with("/v1/clashes/show", &[("tool", own), ("rival", other)])),
        ),
        row("snapshots", somewhere(ReadSnapshot), OK, get("/v1/snapshots")),
        row("snapshot, live", somewhere(ReadSnapshot), OK, get("/v1/snapshots/live")),
        row("snapshot, old", somewhere(ReadSnapshot), OK, get("/v1/snapshots/1")),
        row("snapshot, none", somewhere(ReadSnapshot), &[404], get("/v1/snapshots/9999")),
        row("principals", somewhere(ReadSnapshot), OK, get("/v1/principals")),
        row("policies", somewhere(ReadSnapshot), OK, get("/v1/policies")),
        // Somebody may use nothing there, or not act for the other.
        row("view", somewhere(ReadSnapshot), MAY, get(with("/v1/view", &[("as", lea), ("project", in_first)]))),
        row(
            "view, for another",
            somewhere(ReadSnapshot),
            MAY,
            get(with("/v1/view", &[("as", bot), ("for", lea), ("project", in_first)])),
        ),
        row(
            "why",
            somewhere(ReadSnapshot),
            OK,
            get(with("/v1/why", &[("as", lea), ("project", in_first), ("tool", own)])),
        ),
        row(
            "why, of another action, for another",
            somewhere(ReadSnapshot),
            OK,
            get(with(
                "/v1/why",
                &[("as", bot), ("for", lea), ("project", in_first), ("tool", own), ("action", Some("route"))],
            )),
        ),
        row("diff", somewhere(ReadSnapshot), OK, get("/v1/snapshots/diff")),
        row("diff, of two", somewhere(ReadSnapshot), OK, get("/v1/snapshots/diff?from=1&to=2")),
        row("feedback", somewhere(ReadGaps), OK, get("/v1/feedback")),
        row(
            "feedback, of a project and a tool",
            somewhere(ReadGaps),
            OK,
            get(with("/v1/feedback", &[("project", in_first), ("tool", own), ("page", Some("2"))])),
        ),
        row("keys", somewhere(ManageKeys), OK, get("/v1/keys")),
        // Who manages the keys of one project makes none for all; and no key opens more than its maker's.
        row("keys, make", somewhere(ManageKeys), &[201, 403], post("/v1/keys", &key)),
        row("keys, make for a project", somewhere(ManageKeys), &[201, 403], post("/v1/keys", &scoped)),
        row(
            "keys, revoke",
            somewhere(ManageKeys),
            &[200, 404],
            post(format!("/v1/keys/{}/revoke", named.spare), &json!({})),
        ),
        row("audit", somewhere(ReadAudit), OK, get("/v1/audit")),
        row("audit, older", somewhere(ReadAudit), OK, get("/v1/audit?before=4&limit=2")),
        row("audit, verify", Need::Everywhere(ReadAudit), OK, get("/v1/audit/verify")),
        row("blocks", somewhere(ReadSnapshot), OK, get("/v1/blocks")),
        row("block", Need::Everywhere(Rollback), OK, post("/v1/blocks", &block)),
        row("unblock", Need::Everywhere(Rollback), OK, post("/v1/blocks/unblock", &unblock)),
        row(
            "roll back",
            Need::Everywhere(Rollback),
            OK,
            post("/v1/snapshots/1/rollback", &json!({ "reason": "the matrix", "accept_gains": true })),
        ),
    ]
}

fn functions(tenant: &Tenant, named: &Named<'_>) -> Vec<Row> {
    let row = |name, need, fine, ask| Row { name, door: Door::Function, need, fine, ask };
    let somewhere = Need::Somewhere;
    let holder = tenant.user("mia");
    let live = named.live.to_string();
    let new = [
        ("name", tenant.token.as_str()),
        ("principal", holder.as_str()),
        ("project", ""),
        ("tools", ""),
        ("expires", "1d"),
    ];
    let project = tenant.projects.first().expect("a tenant has a project");
    let tool = tenant.tools.first().expect("a tenant has a tool");
    let last = tenant.tools.last().expect("a tenant has a tool");
    let authority = |who: &'static str| [("acting_for", ""), ("action", ""), ("filter", who), ("page", "1")];
    let nothing_asked = [[("principal", ""), ("project", ""), ("tool", "")].as_slice(), &authority("")].concat();
    let asked = [("principal", holder.as_str()), ("project", project.id.as_str()), ("tool", tool.as_str())];
    let somebody = [asked.as_slice(), &authority("invoke")].concat();
    let back = [
        ("number", "1"),
        ("from", live.as_str()),
        ("reason", "the matrix"),
        ("confirm", "yes"),
        ("accept_gains", "true"),
    ];
    vec![
        row("overview", Need::SignedIn(Some(ReadSnapshot)), OK, function("overview", &[])),
        row(
            "intake, of the page",
            somewhere(ReadIntake),
            OK,
            function("intake", &[("catalog", ""), ("code", ""), ("acknowledged", "true"), ("by", "")]),
        ),
        row(
            "intake by tool, of the page",
            somewhere(ReadIntake),
            OK,
            function("intake", &[("catalog", ""), ("code", ""), ("acknowledged", "true"), ("by", "tool")]),
        ),
        row(
            "intake of a tool, of the page",
            somewhere(ReadIntake),
            &[200, 400],
            function("tool_intake", &[("tool", tool), ("description", "")]),
        ),
        row("clashes, of the page", somewhere(ReadIntake), OK, function("clashes", &[])),
        row(
            "clash, of the page",
            somewhere(ReadIntake),
            &[200, 400],
            function("clash", &[("tool", tool), ("rival", last)]),
        ),
        row(
            "tools, of the page",
            somewhere(ReadSnapshot),
            OK,
            function("tools", &[("words", "list"), ("catalog", ""), ("page", "1")]),
        ),
        row("card, of the page", somewhere(ReadSnapshot), &[200, 400], function("card", &[("tool", tool)])),
        row("authority, of the page", somewhere(ReadSnapshot), OK, function("authority", &nothing_asked)),
        row("authority, of somebody", somewhere(ReadSnapshot), OK, function("authority", &somebody)),
        row("snapshots, of the page", somewhere(ReadSnapshot), OK, function("snapshots", &[])),
        row("diff, of the page", somewhere(ReadSnapshot), OK, function("diff", &[("from", "1"), ("to", "2")])),
        row("preview of a rollback", somewhere(ReadSnapshot), OK, function("rollback_preview", &[("number", "1")])),
        row("roll back, of the page", Need::Everywhere(Rollback), LEADS_ON, function("rollback", &back)),
        row("keys, of the page", somewhere(ManageKeys), OK, function("keys", &[("state", "")])),
        row("key", somewhere(ManageKeys), &[200, 404], function("key", &[("id", named.spare)])),
        row("key, make", somewhere(ManageKeys), &[200, 403], function("create_key", &new)),
        row(
            "key, revoke",
            somewhere(ManageKeys),
            &[200, 302, 303, 404],
            function("revoke_key", &[("id", named.spare), ("confirm", "yes")]),
        ),
        row("audit, of the page", somewhere(ReadAudit), OK, function("audit", &[("verify", "false")])),
        row(
            "audit, verified on the page",
            somewhere(ReadAudit),
            &[200, 403],
            function("audit", &[("before", "3"), ("verify", "true")]),
        ),
    ]
}

fn page_rows(tenant: &Tenant, named: &Named<'_>) -> Vec<Row> {
    let row = |name, need, path: String| Row { name, door: Door::Page, need, fine: OK, ask: page(path) };
    let somewhere = Need::Somewhere;
    let (mia, tool) = (tenant.user("mia"), tenant.tools.first().map(String::as_str));
    let authority = with("/authority", &[("as", Some(mia.as_str())), ("tool", tool)]);
    vec![
        Row { fine: LEADS_ON, ..row("page of the overview", Need::SignedIn(Some(ReadSnapshot)), "/".to_owned()) },
        row("page of intake", somewhere(ReadIntake), "/intake".to_owned()),
        row("page of clashes", somewhere(ReadIntake), "/clashes".to_owned()),
        row("page of tools", somewhere(ReadSnapshot), "/tools?q=list".to_owned()),
        row("page of snapshots", somewhere(ReadSnapshot), "/snapshots".to_owned()),
        row("page of authority", somewhere(ReadSnapshot), authority),
        row("page of the diff", somewhere(ReadSnapshot), "/snapshots/diff?from=1&to=2".to_owned()),
        row("page of keys", somewhere(ManageKeys), "/keys".to_owned()),
        row("page of the audit", somewhere(ReadAudit), "/audit".to_owned()),
        Row {
            fine: &[200, 404],
            ..row("page of a revocation", somewhere(ManageKeys), format!("/keys/{}/revoke", named.spare))
        },
    ]
}

/// A key of another tenant, and one that is not there.
pub(crate) struct OtherKeys<'a> {
    pub(crate) theirs: &'a str,
    pub(crate) nobodys: &'a str,
}

/// Requests that name what another tenant has.
pub(crate) fn echoes(
    world: &World,
    (own, other): (&Tenant, &Tenant),
    keys: &OtherKeys<'_>,
    project: &str,
) -> Vec<Echo> {
    let mut echoes = Vec::new();
    let mut add = |name, door, unless, theirs: &str, nobodys: String, ask: &dyn Fn(&str) -> Ask| {
        let (theirs, nobodys) = ((theirs.to_owned(), ask(theirs)), (nobodys.clone(), ask(&nobodys)));
        echoes.push(Echo { name, door, unless, theirs, nobodys });
    };
    let their_project = &other.projects.first().expect("a tenant has a project").id;
    let user = other.user("ben@post.test");
    let tool = other.tools.first().expect("a tenant has a tool");
    let made_up = |name: &str| world.made_up(other, name);
    add("tools of their project", Door::Api, None, their_project, made_up(their_project), &|name| {
        get(with("/v1/tools", &[("project", Some(name))]))
    });
    add("tools for their user", Door::Api, None, &user, made_up(&user), &|name| {
        get(with("/v1/tools", &[("project", Some(project)), ("for", Some(name))]))
    });
    add("export of their project", Door::Api, None, their_project, made_up(their_project), &|name| {
        post("/v1/export", &json!({ "target": "anthropic", "project": name }))
    });
    add("route in their project", Door::Api, None, their_project, made_up(their_project), &|name| {
        post("/v1/route", &json!({ "question": "List all orders", "project": name }))
    });
    add("search in their project", Door::Api, None, their_project, made_up(their_project), &|name| {
        post("/v1/knowledge/search", &json!({ "question": "When is it open?", "project": name }))
    });
    add("feedback in their project", Door::Api, None, their_project, made_up(their_project), &|name| {
        post("/v1/feedback", &json!({ "question": "List all orders", "outcome": "missing", "project": name }))
    });
    add("feedback of their tool", Door::Api, None, tool, made_up(tool), &|name| {
        let body = json!({ "question": "List all orders", "outcome": "used", "tool": name, "project": project });
        post("/v1/feedback", &body)
    });
    add(
        "feedback that was given in their project",
        Door::Api,
        Some(ReadGaps),
        their_project,
        made_up(their_project),
        &|name| get(with("/v1/feedback", &[("project", Some(name))])),
    );
    add("plan with their tool", Door::Api, None, tool, made_up(tool), &|name| {
        post(with("/v1/plans/validate", &[("project", Some(project))]), &plan(&[name]))
    });
    add("block their tool", Door::Api, Some(Rollback), tool, made_up(tool), &|name| {
        post("/v1/blocks", &json!({ "tool": name, "reason": "the matrix" }))
    });
    add("key for their user", Door::Api, Some(ManageKeys), &user, made_up(&user), &|name| {
        post("/v1/keys", &json!({ "name": "a key", "principal": name }))
    });
    add("revoke their key", Door::Api, Some(ManageKeys), keys.theirs, keys.nobodys.to_owned(), &|id| {
        post(format!("/v1/keys/{id}/revoke"), &json!({}))
    });
    add("look at their key", Door::Function, Some(ManageKeys), keys.theirs, keys.nobodys.to_owned(), &|id| {
        function("key", &[("id", id)])
    });
    add("route for their user", Door::Function, None, &user, made_up(&user), &|name| {
        function("route", &[("question", ""), ("strict", "false"), ("project", project), ("acting_for", name)])
    });
    let (own_user, own_tool) = (own.user("lea"), own.tools.first().expect("a tenant has a tool"));
    let of_own = with("/v1/why", &[("as", Some(&own_user)), ("project", Some(project))]);
    add("why with their tool", Door::Api, Some(ReadSnapshot), tool, made_up(tool), &|name| {
        get(format!("{of_own}&tool={}", encode(name)))
    });
    add("card of their tool", Door::Api, Some(ReadSnapshot), tool, made_up(tool), &|name| {
        get(with("/v1/cards/show", &[("tool", Some(name))]))
    });
    add("search for their tool", Door::Api, Some(ReadSnapshot), tool, made_up(tool), &|name| {
        get(with("/v1/cards", &[("q", Some(name))]))
    });
    add("clash with their tool", Door::Api, Some(ReadIntake), tool, made_up(tool), &|name| {
        get(with("/v1/clashes/show", &[("tool", Some(own_tool)), ("rival", Some(name))]))
    });
    add("try their tool", Door::Api, Some(ReadIntake), tool, made_up(tool), &|name| {
        post("/v1/intake/try", &json!({ "tool": name, "description": "Lists what is asked for" }))
    });
    add("intake of their tool", Door::Function, Some(ReadIntake), tool, made_up(tool), &|name| {
        function("tool_intake", &[("tool", name), ("description", "Lists what is asked for")])
    });
    add("why of their user", Door::Api, Some(ReadSnapshot), &user, made_up(&user), &|name| {
        get(with("/v1/why", &[("as", Some(name)), ("tool", Some(own_tool))]))
    });
    add("view of their user", Door::Api, Some(ReadSnapshot), &user, made_up(&user), &|name| {
        get(with("/v1/view", &[("as", Some(name))]))
    });
    add("view in their project", Door::Api, Some(ReadSnapshot), their_project, made_up(their_project), &|name| {
        get(with("/v1/view", &[("as", Some(&own_user)), ("project", Some(name))]))
    });
    add("authority of their user", Door::Function, Some(ReadSnapshot), &user, made_up(&user), &|name| {
        let asked = [("principal", name), ("acting_for", ""), ("project", project), ("tool", own_tool.as_str())];
        function("authority", &[asked.as_slice(), &[("action", ""), ("filter", ""), ("page", "1")]].concat())
    });
    let catalog = other.catalog();
    add("intake of their catalog", Door::Function, Some(ReadIntake), catalog, made_up(catalog), &|name| {
        function("intake", &[("catalog", name), ("code", ""), ("acknowledged", "true")])
    });
    echoes
}
