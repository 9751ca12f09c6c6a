// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/python_snippet.h"

#include "ui/models/value_words.h"

#include <QStringList>

#include <algorithm>
#include <unordered_set>

namespace cairn::ui {
namespace {

/// Steps from the root of the values to the first reference to a tensor; every shared node is
/// visited once.
class TensorFinder {
public:
    explicit TensorFinder(TensorIndex tensor) : m_tensor(tensor) {}

    bool find(const Value& value) {
        if (const TensorIndex* tensor = value.asTensor()) {
            return *tensor == m_tensor;
        }
        if (!value.isContainer() || m_steps.size() >= Value::kMaxDepth ||
            !m_seen.insert(value.identity()).second) {
            return false;
        }
        for (std::size_t i = 0; i < value.items().size(); ++i) {
            m_steps.push_back({&value, i});
            if (find(value.items()[i].value)) {
                return true;
            }
            m_steps.pop_back();
        }
        return false;
    }

    std::vector<words::ValueStep> steps() const { return m_steps; }

private:
    TensorIndex m_tensor;
    std::vector<words::ValueStep> m_steps;
    std::unordered_set<const void*> m_seen;
};

QString literal(std::string_view text) {
    return words::pythonString(text);
}

QString shapeTuple(const Shape& shape) {
    QStringList parts;
    for (const std::int64_t extent : shape) {
        parts << QString::number(extent);
    }
    return QStringLiteral("(%1%2)").arg(parts.join(QStringLiteral(", ")),
                                        shape.size() == 1 ? QStringLiteral(",") : QString());
}

std::string pathOf(const Checkpoint& checkpoint, const CheckpointFile& file) {
    const bool isTheFile = checkpoint.path().filename() == file.path;
    return isTheFile ? checkpoint.path().native() : (checkpoint.path() / file.path).native();
}

/// A line that is not run where the dtype has no name in torch.
QString torchDtype(Dtype dtype) {
    const std::string_view name = dtypeInfo(dtype).torchName;
    return QStringLiteral("torch.") +
           (name.empty() ? QStringLiteral("uint8")
                         : QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size())));
}

QString shardedSnippet(const Checkpoint& checkpoint, const TensorEntry& tensor,
                       const CheckpointFile& file, bool inSafetensors) {
    const QString reader = inSafetensors ? QStringLiteral("HuggingFaceStorageReader")
                                         : QStringLiteral("FileSystemReader");
    return QStringLiteral("import torch\n"
                          "import torch.distributed.checkpoint as dcp\n"
                          "\n"
                          "state = {%1: torch.empty(%2, dtype=%3)}\n"
                          "dcp.load(state, storage_reader=dcp.%4(%5))\n"
                          "tensor = state[%1]\n")
        .arg(literal(tensor.name), shapeTuple(tensor.shape), torchDtype(tensor.dtype), reader,
             literal((checkpoint.path() / file.path).parent_path().native()));
}

QString safetensorsSnippet(const Checkpoint& checkpoint, const TensorEntry& tensor,
                           const CheckpointFile& file) {
    return QStringLiteral("from safetensors import safe_open\n"
                          "\n"
                          "with safe_open(%1, framework=\"pt\") as file:\n"
                          "    tensor = file.get_tensor(%2)\n")
        .arg(literal(pathOf(checkpoint, file)), literal(tensor.name));
}

QString torchSnippet(const CheckpointPtr& checkpoint, TensorIndex index, const CheckpointFile& file,
                     const CancelToken& cancel) {
    QString subscripts;
    TensorFinder finder(index);
    const Result<Value> values = checkpoint->values(cancel);
    if (values && finder.find(*values)) {
        std::vector<words::ValueStep> steps = finder.steps();
        // In a folder of several files the first step is the file's stem, which does not occur in
        // the file itself.
        const std::string stem = std::filesystem::path(file.path).stem().native();
        if (steps.size() > 1 &&
            words::itemKey(*steps.front().container, steps.front().position).toStdString() ==
                stem) {
            steps.erase(steps.begin());
        }
        subscripts = words::subscripts(steps);
    }
    if (subscripts.isEmpty()) {
        subscripts = QLatin1Char('[') + literal(checkpoint->tensor(index).name) + QLatin1Char(']');
    }
    const bool isStream =
        checkpoint->format().find("legacy") != std::string::npos; // has no records to map
    return QStringLiteral("import torch\n"
                          "\n"
                          "checkpoint = torch.load(%1, map_location=\"cpu\", weights_only=True%2)\n"
                          "tensor = checkpoint%3\n")
        .arg(literal(pathOf(*checkpoint, file)),
             isStream ? QString() : QStringLiteral(", mmap=True"), subscripts);
}

} // namespace

Result<QString> pythonSnippet(const CheckpointPtr& checkpoint, TensorIndex index,
                              const CancelToken& cancel) {
    const TensorEntry& tensor = checkpoint->tensor(index);
    CAIRN_CHECK(cancel.check());
    if (tensor.pieces.empty()) {
        return QStringLiteral("# %1 has no stored elements\n").arg(literal(tensor.name));
    }
    const CheckpointFile& file = checkpoint->files()[tensor.pieces.front().file.position()];
    const bool inSafetensors = file.path.ends_with(".safetensors");
    const bool isSharded =
        file.path.ends_with(".distcp") || (inSafetensors && tensor.pieces.size() > 1);
    if (isSharded) {
        return shardedSnippet(*checkpoint, tensor, file, inSafetensors);
    }
    if (inSafetensors) {
        return safetensorsSnippet(*checkpoint, tensor, file);
    }
    return torchSnippet(checkpoint, index, file, cancel);
}

} // namespace cairn::ui
