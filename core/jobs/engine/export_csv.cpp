// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/export_csv.h"

#include "core/analysis/dequantized.h"
#include "core/base/elapsed.h"
#include "core/base/endian.h"
#include "core/io/hash.h"
#include "core/jobs/engine/output_place.h"
#include "core/jobs/engine/staging.h"
#include "core/jobs/record/layout_digest.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"
#include "core/plan/plan_problems.h"

#include <algorithm>
#include <chrono>

namespace cairn {
namespace {

constexpr std::size_t kTextBytes = std::size_t{1} << 20U;

Result<void> checkTensor(const TensorEntry& tensor) {
    if (tensor.shape.size() > 2) {
        return fail(ErrorCode::InvalidArgument, "A table has at most two dimensions")
            .inTensor(tensor.name)
            .butFound(verbatim(formatDims(tensor.shape)))
            .withHint("Choose .npy or .safetensors");
    }
    if (!hasNumericElements(tensor.dtype)) {
        return fail(ErrorCode::DtypeNotRepresentable,
                    "The elements are not numbers that a table can contain")
            .inTensor(tensor.name)
            .butFound(verbatim(std::string(dtypeName(tensor.dtype))));
    }
    return {};
}

/// Writes the text of the elements while it grows.
class CsvWriter {
public:
    CsvWriter(const TensorEntry& tensor, const FileHandle& file, FileOps& fileOps,
              JobContext& context)
        : m_tensor(tensor), m_file(file), m_fileOps(fileOps), m_context(context) {}

    Result<void> write(const Checkpoint& source) {
        CAIRN_TRY(const TensorReader reader, TensorReader::open(source, m_tensor));
        const std::uint64_t element = reader.elementBytes();
        const std::uint64_t total = m_tensor.bytes();
        TensorReader::Scratch scratch;
        std::vector<std::byte> bytes(
            static_cast<std::size_t>(std::min(total, kTextBytes / element * element)));
        for (std::uint64_t at = 0; at < total; at += bytes.size()) {
            CAIRN_CHECK(m_context.proceed());
            const auto part = std::span(bytes).first(
                static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), total - at)));
            CAIRN_CHECK(reader.readBytes(Box::whole(m_tensor.shape), at, part, scratch));
            m_context.addRead(part.size());
            CAIRN_CHECK(addElements(part, at / element, static_cast<std::size_t>(element)));
        }
        return flush();
    }
    [[nodiscard]] std::uint64_t written() const { return m_written; }
    Sha256Digest hash() { return m_hash.finish(); }

private:
    Result<void> addElements(std::span<const std::byte> bytes, std::uint64_t first,
                             std::size_t element) {
        const std::uint64_t columns =
            m_tensor.shape.size() == 2 ? static_cast<std::uint64_t>(m_tensor.shape[1]) : 1;
        for (std::size_t at = 0; at < bytes.size(); at += element) {
            const std::uint64_t column = (first + at / element) % columns;
            m_text += elementText(m_tensor.dtype, bytes.subspan(at, element));
            m_text += column + 1 == columns ? '\n' : ',';
            if (m_text.size() >= kTextBytes) {
                CAIRN_CHECK(flush());
            }
        }
        return {};
    }

    Result<void> flush() {
        CAIRN_CHECK(m_fileOps.writeAt(m_file, m_written, asBytes(m_text)));
        m_hash.add(asBytes(m_text));
        m_written += m_text.size();
        m_context.addWritten(m_text.size());
        m_text.clear();
        return {};
    }

    const TensorEntry& m_tensor;
    const FileHandle& m_file;
    FileOps& m_fileOps;
    JobContext& m_context;
    std::string m_text;
    Sha256 m_hash;
    std::uint64_t m_written = 0;
};

} // namespace

Result<JobReport> exportCsv(const Checkpoint& source, TensorIndex index,
                            const std::filesystem::path& output, FileOps& fileOps,
                            JobContext& context, const EngineOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const TensorNumbers numbers(source, source.tensor(index));
    const TensorEntry& tensor = numbers.tensor();
    context.setPhase(JobPhase::Checking);
    CAIRN_CHECK(checkTensor(tensor));
    CopyPlan plan; // a single file of unknown size
    plan.output = output;
    plan.problems = outputProblems(placeFacts(source, output), 0);
    CAIRN_CHECK(checkRunnable(plan));
    plan.layout.files.emplace_back().name = output.filename().string();

    context.setPhase(JobPhase::Writing);
    CAIRN_TRY(Staging staging,
              Staging::create(plan, fileOps, context,
                              {.direct = false, .part = {}, .digest = layoutDigest(plan)}));
    CsvWriter writer(tensor, staging.files().front().handle, fileOps, context);
    CAIRN_CHECK(writer.write(numbers.checkpoint()));
    context.setPhase(JobPhase::Syncing);
    CAIRN_CHECK(staging.closeFiles(options.durability));
    CAIRN_CHECK(context.proceed());
    context.setPhase(JobPhase::Publishing);
    CAIRN_CHECK(staging.publish(options.durability));
    context.setPhase(JobPhase::Done);

    JobReport report;
    report.output = output;
    report.files.push_back({output.filename().string(), writer.written(), hexText(writer.hash())});
    report.tensors = 1;
    report.bytes = writer.written();
    report.seconds = secondsSince(start);
    return report;
}

} // namespace cairn
