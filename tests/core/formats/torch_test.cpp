// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/format_fixture.h"
#include "tests/core/formats/torch_samples.h"

#include <algorithm>
#include <array>
#include <thread>

namespace cairn::formats {
namespace torch {
extern const FormatInfo kFormat;
}
namespace torch_legacy {
extern const FormatInfo kFormat;
}
namespace npy {
extern const FormatInfo kFormat;
}
} // namespace cairn::formats

namespace cairn::test {
namespace {

CheckpointPtr opened(const std::filesystem::path& path) {
    const bool legacy = path.parent_path() == kLegacy;
    auto checkpoint =
        openAs(legacy ? formats::torch_legacy::kFormat : formats::torch::kFormat, path);
    EXPECT_TRUE(checkpoint) << (checkpoint ? "" : describe(checkpoint.error()));
    return checkpoint ? *checkpoint : nullptr;
}

Match probeFile(const FormatInfo& format, const std::filesystem::path& path) {
    const std::string text = readText(path);
    Candidate candidate;
    candidate.path = path;
    candidate.size = text.size();
    candidate.head = asBytes(std::string_view(text).substr(0, 4096));
    candidate.tail = asBytes(
        std::string_view(text).substr(text.size() - std::min<std::size_t>(text.size(), 65536)));
    return format.probe(candidate);
}

/// The value at a dotted path; list positions are numbers.
const Value* at(const Value& root, std::string_view place) {
    const Value* value = &root;
    while (value != nullptr && !place.empty()) {
        const std::string_view part = place.substr(0, place.find('.'));
        place.remove_prefix(std::min(part.size() + 1, place.size()));
        const Value* next = value->findPath({part});
        if (next == nullptr) { // a numeric key
            for (const ValueItem& item : value->items()) {
                next = keyText(item.key) == part ? &item.value : next;
            }
        }
        value = next;
    }
    return value;
}

void expectValue(const Value& root, std::string_view place, const JsonValue& expected) {
    const Value* value = at(root, place);
    ASSERT_TRUE(value) << place;
    if (const auto text = expected.asString()) {
        ASSERT_TRUE(value->asString()) << place;
        EXPECT_EQ(*value->asString(), *text) << place;
    } else if (const auto integer = expected.asInteger(); integer && value->asInt()) {
        EXPECT_EQ(*value->asInt(), *integer) << place;
    } else if (const auto number = expected.asReal(); number && value->asFloat()) {
        EXPECT_EQ(*value->asFloat(), *number) << place;
    } else if (const auto flag = expected.asBool(); flag && value->asBool()) {
        EXPECT_EQ(*value->asBool(), *flag) << place;
    } else {
        ADD_FAILURE() << place << " is of another kind";
    }
}

/// {name: [dtype, shape, sha256]}
void expectEntries(const Checkpoint& checkpoint, const JsonValue& expected) {
    EXPECT_EQ(checkpoint.tensors().size(), expected.members().size());
    for (const JsonMember& member : expected.members()) {
        SCOPED_TRACE(member.key);
        const auto index = checkpoint.find(member.key);
        ASSERT_TRUE(index);
        const TensorEntry& tensor = checkpoint.tensor(*index);
        const auto row = member.value.asArray();
        EXPECT_EQ(dtypeName(tensor.dtype), (*row)[0].asString().value_or(""));
        const auto shape = (*row)[1].asArray();
        ASSERT_EQ(tensor.shape.size(), shape->size());
        for (std::size_t d = 0; d < shape->size(); ++d) {
            EXPECT_EQ(tensor.shape[d], (*shape)[d].asInteger().value_or(-1));
        }
        EXPECT_EQ(sha256Of(checkpoint, tensor), (*row)[2].asString().value_or(""));
    }
}

void expectFacts(const Checkpoint& checkpoint, const JsonValue& expected) {
    const JsonValue* aliases = expected.find("aliases");
    for (const JsonMember& alias : aliases->members()) {
        const TensorEntry& tensor = checkpoint.tensor(*checkpoint.find(alias.key));
        ASSERT_TRUE(tensor.aliasOf) << alias.key;
        EXPECT_EQ(checkpoint.tensor(*tensor.aliasOf).name, alias.value.asString().value_or(""));
    }
    auto values = checkpoint.values();
    ASSERT_TRUE(values) << describe(values.error());
    for (const JsonMember& value : expected.find("values")->members()) {
        expectValue(*values, value.key, value.value);
    }
    if (const JsonValue* framework = expected.find("framework")) {
        EXPECT_EQ(checkpoint.framework(), framework->asString().value_or(""));
    }
    const TrainingPosition position = trainingPosition(checkpoint);
    if (const JsonValue* step = expected.find("step")) {
        EXPECT_EQ(position.step.value_or(-1), step->asInteger().value_or(-2));
    }
    if (const JsonValue* epoch = expected.find("epoch")) {
        EXPECT_EQ(position.epoch.value_or(-1),
                  static_cast<double>(epoch->asInteger().value_or(-2)));
    }
}

void expectFolder(const std::filesystem::path& folder) {
    auto expected = parseJson(readText(folder / "expected.json"), "expected.json");
    ASSERT_TRUE(expected);
    ASSERT_GE(expected->members().size(), 6U);
    for (const JsonMember& file : expected->members()) {
        SCOPED_TRACE(file.key);
        const CheckpointPtr checkpoint = opened(folder / file.key);
        ASSERT_TRUE(checkpoint);
        EXPECT_TRUE(std::ranges::all_of(checkpoint->notices(), [](const Notice& notice) {
            return notice.severity == Severity::Info; // names the type of dates and records
        })) << noticesText(*checkpoint);
        EXPECT_EQ(checkpoint->completeness(), Completeness::Complete);
        expectEntries(*checkpoint, *file.value.find("tensors"));
        expectFacts(*checkpoint, file.value);
    }
}

TEST(TorchReader, ReadsWhatTorchLoadsBitByBit) {
    expectFolder(kZip);
}

TEST(TorchReader, NamesTensorsWhoseDataAreNotInTheFile) {
    const CheckpointPtr checkpoint = opened(kZip / "meta.pt");
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->completeness(), Completeness::Incomplete);
    ASSERT_EQ(checkpoint->tensors().size(), 2U);
    ASSERT_EQ(checkpoint->notices().size(), 1U) << noticesText(*checkpoint);
    EXPECT_EQ(checkpoint->notices().front().error.code, ErrorCode::NotStored);
    EXPECT_EQ(checkpoint->notices().front().error.where.tensor, "meta");
    const TensorEntry& meta = checkpoint->tensor(*checkpoint->find("meta"));
    EXPECT_EQ(meta.shape, (Shape{3}));
    EXPECT_TRUE(meta.pieces.empty());
}

TEST(TorchLegacyReader, ReadsWhatTorchLoadsBitByBit) {
    expectFolder(kLegacy);
}

TEST(TorchReader, KnowsItsFilesByTheirContent) {
    for (const auto& entry : std::filesystem::directory_iterator(kZip)) {
        const auto extension = entry.path().extension();
        if (extension == ".pt" || extension == ".ckpt" || extension == ".pkl") {
            const Match wanted = extension == ".pkl" ? Match::Maybe : Match::Yes;
            EXPECT_EQ(probeFile(formats::torch::kFormat, entry.path()), wanted) << entry.path();
            EXPECT_EQ(probeFile(formats::torch_legacy::kFormat, entry.path()), Match::No)
                << entry.path();
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator(kLegacy)) {
        if (entry.path().extension() == ".pt") {
            EXPECT_EQ(probeFile(formats::torch_legacy::kFormat, entry.path()), Match::Yes)
                << entry.path();
        }
    }
    EXPECT_EQ(probeFile(formats::torch::kFormat, kZip / "expected.json"), Match::No);
    EXPECT_EQ(probeFile(formats::torch_legacy::kFormat, kZip / "expected.json"), Match::No);
}

TEST(TorchReader, PiecesPointIntoTheFileItself) {
    const CheckpointPtr checkpoint = opened(kZip / "views.pt");
    ASSERT_TRUE(checkpoint);
    ASSERT_EQ(checkpoint->files().size(), 1U);
    const TensorEntry& whole = checkpoint->tensor(*checkpoint->find("whole"));
    const TensorEntry& slice = checkpoint->tensor(*checkpoint->find("slice"));
    ASSERT_EQ(slice.pieces.size(), 1U);
    EXPECT_EQ(slice.pieces[0].bytes.offset, whole.pieces[0].bytes.offset + 40);
    EXPECT_EQ(slice.pieces[0].bytes.length, 80U);
    EXPECT_EQ(whole.pieces[0].bytes.offset % 64, 0U);
    EXPECT_TRUE(checkpoint->tensor(*checkpoint->find("conj")).pieces[0].flags.conjugate);
    EXPECT_TRUE(checkpoint->tensor(*checkpoint->find("neg")).pieces[0].flags.negate);
    EXPECT_FALSE(checkpoint->tensor(*checkpoint->find("slice")).aliasOf);
}

TEST(TorchReader, ArraysInThePickleNeedNoCopyUnlessTheyWereText) {
    const CheckpointPtr binary = opened(kZip / "numpy_protocol5.pt");
    ASSERT_TRUE(binary);
    EXPECT_EQ(binary->files().size(), 1U);
    const CheckpointPtr text = opened(kZip / "numpy.pt");
    ASSERT_TRUE(text);
    ASSERT_EQ(text->files().size(), 2U);
    EXPECT_TRUE(text->files()[1].source);
}

void expectLongBytes(const FormatInfo& format, const std::filesystem::path& path) {
    const auto checkpoint = openAs(format, path);
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    const auto values = (*checkpoint)->values();
    ASSERT_TRUE(values);
    for (const char* key : {"stream", "array", "plain"}) {
        const Value* value = values->find(key);
        ASSERT_TRUE(value && value->asBytes()) << key;
        ASSERT_EQ(value->asBytes()->size(), 10'000U) << key;
        for (std::size_t i = 0; i < 10'000; ++i) {
            ASSERT_EQ(std::to_integer<std::size_t>((*value->asBytes())[i]), 1 + i % 200)
                << key << " at " << i;
        }
    }
}

TEST(TorchReader, LongBytesOfABarePickleAreWhole) {
    expectLongBytes(formats::torch::kFormat, kZip / "long_bytes.pkl");
    const TemporaryFolder folder;
    const std::string header = "{'descr': '|O', 'fortran_order': False, 'shape': (), }";
    std::string file = std::string("\x93NUMPY\x01\0", 8) + '\x76' + '\0' + header;
    file += std::string(127 - file.size(), ' ') + '\n' + readText(kZip / "long_bytes.pkl");
    expectLongBytes(formats::npy::kFormat, folder.write("saved.npy", file));
}

TEST(TorchReader, OffersTheStoredChecksums) {
    const CheckpointPtr checkpoint = opened(kZip / "views.pt");
    ASSERT_TRUE(checkpoint);
    const auto sums = checkpoint->checksums();
    EXPECT_TRUE(std::ranges::any_of(
        sums, [](const StoredChecksum& s) { return s.what.ends_with("/data/0"); }));
    const CheckpointPtr none = opened(kZip / "no_crc.pt");
    ASSERT_TRUE(none);
    const auto zeros = none->checksums(); // 0: `check` says that they were not compared
    EXPECT_FALSE(zeros.empty());
    EXPECT_TRUE(std::ranges::all_of(zeros, [](const StoredChecksum& s) { return s.crc32 == 0; }));
}

TEST(TorchReader, DeflatedRecordsAreReadThroughACodec) {
    const CheckpointPtr checkpoint = opened(kZip / "deflated_views.pt");
    ASSERT_TRUE(checkpoint);
    const TensorEntry& slice = checkpoint->tensor(*checkpoint->find("slice"));
    EXPECT_EQ(checkpoint->codecName(slice.pieces[0].codec), "deflate");
    EXPECT_LE(slice.pieces[0].bytes.end(), checkpoint->files()[0].identity.size);
}

TEST(TorchReader, ManyThreadsReadAlike) {
    const CheckpointPtr checkpoint = opened(kZip / "deflated.pt");
    ASSERT_TRUE(checkpoint);
    std::array<std::string, 4> digests;
    std::vector<std::thread> threads;
    for (std::string& digest : digests) {
        threads.emplace_back([&] {
            for (const TensorEntry& tensor : checkpoint->tensors()) {
                digest += sha256Of(*checkpoint, tensor);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(digests[0], digests[1]);
    EXPECT_EQ(digests[0], digests[3]);
}

TEST(TorchReader, AModuleIsNamedAsItsStateDict) {
    const CheckpointPtr checkpoint = opened(kZip / "module.pt");
    ASSERT_TRUE(checkpoint);
    ASSERT_TRUE(checkpoint->find("inner.0.weight"));
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("norm.running_mean")).role, Role::Buffer);
    EXPECT_EQ(checkpoint->tensor(*checkpoint->find("fc.weight")).role, Role::Weight);
    const auto values = checkpoint->values();
    EXPECT_EQ(values->kind(), ValueKind::Dict);
    EXPECT_EQ(values->asNode()->className, "torch.nn.modules.container.Sequential");
    const Value* counted = values->findPath({"norm", "num_batches_tracked"});
    ASSERT_NE(counted, nullptr);
    EXPECT_EQ(*counted->asTensor(), *checkpoint->find("norm.num_batches_tracked"));
}

TEST(TorchFolders, TheOnlyCheckpointOfAFolderIsMeantByIt) {
    const TemporaryFolder folder;
    folder.write("lit_model.pth", readText(kZip / "training.pt"));
    folder.write("tokenizer.json", "{}");
    const auto only = openCheckpoint(folder.path());
    ASSERT_TRUE(only) << describe(only.error());
    EXPECT_EQ((*only)->path(), folder / "lit_model.pth");
    folder.write("other.pth", readText(kZip / "training.pt"));
    const auto two = openCheckpoint(folder.path());
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().code, ErrorCode::NotACheckpoint);
    EXPECT_NE(two.error().found.text().find("lit_model.pth and 1 more"), std::string::npos)
        << describe(two.error());
    EXPECT_NE(two.error().hint.text().find("cairn-cli runs"), std::string::npos);
}

TEST(TorchFolders, ABrokenFileHidesNoOther) {
    const TemporaryFolder folder;
    for (const char* name : {"model.pt", "optimizer.pt", "extra_state.pt"}) {
        folder.write(name, readText(std::filesystem::path(CAIRN_SOURCE_DIR) /
                                    "tests/data/torch_folder/step_20" / name));
    }
    const std::string cut = readText(folder / "optimizer.pt").substr(0, 900);
    folder.write("optimizer.pt", cut);
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->format(), "torch_folder");
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Incomplete);
    EXPECT_EQ((*checkpoint)->why().front().text(), "optimizer.pt cannot be read");
    EXPECT_TRUE((*checkpoint)->find("0.weight"));
    EXPECT_EQ(trainingPosition(**checkpoint).step, 20);
    folder.write("model.pt", "");
    folder.write("optimizer.pt", "");
    folder.write("extra_state.pt", "");
    EXPECT_FALSE(openCheckpoint(folder.path()));
}

const std::filesystem::path kSave =
    std::filesystem::path(CAIRN_SOURCE_DIR) / "tests/data/torch_folder/step_20";

TEST(TorchFolders, FilesOfOneNameAreToldApart) {
    const TemporaryFolder folder;
    folder.write("model.pt", readText(kSave / "model.pt"));
    folder.write("optimizer.bin", readText(kSave / "optimizer.pt"));
    folder.write("optimizer.pt", readText(kSave / "optimizer.pt"));
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->format(), "torch_folder");
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Complete) << noticesText(**checkpoint);
    EXPECT_TRUE((*checkpoint)->find("optimizer.state.0.exp_avg"));
    EXPECT_TRUE((*checkpoint)->find("optimizer.pt.state.0.exp_avg"));
    const auto values = (*checkpoint)->values();
    ASSERT_TRUE(values);
    ASSERT_TRUE(values->find("optimizer.pt"));
    EXPECT_TRUE(values->find("optimizer.pt")->find("param_groups"));
}

