"""Puts compiled kernels into the wheel, if SWEEPSCOPE_COMPILED is set: `make wheel`. Without it the wheel is plain Python."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface):
    """Compiles what the cache does not hold yet; needs NumPy and Numba in the environment that builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the kernels, and name the platform that they are for."""
        if version != "standard" or not os.environ.get("SWEEPSCOPE_COMPILED"):
            return
        sys.path.insert(0, str(Path(self.root) / "src"))
        from sweepscope.kernels import _cache
        from sweepscope.warm import warm

        if not _cache.HAS_LEVEL:
            raise RuntimeError(
                f"compiled kernels are for {_cache.LEVEL}; this CPU does not have it, so they cannot be made here"
            )
        warm()
        folder = self._folder()
        shutil.rmtree(folder, ignore_errors=True)
        _cache.write_shipment(str(folder))
        build_data["force_include"][str(folder)] = "sweepscope/kernels/compiled"
        build_data["pure_python"] = False
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        # Compiled kernels link to nothing: Numba loads them. So any Linux that has wheels will do.
        build_data["tag"] = f"{python}-{python}-{_PLATFORMS[sys.platform]}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy that was packed."""
        shutil.rmtree(self._folder(), ignore_errors=True)

    def _folder(self) -> Path:
        return Path(self.directory) / "compiled"


_PLATFORMS = {"linux": "manylinux_2_17_x86_64", "win32": "win_amd64", "darwin": "macosx_11_0_x86_64"}
