"""Trello's boards (IMP-2): nothing is lost without a word."""

from typing import Any

import pytest

from exchange.importers.base import Options
from exchange.importers.trello import TRELLO
from exchange.records import Credit, Problem
from exchange.sources import source_of_bytes, source_of_path
from tests.exchange.importers.finding import (
    SAMPLES,
    Finds,
    found_in,
    json_file,
    shared_file,
    with_shared,
)


def card(key: str, **members: Any) -> dict[str, Any]:
    return {"id": key, "name": f"Card {key}", "desc": "", "idList": "l", "closed": False, **members}


def comment(key: str, of: str, **members: Any) -> dict[str, Any]:
    return {
        "id": key, "type": "commentCard", "date": "2026-04-02T08:00:00.000Z",
        "idMemberCreator": "m", "data": {"text": f"Text {key}", "card": {"id": of}}, **members,
    }  # fmt: skip


def board(*cards: Any, **members: Any) -> Finds:
    lists = [{"id": "l", "name": "To do", "closed": False}]
    return found_in(TRELLO, json_file({"lists": lists, "cards": list(cards), **members}))


@with_shared
def test_the_board_with_every_hazard_comes_whole() -> None:
    found = found_in(TRELLO, shared_file("trello-board-synthetic-edge.json"))

    cards = {each.fields["title"]: each for each in found.records.values()}
    assert cards["Archived card"].fields["status"] == "canceled"
    assert cards["Archived card"].fields["tags"] == ["archived"]
    assert cards["Card in an archived list"].fields["status"] == "canceled"
    assert cards["Due next day west of UTC"].fields["due"] == "2026-12-31"
    assert cards["Checklist card"].fields["tags"] == ["red", "Bug", "needs: review, please"]
    assert cards["Checklist card"].fields["status"] == "in_progress"
    assert [(cards[name].parent, cards[name].fields["status"]) for name in ("first", "second")] == [
        (cards["Checklist card"].key, "done"), (cards["Checklist card"].key, "open"),
    ]  # fmt: skip
    assert cards["second"].fields["due"] == "2026-06-01"
    assert found.order.index("ci1") < found.order.index("ci2")
    assert found.titles().count("Same name") == 2
    talk = found.content("c00000000000000000000009")
    assert talk.count("; with ; semicolons") == 60
    assert "**Unknown member, 2026-04-06 08:00 UTC**\n\ncomment 5; with ; semicolons" in talk
    assert list(found.left_out) == ["checklist (orphan)"]
    assert list(found.warned) == ["labels (Bug)"]


@with_shared
def test_a_real_board_is_read_without_its_addresses_of_mail() -> None:
    found = found_in(TRELLO, shared_file("trello-board-export.json"))

    assert found.titles() == ["Name Card 7"]
    assert found.records["hashcard7"].credit == Credit("John Doe")
    assert "boards.trello.com" not in found.content("hashcard7")
    assert not found.problems


def test_the_sample_board_is_read() -> None:
    found = found_in(TRELLO, source_of_path(SAMPLES / "trello.json"))

    assert found.titles() == ["Pay by card", "Ask the bank", "Sign", "Old idea"]
    assert found.left_out == {}


def test_archived_cards_are_done_where_they_were_complete() -> None:
    lists = [{"id": "l", "name": "Done"}, {"id": "a", "name": "Ideas", "closed": True}]
    found = board(
        card("1", closed=True, dueComplete=True, idList="a"),
        card("2", closed=True, idList="a"),
        card("3", idList="a"),
        card("4", closed=True),
        lists=lists,
    )

    statuses = [record.fields["status"] for record in found.records.values()]
    assert statuses == ["done", "canceled", "canceled", "done"]
    assert all("archived" in record.fields["tags"] for record in found.records.values())


def test_the_list_says_the_status_and_one_that_is_not_known_becomes_a_tag() -> None:
    names = {"In Progress 🚧": "in_progress", "Blocked": "blocked", "DONE": "done", "Ideas": "open"}
    lists = [{"id": name, "name": name} for name in names]
    found = board(*(card(name, idList=name) for name in names), lists=lists)

    assert {key: each.fields["status"] for key, each in found.records.items()} == names
    assert found.records["Blocked"].fields["blockedReason"] == "In the list Blocked on Trello."
    assert found.records["Ideas"].fields["tags"] == ["Ideas"]
    assert "- List: In Progress 🚧" in found.content("In Progress 🚧")


def test_comments_come_oldest_first_by_name_and_those_of_other_cards_are_counted() -> None:
    found = board(
        card("1"),
        actions=[
            comment("b", "1", date="2026-04-03T08:00:00.000Z", memberCreator={"fullName": "Ann"}),
            comment("a", "1", idMemberCreator="gone"),
            comment("c", "elsewhere"),
            comment("d", "1", data={"text": " ", "card": {"id": "1"}}),
            {"memberCreator": {"fullName": "Gone One"}, "idMemberCreator": "gone"},
        ],
    )  # fmt: skip

    assert found.content("1").endswith(
        "## Comments\n\n**Gone One, 2026-04-02 08:00 UTC**\n\nText a\n\n"
        "**Ann, 2026-04-03 08:00 UTC**\n\nText b"
    )
    assert found.left_out == {"comments": "1 comment is skipped: its card is not in the file."}
    assert list(found.records["1"].warnings) == ["1 comment without text is skipped."]


