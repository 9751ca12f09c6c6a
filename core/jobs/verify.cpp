// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify.h"

#include "core/io/folder.h"
#include "core/jobs/crew.h"
#include "core/jobs/device_reader.h"
#include "core/jobs/manifest.h"
#include "core/jobs/ordered_hash.h"
#include "core/jobs/plain_cast.h"
#include "core/model/cast_pair.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace cairn {
namespace {

constexpr std::size_t kChunk = std::size_t{4} << 20U;

std::size_t crewSize() {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency() + 1, 2, 8);
}

/// Collects the findings of several threads.
class Findings {
public:
    void compared(std::size_t position, std::uint64_t bytes) {
        const std::scoped_lock lock(m_mutex);
        m_compared.push_back(position);
        m_bytes += bytes;
    }
    void differs(std::string what, std::string name, std::string message) {
        const std::scoped_lock lock(m_mutex);
        m_clean = false;
        if (m_mismatches.size() < VerifyResult::kMaxMismatches) {
            m_mismatches.push_back({std::move(what), std::move(name), std::move(message)});
        }
    }
    /// `name` gives the names of what was compared; the result does not depend on the order of the
    /// threads.
    template <class Name> VerifyResult result(const Name& name) {
        std::ranges::sort(m_compared);
        std::ranges::sort(m_mismatches, {},
                          [](const Mismatch& m) { return std::pair(m.what, m.name); });
        VerifyResult all;
        for (const std::size_t position : m_compared) {
            all.compared.push_back(name(position));
        }
        all.mismatches = std::move(m_mismatches);
        all.bytes = m_bytes;
        all.verified = m_clean && !all.compared.empty();
        return all;
    }

private:
    std::mutex m_mutex;
    std::vector<std::size_t> m_compared;
    std::vector<Mismatch> m_mismatches;
    std::uint64_t m_bytes = 0;
    bool m_clean = true;
};

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
        std::error_code error;
        const bool folder = std::filesystem::is_directory(output.path(), error);
        auto manifest = readManifest(manifestPath(output.path(), folder));
        if (!manifest) {
            return;
        }
        for (WrittenTensor& tensor : manifest->tensors) {
            m_sources.insert(tensor.sourceName);
            std::string name = tensor.name;
            m_tensors.emplace(std::move(name), std::move(tensor));
        }
    }
    /// Null: the manifest has no matching entry.
    [[nodiscard]] const WrittenTensor* find(const TensorEntry& entry) const {
        const auto found = m_tensors.find(entry.name);
        return found != m_tensors.end() && found->second.dtype == dtypeName(entry.dtype)
                   ? &found->second
                   : nullptr;
    }
    [[nodiscard]] bool names(const std::string& sourceName) const {
        return m_sources.contains(sourceName);
    }

private:
    std::map<std::string, WrittenTensor> m_tensors;
    std::set<std::string> m_sources;
};

/// Compares the elements of two tensors of the same shape; those of `left` are cast if the dtypes
/// differ. Damage in `right` is returned as a difference.
Result<std::optional<std::string>> difference(const Checkpoint& source, const TensorEntry& left,
                                              const Checkpoint& output, const TensorEntry& right,
                                              JobContext& context) {
    CAIRN_TRY(const TensorReader leftReader, TensorReader::open(source, left));
    const auto rightReader = TensorReader::open(output, right);
    if (!rightReader) {
        return std::optional(describe(rightReader.error()));
    }
    TensorReader::Scratch scratch;
    const Box box = Box::whole(left.shape);
    const std::uint64_t leftBytes = leftReader.elementBytes();
    const std::uint64_t rightBytes = rightReader->elementBytes();
    const std::uint64_t step = kChunk / std::max(leftBytes, rightBytes);
    const std::uint64_t elements = left.bytes() / leftBytes;
    std::vector<std::byte> a;
    std::vector<std::byte> b;
    for (std::uint64_t at = 0; at < elements; at += step) {
        CAIRN_CHECK(context.proceed());
        const std::uint64_t count = std::min(step, elements - at);
        a.resize(static_cast<std::size_t>(count * leftBytes));
        b.resize(static_cast<std::size_t>(count * rightBytes));
        CAIRN_CHECK(leftReader.readBytes(box, at * leftBytes, a, scratch));
        if (left.dtype != right.dtype) {
            std::vector<std::byte> cast(b.size());
            castPlainly(left.dtype, a, right.dtype, cast);
            a.swap(cast);
        }
        if (const auto read = rightReader->readBytes(box, at * rightBytes, b, scratch); !read) {
            return std::optional(describe(read.error()));
        }
        if (a != b) {
            const auto place =
                static_cast<std::uint64_t>(std::ranges::mismatch(a, b).in1 - a.begin());
            return std::optional("The elements differ from index " +
                                 std::to_string(at + place / rightBytes) + " on");
        }
        context.addVerified(b.size());
    }
    return std::optional<std::string>();
}

