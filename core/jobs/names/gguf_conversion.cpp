// SPDX-License-Identifier: Apache-2.0
//
// The source of a job whose output llama.cpp loads. Names and layouts follow from the family's
// recipe; the rest is added to the derived checkpoint: norms that contain the sum, factors of
// rotary embeddings, the dtypes that llama.cpp needs. A model that its graph or its tokenizer
// cannot reproduce is refused, since a file with its names would load and be wrong.
#include "core/jobs/names/gguf_conversion.h"

#include "core/base/endian.h"
#include "core/families/gguf/gguf.h"
#include "core/families/names/conversion.h"
#include "core/families/quantised/quantised.h"
#include "core/jobs/elements/shifted_tensors.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kGguf = "gguf";

struct GgufInput {
    const CheckpointPtr& source;
    const CheckpointPtr& expected; ///< null: there is none
    const JobRequest& request;
    std::span<const Sidecar> sidecars;
    const Value* values;
    const UnpackedWeights& unpacked;

    [[nodiscard]] std::string_view file(std::string_view name) const {
        const auto found = std::ranges::find(sidecars, name, &Sidecar::name);
        return found == sidecars.end() ? std::string_view() : asText(found->bytes);
    }
};

Error noTensor(const GgufFamily& family, const std::string& name) {
    const bool isScale = name.find("scale") != name.npos || name.find("qweight") != name.npos;
    return fail(ErrorCode::Unsupported, "llama.cpp has no such tensor for this architecture")
        .inTensor(name)
        .butFound(sentence("architecture %1", family.architecture))
        .withHint(isScale ? Sentence("Write a copy with --dequantize first")
                          : "--names keep writes the tensors under their own names, which "
                            "llama.cpp cannot load");
}

/// Every layer must have the tensors that any has, and be one of the config's.
Result<void> checkLayers(const Checkpoint& converted, std::int64_t layers) {
    std::map<std::string, std::vector<std::int64_t>, std::less<>> numbersOf;
    const NamePattern pattern("blk.{i}.{*}");
    for (const TensorEntry& tensor : converted.tensors()) {
        if (const auto numbers = pattern.match(tensor.name)) {
            numbersOf[std::string(pattern.rest(tensor.name))].push_back(numbers->front().second);
        }
    }
    for (auto& [rest, numbers] : numbersOf) {
        std::ranges::sort(numbers);
        for (std::int64_t i = 0; i < std::max(layers, numbers.back() + 1); ++i) {
            const bool isThere = std::ranges::binary_search(numbers, i);
            if (isThere != (i < layers)) {
                return fail(isThere ? ErrorCode::BadSlice : ErrorCode::NotFound,
                            isThere ? Sentence("The model has more layers than its config records")
                                    : "A layer lacks a tensor that others have")
                    .inTensor("blk." + std::to_string(i) + "." + rest)
                    .expecting(sentence("%1 layers (num_hidden_layers)", layers));
            }
        }
    }
    if (numbersOf.empty()) {
        return fail(ErrorCode::NotFound, "The model has no layers")
            .expecting(sentence("%1 layers (num_hidden_layers)", layers));
    }
    return {};
}

Result<void> checkEmbedding(const Checkpoint& converted, std::int64_t tokens, std::int64_t width) {
    for (const char* name : {"token_embd.weight", "output.weight"}) {
        const auto index = converted.find(name);
        if (!index && std::string_view(name) == "token_embd.weight") {
            return fail(ErrorCode::NotFound, "The model has no embedding").inTensor(name);
        }
        const Shape wanted{tokens, width};
        if (index && converted.tensor(*index).shape != wanted) {
            return fail(ErrorCode::BadSlice,
                        "The vocabulary of the weights is not that of the config")
                .inTensor(name)
                .butFound(verbatim(formatDims(converted.tensor(*index).shape)))
                .expecting(sentence("%1 (vocab_size, hidden_size)", formatDims(wanted)));
        }
    }
    if (!converted.find("output_norm.weight")) {
        return fail(ErrorCode::NotFound, "The model has no last norm")
            .inTensor("output_norm.weight");
    }
    return {};
}

