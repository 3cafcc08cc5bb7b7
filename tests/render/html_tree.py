"""Pages as trees of elements."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"input", "meta"}


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attributes: dict[str, str | None]
    parent: Node | None
    children: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()


def _said(node: Node) -> str:
    parts = (c if isinstance(c, str) else _said(c) for c in node.children)
    return "" if "by" in node.classes else "".join(parts)


class Tree(HTMLParser):
    """A page that must be well-formed to be read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = self.here = Node("root", {}, None)
        self.nodes: list[Node] = []
        self.odd: list[str] = []
        self.feed(html)
        self.close()
        assert self.here is self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        node = Node(tag, dict(attrs), self.here)
        self.here.children.append(node)
        self.nodes.append(node)
        if tag not in VOID:
            self.here = node

    def handle_endtag(self, tag: str) -> None:
        assert self.here.tag == tag
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.children.append(data)

    def handle_comment(self, data: str) -> None:
        self.odd.append(data)

    def handle_pi(self, data: str) -> None:
        self.odd.append(data)

    def unknown_decl(self, data: str) -> None:
        self.odd.append(data)

    def of_class(self, name: str) -> list[Node]:
        return [node for node in self.nodes if name in node.classes]

    @property
    def document_text(self) -> str:
        """What the page has of the document, without the names and times beside it."""
        return "".join(_said(node) for node in self.of_class("piece"))

    @property
    def data(self) -> Any:
        (block,) = (n for n in self.nodes if n.attributes.get("type") == "application/json")
        return json.loads(block.text)
