"""English words that carry grammar rather than subject matter."""

from __future__ import annotations

__all__ = ["ENGLISH"]

_ENGLISH = """
a an the this that these those each every either neither both all any some no none such same other
others another several few fewer many much more most less least enough own

i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it
its itself we us our ours ourselves they them their theirs themselves one ones oneself
who whom whose which what whoever whatever whichever someone somebody something anyone anybody
anything everyone everybody everything nobody nothing

about above across after against along alongside among amongst around as at before behind below
beneath beside besides between beyond by despite down during except for from in inside into like
near of off on onto out outside over past per regarding since through throughout till to toward
towards under underneath unlike until up upon versus via with within without

and but or nor so yet if unless although though because while whereas whether than lest once
however therefore thus hence moreover furthermore nevertheless nonetheless otherwise instead
meanwhile indeed accordingly consequently

am is are was were be been being isn't aren't wasn't weren't ain't
have has had having haven't hasn't hadn't
do does did done doing don't doesn't didn't
can could may might must shall should will would ought need needn't
can't cannot couldn't mayn't mightn't mustn't shan't shouldn't won't wouldn't oughtn't
i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll it'd it'll
we're we've we'd we'll they're they've they'd they'll there'd there'll that'd that'll
who'd who'll who're who've what're what'll let's y'all
n't 'm 've 'd 'll 're ve ll re don didn doesn isn aren wasn weren hasn haven hadn
couldn shouldn wouldn mustn gonna gotta wanna

not never ever always often sometimes usually seldom rarely already still again also too just only
even very quite rather really almost nearly perhaps maybe else here there where when why how
wherever whenever elsewhere somewhere anywhere everywhere nowhere now then soon later
away back forth together apart ago hardly barely merely simply especially particularly
certainly probably possibly actually basically generally

say says said saying get gets got gotten getting go goes went gone going come comes came coming
make makes made making take takes took taken taking give gives gave given giving
put puts let lets seem seems seemed become becomes became keep keeps kept
see sees saw seen know knows knew known think thinks thought want wants wanted use uses used using
thing things way ways lot lots kind sort bit

first second third last next two three four five six seven eight nine ten hundred thousand
yes okay ok oh ah uh um well please mr mrs ms dr etc eg ie vs et al
able upto amid anyhow anyway whereby wherein thereby therein thereof hereby
"""

ENGLISH = frozenset(_ENGLISH.split())
