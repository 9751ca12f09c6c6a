// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/model_findings.h"

#include "core/base/counted.h"
#include "core/families/adapters/adapter.h"
#include "core/families/expected/model_fit.h"
#include "core/families/names/conversion.h"
#include "core/families/quantised/quantised.h"
#include "core/model/names/role_words.h"
#include "core/model/role_decision.h"
#include "core/model/wrapper_names.h"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn {
namespace {

bool isParameter(const TensorEntry& tensor) {
    return tensor.role == Role::Weight && names::isParameterName(tensor.name);
}

/// Files that hold adapters only, which PEFT loads.
bool isAdapterFile(const Checkpoint& checkpoint) {
    return std::ranges::any_of(checkpoint.files(), [](const CheckpointFile& file) {
        return std::filesystem::path(file.path).filename().string().starts_with("adapter_model.");
    });
}

class ModelCheck {
public:
    ModelCheck(const Checkpoint& checkpoint, const CheckedModel& model)
        : m_checkpoint(checkpoint), m_model(model) {}

    ModelFindings run() {
        if (m_checkpoint.completeness() == Completeness::Incomplete) {
            return std::move(m_found); // what is missing is reported already
        }
        const bool known = m_model.config != nullptr && !isAdapterFile(m_checkpoint) &&
                           compareWithClass(*m_model.config);
        if (!known) {
            checkEmptyWeights();
        }
        checkAny();
        return std::move(m_found);
    }

private:
    void add(bool isError, Error error) {
        m_found.notices.push_back(
            {isError ? Severity::Error : Severity::Warning, std::move(error)});
    }

    /// A finding because of which the loader does not take the weights, or may not.
    void refuse(LoaderAnswer answer, bool isError, Error error) {
        ModelAnswer& found = m_found.answer;
        if (found.why.empty() || (found.answer != LoaderAnswer::No && answer == LoaderAnswer::No)) {
            found.answer = answer;
            found.why = error.message;
        }
        add(isError, std::move(error));
    }

    /// "a.weight [0], and 3 more".
    static Sentence someOf(const std::vector<std::string>& names) {
        return names.size() > 1 ? sentence("%1, and %2 more", names.front(), names.size() - 1)
                                : sentence("%1", names.front());
    }

    static std::string nameIn(const std::string& text) { return text.substr(0, text.find(' ')); }

    void checkAny() {
        const bool any = std::ranges::any_of(
            m_checkpoint.tensors(), [](const TensorEntry& each) { return isModelRole(each.role); });
        if (!any && m_model.isItsFolder) {
            add(true, fail(ErrorCode::NotStored, "The checkpoint has no weights")
                          .expecting("the tensors of the config's model"));
        } else if (m_checkpoint.tensors().empty()) {
            add(false, fail(ErrorCode::NotStored, "The checkpoint has no tensors"));
        }
    }

    /// ZeRO-3 and FSDP leave a module with empty parameters on each rank, which a save by hand
    /// stores.
    void checkEmptyWeights() {
        std::vector<std::string> empty;
        std::size_t parameters = 0;
        for (const TensorEntry& tensor : m_checkpoint.tensors()) {
            if (isParameter(tensor)) {
                ++parameters;
                if (tensor.elements() == 0) {
                    empty.push_back(tensor.name + " " + formatDims(tensor.shape));
                }
            }
        }
        if (!empty.empty()) {
            const bool all = empty.size() == parameters;
            add(all || isAdapterFile(m_checkpoint), emptyError(empty));
        }
    }

    static Error emptyError(const std::vector<std::string>& empty) {
        return fail(ErrorCode::NotStored,
                    sentence("%1 without elements", counting(empty.size(), "weight")))
            .inTensor(nameIn(empty.front()))
            .butFound(someOf(empty))
            .withHint("The save was made while the parameters were distributed over ranks; use the "
                      "shards, or save what the training framework gathers");
    }

    /// False: nothing is known of the class, or its names are not those of the tensors.
    bool compareWithClass(const ModelConfig& config) {
        std::vector<NamedTensor> named;
        const std::span<const TensorEntry> tensors = m_checkpoint.tensors();
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (isModelRole(tensors[i].role)) {
                named.push_back({TensorIndex(i), currentNormName(tensors[i].name)});
            }
        }
        if (named.empty()) {
            return false;
        }
        const std::vector<OutputTensor> all = outputs(named);
        if (reportForeign(config, all)) {
            return true;
        }
        auto fit = fitModel(config, all);
        if (!fit) {
            return reportMisfit(std::move(fit).error());
        }
        if (!*fit) {
            return reportContradiction(config);
        }
        const TensorDifference& difference = (*fit)->difference;
        m_found.answer.answer = (*fit)->answerWithoutPrefix();
        if (m_found.answer.answer == LoaderAnswer::Unknown) {
            return false;
        }
        m_found.answer.model = (*fit)->model->name;
        if (difference.count() == 0) {
            return reportPrefix(**fit);
        }
        if (isInMemory(config, named)) {
            m_found.answer.answer = LoaderAnswer::All;
            return true;
        }
        if (reportAdapter(named)) {
            return true;
        }
        if (difference.missing.size() * 2 > difference.required) {
            return reportOthers(**fit, named);
        }
        reportPrefix(**fit);
        reportDifference(**fit);
        return true;
    }

