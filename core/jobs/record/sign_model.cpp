// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/sign_model.h"

#include "core/base/endian.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/model_files.h"
#include "core/jobs/record/read_manifest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace cairn {
namespace {

namespace fs = std::filesystem;
using signing::SignedFile;

/// `path` relative to the model; empty if it is elsewhere.
std::string pathInModel(const fs::path& model, const fs::path& path) {
    std::error_code error;
    const fs::path base = fs::weakly_canonical(model, error);
    const fs::path wanted = fs::weakly_canonical(path, error);
    const fs::path relative = wanted.lexically_relative(base);
    const std::string text = relative.generic_string();
    return text == "." || text == ".." || text.starts_with("../") ? std::string() : text;
}

/// The ignored paths of a model, with those that are always ignored.
std::vector<std::string> ignoredPaths(const fs::path& model, const fs::path& signature,
                                      const std::vector<fs::path>& wanted) {
    std::vector<std::string> ignored(kGitPaths.begin(), kGitPaths.end());
    for (const fs::path& each : wanted) {
        std::error_code error;
        // As given to a shell, or else in the model.
        const bool here = each.is_absolute() || fs::exists(each, error);
        std::string path = pathInModel(model, here ? each : model / each);
        if (path.empty() && here && !each.is_absolute()) {
            path = pathInModel(model, model / each);
        }
        ignored.push_back(std::move(path));
    }
    ignored.push_back(pathInModel(model, signature));
    std::erase(ignored, "");
    std::ranges::sort(ignored);
    ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());
    return ignored;
}

Result<void> checkSignable(const std::vector<ModelFile>& files, const ModelFolder& model) {
    if (files.empty()) {
        return fail(ErrorCode::NotFound, "The model has no files to sign").inFile(model.name());
    }
    for (const ModelFile& file : files) {
        if (file.kind == EntryKind::Link) {
            return fail(ErrorCode::NotRegularFile,
                        "A symbolic link cannot be signed as part of the model")
                .inFile(file.path)
                .withHint("--follow-links signs the content of links to files in the model; "
                          "--ignore leaves a path out");
        }
        if (file.kind != EntryKind::File) {
            return fail(ErrorCode::NotRegularFile, "Only regular files can be signed")
                .inFile(file.path)
                .withHint("--ignore leaves a path out");
        }
    }
    return {};
}

/// Digests from the manifest in the folder, of files that are as old as it is or older and have the
/// recorded size.
std::map<std::string, std::string> recordedDigests(const fs::path& path, const ModelFolder& model,
                                                   const std::vector<ModelFile>& files) {
    std::map<std::string, std::string> digests;
    const fs::path manifestFile = manifestPath(path);
    const auto own = std::ranges::find(files, manifestFile.filename().string(), &ModelFile::path);
    const auto manifest = readManifest(manifestFile);
    if (model.isFile() || own == files.end() || !manifest) {
        return digests;
    }
    std::map<std::string_view, const ModelFile*> byPath;
    for (const ModelFile& file : files) {
        byPath.emplace(file.path, &file);
    }
    for (const WrittenFile& written : manifest->files) {
        const auto found = byPath.find(written.path);
        if (found != byPath.end() && found->second->bytes == written.bytes &&
            found->second->mtimeNs <= own->mtimeNs && written.sha256.size() == 64) {
            digests.emplace(written.path, written.sha256);
        }
    }
    return digests;
}

Result<void> writeSignature(FileOps& fileOps, const fs::path& path, std::string_view text) {
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    CAIRN_TRY(const FileHandle folder, fileOps.openFolder(parent));
    const std::string name = path.filename().string();
    auto file = fileOps.createFile(folder, name);
    if (!file) {
        return file.error().code == ErrorCode::OutputExists
                   ? fail(ErrorCode::OutputExists, "The signature file already exists")
                         .inFile(path.string())
                         .withHint("Remove it to sign again, or choose another with -o")
                   : std::move(file).error();
    }
    auto written = fileOps.writeAt(*file, 0, asBytes(text));
    if (written) {
        written = fileOps.sync(*file);
    }
    const auto closed = fileOps.close(std::move(*file));
    if (written && !closed) {
        written = closed;
    }
    if (!written) {
        (void)fileOps.removeFile(folder, name); // the first failure is reported
        return written;
    }
    return fileOps.syncFolder(folder);
}

