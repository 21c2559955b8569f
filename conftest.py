"""What all tests share."""

import numpy as np
import pytest


@pytest.fixture
def rng(request):
    """A generator seeded by the test's own name: the same every time, another for every test."""
    return np.random.default_rng([ord(c) for c in request.node.nodeid])
