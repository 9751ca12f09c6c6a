// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/value.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The fields of a model's config.json by their dotted names ("text_config.hidden_size";
/// "layer_types.0" and, for the length of a list or object, "layer_types.#"), and whatever a rule
/// adds to them. Integers and flags (0, 1) are numbers for Expression; fields that are null are
/// absent. A value type; reading from any thread.
class ModelConfig {
public:
    ModelConfig() = default;
    /// Fails with the errors of parseJson, JsonWrongType if the document is no object.
    static Result<ModelConfig> parse(std::string_view json);
    /// The same for a tree of plain values: a dict, or an object with its attributes ("args").
    static ModelConfig of(const Value& value);

    [[nodiscard]] bool has(std::string_view name) const;
    /// Whether the config has the field as null, which is absent for all else.
    [[nodiscard]] bool isNull(std::string_view name) const { return m_nulls.contains(name); }
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
    [[nodiscard]] std::optional<double> number(std::string_view name) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    /// The texts of a list: "architectures"; empty if there is none.
    [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;

    void set(std::string_view name, std::int64_t value);
    void set(std::string_view name, std::string value);
    /// Removes the field and all below it.
    void remove(std::string_view name);
    /// The fields below `prefix` ("text_config"), which is left out of their names, before those of
    /// the whole: for models that consist of several.
    [[nodiscard]] ModelConfig part(std::string_view prefix) const;

private:
    struct Field {
        std::optional<std::int64_t> integer;
        std::optional<double> number;
        std::optional<std::string> text;
    };
    [[nodiscard]] const Field* find(std::string_view name) const;
    std::map<std::string, Field, std::less<>> m_fields;
    std::set<std::string, std::less<>> m_nulls;
};

} // namespace cairn
