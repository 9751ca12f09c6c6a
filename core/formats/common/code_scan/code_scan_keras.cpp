// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/code_scan/code_scanner.h"

#include <algorithm>
#include <array>
#include <string_view>

// Keras rebuilds a model from its configuration: each object names a module and a class, which are
// imported and called, and a Lambda layer contains bytecode as base64. Sources:
// keras/src/saving/serialization_lib.py (deserialize_keras_object),
// keras/src/layers/core/lambda_layer.py, keras/src/legacy/saving/legacy_h5_format.py.

namespace cairn::formats {
namespace {

using pickle::Verdict;

constexpr std::uint64_t kMaxConfig = std::uint64_t{64} << 20U;

std::string_view textOf(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    const auto text = value != nullptr ? value->asString() : Result<std::string_view>("");
    return text ? *text : "";
}

constexpr auto kKerasPackages = std::to_array<std::string_view>(
    {"keras", "tf_keras", "tensorflow", "keras_core", "keras_nlp", "keras_hub", "keras_cv"});

bool isKeras(std::string_view module) {
    const std::string_view top = module.substr(0, module.find('.'));
    return std::ranges::find(kKerasPackages, top) != kKerasPackages.end();
}

/// Functions of Keras with other effects than computing.
bool isKerasTool(std::string_view module) {
    return module.find(".utils") != std::string_view::npos ||
           module.find(".saving") != std::string_view::npos;
}

bool beginsLower(std::string_view name) {
    return !name.empty() && name[0] >= 'a' && name[0] <= 'z';
}

/// Bytecode: an object in Keras 3, or the fields of a Lambda layer in Keras 2.
bool hasBytecode(const JsonValue& object) {
    if (textOf(object, "class_name") == "__lambda__" ||
        textOf(object, "function_type") == "lambda") {
        return true;
    }
    const JsonValue* config = object.find("config");
    const JsonValue* function = config != nullptr ? config->find("function") : nullptr;
    return textOf(object, "class_name") == "Lambda" && function != nullptr &&
           function->kind() == JsonKind::Array;
}

} // namespace

Result<void> CodeScanner::scanModelConfig(const ByteSource& source, const CodePlace& place) {
    if (source.size() > kMaxConfig) {
        notExamined(place, "the configuration is too large");
        return {};
    }
    const auto bytes = readRange(source, {0, source.size()});
    if (!bytes) {
        notExamined(place, bytes.error().message);
        return {};
    }
    assessModelConfig(asText(*bytes), place);
    return {};
}

void CodeScanner::assessModelConfig(std::string_view text, const CodePlace& place) {
    const auto json = parseJson(text, place.text());
    if (!json) {
        notExamined(place, json.error().message);
        return;
    }
    if (json->find("class_name") != nullptr) {
        assessConfigObject(*json, place);
    }
}

/// The parser limits the depth of the recursion.
void CodeScanner::assessConfigObject(const JsonValue& value, const CodePlace& place) {
    for (const JsonValue& element : value.elements()) {
        assessConfigObject(element, place);
    }
    for (const JsonMember& member : value.members()) {
        assessConfigObject(member.value, place);
    }
    if (value.kind() != JsonKind::Object) {
        return;
    }
    if (hasBytecode(value)) {
        addGlobal({"keras.layers", "Lambda", Verdict::WouldRunCode, true, 0, 0, false}, place);
        worsen(Verdict::WouldRunCode, place, "Keras would run the bytecode of a Lambda layer");
    }
    const std::string_view module = textOf(value, "module");
    std::string_view name = textOf(value, "class_name");
    if (name == "function" && !textOf(value, "config").empty()) {
        name = textOf(value, "config");
    }
    if (module.empty() || name.empty()) {
        return;
    }
    Verdict risk = Verdict::Inert;
    if (!isKeras(module)) {
        risk = module == "builtins" && !beginsLower(name)
                   ? Verdict::Inert
                   : pickle::assessGlobal({module, name}, pickle::Use::Called);
    } else if (beginsLower(name) && isKerasTool(module)) {
        risk = Verdict::WouldRunCode;
    }
    if (risk == Verdict::Inert) {
        return;
    }
    addGlobal({std::string(module), std::string(name), risk, true, 0, 0, false}, place);
    worsen(risk, place,
           risk == Verdict::WouldRunCode
               ? sentence("Keras would call %1.%2", module, name)
               : sentence("The class %1.%2 is unknown to Cairn", module, name));
}

} // namespace cairn::formats
