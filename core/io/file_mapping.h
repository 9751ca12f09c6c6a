// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/io/byte_source.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn {

/// A mapped part of a file, for passes over data that is in the page cache: with large pages,
/// mapping costs a fraction of copying. Only a shortcut for readAt(), which reads cold data and
/// reports errors.
///
/// Mappings have two dangers. An access to memory of a file that was shortened, or of a failing
/// disk, raises SIGBUS: memory from warm() may only be accessed inside guarded(). And page faults
/// are slow: pages are mapped in windows of kWindow, only if they are in the cache, and for a while
/// not at all if mapping a window took more processor time than copying it would have. Any thread.
/// Keeps the source open.
class FileMapping {
public:
    static constexpr std::uint64_t kWindow = std::uint64_t{2} << 20U; ///< size of a large page

    enum class Show {
        WhenCheap,
        Always, ///< including cold and expensive pages: for tests
    };

    /// Null if the source is not a file (descriptor() is -1), or if it cannot be mapped. REQUIRES:
    /// range.fitsInto(source->size()).
    static std::unique_ptr<FileMapping> of(ByteSourcePtr source, ByteRange range,
                                           Show when = Show::WhenCheap);

    FileMapping(const FileMapping&) = delete;
    FileMapping& operator=(const FileMapping&) = delete;
    ~FileMapping();

    /// Bytes [offset, offset + length) of the file, valid as long as this object; empty: use
    /// readAt().
    [[nodiscard]] std::span<const std::byte> warm(std::uint64_t offset, std::size_t length) const;

    /// Asks the kernel to read ahead the part of these bytes that is not cached. Returns
    /// immediately.
    void willRead(std::uint64_t offset, std::size_t length) const;

    /// Runs `work`, which may read warm() memory. False if an access failed: the output of `work`
    /// is then undefined, and its frames were left without running destructors, so it must not
    /// allocate, lock or throw. The first call installs a SIGBUS handler, which passes other SIGBUS
    /// signals to the previous handler.
    template <class Work> static bool guarded(const Work& work) {
        return run([](const void* it) { (*static_cast<const Work*>(it))(); }, &work);
    }

private:
    enum class Window : std::uint8_t { Unknown, Shown, Read };

    FileMapping() = default;
    static bool run(void (*work)(const void*), const void* it);
    [[nodiscard]] Window show(std::size_t window) const;
    [[nodiscard]] bool isCached(std::uint64_t first, std::uint64_t last) const;

    ByteSourcePtr m_source;
    ByteRange m_range;
    Show m_when = Show::WhenCheap;
    std::uint64_t m_start = 0; ///< file offset of the mapping: a multiple of kWindow
    std::size_t m_length = 0;
    std::byte* m_memory = nullptr;
    mutable std::vector<std::atomic<Window>> m_windows;
};

} // namespace cairn
