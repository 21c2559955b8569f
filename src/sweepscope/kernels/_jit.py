"""The one place that compiles kernels, so that one policy holds for all: float64, no fastmath, division as on the GPU, no GIL.

`kernel` is what Python calls; it is compiled whole, and kept (`_cache`). All else exists only inside kernels: it is typed and
translated once, then linked into each kernel that calls it. Its own machine code would never run, so none is made.
"""

import os
from collections.abc import Callable
from typing import Any

import numba
from numba.core import ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes

from ._cache import KERNELS, SHIPPED, Cache, Folder, digest, short_hash

_POLICY: dict[str, Any] = {"error_model": "numpy", "nogil": True}


def kernels_in(folder: Folder) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator of kernels that Python calls and that are kept in a folder."""

    def compiled(function: Callable[..., Any]) -> Any:
        made: Any = numba.njit(**_POLICY)(function)
        made._cache = cache = Cache(function, folder)  # noqa: SLF001  (where Numba keeps its own)
        compile_now = made.compile

        def compile_once(signature: Any) -> Any:
            if signature in made.overloads or cache.holds(signature):
                return compile_now(signature)
            with cache.compiling():
                return compile_now(signature)  # looks into the cache again: another process may have been faster

        made.compile = compile_once
        folder.kernels.append(made)
        return made

    return compiled


def folder_beside(package: str) -> Folder:
    """Return the folder for kernels of another package, below the folder of its file `package`.

    It is named by their sources and by the library's, which they may call.
    """
    return Folder(short_hash(KERNELS, digest(os.path.dirname(package))))


FOLDER = Folder(KERNELS, SHIPPED)
"""Where the library's compiled kernels are kept."""

kernel = kernels_in(FOLDER)
"""Compiles a kernel of the library that Python calls."""


class _Part(JITCodeLibrary):
    """Code that is only ever linked into its callers."""

    def _optimize_final_module(self) -> None:
        """Make it small: what takes long is left to the kernels that take it in."""
        manager = self._codegen._module_pass_manager  # noqa: SLF001  (as the class above does)
        passes, builder = manager(loop_vectorize=False, slp_vectorize=False, cost="cheap")
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """Stop before machine code is made."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Say that there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Return what Numba gives the environment of the machine code to."""
        return _NoMachine


class _NoMachine:
    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Do nothing: without machine code there is nothing to set."""


class _RawPart(_Part):
    """Code that only its callers optimize."""

    def _optimize_final_module(self) -> None:
        pass


class _OwnPart(_Part):
    """Code that stays a function of its own."""

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        mangled = f"{len(self.name)}{self.name}B"
        for function in self._final_module.functions:
            if not function.is_declaration and mangled in function.name:
                function.add_function_attribute("noinline")


# What reads a part of a variable, or puts variables together: the arrays in it belong to someone else already.
_BORROWING = {"build_tuple", "cast", "exhaust_iter", "getattr", "getitem", "getiter", "iternext", "pair_first", "pair_second"}
_BORROWING |= {"phi", "static_getitem"}


def _borrows(state: Any) -> bool:
    """True if a function creates no arrays and returns none. Then its callers own all arrays, and it need not count references.

    Numba counts them atomically, for every array argument of every call, also of inlined ones.
    """

    def has_arrays(kind: Any) -> bool:
        return state.targetctx.data_model_manager[kind].contains_nrt_meminfo()

    return not has_arrays(state.return_type) and not any(
        has_arrays(state.typemap[line.target.name])
        for block in state.func_ir.blocks.values()
        for line in block.find_insts(ir.Assign)
        if isinstance(line.value, ir.Expr) and line.value.op not in _BORROWING
    )


def _compiler_of(library: type[_Part]) -> type[CompilerBase]:
    """Return Numba's compiler with another kind of library for what it makes."""

    @register_pass(mutates_CFG=False, analysis_only=True)
    class Choose(AnalysisPass):
        _name = f"choose{library.__name__}"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> Any:
            """Give the function its library; return that it did not change."""
            if _borrows(state):
                state.targetctx = state.targetctx.subtarget(enable_nrt=False)
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            return False

    class Compiler(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.add_pass_after(Choose, AnnotateTypes)
            passes.finalize()
            return [passes]

    return Compiler


_INSIDE: dict[str, Any] = {**_POLICY, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_STEP = {**_INSIDE, "pipeline_class": _compiler_of(_Part)}
_COLD = {**_INSIDE, "pipeline_class": _compiler_of(_OwnPart), "forceinline": False}  # else callers hand theirs down
_INLINE = {**_INSIDE, "pipeline_class": _compiler_of(_RawPart), "forceinline": True}


def _plain_types(dispatcher: Any) -> Any:
    """Let calls with a constant and with a variable share one compilation. Numba would compile once for every constant."""
    resolve = dispatcher.get_call_template

    def resolve_plain(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_plain
    return dispatcher


def step(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call."""
    return _plain_types(numba.njit(**_STEP)(function))


def cold(function: Callable[..., Any]) -> Any:
    """Compile a step that is never inlined: one that is large and seldom needed. Its callers are optimized without it."""
    return _plain_types(numba.njit(**_COLD)(function))


def inline(function: Callable[..., Any]) -> Any:
    """Compile a step that is always inlined into its callers: a small one, or one that is called from one place."""
    return _plain_types(numba.njit(**_INLINE)(function))
