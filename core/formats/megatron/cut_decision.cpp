// SPDX-License-Identifier: Apache-2.0
#include "core/formats/megatron/cut_decision.h"

#include "core/model/tensor_reader.h"

#include <algorithm>

namespace cairn::formats::megatron {
namespace {

constexpr std::uint64_t kMostRead = std::uint64_t{16} << 20U;

/// Whether all elements are equal, as in newly initialized parameters, so that equal bytes prove
/// nothing. Also true for unreadable parts.
bool isConstant(const Part& part) {
    const Checkpoint& checkpoint = *part.member->checkpoint;
    const TensorEntry& entry = part.entry();
    const auto bytes =
        readComplete(checkpoint, checkpoint.tensor(TensorIndex(part.position)), kMostRead);
    const std::size_t size = dtypeBytes(entry.dtype, 1).value_or(0);
    if (!bytes || size == 0 || bytes->size() < size) {
        return true;
    }
    return std::equal(bytes->begin() + static_cast<std::ptrdiff_t>(size), bytes->end(),
                      bytes->begin());
}

} // namespace

CutDecision::Answer CutDecision::decide(std::string_view local, std::span<const Part> parts,
                                        const TensorEntry* second) {
    const TensorEntry& first = parts.front().entry();
    const bool alike = std::ranges::all_of(parts, [&](const Part& part) {
        return part.entry().dtype == first.dtype && part.entry().shape == first.shape;
    });
    if (m_layout.tensor == 1) {
        return {Cut{CutKind::Replicated}, {}};
    }
    if (!alike) {
        return {{}, "parts with different shapes or dtypes"};
    }
    Cut cut = cutOf(local, m_layout);
    if (cut.kind == CutKind::Replicated || cut.kind == CutKind::Unknown) {
        return decideByBytes(parts, cut.kind == CutKind::Replicated);
    }
    if (cut.blocks == 0 && !first.shape.empty()) {
        const bool matrix = second != nullptr && second->shape.size() == 2;
        const auto blocks =
            mlpBlocks(local, first.shape[0],
                      matrix ? std::optional(second->shape[1]) : std::nullopt, m_layout);
        if (!blocks) {
            return {{}, "rows that are neither one nor two times ffn_hidden_size"};
        }
        cut.blocks = *blocks;
    }
    return {cut, {}};
}

/// `recorded`: the rule for the name requires identical copies on all ranks.
CutDecision::Answer CutDecision::decideByBytes(std::span<const Part> parts, bool recorded) {
    using Verdict = ReplicaCheck::Verdict;
    const Answer unknown{{}, "a parameter with an unknown partition dimension"};
    // Before the comparison, which reads much.
    if (!recorded && (parts.size() < m_layout.tensor || isConstant(parts.front()))) {
        return unknown;
    }
    for (const Part& part : parts.subspan(1)) {
        const TensorEntry& first = parts.front().entry();
        // Without a rule, equal samples are no evidence: most of both may be zeros.
        const Verdict verdict =
            recorded ? m_check.compare(first, part.entry())
                     : m_whole.compare(first, part.entry(), ReplicaCheck::Depth::Whole);
        if (verdict == Verdict::Different && recorded) {
            return {{}, "different elements on each rank in a replicated tensor"};
        }
        if (verdict != Verdict::Same && !recorded) {
            return unknown;
        }
    }
    return {Cut{CutKind::Replicated}, {}};
}

} // namespace cairn::formats::megatron
