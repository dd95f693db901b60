"""Terms: what a text is found by."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from items.search.stems import stem
from items.search.words import (
    MAX_TERM,
    MAX_TERMS,
    indexed_text,
    occurrences,
    query_terms,
    runs,
)

pytestmark = pytest.mark.no_database

TEXTS = st.text(
    st.one_of(
        st.characters(codec="utf-8", exclude_characters="\0"),
        st.sampled_from("aAzZ09 _-./\\:@#+&'’\"()*^{}…\u200b\u0301界サ한ー"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("words", "stems"),
    [
        ("caresses ponies ties caress cats", "caress poni ti caress cat"),
        ("feed agreed plastered bled motoring sing", "feed agre plaster bled motor sing"),
        ("conflated troubled sized hopping tanned", "conflat troubl size hop tan"),
        ("falling hissing fizzed failing filing", "fall hiss fizz fail file"),
        ("happy sky relational conditional rational", "happi sky relat condit ration"),
        ("digitizer operator feudalism decisiveness", "digit oper feudal decis"),
        ("hopefulness formality sensibility", "hope formal sensibl"),
        ("triplicate formative electrical goodness", "triplic form electr good"),
        ("revival allowance inference adjustable", "reviv allow infer adjust"),
        ("replacement adoption effective bowdlerize", "replac adopt effect bowdler"),
        ("probate rate cease controlling roll", "probat rate ceas control roll"),
        ("psychology incredibly at by 2nd café", "psycholog incred at by 2nd café"),
    ],
)
def test_stems_are_those_of_porter(words: str, stems: str) -> None:
    assert " ".join(map(stem, words.split())) == stems


@given(st.text(string.ascii_lowercase, max_size=12))
def test_a_stem_is_no_longer_than_its_word_and_a_letter(word: str) -> None:
    assert len(stem(word)) <= len(word) + 1
    assert stem(word) or not word


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Deploying deploys, deployed!", ["deploi"]),
        ("src/api/http_client.py", ["src", "api", "http", "client", "py", "httpclient"]),
        ("getUserById", ["get", "user", "getuserbyid"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("multi-agent", ["multi", "agent", "multiag"]),
        ("http-client", ["http", "client", "httpclient"]),
        ("ECONNREFUSED", ["econnrefus"]),
        ("MAX_RETRY=3", ["max", "retri", "3"]),
        ("can't GitHub's l'avion O’Brien", ["github", "avion", "obrien"]),
        ("C++ c# .NET F#", ["cplusplu", "csharp", "dotnet", "fsharp"]),
        ("ASP.NET node.js", ["asp", "net", "aspnet", "nodej"]),
        ("3.11 v1.2.3", ["3", "11", "3p11", "v1p2p3"]),
        ("Café naïve Re\u0301sume\u0301 İzmir", ["cafe", "naiv", "resum", "izmir"]),
        ("ＡＢＣ ﬁne ｶﾞ", ["abc", "fine", "ガ"]),
        ("pass\u200bword \u2060so\ufefft", ["password", "sot"]),
        ("设备清单", ["设备", "备清", "清单"]),
        ("サンドボックス", ["サン", "ンド", "ドボ", "ボッ", "ック", "クス"]),
        ("끝말잇기 게임을", ["끝말", "말잇", "잇기", "게임", "임을"]),
        ("步2 重跑gen-itgc后50条", ["步", "2", "重跑", "gen", "itgc", "后", "50", "条"]),
        ("हिन्दी שלום", ["हिन्दी", "שלום"]),
        ("owner/name#12", ["owner", "name", "12"]),
        ("* ( ^ {} … \"' - #", []),
    ],
)
def test_a_text_is_found_by_its_words_and_the_parts_of_its_names(
    text: str, terms: list[str]
) -> None:
    found = query_terms(text)

    assert [term for term in terms if term not in found] == []
    assert terms or not found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http_client", "HttpClient"),
        ("http-client", "httpclient"),
        ("max.retries", "MaxRetries"),
        ("C++", "c++"),
        (".net", "dotnet"),
        ("Résumé", "resume"),
        ("Re\u0301sume\u0301", "Résumé"),
        ("STRASSE", "Straße"),
        ("v1.2", "V1.2"),
    ],
)
def test_spellings_of_one_thing_find_each_other(one: str, other: str) -> None:
    assert set(query_terms(one)) & set(query_terms(other))


@pytest.mark.parametrize(
    ("one", "other"), [("3.11", "311"), ("C++", "c"), ("C#", "c"), ("迁移", "移迁")]
)
def test_different_things_do_not(one: str, other: str) -> None:
    assert not set(query_terms(one)) & set(query_terms(other))


def test_stop_words_are_left_out_of_a_query_unless_there_is_nothing_else() -> None:
    assert query_terms("What is the state of the deploy?") == ["state", "deploi"]
    assert query_terms("to be or not") == ["to", "be", "or", "not"]


def test_a_long_query_is_looked_up_by_its_first_32_terms() -> None:
    assert query_terms(" ".join(f"w{n}" for n in range(900))) == [f"w{n}" for n in range(32)]


def test_one_sign_of_a_script_without_blanks_finds_the_words_it_stands_in() -> None:
    assert occurrences("猫", indexed_text(["大きな猫です"]))
    assert query_terms("猫") == ["猫"]


def test_occurrences_are_counted_up_to_five() -> None:
    indexed = indexed_text(["deploy deploys", "deployed window"])

    assert (occurrences("deploi", indexed), occurrences("window", indexed)) == (3, 1)
    assert occurrences("deploi", indexed_text(["deploy " * 50])) == 5
    assert occurrences("ploi", indexed) == 0


@given(TEXTS)
@example("")
def test_terms_hold_nothing_but_letters_digits_and_marks_and_are_bounded(text: str) -> None:
    terms = [*query_terms(text), *indexed_text([text]).split(" ")]
    terms = [term for term in terms if term]

    assert all(1 <= len(term) <= MAX_TERM + 2 for term in terms)
    signs = {sign for term in terms for sign in term}
    assert all(sign.isalnum() for sign in signs if sign.isascii())
    assert not any(sign.isspace() for sign in signs)
    assert len(query_terms(text)) <= MAX_TERMS
    assert len(query_terms(text)) == len(set(query_terms(text)))


@given(TEXTS, TEXTS)
def test_every_text_is_found_by_each_of_its_own_terms(before: str, text: str) -> None:
    indexed = indexed_text([before, text])

    assert all(occurrences(term, indexed) for term in query_terms(text))


@given(TEXTS)
def test_runs_stand_where_they_say(text: str) -> None:
    assert all(text[offset : offset + len(run)] == run for offset, run in runs(text))


@given(st.text(string.ascii_letters + string.digits + "_-./'", min_size=1, max_size=30))
def test_case_makes_no_difference_to_plain_words(run: str) -> None:
    lowered = run.lower()

    assert set(query_terms(lowered)) == set(query_terms(lowered.upper()))
