// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace cairn::cli {

/// Determines which parts of a value tree are plain values: all except tensors that are not single
/// numbers, and containers that only contain such tensors. Caches the result for shared nodes. Not
/// thread-safe.
class PlainValues {
public:
    static constexpr std::uint64_t kMaxScalarBytes = 16;

    explicit PlainValues(const Checkpoint& checkpoint) : m_checkpoint(checkpoint) {}

    [[nodiscard]] bool isScalar(const TensorEntry& tensor) const;
    [[nodiscard]] bool hasPlain(const Value& value);

private:
    const Checkpoint& m_checkpoint;
    std::unordered_map<const void*, bool> m_known;
};

} // namespace cairn::cli
