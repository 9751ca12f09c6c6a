// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/protobuf/wire.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The parts of W&B's messages that a history needs. Source: wandb/proto/wandb_internal.proto
/// (wandb 0.25); field numbers have not changed since the first version.
namespace cairn::history::wandb {

/// HistoryItem and ConfigItem have the same form: a key or nested keys, and a value in JSON. W&B
/// writes even a single key as a path.
struct Item {
    std::string name;               ///< the key, or the keys joined with "."
    std::string json;               ///< value_json; empty if it is too long
    std::size_t depth = 0;          ///< 0: `name` is one key
    std::vector<std::string> parts; ///< nested_key; only the first `depth` are valid
    [[nodiscard]] std::span<const std::string> path() const {
        return depth == 0 ? std::span(&name, 1) : std::span(parts).first(depth);
    }
};

/// define_metric(): how a metric, or all metrics that match a pattern, are drawn and summarized.
struct MetricDefinition {
    std::string name; ///< ends with "*" for a pattern
    std::string stepMetric;
    bool largest = false; ///< the summary is the largest value
    bool smallest = false;
    std::int64_t goal = 0; ///< 1: smaller is better, 2: larger
};

/// One record; reused for all records, so that its buffers are kept.
struct Record {
    enum class Kind : std::uint8_t { Other, History, Config, Metric, Exit };
    Kind kind = Kind::Other;
    std::size_t itemCount = 0;
    std::size_t partCount = 0;        ///< components in the paths of all its items
    std::vector<Item> items;          ///< of History and Config; only the first itemCount are valid
    std::vector<Item> removed;        ///< of Config
    std::optional<std::int64_t> step; ///< of History
    std::int64_t exitCode = 0;        ///< of Exit
    MetricDefinition metric;          ///< of Metric
    std::string runName;              ///< display_name; kept until another record sets it
    [[nodiscard]] std::span<const Item> given() const { return std::span(items).first(itemCount); }
};

/// Reads the record up to the input's limit. False: the bytes are not a record.
bool readRecord(protobuf::Input& input, Record& record);

} // namespace cairn::history::wandb
