// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/ocdbt/manifest.h"

/// Private to this folder.
namespace cairn::ocdbt {

/// Receives a node's content.
struct NodeSink {
    /// A key and its value; `file` is null for inline values.
    std::function<Result<void>(std::string_view key, const TableFile* file, const ValueRef& value)>
        value;
    std::function<Result<void>(NodeRef child)> child; ///< in key order
};

/// Reads the decoded body of the node `ref`. Keys must be in strictly ascending order. Fails:
/// OcdbtBadNode, and the errors of the sink.
Result<void> parseNode(std::span<const std::byte> body, const NodeRef& ref, const NodeSink& sink);

} // namespace cairn::ocdbt
