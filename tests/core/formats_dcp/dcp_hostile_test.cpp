// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/model/tensor_reader.h"
#include "tests/core/formats_dcp/dcp_builder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <ostream>

// Each damaged or hostile folder gives its own error code, at the point where a user would meet it.

namespace cairn::test {
namespace {

/// Where the code is expected.
enum class Meets : std::uint8_t { Open, Notice, Read, Value };

struct Case {
    const char* name;
    Meets meets;
    ErrorCode code;
    std::function<void(Sample&)> change;
    std::function<void(const TemporaryFolder&)> after = {}; ///< called after the folder was written
};

void PrintTo(const Case& row, std::ostream* out) {
    *out << row.name;
}

std::string compressed(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
    return out;
}

void setZstd(Sample& s, const std::string& stream) {
    s.setHigh(stream);
    s.second().transforms = {"stream.zstd/1"};
}

void setBlob(Sample& s, const std::string& blob) {
    s.files[1].second = blob;
    s.second().length = 24; // exactly the elements: how the index recognizes such shards
}

const std::string kHighItem = itemPickle({{2, 3}, {3, 1}});
constexpr std::int64_t kHuge = std::int64_t{1} << 62;

void replaceWithPipe(const TemporaryFolder& folder, const char* name) {
    std::filesystem::remove(folder.path() / name);
    ASSERT_EQ(::mkfifo((folder.path() / name).c_str(), 0600), 0);
}

void replaceWithLink(const TemporaryFolder& folder, const char* name, const char* target) {
    std::filesystem::remove(folder.path() / name);
    std::filesystem::create_symlink(target, folder.path() / name);
}

std::vector<Case> openCases() {
    const auto raw = [](std::string text) { return [text](Sample& s) { s.rawIndex = text; }; };
    const std::string whole = IndexWriter().write(Sample().index);
    return {
        {"emptyIndex",
         Meets::Open,
         ErrorCode::EmptyFile,
         {},
         [](const TemporaryFolder& f) { f.write(".metadata", ""); }},
        {"zeroIndex", Meets::Open, ErrorCode::ZeroFilled, raw(std::string(500, '\0'))},
        {"lfsIndex", Meets::Open, ErrorCode::LfsPointer,
         raw("version https://git-lfs.github.com/spec/v1\n")},
        {"cutIndex", Meets::Open, ErrorCode::PickleTruncated,
         raw(whole.substr(0, whole.size() / 2))},
        {"cutByOne", Meets::Open, ErrorCode::PickleTruncated,
         raw(whole.substr(0, whole.size() - 1))},
        {"badOpcode", Meets::Open, ErrorCode::PickleBadOpcode, raw("\x80\x02\xff.")},
        {"underflow", Meets::Open, ErrorCode::PickleStackUnderflow, raw("\x80\x02R.")},
        {"badMemo", Meets::Open, ErrorCode::PickleBadMemo, raw("\x80\x02h\x09.")},
        {"badProtocol", Meets::Open, ErrorCode::PickleBadProtocol, raw("\x80\x63N.")},
        {"noMark", Meets::Open, ErrorCode::PickleNoMark, raw("\x80\x02t.")},
        {"hugeString", Meets::Open, ErrorCode::PickleTruncated,
         raw(PickleAssembler().proto(4).op(0x8d).little(std::uint64_t{1} << 60U).raw("x").str())},
        {"notAnIndex", Meets::Open, ErrorCode::DcpBadMetadata, raw("\x80\x02}.")},
        {"justANumber", Meets::Open, ErrorCode::DcpBadMetadata, raw(intPickle(7))},
        {"cyclic", Meets::Open, ErrorCode::DcpBadMetadata,
         raw(PickleAssembler().proto(2).op(']').put(0).get(0).op('a').stop().str())},
        {"cyclicState", Meets::Open, ErrorCode::DcpBadMetadata,
         raw(PickleAssembler()
                 .proto(2)
                 .global("torch.distributed.checkpoint.metadata", "Metadata")
                 .op(')')
                 .op(0x81)
                 .put(0)
                 .op('}')
                 .op('(')
                 .text("state_dict_metadata")
                 .op(']')
                 .text("self")
                 .get(0)
                 .op('u')
                 .op('b')
                 .stop()
                 .str())},
        {"deep", Meets::Open, ErrorCode::DcpBadMetadata,
         raw(PickleAssembler().proto(2).repeat("]", 1'000'000).repeat("a", 999'999).stop().str())},
        {"noIndex", Meets::Open, ErrorCode::DcpNoMetadata, [](Sample& s) { s.writeIndex = false; }},
        {"onlyTemporaryIndex", Meets::Open, ErrorCode::DcpNoMetadata,
         [](Sample& s) {
             s.writeIndex = false;
             s.files.emplace_back(".metadata.tmp", "x");
         }},
        {"indexIsPipe",
         Meets::Open,
         ErrorCode::NotRegularFile,
         {},
         [](const TemporaryFolder& f) { replaceWithPipe(f, ".metadata"); }},
        {"indexLeadsOut",
         Meets::Open,
         ErrorCode::OutsideFolder,
         {},
         [](const TemporaryFolder& f) { replaceWithLink(f, ".metadata", "/etc/passwd"); }},
    };
}

std::vector<Case> noticeCases() {
    const auto path = [](std::string text) {
        return [text](Sample& s) { s.second().path = text; };
    };
    return {
        {"chunkOutside", Meets::Notice, ErrorCode::DcpBadChunk,
         [](Sample& s) {
             s.second().offsets = {3, 0};
         }},
        {"chunkNegative", Meets::Notice, ErrorCode::DcpBadChunk,
         [](Sample& s) {
             s.second().offsets = {-1, 0};
         }},
        {"chunkRank", Meets::Notice, ErrorCode::DcpBadChunk,
         [](Sample& s) { s.second().offsets = {2}; }},
        {"chunkWraps", Meets::Notice, ErrorCode::DcpBadChunk,
         [](Sample& s) {
             s.second().sizes = {INT64_MAX - 1, INT64_MAX};
         }},
        {"chunkLarger", Meets::Notice, ErrorCode::DcpBadChunk,
         [](Sample& s) {
             s.second().sizes = {2, 4};
         }},
        {"overlap", Meets::Notice, ErrorCode::CoverageOverlap,
         [](Sample& s) {
             s.second().offsets = {1, 0};
             s.second().sizes = {3, 3};
         }},
        {"overlapAndHole", Meets::Notice, ErrorCode::CoverageHole,
         [](Sample& s) {
             s.second().offsets = {1, 0};
         }},
        {"hole", Meets::Notice, ErrorCode::CoverageHole,
         [](Sample& s) { s.w().chunks.pop_back(); }},
        {"noChunks", Meets::Notice, ErrorCode::CoverageHole,
         [](Sample& s) { s.w().chunks.clear(); }},
        {"notStored", Meets::Notice, ErrorCode::CoverageHole,
         [](Sample& s) { s.second().stored = false; }},
        {"beyondFile", Meets::Notice, ErrorCode::DcpItemBeyondFile,
         [](Sample& s) { s.second().length += 1; }},
        {"beyondAll", Meets::Notice, ErrorCode::DcpItemBeyondFile,
         [](Sample& s) { s.second().offset = INT64_MAX; }},
        {"cutShard", Meets::Notice, ErrorCode::DcpItemBeyondFile,
         [](Sample& s) { s.files[1].second.resize(100); }},
        {"emptyShard", Meets::Notice, ErrorCode::DcpItemBeyondFile,
         [](Sample& s) { s.files[1].second.clear(); }},
        {"negativeOffset", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) { s.second().offset = -5; }},
        {"negativeLength", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) { s.second().length = -5; }},
        {"missingShard", Meets::Notice, ErrorCode::MissingShard,
         [](Sample& s) { s.files.pop_back(); }},
        {"missingValueShard", Meets::Notice, ErrorCode::MissingShard,
         [](Sample& s) { s.index.values[0].path = "__9_0.distcp"; }},
        {"pathUp", Meets::Notice, ErrorCode::OutsideFolder,
         path("../../../../../../../../etc/passwd")},
        {"pathUpByOne", Meets::Notice, ErrorCode::OutsideFolder, path("../x.distcp")},
        {"pathAbsolute", Meets::Notice, ErrorCode::OutsideFolder, path("/etc/passwd")},
        {"pathIsFolder", Meets::Notice, ErrorCode::NotRegularFile, path(".")},
        {"pathTooLong", Meets::Notice, ErrorCode::Io, path(std::string(5000, 'x'))},
        {"noPath", Meets::Notice, ErrorCode::DcpBadMetadata, path("")},
        {"shardIsPipe",
         Meets::Notice,
         ErrorCode::NotRegularFile,
         {},
         [](const TemporaryFolder& f) { replaceWithPipe(f, "__1_0.distcp"); }},
        {"shardLeadsOut",
         Meets::Notice,
         ErrorCode::OutsideFolder,
         {},
         [](const TemporaryFolder& f) { replaceWithLink(f, "__1_0.distcp", "/etc/passwd"); }},
        {"shardLoops",
         Meets::Notice,
         ErrorCode::OutsideFolder,
         {},
         [](const TemporaryFolder& f) { replaceWithLink(f, "__1_0.distcp", "__1_0.distcp"); }},
        {"unknownDtype", Meets::Notice, ErrorCode::TorchUnknownDtype,
         [](Sample& s) { s.w().dtype = "float7"; }},
        {"sizeOverflows", Meets::Notice, ErrorCode::LimitExceeded,
         [](Sample& s) {
             s.w().size = {kHuge, kHuge};
         }},
        {"bytesOverflow", Meets::Notice, ErrorCode::LimitExceeded,
         [](Sample& s) {
             s.w().size = {kHuge, 3};
         }},
        {"rankTooHigh", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) { s.w().size = Numbers(65, 1); }},
        {"sizeNegative", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) {
             s.w().size = {-4, 3};
         }},
        {"unknownEntry", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) {
             s.w().className = "SomethingElse";
             s.w().size = {-1};
         }},
        {"unknownTransform", Meets::Notice, ErrorCode::DcpUnknownTransform,
         [](Sample& s) { s.second().transforms = {"stream.lzma/1"}; }},
        {"newerTransform", Meets::Notice, ErrorCode::DcpUnknownTransform,
         [](Sample& s) { s.second().transforms = {"stream.zstd/2"}; }},
        {"valueNotStored", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) { s.index.values[0].stored = false; }},
        {"sharedChunks", Meets::Notice, ErrorCode::DcpBadMetadata,
         [](Sample& s) {
             s.index.shareChunks = true;
             for (int i = 0; i < 300; ++i) { // one list of 3,000 chunks under 300 names
                 s.index.tensors.push_back({"t" + std::to_string(i), {4, 3}, {}});
             }
             s.w().chunks.assign(3000, s.first());
         }},
        {"stray", Meets::Notice, ErrorCode::StrayFile,
         [](Sample& s) { s.files.emplace_back("__7_0.distcp", "x"); }},
        {"laterSave", Meets::Notice, ErrorCode::BeingWritten,
         [](Sample& s) { s.files.emplace_back(".metadata.tmp", "x"); }},
        {"staleShard",
         Meets::Notice,
         ErrorCode::NewerThanIndex,
         {},
         [](const TemporaryFolder& f) {
             const auto now = std::filesystem::last_write_time(f.path() / ".metadata");
             std::filesystem::last_write_time(f.path() / "__1_0.distcp",
                                              now + std::chrono::hours(1));
         }},
    };
}

