"""`sweepscope verify`: select a proof."""

from __future__ import annotations

from pathlib import Path

from sweepscope.errors import InvalidQuery

from .report import Report

PROOFS = (
    "translate", "turn", "screw", "fans", "swings", "volumes", "robots", "travel", "sequences", "files", "touching", "contact",
    "walk",
    "partings",
    "distance",
    "gradients",
    "signed",
    "images",
)  # fmt: skip
PROOFS_ELSEWHERE = ("motions", "cuda")
"""Proofs that need libraries to compare with, or an NVIDIA card."""
_WITH_QUESTIONS = ("fans", "volumes", "robots", "files", "touching", "contact")
_WITH_MESHES = ("walk", "partings")


def run_verify(
    what: str, cases: int, seed: int, question: str | None, meshes: Path | None, as_json: bool, robot: str | None = None
) -> int:
    """Run a proof, print its tables or JSON, and return the exit code: 1 if anything is wrong."""
    if what not in (*PROOFS, *PROOFS_ELSEWHERE):
        raise InvalidQuery(f"verify: there is no {what!r}; accepted: {', '.join((*PROOFS, *PROOFS_ELSEWHERE))}")
    if question is not None and what not in _WITH_QUESTIONS:
        raise InvalidQuery(f"--question is {question!r}: {what} has no questions; accepted for {', '.join(_WITH_QUESTIONS)}")
    if meshes is not None and what not in _WITH_MESHES:
        raise InvalidQuery(f"--meshes is {meshes}: {what} takes no meshes; accepted for {', '.join(_WITH_MESHES)}")
    if robot is not None and what != "motions":
        raise InvalidQuery(f"--robot is {robot!r}: {what} has no robots to choose from; accepted for motions")
    report = Report(as_json)
    if what == "motions":
        from .verify_motions import run_verify_motions

        code = run_verify_motions(cases, seed, robot, report)
        report.print_json(proof=what, cases=cases, seed=seed)
        return code
    if what == "cuda":
        from .verify_cuda import run_verify_cuda

        code = run_verify_cuda(cases, seed, report)
        report.print_json(proof=what, cases=cases, seed=seed)
        return code
    code = _run(what, cases, seed, question, meshes, report)
    report.print_json(proof=what, cases=cases, seed=seed)
    return code


def _run(what: str, cases: int, seed: int, question: str | None, meshes: Path | None, report: Report) -> int:
    if what == "fans":
        from .verify_fans import run_verify_fans

        return run_verify_fans(cases, seed, question, report)
    if what == "swings":
        from .verify_swings import run_verify_swings

        return run_verify_swings(cases, seed, report)
    if what == "volumes":
        from .verify_volumes import run_verify_volumes

        return run_verify_volumes(cases, seed, question, report)
    if what == "robots":
        from .verify_robots import run_verify_robots

        return run_verify_robots(cases, seed, question, report)
    if what == "travel":
        from .verify_travel import run_verify_travel

        return run_verify_travel(cases, seed, report)
    if what == "sequences":
        from .verify_sequences import run_verify_sequences

        return run_verify_sequences(cases, seed, report)
    if what == "files":
        from .verify_files import run_verify_files

        return run_verify_files(cases, seed, question, report)
    if what == "touching":
        from .verify_touching import run_verify_touching

        return run_verify_touching(cases, seed, question, report)
    if what == "contact":
        from .verify_contact import run_verify_contact

        return run_verify_contact(cases, seed, question, report)
    if what == "walk":
        from .verify_walk import run_verify_walk

        return run_verify_walk(cases, seed, meshes, report)
    if what == "partings":
        from .verify_partings import run_verify_partings

        return run_verify_partings(cases, seed, meshes, report)
    if what == "distance":
        from .verify_distance import run_verify_distance

        return run_verify_distance(cases, seed, report)
    if what == "gradients":
        from .verify_gradients import run_verify_gradients

        return run_verify_gradients(cases, seed, report)
    if what == "signed":
        from .verify_signed import run_verify_signed

        return run_verify_signed(cases, seed, report)
    if what == "images":
        from .verify_images import run_verify_images

        return run_verify_images(cases, seed, report)
    from .verify_sweeps import run_verify_sweeps

    return run_verify_sweeps(cases, seed, what, report)
