// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/jobs/context/ordered_hash.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/engine/device_reader.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/model_files.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/verify/verify.h"
#include "core/jobs/verify/verify_findings.h"

#include <system_error>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// The files of an output against the SHA-256 in its manifest. See verify.h.
namespace cairn {
namespace {

constexpr std::size_t kHashedChunk = std::size_t{4} << 20U;

/// SHA-256 of a complete file, read from the device.
Result<Sha256Digest> hashFile(const DeviceReader& reader, JobContext& context) {
    std::atomic<std::uint64_t> next{0};
    OrderedHash hash;
    const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        const AlignedBuffer buffer(kHashedChunk);
        for (std::uint64_t at = next.fetch_add(kHashedChunk); at < reader.size() && !stop.load();
             at = next.fetch_add(kHashedChunk)) {
            CAIRN_CHECK(context.proceed());
            const auto size =
                static_cast<std::size_t>(std::min<std::uint64_t>(kHashedChunk, reader.size() - at));
            CAIRN_TRY(const auto bytes, reader.read(at, size, buffer.bytes()));
            if (!hash.add(at, bytes, stop)) {
                return {};
            }
            context.addVerified(size);
        }
        return {};
    };
    CAIRN_CHECK(runOnThreads(3, work));
    return hash.finish();
}

/// Compares one file with its entry in the manifest.
Result<void> checkFile(const Folder& folder, const std::string& name, const WrittenFile& wanted,
                       std::size_t position, Findings& findings, JobContext& context) {
    const auto source = folder.openFile(name);
    if (!source) {
        findings.differs("missing", wanted.path, verbatim(describe(source.error())));
        return {};
    }
    if ((*source)->size() != wanted.bytes) {
        findings.differs("file", wanted.path,
                         sentence("%1 bytes instead of %2", (*source)->size(), wanted.bytes));
        return {};
    }
    CAIRN_TRY(const DeviceReader reader,
              DeviceReader::reopen((*source)->descriptor(), wanted.path));
    const auto hash = hashFile(reader, context);
    if (!hash && hash.error().code == ErrorCode::Cancelled) {
        return hash.error();
    }
    if (!hash || hexText(*hash) != wanted.sha256) {
        findings.differs("file", wanted.path,
                         hash ? Sentence("SHA-256 mismatch") : verbatim(describe(hash.error())));
    }
    findings.compared(position, wanted.bytes);
    return {};
}

/// Files that the manifest does not list: one of the checkpoint is a mismatch, others are returned.
Result<std::vector<Sentence>> findUnlisted(const std::filesystem::path& output,
                                           const std::set<std::string>& listed, Findings& findings,
                                           JobContext& context) {
    std::set<std::string> read;
    if (const auto opened = openCheckpoint(output, context.token())) {
        for (const CheckpointFile& file : (*opened)->files()) {
            read.insert(file.openAs.empty() ? file.path : file.openAs);
        }
    }
    CAIRN_CHECK(context.proceed());
    CAIRN_TRY(const ModelFolder folder, ModelFolder::open(output));
    CAIRN_TRY(const std::vector<ModelFile> files, folder.list({}, false));
    std::vector<Sentence> others;
    for (const ModelFile& file : files) {
        if (listed.contains(file.path)) {
            continue;
        }
        if (read.contains(file.path)) {
            findings.differs("unlisted", file.path,
                             "The file is read as a part of the checkpoint, but the manifest does "
                             "not list it");
        } else {
            others.push_back(sentence("%1: the manifest does not list it", file.path));
        }
    }
    return others;
}

} // namespace

Result<VerifyResult> verifyAgainstManifest(const std::filesystem::path& output,
                                           JobContext& context) {
    return verifyAgainstManifest(output, manifestPath(output), context);
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
    std::set<std::string> listed;
    for (const WrittenFile& file : manifest.files) {
        listed.insert(file.path);
    }
    std::set<std::string> unlisted;
    for (const WrittenTensor& tensor : manifest.tensors) {
        if (!listed.contains(tensor.file) && unlisted.insert(tensor.file).second) {
            findings.differs("unlisted", tensor.file,
                             "The manifest records tensors in this file, but no checksum of it");
        }
    }
    std::vector<Sentence> others;
    if (isFolder) {
        listed.insert(manifestFile.filename().string());
        listed.merge(unlisted);
        CAIRN_TRY(others, findUnlisted(output, listed, findings, context));
    }
    VerifyResult result =
        findings.result([&](std::size_t position) { return manifest.files[position].path; });
    result.notCompared = std::move(others);
    return result;
}

} // namespace cairn
