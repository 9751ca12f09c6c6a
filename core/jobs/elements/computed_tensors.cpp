// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/elements/computed_tensors.h"

#include "core/jobs/elements/expected_elements.h"
#include "core/jobs/elements/segment_reader.h"
#include "core/plan/engine_memory.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace cairn {
namespace {

/// Reads one tensor's results. Not thread-safe.
class ResultReader {
public:
    virtual ~ResultReader() = default;
    /// Complete elements.
    virtual Result<void> read(std::uint64_t first, std::span<std::byte> out) = 0;
};

class KernelReader final : public ResultReader {
public:
    explicit KernelReader(SegmentReader reader) : m_reader(std::move(reader)) {}
    Result<void> read(std::uint64_t first, std::span<std::byte> out) override {
        return m_reader.read(first, out, m_scratch);
    }

private:
    SegmentReader m_reader;
    SegmentReader::Scratch m_scratch;
};

class PlainReader final : public ResultReader {
public:
    explicit PlainReader(ExpectedElements elements) : m_elements(std::move(elements)) {}
    Result<void> read(std::uint64_t first, std::span<std::byte> out) override {
        CastTally unused;
        return m_elements.read(first, out, 0, unused, m_scratch);
    }

private:
    ExpectedElements m_elements;
    TensorReader::Scratch m_scratch;
};

/// Makes readers, and keeps those that were used last: opening one reads an adapter's matrix.
class ResultReaders {
public:
    ResultReaders(const std::shared_ptr<const ComputedSource>& sums, ComputedBy code)
        : m_code(code) {
        m_plan.source = sums->source;
        m_plan.recipes = sums->recipes;
    }

    [[nodiscard]] const CopyPlan& plan() const { return m_plan; }

    Result<std::unique_ptr<ResultReader>> take(const TensorSegment& segment) {
        {
            const std::scoped_lock lock(m_mutex);
            const auto found = std::ranges::find(m_kept, segment.source, &Kept::tensor);
            if (found != m_kept.end()) {
                std::unique_ptr<ResultReader> reader = std::move(found->reader);
                m_kept.erase(found);
                return reader;
            }
        }
        if (m_code == ComputedBy::PlainCode) {
            CAIRN_TRY(ExpectedElements elements, ExpectedElements::open(m_plan, segment));
            return std::unique_ptr<ResultReader>(
                std::make_unique<PlainReader>(std::move(elements)));
        }
        CAIRN_TRY(SegmentReader reader, SegmentReader::open(m_plan, segment, *m_backend));
        reader.ignoreStoredChecksums();
        return std::unique_ptr<ResultReader>(std::make_unique<KernelReader>(std::move(reader)));
    }

    void giveBack(TensorIndex tensor, std::unique_ptr<ResultReader> reader) {
        const std::scoped_lock lock(m_mutex);
        m_kept.push_front({tensor, std::move(reader)});
        if (m_kept.size() > kComputedReaders) {
            m_kept.pop_back();
        }
    }

private:
    struct Kept {
        TensorIndex tensor;
        std::unique_ptr<ResultReader> reader;
    };
    CopyPlan m_plan; ///< what the readers read: source and recipes
    ComputedBy m_code;
    ComputeBackendPtr m_backend = cpuBackend();
    std::mutex m_mutex;
    std::deque<Kept> m_kept;
};

/// The results of one tensor as bytes in C order. `segment` must be kept by who made it.
class ComputedBytes final : public ByteSource {
public:
    ComputedBytes(std::shared_ptr<ResultReaders> readers,
                  std::shared_ptr<const TensorSegment> segment, std::string name)
        : m_readers(std::move(readers)), m_segment(std::move(segment)), m_name(std::move(name)) {}

    std::uint64_t size() const override { return m_segment->length; }
    const std::string& name() const override { return m_name; }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Internal, "The read extends beyond the computed tensor")
                .inFile(m_name)
                .at(offset);
        }
        CAIRN_TRY(std::unique_ptr<ResultReader> reader, m_readers->take(*m_segment));
        const std::uint64_t element = dtypeInfo(m_segment->dtype).bits / 8;
        const std::uint64_t first = offset / element * element;
        const std::uint64_t end = (offset + out.size() + element - 1) / element * element;
        if (first == offset && end - first == out.size()) {
            CAIRN_CHECK(reader->read(first, out));
        } else {
            std::vector<std::byte> complete(static_cast<std::size_t>(end - first));
            CAIRN_CHECK(reader->read(first, complete));
            std::ranges::copy(
                std::span(complete).subspan(static_cast<std::size_t>(offset - first), out.size()),
                out.begin());
        }
        m_readers->giveBack(m_segment->source, std::move(reader));
        return {};
    }

private:
    std::shared_ptr<ResultReaders> m_readers;
    std::shared_ptr<const TensorSegment> m_segment;
    std::string m_name;
};

class ComputedCodec final : public PieceCodec {
public:
    ComputedCodec(std::shared_ptr<ResultReaders> readers, TensorSegment segment)
        : m_readers(std::move(readers)),
          m_segment(std::make_shared<const TensorSegment>(std::move(segment))) {}

    std::string_view name() const override { return "computed"; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& /*tensor*/,
                                const Piece& /*piece*/) const override {
        // Missing and damaged files are found here, before anything is written.
        CAIRN_TRY(std::unique_ptr<ResultReader> reader, m_readers->take(*m_segment));
        m_readers->giveBack(m_segment->source, std::move(reader));
        LocatedPiece located;
        located.source = std::make_shared<ComputedBytes>(m_readers, m_segment, file->name());
        located.bytes = {0, m_segment->length};
        return located;
    }

private:
    std::shared_ptr<ResultReaders> m_readers;
    std::shared_ptr<const TensorSegment> m_segment;
};

} // namespace

CheckpointPtr withComputed(const std::shared_ptr<const ComputedSource>& sums, ComputedBy code) {
    const auto readers = std::make_shared<ResultReaders>(sums, code);
    CheckpointData data = sums->source->data();
    data.loadValues = [source = sums->source](const CancelToken& token) {
        return source->valuesWithRecords(token);
    };
    std::set<TensorIndex> made;
    for (const auto& [tensor, recipe] : sums->recipes) {
        made.insert(tensor);
    }
    for (const auto& [tensor, dtype] : sums->dtypes) {
        made.insert(tensor);
    }
    for (const TensorIndex index : made) {
        TensorEntry& entry = data.tensors.at(index.position());
        if (entry.pieces.empty()) {
            continue; // damaged, which is reported elsewhere
        }
        const auto dtype = sums->dtypes.find(index);
        TensorSegment segment;
        segment.source = index;
        segment.box = Box::whole(entry.shape);
        segment.dtype = dtype != sums->dtypes.end() ? dtype->second : entry.dtype;
        segment.length = dtypeBytes(segment.dtype, entry.elements()).value_or(0);
        entry.dtype = segment.dtype;
        Piece piece;
        piece.box = segment.box;
        piece.file = entry.pieces.front().file;
        piece.bytes = entry.pieces.front().bytes;
        piece.codec = data.addCodec(std::make_shared<ComputedCodec>(readers, std::move(segment)));
        entry.pieces = PieceList{std::move(piece)};
    }
    return Checkpoint::make(std::move(data));
}

} // namespace cairn
