// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/scan_rules.h"

#include "core/codec/pickle/known_names.h"
#include "core/codec/pickle/scan.h"

#include <algorithm>
#include <array>

// What is known of names that are not in known_names.h, the list of those that were read.

namespace cairn::pickle {
namespace {

struct Names {
    std::string_view module;
    std::string_view names; ///< separated by spaces
};

// clang-format off
/// Reported even if only mentioned: nothing in a checkpoint needs them.
constexpr auto kDangerous = std::to_array<Names>({
    {"builtins", "eval exec compile open __import__ setattr delattr apply execfile input breakpoint globals locals"
                 " vars map filter super exit quit memoryview classmethod staticmethod property"},
    {"operator", "attrgetter methodcaller itemgetter call"},
    {"functools", "partialmethod"},
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
/// Classes of the standard library under any name of a package that imports them: their constructors
/// or destructors start programs or threads, open files or call what they are given.
constexpr std::string_view kExecutorClasses =
    "Popen Process Shell InteractiveConsole InteractiveInterpreter Thread ThreadPool ThreadPoolExecutor ProcessPoolExecutor"
    " TemporaryFile NamedTemporaryFile SpooledTemporaryFile TemporaryDirectory FileIO ZipFile TarFile GzipFile BZ2File LZMAFile"
    " FileHandler RotatingFileHandler CDLL PyDLL FunctionType LambdaType CodeType MethodType ModuleType";

constexpr std::string_view kRunOnImport =
    " antigravity this test.autotest test.__main__ idlelib.idle turtledemo.__main__ ";

/// The rest of the standard library of Python 2.7 to 3.14.
constexpr std::string_view kStandardModules =
    "Bastion UserDict __future__ __hello__ __phello__ _abc _android_support _apple_support _ast _asyncio _bisect _blake2"
    " _bootlocale _bz2 _codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections"
    " _collections_abc _colorize _compat_pickle _compression _contextvars _crypt _csv _ctypes_test _curses _curses_panel"
    " _datetime _dbm _decimal _dummy_thread _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm"
    " _hashlib _heapq _imp _interpchannels _interpqueues _interpreters _io _ios_support _json _locale _lzma _markupbase _md5"
    " _msi _multibytecodec _multiprocessing _opcode _operator _overlapped _posixshmem _py_abc _py_warnings _pydatetime"
    " _pydecimal _pyio _pylong _queue _random _remote_debugging _scproxy _sha1 _sha256 _sha3 _sha512 _signal _sitebuiltins"
    " _sqlite3 _sre _ssl _stat _statistics _string _strptime _struct _suggestions _symtable _sysconfig _testbuffer"
    " _testclinic _testimportmultiple _testinternalcapi _testlimitedcapi _testmultiphase _testsinglephase _threading_local"
    " _tkinter _tokenize _tracemalloc _typing _uuid _warnings _weakref _weakrefset _winapi _xxinterpchannels"
    " _xxsubinterpreters _xxtestfuzz _zoneinfo _zstd abc al annotationlib anydbm argparse array ast asynchat asyncore"
    " audioop base64 binascii binhex bisect bsddb builtins calendar cd chunk cl cmath cmd codecs collections colorsys"
    " compileall compiler compression configparser contextlib contextvars copy copyreg csv curses dataclasses datetime"
    " decimal difflib dircache dis dl dummy_threading email encodings enum errno exceptions faulthandler fcntl filecmp fm"
    " fnmatch formatter fpformat fractions functools future_builtins genericpath getopt getpass gettext gl graphlib grp"
    " hashlib heapq hmac hotshot html htmllib ihooks imghdr imputil io ipaddress itertools json keyword locale macpath"
    " mailbox mailcap math md5 mhlib mimetypes mimify mmap modulefinder msilib msvcrt multifile mutex netrc new nis numbers"
    " opcode operator optparse os2 ossaudiodev parser pathlib pickletools pipes plistlib posixfile pprint pstats pwd"
    " py_compile pyclbr pydoc_data pyexpat queue quopri random re readline reprlib resource rexec rlcompleter secrets select"
    " selectors sets sgmllib sha shlex smtpd sndhdr socketserver spwd sre sre_compile sre_constants sre_parse stat"
    " statistics statvfs string stringprep struct sunau sv symbol symtable syslog tabnanny termios textwrap thread time"
    " toaiff token tokenize tomllib traceback tracemalloc tty turtle types typing unicodedata user uu warnings wave weakref"
    " whichdb winreg winsound xdrlib xml xxlimited xxsubtype zlib zoneinfo";
// clang-format on

template <std::size_t N> bool has(const std::array<Names, N>& table, GlobalName name) {
    return std::ranges::any_of(table, [&](const Names& row) {
        return row.module == name.module && listed(row.names, name.name);
    });
}

std::string_view firstPart(std::string_view dotted) {
    return dotted.substr(0, dotted.find('.'));
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

/// A name of the list.
Verdict assessKnown(Known known, Use use) {
    const bool called = use == Use::Called;
    const bool made = use == Use::Instantiated;
    switch (known) {
    case Known::Value:
    case Known::Type:
        return called || made ? Verdict::WouldRunCode : Verdict::Inert;
    case Known::Data:
    case Known::Reader:
    case Known::Record:
        return called ? Verdict::WouldRunCode : Verdict::Inert;
    default:
        return Verdict::Inert;
    }
}

/// A name of Python, NumPy or torch that is not on the list. Classes of other versions of torch are
/// saved without a call, so that they are unknown as long as they only lie there.
Verdict assessUnread(GlobalName name, Use use) {
    const bool isClass = looksLikeClass(name.name);
    if (use == Use::Mentioned) {
        const bool throughModule =
            name.name.find('.') != std::string_view::npos && !looksLikeClass(firstPart(name.name));
        return throughModule ? Verdict::WouldRunCode : Verdict::UnknownClass;
    }
    const bool data = use == Use::Instantiated && isClass && inClassPackage(name.module) &&
                      !isUnreadClass(name) && !executes(name);
    return data ? Verdict::UnknownClass : Verdict::WouldRunCode;
}

/// What Cython generates to make an instance of an extension type.
bool isCython(GlobalName name) {
    return name.name.starts_with("__pyx_unpickle_");
}

} // namespace

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

bool isClosedWorld(std::string_view module) {
    const std::string_view top = firstPart(module);
    return top == "torch" || top == "numpy" || listed(kStandardModules, top) ||
           listed(kDangerousModules, top);
}

Verdict assessGlobal(GlobalName name, Use use) {
    if (const auto known = knownName(name)) {
        return assessKnown(*known, use);
    }
    if (has(kDangerous, name) || listed(kDangerousModules, firstPart(name.module)) ||
        reachesDangerous(name) || runsOnImport(name)) {
        return Verdict::WouldRunCode;
    }
    if (isClosedWorld(name.module)) {
        return assessUnread(name, use);
    }
    if (use == Use::Mentioned) {
        return Verdict::UnknownClass;
    }
    if (executes(name)) {
        return Verdict::WouldRunCode;
    }
    // Called by REDUCE, INST or OBJ: an enum or an exception of a user's program is made like that,
    // but so is the result of any function.
    const bool data = use == Use::Instantiated || looksLikeClass(name.name) || isCython(name);
    return data ? Verdict::UnknownClass : Verdict::WouldRunCode;
}

} // namespace cairn::pickle
