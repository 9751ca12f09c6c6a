// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// What single words of names mean: one table for every reader, the scan of runs and the jobs.
/// Adding a meaning is one row. Pure. Any thread.
namespace cairn::names {

/// A word may have several.
enum class Meaning : std::uint32_t {
    Step = 1U << 0U,       ///< a number after it is a step: "step_100", "ckpt-7"
    Epoch = 1U << 1U,      ///< a number after it is an epoch
    Counter = 1U << 2U,    ///< counts what the training loop does, so it outranks a number of saves
    Save = 1U << 3U,       ///< counts saves: "checkpoint-500"
    Position = 1U << 4U,   ///< word and number alone make a folder one position of a run
    Series = 1U << 5U,     ///< numbers after it distinguish saves of a run, never parts of one
    Part = 1U << 6U,       ///< a number after it counts parts of one thing: "shard_3"
    Layer = 1U << 7U,      ///< a number after it counts parts of a model: "layer_3"
    Weights = 1U << 8U,    ///< the plain words for tensors of a model
    Model = 1U << 9U,      ///< the whole of one
    Data = 1U << 10U,      ///< arrays of data or of a curve
    Chosen = 1U << 11U,    ///< one of a run by its name: "best", "last"
    Content = 1U << 12U,   ///< part of a checkpoint by its name: "embeddings", "ema", "shard"
    Reference = 1U << 13U, ///< a small file whose name has it singles out a checkpoint
};

/// `word` in lower case, letters only (tokens.h).
bool means(std::string_view word, Meaning meaning);

} // namespace cairn::names
