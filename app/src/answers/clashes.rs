//! The Clashes page and a pair of tools.

use ambit_service::clashes::read_clash;
use ambit_service::intake::read_intake;

use super::{refuse, shown, signed_in};
use crate::pages::clashes::{list_content, pair_content};
use crate::parts::made::Made;
use crate::problem::Problem;

pub(crate) async fn clashes() -> Result<Made, Problem> {
    let (live, caller) = signed_in()?;
    let record = read_intake(&caller, &live, None).await.map_err(|e| refuse(&e))?;
    let kin = ambit_service::clashes::declared_kin(&caller, &live, &record).await.map_err(|e| refuse(&e))?;
    Ok(list_content(shown(&record)?, shown(&kin)?))
}

pub(crate) async fn clash(tool: String, rival: String) -> Result<Made, Problem> {
    let (live, caller) = signed_in()?;
    let details = read_clash(&caller, &live, &tool, &rival).await.map_err(|e| refuse(&e))?;
    Ok(pair_content(shown(&details)?))
}
