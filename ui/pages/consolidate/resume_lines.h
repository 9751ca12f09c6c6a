// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/request.h"

#include <QString>

#include <string_view>

/// What the window adds to a trainer of core/plan/trainers.h.
namespace cairn::ui {

/// "FSDP2"; its id, if there is none of that id.
QString trainerTitle(std::string_view id);
/// Of the default name of its output: ".ckpt"; empty: a folder.
std::string_view resumeEnding(std::string_view id);
/// Python that continues from the request's output in its trainer; empty: unknown. As the interop
/// suite `resume` loads such outputs.
QString resumeLines(const JobRequest& request);

} // namespace cairn::ui
