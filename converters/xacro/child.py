"""The process that expands one xacro: request and document on stdin, the answer as JSON on stdout.

It has limits of work, time and memory, writes no file, starts no process, and only opens files below its roots: the
folder of the document, its package, packages that are found for it, and folders that the user names.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from time import process_time
from typing import Any

from converters.source import lenient
from converters.xacro import safe
from converters.xacro.roots import BYTES, Roots

MEMORY = 1 << 30
WORK = 2_000_000
COPY, EXPRESSED, CALL, INCLUDE, TEXT = 20, 50, 250, 1000, 2
"""The most work of an expansion; the cost of a node's copy, of an expression, of a macro call or other xacro element,
and of an include (about microseconds); and the characters that cost one. So exponential growth is stopped early, with
its location. The largest known robots (several Franka arms, a PR2) cost half a million."""
EXPRESSION = 1.0
"""Interval in seconds of processor time at which an expression that is still the same one is stopped."""
STROKE = 3
"""Seconds of processor time after which the system kills an expression that is evaluated in a single C function."""
DEPTH = 64
"""Maximum depth of files that include each other."""
UNMATCHED = "no file matches "
RECURSION = 6000
MESSAGE = 400
"""Maximum characters of a message of xacro, which lists all expressions that led to the failing one."""
PLACE = "kinegraph_place"
"""Attribute of an element in memory: the file and line it was written at. Clones have it as well."""


class Given(dict[str, str]):
    """Arguments by name; asked has the names that the document uses."""

    def __init__(self, given: dict[str, str]) -> None:
        super().__init__(given)
        self.asked: dict[str, None] = {}

    def __getitem__(self, name: str) -> str:
        self.asked[name] = None
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.asked[str(name)] = None
        return super().__contains__(name)

    def told(self, order: dict[str, Any]) -> dict[str, Any]:
        """Return the names for the answer: arguments that were not used, and all that the document uses."""
        return {"unasked": [name for name in order["arguments"] if name not in self.asked], "asked": list(self.asked)}


class Work:
    """Counts the work done so far, and tracks the expression that is being evaluated."""

    def __init__(self) -> None:
        self.done = self.begun = self.inside = 0
        self.seen = -1

    def add(self, cost: int) -> None:
        self.done += cost
        if self.done > WORK:
            what = "does a macro, a block, a property or an include use another one twice, and that the next one?"
            raise safe.RefusedError(f"it expands to more than any robot needs: {what}")

    def timed(self, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap the function that evaluates an expression with time limits; evaluations can be nested."""

        def call(*given: Any) -> Any:
            self.add(EXPRESSED)
            self.begun += 1
            self.inside += 1
            if self.inside == 1:
                processor(int(process_time()) + STROKE)
            try:
                return evaluate(*given)
            finally:
                self.inside -= 1
                if not self.inside:
                    processor(None)

        return call

    def watch(self) -> None:
        """Start a timer that stops an expression that takes too long, if Python interprets it step by step."""
        if hasattr(signal, "setitimer"):  # not on Windows
            signal.signal(signal.SIGPROF, self._ticked)
            signal.setitimer(signal.ITIMER_PROF, EXPRESSION, EXPRESSION)

    def _ticked(self, *_: Any) -> None:
        if self.inside and self.begun == self.seen:
            raise safe.RefusedError(f"an expression takes longer than {EXPRESSION:g} s")
        self.seen = self.begun


def processor(seconds: int | None) -> None:
    """Let the system end this process after this much processor time (None: the hard limit)."""
    with suppress(ImportError):  # not on Windows, where the parent still bounds the time
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        low = most if seconds is None or 0 <= most < seconds else seconds
        resource.setrlimit(resource.RLIMIT_CPU, (low, most))


def limit(seconds: int) -> None:
    """Set limits enforced by the system, none of them above what this process may already use."""
    try:
        import resource
    except ImportError:
        return
    for what, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, most = resource.getrlimit(what)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with suppress(ValueError):  # some systems cannot limit memory (macOS)
            resource.setrlimit(what, (value, value))


def main() -> None:
    out = sys.stdout
    order = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    state: dict[str, Any] = {"place": None, "unmatched": []}
    try:
        answer = expanded(order, data, state)
    except ModuleNotFoundError as error:
        if error.name != "xacro":
            raise
        answer = {"error": "xacro needs the package xacro: pip install 'kinegraph[xacro]'", "place": None}
    except (Exception, SystemExit) as error:
        answer = {"error": sentence(error), "place": state["place"]}
    out.write(json.dumps(answer))
    out.flush()


WRAPPED = {"YamlDictWrapper": "dict", "YamlListWrapper": "list"}
"""xacro's wrapper of a YAML value -> the type as an author knows it."""
_OURS = re.compile("|".join(WRAPPED))
ARGUMENT = re.compile(r"\$\(arg\s+([^)\s]+)\s*\)")


