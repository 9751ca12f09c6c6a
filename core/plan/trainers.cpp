// SPDX-License-Identifier: Apache-2.0
#include "core/plan/trainers.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

constexpr auto kTrainers = std::to_array<Trainer>({
    {.id = "torch", .title = "a loop of torch", .format = "torch"},
    {.id = "fsdp2", .title = "FSDP2", .format = "dcp", .isNamed = true, .cutsTensors = true},
    {.id = "torchtitan",
     .title = "torchtitan",
     .format = "dcp",
     .isNamed = true,
     .cutsTensors = true},
    {.id = "lightning", .title = "Lightning", .format = "torch"},
    {.id = "lightning-fsdp",
     .title = "Lightning with shards",
     .format = "dcp",
     .isNamed = true,
     .cutsTensors = true},
    {.id = "trainer", .title = "transformers' Trainer", .format = "huggingface", .isFolder = true},
    {.id = "accelerate", .title = "accelerate", .format = "huggingface", .isFolder = true},
    {.id = "deepspeed",
     .title = "DeepSpeed",
     .format = "deepspeed",
     .isNamed = true,
     .isFolder = true},
    {.id = "megatron",
     .title = "Megatron-core",
     .format = "dcp",
     .isNamed = true,
     .cutsTensors = true,
     .hasNames = true},
    {.id = "orbax", .title = "Orbax", .format = "orbax", .isNamed = true, .isFolder = true},
    {.id = "flax", .title = "Flax", .format = "flax", .isNamed = true},
    {.id = "tensorflow", .title = "TensorFlow", .format = "tensorflow", .keepsObjects = true},
    {.id = "keras", .title = "Keras", .format = "keras", .keepsObjects = true},
});

} // namespace

std::span<const Trainer> allTrainers() {
    return kTrainers;
}

const Trainer* findTrainer(std::string_view id) {
    const auto found = std::ranges::find(kTrainers, id, &Trainer::id);
    return found == kTrainers.end() ? nullptr : &*found;
}

} // namespace cairn
