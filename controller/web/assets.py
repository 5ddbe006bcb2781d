"""The files of the pages, held in memory, under an address that changes with their contents.

Every file is served as `/static/<version>/…` and may be kept for ever; the page itself is asked for each time and names the
version. Modules import one another by relative paths, so the version reaches them without a build step.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from controller.resources import folder

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PART = re.compile(rb"\{\{(head|tables)\}\}")
"""In a page stands what is in the file of that name under `parts`."""
FOR_EVER = "public, max-age=31536000, immutable"


class Assets:
    """Pages and their files, read once from `place`. `version` is a hash over all of them."""

    def __init__(self, place: Path | None = None) -> None:
        place = place or folder("static")
        self._files = {
            path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*")) if path.suffix in KINDS
        }
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        self.version = digest.hexdigest()[:12]

    async def file(self, request: Request) -> Response:
        """One file, `{version}` and `{name}` from the path. A version that is no longer served is not found."""
        name = request.path_params["name"]
        content = self._files.get(name)
        if content is None or request.path_params["version"] != self.version or name.endswith(".html"):
            return PlainTextResponse("There is no such file here.\n", 404, headers={"cache-control": "no-store"})
        return Response(content, media_type=KINDS[Path(name).suffix], headers={"cache-control": FOR_EVER})

    def page(self, name: str) -> Response:
        """A page, with the parts that pages share and the version put in."""

        def part(found: re.Match[bytes]) -> bytes:
            return self._files[f"parts/{found[1].decode()}.html"].rstrip()

        content = PART.sub(part, self._files[name]).replace(b"{{version}}", self.version.encode())
        return Response(content, media_type=KINDS[".html"], headers={"cache-control": "no-cache"})
