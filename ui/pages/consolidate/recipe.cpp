// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/recipe.h"

#include "ui/text/plain_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <system_error>

namespace cairn::ui {
namespace {

std::string_view ending(Recipe::Target target) {
    switch (target) {
    case Recipe::Target::Safetensors:
        return ".safetensors";
    case Recipe::Target::Torch:
        return ".pt";
    case Recipe::Target::Auto:
    case Recipe::Target::HuggingFace:
        break;
    }
    return "";
}

QString pythonQuoted(QString text) {
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
        .replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString localPath(const std::filesystem::path& path) {
    return QString::fromLocal8Bit(path.c_str()); // to be pasted: exactly the file's name
}

} // namespace

std::filesystem::path defaultOutput(const std::filesystem::path& run,
                                    const std::filesystem::path& checkpoint,
                                    Recipe::Target target) {
    std::string stem = checkpoint.filename().string();
    for (const std::string_view known : {".pt", ".pth", ".ckpt", ".bin", ".safetensors"}) {
        if (stem.ends_with(known)) {
            stem.resize(stem.size() - known.size());
            break;
        }
    }
    const std::string runName = run.filename().string();
    if (!runName.empty() && stem != runName && !stem.starts_with(runName + "-")) {
        stem.insert(0, runName + "-");
    }
    const std::filesystem::path folder = run / "deploy";
    std::filesystem::path output = folder / (stem + std::string(ending(target)));
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(output, ignored) && number < 10'000; ++number) {
        output = folder / (stem + "-" + std::to_string(number) + std::string(ending(target)));
    }
    return output;
}

ConsolidateOptions consolidateOptions(const Recipe& recipe, const std::filesystem::path& output) {
    ConsolidateOptions options;
    options.output = output;
    options.to = recipe.target == Recipe::Target::Torch ? "torch" : "safetensors";
    options.only = Selection::parse(recipe.everything ? "all" : "weights");
    options.bundle = recipe.target == Recipe::Target::HuggingFace;
    options.maxShardBytes = recipe.target == Recipe::Target::Torch ? 0 : recipe.maxShardBytes;
    return options;
}

QString shellQuoted(const QString& word) {
    static const QRegularExpression harmless(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (harmless.match(word).hasMatch()) {
        return word;
    }
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) +
           QLatin1Char('\'');
}

QString consolidateCommand(const std::filesystem::path& source, const ConsolidateOptions& options,
                           const std::filesystem::path& from) {
    const auto shown = [&from](const std::filesystem::path& path) {
        const std::filesystem::path below = from.empty() ? path : path.lexically_relative(from);
        return shellQuoted(localPath(below.empty() || *below.begin() == ".." ? path : below));
    };
    QStringList parts{QStringLiteral("cairn-cli consolidate ") + shown(source),
                      QStringLiteral("-o ") + shown(options.output),
                      QStringLiteral("--to %1 --only %2")
                          .arg(QString::fromStdString(options.to),
                               shellQuoted(QString::fromStdString(options.only.text())))};
    if (options.maxShardBytes > 0) {
        parts << QStringLiteral("--max-shard-size %1")
                     .arg(options.maxShardBytes % 1'000'000'000 == 0
                              ? QStringLiteral("%1GB").arg(options.maxShardBytes / 1'000'000'000)
                              : QString::number(options.maxShardBytes));
    }
    if (options.bundle) {
        parts << QStringLiteral("--bundle");
    }
    return parts.join(QStringLiteral(" \\\n  "));
}

QString pythonSnippet(const std::filesystem::path& output, Recipe::Target target, bool sharded) {
    const QString path = pythonQuoted(localPath(output));
    switch (target) {
    case Recipe::Target::HuggingFace:
        return QStringLiteral(
                   "from transformers import AutoModelForCausalLM\n"
                   "model = AutoModelForCausalLM.from_pretrained(%1, torch_dtype=\"auto\")\n")
            .arg(path);
    case Recipe::Target::Torch:
        return QStringLiteral("import torch\nstate = torch.load(%1, map_location=\"cpu\", "
                              "weights_only=True)\n")
            .arg(path);
    case Recipe::Target::Auto:
    case Recipe::Target::Safetensors:
        break;
    }
    if (sharded) {
        return QStringLiteral(
                   "import pathlib\nfrom safetensors.torch import load_file\n"
                   "state = {}\nfor file in sorted(pathlib.Path(%1).glob(\"*.safetensors\")):\n"
                   "    state.update(load_file(file))\n")
            .arg(path);
    }
    return QStringLiteral("from safetensors.torch import load_file\nstate = load_file(%1)\n")
        .arg(path);
}

} // namespace cairn::ui
