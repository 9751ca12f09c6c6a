// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The object graph of a checkpoint for an output that has some of its variables, or has them under
/// other keys. Pure. Source: tensorflow/core/protobuf/trackable_object_graph.proto,
/// python/checkpoint/restore.py.
namespace cairn::formats::tensorflow {

/// The output's key of a variable; empty: it is not written.
using WrittenKey = std::function<std::string(std::string_view key)>;

/// TrackableObjectGraph with these keys. Attributes of variables that are not written are left out,
/// and so are the slots of an optimizer that would have no value, because restoring them would
/// fail. Everything else stays as it is, byte for byte; so does the whole if all keys do. Empty:
/// the message is damaged.
std::optional<std::string> graphWithKeys(std::span<const std::byte> message,
                                         const WrittenKey& writtenKey);

} // namespace cairn::formats::tensorflow
