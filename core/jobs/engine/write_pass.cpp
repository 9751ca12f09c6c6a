// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/write_pass.h"

#include "core/jobs/context/worker_threads.h"
#include "core/jobs/engine/run_writer.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>

/// Writes in parallel, with checksums in order.
///
/// A CRC-32 needs a tensor from start to end, so the unit of work is a run: some consecutive
/// complete segments of at least EngineOptions::runBytes together, or one large tensor. Workers
/// take runs, the largest first so that no single one is left at the end, and each processes its
/// run with one buffer: read, sum, write, repeat. Several workers overlap reading and writing; on
/// two cores three of them keep the disk busy. The SHA-256 of tensors and files is left to the
/// verification (verify_pass.cpp), which waits for the device anyway.
///
/// If files take columns of the same tensors, a worker takes a band, a run of each file, and
/// processes them in turns of a few hundred KiB, with a buffer each: the rows read for the first
/// file contain the columns of the others, and are copied from the page cache once instead of once
/// for each file.
///
/// O_DIRECT needs complete blocks, while runs begin and end anywhere. A block in which two runs
/// meet is a seam: both add their bytes to it, and the last one writes it (SeamStore). The last
/// block of a file is written completely, then the file is truncated.
///
/// A checksum slot is in a header before its tensor. While the header is still in the buffer, it is
/// filled there; otherwise four bytes are written later. The last literal of a file (a zip
/// directory contains every checksum) is a separate run that waits for all others. A directory
/// directly after its tensor stays in the tensor's run. Files without tensors (an index) are
/// written at the end: readers treat an index that is older than its shards as that of another
/// save, and an index may contain the checksums of the other files' tensors. Limit: one tensor is
/// processed by one worker, so a checkpoint with a single tensor runs at the speed of one core.
///
/// Ranges filled by the share pass (share_pass.h) are in no part; a run ends before them.
///
/// A run is also the unit of the journal (journal.h), with its share of the seams: a process that
/// resumes a killed job, or combines the parts of several, has the same seams and checksums as if
/// it had written everything. Data that waits for the last checksum is written again.
namespace cairn {
namespace {

/// Runs that one worker processes in parallel.
using Band = std::span<const Run>;

std::uint64_t bytesOf(const Band& band) {
    return std::accumulate(band.begin(), band.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Run& run) { return sum + run.bytes(); });
}

Result<void> writeBand(const Band& band, std::span<RunWriter> writers) {
    const std::uint64_t turns = turnsAbreast(bytesOf(band), band.size());
    for (std::size_t i = 0; i < band.size(); ++i) {
        writers[i].begin(band[i]);
    }
    for (std::uint64_t turn = 1; turn <= turns; ++turn) {
        for (std::size_t i = 0; i < band.size(); ++i) {
            CAIRN_CHECK(writers[i].fill(band[i].begin + band[i].bytes() * turn / turns));
        }
    }
    return {};
}

Result<void> writeBands(WriteState& state, std::span<const Band> bands) {
    std::size_t abreast = 1;
    for (const Band& band : bands) {
        abreast = std::max(abreast, band.size());
    }
    const auto each = static_cast<std::size_t>(
        alignUp(chunkAbreast(state.job.options.chunkBytes, abreast) + RunWriter::kSlack));
    std::atomic<std::size_t> next{0};
    const std::size_t threads =
        std::min(state.job.options.threads, std::max<std::size_t>(bands.size(), 1));
    return runOnThreads(threads, [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        SegmentReader::Scratch scratch;
        scratch.reading.keepsRows = abreast > 1;
        const AlignedBuffer buffer(abreast * each);
        std::vector<RunWriter> writers;
        writers.reserve(abreast);
        for (std::size_t i = 0; i < abreast; ++i) {
            writers.emplace_back(state, buffer.bytes().subspan(i * each, each), scratch);
        }
        for (std::size_t i = next++; i < bands.size() && !stop.load(); i = next++) {
            CAIRN_CHECK(writeBand(bands[i], writers));
        }
        return {};
    });
}

} // namespace

OutputWriter::OutputWriter(const EngineJob& job, std::span<const FileParts> parts,
                           std::span<const StagedFile> files, const LocatedTensors* located,
                           std::vector<bool> complete)
    : m_runs(cutRuns(job.plan, parts, job.options.part.count, job.options.runBytes)),
      m_complete(std::move(complete)) {
    m_complete.resize(parts.size(), false);
    for (const FileParts& file : parts) {
        m_checksums.emplace_back(file.file().tensors.size());
    }
    m_done.resize(m_runs.runs.size(), false);
    m_state = std::make_unique<WriteState>(job, parts, files, m_checksums);
    m_state->located = located;
}

OutputWriter::~OutputWriter() = default;

Result<void> OutputWriter::restore(std::span<const RunRecord> records) {
    for (const RunRecord& record : records) {
        if (record.run >= m_runs.runs.size()) {
            return journalMisfit();
        }
        const auto run = static_cast<std::size_t>(record.run);
        if (!m_done[run]) {
            m_done[run] = true;
            if (m_complete[m_runs.runs[run].file]) {
                CAIRN_CHECK(m_state->restoreChecksums(m_runs.runs[run], record));
                m_state->job.context.addWritten(m_runs.runs[run].bytes());
            } else {
                CAIRN_CHECK(m_state->restore(m_runs.runs[run], record));
            }
        }
    }
    return {};
}

Result<void> OutputWriter::write(JobPart part, Journal& journal) {
    std::vector<Run> own;
    for (std::size_t i = 0; i < m_runs.runs.size(); ++i) {
        if (m_runs.isOf(i, part) && !m_done[i]) {
            own.push_back(m_runs.runs[i]);
        }
    }
    const std::size_t abreast = filesAbreast(m_state->job.plan);
    if (abreast > 1) {
        std::ranges::stable_sort(own, {}, [this](const Run& run) {
            return progressIn(m_state->parts[run.file].file(), run.begin);
        });
    }
    auto bands = sideBySide(std::span<const Run>(own), abreast);
    // Large ones first; the others in file order, which is the order on the disk.
    std::ranges::stable_sort(bands, std::greater(), [this](const Band& band) {
        const std::uint64_t bytes = bytesOf(band);
        return bytes >= 4 * m_state->job.options.runBytes ? bytes : 0;
    });
    m_state->journal = &journal;
    return writeBands(*m_state, bands);
}

Result<void> OutputWriter::complete(const std::vector<bool>& files) {
    m_state->journal = nullptr; // the following data is written again by a resumed job
    std::vector<bool> now = files;
    std::vector<Run> late;
    for (std::size_t i = 0; i < now.size(); ++i) {
        now[i] = now[i] && !m_complete[i];
        m_complete[i] = m_complete[i] || now[i];
    }
    if (std::ranges::count(now, true) == 0) {
        return {};
    }
    m_state->fillIndexes(now);
    for (const std::vector<Run>* runs : {&m_runs.late, &m_runs.index}) {
        std::ranges::copy_if(*runs, std::back_inserter(late),
                             [&](const Run& run) { return now[run.file]; });
    }
    CAIRN_CHECK(writeBands(*m_state, sideBySide(std::span<const Run>(late), 1)));
    return m_state->finish(now);
}

Result<Checksums> OutputWriter::finish() {
    std::vector<bool> weights(m_state->parts.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = !m_state->parts[i].file().tensors.empty();
    }
    CAIRN_CHECK(complete(weights));
    CAIRN_CHECK(complete(std::vector<bool>(weights.size(), true)));
    return std::move(m_checksums);
}

} // namespace cairn
