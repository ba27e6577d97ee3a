"""When a row of the intent table matches: one predicate a kind of question, pure, on the Query.

A kind is told by the words around the names (phrases.py). Where a few words may stand in any order, the kind is a
vocabulary: every word of the question belongs to it.
"""

from __future__ import annotations

import re

from trigpoint.model import Query
from trigpoint.search.phrases import FILE, FILE_NAMES, NAME, phrase, vocabulary
from trigpoint.search.subjects import DATA_FLOW, DEPENDENCIES, IMPACT, USAGES, subject

_NAME = re.compile(r"[@$A-Za-z_][\w$]*(?:(?:\.|::|->|#)[~A-Za-z_$][\w$]*)*[!?]?(?:\(\))?\Z")
_WORD = re.compile(r"[\w'-]+|[§¶]")

_POINTING = vocabulary(
    """
    a an the this that is are do does can could you i me we my our us where where's wheres what what's whats which of for in
    to at on by it its please pls kindly just hey ok find show locate open print display give get go jump look lookup up view see
    list cat tell
    """
)
"""Words that only point at what is named."""
_KINDS = vocabulary(
    """
    function func fn def method class struct trait interface enum type typedef alias constant const variable var symbol
    macro module namespace package object protocol record decorator hook component constructor property field impl mixin
    attribute identifier union template defmodule
    """
)
_DEFINING = vocabulary(
    """
    definition defined define defines declaration declared declares implementation implemented implements source code body
    signature file located live lives named exist exists like said
    """
)
_FILING = vocabulary(
    """
    file files folder folders directory directories dir content contents under inside there has have lies lie located live
    lives called named ls path stored read contain contains holds hold
    """
)
_PLAIN_KIND = re.compile(
    r"(?:(?:(?:please|pls|can you|could you) )*(?:find|show|show me|locate|open|go to|where is|where's|jump to) (?:the )?"
    r"(?:class|function|method|def|fn|func|struct|enum|trait|interface|macro|type) |"
    r"(?:the )?(?:definition|declaration|implementation|signature|source|body) of (?:the )?(?:(?:class|function|method|struct|type) )?|"
    r"(?:class|function|method|def|fn|func|struct|enum|trait|interface|impl|defmodule) )"
    r"(?P<name>[\w$.:]+?)(?: is)?(?: defined| declared)?\Z"
)


def _bare(query: Query) -> str:
    return query.text.strip().strip("`'\"")


def is_symbol(query: Query) -> bool:
    """One name and nothing else, or one that is only pointed at: "where is NAME defined", "struct NAME"."""
    bare = _bare(query)
    if _NAME.match(bare):
        return bare not in FILE_NAMES
    asked = re.sub(r"(?:(?:that is|that's|which is) )?(?:called|named) (?=§)", "", phrase(query.text).text)
    words = _WORD.findall(asked)
    if words.count(NAME) == 1 and FILE not in words:
        return _POINTING | _KINDS | _DEFINING | {NAME} >= set(words) and not asked.startswith("does ")
    return bool(_PLAIN_KIND.match(bare.casefold().rstrip("?")))


def is_path(query: Query) -> bool:
    """A file, folder or glob and nothing else, or one that is only pointed at."""
    if len(_bare(query).split()) == 1:
        return bool(query.paths)
    if query.frames or not query.paths:
        return False
    words = _WORD.findall(phrase(query.text).text)
    return words.count(FILE) == 1 and set(words) <= _POINTING | _FILING | {FILE}


REPORT_WORDS = 40
"""A question as long as this is a report: it tells what happened, and its answer lies in few files."""

