// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dcp/shard_writer.h"

#include "core/formats/common/torch/torch_archive.h"
#include "core/formats/common/torch/torch_pickler.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cairn::formats::dcp {
namespace {

constexpr std::uint64_t kItemAlignment = 64;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLargeChunk = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 61U;

constexpr std::size_t kMostReserved = std::size_t{1} << 24U; ///< chunks

std::uint64_t missingTo(std::uint64_t offset, std::uint64_t alignment) {
    return (alignment - offset % alignment) % alignment;
}

/// Splits the literals of an archive with at most one tensor into the parts before and after the
/// tensor.
ChunkArchive halves(const OutputFile& archive) {
    ChunkArchive made;
    made.length = archive.size;
    const std::uint64_t split =
        archive.tensors.empty() ? archive.size : archive.tensors.front().offset;
    made.dataBytes = archive.tensors.empty() ? 0 : archive.tensors.front().length;
    std::vector<std::byte> head;
    std::vector<std::byte> tail;
    for (const LiteralSegment& literal : archive.literals) {
        std::vector<std::byte>& half = literal.offset < split ? head : tail;
        const auto bytes = archive.bytesOf(literal);
        half.insert(half.end(), bytes.begin(), bytes.end());
    }
    for (const ChecksumSlot& slot : archive.checksums) {
        if (slot.offset < split) {
            made.headCrc = static_cast<std::size_t>(slot.offset);
        } else {
            made.tailCrc = static_cast<std::size_t>(slot.offset - split - made.dataBytes);
        }
    }
    tail.resize(tail.size() + static_cast<std::size_t>(missingTo(made.length, kItemAlignment)));
    made.head = std::make_shared<const std::vector<std::byte>>(std::move(head));
    made.tail = std::make_shared<const std::vector<std::byte>>(std::move(tail));
    return made;
}

/// True if the file ends with a literal that may be extended.
bool endsInBytes(const OutputFile& file) {
    if (file.literals.empty()) {
        return false;
    }
    const LiteralSegment& last = file.literals.back();
    const LiteralContent& content = file.contents[last.content];
    return content.shared == nullptr && last.offset + content.bytes.size() == file.size;
}

} // namespace

ShardWriter::ShardWriter(std::uint32_t ranks, std::uint64_t maxFileBytes, std::size_t tensors)
    : m_maxFileBytes(maxFileBytes),
      m_reserve(maxFileBytes == 0 && tensors <= kMostReserved / ranks ? tensors : 0),
      m_ranks(ranks) {}

OutputFile& ShardWriter::fileFor(std::uint32_t rank, std::uint64_t bytes, std::uint32_t& index) {
    std::vector<std::uint32_t>& files = m_ranks[rank].files;
    const bool full =
        !files.empty() && m_maxFileBytes != 0 &&
        (bytes > m_maxFileBytes || m_files[files.back()].size > m_maxFileBytes - bytes);
    if (files.empty() || full) {
        OutputFile& fresh = m_files.emplace_back();
        m_known.emplace_back();
        fresh.name = "__" + std::to_string(rank) + "_" + std::to_string(files.size()) + ".distcp";
        fresh.tensors.reserve(m_reserve); // unused capacity takes no memory
        fresh.literals.reserve(2 * m_reserve);
        fresh.checksums.reserve(2 * m_reserve);
        files.push_back(static_cast<std::uint32_t>(m_files.size() - 1));
    }
    index = files.back();
    return m_files[index];
}

void ShardWriter::addZeros(OutputFile& file, std::uint64_t count) {
    if (count > 0) {
        file.addLiteral(file.size, std::vector<std::byte>(static_cast<std::size_t>(count)));
        file.size += count;
    }
}

/// At most one content for each of the few lengths of padding, not one for each chunk.
void ShardWriter::addPadding(std::uint32_t index, std::uint64_t count) {
    if (count == 0) {
        return;
    }
    OutputFile& file = m_files[index];
    const auto [place, isNew] =
        m_known[index].padding.try_emplace(count, static_cast<std::uint32_t>(file.contents.size()));
    if (isNew) {
        auto& zeros = m_padding[count];
        if (zeros == nullptr) {
            zeros = std::make_shared<const std::vector<std::byte>>(static_cast<std::size_t>(count));
        }
        file.contents.push_back({{}, zeros});
    }
    file.literals.push_back({file.size, place->second});
    file.size += count;
}

