// SPDX-License-Identifier: Apache-2.0
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>

namespace cairn::names {
namespace {

constexpr std::uint32_t bit(Meaning meaning) {
    return static_cast<std::uint32_t>(meaning);
}

// What the words of one kind have in common.
constexpr std::uint32_t kStep = bit(Meaning::Step) | bit(Meaning::Series);
constexpr std::uint32_t kLoop = kStep | bit(Meaning::Counter);
constexpr std::uint32_t kEpoch = bit(Meaning::Epoch) | bit(Meaning::Series);
constexpr std::uint32_t kSave = kStep | bit(Meaning::Save);
constexpr std::uint32_t kSeries = bit(Meaning::Series);
constexpr std::uint32_t kChosen =
    bit(Meaning::Chosen) | bit(Meaning::Series) | bit(Meaning::Reference);
constexpr std::uint32_t kReference = bit(Meaning::Reference);
constexpr std::uint32_t kPlace = bit(Meaning::Position);
constexpr std::uint32_t kPart = bit(Meaning::Part);
constexpr std::uint32_t kRankWord = kPart | bit(Meaning::Rank);
constexpr std::uint32_t kLayer = bit(Meaning::Layer);
constexpr std::uint32_t kWeights = bit(Meaning::Weights);
constexpr std::uint32_t kModel = bit(Meaning::Model);
constexpr std::uint32_t kData = bit(Meaning::Data);
constexpr std::uint32_t kContent = bit(Meaning::Content);

struct Word {
    std::string_view text;
    std::uint32_t meanings;
};

/// In alphabetical order: means() uses binary search.
constexpr auto kWords = std::to_array<Word>({
    {"acc", kData},
    {"accuracies", kData},
    {"accuracy", kData},
    {"arrays", kWeights},
    {"ba", kStep}, // Composer
    {"batch", kStep},
    {"best", kChosen},
    {"block", kLayer},
    {"blocks", kLayer},
    {"checkpoint", kSave | kPlace | kModel},
    {"checkpoints", kSeries},
    {"chunk", kPart},
    {"ckpt", kSave | kPlace | kModel},
    {"curve", kData},
    {"curves", kData},
    {"data", kData},
    {"dataset", kData},
    {"device", kPart},
    {"dp", kRankWord},
    {"ema", kContent},
    {"embedding", kContent},
    {"embeddings", kContent},
    {"ep", kEpoch},
    {"epoch", kEpoch | kPlace},
    {"epochs", kEpoch},
    {"eval", kData},
    {"evaluations", kData},
    {"features", kData},
    {"final", kChosen},
    {"gen", kSeries},
    {"generation", kSeries},
    {"globalstep", kLoop | kPlace},
    {"gpu", kPart},
    {"group", kLayer},
    {"history", kData},
    {"host", kPart},
    {"images", kData},
    {"input", kData},
    {"inputs", kData},
    {"it", kStep},
    {"iter", kLoop | kPlace},
    {"iteration", kLoop | kPlace},
    {"iterations", kLoop},
    {"iters", kLoop},
    {"keep", kReference},
    {"label", kData},
    {"labels", kData},
    {"last", kChosen},
    {"latest", kReference},
    {"layer", kLayer},
    {"layers", kLayer},
    {"logits", kData},
    {"loss", kData},
    {"losses", kData},
    {"metric", kData},
    {"metrics", kData},
    {"model", kModel},
    {"mp", kRankWord},
    {"net", kModel},
    {"newest", kReference},
    {"node", kPart},
    {"output", kData},
    {"outputs", kData},
    {"param", kWeights},
    {"parameters", kWeights},
    {"params", kWeights},
    {"part", kRankWord},
    {"parts", kPart},
    {"piece", kPart},
    {"pinned", kReference},
    {"pp", kRankWord},
    {"pred", kData},
    {"predictions", kData},
    {"preds", kData},
    {"proc", kPart},
    {"process", kPart},
    {"rank", kRankWord | kContent},
    {"ranks", kPart},
    {"results", kData},
    {"resume", kReference},
    {"returns", kData},
    {"reward", kData},
    {"rewards", kData},
    {"round", kSeries},
    {"samples", kData},
    {"save", kSeries},
    {"scores", kData},
    {"shard", kRankWord | kContent},
    {"shards", kPart},
    {"slice", kPart},
    {"snapshot", kSeries},
    {"split", kPart},
    {"stage", kLayer},
    {"state", kWeights},
    {"step", kLoop | kPlace},
    {"steps", kLoop | kPlace},
    {"target", kData},
    {"targets", kData},
    {"tensors", kWeights},
    {"test", kData},
    {"tokens", kData},
    {"tp", kRankWord},
    {"tpu", kPart},
    {"tracker", kReference},
    {"train", kData},
    {"update", kStep},
    {"updates", kStep},
    {"val", kData},
    {"valid", kData},
    {"validation", kData},
    {"variables", kWeights},
    {"vars", kWeights},
    {"weight", kWeights},
    {"weights", kWeights},
    {"worker", kPart},
    {"x", kData},
    {"y", kData},
});
static_assert(std::ranges::is_sorted(kWords, {}, &Word::text));

} // namespace

bool means(std::string_view word, Meaning meaning) {
    const auto found = std::ranges::lower_bound(kWords, word, {}, &Word::text);
    return found != kWords.end() && found->text == word && (found->meanings & bit(meaning)) != 0;
}

} // namespace cairn::names
