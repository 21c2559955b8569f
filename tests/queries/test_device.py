"""The device of many sweeps: what is accepted, and what is said without a card."""

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.errors import GraphicsFailed, InvalidQuery, MissingPackage


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Sphere(1.0), (4, 0, 0))
    return scene


VECTORS = np.array([(5.0, 0, 0)])


def test_other_devices_are_refused(scene):
    ball = scene.add(ss.Sphere(1.0))
    with pytest.raises(InvalidQuery, match="device") as problem:
        scene.sweep_many(ball, VECTORS, device="gpu")
    assert "cpu" in str(problem.value)
    assert "cuda" in str(problem.value)


def test_a_card_and_an_executor_are_refused(scene):
    ball = scene.add(ss.Sphere(1.0))
    with ThreadPoolExecutor(1) as executor, pytest.raises(InvalidQuery, match="choose one"):
        scene.sweep_many(ball, VECTORS, device="cuda", executor=executor)


def test_without_a_card_it_says_what_is_missing(scene):
    if find_spec("cupy") and find_spec("numba_cuda"):
        from sweepscope.cuda.card import card

        try:
            card()
        except GraphicsFailed:
            pass
        else:
            pytest.skip("NOT TESTED here: there is a card")
    ball = scene.add(ss.Sphere(1.0))
    with pytest.raises((MissingPackage, GraphicsFailed), match=r"sweepscope\[cuda\]|no NVIDIA card"):
        scene.sweep_many(ball, VECTORS, device="cuda")
    assert scene.sweep_many(ball, VECTORS).travel == pytest.approx(2.0)
