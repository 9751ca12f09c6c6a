// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify/verify.h"

#include "core/formats/format.h"
#include "core/io/near_reads.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/elements/plain_cast.h"
#include "core/jobs/elements/plain_quantize.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/verify/verify_beside.h"
#include "core/jobs/verify/verify_findings.h"
#include "core/jobs/verify/verify_recomputed.h"
#include "core/model/cast_pair.h"
#include "core/model/name_rules.h"
#include "core/model/precision.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cairn {
namespace {

constexpr std::size_t kChunk = std::size_t{4} << 20U;

std::size_t workerCount() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 2, 8);
}

bool allFound(const Checkpoint& source, const Checkpoint& output, const std::string& prefix) {
    return std::ranges::all_of(output.tensors(), [&](const TensorEntry& entry) {
        return source.find(prefix + entry.name).has_value();
    });
}

/// The prefix of the output's names in the source; "" if there is none that works for all names.
std::string namePrefix(const Checkpoint& source, const Checkpoint& output) {
    if (output.tensors().empty() || allFound(source, output, {})) {
        return {};
    }
    const std::string ending = "." + output.tensors().front().name;
    for (const TensorEntry& entry : source.tensors()) {
        if (entry.name.ends_with(ending)) {
            const std::string prefix = entry.name.substr(0, entry.name.size() - ending.size() + 1);
            if (allFound(source, output, prefix)) {
                return prefix;
            }
        }
    }
    return {};
}

/// Drops the cached pages, so that the output is read from the device.
void dropPages(const Checkpoint& output) {
    forgetNearReads();
    for (std::size_t i = 0; i < output.files().size(); ++i) {
        const auto source = output.openFile(FileIndex(i));
        if (source && (*source)->descriptor() >= 0) {
            ::posix_fadvise((*source)->descriptor(), 0, 0, POSIX_FADV_DONTNEED);
        }
    }
}

/// Names and dtypes in the manifest beside an output, which is the only record of intended changes.
/// Empty without a manifest.
class ManifestNames {
public:
    explicit ManifestNames(const Checkpoint& output) {
        auto manifest = readManifest(manifestPath(output.path()));
        if (!manifest) {
            return;
        }
        for (WrittenTensor& tensor : manifest->tensors) {
            std::string name = tensor.name;
            m_tensors.emplace(std::move(name), std::move(tensor));
        }
        const auto rename = manifest->options.find("rename");
        if (rename != manifest->options.end()) {
            m_rules = NameRules::parse(rename->second).value_or(NameRules());
        }
    }
    /// Null: the manifest has no matching entry.
    [[nodiscard]] const WrittenTensor* find(const TensorEntry& entry) const {
        const auto found = m_tensors.find(entry.name);
        return found != m_tensors.end() && found->second.dtype == dtypeName(entry.dtype)
                   ? &found->second
                   : nullptr;
    }
    /// The job's rules for names. Names of tied tensors that were not written have no entry.
    [[nodiscard]] const NameRules& rules() const { return m_rules; }

private:
    std::map<std::string, WrittenTensor> m_tensors;
    NameRules m_rules;
};

/// Casts elements, or quantises them to complete blocks.
void convertPlainly(Dtype from, std::span<const std::byte> in, Dtype to, std::span<std::byte> out) {
    if (!canQuantize(from, to)) {
        return castPlainly(from, in, to, out);
    }
    std::vector<float> values(in.size() / (dtypeInfo(from).bits / 8));
    const auto floats = std::as_writable_bytes(std::span(values));
    if (from == Dtype::Float32) {
        std::ranges::copy(in, floats.begin());
    } else {
        castPlainly(from, in, Dtype::Float32, floats);
    }
    quantizePlainly(to, values, out);
}

/// The same for strings. Damage in `right` is returned as a difference.
Result<std::optional<Sentence>> stringDifference(const Checkpoint& source, const TensorEntry& left,
                                                 const Checkpoint& output, const TensorEntry& right,
                                                 JobContext& context) {
    CAIRN_TRY(const auto a, readStringBytes(source, left, kMaxStringMemory));
    const auto b = readStringBytes(output, right, kMaxStringMemory);
    if (!b) {
        return std::optional(verbatim(describe(b.error())));
    }
    context.addVerified(b->size());
    return a == *b ? std::optional<Sentence>()
                   : std::optional(Sentence("The strings are different"));
}

