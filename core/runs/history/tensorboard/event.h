// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/protobuf/wire.h"
#include "core/model/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// TensorBoard's messages, as far as a history needs them. Source: tensorboard/compat/proto/
/// {event,summary,tensor,tensor_shape,types}.proto, tensorboard/plugins/hparams/plugin_data.proto.
namespace cairn::history::tensorboard {

/// Summary.Value, without pictures, sounds and histograms.
struct SummaryValue {
    std::string tag; ///< or the node's name, as TensorBoard takes it for tensors without a tag
    std::optional<float> simpleValue;
    std::optional<double> tensorValue; ///< of a tensor with one element that is a number
    bool hasPlugin = false;
    std::string plugin;        ///< name of the plugin that the metadata give the tag to
    std::string pluginContent; ///< of hparams
};

/// An event; cleared and filled again, so that its buffers are kept.
struct Event {
    double wallTime = 0;
    std::int64_t step = 0;
    bool sessionStart = false;
    std::size_t valueCount = 0;
    std::size_t pluginBytes = 0;      ///< of all its values' content
    std::vector<SummaryValue> values; ///< the first valueCount
};

/// Reads the event up to the input's limit. False: the bytes are not an event.
bool readEvent(protobuf::Input& input, Event& event);

/// The value of a tensor with one element that is a number; nothing for all other tensors. False:
/// the bytes are not a tensor.
bool readTensor(protobuf::Input& input, std::optional<double>& value);

/// Settings of a session that the hparams plugin was given, appended to `settings`; false: the
/// content is damaged.
bool readHparams(const std::string& content, std::vector<ValueItem>& settings);

} // namespace cairn::history::tensorboard
