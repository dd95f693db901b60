"""What the index holds of an item: its terms, by how much a find in them says."""

from dataclasses import dataclass

from items.models import Item
from items.search.scopes import scope_of
from items.search.words import indexed_text
from items.state import searchable

# Of what the index holds. Whoever changes the terms of a text (`items.search.words`,
# `items.search.stems`), what they are worth (`items.search.relevance`) or the documents
# raises it: the next start then rebuilds the index.
FORMAT = 4
# Fields whose terms say what an item is about; those of all others are its body.
HEADING = ("title", "tags")
GIST = ("summary",)


@dataclass(frozen=True, slots=True)
class Document:
    """An item in the index. The texts are as `words.indexed_text` makes them."""

    item_id: int
    scope: str
    heading: str
    gist: str
    body: str


def document_of(item: Item) -> Document:
    """The item as the index holds it."""
    texts = searchable(item)
    return Document(
        item_id=item.pk,
        scope=scope_of(item),
        heading=indexed_text(texts.pop(name) for name in HEADING if name in texts),
        gist=indexed_text(texts.pop(name) for name in GIST if name in texts),
        body=indexed_text(texts.values()),
    )
