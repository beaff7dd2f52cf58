//! From compiled WebAssembly to the files that a browser loads: wasm-bindgen's JavaScript, and each file compressed twice.
//! wasm-bindgen is a library here, so that one lock file keeps it at the version of the crate it works on.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

use super::NAME;
use super::inputs::files;
use crate::StepError;

/// Bytes of one file, as it is and compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) name: String,
    pub(super) raw: usize,
    pub(super) gzip: usize,
    pub(super) brotli: usize,
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, raw, gzip, brotli } = self;
        write!(f, "{name}: {raw} bytes, {gzip} with gzip, {brotli} with brotli")
    }
}

/// Writes `ambit.js` and `ambit_bg.wasm`: the names that Leptos' hydration script asks for.
pub(super) fn bind(wasm: &Path, folder: &Path) -> Result<(), StepError> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name(NAME).typescript(false).remove_name_section(true).remove_producers_section(true);
    let done = bindgen.web(true).and_then(|bindgen| bindgen.generate(folder));
    done.map_err(|cause| {
        StepError::new(
            format!("wasm-bindgen cannot make the JavaScript of `{}`: {cause:#}", wasm.display()),
            "see that `wasm-bindgen` and `wasm-bindgen-cli-support` are of one version in Cargo.lock",
        )
    })
}

/// Writes a `.br` and a `.gz` beside every file of the folder, as small as they get.
pub(super) fn compress(folder: &Path) -> Result<Vec<Sizes>, StepError> {
    let all = files(folder).map_err(|cause| unwritable(folder, &cause))?;
    all.iter().map(|file| compress_file(folder, file).map_err(|cause| unwritable(file, &cause))).collect()
}

fn compress_file(folder: &Path, file: &Path) -> io::Result<Sizes> {
    let content = fs::read(file)?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&content)?;
    let gzip = gzip.finish()?;
    let mut brotli = CompressorWriter::new(Vec::new(), 1 << 16, 11, 24);
    brotli.write_all(&content)?;
    let brotli = brotli.into_inner();
    for (ending, compressed) in [(".gz", &gzip), (".br", &brotli)] {
        let mut beside = file.as_os_str().to_owned();
        beside.push(ending);
        File::create(beside)?.write_all(compressed)?;
    }
    let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
    Ok(Sizes { name, raw: content.len(), gzip: gzip.len(), brotli: brotli.len() })
}

fn unwritable(path: &Path, cause: &io::Error) -> StepError {
    StepError::new(format!("cannot compress `{}`: {cause}", path.display()), "free some disk space and run it again")
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn both_compressed_files_hold_what_the_file_holds() {
        let folder = tempfile::tempdir().unwrap();
        let text = "export function hydrate() {}\n".repeat(100);
        fs::create_dir(folder.path().join("snippets")).unwrap();
        fs::write(folder.path().join("snippets/inline.js"), &text).unwrap();
        let sizes = compress(folder.path()).unwrap();

        let read = |ending: &str| fs::read(folder.path().join(format!("snippets/inline.js{ending}"))).unwrap();
        let (mut gzip, mut brotli) = (String::new(), String::new());
        flate2::read::GzDecoder::new(read(".gz").as_slice()).read_to_string(&mut gzip).unwrap();
        brotli::Decompressor::new(read(".br").as_slice(), 4096).read_to_string(&mut brotli).unwrap();
        assert_eq!((&gzip, &brotli), (&text, &text));
        let name = "snippets/inline.js".to_owned();
        let (gzip, brotli) = (read(".gz").len(), read(".br").len());
        assert_eq!(sizes, [Sizes { name, raw: text.len(), gzip, brotli }]);
    }
}
