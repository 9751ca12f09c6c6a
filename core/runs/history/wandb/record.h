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

/// HistoryItem and ConfigItem are the same: a key, or keys within each other, and a value in JSON.
/// W&B's own writer gives even a single key as a path of one.
struct Item {
    std::string name;               ///< the key, or the keys joined with "."
    std::string json;               ///< value_json; empty when it is longer than is read
    std::size_t depth = 0;          ///< 0: `name` is one key
    std::vector<std::string> parts; ///< nested_key, the first `depth`
    [[nodiscard]] std::span<const std::string> path() const {
        return depth == 0 ? std::span(&name, 1) : std::span(parts).first(depth);
    }
};

/// define_metric(): how a metric, or all that its pattern names, is drawn and summed up.
struct MetricDefinition {
    std::string name; ///< ends with "*" for a pattern
    std::string stepMetric;
    bool largest = false; ///< the summary is its largest value
    bool smallest = false;
    std::int64_t goal = 0; ///< 1: smaller is better, 2: larger
};

/// One record; cleared and filled again, so that its buffers are kept.
struct Record {
    enum class Kind : std::uint8_t { Other, History, Config, Metric, Exit };
    Kind kind = Kind::Other;
    std::size_t itemCount = 0;
    std::size_t partCount = 0;        ///< in the paths of all its items
    std::vector<Item> items;          ///< of History and Config, the first itemCount
    std::vector<Item> removed;        ///< of Config
    std::optional<std::int64_t> step; ///< of History
    std::int64_t exitCode = 0;        ///< of Exit
    MetricDefinition metric;          ///< of Metric
    std::string runName;              ///< display_name; kept until another record gives one
    [[nodiscard]] std::span<const Item> given() const { return std::span(items).first(itemCount); }
};

/// Reads the record up to the input's limit. False: the bytes are not a record.
bool readRecord(protobuf::Input& input, Record& record);

} // namespace cairn::history::wandb
