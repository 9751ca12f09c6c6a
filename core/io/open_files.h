// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cairn {

/// The open files of one checkpoint. All checkpoints of the process together keep as many open as
/// mostKept() says; beyond that, those that were not used for the longest time are closed, unless
/// somebody reads them. Any thread.
class OpenFiles {
public:
    OpenFiles();
    OpenFiles(const OpenFiles&) = delete;
    OpenFiles& operator=(const OpenFiles&) = delete;
    ~OpenFiles();

    /// The source under this number, if it is open; null: it must be opened.
    [[nodiscard]] ByteSourcePtr find(std::uint32_t file);
    /// Keeps it open. Returns the source that another thread opened meanwhile, else this one.
    ByteSourcePtr keep(std::uint32_t file, ByteSourcePtr source);

    /// Half of what the process may open, at least 128: the other half is for all other work.
    static std::size_t mostKept();

private:
    struct State;
    struct Kept;
    struct Shared;
    std::unique_ptr<State> m_state;
};

/// Raises the process's limit of open files as far as the system allows, up to 16,384: a checkpoint
/// of a thousand ranks has a thousand files, each with a part of every tensor. For programs of
/// their own, before threads start; a module in somebody else's process leaves it alone.
void allowManyOpenFiles();

} // namespace cairn
