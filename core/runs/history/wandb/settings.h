// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/value.h"
#include "core/runs/history/wandb/record.h"

#include <map>
#include <string>

namespace cairn::history::wandb {

/// A run's config after all updates: a later update replaces earlier values. W&B's own part
/// ("_wandb") is omitted.
class Settings {
public:
    /// Applies the record's updates of the config. Values that are not JSON are skipped and
    /// counted.
    void apply(const Record& record);

    [[nodiscard]] std::uint64_t damaged() const { return m_damaged; }
    [[nodiscard]] bool full() const { return m_full; } ///< some were skipped because of the limit

    /// The tree; null when there is none.
    [[nodiscard]] Value value() const;

private:
    struct Node {
        std::map<std::string, Node> inner;
        Value leaf; ///< unless there are nested keys
        bool removed = false;
    };
    enum class Missing : std::uint8_t { Created, Ignored };
    /// The node of an item; null if it must not be kept.
    Node* find(const Item& item, Missing missing);
    void expand(Node& node);
    static Value valueOfNode(const Node& node);

    Node m_root;
    std::size_t m_count = 0;
    std::size_t m_jsonBytes = 0;
    std::uint64_t m_damaged = 0;
    bool m_full = false;
};

} // namespace cairn::history::wandb
