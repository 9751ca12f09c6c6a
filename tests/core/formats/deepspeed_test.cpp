// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/affine_map.h"
#include "core/formats/deepspeed/expert_names.h"
#include "core/formats/deepspeed/file_names.h"
#include "core/formats/deepspeed/flat_parts.h"
#include "core/formats/deepspeed/folder_reader.h"
#include "core/formats/deepspeed/name_pattern.h"
#include "core/model/coverage.h"
#include "core/model/tensor_reader.h"
#include "tests/core/formats/format_fixture.h"
#include "tests/core/model/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats::deepspeed {

extern const FormatInfo kFormat;

namespace {

TEST(DeepSpeedNames, AreWhatTheEngineWrites) {
    const auto model = parseFileName("mp_rank_07_model_states.pt");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->mp, 7U);
    EXPECT_FALSE(model->dp);
    const auto optimizer = parseFileName("bf16_zero_pp_rank_12_mp_rank_03_optim_states.pt");
    ASSERT_TRUE(optimizer);
    EXPECT_EQ(optimizer->kind, FileKind::Optimizer);
    EXPECT_EQ(*optimizer->dp, 12U);
    EXPECT_EQ(optimizer->mp, 3U);
    EXPECT_EQ(optimizer->prefix, "bf16_");
    EXPECT_EQ(parseFileName("layer_04-model_01-model_states.pt")->mp, 1U);
    EXPECT_EQ(parseFileName("layer_0_expert_31_mp_rank_00_model_states.pt")->expert, 31U);
    for (const char* other :
         {"model_states.pt", "mp_rank__model_states.pt", "mp_rank_00_model_states.pt.tmp",
          "zero_pp_rank_1_mp_rank_99999999999_optim_states.pt", "xmp_rank_00_model_states.pt"}) {
        EXPECT_FALSE(parseFileName(other)) << other;
    }
}

