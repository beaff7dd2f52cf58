//! Checking again whenever the workspace changes.

use std::pin::pin;

use ambit_model::codes;
use ambit_service::{clock, watch};

use super::workspace::HowToCheck;
use super::{CLEAN, Desk, Said, print, text, workspace};
use crate::cli::arguments::Format;
use crate::http::told_to_stop;

/// Reports until it is told to stop, and ends with the exit code of the last report.
pub(super) async fn run(desk: &Desk, format: Format, strict: bool, no_retrieval: bool) -> anyhow::Result<Said> {
    let mut watch = watch::watch_workspace(&desk.caller, &desk.workspace, desk.data.data())?;
    let mut stop = pin!(told_to_stop());
    let mut code = CLEAN;
    loop {
        let checked = tokio::select! {
            checked = workspace::check(desk, HowToCheck { strict, no_retrieval, prove: false }, format) => checked,
            () = &mut stop => break,
        };
        let mut said = checked.unwrap_or_else(|error| failed(&error));
        said.text = text::check::watched(&clock::now(), &said.text);
        code = said.code;
        print::one_of_many(format, &said);
        watch.follow()?;
        tokio::select! {
            () = watch.changed() => {}
            () = &mut stop => break,
        }
    }
    Ok(Said { text: String::new(), json: serde_json::Value::Null, code })
}

/// A check that could not run is a report too: the next change may mend it.
fn failed(error: &anyhow::Error) -> Said {
    let known = error.downcast_ref::<ambit_service::Error>();
    let code = known.map_or(codes::E_INTERNAL, ambit_service::Error::code);
    print::failed(error, code, known.and_then(ambit_service::Error::help))
}