TEST(TorchFolders, AFileIsToldFromWhatTheModelsFileHolds) {
    const TemporaryFolder folder;
    folder.write("model.pt", readText(kZip / "training.pt"));
    folder.write("optimizer.pt", readText(kSave / "optimizer.pt"));
    const auto alone = openAs(formats::torch::kFormat, folder / "model.pt");
    ASSERT_TRUE(alone && (*alone)->values()->find("optimizer"));
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->format(), "torch_folder");
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Complete) << noticesText(**checkpoint);
    EXPECT_TRUE((*checkpoint)->find("optimizer.pt.state.0.exp_avg"));
    for (const TensorEntry& tensor : (*alone)->tensors()) {
        EXPECT_TRUE((*checkpoint)->find(tensor.name)) << tensor.name;
    }
    std::size_t optimizers = 0;
    for (const ValueItem& item : (*checkpoint)->values()->items()) {
        optimizers += keyText(item.key) == "optimizer" ? 1 : 0;
    }
    EXPECT_EQ(optimizers, 1U);
}

TEST(TorchFolders, WhatASaveSaysOfItselfMakesItOne) {
    const std::filesystem::path all = CAIRN_SOURCE_DIR "/tests/data/torch_folder";
    const TemporaryFolder folder;
    const std::filesystem::path speech = folder / "CKPT+2026-11-22+10-00-00+00";
    std::filesystem::copy(all / speech.filename(), speech);
    const auto saved = openCheckpoint(speech);
    ASSERT_TRUE(saved) << describe(saved.error());
    EXPECT_EQ((*saved)->framework(), "speechbrain");
    EXPECT_EQ(trainingPosition(**saved).epoch, 2);
    const auto values = (*saved)->values();
    EXPECT_EQ(numberOf(*values->find("CKPT.yaml")->find("WER")), 2.5);
    EXPECT_EQ((*saved)->tensor(*(*saved)->find("optimizer.state.0.exp_avg")).role, Role::Optimizer);

    std::ofstream(speech / "CKPT.yaml") << "WER: 2.";
    std::ofstream(speech / "counter.ckpt") << "";
    const auto cut = openCheckpoint(speech);
    ASSERT_TRUE(cut);
    EXPECT_EQ((*cut)->why().size(), 2U) << noticesText(**cut);
    EXPECT_TRUE((*cut)->find("0.weight"));

    std::filesystem::copy(all / "step40", folder / "step40",
                          std::filesystem::copy_options::recursive);
    const auto olmo = openCheckpoint(folder / "step40");
    ASSERT_TRUE(olmo) << describe(olmo.error());
    EXPECT_EQ((*olmo)->framework(), "olmo-core");
    EXPECT_EQ((*olmo)->completeness(), Completeness::Complete);
    EXPECT_EQ(trainingPosition(**olmo).step, 40);
    EXPECT_EQ((*olmo)->tensor(*(*olmo)->find("train_rank0.order")).role, Role::TrainingState);
    std::filesystem::remove(folder / "step40/train/rank0.pt");
    const auto stateless = openCheckpoint(folder / "step40");
    ASSERT_TRUE(stateless);
    EXPECT_EQ((*stateless)->completeness(), Completeness::Incomplete);
    EXPECT_TRUE((*stateless)->find("model.0.weight"));
}

