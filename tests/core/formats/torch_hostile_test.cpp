// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/torch_hostile_fixture.h"

#include <functional>

namespace cairn::test::hostile {
namespace {

void expectGood(const std::string& text, std::size_t tensors = 1) {
    const auto checkpoint = openText(text);
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_TRUE((*checkpoint)->notices().empty()) << noticesText(**checkpoint);
    EXPECT_EQ((*checkpoint)->tensors().size(), tensors);
}

TEST(TorchHostile, TheHonestFileIsRead) {
    expectGood(archive(pickled()));
    expectGood(archive(pickled({.storageModule = "torch.storage",
                                .storageClass = "UntypedStorage",
                                .numel = 24,
                                .function = "_rebuild_tensor_v3",
                                .dtype = "uint32"})));
}

TEST(TorchHostile, Archives) {
    EXPECT_EQ(failure(buildZip({stored("archive/version", "3\n")})), ErrorCode::TorchNoDataPickle);
    EXPECT_EQ(failure(buildZip({stored("archive/x", ""), stored("other/data.pkl", pickled())})),
              ErrorCode::TorchNoDataPickle);
    const auto nested =
        openText(buildZip({stored("policy.optimizer.pth", "x"),
                           stored("policy.pth", archive(pickled())), stored("data", "{}")}));
    ASSERT_FALSE(nested);
    EXPECT_EQ(nested.error().code, ErrorCode::TorchNoDataPickle);
    EXPECT_NE(nested.error().hint.text().find("policy.pth "), std::string::npos)
        << nested.error().hint.text();
    EXPECT_EQ(failure(archive(pickled(), "x", {stored("archive/data.pkl", pickled())})),
              ErrorCode::ZipDuplicateName);
    EXPECT_EQ(failure(archive(pickled(), "x", {stored("archive/byteorder", "middle")})),
              ErrorCode::TorchBadByteOrder);
    EXPECT_EQ(
        failure(archive(pickled(), "x", {stored("archive/byteorder", std::string(1000, 'l'))})),
        ErrorCode::LimitExceeded);
    const std::string whole = archive(pickled());
    EXPECT_EQ(failure(whole.substr(0, whole.size() - 10)), ErrorCode::ZipNoDirectory);
    EXPECT_EQ(failure(whole.substr(0, 40)), ErrorCode::ZipNoDirectory);
    RawEntry encrypted = stored("archive/data.pkl", pickled());
    encrypted.flags = 1;
    EXPECT_EQ(failure(buildZip({encrypted})), ErrorCode::ZipEncrypted);
    RawEntry method = stored("archive/data.pkl", pickled());
    method.method = 12;
    EXPECT_EQ(failure(buildZip({method})), ErrorCode::ZipBadMethod);
    RawEntry bomb = deflatedEntry("archive/data.pkl", std::string(100'000, '\0'));
    bomb.size = 0xFFFF'FFFE;
    EXPECT_EQ(failure(buildZip({bomb})), ErrorCode::ZipBomb);
}

TEST(TorchHostile, Pickles) {
    const std::string good = pickled();
    EXPECT_EQ(failure(archive("")), ErrorCode::PickleTruncated);
    EXPECT_EQ(failure(archive(good.substr(0, good.size() / 2))), ErrorCode::PickleTruncated);
    EXPECT_EQ(failure(archive("\x80\x09N.")), ErrorCode::PickleBadProtocol);
    EXPECT_EQ(failure(archive("\x80\x02\xff.")), ErrorCode::PickleBadOpcode);
    EXPECT_EQ(failure(archive("\x80\x02R.")), ErrorCode::PickleStackUnderflow);
    EXPECT_EQ(failure(archive("\x80\x02h\x05.")), ErrorCode::PickleBadMemo);
    EXPECT_EQ(failure(archive("\x80\x02}]Ns.")), ErrorCode::PickleUnhashableKey);
    EXPECT_EQ(failure(archive("\x80\x02NNa.")), ErrorCode::PickleBadOperand);
}

TEST(TorchHostile, EveryTruncationFailsOrSaysSo) {
    const std::string whole = archive(pickled());
    for (std::size_t length = 4; length < whole.size(); ++length) {
        const auto checkpoint = openText(whole.substr(0, length));
        EXPECT_FALSE(checkpoint) << length;
    }
}

TEST(TorchHostile, PersistentIds) {
    expectDamage(archive(pickled({.tag = "module"})), ErrorCode::TorchBadPersistentId);
    expectDamage(archive(pickled({.key = ""})), ErrorCode::TorchBadPersistentId);
    expectDamage(archive(pickled({.numel = -1})), ErrorCode::TorchBadPersistentId);
    expectDamage(archive(pickled({.numel = INT64_MAX})), ErrorCode::TorchBadPersistentId);
    expectDamage(archive(pickled({.storageClass = "StringStorage"})), ErrorCode::TorchUnknownDtype);
    expectDamage(archive(pickled({.storageModule = "os", .storageClass = "FloatStorage"})),
                 ErrorCode::TorchUnknownDtype);
    expectDamage(archive(pickled({.function = "_rebuild_tensor_v3", .dtype = "float3"})),
                 ErrorCode::TorchUnknownDtype);
}

TEST(TorchHostile, KeysThatAreNoRecords) {
    expectDamage(archive(pickled({.key = "1"})), ErrorCode::TorchMissingRecord);
    expectDamage(archive(pickled({.key = "../version"})), ErrorCode::TorchMissingRecord);
    expectDamage(archive(pickled({.key = "/etc/passwd"})), ErrorCode::TorchMissingRecord);
    expectDamage(archive(pickled({.key = std::string("0\0x", 3)})), ErrorCode::TorchMissingRecord);
}

TEST(TorchHostile, RecordsThatAreTooShort) {
    expectDamage(archive(pickled(), std::string(23, 'x')), ErrorCode::TorchStorageTooSmall);
    expectDamage(archive(pickled(), ""), ErrorCode::TorchStorageTooSmall);
    expectDamage(archive(pickled({.numel = 5})), ErrorCode::TorchStorageTooSmall);
}

TEST(TorchHostile, ATensorWithinAShortRecordIsStillRead) {
    const auto checkpoint = openText(archive(pickled({.numel = 100})));
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(hasNotice(**checkpoint, ErrorCode::TorchStorageTooSmall));
    ASSERT_EQ((*checkpoint)->tensors().size(), 1U);
    EXPECT_EQ((*checkpoint)->tensors()[0].pieces.size(), 1U);
}

TEST(TorchHostile, Geometry) {
    expectDamage(archive(pickled({.offset = -1})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = {-2, -3}})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.stride = {-3, 1}})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = {2, 3, 1}})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = {INT64_MAX, 3}})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = {INT64_MAX / 4, 3}})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = std::vector<std::int64_t>(65, 1),
                                  .stride = std::vector<std::int64_t>(65, 1)})),
                 ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.offset = 1})), ErrorCode::TorchStorageTooSmall);
    expectDamage(archive(pickled({.offset = INT64_MAX / 8})), ErrorCode::TorchStorageTooSmall);
    expectDamage(archive(pickled({.offset = INT64_MAX})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.stride = {4, 1}})), ErrorCode::TorchStorageTooSmall);
    expectDamage(archive(pickled({.stride = {INT64_MAX, 1}})), ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = {4, 3}, .stride = {INT64_MAX / 2, 1}})),
                 ErrorCode::TorchBadTensor);
    expectDamage(archive(pickled({.size = {7}, .stride = {1}})), ErrorCode::TorchStorageTooSmall);
}

