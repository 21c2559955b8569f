"""The libraries that benchmarks compare with."""

import sys

import pytest
from sweepscope_lab.bench.rows import check_peers

from sweepscope import SweepscopeError


def test_a_peer_that_is_installed_and_cannot_be_imported_says_why(tmp_path, monkeypatch):
    (tmp_path / "open3d.py").write_text("raise ImportError('libusb-1.0.so.0: cannot open shared object file')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "open3d", raising=False)
    with pytest.raises(
        SweepscopeError, match=r"compares with open3d, which cannot be imported: libusb-1\.0\.so\.0: cannot open"
    ):
        check_peers("scopes")
