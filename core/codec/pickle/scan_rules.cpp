// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/scan_rules.h"

#include "core/codec/pickle/scan.h"

#include <algorithm>
#include <array>

// The lists. Inert names only make values from their arguments: they do not import, call an
// argument, or access a file, the network or the interpreter. A name that takes a callable is
// judged in scan.cpp together with its arguments.

namespace cairn::pickle {
namespace {

struct Names {
    std::string_view module;
    std::string_view names; ///< separated by spaces
};

// clang-format off
constexpr auto kInert = std::to_array<Names>({
    {"builtins", "bool bytearray bytes complex dict float frozenset int list object range set slice str tuple Ellipsis NotImplemented"},
    {"collections", "OrderedDict Counter defaultdict deque ChainMap UserDict UserList UserString"},
    {"_codecs", "encode"},
    {"copyreg", "_reconstructor __newobj__ __newobj_ex__"},
    {"argparse", "Namespace"},
    {"types", "SimpleNamespace NoneType"},
    {"_io", "BytesIO StringIO"},
    {"io", "BytesIO StringIO"},
    {"datetime", "date time datetime timedelta timezone"},
    {"zoneinfo", "ZoneInfo ZoneInfo._unpickle"},
    {"decimal", "Decimal"},
    {"fractions", "Fraction"},
    {"uuid", "UUID SafeUUID"},
    {"pathlib", "Path PurePath PosixPath PurePosixPath WindowsPath PureWindowsPath"},
    {"pathlib._local", "Path PurePath PosixPath PurePosixPath WindowsPath PureWindowsPath"},
    {"random", "Random"},
    {"enum", "auto"},
    {"torch", "Size device Tensor dtype layout memory_format qscheme Generator"
              " float64 float32 float16 float double half bfloat16 complex32 complex64 complex128 cfloat cdouble chalf"
              " int64 int32 int16 int8 long int short uint8 uint16 uint32 uint64 bool"
              " float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2"
              " qint8 quint8 qint32 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16"
              " int1 int2 int3 int4 int5 int6 int7 uint1 uint2 uint3 uint4 uint5 uint6 uint7"
              " strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged"
              " contiguous_format preserve_format channels_last channels_last_3d"
              " per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric"
              " per_channel_affine_float_qparams"},
    {"torch._utils", "_rebuild_tensor _rebuild_tensor_v2 _rebuild_tensor_v3 _rebuild_parameter"
                     " _rebuild_parameter_with_state _rebuild_qtensor _rebuild_sparse_tensor _rebuild_sparse_csr_tensor"
                     " _rebuild_meta_tensor_no_storage _rebuild_device_tensor_from_numpy"
                     " _rebuild_device_tensor_from_cpu_tensor _rebuild_xla_tensor _rebuild_nested_tensor"
                     " _rebuild_wrapper_subclass"},
    {"torch._tensor", "_rebuild_from_type _rebuild_from_type_v2 Tensor"},
    {"torch.tensor", "_rebuild_from_type _rebuild_from_type_v2"},
    {"torch.serialization", "_get_layout"},
    {"torch.storage", "UntypedStorage TypedStorage _UntypedStorage _TypedStorage _load_from_bytes"},
    {"torch.nn.parameter", "Parameter Buffer UninitializedParameter UninitializedBuffer"},
    {"torch.nn", "Parameter"},
    {"torch._C", "_LegacyVariableBase Generator"},
    {"torch.autograd.variable", "Variable"},
    {"torch.jit._pickle", "restore_type_tag build_intlist build_tensorlist build_doublelist build_boollist"
                          " build_tensor_from_id"},
    {"torch.distributed.checkpoint.metadata",
     "Metadata TensorStorageMetadata BytesStorageMetadata ChunkStorageMetadata TensorProperties MetadataIndex"
     " StorageMeta _MEM_FORMAT_ENCODING"},
    {"torch.distributed.checkpoint.filesystem", "_StorageInfo _StoragePrefix"},
    {"torch.distributed.checkpoint._fsspec_filesystem", "_StorageInfo"},
    {"torch.distributed.checkpoint._hf_utils", "_HFStorageInfo"},
    {"torch.distributed.checkpoint.planner",
     "SavePlan WriteItem WriteItemType TensorWriteData BytesIOWriteData LoadPlan ReadItem LoadItemType"},
    {"torch.distributed._shard.checkpoint.metadata",
     "Metadata TensorStorageMetadata BytesStorageMetadata ChunkStorageMetadata TensorProperties MetadataIndex"},
    {"torch.distributed._shard.checkpoint.filesystem", "_StorageInfo _StoragePrefix"},
    {"torch.distributed._shard.sharded_tensor.metadata", "TensorProperties ShardedTensorMetadata MEM_FORMAT_ENCODING"},
    {"torch.distributed._shard.sharded_tensor.api", "ShardedTensor ShardedTensor.ProcessGroupState"},
    {"torch.distributed._sharded_tensor.api", "ShardedTensor ShardedTensor.ProcessGroupState"},
    {"torch.distributed._shard.sharded_tensor.shard", "Shard"},
    {"torch.distributed._shard.metadata", "ShardMetadata"},
    {"torch.distributed._shard.sharding_spec.chunk_sharding_spec", "ChunkShardingSpec"},
    {"torch.distributed._shard.sharding_spec.api", "EnumerableShardingSpec"},
    {"torch.distributed.remote_device", "_remote_device"},
    {"torch.distributed.tensor", "DTensor"},
    {"torch.distributed.tensor._dtensor_spec", "DTensorSpec TensorMeta ShardOrderEntry"},
    {"torch.distributed.tensor.placement_types",
     "Shard _StridedShard Replicate Partial _Partial _NormPartial _MaskPartial"},
    {"torch.distributed.tensor._ops._embedding_ops", "_MaskPartial"},
    {"torch.distributed._tensor", "DTensor"},
    {"torch.distributed._tensor.api", "DTensor"},
    {"torch.distributed._tensor._dtensor_spec", "DTensorSpec TensorMeta"},
    {"torch.distributed._tensor.placement_types",
     "DTensorSpec TensorMeta Shard _StridedShard Replicate Partial _Partial"},
    {"torch.distributed._tensor.device_mesh", "DeviceMesh"},
    {"torch.distributed.device_mesh", "DeviceMesh"},
    {"torch.distributed._mesh_layout", "_MeshLayout _FlatLayout"},
    {"torch.distributed", "ReduceOp"},
    {"torch._C._distributed_c10d", "ReduceOp ReduceOp.RedOpType"},
    {"numpy", "ndarray dtype bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64"
              " complex64 complex128 str_ bytes_ longlong ulonglong intc uintc"},
    {"numpy.core.multiarray", "_reconstruct scalar"},
    {"numpy._core.multiarray", "_reconstruct scalar"},
    {"numpy.core.numeric", "_frombuffer"},
    {"numpy._core.numeric", "_frombuffer"},
    {"numpy.ma.core", "_mareconstruct MaskedArray MaskedConstant"},
    {"numpy.random._pickle", "__randomstate_ctor __generator_ctor __bit_generator_ctor"},
    {"numpy.random._mt19937", "MT19937"},
    {"numpy.random._pcg64", "PCG64 PCG64DXSM"},
    {"numpy.random._philox", "Philox"},
    {"numpy.random._sfc64", "SFC64"},
    {"numpy.random.bit_generator", "SeedSequence __pyx_unpickle_SeedSequence"},
    {"ml_dtypes", "bfloat16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2"
                  " float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn int2 int4 uint2 uint4"},
    {"jax._src.array", "_reconstruct_array"},  // the callable that it gets: scan.cpp
    {"scipy.sparse", "csr_matrix csc_matrix coo_matrix"},
    {"megatron.core.dist_checkpointing.strategies.torch", "MCoreMetadata MCoreSavePlan"},
    {"joblib.numpy_pickle", "NumpyArrayWrapper"},  // the array that follows: pickle_joblib.cpp
});

/// Reported even if only mentioned: nothing in a checkpoint needs them.
constexpr auto kDangerous = std::to_array<Names>({
    {"builtins", "eval exec compile open __import__ getattr setattr delattr apply execfile input breakpoint globals locals"
                 " vars map filter reduce type super exit quit memoryview classmethod staticmethod property"},
    {"operator", "attrgetter methodcaller itemgetter call"},
    {"functools", "reduce partialmethod"},
    {"_functools", "reduce"},
    {"torch", "load hub.load compile jit.load ops os sys subprocess _load_global_deps"},
    {"torch.utils.cpp_extension", "load load_inline CppExtension CUDAExtension BuildExtension"},
    {"torch.utils.collect_env", "run run_lambda run_and_read_all run_and_parse_first_match"},
    {"torch.distributed.run", "run main"},
    {"torch.fx.graph_module", "_exec_with_source _forward_from_src reduce_graph_module reduce_package_graph_module"},
    {"torch.package", "PackageImporter"},
    {"torch.package.package_importer", "PackageImporter"},
    {"numexpr", "NumExpr evaluate"},
    {"numexpr.necompiler", "NumExpr evaluate"},
    {"pandas", "eval read_pickle read_hdf HDFStore"},
    {"pandas.core.computation.eval", "eval"},
    {"pandas.io.pickle", "read_pickle"},
    {"pandas.compat.pickle_compat", "load loads Unpickler"},
    {"keras.layers", "Lambda"},
    {"keras.src.layers.core.lambda_layer", "Lambda"},
    {"hydra.utils", "instantiate call get_method get_class get_object"},
    {"mako.template", "Template ModuleTemplate"},
    {"jinja2.environment", "Environment Template"},
    {"jinja2", "Environment Template"},
    {"marshmallow.utils", "get_func_args"},
    {"joblib.numpy_pickle_compat", "load_compatibility NDArrayWrapper ZNDArrayWrapper"},
    {"torch.serialization", "load _load _legacy_load"},
    {"torch.storage", "_new_shared"},
    {"numpy", "load fromfile f2py"},
    {"numpy.testing._private.utils", "runstring"},
    {"joblib", "load"},
});

/// Top-level modules that access the system, the network, other code or the interpreter.
constexpr std::string_view kDangerousModules =
    " os posix nt sys subprocess _posixsubprocess commands popen2 pty socket _socket shutil ctypes _ctypes cffi importlib imp"
    " runpy code codeop pdb bdb cProfile profile _lsprof trace timeit pip setuptools distutils pkg_resources ensurepip venv"
    " pkgutil zipimport zipapp idlelib lib2to3 doctest unittest test pydoc webbrowser antigravity platform _aix_support"
    " _osx_support _bootsubprocess asyncio multiprocessing concurrent threading _thread signal atexit gc inspect marshal"
    " pickle _pickle cPickle shelve dbm sqlite3 http urllib ftplib smtplib poplib imaplib nntplib telnetlib xmlrpc ssl"
    " tempfile glob fileinput linecache bz2 lzma gzip tarfile zipfile logging cgi cgitb crypt nturl2path ntpath posixpath"
    " site sysconfig sched tkinter turtledemo wsgiref uuid aifc builtins.__dict__ ptyprocess pexpect paramiko fabric"
    " picklescan modelscan fickling nbconvert IPython ipykernel jupyter_core sh plumbum this _pyrepl _testcapi ";

/// Packages that run programs, evaluate text or access the network in constructors: dangerous if
/// something in them is called or instantiated, harmless if only mentioned.
constexpr std::string_view kExecutors =
    " psutil sympy mpmath dill cloudpickle jsonpickle pyximport Cython invoke sarge delegator git fire luigi celery gevent"
    " eventlet twisted trio anyio billiard loky pwn pwnlib scapy selenium playwright docker kubernetes pytest _pytest nose"
    " virtualenv cx_Freeze PyInstaller requests urllib3 httpx aiohttp websocket websockets boto3 botocore asyncssh ";

/// The same for such modules inside a package: gevent.subprocess, numpy.distutils.
constexpr std::string_view kExecutorParts =
    " os posix nt subprocess _posixsubprocess popen2 pty commands ctypes runpy importlib distutils shutil multiprocessing"
    " cloudpickle dill sys marshal builtins __builtin__ ";
constexpr std::string_view kExecutorClasses = " Popen Process Shell InteractiveConsole InteractiveInterpreter ";

constexpr std::string_view kRunOnImport =
    " antigravity this test.autotest test.__main__ idlelib.idle turtledemo.__main__ ";

/// The rest of the standard library: its functions are not known to be harmless when called.
constexpr std::string_view kStandardModules =
    " abc array ast base64 binascii bisect calendar cmath codecs _codecs collections colorsys configparser contextlib"
    " contextvars copy copyreg csv curses dataclasses datetime decimal difflib dis email encodings enum errno fcntl filecmp"
    " fnmatch formatter fractions functools _functools getopt getpass gettext graphlib grp hashlib heapq hmac html io _io"
    " itertools json keyword locale mailbox mailcap math mimetypes mmap netrc numbers opcode operator _operator optparse"
    " parser pathlib pickletools plistlib pprint pwd py_compile pyclbr queue quopri random re readline reprlib resource"
    " rlcompleter secrets select selectors shlex smtpd sndhdr socketserver spwd stat statistics string stringprep struct"
    " symbol symtable syslog tabnanny termios textwrap time token tokenize traceback tracemalloc tty types typing"
    " unicodedata uu warnings wave weakref winreg winsound xml zlib zoneinfo builtins ";
// clang-format on

bool listed(std::string_view list, std::string_view word) {
    if (word.empty() || word.find(' ') != std::string_view::npos) {
        return false;
    }
    for (std::size_t at = list.find(word); at != std::string_view::npos;
         at = list.find(word, at + 1)) {
        const bool begins = at == 0 || list[at - 1] == ' ';
        const std::size_t end = at + word.size();
        if (begins && (end == list.size() || list[end] == ' ')) {
            return true;
        }
    }
    return false;
}

template <std::size_t N> bool has(const std::array<Names, N>& table, GlobalName name) {
    return std::ranges::any_of(table, [&](const Names& row) {
        return row.module == name.module && listed(row.names, name.name);
    });
}

std::string_view firstPart(std::string_view dotted) {
    return dotted.substr(0, dotted.find('.'));
}

bool storageClass(GlobalName name) {
    const bool module = name.module == "torch" || name.module == "torch.cuda" ||
                        name.module == "torch.sparse" || name.module == "torch.cuda.sparse";
    constexpr auto kTypes = std::to_array<std::string_view>(
        {"Double", "Float",    "Half",     "Long",          "Int",          "Short", "Char",
         "Byte",   "Bool",     "BFloat16", "ComplexDouble", "ComplexFloat", "QInt8", "QInt32",
         "QUInt8", "QUInt4x2", "QUInt2x4", "Untyped",       "Typed",        ""});
    for (const std::string_view end : {"Storage", "Tensor"}) {
        if (module && name.name.ends_with(end)) {
            return std::ranges::find(kTypes, name.name.substr(0, name.name.size() - end.size())) !=
                   kTypes.end();
        }
    }
    return false;
}

bool numpyDtypeClass(GlobalName name) {
    return name.module == "numpy.dtypes" && name.name.ends_with("DType") &&
           name.name.find('.') == std::string_view::npos;
}

/// "Foo", "_Foo", "Foo.Bar": the usual form of class names.
bool looksLikeClass(std::string_view name) {
    for (;;) {
        const std::size_t dot = name.find('.');
        std::string_view part = name.substr(0, dot);
        part.remove_prefix(std::min(part.find_first_not_of('_'), part.size()));
        if (part.empty() || part[0] < 'A' || part[0] > 'Z') {
            return false;
        }
        if (dot == std::string_view::npos) {
            return true;
        }
        name.remove_prefix(dot + 1);
    }
}

/// A part of a dotted name that names a dangerous module or function: `torch` + `os.system`.
bool reachesDangerous(GlobalName name) {
    std::string_view rest = name.name;
    if (rest.find('.') == std::string_view::npos) {
        return false;
    }
    while (!rest.empty()) {
        const std::string_view part = firstPart(rest);
        if (listed(kDangerousModules, part) || has(kDangerous, {"builtins", part}) ||
            part.starts_with("__")) {
            return true;
        }
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    }
    return false;
}

/// A name in a package that executes its input.
bool executes(GlobalName name) {
    const std::size_t dot = name.name.rfind('.');
    if (listed(kExecutors, firstPart(name.module)) ||
        listed(kExecutorClasses, name.name.substr(dot == std::string_view::npos ? 0 : dot + 1))) {
        return true;
    }
    std::string_view rest = name.module;
    while (!rest.empty()) {
        const std::string_view part = firstPart(rest);
        if (listed(kExecutorParts, part)) {
            return true;
        }
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    }
    return false;
}

} // namespace

bool isDottedName(std::string_view text) {
    bool begins = true; // at the start of a part
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                            static_cast<unsigned char>(c) >= 0x80;
        if (c == '.' ? begins : !letter && (!digit || begins)) {
            return false;
        }
        begins = c == '.';
    }
    return !begins;
}

