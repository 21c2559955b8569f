"""Everything that needs Numba's internals: the cache of compiled kernels, and steps without machine code of their own.

Only `_jit` imports it, and only with a Numba that it was tested with (`_jit.TESTED`).
"""

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

import numba
from numba.core import ir, types
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes

from ._cache import KERNELS, Folder, announced, cache_root, locked
from ._memory import OWNERLESS

_log = logging.getLogger("sweepscope")


class Cache:
    """The compiled versions of one kernel; takes the place of the cache that Numba gives a function."""

    def __init__(self, function: Callable[..., Any], folder: Folder) -> None:
        self._title = f"{function.__module__.partition('.kernels.')[2]}.{function.__qualname__}"
        self._folder = folder

    @property
    def cache_path(self) -> str:
        """What Numba's statistics show."""
        return cache_root()

    def _file(self, folder: str) -> IndexDataCacheFile:
        return IndexDataCacheFile(folder, self._title, KERNELS)

    def load_overload(self, types: Any, context: Any) -> Any:
        """Return what was compiled for these argument types; None if nothing was."""
        context.refresh()
        for folder in self._folder.reading():
            try:
                data = self._file(folder).load(types)
                if data is not None:
                    return CompileResult._rebuild(context, *data)  # noqa: SLF001  (as Numba's own cache does)
            except Exception as problem:  # a damaged file: the kernel is compiled again
                _log.warning("a compiled kernel cannot be read (%s: %s); it is compiled again", self._title, problem)
        return None

    def save_overload(self, types: Any, compiled: Any) -> None:
        """Keep what was compiled for these argument types."""
        try:
            self._file(self._folder.writing()).save(types, compiled._reduce())  # noqa: SLF001  (as Numba's own cache does)
        except OSError as problem:  # a full disk, or another process removed the folder
            _log.warning("a compiled kernel cannot be kept (%s: %s)", self._title, problem)

    def holds(self, types: Any) -> bool:
        """Return whether something was compiled for these argument types."""
        for folder in self._folder.reading():
            with contextlib.suppress(Exception):  # a damaged file holds nothing
                if types in self._file(folder)._load_index():  # noqa: SLF001  (as Numba's own cache does)
                    return True
        return False

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        """Let one process compile at a time, and say what takes long."""
        self._folder.complain()
        folder = self._folder.writing()
        with contextlib.ExitStack() as stack:
            with announced(f"waiting for another process, which compiles {self._title}"):
                stack.enter_context(locked(os.path.join(folder, f"{self._title}.lock")))
            stack.enter_context(announced(f"compiling {self._title}, once: kept in {folder} (all at once: sweepscope warm)"))
            yield


def compile_kept(function: Callable[..., Any], folder: Folder, policy: dict[str, Any]) -> Any:
    """Return a function that is compiled when it is first called, by one process, and kept in a folder."""
    made: Any = numba.njit(**policy)(function)
    made._cache = cache = Cache(function, folder)  # noqa: SLF001  (where Numba keeps its own)
    compile_now = made.compile

    def compile_once(signature: Any) -> Any:
        if signature in made.overloads or cache.holds(signature):
            return compile_now(signature)
        with cache.compiling():
            return compile_now(signature)  # looks into the cache again: another process may have been faster

    made.compile = compile_once
    return made


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

    def makes_no_owner(call: ir.Expr) -> bool:
        """True if a call makes an array on the stack or in a scratch, or a tuple with names."""
        if call.op != "call":
            return False
        called = state.typemap[call.func.name]
        return isinstance(called, types.NamedTupleClass) or getattr(called, "typing_key", None) in OWNERLESS

    return not has_arrays(state.return_type) and not any(
        has_arrays(state.typemap[line.target.name])
        for block in state.func_ir.blocks.values()
        for line in block.find_insts(ir.Assign)
        if isinstance(line.value, ir.Expr) and line.value.op not in _BORROWING and not makes_no_owner(line.value)
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


_INSIDE: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
STEP = {**_INSIDE, "pipeline_class": _compiler_of(_Part)}
COLD = {**_INSIDE, "pipeline_class": _compiler_of(_OwnPart), "forceinline": False}  # else callers hand theirs down
INLINE = {**_INSIDE, "pipeline_class": _compiler_of(_RawPart), "forceinline": True}
"""Options of `njit` for the three kinds of steps."""


def share_constants(dispatcher: Any) -> Any:
    """Let calls with a constant and with a variable share one compilation. Numba would compile once for every constant."""
    resolve = dispatcher.get_call_template

    def resolve_plain(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_plain
    return dispatcher
