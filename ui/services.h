// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/jobs/queue/job_queue.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

/// The objects that gui_main passes to the window. All of them outlive the window.
struct Services {
    JobQueue* jobs = nullptr;
    FileOps* fileOps = nullptr;
    QString version;
    /// Copies the sample experiment to a writable folder and returns its path; on a pool thread.
    /// May be empty.
    std::function<Result<std::filesystem::path>(const CancelToken&)> prepareSample;
    /// One line about the libtorch module (version, device, or why it is absent); on a pool thread.
    /// May be empty.
    std::function<Result<QString>(const CancelToken&)> describeTorch;
};

} // namespace cairn::ui
