// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/model/checkpoint.h"

#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

/// PATH#subtree, opened.
struct Opened {
    CheckpointPtr checkpoint;
    std::string path;           ///< of the checkpoint, without the member
    std::string chosenFrom;     ///< the folder that the user named, where one of several was chosen
    std::size_t candidates = 0; ///< checkpoints in that folder
    std::string member;         ///< "" or a dotted name
    std::vector<TensorIndex> tensors; ///< those at or below the member, in the checkpoint's order

    [[nodiscard]] bool whole() const { return member.empty(); }
};

/// Fails with the errors of openNamed(), and with TensorNotFound when nothing has the member's
/// name (tensor or value).
Result<Opened> openPath(std::string_view text, const CancelToken& cancel);

/// Keeps the tensors that a glob matches; all of them without one. Fails with TensorNotFound when
/// none does.
Result<void> selectByGlob(Opened& opened, const std::optional<std::string>& glob);

/// The verb's first word, opened, with the tensors that its --tensor option selects.
Result<Opened> openSelected(const Arguments& arguments, const CancelToken& cancel);

/// The one tensor of that name; without a name the one that the member names. Fails with
/// TensorNotFound.
Result<TensorIndex> findTensor(const Opened& opened, const std::optional<std::string>& name);

/// Whether the tensors that `glob` selects are all that were asked for: false when parts of the
/// checkpoint are missing, unless `glob` names one tensor that exists. Reports on stderr what is
/// missing.
bool coversAll(const Checkpoint& checkpoint, std::string_view path,
               const std::optional<std::string>& glob);

/// totals() of some of the tensors; stored bytes are those of all files.
Totals totalsOf(const Opened& opened);

/// The words and options that select tensors, for the verbs that share them.
inline constexpr auto kTensorsPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, or a part of it: PATH#subtree"}});
inline constexpr Option kTensorGlobOption{
    "--tensor", "GLOB", "Only tensors whose full name matches (*, ?, {a,b})", false};

inline constexpr Option kDeviceOption{"--device", "DEVICE",
                                      "Device for computing: auto (default), cpu or cuda:0"};

} // namespace cairn::cli
