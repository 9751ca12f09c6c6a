// SPDX-License-Identifier: Apache-2.0
// What a pickle would do with names that were read, and with functions that it gives to them.
#include "tests/core/codec/pickle_scan_fixture.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::pickle;
using namespace cairn::pickle::scanning;

namespace {

/// One value of a pickle, as opcodes.
using Code = std::string;

Code name(std::string_view module, std::string_view attribute) {
    return A().stackGlobal(module, attribute).str();
}
Code text(std::string_view value) {
    return A().text(value).str();
}
Code group(std::initializer_list<Code> items, char opcode) {
    Code code = "(";
    for (const Code& item : items) {
        code += item;
    }
    return code + opcode;
}
Code tuple(std::initializer_list<Code> items) {
    return group(items, 't');
}
Code list(std::initializer_list<Code> items) {
    return group(items, 'l');
}
Code dict(std::initializer_list<Code> keysAndValues) {
    return group(keysAndValues, 'd');
}
Code call(const Code& function, std::initializer_list<Code> arguments = {}) {
    return function + tuple(arguments) + "R";
}
Code create(const Code& type, std::initializer_list<Code> arguments = {}) {
    return type + tuple(arguments) + "\x81";
}
Code built(const Code& instance, const Code& state) {
    return instance + state + "b";
}
Code partial(const Code& function, const Code& argument) {
    return call(name("functools", "partial"), {function, argument});
}
Code number(std::int32_t value) {
    return A().integer(value).str();
}

PickleReport reportOf(const Code& code) {
    return scanPickle(A().proto(4).raw(code).stop());
}
Verdict verdictFor(const Code& code) {
    return reportOf(code).verdict;
}
std::string reasonsOf(const Code& code) {
    std::string all;
    for (const Sentence& reason : reportOf(code).reasons) {
        all += reason.text() + "\n";
    }
    return all;
}

const Code kRun = name("some.lib", "run"); ///< a function of a package that nobody read
const Code kSystem = name("os", "system");
const Code kNamespace = create(name("argparse", "Namespace"));
const Code kModule = create(name("torch.nn.modules.linear", "Identity"));

TEST(PickleAssessment, WhatWasNotReadRunsCodeOnceItIsCalled) {
    for (const auto& [module, attribute] :
         std::initializer_list<std::pair<const char*, const char*>>{
             {"itertools", "starmap"},
             {"mailbox", "MH"},
             {"_pyio", "FileIO"},
             {"dataclasses", "_create_fn"},
             {"random", "_os.system"},
             {"contextlib", "ExitStack"},
             {"numpy", "memmap"},
             {"numpy", "vectorize"},
             {"torch", "from_numpy"},
             {"torch.nn.init", "normal_"},
             {"torch.utils._pytree", "tree_map"}}) {
        const Code function = name(module, attribute);
        EXPECT_EQ(verdictFor(call(function, {text("x")})), Verdict::WouldRunCode) << attribute;
        EXPECT_EQ(verdictFor(create(function, {text("x")})), Verdict::WouldRunCode) << attribute;
        EXPECT_EQ(verdictFor("(" + function + text("x") + "o"), Verdict::WouldRunCode) << attribute;
    }
    EXPECT_EQ(verdictFor(name("torch.nn.init", "normal_")), Verdict::UnknownClass)
        << "only mentioned";
    EXPECT_EQ(verdictFor(name("random", "_os.system")), Verdict::WouldRunCode);
}

TEST(PickleAssessment, FunctionsThatAreGivenToSomethingThatMayCallThem) {
    const Code list1 = list({text("x")});
    const Code defaults = call(name("collections", "defaultdict"), {partial(kRun, text("x"))});
    const Code maps = call(name("collections", "ChainMap"), {defaults, dict({text("k"), "N"})});
    for (const Code& code : {
             call(name("collections", "defaultdict"), {kSystem}),
             call(name("collections", "defaultdict"), {kRun}),
             call(name("builtins", "dict"), {maps}),
             call(name("functools", "partial"), {kSystem, text("x")}),
             call(name("functools", "partial"), {name("torch.hub", "load"), text("x")}),
             call(name("functools", "reduce"), {kRun, list1}),
             call(name("operator", "getitem"), {defaults, text("k")}),
             call(name("builtins", "iter"), {kRun, text("end")}),
             call(name("torch._utils", "_rebuild_tensor_v2"), {kRun}),
             call(name("decimal", "Decimal"), {kRun}),
             call(name("some.lib", "Pool"), {number(1), kRun}),
             create(name("some.lib", "Pool"), {number(1), kRun}),
         }) {
        EXPECT_EQ(verdictFor(code), Verdict::WouldRunCode) << reasonsOf(code);
    }
    EXPECT_NE(reasonsOf(call(name("decimal", "Decimal"), {kRun})).find("some.lib.run"),
              std::string::npos);
}

TEST(PickleAssessment, FunctionsThatAreOnlyStored) {
    EXPECT_EQ(verdictFor(dict({text("f"), kRun})), Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(built(kNamespace, dict({text("f"), kRun}))), Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(built(kModule, dict({text("act"), kRun}))), Verdict::UnknownClass);
    EXPECT_EQ(
        verdictFor(call(name("collections", "OrderedDict"), {list({list({text("f"), kRun})})})),
        Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(partial(kRun, text("x"))), Verdict::UnknownClass);
    const Code relu = name("torch.nn.functional", "relu");
    EXPECT_EQ(verdictFor(built(kModule, dict({text("act"), relu}))), Verdict::Inert);
    EXPECT_EQ(verdictFor(partial(name("torch.nn.modules.normalization", "LayerNorm"), number(1))),
              Verdict::Inert);
    EXPECT_EQ(verdictFor(call(name("collections", "defaultdict"), {name("builtins", "list")})),
              Verdict::Inert);
}

TEST(PickleAssessment, FunctionsInsideFunctions) {
    const auto rebuilt = [](const Code& function, const Code& arguments) {
        return call(name("torch._tensor", "_rebuild_from_type_v2"),
                    {function, name("torch", "Tensor"), arguments, dict({})});
    };
    const Code bytes = A().bytes("cos\nsystem\n(S'x'\ntR.").str();
    const Code loader = name("torch.storage", "_load_from_bytes");
    EXPECT_EQ(verdictFor(rebuilt(loader, tuple({bytes}))), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(rebuilt(name("torch._tensor", "_rebuild_from_type_v2"),
                                 tuple({loader, name("torch", "Tensor"), tuple({bytes})}))),
              Verdict::WouldRunCode);
    for (const char* maker : {"__randomstate_ctor", "__generator_ctor"}) {
        EXPECT_EQ(verdictFor(call(name("numpy.random._pickle", maker), {bytes, loader})),
                  Verdict::WouldRunCode);
    }
    const Code subclass = built(kNamespace, dict({text("as_subclass"), kRun}));
    EXPECT_EQ(verdictFor(rebuilt(name("torch.jit._pickle", "restore_type_tag"),
                                 tuple({subclass, text("x")}))),
              Verdict::WouldRunCode);
    const Code wrapper = name("torch._utils", "_rebuild_wrapper_subclass");
    EXPECT_EQ(verdictFor(rebuilt(wrapper, tuple({name("torch.distributed.tensor", "DTensor")}))),
              Verdict::Inert);
    Code deep = rebuilt(kSystem, tuple({}));
    for (int i = 0; i < 2000; ++i) { // each as the arguments of the next
        deep = name("torch._tensor", "_rebuild_from_type_v2") + name("torch", "Tensor") + deep +
               "\x87";
    }
    EXPECT_EQ(verdictFor(deep), Verdict::WouldRunCode);
}

TEST(PickleAssessment, ClassesThatAreCreatedByTheirNew) {
    const Code memmap = name("numpy", "memmap");
    EXPECT_EQ(verdictFor(call(name("numpy._core.multiarray", "_reconstruct"),
                              {memmap, tuple({number(0)}), text("b")})),
              Verdict::Inert)
        << "an array in a file that was saved: ndarray.__new__";
    EXPECT_EQ(verdictFor(call(name("pandas.core.indexes.base", "_new_Index"),
                              {memmap, dict({text("filename"), text("x")})})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(call(name("copyreg", "__newobj__"), {memmap, text("x")})),
              Verdict::WouldRunCode);
    const Code mbox = name("mailbox", "mbox");
    EXPECT_EQ(verdictFor(call(name("copyreg", "_reconstructor"), {mbox, mbox, text("x")})),
              Verdict::WouldRunCode);
    const Code object = name("builtins", "object");
    EXPECT_EQ(verdictFor(call(name("copyreg", "_reconstructor"),
                              {name("torch.nn.modules.linear", "Linear"), object, "N"})),
              Verdict::Inert);
    EXPECT_EQ(verdictFor(create(name("torch.nn.modules.linear", "LinearOfTomorrow"))),
              Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(call(name("torch.nn.modules.linear", "LinearOfTomorrow"))),
              Verdict::WouldRunCode);
    EXPECT_EQ(
        verdictFor(create(name("torch.utils.data.dataloader", "_MultiProcessingDataLoaderIter"))),
        Verdict::WouldRunCode)
        << "its __del__ calls what its state contains";
    EXPECT_EQ(verdictFor(create(name("some.lib", "ThreadPool"))), Verdict::WouldRunCode);
}

TEST(PickleAssessment, StatesOfWhichMethodsAreCalled) {
    const Code sgd = create(name("torch.optim.sgd", "SGD"));
    const auto state = [](const Code& defaults) {
        return dict({text("defaults"), defaults, text("param_groups"), list({})});
    };
    EXPECT_EQ(verdictFor(built(sgd, state(dict({text("lr"), number(1)})))), Verdict::Inert);
    const Code hidden = built(kNamespace, dict({text("setdefault"), kRun}));
    EXPECT_EQ(verdictFor(built(sgd, state(hidden))), Verdict::WouldRunCode);
    const Code items = built(kNamespace, dict({text("items"), kRun}));
    EXPECT_EQ(verdictFor(built(kModule, items)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(built(kNamespace, items)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(built(kModule, group({"N", dict({text("a"), kRun})}, 't'))),
              Verdict::WouldRunCode)
        << "slots are set by the class's own methods";
    EXPECT_EQ(verdictFor(built(partial(name("builtins", "len"), "N"),
                               tuple({kSystem, tuple({}), dict({}), dict({})}))),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(built(name("torch.nn.modules.linear", "Linear"), dict({}))),
              Verdict::WouldRunCode);
}

TEST(PickleAssessment, ObjectsThatAreBytes) {
    const auto dtype = [](const Code& kind, std::int32_t flags, const Code& fields) {
        return built(
            call(name("numpy", "dtype"), {kind, "\x89", "\x88"}),
            tuple({number(3), text("|"), "N", "N", fields, number(-1), number(-1), number(flags)}));
    };
    EXPECT_EQ(verdictFor(dtype(text("O8"), 63, "N")), Verdict::Inert);
    EXPECT_EQ(verdictFor(dtype(text("O8"), 0, "N")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(dtype(text("f4"), 0, "N")), Verdict::Inert);
    const Code field = dict({text("a"), tuple({dtype(text("O8"), 63, "N"), number(0)})});
    EXPECT_EQ(verdictFor(dtype(text("V8"), 16, field)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(dtype(text("V8"), 27, field)), Verdict::Inert);
}

TEST(PickleAssessment, InstancesWhoseMethodsWereNotRead) {
    const Code shard = name("torch.distributed._shard.sharded_tensor.shard", "Shard");
    const Code metadata = create(name("torch.distributed._shard.metadata", "ShardMetadata"));
    EXPECT_EQ(verdictFor(built(create(shard), tuple({"N", dict({text("m"), metadata})}))),
              Verdict::Inert)
        << "only stored";
    EXPECT_EQ(verdictFor(call(name("builtins", "list"), {list({metadata})})), Verdict::Inert);
    EXPECT_EQ(verdictFor(call(name("builtins", "list"), {metadata})), Verdict::WouldRunCode)
        << "iterated";
    EXPECT_EQ(verdictFor(call(name("builtins", "int"), {metadata})), Verdict::WouldRunCode);
}

TEST(PickleAssessment, StatesThatContainADict) {
    const Code model = create(name("some.lib", "Model"));
    EXPECT_EQ(verdictFor(built(model, dict({text("__dict__"), dict({text("a"), number(1)})}))),
              Verdict::UnknownClass);
    EXPECT_EQ(
        verdictFor(built(model, dict({text("__dict__"), dict({text("__setstate__"), kRun})}))),
        Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(built(model, dict({text("__dict__"), kRun}))), Verdict::WouldRunCode);
    Code itself = "}\x94" + text("__dict__") + "h"; // a dict that contains itself
    itself += '\0';
    itself += "s";
    EXPECT_EQ(verdictFor(itself + "0" + built(model, std::string("h\0", 2))),
              Verdict::WouldRunCode);
}

TEST(PickleAssessment, KeysAreHashed) {
    const Code hidden = built(kNamespace, dict({text("f"), kRun}));
    EXPECT_EQ(verdictFor(dict({hidden, "N"})), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(call(name("builtins", "set"), {list({hidden})})), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(dict({kRun, "N"})), Verdict::UnknownClass);
}

TEST(PickleAssessment, AttributesThatAreLookedUp) {
    const auto attribute = [](const Code& owner, std::string_view of) {
        return call(name("builtins", "getattr"), {owner, text(of)});
    };
    const Code zone = attribute(name("zoneinfo", "ZoneInfo"), "_unpickle");
    EXPECT_EQ(verdictFor(call(zone, {text("UTC"), number(1)})), Verdict::Inert);
    const Code functions = name("torch._C", "_VariableFunctionsClass");
    EXPECT_EQ(verdictFor(attribute(functions, "relu")), Verdict::Inert);
    EXPECT_EQ(verdictFor(call(attribute(functions, "from_file"), {text("x")})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(attribute(kModule, "forward")), Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(call(attribute(kModule, "forward"), {"N"})), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(call(name("builtins", "list"), {attribute(kModule, "forward")})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(attribute(kModule, "__class__")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(attribute(name("random", "_os"), "system")), Verdict::WouldRunCode);
    EXPECT_EQ(verdictFor(create(attribute(name("some.lib", "Outer"), "Inner"))),
              Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(call(name("builtins", "type"), {"N"})), Verdict::Inert);
    EXPECT_EQ(verdictFor(call(name("builtins", "type"), {text("A"), tuple({}), dict({})})),
              Verdict::WouldRunCode);
    EXPECT_EQ(
        verdictFor(call(name("numpy.core", "_ufunc_reconstruct"), {text("os"), text("system")})),
        Verdict::WouldRunCode);
}

TEST(PickleAssessment, WhatFrameworksSave) {
    const Code integer = name("builtins", "int");
    for (const Code& code : {
             call(name("torch.distributed.fsdp.api", "ShardingStrategy"), {number(1)}),
             call(name("builtins", "getattr"),
                  {name("torch.distributed.fsdp.api", "StateDictType"), text("FULL_STATE_DICT")}),
             call(name("re", "_compile"), {text("a+"), number(32)}),
             call(name("http", "HTTPStatus"), {number(404)}),
             call(name("_operator", "getitem"), {name("typing", "Optional"), integer}),
             call(name("functools", "reduce"),
                  {name("_operator", "or_"),
                   tuple({integer, call(name("builtins", "type"), {"N"})})}),
             call(name("builtins", "ValueError"), {text("x")}),
             call(name("logging", "getLogger"), {text("x")}),
             call(name("decimal", "Context"), {number(5)}),
             create(name("torch.ao.quantization.qconfig", "QConfig"),
                    {partial(name("torch.ao.quantization.observer", "MinMaxObserver"), "N"), "N"}),
             call(name("torch.nested._internal.nested_tensor", "_rebuild_njt"), {dict({})}),
         }) {
        EXPECT_EQ(verdictFor(code), Verdict::Inert) << reasonsOf(code);
    }
}

/// What a pickle has beside a call changes nothing: harmless values around it and in it, wherever
/// it is, and whatever its package is called.
TEST(PickleAssessment, ACallIsFoundInRandomValues) {
    std::mt19937 random(3); // NOLINT: the same numbers in each run
    const std::vector<Code> calls{call(kSystem, {text("x")}), call(kRun, {number(1)}),
                                  call(partial(kSystem, text("x"))),
                                  call(name("builtins", "eval"), {text("1")})};
    for (int round = 0; round < 1000; ++round) {
        std::vector<Code> values{text("loss"), number(3), kNamespace, kModule, dict({})};
        const bool hasCall = round % 2 == 0;
        if (hasCall) {
            values.push_back(calls[random() % calls.size()]);
        }
        while (values.size() > 1) {
            std::ranges::shuffle(values, random);
            const Code last = values.back();
            values.pop_back();
            Code& other = values.back();
            switch (random() % 3) {
            case 0:
                other = tuple({other, last});
                break;
            case 1:
                other = list({last, other});
                break;
            default:
                other = dict({text("a"), last, text("b"), other});
            }
        }
        const Verdict verdict = verdictFor(values.front());
        if (hasCall) {
            EXPECT_NE(verdict, Verdict::Inert) << round;
        } else {
            EXPECT_EQ(verdict, Verdict::Inert) << round << reasonsOf(values.front());
        }
    }
}

TEST(PickleAssessment, ClassesOfInstances) {
    // numpy.memmap, as the type of an instance that ndarray.__new__ makes
    const Code array = call(name("numpy._core.multiarray", "_reconstruct"),
                            {name("numpy", "memmap"), tuple({number(0)}), text("b")});
    const Code type = call(name("builtins", "type"), {array});
    EXPECT_EQ(verdictFor(type), Verdict::Inert);
    for (const Code& code :
         {create(type, {text("x")}), call(name("copyreg", "__newobj__"), {type, text("x")}),
          call(name("copyreg", "__newobj_ex__"), {type, tuple({text("x")}), dict({})}),
          call(name("copyreg", "_reconstructor"), {type, name("builtins", "object"), "N"}),
          call(name("pandas.core.indexes.base", "_new_Index"), {type, dict({})})}) {
        EXPECT_EQ(verdictFor(code), Verdict::WouldRunCode) << reasonsOf(code);
    }
}

TEST(PickleAssessment, FunctionsThatAreKnownOnlyWithTheirArguments) {
    const Code memmap = name("numpy", "memmap");
    const Code index = name("pandas.core.indexes.base", "_new_Index");
    const Code file = dict({text("filename"), text("x"), text("mode"), text("w+")});
    const Code reduce = name("functools", "reduce");
    const Code alias = call(name("types", "GenericAlias"), {memmap, tuple({})});
    const Code annotated = call(name("_operator", "getitem"),
                                {name("typing", "Annotated"), tuple({memmap, text("x")})});
    const Code computed =
        call(name("builtins", "tuple"), {list({memmap, text("x"), text("uint8"), text("w+")})});
    const Code kept = call(reduce, {name("functools", "partial"), list({memmap, text("x")})});
    for (const Code& code : {
             call(reduce, {index, list({memmap, file})}),
             call(reduce, {memmap, list({text("x"), text("uint8")})}),
             call(reduce, {alias, list({text("x"), text("uint8")})}),
             kept,
             call(name("collections", "defaultdict"), {partial(alias, text("x"))}),
             call(name("collections", "defaultdict"), {partial(annotated, text("x"))}),
             call(name("collections", "defaultdict"), {partial(index, memmap)}),
             name("copyreg", "__newobj__") + computed + "R",
             index + computed + "R",
             name("functools", "partial") + computed + "R",
             call(name("torch._tensor", "_rebuild_from_type_v2"),
                  {index, name("torch", "Tensor"), computed, dict({})}),
             call(name("torch._tensor", "_rebuild_from_type_v2"),
                  {index, name("torch", "Tensor"), tuple({memmap, file}), dict({})}),
         }) {
        EXPECT_EQ(verdictFor(code), Verdict::WouldRunCode) << reasonsOf(code);
    }
    EXPECT_EQ(verdictFor(partial(name("torch.optim.adam", "Adam"), number(1))), Verdict::Inert);
}

TEST(PickleAssessment, ManyHarmlessFindingsDoNotHideABadOne) {
    Code many = "](";
    for (int i = 0; i < 1000; ++i) {
        many += call(name("builtins", "getattr"), {kModule, text("a" + std::to_string(i))});
    }
    EXPECT_EQ(verdictFor(many + "e"), Verdict::UnknownClass);
    EXPECT_EQ(verdictFor(many + call(name("decimal", "Decimal"), {kRun}) + "e"),
              Verdict::WouldRunCode);
}

TEST(PickleAssessment, CyclesAndManyValuesEnd) {
    // Lists that contain each other, and a function at the far end.
    Code code = "]\x94";
    for (int i = 0; i < 200; ++i) {
        code += "]\x94";
    }
    for (int i = 0; i < 200; ++i) {
        code += "a";
    }
    code += kRun + "a";
    EXPECT_EQ(verdictFor(code), Verdict::UnknownClass);
    Code many = "](";
    for (int i = 0; i < 100'000; ++i) {
        many += call(name("some.lib", "Thing"), {text("x")});
    }
    EXPECT_EQ(verdictFor(many + "e"), Verdict::UnknownClass);
}

} // namespace