/// Compares the elements of two tensors of the same shape; those of `left` are cast if the dtypes
/// differ. Damage in `right` is returned as a difference.
Result<std::optional<Sentence>> difference(const Checkpoint& source, const TensorEntry& left,
                                           const Checkpoint& output, const TensorEntry& right,
                                           JobContext& context) {
    if (hasStrings(right.dtype)) {
        return stringDifference(source, left, output, right, context);
    }
    CAIRN_TRY(const TensorReader leftReader, TensorReader::open(source, left));
    const auto rightReader = TensorReader::open(output, right);
    if (!rightReader) {
        return std::optional(verbatim(describe(rightReader.error())));
    }
    TensorReader::Scratch scratch;
    const Box box = Box::whole(left.shape);
    const std::uint64_t leftBytes = leftReader.elementBytes();
    const std::uint64_t rightBytes = rightReader->elementBytes();
    const bool quantises = canQuantize(left.dtype, right.dtype);
    const std::uint64_t block = quantises ? dtypeInfo(right.dtype).blockElements : 1;
    const std::uint64_t step = kChunk / std::max(block * leftBytes, rightBytes);
    const std::uint64_t elements = right.bytes() / rightBytes;
    std::vector<std::byte> a;
    std::vector<std::byte> b;
    for (std::uint64_t at = 0; at < elements; at += step) {
        CAIRN_CHECK(context.proceed());
        const std::uint64_t count = std::min(step, elements - at);
        a.resize(static_cast<std::size_t>(count * block * leftBytes));
        b.resize(static_cast<std::size_t>(count * rightBytes));
        CAIRN_CHECK(leftReader.readBytes(box, at * block * leftBytes, a, scratch));
        if (left.dtype != right.dtype) {
            std::vector<std::byte> cast(b.size());
            convertPlainly(left.dtype, a, right.dtype, cast);
            a.swap(cast);
        }
        if (const auto read = rightReader->readBytes(box, at * rightBytes, b, scratch); !read) {
            return std::optional(verbatim(describe(read.error())));
        }
        if (a != b) {
            const auto place =
                static_cast<std::uint64_t>(std::ranges::mismatch(a, b).in1 - a.begin());
            return std::optional(
                sentence("The elements differ from index %1 on", at + place / rightBytes));
        }
        context.addVerified(b.size());
    }
    return std::optional<Sentence>();
}

/// Compares an output with its source, tensor by tensor. Its members are safe from any thread.
class SourceComparer {
public:
    SourceComparer(const Checkpoint& source, const Checkpoint& output, JobContext& context)
        : m_source(source), m_output(output), m_context(context),
          m_prefix(namePrefix(source, output)), m_recorded(output) {
        if (const FormatInfo* format = findFormat(output.format())) {
            m_objectGraph = format->writes.objectGraph;
        }
        for (std::size_t i = 0; i < source.tensors().size(); ++i) {
            if (source.tensors()[i].aliasOf && !m_recorded.rules().empty()) {
                m_renamed.emplace(m_recorded.rules().apply(source.tensors()[i].name),
                                  TensorIndex(i));
            }
        }
    }

    /// The output's tensor with this index.
    Result<void> compare(std::size_t position, Findings& findings) const {
        const TensorEntry& right = m_output.tensors()[position];
        const WrittenTensor* written = m_recorded.find(right);
        if (written == nullptr && right.aliasOf) {
            written = m_recorded.find(m_output.tensor(*right.aliasOf));
        }
        const auto index = sourceOf(right);
        if (!index) {
            findings.differs("extra", right.name, "The tensor is not in the source");
            return {};
        }
        const TensorEntry& left = m_source.tensor(*index);
        if (right.name == m_objectGraph && hasStrings(left.dtype) && hasStrings(right.dtype)) {
            return compareGraph(position, left, findings);
        }
        const bool cast = written != nullptr && (canCast(left.dtype, right.dtype) ||
                                                 canQuantize(left.dtype, right.dtype));
        if ((left.dtype != right.dtype && !cast) || left.shape != right.shape) {
            const auto text = [](const TensorEntry& entry) {
                return std::string(dtypeName(entry.dtype)) + " " + formatDims(entry.shape);
            };
            findings.differs(left.dtype != right.dtype ? "dtype" : "shape", right.name,
                             sentence("%1 instead of %2", text(right), text(left)));
            return {};
        }
        CAIRN_TRY(const auto found, difference(m_source, left, m_output, right, m_context));
        if (found) {
            findings.differs("tensor", right.name, *found);
        }
        findings.compared(position, right.bytes());
        return {};
    }