def test_a_file_that_may_be_capped_is_warned_of_and_missing_comments_are_counted() -> None:
    found = board(
        card("1", badges={"comments": 3}),
        actions=[comment(str(number), "1") for number in range(2)] + [{"type": "updateCard"}] * 998,
    )

    assert "at most 1,000" in found.warned["file.json"]
    assert list(found.records["1"].warnings) == [
        "Trello counts 3 comments on this card; the file holds 2."
    ]


def test_comments_that_do_not_fit_are_counted_and_the_latest_kept() -> None:
    texts = [comment(f"{number:02}", "1", data={"text": f"{number:02}" * 8000, "card": {"id": "1"}})
             for number in range(10)]  # fmt: skip
    found = board(card("1"), actions=texts)

    content = found.content("1")
    assert len(content) <= 100_000
    assert ["0303" in content, "0404" in content, "0909" in content] == [False, True, True]
    assert "The earliest 4 of 10 comments" in found.records["1"].warnings[0]


def test_numbers_of_the_source_link_nothing_and_a_code_block_left_open_ends() -> None:
    found = board(card("1", desc="see #12\n```\n#3"), actions=[comment("a", "1")])

    assert found.content("1").startswith("see \\#12\n```\n#3\n```\n\n## Details")


def test_attachments_stand_as_links_and_only_with_web_addresses() -> None:
    attachments = [
        {"name": "a.png", "url": "https://example.com/a b.png"},
        {"name": "evil", "url": "javascript:alert(1)"},
        {"name": "", "url": "http://example.com"},
    ]
    found = board(card("1", attachments=attachments))

    assert "- Attachment: a.png, <https://example.com/a%20b.png>\n" in found.content("1")
    assert "- Attachment: evil\n- Attachment: <http://example.com>" in found.content("1")
    assert "javascript" not in found.content("1")
    assert len(found.records["1"].warnings) == 1


def test_members_custom_fields_and_what_has_no_field_stand_in_the_details() -> None:
    found = board(
        card("1", idMembers=["m", "gone"], start="2026-01-02T00:00:00.000Z",
             due="2026-01-03T12:30:00.000Z", shortUrl="https://trello.com/c/x",
             customFieldItems=[{"idCustomField": "f", "idValue": "o"},
                               {"idCustomField": "n", "value": {"number": "7"}}]),
        members=[{"id": "m", "fullName": "Ann", "username": "ann"}],
        customFields=[
            {"id": "f", "name": "Size", "options": [{"id": "o", "value": {"text": "XL"}}]},
            {"id": "n", "name": "Points"},
        ],
    )  # fmt: skip

    assert found.content("1") == (
        "## Details\n\n- List: To do\n- Due: 2026-01-03T12:30:00.000Z\n- Start: 2026-01-02\n"
        "- Members: Ann, Unknown member\n- Size: XL\n- Points: 7\n- Trello: https://trello.com/c/x"
    )


def test_cards_without_a_name_and_doubles_are_named_and_the_others_come() -> None:
    found = board(card("1", name=" \n "), card("2"), card("2"), {"name": "no id"}, "text", None,
                  card("3"))  # fmt: skip

    assert found.order == ["2", "3"]
    assert list(found.left_out) == [
        "card 1", "card 3 (Card 2)", "card 4 (no id)", "card 5", "card 6",
    ]  # fmt: skip


def test_what_cannot_be_stored_is_taken_out_with_a_word() -> None:
    found = board(card("1", name="a\nb c 👩\u200d👧", desc="x\x00y", due=7, attachments={"a": 1}))
    record = found.records["1"]

    assert record.fields["title"] == "a b c 👩\u200d👧"
    assert found.content("1").startswith("xy\n")
    assert list(record.warnings) == [
        "Not kept, for they are not of the expected type: due, attachments.",
        "Characters that cannot be stored were taken out of: desc.",
    ]


def test_a_title_that_is_too_long_is_cut_and_whole_in_the_content() -> None:
    found = board(card("1", name="word " * 60))

    assert str(found.records["1"].fields["title"]).endswith("…")
    assert found.content("1").startswith(("word " * 60).strip())
    assert found.records["1"].warnings


def test_a_title_that_looks_like_a_secret_is_not_in_the_report() -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    found = board(card("1", name=token, desc=[]))

    assert found.records["1"].place == "card 1"


@pytest.mark.parametrize("ending", ["", "]", ',{"id": "2", "name"'])
def test_a_file_that_is_cut_off_is_named(ending: str) -> None:
    source = source_of_bytes(
        "board.json", b'{"lists": [], "cards": [{"id": "1", "name": "One"}' + ending.encode()
    )

    assert [type(each) for each in TRELLO.read(source, Options())] == [Problem]
