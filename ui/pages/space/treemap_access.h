// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace cairn::ui {

class TreemapView;

/// Screen readers see a treemap as a list: one item for each tile that the arrow keys visit, the
/// largest kMaxTreemapItems of them. Call it once before the first view is used.
void installTreemapAccess();
inline constexpr int kMaxTreemapItems = 1000;

/// The items are made anew when they are next asked for.
void treemapAccessChanged(TreemapView* view);

/// The item of a tile (position in TreemapView::tiles()); -1: none.
int treemapAccessChild(TreemapView* view, std::size_t tile);

} // namespace cairn::ui
