// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter_config.h"
#include "core/model/checkpoint.h"

namespace cairn {

/// The settings of an adapter, from the adapter_config.json that its checkpoint contains or, for
/// weights in another format (FSDP's in a DCP folder) and for PEFT's file alone, that is in the
/// same folder. Fails with NotFound if there is none; Unsupported for the files of diffusers and
/// kohya, which have their scales inside; the errors of reading, and of AdapterConfig::of().
Result<AdapterConfig> readAdapterSettings(const Checkpoint& adapter);

} // namespace cairn
