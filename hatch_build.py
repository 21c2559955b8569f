"""Puts compiled kernels into the wheel, if SWEEPSCOPE_COMPILED is set: `make wheels`. Without it the wheel is plain Python."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging import tags


class CompiledKernels(BuildHookInterface):
    """Compiles what the cache does not hold yet; needs NumPy and Numba in the environment that builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the kernels, and name the platform that they are for."""
        if version != "standard" or not os.environ.get("SWEEPSCOPE_COMPILED"):
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        import numba

        from sweepscope.kernels import _cache, _jit
        from sweepscope.warm import warm

        if not _jit.IS_TESTED:
            raise RuntimeError(f"Numba is {numba.__version__}; kernels can be shipped for {', '.join(_jit.TESTED)}")
        if not _cache.LEVEL:
            raise RuntimeError("kernels can be shipped for x86-64 and arm64 only; unset SWEEPSCOPE_COMPILED")
        if not _cache.HAS_LEVEL:
            raise RuntimeError(
                f"kernels are shipped for {_cache.LEVEL}; this CPU does not have it, so they cannot be made here"
            )
        warm()
        folder = self._folder()
        shutil.rmtree(folder, ignore_errors=True)
        _cache.write_shipment(str(folder))
        build_data["force_include"][str(folder)] = "sweepscope/kernels/compiled"
        build_data["pure_python"] = False
        build_data["tag"] = wheel_tag(next(tags.cpython_tags()), list(tags.platform_tags()))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy that was packed."""
        shutil.rmtree(self._folder(), ignore_errors=True)

    def _folder(self) -> Path:
        return Path(self.directory) / "compiled"


def wheel_tag(python: tags.Tag, platforms: list[str]) -> str:
    """Return the tag of a wheel with compiled kernels.

    python: the best tag of the Python that builds. platforms: those that it accepts, the newest first.

    Compiled kernels link to nothing, since Numba loads them: they run on the oldest system of a kind that has wheels.
    """
    oldest = (name for name in platforms if name.startswith(("manylinux_2_17_", "macosx_11_0_")))
    return f"{python.interpreter}-{python.abi}-{next(oldest, platforms[0])}"