TEST(TorchHostile, LegalOddities) {
    expectGood(archive(pickled(
        {.size = {2, 0, 9}, .stride = {INT64_MAX, INT64_MAX, 1}}))); // no elements, no bytes
    expectGood(archive(pickled({.offset = 6, .size = {0}, .stride = {1}})));
    expectGood(archive(pickled({.size = {1000, 1000}, .stride = {0, 0}}))); // expanded
    expectGood(archive(pickled({.size = {}, .stride = {}})));
}

TEST(TorchHostile, CallsWithTooFewArguments) {
    for (const std::string_view function :
         {"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3", "_rebuild_qtensor"}) {
        const A out = A().proto(2).global("torch._utils", function).op(')').reduce().stop();
        expectDamage(archive(out.str()), ErrorCode::TorchBadTensor);
    }
    const A type =
        A().proto(2).global("torch._tensor", "_rebuild_from_type_v2").op(')').reduce().stop();
    EXPECT_TRUE(openText(archive(type.str())));
    const A sparse =
        A().proto(2).global("torch._utils", "_rebuild_sparse_tensor").op(')').reduce().stop();
    expectDamage(archive(sparse.str()), ErrorCode::TorchBadTensor);
    const A storage = A().proto(2)
                          .global("torch._utils", "_rebuild_tensor_v2")
                          .op('(')
                          .op('N')
                          .op('N')
                          .op('N')
                          .op('N')
                          .op('t')
                          .reduce()
                          .stop();
    expectDamage(archive(storage.str()), ErrorCode::TorchBadPersistentId);
}

