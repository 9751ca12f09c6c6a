// SPDX-License-Identifier: Apache-2.0
#include "core/model/announced_reads.h"

#include "core/io/prefetch.h"

#include <cstdint>
#include <map>
#include <vector>

namespace cairn {
namespace {

constexpr std::uint64_t kEnds = 16384;     ///< readers of items read no more of either end
constexpr std::size_t kMostReads = 16'384; ///< as many as are fetched

} // namespace

void announceReads(const Checkpoint& checkpoint, std::span<const TensorEntry* const> tensors,
                   const CancelToken& cancel) {
    std::map<FileIndex, ByteSourcePtr> files; ///< null: in memory, or cannot be opened
    std::vector<SoonRead> reads;
    for (const TensorEntry* tensor : tensors) {
        for (const Piece& piece : tensor->pieces) {
            const auto [file, isNew] = files.try_emplace(piece.file);
            if (isNew && checkpoint.files()[piece.file.position()].source == nullptr) {
                auto opened = checkpoint.openFile(piece.file);
                if (opened && !isFetched(**opened)) {
                    return; // on this machine
                }
                file->second = opened ? std::move(*opened) : nullptr;
            }
            if (file->second != nullptr) {
                addEnds(reads, *file->second, piece.bytes, kEnds);
            }
            if (reads.size() >= kMostReads) {
                (void)prefetch(reads, cancel);
                return;
            }
        }
    }
    (void)prefetch(reads, cancel);
}

} // namespace cairn
