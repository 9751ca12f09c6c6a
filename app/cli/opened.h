// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/model/checkpoint.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

/// An opened PATH#subtree.
struct Opened {
    CheckpointPtr checkpoint;
    std::string path;           ///< of the checkpoint, without the member
    std::string chosenFrom;     ///< the folder that the user named, if one of several was chosen
    std::size_t candidates = 0; ///< checkpoints in that folder
    std::string member;         ///< "" or a dotted name
    std::vector<TensorIndex> tensors; ///< those in the subtree, in the checkpoint's order
    bool newestIsDamaged = false;     ///< see NamedCheckpoint

    [[nodiscard]] bool whole() const { return member.empty(); }
};

/// Fails with the errors of openNamed(), and with TensorNotFound if there is no tensor or value
/// with the member's name.
Result<Opened> openPath(std::string_view text, const CancelToken& cancel);

/// Opens the verb's first positional. Fails with MissingShard for an incomplete checkpoint without
/// tensors.
Result<Opened> openFirst(const Arguments& arguments, const CancelToken& cancel);

/// Keeps the tensors whose name, or the one in `other` with the same tensors, matches a glob; all
/// of them without a glob. Fails with TensorNotFound if none matches.
Result<void> selectByGlob(Opened& opened, const std::optional<std::string>& glob,
                          const Checkpoint& other);

/// The same with the tensors that match the glob of the verb's --tensor option, or all.
Result<Opened> openSelected(const Arguments& arguments, const CancelToken& cancel);

/// The tensor with that name; without a name the one that the member names. Fails with
/// TensorNotFound.
Result<TensorIndex> findTensor(const Opened& opened, const std::optional<std::string>& name);

/// Whether `glob` selects all requested tensors: false if parts of the checkpoint are missing,
/// unless `glob` is the name of an existing tensor. Reports missing parts as a message, and that a
/// newer checkpoint of the run is damaged.
bool coversAll(const Checkpoint& checkpoint, std::string_view path,
               const std::optional<std::string>& glob, const Session& session);

/// totals() for the selected tensors; stored bytes are those of all files.
Totals totalsOf(const Opened& opened);

/// The positionals and options that select tensors, for the verbs that share them.
inline constexpr auto kTensorsPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, or a part of it: PATH#subtree"}});
inline constexpr Option kTensorGlobOption{"--tensor", "GLOB",
                                          "Only tensors whose full name matches (*, ?, {a,b})"};

inline constexpr Option kDeviceOption{"--device", "DEVICE",
                                      "Device for computing: auto (default), cpu or cuda:0"};

} // namespace cairn::cli
