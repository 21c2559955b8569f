"""The thesis' experiments: its tests in pictures, how well fans fit a swing, how fast they are tested; and tracked swings."""

from __future__ import annotations

from ..papers.fan_speed_works import TESTS
from .fan_accuracy_sheets import measure_accuracy
from .fan_figures import draw_figures
from .fan_fit_sheets import measure_fits
from .fan_speed_sheets import measure_speed
from .result import BookPart, Chapter

CHAPTER = Chapter(
    "fan",
    "Fans: what a swinging box sweeps",
    "Yamamoto, Improving the accuracy of continuous collision detection for rotating rigid bodies, master's thesis, 2023",
    (
        BookPart("fan-figures", "Fans and their tests, in pictures", draw_figures, {"full": {}}),
        BookPart(
            "fan-accuracy",
            "Accuracy of fans",
            measure_accuracy,
            {
                "tiny": {"rotations": 60},
                "quick": {"rotations": 1_000},
                "full": {"rotations": 2_000},
                "published": {"rotations": 100_000},
            },
        ),
        BookPart(
            "fan-speed",
            "Speed of fans",
            measure_speed,
            {
                "tiny": {"repeats": 2, "tests": 2_000},
                "quick": {"repeats": 8, "tests": TESTS},
                "full": {"repeats": 100, "tests": TESTS},
                "published": {"repeats": 10_000, "tests": TESTS},
            },
        ),
        BookPart(
            "fan-fits",
            "Tracked swings, foretold",
            measure_fits,
            {"tiny": {"swings": 4}, "quick": {"swings": 50}, "full": {"swings": 1_000}},
        ),
    ),
)
