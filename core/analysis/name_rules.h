// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// How tensors of one checkpoint are called in another: the user's `--map`. Rules are FROM=TO,
/// several with `;` between them, tried in order; the first that applies wins. FROM is the
/// beginning of the name ("encoder.=enc." ), or with `re:` in front a regular expression
/// (ECMAScript) that is looked for in the name, with $1 … in TO. An immutable value; any thread.
class NameRules {
public:
    NameRules() = default;
    /// Fails with InvalidArgument for a rule without `=` and for a faulty expression.
    static Result<NameRules> parse(std::string_view text);

    /// The name on the other side; the same name when no rule applies. Names above kMaxName bytes
    /// are not matched with expressions, whose matching recurses.
    [[nodiscard]] std::string apply(std::string_view name) const;
    [[nodiscard]] bool empty() const { return m_rules.empty(); }
    static constexpr std::size_t kMaxName = 1024;

private:
    struct Rule;
    std::vector<std::shared_ptr<const Rule>> m_rules;
};

/// The name without what wrappers add: `module.` (DataParallel, DDP, DeepSpeed) and `model.` at the
/// front, and `_orig_mod`, `_fsdp_wrapped_module`, `_checkpoint_wrapped_module` anywhere.
std::string unwrappedName(std::string_view name);

} // namespace cairn
