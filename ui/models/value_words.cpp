// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/value_words.h"

#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"
#include "ui/text/program_numbers.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace cairn::ui::words {
namespace {

constexpr std::size_t kLineBytes = 300;
constexpr std::size_t kFullBytes = 4000;
constexpr std::size_t kPreviewItems = 8;
constexpr qsizetype kPreviewLength = 60;

struct ValueTexts {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::words)
};

QString shortened(std::string_view text, std::size_t limit) {
    if (text.size() <= limit) {
        return text::fromCore(text);
    }
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
        --end; // not in the middle of a character
    }
    return text::fromCore(text.substr(0, end)) + QStringLiteral("…");
}

QString floatText(double value, int digits) {
    if (std::isnan(value)) {
        return QStringLiteral("nan");
    }
    if (std::isinf(value)) {
        return value < 0 ? QStringLiteral("-inf") : QStringLiteral("inf");
    }
    return QString::number(value, 'g', digits);
}

QString tensorText(TensorIndex index, const Checkpoint* checkpoint) {
    if (checkpoint == nullptr || index.position() >= checkpoint->tensors().size()) {
        return ValueTexts::tr("tensor");
    }
    const TensorEntry& tensor = checkpoint->tensor(index);
    return dtype(tensor.dtype) + QLatin1Char(' ') +
           QString::fromStdString(formatDims(tensor.shape));
}

/// "[0.9, 0.95]" for a short list of plain values; empty otherwise.
QString preview(const ValueNode& node, const Checkpoint* checkpoint) {
    const bool isSequence = node.kind == ValueKind::List || node.kind == ValueKind::Tuple;
    if (!isSequence || node.items.empty() || node.items.size() > kPreviewItems) {
        return {};
    }
    QStringList parts;
    for (const ValueItem& item : node.items) {
        if (item.value.isContainer() || item.value.kind() == ValueKind::Tensor) {
            return {};
        }
        parts << value(item.value, checkpoint);
    }
    const QString inside = parts.join(QStringLiteral(", "));
    if (inside.size() > kPreviewLength) {
        return {};
    }
    return node.kind == ValueKind::List ? QStringLiteral("[%1]").arg(inside)
                                        : QStringLiteral("(%1)").arg(inside);
}

QString containerText(const ValueNode& node, const Checkpoint* checkpoint) {
    if (node.items.empty()) {
        return ValueTexts::tr("empty");
    }
    const QString inside = preview(node, checkpoint);
    if (!inside.isEmpty()) {
        return inside;
    }
    return ValueTexts::tr("%Ln items", nullptr, static_cast<int>(node.items.size()));
}

QString render(const Value& value, const Checkpoint* checkpoint, bool full) {
    switch (value.kind()) {
    case ValueKind::Null:
        return QStringLiteral("None");
    case ValueKind::Bool:
        return *value.asBool() ? QStringLiteral("True") : QStringLiteral("False");
    case ValueKind::Int:
        return QString::number(static_cast<qlonglong>(*value.asInt()));
    case ValueKind::BigInt:
        return shortened(value.asBigInt()->digits, full ? kFullBytes : kLineBytes);
    case ValueKind::Float:
        return floatText(*value.asFloat(),
                         full ? static_cast<int>(QLocale::FloatingPointShortest) : 6);
    case ValueKind::String:
        return shortened(*value.asString(), full ? kFullBytes : kLineBytes);
    case ValueKind::Bytes:
        return full || text::ProgramNumbers::wanted() ? text::exactBytes(value.asBytes()->size())
                                                      : text::bytes(value.asBytes()->size());
    case ValueKind::Tensor:
        return tensorText(*value.asTensor(), checkpoint);
    default:
        return containerText(*value.asNode(), checkpoint);
    }
}

} // namespace

QString value(const Value& value, const Checkpoint* checkpoint) {
    return render(value, checkpoint, false);
}

QString fullValue(const Value& value, const Checkpoint* checkpoint) {
    return render(value, checkpoint, true);
}

std::optional<double> number(const Value& value) {
    if (const std::int64_t* whole = value.asInt()) {
        return static_cast<double>(*whole);
    }
    if (const bool* truth = value.asBool()) {
        return *truth ? 1 : 0;
    }
    const double* real = value.asFloat();
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

QString valueType(const Value& value) {
    switch (value.kind()) {
    case ValueKind::Null:
        return QStringLiteral("None");
    case ValueKind::Bool:
        return QStringLiteral("bool");
    case ValueKind::Int:
    case ValueKind::BigInt:
        return QStringLiteral("int");
    case ValueKind::Float:
        return QStringLiteral("float");
    case ValueKind::String:
        return QStringLiteral("str");
    case ValueKind::Bytes:
        return QStringLiteral("bytes");
    case ValueKind::Tensor:
        return ValueTexts::tr("tensor");
    case ValueKind::List:
        return QStringLiteral("list");
    case ValueKind::Tuple:
        return QStringLiteral("tuple");
    case ValueKind::Set:
        return QStringLiteral("set");
    case ValueKind::Dict: {
        const std::string_view name = value.asNode()->className;
        return name.empty() ? QStringLiteral("dict")
                            : shortened(name.substr(name.rfind('.') + 1), kLineBytes);
    }
    case ValueKind::Object:
        return shortened(value.asNode()->className, kLineBytes);
    }
    return {};
}

QString itemKey(const Value& container, std::size_t position) {
    const ValueKind kind = container.kind();
    if (kind == ValueKind::Dict || kind == ValueKind::Object) {
        return shortened(keyText(container.items()[position].key), kLineBytes);
    }
    return QString::number(position);
}

QString pythonString(std::string_view text) {
    QString quoted = QStringLiteral("\"");
    const QString characters = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    for (const QChar c : characters) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\')) {
            quoted += QLatin1Char('\\');
            quoted += c;
        } else if (c.unicode() < 0x20 ||
                   (c.unicode() >= 0x7f && !c.isPrint() && !c.isSurrogate())) {
            quoted += QStringLiteral("\\u%1").arg(static_cast<uint>(c.unicode()), 4, 16,
                                                  QLatin1Char('0'));
        } else {
            quoted += c;
        }
    }
    return quoted + QLatin1Char('"');
}

QString subscripts(const std::vector<ValueStep>& steps) {
    QString text;
    for (const ValueStep& step : steps) {
        const ValueItem& item = step.container->items()[step.position];
        const ValueKind kind = step.container->kind();
        if (kind == ValueKind::List || kind == ValueKind::Tuple) {
            text += QStringLiteral("[%1]").arg(step.position);
        } else if (kind == ValueKind::Object && item.key.asString() != nullptr) {
            text += QLatin1Char('.') + text::fromCore(*item.key.asString());
        } else if (kind == ValueKind::Dict && item.key.asString() != nullptr) {
            text += QLatin1Char('[') + pythonString(*item.key.asString()) + QLatin1Char(']');
        } else if (kind == ValueKind::Dict && item.key.asInt() != nullptr) {
            text += QStringLiteral("[%1]").arg(*item.key.asInt());
        } else {
            return {};
        }
    }
    return text;
}

} // namespace cairn::ui::words
