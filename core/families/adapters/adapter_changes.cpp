// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_changes.h"

#include "core/families/adapters/adapter_errors.h"
#include "core/families/adapters/adapter_parameters.h"
#include "core/families/adapters/adapter_places.h"

#include <algorithm>
#include <utility>

/// Source: peft 0.21, tuners/lora/layer.py (merge and get_delta_weight of Linear, Embedding and
/// ParamWrapper), tuners/lora/variants.py and dora.py, utils/save_and_load.py.
namespace cairn {
namespace {

class ChangeFinder {
public:
    ChangeFinder(const Checkpoint& adapter, const AdapterConfig& config, const AdapterBase& base,
                 const AdapterKeys& keys, std::span<const std::string> names, double scale,
                 bool rounds)
        : m_adapter(adapter), m_config(config), m_keys(keys), m_places(base, names), m_ties(base),
          m_tied(m_ties.head()), m_scale(scale), m_rounds(rounds),
          m_orientation(adapter, keys, m_places) {}

    Result<AdapterChanges> run() {
        for (const NamedTensor& each : m_keys.replaced) {
            CAIRN_CHECK(replace(each));
        }
        for (const AdapterModule& module : m_keys.modules) {
            CAIRN_CHECK(add(module));
        }
        return std::move(m_changes);
    }

private:
    [[nodiscard]] const TensorEntry& own(TensorIndex index) const {
        return m_adapter.tensor(index);
    }
    [[nodiscard]] const Checkpoint& base() const { return *m_places.base().checkpoint; }

    /// Whether this is the head that shares the embedding's numbers and is not stored.
    [[nodiscard]] bool isUnstoredHead(std::string_view name) const {
        return m_tied && !m_tied->head && name == m_tied->headName;
    }

    [[nodiscard]] Error notInBase(const std::string& name, const std::string& sought) const {
        return m_ties.isTied(sought) ? m_ties.tiedElsewhere(sought)
                                     : adapterErrors::notInBase(m_places.base(), name, sought);
    }

    /// Whether a tensor that was trained beside the adapter is of a module of which the base has
    /// nothing: LLaVA's base is a language model, and its projector is only in the adapter's
    /// folder.
    [[nodiscard]] bool isOfNewModule(const NamedTensor& each) const {
        const std::size_t inner = each.name.find('.', each.name.find('.') + 1);
        if (!m_keys.beside.contains(each.tensor) || inner == std::string::npos) {
            return false;
        }
        const std::string_view module = std::string_view(each.name).substr(0, inner + 1);
        return std::ranges::none_of(m_places.base().tensors, [&](const NamedTensor& known) {
            return known.name.starts_with(module);
        });
    }

    Result<void> replace(const NamedTensor& each) {
        const TensorEntry& values = own(each.tensor);
        AdapterOperation operation;
        operation.values = each.tensor;
        CAIRN_CHECK(adapterErrors::checkAdapter(own(each.tensor), values.shape.size()));
        if (isUnstoredHead(each.name)) {
            m_changes.head.push_back(operation);
            return {};
        }
        CAIRN_TRY(const auto places, m_places.find({each.name, values.shape}));
        if (places.empty() && isOfNewModule(each)) {
            m_changes.added.push_back(each);
            return {};
        }
        if (places.empty()) {
            return notInBase(own(each.tensor).name, each.name);
        }
        const TensorEntry& found = base().tensor(places.front().tensor);
        if (places.size() > 1 || !places.front().whole) {
            return fail(ErrorCode::Unsupported, "A replaced tensor is stored in several parts")
                .inTensor(values.name);
        }
        CAIRN_CHECK(adapterErrors::checkBase(base().tensor(places.front().tensor)));
        if (found.shape != values.shape) {
            const bool vocabulary = found.shape.size() == 2 && values.shape.size() == 2 &&
                                    found.shape[1] == values.shape[1] &&
                                    isVocabularyTensor(each.name);
            if (!vocabulary || (m_changes.vocabulary && *m_changes.vocabulary != values.shape[0])) {
                return adapterErrors::wrongShape(found, values.shape);
            }
            m_changes.vocabulary = values.shape[0];
        }
        m_changes.tensors[places.front().tensor].push_back(operation);
        return {};
    }

    Result<void> add(const AdapterModule& module) {
        if (module.tokens) {
            CAIRN_CHECK(addTokens(module));
        }
        if (module.embeddingA || module.embeddingB) {
            CAIRN_CHECK(addEmbedding(module));
        }
        const bool linear = module.a || module.b || module.bias || module.magnitude;
        if (!linear) {
            return {};
        }
        if (!module.a || !module.b) {
            return adapterErrors::missingHalf(module.path, "lora_A.weight and lora_B.weight");
        }
        CAIRN_CHECK(adapterErrors::checkPair(own(*module.a), own(*module.b)));
        if (own(*module.a).shape[0] == 0) {
            return adapterErrors::missingHalf(module.path, "matrices with at least one row");
        }
        return isParameter(module) ? addParameter(module) : addLinear(module);
    }

