// SPDX-License-Identifier: Apache-2.0
#include "core/families/quantised/quantised_weights.h"

#include "core/families/quantised/scale_blocks.h"

#include <algorithm>
#include <array>
#include <string>

namespace cairn {
namespace {

using Ends = std::span<const std::string_view>;

DtypeKind kindOf(const TensorEntry& tensor) {
    return dtypeInfo(tensor.dtype).kind;
}

bool isInteger(const TensorEntry& tensor) {
    return kindOf(tensor) == DtypeKind::Signed || kindOf(tensor) == DtypeKind::Unsigned;
}

bool isFloat(const TensorEntry& tensor) {
    return kindOf(tensor) == DtypeKind::Float;
}

bool hasBits(const TensorEntry& tensor, std::uint32_t bits) {
    return dtypeInfo(tensor.dtype).bits == bits;
}

/// Elements of 8 bits with a value each: float8, int8.
bool isByteNumber(const TensorEntry& tensor) {
    return hasBits(tensor, 8) && (kindOf(tensor) == DtypeKind::Signed ||
                                  (isFloat(tensor) && tensor.dtype != Dtype::Float8E8m0fnu));
}

bool numbersWithScales(const TensorEntry& codes, const TensorEntry& scales) {
    return isByteNumber(codes) && isFloat(scales);
}

bool scaleBlocksFit(const TensorEntry& codes, const TensorEntry& scales) {
    return scalesFit(codes.shape, scales.shape);
}

bool float8WithScales(const TensorEntry& codes, const TensorEntry& scales) {
    return numbersWithScales(codes, scales) && isFloat(codes);
}

/// MXFP8: an exponent for 32 elements of a row, as float8_e8m0fnu or its byte.
bool numbersWithExponents(const TensorEntry& codes, const TensorEntry& scales) {
    return isByteNumber(codes) && isFloat(codes) &&
           (scales.dtype == Dtype::Float8E8m0fnu || scales.dtype == Dtype::Uint8);
}

bool groupsOf32Fit(const TensorEntry& codes, const TensorEntry& scales) {
    const std::size_t rank = codes.shape.size();
    return rank > 0 && scales.shape.size() == rank &&
           std::equal(codes.shape.begin(), codes.shape.end() - 1, scales.shape.begin()) &&
           codes.shape[rank - 1] == scales.shape[rank - 1] * 32;
}

bool packedWithScales(const TensorEntry& codes, const TensorEntry& scales) {
    return (isInteger(codes) || kindOf(codes) == DtypeKind::Packed) && isFloat(scales);
}

bool bytesWithFloatScales(const TensorEntry& codes, const TensorEntry& scales) {
    return codes.dtype == Dtype::Uint8 && isFloat(scales);
}

/// Two elements a byte, with scales of a byte.
bool fp4WithScales(const TensorEntry& codes, const TensorEntry& scales) {
    return codes.dtype == Dtype::Uint8 &&
           (scales.dtype == Dtype::Uint8 || scales.dtype == Dtype::Float8E8m0fnu ||
            scales.dtype == Dtype::Float8E4m3fn);
}

/// Rows agree, and a row of codes is a whole number of groups.
bool rowsFit(const TensorEntry& codes, const TensorEntry& scales) {
    const std::size_t rank = codes.shape.size();
    if (scales.elements() == 1) {
        return true;
    }
    if (rank == 0 || scales.shape.size() > rank || scales.elements() == 0) {
        return false;
    }
    if (scales.shape.size() < rank) {
        return scales.shape[0] == codes.shape[0];
    }
    const std::int64_t groups = scales.shape[rank - 1];
    return std::equal(codes.shape.begin(), codes.shape.end() - 1, scales.shape.begin()) &&
           codes.shape[rank - 1] % groups == 0;
}

bool wordsWithScales(const TensorEntry& codes, const TensorEntry& scales) {
    return isInteger(codes) && hasBits(codes, 32) && isFloat(scales);
}

/// GPTQ packs along the rows: qweight [in / 8, out]; AWQ along the columns: [in, out / 8]. The
/// scales are [groups, out].
bool columnsFit(const TensorEntry& codes, const TensorEntry& scales) {
    if (codes.shape.size() != 2 || scales.shape.size() != 2 || codes.shape[1] == 0) {
        return false;
    }
    const std::int64_t packed = scales.shape[1] / codes.shape[1];
    return scales.shape[1] % codes.shape[1] == 0 &&
           (packed == 1 || packed == 4 || packed == 8 || packed == 16);
}

bool bytesWithFloats(const TensorEntry& codes, const TensorEntry& scales) {
    return hasBits(codes, 8) && isFloat(scales);
}

bool oneScaleARow(const TensorEntry& codes, const TensorEntry& scales) {
    return codes.shape.size() == 2 &&
           scales.elements() == static_cast<std::uint64_t>(codes.shape[0]);
}

/// nf4, fp4: two codes a byte, a scale for each block of 64 (or another power of two).
bool absmaxFits(const TensorEntry& codes, const TensorEntry& scales) {
    const std::uint64_t elements = codes.bytes() * 2;
    const std::uint64_t blocks = scales.elements();
    return blocks > 0 && elements / blocks >= 16 && elements / blocks <= 8192;
}

bool bytesWithExponents(const TensorEntry& codes, const TensorEntry& scales) {
    return codes.dtype == Dtype::Uint8 && scales.dtype == Dtype::Uint8;
}

/// gpt-oss: [..., blocks, 16 bytes] and an exponent for each block.
bool blocksFit(const TensorEntry& codes, const TensorEntry& scales) {
    const std::size_t rank = codes.shape.size();
    return rank >= 2 && scales.shape.size() == rank - 1 && codes.shape[rank - 1] == 16 &&
           std::equal(scales.shape.begin(), scales.shape.end(), codes.shape.begin());
}

bool integersWithFloats(const TensorEntry& codes, const TensorEntry& scales) {
    return (isInteger(codes) || kindOf(codes) == DtypeKind::Packed || isByteNumber(codes)) &&
           isFloat(scales);
}

bool notEmpty(const TensorEntry& codes, const TensorEntry& scales) {
    return codes.elements() > 0 && scales.elements() > 0;
}

/// For layouts that pack their codes in several ways: a scale is of at least one of them.
bool notMoreThanCodes(const TensorEntry& codes, const TensorEntry& scales) {
    constexpr std::uint64_t kMostCodes = 32; // in an element
    return notEmpty(codes, scales) && scales.elements() / kMostCodes <= codes.elements();
}

// What belongs to a weight beside codes and scales, by the end in place of that of the codes.
constexpr auto kByModule = std::to_array<std::string_view>(
    {".input_scale", ".output_scale", ".input_zero_point", ".input_global_scale",
     ".activation_scale", ".input_scale_ub", ".k_scale", ".v_scale", ".weight_zero_point",
     ".weight_shape"});
constexpr std::size_t kActivationEnds = 6; ///< the first of them
// Scales of what the attention keeps, beside the layers whose outputs they are.
constexpr auto kByAttention = std::to_array<std::string_view>(
    {".q_scale", ".k_scale", ".v_scale", ".k_zero_point", ".v_zero_point"});

// Names of scales and code books that nothing else has: those of weights that are not compressed
// yet stand beside plain ones.
constexpr auto kScaleNames = std::to_array<std::string_view>(
    {".weight_scale", ".weight_scale_inv", ".weight_global_scale", ".weight_scale_2", ".SCB",
     ".weight.absmax", ".weight.nested_absmax", ".weight.quant_map", ".weight.nested_quant_map",
     ".scales"});

/// Scales, by their names and dtypes: those of activations and caches are at most a row of numbers.
bool isNamedAsScale(const TensorEntry& tensor) {
    const auto named = [&](Ends ends) {
        return std::ranges::any_of(
            ends, [&](std::string_view end) { return tensor.name.ends_with(end); });
    };
    return isFloat(tensor) &&
           (named(kScaleNames) ||
            (tensor.shape.size() <= 1 &&
             (named(kByAttention) || named(Ends(kByModule).first(kActivationEnds)))));
}

constexpr auto kByWeight = std::to_array<std::string_view>(
    {"_zero_point", "_shape", "_g_idx", "_global_scale", "_scale_2"});
constexpr auto kPackedOthers = std::to_array<std::string_view>({".qzeros", ".g_idx"});
constexpr auto kNf4 = std::to_array<std::string_view>(
    {".quant_map", ".nested_absmax", ".nested_quant_map", ".quant_state.bitsandbytes__nf4",
     ".quant_state.bitsandbytes__fp4"});
constexpr auto kInt8 = std::to_array<std::string_view>({".weight_format"});
constexpr auto kShift = std::to_array<std::string_view>({"._shift"});
constexpr auto kHqq = std::to_array<std::string_view>(
    {".zero", ".nbits", ".group_size", ".shape", ".axis", ".packing", ".unpack_view_dtype",
     ".view_as_float", ".quant_scale", ".quant_zero", ".compute_dtype", ".offload_meta",
     ".encoded_state_dict", ".stores_quant_config", ".channel_wise", ".optimize", ".round_zero"});
constexpr auto kBiases = std::to_array<std::string_view>({".biases"});
constexpr auto kTorchao = std::to_array<std::string_view>(
    {".zero_point", ".act_pre_scale", ".per_tensor_scale", ".act_per_tensor_scale",
     ".sparse_metadata", ".act_quant_scale", ".act_quant_zero_point", ".output_act_quant_scale",
     ".group_zero", ".row_scale", ".qzeros", ".compensation"});
constexpr auto kTorchaoFlat = std::to_array<std::string_view>(
    {"_zero_point", "_act_pre_scale", "_per_tensor_scale", "_act_per_tensor_scale",
     "_sparse_metadata", "_act_quant_scale", "_act_quant_zero_point", "_output_act_quant_scale",
     "_group_zero", "_row_scale", "_qzeros", "_compensation"});
/// Beside a model whose weights have scales, for its loader.
constexpr std::string_view kComfyMarker = "scaled_fp8";
constexpr auto kScaleInput = std::to_array<std::string_view>({".scale_input"});
constexpr auto kScales = std::to_array<std::string_view>({".scales"});
constexpr auto kVptq = std::to_array<std::string_view>(
    {".res_indices", ".outlier_indices", ".outlier_centroids.weight", ".res_centroids.weight",
     ".weight_scale", ".weight_bias", ".perm"});
constexpr auto kExl2 = std::to_array<std::string_view>(
    {".q_scale_max", ".q_groups", ".q_group_map", ".q_invperm", ".q_perm"});
constexpr auto kExl3 = std::to_array<std::string_view>({".suh", ".mcg", ".mul1"});
constexpr auto kHiggs = std::to_array<std::string_view>({".tables"});
constexpr auto kQmap = std::to_array<std::string_view>({".qmap"});

/// The most specific ends first: of two rows that fit, the first is taken.
const std::array kWeightLayouts = std::to_array<WeightLayout>({
    {"GPTQ or AWQ", "GPTQModel 7.7, AutoAWQ 0.2.9", ".qweight", ".scales", kPackedOthers,
     wordsWithScales, columnsFit, Unpacking::GroupedWords, "transformers: model.dequantize()"},
    {"bitsandbytes 8 bit", "bitsandbytes 0.50", ".weight", ".SCB", kInt8, numbersWithScales,
     oneScaleARow, Unpacking::RowMaxima, "transformers: model.dequantize()"},
    {"bitsandbytes 4 bit", "bitsandbytes 0.50", "", ".absmax", kNf4, bytesWithFloats, absmaxFits,
     Unpacking::BlockMaxima, "bitsandbytes.functional.dequantize_4bit()"},
    {"bitsandbytes 4 bit, nested", "bitsandbytes 0.50", "", ".absmax", kNf4, bytesWithExponents,
     absmaxFits, Unpacking::BlockMaxima, "bitsandbytes.functional.dequantize_4bit()"},
    {"compressed-tensors, float4", "compressed-tensors 0.20", "_packed", "_scale", kByWeight,
     fp4WithScales, rowsFit, Unpacking::Fp4Groups,
     "compressed_tensors: ModelCompressor.decompress_model()"},
    {"compressed-tensors, packed", "compressed-tensors 0.20", "_packed", "_scale", kByWeight,
     packedWithScales, rowsFit, Unpacking::PackedWords,
     "compressed_tensors: ModelCompressor.decompress_model()"},
    {"MXFP4",
     "transformers 5",
     "_blocks",
     "_scales",
     {},
     bytesWithExponents,
     blocksFit,
     Unpacking::Fp4Blocks,
     "transformers: Mxfp4Config(dequantize=True)"},
    {"quanto, packed", "optimum-quanto 0.2.7", "._data._data", "._scale", kShift,
     integersWithFloats, notMoreThanCodes, Unpacking::Library,
     "optimum.quanto: QTensor.dequantize()"},
    {"quanto", "optimum-quanto 0.2.7", "._data", "._scale", kShift, integersWithFloats,
     notMoreThanCodes, Unpacking::Scaled, "optimum.quanto: QTensor.dequantize()"},
    {"HQQ", "hqq 0.2.8", ".W_q", ".scale", kHqq, packedWithScales, notMoreThanCodes,
     Unpacking::StackedRows, "hqq: HQQLinear.dequantize()"},
    {"torchao", "torchao 0.18", ".qdata", ".scale", kTorchao, integersWithFloats, notMoreThanCodes,
     Unpacking::Affine, "torchao: tensor.dequantize()", "tensor_names"},
    {"torchao, flattened", "torchao 0.18", "_qdata", "_scale", kTorchaoFlat, integersWithFloats,
     notMoreThanCodes, Unpacking::Affine,
     "torchao: unflatten_tensor_state_dict(), then dequantize()", "tensor_names"},
    {"torchao", "torchao 0.18", ".qdata", ".scale_and_zero", kTorchao, integersWithFloats,
     notMoreThanCodes, Unpacking::Library, "torchao: tensor.dequantize()", "tensor_names"},
    {"torchao", "torchao 0.18", ".qdata", ".group_scale", kTorchao, integersWithFloats,
     notMoreThanCodes, Unpacking::Library, "torchao: tensor.dequantize()", "tensor_names"},
    {"torchao", "torchao 0.18", ".qdata_and_metadata", ".scale", kTorchao, integersWithFloats,
     notMoreThanCodes, Unpacking::Library, "torchao: tensor.dequantize()", "tensor_names"},
    {"torchao, affine",
     "torchao",
     ".tensor_impl.int_data",
     ".tensor_impl.scale",
     {},
     integersWithFloats,
     notMoreThanCodes,
     Unpacking::Library,
     "torchao: tensor.dequantize()",
     "tensor_names"},
    {"torchao, float8",
     "torchao",
     ".tensor_impl.float8_data",
     ".tensor_impl.scale",
     {},
     integersWithFloats,
     notMoreThanCodes,
     Unpacking::Library,
     "torchao: tensor.dequantize()",
     "tensor_names"},
    {"torchao optimizer", "torchao 0.18", ".codes", ".scale", kQmap, bytesWithFloats,
     notMoreThanCodes, Unpacking::Library, "torchao: tensor.dequantize()", "tensor_names"},
    {"ComfyUI scaled float8",
     "ComfyUI",
     ".weight",
     ".scale_weight",
     kScaleInput,
     float8WithScales,
     scaleBlocksFit,
     Unpacking::Multiply,
     {}},
    {"MLX", "mlx-lm 0.32", ".weight", ".scales", kBiases, wordsWithScales, rowsFit,
     Unpacking::AffineWords, "mlx.core.dequantize()"},
    {"HIGGS", "transformers 5", ".weight", ".scales", kHiggs, packedWithScales, rowsFit,
     Unpacking::Library, "transformers: model.dequantize()"},
    {"AQLM", "aqlm 1.1.7", ".codes", ".codebooks", kScales, packedWithScales, notEmpty,
     Unpacking::Library, "aqlm: QuantizedWeight"},
    {"VPTQ", "vptq 0.0.5", ".indices", ".centroids.weight", kVptq, packedWithScales, notEmpty,
     Unpacking::Library, "vptq: VQuantLinear.dequant()"},
    {"EXL2", "exllamav2 0.3.2", ".q_weight", ".q_scale", kExl2,
     [](const TensorEntry& codes, const TensorEntry& scales) {
         return isInteger(codes) && isInteger(scales);
     },
     notEmpty, Unpacking::Library, "exllamav2: ExLlamaV2Linear.get_weight_tensor_dq()"},
    {"EXL3", "exllamav3 1.6", ".trellis", ".svh", kExl3, packedWithScales, notEmpty,
     Unpacking::Library, "exllamav3: LinearEXL3.get_weight_tensor()"},
    {"float8 with scales",
     "DeepSeek-V3, transformers 5",
     "",
     "_scale_inv",
     kByWeight,
     float8WithScales,
     scaleBlocksFit,
     Unpacking::Multiply,
     {}},
    {"MXFP8", "compressed-tensors 0.20", "", "_scale", kByWeight, numbersWithExponents,
     groupsOf32Fit, Unpacking::Exponents, "compressed_tensors: ModelCompressor.decompress_model()"},
    {"float8 with scales",
     "compressed-tensors 0.20, ModelOpt 0.47",
     "",
     "_scale",
     kByWeight,
     float8WithScales,
     scaleBlocksFit,
     Unpacking::Multiply,
     {}},
    {"int8 with scales", "compressed-tensors 0.20", "", "_scale", kByWeight, numbersWithScales,
     scaleBlocksFit, Unpacking::Offset, "compressed_tensors: ModelCompressor.decompress_model()"},
    {"NVFP4", "ModelOpt 0.47", "", "_scale", kByWeight, bytesWithFloatScales, rowsFit,
     Unpacking::Fp4Groups, "modelopt.torch: NVFP4QTensor.dequantize()"},
    {"EETQ",
     "EETQ",
     "",
     "_scales",
     {},
     numbersWithScales,
     [](const TensorEntry& codes, const TensorEntry& scales) {
         return codes.shape.size() == 2 &&
                scales.elements() == static_cast<std::uint64_t>(codes.shape[1]);
     },
     Unpacking::Library,
     "eetq: EetqLinear"},
});

/// A tensor that has its scales inside.
const WeightLayout kBlocks{"ggml blocks", "gguf 0.19",       {}, {}, {}, nullptr,
                           nullptr,       Unpacking::Blocks, {}};
const WeightLayout kTorchQuantised{
    "torch quantised tensor",    "torch 2.13", {}, {}, {}, nullptr, nullptr, Unpacking::Library,
    "torch: tensor.dequantize()"};

/// Whether elements of the dtype may be codes at all: most tensors are ruled out here.
bool mayBeCodes(const TensorEntry& tensor) {
    return isInteger(tensor) || hasBits(tensor, 8) || kindOf(tensor) == DtypeKind::Packed;
}

} // namespace

QuantisedWeights::QuantisedWeights(const Checkpoint& checkpoint) {
    for (std::size_t i = 0; i < checkpoint.tensors().size(); ++i) {
        const TensorIndex index(i);
        const TensorEntry& tensor = checkpoint.tensor(index);
        const bool isQuantised = kindOf(tensor) == DtypeKind::Quantized;
        if (isQuantised || dtypeInfo(tensor.dtype).isBlock()) {
            m_byPart.emplace(index, m_all.size());
            m_all.push_back(
                {isQuantised ? &kTorchQuantised : &kBlocks, index, {}, Strength::Proven});
        } else if (mayBeCodes(tensor)) {
            add(checkpoint, index);
        }
        if (isNamedAsScale(tensor)) {
            m_named.insert(index);
        }
    }
}

void QuantisedWeights::add(const Checkpoint& checkpoint, TensorIndex codes) {
    const TensorEntry& tensor = checkpoint.tensor(codes);
    const std::string_view name = tensor.name;
    std::optional<QuantisedWeight> found;
    for (const WeightLayout& layout : kWeightLayouts) {
        if (!name.ends_with(layout.codes) || (found && found->strength == Strength::Proven)) {
            continue;
        }
        const std::string stem(name.substr(0, name.size() - layout.codes.size()));
        const auto scales = checkpoint.find(stem + std::string(layout.scales));
        if (!scales || *scales == codes || !layout.mayBe(tensor, checkpoint.tensor(*scales))) {
            continue;
        }
        const bool fits = layout.fits(tensor, checkpoint.tensor(*scales));
        if (found && !fits) {
            continue;
        }
        found = {&layout, codes, {*scales}, fits ? Strength::Proven : Strength::Named};
        for (const std::string_view end : layout.others) {
            if (const auto other = checkpoint.find(stem + std::string(end))) {
                found->others.push_back(*other);
            }
        }
    }
    if (!found) {
        return;
    }
    const std::string_view stem = name.substr(0, name.size() - found->layout->codes.size());
    for (const std::string_view inModule : {name, stem}) { // "l.weight._data" is of "l.weight"
        const std::size_t dot = inModule.rfind('.');
        for (const std::string_view end :
             dot == std::string_view::npos ? Ends() : Ends(kByModule)) {
            const auto other =
                checkpoint.find(std::string(inModule.substr(0, dot)) + std::string(end));
            if (other && *other != codes &&
                std::ranges::find(found->others, *other) == found->others.end()) {
                found->others.push_back(*other);
            }
        }
    }
    if (found->layout->others.data() == kScaleInput.data()) {
        for (std::size_t at = 0; at != std::string_view::npos; at = name.find('.', at + 1)) {
            const std::string prefix(name.substr(0, at == 0 ? 0 : at + 1));
            const auto marker = checkpoint.find(prefix + std::string(kComfyMarker));
            if (marker && checkpoint.tensor(*marker).elements() <= 2) {
                found->others.push_back(*marker);
            }
        }
    }
    m_byPart.insert_or_assign(codes, m_all.size());
    for (const TensorIndex other : found->others) {
        m_byPart.emplace(other, m_all.size());
    }
    m_all.push_back(std::move(*found));
}

const QuantisedWeight* QuantisedWeights::of(TensorIndex tensor) const {
    const auto found = m_byPart.find(tensor);
    return found == m_byPart.end() ? nullptr : &m_all[found->second];
}

bool QuantisedWeights::isPart(TensorIndex tensor) const {
    return of(tensor) != nullptr || m_named.contains(tensor);
}

} // namespace cairn
