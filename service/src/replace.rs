//! Files written as a whole: somebody who reads one meanwhile sees the old text or the new, never half of it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// The mode of a file that was not there; the umask takes from it.
const MODE: u32 = 0o666;

/// Puts `text` in the place of what the file holds, and keeps the file's mode. A link is followed.
pub(crate) fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    let there = path.canonicalize().ok();
    let target = there.as_deref().unwrap_or(path);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file =
        tempfile::Builder::new().prefix(".ambit-").permissions(fs::Permissions::from_mode(MODE)).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if there.is_some() {
        file.as_file().set_permissions(fs::metadata(target)?.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mode_and_link_stay_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        replace_file(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link.yaml");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        replace_file(&link, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
