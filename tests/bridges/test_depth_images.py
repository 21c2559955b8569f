"""Depth images of another library's ray caster, Embree through Open3D, read like our own."""

import numpy as np
import pytest
from sweepscope_lab.verify.images import judge_images, tally_images

pytestmark = [pytest.mark.bridges, pytest.mark.slow]

CASES = 60


def cast(triangles, owners, view, pixels, begin):
    """Return depths and owners at the centers of pixels, from `begin` on: rays of one view."""
    import open3d

    columns, rows = pixels
    row, column = np.indices((rows, columns))
    first = np.zeros((rows, columns)) if begin is None else begin
    origins = view.at(column, row, first, (rows, columns))
    rays = np.concatenate((origins, np.broadcast_to(view.toward, origins.shape)), axis=-1).astype(np.float32)
    scene = open3d.t.geometry.RaycastingScene()
    corners = triangles.reshape(-1, 3).astype(np.float32)
    scene.add_triangles(corners, np.arange(len(corners), dtype=np.uint32).reshape(-1, 3))
    found = scene.cast_rays(open3d.core.Tensor(rays))
    depth, hit = first + found["t_hit"].numpy().astype(float), found["primitive_ids"].numpy()
    seen = np.isfinite(depth) & (depth < view.depth)
    ids = np.where(seen, owners[np.where(seen, hit, 0)], -1)
    return np.where(seen, depth, view.depth), ids


def test_readings_of_embrees_images():
    verdicts = [each for seed in range(CASES) for each in judge_images(seed, {"embree": cast}, error=1e-5)]
    rows = {(row.source, row.method): row for row in tally_images(verdicts)}
    assert [each for each in verdicts if each.wrong] == []
    for source in ("embree, front", "embree, rear", "embree, 16 bits"):
        row, ours = rows[source, "sampled"], rows["radar", "sampled"]
        assert row.exact == ours.exact >= CASES // 3
        assert row.same >= ours.same - 1
