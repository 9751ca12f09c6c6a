// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/byte_source.h"

/// Private to this folder.
namespace cairn::formats::dcp {

/// An item with its first and last few kilobytes at hand: a nested archive keeps its pickle at the
/// start and its directory at the end, so that opening it costs two small reads (one, if the item
/// is small) however large the tensor is. Everything else is read through. Threads and lifetime as
/// any ByteSource. Fails as reading `item` does.
Result<ByteSourcePtr> makeItemSource(ByteSourcePtr item);

} // namespace cairn::formats::dcp
