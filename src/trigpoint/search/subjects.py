"""What a question about structure is about: the name in "who calls X", "what breaks if X changes". Tables of forms.

A form with a ``subject`` must fit the whole question, and its subject may be any word. One with a mark (§) may stand anywhere
in the question with its names taken out: what is written like a name needs less around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trigpoint.search.phrases import FILE, NAME, phrase

_X = r"(?P<mark>[§¶])"
_CALL = r"(?:calls?|uses?|invokes?|references?|instantiates?|runs?|extends?|inherits? from|subclass(?:es)?|implements?)"
_CHANGE = r"(?:chang|renam|remov|delet|modify|modifi|refactor|edit|touch|break|updat|mov)(?:e|es|ed|ing|s)?"
_CODE = r"(?:functions?|methods?|classes|files|modules|code|places?|tests?|callers?|types|components?|parts?|packages?)"
_ALL = r"(?:(?:please )?(?:find|show|list|give)(?: me)? )?(?:all )?(?:the )?"

_KINDS = r"(?:functions?|methods?|class(?:es)?|decorator|hook|interface|objects?|type|struct|trait|modules?|component|constant|macro|helper|flag|field|variable|file|package)"
_NOUN = rf"(?:(?:the|a|an|any|all|this|that|our|into|{_KINDS}) )*"
_USING = r"(?:calls?|calling|uses?|using|invokes?|invoking|references?|referencing|instantiates?|instantiating|creates an?|imports?|importing|extends?|extending|implements?|implementing|inherits?(?: from)?|inheriting(?: from)?|subclass(?:es)?|consumes?|renders?|talks? to|mounts?|wraps?)"
_USED = r"(?:used|called|invoked|referenced|instantiated|imported|created|constructed|consumed|extended|implemented by|subclassed)"
_BREAKING = r"(?:breaks?|broken|breaking|fails?|failing|affect(?:s|ed)?|impact(?:s|ed)?|hurts?|hit|safe(?:ly)?|risks?|risky|happens?|consequences?|effects?|ripple|else|updated|notices?|suffers?|complains?|needs? updating|stops? working|depends?)"
_EDIT = r"(?:(?:chang|renam|remov|delet|modify|modifi|refactor|edit|touch|break|updat|mov|drop|alter|bump|replac|rewrit|extend|add|tweak|deprecat|lower|rais|inlin|split|merg|kill|rework|convert)(?:e|es|ed|ing|s)?|(?:get|getting) rid of)"

USAGES: Sequence[str] = (
    rf"(?:who|what|which {_CODE}(?: of [\w ]+?)?) (?:all )?{_CALL} (?P<subject>.+)",
    rf"{_ALL}(?:direct )?(?:callers|usages?|uses|users|call ?sites|references|invocations|subclasses) (?:of|to|for) (?P<subject>.+)",
    r"where (?:is|are|do we|does anything|do they|else is) (?P<subject>.+?) (?:being )?(?:used|called|invoked|referenced|instantiated|constructed)(?: from)?",
    r"where (?:do we|does the code|do i|does anyone) (?:use|call|invoke|instantiate) (?P<subject>.+)",
    r"(?:how many|which) (?:places|files|modules) (?:use|call|import|reference) (?P<subject>.+)",
    r"(?:who|what|which modules|which files) imports? (?P<subject>.+)",
    r"is (?P<subject>.+?) (?:ever |still |actually )?(?:used|called|referenced)(?: anywhere| somewhere)?",
    rf"(?<!how do )(?<!how does )(?<!§ )\b{_USING} (?:on |into |up |to )?{_NOUN}{_X}",
    rf"\b(?:callers?|usages?|uses|users?|call ?sites?|references|invocations?|implementations|implement[eo]rs|subclasses|children|consumers|importers?|occurrences)(?: (?:of|to|for))?:? {_NOUN}{_X}",
    rf"{_X}(?: {_KINDS})?'?s? (?:\w+ ){{0,3}}{_USED}\b(?! by)",
    rf"^{_X} (?:usages?|callers?|references|call ?sites?|implementations|subclasses)$",
    rf"^(?:find |show |list )?usages? {_NOUN}{_X}",
)
"""Who uses it."""

IMPACT: Sequence[str] = (
    rf"what (?:else )?(?:would |will |might |could |may |can |all )?(?:breaks?|fails?|be affected|is affected|gets? affected|stops? working|be impacted|is impacted) (?:if|when|by|after) (?:(?:i|we|you|someone|they|one) )?(?:{_CHANGE} )?(?P<subject>.+?)(?: (?:is |are |gets? |was )?{_CHANGE})?",
    rf"(?:what|who|which {_CODE}) (?:all )?(?:depends?|relies|rely) on (?P<subject>.+)",
    rf"(?:what is the )?(?:impact|effects?|consequences?|blast radius|ripple effects?) (?:analysis )?(?:of|for|on) (?:a change (?:to|in|of) )?(?:{_CHANGE} )?(?P<subject>.+)",
    rf"(?:is it|would it be) (?:safe|ok|okay) to {_CHANGE} (?P<subject>.+)",
    rf"can (?:i|we) (?:safely )?{_CHANGE} (?P<subject>.+?)(?: safely)?",
    r"(?:dependents|dependants|reverse dependencies) (?:of|for) (?P<subject>.+)",
    rf"what (?:is|are|gets) affected by (?:a change (?:to|in|of) )?(?:{_CHANGE} )?(?P<subject>.+)",
    rf"which {_CODE} (?:are|is|would be|will be|get) affected (?:by|if|when) (?:(?:i|we|you) )?(?:a change (?:to|in|of) )?(?:{_CHANGE} )?(?P<subject>.+?)(?: {_CHANGE})?",
    rf"^(?=.*\b{_BREAKING}\b).*\b{_EDIT} (?:\w+ ){{0,4}}?{_NOUN}{_X}",
    rf"^(?=.*\b{_BREAKING}\b).*\b(?:if|when|once|after|without|unless) {_NOUN}{_X}(?: {_KINDS})?\b",
    rf"(?<!§ )(?<!¶ )\b(?:depends?|relies|rely|relying|depending)(?: up)? ?on {_NOUN}{_X}",
    rf"\b(?:dependents|dependants|reverse dependencies)(?: of| for)? {_NOUN}{_X}",
    rf"\b(?:impact|effects?|consequences?|blast radius|risks?) (?:analysis )?(?:of|for|on) (?:\w+ ){{0,3}}?{_NOUN}{_X}$",
    rf"\bis {_NOUN}{_X}(?: {_KINDS})? safe to {_EDIT}",
    rf"{_X}(?: {_KINDS})? (?:blast radius|impact|dependents)$",
)
"""What breaks when it changes."""

_NEEDS = r"(?:depends? (?:up)?on|calls?|uses?|imports?|needs?|rel(?:y|ies) (?:up)?on|requires?|invokes?|references?|inherits?(?: from)?|extends?|implements?|pulls? in|builds? (?:up)?on)"

DEPENDENCIES: Sequence[str] = (
    r"what (?:all )?(?:does|do|did) (?P<subject>.+?) (?:depend (?:up)?on|call|use|import|need|rely on|require|invoke|reference|inherit from|extend)(?: internally)?",
    rf"(?:which|what) {_CODE} (?:does|do|did) (?P<subject>.+?) (?:depend on|call|use|import|need|rely on|require|invoke|reference)",
    rf"{_ALL}(?:dependencies|callees|imports|requirements) (?:of|for) (?P<subject>.+)",
    rf"(?:what|which {_CODE}) (?:is|are|gets?) (?:called|used|imported|needed|required|invoked) (?:by|from|in|inside) (?P<subject>.+)",
    rf"{_ALL}(?:functions|methods|modules|classes|things|everything) (?:that are )?(?:called|used|imported|invoked) by (?P<subject>.+)",
    r"what are the (?:dependencies|callees|imports) of (?P<subject>.+)",
    r"(?P<subject>.+?) depends on (?:what|which \w+)",
    r"what happens (?:inside|in|within) (?P<subject>.+)",
    rf"^(?:(?:list|show|find|tell me) )?(?:me )?(?:what|which|everything|things|all|the functions|functions|modules|classes)\b(?: \w+){{0,3}}? (?:does|do|did|will|would|that|which)? ?{_NOUN}{_X}(?: {_KINDS})? (?:\w+ly )?{_NEEDS}\b",
    rf"\b(?:callees|dependencies|imports|requirements|super ?class(?:es)?|base ?class(?:es)?|parents?|parent class(?:es)?|ancestors|outgoing calls|downstream calls|calls made|call tree|call graph)(?: (?:of|for|from|below|under|in|by))? {_NOUN}{_X}$",
    rf"\b(?:called|used|invoked|imported|needed|required) (?:\w+ly )?(?:by|from|in|inside|within) {_NOUN}{_X}",
    rf"\bwhat (?:gets|is|all gets|all is) (?:called|invoked|run|executed|used) (?:when|if|by|inside|in|from) {_NOUN}{_X}",
    rf"\bwhat (?:is|are) {_NOUN}{_X}(?: {_KINDS})? (?:\w+ly )?(?:built|based|made|composed) (?:on|of|from|out of|upon|around)\b",
    rf"^does {_NOUN}{_X} (?:\w+ly )?(?:call|use|import|invoke|depend on|need|require|extend|inherit)\b",
)
"""What it needs."""

_SET = r"(?:set|assigned|read|written|passed(?: around| to| in| along)?|modified|mutated|updated|initiali[sz]ed|populated|consumed|defined and used|stored|created and used|overwritten|reset|changed)"

_WRITES = r"sets?|assigns?|modif(?:y|ies)|mutates?|writes?|reads?|updates?|populates?|changes?|increments?|resets?|fills?|overwrites?|initiali[sz]es?"

DATA_FLOW: Sequence[str] = (
    rf"where (?:is|are|does|do|was|else is) (?P<subject>.+?) (?:get )?(?:being )?{_SET}(?: (?:or|and|,) {_SET})*",
    r"where (?:does|do|did) (?P<subject>.+?) (?:come from|go|end up|originate|get (?:its|their) values?)(?: from)?",
    r"(?:what|who|which functions?|which methods?|which code) (?:sets?|assigns?|modif(?:y|ies)|mutates?|writes?|reads?|updates?|populates?|changes?)(?: to)? (?P<subject>.+)",
    r"(?:trace|follow|track) (?:the )?(?:flow|value|values|path|life|lifetime)? ?(?:of )?(?P<subject>.+?)(?: through (?:the )?(?:code|program|system))?",
    r"how (?:does|do|is|are) (?P<subject>.+?) (?:flow|propagated?|passed|threaded|travel|reach \w+)(?: .*)?",
    r"(?:the )?(?:data ?flow|flow|origin|provenance) (?:of|for) (?P<subject>.+)",
    rf"\b(?:where|who|how|when)(?:'s| is| are| does| do| was| gets)? {_NOUN}{_X}(?: {_KINDS})? (?:\w+ ){{0,2}}?(?:{_SET}|incremented|decremented|toggled|propagated|forwarded|cleared|saved|filled|handed)\b",
    rf"\bwhat happens (?:to|with) (?:\w+ ){{0,3}}?{_NOUN}{_X}",
    rf"\b(?:what|who|which|code|that|functions?|places?|everything|everywhere|where|anyone|anything)\b(?: \w+){{0,4}}? (?:{_WRITES})(?: and (?:{_WRITES}))?(?: to)? {_NOUN}{_X}",
    rf"\b(?:trace|follow|track) (?:\w+ ){{0,4}}?{_NOUN}{_X}",
    rf"\b(?:data ?flow|flow|origin|provenance|lifecycle|lifetime|life cycle|life|writes?|reads?|assignments?|value) (?:\w+ )?(?:of|for|to) {_NOUN}{_X}",
    rf"{_X}(?: {_KINDS})? (?:value )?(?:come|comes|came|originate|originates|end up|ends up|go|goes|get (?:its|their) value|get (?:from|to|into|through)|travel|flow|flows|reach|reaches|propagate)\b",
)
"""Where its value comes from and goes."""

_NAME = re.compile(r"[@$A-Za-z_][\w$]*(?:(?:\.|::|->|#|/|\\)[~#A-Za-z_$][\w$]*)*[!?]?\Z")
_LEAD = re.compile(r"(?:the|a|an|our|this|that|my)\s+", re.I)
_KIND = re.compile(
    r"(?:(?:function|method|class|module|file|type|variable|constant|attribute|field|property|parameter|option|struct|"
    r"interface|symbol|value|values|of|component|package|setting|argument|object|instance)\s+)+",
    re.I,
)
_TAIL = re.compile(
    r"(?:\s+(?:function|method|class|module|file|type|variable|constant|attribute|field|property|parameter|option|struct|"
    r"interface|component|package|setting|argument|object|directly|here|anywhere|in (?:this|the) (?:project|repo|repository|"
    r"code ?base|code)))+\Z",
    re.I,
)
_INSIDE = re.compile(r"(?P<name>\S+) (?:in|from|of) (?P<path>\S+\.\w{1,5})\Z")


_TOLD = re.compile(
    r"(?:use|call|invoke|import|extend|implement|inherit|reference|create|render|wrap|set|reset|update|change|write|read|assign)s? |(?:how|why) (?!many|often|risky|safe|bad|dangerous|is|are|do|does|did|can|would)"
)
"""A question that tells a story, "how A registers B", or sets a task, "use A for B": it does not ask for the edges of a name."""


def subject(text: str, forms: Sequence[str]) -> str:
    """The one name that a question of one of these forms is about, as ``graph.names`` reads it; "" when it is not one.

    A subject of several words is no name: such a question is about a concept.
    """
    asked = " ".join(text.strip().rstrip("?.! ").split())
    for form in forms:
        if _X in form:
            if name := _marked(form, text):
                return name
            continue
        match = re.fullmatch(r"(?:so |and |hey |ok |please )?" + form, asked, re.I)
        if match and (name := _name(match["subject"])):
            return name
    return ""


def _marked(form: str, text: str) -> str:
    """The name behind the mark of a form, where that stands in the question."""
    asked = phrase(text)
    if _TOLD.match(asked.text) or not (NAME in asked.text or FILE in asked.text):
        return ""
    match = re.search(form, asked.text)
    return _name(asked.behind(match.start("mark"))) if match else ""


def _name(written: str) -> str:
    bare = _KIND.sub("", _LEAD.sub("", written.strip(), count=1), count=1)
    bare = _TAIL.sub("", bare).strip("`'\" ")
    bare = _inside(bare.removesuffix("()"))
    path, _, name = bare.rpartition("#")
    return bare if (_NAME.match(name or bare) and (not path or "." in path)) or _is_path(bare) else ""


def _inside(bare: str) -> str:
    """``open in store.py`` as ``store.py#open``."""
    match = _INSIDE.match(bare)
    return f"{match['path']}#{match['name'].strip('`').removesuffix('()')}" if match else bare


def _is_path(bare: str) -> bool:
    return " " not in bare and bool(re.search(r"[\w/]\.\w{1,5}(?::\d+)?\Z", bare))
