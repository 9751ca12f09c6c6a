// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/recipe.h"

#include "ui/text/plain_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <system_error>

#include <algorithm>
#include <iterator>

namespace cairn::ui {
namespace {

std::string_view ending(Recipe::Target target) {
    switch (target) {
    case Recipe::Target::Safetensors:
        return ".safetensors";
    case Recipe::Target::Torch:
        return ".pt";
    case Recipe::Target::Npz:
        return ".npz";
    case Recipe::Target::Auto:
    case Recipe::Target::HuggingFace:
    case Recipe::Target::Dcp:
        break;
    }
    return "";
}

QString pythonQuoted(QString text) {
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
        .replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString localText(const std::string& text) {
    return QString::fromLocal8Bit(text.c_str()); // to be pasted: exactly the file's name
}

std::string formatId(Recipe::Target target) {
    switch (target) {
    case Recipe::Target::Torch:
        return "torch";
    case Recipe::Target::Dcp:
        return "dcp";
    case Recipe::Target::Npz:
        return "npz";
    case Recipe::Target::Auto:
    case Recipe::Target::HuggingFace:
    case Recipe::Target::Safetensors:
        break;
    }
    return "safetensors";
}

std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> found;
    for (const QString& part :
         QString::fromStdString(text).split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (!part.trimmed().isEmpty()) {
            found.push_back(part.trimmed().toStdString());
        }
    }
    return found;
}

std::vector<ShardAxis> axesOf(const Recipe& recipe) {
    std::vector<ShardAxis> axes;
    for (const Recipe::Axis& axis : {recipe.rows, recipe.columns}) {
        if (axis.ranks > 1) {
            axes.push_back({static_cast<std::uint32_t>(axis.ranks), axis.dim});
        }
    }
    return axes;
}

} // namespace

bool takes(const Recipe& recipe, Role role) {
    return !recipe.only.empty() || recipe.everything || isDeployable(role);
}

bool strips(const Recipe& recipe, Role role) {
    return takes(recipe, role) && std::ranges::find(recipe.strip, role) != recipe.strip.end();
}

std::filesystem::path defaultOutput(const std::filesystem::path& run,
                                    const std::filesystem::path& checkpoint,
                                    Recipe::Target target) {
    std::string stem = checkpoint.filename().string();
    for (const std::string_view known : {".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".npz"}) {
        if (stem.ends_with(known)) {
            stem.resize(stem.size() - known.size());
            break;
        }
    }
    const std::string runName = run.filename().string();
    if (!runName.empty() && stem != runName && !stem.starts_with(runName + "-")) {
        stem.insert(0, runName + "-");
    }
    return freeOutput(run / "deploy" / (stem + std::string(ending(target))));
}

std::filesystem::path freeOutput(const std::filesystem::path& output) {
    std::string stem = output.filename().string();
    std::string ending;
    for (const std::string_view known : {".pt", ".safetensors", ".npz"}) {
        if (stem.ends_with(known)) {
            stem.resize(stem.size() - known.size());
            ending = known;
            break;
        }
    }
    std::filesystem::path name = output;
    std::error_code ignored;
    for (int number = 2; std::filesystem::exists(name, ignored) && number < 10'000; ++number) {
        name = output.parent_path() / (stem + "-" + std::to_string(number) + ending);
    }
    return name;
}

Result<ConsolidateOptions> consolidateOptions(const Recipe& recipe,
                                              const std::filesystem::path& output) {
    ConsolidateOptions options;
    options.output = output;
    options.to = formatId(recipe.target);
    options.only = Selection::parse(!recipe.only.empty() ? recipe.only
                                    : recipe.everything  ? "all"
                                                         : "weights");
    std::ranges::copy_if(recipe.strip, std::back_inserter(options.only.without),
                         [&](Role role) { return strips(recipe, role); });
    options.bundle = recipe.target == Recipe::Target::HuggingFace;
    options.dtype = recipe.dtype;
    options.device = recipe.device;
    options.keepFp32 = parts(recipe.keepFp32);
    options.castAll = recipe.castAll;
    options.dequantize = recipe.dequantize;
    for (const std::string& rule : parts(recipe.rename)) {
        options.renameText += (options.renameText.empty() ? "" : ";") + rule;
    }
    CAIRN_TRY(options.rename, NameRules::parse(options.renameText));
    const bool sharded = recipe.target == Recipe::Target::HuggingFace ||
                         recipe.target == Recipe::Target::Safetensors;
    options.maxShardBytes = sharded && !recipe.perLayer ? recipe.maxShardBytes : 0;
    if (recipe.average
            .empty()) { // an average is written without sharding; a second job reshards it
        options.sharding.perLayer = recipe.perLayer && recipe.target == Recipe::Target::Safetensors;
        if (recipe.target == Recipe::Target::Dcp) {
            options.sharding.axes = axesOf(recipe);
        }
    }
    if (options.bundle) {
        options.like = recipe.like;
    }
    if (!recipe.adapters.empty() && (!recipe.average.empty() || !options.sharding.empty())) {
        return fail(ErrorCode::InvalidArgument,
                    "Adapters cannot be folded in while averaging or resharding")
            .withHint("Fold them into one checkpoint first; the result can be resharded");
    }
    options.job = !recipe.average.empty()     ? "average"
                  : !options.sharding.empty() ? "reshard"
                                              : "consolidate";
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

QString commandText(const std::vector<std::string>& words, const std::filesystem::path& from) {
    const auto shown = [&from](const std::string& text) {
        const std::filesystem::path path(text);
        const std::filesystem::path below = from.empty() ? path : path.lexically_relative(from);
        return shellQuoted(
            localText(below.empty() || *below.begin() == ".." ? text : below.string()));
    };
    QStringList lines{QStringLiteral("cairn-cli")};
    for (const std::string& word : words) {
        const bool option = word.starts_with("--");
        const std::size_t equal = option ? word.find('=') : std::string::npos;
        const std::string name = word.substr(0, equal);
        const std::string value = equal == std::string::npos ? "" : word.substr(equal + 1);
        if (!option) {
            lines.back() += QLatin1Char(' ') + shown(word);
        } else if (name == "--output") {
            lines << QStringLiteral("-o ") + shown(value);
        } else if (equal == std::string::npos || value.starts_with('-')) {
            lines << shellQuoted(localText(word));
        } else {
            const QString text = localText(name) + QLatin1Char(' ') + shellQuoted(localText(value));
            name == "--only" ? void(lines.back() += QLatin1Char(' ') + text) : void(lines << text);
        }
    }
    return lines.join(QStringLiteral(" \\\n  "));
}

QString pythonSnippet(const std::filesystem::path& output, Recipe::Target target, bool folder) {
    const QString path = pythonQuoted(localText(output.string()));
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
    case Recipe::Target::Npz:
        return QStringLiteral("import numpy\nstate = dict(numpy.load(%1))\n").arg(path);
    case Recipe::Target::Dcp:
        return QStringLiteral(
                   "import torch\nimport torch.distributed.checkpoint as dcp\n"
                   "entries = dcp.FileSystemReader(%1).read_metadata().state_dict_metadata\n"
                   "state = {name: torch.empty(entry.size, dtype=entry.properties.dtype)\n"
                   "         for name, entry in entries.items() if hasattr(entry, \"size\")}\n"
                   "dcp.load(state, checkpoint_id=%1)\n")
            .arg(path);
    case Recipe::Target::Auto:
    case Recipe::Target::Safetensors:
        break;
    }
    if (folder) {
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
