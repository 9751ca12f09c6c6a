// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/ocdbt/manifest.h"

/// Private to this folder.
namespace cairn::ocdbt {

/// What a node's content is handed to.
struct NodeSink {
    /// A key and its value; `file` is null for inline values.
    std::function<Result<void>(std::string_view key, const TableFile* file, const ValueRef& value)>
        value;
    std::function<Result<void>(NodeRef child)> child; ///< in key order
};

/// Reads the decoded body of the node `ref`. Keys must rise strictly within the node.
/// Fails: OcdbtBadNode, and the errors of the sink.
Result<void> parseNode(std::span<const std::byte> body, const NodeRef& ref, const NodeSink& sink);

} // namespace cairn::ocdbt