_ASKING = re.compile(
    r"(?:(?:please|pls|hey|ok|so|and|can you|could you|i want to know|i wonder|tell me|explain|show me|find|describe|list) )*"
    r"(?:how|where|which|what|who|when|why (?:is|are|does|do) (?:the|we)|code|logic|function|class|explain|handle|handling|implement|add|(?:don't|do not|never) (?!work))\b"
)
_THROWN = r"[\w.:]*[A-Za-z](?:Error|Exception|Panic)\b"
_ERROR_TEXT = re.compile(
    rf"(?:^|[\s(\"'`]){_THROWN}\"?:[ \t]*\S|^{_THROWN} (?:when|in|on|while|if|after|during|from|at|with)\b"
    rf"|\b(?:[Gg]et|[Gg]ets|[Gg]etting|[Gg]ot|[Tt]hrows?|[Rr]aises|[Rr]aised|[Hh]it|[Ss]ee|[Ss]eeing|[Ff]ails? with|[Ff]ailed with|[Cc]rash\w* with|[Ff]ix(?: this)?:?)"
    rf" (?:an? |the |this )?(?:{_THROWN}|[\"'“`][^\"'”`]{{8,}})"
    r"|\(\w*Error\)|\bUndefinedFunctionError\b|\bErrno\b|\bECONN\w+|\bEXC_\w+|\bSIG(?:SEGV|ABRT|BUS)\b"
    r"|(?:^|\n)\s*(?:ERROR|FATAL|Fatal|error|fatal|Error|warning|WARN|CRITICAL|E|npm ERR!)(?:\[\w+\]| error| [A-Z]*\d+)?(?: \([^)\n]*\))?\s*[:!]\s?\S|\bnpm ERR!"
    r"|^[\w.]+\.[A-Z]\w+: |^[A-Z]\w*(?:::[A-Z]\w*)+(?::| \()|^goroutine \d+|\bexit (?:code|status) \d+|\b(?:rake|make|build) aborted|^FAIL(?:ED)?\b|\bassert [^ ]+ ==|^panicked at"
    r"|\*\*\* \[|[Cc]ompilation error|\bException in thread\b|^panic:|^thread '[^']*' panicked|\b(?:Uncaught|Unhandled) (?:\w+ ?(?:Error|Exception|rejection)|exception)\b"
)  # fmt: skip
_TROUBLE = re.compile(
    r"\bsegmentation fault\b|\bsegfaults?\b|\bcore dumped\b|\bcannot read propert|\bundefined method\b|\bno such file or directory\b"
    r"|\bpermission denied\b|\bis not (?:a function|iterable|callable|subscriptable)\b|\bmemory (?:size )?of \d+|\bdeadlock detected\b"
    r"|\b(?:bug|crash|regression)(?: report)?:|\bsteps to reproduce\b|\bactual (?:result|behaviou?r)|\bstack ?trace:|\btraceback\b"
    r"|\b(?:crash(?:es|ed|ing)?|hangs?|freezes|fails?|failing|breaks|blows up|throws|panics) (?:when|if|on|after|with|while|since)\b"
    r"|\b(?:doesn't|does not|don't|not|stopped|stops) work(?:ing)?\b|\bblank (?:page|screen)\b|\b(?:gives?|returns?|shows?|produces?|prints?) (?:the |a |an )?(?:wrong|incorrect|invalid)\b"
    r"|^(?:the|our|my|this|it|when|after|since|i|if|running|calling|using)\b.*\b(?:empty|missing|twice|duplicated?|never|instead of|no longer|ignored|lost|loses|leaks|stops?|fails|crashes|hangs|wrong|too (?:slow|many|few|late|early)|even though)\b"
    r"|\b(?:stops?|fails|crashes|hangs|freezes|stuck) (?:at|in|on|for|with|when|if|as|because|since|whenever|until)\b|\bkeeps? (?:getting|failing|crashing|hanging)\b"
    r"|\bis (?:wrong|broken|incorrect)\b|\bformatted wrong|\bunexpected (?:token|result|output|behaviou?r)\b"
)


def is_failure(query: Query) -> bool:
    """A traceback, an error message, a symptom, or a long report."""
    text = query.text.strip()
    if len(_bare(query).split()) == 1:
        return False
    if query.frames or len(query.text.split()) >= REPORT_WORDS:
        return True
    if _ASKING.match(text.casefold()):
        return bool(query.errors) and "\n" in text
    return bool(query.errors) or bool(_ERROR_TEXT.search(text) or _TROUBLE.search(text.casefold()))


