// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/staging.h"

#include "core/base/endian.h"
#include "core/jobs/verify.h"

#include <sys/random.h>

#include <array>
#include <utility>

/// Nothing has its final name before it is finished and durable.
///
/// A file output is written beside its place and renamed; a folder output is written into a folder
/// beside its place, which is renamed as a whole, so that an index never speaks of files that are
/// not there. The rename refuses to replace. Order: data of every file (fdatasync), entries of the
/// staged folder (fsync), rename, entry in the parent (fsync), manifest. When anything fails after
/// the rename, the output is taken back: it is this job's own, for the rename proved that there was
/// none before.
namespace cairn {
namespace {

constexpr std::string_view kManifestInFolder = "MANIFEST.json";

std::string stagedName(const std::string& name) {
    std::array<std::byte, 8> random{};
    if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
        random.fill(std::byte{0}); // O_EXCL tells if the name is taken
    }
    std::string id;
    static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuv";
    for (const std::byte byte : random) {
        id.push_back(kDigits[std::to_integer<unsigned>(byte) & 31U]);
    }
    return "." + name.substr(0, 200) + ".cairn-partial-" + id;
}

} // namespace

std::filesystem::path manifestPath(const std::filesystem::path& output, bool folder) {
    return folder ? output / kManifestInFolder
                  : std::filesystem::path(output.string() + ".cairn.json");
}

std::filesystem::path manifestPath(const CopyPlan& plan) {
    return manifestPath(plan.output, plan.layout.folder);
}

Staging::Staging(const CopyPlan& plan, FileOps& fileOps, JobContext& context)
    : m_fileOps(&fileOps), m_context(&context), m_plan(&plan),
      m_finalName(plan.output.filename().string()), m_stagedName(stagedName(m_finalName)),
      m_path(plan.output.parent_path() / m_stagedName) {}

Staging::Staging(Staging&& other) noexcept
    : m_fileOps(other.m_fileOps), m_context(other.m_context), m_plan(other.m_plan),
      m_finalName(std::move(other.m_finalName)), m_stagedName(std::move(other.m_stagedName)),
      m_manifestStaged(std::move(other.m_manifestStaged)), m_path(std::move(other.m_path)),
      m_parent(std::move(other.m_parent)), m_folder(std::move(other.m_folder)),
      m_created(std::move(other.m_created)), m_madeFolders(std::move(other.m_madeFolders)),
      m_files(std::move(other.m_files)), m_folderMade(other.m_folderMade),
      m_renamed(other.m_renamed), m_done(std::exchange(other.m_done, true)) {}

Result<Staging> Staging::create(const CopyPlan& plan, FileOps& fileOps, JobContext& context,
                                bool direct) {
    Staging staging(plan, fileOps, context);
    CAIRN_CHECK(staging.openParent());
    CAIRN_CHECK(staging.createFiles(direct));
    return staging;
}

Result<void> Staging::openParent() {
    std::filesystem::path existing = m_plan->output.parent_path();
    if (existing.empty()) {
        existing = ".";
    }
    std::vector<std::string> missing;
    std::error_code error;
    while (!std::filesystem::exists(existing, error) && existing.has_filename()) {
        missing.push_back(existing.filename().string());
        existing = existing.has_parent_path() ? existing.parent_path() : std::filesystem::path(".");
    }
    CAIRN_TRY(m_parent, m_fileOps->openFolder(existing));
    for (; !missing.empty(); missing.pop_back()) {
        CAIRN_CHECK(m_fileOps->makeFolder(m_parent, missing.back()));
        auto inner = m_fileOps->openFolderIn(m_parent, missing.back());
        m_madeFolders.push_back({std::move(m_parent), missing.back()});
        if (!inner) {
            return std::move(inner).error();
        }
        m_parent = std::move(*inner);
    }
    return {};
}

