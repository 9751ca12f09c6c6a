// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/tensorboard/event.h"

namespace cairn::history::tensorboard {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr int kMaxName = 4096;                 ///< bytes of a tag or plugin name
constexpr int kMaxPluginContent = 1024 * 1024; ///< bytes of hparams
constexpr std::size_t kMaxPluginBytes = std::size_t{16}
                                        << 20U; ///< total for all values of an event
constexpr std::size_t kMaxValues = 50'000;      ///< limit for one event, without images
constexpr std::size_t kMaxSettings = 100'000;

bool readPluginData(Input& input, Event& event, SummaryValue& value) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
            return protobuf::readName(input, value.plugin, kMaxName);
        case tag(2, Wire::Length):
            if (!protobuf::readText(input, value.pluginContent, kMaxPluginContent)) {
                return false;
            }
            event.pluginBytes += value.pluginContent.size();
            return event.pluginBytes <= kMaxPluginBytes;
        default:
            return protobuf::skipField(input, field);
        }
    });
}

bool readMetadata(Input& input, Event& event, SummaryValue& value) {
    value.hasPlugin = true;
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        return field == tag(1, Wire::Length) ? readPluginData(input, event, value)
                                             : protobuf::skipField(input, field);
    });
}

bool readValue(Input& input, Event& event, SummaryValue& value) {
    value.tag.clear();
    value.simpleValue.reset();
    value.tensorValue.reset();
    value.hasPlugin = false;
    value.plugin.clear();
    value.pluginContent.clear();
    std::string nodeName;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Length):
            return protobuf::readName(input, value.tag, kMaxName);
        case tag(2, Wire::Fixed32):
            return protobuf::readFloat(input, value.simpleValue.emplace());
        case tag(7, Wire::Length):
            return protobuf::readName(input, nodeName, kMaxName);
        case tag(8, Wire::Length):
            return readTensor(input, value.tensorValue);
        case tag(9, Wire::Length):
            return readMetadata(input, event, value);
        default: // 3 histogram, 4 image, 6 sound, …
            return protobuf::skipField(input, field);
        }
    });
    if (value.tag.empty()) {
        value.tag = std::move(nodeName);
    }
    return sound;
}

bool readSummary(Input& input, Event& event) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        if (field != tag(1, Wire::Length)) {
            return protobuf::skipField(input, field);
        }
        if (event.valueCount == event.values.size()) {
            event.values.emplace_back();
        }
        SummaryValue& value = event.values[event.valueCount];
        if (event.valueCount == kMaxValues || !readValue(input, event, value)) {
            return false;
        }
        // A histogram or an image only consists of its tag here: nothing is kept.
        event.valueCount += value.simpleValue || value.tensorValue || value.hasPlugin ? 1 : 0;
        return true;
    });
}

bool readSessionLog(Input& input, Event& event) {
    constexpr std::uint64_t kStart = 1;
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        std::uint64_t status = 0;
        if (field != tag(1, Wire::Varint)) {
            return protobuf::skipField(input, field);
        }
        const bool sound = input.ReadVarint64(&status);
        event.sessionStart = event.sessionStart || status == kStart;
        return sound;
    });
}

/// google.protobuf.Value, of which the hparams API uses numbers, texts and booleans.
bool readPlainValue(Input& input, Value& value) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        double number = 0;
        std::uint64_t flag = 0;
        std::string text;
        switch (field) {
        case tag(2, Wire::Fixed64):
            if (!protobuf::readDouble(input, number)) {
                return false;
            }
            value = Value(number);
            return true;
        case tag(3, Wire::Length):
            if (!protobuf::readText(input, text, kMaxPluginContent)) {
                return false;
            }
            value = Value(std::move(text));
            return true;
        case tag(4, Wire::Varint):
            if (!input.ReadVarint64(&flag)) {
                return false;
            }
            value = Value(flag != 0);
            return true;
        default:
            return protobuf::skipField(input, field);
        }
    });
}

bool readSessionStart(Input& input, std::vector<ValueItem>& settings) {
    return protobuf::walkMessage(input, [&](std::uint32_t field) {
        if (field != tag(1, Wire::Length) || settings.size() >= kMaxSettings) {
            return protobuf::skipField(input, field);
        }
        std::string key;
        Value value;
        const bool sound = protobuf::walkMessage(input, [&](std::uint32_t part) {
            switch (part) {
            case tag(1, Wire::Length):
                return protobuf::readText(input, key, kMaxName);
            case tag(2, Wire::Length):
                return readPlainValue(input, value);
            default:
                return protobuf::skipField(input, part);
            }
        });
        settings.push_back({Value(std::move(key)), std::move(value)});
        return sound;
    });
}

} // namespace

bool readEvent(Input& input, Event& event) {
    event.wallTime = 0;
    event.step = 0;
    event.sessionStart = false;
    event.valueCount = 0;
    event.pluginBytes = 0;
    return protobuf::walkFields(input, [&](std::uint32_t field) {
        switch (field) {
        case tag(1, Wire::Fixed64):
            return protobuf::readDouble(input, event.wallTime);
        case tag(2, Wire::Varint):
            return protobuf::readInt64(input, event.step);
        case tag(5, Wire::Length):
            return readSummary(input, event);
        case tag(7, Wire::Length):
            return readSessionLog(input, event);
        default: // 3 version, 4 graph, 6 log line, 8 run metadata, 9 meta graph
            return protobuf::skipField(input, field);
        }
    });
}

bool readHparams(const std::string& content, std::vector<ValueItem>& settings) {
    Input input(reinterpret_cast<const std::uint8_t*>(content.data()),
                static_cast<int>(content.size()));
    return protobuf::walkFields(input, [&](std::uint32_t field) {
        return field == tag(3, Wire::Length) ? readSessionStart(input, settings)
                                             : protobuf::skipField(input, field);
    });
}

} // namespace cairn::history::tensorboard
