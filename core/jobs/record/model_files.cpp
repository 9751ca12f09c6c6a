// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/model_files.h"

#include "core/base/absolute_path.h"
#include "core/io/hash.h"
#include "core/jobs/context/worker_threads.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

namespace cairn {
namespace {

constexpr std::size_t kMostFiles = 1'000'000;
constexpr std::size_t kMostNested = 100;
constexpr std::size_t kHashChunk = std::size_t{1} << 20U;

using signing::HashType;
using signing::SignedFile;

class ModelLister {
public:
    ModelLister(const std::vector<std::string>& ignored, bool follow)
        : m_ignored(ignored), m_follow(follow) {}

    Result<void> add(const Folder& folder, const std::string& prefix, std::size_t depth) {
        if (depth > kMostNested) {
            return fail(ErrorCode::LimitExceeded, "Folders are nested too deeply")
                .inFile(folder.path().string());
        }
        CAIRN_TRY(const std::vector<FolderEntry> entries, folder.list(kMostFiles));
        for (const FolderEntry& entry : entries) {
            const std::string path = prefix + entry.name;
            if (isIgnored(path, m_ignored)) {
                continue;
            }
            if (entry.kind == EntryKind::Folder) {
                CAIRN_TRY(const FolderPtr inner, folder.openFolder(entry.name));
                CAIRN_CHECK(add(*inner, path + "/", depth + 1));
                continue;
            }
            m_files.push_back({path, entry.kind, entry.identity.size, entry.identity.mtimeNs});
            if (entry.kind == EntryKind::Link && m_follow) {
                resolve(folder, entry.name);
            }
            if (m_files.size() > kMostFiles) {
                return fail(ErrorCode::LimitExceeded, "The model has too many files")
                    .expecting(sentence("at most %1", kMostFiles));
            }
        }
        return {};
    }

    std::vector<ModelFile> take() {
        std::ranges::sort(m_files, {}, &ModelFile::path);
        return std::move(m_files);
    }

private:
    /// A link that leads outside the model, or to a folder, remains a link.
    void resolve(const Folder& folder, const std::string& name) {
        if (const auto target = folder.openFile(name)) {
            m_files.back().kind = EntryKind::File;
            m_files.back().bytes = (*target)->size();
            m_files.back().mtimeNs = (*target)->identity().mtimeNs;
        }
    }

    const std::vector<std::string>& m_ignored;
    bool m_follow;
    std::vector<ModelFile> m_files;
};

Result<std::string> rangeDigest(const ByteSource& source, const SignedFile& range, HashType hash,
                                JobContext& context) {
    const auto digest = NamedDigest::make(hash == HashType::Sha256 ? "sha256" : "blake2b");
    if (digest == nullptr) {
        return fail(ErrorCode::Unsupported,
                    "The digest algorithm is not available on this machine");
    }
    const std::uint64_t end = range.end == 0 ? source.size() : range.end;
    std::vector<std::byte> buffer(kHashChunk);
    for (std::uint64_t at = range.begin; at < end;) {
        CAIRN_CHECK(context.proceed());
        const auto bytes = std::span(buffer).first(
            static_cast<std::size_t>(std::min<std::uint64_t>(kHashChunk, end - at)));
        CAIRN_CHECK(source.readAt(at, bytes));
        digest->add(bytes);
        context.addVerified(bytes.size());
        at += bytes.size();
    }
    CAIRN_CHECK(source.checkUnchanged());
    return digest->finish();
}

} // namespace

bool isIgnored(std::string_view path, const std::vector<std::string>& ignored) {
    return std::ranges::any_of(ignored, [path](const std::string& each) {
        return path.starts_with(each) && (path.size() == each.size() || path[each.size()] == '/');
    });
}

Result<ModelFolder> ModelFolder::open(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (error) {
        return fail(ErrorCode::NotFound, "The model does not exist").inFile(path.string());
    }
    ModelFolder model;
    // The name that the user gave: the real one may be that of a cache's snapshot.
    model.m_name = absolutePath(path).filename().string();
    if (std::filesystem::is_directory(real, error)) {
        CAIRN_TRY(model.m_folder, Folder::open(real));
    } else {
        model.m_file = real.filename().string();
        CAIRN_TRY(model.m_folder, Folder::open(real.parent_path()));
    }
    return model;
}

Result<std::vector<ModelFile>> ModelFolder::list(const std::vector<std::string>& ignored,
                                                 bool follow) const {
    if (isFile()) {
        CAIRN_TRY(const ByteSourcePtr source, m_folder->openFile(m_file));
        return std::vector<ModelFile>{
            {".", EntryKind::File, source->size(), source->identity().mtimeNs}};
    }
    ModelLister lister(ignored, follow);
    CAIRN_CHECK(lister.add(*m_folder, "", 0));
    return lister.take();
}

Result<ByteSourcePtr> ModelFolder::openFile(const std::string& path) const {
    return m_folder->openFile(isFile() && path == "." ? m_file : path);
}

Result<std::vector<std::string>> ModelFolder::digests(const std::vector<SignedFile>& files,
                                                      HashType hash, JobContext& context) const {
    std::vector<std::string> digests(files.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        for (std::size_t i = next++; i < files.size() && !stop.load(); i = next++) {
            CAIRN_TRY(const ByteSourcePtr source, openFile(files[i].path));
            CAIRN_TRY(digests[i], rangeDigest(*source, files[i], hash, context));
        }
        return {};
    };
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    CAIRN_CHECK(runOnThreads(std::min(threads, std::max<std::size_t>(files.size(), 1)), work));
    return digests;
}

} // namespace cairn
