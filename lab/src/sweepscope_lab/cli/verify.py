"""`sweepscope verify`: select a proof."""

from __future__ import annotations

from pathlib import Path

from sweepscope import InvalidQuery

PROOFS = (
    "translate", "turn", "screw", "fans", "swings", "volumes", "robots", "travel", "files", "touching", "walk", "partings"
)  # fmt: skip
_WITH_QUESTIONS = ("fans", "volumes", "robots", "files", "touching")
_WITH_MESHES = ("walk", "partings")


def run_verify(what: str, cases: int, seed: int, question: str | None, meshes: Path | None = None) -> int:
    """Run a proof and return the exit code: 1 if anything is wrong."""
    if what not in PROOFS:
        raise InvalidQuery(f"verify: there is no {what!r}; accepted: {', '.join(PROOFS)}")
    if question is not None and what not in _WITH_QUESTIONS:
        raise InvalidQuery(f"--question is {question!r}: {what} has no questions; accepted for {', '.join(_WITH_QUESTIONS)}")
    if meshes is not None and what not in _WITH_MESHES:
        raise InvalidQuery(f"--meshes is {meshes}: {what} takes no meshes; accepted for {', '.join(_WITH_MESHES)}")
    if what == "fans":
        from .verify_fans import run_verify_fans

        return run_verify_fans(cases, seed, question)
    if what == "swings":
        from .verify_swings import run_verify_swings

        return run_verify_swings(cases, seed)
    if what == "volumes":
        from .verify_volumes import run_verify_volumes

        return run_verify_volumes(cases, seed, question)
    if what == "robots":
        from .verify_robots import run_verify_robots

        return run_verify_robots(cases, seed, question)
    if what == "travel":
        from .verify_travel import run_verify_travel

        return run_verify_travel(cases, seed)
    if what == "files":
        from .verify_files import run_verify_files

        return run_verify_files(cases, seed, question)
    if what == "touching":
        from .verify_touching import run_verify_touching

        return run_verify_touching(cases, seed, question)
    if what == "walk":
        from .verify_walk import run_verify_walk

        return run_verify_walk(cases, seed, meshes)
    if what == "partings":
        from .verify_partings import run_verify_partings

        return run_verify_partings(cases, seed, meshes)
    from .verify_sweeps import run_verify_sweeps

    return run_verify_sweeps(cases, seed, what)
