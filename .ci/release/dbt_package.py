"""Write the dbt package as a repository of its own, or as a tarball: `python3 .ci/release/dbt_package.py FOLDER`.

dbt's hub takes only repositories whose root is a package, but ours is in the folder `sql`.
"""

from __future__ import annotations

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = """# recall_duckdb for dbt

Ranking metrics as dbt macros and data tests: recall@k, ndcg, ap and others, equal to trec_eval. {source}

```yaml
packages:
  - git: URL of this repository
    revision: v{version}
```

Each release of recall_duckdb writes this repository. Please open issues and pull requests there, not here.
"""


def write_package(folder: Path, version: str, repository: str) -> None:
    """Replace what a folder holds, except `.git`, by the files that dbt reads, a README and the license."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_dir() and path.name != ".git":
            shutil.rmtree(path)
        elif path.name != ".git":
            path.unlink()
    shutil.copytree(ROOT / "sql" / "macros", folder / "macros")
    for path in (ROOT / "sql" / "dbt_project.yml", ROOT / "LICENSE", ROOT / "CHANGELOG.md"):
        shutil.copy(path, folder)
    guide = f"{repository}/blob/v{version}/docs/guide/dbt.md"
    source = f"[The guide]({guide}) explains them." if repository else ""
    (folder / "README.md").write_text(README.format(source=source, version=version), "utf-8")


def write_tarball(path: Path, version: str, repository: str) -> None:
    """Write the package as a tarball with one folder, as `tarball:` in `packages.yml` expects."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path, "w:gz") as archive:
        write_package(Path(folder), version, repository)
        archive.add(folder, f"recall_duckdb-{version}")


if __name__ == "__main__":
    from versions import repository, version

    write_package(Path(sys.argv[1]), version(), repository())
