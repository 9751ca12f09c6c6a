// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Maps the tensor names of one checkpoint to those of another: the user's `--map` of a diff,
/// `--rename` of a job. Rules are FROM=TO, separated by `;` or line breaks, with blanks around both
/// ignored; a `#` where a rule would begin starts a comment, up to the end of the line (after a
/// rule it is refused). The first rule that applies is used. FROM is
/// - the beginning of the name ("encoder.=enc."), or
/// - a regular expression (of RE2, which has no lookahead and no references to groups, so that
/// every
///   match takes linear time), all of whose matches are replaced, with $1 or \1 … in TO; it has the
///   prefix `re:`, or contains one of ^ $ * + ? ( ) [ ] { } | \ ("^layers\.(\d+)=h.$1").
/// Two words are complete rules, applied before the following ones are tried: `strip-prefixes`
/// (unwrappedName()) and `strip-wrappers` (the same, but `model.` stays).
/// An immutable value; any thread.
class NameRules {
public:
    NameRules() = default;
    /// Fails with InvalidArgument for a rule without `=` or FROM, an invalid expression, and a TO
    /// that refers to a group that the expression does not have.
    static Result<NameRules> parse(std::string_view text);

    /// The new name; the same name if no rule applies.
    [[nodiscard]] std::string apply(std::string_view name) const;
    [[nodiscard]] bool empty() const { return m_rules.empty(); }

    /// The rules as they were written, without comments, separated by ';': parse() makes the same
    /// rules of it, and the same text.
    [[nodiscard]] std::string text() const;

    /// The rules that change none of these names, as text.
    [[nodiscard]] std::vector<std::string> unused(const std::vector<std::string_view>& names) const;

    friend bool operator==(const NameRules& a, const NameRules& b) { return a.text() == b.text(); }

private:
    struct Rule;
    std::string applyMarking(std::string_view name, std::vector<bool>* used) const;
    std::vector<std::shared_ptr<const Rule>> m_rules;
};

/// The name without the additions of wrappers: `module.` (DataParallel, DDP, DeepSpeed) and
/// `model.` at the start, and `_orig_mod`, `_fsdp_wrapped_module`, `_checkpoint_wrapped_module`
/// anywhere.
std::string unwrappedName(std::string_view name);

} // namespace cairn