def sentence(error: BaseException) -> str:
    """Return one line that describes an error."""
    inner: Any = error
    while getattr(inner, "exc", None) is not None:
        inner = inner.exc
    if isinstance(inner, safe.RefusedError):
        return str(inner)
    if isinstance(inner, MemoryError):
        return f"the expansion needs more than {MEMORY >> 30} GiB"
    if isinstance(inner, RecursionError):
        return "macros, properties or files are nested too deep"
    if isinstance(inner, OSError) and "package://" in str(inner.filename):
        return f"a xacro names files of packages by $(find NAME)/..., not by package://: {inner.filename}"
    if isinstance(inner, OSError) and inner.filename:
        return f"{inner.strerror}: {inner.filename}{''.join(getattr(inner, '__notes__', ()))}"
    if isinstance(inner, SyntaxError):
        said = f": {safe.shown(inner.text.strip(), MESSAGE)}" if inner.text else ""
        return f"an expression is not valid Python: {inner.msg}{said}"
    said = _OURS.sub(lambda name: WRAPPED[name[0]], " ".join(str(error).split()))
    said = f"there is no key {said}" if isinstance(inner, KeyError) else said
    text = safe.shown(said, MESSAGE) or type(error).__name__
    if type(inner).__name__ == "ArgException":
        return f"the argument {str(inner)!r} has no value: give it with --arg {inner}=VALUE"
    return f"xacro: {text}"


def expanded(order: dict[str, Any], data: bytes, state: dict[str, Any]) -> dict[str, Any]:
    import xml.dom.minidom as dom

    import xacro
    import yaml  # noqa: F401  (imported before files are guarded)
    from xacro import substitution_args

    roots, work = Roots(order, data), Work()
    file = order["file"]
    sys.setrecursionlimit(RECURSION)
    sys.stdout = sys.stderr
    _harden(xacro, substitution_args, roots, work)
    _place_elements(xacro, dom, state, work)
    _place_errors(xacro, state)
    limit(order["seconds"])
    work.watch()
    sys.addaudithook(roots.watch)
    xacro.init_stacks(file)
    document: Any = xacro.parse(data, file)
    given = Given(order["arguments"])
    xacro.process_doc(document, mappings=given, verbosity=0)
    text = document.toprettyxml(indent="  ")
    if len(text) > BYTES:
        raise safe.RefusedError(f"it expands to more than {BYTES >> 20} MiB")
    files: dict[str, int] = {}
    places = []
    last = (file, 1)
    for element in _elements(document.documentElement):
        last = getattr(element, PLACE, last)
        name = os.path.normpath(last[0])
        places.append((files.setdefault(name, len(files)), last[1]))
    found = {"packages": roots.found, "opened": [*roots.opened], "unmatched": state["unmatched"]}
    return {"document": text, "files": list(files), "places": places} | found | given.told(order)


def _elements(root: Any) -> Any:
    """Yield all elements in document order."""
    stack = [root]
    while stack:
        element = stack.pop()
        yield element
        stack.extend(child for child in reversed(element.childNodes) if child.nodeType == child.ELEMENT_NODE)


def _weight(value: Any) -> int:
    """Return the characters of a text, plus a cost per item of YAML lists and tables, which can share contents."""
    seen, stack = 0, [value]
    while stack and seen < WORK * TEXT:
        found = stack.pop()
        seen += TEXT * COPY if not isinstance(found, str) else len(found)
        if isinstance(found, dict):
            stack += dict.values(found)
        elif isinstance(found, list | tuple | set):
            stack += found
    return seen