_CHANGES = vocabulary(
    """
    add fix remove delete make allow disallow prevent avoid implement refactor rename replace improve ensure deprecate simplify
    disable enable introduce rewrite expose generalize generalise normalize normalise drop hide skip stop reject clarify raise omit
    unify suppress extend adapt migrate use let bump upgrade mark set support handle update change move adjust correct address
    apply relax inline streamline propagate forbid exclude narrow reduce increase guard dedup deduplicate workaround prefer force
    swap switch reuse respect honor honour preserve keep clear rework revert tweak strip unset tidy clean specify configure
    teach turn eliminate speed provide accept recognize recognise combine throw optimize optimise harden parametrize parameterize polish undo
    """
)
"""What somebody does to code who is asked for a change; verbs of what code does (parse, convert, load) are none of them."""
_CHANGED = vocabulary(
    """
    added adds adding fixed fixes fixing removed removes removing updated updates updating improved improves renamed renames
    replaced replaces replacing changed changes making dropped drops refactored implemented implements
    """
)
"""Forms in which notes of changes tell of them; of other verbs they name a thing: caching, wrapping."""
_DOES = vocabulary(
    """
    kill mock escape register require port convert rotate forward copy check read combine close parse load export count wrap
    document mention push pass resolve return write send store save render validate cache retry log
    """
)
"""What code does, and people too: an order where it says how it was, or under what condition."""
_ORDERED = re.compile(
    r"\b(?:instead of|rather than|not just|by default|in preparation|as well|if|when|unless|only|no longer|once on|before|after|during|despite)\b|§"
)
_LEAD = re.compile(
    r"(?:(?:please|pls|ok|so|and|now|then|todo:?|task:?|we|i|you|it|need to|needs to|have to|want to|wants to|should|must|would like to|i'd like to|let's|"
    r"can you|could you|help me(?: to)?|going to|properly|correctly|always|only|also|explicitly|temporarily|try to|¶) )+"
)
_BULLET = re.compile(r"\A\s*(?:[-*•]|\d+\.)\s+")
_TYPE = re.compile(
    r"(?:feat|fix|chore|refactor|perf|docs?|test|build|ci|style|revert|bug ?fix|hotfix)(?:\([^)]*\))?!?: "
)
"""What a conventional commit begins with."""
_CLAUSE = re.compile(r"(?:[:;,]|(?<=\w)\.) (?:so |and |then |- )*|\] ")
"""Behind what an order may stand: ``Docx reader:``, ``on a second call,``."""
_NOT_DONE = re.compile(r"(?:do not|don't|never|no longer|stop \w+ing)\b")
_OTHER_ROW = re.compile(
    r"\b(?:impact|effects?|usages?|uses|callers?|references|dependents) (?:of|to|on)\b"
    r"|^(?:please )?(?:add|write|fix|update|extend|improve)(?: [\w§-]+){0,3} (?:tests?|specs?|test ?cases?)(?: (?:for|of|to|that|which|covering)\b|$)"
)
_ASKS = re.compile(r"(?:how|where|which|what|who|when|why|is|are|does|do (?!not\b)|did|show|find|explain)\b")
LEAST_TASK = 3
"""Words of an order: of two, the first is as often a noun, as in update loop, change detection."""


def is_task(query: Query) -> bool:
    """Sets a task, as a commit's subject or an order does: "fix the race when a pool is closed", "don't crash on no input"."""
    asked = phrase(_BULLET.sub("", query.text)).text
    if _ASKS.match(asked) or _OTHER_ROW.search(asked):
        return False
    return bool(_TYPE.match(asked)) or any(_orders(one) for one in _CLAUSE.split(asked))


def _orders(clause: str) -> bool:
    """Begins with a verb of change, with what must not be done any more, or tells otherwise that something is to be done."""
    lead = _LEAD.match(clause)
    bare = clause[lead.end() :] if lead else clause
    words = bare.split()
    if len(words) < LEAST_TASK:
        return False
    if words[0] in _CHANGES or words[0] in _CHANGED or _NOT_DONE.match(bare):
        return True
    return words[0] in _DOES and bool(_ORDERED.search(bare))


