// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/expected/expected.h"
#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which known class (expected.h) the tensors of an output belong to, and how they differ from its
/// tensors. Pure; any thread.
namespace cairn {

/// A tensor of an output.
struct OutputTensor {
    std::string name;
    Shape shape;
    Dtype dtype = Dtype::Float32;
};

/// Whether the loader of a class takes tensors as its weights, by names, shapes and kinds: the one
/// answer for `info`, `check` and what a job writes.
enum class LoaderAnswer : std::uint8_t {
    Unknown,   ///< the class or the layout of its weights is not known
    Undecided, ///< other names, perhaps those of an earlier release, which loaders know, or parts
               ///< of a quantised layout that are not known, or a config that contradicts itself
    All,       ///< exactly the tensors that the class has
    Part,      ///< all of them, and others that the loader leaves out
    No,        ///< it refuses them, or initialises weights at random
};

/// What distinguishes the tensors of an output from those of a model.
struct TensorDifference {
    std::vector<std::string> missing; ///< sorted, like the others
    std::vector<std::string> unexpected;
    /// "NAME [2, 3] instead of [2, 4]", "NAME int32 instead of floats".
    std::vector<std::string> misshapen;
    std::size_t required = 0;  ///< tensors that the model cannot do without
    std::size_t quantised = 0; ///< of these, in a quantised layout: their shapes are not compared
    bool hasLayout = false;    ///< the config describes a quantised layout

    [[nodiscard]] std::size_t count() const {
        return missing.size() + unexpected.size() + misshapen.size();
    }
};

/// A class, and how an output fits it.
struct ModelFit {
    const KnownModel* model = nullptr;
    ExpectedTensors expected;
    std::string prefix;          ///< without it, the names fit best; empty: as they are
    TensorDifference difference; ///< of the names without the prefix
    bool underBase = false;      ///< complete, under the base's names, which its loader accepts
    std::vector<std::string_view> alsoFits; ///< other classes that fit completely
    /// The class of the type that fits completely, if this one does not; null: none.
    const KnownModel* other = nullptr;
    /// What is missing may be there under names of an earlier release: the unexpected tensors have
    /// as many elements, and are not those of `other`.
    bool mayBeOlder = false;
    /// The config records a quantised layout that is not known.
    bool isLayoutUnknown = false;

    /// Whether it is a model without a head, which others of its type have in front of theirs.
    [[nodiscard]] bool isBase() const;
    /// Of the names as they are: with something in front of them, nothing is found.
    [[nodiscard]] LoaderAnswer answer() const;
    /// Of the names without the prefix.
    [[nodiscard]] LoaderAnswer answerWithoutPrefix() const;
};

/// Names that from_pretrained() does not take, whatever the class is: it would initialise every
/// weight at random.
enum class ForeignNames : std::uint8_t {
    None,
    SingleFile, ///< of an original checkpoint, which diffusers converts by from_single_file()
    TensorFlow, ///< of transformers' models of TensorFlow, which from_tf=True converts
};

/// SingleFile: a tensor of a class that diffusers converts has a name of the original checkpoints
/// (Flux, Stable Diffusion 1 to 3, HunyuanVideo, their autoencoders). TensorFlow: all names are
/// those of variables, and the config names a class of the library. A class with code of its own
/// may have any names.
ForeignNames foreignNames(const ModelConfig& config, std::span<const OutputTensor> tensors);
/// The first name of an original checkpoint of diffusion models; empty: none.
std::string originalDiffusionName(std::span<const OutputTensor> tensors);

/// The class that `architectures` names or, if the config has none, the class of `model_type` that
/// fits best. Nothing if it is not known. Fails with the errors of ExpectedTensors::of(). Linear in
/// names.
Result<std::optional<ModelFit>> fitModel(const ModelConfig& config,
                                         std::span<const OutputTensor> tensors);

/// The same, whatever `architectures` names.
Result<std::optional<ModelFit>> inferModel(const ModelConfig& config,
                                           std::span<const OutputTensor> tensors);

/// The class that the config names, without a look at its type; empty: none.
std::string modelClass(const ModelConfig& config);

/// Whether an error of fitModel() only means that nothing is known of such a model; otherwise the
/// config does not fit its class.
bool isModelUnknown(const Error& error);

/// The known class that the config names, if its model_type is that of other classes: the config
/// contradicts itself. Null: it does not.
const KnownModel* contradictedModel(const ModelConfig& config);

} // namespace cairn
