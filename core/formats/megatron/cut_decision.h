// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/formats/common/members/rank_member.h"
#include "core/formats/common/members/replica_check.h"
#include "core/formats/megatron/merge_rules.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::formats::megatron {

/// One tensor parallel rank's part of a tensor.
struct Part {
    std::uint32_t tp = 0;
    Member* member = nullptr;
    std::size_t position = 0;
    [[nodiscard]] const TensorEntry& entry() const { return member->tensors[position]; }
};

/// Decides how the ranks' parts of one tensor are combined: by its name, if the contents on the
/// ranks agree with that. Not thread-safe.
class CutDecision {
public:
    /// `data` contains the ranks' files; `data` and `layout` must outlive this object.
    CutDecision(const CheckpointData& data, const Layout& layout)
        : m_check(data), m_whole(data), m_layout(layout) {}

    struct Answer {
        std::optional<Cut> cut; ///< empty: the ranks have different tensors
        Sentence why;           ///< reason, if `cut` is empty
    };

    /// `local`: the name without "model."; `second`: the first rank's part of the tensor from
    /// secondOfMlp(), or null. Reads a few bytes if checksums do not decide.
    Answer decide(std::string_view local, std::span<const Part> parts, const TensorEntry* second);

    /// Whether two parts that should be copies certainly differ.
    bool differ(const TensorEntry& left, const TensorEntry& right) {
        return left.dtype != right.dtype || left.shape != right.shape ||
               m_check.compare(left, right) == ReplicaCheck::Verdict::Different;
    }

private:
    Answer decideByBytes(std::span<const Part> parts, bool recorded);

    ReplicaCheck m_check;
    ReplicaCheck m_whole; ///< of complete parts, which leave nothing for the others
    const Layout& m_layout;
};

} // namespace cairn::formats::megatron