TEST(TorchHostile, NumpyArraysThatLie) {
    const auto array = [](std::int64_t rows, std::string_view code, std::string_view data) {
        A out;
        out.proto(3)
            .global("numpy.core.multiarray", "_reconstruct")
            .global("numpy", "ndarray")
            .integer(0)
            .op(0x85);
        out.bytes("b").op(0x87).reduce().op('(').integer(1).op('(');
        number(out, rows);
        out.op('t').global("numpy", "dtype").text(code).op(0x89).op(0x88).op(0x87).reduce();
        out.op(0x89).bytes(data).op('t').op('b').stop();
        return archive(out.str());
    };
    expectGood(array(2, "f4", "12345678"));
    expectDamage(array(3, "f4", "12345678"), ErrorCode::TorchStorageTooSmall);
    expectDamage(array(1, "f4", "12345678"), ErrorCode::TorchStorageTooSmall);
    expectDamage(array(-1, "f4", "12345678"), ErrorCode::TorchBadTensor);
    expectDamage(array(INT64_MAX, "f8", "12345678"), ErrorCode::TorchStorageTooSmall);
    expectGood(array(2, "O", "12345678"), 0);
    const auto raw = openText(array(2, "V4", "12345678"));
    ASSERT_TRUE(raw) << describe(raw.error());
    ASSERT_EQ((*raw)->tensors().size(), 1U);
    EXPECT_EQ((*raw)->tensors()[0].dtype, Dtype::Opaque);
    EXPECT_EQ((*raw)->tensors()[0].shape, (Shape{2, 4}));
    expectDamage(array(3, "V4", "12345678"), ErrorCode::TorchStorageTooSmall);
    expectDamage(array(2, "U1", "1234567"), ErrorCode::TorchStorageTooSmall);
}