    /// A stack of experts, or another tensor that PEFT changes without a layer of its own: not a
    /// linear layer, which has its own weight and is below no name with a dot. Names without a dot
    /// mean tensors of all modules that have them.
    [[nodiscard]] bool isParameter(const AdapterModule& module) const {
        const bool named = std::ranges::any_of(m_config.parameters, [&](const std::string& name) {
            const std::size_t dot = name.rfind('.');
            return dot != std::string::npos && isNamed(module.path, name.substr(0, dot));
        });
        if (module.depth > 0 || named) {
            return true;
        }
        const auto own = [&](const std::string& name) {
            return name == "weight" || !hasWeight(module);
        };
        return std::ranges::any_of(m_config.parameters, own);
    }

    /// Whether the base has a weight of the shape of a layer with these matrices.
    [[nodiscard]] bool hasWeight(const AdapterModule& module) const {
        const std::string name = module.path + ".weight";
        if (isUnstoredHead(name) || m_places.stored(name)) {
            return true;
        }
        const auto places = m_places.find({name, layerShape(module)});
        return places && !places->empty();
    }

    /// Of the weight of a linear layer or of a convolution that has these matrices.
    [[nodiscard]] Shape layerShape(const AdapterModule& module) const {
        Shape shape = own(*module.a).shape;
        shape[0] = own(*module.b).shape[0];
        return shape;
    }

    Result<AdapterOperation> product(const std::string& key, TensorIndex a, TensorIndex b,
                                     std::int64_t rank) const {
        AdapterOperation operation;
        operation.kind = AdapterOperation::Kind::LowRank;
        operation.values = b;
        operation.factor = a;
        operation.rank = rank;
        CAIRN_TRY(const double alpha, m_config.alphaOf(key));
        operation.scale = static_cast<float>(m_config.scaling(m_scale * alpha, rank));
        const Shape& kernels = own(a).shape;
        const bool hasKernel = asMatrix(kernels)[1] != kernels[1];
        operation.fused =
            hasKernel ? fusesKernels(kernels[1]) : fusesProducts(own(b).shape[0], kernels[1]);
        operation.rounds = m_rounds || m_config.inModelDtype;
        operation.roundsFactors = m_config.inModelDtype;
        return operation;
    }

    Result<void> addLinear(const AdapterModule& module) {
        const std::int64_t rank = own(*module.a).shape[0];
        CAIRN_TRY(const std::int64_t wanted, m_config.rankOf(module.path));
        if (rank != wanted) {
            return adapterErrors::wrongRank(own(*(module.a ? module.a : module.embeddingA)),
                                            wanted);
        }
        CAIRN_TRY(AdapterOperation operation, product(module.path, *module.a, *module.b, rank));
        Shape shape = layerShape(module);
        operation.transposed = shape.size() == 2 && m_orientation.isTransposed(module, m_config);
        CAIRN_CHECK(addMagnitude(module, operation));
        if (operation.transposed) {
            std::swap(shape[0], shape[1]);
        }
        const MemoryTensor memory{module.path + ".weight", shape};
        CAIRN_CHECK(addProduct(*module.a, memory, operation));
        return module.bias ? addBias(module, operation.scale) : Result<void>();
    }

    Result<void> addMagnitude(const AdapterModule& module, AdapterOperation& operation) const {
        if (module.magnitude.has_value() != m_config.dora) {
            return m_config.dora
                       ? adapterErrors::missingHalf(module.path,
                                                    "lora_magnitude_vector, required by use_dora")
                       : fail(ErrorCode::Unsupported,
                              "The adapter contains magnitudes, but its settings exclude DoRA")
                             .inTensor(own(*module.magnitude).name)
                             .inField("use_dora");
        }
        if (module.magnitude) {
            CAIRN_CHECK(adapterErrors::checkAdapter(own(*module.magnitude), 1));
            if (own(*module.a).shape.size() != 2) {
                return fail(ErrorCode::Unsupported, "DoRA of a convolution cannot be folded")
                    .inTensor(own(*module.a).name);
            }
            if (own(*module.magnitude).shape[0] != own(*module.b).shape[0]) {
                return adapterErrors::wrongShape(own(*module.magnitude),
                                                 Shape{own(*module.b).shape[0]});
            }
            operation.magnitude = module.magnitude;
            operation.rounds = false;
        }
        return {};
    }

