// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/checkpoint.h"

/// A tree as flax.serialization writes it with MessagePack. Source: flax 0.12's serialization.py.
namespace cairn {

struct FlaxTree {
    std::vector<TensorEntry> tensors; ///< raw pieces in the file that was given
    Value values;                     ///< the tree; its tensor references count from 0
    std::vector<Notice> notices;
    bool damaged = false;      ///< something could not be read
    bool placeholders = false; ///< arrays that are elsewhere are named by texts
    bool stream = false;       ///< of leaves: nothing records how many there should be
};

/// Reads the tree that starts at the first byte, or the stream of its leaves that EasyLM writes:
/// pairs of a path and a leaf, packed by itself, as bytes. Array data is not read. Damage after the
/// start is a notice: what came before is kept. No recursion; depth and number of nodes are
/// bounded. `file` goes into the pieces. Fails: MsgpackBadData (no map or array at the start),
/// Cancelled.
Result<FlaxTree> readFlaxTree(const ByteSourcePtr& source, FileIndex file,
                              const CancelToken& cancel);

/// Adds tensors (with roles) and notices; returns the values with their references moved.
Value addFlaxTree(CheckpointData& data, FlaxTree tree);

/// Whether `head`, the first bytes of a file, begins such a tree: a map whose first key is text, or
/// a pair of a list of texts and bytes.
/// `sure`: an array's extension was seen.
bool beginsFlaxTree(std::span<const std::byte> head, bool& sure);

} // namespace cairn