    std::vector<OutputTensor> outputs(const std::vector<NamedTensor>& named) const {
        std::vector<OutputTensor> made;
        for (const NamedTensor& each : named) {
            const TensorEntry& tensor = m_checkpoint.tensor(each.tensor);
            made.push_back({each.name, tensor.shape, tensor.dtype});
        }
        return made;
    }

    /// Names of the model in memory, which from_pretrained accepts like the published ones.
    bool isInMemory(const ModelConfig& config, const std::vector<NamedTensor>& named) const {
        const auto conversion = chooseConversion(named, &config, publishedRecipes());
        if (!conversion || !*conversion || !(*conversion)->prefix.empty()) {
            return false;
        }
        const CheckpointPtr whole = Checkpoint::make(m_checkpoint.data());
        const auto converted =
            convertTensors(whole, (*conversion)->tensors, (*conversion)->recipe, config);
        if (!converted) {
            return false;
        }
        std::vector<OutputTensor> made;
        for (const TensorEntry& tensor : converted->checkpoint->tensors()) {
            made.push_back({tensor.name, tensor.shape, tensor.dtype});
        }
        const auto fit = fitModel(config, made);
        return fit && *fit && (*fit)->difference.count() == 0 && (*fit)->prefix.empty();
    }

    /// Names that the class's loader does not take, whatever the class is.
    bool reportForeign(const ModelConfig& config, const std::vector<OutputTensor>& tensors) {
        switch (foreignNames(config, tensors)) {
        case ForeignNames::SingleFile:
            refuse(LoaderAnswer::No, false,
                   fail(ErrorCode::TensorNotFound,
                        sentence("The names are those of the original checkpoint, which only "
                                 "%1.from_single_file(FILE) of diffusers converts",
                                 config.text("_class_name").value_or("")))
                       .inTensor(originalDiffusionName(tensors)));
            return true;
        case ForeignNames::TensorFlow:
            if (!m_model.isItsFolder) { // such as a tf_model.h5
                return false;
            }
            refuse(LoaderAnswer::No, true,
                   fail(ErrorCode::TensorNotFound,
                        "The names are those of TensorFlow in transformers 4, which converts them: "
                        "from_pretrained(FOLDER, from_tf=True)")
                       .inTensor(tensors.front().name));
            return true;
        case ForeignNames::None:
            break;
        }
        return false;
    }

    /// The config does not fit its class.
    bool reportMisfit(Error error) {
        if (isModelUnknown(error)) {
            return false;
        }
        refuse(LoaderAnswer::No, m_model.isItsFolder, std::move(error));
        return true;
    }

    bool reportContradiction(const ModelConfig& config) {
        if (const KnownModel* known = contradictedModel(config); known != nullptr) {
            refuse(
                LoaderAnswer::Undecided, false,
                fail(ErrorCode::Unsupported,
                     sentence("The config contradicts itself: %1 is a class of model_type %2, "
                              "not %3",
                              known->name, known->type, config.text("model_type").value_or(""))));
        }
        return false;
    }

    /// All names have something in front that the class does not have. Another program may want it.
    bool reportPrefix(const ModelFit& fit) {
        const bool isForgiven = fit.prefix == fit.model->prefix; // from_pretrained drops this one
        if (!fit.prefix.empty() && m_model.isItsFolder) {
            const Sentence what =
                isForgiven ? Sentence("The names have the prefix of the class's base twice, which "
                                      "only some loaders accept")
                           : "The names begin with what the class does not have, so that its "
                             "loader would initialise the weights at random";
            Error error = fail(ErrorCode::TensorNotFound, what)
                              .butFound(verbatim(fit.prefix))
                              .expecting(sentence("the names of %1", fit.model->name))
                              .withHint("`cairn-cli consolidate PATH -o OUT --bundle` drops it");
            if (isForgiven) {
                m_found.answer.note = error.message;
                add(false, std::move(error));
            } else {
                refuse(LoaderAnswer::No, true, std::move(error));
            }
        }
        return true;
    }