std::vector<Case> readCases() {
    const auto item = [](std::string pickle, std::string data = floats(6, 6)) {
        return [pickle, data](Sample& s) { s.setHigh(archiveOf(pickle, data)); };
    };
    const auto archive = [](std::vector<RawEntry> entries) {
        return [entries](Sample& s) { s.setHigh(buildZip(entries)); };
    };
    const auto spec = [](std::function<void(ItemSpec&)> change) {
        ItemSpec made{{2, 3}, {3, 1}};
        change(made);
        return itemPickle(made);
    };
    const std::string good = archiveOf(kHighItem, floats(6, 6));
    return {
        {"otherDtype", Meets::Read, ErrorCode::DcpItemMismatch,
         item(spec([](ItemSpec& i) { i.storage = "IntStorage"; }))},
        {"largerChunk", Meets::Read, ErrorCode::DcpItemMismatch,
         item(spec([](ItemSpec& i) {
                  i.shape = {3, 3};
              }),
              floats(9))},
        {"otherRank", Meets::Read, ErrorCode::DcpItemMismatch, item(itemPickle({{6}, {1}}))},
        {"aNumberInside", Meets::Read, ErrorCode::DcpItemMismatch, item(intPickle(4))},
        {"unknownFunction", Meets::Read, ErrorCode::DcpItemMismatch,
         item(spec([](ItemSpec& i) { i.function = "_rebuild_something"; }))},
        {"notAnArchive", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) { s.setHigh(std::string(600, 'x')); }},
        {"itemOfZeros", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) { s.setHigh(std::string(600, '\0')); }},
        {"emptyItem", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) { s.second().length = 0; }},
        {"cutArchive", Meets::Read, ErrorCode::ZipNoDirectory,
         [good](Sample& s) { s.setHigh(good.substr(0, 200)); }},
        {"shortStorage", Meets::Read, ErrorCode::TorchStorageTooSmall, item(kHighItem, floats(5))},
        {"farStorageOffset", Meets::Read, ErrorCode::TorchStorageTooSmall,
         item(spec([](ItemSpec& i) { i.first = INT64_MAX; }))},
        {"wideStrides", Meets::Read, ErrorCode::TorchStorageTooSmall, item(spec([](ItemSpec& i) {
             i.strides = {100, 1};
         }))},
        {"stridesOverflow", Meets::Read, ErrorCode::TorchBadTensor, item(spec([](ItemSpec& i) {
             i.strides = {INT64_MAX, INT64_MAX};
         }))},
        {"negativeStride", Meets::Read, ErrorCode::TorchBadTensor, item(spec([](ItemSpec& i) {
             i.strides = {-3, 1};
         }))},
        {"fewStrides", Meets::Read, ErrorCode::TorchBadTensor,
         item(spec([](ItemSpec& i) { i.strides = {1}; }))},
        {"noRecord", Meets::Read, ErrorCode::TorchMissingRecord,
         item(spec([](ItemSpec& i) { i.key = "9"; }))},
        {"recordUp", Meets::Read, ErrorCode::TorchMissingRecord,
         item(spec([](ItemSpec& i) { i.key = "../data.pkl"; }))},
        {"badPersistentId", Meets::Read, ErrorCode::TorchBadPersistentId,
         item(spec([](ItemSpec& i) { i.tag = "module"; }))},
        {"unknownStorage", Meets::Read, ErrorCode::TorchUnknownDtype,
         item(spec([](ItemSpec& i) { i.storage = "OctStorage"; }))},
        {"noPickle", Meets::Read, ErrorCode::TorchNoDataPickle,
         archive({stored("archive/data/0", floats(6))})},
        {"byteOrder", Meets::Read, ErrorCode::TorchBadByteOrder,
         [](Sample& s) { s.setHigh(archiveOf(kHighItem, floats(6), "middle")); }},
        {"twoPickles", Meets::Read, ErrorCode::ZipDuplicateName,
         archive({stored("archive/data.pkl", kHighItem), stored("archive/data.pkl", kHighItem),
                  stored("archive/data/0", floats(6))})},
        {"cutItemPickle", Meets::Read, ErrorCode::PickleTruncated, item(kHighItem.substr(0, 40))},
        {"transform", Meets::Read, ErrorCode::DcpUnknownTransform,
         [](Sample& s) { s.second().transforms = {"stream.rot13/1"}; }},
        {"damagedZstd", Meets::Read, ErrorCode::BadEncoding,
         [](Sample& s) { setZstd(s, std::string(400, 'z')); }},
        {"cutZstd", Meets::Read, ErrorCode::Truncated,
         [good](Sample& s) {
             const std::string stream = compressed(good);
             setZstd(s, stream.substr(0, stream.size() - 20));
         }},
        {"zstdOfOther", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) { setZstd(s, compressed(std::string(5000, 'x'))); }},
        {"zstdBomb", Meets::Read, ErrorCode::LimitExceeded,
         [](Sample& s) { setZstd(s, compressed(std::string(std::size_t{80} << 20U, '\0'))); }},
        {"blobWithoutName", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) {
             setBlob(s,
                     safetensorsFile(R"({"v":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})",
                                     floats(6)));
         }},
        {"blobShape", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) {
             setBlob(s,
                     safetensorsFile(R"({"w":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}})",
                                     floats(6)));
         }},
        {"blobOffsets", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) {
             setBlob(
                 s,
                 safetensorsFile(
                     R"({"__metadata__":{"DCP_SHARDING_INFO":"{\"w\":{\"saved_offsets\":[0,0]}}"},)"
                     R"("w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})",
                     floats(6)));
         }},
        {"blobCut", Meets::Read, ErrorCode::DcpItemMismatch,
         [](Sample& s) {
             setBlob(s, safetensorsFile(
                            R"({"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", "x"));
         }},
        {"blobHeader", Meets::Read, ErrorCode::SafetensorsHeaderTooLarge,
         [](Sample& s) { setBlob(s, std::string(64, '\x7f')); }},
        {"missingRead", Meets::Read, ErrorCode::MissingShard,
         [](Sample& s) { s.files.pop_back(); }},
    };
}

