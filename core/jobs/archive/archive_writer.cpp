// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/archive/archive_writer.h"

#include "core/codec/crc32c/crc32c.h"
#include "core/codec/planes/planes.h"
#include "core/jobs/context/worker_threads.h"
#include "core/model/saved_values.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_reader.h"
#include "core/model/value_bytes.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace cairn {
namespace {

constexpr std::uint64_t kRunBytes = 4 * archive::kChunkBytes;

} // namespace

/// State of one thread; keeps the reader of its last tensor, because consecutive runs often belong
/// to the same tensor.
class ArchiveWriter::Worker {
public:
    Worker(ArchiveWriter& writer, const std::atomic<bool>& stop)
        : m_writer(writer), m_stop(stop), m_packer(writer.m_wanted.level) {}

    Result<void> work() {
        for (std::size_t i = m_writer.m_next++; i < m_writer.m_runs.size() && !m_stop.load();
             i = m_writer.m_next++) {
            CAIRN_CHECK(m_writer.m_context.proceed());
            CAIRN_CHECK(read(m_writer.m_runs[i]));
            CAIRN_CHECK(pack(m_writer.m_runs[i]));
            CAIRN_CHECK(put(i));
        }
        return {};
    }

private:
    Result<void> read(const Run& run) {
        const TensorEntry& tensor = m_writer.m_source.tensors()[run.row];
        if (hasStrings(tensor.dtype)) {
            CAIRN_TRY(m_elements, readStringBytes(m_writer.m_source, tensor, kMaxStringMemory));
            m_writer.m_index.tensors[run.row].bytes = m_elements.size();
            return {};
        }
        if (m_row != run.row) {
            m_row.reset();
            CAIRN_TRY(m_reader, TensorReader::open(m_writer.m_source, tensor));
            m_row = run.row;
            m_base.reset();
            if (m_writer.m_index.tensors[run.row].kind == archive::TensorKind::Delta) {
                const Checkpoint& earlier = *m_writer.m_wanted.earlier;
                CAIRN_TRY(m_base,
                          TensorReader::open(earlier, earlier.tensor(*earlier.find(tensor.name))));
            }
        }
        const Box box = Box::whole(tensor.shape);
        m_elements.resize(static_cast<std::size_t>(run.bytes));
        CAIRN_CHECK(m_reader->readBytes(box, run.first, m_elements, m_scratch));
        m_writer.m_context.addRead(run.bytes);
        if (m_base) {
            m_earlier.resize(m_elements.size());
            CAIRN_CHECK(m_base->readBytes(box, run.first, m_earlier, m_scratch));
        }
        return {};
    }

    Result<void> pack(const Run& run) {
        const archive::TensorRow& row = m_writer.m_index.tensors[run.row];
        m_packed.clear();
        m_chunks.clear();
        for (std::size_t at = 0; at < m_elements.size();) {
            const auto size =
                std::min<std::size_t>(m_elements.size() - at, std::size_t{archive::kChunkBytes});
            const auto elements = std::span(m_elements).subspan(at, size);
            const std::size_t before = m_packed.size();
            archive::ChunkRow chunk;
            if (row.kind == archive::TensorKind::Delta) {
                chunk.content = crc32c(0, elements);
                CAIRN_CHECK(packDelta(row, elements, std::span(m_earlier).subspan(at, size)));
            } else {
                CAIRN_CHECK(m_packer.pack(row.form, elements, m_packed));
            }
            const auto stored = std::span(m_packed).subspan(before);
            chunk.stored = static_cast<std::uint32_t>(stored.size());
            chunk.crc = crc32c(0, stored);
            m_chunks.push_back(chunk);
            at += size;
        }
        return {};
    }

    Result<void> packDelta(const archive::TensorRow& row, std::span<std::byte> elements,
                           std::span<const std::byte> earlier) {
        if (std::memcmp(elements.data(), earlier.data(), elements.size()) == 0) {
            m_packed.push_back(archive::kSameChunk);
            return {};
        }
        planes::toSteps(row.form.bytes, elements, earlier);
        return m_packer.pack(row.form, elements, m_packed);
    }

    Result<void> put(std::size_t number) {
        std::uint64_t offset = 0;
        const bool mine = m_writer.m_turns.take(number, 1, m_stop, [&] {
            offset = m_writer.m_end;
            m_writer.m_end += m_packed.size();
            auto& all = m_writer.m_index.chunks;
            all.insert(all.end(), m_chunks.begin(), m_chunks.end());
        });
        if (!mine) {
            return {}; // another worker has failed
        }
        CAIRN_CHECK(m_writer.m_fileOps.writeAt(m_writer.m_file, offset, m_packed));
        m_writer.m_fileOps.writeback(m_writer.m_file, offset, m_packed.size(), Pages::Kept);
        m_writer.m_context.addWritten(m_elements.size());
        return {};
    }

    ArchiveWriter& m_writer;
    const std::atomic<bool>& m_stop;
    planes::Packer m_packer;
    std::optional<std::uint32_t> m_row; ///< row to which the readers belong
    std::optional<TensorReader> m_reader;
    std::optional<TensorReader> m_base;
    TensorReader::Scratch m_scratch;
    std::vector<std::byte> m_elements;
    std::vector<std::byte> m_earlier;
    std::vector<std::byte> m_packed;
    std::vector<archive::ChunkRow> m_chunks;
};

ArchiveWriter::ArchiveWriter(const Checkpoint& source, const PackOptions& wanted,
                             archive::Index& index, const FileHandle& file, FileOps& fileOps,
                             JobContext& context)
    : m_source(source), m_wanted(wanted), m_index(index), m_file(file), m_fileOps(fileOps),
      m_context(context) {
    cutRuns();
}

void ArchiveWriter::cutRuns() {
    for (std::size_t i = 0; i < m_index.tensors.size(); ++i) {
        const archive::TensorRow& row = m_index.tensors[i];
        const auto number = static_cast<std::uint32_t>(i);
        if (row.kind == archive::TensorKind::Own && hasStrings(m_source.tensors()[i].dtype)) {
            m_runs.push_back({number, 0, 0});
        }
        for (std::uint64_t at = 0; at < row.bytes; at += kRunBytes) {
            m_runs.push_back({number, at, std::min(kRunBytes, row.bytes - at)});
        }
    }
}

Result<void> ArchiveWriter::write(std::size_t threads) {
    CAIRN_CHECK(append(archive::makeHead()));
    const std::size_t workers = std::clamp<std::size_t>(m_runs.size(), 1, threads);
    CAIRN_CHECK(runOnThreads(workers, [&](std::size_t, const std::atomic<bool>& stop) {
        return Worker(*this, stop).work();
    }));
    return writeEnd();
}

Result<void> ArchiveWriter::writeEnd() {
    CAIRN_TRY(const SavedValues values, savedValues(m_source, m_context.token()));
    CAIRN_TRY(auto plain, valueToBytes(values.usable));
    CAIRN_TRY(const auto sealedValues, archive::seal(std::move(plain)));
    CAIRN_TRY(const auto sealedIndex, archive::seal(archive::encodeIndex(m_index)));
    const std::uint64_t valuesOffset = m_end;
    CAIRN_CHECK(append(sealedValues.bytes));
    CAIRN_CHECK(append(sealedIndex.bytes));
    return append(archive::makeFoot(valuesOffset, sealedValues, sealedIndex));
}

Result<void> ArchiveWriter::append(std::span<const std::byte> bytes) {
    CAIRN_CHECK(m_fileOps.writeAt(m_file, m_end, bytes));
    m_end += bytes.size();
    return {};
}

} // namespace cairn
