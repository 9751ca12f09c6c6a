// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/health.h"

#include "core/analysis/optimizer_health.h"
#include "core/analysis/statistics.h"
#include "core/analysis/tensor_pass.h"
#include "core/families/quantised/quantised_weights.h"
#include "core/io/hash.h"
#include "core/model/checked_elements.h"
#include "core/model/coverage.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace cairn {
namespace {

class Checker {
public:
    Checker(const Checkpoint& checkpoint, const HealthOptions& options)
        : m_checkpoint(checkpoint), m_options(options), m_optimizer(checkpoint, options.cancel),
          m_quantised(checkpoint) {}

    Result<HealthReport> run() {
        for (const Notice& notice : m_checkpoint.notices()) {
            add(notice);
        }
        checkCompleteness();
        checkFiles();
        checkCoverage();
        ModelFindings model = modelFindings(m_checkpoint, m_options.model);
        m_report.model = std::move(model.answer);
        for (Notice& finding : model.notices) {
            add(std::move(finding));
        }
        CAIRN_CHECK(checkValues());
        if (m_options.readData) {
            checkChecksums();
            checkDigests();
            checkTensors();
            noteUnchecked();
        }
        decideValues();
        for (Notice& finding : m_optimizer.findings()) {
            add(std::move(finding));
        }
        CAIRN_CHECK(m_options.cancel.check());
        std::ranges::stable_sort(m_report.findings, [](const Notice& a, const Notice& b) {
            return a.severity > b.severity;
        });
        return std::move(m_report);
    }

private:
    void add(Notice finding) {
        finding.severity = settledSeverity(finding);
        const std::lock_guard lock(m_mutex);
        m_report.verdict = std::max(m_report.verdict, verdictOf(finding));
        if (finding.severity == Severity::Error && !finding.error.where.file.empty()) {
            m_namedFiles.insert(finding.error.where.file);
        }
        if (m_report.findings.size() < HealthReport::kMaxFindings) {
            m_report.findings.push_back(std::move(finding));
        }
    }
    void add(Severity severity, Error error) { add(Notice{severity, std::move(error)}); }

    void checkCompleteness() {
        if (m_checkpoint.completeness() == Completeness::Incomplete) {
            // Notices report the problems; the reasons are their summary.
            const bool known = m_report.failed();
            for (const Sentence& reason : m_checkpoint.why()) {
                add(known ? Severity::Info : Severity::Error,
                    fail(ErrorCode::MissingShard, reason));
            }
            if (!m_report.failed()) {
                add(Severity::Error, fail(ErrorCode::MissingShard, "The checkpoint is incomplete"));
            }
        } else if (m_checkpoint.completeness() == Completeness::Unknown) {
            Sentence why = "The checkpoint does not record whether it is complete";
            if (!m_checkpoint.why().empty()) {
                why = m_checkpoint.why().front();
            }
            add(Severity::Info, fail(ErrorCode::Unsupported, std::move(why)));
        }
    }

    void checkFiles() {
        for (std::size_t i = 0; i < m_checkpoint.files().size(); ++i) {
            const CheckpointFile& file = m_checkpoint.files()[i];
            if (file.missing) {
                addOnce(file.path,
                        fail(ErrorCode::MissingShard, "The file is missing").inFile(file.path));
                continue;
            }
            if (auto source = m_checkpoint.openFile(FileIndex(i)); !source) {
                addOnce(file.path, std::move(source).error());
            }
        }
    }

    /// Skipped if an error about the file already exists.
    void addOnce(const std::string& file, Error error) {
        if (!m_namedFiles.contains(file)) {
            add(Severity::Error, std::move(error));
        }
    }

    void checkCoverage() {
        for (const TensorEntry& tensor : m_checkpoint.tensors()) {
            if (m_options.cancel.cancelled()) {
                return;
            }
            checkExtents(tensor);
            const Coverage covered = readableCoverage(m_checkpoint, tensor);
            if (covered.holes > 0) {
                add(Severity::Error,
                    fail(ErrorCode::CoverageHole,
                         "Some elements of the tensor are not in any readable shard")
                        .inTensor(tensor.name)
                        .butFound(sentence("%1 of %2 elements missing", covered.holes,
                                           tensor.elements())));
            }
            if (covered.overlaps > 0) {
                add(Severity::Warning,
                    fail(ErrorCode::CoverageOverlap,
                         "Some elements of the tensor are in more than one shard")
                        .inTensor(tensor.name)
                        .butFound(sentence("%1 elements stored more than once", covered.overlaps)));
            }
        }
    }

