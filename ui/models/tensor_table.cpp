// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_table.h"

#include "core/base/ascii.h"
#include "ui/models/tensor_name.h"

#include <algorithm>
#include <numeric>

namespace cairn::ui {
namespace {

constexpr std::size_t kTableStride = 4096;

char lower(char c) {
    if (c == '\n') {
        return ' ';
    }
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// A separator becomes 0x01, below all that names contain; a run of digits is preceded by its
/// length, so that longer numbers come later. Equal keys mean equal names except for '.' and '/',
/// and names with a common prefix stay together.
void appendNaturalKey(std::string& key, std::string_view name) {
    for (std::size_t i = 0; i < name.size();) {
        if (!isDigit(name[i])) {
            key += isSeparator(name[i]) ? '\x01' : name[i];
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < name.size() && isDigit(name[end])) {
            ++end;
        }
        key += '0';
        key += static_cast<char>(std::min<std::size_t>(end - i, 255));
        key.append(name, i, end - i);
        i = end;
    }
}

TensorTable::Figures figuresOf(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    TensorTable::Figures figures;
    figures.bytes = tensor.bytes();
    figures.pieces = static_cast<std::uint32_t>(tensor.pieces.size());
    std::vector<FileIndex> seen;
    std::uint64_t readable = 0;
    for (const Piece& piece : tensor.pieces) {
        const bool missing = checkpoint.files()[piece.file.position()].missing;
        readable += missing ? 0 : elementCount(piece.box.extent).value_or(0);
        const bool isRepeated = !seen.empty() && seen.back() == piece.file;
        if (!isRepeated) {
            seen.push_back(piece.file);
        }
    }
    if (seen.size() > 1) {
        std::ranges::sort(seen);
        seen.erase(std::ranges::unique(seen).begin(), seen.end());
    }
    figures.files = static_cast<std::uint32_t>(seen.size());
    figures.missingFiles = static_cast<std::uint32_t>(std::ranges::count_if(
        seen, [&](FileIndex file) { return checkpoint.files()[file.position()].missing; }));
    figures.incomplete = readable < tensor.elements();
    return figures;
}

/// The permutation that sorts the names naturally.
Result<std::vector<std::uint32_t>> sortNaturally(std::span<const TensorEntry> tensors,
                                                 const CancelToken& cancel) {
    std::string keys;
    std::vector<std::uint64_t> starts(tensors.size() + 1);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (i % kTableStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        starts[i] = keys.size();
        appendNaturalKey(keys, tensors[i].name);
    }
    starts[tensors.size()] = keys.size();
    const auto key = [&](std::uint32_t i) {
        return std::string_view(keys).substr(starts[i], starts[i + 1] - starts[i]);
    };
    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const int sign = key(a).compare(key(b));
        return sign != 0 ? sign < 0 : a < b;
    };
    if (!std::ranges::is_sorted(order, before)) {
        std::ranges::sort(order, before);
    }
    CAIRN_CHECK(cancel.check());
    return order;
}

} // namespace

std::string naturalKey(std::string_view name) {
    std::string key;
    appendNaturalKey(key, name);
    return key;
}

Result<TensorTablePtr> TensorTable::make(CheckpointPtr checkpoint, const CancelToken& cancel) {
    const std::shared_ptr<TensorTable> table(new TensorTable);
    const std::span<const TensorEntry> tensors = checkpoint->tensors();
    CAIRN_TRY(table->m_order, sortNaturally(tensors, cancel));
    table->m_rank.resize(tensors.size());
    table->m_starts.reserve(tensors.size() + 1);
    table->m_figures.reserve(tensors.size());
    for (std::size_t rank = 0; rank < tensors.size(); ++rank) {
        if (rank % kTableStride == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const std::string& name = tensors[table->m_order[rank]].name;
        table->m_rank[table->m_order[rank]] = static_cast<std::uint32_t>(rank);
        table->m_starts.push_back(table->m_lowerNames.size());
        std::ranges::transform(name, std::back_inserter(table->m_lowerNames), lower);
        table->m_lowerNames += '\n';
        table->m_figures.push_back(figuresOf(*checkpoint, tensors[rank]));
    }
    table->m_starts.push_back(table->m_lowerNames.size());
    table->m_checkpoint = std::move(checkpoint);
    return table;
}

} // namespace cairn::ui
