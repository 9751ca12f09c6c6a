// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/rank_member.h"
#include "core/formats/common/replica_check.h"
#include "core/formats/megatron/merge_rules.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::formats::megatron {

/// One tensor parallel rank's tensor.
struct Part {
    std::uint32_t tp = 0;
    Member* member = nullptr;
    std::size_t position = 0;
    [[nodiscard]] const TensorEntry& entry() const { return member->tensors[position]; }
};

/// How the ranks' parts of one tensor belong together: the name records, and what the ranks hold
/// must agree with it. One thread.
class CutDecision {
public:
    /// `data` holds the ranks' files and must outlive this, as must `layout`.
    CutDecision(const CheckpointData& data, const Layout& layout)
        : m_check(data), m_layout(layout) {}

    struct Answer {
        std::optional<Cut> cut; ///< nothing: each rank's own
        std::string_view why;   ///< then
    };

    /// `local`: the name without "model."; `second`: the first rank's part of what secondOfMlp()
    /// names, or null. Reads a few bytes where checksums do not decide.
    Answer decide(std::string_view local, std::span<const Part> parts, const TensorEntry* second);

    /// Whether both are known to differ, of what should be copies of one.
    bool differ(const TensorEntry& left, const TensorEntry& right) {
        return left.dtype != right.dtype || left.shape != right.shape ||
               m_check.compare(left, right) == ReplicaCheck::Verdict::Different;
    }

private:
    Answer decideByBytes(std::span<const Part> parts, bool recorded);

    ReplicaCheck m_check;
    const Layout& m_layout;
};

} // namespace cairn::formats::megatron
