"""Migrations say what the models say, one after the other."""

from collections import Counter

import pytest
from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from tests.architecture.sources import PACKAGES

pytestmark = pytest.mark.no_database


def own_labels() -> set[str]:
    return {app.label for app in apps.get_app_configs() if app.name.partition(".")[0] in PACKAGES}


def test_no_model_has_changed_without_a_migration() -> None:
    loader = MigrationLoader(None)
    detector = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps))

    changes = detector.changes(graph=loader.graph)

    assert {label: [str(m.operations) for m in made] for label, made in changes.items()} == {}


def test_migrations_of_an_app_follow_one_another() -> None:
    loader = MigrationLoader(None)
    followed: Counter[tuple[str, str]] = Counter()
    for (label, name), migration in loader.disk_migrations.items():
        before = [parent for parent in migration.dependencies if parent[0] == label]
        assert len(before) <= 1, f"{label}.{name} comes after {before}"
        followed.update(before)

    forks = [step for step, times in followed.items() if step[0] in own_labels() and times > 1]

    assert forks == []
    assert all(len(loader.graph.leaf_nodes(label)) <= 1 for label in own_labels())


def test_migrations_are_numbered_in_their_order_without_gaps() -> None:
    loader = MigrationLoader(None)
    for label in own_labels():
        numbers = sorted(name[:4] for owner, name in loader.disk_migrations if owner == label)

        assert numbers == [f"{number:04d}" for number in range(1, len(numbers) + 1)], label
