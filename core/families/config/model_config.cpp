// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/model_config.h"

#include "core/codec/json/json_value.h"

namespace cairn {

Result<ModelConfig> ModelConfig::parse(std::string_view json) {
    CAIRN_TRY(const JsonValue document, parseJson(json, "config.json"));
    CAIRN_CHECK(document.asObject());
    ModelConfig config;
    const std::function<void(const std::string&, const JsonValue&)> add =
        [&](const std::string& name, const JsonValue& value) {
            if (value.kind() == JsonKind::Object) {
                for (const JsonMember& member : value.members()) {
                    add(name.empty() ? member.key : name + "." + member.key, member.value);
                }
                if (!name.empty()) {
                    config.set(name + ".#", static_cast<std::int64_t>(value.members().size()));
                }
                return;
            }
            Field field;
            if (value.kind() == JsonKind::Null) {
                config.m_nulls.insert(name);
                return;
            }
            if (value.kind() == JsonKind::Array) {
                field.integer = static_cast<std::int64_t>(value.elements().size());
                for (std::size_t i = 0; i < value.elements().size(); ++i) {
                    add(name + "." + std::to_string(i), value.elements()[i]);
                }
                config.m_fields.insert_or_assign(name + ".#", std::move(field));
                return;
            }
            if (const auto flag = value.asBool()) {
                field.integer = *flag ? 1 : 0;
            } else if (const auto integer = value.asInteger()) {
                field.integer = *integer;
            }
            if (const auto number = value.asReal()) {
                field.number = *number;
            }
            if (const auto text = value.asString()) {
                field.text = std::string(*text);
            }
            if (field.integer || field.number || field.text) {
                config.m_fields.insert_or_assign(name, std::move(field));
            }
        };
    add("", document);
    return config;
}

ModelConfig ModelConfig::of(const Value& value) {
    constexpr int kDeepest = 16;
    ModelConfig config;
    const std::function<void(const std::string&, const Value&, int)> add =
        [&](const std::string& name, const Value& part, int depth) {
            const ValueNode* node = part.asNode();
            Field field;
            if (node != nullptr) {
                const bool named = node->kind == ValueKind::Dict || node->kind == ValueKind::Object;
                for (std::size_t i = 0; depth < kDeepest && i < node->items.size(); ++i) {
                    const ValueItem& item = node->items[i];
                    const std::string key = named ? keyText(item.key) : std::to_string(i);
                    add(name.empty() ? key : name + "." + key, item.value, depth + 1);
                }
                if (!named) {
                    field.integer = static_cast<std::int64_t>(node->items.size());
                    config.m_fields.insert_or_assign(name + ".#", std::move(field));
                }
                return;
            }
            if (const bool* flag = part.asBool()) {
                field.integer = *flag ? 1 : 0;
            } else if (const std::int64_t* integer = part.asInt()) {
                field.integer = *integer;
            }
            field.number = part.asBool() == nullptr ? numberOf(part) : std::nullopt;
            if (const std::string* text = part.asString()) {
                field.text = *text;
            }
            if (field.integer || field.number || field.text) {
                config.m_fields.insert_or_assign(name, std::move(field));
            }
        };
    add("", value, 0);
    return config;
}

const ModelConfig::Field* ModelConfig::find(std::string_view name) const {
    const auto found = m_fields.find(name);
    return found == m_fields.end() ? nullptr : &found->second;
}

bool ModelConfig::has(std::string_view name) const {
    return find(name) != nullptr;
}

std::optional<std::int64_t> ModelConfig::integer(std::string_view name) const {
    const Field* field = find(name);
    return field != nullptr ? field->integer : std::nullopt;
}

std::optional<double> ModelConfig::number(std::string_view name) const {
    const Field* field = find(name);
    return field != nullptr ? field->number : std::nullopt;
}

std::optional<std::string> ModelConfig::text(std::string_view name) const {
    const Field* field = find(name);
    return field != nullptr ? field->text : std::nullopt;
}

std::vector<std::string> ModelConfig::texts(std::string_view name) const {
    std::vector<std::string> all;
    const std::int64_t count = integer(std::string(name) + ".#").value_or(0);
    for (std::int64_t i = 0; i < count; ++i) {
        if (auto each = text(std::string(name) + "." + std::to_string(i))) {
            all.push_back(std::move(*each));
        }
    }
    return all;
}

void ModelConfig::set(std::string_view name, std::int64_t value) {
    m_fields.insert_or_assign(std::string(name),
                              Field{value, static_cast<double>(value), std::nullopt});
}

void ModelConfig::set(std::string_view name, std::string value) {
    m_fields.insert_or_assign(std::string(name),
                              Field{std::nullopt, std::nullopt, std::move(value)});
}

void ModelConfig::remove(std::string_view name) {
    const auto isBelow = [name](std::string_view field) {
        return field.starts_with(name) &&
               (field.size() == name.size() || field[name.size()] == '.');
    };
    std::erase_if(m_fields, [&](const auto& field) { return isBelow(field.first); });
    std::erase_if(m_nulls, isBelow);
}

ModelConfig ModelConfig::part(std::string_view prefix) const {
    ModelConfig made = *this;
    const std::string start = std::string(prefix) + ".";
    for (auto at = m_fields.lower_bound(start);
         at != m_fields.end() && at->first.starts_with(start); ++at) {
        made.m_fields.insert_or_assign(at->first.substr(start.size()), at->second);
    }
    return made;
}

} // namespace cairn