    void checkExtents(const TensorEntry& tensor) {
        for (const Piece& piece : tensor.pieces) {
            const CheckpointFile& file = m_checkpoint.files()[piece.file.position()];
            if (!file.missing && file.source == nullptr &&
                !piece.bytes.fitsInto(file.identity.size)) {
                add(Severity::Error,
                    fail(ErrorCode::Truncated, "The file ends before the end of the tensor's data")
                        .inFile(file.path)
                        .inTensor(tensor.name)
                        .at(piece.bytes.offset)
                        .expecting(sentence("%1 bytes", piece.bytes.length))
                        .butFound(sentence("a file of %1 bytes", file.identity.size)));
                return;
            }
        }
    }

    /// Values that are not what was saved.
    Result<void> checkValues() {
        CAIRN_TRY(m_saved, savedValues(m_checkpoint, m_options.cancel));
        for (const UnusableValue& value : m_saved.unusable) {
            if (m_options.readData && !value.error.where.tensor.empty()) {
                continue; // reported when its elements are read
            }
            Error error = value.error;
            error.where.field = value.path.empty() ? error.where.field : value.path;
            add(Severity::Error, std::move(error));
        }
        return {};
    }

    void decideValues() {
        if (m_options.readData) { // all stored checksums were compared
            ValueRecords& records = m_saved.records;
            records.compared += std::exchange(records.later, 0);
            records.mismatched += m_valueMismatches.load();
        }
        m_report.valuesSaved = decideSaved(m_saved, m_checkpoint.path());
    }

    /// Records that have room for a checksum, which their writer did not compute.
    void noteUnchecked() {
        const std::uint64_t count = m_unchecked.load();
        if (count > 0) {
            add(Severity::Info,
                fail(ErrorCode::Unsupported, "Records without a stored checksum were not checked")
                    .butFound(sentence("%1 records", count)));
        }
    }

    /// Checksum of a range, read in chunks.
    Result<std::uint32_t> crcOf(const ByteSource& source, ByteRange range, PassBuffer& buffer,
                                const ChecksumKind& kind) {
        const auto update = kind.update != nullptr ? kind.update : crc32;
        std::uint32_t crc = 0;
        buffer.bytes.resize(PassBuffer::kChunk);
        for (std::uint64_t at = 0; at < range.length;) {
            CAIRN_CHECK(m_options.cancel.check());
            const auto length = static_cast<std::size_t>(
                std::min<std::uint64_t>(PassBuffer::kChunk, range.length - at));
            const auto bytes = std::span(buffer.bytes).first(length);
            CAIRN_CHECK(source.readAt(range.offset + at, bytes));
            crc = update(crc, bytes);
            at += length;
        }
        countRead(range.length);
        return crc;
    }

    void countRead(std::uint64_t bytes) {
        m_bytesRead.fetch_add(bytes, std::memory_order_relaxed);
        if (m_options.progress != nullptr) {
            m_options.progress->fetch_add(bytes, std::memory_order_relaxed);
        }
    }

    /// False: it differs, or cannot be read.
    bool compareCrc(const Result<std::uint32_t>& found, std::uint32_t expected, Error&& mismatch,
                    const std::string& file, const ChecksumKind& kind) {
        if (!found) {
            if (found.error().code != ErrorCode::Cancelled) {
                add(Severity::Error, Error(found.error()));
            }
            return false;
        }
        const bool none = expected == 0 && kind.update == nullptr &&
                          *found != expected; // writers that do not compute one
        (none ? m_unchecked : m_checksums).fetch_add(1, std::memory_order_relaxed);
        if (*found != expected && !none) {
            Error error = std::move(mismatch);
            error.where.file = file;
            error.found = sentence("%1 %2", kind.name, *found);
            error.expected = sentence("%1 %2", kind.name, expected);
            error.hint = "The data changed after it was saved; use another copy";
            add(Severity::Error, std::move(error));
        }
        return *found == expected || none;
    }

    void checkChecksums() {
        const auto checksums = m_checkpoint.checksums();
        forEachParallel(checksums.size(), 0, m_options.cancel, [&](std::size_t i) {
            thread_local PassBuffer buffer;
            const StoredChecksum& checksum = checksums[i];
            const CheckpointFile& file = m_checkpoint.files()[checksum.file.position()];
            const auto source = m_checkpoint.openFile(checksum.file);
            if (!source) {
                return; // reported by checkFiles()
            }
            const bool matches = compareCrc(
                crcOf(**source, checksum.bytes, buffer, checksum.kind), checksum.crc32,
                fail(ErrorCode::BadChecksum, "The stored checksum does not match the data")
                    .at(checksum.bytes.offset)
                    .inField(checksum.what),
                file.path, checksum.kind);
            const bool isKnown = checksum.bytes.length <= kMostCompared; // to savedValues()
            m_valueMismatches += checksum.holdsValues && !isKnown && !matches ? 1 : 0;
        });
    }

