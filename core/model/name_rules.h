// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// How tensors of one checkpoint are called in another: the user's `--map` of a diff, `--rename` of
/// a job. Rules are FROM=TO, with `;` or line ends between several; lines that begin with `#` are
/// notes. Tried in order; the first that applies wins. FROM is
/// - the beginning of the name ("encoder.=enc."), or
/// - a regular expression (ECMAScript) that is searched for in the name and replaced wherever it
///   matches, with $1 or \1 … in TO: with `re:` in front, or when FROM holds one of
///   ^ $ * + ? ( ) [ ] { } | \ ("^layers\.(\d+)=h.$1").
/// Two words are rules of their own, applied before the next ones are tried: `strip-prefixes`
/// (unwrappedName()) and `strip-wrappers` (the same, but `model.` stays).
/// An immutable value; any thread.
class NameRules {
public:
    NameRules() = default;
    /// Fails with InvalidArgument for a rule without `=` and for a faulty expression.
    static Result<NameRules> parse(std::string_view text);

    /// The name on the other side; the same name when no rule applies. Names above kMaxName bytes
    /// are not matched with expressions, whose matching recurses.
    [[nodiscard]] std::string apply(std::string_view name) const;
    [[nodiscard]] bool empty() const { return m_rules.empty(); }

    /// Rules, as they were written, that change none of these names.
    [[nodiscard]] std::vector<std::string> unused(const std::vector<std::string_view>& names) const;
    static constexpr std::size_t kMaxName = 1024;

private:
    struct Rule;
    std::string applyMarking(std::string_view name, std::vector<bool>* used) const;
    std::vector<std::shared_ptr<const Rule>> m_rules;
};

/// The name without what wrappers add: `module.` (DataParallel, DDP, DeepSpeed) and `model.` at the
/// front, and `_orig_mod`, `_fsdp_wrapped_module`, `_checkpoint_wrapped_module` anywhere.
std::string unwrappedName(std::string_view name);

} // namespace cairn