    /// Adds a product to the stored tensors that are one in memory.
    Result<void> addProduct(TensorIndex named, const MemoryTensor& memory,
                            const AdapterOperation& operation) {
        if (isUnstoredHead(memory.name)) {
            const TensorEntry& embedding = base().tensor(m_tied->embedding);
            if (embedding.shape != memory.shape) {
                return adapterErrors::wrongShape(embedding, memory.shape);
            }
            CAIRN_CHECK(adapterErrors::checkBase(base().tensor(m_tied->embedding)));
            m_changes.head.push_back(operation);
            return {};
        }
        CAIRN_TRY(const auto places, m_places.find(memory));
        if (places.empty()) {
            return notInBase(own(named).name, memory.name);
        }
        for (const AdapterPlace& place : places) {
            CAIRN_CHECK(addTo(place, memory, operation));
        }
        return {};
    }

    Result<void> addTo(const AdapterPlace& place, const MemoryTensor& memory,
                       AdapterOperation operation) {
        CAIRN_CHECK(adapterErrors::checkBase(base().tensor(place.tensor)));
        const TensorEntry& found = base().tensor(place.tensor);
        const auto changed = m_changes.tensors.find(place.tensor);
        const bool grown = changed != m_changes.tensors.end() && !changed->second.empty() &&
                           changed->second.front().kind == AdapterOperation::Kind::Replace;
        const Shape& shape = grown ? own(changed->second.front().values).shape : found.shape;
        if (place.whole && shape != memory.shape) {
            return adapterErrors::wrongShape(found, memory.shape);
        }
        if (!place.whole && operation.magnitude) {
            return fail(ErrorCode::Unsupported,
                        "The norms of this tensor's rows cannot be found where it is stored in "
                        "parts")
                .inTensor(found.name);
        }
        const bool swapped = operation.transposed;
        operation.firstExpert = place.firstExpert;
        operation.firstOut = swapped ? place.firstIn : place.firstOut;
        operation.firstIn = swapped ? place.firstOut : place.firstIn;
        operation.transposed = swapped != place.transposed;
        m_changes.tensors[place.tensor].push_back(operation);
        return {};
    }

    Result<void> addBias(const AdapterModule& module, float scale) {
        CAIRN_CHECK(adapterErrors::checkAdapter(own(*module.bias), 1));
        const Shape& shape = own(*module.bias).shape;
        CAIRN_TRY(const auto places, m_places.find({module.path + ".bias", shape}));
        if (places.size() != 1 || !places.front().whole) {
            return fail(ErrorCode::NotFound,
                        "The adapter changes a bias that the base does not have")
                .inTensor(own(*module.bias).name)
                .expecting(sentence("%1.bias", module.path));
        }
        CAIRN_CHECK(adapterErrors::checkBase(base().tensor(places.front().tensor)));
        if (base().tensor(places.front().tensor).shape != shape) {
            return adapterErrors::wrongShape(base().tensor(places.front().tensor), shape);
        }
        AdapterOperation operation;
        operation.kind = AdapterOperation::Kind::Vector;
        operation.values = *module.bias;
        operation.scale = scale;
        m_changes.tensors[places.front().tensor].push_back(operation);
        return {};
    }

    Result<void> addEmbedding(const AdapterModule& module) {
        if (!module.embeddingA || !module.embeddingB) {
            return adapterErrors::missingHalf(module.path, "lora_embedding_A and lora_embedding_B");
        }
        if (module.magnitude || m_config.dora) {
            return fail(ErrorCode::Unsupported, "DoRA of an embedding cannot be folded")
                .inTensor(own(*module.embeddingA).name);
        }
        CAIRN_CHECK(adapterErrors::checkAdapter(own(*module.embeddingA), 2));
        CAIRN_CHECK(adapterErrors::checkAdapter(own(*module.embeddingB), 2));
        const std::int64_t rank = own(*module.embeddingA).shape[0];
        CAIRN_TRY(const std::int64_t wanted, m_config.rankOf(module.path));
        if (rank != wanted || own(*module.embeddingB).shape[1] != rank) {
            return adapterErrors::wrongRank(own(*(module.a ? module.a : module.embeddingA)),
                                            wanted);
        }
        CAIRN_TRY(AdapterOperation operation,
                  product(module.path, *module.embeddingA, *module.embeddingB, rank));
        operation.rounds = true;
        operation.transposed = true;
        const Shape shape{own(*module.embeddingA).shape[1], own(*module.embeddingB).shape[0]};
        CAIRN_CHECK(addProduct(*module.embeddingA, {module.path + ".weight", shape}, operation));
        const bool both = m_config.tiesWeights && m_tied && m_tied->head && !hasOwnHead() &&
                          m_places.stored(module.path + ".weight") == m_tied->embedding;
        return both ? addProduct(*module.embeddingA, {m_tied->headName, shape}, operation)
                    : Result<void>();
    }

    /// Whether the adapter has matrices for the head, too.
    [[nodiscard]] bool hasOwnHead() const {
        return std::ranges::any_of(m_keys.modules, [&](const AdapterModule& each) {
            return each.a && each.path + ".weight" == m_tied->headName;
        });
    }