    /// Checks digests of complete files.
    void checkDigests() {
        const auto& digests = m_checkpoint.data().digests;
        forEachParallel(digests.size(), 0, m_options.cancel, [&](std::size_t i) {
            thread_local PassBuffer buffer;
            const StoredDigest& stored = digests[i];
            const auto source = m_checkpoint.openFile(stored.file);
            if (!source) {
                return; // reported by checkFiles()
            }
            const auto found = digestOf(**source, stored.algorithm, buffer);
            if (!found) {
                if (found.error().code != ErrorCode::Cancelled) {
                    add(Severity::Error, Error(found.error()));
                }
                return;
            }
            m_checksums.fetch_add(1, std::memory_order_relaxed);
            if (*found != stored.hex) {
                const CheckpointFile& file = m_checkpoint.files()[stored.file.position()];
                add(Severity::Error,
                    fail(ErrorCode::BadChecksum, "The file does not match the manifest")
                        .inFile(file.path)
                        .inField(stored.from)
                        .butFound(sentence("%1 %2", stored.algorithm, *found))
                        .expecting(sentence("%1 %2", stored.algorithm, stored.hex))
                        .withHint("The data changed after it was saved; use another copy"));
            }
        });
    }

    Result<std::string> digestOf(const ByteSource& source, std::string_view algorithm,
                                 PassBuffer& buffer) {
        const auto digest = NamedDigest::make(algorithm);
        if (digest == nullptr) {
            return fail(ErrorCode::Unsupported, "Unknown digest algorithm")
                .inFile(source.name())
                .butFound(verbatim(std::string(algorithm)));
        }
        buffer.bytes.resize(PassBuffer::kChunk);
        for (std::uint64_t at = 0; at < source.size();) {
            CAIRN_CHECK(m_options.cancel.check());
            const auto length = static_cast<std::size_t>(
                std::min<std::uint64_t>(PassBuffer::kChunk, source.size() - at));
            const auto bytes = std::span(buffer.bytes).first(length);
            CAIRN_CHECK(source.readAt(at, bytes));
            digest->add(bytes);
            at += length;
        }
        countRead(source.size());
        return digest->finish();
    }

    void checkTensors() {
        const auto tensors = m_checkpoint.tensors();
        forEachParallel(tensors.size(), 0, m_options.cancel, [&](std::size_t i) {
            thread_local PassBuffer buffer;
            const TensorEntry& tensor = tensors[i];
            checkPieces(tensor, buffer);
            if (!tensor.aliasOf && coverage(tensor).holes == 0) {
                checkElements(TensorIndex(i), buffer);
            } else if (!tensor.aliasOf && tensor.role == Role::Weight) {
                ++m_otherWeights;
            }
        });
        if (m_zeroWeights >= kFewestZerosToReport && m_otherWeights == 0) {
            add(Severity::Error, fail(ErrorCode::ZeroFilled, "All weights of the model are zero")
                                     .butFound(sentence("%1 zeros", m_zeroWeights.load())));
        }
        m_report.checksums = m_checksums.load();
        m_report.bytesRead = m_bytesRead.load();
        m_report.tensorsRead = m_tensorsRead.load();
    }

    /// Checks checksums inside encoded items.
    void checkPieces(const TensorEntry& tensor, PassBuffer& buffer) {
        for (const Piece& piece : tensor.pieces) {
            const CheckpointFile& file = m_checkpoint.files()[piece.file.position()];
            if (piece.codec == kRawCodec || file.missing || m_options.cancel.cancelled()) {
                continue;
            }
            const auto located = m_checkpoint.locate(tensor, piece);
            if (located && located->crc32) {
                compareCrc(
                    crcOf(*located->source, located->crcRange, buffer, {}), *located->crc32,
                    fail(ErrorCode::BadChecksum, "The stored checksum does not match the data")
                        .inTensor(tensor.name)
                        .at(piece.bytes.offset),
                    file.path, {});
            }
        }
    }

    void checkElements(TensorIndex index, PassBuffer& buffer) {
        const TensorEntry& tensor = m_checkpoint.tensor(index);
        const bool missing = std::ranges::any_of(tensor.pieces, [&](const Piece& piece) {
            return m_checkpoint.files()[piece.file.position()].missing;
        });
        const bool isWeight = tensor.role == Role::Weight;
        if (missing) {
            m_otherWeights += isWeight ? 1 : 0;
            return;
        }
        StatisticsOptions options;
        options.cancel = m_options.cancel;
        options.progress = m_options.progress;
        const auto statistics = tensorStatistics(m_checkpoint, tensor, options, buffer);
        if (!statistics) {
            m_otherWeights += isWeight ? 1 : 0;
            if (statistics.error().code != ErrorCode::Cancelled) {
                Error error = statistics.error();
                error.where.tensor = error.where.tensor.empty() ? tensor.name : error.where.tensor;
                add(Severity::Error, std::move(error));
            }
            return;
        }
        m_tensorsRead.fetch_add(1, std::memory_order_relaxed);
        m_bytesRead.fetch_add(tensor.bytes(), std::memory_order_relaxed);
        m_optimizer.take(index, *statistics);
        assessElements(index, *statistics);
    }

