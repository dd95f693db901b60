"""What happens to text that looks like a secret: the one place that knows the rule.

A project refuses it, or where its owner chose so stores it with a warning. Outside a
project it is always refused.
"""

from collections.abc import Iterable

from conderis.common.secrets import find_secret, refuse_secrets
from projects.models import Project, SecretsPolicy

Named = tuple[str, str]  # a field's name and a text of it


def screen_texts(project: Project | None, texts: Iterable[Named]) -> list[str]:
    """Warnings about the texts that look like secrets, where the project lets them through.

    A warning, as a refusal, names the field, the kind and the place, never the value.

    Raises:
        Invalid: one of them does, and the project refuses it.
    """
    warnings: list[str] = []
    for field, text in texts:
        if not _is_let_through(project):
            refuse_secrets(text, field=field)
            continue
        secret = find_secret(text)
        if secret is not None:
            warnings.append(
                f"{field} holds what looks like a secret ({secret.kind}) at character "
                f"{secret.start}, in line {secret.line}. It was stored, since this project "
                "only warns. If it is one, replace it, and ask for its version to be deleted."
            )
    return warnings


def _is_let_through(project: Project | None) -> bool:
    return project is not None and project.secrets_policy == SecretsPolicy.WARN