_TEST = r"(?:(?:unit|integration|regression|acceptance|functional|smoke|e2e|end-to-end|property)[ -]?)?(?:tests?|test ?(?:cases?|files?|suites?|coverage)|specs?|rspec|testing)"
_TESTS = re.compile(
    rf"\b{_TEST} (?:for|of|on|in|against|with|where|when|that|which|around|about|to run|covering|checking|exercising|touching|should i run|cover\w*|checks?|exercises?|touch(?:es)?|hits?|calls?|runs?|us(?:e|es|ing)|verif\w+|assert\w*)\b"
    rf"|\b(?:which|what|any|find|show|see|are there|is there an?|do we have|do the|does the|where are the|who|locate) (?:me )?(?:the |any |all |an? |existing )?{_TEST}\b(?! (?:client|runner|framework|server|database|discovery|helpers?|mode|case class))"
    r"|\b(?:covered|exercised|checked|verified|tested) by (?:a |an |any |the |which |what )*(?:unit )?(?:tests?|specs?)\b"
    r"|\bwho tests\b|\bwhere (?:do|does|are|is) (?:we|anyone|they|the \w+) test\b|\b(?:is|are|be|how|where) (?:[\w§ ]+ )?tested\b|^test(?:ing|s)? (?:for|of)\b"
)
_NO_TESTS = re.compile(r"\bhow (?:are|do|does) (?:the )?(?:tests?|specs?) (?:get |be )?\w+ed\b")


def is_tests(query: Query) -> bool:
    """Asks for tests of something."""
    asked = phrase(query.text).text
    return bool(_TESTS.search(asked)) and not _NO_TESTS.search(asked)


_WHOLE = vocabulary(
    """
    repo repository project codebase code base application app system program software library whole entire everything
    package packages module modules component components class classes file files directory directories folder folders
    part parts piece pieces thing things area areas subsystem subsystems
    """
)
_BUILT = vocabulary(
    """
    overview tour architecture architectural structure structured organised organized organisation organization layout laid
    outline map picture design designed summary summarize summarise orient orientation walkthrough introduction main core key
    central important entry built building arranged begin start started starting exist fit lay cloned onboard onboarding
    """
)
_ABOUT = vocabulary(
    """
    big high level high-level overall general most new contributor newcomer developer reading read explain describe walk
    through fit together each responsibilities responsibility purpose point points quick short brief work works guide
    understand understanding learn together top top-level first their they basic land blocks block five hire newbie newcomers
    engineer gist picture works about purpose onto
    """
)
_EVERYTHING = vocabulary("repo repository project codebase")
_TOLD = vocabulary("explain describe understand learn summarise about purpose gist walk")
_SILENT = vocabulary(
    "just like how am i'm im should would will with and or from here there all me be for as so need want by"
)
_WHAT_FOR = re.compile(r"(?:what (?:does|do|is)|what's) (?:this|the) (?:repo|repository|project|codebase|code base|app|application|library|package|program)(?: do| about| for| all about)?\Z")  # fmt: skip


def is_overview(query: Query) -> bool:
    """Asks how the whole is built or where to begin: every word speaks of the whole, none of a part by name."""
    asked = phrase(query.text).text
    if _WHAT_FOR.match(asked):
        return True
    words = set(_WORD.findall(asked)) - _POINTING - _SILENT
    built = words & _BUILT or (words & _EVERYTHING and words & _TOLD)
    return bool(built) and words <= _BUILT | _WHOLE | _ABOUT and not _thing_alone(words, asked)


def _thing_alone(words: set[str], asked: str) -> bool:
    """``main``, ``entry`` or ``start`` with nothing beside them is a name or a verb, not the whole."""
    alone = {"overview", "tour", "architecture", "structure", "orient", "layout"}
    return len(words) == 1 and not words & alone and not asked.startswith("where ")


def is_usages(query: Query) -> bool:
    """Asks who uses a name."""
    return bool(subject(query.text, USAGES))


def is_impact(query: Query) -> bool:
    """Asks what a change of a name breaks."""
    return bool(subject(query.text, IMPACT))


def is_dependencies(query: Query) -> bool:
    """Asks what a name needs."""
    return bool(subject(query.text, DEPENDENCIES))


def is_data_flow(query: Query) -> bool:
    """Asks where a value comes from and goes."""
    return bool(subject(query.text, DATA_FLOW))


def is_anything(query: Query) -> bool:
    """Every question."""
    return True
