// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/model/checkpoint.h"
#include "ui/theme/theme.h"

#include <QString>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace cairn::ui {

/// What the Tools menu does with the shown checkpoint. All of them only read.
enum class CheckpointTool : std::uint8_t {
    Check,          ///< completeness, checksums, mixed saves, NaN: checkHealth()
    ScanPickles,    ///< what loading it in Python would run: scanForCode()
    Hash,           ///< SHA-256 of every tensor: fingerprint()
    VerifyManifest, ///< its files against the manifest beside it
    VerifyAgainst,  ///< its tensors against those of another checkpoint
};

struct ToolRequest {
    CheckpointTool tool = CheckpointTool::Check;
    CheckpointPtr checkpoint;
    std::filesystem::path other = {}; ///< of VerifyAgainst
};

struct ToolFinding {
    theme::Tone tone = theme::Tone::Plain;
    QString title;
    QString detail;
};

struct ToolResult {
    theme::Tone tone = theme::Tone::Good;
    QString headline;                  ///< the answer: "Healthy", "2 tensors differ"
    std::vector<ToolFinding> findings; ///< the worst first; at most kMaxFindings
    std::uint64_t more = 0;            ///< findings beyond those
    QString copied;                    ///< everything as text, for the clipboard
    static constexpr std::size_t kMaxFindings = 12;
};

/// Bytes processed so far and in all; 0 in all: not known. Written by the worker, read by the GUI.
struct ToolProgress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
};

QString toolTitle(const ToolRequest& request);

/// For a worker thread. Fails as the functions named above, and with Cancelled.
Result<ToolResult> runTool(const ToolRequest& request, const CancelToken& cancel,
                           const std::shared_ptr<ToolProgress>& progress);

} // namespace cairn::ui
