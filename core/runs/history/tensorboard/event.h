// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/protobuf/wire.h"
#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The parts of TensorBoard's messages that a history needs. Source: tensorboard/compat/proto/
/// {event,summary,tensor,tensor_shape,types}.proto, tensorboard/plugins/hparams/plugin_data.proto.
namespace cairn::history::tensorboard {

/// Summary.Value, without images, sounds and histograms.
struct SummaryValue {
    std::string tag; ///< or the node's name, which TensorBoard uses for tensors without a tag
    std::optional<float> simpleValue;
    std::optional<double> tensorValue; ///< of a one-element numeric tensor
    bool hasPlugin = false;
    std::string plugin;        ///< the plugin in the tag's metadata
    std::string pluginContent; ///< for hparams
};

/// An event; reused for all events, so that its buffers are kept.
struct Event {
    double wallTime = 0;
    std::int64_t step = 0;
    bool sessionStart = false;
    std::size_t valueCount = 0;
    std::size_t pluginBytes = 0;      ///< total size of its values' content
    std::vector<SummaryValue> values; ///< only the first valueCount are valid
};

/// Reads the event up to the input's limit. False: the bytes are not an event.
bool readEvent(protobuf::Input& input, Event& event);

/// The value of a one-element numeric tensor; empty for all other tensors. False: the bytes are not
/// a tensor.
bool readTensor(protobuf::Input& input, std::optional<double>& value);

/// Appends the settings of an hparams session to `settings`; false: the content is damaged.
bool readHparams(const std::string& content, std::vector<ValueItem>& settings);

} // namespace cairn::history::tensorboard
