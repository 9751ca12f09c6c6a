// SPDX-License-Identifier: Apache-2.0
#include "core/io/read_block.h"

#include "core/base/large_pages.h"

namespace cairn {

ReadBlock::ReadBlock(std::size_t size)
    : m_data(std::make_unique_for_overwrite<std::byte[]>(size)), m_size(size) {
    adviseLargePages(m_data.get(), size);
}

Result<std::shared_ptr<const ReadBlock>> readBlock(const ByteSource& source, ByteRange range) {
    if (!range.fitsInto(source.size())) {
        return fail(ErrorCode::Truncated, "The read extends beyond the end of the file")
            .inFile(source.name())
            .at(range.offset)
            .butFound(sentence("%1 bytes", source.size()))
            .expecting(sentence("%1 bytes from that offset", range.length));
    }
    auto block = std::make_shared<ReadBlock>(static_cast<std::size_t>(range.length));
    CAIRN_CHECK(source.readAt(range.offset, block->fill()));
    return std::shared_ptr<const ReadBlock>(std::move(block));
}

} // namespace cairn