/// The published tensors under llama.cpp's names.
Result<Converted> rename(const GgufInput& input, const GgufFamily& family,
                         const ModelConfig& settings, const std::vector<TensorIndex>& chosen,
                         std::string& prefix) {
    CAIRN_TRY(const auto named, modelNames(*input.source, chosen, input.values));
    const std::array<KnownRecipe, 1> recipes = {ggufRecipe(family)};
    CAIRN_TRY(const auto conversion, chooseConversion(named, &settings, recipes));
    if (!conversion) {
        return noTensor(family, named.empty() ? std::string() : named.front().name);
    }
    prefix = conversion->prefix;
    CAIRN_TRY(Converted converted,
              convertTensors(input.source, conversion->tensors, conversion->recipe, settings));
    if (!converted.kept.empty()) {
        return noTensor(family, converted.kept.front());
    }
    for (const TensorEntry& tensor : converted.checkpoint->tensors()) {
        if (dtypeInfo(tensor.dtype).kind != DtypeKind::Float) {
            return fail(ErrorCode::Unsupported, "llama.cpp's weights are floating-point numbers")
                .inTensor(tensor.name)
                .butFound(verbatim(std::string(dtypeName(tensor.dtype))));
        }
    }
    return converted;
}

/// Norms and generated tensors, and the dtypes.
void complete(GgufSource& made, const GgufInput& input, const GgufFamily& family,
              const GgufDescription& description) {
    CheckpointData data = made.checkpoint->data();
    std::size_t shifted = 0;
    for (std::size_t i = 0; i < data.tensors.size(); ++i) {
        const TensorEntry& tensor = data.tensors[i];
        const TensorIndex index(i);
        const bool isDouble = tensor.dtype == Dtype::Float64 && input.request.dtype == "keep";
        if (isDouble || isGgufFloat32(tensor.name, tensor.shape.size())) {
            made.dtypes.emplace(index, Dtype::Float32);
        }
        if (family.shiftsNorms && tensor.name.ends_with("norm.weight")) {
            addOne(data, made.checkpoint, index);
            ++shifted;
        }
    }
    std::string names;
    for (const GgufTensor& tensor : description.tensors) {
        made.dtypes.emplace(TensorIndex(data.tensors.size()), Dtype::Float32);
        addVector(data, tensor.name, tensor.values, "config.json");
        names += (names.empty() ? "" : ", ") + tensor.name;
    }
    made.checkpoint = Checkpoint::make(std::move(data));
    if (shifted > 0) {
        made.decisions.push_back({DecisionId::NormsShifted, sentence("%1 increased by 1", shifted),
                                  "The model multiplies by 1 + weight, llama.cpp by the weight"});
    }
    if (!names.empty()) {
        made.decisions.push_back({DecisionId::TensorsAdded, sentence("added: %1", names),
                                  "Factors of the rotary embedding, computed from config.json"});
    }
}

void describe(GgufSource& made, const GgufInput& input, GgufDescription description) {
    std::vector<GgufTensorSize> sizes;
    for (const TensorEntry& tensor : made.checkpoint->tensors()) {
        const std::uint64_t experts =
            tensor.shape.size() > 2 ? static_cast<std::uint64_t>(tensor.shape[0]) : 1;
        sizes.push_back({tensor.name, tensor.elements(), experts});
    }
    made.metadata = std::move(description.metadata);
    const std::filesystem::path path = input.source->path().lexically_normal();
    const bool isFile = path.has_extension() && path.has_parent_path();
    const std::string name = (isFile ? path.parent_path() : path).filename().string();
    if (!name.empty()) {
        made.metadata.push_back({Value("general.name"), Value(name)});
    }
    made.metadata.push_back({Value("general.size_label"), Value(ggufSizeLabel(sizes))});
    for (Sentence& warning : description.warnings) {
        made.problems.push_back(
            {ErrorCode::Unsupported, Severity::Warning, std::move(warning), {}, {}});
    }
    made.decisions.push_back(
        {DecisionId::Metadata,
         sentence("%1 keys, %2 tokens", made.metadata.size(), description.tokens),
         "From the model's config and tokenizer files, as llama.cpp reads "
         "them"});
}

