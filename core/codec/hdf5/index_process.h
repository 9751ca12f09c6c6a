// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <string>

namespace cairn::hdf5 {

/// Runs cairn-hdf5-index on a range of an open file; returns its output. See readIndex().
Result<std::string> runIndexProcess(int descriptor, ByteRange range, const std::string& name,
                                    const CancelToken& cancel);

} // namespace cairn::hdf5
