//! A world: tenants, projects, catalogs and policies, drawn by chance. Every name of a tenant holds its token, so that whatever
//! speaks of another tenant can be found in an answer.
//!
//! Each tenant's token is of two letters that no word in a name holds. So a name of another tenant and one that is made up are
//! equally unlike every name that a caller may know, and "did you mean" answers both alike.

use ambit_tests::draw::Draw;

/// The letters of each tenant's token.
const ALPHABETS: [&str; 3] = ["qz", "xj", "kv"];
/// Those of names that exist nowhere.
const NOWHERE: &str = "wy";
const TOKEN: usize = 12;

/// Things that tools are about.
const NOUNS: [&str; 16] = [
    "order", "refund", "parcel", "claim", "meeting", "contract", "lesson", "recipe", "garden", "loan", "hotel",
    "sensor", "machine", "student", "patient", "auction",
];
/// A word of a tool's name, its operation, its effect, and how its description begins.
const VERBS: [(&str, &str, &str, &str); 8] = [
    ("list", "list", "read", "Lists every"),
    ("find", "search", "read", "Searches by number or part of a name for the"),
    ("open", "detail", "read", "Opens the whole file of one"),
    ("count", "count", "read", "Counts, for a day or a month, each"),
    ("create", "create", "write", "Files and stores a new"),
    ("change", "update", "write", "Corrects what is written down of a"),
    ("send", "send", "write", "Posts to its recipient a copy of the"),
    ("delete", "delete", "destructive", "Erases for good one"),
];
const RISKS: [&str; 6] = ["low", "low", "low", "medium", "high", "critical"];

/// A world, as it is declared.
pub(crate) struct World {
    /// How to make it again, for messages.
    pub(crate) label: String,
    pub(crate) tenants: Vec<Tenant>,
    /// A token of no tenant, as long as theirs.
    pub(crate) nowhere: String,
    workspace: String,
    catalogs: Vec<Catalog>,
    policies: Vec<Policy>,
}

/// One tenant; its id is its token.
pub(crate) struct Tenant {
    pub(crate) token: String,
    /// `token/project`.
    pub(crate) projects: Vec<Project>,
    /// Canonical ids, without those of shared catalogs; those that are offered from the first version on.
    pub(crate) tools: Vec<String>,
    catalogs: Vec<String>,
    /// A permit is for everybody in it.
    wide: bool,
}

pub(crate) struct Project {
    pub(crate) id: String,
    catalogs: Vec<String>,
    ceiling: &'static str,
}

struct Catalog {
    id: String,
    tenant: Option<String>,
    tools: Vec<Tool>,
}

struct Tool {
    name: String,
    verb: &'static (&'static str, &'static str, &'static str, &'static str),
    noun: &'static str,
    risk: &'static str,
    confirmation: bool,
    example: bool,
    /// Only the second version of the world has it.
    later: bool,
}

struct Policy {
    text: String,
    later: bool,
}

impl Tenant {
    pub(crate) fn user(&self, name: &str) -> String {
        format!("{0}:user:{0}-{name}", self.token)
    }

    pub(crate) fn agent(&self) -> String {
        format!("{0}:agent:{0}-bot", self.token)
    }

    pub(crate) fn role(&self, name: &str) -> String {
        format!("{0}:role:{0}-{name}", self.token)
    }

    /// Everybody in it. No policy names the last one.
    pub(crate) fn principals(&self) -> [String; 6] {
        [
            self.user("lea"),
            self.user("ben@post.test"),
            self.user("mia"),
            self.agent(),
            self.role("member"),
            self.user("idle"),
        ]
    }

    pub(crate) fn catalog(&self) -> &str {
        self.catalogs.first().expect("a tenant has a catalog")
    }
}

impl World {
    /// World `number` of a seed.
    pub(crate) fn draw(seed: u64, number: usize, draw: &mut Draw) -> Self {
        let label = format!("AMBIT_MATRIX_SEED={seed}, world {number}");
        let mut world = Self {
            label,
            tenants: Vec::new(),
            nowhere: draw.text(NOWHERE, TOKEN),
            workspace: format!("matrix-{number}"),
            catalogs: Vec::new(),
            policies: Vec::new(),
        };
        for id in ["common-tools", "open-board"] {
            world.add_catalog(draw, id, None);
        }
        // Of three worlds in a row, one has two tenants.
        let tenants = if number.is_multiple_of(3) { 2 } else { 3 };
        for (place, alphabet) in ALPHABETS.iter().take(tenants).enumerate() {
            let token = draw.text(alphabet, TOKEN);
            // The first tenant always has somebody without rights.
            let wide = place > 0 && draw.chance(30);
            world.add_tenant(draw, token, wide);
        }
        world.add_shared_policies();
        for place in 0..tenants {
            world.add_policies(draw, place);
        }
        world
    }