Result<void> Staging::createFiles(bool direct) {
    if (m_plan->layout.folder) {
        CAIRN_CHECK(m_fileOps->makeFolder(m_parent, m_stagedName));
        m_folderMade = true;
        CAIRN_TRY(m_folder, m_fileOps->openFolderIn(m_parent, m_stagedName));
    }
    const FileHandle& folder = m_plan->layout.folder ? m_folder : m_parent;
    for (const OutputFile& file : m_plan->layout.files) {
        const std::string& name = m_plan->layout.folder ? file.name : m_stagedName;
        CAIRN_TRY(FileHandle handle, m_fileOps->createFile(folder, name));
        m_created.push_back(name);
        CAIRN_TRY(const bool reserved, m_fileOps->preallocate(handle, file.size));
        if (!reserved) {
            m_context->log(
                "The file system cannot reserve space; a full disk would show only while writing");
        }
        const bool on = direct && m_fileOps->setDirect(handle, true);
        m_files.push_back({std::move(handle), on});
    }
    return {};
}

Result<void> Staging::syncAndClose(bool sync) {
    for (StagedFile& file : m_files) {
        if (sync) {
            CAIRN_CHECK(m_fileOps->sync(file.handle));
        }
        CAIRN_CHECK(m_fileOps->close(std::move(file.handle)));
    }
    m_files.clear();
    return {};
}

Result<void> Staging::addManifest(std::string_view text, bool sync) {
    const bool inFolder = m_plan->layout.folder;
    const FileHandle& folder = inFolder ? m_folder : m_parent;
    const std::string name =
        inFolder ? std::string(kManifestInFolder) : stagedName(manifestPath(*m_plan).filename());
    CAIRN_TRY(FileHandle handle, m_fileOps->createFile(folder, name));
    m_created.push_back(name);
    if (!inFolder) {
        m_manifestStaged = name;
    }
    CAIRN_CHECK(m_fileOps->writeAt(handle, 0, asBytes(text)));
    if (sync) {
        CAIRN_CHECK(m_fileOps->sync(handle));
    }
    return m_fileOps->close(std::move(handle));
}

Result<void> Staging::publish(bool sync) {
    if (m_plan->layout.folder && sync) {
        CAIRN_CHECK(m_fileOps->syncFolder(m_folder));
    }
    CAIRN_CHECK(m_fileOps->renameNoReplace(m_parent, m_stagedName, m_parent, m_finalName));
    m_renamed = true;
    CAIRN_CHECK(makeDurable(sync));
    if (!m_manifestStaged.empty()) {
        const std::string name = manifestPath(*m_plan).filename();
        CAIRN_CHECK(m_fileOps->renameNoReplace(m_parent, m_manifestStaged, m_parent, name));
        m_manifestStaged = name;
        m_created.back() = name;
        CAIRN_CHECK(makeDurable(sync));
    }
    m_done = true;
    return {};
}

Result<void> Staging::makeDurable(bool sync) {
    if (sync) {
        CAIRN_CHECK(m_fileOps->syncFolder(m_parent));
        for (const MadeFolder& made : m_madeFolders) {
            CAIRN_CHECK(m_fileOps->syncFolder(made.parent));
        }
    }
    return {};
}

void Staging::remove(const FileHandle& folder, const std::string& name, bool isFolder) {
    const auto removed =
        isFolder ? m_fileOps->removeFolder(folder, name) : m_fileOps->removeFile(folder, name);
    if (!removed) {
        m_context->log("Could not be removed: " + describe(removed.error()));
    }
}

Staging::~Staging() {
    if (m_done) {
        return;
    }
    m_files.clear(); // closes
    const bool folder = m_plan->layout.folder;
    for (const std::string& name : m_created) {
        const bool output = !folder && m_renamed && name == m_stagedName;
        remove(folder ? m_folder : m_parent, output ? m_finalName : name, false);
    }
    if (m_folderMade) {
        remove(m_parent, m_renamed ? m_finalName : m_stagedName, true);
    }
    for (; !m_madeFolders.empty(); m_madeFolders.pop_back()) {
        remove(m_madeFolders.back().parent, m_madeFolders.back().name, true);
    }
}

} // namespace cairn
