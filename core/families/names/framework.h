// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/families/names/recipe.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Frameworks that have their own names and layouts for the models of other libraries: Megatron,
/// Meta's native files. What is known of each is data.
namespace cairn {

/// One field of the config that a framework's own settings give. `value` is an Expression over
/// these settings (Integer, Flag), the names of settings of which the first that exists is copied
/// (Number), or a text (Text).
struct ConfigRow {
    enum class Kind : std::uint8_t { Integer, Number, Flag, Text };
    std::string_view families; ///< words; empty: all
    std::string_view field;    ///< in config.json; with a dot in an object of it
    Kind kind = Kind::Integer;
    std::string_view value;
    std::string_view when{}; ///< Expression over the settings; empty: always
};

/// How the family of a model shows in its tensors: the first row counts all of whose patterns match
/// a name.
struct FamilyRow {
    std::string_view family;   ///< as `model_type` calls it
    std::string_view patterns; ///< words; empty: always
    std::string_view modelClass;
};

/// Settings with which a model cannot be expressed by the recipe.
struct RefusedSetting {
    std::string_view families;  ///< words; empty: all
    std::string_view condition; ///< Expression over the settings
    std::string_view message;
    /// It concerns the config that follows from the settings; a given config decides itself.
    bool onlyConfig = false;
    std::string_view number{}; ///< a setting, instead of a condition: refused unless it is 1
};

/// A setting that only the tensors tell: the extent of a dimension of those that match, or the
/// smallest number in their names.
struct FactRow {
    std::string_view setting;
    std::string_view pattern;
    int dim = 0;
    static constexpr int kSmallestNumber = -1;
};

/// The Python module of a class in settings, and the families that its classes are for.
struct ClassRow {
    std::string_view module;   ///< "nemo.collections.llm.gpt.model.llama"
    std::string_view families; ///< words
};

/// Settings that another program writes for models of a framework, with the same names.
struct SettingsForm {
    std::string_view name;    ///< what contains them, as Framework::settings
    std::string_view part;    ///< of them, in which the fields are
    std::string_view classes; ///< fields that name classes, all of which are known; words
    std::span<const ClassRow> known;
};

struct Framework {
    std::string_view id;       ///< "megatron"
    std::string_view title;    ///< "Megatron-core"
    std::string_view anchors;  ///< patterns, all of which every such model has; the first is a
                               ///< name, or several ("a|b") of which there is one
    std::string_view settings; ///< what contains its settings: "args", a key of the plain values,
                               ///< or "params.json", a file beside the checkpoint
    std::span<const FactRow> facts;
    std::span<const FamilyRow> families;
    std::span<const ConfigRow> config;
    std::span<const RefusedSetting> refused;
    std::string_view common;   ///< recipe: the forms of a tensor that the framework has
    std::string_view rules;    ///< recipe: from these to the library's names
    std::string_view variants; ///< recipe: what single families call differently
    std::span<const SettingsForm> otherSettings{}; ///< if there are none under `settings`
    /// Recipe: from the slices of tensor parallelism, "slice.{r}." and a name, to the forms. It has
    /// the fields of the config, or else of the settings. Empty: models are not cut.
    std::string_view slices{};
    std::string_view sliceCount{}; ///< the setting with their number
    /// Recipe: from one tensor per layer to the keys of a training state. Empty: there is none.
    std::string_view stored{};
    std::string_view trained{}; ///< families whose training states are converted; words
    /// The opposite of `config`: fields of the framework's settings from those of the config.
    std::span<const ConfigRow> fromConfig{};
    std::span<const RefusedSetting> unstored{}; ///< conditions over the config
};

/// framework_megatron.cpp, framework_native.cpp, framework_neox.cpp.
const Framework& megatron();
std::span<const ConfigRow> megatronArgs();          ///< Framework::fromConfig
std::span<const RefusedSetting> megatronUnstored(); ///< Framework::unstored
const Framework& nativeNames();
const Framework& torchtune();
const Framework& litGpt();
const Framework& gptNeox();
std::span<const Framework* const> knownFrameworks();
/// Null: there is none of this id.
const Framework* findFramework(std::string_view id);

/// One field of the config, and where it is from.
struct ConfigField {
    std::string name;
    std::variant<std::int64_t, double, bool, std::string> value;
    std::string from;
};

/// A checkpoint of another framework under the names of its model's library.
struct FrameworkConversion {
    const Framework* framework = nullptr;
    const FamilyRow* family = nullptr;
    Converted made;
    std::string prefix;              ///< was dropped from all names
    std::vector<ConfigField> config; ///< from the settings; empty if a config was given
    bool paddedVocabulary = false;   ///< the true size of the vocabulary is not known
    std::size_t slices = 1;          ///< of tensor parallelism, which were joined
    std::size_t summed = 0;          ///< tensors that are sums or means of those of the slices
};

/// The settings under a name of Framework::settings; nothing if there are none.
using SettingsFinder = std::function<std::optional<ModelConfig>(std::string_view name)>;

/// Gives a converted checkpoint with its sums, which are computed when they are read. `base` is the
/// checkpoint that the parts are tensors of.
using SumSource =
    std::function<CheckpointPtr(const CheckpointPtr& base, const Converted& converted)>;

/// What a conversion is made from.
struct FrameworkRequest {
    CheckpointPtr base;
    std::span<const NamedTensor> tensors;
    const ModelConfig* config = nullptr; ///< that of the model's library; null: there is none
    std::string_view family;             ///< as the user named it; empty: as the config tells
    /// Entries of the tokenizer, for a vocabulary that is stored with padding.
    std::optional<std::int64_t> vocabulary{};
    SumSource sums{}; ///< null: slices whose tensors are added up are refused
    /// Tensors may be missing that do not belong to others: moments of frozen parameters.
    bool isPartial = false;
    /// Of the weights of the same model, for moments, which need not show whose they are: its
    /// framework, prefix, family and config. Null: the tensors decide.
    const FrameworkConversion* weights = nullptr;
};

/// From the names of a framework to those of the model's library. Nothing if the tensors are of no
/// known framework. Without a config, it follows from the framework's own settings. Fails with the
/// errors of convertTensors() and checkComplete(); Unsupported if a tensor has no rule or is not
/// below the same prefix, or a setting contradicts the rules; NotFound if a number is in no
/// setting.
Result<std::optional<FrameworkConversion>> convertFramework(const FrameworkRequest& request,
                                                            const SettingsFinder& settings);

/// The opposite: from the names of the model's library to those of a framework, one tensor per
/// layer, by undoing its recipe (inverse.h). Fails with the errors of convertTensors() and
/// checkComplete(); Unsupported for a family that the framework's recipe does not know, and for a
/// tensor for which no rule can be undone; NotFound without a config.
Result<FrameworkConversion> convertToFramework(const FrameworkRequest& request,
                                               const Framework& framework);

ModelConfig configOfFields(const std::vector<ConfigField>& fields);

/// Whether training states of models of this family are converted (Framework::trained).
bool isTrainedFamily(const Framework& framework, std::string_view family);

/// The framework's settings for a model with this config (Framework::fromConfig): what it compares
/// when it loads a training state.
std::vector<ConfigField> settingsOf(const Framework& framework, const ModelConfig& config);

/// The same as convertToFramework(), then to the keys that the framework stores in a training state
/// (Framework::stored): layers are one tensor. Also fails with Unsupported for a family that is not
/// in Framework::trained, or a config of Framework::unstored.
Result<FrameworkConversion> convertToStored(const FrameworkRequest& request,
                                            const Framework& framework);

} // namespace cairn
