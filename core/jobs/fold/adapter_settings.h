// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_config.h"
#include "core/families/adapters/pipeline_adapter.h"
#include "core/model/checkpoint.h"

namespace cairn {

/// The settings of an adapter, from the adapter_config.json that its checkpoint contains or, for
/// weights in another format (FSDP's in a DCP folder) and for PEFT's file alone, that is in the
/// same folder. Fails with NotFound if there is none; the errors of reading, and of
/// AdapterConfig::of().
Result<AdapterConfig> readAdapterSettings(const Checkpoint& adapter);

/// An adapter of PEFT as it is, with these settings; one of diffusers or kohya, whose scales are in
/// its tensors and metadata, under PEFT's names for the modules of `base`, or of its own modules if
/// that is null. Reads the scales. Fails with the errors of readAdapterSettings() and
/// asAdapterOfPeft().
Result<PeftAdapter> readAdapter(const CheckpointPtr& adapter, const AdapterBase* base);

} // namespace cairn