Result<void> compareTensor(const Checkpoint& source, const Checkpoint& output, std::size_t position,
                           const std::string& prefix, const ManifestNames& recorded,
                           Findings& findings, JobContext& context) {
    const TensorEntry& right = output.tensors()[position];
    const WrittenTensor* written = recorded.find(right);
    const auto byName = source.find(prefix + right.name);
    const auto index = written != nullptr && source.find(written->sourceName)
                           ? source.find(written->sourceName)
                           : byName;
    if (!index) {
        findings.differs("extra", right.name, "The tensor is not in the source");
        return {};
    }
    const TensorEntry& left = source.tensor(*index);
    const bool cast = written != nullptr && canCast(left.dtype, right.dtype);
    if ((left.dtype != right.dtype && !cast) || left.shape != right.shape) {
        const auto text = [](const TensorEntry& entry) {
            return std::string(dtypeName(entry.dtype)) + " " + formatDims(entry.shape);
        };
        findings.differs(left.dtype != right.dtype ? "dtype" : "shape", right.name,
                         text(right) + " instead of " + text(left));
        return {};
    }
    CAIRN_TRY(const auto found, difference(source, left, output, right, context));
    if (found) {
        findings.differs("tensor", right.name, *found);
    }
    findings.compared(position, right.bytes());
    return {};
}

void findMissing(const Checkpoint& source, const Checkpoint& output, const std::string& prefix,
                 const ManifestNames& recorded, Findings& findings) {
    for (const TensorEntry& entry : source.tensors()) {
        const bool there =
            (entry.name.starts_with(prefix) && output.find(entry.name.substr(prefix.size()))) ||
            recorded.names(entry.name);
        if (!there) {
            findings.differs("missing", entry.name, "The tensor is not in the output");
        }
    }
}

/// SHA-256 of a complete file, read from the device.
Result<Sha256Digest> hashFile(const DeviceReader& reader, JobContext& context) {
    std::atomic<std::uint64_t> next{0};
    OrderedHash hash;
    const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        const AlignedBuffer buffer(kChunk);
        for (std::uint64_t at = next.fetch_add(kChunk); at < reader.size() && !stop.load();
             at = next.fetch_add(kChunk)) {
            CAIRN_CHECK(context.proceed());
            const auto size =
                static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, reader.size() - at));
            CAIRN_TRY(const auto bytes, reader.read(at, size, buffer.bytes()));
            if (!hash.add(at, bytes, stop)) {
                return {};
            }
            context.addVerified(size);
        }
        return {};
    };
    const auto done = runCrew(3, work);
    if (!done) {
        return done.error();
    }
    return hash.finish();
}

/// Compares one file with its entry in the manifest.
Result<void> checkFile(const Folder& folder, const std::string& name, const WrittenFile& wanted,
                       std::size_t position, Findings& findings, JobContext& context) {
    const auto source = folder.openFile(name);
    if (!source) {
        findings.differs("missing", wanted.path, describe(source.error()));
        return {};
    }
    if ((*source)->size() != wanted.bytes) {
        findings.differs("file", wanted.path,
                         std::to_string((*source)->size()) + " bytes instead of " +
                             std::to_string(wanted.bytes));
        return {};
    }
    const std::string opened =
        "/proc/self/fd/" +
        std::to_string((*source)->descriptor()); // the same file, opened again for O_DIRECT
    CAIRN_TRY(const DeviceReader reader, DeviceReader::open(opened));
    const auto hash = hashFile(reader, context);
    if (!hash && hash.error().code == ErrorCode::Cancelled) {
        return hash.error();
    }
    if (!hash || hexText(*hash) != wanted.sha256) {
        findings.differs("file", wanted.path, hash ? "SHA-256 mismatch" : describe(hash.error()));
    }
    findings.compared(position, wanted.bytes);
    return {};
}

} // namespace

Result<VerifyResult> verifyCheckpoints(const Checkpoint& source, const Checkpoint& output,
                                       JobContext& context, bool whole) {
    context.setPhase(JobPhase::Verifying);
    const std::string prefix = namePrefix(source, output);
    const ManifestNames recorded(output);
    dropPages(output);
    Findings findings;
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        for (std::size_t i = next++; i < output.tensors().size() && !stop.load(); i = next++) {
            CAIRN_CHECK(context.proceed());
            CAIRN_CHECK(compareTensor(source, output, i, prefix, recorded, findings, context));
        }
        return {};
    };
    const auto done =
        runCrew(std::min(crewSize(), std::max<std::size_t>(output.tensors().size(), 1)), work);
    if (!done) {
        return done.error();
    }
    for (const Notice& notice : output.notices()) {
        if (notice.severity == Severity::Error) {
            findings.differs("file", notice.error.where.file, describe(notice.error));
        }
    }
    if (whole) {
        findMissing(source, output, prefix, recorded, findings);
    }
    return findings.result([&](std::size_t position) { return output.tensors()[position].name; });
}

Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           JobContext& context) {
    std::error_code error;
    return verifyAgainstManifest(
        output, manifestPath(output, std::filesystem::is_directory(output, error)), context);
}

Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           const std::filesystem::path& manifestFile,
                                           JobContext& context) {
    context.setPhase(JobPhase::Verifying);
    std::error_code error;
    const bool isFolder = std::filesystem::is_directory(output, error);
    CAIRN_TRY(const Manifest manifest, readManifest(manifestFile));
    const std::filesystem::path parent =
        output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
    CAIRN_TRY(const FolderPtr folder, Folder::open(isFolder ? output : parent));
    Findings findings;
    for (std::size_t i = 0; i < manifest.files.size(); ++i) {
        const WrittenFile& file = manifest.files[i];
        // If the output was renamed together with its manifest, it is still the described file.
        const std::string name = isFolder ? file.path : output.filename().string();
        CAIRN_CHECK(checkFile(*folder, name, file, i, findings, context));
    }
    return findings.result([&](std::size_t position) { return manifest.files[position].path; });
}

} // namespace cairn
