// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/core/formats/format_fixture.h"

#include <vector>

// Roles of tensors in torch's files, and how they are decided where keys are ambiguous.

namespace cairn::formats {
namespace torch {
extern const FormatInfo kFormat;
}
} // namespace cairn::formats

namespace cairn::test {
namespace {

using A = PickleAssembler;

/// A float32 tensor [6] that covers storage `key`.
A& tensor(A& out, std::string_view key) {
    out.global("torch._utils", "_rebuild_tensor_v2").op('(').op('(').text("storage");
    out.global("torch", "FloatStorage").text(key).text("cpu").op('K').op(6).op('t').op('Q');
    out.op('K').op(0).op('K').op(6).op(0x85).op('K').op(1).op(0x85);
    return out.op(0x89).global("collections", "OrderedDict").op(')').reduce().op('t').reduce();
}

CheckpointPtr opened(const A& pickle) {
    static TemporaryFolder folder;
    std::vector<RawEntry> entries{stored("archive/data.pkl", pickle.str()),
                                  stored("archive/version", "3\n")};
    for (char key = '0'; key < '7'; ++key) {
        entries.push_back(stored(std::string("archive/data/") + key, std::string(24, key)));
    }
    auto checkpoint = openAs(formats::torch::kFormat, folder.write("roles.pt", buildZip(entries)));
    EXPECT_TRUE(checkpoint) << describe(checkpoint.error());
    return *checkpoint;
}

/// The first byte of a tensor's elements; storages are filled with their keys.
char storageOf(const Checkpoint& checkpoint, std::string_view name) {
    const auto index = checkpoint.find(name);
    if (!index || checkpoint.tensor(*index).pieces.size() != 1) {
        ADD_FAILURE() << name << " is missing";
        return ' ';
    }
    const Piece& piece = checkpoint.tensor(*index).pieces[0];
    const auto source = checkpoint.openFile(piece.file);
    const auto bytes = readRange(**source, piece.bytes);
    return static_cast<char>(std::to_integer<unsigned char>((*bytes)[0]));
}

Role roleAt(const Checkpoint& checkpoint, std::string_view name) {
    const auto index = checkpoint.find(name);
    EXPECT_TRUE(index) << name;
    return index ? checkpoint.tensor(*index).role : Role::Other;
}

/// The state of AdamW for the parameters in storages 0 and 1, which the parameter groups list in
/// reverse order.
void optimizerObject(A& out) {
    out.global("torch.optim.adamw", "AdamW").op(')').op(0x81).op('}').op('(').text("state");
    out.global("collections", "defaultdict").global("__builtin__", "dict").op(0x85).reduce();
    out.op('(');
    tensor(out, "0").put(1).op('}').text("exp_avg");
    tensor(out, "2").op('s');
    tensor(out, "1").put(2).op('}').text("exp_avg");
    tensor(out, "3").op('s').op('u');
    out.text("param_groups").op(']').op('}').text("params").op(']').op('(');
    out.get(2).get(1).op('e').op('s').op('a').op('u').op('b');
}

TEST(TorchOptimizers, StateIsNumberedAsInTheStateDict) {
    A out;
    optimizerObject(out.proto(2));
    const CheckpointPtr checkpoint = opened(out.stop());
    EXPECT_TRUE(checkpoint->notices().empty()) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
    ASSERT_EQ(checkpoint->tensors().size(), 4U); // no keys among them
    EXPECT_EQ(storageOf(*checkpoint, "state.1.exp_avg"), '2');
    EXPECT_EQ(storageOf(*checkpoint, "state.0.exp_avg"), '3');
    EXPECT_EQ(storageOf(*checkpoint, "param_groups.0.params.0"), '1');
    EXPECT_EQ(roleAt(*checkpoint, "state.0.exp_avg"), Role::Optimizer);
    const auto values = checkpoint->values();
    ASSERT_TRUE(values);
    const Value* state = values->find("state");
    ASSERT_TRUE(state && state->items().size() == 2);
    EXPECT_EQ(keyText(state->items()[0].key), "1");
}

TEST(TorchOptimizers, TheirParametersLeaveTheModelItsRoles) {
    A out;
    out.proto(2).op('}').op('(').text("what");
    optimizerObject(out);
    out.text("net").op('}').text("w").get(1).op('s').op('u');
    const CheckpointPtr checkpoint = opened(out.stop());
    EXPECT_EQ(roleAt(*checkpoint, "what.state.1.exp_avg"), Role::Optimizer);
    EXPECT_EQ(roleAt(*checkpoint, "what.param_groups.0.params.1"), Role::Optimizer);
    EXPECT_EQ(roleAt(*checkpoint, "net.w"), Role::Weight);
    EXPECT_EQ(storageOf(*checkpoint, "net.w"), '0');
}

TEST(TorchNames, KeysThatAreObjectsAreCalledByTheirPosition) {
    A out;
    out.proto(2).op('}').op('(').text("a");
    tensor(out, "0");
    for (int i = 0; i < 2; ++i) {
        out.global("my.code", "Key").op(')').reduce();
        tensor(out, i == 0 ? "1" : "2");
    }
    const CheckpointPtr checkpoint = opened(out.op('u').stop());
    ASSERT_EQ(checkpoint->notices().size(), 1U) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->notices()[0].severity, Severity::Warning);
    EXPECT_EQ(storageOf(*checkpoint, "1"), '1');
    EXPECT_EQ(storageOf(*checkpoint, "2"), '2');
}

TEST(TorchNames, KeysThatAreBytesOrMembersSayWhichTheyAre) {
    A out; // {b"data": 0, b"\xff": 1, Colour(1): 2, "Colour.1": 3, Kind("left"): 4, 6: 5, Key(): 6}
    out.proto(3).op('}').op('(').bytes("data");
    tensor(out, "0").bytes("\xFF");
    tensor(out, "1").global("my.code", "Colour").op('K').op(1).op(0x85).reduce();
    tensor(out, "2").text("Colour.1");
    tensor(out, "3").global("my.code", "Kind").text("left").op(0x85).reduce();
    tensor(out, "4").op('K').op(6);
    tensor(out, "5").global("my.code", "Key").op(')').reduce();
    tensor(out, "6");
    const CheckpointPtr checkpoint = opened(out.op('u').stop());
    EXPECT_EQ(storageOf(*checkpoint, "data"), '0');
    EXPECT_EQ(storageOf(*checkpoint, "b'\\xff'"), '1');
    EXPECT_EQ(storageOf(*checkpoint, "Colour.1@2"),
              '2'); // otherwise one of them would be lost when written
    EXPECT_EQ(storageOf(*checkpoint, "Colour.1"), '3');
    EXPECT_EQ(storageOf(*checkpoint, "Kind.left"), '4');
    EXPECT_EQ(storageOf(*checkpoint, "6"), '5');
    EXPECT_EQ(storageOf(*checkpoint, "6@2"), '6');
    ASSERT_EQ(checkpoint->notices().size(), 2U) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->notices()[0].severity, Severity::Info);
    EXPECT_EQ(checkpoint->notices()[1].severity, Severity::Warning);
    const auto values = checkpoint->values();
    ASSERT_TRUE(values);
    ASSERT_TRUE(values->items()[0].key.asBytes()); // written as bytes again
    EXPECT_EQ(values->items()[2].key.asString() != nullptr, true);
}

