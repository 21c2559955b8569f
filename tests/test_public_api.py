"""The public API: every public name with its members and arguments, as stored in public_api.txt, and its rules.

After a deliberate change: `python tests/test_public_api.py` writes the file; the difference belongs into the commit.
"""

import inspect
import re
from pathlib import Path

import sweepscope as ss

STORED = Path(__file__).with_name("public_api.txt")
MADE_BY_THE_LIBRARY = {
    *(thing for name in ss.results.__all__ if isinstance(thing := getattr(ss.results, name), type)),
    ss.Body,
    ss.Link,
    ss.io.FileInfo,
    ss.io.PartInfo,
    ss.planning.PlanResult,
    ss.radar.AngularView,
    ss.viewer.Page,
}
"""Classes that users do not construct: their arguments are not public."""
PROTOCOLS = ("bool", "len", "iter", "contains", "getitem", "setitem", "array", "enter", "exit", "call", "eq", "hash")


def public(module=ss):
    """All public classes and functions by full name, each once: where it is exported first, in `sweepscope` if it is there."""
    found, modules = {}, []
    for name in module.__all__:
        thing = getattr(module, name)
        (modules if inspect.ismodule(thing) else []).append(thing)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            found[thing] = f"{module.__name__}.{name}"
    for each in modules:
        found = {**{thing: name for thing, name in public(each).items() if thing not in found}, **found}
    return found


def members(kind):
    """Names and raw values of the public members of a class; special methods where they are ours."""
    for name in dir(kind):
        ours = any(name in base.__dict__ for base in kind.__mro__ if base.__module__.startswith("sweepscope."))
        special = name.removeprefix("__").removesuffix("__") if name.startswith("__") else ""
        if (special in PROTOCOLS and ours) or not name.startswith("_"):
            yield name, inspect.getattr_static(kind, name)


def arguments(function):
    """The arguments of a function with their defaults, without types."""
    signature = inspect.signature(function)
    plain = [each.replace(annotation=each.empty) for each in signature.parameters.values() if each.name != "self"]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def described():
    """The public API as text, a line for each name."""
    lines = []
    for thing, name in sorted(public().items(), key=lambda item: item[1]):
        if inspect.isfunction(thing):
            lines.append(f"{name}{arguments(thing)}")
            continue
        bases = [base.__name__ for base in thing.__mro__[1:] if base in public() or base.__module__ == "builtins"]
        made = "" if thing in MADE_BY_THE_LIBRARY or issubclass(thing, Exception) else arguments(thing)
        lines.append(f"\n{name}{made}" + ("" if bases[0] == "object" else f": {bases[0]}"))
        inherited = {each for base in thing.__mro__[1:] if base in public() for each, _ in members(base)}
        for member, value in () if issubclass(thing, Exception) else members(thing):
            if member in inherited and member not in thing.__dict__:
                continue
            function = inspect.isroutine(value) or isinstance(value, classmethod | staticmethod)
            lines.append(f"    {member}{arguments(getattr(thing, member)) if function and value is not None else ''}")
    return "\n".join(lines).strip() + "\n"


def functions():
    """All public functions, methods and constructors, by name."""
    for thing, name in public().items():
        if inspect.isfunction(thing):
            yield name, thing
        elif not issubclass(thing, Exception):
            if thing not in MADE_BY_THE_LIBRARY:
                yield name, thing
            for member, value in members(thing):
                if inspect.isroutine(value) or isinstance(value, classmethod | staticmethod):
                    yield f"{name}.{member}", getattr(thing, member)
                elif isinstance(value, property):
                    yield f"{name}.{member}", value.fget


def test_the_public_api_is_as_stored():
    assert described() == STORED.read_text("utf-8"), "run: python tests/test_public_api.py"


def test_constructors_take_at_most_two_positional_arguments():
    checked = 0
    for thing, name in public().items():
        if inspect.isfunction(thing) or issubclass(thing, Exception):
            continue
        makers = [thing] if thing not in MADE_BY_THE_LIBRARY else []
        makers += [getattr(thing, each) for each, value in members(thing) if isinstance(value, classmethod | staticmethod)]
        for make in makers:
            given = inspect.signature(make).parameters.values()
            positional = [each.name for each in given if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
            assert len(positional) <= 2, f"{name}, {make}: {positional}"
            checked += 1
    assert checked > 40


def test_no_public_signature_has_a_type_that_is_not_named():
    """NDArray[Any] is an array of any dtype, dict[str, Any] is plain data for JSON."""
    checked = 0
    for name, function in functions():
        if "__" in name:
            continue
        for each in (*inspect.signature(function).parameters.values(), inspect.signature(function)):
            given = each.return_annotation if isinstance(each, inspect.Signature) else each.annotation
            text = re.sub(r"NDArray\[Any\]|dict\[str, Any\]", "", str(given))
            assert not re.search(r"\bAny\b", text), f"{name}: {each}"
            checked += 1
    assert checked > 300


def test_every_public_function_and_property_has_a_docstring():
    missing = [name for name, function in functions() if "__" not in name and not inspect.getdoc(function)]
    assert missing == []


def test_names_are_spelt_as_in_the_united_states():
    words = re.findall(r"[a-z]+", described().lower())
    assert {"center", "colors"} <= set(words)
    assert not {word for word in words if re.search(r"centre|colour|metre|neighbour|normalis|initialis", word)}


if __name__ == "__main__":
    STORED.write_text(described(), "utf-8")
