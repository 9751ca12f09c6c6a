// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/protobuf/wire.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// W&B's messages, as far as a history needs them. Source: wandb/proto/wandb_internal.proto (wandb
/// 0.25); field numbers have not changed since the format began.
namespace cairn::history::wandb {

/// HistoryItem and ConfigItem are the same: a key, or a path of keys, and a value in JSON.
struct Item {
    std::string key;                 ///< empty: `path` holds the name
    std::vector<std::string> path;   ///< nested_key
    std::string json;                ///< value_json; empty when it is longer than is read
    [[nodiscard]] std::string name() const; ///< parts joined with "."
};

/// One record; cleared and filled again, so that its buffers are kept.
struct Record {
    enum class Kind : std::uint8_t { Other, History, Config, Exit };
    Kind kind = Kind::Other;
    std::size_t itemCount = 0;
    std::vector<Item> items;            ///< of History and Config, the first itemCount
    std::vector<Item> removed;          ///< of Config
    std::optional<std::int64_t> step;   ///< of History
    std::int64_t exitCode = 0;          ///< of Exit
    [[nodiscard]] std::span<const Item> given() const { return std::span(items).first(itemCount); }
};

/// Reads the record up to the input's limit. False: the bytes are no record.
bool readRecord(protobuf::Input& input, Record& record);

} // namespace cairn::history::wandb
