"""Metadata that hatchling asks for at each build: the project's addresses, and the README as PyPI shows it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ADDRESSES = {
    "Documentation": "/blob/v{version}/docs/index.md",
    "Changelog": "/blob/v{version}/CHANGELOG.md",
    "Issues": "/issues",
    "Source": "",
}
# A block of code, or a link or an image whose target is neither an address nor a heading of the page.
_BLOCK_OR_LINK = re.compile(
    r"^```.*?^```$|(?P<image>!?)\[(?P<text>[^]]*)\]\((?!\w+:|#)(?P<target>[^)\s]+)\)", re.DOTALL | re.MULTILINE
)


class CustomMetadataHook(MetadataHookInterface):
    """Adds what depends on `repository`, which pyproject.toml sets."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme` and `urls`."""
        repository, version = self.config["repository"], metadata["version"]
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_absolute_links(text, repository, version)}
        metadata["urls"] = urls(repository, version)


def urls(repository: str, version: str) -> dict[str, str]:
    """Return the project's addresses; there are none without a repository."""
    return {name: repository + path.format(version=version) for name, path in ADDRESSES.items() if repository}


def with_absolute_links(text: str, repository: str, version: str) -> str:
    """Return a page whose links lead to files of this version in the repository; without one, links become text."""

    def replaced(found: re.Match[str]) -> str:
        image, label, target = found["image"], found["text"], found["target"]
        if target is None:
            return found[0]
        if not repository:
            return "" if image else label
        return f"{image}[{label}]({repository}/{'raw' if image else 'blob'}/v{version}/{target})"

    return _BLOCK_OR_LINK.sub(replaced, text)