StoredItem ShardWriter::add(std::uint32_t rank, OutputFile archive) {
    StoredItem item;
    OutputFile& file = fileFor(rank, archive.size, item.file);
    item.offset = file.size;
    item.length = archive.size;
    const auto firstTensor = static_cast<std::uint32_t>(file.tensors.size());
    const bool appends = archive.tensors.empty() && endsInBytes(file);
    for (const LiteralSegment& literal : archive.literals) {
        std::vector<std::byte>& bytes = archive.contents[literal.content].bytes;
        if (appends) { // thousands of numbers in sequence become one literal
            std::vector<std::byte>& run = file.contents[file.literals.back().content].bytes;
            run.insert(run.end(), bytes.begin(), bytes.end());
        } else {
            file.addLiteral(literal.offset + item.offset, std::move(bytes));
        }
    }
    for (TensorSegment& segment : archive.tensors) {
        segment.offset += item.offset;
        file.tensors.push_back(std::move(segment));
    }
    for (const ChecksumSlot& slot : archive.checksums) {
        file.checksums.push_back({slot.offset + item.offset, slot.segment + firstTensor});
    }
    file.size += archive.size;
    addZeros(file, missingTo(file.size, kItemAlignment));
    return item;
}

Result<const ChunkArchive*> ShardWriter::archiveFor(const LayoutTensor& tensor,
                                                    const Shape& extent) {
    if (m_latest != nullptr && m_latest->first.dtype == tensor.dtype &&
        m_latest->first.extent == extent) {
        return &m_latest->second; // the same as for the previous rank
    }
    ArchiveKey key{tensor.dtype, extent};
    if (const auto known = m_archives.find(key); known != m_archives.end()) {
        m_latest = &*known;
        return &m_latest->second;
    }
    LayoutTensor chunk = tensor;
    chunk.shape = extent;
    chunk.aliasOf.reset();
    ValuePickler pickler(std::span(&chunk, 1));
    CAIRN_TRY(std::vector<std::byte> pickle, pickler.writeAlone(Value(chunk.source)));
    CAIRN_TRY(OutputFile archive, layOutTorchArchive(std::span(&chunk, 1), std::move(pickle)));
    m_latest = &*m_archives.emplace(std::move(key), halves(std::move(archive))).first;
    return &m_latest->second;
}

std::uint32_t ShardWriter::contentOf(std::uint32_t file, const ChunkArchive& archive) {
    KnownContents& known = m_known[file];
    if (known.latest != &archive) {
        std::vector<LiteralContent>& contents = m_files[file].contents;
        const auto [place, isNew] =
            known.all.try_emplace(&archive, static_cast<std::uint32_t>(contents.size()));
        if (isNew) {
            contents.push_back({{}, archive.head});
            contents.push_back({{}, archive.tail});
        }
        known.latest = &archive;
        known.content = place->second;
    }
    return known.content;
}

Result<StoredItem> ShardWriter::add(std::uint32_t rank, const LayoutTensor& tensor,
                                    const Box& box) {
    CAIRN_TRY(const ChunkArchive* archive, archiveFor(tensor, box.extent));
    StoredItem item;
    OutputFile& file = fileFor(rank, archive->length, item.file);
    if (archive->length > kMaxFile - file.size) {
        return fail(ErrorCode::LimitExceeded, "The tensors' sizes overflow")
            .inTensor(std::string(tensor.name));
    }
    if (archive->dataBytes >= kLargeChunk) {
        addPadding(item.file, missingTo(file.size + archive->head->size(), kPage));
    }
    item.offset = file.size;
    item.length = archive->length;
    const std::uint64_t data = item.offset + archive->head->size();
    const std::uint64_t tail = data + archive->dataBytes;
    const std::uint32_t content = contentOf(item.file, *archive);
    file.literals.push_back({item.offset, content});
    if (archive->dataBytes > 0) {
        const auto segment = static_cast<std::uint32_t>(file.tensors.size());
        file.checksums.push_back({item.offset + archive->headCrc, segment});
        file.checksums.push_back({tail + archive->tailCrc, segment});
        item.segment = segment;
        file.tensors.push_back(
            {data, archive->dataBytes, tensor.source, tensor.name, box, tensor.dtype});
    }
    if (!archive->tail->empty()) {
        file.literals.push_back({tail, content + 1});
    }
    file.size = tail + archive->tail->size();
    return item;
}

std::vector<OutputFile> ShardWriter::take() && {
    std::vector<OutputFile> files;
    files.reserve(m_files.size());
    for (const Rank& rank : m_ranks) {
        for (const std::uint32_t index : rank.files) {
            files.push_back(std::move(m_files[index]));
        }
    }
    return files;
}

} // namespace cairn::formats::dcp