    /// A name like this one that is nobody's.
    pub(crate) fn made_up(&self, tenant: &Tenant, name: &str) -> String {
        name.replace(&tenant.token, &self.nowhere)
    }

    /// A question that somebody of this tenant might ask.
    pub(crate) fn question(&self, draw: &mut Draw, tenant: &Tenant) -> String {
        let seen: Vec<&Tool> = self
            .catalogs
            .iter()
            .filter(|catalog| catalog.tenant.as_ref().is_none_or(|owner| *owner == tenant.token))
            .flat_map(|catalog| &catalog.tools)
            .collect();
        let (one, other) = (draw.pick(&seen).noun, draw.pick(&seen).noun);
        match draw.below(6) {
            0 => format!("Show the {one}s of last month, then send the {other} to finance"),
            1 => format!("Find the {one} for {} and open it", tenant.token),
            2 => format!("use {} to find the {one}", draw.pick(&tenant.tools)),
            3 => format!("List all {one}s and delete the {other} of yesterday"),
            4 => format!("How many {one}s were there? Create a new {other}."),
            _ => "Play some jazz in the background".to_owned(),
        }
    }

    fn add_catalog(&mut self, draw: &mut Draw, id: &str, tenant: Option<&str>) {
        let ending = tenant.map(|token| format!("_{token}")).unwrap_or_default();
        let mut tools: Vec<Tool> = Vec::new();
        let wanted = 4 + draw.below(3);
        while tools.len() < wanted {
            let (verb, noun) = (draw.pick(&VERBS), *draw.pick(&NOUNS));
            let name = format!("{}_{noun}{ending}", verb.0);
            if tools.iter().any(|tool| tool.name == name) {
                continue;
            }
            tools.push(Tool {
                name,
                verb,
                noun,
                risk: draw.word(&RISKS),
                confirmation: draw.chance(15),
                example: draw.chance(60),
                later: tools.len() > 2 && draw.chance(30),
            });
        }
        self.catalogs.push(Catalog { id: id.to_owned(), tenant: tenant.map(str::to_owned), tools });
    }

    fn add_tenant(&mut self, draw: &mut Draw, token: String, wide: bool) {
        let mut catalogs = vec![format!("{token}-store")];
        if draw.chance(50) {
            catalogs.push(format!("{token}-mart"));
        }
        for id in &catalogs {
            self.add_catalog(draw, id, Some(&token));
        }
        let own = |catalog: &&Catalog| catalog.tenant.as_ref() == Some(&token);
        let tools = self.catalogs.iter().filter(own).flat_map(|catalog| {
            catalog.tools.iter().filter(|tool| !tool.later).map(move |tool| format!("{}/{}", catalog.id, tool.name))
        });
        let tools = tools.collect();
        let mut projects = Vec::new();
        for name in ["main", "side"].iter().take(1 + draw.below(2)) {
            let mut listed: Vec<String> = catalogs.iter().filter(|_| draw.chance(85)).cloned().collect();
            let shared = ["common-tools", "open-board"].into_iter().filter(|_| draw.chance(65)).map(str::to_owned);
            listed.extend(shared.collect::<Vec<_>>());
            let ceiling = *draw.pick(&["read_only", "confirm_writes", "open"]);
            projects.push(Project { id: format!("{token}/{token}-{name}"), catalogs: listed, ceiling });
        }
        self.tenants.push(Tenant { token, projects, tools, catalogs, wide });
    }

    fn add_policy(&mut self, id: &str, later: bool, statement: &str) {
        let text = format!("@id(\"{id}\")\n@reason(\"why there is {id}\")\n{statement}\n\n");
        self.policies.push(Policy { text, later });
    }

