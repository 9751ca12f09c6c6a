// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/checkpoint_sums.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"

#include <QStringList>

#include <map>
#include <set>

namespace cairn::ui {

CheckpointSumsPtr sumsOf(const Checkpoint& checkpoint) {
    struct Sum {
        std::uint64_t tensors = 0;
        std::uint64_t bytes = 0;
        std::set<Role> roles;
    };
    std::map<Role, Sum> sums;
    for (const TensorEntry& tensor : checkpoint.tensors()) {
        auto& [tensors, bytes, roles] = sums[words::group(tensor.role)];
        roles.insert(tensor.role);
        ++tensors;
        bytes += tensor.aliasOf ? 0 : tensor.bytes();
    }
    auto result = std::make_shared<CheckpointSums>();
    result->totals = totals(checkpoint);
    for (const auto& [role, sum] : sums) {
        QStringList names;
        for (const Role each : sum.roles) {
            names << text::fromCore(roleName(each));
        }
        result->groups.push_back(
            {role, sum.tensors, sum.bytes, QStringLiteral("role:") + names.join(QLatin1Char(','))});
    }
    return result;
}

} // namespace cairn::ui
