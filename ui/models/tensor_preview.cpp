// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_preview.h"

#include "core/analysis/dequantized.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/model/element.h"
#include "core/model/string_elements.h"
#include "core/model/tensor_reader.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::ui {
namespace {

/// The corner: index 0 in all leading dimensions, a few elements of the last two; for a vector as
/// many as fill the grid.
Box cornerOf(const Shape& shape) {
    Box box = Box::whole(shape);
    const std::size_t rank = shape.size();
    for (std::size_t d = 0; d < rank; ++d) {
        std::int64_t most = 1;
        if (rank == 1) {
            most = TensorPreview::kRows * TensorPreview::kColumns;
        } else if (d + 2 >= rank) {
            most = d + 1 == rank ? TensorPreview::kColumns : TensorPreview::kRows;
        }
        box.extent[d] = std::min(shape[d], most);
    }
    return box;
}

QString whereText(const Box& box, const Shape& shape) {
    QStringList parts;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape.size() > 2 && d + 2 < shape.size()) {
            parts << QStringLiteral("0");
        } else {
            parts << (box.extent[d] == shape[d] ? QStringLiteral(":")
                                                : QStringLiteral(":%1").arg(box.extent[d]));
        }
    }
    return parts.isEmpty() ? QString()
                           : QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

/// The rules of torch (torch/_tensor_str.py): integers without decimals; exponents if the largest
/// is more than 1000 times the smallest, or one is very large or small; else four decimals.
enum class NumberForm : std::uint8_t { AsIs, Whole, Decimals, Exponents };

NumberForm numberForm(Dtype dtype, std::span<const std::byte> bytes, std::size_t count) {
    if (dtypeInfo(dtype).kind != DtypeKind::Float) {
        return NumberForm::AsIs;
    }
    std::vector<double> values(count);
    elementsAsDoubles(dtype, bytes, values);
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    bool whole = true;
    for (const double value : values) {
        if (std::isfinite(value) && value != 0) {
            least = std::min(least, std::abs(value));
            most = std::max(most, std::abs(value));
            whole = whole && value == std::trunc(value);
        }
    }
    if (most == 0) {
        return NumberForm::AsIs;
    }
    if (most / least > 1000 || most > 1e8 || least < 1e-4) {
        return NumberForm::Exponents;
    }
    return whole ? NumberForm::Whole : NumberForm::Decimals;
}

QString cellText(NumberForm form, Dtype dtype, std::span<const std::byte> element,
                 const QString& exact) {
    const double value = form == NumberForm::AsIs ? 0 : elementAsDouble(dtype, element);
    if (form == NumberForm::AsIs || !std::isfinite(value)) {
        return exact;
    }
    if (form == NumberForm::Exponents) {
        return value == 0 ? QStringLiteral("0") : QString::number(value, 'e', 2);
    }
    return QString::number(value, 'f', form == NumberForm::Whole ? 0 : 4);
}

/// The grid that the cells fill, and whether there is more.
void shape(TensorPreview& preview, const Shape& whole, const Box& corner) {
    const std::size_t rank = whole.size();
    const auto count = static_cast<std::int64_t>(preview.cells.size());
    const std::int64_t columns =
        rank < 2 ? std::min<std::int64_t>(count, TensorPreview::kColumns) : corner.extent[rank - 1];
    preview.columns = static_cast<int>(columns);
    preview.rows = static_cast<int>((count + columns - 1) / columns);
    preview.cells.resize(static_cast<std::size_t>(preview.rows * preview.columns));
    preview.exact.resize(preview.cells.size());
    preview.moreColumns = rank >= 2 && columns < whole[rank - 1];
    preview.moreRows =
        rank >= 1 && corner.extent[rank < 2 ? 0 : rank - 2] < whole[rank < 2 ? 0 : rank - 2];
}

Result<TensorPreview> previewStrings(const CheckpointPtr& checkpoint, const TensorEntry& tensor,
                                     const CancelToken& cancel) {
    constexpr std::size_t kMaxShown = 200;
    const Box corner = cornerOf(tensor.shape);
    TensorPreview preview;
    preview.where = whereText(corner, tensor.shape);
    CAIRN_TRY(const std::vector<std::string> texts,
              readStrings(*checkpoint, tensor, corner, kMaxStringMemory, cancel));
    for (const std::string& element : texts) {
        preview.exact.push_back(text::fromCore(element));
        preview.cells.push_back(text::fromCore(std::string_view(element).substr(0, kMaxShown)));
    }
    if (!texts.empty()) {
        shape(preview, tensor.shape, corner);
    }
    return preview;
}

} // namespace

Result<TensorPreview> readPreview(const CheckpointPtr& checkpoint, TensorIndex index,
                                  const CancelToken& cancel) {
    CAIRN_TRY(const WeightValues weights, findWeightValues(checkpoint, cancel));
    const Checkpoint& read = *weights.checkpoint();
    const TensorNumbers numbers(read, read.tensor(index)); // of quantised blocks
    const TensorEntry& tensor = numbers.tensor();
    const std::uint64_t bits = dtypeInfo(tensor.dtype).bits;
    if (hasStrings(tensor.dtype)) {
        return previewStrings(checkpoint, tensor, cancel);
    }
    if (bits % 8 != 0) {
        return fail(ErrorCode::Unsupported, "Elements smaller than one byte cannot be shown");
    }
    const Box corner = cornerOf(tensor.shape);
    const auto count = static_cast<std::size_t>(elementCount(corner.extent).value_or(0));
    TensorPreview preview;
    preview.where = whereText(corner, tensor.shape);
    if (const QuantisedTensor* quantised = weights.find(index)) {
        preview.where += QStringLiteral(" · ") + text::coreText(quantisedText(*quantised));
    }
    if (count == 0) {
        return preview;
    }
    const std::size_t width = bits / 8;
    std::vector<std::byte> bytes(count * width);
    CAIRN_TRY(const TensorReader reader, TensorReader::open(numbers.checkpoint(), tensor));
    CAIRN_CHECK(cancel.check());
    TensorReader::Scratch scratch;
    CAIRN_CHECK(reader.readBox(corner, bytes, scratch));
    const NumberForm form = numberForm(tensor.dtype, bytes, count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::span<const std::byte> element = std::span(bytes).subspan(i * width, width);
        preview.exact.push_back(QString::fromStdString(elementText(tensor.dtype, element)));
        preview.cells.push_back(cellText(form, tensor.dtype, element, preview.exact.back()));
    }
    shape(preview, tensor.shape, corner);
    return preview;
}

} // namespace cairn::ui
