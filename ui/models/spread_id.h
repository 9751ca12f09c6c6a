// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <cstdint>

namespace cairn::ui {

/// Node number <-> internal id of a model index. QHash<QModelIndex> adds row, column and id and
/// takes the low bits: small neighbouring ids cluster badly in Qt 6.4 (expanded groups are kept in
/// such a hash), so that they are spread over all bits.
static_assert(sizeof(quintptr) == 8);
inline constexpr quintptr kSpread = 0x9e3779b97f4a7c15U;
inline constexpr quintptr kUnspread = 0xf1de83e19937733dU;
static_assert(kSpread * kUnspread == 1);

constexpr quintptr spreadId(std::uint32_t node) {
    const quintptr mixed = (quintptr{node} + 1) * kSpread;
    return mixed << 32U | mixed >> 32U;
}
constexpr std::uint32_t nodeOfSpreadId(quintptr id) {
    return static_cast<std::uint32_t>((id << 32U | id >> 32U) * kUnspread - 1);
}
static_assert(nodeOfSpreadId(spreadId(0)) == 0 && nodeOfSpreadId(spreadId(299'999)) == 299'999);

} // namespace cairn::ui