    fn add_shared_policies(&mut self) {
        let critical = "forbid (principal is Ambit::Agent, action in Ambit::Action::\"use\", resource)\n\
                        when { resource.risk == Ambit::Risk::\"critical\" };";
        self.add_policy("common-critical-needs-a-person", false, critical);
        // So the second version of a world always differs from the first.
        let confirmed = "forbid (principal is Ambit::Agent, action == Ambit::Action::\"invoke\", resource)\n\
                         when { resource.confirmation };";
        self.add_policy("common-agents-confirm-nothing", true, confirmed);
    }

    fn add_policies(&mut self, draw: &mut Draw, place: usize) {
        let tenant = self.tenants.get(place).expect("a tenant");
        let mut statements = vec![first_permit(tenant)];
        statements.extend((0..2 + draw.below(4)).map(|_| use_policy(draw, tenant)));
        statements.extend((0..1 + draw.below(3)).map(|_| administration(draw, tenant)));
        if draw.chance(20) {
            statements.push(above_all(draw, tenant, &self.workspace));
        }
        statements.extend((0..1 + draw.below(2)).map(|_| acting(draw, tenant)));
        if tenant.wide {
            let everybody = format!("principal in Ambit::Tenant::\"{}\"", tenant.token);
            let shared = *draw.pick(&["common-tools", "open-board"]);
            let action = "action in Ambit::Action::\"use\"";
            statements.push(format!("permit ({everybody}, {action}, resource in Ambit::Catalog::\"{shared}\");"));
        }
        let token = tenant.token.clone();
        for (number, statement) in statements.into_iter().enumerate() {
            let later = number > 1 && draw.chance(20);
            self.add_policy(&format!("{token}-p{number}"), later, &statement);
        }
    }
}

/// In every tenant somebody may use something.
fn first_permit(tenant: &Tenant) -> String {
    format!(
        "permit (principal in Ambit::Role::\"{}\", action in Ambit::Action::\"use\", resource in Ambit::Catalog::\"{}\")\n\
         unless {{ resource.risk == Ambit::Risk::\"critical\" }};",
        tenant.role("member"),
        tenant.catalog()
    )
}

/// Whom a policy is for; always somebody of the tenant, and never the idle one.
fn holder(draw: &mut Draw, tenant: &Tenant) -> String {
    match draw.below(5) {
        0 => format!("principal in Ambit::Role::\"{}\"", tenant.role("member")),
        1 => format!("principal in Ambit::Role::\"{}\"", tenant.role("lead")),
        2 => format!("principal == Ambit::User::\"{}\"", tenant.user("ben@post.test")),
        3 => format!("principal == Ambit::User::\"{}\"", tenant.user("lea")),
        _ => format!("principal == Ambit::Agent::\"{}\"", tenant.agent()),
    }
}

fn use_policy(draw: &mut Draw, tenant: &Tenant) -> String {
    let effect = if draw.chance(25) { "forbid" } else { "permit" };
    let holder = holder(draw, tenant);
    let action = *draw.pick(&[
        "action in Ambit::Action::\"use\"",
        "action in Ambit::Action::\"use\"",
        "action == Ambit::Action::\"discover\"",
        "action in [Ambit::Action::\"discover\", Ambit::Action::\"route\"]",
        "action == Ambit::Action::\"invoke\"",
    ]);
    let resource = match draw.below(6) {
        0 => "resource".to_owned(),
        1 => format!("resource in Ambit::Catalog::\"{}\"", draw.pick(&tenant.catalogs)),
        2 => format!("resource in Ambit::Catalog::\"{}\"", draw.pick(&["common-tools", "open-board"])),
        3 => format!("resource in Ambit::Group::\"{}-group\"", tenant.token),
        4 => "resource in Ambit::Group::\"common-group\"".to_owned(),
        _ => format!("resource == Ambit::Tool::\"{}\"", draw.pick(&tenant.tools)),
    };
    let condition = match draw.below(5) {
        0 => " when { resource.effect == Ambit::Effect::\"read\" }".to_owned(),
        1 => " unless { resource.risk == Ambit::Risk::\"high\" }".to_owned(),
        2 => format!(
            " when {{ context.project == Ambit::Project::\"{}\" }}",
            tenant.projects.first().expect("a tenant has a project").id
        ),
        _ => String::new(),
    };
    format!("{effect} ({holder}, {action}, {resource}){condition};")
}

