// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor_columns.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn {
namespace {

constexpr auto kProperties = std::to_array<std::pair<std::string_view, TensorProperty>>({
    {"name", TensorProperty::Name},
    {"dtype", TensorProperty::Dtype},
    {"shape", TensorProperty::ShapeText},
    {"size", TensorProperty::Size},
    {"bytes", TensorProperty::Size},
    {"elements", TensorProperty::Elements},
    {"role", TensorProperty::Role},
    {"shards", TensorProperty::Files},
    {"files", TensorProperty::Files},
    {"pieces", TensorProperty::Pieces},
    {"dims", TensorProperty::Dims},
    {"rank", TensorProperty::Dims},
});

constexpr auto kShortDtypes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"bf16", "bfloat16"},
    {"fp16", "float16"},
    {"f16", "float16"},
    {"half", "float16"},
    {"fp32", "float32"},
    {"f32", "float32"},
    {"fp64", "float64"},
    {"f64", "float64"},
    {"double", "float64"},
    {"fp8", "float8"},
    {"f8", "float8"},
    {"i64", "int64"},
    {"i32", "int32"},
    {"i16", "int16"},
    {"i8", "int8"},
    {"u8", "uint8"},
});

std::string fullDtype(std::string_view typed) {
    const auto found = std::ranges::find(kShortDtypes, typed,
                                         &std::pair<std::string_view, std::string_view>::first);
    return std::string(found != kShortDtypes.end() ? found->second : typed);
}

/// "training state" and "training-state" mean "training_state".
std::string roleWord(std::string_view typed) {
    std::string word(typed);
    std::ranges::replace_if(
        word, [](char c) { return c == ' ' || c == '-'; }, '_');
    return word;
}

/// "[4096, 1024]", "4096 × 1024" and "4096,1024" become "4096x1024".
std::string shapeWord(std::string_view typed) {
    constexpr std::string_view kTimes = "×";
    std::string word;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        const char c = typed[i];
        if (typed.substr(i).starts_with(kTimes)) {
            word += 'x';
            i += kTimes.size() - 1;
        } else if (c == ',') {
            word += 'x';
        } else if (c != ' ' && c != '[' && c != ']' && c != '(' && c != ')') {
            word += c;
        }
    }
    return word.empty() && !typed.empty() ? "scalar" : word;
}

} // namespace

std::size_t fileCount(const TensorEntry& tensor) {
    if (tensor.pieces.size() < 2) {
        return tensor.pieces.size();
    }
    std::vector<std::uint32_t> files;
    for (const Piece& piece : tensor.pieces) {
        if (files.empty() || files.back() != piece.file.value) {
            files.push_back(piece.file.value);
        }
    }
    std::ranges::sort(files);
    return static_cast<std::size_t>(std::unique(files.begin(), files.end()) - files.begin());
}

Result<FilterColumn> findTensorProperty(std::string_view name) {
    const auto same = [name](const std::pair<std::string_view, TensorProperty>& known) {
        return std::ranges::equal(name, known.first, [](char typed, char c) {
            return (typed >= 'A' && typed <= 'Z' ? typed - 'A' + 'a' : typed) == c;
        });
    };
    const auto found = std::ranges::find_if(kProperties, same);
    if (found == kProperties.end()) {
        return fail(ErrorCode::InvalidArgument, "Tensors have no such column")
            .butFound(sentence("\"%1\"", name))
            .expecting("name, dtype, shape, size, elements, role, shards, pieces or dims");
    }
    FilterColumn column{static_cast<std::size_t>(found->second)};
    switch (found->second) {
    case TensorProperty::Dtype:
        column.canonical = fullDtype;
        break;
    case TensorProperty::ShapeText:
        column.canonical = shapeWord;
        break;
    case TensorProperty::Role:
        column.canonical = roleWord;
        break;
    default:
        break;
    }
    return column;
}

FilterCell TensorCells::of(const TensorEntry& tensor, TensorProperty property) {
    const auto number = [](std::uint64_t value) {
        return FilterCell{static_cast<double>(value), {}};
    };
    switch (property) {
    case TensorProperty::Name:
        return {{}, tensor.name};
    case TensorProperty::Dtype:
        return {{}, dtypeName(tensor.dtype)};
    case TensorProperty::ShapeText:
        m_shape = tensor.shape.empty() ? "scalar" : std::string();
        for (const std::int64_t length : tensor.shape) {
            m_shape += (m_shape.empty() ? "" : "x") + std::to_string(length);
        }
        return {{}, m_shape};
    case TensorProperty::Size:
        return number(tensor.bytes());
    case TensorProperty::Elements:
        return number(tensor.elements());
    case TensorProperty::Role:
        return {{}, roleName(tensor.role)};
    case TensorProperty::Files:
        return number(fileCount(tensor));
    case TensorProperty::Pieces:
        return number(tensor.pieces.size());
    case TensorProperty::Dims:
        return number(tensor.shape.size());
    }
    return {};
}

} // namespace cairn
