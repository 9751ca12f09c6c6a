// SPDX-License-Identifier: Apache-2.0
#include "core/compute/quantization_error.h"

#include "core/compute/cast.h"
#include "core/compute/dequantize.h"
#include "core/compute/quantize.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {

void QuantizationError::add(const QuantizationError& other) {
    elements += other.elements;
    notFinite += other.notFinite;
    lost += other.lost;
    squares += other.squares;
    before += other.before;
    after += other.after;
    products += other.products;
}

double QuantizationError::rmse() const {
    return elements == 0 ? 0 : std::sqrt(squares / static_cast<double>(elements));
}

double QuantizationError::cosine() const {
    if (before == 0 || after == 0) {
        return before == after ? 1 : 0;
    }
    return std::min(1.0, products / (std::sqrt(before) * std::sqrt(after)));
}

float quantizationScale(const Precision& precision, float largestMagnitude) {
    constexpr float kSmallest = std::numeric_limits<float>::min();
    return largestMagnitude > 0
               ? std::max(largestMagnitude / static_cast<float>(precision.largest), kSmallest)
               : 1.0F;
}

float largestFinite(std::span<const float> values) {
    float most = 0;
    for (const float value : values) {
        most = std::isfinite(value) ? std::max(most, std::fabs(value)) : most;
    }
    return most;
}

void Requantizer::convert(std::span<const float> values, float scale) {
    m_back.resize(values.size());
    if (m_precision.inBlocks()) {
        m_stored.resize(*dtypeBytes(m_blocks, values.size()));
        quantizeBlocks(m_blocks, values, m_stored);
        dequantize(m_blocks, m_stored, m_back);
        return;
    }
    std::ranges::transform(values, m_back.begin(), [&](float value) { return value / scale; });
    if (m_precision.dtype == Dtype::Int8) {
        for (float& value : m_back) {
            value = std::clamp(std::nearbyint(value), -128.0F, 127.0F) * scale;
        }
        return;
    }
    m_stored.resize(values.size());
    castElements(Dtype::Float32, std::as_bytes(std::span(m_back)), m_precision.dtype, m_stored);
    widenElements(m_precision.dtype, m_stored, m_back);
    for (float& value : m_back) {
        value *= scale;
    }
}

QuantizationError Requantizer::measure(std::span<const float> values, float scale) {
    convert(values, scale);
    QuantizationError error;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            ++error.notFinite;
        } else if (!std::isfinite(m_back[i])) {
            ++error.lost;
        } else {
            const double value = values[i];
            const double back = m_back[i];
            ++error.elements;
            error.squares += (value - back) * (value - back);
            error.before += value * value;
            error.after += back * back;
            error.products += value * back;
        }
    }
    return error;
}

} // namespace cairn
