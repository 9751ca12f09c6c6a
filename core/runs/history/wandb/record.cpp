// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/wandb/record.h"

namespace cairn::history::wandb {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr int kMaxKey = 4096;
constexpr std::size_t kMaxPath = 64;        ///< keys within keys
constexpr int kMaxJson = 1024 * 1024;       ///< longer values are tables and pictures
constexpr std::size_t kMaxItems = 1'000'000; ///< of one record

bool readItem(Input& input, Item& item) {
    item.key.clear();
    item.path.clear();
    item.json.clear();
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
            return protobuf::readText(input, item.key, kMaxKey);
        case tag(2, Wire::Length):
            if (item.path.size() >= kMaxPath) {
                return false;
            }
            return protobuf::readText(input, item.path.emplace_back(), kMaxKey);
        case tag(16, Wire::Length):
            return protobuf::readText(input, item.json, kMaxJson);
        default:
            return protobuf::skipField(input, field);
        }
    });
}

bool readItemInto(Input& input, Record& record) {
    if (record.itemCount >= kMaxItems) {
        return false;
    }
    if (record.itemCount == record.items.size()) {
        record.items.emplace_back();
    }
    return readItem(input, record.items[record.itemCount++]);
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
                   readItem(input, record.removed.emplace_back());
        default:
            return protobuf::skipField(input, field);
        }
    });
}

/// The run's own message carries the settings that it began with.
bool readRun(Input& input, Record& record) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(4, Wire::Length) ? readConfig(input, record)
                                             : protobuf::skipField(input, field);
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

std::string Item::name() const {
    if (!key.empty() || path.empty()) {
        return key;
    }
    std::string joined = path.front();
    for (std::size_t i = 1; i < path.size(); ++i) {
        joined += '.';
        joined += path[i];
    }
    return joined;
}

bool readRecord(Input& input, Record& record) {
    record.kind = Record::Kind::Other;
    record.itemCount = 0;
    record.removed.clear();
    record.step.reset();
    record.exitCode = 0;
    return protobuf::walkFields(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(2, Wire::Length):
            return readHistory(input, record);
        case tag(5, Wire::Length):
            return readConfig(input, record);
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
