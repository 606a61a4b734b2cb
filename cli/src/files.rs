//! Reading and writing of files: whole, with a sentence when it fails, and never half-written.

use crate::failure::{Failure, Result};
use std::fs;
use std::io::Write;
use std::path::Path;

/// All bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let about = fs::metadata(path).map_err(|e| Failure::file(path, told("cannot be read", &e)))?;
    if about.is_dir() {
        return Err(Failure::file(path, "this is a folder; name a file in it"));
    }
    if !about.is_file() {
        return Err(Failure::file(path, "this is no plain file; copy what it gives into one"));
    }
    fs::read(path).map_err(|e| Failure::file(path, told("cannot be read", &e)))
}

/// Whether an output may be written where it should: not over one of the inputs, not over a folder. Asked before the work.
pub fn may_write(path: &Path, inputs: &[&Path]) -> Result<()> {
    if path.is_dir() {
        return Err(Failure::file(path, "this is a folder; name the file to write"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(Failure::file(path, format!("the folder {} does not exist; make it first", folder.display())));
    }
    let place = |p: &Path| fs::canonicalize(p).ok();
    if place(path).is_some_and(|target| inputs.iter().any(|input| place(input).as_ref() == Some(&target))) {
        return Err(Failure::usage(format!("{} is the input; it would be overwritten", path.display())));
    }
    Ok(())
}

/// Writes a file: beside its place first, and then renamed, so that nobody ever sees a part of it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fail = |e: &std::io::Error| Failure::file(path, told("cannot be written", e));
    // Through a link to what it points at; a device (/dev/null) is written to and not replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if target.exists() && !target.is_file() {
        return fs::OpenOptions::new()
            .write(true)
            .open(&target)
            .and_then(|mut f| f.write_all(bytes))
            .map_err(|e| fail(&e));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fracas-");
    #[cfg(unix)]
    {
        // As for any new file: what the user's mask leaves.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(&target)).map_err(|e| fail(&e))?;
    file.write_all(bytes).and_then(|_| file.flush()).map_err(|e| fail(&e))?;
    file.persist(&target).map_err(|e| fail(&e.error))?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn told(what: &str, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file; is the path right?".into(),
        std::io::ErrorKind::PermissionDenied => format!("it {what}: no permission"),
        _ => format!("it {what}: {error}"),
    }
}
