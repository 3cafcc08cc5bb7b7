"""Chinese."""

from __future__ import annotations

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.languages.language import Language
from docbats.text.words import Segmenter, SegmenterLibrary

_STOP_WORDS = """
的 地 得 了 着 过 是 在 有 和 与 及 或 而 但 也 都 就 还 又 再 才 只 很 太 更 最 不 没 无 非 别 莫
勿 被 把 将 让 使 给 对 从 向 往 到 于 以 为 因 由 用 按 照 据 比 跟 同 等 之 其 此 该 这 那 哪 谁
何 某 每 各 本 另 我 你 他 她 它 您 咱 们 个 种 些 点 上 下 中 内 外 里 前 后 间 时 年 月 日 号 次
位 名 件 条 张 座 所 家 一 二 三 四 五 六 七 八 九 十 百 千 万 亿 两 几 多 少 大 小 能 会 可 要 想
应 需 须 必 请 吗 呢 吧 啊 呀 哦 嘛 去 来 说 看 做 叫 像 如 若 则 即 便 且 并 却 虽 既 当 自 己 已
曾 正 好 新 高 长 起 出 进 回 开 成 作 放 拿 走 坐 站 越 仍 常 总 先 约 近 远 早 晚 嗎 個 這 們 來
說 會 對 從 時 爲 為 與 後 還

我们 你们 他们 她们 它们 咱们 自己 大家 人们 别人 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么
这种 那种 哪个 哪些 哪里 什么 怎么 怎样 如何 为何 为什么 多少 几个 某个 某些 每个 各个 各种 各自
其他 其它 其中 其余 另外 另一 任何 所有 全部 一切 一些 一点 一个 一种 一样 一般 一直 一定 一起 一旦
一边 一方面 一次 两个 三个 许多 很多 不少 大量 多种 部分 大部分 整个 本身 彼此 互相 相互

因为 所以 由于 因此 因而 于是 从而 但是 可是 不过 然而 而且 并且 或者 还是 如果 假如 要是 只要 只有
除非 虽然 尽管 即使 哪怕 无论 不管 不仅 不但 不只 而是 既然 以便 以及 以免 甚至 何况 况且 同时 此外
接着 然后 随后 最后 首先 其次 总之 例如 比如 譬如 也就是说 换句话说 就是 也是 都是 还有 只是 不是
而言 来说 之一 之间 之后 之前 之中 之外 以上 以下 以内 以外 以前 以后 以来 左右 上面 下面 里面 外面
前面 后面 旁边 中间 当中 关于 对于 至于 根据 按照 通过 经过 随着 沿着 为了 除了 作为 由此 有关 相关
直到 自从 其实 似乎 好像

可以 才能 能够 可能 应该 应当 必须 需要 愿意 想要 希望 得到 成为 变成 变得 进行 具有 拥有 没有
还没有 不能 不会 不要 不用 不必 不可 不同 不再 是否 属于 存在 出现 发生 开始 继续 结束 产生 形成
包括 包含 位于 来自 称为 叫做 认为 觉得 知道 看到 发现 表示 说明 指出 提出 使用 利用 采用 提供 使得
引起 导致 造成 达到 超过 增加 减少 保持 起来 下来 出来 过来 下去 上去 出去 进去 进来 回来

非常 十分 特别 尤其 格外 极其 更加 越来越 比较 相当 几乎 差不多 大约 大概 大致 仅仅 只能 只好 已经
曾经 正在 将要 将会 即将 刚刚 刚才 马上 立刻 立即 经常 常常 往往 总是 通常 偶尔 有时 有时候 从来
永远 始终 仍然 依然 还要 再次 重新 终于 逐渐 渐渐 慢慢 忽然 突然 现在 如今 目前 当时 那时 今天 昨天
明天 今年 去年 明年 过去 将来 未来 最近 以往 也许 或许 恐怕 当然 的确 确实 真正 简直 究竟 到底 果然
反而 甚而 主要 重要 基本 完全 全都 共同 分别 直接 间接 单独 新的 大的 小的 好的 时候 时间 方面 方式
方法 情况 问题 东西 事情 第一 第二 第三 等等
"""


def _load_segmenter() -> Segmenter:
    import rjieba

    cut: Segmenter = rjieba.cut
    return cut


LANGUAGE = Language(
    code="zh",
    name="Chinese",
    list_endings="etc",
    quote_continuation=r"的|[^，。！？\s]{1,5}[说說问問道喊][，。：]",
    clause_words=ENGLISH.clause_words,
    segmenter=SegmenterLibrary(extra="chinese", module="rjieba", load=_load_segmenter),
    grammar_characters=frozenset(
        "的了着过是在有和与及或而但也都就还又很不没被把让给对从向到于以为因由之其此这那哪谁某每各我你他她它们个些吗呢吧"
    ),
    stop_words=_STOP_WORDS,
    function_word_groups=(
        "我 我的 自己 咱",
        "我们 咱们",
        "你 您 你们 你的",
        "他 他的",
        "她 她的",
        "他们 她们 它们",
    ),
    continuing_words=(
        "他 她 它 他们 她们 它们 这 这个 这些 这种 这样 那 那个 那些 那样 此 该 其 其中 但 但是 "
        "可是 不过 然而 而且 并且 因此 所以 于是 从而 同时 此外 另外 然后 接着 随后 也 还 又 则 "
        "如果 因为 例如"
    ),
    shifting_words="现在 今天 首先 下面 假设 让 最后 如今",
    section_words="章 节 節 条 條 部 部分 篇 回 卷 编 編 课 讲",
    reference_titles="参考文献, 參考文獻, 参考资料, 参考书目, 引用文献",
    contents_titles="目录, 目錄, 目次",
    caption_words="图 圖 表 来源",
    vague_nouns=(
        "分钟 小时 星期 月份 年代 世纪 公里 厘米 公斤 元 人 部 例子 原因 地方 时代 开头 结尾 数量 "
        "过程 结果 作用 程度 范围"
    ),
    measure_nouns=ENGLISH.measure_nouns,
    vague_adjectives=ENGLISH.vague_adjectives,
    phrase_prepositions=ENGLISH.phrase_prepositions,
    phrase_articles=ENGLISH.phrase_articles,
    conjunction="、",
    separator="、",
)
