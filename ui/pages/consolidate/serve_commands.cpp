// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/serve_commands.h"

#include "ui/pages/consolidate/command_text.h"
#include "ui/pages/consolidate/resume_lines.h"
#include "ui/pages/consolidate/targets.h"
#include "ui/pages/consolidate/written_formats.h"

namespace cairn::ui {

std::vector<ServeCommand> serveCommands(const JobRequest& request, bool folder, bool isAdapter) {
    const QString path = shellQuoted(QString::fromLocal8Bit(request.output.path().c_str()));
    std::vector<ServeCommand> commands;
    const auto add = [&](const char* name, const char* command) {
        commands.push_back({QString::fromLatin1(name), QString::fromLatin1(command) + path});
    };
    if (!request.trainer.empty()) {
        const QString lines = resumeLines(request);
        if (!lines.isEmpty()) {
            commands.push_back({QStringLiteral("Python"), lines});
        }
        return commands;
    }
    const std::optional<Target> target = isAdapter ? std::nullopt : targetOf(request);
    if (target == Target::Serve) {
        add("vllm serve", "vllm serve ");
        add("sglang", "python -m sglang.launch_server --model-path ");
    } else if (target == Target::RunLocally) {
        add("llama-server", "llama-server -m ");
    }
    const QString python = pythonSnippet(request, folder, isAdapter);
    if (!python.isEmpty()) {
        commands.push_back({QStringLiteral("Python"), python});
    }
    return commands;
}

} // namespace cairn::ui