bool isImportable(GlobalName name) {
    return isDottedName(name.module) && isDottedName(name.name);
}

bool runsOnImport(GlobalName name) {
    return listed(kRunOnImport, name.module) ||
           (name.module.ends_with(".__main__") && isDottedName(name.module));
}

std::string_view verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Inert:
        return "inert";
    case Verdict::UnknownClass:
        return "unknown-class";
    case Verdict::Malformed:
        return "malformed";
    case Verdict::NotExamined:
        return "not-examined";
    case Verdict::Ambiguous:
        return "ambiguous";
    case Verdict::WouldRunCode:
        return "would-run-code";
    }
    return "malformed";
}

Verdict assessGlobal(GlobalName name, Use use) {
    if (has(kInert, name) || storageClass(name) || numpyDtypeClass(name)) {
        return Verdict::Inert;
    }
    const std::string_view top = firstPart(name.module);
    if (has(kDangerous, name) || listed(kDangerousModules, top) || reachesDangerous(name) ||
        runsOnImport(name)) {
        return Verdict::WouldRunCode;
    }
    if (use == Use::Mentioned) {
        return Verdict::UnknownClass;
    }
    if (executes(name)) {
        return Verdict::WouldRunCode;
    }
    if (use == Use::Instantiated) {
        return Verdict::UnknownClass;
    }
    // Called by REDUCE, INST or OBJ: an enum or an exception of a user's program is made like that,
    // but so is the result of any function.
    const bool library = listed(kStandardModules, top) || top == "torch" || top == "numpy";
    return looksLikeClass(name.name) && !library ? Verdict::UnknownClass : Verdict::WouldRunCode;
}

} // namespace cairn::pickle