TEST(DeepSpeedNames, PatternsMatchAsPythonsDo) {
    const auto matches = [](std::string_view pattern, std::string_view name) {
        const auto parsed = NamePattern::parse(pattern);
        return parsed && parsed->matches(name);
    };
    EXPECT_TRUE(matches("layers.\\d+.attention.dense.weight", "layers.12.attention.dense.weight"));
    EXPECT_FALSE(matches("layers.\\d+.attention.dense.weight", "layers.x.attention.dense.weight"));
    EXPECT_TRUE(matches("word_embeddings", "word_embeddings.weight")) << "not to the end";
    EXPECT_FALSE(matches("word_embeddings$", "word_embeddings.weight"));
    EXPECT_FALSE(matches("embeddings", "word_embeddings.weight")) << "from the beginning";
    EXPECT_TRUE(matches(".*embeddings", "word_embeddings.weight"));
    EXPECT_TRUE(matches("^a\\.b?c*d$", "a.d"));
    EXPECT_TRUE(matches("a\\.b?c*d", "a.bcccd and more"));
    EXPECT_FALSE(matches("a\\.b", "a-b"));
    EXPECT_TRUE(matches("", "anything"));
    EXPECT_TRUE(matches("a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(20, 'a') + "b"));
    EXPECT_FALSE(matches("(a*)*b", "b")) << "not understood";
    for (const char* other :
         {"(a|b)", "[ab]", "a{2}", "\\bword", "a\\", "a++", "*a", "x^y", "a$b"}) {
        EXPECT_FALSE(NamePattern::parse(other)) << other;
    }
    EXPECT_FALSE(NamePattern::parse(std::string(2000, 'a')));
}

TEST(DeepSpeedNames, APatternOfOneNameIsThatName) {
    const auto only = [](std::string_view pattern) {
        return NamePattern::parse(pattern)->onlyName();
    };
    EXPECT_EQ(only("^model\\.layers\\.0\\.w$"), "model.layers.0.w");
    EXPECT_FALSE(only("^model\\.layers\\.0\\.w")) << "not to the end";
    EXPECT_FALSE(only("^model.w$"));
    EXPECT_FALSE(only("^a\\d$"));
    EXPECT_FALSE(only("^ab?$"));
}

Value numbers(std::initializer_list<std::int64_t> all) {
    return Value::list(std::vector<Value>(all.begin(), all.end()));
}

Value place(std::int64_t offset, std::initializer_list<std::int64_t> strides) {
    return Value::list({Value(offset), numbers(strides)});
}

/// One piece as affine.py writes it.
Value block(std::initializer_list<std::int64_t> shape, Value source, Value dest,
            std::initializer_list<std::int64_t> locations) {
    return Value::dict({{Value("shape"), numbers(shape)},
                        {Value("source"), std::move(source)},
                        {Value("dest"), std::move(dest)},
                        {Value("locations"), numbers(locations)}});
}

Value rankOf(std::initializer_list<std::int64_t> shape, std::vector<Value> pieces) {
    return Value::dict({{Value("shard_shape"), numbers(shape)},
                        {Value("pieces"), Value::list(std::move(pieces))}});
}

Value mapOf(std::initializer_list<std::int64_t> shape, Value first, Value second) {
    std::vector<ValueItem> ranks;
    ranks.push_back({Value(std::int64_t{0}), std::move(first)});
    ranks.push_back({Value(std::int64_t{1}), std::move(second)});
    return Value::dict({{Value("logical_shape"), numbers(shape)},
                        {Value("ranks"), Value::dict(std::move(ranks))}});
}

/// Slices of 4-byte elements, each in a file of its own.
TensorEntry sliceOf(Shape shape, std::size_t file) {
    TensorEntry entry;
    entry.name = "w";
    entry.shape = shape;
    entry.pieces.push_back(
        {Box::whole(shape), FileIndex(file), {0, 4 * *elementCount(shape)}, {}, kRawCodec, {}});
    return entry;
}

/// A fused weight [4, 2] of two blocks of rows, of which each rank has one row.
TEST(DeepSpeedSlices, MapsSayWhereTheBlocksAre) {
    const Value map =
        mapOf({4, 2},
              rankOf({2, 2}, {block({1, 2}, place(0, {2, 1}), place(0, {2, 1}), {0}),
                              block({1, 2}, place(4, {2, 1}), place(2, {2, 1}), {0})}),
              rankOf({2, 2}, {block({1, 2}, place(2, {2, 1}), place(0, {2, 1}), {1}),
                              block({1, 2}, place(6, {2, 1}), place(2, {2, 1}), {1})}));
    const auto read = readAffineMap(map, 2);
    ASSERT_TRUE(read);
    const TensorEntry first = sliceOf({2, 2}, 0);
    const TensorEntry second = sliceOf({2, 2}, 1);
    const auto whole = joinByMap({&first, &second}, *read);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->shape, (Shape{4, 2}));
    ASSERT_EQ(whole->pieces.size(), 4U);
    std::map<std::int64_t, std::pair<std::size_t, std::uint64_t>> rows;
    for (const Piece& piece : whole->pieces) {
        EXPECT_EQ(piece.box.extent, (Dims{1, 2}));
        EXPECT_EQ(piece.bytes.length, 8U);
        rows[piece.box.origin[0]] = {piece.file.position(), piece.bytes.offset};
    }
    EXPECT_EQ(rows[0], (std::pair<std::size_t, std::uint64_t>{0, 0}));
    EXPECT_EQ(rows[1], (std::pair<std::size_t, std::uint64_t>{1, 0}));
    EXPECT_EQ(rows[2], (std::pair<std::size_t, std::uint64_t>{0, 8}));
    EXPECT_EQ(rows[3], (std::pair<std::size_t, std::uint64_t>{1, 8}));
    const TensorEntry other = sliceOf({4, 2}, 1);
    EXPECT_FALSE(joinByMap({&first, &other}, *read)) << "another shape than the map's";
    EXPECT_FALSE(readAffineMap(map, 4)) << "of two ranks";
}

TEST(DeepSpeedSlices, MapsThatAreNotSupportedAreRefused) {
    const auto half = [](std::int64_t from, std::int64_t rank) {
        return rankOf({2}, {block({2}, place(from, {1}), place(0, {1}), {rank})});
    };
    ASSERT_TRUE(readAffineMap(mapOf({4}, half(0, 0), half(2, 1)), 2));
    EXPECT_FALSE(readAffineMap(mapOf({4}, half(0, 0), half(0, 0)), 2)) << "a hole";
    EXPECT_FALSE(readAffineMap(mapOf({4}, half(0, 0), half(3, 1)), 2)) << "beyond the end";
    EXPECT_FALSE(readAffineMap(mapOf({5}, half(0, 0), half(2, 1)), 2)) << "a hole at the end";
    const auto every = rankOf({2}, {block({2}, place(0, {2}), place(0, {1}), {0})});
    EXPECT_FALSE(readAffineMap(mapOf({4}, every, half(2, 1)), 2)) << "every second element";
    Value scaled = half(2, 1);
    std::vector<ValueItem> piece = scaled.find("pieces")->items()[0].value.items();
    piece.push_back({Value("scale"), Value(0.5)});
    scaled = rankOf({2}, {Value::dict(std::move(piece))});
    EXPECT_FALSE(readAffineMap(mapOf({4}, half(0, 0), scaled), 2)) << "divided by the ranks";
}

TEST(DeepSpeedSlices, ColumnsOfAPieceKeepItsStrides) {
    const TensorEntry entry = sliceOf({3, 4}, 0);
    std::optional<Piece> part;
    ASSERT_TRUE(cutPiece(entry.pieces.front(), {Dims{0, 1}, Dims{3, 2}}, Dtype::Float32, part));
    ASSERT_TRUE(part);
    EXPECT_EQ(part->bytes, (ByteRange{4, 40}));
    EXPECT_EQ(part->strides, (Strides{4, 1}));
    ASSERT_TRUE(cutPiece(entry.pieces.front(), {Dims{0, 4}, Dims{3, 1}}, Dtype::Float32, part));
    EXPECT_FALSE(part);
}

TEST(DeepSpeedNames, TagsTellTheirStep) {
    EXPECT_EQ(stepOfTag("global_step500"), 500);
    EXPECT_FALSE(stepOfTag("global_step"));
    EXPECT_FALSE(stepOfTag("global_step5_universal"));
    EXPECT_FALSE(stepOfTag("global_step99999999999999999999"));
}

TEST(DeepSpeedNames, ExpertsCountOnOverTheRanks) {
    const std::vector<Parameter> local{{"moe.deepspeed_experts.0.w", {2}, 2, 0},
                                       {"moe.deepspeed_experts.1.w", {2}, 2, 0},
                                       {"other.w", {2}, 2, 0}};
    const auto names = withGlobalExperts(local, 3);
    EXPECT_EQ(names[0].name, "moe.deepspeed_experts.6.w");
    EXPECT_EQ(names[1].name, "moe.deepspeed_experts.7.w");
    EXPECT_EQ(names[2].name, "other.w");
}

TEST(DeepSpeedNames, ExpertsBelongToRanksLayerByLayer) {
    const auto parameter = [](std::string name) { return Parameter{std::move(name), {2}, 2, 0}; };
    std::vector<Parameter> all;
    for (const char* layer : {"0.", "1."}) {
        for (const char* expert : {"0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9"}) {
            for (const char* part : {".w", ".b"}) {
                all.push_back(parameter(layer + std::string("deepspeed_experts.") + expert + part));
            }
        }
    }
    const auto ranks = expertsByRank(all, 6);
    ASSERT_EQ(ranks.size(), 6U);
    std::vector<std::string> last;
    for (const Parameter& each : ranks[5]) {
        last.push_back(each.name);
    }
    EXPECT_EQ(last,
              (std::vector<std::string>{"0.deepspeed_experts.10.w", "0.deepspeed_experts.10.b",
                                        "0.deepspeed_experts.11.w", "0.deepspeed_experts.11.b",
                                        "1.deepspeed_experts.10.w", "1.deepspeed_experts.10.b",
                                        "1.deepspeed_experts.11.w", "1.deepspeed_experts.11.b"}));
    EXPECT_TRUE(expertsByRank(all, 5).empty()) << "does not divide";
    EXPECT_TRUE(expertsByRank(all, 0).empty());
    EXPECT_TRUE(expertsByRank({}, 1).empty());
    std::erase_if(
        all, [](const Parameter& each) { return each.name.find(".0.w") != std::string::npos; });
    std::erase_if(
        all, [](const Parameter& each) { return each.name.find(".0.b") != std::string::npos; });
    EXPECT_TRUE(expertsByRank(all, 1).empty()) << "one is missing";
    all.push_back(parameter("not.an.expert"));
    EXPECT_TRUE(expertsByRank(all, 1).empty());
}

/// Flat vectors of floats, each in its own file.
struct Flats {
    CheckpointData data;
    std::deque<TensorEntry> entries;

    const TensorEntry* add(std::vector<float> values) {
        const std::uint64_t bytes = values.size() * sizeof(float);
        const Shape shape{static_cast<std::int64_t>(values.size())};
        const FileIndex file = synthetic::addMemoryFile(data, synthetic::bytesOf(values), "flat");
        entries.push_back({"flat",
                           Dtype::Float32,
                           shape,
                           Role::Other,
                           {{Box::whole(shape), file, {0, bytes}, {}, kRawCodec, {}}},
                           {}});
        return &entries.back();
    }
    std::vector<float> read(const TensorEntry& tensor) {
        CheckpointData copy;
        copy.files = data.files;
        copy.tensors.push_back(tensor);
        const auto checkpoint = Checkpoint::make(std::move(copy));
        const auto bytes = readComplete(*checkpoint, checkpoint->tensors()[0], 10'000);
        std::vector<float> values(bytes ? bytes->size() / sizeof(float) : 0);
        if (bytes) {
            std::memcpy(values.data(), bytes->data(), bytes->size());
        }
        return values;
    }
};

std::vector<float> counting(float first, std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

TEST(DeepSpeedParts, GroupsAreOneVectorOverTheRanks) {
    Flats flats;
    FlatRanks ranks;
    ranks.worldSize = 2;
    ranks.parts[0] = {FlatPart{flats.add(counting(0, 5)), {}}};
    ranks.parts[1] = {
        FlatPart{flats.add(counting(5, 4)), {{"exp_avg", flats.add(counting(100, 5))}}}};
    const auto joined = joinGroups(flats.data, {{{"a", {2, 3}, 6, 0}, {"b", {3}, 3, 0}}}, ranks);
    ASSERT_EQ(joined.size(), 2U);
    EXPECT_EQ(flats.read(*joined[0].master), counting(0, 6));
    EXPECT_EQ(flats.read(*joined[1].master), counting(6, 3));
    ASSERT_EQ(joined[1].states.size(), 1U);
    EXPECT_EQ(joined[1].states[0].name, "b.exp_avg");
    EXPECT_EQ(flats.read(joined[1].states[0]), counting(101, 3));
    EXPECT_TRUE(flats.data.notices.empty());
}

TEST(DeepSpeedParts, AMissingRankLeavesItsElementsOut) {
    Flats flats;
    FlatRanks ranks;
    ranks.worldSize = 3;
    ranks.parts[0] = {FlatPart{flats.add(counting(0, 4)), {}}};
    ranks.parts[2] = {FlatPart{flats.add(counting(8, 4)), {}}};
    const auto joined = joinGroups(flats.data, {{{"a", {12}, 12, 0}}}, ranks);
    EXPECT_EQ(coverage(*joined[0].master).holes, 4U);
    EXPECT_EQ(joined[0].master->pieces.back().box.origin[0], 8);
}

TEST(DeepSpeedParts, PartitionedParametersStraddleSubGroups) {
    Flats flats; // a: 5 elements, parts of 3; b: 4 elements, parts of 2; sub-groups of 2 and 3
    FlatRanks ranks;
    ranks.worldSize = 2;
    ranks.parts[0] = {FlatPart{flats.add({0, 1}), {}}, FlatPart{flats.add({2, 10, 11}), {}}};
    ranks.parts[1] = {FlatPart{flats.add({3, 4}), {}}, FlatPart{flats.add({-1, 12, 13}), {}}};
    const auto joined =
        joinPartitioned(flats.data, {{{"a", {5}, 5, 0}}, {{"b", {2, 2}, 4, 0}}}, ranks);
    EXPECT_EQ(flats.read(*joined[0].master), counting(0, 5));
    EXPECT_EQ(flats.read(*joined[1].master), counting(10, 4));
    EXPECT_TRUE(flats.data.notices.empty());
}

TEST(DeepSpeedParts, LengthsThatCannotBeRightAreTold) {
    Flats flats;
    FlatRanks ranks;
    ranks.parts[0] = {FlatPart{flats.add(counting(0, 30)), {}}};
    (void)joinGroups(flats.data, {{{"a", {5}, 5, 0}}}, ranks);
    (void)joinPartitioned(flats.data, {{{"a", {5}, 5, 0}}}, ranks);
    ASSERT_EQ(flats.data.notices.size(), 2U);
    EXPECT_EQ(flats.data.notices[0].error.code, ErrorCode::BadIndex);
    EXPECT_EQ(flats.data.completeness, Completeness::Incomplete);
}

/// Opens a tag folder with one model file, which records how many ranks saved it, and these ranks'
/// files.
Result<CheckpointPtr> openTag(std::int64_t world, const std::vector<std::string>& optimizers) {
    const test::TemporaryFolder empty; // openNested has the files
    OpenRequest request;
    request.path = "global_step1";
    request.folder = *Folder::open(empty.path());
    request.entries.push_back({"mp_rank_00_model_states.pt", EntryKind::File, {}});
    for (const std::string& name : optimizers) {
        request.entries.push_back({name, EntryKind::File, {}});
    }
    request.openNested = [&](std::string_view name) {
        CheckpointData data;
        synthetic::addMemoryFile(data, std::vector<std::byte>(8), std::string(name));
        std::vector<ValueItem> items;
        if (name.ends_with("model_states.pt")) {
            items.push_back({Value("dp_world_size"), Value(world)});
        }
        data.loadValues = [items](const CancelToken&) -> Result<LoadedValues> {
            return Value::dict(items);
        };
        return Checkpoint::make(std::move(data));
    };
    return readTagFolder(request);
}

std::size_t missingFiles(const Checkpoint& checkpoint) {
    return static_cast<std::size_t>(std::ranges::count_if(
        checkpoint.files(), [](const CheckpointFile& file) { return file.missing; }));
}

const Notice* noticeOf(const Checkpoint& checkpoint, std::string_view message) {
    const auto found = std::ranges::find_if(checkpoint.notices(), [&](const Notice& notice) {
        return notice.error.message.text() == message;
    });
    return found == checkpoint.notices().end() ? nullptr : &*found;
}

TEST(DeepSpeedFolder, CountsTheMissingRanksThatItDoesNotName) {
    constexpr std::string_view kMore = "More ranks' files are missing than are listed";
    const std::string first = "zero_pp_rank_0_mp_rank_00_optim_states.pt";
    const auto few = openTag(4, {first});
    ASSERT_TRUE(few);
    EXPECT_EQ(missingFiles(**few), 3U);
    EXPECT_EQ(noticeOf(**few, kMore), nullptr);
    const auto many = openTag(1'000, {first});
    ASSERT_TRUE(many);
    EXPECT_EQ((*many)->completeness(), Completeness::Incomplete);
    const Notice* more = noticeOf(**many, kMore);
    ASSERT_NE(more, nullptr);
    EXPECT_TRUE(
        more->error.found.text().starts_with(std::to_string(999 - missingFiles(**many)) + " more"))
        << more->error.found.text();
}

TEST(DeepSpeedFolder, IsKnownWithoutTheScriptThatZeROLeaves) {
    const auto match = [](std::vector<FolderEntry> entries) {
        Candidate candidate;
        candidate.isFolder = true;
        candidate.entries = entries;
        return kFormat.probe(candidate);
    };
    const FolderEntry latest{"latest", EntryKind::File, {}};
    EXPECT_EQ(match({latest, {"checkpoint", EntryKind::Folder, {}}}), Match::Yes); // Lightning's
    EXPECT_EQ(match({latest, {"pytorch_model", EntryKind::Folder, {}}}),
              Match::Yes);                                                      // accelerate's
    EXPECT_EQ(match({latest, {"checkpoint", EntryKind::File, {}}}), Match::No); // TensorFlow's
    EXPECT_EQ(match({latest, {"other", EntryKind::Folder, {}}}), Match::No);
    EXPECT_EQ(match({{"checkpoint", EntryKind::Folder, {}}}), Match::No);
}

/// A root with saves of these tags; those in `broken` are incomplete.
class Root {
public:
    explicit Root(std::initializer_list<const char*> tags, std::string_view latest = {}) {
        for (const char* tag : tags) {
            m_folder.write(std::string(tag) + "/mp_rank_00_model_states.pt", "");
        }
        m_folder.write("zero_to_fp32.py", "");
        m_folder.write("notes/readme.txt", "no save");
        if (!latest.empty()) {
            m_folder.write("latest", latest);
        }
    }
    test::TemporaryFolder& folder() { return m_folder; }

    [[nodiscard]] Match match() const {
        const FolderPtr folder = *Folder::open(m_folder.path());
        const auto entries = *folder->list();
        return kFormat.probe(candidateOf(folder, entries));
    }

    /// The tag that is opened, followed by the findings.
    [[nodiscard]] std::string opened(const std::vector<std::string_view>& broken = {}) const {
        OpenRequest request;
        request.path = m_folder.path();
        request.folder = *Folder::open(m_folder.path());
        request.entries = *request.folder->list();
        request.openNested = [&](std::string_view tag) -> Result<CheckpointPtr> {
            CAIRN_TRY(const FolderPtr inner, request.folder->openFolder(tag));
            CheckpointData data;
            data.path = tag;
            const bool whole = std::ranges::find(broken, tag) == broken.end();
            data.completeness = whole ? Completeness::Complete : Completeness::Incomplete;
            data.loadValues = [tag = std::string(tag)](const CancelToken&) -> Result<LoadedValues> {
                return Value(tag);
            };
            return Checkpoint::make(std::move(data));
        };
        const auto checkpoint = readRootFolder(request);
        if (!checkpoint) {
            return checkpoint.error().message.text() + "; " + checkpoint.error().hint.text();
        }
        std::string text = *(*checkpoint)->values()->asString();
        for (const Notice& notice : (*checkpoint)->notices()) {
            if (notice.severity !=
                Severity::Info) { // the notice that names the opened save is skipped
                text += "; " + notice.error.message.text() + ", " + notice.error.where.file;
            }
        }
        return text;
    }

private:
    test::TemporaryFolder m_folder;
};

TEST(DeepSpeedFolder, TagsOfAnyNameAreKnownByTheirFiles) {
    const Root saves({"step-2", "step-10", "step-9"});
    EXPECT_EQ(saves.match(), Match::Yes);
    EXPECT_EQ(saves.opened(), "step-10");
    EXPECT_EQ(saves.opened({"step-10"}), "step-9; The save is incomplete and was skipped, step-10");
    EXPECT_EQ(Root({"step-2", "step-3"}, "step-3\n").opened({"step-3"}),
              "step-2; The save is incomplete and was skipped, step-3");
    EXPECT_EQ(Root({"step-2", "step-3"}, "step-2").opened(),
              "step-2; There is a newer save than the one that latest names, step-3");
    EXPECT_EQ(Root({"step-2", "step-3"}, "step-4").opened(),
              "step-3; The file latest names a missing folder, latest");
    EXPECT_EQ(Root({"global_step2", "global_step10"}).opened(), "global_step10");
    EXPECT_EQ(Root({}).match(), Match::No);
    EXPECT_EQ(Root({}, "step-4").opened(), "The file latest does not name a readable save; No such "
                                           "folder, and no other save beside it");
}

TEST(DeepSpeedFolder, TagsThatAreNotCalledAlikeCountByTime) {
    Root saves({"best", "epoch-7", "global_step20"});
    using Clock = std::filesystem::file_time_type::clock;
    int age = 0;
    for (const char* tag : {"best", "epoch-7", "global_step20"}) {
        std::filesystem::last_write_time(saves.folder() / tag / "mp_rank_00_model_states.pt",
                                         Clock::now() - std::chrono::minutes(++age));
    }
    EXPECT_EQ(saves.opened(), "best");
    EXPECT_EQ(saves.opened({"best"}), "epoch-7; The save is incomplete and was skipped, best");
}

TEST(DeepSpeedFolder, AConvertedSaveIsOpenedWhereItIsNamedAlone) {
    Root saves({"step-2", "step-2_universal"});
    saves.folder().write("step-2_universal/zero/w/fp32.pt", "");
    EXPECT_EQ(saves.opened(), "step-2");
    saves.folder().write("latest_universal", "step-2_universal");
    EXPECT_EQ(saves.opened(), "step-2_universal");
}

TEST(DeepSpeedFolder, MissesNoOptimizersWhereThereAreNone) {
    const auto model = openTag(1'000, {});
    ASSERT_TRUE(model);
    EXPECT_EQ(missingFiles(**model), 0U);
    EXPECT_TRUE((*model)->notices().empty());
}

} // namespace
} // namespace cairn::formats::deepspeed
