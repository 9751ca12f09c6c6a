// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_file.h"

#include "core/formats/format.h"
#include "core/model/tensor_reader.h"

#include <cstring>

namespace cairn::ui {
namespace {

Result<QByteArray> bytesIn(const FormatInfo& format, const Checkpoint& checkpoint,
                           TensorIndex index) {
    const TensorEntry& entry = checkpoint.tensor(index);
    const LayoutTensor tensor{index, entry.name, entry.dtype, entry.shape};
    LayoutRequest request;
    request.tensors = {&tensor, 1};
    CAIRN_TRY(const OutputLayout layout, format.layout(request));
    CAIRN_TRY(const std::vector<std::byte> elements,
              readComplete(checkpoint, entry, kMostDraggedBytes));
    const OutputFile& file = layout.files.front();
    const bool whole =
        layout.files.size() == 1 && file.tensors.size() <= 1 &&
        (file.tensors.empty() ? elements.empty() : file.tensors.front().length == elements.size());
    if (!whole) {
        return cairn::fail(ErrorCode::Unsupported, "The tensor does not have a file of its own");
    }
    QByteArray bytes(static_cast<qsizetype>(file.size), '\0');
    for (const LiteralSegment& literal : file.literals) {
        const auto known = file.bytesOf(literal);
        std::memcpy(bytes.data() + literal.offset, known.data(), known.size());
    }
    if (!elements.empty()) {
        std::memcpy(bytes.data() + file.tensors.front().offset, elements.data(), elements.size());
    }
    return bytes;
}

} // namespace

Result<std::pair<QString, QByteArray>> tensorFile(const Checkpoint& checkpoint,
                                                  TensorIndex tensor) {
    const QString name = QString::fromStdString(std::string(checkpoint.tensor(tensor).name));
    if (auto bytes = bytesIn(*findFormat("npy"), checkpoint, tensor)) {
        return std::pair(name + QStringLiteral(".npy"), std::move(*bytes));
    }
    CAIRN_TRY(QByteArray bytes, bytesIn(*findFormat("safetensors"), checkpoint, tensor));
    return std::pair(name + QStringLiteral(".safetensors"), std::move(bytes));
}

} // namespace cairn::ui
