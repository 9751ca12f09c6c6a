# SPDX-License-Identifier: Apache-2.0
"""Pickles that run code when Python loads them, generated: each is a way to reach a function, a way to have it called, and an
encoding. The only thing that any of them does is to make a file `ran` in its own folder. `proven()` loads one in a child
process without network, with a home of its own and with limits; a pickle is never loaded in the process that made it.

python running_pickles.py FOLDER [COUNT [SEED]] makes them, loads each, and prints those that did not run."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import os
import pickle
import random
import resource
import shutil
import signal
import struct
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

LIMIT_S = 20
NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000  # CLONE_NEWNET, CLONE_NEWUSER

# A value of a pickle: bytes of opcodes, which leave one value on the stack.
Code = bytes


def text(value: str) -> Code:
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def raw(value: bytes) -> Code:
    return b"B" + struct.pack("<I", len(value)) + value


def number(value: int) -> Code:
    return b"J" + struct.pack("<i", value)


def name(module: str, attribute: str) -> Code:
    return text(module) + text(attribute) + b"\x93"


def tuple_(*items: Code) -> Code:
    return b"(" + b"".join(items) + b"t"


def list_(*items: Code) -> Code:
    return b"](" + b"".join(items) + b"e"


def dict_(**items: Code) -> Code:
    return b"}(" + b"".join(text(key) + value for key, value in items.items()) + b"u"


def call(function: Code, *arguments: Code) -> Code:
    return function + tuple_(*arguments) + b"R"


def new(type_: Code, *arguments: Code) -> Code:
    return type_ + tuple_(*arguments) + b"\x81"


def new_with(type_: Code, arguments: tuple[Code, ...], **keywords: Code) -> Code:
    return type_ + tuple_(*arguments) + dict_(**keywords) + b"\x92"


def built(instance: Code, state: Code) -> Code:
    return instance + state + b"b"


def partial(function: Code, *arguments: Code) -> Code:
    return call(name("functools", "partial"), function, *arguments)


def namespace(**attributes: Code) -> Code:
    return built(new(name("argparse", "Namespace")), dict_(**attributes))


NONE = b"N"


@dataclass
class Effect:
    """A function that makes the file when it is called with these arguments."""

    label: str
    function: Code
    arguments: list[Code]


LEGACY_HEAD = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19." + b"\x80\x02M\xe9\x03."  # torch.save before 1.6: magic number, version


def effects(marker: str) -> list[Effect]:
    command, path, code = text(f"touch {marker}"), text(marker), text(f"open({marker!r}, 'w').close()")
    payload = b"\x80\x04" + call(name("posix", "system"), command) + b"."
    stream, file = call(name("_io", "BytesIO"), raw(payload)), call(name("pathlib", "PosixPath"), path)
    shell = call(name("code", "InteractiveInterpreter"))
    return [
        Effect("system", name("os", "system"), [command]), Effect("posix", name("posix", "system"), [command]),
        Effect("popen", name("subprocess", "Popen"), [list_(text("touch"), path)]), Effect("getoutput", name("subprocess", "getoutput"), [command]),
        Effect("eval", name("builtins", "eval"), [code]), Effect("exec", name("builtins", "exec"), [code]),
        Effect("open", name("_io", "open"), [path, text("w")]), Effect("FileIO", name("_pyio", "FileIO"), [path, text("w")]),
        Effect("alias", name("random", "_os.system"), [command]), Effect("alias_of_torch", name("torch.serialization", "os.system"), [command]),
        Effect("alias_of_numpy", name("numpy.lib._datasource", "os.system"), [command]), Effect("mkdir", name("os", "mkdir"), [path]),
        Effect("loads", name("pickle", "loads"), [raw(payload)]), Effect("_loads", name("_pickle", "loads"), [raw(payload)]),
        Effect("load", name("pickle", "load"), [stream]), Effect("pure_loads", name("pickle", "_loads"), [raw(payload)]),
        Effect("torch_bytes", name("torch.storage", "_load_from_bytes"), [raw(LEGACY_HEAD + payload)]),
        Effect("myeval", name("numpy.f2py.crackfortran", "myeval"), [code]), Effect("runstring", name("numpy.testing._private.utils", "runstring"), [code, b"}"]),
        Effect("exec_with_source", name("torch.fx.graph_module", "_exec_with_source"), [code, b"}"]), Effect("dynamo_exec", name("torch._dynamo.utils", "exec"), [code]),
        Effect("touch", name("pathlib", "Path.touch"), [file]), Effect("write_text", name("pathlib", "Path.write_text"), [file, text("x")]),
        Effect("copyfile", name("shutil", "copyfile"), [text("/etc/hostname"), path]), Effect("symlink", name("os", "symlink"), [text("/"), path]),
        Effect("memmap", name("numpy", "memmap"), [path, text("uint8"), text("w+"), number(0), tuple_(number(1))]),
        Effect("save", name("torch", "save"), [number(1), path]), Effect("np_save", name("numpy", "save"), [call(name("_io", "open"), path, text("wb")), number(1)]),
        Effect("timeit", name("timeit", "timeit"), [code]), Effect("cprofile", name("cProfile", "run"), [code]),
        Effect("bdb", name("bdb", "Bdb.run"), [call(name("bdb", "Bdb")), code]), Effect("runsource", name("code", "InteractiveInterpreter.runsource"), [shell, code]),
        Effect("sqlite", name("sqlite3", "connect"), [path]), Effect("codecs_open", name("codecs", "open"), [path, text("w")]),
        Effect("zipfile", name("zipfile", "ZipFile"), [path, text("w")]), Effect("handler", name("logging", "FileHandler"), [path]),
        Effect("mailbox", name("mailbox", "mbox"), [path]), Effect("method", call(name("builtins", "getattr"), file, text("touch")), []),
        Effect("attribute", call(name("builtins", "getattr"), name("random", "_os"), text("system")), [command]),
        Effect("ufunc", call(name("numpy._core", "_ufunc_reconstruct"), text("os"), text("system")), [command]),
        Effect("methodcaller", call(name("operator", "methodcaller"), text("touch")), [file]), Effect("partial", partial(name("os", "system"), command), []),
        Effect("cloudpickle", name("cloudpickle", "loads"), [raw(payload)]), Effect("save_file", name("safetensors.numpy", "save_file"), [b"}", path]), Effect("collect_env", name("torch.utils.collect_env", "run"), [command]),
        Effect("from_file", name("torch", "UntypedStorage.from_file"), [path, b"\x88", number(1)]),
        Effect("tensor_from_file", call(name("builtins", "getattr"), name("torch._C", "_VariableFunctionsClass"), text("from_file")), [path, b"\x88", number(1)]),
        Effect("create_fn", name("dataclasses", "_create_fn"), [text("f"), list_(text(f"a=open({marker!r}, 'w')")), list_(text("pass"))]),
    ]


Carrier = Callable[[Effect], Code]


def applied(effect: Effect) -> Code:
    return call(effect.function, *effect.arguments)


def ready(effect: Effect) -> Code:
    """A function that has the effect without arguments, and with further ones where the function accepts them."""
    return partial(effect.function, *effect.arguments)


def all_but_last(effect: Effect) -> Code:
    return partial(effect.function, *effect.arguments[:-1]) if len(effect.arguments) > 1 else effect.function


def last(effect: Effect) -> Code:
    return effect.arguments[-1]


def one(module: str, function: str, *arguments: Callable[[Effect], Code]) -> Carrier:
    """A call of this function with these arguments."""
    return lambda effect: call(name(module, function), *(argument(effect) for argument in arguments))


def always(code: Code) -> Carrier:
    return lambda effect: code


def listed(*items: Carrier) -> Carrier:
    return lambda effect: list_(*(item(effect) for item in items))


def starmap(effect: Effect) -> Code:
    return new(name("itertools", "starmap"), effect.function, list_(tuple_(*effect.arguments)))


def mapped(effect: Effect) -> Code:
    return call(name("builtins", "map"), effect.function, *(list_(argument) for argument in effect.arguments))


def defaults(effect: Effect) -> Code:
    return call(name("collections", "defaultdict"), ready(effect))


def with_key(function: str) -> Carrier:
    """sorted, min or max, whose key function is the effect: keywords are in the state of a partial."""
    def make(effect: Effect) -> Code:
        keyed = built(partial(name("builtins", function)), tuple_(name("builtins", function), tuple_(), dict_(key=ready(effect)), b"}"))
        return call(keyed, list_(NONE, NONE))

    return make


def from_type(function: Carrier, arguments: Carrier) -> Carrier:
    return lambda effect: call(name("torch._tensor", "_rebuild_from_type_v2"), function(effect), name("torch", "Tensor"), arguments(effect), b"}")


def arguments_of(effect: Effect) -> Code:
    return tuple_(*effect.arguments)


def function_of(effect: Effect) -> Code:
    return effect.function


def instance(module: str, class_: str, **state: Carrier) -> Carrier:
    return lambda effect: built(new(name(module, class_)), dict_(**{key: value(effect) for key, value in state.items()}))


def dropped(made: Carrier) -> Carrier:
    return lambda effect: made(effect) + b"0" + NONE


def inside(*before: bytes) -> Carrier:
    return lambda effect: raw(b"".join(before) + b"\x80\x04" + applied(effect) + b".")


def object_with(**methods: Carrier) -> Carrier:
    return lambda effect: namespace(**{key: value(effect) for key, value in methods.items()})


EMPTY, YES, NO, ONE = always(b"}"), always(b"\x88"), always(b"\x89"), always(number(1))
NOTHING, IDENTITY = always(NONE), always(new(name("torch.nn.modules.linear", "Identity")))

CARRIERS: dict[str, Carrier] = {
    # calls
    "reduce": applied, "dropped": dropped(applied), "obj": lambda e: b"(" + e.function + b"".join(e.arguments) + b"o",
    "in_key": lambda e: b"}" + applied(e) + NONE + b"s", "in_state": object_with(a=applied), "partial_call": lambda e: call(ready(e)),
    "partial_state": lambda e: call(built(partial(name("builtins", "len")), tuple_(e.function, arguments_of(e), b"}", b"}"))),
    "newobj": lambda e: new(e.function, *e.arguments), "newobj_ex": lambda e: new_with(e.function, tuple(e.arguments)),
    "newobj_function": lambda e: call(name("copyreg", "__newobj__"), e.function, *e.arguments),
    "newobj_ex_function": lambda e: call(name("copyreg", "__newobj_ex__"), e.function, arguments_of(e), b"}"),
    "reconstructor": lambda e: call(name("copyreg", "_reconstructor"), e.function, e.function, *e.arguments[:1]),
    "atexit": lambda e: call(name("atexit", "register"), e.function, *e.arguments),
    "exit_stack": lambda e: call(name("contextlib", "ExitStack.__exit__"), built(call(name("contextlib", "ExitStack")), dict_(
        _exit_callbacks=list_(tuple_(b"\x88", ready(e))))), NONE, NONE, NONE),
    "method": lambda e: call(call(name("types", "MethodType"), all_but_last(e), last(e))),
    "alias": one("operator", "getitem", lambda e: call(name("collections", "defaultdict"), partial(call(name("types", "GenericAlias"), e.function, tuple_()), *e.arguments)), NOTHING),
    "annotated": one("operator", "getitem", lambda e: call(name("collections", "defaultdict"), partial(
        call(name("_operator", "getitem"), name("typing", "Annotated"), tuple_(e.function, text("x"))), *e.arguments)), NOTHING),
    "computed": lambda e: name("copyreg", "__newobj__") + call(name("builtins", "tuple"), list_(e.function, *e.arguments)) + b"R",
    "partials": one("operator", "getitem", lambda e: call(name("collections", "defaultdict"), call(
        name("functools", "reduce"), name("functools", "partial"), list_(e.function, *e.arguments))), NOTHING),
    "thread": lambda e: call(name("multiprocessing.pool", "ThreadPool"), number(1), e.function, arguments_of(e)),
    # functions that are given to functions which checkpoints contain
    "rebuild": from_type(function_of, arguments_of), "rebuild_twice": from_type(always(name("torch._tensor", "_rebuild_from_type_v2")), lambda e: tuple_(
        e.function, name("torch", "Tensor"), arguments_of(e), b"}")),
    "as_subclass": from_type(always(name("torch.jit._pickle", "restore_type_tag")), lambda e: tuple_(namespace(as_subclass=ready(e)), text("x"))),
    "generator": one("numpy.random._pickle", "__generator_ctor", last, all_but_last), "random_state": one("numpy.random._pickle", "__randomstate_ctor", last, all_but_last),
    "jax": one("jax._src.array", "_reconstruct_array", function_of, arguments_of, EMPTY, EMPTY),
    # functions that are given to functions of the language
    "map": one("builtins", "list", mapped), "map_tuple": one("builtins", "tuple", mapped), "map_new": lambda e: new(name("builtins", "tuple"), mapped(e)),
    "map_dict": one("builtins", "dict", lambda e: call(name("builtins", "zip"), mapped(e), list_(NONE))),
    "filter": one("builtins", "list", lambda e: call(name("builtins", "filter"), all_but_last(e), list_(last(e)))),
    "starmap": one("builtins", "list", starmap), "starmap_new": lambda e: new(name("builtins", "frozenset"), starmap(e)),
    "starmap_zip": one("builtins", "dict", lambda e: call(name("builtins", "zip"), starmap(e), list_(NONE))), "starmap_deque": one("collections", "deque", starmap),
    "accumulate": one("builtins", "list", lambda e: new(name("itertools", "accumulate"), list_(NONE, NONE), ready(e))), "fold": one("functools", "reduce", ready, always(list_(NONE, NONE))),
    "iter": one("builtins", "dict", lambda e: call(name("builtins", "zip"), call(name("builtins", "iter"), ready(e), text("end")), list_(NONE))),
    "sorted": with_key("sorted"), "max": with_key("max"), "getitem": one("operator", "getitem", defaults, NOTHING), "getitem_c": one("_operator", "getitem", defaults, NOTHING),
    "chain_map": one("builtins", "dict", lambda e: call(name("collections", "ChainMap"), defaults(e), dict_(k=NONE))),
    "chain_map_built": one("builtins", "dict", instance("collections", "ChainMap", maps=listed(defaults, always(dict_(k=NONE))))),
    "singledispatch": lambda e: call(call(name("functools", "singledispatch"), all_but_last(e)), last(e)),
    # methods that Python calls to set a state, or to fill or delete an instance
    "setstate": lambda e: built(namespace(__setstate__=all_but_last(e)), last(e)), "append": lambda e: namespace(append=all_but_last(e)) + last(e) + b"a",
    "extend": lambda e: namespace(extend=ready(e), append=ready(e)) + b"(" + NONE + NONE + b"e", "add": lambda e: namespace(add=all_but_last(e)) + b"(" + last(e) + b"\x90",
    "items": lambda e: built(new(name("argparse", "Namespace")), namespace(items=ready(e))),
    "sgd": instance("torch.optim.sgd", "SGD", defaults=object_with(setdefault=ready), param_groups=listed(), state=EMPTY),
    "adam": instance("torch.optim.adam", "Adam", defaults=EMPTY, param_groups=listed(object_with(setdefault=ready)), state=EMPTY),
    "module_state": lambda e: built(new(name("torch.nn.modules.linear", "Identity")), namespace(keys=ready(e))),
    "pool": dropped(instance("multiprocessing.pool", "ThreadPool", _state=always(text("RUN")), _change_notifier=object_with(put=ready))),
    "popen": dropped(instance("subprocess", "Popen", _child_created=YES, pid=ONE, returncode=NOTHING, _internal_poll=ready)),
    "data_loader": dropped(instance("torch.utils.data.dataloader", "_MultiProcessingDataLoaderIter", _shutdown=NO, _workers_done_event=object_with(set=ready))),
    "stream": dropped(instance("torch.utils.data.datapipes.utils.common", "StreamWrapper", file_obj=object_with(close=ready), child_counter=always(number(0)),
                               close_on_last_child=YES, closed=NO)),
    "temporary": dropped(instance("tempfile", "_TemporaryFileCloser", close_called=NO, delete=NO, file=object_with(close=ready))),
    "data_pipe": dropped(instance("torch.utils.data.datapipes.iter.combinatorics", "ShufflerIterDataPipe", _buffer=object_with(clear=ready))),
    # functions of NumPy and torch that call what they are given
    "vectorize": lambda e: call(call(name("numpy", "vectorize"), all_but_last(e)), list_(last(e))), "fromfunction": one("numpy", "fromfunction", ready, always(tuple_())),
    "apply_along_axis": one("numpy", "apply_along_axis", ready, always(number(0)), always(list_(number(1)))),
    "frompyfunc": lambda e: call(call(name("numpy", "frompyfunc"), all_but_last(e), number(1), number(1)), last(e)),
    "piecewise": one("numpy", "piecewise", lambda e: call(name("numpy", "float64"), number(1)), always(list_(b"\x88")), listed(ready)),
    "tree_map": one("torch.utils._pytree", "tree_map", all_but_last, lambda e: list_(last(e))), "tree_any": one("torch.utils._pytree", "tree_any", all_but_last, last),
    "checkpoint": one("torch.utils.checkpoint", "checkpoint", all_but_last, last), "apply": one("torch.nn.modules.module", "Module.apply", lambda e: call(name("torch.nn.modules.linear", "Identity")), ready),
    "call_impl": one("torch.nn.modules.module", "Module._call_impl", instance("torch.nn.modules.linear", "Identity", forward=ready, _backward_hooks=EMPTY,
                                                                             _backward_pre_hooks=EMPTY, _forward_hooks=EMPTY, _forward_pre_hooks=EMPTY)),
    # pickles in pickles
    "loads": one("pickle", "loads", inside()), "bytes": one("torch.storage", "_load_from_bytes", inside(LEGACY_HEAD)),
    "bytes_rebuilt": from_type(always(name("torch.storage", "_load_from_bytes")), lambda e: tuple_(inside(LEGACY_HEAD)(e))),
    "bytes_generator": one("numpy.random._pickle", "__randomstate_ctor", inside(LEGACY_HEAD), always(name("torch.storage", "_load_from_bytes"))),
    "numpy_load": one("numpy", "load", lambda e: call(name("_io", "BytesIO"), inside()(e)), NOTHING, YES),
}


def plain_file(path: Path, code: Code) -> None:
    path.write_bytes(b"\x80\x04" + code + b".")


def torch_zip(path: Path, code: Code) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02}" + text("a") + code + b"s.")
        archive.writestr("archive/byteorder", "little")
        archive.writestr("archive/version", "3\n")


def torch_legacy(path: Path, code: Code) -> None:
    head = [pickle.dumps(0x1950A86A20F9469CFC6C, 2), pickle.dumps(1001, 2), pickle.dumps({"protocol_version": 1001, "little_endian": True,
            "type_sizes": {"short": 2, "int": 4, "long": 4}}, 2)]
    path.write_bytes(b"".join(head) + b"\x80\x02}" + text("a") + code + b"s." + pickle.dumps([], 2))


def load_pickle(path: Path) -> None:
    with open(path, "rb") as stream:
        pickle.load(stream)


def load_python(path: Path) -> None:
    with open(path, "rb") as stream:
        pickle._Unpickler(stream).load()


def load_torch(path: Path) -> None:
    import torch

    torch.load(path, weights_only=False)


def effects_of(marker: str) -> list[Effect]:
    return effects(marker) + running_carriers.more_effects(marker)


ENCODINGS = {"pickle": (plain_file, load_pickle, ".pkl"), "python": (plain_file, load_python, ".pkl"), "zip": (torch_zip, load_torch, ".pt"),
             "legacy": (torch_legacy, load_torch, ".pth"), "bin": (plain_file, load_pickle, ".bin")}
#: those that only one loader reads
OWN_ENCODING = {**{carrier: "storage" for carrier in ("location", "location_late", "register")},
                **{carrier: "joblib" for carrier in ("joblib_read", "joblib_alignment", "joblib_read_array", "joblib_shape")}}


@dataclass
class Sample:
    label: str
    carrier: str
    path: Path
    marker: Path
    load: Callable[[Path], None] = field(repr=False)


def isolate(home: Path) -> None:
    """In the child: no network, its own home and working folder, limits."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_NETWORK | (0 if os.geteuid() == 0 else NEW_USER)) != 0:
        os._exit(3)  # nothing is loaded without it
    os.environ.update({"HOME": str(home), "TMPDIR": str(home)})
    os.chdir(home)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    signal.alarm(LIMIT_S)