/// Compares the model's files with a proved manifest.
class SignatureComparer {
public:
    SignatureComparer(const ModelFolder& model, signing::SignedManifest manifest,
                      JobContext& context)
        : m_model(model), m_manifest(std::move(manifest)), m_context(context) {}

    Result<VerifyResult> compare(const std::vector<ModelFile>& files, bool ignoreUnsigned) {
        for (const ModelFile& file : files) {
            m_files.emplace(file.path, &file);
        }
        std::set<std::string> named;
        std::uint64_t total = 0;
        for (SignedFile& each : m_manifest.files) {
            // A signature of one file may name it.
            if (m_model.isFile() && each.path == m_model.name()) {
                each.path = ".";
            }
            named.insert(each.path);
        }
        for (const std::string& path : named) {
            const ModelFile* file = fileOf(path);
            total += file != nullptr ? file->bytes : 0;
        }
        m_context.setTotal(total);
        if (m_manifest.shardBytes > 0) {
            checkRanges(named);
        }
        CAIRN_CHECK(compareDigests());
        for (const std::string& path : named) {
            if (!m_bad.contains(path)) {
                m_result.compared.push_back(path);
            }
        }
        if (!ignoreUnsigned) {
            findUnsigned(files, named);
        }
        std::ranges::sort(m_result.mismatches, {},
                          [](const Mismatch& m) { return std::pair(m.what, m.name); });
        m_result.verified = m_result.mismatches.empty() && !m_result.compared.empty();
        return std::move(m_result);
    }

private:
    [[nodiscard]] const ModelFile* fileOf(const std::string& path) const {
        const auto found = m_files.find(path);
        return found != m_files.end() ? found->second : nullptr;
    }

    void differs(std::string what, const std::string& path, Sentence message) {
        if (m_bad.insert(path).second &&
            m_result.mismatches.size() < VerifyResult::kMaxMismatches) {
            m_result.mismatches.push_back(
                {std::move(what), path == "." ? m_model.name() : path, std::move(message)});
        }
    }

    /// The ranges of every file must be its shards, without holes.
    void checkRanges(const std::set<std::string>& named) {
        std::map<std::string, std::vector<const SignedFile*>> ranges;
        for (const SignedFile& each : m_manifest.files) {
            ranges[each.path].push_back(&each);
        }
        for (const std::string& path : named) {
            const ModelFile* file = fileOf(path);
            auto& own = ranges[path];
            std::ranges::sort(own, {}, [](const SignedFile* range) { return range->begin; });
            std::uint64_t at = 0;
            bool fits = true;
            for (const SignedFile* range : own) {
                fits = fits && range->begin == at;
                at = range->end;
            }
            if (file != nullptr && file->kind == EntryKind::File && (!fits || at != file->bytes)) {
                differs("file", path, sentence("%1 bytes instead of %2", file->bytes, at));
            }
        }
    }

    Result<void> compareDigests() {
        std::vector<SignedFile> readable;
        for (const SignedFile& each : m_manifest.files) {
            const ModelFile* file = fileOf(each.path);
            if (file == nullptr) {
                differs("missing", each.path, "The file is missing");
            } else if (file->kind != EntryKind::File) {
                differs("link", each.path, "It is not a regular file");
            } else if (!m_bad.contains(each.path)) {
                readable.push_back(each);
                m_result.bytes += (each.end == 0 ? file->bytes : each.end) - each.begin;
            }
        }
        CAIRN_TRY(const auto found, m_model.digests(readable, m_manifest.hash, m_context));
        for (std::size_t i = 0; i < readable.size(); ++i) {
            if (found[i] != readable[i].digest) {
                differs("file", readable[i].path,
                        m_manifest.hash == signing::HashType::Sha256 ? Sentence("SHA-256 mismatch")
                                                                     : "BLAKE2b mismatch");
            }
        }
        return {};
    }

    void findUnsigned(const std::vector<ModelFile>& files, const std::set<std::string>& named) {
        for (const ModelFile& file : files) {
            const bool emptyShard = m_manifest.shardBytes > 0 && file.bytes == 0 &&
                                    file.kind == EntryKind::File; // has no shards
            if (!named.contains(file.path) && !emptyShard) {
                differs(file.kind == EntryKind::File ? "extra" : "link", file.path,
                        "The file is not part of the signature");
            }
        }
    }

