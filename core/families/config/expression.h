// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cairn {

/// An integer computed from a config's fields: "(num_attention_heads + 2 * num_key_value_heads) *
/// head_dim", or a condition (0 or 1): "not tie_word_embeddings and i >= first_k_dense_replace".
///
///     or, and, not · == != < <= > >= · + - · * / % · unary - · ( )
///     field · 123 · has(field) · is(field, word) · min(a, b) · max(a, b)
///
/// `/` must leave no remainder: a config that does not divide is wrong. `is` compares a text field;
/// an absent one equals nothing. A field may contain another number: "layer_types.{i}". An
/// immutable value, cheap to copy; any thread.
class Expression {
public:
    Expression() = default; ///< 1: a condition that is always met
    /// Fails with InvalidArgument. Depth is limited.
    static Result<Expression> parse(std::string_view text);

    /// Fails: NotFound if the config lacks a field, LimitExceeded on overflow, InvalidArgument for
    /// a division by zero or with a remainder.
    [[nodiscard]] Result<std::int64_t> evaluate(const ModelConfig& config) const;

    struct Node;

private:
    std::shared_ptr<const Node> m_root;
};

} // namespace cairn
