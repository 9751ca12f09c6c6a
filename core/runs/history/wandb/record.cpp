// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/record.h"

namespace cairn::history::wandb {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr int kMaxKey = 4096;
constexpr std::size_t kMaxPath = 64;         ///< nested keys
constexpr int kMaxJson = 1024 * 1024;        ///< longer values are tables and images
constexpr std::size_t kMaxItems = 1'000'000; ///< limit for one record
constexpr std::size_t kMaxParts = 2'000'000; ///< components of the paths in one record

bool readPart(Input& input, Record& record, Item& item) {
    if (item.depth >= kMaxPath || ++record.partCount > kMaxParts) {
        return false;
    }
    if (item.depth == item.parts.size()) {
        item.parts.emplace_back();
    }
    return protobuf::readName(input, item.parts[item.depth++], kMaxKey);
}

/// Joins the item's path to its name; false if it is too long.
bool joinName(Item& item) {
    if (!item.name.empty() || item.depth == 0) {
        item.depth = 0;
        return true;
    }
    for (std::size_t i = 0; i < item.depth; ++i) {
        item.name += i == 0 ? "" : ".";
        item.name += item.parts[i];
    }
    return item.name.size() <= kMaxKey;
}

bool readItem(Input& input, Record& record, Item& item) {
    item.name.clear();
    item.json.clear();
    item.depth = 0;
    return protobuf::walkMessage(input,
                                 [&](std::uint32_t field) {
                                     switch (field) {
                                     case tag(1, Wire::Length):
                                         return protobuf::readName(input, item.name, kMaxKey);
                                     case tag(2, Wire::Length):
                                         return readPart(input, record, item);
                                     case tag(16, Wire::Length):
                                         return protobuf::readText(input, item.json, kMaxJson);
                                     default:
                                         return protobuf::skipField(input, field);
                                     }
                                 }) &&
           joinName(item);
}

bool readItemInto(Input& input, Record& record) {
    if (record.itemCount >= kMaxItems) {
        return false;
    }
    if (record.itemCount == record.items.size()) {
        record.items.emplace_back();
    }
    return readItem(input, record, record.items[record.itemCount++]);
}

bool readHistory(Input& input, Record& record) {
    record.kind = Record::Kind::History;
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
            return readItemInto(input, record);
        case tag(2, Wire::Length):
            return protobuf::walkMessage(input, [&](std::uint32_t part) {
                return part == tag(1, Wire::Varint)
                           ? protobuf::readInt64(input, record.step.emplace())
                           : protobuf::skipField(input, part);
            });
        default:
            return protobuf::skipField(input, field);
        }
    });
}

bool readConfig(Input& input, Record& record) {
    record.kind = Record::Kind::Config;
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
            return readItemInto(input, record);
        case tag(2, Wire::Length):
            return record.removed.size() < kMaxItems &&
                   readItem(input, record, record.removed.emplace_back());
        default:
            return protobuf::skipField(input, field);
        }
    });
}

/// The run's message contains its name and initial settings.
bool readRun(Input& input, Record& record) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(4, Wire::Length)   ? readConfig(input, record)
               : field == tag(8, Wire::Length) ? protobuf::readName(input, record.runName, kMaxKey)
                                               : protobuf::skipField(input, field);
    });
}

bool readSummary(Input& input, MetricDefinition& metric) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        std::int64_t isSet = 0;
        if (field != tag(1, Wire::Varint) && field != tag(2, Wire::Varint)) {
            return protobuf::skipField(input, field);
        }
        const bool whole = protobuf::readInt64(input, isSet);
        (field == tag(1, Wire::Varint) ? metric.smallest : metric.largest) = isSet != 0;
        return whole;
    });
}

bool readMetric(Input& input, Record& record) {
    record.kind = Record::Kind::Metric;
    MetricDefinition& metric = record.metric = {};
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
        case tag(2, Wire::Length): // a pattern
            return protobuf::readName(input, metric.name, kMaxKey);
        case tag(4, Wire::Length):
            return protobuf::readName(input, metric.stepMetric, kMaxKey);
        case tag(7, Wire::Length):
            return readSummary(input, metric);
        case tag(8, Wire::Varint):
            return protobuf::readInt64(input, metric.goal);
        default:
            return protobuf::skipField(input, field);
        }
    });
}

bool readExit(Input& input, Record& record) {
    record.kind = Record::Kind::Exit;
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(1, Wire::Varint) ? protobuf::readInt64(input, record.exitCode)
                                             : protobuf::skipField(input, field);
    });
}

} // namespace

bool readRecord(Input& input, Record& record) {
    record.kind = Record::Kind::Other;
    record.itemCount = 0;
    record.partCount = 0;
    record.removed.clear();
    record.step.reset();
    record.exitCode = 0;
    return protobuf::walkFields(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(2, Wire::Length):
            return readHistory(input, record);
        case tag(5, Wire::Length):
            return readConfig(input, record);
        case tag(12, Wire::Length):
            return readMetric(input, record);
        case tag(17, Wire::Length):
            return readRun(input, record);
        case tag(18, Wire::Length):
            return readExit(input, record);
        default: // 3 summary, 4 output, 6 files, 7 system, 8 artifacts, 100 requests, …
            return protobuf::skipField(input, field);
        }
    });
}

} // namespace cairn::history::wandb
