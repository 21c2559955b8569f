"""`sweepscope papers`: the papers' experiments, run again, with the published results."""

from __future__ import annotations

from pathlib import Path

from sweepscope import InvalidQuery

PAPERS = ("radar", "grasp", "rolling", "volume", "fan")


def run_papers(what: str, out: Path, quick: bool, full: bool = False) -> int:
    """Run a paper's experiments, print tables with the published results, write CSV files and figures into folder `out`.

    quick: few cases and repeats, only to see that everything works. full: the published number of cases, where this takes
    long (fan).
    """
    if what not in PAPERS:
        raise InvalidQuery(f"papers: there is no {what!r}; accepted: {', '.join(PAPERS)}")
    if full and what != "fan":
        raise InvalidQuery(f"full: {what} is always run in full; accepted: fan")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidQuery(f"out: {str(out)!r} cannot be made a folder: {error.strerror}") from None
    if what == "grasp":
        from .papers_grasp import run_grasp_paper

        return run_grasp_paper(out, quick)
    if what == "rolling":
        from .papers_rolling import run_rolling

        return run_rolling(out, quick)
    if what == "volume":
        from .papers_volume import run_volume

        return run_volume(out, quick)
    if what == "fan":
        from .papers_fan import run_fan

        return run_fan(out, quick, full)
    from .papers_radar import run_radar

    return run_radar(out, quick)
