// SPDX-License-Identifier: Apache-2.0
#include "core/formats/archive/earlier.h"

#include <filesystem>
#include <utility>

namespace cairn::formats::archive {
namespace {

namespace fs = std::filesystem;

bool isThere(const Folder& folder, const std::string& member) {
    return folder.hasFile(member) || folder.openFolder(member).has_value();
}

} // namespace

EarlierCheckpoint::EarlierCheckpoint(const OpenRequest& request, std::string path)
    : m_folder(request.folder), m_archive(request.name), m_path(std::move(path)),
      m_openNested(request.openNested) {}

Result<std::string> EarlierCheckpoint::member() const {
    const fs::path own = fs::path(m_archive).parent_path();
    const fs::path recorded = (own / m_path).lexically_normal();
    if (m_path.empty() || fs::path(m_path).is_absolute() || recorded.begin()->string() == "..") {
        return fail(ErrorCode::OutsideFolder,
                    "The base checkpoint of this delta is above the archive's folder")
            .inFile(m_archive)
            .butFound(verbatim(m_path))
            .withHint("Move the archive beside or above the base checkpoint");
    }
    if (isThere(*m_folder, recorded.string())) {
        return recorded.string();
    }
    const std::string beside = (own / fs::path(m_path).filename()).string();
    if (isThere(*m_folder, beside)) {
        return beside;
    }
    return fail(ErrorCode::MissingShard, "The base checkpoint of this delta is missing")
        .inFile(recorded.string())
        .withHint("Move it to where it was when the archive was packed, or beside the archive");
}

Result<void> EarlierCheckpoint::locate() const {
    CAIRN_CHECK(member());
    return {};
}

Result<CheckpointPtr> EarlierCheckpoint::open() {
    const std::scoped_lock lock(m_mutex);
    if (!m_opened) {
        m_opened = member().and_then(m_openNested);
    }
    return *m_opened;
}

} // namespace cairn::formats::archive
