//! Secrets by reference: `ambit secrets` says where each is, and says no value.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use ambit_tests::Place;

const VALUE: &str = "s3cr3t-of-the-bank";

#[test]
fn each_secret_is_found_in_its_place_and_its_value_is_never_said() {
    let place = Place::with_cold_sample();
    place.edit(
        "policies/catalogs/billing.yaml",
        "since: 2026-01-10\n",
        "since: 2026-01-10\nsecrets: [password, token]\n",
    );
    let told = |code: i32, variable: &str| {
        let mut command = place.command(&["secrets", "--format", "json"]);
        let run = ambit_tests::Run::from(command.env(variable, VALUE).output().unwrap());
        assert_eq!(run.code, code, "{run:?}");
        assert!(!format!("{run:?}").contains(VALUE), "{run:?}");
        run.json().to_string()
    };
    assert!(told(1, "AMBIT_SECRET_ACME_BILLING_TOKEN").contains("environment"));
    assert!(!told(1, "AMBIT_SECRET_ACME_CRM_TOKEN").contains("environment"), "another catalog's is nothing to it");

    let file = ".ambit/secrets/acme/billing/password";
    place.write(file, format!("{VALUE}\n"));
    let mode = |mode| fs::set_permissions(place.path(file), Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    assert!(told(1, "AMBIT_SECRET_ACME_BILLING_TOKEN").contains("0644"), "a file that is open to others is refused");
    mode(0o600);
    let all = told(0, "AMBIT_SECRET_ACME_BILLING_TOKEN");
    assert!(all.contains("environment") && all.contains("file"), "{all}");
    let run = place.run(&["secrets"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("AMBIT_SECRET_ACME_BILLING_TOKEN"), "it says which variable is missing: {run:?}");
}
