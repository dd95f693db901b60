"""Text that looks like a secret: refused, or stored with a warning where a project says so."""

import pytest

from conderis.accounts.models import Person
from conderis.common.errors import Invalid
from items.requests import Address, DeletionCall
from privacy.models import DeletionRequest
from privacy.requesting import request_deletion
from projects.models import Project, SecretsPolicy
from tests.factories import agent_caller
from tests.items.calls import act, change, create, item_at

TOKEN = "ghp_" + "a1B2c3" * 6


@pytest.fixture
def warning(project: Project) -> Project:
    """The project, which only warns."""
    project.secrets_policy = SecretsPolicy.WARN
    project.save()
    return project


def test_a_project_that_warns_stores_the_text_and_names_kind_and_place(
    alice: Person, warning: Project
) -> None:
    robo = agent_caller(alice)

    answer = create(robo, warning, "page", title="Keys", content=f"first\nuse {TOKEN}")
    plain = create(robo, warning, "page", title="Plain", content="nothing here")

    (said,) = answer["warnings"]
    assert (
        "content holds what looks like a secret (GitHub token) at character 10, in line 2" in said
    )
    assert TOKEN not in said
    assert item_at(warning, 1).content.endswith(TOKEN)
    assert "warnings" not in plain


def test_changing_actions_and_deletion_requests_warn_too(alice: Person, warning: Project) -> None:
    robo = agent_caller(alice)
    create(robo, warning, "task", title="T")

    changed = change(robo, warning, 1, 1, reason=f"as {TOKEN}", content="new")
    blocked = act(robo, warning, 1, "block", 2, reason=f"waits for {TOKEN}")
    again = act(robo, warning, 1, "block", 3, reason=f"waits for {TOKEN}")
    locked = request_deletion(
        robo, DeletionCall(Address(warning.path, number=1), reason=f"holds {TOKEN}")
    )

    for answer in (changed, blocked, locked):
        assert answer["warnings"][0].startswith("reason holds what looks like a secret")
        assert TOKEN not in str(answer["warnings"])
    assert again["outcome"] == "unchanged"
    assert "warnings" not in again


def test_every_other_project_refuses_and_stores_nothing(alice: Person, project: Project) -> None:
    robo = agent_caller(alice)
    create(robo, project, "task", title="T")

    with pytest.raises(Invalid) as stored:
        create(robo, project, "page", title="Keys", content=TOKEN)
    with pytest.raises(Invalid) as acted:
        act(robo, project, 1, "block", 1, reason=TOKEN)
    with pytest.raises(Invalid) as asked:
        request_deletion(robo, DeletionCall(Address(project.path, number=1), reason=TOKEN))

    assert [each.value.as_answer()["field"] for each in (stored, acted, asked)] == [
        "content",
        "reason",
        "reason",
    ]
    assert TOKEN not in str([each.value.as_answer() for each in (stored, acted, asked)])
    assert item_at(project, 1).version == 1
    assert not DeletionRequest.objects.exists()


def test_personal_memories_are_refused_whatever_projects_say(
    alice: Person, warning: Project
) -> None:
    with pytest.raises(Invalid):
        create(agent_caller(alice), None, "memory", title="Mine", content=TOKEN)
