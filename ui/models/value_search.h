// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace cairn::ui {

/// The part of a value tree that contains search results: matching items and their ancestors.
/// Immutable.
struct ValueMatches {
    static constexpr std::size_t kMaxMatches = 2000;

    struct Entry {
        std::uint32_t parent = 0;   ///< position in entries + 1; 0: the root value
        std::uint32_t position = 0; ///< among the parent's items
        bool matches = false;       ///< itself, not only something below it
    };
    Value root;
    std::vector<Entry> entries; ///< parents first, siblings in order
    std::size_t matches = 0;
    bool more = false; ///< stopped at kMaxMatches
};
using ValueMatchesPtr = std::shared_ptr<const ValueMatches>;

/// Items whose key or value has one of the words of `text` and whose path and value together have
/// all of them; case does not matter. Runs in a worker; bounded by the distinct nodes of the tree
/// and kMaxMatches, however often nodes are shared. Fails: Cancelled.
Result<ValueMatchesPtr> findValues(const Value& root, const CheckpointPtr& checkpoint,
                                   const QString& text, const CancelToken& cancel);

} // namespace cairn::ui
