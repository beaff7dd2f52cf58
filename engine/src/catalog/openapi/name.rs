//! The name of an operation without an `operationId`: its method and path, spelled so that both can be read back.
//! Names of tools hold letters, digits and `_ - . / :`; whatever else a path holds is written between colons.

/// `GET /pets/{id}` is `get/pets/:id:`. A colon of the path is doubled, any other sign is `:.` its code point in hex `:`, and a
/// parameter whose name is no plain word is `:..` its UTF-8 in hex `:`.
pub(super) fn of(method: &str, path: &str) -> String {
    let mut name = method.to_owned();
    let mut rest = path;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..).unwrap_or("");
        match after.split_once('}') {
            Some((inner, behind)) if character == '{' && !inner.is_empty() && !inner.contains('{') => {
                name.push_str(&parameter(inner));
                rest = behind;
            }
            _ => {
                push(&mut name, character);
                rest = after;
            }
        }
    }
    name
}

/// The names of the parameters of a path, in its order.
pub(super) fn parameters(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(inner, _)| inner).collect()
}

fn push(name: &mut String, character: char) {
    match character {
        ':' => name.push_str("::"),
        '_' | '-' | '.' | '/' => name.push(character),
        plain if plain.is_alphanumeric() => name.push(plain),
        other => name.push_str(&format!(":.{:x}:", u32::from(other))),
    }
}

fn parameter(inner: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if inner.chars().all(plain) && !inner.starts_with('.') {
        return format!(":{inner}:");
    }
    let hex: String = inner.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!(":..{hex}:")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads a name back.
    fn path_of(name: &str) -> Option<(String, String)> {
        let (method, mut rest) = name.split_at(name.find('/')?);
        let mut path = String::new();
        while let Some(character) = rest.chars().next() {
            rest = rest.get(character.len_utf8()..)?;
            if character != ':' {
                path.push(character);
            } else if let Some(after) = rest.strip_prefix(':') {
                path.push(':');
                rest = after;
            } else {
                let (inner, after) = rest.split_once(':')?;
                path.push_str(&inside(inner)?);
                rest = after;
            }
        }
        Some((method.to_owned(), path))
    }

    fn inside(inner: &str) -> Option<String> {
        if let Some(hex) = inner.strip_prefix("..") {
            let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
            let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
            return Some(format!("{{{}}}", String::from_utf8(bytes?).ok()?));
        }
        match inner.strip_prefix('.') {
            Some(hex) => Some(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?.to_string()),
            None => Some(format!("{{{inner}}}")),
        }
    }

    #[test]
    fn a_path_is_spelled_with_what_names_may_hold() {
        let check = |path: &str, expected: &str| assert_eq!(of("get", path), expected);
        check("/pets/{id}", "get/pets/:id:");
        check("/v1/users:batch", "get/v1/users::batch");
        check("/a/{x}{y}.json", "get/a/:x::y:.json");
        check("/odata/Orders({key})", "get/odata/Orders:.28::key::.29:");
        check("/{a b}", "get/:..612062:");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_name_is_read_back(path in "/([a-z:.{}$()_/ é-]|\\{[a-z. _]{1,3}\\}){0,12}") {
            prop_assert_eq!(path_of(&of("get", &path)), Some(("get".to_owned(), path)));
        }
    }
}
