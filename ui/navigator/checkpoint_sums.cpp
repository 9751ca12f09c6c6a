// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/checkpoint_sums.h"

#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"

#include <QStringList>

#include <map>

namespace cairn::ui {

CheckpointSumsPtr sumsOf(const Checkpoint& checkpoint) {
    auto result = std::make_shared<CheckpointSums>();
    result->totals = totals(checkpoint);
    struct Sum {
        std::uint64_t tensors = 0;
        std::uint64_t bytes = 0;
        QStringList roles;
    };
    std::map<Role, Sum> sums; // of groups
    for (const auto& [role, tensors] : result->totals.tensorsByRole) {
        Sum& sum = sums[words::group(role)];
        sum.tensors += tensors;
        sum.roles << text::fromCore(roleName(role));
    }
    for (const auto& [role, bytes] : result->totals.byRole) {
        sums[words::group(role)].bytes += bytes;
    }
    for (const auto& [role, sum] : sums) {
        result->groups.push_back({role, sum.tensors, sum.bytes,
                                  QStringLiteral("role:") + sum.roles.join(QLatin1Char(','))});
    }
    return result;
}

} // namespace cairn::ui