std::vector<Case> valueCases() {
    const auto value = [](std::string item) {
        return [item](Sample& s) {
            s.files.emplace_back("__2_0.distcp", item);
            s.index.values[0] = {"step", "__2_0.distcp", 0, static_cast<std::int64_t>(item.size())};
        };
    };
    const auto nested = PickleAssembler().proto(2).repeat("]", 3000).repeat("a", 2999).stop().str();
    return {
        {"valueCut", Meets::Value, ErrorCode::PickleTruncated, value("\x80\x02]")},
        {"valueArchiveCut", Meets::Value, ErrorCode::ZipNoDirectory,
         value(archiveOf(intPickle(1), "").substr(0, 120))},
        {"valueNoPickle", Meets::Value, ErrorCode::TorchNoDataPickle,
         value(buildZip({stored("archive/version", "3\n")}))},
        {"valueDeep", Meets::Value, ErrorCode::LimitExceeded, value(archiveOf(nested, ""))},
    };
}

std::vector<Case> allCases() {
    std::vector<Case> cases = openCases();
    for (const auto& more : {noticeCases(), readCases(), valueCases()}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return cases;
}

class DcpHostile : public testing::TestWithParam<Case> {};

std::string noticesOf(const Checkpoint& checkpoint) {
    std::string text;
    for (const Notice& notice : checkpoint.notices()) {
        text += describe(notice.error) + "\n";
    }
    return text;
}

void expectMet(const Case& row, const Checkpoint& checkpoint) {
    if (row.meets == Meets::Notice) {
        const bool found = std::ranges::any_of(checkpoint.notices(), [&](const Notice& notice) {
            return notice.error.code == row.code;
        });
        EXPECT_TRUE(found) << noticesOf(checkpoint);
    } else if (row.meets == Meets::Read) {
        ASSERT_FALSE(checkpoint.tensors().empty());
        const auto bytes = readComplete(checkpoint, checkpoint.tensors()[0], 1000);
        ASSERT_FALSE(bytes);
        EXPECT_EQ(errorName(bytes.error().code), errorName(row.code)) << describe(bytes.error());
    } else {
        const auto values = checkpoint.values();
        ASSERT_TRUE(values) << describe(values.error());
        const Value* code = values->findPath({"step", "code"});
        ASSERT_NE(code, nullptr);
        EXPECT_EQ(*code->asString(), errorName(row.code));
    }
}

TEST_P(DcpHostile, GivesItsCode) {
    const Case& row = GetParam();
    Sample sample;
    if (row.change) {
        row.change(sample);
    }
    const TemporaryFolder folder;
    sample.write(folder);
    if (row.after) {
        row.after(folder);
    }
    const auto opened = openCheckpoint(folder.path());
    if (row.meets == Meets::Open) {
        ASSERT_FALSE(opened);
        EXPECT_EQ(errorName(opened.error().code), errorName(row.code)) << describe(opened.error());
        EXPECT_FALSE(opened.error().where.file.empty());
        return;
    }
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ((*opened)->format(), "dcp");
    expectMet(row, **opened);
    static_cast<void>((*opened)->values()); // must not crash either
    for (const TensorEntry& tensor : (*opened)->tensors()) {
        static_cast<void>(readComplete(**opened, tensor, 1000));
    }
}

INSTANTIATE_TEST_SUITE_P(All, DcpHostile, testing::ValuesIn(allCases()),
                         [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace cairn::test
