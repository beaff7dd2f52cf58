//! Tables of broken documents: the code, the place to the character, the underlined text and the help.
//! `{kinds}` stands for the list of all kinds.

use super::problem::listed;
use super::rendered::{rendered, tree};
use super::*;

fn check(yaml: &str, expected: &str) {
    let (_, problems) = parse(&tree(&[("a.yaml", yaml)]));
    let kinds = listed(Kind::ALL.iter().map(|kind| kind.word()));
    assert_eq!(rendered(&problems), expected.replace("{kinds}", &kinds), "\n{yaml}");
}

#[test]
fn a_document_opens_with_a_known_kind() {
    check(
        "id: a\n",
        "a.yaml:1:1 E_KIND <id> the document opens with `id`, not with `kind` | put `kind:` first; the kinds are {kinds}",
    );
    check(
        "id: a\nkind: Tenant\n",
        "a.yaml:1:1 E_KIND <id> the document opens with `id`, not with `kind` | put `kind:` first; the kinds are {kinds}",
    );
    check("kind: Tennant\nid: a\n", "a.yaml:1:7 E_KIND <Tennant> no kind is named `Tennant` | did you mean `Tenant`?");
    check("kind: Widget\n", "a.yaml:1:7 E_KIND <Widget> no kind is named `Widget` | the kinds are {kinds}");
    check(
        "kind:\n",
        "a.yaml:1:1 E_VALUE <kind> expected a text, found nothing | write a value after the colon, or leave the key out where it is optional",
    );
    check(
        "kind: [Tenant]\n",
        "a.yaml:1:7 E_VALUE <[> expected a single value, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
    check(
        "- kind: Tenant\n",
        "a.yaml:1:1 E_KIND <- kind: Tenant> a document is a mapping that opens with `kind` | put `kind:` first; the kinds are {kinds}",
    );
    check(
        "hello\n",
        "a.yaml:1:1 E_KIND <hello> a document is a mapping that opens with `kind` | put `kind:` first; the kinds are {kinds}",
    );
    check(
        "{}\n",
        "a.yaml:1:1 E_KIND <{}> a document is a mapping that opens with `kind` | put `kind:` first; the kinds are {kinds}",
    );
    check(
        "[a]: b\n",
        "a.yaml:1:1 E_VALUE <[> expected a single value, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
}

#[test]
fn keys_are_known_distinct_and_complete() {
    check(
        "kind: Project\nid: a\ntenant: b\nname: c\nceilng: open\n",
        "a.yaml:5:1 E_UNKNOWN_KEY <ceilng> unknown key `ceilng` in `Project` | did you mean `ceiling`?",
    );
    check(
        "kind: Project\nid: a\ntenant: b\nname: c\ncolour: blue\n",
        "a.yaml:5:1 E_UNKNOWN_KEY <colour> unknown key `colour` in `Project` | the keys are `id`, `tenant`, `name`, `catalogs`, `ceiling`, `knowledge` and `llm`",
    );
    check(
        "kind: Workspace\nname: w\nthresholds:\n  flor: 0.1\n",
        "a.yaml:4:3 E_UNKNOWN_KEY <flor> unknown key `flor` in `thresholds` | did you mean `floor`?",
    );
    check(
        "kind: Workspace\nname: w\nthresholds: { flor: 0.1 }\n",
        "a.yaml:3:15 E_UNKNOWN_KEY <flor> unknown key `flor` in `thresholds` | did you mean `floor`?",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ntools:\n  get:\n    efect: read\n",
        "a.yaml:6:5 E_UNKNOWN_KEY <efect> unknown key `efect` in `tools` | did you mean `effect`?",
    );
    check(
        "kind: Tenant\nid: a\nid: b\nname: n\n",
        "a.yaml:3:1 E_DUPLICATE_KEY <id> the key `id` stands twice | keep one of the two\n  a.yaml:2:1 see <id> it stands here first",
    );
    check(
        "kind: Tenant\nid: a\nname: n\nkind: Tenant\n",
        "a.yaml:4:1 E_DUPLICATE_KEY <kind> the key `kind` stands twice | keep one of the two\n  a.yaml:1:1 see <kind> it stands here first",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ntools:\n  get: { effect: read }\n  # again\n  \"get\":\n    effect: write\n",
        "a.yaml:7:3 E_DUPLICATE_KEY <\"get\"> the key `get` stands twice | keep one of the two\n  a.yaml:5:3 see <get> it stands here first",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ntools:\n  get:\n    effect: read\n    entity: x\n    effect: write\n",
        "a.yaml:8:5 E_DUPLICATE_KEY <effect> the key `effect` stands twice | keep one of the two\n  a.yaml:6:5 see <effect> it stands here first",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ndefaults: { effect: read, risk: low, effect: write }\n",
        "a.yaml:4:38 E_DUPLICATE_KEY <effect> the key `effect` stands twice | keep one of the two\n  a.yaml:4:13 see <effect> it stands here first",
    );
    check(
        "kind: Tenant\nid: a\nname: n\nusers:\n  - id: u\n    roles: []\n    id: v\n",
        "a.yaml:7:5 E_DUPLICATE_KEY <id> the key `id` stands twice | keep one of the two\n  a.yaml:5:5 see <id> it stands here first",
    );
    check(
        "kind: Project\nid: a\n",
        "a.yaml:1:7 E_MISSING_KEY <Project> missing key `tenant` in `Project` | add `tenant: …`",
    );
    check(
        "kind: Tenant\nid: a\nname: n\nusers:\n  - roles: []\n",
        "a.yaml:5:5 E_MISSING_KEY <roles> missing key `id` in `users` | add `id: …`",
    );
    check(
        "kind: Tenant\nid: a\nname: n\nusers:\n  - id: x\n    roles: []\n  - {name: x}\n",
        "a.yaml:7:6 E_MISSING_KEY <name> missing key `id` in `users` | add `id: …`",
    );
    check("kind: Catalog\n", "a.yaml:1:7 E_MISSING_KEY <Catalog> missing key `id` in `Catalog` | add `id: …`");
    check(
        "kind: Tenant\nid: a\nname: n\nagents:\n  - id: x\n    name: y\n",
        "a.yaml:6:5 E_UNKNOWN_KEY <name> unknown key `name` in `agents` | the keys are `id` and `roles`",
    );
}

#[test]
fn values_have_the_shape_of_their_key() {
    check(
        "kind: Catalog\nid: c\nfile: f\ntools:\n  get: { confirmation: yes }\n",
        "a.yaml:5:24 E_VALUE <yes> expected a boolean in `tools`, found `yes` | write `true` or `false`",
    );
    check("kind: Catalog\nid: c\nfile: f\ntools:\n  get: { confirmation: \"true\" }\n", "");
    check(
        "kind: Project\nid: a\ntenant: b\nname: c\ncatalogs: billing\n",
        "a.yaml:5:11 E_VALUE <billing> expected a list in `catalogs`, found `billing` | write `[one, two]`, or one `- …` a line",
    );
    check(
        "kind: Project\nid: a\ntenant: b\nname: c\ncatalogs:\n",
        "a.yaml:5:1 E_VALUE <catalogs> expected a list in `catalogs`, found nothing | write `[one, two]`, or one `- …` a line",
    );
    check(
        "kind: Project\nid: a\ntenant: b\nname: c\ncatalogs:\n  - [x]\n",
        "a.yaml:6:5 E_VALUE <[> expected a single value in `catalogs`, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
    check(
        "kind: Project\nid: a\ntenant: b\nname: c\ncatalogs:\n  - x: y\n",
        "a.yaml:6:5 E_VALUE <x> expected a single value in `catalogs`, found a mapping | write one word or text, in quotes where it holds `: ` or `#`",
    );
    check(
        "kind: Project\nid:\ntenant: b\nname: c\n",
        "a.yaml:2:1 E_VALUE <id> expected a text in `id`, found nothing | write a value after the colon, or leave the key out where it is optional",
    );
    check(
        "kind: Project\nid: a\ntenant: b\nname:\n  - c\n",
        "a.yaml:5:3 E_VALUE <-> expected a single value in `name`, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
    check(
        "kind: Project\nid: ~\ntenant: b\nname: c\n",
        "a.yaml:2:5 E_VALUE <~> expected a text in `id`, found `~` | write a value after the colon, or leave the key out where it is optional",
    );
    check(
        "kind: VersionFamily\nid: f\ncurrent: two\nmembers: []\n",
        "a.yaml:3:10 E_VALUE <two> expected a whole number in `current`, found `two` | write digits alone, without quotes",
    );
    check(
        "kind: VersionFamily\nid: f\ncurrent: -1\nmembers: []\n",
        "a.yaml:3:10 E_VALUE <-1> expected a whole number in `current`, found `-1` | write digits alone, without quotes",
    );
    check(
        "kind: VersionFamily\nid: f\ncurrent: 1\nmembers: [ { tool: a/b, version: 1.5 } ]\n",
        "a.yaml:4:34 E_VALUE <1.5> expected a whole number in `members`, found `1.5` | write digits alone, without quotes",
    );
    check(
        "kind: Workspace\nname: w\nthresholds: 3\n",
        "a.yaml:3:13 E_VALUE <3> expected a mapping in `thresholds`, found `3` | write keys and values, `key: value`",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ntools: [a, b]\n",
        "a.yaml:4:8 E_VALUE <[> expected a mapping in `tools`, found a list | write keys and values, `key: value`",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ntools:\n  get:\n",
        "a.yaml:5:3 E_VALUE <get> expected a mapping in `tools`, found nothing | write keys and values, `key: value`",
    );
    check(
        "kind: Catalog\nid: c\nfile: f\ntools:\n  - a\n",
        "a.yaml:5:3 E_VALUE <-> expected a mapping in `tools`, found a list | write keys and values, `key: value`",
    );
    check(
        "kind: Policy\nid: p\ncedar: [a]\n",
        "a.yaml:3:8 E_VALUE <[> expected a single value in `cedar`, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
}

#[test]
fn syntax_errors_point_at_what_was_written() {
    check("kind: Tenant\nid: a\n\tname: x\n", "a.yaml:3:1 E_YAML <\t> a tab indents this line | indent with spaces");
    check(
        "kind: Tenant\nid: a\nusers:\n\t- id: x\n",
        "a.yaml:4:1 E_YAML <\t> a tab indents this line | indent with spaces",
    );
    check("kind: Tenant\nid: 'a\nname: x\n", "a.yaml:2:5 E_YAML <'a> not valid YAML: unclosed quote");
    check(
        "kind: Tenant\nid: a: b\n",
        "a.yaml:2:6 E_YAML <:> not valid YAML: mapping values are not allowed in this context",
    );
    check(
        "kind: Tenant\n  id: a\n",
        "a.yaml:1:7 E_YAML <Tenant> the lines below `kind` are indented more than `kind` itself | put every key of the document in the column of `kind`",
    );
    check("kind: Tenant\nid: @a\n", "a.yaml:2:5 E_YAML <@a> not valid YAML: unexpected character: `@'");
    check(
        "kind: Tenant\nid: a\nname: [\n",
        "a.yaml:3:7 E_VALUE <[> expected a single value in `name`, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
    check("kind: Project\ncatalogs: [a, b]]\n", "a.yaml:2:17 E_YAML <]> not valid YAML: misplaced bracket");
    check(
        "kind: Tenant\nid: \"\\q\"\n",
        "a.yaml:2:5 E_YAML <\"\\q\"> not valid YAML: while parsing a quoted scalar, found unknown escape character",
    );
    check("kind: Tenant\nid: %a\n", "a.yaml:2:5 E_YAML <%a> not valid YAML: unexpected character: `%'");
    check(
        "kind: Tenant\nid: a\nname: n\n...\nkind: Group\n",
        "a.yaml:5:1 E_YAML <kind:> another document begins here | part documents with a line `---`",
    );
    check("kind: Tenant\nid: a\nname: n\n]\n", "a.yaml:4:1 E_YAML <]> not valid YAML: misplaced bracket");
    check(
        "kind: Tenant\nid: &a x\nname: *a\n",
        "a.yaml:3:7 E_YAML <*a> aliases are not allowed here | write the value out; quote it where it begins with `*`",
    );
    check(
        "kind: Tenant\nid: *a\nname: x\n",
        "a.yaml:2:5 E_YAML <*a> aliases are not allowed here | write the value out; quote it where it begins with `*`",
    );
    check(
        "kind: Group\nid: g\ntitle: t\ndescription: d\nmembers: [*]\n",
        "a.yaml:5:11 E_YAML <*> aliases are not allowed here | write the value out; quote it where it begins with `*`",
    );
    check(
        "kind: Group\nid: g\ntitle: t\ndescription: d\nmembers: [*/x]\n",
        "a.yaml:5:11 E_YAML <*/x> aliases are not allowed here | write the value out; quote it where it begins with `*`",
    );
    check("<<: {kind: Tenant}\n", "a.yaml:1:1 E_YAML <<<> merge keys are not allowed | write the keys out");
    check("kind: Tenant\n<<: {id: a}\n", "a.yaml:2:1 E_YAML <<<> merge keys are not allowed | write the keys out");
    check(
        "kind: Tenant\nid: !x a\nname: n\n",
        "a.yaml:2:8 E_YAML <a> the tag `!x` is not allowed | write the value without a tag",
    );
    check(
        "kind: Tenant\nid: !!int a\nname: n\n",
        "a.yaml:2:11 E_YAML <a> this value's tag is not allowed | write the value without a tag",
    );
    check(
        "kind: Tenant\nid: a\n? [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n: x\n",
        "a.yaml:3:34 E_YAML <[> the document is nested deeper than 32 levels | no declaration needs more than eight",
    );
    check(
        "kind: Tenant\nid: a\nname: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n",
        "a.yaml:3:7 E_VALUE <[> expected a single value in `name`, found a list | write one word or text, in quotes where it holds `: ` or `#`",
    );
}

#[test]
fn places_hold_in_every_kind_of_file() {
    check(
        "\u{feff}kind: Tenant\nidd: a\n",
        "a.yaml:2:1 E_UNKNOWN_KEY <idd> unknown key `idd` in `Tenant` | did you mean `id`?",
    );
    check(
        "\u{feff}knd: Tenant\n",
        "a.yaml:1:1 E_KIND <knd> the document opens with `knd`, not with `kind` | put `kind:` first; the kinds are {kinds}",
    );
    check(
        "# c\r\nkind: Tenant\r\nid: a\r\nnaem: x\r\n",
        "a.yaml:4:1 E_UNKNOWN_KEY <naem> unknown key `naem` in `Tenant` | did you mean `name`?",
    );
    check(
        "kind: Tenant\r\nid:\r\nname: x\r\n",
        "a.yaml:2:1 E_VALUE <id> expected a text in `id`, found nothing | write a value after the colon, or leave the key out where it is optional",
    );
    check(
        "---\nkind: Tenant\nid: a\nname: é\n---\nkind: Tenant\nid: é\nname: ü\nusers: [{ id: ä, nme: ö }]\n",
        "a.yaml:9:18 E_UNKNOWN_KEY <nme> unknown key `nme` in `users` | did you mean `name`?",
    );
    check("%YAML 1.2\n---\nkind: Tenant\nid: a\nname: é\n", "");
    check(
        "%YAML 1.2\nkind: Tenant\nid: a\nname: é\n",
        "a.yaml:2:1 E_YAML <kind:> not valid YAML: did not find expected <document start>",
    );
    check(
        "kind: Tenant\nid: [\n---\nkind: Projct\n---\nkind: Group\nidd: x\n",
        "a.yaml:2:5 E_VALUE <[> expected a single value in `id`, found a list | write one word or text, in quotes where it holds `: ` or `#`\na.yaml:4:7 E_KIND <Projct> no kind is named `Projct` | did you mean `Project`?\na.yaml:7:1 E_UNKNOWN_KEY <idd> unknown key `idd` in `Group` | did you mean `id`?",
    );
    check("kind: Vocabulary\nlanguage: en\nverbs: { no: [off] }\nsynonyms: { y: [on, 010, 1.0] }\n", "");
}

#[test]
fn files_are_read_in_the_order_of_paths_and_only_below_the_folder() {
    let mut tree = tree(&[
        ("policies/b.yml", "kind: Tenant\nid: b\nname: B\n---\n# nothing\n---\nkind: Tenant\nid: c\nname: C\n"),
        ("policies/a.yaml", "kind: Tenant\nid: a\nname: A\n"),
        ("policies/p.cedar", "permit (principal, action, resource);\n"),
        ("policies/.hidden.yaml", "kind: ["),
        ("policies/.git/x.yaml", "kind: ["),
        ("policies/empty.yaml", ""),
        ("policies/notes.md", "# notes"),
        ("policies2/z.yaml", "kind: ["),
        ("catalogs/c.json", "[]"),
    ]);
    tree.folder = "policies".to_owned();
    let (written, problems) = parse(&tree);
    assert_eq!(rendered(&problems), "");
    let documents: Vec<_> = written.documents.iter().map(|d| (d.file.as_str(), d.lines_above)).collect();
    assert_eq!(documents, [("policies/a.yaml", 0), ("policies/b.yml", 0), ("policies/b.yml", 5)]);
    let policies: Vec<_> = written.policies.iter().map(|p| (p.file.as_str(), p.first_line, p.indent)).collect();
    assert_eq!(policies, [("policies/p.cedar", 1, 0)]);
}

#[test]
fn catalog_files_are_relative_to_the_root() {
    let mut tree = tree(&[(
        "policies/a.yaml",
        "kind: Catalog\nid: a\nfile: ../catalogs/a.json\n---\nkind: Catalog\nid: b\nfile: b.json\n---\nkind: Catalog\nid: c\nfile: ../../c.json\n",
    )]);
    tree.folder = "policies".to_owned();
    let files: Vec<String> = parse(&tree).0.catalog_files(&tree).into_keys().collect();
    assert_eq!(files, ["catalogs/a.json", "policies/b.json"]);
}

#[test]
fn what_a_broken_document_meant_to_be_is_remembered() {
    let (written, _) =
        parse(&tree(&[("a.yaml", "kind: Tenant\nid: [\n---\nkind: Projct\n---\nkind: Group\nidd: x\n---\nid: x\n")]));
    assert_eq!(written.broken.into_iter().collect::<Vec<_>>(), [Kind::Tenant, Kind::Project, Kind::Group]);
}
