// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/subject/checkpoint_opener.h"

#include "core/runs/facts/shared_open.h"

#include <algorithm>

namespace cairn::ui {

void CheckpointOpener::open(const std::filesystem::path& path) {
    const auto known = std::ranges::find(m_kept, path, &Opened::path);
    if (known != m_kept.end()) {
        m_runner.cancel();
        const Opened kept = *known;
        Q_EMIT opened(path, kept.checkpoint, kept.sums);
        return;
    }
    m_runner.start(
        [path](const CancelToken& cancel) -> Result<Opened> {
            CAIRN_TRY(CheckpointPtr checkpoint, openShared(path, cancel, Reuse::Running));
            CheckpointSumsPtr sums = sumsOf(*checkpoint);
            return Opened{path, std::move(checkpoint), std::move(sums)};
        },
        [this, path](Result<Opened> result) {
            if (!result) {
                Q_EMIT failed(path, result.error());
                return;
            }
            m_kept.push_front(*result);
            if (m_kept.size() > kKept) {
                m_kept.pop_back();
            }
            Q_EMIT opened(path, result->checkpoint, result->sums);
        });
}

} // namespace cairn::ui
