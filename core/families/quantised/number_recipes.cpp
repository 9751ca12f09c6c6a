// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/recipe_maker.h"

#include <algorithm>
#include <string>

/// Weights whose codes are one integer or float8 an element.
namespace cairn {
namespace {

/// The name of the weight that torchao's parts "l.weight.qdata" or "l._weight_qdata" are of; empty
/// if they are of none.
std::string weightOfParts(std::string_view stem) {
    const std::size_t dot = stem.rfind('.');
    const std::size_t last = dot == std::string_view::npos ? 0 : dot + 1;
    if (stem.substr(last).starts_with('_')) { // flatten_tensor_state_dict()
        return std::string(stem.substr(0, last)) + std::string(stem.substr(last + 1));
    }
    return std::string(stem);
}

} // namespace

Result<void> RecipeMaker::multiplied() {
    m_recipe.name = m_codes.name;
    m_recipe.dtype = Dtype::Float32;
    m_recipe.anyDtype = true;
    takeCodes(m_codes.shape);
    if (zeroPoints()) {
        return refused("zero points of float8 elements");
    }
    return takeScales(m_codes.shape);
}

Result<void> RecipeMaker::offset() {
    m_recipe.name = m_codes.name;
    takeCodes(m_codes.shape);
    if (part("_g_idx")) {
        return refused("groups in the order of activations");
    }
    CAIRN_CHECK(computeAs(m_scales.dtype));
    CAIRN_CHECK(takeScales(m_codes.shape));
    return takeZeros(zeroPoints());
}

Result<void> RecipeMaker::exponents() {
    m_recipe.name = m_codes.name;
    takeCodes(m_codes.shape);
    CAIRN_CHECK(takeGroups());
    m_recipe.exponents = m_scales.dtype == Dtype::Uint8;
    return computeAs(Dtype::Bfloat16);
}

Result<void> RecipeMaker::rowMaxima() {
    if (const auto format = part(".weight_format")) {
        CAIRN_TRY(const std::vector<std::byte> bytes, read(*format));
        if (std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{0}; })) {
            return refused("another order than row by row");
        }
    }
    m_recipe.name = m_codes.name;
    takeCodes(m_codes.shape);
    m_recipe.scaleRows = m_recipe.codes.rows;
    m_recipe.scaleColumns = 1;
    m_recipe.columnBlock = m_recipe.codes.columns;
    m_recipe.factor = 7.874015718698502e-3F;
    m_recipe.dtype = Dtype::Float32;
    m_recipe.anyDtype = true;
    return m_scales.dtype == Dtype::Float32 ? Result<void>()
                                            : refused("maxima that are not float32");
}

Result<void> RecipeMaker::scaled() {
    if (part("._shift") || kindHasSubBytes()) {
        return refused("packed elements with shifts");
    }
    m_recipe.name = m_stem;
    takeCodes(m_codes.shape);
    CAIRN_CHECK(computeAs(m_scales.dtype));
    return takeScales(m_codes.shape);
}

bool RecipeMaker::kindHasSubBytes() const {
    const DtypeInfo& info = dtypeInfo(m_codes.dtype);
    return info.bits != 8 || m_codes.dtype == Dtype::Uint8;
}

Result<void> RecipeMaker::affine() {
    if (m_weight.others.size() > (part("zero_point") ? 2U : 1U)) {
        return refused("a weight that is changed by more than its scales and zero points");
    }
    const auto zeros = part("zero_point");
    const bool isFloat = dtypeInfo(m_codes.dtype).kind == DtypeKind::Float;
    if (dtypeInfo(m_codes.dtype).bits != 8 || m_codes.dtype == Dtype::Uint8 ||
        (zeros && (isFloat || entry(*zeros).dtype != Dtype::Int8))) {
        return refused("other codes than int8 with zero points of int8, or float8 without");
    }
    if (m_scales.dtype != Dtype::Float32 && m_scales.dtype != Dtype::Float16 &&
        m_scales.dtype != Dtype::Bfloat16) {
        return refused(sentence("scales of %1", dtypeName(m_scales.dtype)));
    }
    m_recipe.name = weightOfParts(m_stem);
    takeCodes(m_codes.shape);
    const auto [rows, columns] = matrixOf(m_scales.shape);
    const bool isOne = m_scales.elements() == 1;
    if (!isOne &&
        (m_codes.shape.size() != 2 || m_scales.shape.size() != 2 || rows == 0 || columns == 0 ||
         m_recipe.codes.rows % rows != 0 || m_recipe.codes.columns % columns != 0)) {
        return refused("the shapes of codes and scales do not match");
    }
    m_recipe.scaleRows = isOne ? 1 : rows;
    m_recipe.scaleColumns = isOne ? 1 : columns;
    m_recipe.rowBlock = std::max<std::int64_t>(m_recipe.codes.rows / m_recipe.scaleRows, 1);
    m_recipe.columnBlock =
        std::max<std::int64_t>(m_recipe.codes.columns / m_recipe.scaleColumns, 1);
    m_recipe.dtype = Dtype::Float32;
    m_recipe.anyDtype = true;
    return takeZeros(zeros);
}

} // namespace cairn