TEST(TorchFolders, DataSetsAreNoTrainingState) {
    const TemporaryFolder folder;
    const auto copy = [&](std::string_view name, std::string_view from) {
        folder.write(name, readText(kSave / from));
    };
    copy("model.pt", "model.pt");
    copy("train.pt", "extra_state.pt");
    EXPECT_FALSE(openCheckpoint(folder.path())); // two files: ambiguous
    std::filesystem::remove(folder / "train.pt");
    folder.write("train.pkl", readText(kZip / "numpy.pkl"));
    const auto beside = openCheckpoint(folder.path());
    EXPECT_TRUE(!beside || (*beside)->format() != "torch_folder");
    copy("optimizer.pt", "optimizer.pt");
    copy("train.pth", "extra_state.pt");
    folder.write("train.bin", std::string(64, 'x'));
    folder.write("val.bin", std::string(64, 'x'));
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_EQ((*checkpoint)->format(), "torch_folder");
    EXPECT_EQ((*checkpoint)->completeness(), Completeness::Complete) << noticesText(**checkpoint);
    EXPECT_EQ((*checkpoint)->files().size(), 3U);
    EXPECT_TRUE((*checkpoint)->values()->find("train"));
}

TEST(TorchFolders, AllFilesOfTheModelAreItsWeights) {
    const TemporaryFolder folder;
    folder.write("model.pkl", readText(kZip / "numpy_protocol2.pkl")); // arrays as text
    folder.write("optimizer.pt", readText(kSave / "optimizer.pt"));
    const auto checkpoint = openCheckpoint(folder.path());
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    const auto files = (*checkpoint)->files();
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files[0].path, "model.pkl");
    EXPECT_EQ(files[0].role, Role::Weight);
    EXPECT_TRUE(files[1].source);
    EXPECT_EQ(files[1].role, Role::Weight);
    EXPECT_EQ(files[2].role, Role::Optimizer);
}

TEST(TorchReader, CancelStopsTheOpen) {
    OpenRequest request;
    request.path = kZip / "training.pt";
    request.folder = *Folder::open(kZip);
    request.name = "training.pt";
    request.cancel.cancel();
    const auto checkpoint = formats::torch::kFormat.open(request);
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn::test
