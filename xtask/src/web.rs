//! The browser bundle: the pages' crate compiled to WebAssembly, with its JavaScript, each file also compressed.
//! INVARIANT: when this step ends, well or badly, no bundle stands that was made from other sources than those here. Pages work
//! without a bundle; with one of other sources they break.

use std::path::Path;
use std::time::Instant;

use crate::StepError;
use crate::workspace::Workspace;

mod inputs;
mod pack;
mod site;
mod toolchain;

use pack::Sizes;
use site::Site;
use toolchain::Toolchain;

/// What the file names of the bundle open with, and what the server gives Leptos as `output_name`.
const NAME: &str = "ambit";
/// Bytes of WebAssembly that a browser may have to load, compressed with brotli.
const LIMIT: usize = 600_000;

/// What becomes of the step on a machine that cannot compile WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Must,
    IfPossible,
}

/// Brings the bundle under the target folder up to date.
pub(crate) fn build(need: Need, say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    let workspace = Workspace::find()?;
    let site = Site::open(&workspace.site(), say)?;
    let done = match (find_toolchain(&workspace.root), need) {
        (Ok(toolchain), _) => bring(&workspace, &site, &toolchain, say),
        (Err(none), Need::Must) => Err(none),
        (Err(none), Need::IfPossible) => {
            say(&format!("{}\n  help: {}", none.message, none.help));
            say("going on without the browser bundle: pages work without it, only nothing moves in them");
            return site.clear();
        }
    };
    if done.is_err() {
        site.clear()?;
    }
    done
}

/// Which compiler `build` would use; the set-up script asks before it installs one.
pub(crate) fn look(say: &mut dyn FnMut(&str)) -> Result<(), StepError> {
    let toolchain = find_toolchain(&Workspace::find()?.root)?;
    say(&format!("the browser bundle is built with {toolchain}"));
    Ok(())
}

fn find_toolchain(root: &Path) -> Result<Toolchain, StepError> {
    toolchain::choose(&toolchain::Machine::this(root)).ok_or_else(|| {
        StepError::new(
            "this machine has no Rust compiler for WebAssembly (target `wasm32-unknown-unknown`)",
            "`rustup target add wasm32-unknown-unknown`, or on Debian `apt-get install rustc-web cargo-web rust-web-src lld-22`",
        )
    })
}

fn bring(
    workspace: &Workspace,
    site: &Site,
    toolchain: &Toolchain,
    say: &mut dyn FnMut(&str),
) -> Result<(), StepError> {
    let digest = inputs::digest(&workspace.root, &toolchain.identity()?)?;
    if site.made_from(&digest) {
        say(&format!("the browser bundle in {} is up to date", site.bundle().display()));
        return Ok(());
    }
    let begun = Instant::now();
    say(&format!("building the browser bundle with {toolchain} (some minutes the first time)"));
    let wasm = toolchain.compile(workspace)?;
    let staging = site.stage()?;
    pack::bind(&wasm, &staging)?;
    let sizes = pack::compress(&staging)?;
    for file in &sizes {
        say(&format!("  {file}"));
    }
    within_limit(&sizes)?;
    site.swap(&digest)?;
    say(&format!("the browser bundle is in {}, built in {} s", site.bundle().display(), begun.elapsed().as_secs()));
    Ok(())
}

fn within_limit(sizes: &[Sizes]) -> Result<(), StepError> {
    match sizes.iter().find(|file| file.name.ends_with(".wasm") && file.brotli > LIMIT) {
        None => Ok(()),
        Some(file) => Err(StepError::new(
            format!(
                "`{}` takes {} kB compressed with brotli, and {} kB is the limit",
                file.name,
                file.brotli.div_ceil(1000),
                LIMIT / 1000
            ),
            "see which new dependency the pages brought along (`cargo tree -p ambit-frontend --target wasm32-unknown-unknown`) \
             and leave its features off, or move the work to the server",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, brotli: usize, message: Option<&str>) {
        let sizes = [Sizes { name: name.to_owned(), raw: brotli * 3, gzip: brotli * 2, brotli }];
        assert_eq!(within_limit(&sizes).err().map(|error| error.message).as_deref(), message);
    }

    #[test]
    fn only_webassembly_over_the_limit_is_too_large() {
        check("ambit_bg.wasm", LIMIT, None);
        check("ambit.js", LIMIT + 1, None);
        let message = "`ambit_bg.wasm` takes 601 kB compressed with brotli, and 600 kB is the limit";
        check("ambit_bg.wasm", LIMIT + 1, Some(message));
    }
}
