//! `ambit fmt`: the sample is in order, files change in place and keep their mode, what cannot be read stays, `--check` only tells.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use ambit_tests::{Place, repository};

const UNTIDY: &str = "kind:   Tenant # who\nid:  a\nname: 'A'\n";
const TIDY: &str = "kind: Tenant # who\nid: a\nname: \"A\"\n";

#[test]
fn the_sample_is_in_order() {
    let policies = repository().join("policies");
    let run = Place::empty().run(&["fmt", "--diff", policies.to_str().unwrap()]);
    assert_eq!(run.code, 0, "run `ambit fmt`: {}", run.out);
}

#[test]
fn files_change_in_place_and_only_without_check() {
    let place = Place::empty();
    place.write("policies/sub/a.yaml", UNTIDY);
    place.write("policies/b.cedar", "permit(principal,action,resource);");
    place.write("policies/c.json", "{  }");
    place.write("policies/.hidden/d.yaml", UNTIDY);
    fs::set_permissions(place.path("policies/sub/a.yaml"), Permissions::from_mode(0o640)).unwrap();
    let read = |file: &str| fs::read_to_string(place.path(file)).unwrap();

    let run = place.run(&["fmt", "--check"]);
    assert_eq!(run.code, 1, "{run:?}");
    let expected = "policies/b.cedar\npolicies/sub/a.yaml\n\n2 files would change; `ambit fmt` writes them\n";
    assert_eq!(run.out, expected);
    let run = place.run(&["fmt", "--diff", "policies/sub"]);
    assert!(
        run.code == 1 && run.out.contains("+++ b/policies/sub/a.yaml\n@@ -1,3 +1,3 @@\n-kind:   Tenant"),
        "{run:?}"
    );
    assert_eq!(read("policies/sub/a.yaml"), UNTIDY);

    let run = place.run(&["fmt"]);
    assert_eq!((run.code, run.out.ends_with("2 files formatted\n")), (0, true), "{run:?}");
    assert_eq!(read("policies/sub/a.yaml"), TIDY);
    assert_eq!(read("policies/b.cedar"), "permit (principal, action, resource);\n");
    assert_eq!(read("policies/c.json"), "{  }");
    assert_eq!(read("policies/.hidden/d.yaml"), UNTIDY);
    let mode = fs::metadata(place.path("policies/sub/a.yaml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let run = place.run(&["fmt", "--check"]);
    assert_eq!((run.code, run.out.as_str()), (0, "2 files in order\n"), "{run:?}");
}

#[test]
fn what_cannot_be_read_stays_and_the_others_go_on() {
    let place = Place::empty();
    place.write("policies/a.yaml", UNTIDY);
    place.write("policies/b.yaml", "kind:   Tenant\nidd: x\n");
    place.write("policies/c.yaml", b"kind:   \xff");
    place.write("policies/d.cedar", "permit  (principal, action, resource)");
    let run = place.run(&["fmt", "policies", "none.yaml", "policies/a.yaml", "--format", "json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let report = run.json();
    let mut codes: Vec<&str> =
        report["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["E_CEDAR", "E_PATH", "E_UNKNOWN_KEY", "E_UNREADABLE"]);
    assert_eq!(report["changed"].as_array().unwrap().len(), 1, "a file that is named twice is one");
    assert_eq!(fs::read_to_string(place.path("policies/a.yaml")).unwrap(), TIDY);
    assert_eq!(fs::read_to_string(place.path("policies/b.yaml")).unwrap(), "kind:   Tenant\nidd: x\n");
    let run = place.run(&["fmt", "policies/c.json"]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn formatting_the_sample_changes_no_digest() {
    let place = Place::with_sample();
    let digest = || place.run(&["check", "--format", "json"]).json()["source_digest"].clone();
    let before = digest();
    place.edit("policies/acme.yaml", "roles: [support]", "roles: [ support ]   # a remark");
    assert_eq!(place.run(&["fmt"]).code, 0);
    assert_eq!(digest(), before);
}