    /// Tensors of the source of which the output has none.
    void findMissing(Findings& findings) const {
        std::vector<bool> isThere(m_source.tensors().size());
        for (const TensorEntry& right : m_output.tensors()) {
            if (const auto index = sourceOf(right)) {
                isThere[index->position()] = true;
            }
        }
        for (std::size_t i = 0; i < isThere.size(); ++i) {
            if (!isThere[i]) {
                findings.differs("missing", m_source.tensors()[i].name,
                                 "The tensor is not in the output");
            }
        }
    }

private:
    /// The record of objects is that of the source only if all tensors are and keep their names.
    Result<void> compareGraph(std::size_t position, const TensorEntry& left,
                              Findings& findings) const {
        const TensorEntry& right = m_output.tensors()[position];
        CAIRN_TRY(const auto found, difference(m_source, left, m_output, right, m_context));
        const bool isSame = m_prefix.empty() && m_recorded.rules().empty() &&
                            m_output.tensors().size() == m_source.tensors().size();
        const bool isReadable = readStringBytes(m_output, right, kMaxStringMemory).has_value();
        if (found && (isSame || !isReadable)) {
            findings.differs("tensor", right.name, *found);
        } else if (found) {
            findings.leaves("the object graph, which is not that of the source");
        } else {
            findings.compared(position, right.bytes());
        }
        return {};
    }

    /// The tensor of the source from which this one of the output was made.
    [[nodiscard]] std::optional<TensorIndex> sourceOf(const TensorEntry& right) const {
        if (const WrittenTensor* written = m_recorded.find(right)) {
            if (const auto recorded = m_source.find(written->sourceName)) {
                return recorded;
            }
        }
        const auto tied = right.aliasOf ? m_renamed.find(right.name) : m_renamed.end();
        return tied != m_renamed.end() ? std::optional(tied->second)
                                       : m_source.find(m_prefix + right.name);
    }

    const Checkpoint& m_source;
    const Checkpoint& m_output;
    JobContext& m_context;
    std::string m_prefix;
    std::string_view m_objectGraph; ///< see OutputTraits
    ManifestNames m_recorded;
    std::map<std::string, TensorIndex> m_renamed; ///< tied tensors of the source, by new names
};

/// Whether a job did more than to copy, rename or cast stored tensors.
bool isRearranged(const Manifest& manifest, const Checkpoint& source) {
    const auto dtype = manifest.options.find("dtype");
    const Precision* precision =
        dtype != manifest.options.end() ? precisionOf(dtype->second) : nullptr;
    return (precision != nullptr && !precision->inBlocks()) ||
           manifest.options.contains("dequantize") || !manifest.averaged.empty() ||
           !manifest.adapters.empty() ||
           std::ranges::any_of(manifest.tensors, [&](const WrittenTensor& tensor) {
               return !source.find(tensor.sourceName).has_value();
           });
}

Result<VerifyResult> compareTensors(const CheckpointPtr& source, const Checkpoint& output,
                                    JobContext& context, VerifyScope scope,
                                    std::span<const std::filesystem::path> inputs) {
    dropPages(output);
    Findings findings;
    const auto addNotices = [&] {
        for (const Notice& notice : output.notices()) {
            if (notice.severity == Severity::Error) {
                findings.differs("file", notice.error.where.file, verbatim(describe(notice.error)));
            }
        }
    };
    const auto manifest = readManifest(manifestPath(output.path()));
    if (manifest && isRearranged(*manifest, *source)) {
        CAIRN_TRY(auto recomputed,
                  verifyRecomputed(source, output, *manifest, scope, inputs, context));
        if (recomputed) {
            addNotices();
            VerifyResult noticed = findings.result([](std::size_t) { return std::string(); });
            std::ranges::move(noticed.mismatches, std::back_inserter(recomputed->mismatches));
            recomputed->verified = recomputed->verified && recomputed->mismatches.empty();
            return std::move(*recomputed);
        }
    }
    const SourceComparer comparer(*source, output, context);
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        for (std::size_t i = next++; i < output.tensors().size() && !stop.load(); i = next++) {
            CAIRN_CHECK(context.proceed());
            CAIRN_CHECK(comparer.compare(i, findings));
        }
        return {};
    };
    CAIRN_CHECK(runOnThreads(
        std::min(workerCount(), std::max<std::size_t>(output.tensors().size(), 1)), work));
    addNotices();
    if (scope == VerifyScope::Everything) {
        comparer.findMissing(findings);
    }
    return findings.result([&](std::size_t position) { return output.tensors()[position].name; });
}

} // namespace

Result<VerifyResult> verifyCheckpoints(const CheckpointPtr& source, const Checkpoint& output,
                                       JobContext& context, VerifyScope scope,
                                       std::span<const std::filesystem::path> inputs) {
    context.setPhase(JobPhase::Verifying);
    CAIRN_TRY(VerifyResult result, compareTensors(source, output, context, scope, inputs));
    if (scope == VerifyScope::Everything) {
        CAIRN_CHECK(compareBeside(*source, output, result, context));
    } else {
        noteNotCompared(*source, output, result);
    }
    return result;
}

} // namespace cairn
