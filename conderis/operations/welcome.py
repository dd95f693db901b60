"""What `serve` and `quickstart` print for people."""

from conderis.operations.addresses import (
    claude_line,
    client_snippet,
    manage_line,
    mcp_address,
)
from conderis.operations.quickstart import Quickstart


def greeting(base: str, port: int | None = None) -> str:
    """Where the server is, and how to get in."""
    return f"{_where(base)}\n\nHow to sign in and connect:\n  {manage_line('quickstart', port)}"


def welcome(made: Quickstart, *, command: str = "quickstart", port: int | None = None) -> str:
    """All that is needed to sign in and to connect; `command` is what prints it again."""
    mcp, key = made.mcp, made.made
    older = (
        [
            "",
            f"Made another key ({key.agent}, id {key.public_id}); an older one may still work:",
            f"  {manage_line('list_keys', port)}",
        ]
        if key.beside
        else []
    )
    return "\n".join(
        [
            _where(made.address),
            "",
            "Sign in, once within 15 minutes:",
            f"  {made.sign_in}",
            "",
            f"Your first project is {made.project}. Connect Claude Code to it:",
            f"  {claude_line(mcp, key.text)}",
            "",
            "Other clients:",
            *(f"  {line}" for line in client_snippet(mcp, key.text).splitlines()),
            *older,
            "",
            f"The key ({key.agent}) has the id {key.public_id}. To end it:",
            f"  {manage_line(f'revoke_key {key.public_id}', port)}",
            "",
            "This again, with a new sign-in link:",
            f"  {manage_line(command, port)}",
        ]
    )


def _where(base: str) -> str:
    return f"Conderis is at {base}, for agents at {mcp_address(base)}"
