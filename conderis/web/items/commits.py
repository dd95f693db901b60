"""Links to commits on the web pages of git hosts."""

import re
from typing import Final

_REPOSITORY = re.compile(r"(?P<host>[a-z0-9.-]+(?::[0-9]{1,5})?)(?P<path>(?:/[\w.~+-]+)+)")
# By a part of the host's name: what stands between the repository and the commit. GitHub,
# GitLab, Gitea, Forgejo, Bitbucket and sourcehut, each also under a host of one's own.
_PATTERNS: Final = {
    "github": "/commit/",
    "gitlab": "/-/commit/",
    "gitea": "/commit/",
    "forgejo": "/commit/",
    "codeberg": "/commit/",
    "bitbucket": "/commits/",
    "sr": "/commit/",  # git.sr.ht
}


def commit_url(repository: str, sha: str) -> str:
    """Where the host of a repository (`host/owner/name`) shows a commit; "" if not known."""
    found = _REPOSITORY.fullmatch(repository)
    if found is None:
        return ""
    labels = re.split(r"[.:-]", found["host"])
    between = next((_PATTERNS[label] for label in labels if label in _PATTERNS), None)
    return f"https://{repository}{between}{sha}" if between else ""