    /// Other names than the published ones: a wrapper's, those of another program, or perhaps of an
    /// earlier release, which loaders know.
    bool reportOthers(const ModelFit& fit, const std::vector<NamedTensor>& named) {
        if (!m_model.isItsFolder) {
            m_found.answer = {};
            return false;
        }
        const auto wrapped = std::ranges::find_if(
            named, [](const NamedTensor& each) { return withoutWrappers(each.name) != each.name; });
        const bool isWrapped = wrapped != named.end();
        const bool isRefused = isWrapped || !fit.mayBeOlder;
        refuse(isRefused ? LoaderAnswer::No : LoaderAnswer::Undecided, isWrapped,
               fail(ErrorCode::TensorNotFound,
                    isWrapped
                        ? Sentence("A wrapper's prefix is left in the names, so that the class's "
                                   "loader would initialise the weights at random")
                        : "The names are not those of the config's class; its loader would "
                          "initialise at random what it does not find")
                   .inTensor(isWrapped ? wrapped->name : named.front().name)
                   .expecting(sentence("the tensors of %1", fit.model->name))
                   .withHint("`cairn-cli consolidate PATH -o OUT --bundle` writes the names of the "
                             "class"));
        return true;
    }

    /// A PeftModel whose state dict was saved as if it were the model's.
    bool reportAdapter(const std::vector<NamedTensor>& named) {
        const auto base = std::ranges::find_if(named, [](const NamedTensor& each) {
            return each.name.find(".base_layer.") != std::string::npos;
        });
        const bool adapts = std::ranges::any_of(
            named, [](const NamedTensor& each) { return isAdapterTensor(each.name); });
        if (base == named.end() || !adapts) {
            return false;
        }
        refuse(LoaderAnswer::No, m_model.isItsFolder,
               fail(ErrorCode::TensorNotFound,
                    "The save contains a model with an adapter inside, under "
                    "the names that the adapter's library gives its layers")
                   .inTensor(base->name)
                   .withHint("Save the adapter alone, or merge it into the model before saving"));
        return true;
    }

    void reportDifference(const ModelFit& fit) {
        const TensorDifference& difference = fit.difference;
        const bool own = m_model.isItsFolder;
        std::vector<std::string> empty;
        std::vector<std::string> misshapen;
        for (const std::string& text : difference.misshapen) {
            const auto index = m_checkpoint.find(fit.prefix + nameIn(text));
            const bool none = index && m_checkpoint.tensor(*index).elements() == 0;
            (none ? empty : misshapen).push_back(text);
        }
        if (!empty.empty()) {
            refuse(LoaderAnswer::No, own, emptyError(empty));
        }
        if (!misshapen.empty()) {
            refuse(LoaderAnswer::No, own,
                   fail(ErrorCode::BadSlice,
                        "Tensors do not have the shapes that the config's class has")
                       .inTensor(nameIn(misshapen.front()))
                       .butFound(someOf(misshapen))
                       .expecting(sentence("the tensors of %1", fit.model->name)));
        }
        if (!difference.missing.empty()) {
            const bool isOlder = fit.mayBeOlder;
            refuse(
                isOlder ? LoaderAnswer::Undecided : LoaderAnswer::No, own && !isOlder,
                fail(ErrorCode::TensorNotFound,
                     "Tensors of the config's class are missing; its loader would initialise them "
                     "at random")
                    .inTensor(difference.missing.front())
                    .butFound(sentence("without %1", someOf(difference.missing)))
                    .expecting(sentence("the tensors of %1", fit.model->name)));
        }
        if (!difference.unexpected.empty()) {
            m_found.answer.leftOut = difference.unexpected;
            Error error = fail(ErrorCode::TensorNotFound,
                               difference.hasLayout
                                   ? Sentence("The config's class does not have all of these "
                                              "tensors; whether they are parts of its quantised "
                                              "layout is unknown")
                                   : "The config's class does not have all of these tensors; its "
                                     "loader leaves them out")
                              .inTensor(difference.unexpected.front())
                              .butFound(someOf(difference.unexpected))
                              .expecting(sentence("the tensors of %1", fit.model->name));
            difference.hasLayout ? refuse(LoaderAnswer::Undecided, false, std::move(error))
                                 : add(false, std::move(error));
        }
    }

    const Checkpoint& m_checkpoint;
    const CheckedModel& m_model;
    ModelFindings m_found;
};

} // namespace

ModelFindings modelFindings(const Checkpoint& checkpoint, const CheckedModel& model) {
    return ModelCheck(checkpoint, model).run();
}

} // namespace cairn
