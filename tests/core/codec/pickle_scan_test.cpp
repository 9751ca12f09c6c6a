// SPDX-License-Identifier: Apache-2.0
// What a pickle would call, by the names that it looks up.
#include "tests/core/codec/pickle_scan_fixture.h"

using namespace cairn;
using namespace cairn::pickle;
using namespace cairn::pickle::scanning;

TEST(PickleScan, PlainValuesAreInert) {
    const PickleReport report =
        scanPickle(A().proto(2).op('}').text("a").integer(1).op('s').stop());
    EXPECT_EQ(report.verdict, Verdict::Inert);
    EXPECT_TRUE(report.globals.empty());
    EXPECT_TRUE(report.reasons.empty());
    EXPECT_EQ(report.streams, 1U);
}

TEST(PickleScan, ATorchStateDictIsInert) {
    A bytes;
    bytes.proto(2).global("collections", "OrderedDict").op(')').reduce().text("w");
    bytes.global("torch._utils", "_rebuild_tensor_v2").op('(').op('(').text("storage");
    bytes.global("torch", "FloatStorage").text("0").text("cpu").integer(6).op('t').op('Q');
    bytes.integer(0).integer(2).integer(3).op(0x86).integer(3).integer(1).op(0x86).op(0x89);
    bytes.global("collections", "OrderedDict").op(')').reduce().op('t').reduce().op('s').stop();
    const PickleReport report = scanPickle(bytes);
    EXPECT_EQ(report.verdict, Verdict::Inert) << report.reasons.front().text();
    EXPECT_TRUE(names(report, "torch._utils", "_rebuild_tensor_v2"));
}

TEST(PickleScan, PlainCallsOfDangerousNames) {
    for (const auto& [module, name] : std::initializer_list<std::pair<const char*, const char*>>{
             {"os", "system"},
             {"posix", "system"},
             {"nt", "system"},
             {"subprocess", "Popen"},
             {"builtins", "eval"},
             {"__builtin__", "eval"},
             {"builtins", "exec"},
             {"sys", "exit"},
             {"commands", "getoutput"},
             {"runpy", "run_path"},
             {"socket", "create_connection"},
             {"pip", "main"},
             {"pip._internal.cli.main", "main"},
             {"pkgutil", "resolve_name"},
             {"uuid", "_get_command_stdout"},
             {"_aix_support", "_read_cmd_output"},
             {"cProfile", "run"},
             {"idlelib.pyshell", "ModifiedInterpreter.runcommand"},
             {"imaplib", "IMAP4_stream"},
             {"distutils.spawn", "spawn"},
             {"distutils.file_util", "write_file"},
             {"numpy.f2py.crackfortran", "getlincoef"},
             {"numpy.testing._private.utils", "runstring"},
             {"torch._inductor.codecache", "compile_file"},
             {"torch", "load"},
             {"torch.hub", "load"},
             {"asyncio.unix_events", "_UnixSubprocessTransport._start"},
             {"lib2to3.pgen2.pgen", "ParserGenerator"},
             {"code", "InteractiveInterpreter.runcode"},
             {"ctypes", "CDLL"},
             {"shutil", "rmtree"},
             {"webbrowser", "open"},
             {"bdb", "Bdb.run"},
             {"timeit", "timeit"},
             {"doctest", "debug_script"},
             {"operator", "methodcaller"},
             {"operator", "attrgetter"},
             {"importlib", "import_module"},
             {"ssl", "get_server_certificate"},
             {"joblib", "load"},
             {"pickle", "loads"},
             {"_pickle", "loads"},
             {"marshal", "loads"},
             {"types", "FunctionType"},
             {"types", "CodeType"},
             {"builtins", "getattr"},
             {"builtins", "apply"},
             {"logging.config", "_resolve"},
             {"picklescan.scanner", "scan_pickle_bytes"},
             {"some.lib", "run_anything"},
             {"profile", "Profile.run"},
             {"trace", "Trace.run"},
             {"ensurepip", "_run_pip"},
             {"base64", "b64decode"},
             {"codecs", "decode"},
             {"collections", "namedtuple"}}) {
        const A bytes = A().proto(2).global(module, name).text("id").op(0x85).reduce().stop();
        EXPECT_EQ(verdictOf(bytes), Verdict::WouldRunCode) << module << "." << name;
    }
}

