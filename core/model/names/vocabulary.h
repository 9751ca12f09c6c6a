// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// The meaning of single words in names: one table for every reader, the scan of runs and the jobs.
/// A new meaning is one row. Pure. Any thread.
namespace cairn::names {

/// A word may have several meanings.
enum class Meaning : std::uint32_t {
    Step = 1U << 0U,       ///< a number after it is a step: "step_100", "ckpt-7"
    Epoch = 1U << 1U,      ///< a number after it is an epoch
    Counter = 1U << 2U,    ///< counts progress of the training loop, so it takes precedence over a
                           ///< number of saves
    Save = 1U << 3U,       ///< counts saves: "checkpoint-500"
    Position = 1U << 4U,   ///< word and number alone identify a folder as one position of a run
    Series = 1U << 5U,     ///< numbers after it distinguish saves of a run, never parts of one save
    Part = 1U << 6U,       ///< a number after it counts parts of one thing: "shard_3"
    Layer = 1U << 7U,      ///< a number after it counts parts of a model: "layer_3"
    Weights = 1U << 8U,    ///< usual words for a model's tensors
    Model = 1U << 9U,      ///< a complete model
    Data = 1U << 10U,      ///< arrays of data or of a curve
    Chosen = 1U << 11U,    ///< a distinguished checkpoint: "best", "last"
    Content = 1U << 12U,   ///< a part of a checkpoint: "embeddings", "ema", "shard"
    Reference = 1U << 13U, ///< a small file with this word identifies a checkpoint
    Rank =
        1U
        << 14U, ///< a number after it in a file name counts the files of one save: "rank3", "tp_1"
};

/// `word` in lower case, letters only (tokens.h).
bool means(std::string_view word, Meaning meaning);

} // namespace cairn::names
