// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

/// A tree as written by flax.serialization in MessagePack. Source: flax 0.12's serialization.py.
namespace cairn {

struct FlaxTree {
    std::vector<TensorEntry> tensors; ///< with raw pieces in the given file
    Value values;                     ///< the tree; its tensor references index `tensors`
    std::vector<Notice> notices;
    bool damaged = false;      ///< something could not be read
    bool placeholders = false; ///< texts stand for arrays that are stored elsewhere
    bool stream = false;       ///< of leaves: the expected number is not recorded
};

/// Reads the tree that starts at the first byte, or the stream of leaves that EasyLM writes: pairs
/// of a path and a separately packed leaf, as bytes. Array data is not read. Damage after the start
/// becomes a notice, and the part before it is kept. No recursion; depth and number of nodes are
/// limited. `file` is used for the pieces. Fails: MsgpackBadData (not a map or array at the start),
/// Cancelled.
Result<FlaxTree> readFlaxTree(const ByteSourcePtr& source, FileIndex file,
                              const CancelToken& cancel);

/// Adds tensors (with roles) and notices; returns the values with adjusted tensor references.
Value addFlaxTree(CheckpointData& data, FlaxTree tree);

/// Whether `head`, the first bytes of a file, begins such a tree: a map whose first key is text, or
/// a pair of a list of texts and bytes. `sure`: it contains the extension of an array.
bool beginsFlaxTree(std::span<const std::byte> head, bool& sure);

} // namespace cairn