    Result<void> addTokens(const AdapterModule& module) {
        CAIRN_CHECK(adapterErrors::checkAdapter(own(*module.tokens), 2));
        const TensorEntry& values = own(*module.tokens);
        const auto rows = std::ranges::find_if(m_config.tokens, [&](const auto& each) {
            return each.first.empty() || isNamed(module.path, each.first);
        });
        if (rows == m_config.tokens.end() ||
            static_cast<std::int64_t>(rows->second.size()) != values.shape[0]) {
            return fail(ErrorCode::Unsupported,
                        "The settings do not identify these rows of the embedding")
                .inTensor(values.name)
                .inField("trainable_token_indices")
                .butFound(sentence("%1 rows", values.shape[0]));
        }
        AdapterOperation operation;
        operation.kind = AdapterOperation::Kind::Rows;
        operation.values = *module.tokens;
        operation.rows = rows->second;
        const std::string name = module.path + ".weight";
        if (isUnstoredHead(name)) {
            return {}; // the embedding's rows are its own
        }
        const auto tensor = m_places.stored(name);
        if (!tensor) {
            return adapterErrors::notInBase(m_places.base(), own(*module.tokens).name, name);
        }
        CAIRN_CHECK(addRows(*tensor, operation));
        const bool both = m_tied && m_tied->head && *tensor == m_tied->embedding;
        return both ? addRows(*m_tied->head, operation) : Result<void>();
    }

    Result<void> addRows(TensorIndex tensor, const AdapterOperation& operation) {
        CAIRN_CHECK(adapterErrors::checkBase(base().tensor(tensor)));
        const TensorEntry& found = base().tensor(tensor);
        const TensorEntry& values = own(operation.values);
        const bool inside = found.shape.size() == 2 && found.shape[1] == values.shape[1] &&
                            std::ranges::all_of(operation.rows, [&](std::int64_t row) {
                                return row < found.shape[0];
                            });
        if (!inside) {
            return adapterErrors::wrongShape(found, values.shape);
        }
        m_changes.tensors[tensor].push_back(operation);
        return {};
    }

    /// The tensors that target_parameters names; several of one module are told by their shapes.
    Result<void> addParameter(const AdapterModule& module) {
        std::vector<std::pair<MemoryTensor, AdapterOperation>> fitting;
        std::string sought = module.path;
        std::optional<std::int64_t> unsuitable;
        for (const std::string& full : parametersBelow(module.path, m_config)) {
            sought = full;
            CAIRN_TRY(const std::int64_t rank, m_config.rankOf(full));
            const std::int64_t rows = own(*module.a).shape[0];
            if (rank < 1 || rows % rank != 0) {
                unsuitable = rank;
                continue; // of another tensor below this module
            }
            const StackedMatrices matrices{rows / rank, own(*module.b).shape[0],
                                           own(*module.a).shape[1]};
            if (const auto found = fitParameter(m_places, full, matrices)) {
                CAIRN_TRY(AdapterOperation operation, product(full, *module.a, *module.b, rank));
                operation.experts = matrices.experts;
                operation.rounds = true;
                operation.transposed = found->transposed;
                fitting.emplace_back(found->memory, operation);
            }
        }
        if (fitting.empty()) {
            return unsuitable ? adapterErrors::wrongRank(own(*module.a), *unsuitable)
                              : notInBase(own(*module.a).name, sought);
        }
        if (fitting.size() > 1) {
            return fail(ErrorCode::Unsupported,
                        "Two tensors of the same shape could be the one that this matrix changes")
                .inTensor(own(*module.a).name)
                .inField("target_parameters")
                .butFound(sentence("%1, %2", fitting[0].first.name, fitting[1].first.name));
        }
        return addProduct(*module.a, fitting.front().first, fitting.front().second);
    }

    const Checkpoint& m_adapter;
    const AdapterConfig& m_config;
    const AdapterKeys& m_keys;
    AdapterPlaces m_places;
    BaseTies m_ties;
    const std::optional<TiedHead>& m_tied;
    double m_scale;
    bool m_rounds;
    ModuleOrientation m_orientation;
    AdapterChanges m_changes;
};

} // namespace

Result<AdapterChanges> findChanges(const Checkpoint& adapter, const AdapterConfig& config,
                                   const AdapterBase& base, const AdapterKeys& keys, double scale,
                                   bool rounds) {
    std::vector<std::string> names;
    for (const AdapterModule& each : keys.modules) {
        names.push_back(each.path + ".weight");
    }
    for (const NamedTensor& each : keys.replaced) {
        names.push_back(each.name);
    }
    return ChangeFinder(adapter, config, base, keys, names, scale, rounds).run();
}

} // namespace cairn
