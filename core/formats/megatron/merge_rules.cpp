// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/merge_rules.h"

#include "core/base/ascii.h"
#include "core/base/checked.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace cairn::formats::megatron {
namespace {

using Words = std::span<const std::string_view>;

// The output dimension is cut.
constexpr auto kRowModules = std::to_array<std::string_view>(
    {"word_embeddings", "word_embeddings_for_head", "output_layer", "linear_qkv", "query_key_value",
     "query", "key_value", "linear_q", "linear_kv", "linear_q_proj", "linear_q_up_proj",
     "linear_kv_up_proj"});
constexpr auto kFirstOfMlp = std::to_array<std::string_view>({"linear_fc1", "dense_h_to_4h"});
// The input dimension is cut; the bias is added once, after the sum.
constexpr auto kColumnModules =
    std::to_array<std::string_view>({"linear_proj", "linear_fc2", "dense_4h_to_h"});
constexpr auto kCompleteModules = std::to_array<std::string_view>(
    {"position_embeddings", "tokentype_embeddings", "router", "rotary_pos_emb"});

bool among(std::string_view word, Words words) {
    return std::ranges::find(words, word) != words.end();
}

/// The last component, and the text before it.
std::pair<std::string_view, std::string_view> splitLast(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::pair(std::string_view(), name)
                                         : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

/// Layer norms of a transformer are complete on every rank. Other norms may be cut: that of Mamba's
/// mixer is cut like the layer before it.
bool isLayerNorm(std::string_view module) {
    return module.ends_with("layernorm") || module.ends_with("layer_norm") ||
           module == "final_norm";
}

bool isAttention(std::string_view module) {
    return module.ends_with("attention");
}

/// "weight", "bias", "weight3" of grouped experts.
bool isLeaf(std::string_view leaf, std::string_view word) {
    return leaf.starts_with(word) && std::ranges::all_of(leaf.substr(word.size()), isDigit);
}

/// One block of rows of a piece; empty: its elements are encoded.
std::optional<Piece> rowsOf(const Piece& piece, Dtype dtype, std::int64_t from,
                            std::int64_t count) {
    const unsigned bits = dtypeInfo(dtype).bits;
    if (piece.codec != kRawCodec || bits == 0 || bits % 8 != 0) {
        return std::nullopt;
    }
    const Strides strides = piece.strides.empty() ? denseStrides(piece.box.extent) : piece.strides;
    Piece rows = piece;
    rows.strides = strides;
    rows.box.origin[0] = from;
    rows.box.extent[0] = count;
    std::int64_t last = 0;
    for (std::size_t d = 0; d < strides.size(); ++d) {
        last +=
            (rows.box.extent[d] - 1) * strides[d]; // cannot overflow: the piece's range was checked
    }
    const std::uint64_t bytes = bits / 8;
    const auto skipped =
        static_cast<std::uint64_t>((from - piece.box.origin[0]) * strides[0]) * bytes;
    const std::uint64_t length = (static_cast<std::uint64_t>(last) + 1) * bytes;
    if (skipped > piece.bytes.length || length > piece.bytes.length - skipped) {
        return std::nullopt;
    }
    rows.bytes = {piece.bytes.offset + skipped, length};
    return rows;
}

} // namespace

Cut cutOf(std::string_view name, const Layout& layout) {
    const auto [path, leaf] = splitLast(name);
    const auto [above, module] = splitLast(path);
    const auto [over, parent] = splitLast(above);
    if (isLayerNorm(module) || among(module, kCompleteModules) || leaf.starts_with("layer_norm_") ||
        (module == "shared_experts" && leaf == "gate_weight")) {
        return {CutKind::Replicated};
    }
    const bool weight = isLeaf(leaf, "weight");
    const bool bias = isLeaf(leaf, "bias");
    if (!weight && !bias) {
        return {};
    }
    if (name.find(".experts.") != std::string_view::npos && !layout.expertsShareTensorRanks) {
        return {};
    }
    if (among(module, kFirstOfMlp)) {
        return {CutKind::Rows, 0};
    }
    if (layout.version.value_or(0) < 1) { // fix_query_key_value_ordering
        if (module == "query_key_value" || module == "key_value") {
            return {CutKind::Rows, module == "key_value" ? 2U : 3U};
        }
    }
    if (among(module, kRowModules)) {
        return {CutKind::Rows};
    }
    if (among(module, kColumnModules) || (module == "dense" && isAttention(parent))) {
        return {weight ? CutKind::Columns : CutKind::Replicated};
    }
    return {};
}

std::string secondOfMlp(std::string_view name) {
    const auto [path, leaf] = splitLast(name);
    const auto [above, module] = splitLast(path);
    if (!among(module, kFirstOfMlp)) {
        return {};
    }
    const std::size_t digits = std::min(leaf.find_first_of("0123456789"), leaf.size());
    return std::string(above) + (above.empty() ? "" : ".") +
           (module == "linear_fc1" ? "linear_fc2" : "dense_4h_to_h") + ".weight" +
           std::string(leaf.substr(digits));
}

std::optional<std::uint32_t> mlpBlocks(std::string_view name, std::int64_t rows,
                                       std::optional<std::int64_t> columns, const Layout& layout) {
    std::optional<std::int64_t> wide = columns;
    if (!wide) {
        const bool shared = name.find(".shared_experts.") != std::string_view::npos;
        const bool routed = name.find(".experts.") != std::string_view::npos;
        const auto recorded = shared                         ? layout.sharedInner
                              : routed && layout.expertInner ? layout.expertInner
                                                             : layout.inner;
        wide = recorded && *recorded % layout.tensor == 0 ? std::optional(*recorded / layout.tensor)
                                                          : std::nullopt;
    }
    if (!wide || *wide <= 0) {
        return std::nullopt;
    }
    return rows == *wide                        ? std::optional(1U)
           : rows % 2 == 0 && rows / 2 == *wide ? std::optional(2U)
                                                : std::nullopt;
}

std::optional<Shape> fullShape(const Shape& part, const Cut& cut, std::uint32_t ranks) {
    if (ranks == 1 || cut.kind == CutKind::Replicated) {
        return part;
    }
    if (cut.kind == CutKind::Unknown) {
        return std::nullopt;
    }
    const std::size_t dim = cut.kind == CutKind::Rows ? 0 : 1;
    if (part.size() <= dim || (dim == 0 && (cut.blocks == 0 || part[0] % cut.blocks != 0))) {
        return std::nullopt;
    }
    const auto extent = checkedMul(static_cast<std::uint64_t>(part[dim]), std::uint64_t{ranks});
    if (!extent || *extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
    }
    Shape whole = part;
    whole[dim] = static_cast<std::int64_t>(*extent);
    return elementCount(whole) ? std::optional(whole) : std::nullopt;
}

bool agrees(std::string_view name, const Shape& whole, const Layout& layout) {
    const auto [path, leaf] = splitLast(name);
    const auto [above, module] = splitLast(path);
    const auto same = [&](const std::optional<std::int64_t>& recorded) {
        return !recorded || whole.empty() || whole[0] == *recorded;
    };
    if (leaf != "weight") {
        return true;
    }
    if (module == "word_embeddings" || module == "output_layer") {
        return same(layout.vocabulary);
    }
    if (among(module, kColumnModules)) {
        return same(layout.hidden);
    }
    const bool recorded = layout.heads && layout.groups && layout.headSize;
    if ((module == "linear_qkv" || module == "query_key_value") && recorded) {
        const auto wide = checkedAdd(static_cast<std::uint64_t>(*layout.heads),
                                     static_cast<std::uint64_t>(*layout.groups) * 2);
        const auto rows =
            wide ? checkedMul(*wide, static_cast<std::uint64_t>(*layout.headSize)) : std::nullopt;
        return rows && !whole.empty() && static_cast<std::uint64_t>(whole[0]) == *rows;
    }
    return true;
}

std::optional<PieceList> movedPieces(const TensorEntry& part, const Cut& cut, std::uint32_t rank,
                                     std::uint32_t ranks) {
    if (ranks == 1 || cut.kind == CutKind::Replicated) {
        return part.pieces;
    }
    PieceList moved;
    const std::size_t dim = cut.kind == CutKind::Rows ? 0 : 1;
    const std::int64_t blocks = dim == 0 ? cut.blocks : 1;
    const std::int64_t block = part.shape[dim] / blocks; // rows of a block on one rank
    for (const Piece& piece : part.pieces) {
        if (elementCount(piece.box.extent).value_or(0) == 0) {
            continue;
        }
        for (std::int64_t b = 0; b < blocks; ++b) {
            const std::int64_t from = std::max(piece.box.origin[dim], b * block);
            const std::int64_t end =
                std::min(piece.box.origin[dim] + piece.box.extent[dim], (b + 1) * block);
            if (from >= end) {
                continue;
            }
            const bool all = from == piece.box.origin[dim] && end - from == piece.box.extent[dim];
            auto rows = all ? std::optional(piece) : rowsOf(piece, part.dtype, from, end - from);
            if (!rows) {
                return std::nullopt;
            }
            // Block b of the complete tensor contains block b of every rank in turn.
            rows->box.origin[dim] += b * block * (std::int64_t{ranks} - 1) + rank * block;
            moved.push_back(std::move(*rows));
        }
    }
    return moved;
}

} // namespace cairn::formats::megatron
