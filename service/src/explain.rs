//! Finding the row of a code by what somebody typed. The table is everybody's, so nobody is asked who they are.

use ambit_engine::nearest::did_you_mean;
use ambit_model::codes::{self, CodeEntry};
use ambit_model::diagnostic::Diagnostic;

use crate::Error;

/// The code that is meant, in capitals or not.
pub fn find_code(written: &str) -> Result<&'static CodeEntry, Error> {
    codes::find(&written.trim().to_uppercase()).ok_or_else(|| {
        let known = codes::TABLE.iter().map(|entry| entry.code);
        let help = did_you_mean(written, known).unwrap_or_else(|| "`ambit explain` lists all codes".to_owned());
        Error::Request(Box::new(
            Diagnostic::error(codes::E_REQUEST, format!("no code is named `{written}`")).help(help),
        ))
    })
}