def proven(sample: Sample) -> bool:
    """Whether loading it makes the file; removes the file again."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            isolate(sample.path.parent)
            atexit._clear()  # what this program registered
            try:
                sample.load(sample.path)
            finally:
                gc.collect()
                atexit._run_exitfuncs()
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == 3:
        raise RuntimeError("samples are only loaded in a process without network, which this system refuses")
    for _ in range(10):  # a command may still be running
        if os.path.lexists(sample.marker):
            shutil.rmtree(sample.marker) if sample.marker.is_dir() and not sample.marker.is_symlink() else sample.marker.unlink()
            return True
        time.sleep(0.01)
    return False


def make(folder: Path, carrier_name: str, effect_number: int, encoding: str, number_: int) -> Sample:
    own = folder / f"{number_:05}"
    own.mkdir(parents=True)
    marker = own / "ran"
    (own / "hubconf.py").write_text(f"open({str(marker)!r}, 'w').close()\n")
    effect = effects_of(str(marker))[effect_number]
    write, load, ending = ENCODINGS[encoding]
    path = own / f"sample{ending}"
    write(path, CARRIERS[carrier_name](effect))
    return Sample(f"{carrier_name}({effect.label}) in {encoding}", carrier_name, path, marker, load)


def generate(folder: Path, count: int, seed: int, carriers: tuple[str, ...] = ()):
    """Samples that are proven to run, `count` of them, every carrier and effect about equally often."""
    r = random.Random(seed)
    old, size = len(effects("")), len(effects_of(""))
    # the first functions with every carrier, the others with the plainest ones and the newer carriers
    choices = [(c, e) for c in CARRIERS for e in range(size) if e < old or c in running_carriers.MORE or c in ("reduce", "rebuild", "starmap")]
    choices = [(c, e) for c, e in choices if c in carriers] if carriers else choices
    r.shuffle(choices)
    found = 0
    for attempt, (carrier_name, effect_number) in enumerate(choices * len(ENCODINGS)):
        if found == count:
            return
        encoding = OWN_ENCODING.get(carrier_name) or r.choice([each for each in ENCODINGS if each not in ("storage", "joblib")])
        try:
            sample = make(folder, carrier_name, effect_number, encoding, attempt)
        except IndexError:
            continue  # the carrier needs an argument that the effect lacks
        if proven(sample):
            found += 1
            yield sample
        else:
            sample.path.unlink()


import running_carriers  # noqa: E402  which uses the functions above

CARRIERS |= running_carriers.MORE
ENCODINGS |= {"storage": (running_carriers.storage_zip, load_torch, ".pt"), "joblib": (running_carriers.joblib_file, running_carriers.load_joblib, ".joblib")}


if __name__ == "__main__":
    sys.modules["running_pickles"] = sys.modules["__main__"]
    import torch.optim  # noqa: F401  once, before the processes that load them

    given = [*map(int, sys.argv[2:])]
    made = list(generate(Path(sys.argv[1]), given[0] if given else 100, given[1] if len(given) > 1 else 0))
    print(len(made), "samples that run")