def _harden(xacro: Any, substitution: Any, roots: Roots, work: Work) -> None:
    """Replace functions that access the system by our own, and remove those that create classes or expose internals."""
    plain = xacro.eval_text

    def counted(text: str, symbols: Any) -> Any:
        found = plain(text, symbols)
        work.add(_weight(found) // TEXT)
        return found

    def environment(name: str) -> str:
        raise safe.RefusedError(f"$(env {name}): a model does not get to see the environment")

    def without_environment(name: str, default: str = "") -> str:
        return default

    def evaluated(text: str, context: dict[str, Any]) -> str:
        table = substitution._eval_dict
        given = context.setdefault("arg", {})
        functions = {name: value for name, value in table.items() if not name.startswith("_")}
        functions["arg"] = lambda name: substitution.convert_value(substitution._eval_arg(name, given), "auto")
        functions |= safe.BOUNDED
        functions["dirname"] = lambda: substitution._eval_dirname(context["filename"])
        names = substitution._DictWrapper(given, functions)
        return str(eval(safe.checked(text), {"__builtins__": table["__builtins__"]}, names))

    def costing(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            work.add(CALL)
            return function(*given)

        return call

    replace = xacro.replace_node

    def replaced(node: Any, by: Any, **how: Any) -> None:
        moved = by if isinstance(by, list) else [by] if by is not None else []
        work.add(sum(len(each.childNodes) for each in moved))
        replace(node, by, **how)

    xacro.eval_text, xacro.replace_node = counted, replaced
    xacro.resolve_macro, xacro.check_attrs = costing(xacro.resolve_macro), costing(xacro.check_attrs)
    xacro.safe_eval = work.timed(safe.evaluate)
    xacro.open = roots.open
    substitution._eval = work.timed(evaluated)
    for name, function in (("env", environment), ("optenv", without_environment), ("find", roots.package)):
        setattr(substitution, f"_eval_{name}", function)
        substitution._eval_dict[name] = function
    python = xacro._global_symbols["python"]
    dict.pop(python, "vars", None)
    dict.__setitem__(python, "type", safe.kind)


def _place_elements(xacro: Any, dom: Any, state: dict[str, Any], work: Work) -> None:
    """Record where elements were written, also in copies of them."""
    from xml.dom import expatbuilder
    from xml.parsers import expat

    class Builder(expatbuilder.ExpatBuilderNS):
        file = ""

        def start_element_handler(self, *given: Any, **named: Any) -> None:
            super().start_element_handler(*given, **named)
            setattr(self.curNode, PLACE, (self.file, self.getParser().CurrentLineNumber))

        def start_doctype_decl_handler(self, *given: Any, **named: Any) -> None:
            state["place"] = (self.file, self.getParser().CurrentLineNumber)
            raise safe.RefusedError("a document type declaration is refused: xacro needs none")

    def parse(data: Any, file: str | None = None) -> Any:
        if len(xacro.filestack) > DEPTH:
            raise safe.RefusedError(f"files include each other more than {DEPTH} deep: {file}")
        if data is None:
            try:
                with roots_open(os.path.join(xacro.root_dir, file or ""), "rb") as stream:
                    data = stream.read()
            except OSError as error:
                xacro.filestack.pop()  # as xacro does: the file is not the one that is being processed
                raise xacro.XacroException(f"{error.strerror}: {error.filename}", exc=error) from error
        work.add(INCLUDE + len(data) // TEXT)
        builder = Builder()
        builder.file = file or ""
        try:
            return builder.parseString(data)
        except expat.ExpatError as error:
            state["place"] = (builder.file, error.lineno)
            raise safe.RefusedError(lenient.why(error)) from error

    roots_open = xacro.open
    clone = dom._clone_node

    def cloned(node: Any, deep: Any, owner: Any) -> Any:
        work.add(COPY)
        made = clone(node, deep, owner)
        if hasattr(node, PLACE):
            setattr(made, PLACE, getattr(node, PLACE))
        return made

    dom._clone_node = cloned
    xacro.parse = parse


def _note_arguments(error: Any, node: Any) -> None:
    """Note on a file that was not found which arguments its name is made of: their defaults are often placeholders."""
    names = dict.fromkeys(ARGUMENT.findall(node.getAttribute("filename")))
    if isinstance(getattr(error, "exc", None), FileNotFoundError) and names:
        error.exc.add_note(f": its name is made of {', '.join(names)}: give it with --arg {next(iter(names))}=VALUE")


def _place_errors(xacro: Any, state: dict[str, Any]) -> None:
    """Record the location where an error arose: in the macro, not at its call. Also the location of an include that
    matches no files, for which xacro only warns."""
    check, last = xacro.check_attrs, [None]

    def checked(tag: Any, *rest: Any) -> Any:
        last[0] = tag
        return check(tag, *rest)

    def placing(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(node: Any, *rest: Any) -> Any:
            try:
                return function(node, *rest)
            except Exception as error:  # any exception of xacro: its place is noted, and it is raised again
                if state.get("error") is not error and state["place"] is None:
                    inner: Any = last[0]
                    within = inner is not None and inner.parentNode is node
                    where = inner if within else node
                    state["place"] = getattr(where, PLACE, None)
                    state["error"] = error
                    _note_arguments(error, where)
                raise

        return call

    def warned(*said: Any, **_: Any) -> None:
        text = " ".join(map(str, said))
        if text.startswith(UNMATCHED) and len(state["unmatched"]) < DEPTH:
            file, line = getattr(last[0], PLACE, ("", 1))
            state["unmatched"].append((text.removeprefix(UNMATCHED)[:MESSAGE], file, line))

    xacro.warning, xacro.include_no_matches_msg = warned, UNMATCHED + "{}"
    xacro.check_attrs = checked
    for name in ("eval_all", "grab_property", "grab_macro", "process_include", "handle_macro_call"):
        setattr(xacro, name, placing(getattr(xacro, name)))


if __name__ == "__main__":
    main()
