"""The viewer is tested in an environment of its own (make view-test): viser needs an older trimesh than other tests."""

from importlib.util import find_spec

import pytest

MISSING = [name for name in ("viser", "playwright") if find_spec(name) is None]
if MISSING:
    collect_ignore_glob = ["test_*_page.py", "test_page.py", "test_server.py"]
else:
    from visitors import Visitor, chromium

    @pytest.fixture(scope="session")
    def browser():
        with chromium() as found:
            yield found

    @pytest.fixture
    def visit(browser):
        """Open a page of ours: `visitor = visit(page)`; at the end of the test its console must be clean."""
        visitors = []

        def opened(page, width=1000, height=640, scheme="light"):
            visitors.append(Visitor(browser, page.url, width, height, scheme))
            return visitors[-1]

        yield opened
        for visitor in visitors:
            visitor.leave()
        for visitor in visitors:
            assert visitor.errors == []
            assert visitor.elsewhere == []
