"""1,377 published queries whose exact first contact is known (Wang et al. 2021, Sample-Queries, MIT license).

The file says where they come from and how their times were worked out.
"""

import gzip
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from sweepscope_lab.reference.brute_force import face_distance

import sweepscope as ss

QUERIES = Path(__file__).resolve().parents[1] / "data" / "translation_queries.json.gz"


def _shapes(query):
    points = np.array(query["points"])
    if query["kind"] == "vertex-face":
        return ss.PointCloud(points[:1]), ss.Mesh(points[1:], [(0, 1, 2)])
    return ss.Capsule.from_segment(points[0], points[1], radius=0.0), ss.Capsule.from_segment(points[2], points[3], radius=0.0)


def _gap(query, time):
    """How near the two features really come at the reported time."""
    points = np.array(query["points"])
    moved = points + time * np.array(query["displacement"])
    if query["kind"] == "vertex-face":
        return face_distance(moved[None, [0, 0, 0]], points[None, [1, 2, 3]])[0]
    return face_distance(moved[None, [0, 1, 1]], points[None, [2, 3, 3]])[0]


@pytest.mark.slow
def test_every_published_query():
    queries = json.loads(gzip.decompress(QUERIES.read_bytes()))["queries"]
    assert len(queries) == 1377
    missed, late, false, error, gap = 0, 0, 0, 0.0, 0.0
    for query in queries:
        scene = ss.Scene()
        mover, obstacle = _shapes(query)
        body = scene.add(mover)
        scene.add(obstacle)
        hit = scene.sweep(body, ss.Translate(query["displacement"]), resting="hit")
        size = np.ptp(np.array(query["points"]), axis=0).max()
        if query["hit"]:
            missed += hit is None
            if hit is not None:
                true = Fraction(query["time"])
                late += Fraction(hit.time) > true
                error = max(error, float(true - Fraction(hit.time)) * np.linalg.norm(query["displacement"]) / size)
        elif hit is not None:
            false += 1
            gap = max(gap, _gap(query, hit.time) / size)
    print(f"missed {missed}, late {late}, false hits {false}, largest gap of a false hit {gap:.1e}, error {error:.1e}")
    assert (missed, late) == (0, 0)
    assert gap < 1e-13
    assert error < 1e-9
