// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_ids.h"

#include "core/families/adapters/adapter_operation.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

template <class Id> struct Row {
    Id id;
    std::string_view name;
    Sentence title;
};

const auto& decisionRows() {
    using enum DecisionId;
    static const std::array<Row<DecisionId>, kDecisionIds> rows = {{
        {TensorsSelected, "tensors_selected", "tensors"},
        {TensorsAdded, "tensors_added", "tensors"},
        {StringsLeftOut, "strings_left_out", "strings"},
        {ObjectGraph, "object_graph", "object graph"},
        {PlainValues, "plain_values", "plain values"},
        {TiedLeftOut, "tied_left_out", "tied tensors"},
        {TiedShared, "tied_shared", "tied tensors"},
        {TiedRepeated, "tied_repeated", "tied tensors"},
        {TiedSeparated, "tied_separated", "tied weights"},
        {StateFor, "state_for", "training state"},
        {StateNames, "state_names", "optimizer"},
        {StateTree, "state_tree", "tree"},
        {PrefixKept, "prefix_kept", "names"},
        {PrefixDropped, "prefix_dropped", "names"},
        {WrappersDropped, "wrappers_dropped", "wrappers"},
        {Renamed, "renamed", "renamed"},
        {NamesPublished, "names_published", "names"},
        {NamesForFramework, "names_for_framework", "names"},
        {NamesFromFramework, "names_from_framework", "names"},
        {NamesForLlamaCpp, "names_for_llama_cpp", "names"},
        {NamesUnknown, "names_unknown", "names"},
        {DtypeKept, "dtype_kept", "dtype"},
        {DtypeCast, "dtype_cast", "dtype"},
        {Dequantised, "dequantised", "dequantise"},
        {BlocksDequantised, "blocks_dequantised", "quantised tensors"},
        {NumbersKept, "numbers_kept", "integers and flags"},
        {PackedKept, "packed_kept", "packed elements"},
        {NormsKept, "norms_kept", "norms"},
        {BuffersKept, "buffers_kept", "buffers"},
        {StateKept, "state_kept", "training state"},
        {Float32Kept, "float32_kept", "float32"},
        {FixedKept, "fixed_kept", "fixed dtypes"},
        {PreciseKept, "precise_kept", "precise parts"},
        {RoutersKept, "routers_kept", "routers"},
        {HeadKept, "head_kept", "head"},
        {RowLengthsKept, "row_lengths_kept", "row lengths"},
        {NotLinearKept, "not_linear_kept", "not quantised"},
        {FusedExpertsKept, "fused_experts_kept", "experts in one tensor"},
        {SquaresKept, "squares_kept", "sizes"},
        {Averaged, "averaged", "average"},
        {NotAveraged, "not_averaged", "not averaged"},
        {AdapterKept, "adapter_kept", "adapter"},
        {AdapterFolded, "adapter_folded", "adapter"},
        {Folded, "folded", "fold"},
        {LongChains, "long_chains", sentence("ranks above %1", kLongestChain)},
        {SlicesJoined, "slices_joined", "slices"},
        {NormsShifted, "norms_shifted", "norms"},
        {Device, "device", "device"},
        {FilesPerLayer, "files_per_layer", "files"},
        {FilesPerRank, "files_per_rank", "files"},
        {Ranks, "ranks", "ranks"},
        {SharedBytes, "shared_bytes", "shared bytes"},
        {ArchiveSize, "archive_size", "size"},
        {ArchiveDelta, "archive_delta", "delta"},
        {Bundle, "bundle", "bundle"},
        {FilesCopied, "files_copied", "files"},
        {TokenizerChosen, "tokenizer_chosen", "tokenizer"},
        {OwnCode, "own_code", "own code"},
        {ConfigUpdated, "config_updated", "config.json"},
        {ConfigMade, "config_made", "config.json"},
        {ConfigFollowsAdapter, "config_follows_adapter", "config.json"},
        {Architectures, "architectures", "architectures"},
        {ModelCard, "model_card", "model card"},
        {Metadata, "metadata", "metadata"},
    }};
    return rows;
}

const auto& checkRows() {
    using enum CheckId;
    static const std::array<Row<CheckId>, kCheckIds> rows = {{
        {Weights, "weights", "weights"},
        {Shards, "shards", "shards"},
        {AdapterConfig, "adapter_config", "adapter_config.json"},
        {Names, "names", "names"},
        {FrameworkNames, "framework_names", "names"},
        {Tensors, "tensors", "tensors"},
        {Config, "config", "config.json"},
        {Dtype, "dtype", "dtype"},
        {TiedWeights, "tied_weights", "tied weights"},
        {Vocabulary, "vocabulary", "vocabulary"},
        {Index, "index", "index"},
        {Tokenizer, "tokenizer", "tokenizer"},
        {ChatTemplate, "chat_template", "chat template"},
        {GenerationConfig, "generation_config", "generation config"},
        {ModelCard, "model_card", "model card"},
        {RowOrder, "row_order", "order of rows"},
        {Values, "values", "values"},
    }};
    return rows;
}

template <class Rows, class Id> const auto& rowOf(const Rows& rows, Id id) {
    const auto found = std::ranges::find(rows, id, &Row<Id>::id);
    return found != rows.end() ? *found : rows.front(); // a test finds each id
}

} // namespace

std::string_view idName(DecisionId id) {
    return rowOf(decisionRows(), id).name;
}

std::string_view idName(CheckId id) {
    return rowOf(checkRows(), id).name;
}

const Sentence& titleOf(DecisionId id) {
    return rowOf(decisionRows(), id).title;
}

const Sentence& titleOf(CheckId id) {
    return rowOf(checkRows(), id).title;
}

} // namespace cairn