TEST(PickleScan, EveryWayToCallIsSeen) {
    EXPECT_EQ(verdictOf(A().raw("(S'id'\nios\nsystem\n.")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().raw("(cos\nsystem\nS'id'\no.")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(2).global("subprocess", "Popen").op(')').op(0x81).stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(
        verdictOf(A().proto(4).stackGlobal("subprocess", "Popen").op(')').op('}').op(0x92).stop()),
        Verdict::WouldRunCode);
    // INST and OBJ call like REDUCE does: an unknown global in them is not merely a class.
    EXPECT_EQ(verdictOf(A().raw("(S'id'\nisome.lib\nrun\n.")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().raw("(csome.lib\nrun\nS'id'\no.")), Verdict::WouldRunCode);
}

TEST(PickleScan, ExtensionCodesThatAreCalledCannotBeNamed) {
    EXPECT_EQ(verdictOf(A().proto(2).op(0x82).op(5).op(')').reduce().stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(2).op(0x82).op(5).stop()), Verdict::UnknownClass);
}

TEST(PickleScan, StackGlobalThroughMemoDupAndPop) {
    EXPECT_EQ(
        verdictOf(A().proto(4).stackGlobal("os", "system").text("id").op(0x85).reduce().stop()),
        Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(4)
                            .text("system")
                            .put(0)
                            .op('0')
                            .text("os")
                            .get(0)
                            .op(0x93)
                            .text("id")
                            .op(0x85)
                            .reduce()
                            .stop()),
              Verdict::WouldRunCode);
    // An overwritten memo entry: the harmless name is not the one that counts.
    EXPECT_EQ(verdictOf(A().proto(4)
                            .text("OrderedDict")
                            .put(0)
                            .op('0')
                            .text("system")
                            .put(0)
                            .op('0')
                            .text("os")
                            .get(0)
                            .op(0x93)
                            .text("id")
                            .op(0x85)
                            .reduce()
                            .stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(4)
                            .text("os")
                            .text("x")
                            .op('0')
                            .text("system")
                            .op(0x93)
                            .text("id")
                            .op(0x85)
                            .reduce()
                            .stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(4)
                            .text("os")
                            .op('(')
                            .op('N')
                            .op('1')
                            .op(0x8d)
                            .little<std::uint64_t>(6)
                            .raw("system")
                            .op(0x93)
                            .text("id")
                            .op(0x85)
                            .reduce()
                            .stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(4).text("pty").op('2').op('0').text("spawn").op(0x93).stop()),
              Verdict::WouldRunCode);
}

TEST(PickleScan, DottedNamesReachThroughHarmlessModules) {
    EXPECT_EQ(
        verdictOf(
            A().proto(4).stackGlobal("torch", "os.system").text("id").op(0x85).reduce().stop()),
        Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(4).stackGlobal("torch.serialization", "os.system").stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(
        verdictOf(
            A().proto(4).stackGlobal("collections", "OrderedDict.__reduce__.__globals__").stop()),
        Verdict::WouldRunCode);
}

TEST(PickleScan, NamesAreComputed) {
    A join;
    join.proto(4).text("os").global("some.lib", "Text").op(')').reduce().op(0x93);
    EXPECT_EQ(verdictOf(join.text("id").op(0x85).reduce().stop()), Verdict::WouldRunCode);
    A twice;
    twice.proto(2).global("some.lib", "Maker").op(')').reduce().op(')').reduce().stop();
    EXPECT_EQ(verdictOf(twice), Verdict::WouldRunCode);
}

TEST(PickleScan, StatesThatReplaceMethods) {
    A bytes;
    bytes.proto(2).global("argparse", "Namespace").op(')').op(0x81);
    bytes.op('}')
        .text("__setstate__")
        .global("some.lib", "run")
        .op('s')
        .op('b')
        .text("id")
        .op('b')
        .stop();
    EXPECT_EQ(verdictOf(bytes), Verdict::WouldRunCode);
    // In the slots half of a (None, {...}) state.
    A slots;
    slots.proto(2).global("argparse", "Namespace").op(')').op(0x81).op('N');
    slots.op('}').text("__setstate__").global("some.lib", "run").op('s').op(0x86).op('b').stop();
    EXPECT_EQ(verdictOf(slots), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(A().proto(2).global("some.lib", "Thing").op('}').op('b').stop()),
              Verdict::WouldRunCode);
}

TEST(PickleScan, FunctionsGivenToLibrariesToCall) {
    const auto given = [](std::string_view caller, std::string_view function,
                          std::string_view module, std::string_view name) {
        return A()
            .proto(2)
            .global(caller, function)
            .op('(')
            .global(module, name)
            .global("torch", "Tensor")
            .op(')')
            .op('}')
            .op('t')
            .reduce()
            .stop();
    };
    const auto fromType = [&](std::string_view module, std::string_view name) {
        return given("torch._tensor", "_rebuild_from_type_v2", module, name);
    };
    EXPECT_EQ(verdictOf(fromType("torch._utils", "_rebuild_tensor_v2")), Verdict::Inert);
    EXPECT_EQ(verdictOf(fromType("some.lib", "run")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(fromType("os", "system")), Verdict::WouldRunCode);
    const auto jaxArray = [](std::string_view module, std::string_view name) {
        return A()
            .proto(2)
            .global("jax._src.array", "_reconstruct_array")
            .op('(')
            .global(module, name)
            .op(')')
            .op('}')
            .op('}')
            .op('t')
            .reduce()
            .stop();
    };
    EXPECT_EQ(verdictOf(jaxArray("numpy._core.multiarray", "_reconstruct")), Verdict::Inert);
    EXPECT_EQ(verdictOf(jaxArray("some.lib", "run")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(jaxArray("os", "system")), Verdict::WouldRunCode);
}

TEST(PickleScan, UnknownClassesAreOnlyThat) {
    EXPECT_EQ(verdictOf(A().proto(2)
                            .global("omegaconf.dictconfig", "DictConfig")
                            .op(')')
                            .op(0x81)
                            .op('}')
                            .op('b')
                            .stop()),
              Verdict::UnknownClass);
    EXPECT_EQ(verdictOf(A().proto(2)
                            .global("transformers.trainer_utils", "IntervalStrategy")
                            .text("steps")
                            .op(0x85)
                            .reduce()
                            .stop()),
              Verdict::UnknownClass);
    EXPECT_EQ(verdictOf(A().proto(2).global("my.module", "some_function").stop()),
              Verdict::UnknownClass);
}

TEST(PickleScan, EnumMembersThroughGetattrAreKnown) {
    const auto member = [](std::string_view module, std::string_view owner, std::string_view name) {
        return A()
            .proto(4)
            .global("builtins", "getattr")
            .global(module, owner)
            .text(name)
            .op(0x86)
            .reduce()
            .stop();
    };
    constexpr std::string_view kShard = "torch.distributed._shard.sharded_tensor.metadata";
    EXPECT_EQ(verdictOf(member(kShard, "MEM_FORMAT_ENCODING", "TORCH_CONTIGUOUS_FORMAT")),
              Verdict::Inert);
    EXPECT_EQ(verdictOf(member(kShard, "MEM_FORMAT_ENCODING", "__class__")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(member("torch", "Tensor", "numpy")), Verdict::UnknownClass)
        << "a method that is only looked up";
    EXPECT_EQ(verdictOf(member("os", "MEM_FORMAT_ENCODING", "System")), Verdict::WouldRunCode);
}

/// As Python 3.11.2 pickles the TrainingArguments of transformers.
TEST(PickleScan, MembersOfUnknownEnumsAreWhatTheirClassIs) {
    const auto getattr = [](std::string_view module, std::string_view owner,
                            std::string_view name) {
        return A()
            .proto(2)
            .global("__builtin__", "getattr")
            .global(module, owner)
            .text(name)
            .op(0x86)
            .reduce();
    };
    constexpr std::string_view kModule = "transformers.trainer_utils";
    EXPECT_EQ(verdictOf(getattr(kModule, "SchedulerType", "LINEAR").stop()), Verdict::UnknownClass);
    EXPECT_EQ(verdictOf(getattr(kModule, "SchedulerType", "lower").stop()), Verdict::UnknownClass);
    EXPECT_EQ(verdictOf(getattr(kModule, "SchedulerType", "__class__").stop()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf(getattr("os", "environ", "HOME").stop()), Verdict::WouldRunCode);
    // Its result must not be called, in any of the ways to call.
    const auto called = [&](auto&& how) {
        return verdictOf(how(getattr(kModule, "SchedulerType", "LINEAR")).stop());
    };
    EXPECT_EQ(called([](A a) { return a.text("id").op(0x85).reduce(); }), Verdict::WouldRunCode);
    EXPECT_EQ(called([](A a) { return a.op(')').op(0x81); }), Verdict::WouldRunCode);
    EXPECT_EQ(
        called([&](A) {
            return A().raw("(").raw(getattr(kModule, "SchedulerType", "LINEAR").str()).raw("o");
        }),
        Verdict::WouldRunCode);
}

TEST(PickleScan, OffsetsPointAtTheLookUp) {
    const PickleReport report =
        scanPickle(A().proto(2).op('N').op('0').raw(payload().str()).stop());
    ASSERT_EQ(report.globals.size(), 1U);
    EXPECT_EQ(report.globals[0].offset, 4U);
    EXPECT_EQ(report.globals[0].opcode, 'c');
    EXPECT_TRUE(report.globals[0].called);
    EXPECT_EQ(verdictName(report.verdict), "would-run-code");
}

TEST(PickleScan, NothingIsEverCalledSafe) {
    for (const Verdict verdict : {Verdict::Inert, Verdict::UnknownClass, Verdict::Malformed,
                                  Verdict::Ambiguous, Verdict::WouldRunCode}) {
        EXPECT_EQ(verdictName(verdict).find("safe"), std::string_view::npos);
    }
}

TEST(PickleScan, PackagesThatRunWhatTheyAreGiven) {
    for (const auto& [module, name] : std::initializer_list<std::pair<const char*, const char*>>{
             {"psutil", "Popen"},
             {"sympy", "Matrix"},
             {"sympy.core.add", "Add"},
             {"gevent.subprocess", "Popen"},
             {"some.lib.process", "Popen"},
             {"some.lib.subprocess", "Thing"},
             {"mako.template", "Template"}}) {
        const A call = A().proto(2).global(module, name).text("id").op(0x85).reduce().stop();
        EXPECT_EQ(verdictOf(call), Verdict::WouldRunCode) << module << "." << name;
        EXPECT_GE(verdictOf(A().proto(2).global(module, name).op(')').op(0x81).stop()),
                  Verdict::UnknownClass);
    }
}

TEST(PickleScan, FunctionsThatRandomGeneratorsCall) {
    EXPECT_EQ(verdictOf(A().proto(2)
                            .global("numpy.random._pickle", "__generator_ctor")
                            .text("x")
                            .global("some.lib", "run")
                            .op(0x86)
                            .reduce()
                            .stop()),
              Verdict::WouldRunCode);
}
