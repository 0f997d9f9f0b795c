"""What `mdbook` runs on the pages (book.toml): on the site, a link to a file above this folder leads to the repository of Cargo.toml."""

import json
import pathlib
import re
import sys


def lead_outside(part, repository):
    for value in part.values() if isinstance(part, dict) else part:
        if isinstance(value, (dict, list)):
            lead_outside(value, repository)
    if isinstance(part, dict) and isinstance(part.get("content"), str):
        # As many steps up as it takes from the folder of the page to the one above docs/.
        above = "../" * len(pathlib.PurePath(part["path"]).parts)
        part["content"] = part["content"].replace(f"]({above}", f"]({repository}/blob/HEAD/")


if sys.argv[1:2] != ["supports"]:
    _, book = json.load(sys.stdin)
    manifest = pathlib.Path("../Cargo.toml").read_text()
    lead_outside(book, re.search(r'^repository = "(.*?)"', manifest, re.MULTILINE)[1])
    json.dump(book, sys.stdout)