Result<GgufSource> converted(const GgufInput& input) {
    const std::string_view text = input.file("config.json");
    if (text.empty()) {
        return fail(ErrorCode::NotFound,
                    "llama.cpp needs the model's config, which is not beside the weights")
            .expecting("config.json")
            .withHint("--like FOLDER names the folder that has it; --names keep writes the "
                      "tensors alone");
    }
    CAIRN_TRY(ModelConfig config, ModelConfig::parse(text));
    if (!input.unpacked.weights.empty()) {
        for (const std::string_view field : kQuantisationFields) {
            config.remove(field);
        }
    }
    CAIRN_TRY(const GgufFamily* family, ggufFamilyOf(config));
    CAIRN_TRY(const ModelConfig settings, ggufSettings(config, *family));
    CAIRN_TRY(std::vector<TensorIndex> chosen, selectTensors(*input.source, input.request.only));
    std::erase_if(chosen, [&](TensorIndex index) {
        return input.unpacked.parts.contains(input.source->tensor(index).name);
    });
    GgufSource made;
    std::string prefix;
    CAIRN_TRY(const Converted renamed, rename(input, *family, settings, chosen, prefix));
    CAIRN_CHECK(
        checkLayers(*renamed.checkpoint, settings.integer("num_hidden_layers").value_or(0)));
    CAIRN_CHECK(checkEmbedding(*renamed.checkpoint, settings.integer("vocab_size").value_or(0),
                               settings.integer("hidden_size").value_or(0)));
    CAIRN_TRY(GgufDescription description,
              describeGguf(*family, settings,
                           [&input](std::string_view name) { return input.file(name); }));
    made.checkpoint = renamed.checkpoint;
    made.architecture = family->architecture;
    made.decisions.push_back(
        {DecisionId::NamesForLlamaCpp,
         sentence("llama.cpp's for %1: %2", family->architecture, countsOf(renamed)),
         "llama.cpp loads a model by these names only; --names keep leaves them as they are"});
    if (!prefix.empty()) {
        made.decisions.push_back({DecisionId::PrefixDropped,
                                  sentence("'%1' dropped", prefix.substr(0, prefix.size() - 1)),
                                  "Without it, the names are those of the model"});
    }
    complete(made, input, *family, description);
    if (input.expected != nullptr) {
        const GgufInput again{input.expected, nullptr,      input.request,
                              input.sidecars, input.values, input.unpacked};
        CAIRN_TRY(const Converted same, rename(again, *family, settings, chosen, prefix));
        GgufSource other;
        other.checkpoint = same.checkpoint;
        complete(other, again, *family, description);
        made.expected =
            withUnwritten(other.checkpoint, *again.source, chosen, input.request.only.subtree);
    }
    describe(made, input, std::move(description));
    made.checkpoint =
        withUnwritten(made.checkpoint, *input.source, chosen, input.request.only.subtree);
    return made;
}

} // namespace

bool convertsToGguf(const Checkpoint& source, const JobRequest& request) {
    const bool isAsked = request.names == kGguf;
    return isAsked || (request.names == "auto" && request.to == kGguf && request.only.isWeights() &&
                       source.format() != kGguf);
}

Result<GgufSource> convertToGguf(const CheckpointPtr& source, const CheckpointPtr& expected,
                                 const JobRequest& request, std::span<const Sidecar> sidecars,
                                 const Value* values, const UnpackedWeights& unpacked) {
    if (request.to != kGguf) {
        return fail(ErrorCode::InvalidArgument, "Only GGUF has llama.cpp's names and metadata")
            .inField("names")
            .butFound(sentence("--to %1", request.to))
            .expecting("--to gguf");
    }
    auto made = converted({source, expected, request, sidecars, values, unpacked});
    if (made) {
        return made;
    }
    const Error& error = made.error();
    GgufSource kept;
    const bool keeps = request.force && request.names != kGguf;
    Sentence message = sentence("llama.cpp would not load this file: %1", error.message);
    message = sentence("%1%2", message, error.found.empty() ? "" : sentence(" (%1)", error.found));
    message = sentence("%1%2", message,
                       error.expected.empty() ? "" : sentence("; expected %1", error.expected));
    kept.problems.push_back(
        {error.code, keeps ? Severity::Warning : Severity::Error, std::move(message),
         error.hint.empty() ? Sentence("--names keep writes the tensors under their own "
                                       "names, which llama.cpp cannot load")
                            : error.hint,
         error.where});
    return kept;
}

} // namespace cairn
