# SPDX-License-Identifier: Apache-2.0
"""More ways in which a pickle has a function called, and more functions that leave a trace, for running_pickles.py: what loaders
do with the attributes and arguments that a pickle gives them, and functions of Python, NumPy and torch that call what they are given."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import running_pickles as base
from running_pickles import NONE, Code, Effect, all_but_last, built, call, dict_, last, list_, name, namespace, new, number, partial, raw, ready, text, tuple_

if TYPE_CHECKING:
    from running_pickles import Carrier

YES = b"\x88"


def more_effects(marker: str) -> list[Effect]:
    """Some import or run a file that make() writes beside the sample."""
    path, folder, source = text(marker), text(str(Path(marker).parent)), text(str(Path(marker).parent / "hubconf.py"))
    code = text(f"open({marker!r}, 'w').close()")
    evaluated = call(name("typing", "ForwardRef"), text(f"open({marker!r}, 'w')"))
    return [
        Effect("hub", name("torch.hub", "_load_local"), [folder, text("model")]), Effect("run_path", name("runpy", "run_path"), [source]),
        Effect("load_source", name("imp", "load_source"), [text("m"), source]), Effect("py_compile", name("py_compile", "compile"), [source, path]),
        Effect("loader", name("_frozen_importlib_external", "SourceFileLoader.load_module"), [call(name("_frozen_importlib_external", "SourceFileLoader"), text("m"), source)]),
        Effect("writer", name("torch._C", "PyTorchFileWriter"), [path]), Effect("open_file", name("torch.serialization", "_open_file"), [path, text("w")]),
        Effect("zip_writer", name("torch.serialization", "_open_zipfile_writer_file"), [path]), Effect("measure", name("numpy.testing", "measure"), [code]),
        Effect("savetxt", name("numpy", "savetxt"), [path, list_(number(1))]), Effect("open_memmap", name("numpy.lib.format", "open_memmap"), [path, text("w+"), text("u1"), tuple_(number(1))]),
        Effect("tofile", name("numpy", "ndarray.tofile"), [call(name("numpy", "zeros"), number(1)), path]), Effect("forward_ref", name("typing", "ForwardRef._evaluate"), [evaluated, b"}", b"}", call(name("builtins", "frozenset"))]),
        Effect("wave", name("wave", "open"), [path, text("wb")]), Effect("bz2", name("bz2", "BZ2File"), [path, text("w")]), Effect("lzma", name("lzma", "open"), [path, text("w")]),
        Effect("gzip", name("gzip", "open"), [path, text("w")]), Effect("tarfile", name("tarfile", "open"), [path, text("w")]), Effect("mkfifo", name("os", "mkfifo"), [path]),
        Effect("os_open", name("posix", "open"), [path, number(0o101), number(0o600)]), Effect("FileIO_c", name("_io", "FileIO"), [path, text("w")]),
        Effect("mkpath", name("distutils.dir_util", "mkpath"), [path]), Effect("write_file", name("distutils.file_util", "write_file"), [path, list_(text("x"))]),
        Effect("snapshot", name("tracemalloc", "Snapshot.dump"), [call(name("tracemalloc", "Snapshot"), tuple_(), number(1)), path]),
        Effect("pdb", name("pdb", "run"), [code]), Effect("trace", name("trace", "Trace.run"), [call(name("trace", "Trace")), code]),
        Effect("benchmark", name("torch.utils.benchmark", "Timer.timeit"), [call(name("torch.utils.benchmark", "Timer"), code), number(1)]),
        Effect("maildir", name("mailbox", "Maildir"), [path]), Effect("mh", name("mailbox", "MH"), [path]), Effect("mmdf", name("mailbox", "MMDF"), [path]),
    ]


def keywords(function: Code, **arguments: Code) -> Code:
    """A partial with keywords, which only its state can have."""
    return built(partial(function), tuple_(function, tuple_(), dict_(**arguments), b"}"))


def storage(location: "Carrier", key: Code = text("0")) -> "Carrier":
    """A persistent id of torch.load, which looks up methods of the location."""
    return lambda effect: tuple_(text("storage"), name("torch", "FloatStorage"), key, location(effect), number(1)) + b"Q"


def wrapper(**state: "Carrier") -> "Carrier":
    """What joblib writes before an array, and whose attributes its loader uses."""
    def make(effect: Effect) -> Code:
        given = {"subclass": name("numpy", "ndarray"), "shape": tuple_(number(1)), "order": text("C"), "dtype": call(name("numpy", "dtype"), text("u1")), "allow_mmap": b"\x89"}
        given |= {key: value(effect) for key, value in state.items()}
        return built(new(name("joblib.numpy_pickle", "NumpyArrayWrapper")), dict_(**given)) + b"\x07"  # the array's byte

    return make


def torch_class(effect: Effect, **state: Code) -> Code:
    """An instance of a class of torch that is not on the list."""
    return built(new(name("torch.distributed.checkpoint.staging", "StateDictStager")), dict_(**state))


def one(module: str, function: str, *arguments: "Carrier") -> "Carrier":
    return lambda effect: call(name(module, function), *(argument(effect) for argument in arguments))


def consumed(made: "Carrier") -> "Carrier":
    return lambda effect: call(name("builtins", "list"), made(effect))


def having(**methods: "Carrier") -> "Carrier":
    return lambda effect: namespace(**{key: value(effect) for key, value in methods.items()})


def constant(code: Code) -> "Carrier":
    return lambda effect: code


function, arguments = (lambda e: e.function), (lambda e: tuple_(*e.arguments))
PAIR, TENSOR = constant(list_(NONE, NONE)), constant(call(name("torch", "ones"), number(1)))

MORE: dict[str, "Carrier"] = {
    # what loaders do with what they read
    "location": storage(having(startswith=ready)), "location_late": lambda e: b"0".join([namespace(x=NONE), storage(having(startswith=ready))(e)]),
    "joblib_read": wrapper(read=ready), "joblib_alignment": wrapper(safe_get_numpy_array_alignment_bytes=ready), "joblib_read_array": wrapper(read_array=ready),
    "joblib_shape": wrapper(shape=lambda e: tuple_(namespace(__array__=ready(e)))),
    # attributes of instances that opcodes call
    "torch_append": lambda e: torch_class(e, append=all_but_last(e)) + last(e) + b"a", "torch_setstate": lambda e: built(torch_class(e, __setstate__=all_but_last(e)), last(e)),
    "torch_extend": lambda e: torch_class(e, extend=ready(e), append=ready(e)) + b"(" + NONE + NONE + b"e", "torch_add": lambda e: torch_class(e, add=all_but_last(e)) + b"(" + last(e) + b"\x90",
    "class_by_slot": lambda e: built(new(name("argparse", "Namespace")), tuple_(dict_(_shutdown=b"\x89", _workers_done_event=namespace(set=ready(e))), dict_(
        __class__=name("torch.utils.data.dataloader", "_MultiProcessingDataLoaderIter")))) + b"0" + NONE,
    # protocols of which the methods are looked up on the instance
    "array_protocol": one("numpy", "float64", having(__array__=ready)), "asarray": one("numpy", "asarray", having(__array__=ready)),
    "torch_function": one("torch.nn.functional", "relu", having(__torch_function__=ready)), "keys": one("builtins", "dict", having(keys=ready)),
    "ordered_keys": one("collections", "OrderedDict", having(keys=ready)), "user_keys": one("collections", "UserDict", having(keys=ready)),
    "uuid": one("uuid", "UUID", having(replace=ready)), "deepcopy": one("copy", "deepcopy", having(__deepcopy__=ready)), "detach": one("torch.nn.parameter", "Parameter", having(detach=ready)),
    "generic_alias": lambda e: call(name("types", "GenericAlias"), namespace(append=all_but_last(e)), tuple_()) + last(e) + b"a",
    # functions of Python that call what they are given
    "nsmallest": one("heapq", "nsmallest", constant(number(2)), PAIR, ready), "nlargest": one("heapq", "nlargest", constant(number(2)), PAIR, ready),
    "takewhile": consumed(one("itertools", "takewhile", all_but_last, lambda e: list_(last(e)))), "dropwhile": consumed(one("itertools", "dropwhile", all_but_last, lambda e: list_(last(e)))),
    "filterfalse": consumed(one("itertools", "filterfalse", all_but_last, lambda e: list_(last(e)))), "groupby": consumed(one("itertools", "groupby", lambda e: list_(last(e)), all_but_last)),
    "junk": one("difflib", "SequenceMatcher", all_but_last, constant(text("")), lambda e: list_(last(e))), "re_sub": one("re", "sub", constant(text(".")), ready, constant(text("x"))),
    "finalize": one("weakref", "finalize", constant(namespace()), function, *[lambda e, i=i: e.arguments[i] for i in range(1)]), "weak_callback": lambda e: call(
        name("weakref", "ref"), namespace(), ready(e)) + b"0" + NONE, "manager": one("contextlib", "_GeneratorContextManager", function, arguments, constant(b"}")),
    "new_class": one("types", "new_class", constant(text("X")), constant(tuple_()), constant(NONE), ready), "context_run": lambda e: call(
        name("contextvars", "Context.run"), call(name("contextvars", "Context")), e.function, *e.arguments), "dynamic": one("types", "DynamicClassAttribute.__get__", lambda e: call(
            name("types", "DynamicClassAttribute"), all_but_last(e)), last), "cached": lambda e: call(name("functools", "cached_property.__get__"), built(
                new(name("functools", "cached_property")), dict_(func=ready(e), attrname=text("a"), lock=NONE)), namespace(), NONE),
    "default": lambda e: call(keywords(name("json", "dumps"), default=ready(e)), namespace()), "hook": lambda e: call(keywords(name("json", "loads"), object_hook=ready(e)), text("{}")),
    "translate": one("builtins", "str.translate", constant(text("x")), lambda e: call(name("collections", "defaultdict"), ready(e))), "cmp": lambda e: call(
        keywords(name("builtins", "sorted"), key=call(name("functools", "cmp_to_key"), ready(e))), list_(NONE, NONE)), "lru": lambda e: call(
            call(name("functools", "lru_cache"), all_but_last(e)), last(e)), "executor": lambda e: call(name("concurrent.futures.thread", "ThreadPoolExecutor.submit"), call(
                name("concurrent.futures.thread", "ThreadPoolExecutor"), number(1)), e.function, *e.arguments), "codec": lambda e: call(
                    name("codecs", "register"), ready(e)) + b"0" + call(name("_codecs", "lookup"), text("nosuch")),
    # functions of NumPy and torch
    "assert_raises": one("numpy.testing", "assert_raises", constant(name("builtins", "Exception")), function, *[lambda e: e.arguments[0]]), "over_axes": one(
        "numpy", "apply_over_axes", ready, constant(list_(number(1))), constant(list_(number(0)))), "jacobian": one("torch.autograd.functional", "jacobian", ready, TENSOR),
    "tensor_apply": one("torch", "Tensor.apply_", TENSOR, ready), "module_apply": one("torch.nn.modules.module", "Module._apply", lambda e: built(new(
        name("torch.nn.modules.linear", "Identity")), dict_(_modules=b"}", _parameters=dict_(a=call(name("torch.nn.parameter", "Parameter"), call(name("torch", "ones"), number(1)))), _buffers=b"}")), ready),
    "register": lambda e: call(name("torch.serialization", "register_package"), number(-1), ready(e), ready(e)) + b"0" + storage(constant(text("cpu")))(e),
    "tree_leaves": one("torch.utils._pytree", "tree_flatten", constant(list_()), ready), "vmap": lambda e: call(call(name("torch._functorch.apis", "vmap"), ready(e)), call(
        name("torch", "ones"), number(1))),
}


def joblib_file(path: Path, code: Code) -> None:
    path.write_bytes(b"\x80\x04" + code + b".")


def load_joblib(path: Path) -> None:
    import joblib

    joblib.load(path)


def storage_zip(path: Path, code: Code) -> None:
    """An archive with the storage "0"."""
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02}" + text("a") + code + b"s.")
        archive.writestr("archive/byteorder", "little")
        archive.writestr("archive/version", "3\n")
        archive.writestr("archive/data/0", struct.pack("<f", 1))


__all__ = ["MORE", "joblib_file", "load_joblib", "more_effects", "raw", "storage_zip"]
