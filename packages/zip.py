#!/usr/bin/env python3
"""packages/zip.py FOLDER ZIP: packs a folder; the same files give the same bytes. All entries have the date SOURCE_DATE_EPOCH."""
import os
import stat
import sys
import time
import zipfile
from pathlib import Path

folder, target = Path(sys.argv[1]), sys.argv[2]
date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), date)
        entry.create_system = 3  # Unix: permissions and links are kept
        entry.compress_type = zipfile.ZIP_DEFLATED
        if path.is_symlink():
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, os.readlink(path))
        else:
            entry.external_attr = (stat.S_IFREG | (0o755 if os.access(path, os.X_OK) else 0o644)) << 16
            archive.writestr(entry, path.read_bytes())
