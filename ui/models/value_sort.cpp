// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/value_sort.h"

#include "ui/models/value_model.h"
#include "ui/models/value_words.h"

#include <algorithm>

namespace cairn::ui {
namespace {

SortKey keyOf(const Value& container, std::size_t position, const Checkpoint* checkpoint,
              int column) {
    const Value& value = container.items()[position].value;
    switch (column) {
    case ValueModel::Key:
        return {words::itemKey(container, position)};
    case ValueModel::Content: {
        const std::optional<double> number = words::number(value);
        return number ? SortKey(*number) : SortKey(words::value(value, checkpoint));
    }
    default:
        return {words::valueType(value)};
    }
}

} // namespace

Result<ValueOrdersPtr> orderValues(const Value& root, const CheckpointPtr& checkpoint, RowSort sort,
                                   const CancelToken& cancel) {
    if (sort.column < 0) {
        return ValueOrdersPtr();
    }
    auto orders = std::make_shared<ValueOrders>();
    std::vector<const Value*> open{&root};
    while (!open.empty()) {
        const Value& container = *open.back();
        open.pop_back();
        const auto [entry, isNew] = orders->try_emplace(container.identity());
        if (!isNew || !container.isContainer()) {
            continue;
        }
        CAIRN_CHECK(cancel.check());
        std::vector<SortKey> keys;
        for (std::size_t i = 0; i < container.items().size(); ++i) {
            keys.push_back(keyOf(container, i, checkpoint.get(), sort.column));
            if (container.items()[i].value.isContainer()) {
                open.push_back(&container.items()[i].value);
            }
        }
        CAIRN_TRY(std::vector<std::uint32_t> order, sortedRows(keys, sort.descending, cancel));
        std::ranges::stable_partition(order, [&](std::uint32_t position) {
            return container.items()[position].value.asTensor() == nullptr;
        });
        entry->second = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
    }
    return ValueOrdersPtr(std::move(orders));
}

} // namespace cairn::ui
