// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_words.h"

#include "ui/text/plain_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace cairn::ui::words {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::words)
};

QString dimName(std::size_t dim, std::size_t rank) {
    if (rank == 1) {
        return Words::tr("elements");
    }
    if (dim == 0) {
        return Words::tr("rows");
    }
    return dim == 1 && rank == 2 ? Words::tr("columns") : Words::tr("dim %1").arg(dim);
}

} // namespace

QString dtype(Dtype dtype) {
    const std::string_view name = dtypeName(dtype);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

QString tensorRole(Role role) {
    switch (role) {
    case Role::Weight:
        return Words::tr("weight");
    case Role::Buffer:
        return Words::tr("buffer");
    case Role::Optimizer:
        return Words::tr("optimizer");
    case Role::Ema:
        return Words::tr("EMA");
    case Role::Scheduler:
        return Words::tr("scheduler");
    case Role::Rng:
        return Words::tr("random state");
    case Role::TrainingState:
        return Words::tr("training state");
    case Role::Other:
        return Words::tr("other");
    }
    return {};
}

QString pieces(const TensorEntry& tensor) {
    const std::size_t count = tensor.pieces.size();
    if (count == 0) {
        return Words::tr("none");
    }
    const QString number = text::count(count);
    const Box& first = tensor.pieces.front().box;
    if (count == 1) {
        return first == Box::whole(tensor.shape) ? number
                                                 : Words::tr("%1, covering only part").arg(number);
    }
    const bool even = std::ranges::all_of(
        tensor.pieces, [&](const Piece& p) { return p.box.extent == first.extent; });
    QStringList cuts;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        const bool isCut = std::ranges::any_of(
            tensor.pieces, [&](const Piece& p) { return p.box.extent[d] != tensor.shape[d]; });
        if (!isCut) {
            continue;
        }
        const QString dim = dimName(d, tensor.shape.size());
        cuts << (even ? Words::tr("%1 %2").arg(dim).arg(first.extent[d]) : dim);
    }
    if (cuts.isEmpty()) {
        return Words::tr("%1, each a full copy").arg(number);
    }
    const QString how = cuts.join(QStringLiteral(" × "));
    return even ? Words::tr("%1, %2 each").arg(number, how)
                : Words::tr("%1, uneven %2").arg(number, how);
}

QStringList fileList(const Checkpoint& checkpoint, const TensorEntry& tensor, int limit) {
    std::vector<FileIndex> seen;
    for (const Piece& piece : tensor.pieces) {
        if (std::ranges::find(seen.rbegin(), seen.rend(), piece.file) == seen.rend()) {
            seen.push_back(piece.file);
        }
    }
    QStringList names;
    for (const FileIndex index : seen) {
        if (names.size() == limit) {
            names << Words::tr("and %Ln more", nullptr, static_cast<int>(seen.size()) - limit);
            break;
        }
        const CheckpointFile& file = checkpoint.files()[index.position()];
        const QString name = text::fromCore(file.path);
        names << (file.missing ? Words::tr("%1 (missing)").arg(name) : name);
    }
    return names;
}

QString box(const Box& box, const Shape& shape) {
    QStringList parts;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (box.extent[d] != shape[d]) {
            parts << Words::tr("%1 %2-%3")
                         .arg(dimName(d, shape.size()))
                         .arg(box.origin[d])
                         .arg(box.origin[d] + box.extent[d] - 1);
        }
    }
    return parts.isEmpty() ? Words::tr("entire tensor") : parts.join(QStringLiteral(", "));
}

QString shardNumber(std::string_view path, std::size_t position) {
    static const QRegularExpression ranked(QStringLiteral("__(\\d+)_\\d+\\.distcp$"));
    static const QRegularExpression numbered(QStringLiteral("-0*(\\d+)-of-\\d+"));
    static const QRegularExpression byRank(QStringLiteral("rank[_-]?0*(\\d+)"));
    const QString name = text::fromCore(path);
    for (const QRegularExpression* expression : {&ranked, &numbered, &byRank}) {
        if (const auto match = expression->match(name); match.hasMatch()) {
            return match.captured(1);
        }
    }
    return QString::number(position);
}

QString exactName(const TensorEntry& tensor) {
    return QString::fromUtf8(tensor.name.data(), static_cast<qsizetype>(tensor.name.size()));
}

} // namespace cairn::ui::words
