// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/request.h"

#include <QString>

#include <vector>

namespace cairn::ui {

/// A way to use an output, to be copied.
struct ServeCommand {
    QString name; ///< "vllm serve"
    QString text; ///< the whole command, or lines of Python
};

/// How the output of the request is served or loaded, the usual way first: commands of the shell
/// for a Hugging Face folder and for GGUF, then Python. Sources: the command lines of vLLM
/// (`vllm serve MODEL`), SGLang (`python -m sglang.launch_server --model-path MODEL`) and llama.cpp
/// (`llama-server -m FILE`). `folder`: the output is one. `isAdapter`: of PEFT.
std::vector<ServeCommand> serveCommands(const JobRequest& request, bool folder, bool isAdapter);

} // namespace cairn::ui