    void assessElements(TensorIndex index, const TensorStatistics& statistics) {
        const TensorEntry& tensor = m_checkpoint.tensor(index);
        const auto of = [&](std::uint64_t count) {
            return sentence("%1 of %2 elements", count, statistics.count);
        };
        const bool computedWith = tensor.role == Role::Weight || tensor.role == Role::Buffer ||
                                  tensor.role == Role::Optimizer || tensor.role == Role::Ema;
        const bool spoiled = statistics.nan > 0 || statistics.inf > 0;
        const std::string moment = spoiled ? m_optimizer.describe(index) : std::string();
        if (statistics.nan > 0) {
            add(computedWith ? Severity::Error : Severity::Info,
                fail(ErrorCode::NonFinite, moment.empty() ? "The tensor contains NaN"
                                                          : sentence("%1 contains NaN", moment))
                    .inTensor(tensor.name)
                    .butFound(of(statistics.nan)));
        }
        if (statistics.inf > 0) {
            // An infinite weight or moment makes every result useless. But masks consist of zeros
            // and -inf, and a number that was never computed (a best score) may be infinite.
            const bool mask = statistics.zeros + statistics.inf == statistics.count;
            const bool spoils = computedWith && tensor.role != Role::Buffer && !mask;
            add(spoils ? Severity::Error : Severity::Info,
                fail(ErrorCode::NonFinite, moment.empty()
                                               ? "The tensor contains infinities"
                                               : sentence("%1 contains infinities", moment))
                    .inTensor(tensor.name)
                    .butFound(of(statistics.inf)));
        }
        const bool zero = statistics.numeric && statistics.zeros == statistics.count;
        const QuantisedWeight* weight = m_quantised.of(index);
        const bool isPart = weight != nullptr && weight->codes != index; // zero points often are
        const bool isNumbers =
            weight != nullptr || dtypeInfo(tensor.dtype).kind == DtypeKind::Float;
        if (tensor.role == Role::Weight && isNumbers && !isPart) {
            (zero ? m_zeroWeights : m_otherWeights) += statistics.count;
        }
        if (zero && statistics.count >= kFewestZerosToReport && !isPart) {
            add(Severity::Info,
                fail(ErrorCode::ZeroFilled,
                     weight != nullptr ? Sentence("All codes of the quantised weight are zero")
                                       : "All elements of the tensor are zero")
                    .inTensor(tensor.name)
                    .butFound(sentence("%1 zeros", statistics.count)));
        }
    }

    const Checkpoint& m_checkpoint;
    const HealthOptions& m_options;
    OptimizerHealth m_optimizer;
    QuantisedWeights m_quantised;
    std::mutex m_mutex; ///< guards m_report.findings, m_report.verdict and m_namedFiles
    HealthReport m_report;
    std::set<std::string> m_namedFiles;
    SavedValues m_saved;
    std::atomic<std::uint64_t> m_valueMismatches{0};
    std::atomic<std::uint64_t> m_zeroWeights{0};  ///< elements of weights that are all zero
    std::atomic<std::uint64_t> m_otherWeights{0}; ///< elements of others, and unreadable tensors
    std::atomic<std::uint64_t> m_checksums{0};
    std::atomic<std::uint64_t> m_unchecked{0};
    std::atomic<std::uint64_t> m_bytesRead{0};
    std::atomic<std::uint64_t> m_tensorsRead{0};
};

} // namespace

Result<HealthReport> checkHealth(const Checkpoint& checkpoint, const HealthOptions& options) {
    return Checker(checkpoint, options).run();
}

std::uint64_t healthCheckBytes(const Checkpoint& checkpoint) {
    std::uint64_t bytes = 0;
    for (const StoredChecksum& checksum : checkpoint.checksums()) {
        bytes += checksum.bytes.length;
    }
    for (const StoredDigest& digest : checkpoint.data().digests) {
        bytes += checkpoint.files()[digest.file.position()].identity.size;
    }
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        bytes += tensor.aliasOf ? 0 : tensor.bytes();
    }
    return bytes;
}

} // namespace cairn
