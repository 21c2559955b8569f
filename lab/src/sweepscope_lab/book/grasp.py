"""The first paper's grasping hands (Figs. 9 to 16), and radars compared with exact turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ..papers import grasp, grasp_plots, grasp_rules, grasp_views
from ..papers.grasp import (
    GOAL,
    METHODS,
    PUBLISHED_RADARS,
    PUBLISHED_SECONDS,
    STARTS,
    TARGETS_HELD,
    GraspFrame,
    JointError,
    Spread,
    TargetResult,
)
from ..papers.grasp_pictures import GraspStrip, gallery
from ..scenes.targets import TARGETS
from ..simulate.grasp import Grasp, GraspSettings
from .grasp_gl import measure_gl_frames
from .grasp_rules import rules_sheet
from .grasp_views import sizes_sheet, view_pictures
from .result import BookPart, BookPicture, BookTable, Chapter, Result, Watch, compared, figures, ratio
from .texts import ms, write_rows

_DIFFERS = (
    "As published: size of the wide view, depth and two steps of the view of the approach, 17 radars, four fingers together "
    "and then joint by joint from the root. Inferred: radars of 50 x 50 pixels. Ours: hand and targets, which the paper only "
    "shows; which radars the 17 are and where they look; the rule of bending (least angle of all pixels, and 0.8 of it; "
    "the paper's rule is in a table of its own); steps of 3 degrees; when a joint has ended; who moves when."
)


def measure_frames(folder: Path, watch: Watch, *, hands: int, rounds: int, pixels: int) -> Result:
    """Run Fig. 16, and draw Fig. 15; pixels: along a side of each picture of hands."""
    watch.begin(len(METHODS) + 1)
    rows = grasp.measure_frames(watch.say, hands=hands, rounds=rounds)
    write_rows(folder / "grasp_fig16.csv", [grasp.plain(row) for row in rows])
    grasp_plots.plot_frames(rows, folder / "grasp_fig16.png")
    watch.say("Fig. 15: picture ...")
    normal = grasp.measure_normal(
        _strip(folder / "grasp_hands.png", GraspSettings(rows[0].target, hands, "radar"), pixels).scene
    )
    ours = {method: [row for row in rows if row.method == method] for method in METHODS}
    worst = {method: max(row.seconds for row in mine) for method, mine in ours.items()}
    most = {method: max(row.detections for row in mine) for method, mine in ours.items()}
    differs = (
        f"{_DIFFERS} The published 203 ms are of a frame with its normal drawing, as far as the paper says; ours are given "
        "with one and without: detections and motions, each frame in its fastest round, and one drawing of hands and target "
        "at rest, at 640 x 480, which we assume, on one core. Exact turns need fewer detections: one turn takes all links of a "
        "joint, where the paper has a radar for each."
    )
    return Result(
        (
            _frames(rows),
            compared(
                "Fig. 16, published and ours",
                ("Fig. 16",),
                (
                    ("hands", "5", str(hands), ""),
                    ("most radars in a frame", str(PUBLISHED_RADARS), str(most["radar"]), ""),
                    (
                        "worst frame, radars, with a normal drawing",
                        f"{1e3 * PUBLISHED_SECONDS:.0f} ms",
                        f"{ms(worst['radar'] + normal)} ms",
                        ratio(PUBLISHED_SECONDS, worst["radar"] + normal),
                    ),
                    ("worst frame, radars, detection alone", "not published", f"{ms(worst['radar'])} ms", ""),
                    ("normal drawing", "not published", f"{ms(normal)} ms", ""),
                    (
                        "worst frame, exact turns, with a normal drawing",
                        f"{1e3 * PUBLISHED_SECONDS:.0f} ms (radars)",
                        f"{ms(worst['exact'] + normal)} ms",
                        ratio(PUBLISHED_SECONDS, worst["exact"] + normal),
                    ),
                ),
                differs,
            ),
        ),
        (
            BookPicture(
                "grasp_hands.png",
                f"{hands} hands on their way to one target by radars, and detections and time of every frame",
                ("Fig. 15",),
                "pictures of five hands on one target",
                f"{hands} hands; links near the target are red",
                _DIFFERS,
            ),
            BookPicture(
                "grasp_fig16.png",
                "detections of every frame, its time, and the phase of each hand, by radars and by exact turns",
                ("Fig. 16",),
                f"at most {PUBLISHED_RADARS} radars at work, worst frame {1e3 * PUBLISHED_SECONDS:.0f} ms",
                f"radars: at most {most['radar']}, worst frame {ms(worst['radar'])} ms; exact turns: at most {most['exact']} "
                f"detections, {ms(worst['exact'])} ms; a normal drawing would add {ms(normal)} ms to each",
                differs,
            ),
        ),
    )


def _strip(path: Path, settings: GraspSettings, pixels: int) -> Grasp:
    """Run a grasp, draw its moments, and return it at its end."""
    strip, run = GraspStrip(settings, pixels), Grasp(settings)
    while not run.ended:
        strip.see(run, run.step())
    strip.save(path, run)
    return run


def _frames(rows: Sequence[GraspFrame]) -> BookTable:
    one, lines = rows[0], []
    for method in METHODS:
        mine = [row for row in rows if row.method == method]
        many = [row for row in mine if row.detections >= PUBLISHED_RADARS]
        worst = max(many, key=lambda row: row.seconds, default=None)
        lines.append(
            (
                *(grasp.method_name(mine[0]), str(len(mine)), str(max(row.detections for row in mine)), str(len(many))),
                *(ms(sum(row.seconds for row in mine) / len(mine)), ms(max(row.seconds for row in mine))),
                "none" if worst is None else f"{ms(worst.seconds)}, {worst.detections} in it",
                *(ms(max(row.slowest for row in mine)), f"{max(row.depth for row in mine):.1e}"),
            )
        )
    return BookTable(
        f"Fig. 16: {one.hands} hands on a {one.target}, time of a frame in ms",
        (
            *("method", "frames", "most detections", f"frames with {PUBLISHED_RADARS} or more", "mean", "worst"),
            *("worst of those", "slowest in any round", "deepest"),
        ),
        tuple(lines),
        ("Fig. 16",),
        notes=(
            "a frame's time is that of its fastest round; deepest: penetration in any frame, as a share of the hand's size",
            f"published: at most {PUBLISHED_RADARS} radars at work, worst frame {1e3 * PUBLISHED_SECONDS:.0f} ms; "
            f"a game has {1e3 * GOAL:.0f} ms for a frame",
        ),
    )


def measure_targets(folder: Path, watch: Watch, *, targets: Sequence[str], rounds: int, pixels: int) -> Result:
    """Run Fig. 14, and draw Figs. 9 to 14; pixels: along a side of each picture of hands."""
    watch.begin(len(targets) + 3)
    rows = grasp.measure_targets(watch.say, targets, rounds=rounds)
    write_rows(folder / "grasp_fig14.csv", [grasp.plain(row) for row in rows])
    grasp_plots.plot_targets(rows, folder / "grasp_fig14.png")
    watch.say("Fig. 14: pictures ...")
    gallery(folder / "grasp_gallery.png", [grasp.finish(GraspSettings(target))[0] for target in targets], pixels)
    watch.say("Figs. 9 to 13: picture ...")
    _strip(folder / "grasp_stages.png", GraspSettings(targets[-1], method="radar"), pixels)
    watch.say("Figs. 9 to 11: views at the paper's sizes ...")
    views = grasp_views.views()
    grasp_views.draw_wide(views, folder / "grasp_fig9.png")
    grasp_views.draw_masks(views, folder / "grasp_fig10.png")
    grasp_views.draw_scopes(views, folder / "grasp_fig11.png")
    depths = {method: max(row.depth for row in rows if row.method == method) for method in METHODS}
    ours = f"deepest penetration of any frame: radars {depths['radar']:.1e}, exact turns {depths['exact']:.1e} of the hand"
    differs = (
        f"{_DIFFERS} The paper shows pictures and no numbers of these. Radars stop about a pixel from contact, before or "
        "behind "
        "it; exact turns stop at it."
    )
    return Result(
        (sizes_sheet(views), _targets(rows, differs)),
        (
            *view_pictures(views),
            BookPicture(
                "grasp_stages.png",
                f"one hand by radars: it finds the target ({targets[-1]}) in a wide view, sizes its view from its own mask, "
                "goes there, and closes, first four fingers together, then each finger",
                figures(9, 13),
                "drawings and pictures of the same stages",
                "the same stages, with the time of every frame",
                _DIFFERS,
            ),
            BookPicture(
                "grasp_gallery.png",
                "every target as it is held in the end, by exact turns; links near the target are red",
                ("Fig. 14",),
                "pictures of hands that hold various shapes",
                f"{len(targets)} targets",
                _DIFFERS,
            ),
            BookPicture(
                "grasp_fig14.png",
                "one hand on every target, by radars and by exact turns",
                ("Fig. 14",),
                "no numbers",
                ours,
                differs,
            ),
        ),
    )


def _targets(rows: Sequence[TargetResult], differs: str) -> BookTable:
    lines, ends = [], []
    for row in rows:
        lines.append(
            (
                *(row.target, row.method, f"{row.frames}{'' if row.finished else ', not done'}"),
                *(str(row.detections), str(row.most), str(row.contacts), f"{row.apart:.1e}"),
                *(str(row.on_target), str(row.on_link), str(row.at_limit), f"{row.depth:.1e}", ms(row.mean), ms(row.slowest)),
            )
        )
        if row.method == METHODS[-1]:
            ends.append(len(lines) - 1)
    notes = [
        "separation of contacts (the widest) and deepest penetration: shares of the hand's size",
        "contacts: pairs of bodies; by exact turns nearer than a length of 1e-6, by radars nearer than a pixel",
    ]
    for method in METHODS:
        mine = [row for row in rows if row.method == method]
        deepest = max(mine, key=lambda row: row.depth)
        notes.append(
            f"{method}: deepest {deepest.depth:.1e} ({deepest.target}), widest separation "
            f"{max(row.apart for row in mine):.1e}; "
            f"{sum(row.finished for row in mine)} of {len(mine)} targets finished"
        )
    return BookTable(
        f"Fig. 14: one hand on each target; radars of {rows[0].pixels} x {rows[0].pixels} pixels",
        (
            *("target", "method", "frames", "detections", "most", "contacts", "separation"),
            *("on target", "on link", "at limit", "deepest", "mean ms", "worst ms"),
        ),
        tuple(lines),
        ("Fig. 14",),
        tuple(ends),
        tuple(notes),
        differs,
    )


def measure_errors(folder: Path, watch: Watch, *, targets: Sequence[str], counts: Sequence[int], rounds: int) -> Result:
    """Compare where joints end by radar and by exact turns, by our rule of bending and by the paper's."""
    watch.begin(sum(TARGETS[target]().changes is None for target in targets) + 2 * len(grasp_rules.RULE_NAMES))
    rows = grasp.measure_errors(watch.say, targets, counts)
    spreads = grasp.spreads(rows)
    rules = grasp_rules.measure_rules(watch.say, targets, rounds=rounds)
    rules += grasp_rules.measure_rules(watch.say, ("block",), "flat", rounds=rounds)
    write_rows(folder / "grasp_rules.csv", [grasp_rules.plain(row) for row in rules])
    write_rows(folder / "grasp_errors.csv", [grasp.plain(row) for row in rows])
    write_rows(folder / "grasp_spreads.csv", [grasp.plain(row) for row in spreads])
    grasp_plots.plot_errors(rows, folder / "grasp_errors.png")
    same = [row for row in spreads if row.start == "same"]
    within = f"{sum(row.within for row in same)} of {sum(row.joints for row in same)}"
    differs = (
        "The paper measures no error. From the same start a radar is off by what a pixel cannot show. In whole runs errors "
        "add up: "
        "a palm that lands a share of a pixel too deep, or a thumb that slips past an edge, ends elsewhere."
    )
    return Result(
        (rules_sheet(rules), _spreads(rows, spreads, differs)),
        (
            BookPicture(
                "grasp_errors.png",
                "how far from the exact angle each joint ends that bends by radars and our rule, by pixels",
                published="none",
                ours=f"from the same start {within} joints end within a pixel's angle",
                differs=differs,
            ),
        ),
    )


