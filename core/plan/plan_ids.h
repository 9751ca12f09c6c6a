// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn {

/// What a planner decided. Two decisions with different meanings have different ids, although both
/// may be shown under one noun: code asks for the id, never for a sentence. One row each in
/// plan_ids.cpp.
enum class DecisionId : std::uint8_t {
    // which tensors and values are written
    TensorsSelected,
    TensorsAdded,
    StringsLeftOut,
    ObjectGraph,
    PlainValues,
    TiedLeftOut,
    TiedShared,
    TiedRepeated,
    TiedSeparated,
    // the state of a training
    StateFor,
    StateNames,
    StateTree,
    // their names
    PrefixKept,
    PrefixDropped,
    WrappersDropped,
    Renamed,
    NamesPublished,
    NamesForFramework,
    NamesFromFramework,
    NamesForLlamaCpp,
    NamesUnknown,
    // their dtypes
    DtypeKept,
    DtypeCast,
    Dequantised,
    BlocksDequantised,
    NumbersKept,
    PackedKept,
    NormsKept,
    BuffersKept,
    StateKept,
    Float32Kept,
    FixedKept,
    PreciseKept,
    RoutersKept,
    HeadKept,
    RowLengthsKept,
    NotLinearKept,
    FusedExpertsKept,
    SquaresKept,
    // what is computed
    Averaged,
    NotAveraged,
    AdapterKept,
    AdapterFolded,
    Folded,
    LongChains,
    SlicesJoined,
    NormsShifted,
    Device,
    // the output and its files
    FilesPerLayer,
    FilesPerRank,
    Ranks,
    SharedBytes,
    ArchiveSize,
    ArchiveDelta,
    Bundle,
    FilesCopied,
    TokenizerChosen,
    OwnCode,
    ConfigUpdated,
    ConfigMade,
    ConfigFollowsAdapter,
    Architectures,
    ModelCard,
    Metadata,
};
inline constexpr std::size_t kDecisionIds = static_cast<std::size_t>(DecisionId::Metadata) + 1;

/// What a line in the checklist of a bundle is about.
enum class CheckId : std::uint8_t {
    Weights,
    Shards,
    AdapterConfig,
    Names,
    FrameworkNames, ///< those of a framework, as requested
    Tensors,
    Config,
    Dtype,
    TiedWeights,
    Vocabulary,
    Index,
    Tokenizer,
    ChatTemplate,
    GenerationConfig,
    ModelCard,
    RowOrder,
    Values, ///< NaN, infinities and zeros
};
inline constexpr std::size_t kCheckIds = static_cast<std::size_t>(CheckId::Values) + 1;

/// In documents: "tied_left_out". A name never changes its meaning.
std::string_view idName(DecisionId id);
std::string_view idName(CheckId id);

/// The noun that users read: "tied tensors".
const Sentence& titleOf(DecisionId id);
const Sentence& titleOf(CheckId id);

inline bool isTied(DecisionId id) {
    return id == DecisionId::TiedLeftOut || id == DecisionId::TiedShared ||
           id == DecisionId::TiedRepeated;
}

} // namespace cairn