fn administration(draw: &mut Draw, tenant: &Tenant) -> String {
    let holder = holder(draw, tenant);
    let project = &draw.pick(&tenant.projects).id;
    let action = |word: &str| format!("action == Ambit::Action::\"{word}\"");
    let (action, resource) = match draw.below(8) {
        0 => (
            "action in Ambit::Action::\"administer\"".to_owned(),
            format!("resource == Ambit::Tenant::\"{}\"", tenant.token),
        ),
        1 => (
            action(draw.word(&["read_intake", "read_audit", "manage_keys", "read_gaps"])),
            format!("resource == Ambit::Project::\"{project}\""),
        ),
        2 => (action("read_intake"), format!("resource == Ambit::Catalog::\"{}\"", draw.pick(&tenant.catalogs))),
        3 => (action("read_intake"), "resource == Ambit::Catalog::\"common-tools\"".to_owned()),
        4 => (action("read_intake"), format!("resource in Ambit::Tenant::\"{}\"", tenant.token)),
        _ => (
            action(draw.word(&[
                "read_intake",
                "read_audit",
                "manage_keys",
                "read_snapshot",
                "read_snapshot",
                "read_gaps",
            ])),
            format!("resource == Ambit::Tenant::\"{}\"", tenant.token),
        ),
    };
    // A forbid of one tenant's parts, whoever asks, is nothing to the others.
    match draw.below(12) {
        0 => format!("forbid ({holder}, {action}, {resource});"),
        // On what is shared it would be everybody's policy, and decisions name the policies that made them.
        1 if !resource.contains("common-tools") => format!("forbid (principal, {action}, {resource});"),
        _ => format!("permit ({holder}, {action}, {resource});"),
    }
}

/// Rarely somebody stands above all tenants.
fn above_all(draw: &mut Draw, tenant: &Tenant, workspace: &str) -> String {
    let holder = holder(draw, tenant);
    let action = *draw.pick(&[
        "action in Ambit::Action::\"administer\"",
        "action == Ambit::Action::\"rollback\"",
        "action == Ambit::Action::\"read_snapshot\"",
        "action == Ambit::Action::\"read_audit\"",
    ]);
    format!("permit ({holder}, {action}, resource == Ambit::Workspace::\"{workspace}\");")
}

fn acting(draw: &mut Draw, tenant: &Tenant) -> String {
    let holder = match draw.below(3) {
        0 => holder(draw, tenant),
        _ => format!("principal == Ambit::Agent::\"{}\"", tenant.agent()),
    };
    let resource = match draw.below(2) {
        0 => format!("resource in Ambit::Role::\"{}\"", tenant.role("member")),
        _ => format!("resource == Ambit::User::\"{}\"", tenant.user("ben@post.test")),
    };
    format!("permit ({holder}, action == Ambit::Action::\"act_for\", {resource});")
}

/// The files of a world: path and text.
pub(crate) fn files(world: &World, second: bool) -> Vec<(String, String)> {
    let mut yaml = format!("kind: Workspace\nname: {}\n", world.workspace);
    let mut files = Vec::new();
    for tenant in &world.tenants {
        yaml.push_str(&tenant_document(tenant));
    }
    for catalog in &world.catalogs {
        let tools: Vec<&Tool> = catalog.tools.iter().filter(|tool| second || !tool.later).collect();
        yaml.push_str(&catalog_document(catalog, &tools));
        files.push((format!("{}.json", catalog.id), catalog_file(catalog, &tools)));
    }
    let own = |tenant: &Tenant| tenant.tools.iter().step_by(2).map(|tool| quoted(tool)).collect::<Vec<_>>().join(", ");
    for tenant in &world.tenants {
        let (token, members) = (&tenant.token, own(tenant));
        yaml.push_str(&format!(
            "---\nkind: Group\nid: {token}-group\ntitle: Work of {token}\ndescription: What {token} does every day.\n\
             members: [{members}]\n"
        ));
    }
    let everybody: Vec<String> = world.tenants.iter().map(own).collect();
    yaml.push_str(&format!(
        "---\nkind: Group\nid: common-group\ntitle: Everyday work\ndescription: What everybody does every day.\n\
         members: [\"common-tools/*\", {}]\n",
        everybody.join(", ")
    ));
    yaml.push_str(
        "---\nkind: Group\nid: board-group\ntitle: The board\ndescription: Tools of the open board.\nmembers: [\"open-board/*\"]\n",
    );
    files.push(("world.yaml".to_owned(), yaml));
    let policies = world.policies.iter().filter(|policy| second || !policy.later).map(|policy| policy.text.as_str());
    files.push(("world.cedar".to_owned(), policies.collect()));
    files
}