def _spreads(rows: Sequence[JointError], spreads: Sequence[Spread], differs: str) -> BookTable:
    lines, ends, notes = [], [], []
    for k, row in enumerate(spreads):
        angles = (f"{math.degrees(angle):.3f}" for angle in (row.median, row.p95, row.worst))
        lines.append(
            (
                *(row.start, str(row.pixels), str(row.joints), f"{row.within} ({100.0 * row.within / row.joints:.0f} %)"),
                *(str(row.early), str(row.late), *angles, f"{row.worst_in_pixels:.1f}", f"{math.degrees(row.pixel):.3f}"),
            )
        )
        if k + 1 == len(spreads) or spreads[k + 1].start != row.start:
            ends.append(k)
    for start, words in STARTS.items():
        power = grasp.order(spreads, start)
        notes.append(f"{start}: {words}{'' if math.isnan(power) else f'; the median falls as pixel size^{power:.2f}'}")
        off = [row for row in rows if row.start == start and abs(row.in_pixels) > 1.0]
        for row in sorted(off, key=lambda row: -abs(row.error))[:3]:
            notes.append(
                f"  farthest off: {row.target}, {row.joint}, {row.pixels} pixels: "
                f"{math.degrees(row.radar):.2f} ({row.end}), exact {math.degrees(row.exact):.2f} degrees"
            )
    return BookTable(
        "joints by radar against exact turns: size of the error in degrees",
        (
            *("start", "pixels", "joints", "within a pixel's angle", "early", "late", "median", "95 %", "worst"),
            *("worst, in pixels' angles", "a pixel's angle"),
        ),
        tuple(lines),
        ends=tuple(ends),
        notes=tuple(notes),
        differs=differs,
    )


