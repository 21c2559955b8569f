"""`sweepscope verify`: select a proof."""

from __future__ import annotations

from sweepscope import InvalidQuery

PROOFS = ("translate", "turn", "screw", "fans", "swings", "volumes", "robots", "travel", "files")
_WITH_QUESTIONS = ("fans", "volumes", "robots", "files")


def run_verify(what: str, cases: int, seed: int, question: str | None) -> int:
    """Run a proof and return the exit code: 1 if anything is wrong."""
    if what not in PROOFS:
        raise InvalidQuery(f"verify: there is no {what!r}; accepted: {', '.join(PROOFS)}")
    if question is not None and what not in _WITH_QUESTIONS:
        raise InvalidQuery(f"--question is {question!r}: {what} has no questions; accepted for {', '.join(_WITH_QUESTIONS)}")
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
    from .verify_sweeps import run_verify_sweeps

    return run_verify_sweeps(cases, seed, what)