TEST(TorchNames, CallsWithinCallsAreNotFollowed) {
    A out; // bytes(bytes(… tuples in keys that share their elements
    out.proto(2).op('}').op('(').text("deep");
    for (int i = 0; i < 200'000; ++i) {
        out.global("builtins", "bytes");
    }
    out.op(')').reduce();
    for (int i = 1; i < 200'000; ++i) {
        out.op(0x85).reduce();
    }
    out.op(')').put(0);
    for (int level = 1; level < 40; ++level) {
        out.op('0').op('(').get(level - 1).get(level - 1).op('t').put(level);
    }
    tensor(out, "1");
    const CheckpointPtr checkpoint = opened(out.op('u').stop());
    EXPECT_EQ(checkpoint->tensors().size(), 1U);
}

TEST(TorchNames, PlacesWithOneNameAreToldApart) {
    A out; // {"a": {"b": 0}, "a.b": 1, "a.b@2": 2}
    out.proto(2).op('}').op('(').text("a").op('}').text("b");
    tensor(out, "0").op('s').text("a.b");
    tensor(out, "1").text("a.b@2");
    tensor(out, "2").op('u');
    const CheckpointPtr checkpoint = opened(out.stop());
    EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
    EXPECT_EQ(storageOf(*checkpoint, "a.b"), '0');
    EXPECT_EQ(storageOf(*checkpoint, "a.b@2"), '1');
    EXPECT_EQ(storageOf(*checkpoint, "a.b@2@2"), '2');
    ASSERT_EQ(checkpoint->notices().size(), 1U);
    EXPECT_EQ(checkpoint->notices()[0].severity, Severity::Warning);
    EXPECT_EQ(checkpoint->notices()[0].error.code, ErrorCode::DuplicateTensor);
}

/// A module of this class with a weight and an attribute that holds a tensor in an object.
A moduleOf(std::string_view module, std::string_view attribute) {
    A out;
    out.proto(2).global(module, "Linear").op(')').op(0x81).op('}').op('(');
    out.text("_parameters").op('}').text("weight");
    tensor(out, "0").op('s').text("_buffers").op('}').text("_modules").op('}').text("held");
    out.global(attribute, "State").op(')').op(0x81).op('}').text("scales");
    tensor(out, "1").op('s').op('b').op('u').op('b');
    return out.stop();
}

TEST(TorchModules, WhatQuantisedModulesHoldBelongsToTheModel) {
    const auto roleOf = [](std::string_view module, std::string_view attribute) {
        const CheckpointPtr checkpoint = opened(moduleOf(module, attribute));
        EXPECT_EQ(roleAt(*checkpoint, "weight"), Role::Weight);
        return roleAt(*checkpoint, "held.scales");
    };
    EXPECT_EQ(roleOf("torch.nn.modules.linear", "my.code"), Role::Other);
    EXPECT_EQ(roleOf("torch.ao.nn.quantized.dynamic.modules.linear", "my.code"), Role::Weight);
    EXPECT_EQ(roleOf("bitsandbytes.nn.modules", "bitsandbytes.functional"), Role::Buffer);
}

TEST(TorchNames, ATensorDictIsFolded) {
    A out;
    out.proto(2).global("tensordict._reductions", "_make_td");
    out.global("tensordict._td", "TensorDict").op('}').op('(').text("_tensordict").op('}');
    out.text("obs");
    tensor(out, "0").op('s').text("_batch_size").op('K').op(6).op('u').op(0x86).reduce();
    const CheckpointPtr checkpoint = opened(out.stop());
    EXPECT_EQ(storageOf(*checkpoint, "obs"), '0');
    const auto values = checkpoint->values();
    ASSERT_TRUE(values);
    ASSERT_NE(values->find("_batch_size"), nullptr);
}

} // namespace
} // namespace cairn::test