CHAPTER = Chapter(
    "grasp",
    "Grasping: hands that close by radars",
    "Yamachi and Shindo 2002, section 4.4: the radar paper's application",
    (
        BookPart(
            "grasp-frames",
            "Five hands on one target",
            measure_frames,
            {
                "tiny": {"hands": 2, "rounds": 1, "pixels": 100},
                "quick": {"hands": 5, "rounds": 2, "pixels": 300},
                "full": {"hands": 5, "rounds": 5, "pixels": 480},
            },
        ),
        BookPart(
            "grasp-frames-gl",
            "Five hands on one target, drawn by OpenGL",
            measure_gl_frames,
            {
                "tiny": {"hands": 1, "repeats": 1, "every": 8},
                "quick": {"hands": 5, "repeats": 2, "every": 3},
                "full": {"hands": 5, "repeats": 10, "every": 1},
            },
        ),
        BookPart(
            "grasp-targets",
            "One hand on many targets",
            measure_targets,
            {
                "tiny": {"targets": ("ball", "box"), "rounds": 1, "pixels": 100},
                "quick": {"targets": ("box", "torus", "chain", "mug"), "rounds": 1, "pixels": 300},
                "full": {"targets": TARGETS_HELD, "rounds": 2, "pixels": 480},
            },
        ),
        BookPart(
            "grasp-errors",
            "Radars against exact turns",
            measure_errors,
            {
                "tiny": {"targets": ("ball",), "counts": (25, 50), "rounds": 1},
                "quick": {"targets": ("ball", "mug"), "counts": (25, 50, 100), "rounds": 1},
                "full": {"targets": TARGETS_HELD, "counts": grasp.COUNTS, "rounds": 2},
            },
        ),
    ),
)