fn tenant_document(tenant: &Tenant) -> String {
    let token = &tenant.token;
    let mut text = format!(
        "---\nkind: Tenant\nid: {token}\nname: House {token}\nroles:\n  - id: {token}-member\n  - id: {token}-lead\n    \
         includes: [{token}-member]\nusers:\n  - id: {token}-lea\n    name: Lea {token}\n    roles: [{token}-lead]\n  - id: \
         \"{token}-ben@post.test\"\n    roles: [{token}-member]\n  - id: {token}-mia\n    roles: [{token}-member]\n  - id: \
         {token}-idle\nagents:\n  - id: {token}-bot\n    roles: [{token}-member]\n"
    );
    for project in &tenant.projects {
        let id = project.id.split_once('/').map_or("", |(_, id)| id);
        text.push_str(&format!(
            "---\nkind: Project\nid: {id}\ntenant: {token}\nname: Project {id}\ncatalogs: [{}]\nceiling: {}\n",
            project.catalogs.join(", "),
            project.ceiling
        ));
    }
    text
}

fn catalog_document(catalog: &Catalog, tools: &[&Tool]) -> String {
    let owner = catalog.tenant.as_ref().map(|tenant| format!("tenant: {tenant}\n")).unwrap_or_default();
    let mut text = format!("---\nkind: Catalog\nid: {0}\n{owner}file: {0}.json\ntools:\n", catalog.id);
    for tool in tools {
        let (word, operation, effect, _) = tool.verb;
        let Tool { name, noun, risk, confirmation, .. } = tool;
        let thing = format!("{noun}_id");
        let flow = match *word {
            "list" | "find" | "create" => format!("    produces: [{thing}]\n"),
            "open" | "change" | "send" | "delete" => format!("    requires: [{thing}]\n"),
            _ => String::new(),
        };
        text.push_str(&format!(
            "  {name}:\n    entity: {noun}\n    operation: {operation}\n    effect: {effect}\n    risk: {risk}\n    confirmation: \
             {confirmation}\n{flow}"
        ));
        if tool.example {
            let whose = catalog.tenant.as_ref().map(|token| format!(" for {token}")).unwrap_or_default();
            text.push_str(&format!(
                "    examples:\n      - {}\n      - {}\n",
                quoted(&format!("Please {word} the {noun}{whose}")),
                quoted(&format!("I want to {word} one {noun} of today{whose}"))
            ));
        }
    }
    text
}

/// What `tools/list` of an MCP server would say; a tenant's own catalogs also hold one tool that intake refuses.
fn catalog_file(catalog: &Catalog, tools: &[&Tool]) -> String {
    let whose = catalog.tenant.as_ref().map(|token| format!(" of house {token}")).unwrap_or_default();
    let mut listed: Vec<serde_json::Value> = tools
        .iter()
        .map(|tool| {
            let (word, _, _, begins) = tool.verb;
            let thing = format!("{}_id", tool.noun);
            let number = serde_json::json!({ "type": "string", "description": format!("Number of the {}", tool.noun) });
            let one = serde_json::json!({ "type": "object", "properties": { &thing: number }, "required": [&thing] });
            let input = match *word {
                "open" | "change" | "send" | "delete" => one.clone(),
                _ => serde_json::json!({ "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1 } } }),
            };
            let output = match *word {
                "list" | "find" => serde_json::json!({
                    "type": "object", "properties": { "items": { "type": "array", "items": one } }, "required": ["items"],
                }),
                _ => one,
            };
            serde_json::json!({
                "name": tool.name,
                "title": format!("{word} {}{whose}", tool.noun),
                "description": format!("{begins} {}{whose}, with its number and its date.", tool.noun),
                "inputSchema": input,
                "outputSchema": output,
            })
        })
        .collect();
    if let Some(token) = &catalog.tenant {
        listed.push(serde_json::json!({ "name": format!("broken_{token}"), "inputSchema": { "type": "object" } }));
    }
    serde_json::json!({ "tools": listed }).to_string()
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
