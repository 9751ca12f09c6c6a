// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <string_view>

namespace cairn {

/// Stem of the file of the weights in such a folder: "pytorch_model.bin".
inline constexpr std::string_view kWeightsStem = "pytorch_model";

/// The layout of a folder as transformers' Trainer or accelerate's save_state() writes it: each key
/// of the values is a file. `pytorch_model` becomes pytorch_model.bin, which both load where
/// model.safetensors is missing, and in which tied weights share their bytes; `trainer_state` and
/// `config` become JSON; everything else an archive of torch.save, which is `.pt` beside a
/// trainer_state and `.bin` otherwise. The files of the weights come last: a folder without them is
/// unfinished. Sources: transformers 5.24 trainer.py (_load_from_checkpoint,
/// _load_optimizer_and_scheduler), accelerate checkpointing.py (load_accelerator_state). Fails as
/// ValuePickler; Unsupported (a value that JSON cannot store).
Result<OutputLayout> layOutStateFolder(const LayoutRequest& request);

} // namespace cairn
