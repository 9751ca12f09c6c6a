# SPDX-License-Identifier: GPL-3.0-or-later
# Tensor and value models, their pages and the inspector.
target_sources(cairn_ui PRIVATE
    inspector/figures_section.cpp inspector/figures_section.h
    inspector/heat_map_view.cpp inspector/heat_map_view.h
    inspector/histogram_view.cpp inspector/histogram_view.h
    inspector/inspector.cpp inspector/inspector.h
    inspector/shard_strip.cpp inspector/shard_strip.h
    inspector/spectrum_section.cpp inspector/spectrum_section.h
    inspector/value_grid.cpp inspector/value_grid.h
    models/ordered_table.cpp models/ordered_table.h
    models/piece_colors.cpp models/piece_colors.h
    models/python_snippet.cpp models/python_snippet.h
    models/quiet_header.cpp models/quiet_header.h
    models/row_copier.cpp models/row_copier.h
    models/row_delegate.cpp models/row_delegate.h
    models/row_roles.h
    models/row_sort.cpp models/row_sort.h
    models/row_text.cpp models/row_text.h
    models/row_view.cpp models/row_view.h
    models/shard_evenness.cpp models/shard_evenness.h
    models/spread_id.h
    models/tensor_arrangement.cpp models/tensor_arrangement.h
    models/tensor_figures.cpp models/tensor_figures.h
    models/tensor_filter.cpp models/tensor_filter.h
    models/tensor_model.cpp models/tensor_model.h
    models/tensor_name.cpp models/tensor_name.h
    models/tensor_preview.cpp models/tensor_preview.h
    models/tensor_table.cpp models/tensor_table.h
    models/tensor_tree.cpp models/tensor_tree.h
    models/tensor_words.cpp models/tensor_words.h
    models/value_model.cpp models/value_model.h models/value_model_order.cpp
    models/value_search.cpp models/value_search.h
    models/value_sort.cpp models/value_sort.h
    models/value_words.cpp models/value_words.h
    pages/diff/diff_document.cpp pages/diff/diff_document.h
    pages/diff/diff_model.cpp pages/diff/diff_model.h
    pages/diff/diff_rows.cpp pages/diff/diff_rows.h
    pages/diff/diff_page.cpp pages/diff/diff_page.h pages/diff/diff_page_bar.cpp pages/diff/diff_page_summary.cpp
    pages/diff/diff_tables.cpp pages/diff/diff_tables.h
    pages/diff/equality.cpp pages/diff/equality.h
    pages/diff/fold_answer.cpp pages/diff/fold_answer.h
    pages/diff/equality_button.cpp pages/diff/equality_button.h
    pages/diff/layer_strip.cpp pages/diff/layer_strip.h
    pages/diff/pair_details.cpp pages/diff/pair_details.h
    pages/diff/partner_chooser.cpp pages/diff/partner_chooser.h
    pages/diff/plain_values_model.cpp pages/diff/plain_values_model.h
    pages/diff/reading_bar.cpp pages/diff/reading_bar.h
    pages/notice_pane.cpp pages/notice_pane.h
    pages/metadata/metadata_page.cpp pages/metadata/metadata_page.h
    pages/shards/piece_grid.cpp pages/shards/piece_grid.h
    pages/shards/role_color.h
    pages/shards/shard_index.cpp pages/shards/shard_index.h
    pages/shards/shard_map.cpp pages/shards/shard_map.h
    pages/shards/shards_page.cpp pages/shards/shards_page.h
    pages/space/cell_table.cpp pages/space/cell_table.h
    pages/space/crumb_bar.cpp pages/space/crumb_bar.h
    pages/space/plan_panel.cpp pages/space/plan_panel.h
    pages/space/plan_words.cpp pages/space/plan_words.h
    pages/space/retention_controller.cpp pages/space/retention_controller.h
    pages/space/rule_bar.cpp pages/space/rule_bar.h
    pages/space/space_legend.cpp pages/space/space_legend.h
    pages/space/space_map.cpp pages/space/space_map.h
    pages/space/space_page.cpp pages/space/space_page.h
    pages/space/space_page_crumbs.cpp
    pages/space/space_page_layout.cpp
    pages/space/space_page_plan.cpp
    pages/space/treemap_colors.h
    pages/space/treemap_layout.cpp pages/space/treemap_layout.h
    pages/space/treemap_paint.cpp
    pages/space/treemap_view.cpp pages/space/treemap_view.h
    pages/tensors/segments.cpp pages/tensors/segments.h
    pages/tensors/tensors_page.cpp pages/tensors/tensors_page.h pages/tensors/tensors_page_actions.cpp
)
