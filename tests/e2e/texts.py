"""A text with all that Markdown is understood here."""

EVERYTHING = """\
Brewing is written down in #1 and in alice/shop#2; nobody finds #4711 or `#1`.

## Before the season

- [x] Order the **spring** leaves (see #1)
- [ ] Clean the kettles, which takes longer than it should and so has a line that wraps on a
  narrow screen
  - [x] copper
  - [ ] iron, with ~~sand~~ **vinegar**
- a plain entry between them

1. Warm the pot
2. Wait

```python
import math  # of the standard library

class Kettle(Vessel):
    '''Keeps what is hot.'''

    @cached
    def heat(self, degrees: int = 0x5A) -> str:
        if degrees is None or not self.full:
            raise ValueError(f"{degrees!r} is no temperature")
        return "hot"
```

```diff
@@ -1,3 +1,3 @@
 water
-boiling
+just below
```

```sh
curl -s https://tea.example/leaves | jq '.[] | .name'  # all of them
```

```klingon
qa' Hol
```

    indented code has no language

| leaf | grams | note |
|------|------:|------|
| green | 4 | #2 |
| black | 5.5 | [shop](https://tea.example) |

![The shop from outside](https://tea.example/shop.jpg)

> ```js
> const quoted = true;
> ```

## מתכון לתה

יש לחמם את המים ל־80 מעלות לפני `brew --slow` ואז לחכות.

- [x] תה ירוק
- [ ] تفاح
- English between them

| עלה | גרם |
|-----|----:|
| ירוק | 4 |

***
"""
