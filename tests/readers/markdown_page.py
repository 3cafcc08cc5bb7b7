"""A page of Markdown with every kind of block."""

from __future__ import annotations

__all__ = ["PAGE"]

PAGE = """\
---
title: A page
tags: [bats]
---

# Bats and *tea*

Bats hunt moths. See [the `guide`](docs/guide.md "Guide").

```python
# not a heading
moths = 3
```

Moths dive.

Tea
---

Tea needs water.
<!-- secret comment -->

| cup | size |
|-----|-----:|
| big | 3    |

## Water {#water}
Hot water. ![picture](pictures/x.png)

[guide]: https://example.org/guide
"""
