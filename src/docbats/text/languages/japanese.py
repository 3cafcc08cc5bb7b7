"""Japanese."""

from __future__ import annotations

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.languages.language import Language
from docbats.text.words import Segmenter, SegmenterLibrary

_STOP_WORDS = """
の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない
この ため その あっ よう また もの という あり まで られ なる へ か だ これ によって により おり
より による ず なり られる において ば なかっ なく しかし について せ だっ その後 できる それ う
ので なお のみ でき き つ における および いう さらに でも ら たり その他 に関する たち ます ん なら
に対して 特に せる 及び これら とき では にて ほか ながら うち そして とともに ただし かつて
それぞれ または お ほど ものの に対する ほとんど と共に といった です とも ところ ここ ました でした
ません ましょ でしょ ください まし ませ たい たく られれ れば なれ なけれ けれど けれども だけ しか
ばかり くらい ぐらい さえ すら こそ ずつ まま ほう そこ あそこ どこ それら あれ どれ あの どの
こんな そんな あんな どんな こう そう ああ どう ここで そこで これは それは 私 僕 俺 私たち 我々
あなた 君 彼 彼女 彼ら 自分 皆 みんな 誰 何 何か いつ いつも なぜ どうして いくつ いくら 何度
そのため このため したがって だから ですから つまり すなわち 例えば たとえば なぜなら もし もしも
たとえ 一方 他方 むしろ やはり やっぱり もちろん 確かに 実際 実は おそらく 多分 たぶん きっと 必ず
まさに ちょうど およそ 約 ほぼ とても 非常 大変 かなり 少し ちょっと もっと 最も ますます だんだん
次第 すぐ すぐに まだ もう すでに 既に 今 今日 昨日 明日 現在 当時 最近 以前 以後 以降 以上 以下
以外 以内 前 後 中 間 内 外 上 下 時 頃 日 月 年 際 場合 点 方 一 二 三 四 五 六 七 八 九 十 百 千
万 億 一つ 二つ 三つ 一人 二人 一部 全て すべて 全部 多く 多数 各 毎 数 第 目 番 回 度 個 本 枚 台
人 者 的 性 化 等 用 式 様 さん 氏 同 他 別 両 新 大 小 高 新しい 大きい 大きな 小さい 小さな 良い
よい いい 悪い 多い 少ない 長い 高い 同じ 異なる 様々 さまざま いろいろ 色々 主 主に 特別 必要 可能
重要 有名 普通 一般 一般的 やる やっ 行う 行い 行っ 行わ 行く 来る 来 くる いく いっ 見る 見 見え
見られ 言う 言わ 言っ 思う 思わ 考える 考え 知る 知ら 出る 出 出し 入る 入れ 入っ 持つ 持っ 持ち
使う 使い 使っ 使わ 使用 得る 得 与える 続ける 続い 続く 始める 始まっ 始まる 置く 置い おく おい
しまう しまっ みる み もらう くれる あげる 呼ば 呼ぶ わかる 分かる 分かっ できれ いえ ほしい らしい
みたい そうだ ようだ べき はず わけ つもり 気 感じ 何らか
"""


def _load_segmenter() -> Segmenter:
    import fugashi

    tagger = fugashi.Tagger()
    return lambda run: [word.surface for word in tagger(run)]


LANGUAGE = Language(
    code="ja",
    name="Japanese",
    list_endings="etc",
    quote_continuation=r"[とのはがをにでも的]|って|[^，。！？\s]{1,5}[問道][，。：]",
    clause_words=ENGLISH.clause_words,
    segmenter=SegmenterLibrary(extra="japanese", module="fugashi", load=_load_segmenter),
    grammar_characters=frozenset(map(chr, range(0x3041, 0x309F))),  # hiragana
    stop_words=_STOP_WORDS,
    function_word_groups=(
        "私 僕 俺 自分",
        "私たち 我々 僕たち",
        "あなた 君 あなたたち",
        "彼",
        "彼女",
        "彼ら 彼女たち",
    ),
    continuing_words=(
        "彼 彼女 彼ら それ それら これ これら その この そこ ここ そう こう しかし だが でも "
        "ただし そして また さらに そのため このため したがって だから つまり すなわち 例えば "
        "たとえば なお 一方 ところが それで そこで すると それに そのうえ および あるいは もし "
        "なぜ"
    ),
    shifting_words="さて では 今日 次 最後 ここで まず ところで",
    section_words="章 節 条 部 編 回 巻 項 課 話",
    reference_titles="参考文献, 引用文献, 文献",
    contents_titles="目次",
    caption_words="図 表 写真 出典",
    vague_nouns=(
        "分 秒 時間 週間 週 世紀 時代 時期 メートル キロ センチ グラム リットル 円 パーセント "
        "部分 例 最初 最後 数量 人々 人間 側 問題 理由 場所 朝 昼 夜 夕方 半分 種類 役割 方法 "
        "結果 状態"
    ),
    measure_nouns=ENGLISH.measure_nouns,
    vague_adjectives=ENGLISH.vague_adjectives,
    phrase_prepositions=ENGLISH.phrase_prepositions,
    phrase_articles=ENGLISH.phrase_articles,
    phrase_links="の",
    conjunction="、",
    separator="、",
)
