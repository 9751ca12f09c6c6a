// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace cairn::cli {

/// Reports which parts of a value tree are plain values: all but tensors that are not single
/// numbers, and containers that hold nothing else than such tensors. Remembers what it found for
/// shared nodes. One thread.
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

/// The value at a dotted path below `root`; keys may hold dots themselves. Null if there is none.
const Value* valueAt(const Value& root, std::string_view dottedPath);

} // namespace cairn::cli