TEST(TorchHostile, MemoBombsOfTensorsStaySmall) {
    A out;
    out.proto(2);
    tensor(out);
    out.put(0);
    for (int level = 1; level < 41; ++level) {
        out.op('(').get(level - 1).get(level - 1).op('t').put(level);
    }
    const auto checkpoint = openText(archive(out.stop().str()));
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(hasNotice(**checkpoint, ErrorCode::LimitExceeded));
    EXPECT_LT((*checkpoint)->tensors().size(), 500'000U);
}

/// 300 lists of 300 references to memo entry 0.
void ninetyThousandTimes(A& out) {
    for (int level = 0; level < 2; ++level) {
        out.op('0').op(']').op('(');
        for (int i = 0; i < 300; ++i) {
            out.get(level);
        }
        out.op('e').put(level + 1);
    }
}

TEST(TorchHostile, ReferencesToManyValuesAndLongNamesStaySmall) {
    A values;
    values.proto(2).op(']').op('(');
    tensor(values);
    values.repeat("N", 1'000).op('e').put(0);
    ninetyThousandTimes(values);
    const auto many = openText(archive(values.stop().str()));
    ASSERT_TRUE(many);
    EXPECT_TRUE(hasNotice(**many, ErrorCode::LimitExceeded));
    EXPECT_EQ((*many)->completeness(), Completeness::Incomplete);
    ASSERT_GE((*many)->tensors().size(), 10U);
    EXPECT_LT((*many)->tensors().size(), 1'000U);

    A names;
    names.proto(2).op('}').text(std::string(20'000, 'k'));
    tensor(names);
    names.put(0);
    ninetyThousandTimes(names);
    names.op('s');
    const auto longNames = openText(archive(names.stop().str()));
    ASSERT_TRUE(longNames);
    EXPECT_EQ((*longNames)->completeness(), Completeness::Incomplete);
    std::size_t bytes = 0;
    for (const TensorEntry& entry : (*longNames)->tensors()) {
        bytes += entry.name.size();
    }
    EXPECT_GT(bytes, 100'000U);
    EXPECT_LT(bytes, 8'000'000U);
}

TEST(TorchHostile, DeepAndCyclicValues) {
    const auto deep =
        openText(archive(A().proto(2).repeat("]", 100'000).repeat("a", 99'999).stop().str()));
    ASSERT_TRUE(deep);
    EXPECT_TRUE(hasNotice(**deep, ErrorCode::LimitExceeded));
    const auto cyclic = openText(archive(A().proto(2).op(']').put(0).get(0).op('a').stop().str()));
    ASSERT_TRUE(cyclic);
    EXPECT_TRUE((*cyclic)->values());
}

/// A list of `count` small numbers, followed by what `last` writes.
void longList(A& out, std::size_t count, const std::function<void(A&)>& last = nullptr) {
    out.op(']').op('(').repeat("K\x07", count);
    if (last) {
        last(out);
    }
    out.op('e');
}

void expectShape(const Checkpoint& checkpoint, std::string_view name, const Shape& shape) {
    const auto found = checkpoint.find(name);
    ASSERT_TRUE(found) << name << " of " << checkpoint.tensors().size();
    EXPECT_EQ(checkpoint.tensor(*found).shape, shape) << name;
    EXPECT_EQ(checkpoint.tensor(*found).pieces.size(), 1U) << name;
}

constexpr std::size_t kTooMany = 4'000'100; ///< plain values

TEST(TorchHostile, NoTensorIsLostBehindManyPlainValues) {
    A out;
    out.proto(2).op('}').text("first");
    longList(out, kTooMany, [](A& list) { tensor(list, {.size = {3, 2}, .stride = {2, 1}}); });
    out.op('s').text("model").op('}').text("w");
    tensor(out);
    out.op('s').text("lr").integer(3).op('s').op('s');
    out.text("pairs").global("collections", "OrderedDict").op('(').op(']').op('(').op(']');
    out.text("b").op('a');
    tensor(out, {.size = {6}, .stride = {1}});
    out.op('a').op('e').op('t').reduce().op('s');
    const auto checkpoint = openText(archive(out.stop().str()));
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_TRUE(hasNotice(**checkpoint, ErrorCode::LimitExceeded));
    EXPECT_EQ((*checkpoint)->tensors().size(), 3U);
    expectShape(**checkpoint, "pairs.b", Shape{6});
    expectShape(**checkpoint, "first." + std::to_string(kTooMany), Shape{3, 2});
    expectShape(**checkpoint, "model.w", Shape{2, 3});
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Complete);
    const auto values = (*checkpoint)->values();
    ASSERT_TRUE(values);
    const Value* rate =
        values->findPath({"model", "lr"}); // a long list hides only its own elements
    ASSERT_TRUE(rate);
    EXPECT_EQ(*rate->asInt(), 3);
    const ValueItem& last = values->find("first")->items().back();
    ASSERT_TRUE(last.value.asTensor());
    EXPECT_EQ(keyText(last.key), std::to_string(kTooMany)); // its position is kept
}

TEST(TorchHostile, NoTensorIsLostBehindManySmallContainers) {
    A out;
    out.proto(2).op('}').text("history").op(']');
    for (int block = 0; block < 450; ++block) {
        out.op(']').op('(').repeat("]K\x07a", 4'999).op('e').op('a');
    }
    out.op('s').text("empty").op(']').put(0).op('s').text("model").op('}').text("plain").get(0);
    out.op('s').text("w");
    tensor(out);
    out.op('s').op('s');
    const auto checkpoint = openText(archive(out.stop().str()));
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_TRUE(hasNotice(**checkpoint, ErrorCode::LimitExceeded));
    expectShape(**checkpoint, "model.w", Shape{2, 3});
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Complete);
    const auto values = (*checkpoint)->values();
    ASSERT_TRUE(values);
    ASSERT_TRUE(values->findPath({"model", "w"}));
    EXPECT_TRUE(values->findPath({"model", "w"})->asTensor());
}

TEST(TorchHostile, TensorsThatAreNotShownMakeItIncomplete) {
    A out;
    out.proto(2).op('}').text("top");
    tensor(out);
    out.op('s').text("deep").repeat("]", 1'200);
    tensor(out);
    const auto checkpoint = openText(archive(out.repeat("a", 1'200).op('s').stop().str()));
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->tensors().size(), 1U);
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Incomplete);
    ASSERT_EQ((*checkpoint)->why().size(), 1U);
    EXPECT_EQ((*checkpoint)->why().front().text(), "Values are nested deeper than can be shown");
}

TEST(TorchHostile, AStrayRecordIsSaid) {
    const auto checkpoint =
        openText(archive(pickled(), std::string(24, 'x'), {stored("other/data/0", "stray")}));
    ASSERT_TRUE(checkpoint);
    EXPECT_TRUE(hasNotice(**checkpoint, ErrorCode::StrayFile));
}

TEST(TorchHostile, BarePickles) {
    EXPECT_EQ(failure("\x80\x02K\x05."), ErrorCode::NotACheckpoint);
    EXPECT_EQ(failure("\x80\x02}q"), ErrorCode::PickleTruncated);
    expectDamage(pickled(), ErrorCode::TorchMissingRecord);
}

} // namespace
} // namespace cairn::test::hostile
