// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// What wrappers of training add to the names of tensors: one table for the rules strip-prefixes
/// and strip-wrappers, for bundles, and for the list of what a loader needs.
namespace cairn {

/// The name without the components that wrappers add: `module` in front (DataParallel, DDP,
/// DeepSpeed), and those that no module is called by anywhere: `_orig_mod` (torch.compile),
/// `_fsdp_wrapped_module`, `_fpw_module` (FSDP), `_checkpoint_wrapped_module` (activation
/// checkpointing), `_forward_module` (Lightning Fabric).
std::string withoutWrappers(std::string_view name);

/// Whether a wrapper adds this component ("module", "_orig_mod") in front of names.
bool isWrapperPart(std::string_view part);

} // namespace cairn
