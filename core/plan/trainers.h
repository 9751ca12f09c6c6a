// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// The trainers whose training state can be written: `convert --for`. Pure; any thread.
namespace cairn {

struct Trainer {
    std::string_view id;      ///< "fsdp2"
    std::string_view title;   ///< for people: "FSDP2"
    std::string_view format;  ///< id of the format in which its state is written
    bool isNamed = false;     ///< the optimizer lists parameters by name, else by number
    bool cutsTensors = false; ///< --ranks
    bool hasNames = false;    ///< of its own for the models of a library, whose config they need
    bool isFolder = false;    ///< of files with one part each
    /// Its state is that of a program's objects. Another kind of checkpoint of the same program
    /// relates its names to others (--like).
    bool keepsObjects = false;
};

/// Ids, separated by spaces: the choices of the option.
inline constexpr std::string_view kTrainerChoices =
    "torch fsdp2 torchtitan lightning lightning-fsdp trainer accelerate deepspeed megatron orbax "
    "flax tensorflow keras";

/// In the order of kTrainerChoices.
std::span<const Trainer> allTrainers();
/// Null: there is none of that id.
const Trainer* findTrainer(std::string_view id);

} // namespace cairn