    const ModelFolder& m_model;
    signing::SignedManifest m_manifest;
    JobContext& m_context;
    std::map<std::string, const ModelFile*> m_files;
    std::set<std::string> m_bad;
    VerifyResult m_result;
};

} // namespace

fs::path signaturePath(const fs::path& output, bool isFolder) {
    return isFolder ? output / kSignatureInFolder : fs::path(output.string() + ".sig");
}

Result<std::string> signOutput(const signing::ModelSigner& signer, const std::string& name,
                               bool isFolder, const std::vector<WrittenFile>& files) {
    signing::SignedManifest manifest;
    manifest.model = name;
    manifest.ignored.assign(kGitPaths.begin(), kGitPaths.end());
    if (isFolder) {
        manifest.ignored.emplace_back(kSignatureInFolder);
    }
    for (const WrittenFile& file : files) {
        if (file.sha256.empty()) {
            return fail(ErrorCode::Internal, "The output was not verified, so it cannot be signed");
        }
        manifest.files.push_back({isFolder ? file.path : ".", 0, 0, file.sha256});
    }
    return signer.sign(std::move(manifest));
}

Result<SignReport> signModel(const fs::path& path, const signing::ModelSigner& signer,
                             const SignOptions& options, FileOps& fileOps, JobContext& context) {
    context.setPhase(JobPhase::Verifying);
    CAIRN_TRY(const ModelFolder model, ModelFolder::open(path));
    SignReport report;
    report.signature =
        options.signature.empty() ? signaturePath(path, !model.isFile()) : options.signature;
    std::error_code error;
    if (fs::exists(fs::symlink_status(report.signature, error))) {
        return fail(ErrorCode::OutputExists, "The signature file already exists")
            .inFile(report.signature.string())
            .withHint("Remove it to sign again, or choose another with -o");
    }
    signing::SignedManifest manifest;
    manifest.model = model.name();
    manifest.allowSymlinks = options.followLinks;
    manifest.ignored = ignoredPaths(path, report.signature, options.ignored);
    CAIRN_TRY(const auto files, model.list(manifest.ignored, options.followLinks));
    CAIRN_CHECK(checkSignable(files, model));
    const auto recorded = options.trustManifest ? recordedDigests(path, model, files)
                                                : std::map<std::string, std::string>();
    std::vector<SignedFile> unknown;
    for (const ModelFile& file : files) {
        const auto known = recorded.find(file.path);
        if (known != recorded.end()) {
            manifest.files.push_back({file.path, 0, 0, known->second});
        } else {
            unknown.push_back({file.path, 0, 0, {}});
            report.hashedBytes += file.bytes;
        }
    }
    context.setTotal(report.hashedBytes);
    CAIRN_TRY(const auto digests, model.digests(unknown, signing::HashType::Sha256, context));
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        unknown[i].digest = digests[i];
        manifest.files.push_back(std::move(unknown[i]));
    }
    signing::sortFiles(manifest.files);
    report.files = manifest.files;
    CAIRN_TRY(const std::string text, signer.sign(std::move(manifest)));
    CAIRN_CHECK(writeSignature(fileOps, report.signature, text));
    return report;
}

Result<VerifyResult> verifySignature(const fs::path& path, const fs::path& signature,
                                     const signing::Trust& trust, const SignatureOptions& options,
                                     JobContext& context) {
    context.setPhase(JobPhase::Verifying);
    CAIRN_TRY(signing::SignedManifest manifest, signing::openSignature(signature, trust));
    CAIRN_TRY(const ModelFolder model, ModelFolder::open(path));
    std::vector<std::string> ignored = ignoredPaths(path, signature, options.ignored);
    std::ranges::copy(manifest.ignored, std::back_inserter(ignored));
    // A file that was signed is compared, even at a path that is usually ignored.
    std::erase_if(ignored, [&](const std::string& each) {
        return std::ranges::any_of(
            manifest.files, [&](const SignedFile& file) { return isIgnored(file.path, {each}); });
    });
    CAIRN_TRY(const auto files, model.list(ignored, options.followLinks || manifest.allowSymlinks));
    return SignatureComparer(model, std::move(manifest), context)
        .compare(files, options.ignoreUnsigned);
}

} // namespace cairn
