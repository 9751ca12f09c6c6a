// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/checkpoint_opener.h"

#include "core/formats/format.h"

#include <algorithm>

namespace cairn::ui {

void CheckpointOpener::open(const std::filesystem::path& path) {
    const auto known =
        std::ranges::find(m_kept, path, &std::pair<std::filesystem::path, CheckpointPtr>::first);
    if (known != m_kept.end()) {
        m_runner.cancel();
        const CheckpointPtr checkpoint = known->second;
        Q_EMIT opened(path, checkpoint);
        return;
    }
    m_runner.start([path](const CancelToken& cancel) { return openCheckpoint(path, cancel); },
                   [this, path](Result<CheckpointPtr> result) {
                       if (!result) {
                           Q_EMIT failed(path, result.error());
                           return;
                       }
                       m_kept.emplace_front(path, *result);
                       if (m_kept.size() > kKept) {
                           m_kept.pop_back();
                       }
                       Q_EMIT opened(path, *result);
                   });
}

} // namespace cairn::ui
