# SPDX-License-Identifier: GPL-3.0-or-later
# Charts (the only part that uses Qt Charts) and their pages.
target_sources(cairn_ui PRIVATE
    charts/axis_ticks.cpp charts/axis_ticks.h
    charts/chart_board.cpp charts/chart_board.h
    charts/chart_content.h
    charts/chart_controls.cpp charts/chart_controls_state.cpp charts/chart_controls.h
    charts/chart_export.cpp charts/chart_export.h
    charts/chart_grid.cpp charts/chart_grid.h
    charts/curve_chart.cpp charts/curve_chart.h
    charts/curve_table.cpp charts/curve_table.h
    charts/curve_data.cpp charts/curve_data.h
    charts/export_action.cpp charts/export_action.h
    charts/extremes.cpp charts/extremes.h
    charts/kept_picture.cpp charts/kept_picture.h
    charts/line_layer.cpp charts/line_layer.h
    charts/parallel_plot.cpp charts/parallel_plot.h
    charts/plot_axes.cpp charts/plot_axes.h
    charts/plot_canvas.cpp charts/plot_canvas.h charts/plot_canvas_input.cpp
    charts/plot_canvas_walk.cpp
    charts/plot_frame.h
    charts/plot_overlay.cpp charts/plot_overlay.h
    charts/plot_scene.cpp charts/plot_scene.h
    charts/plot_widget.cpp charts/plot_widget.h
    charts/relation.cpp charts/relation.h
    charts/relation_plot.cpp charts/relation_plot.h
    charts/run_axis.cpp charts/run_axis.h
    charts/scatter_plot.cpp charts/scatter_plot.h
    pages/compare/compare_charts.cpp pages/compare/compare_charts.h
    pages/compare/compare_footer.cpp pages/compare/compare_footer.h
    pages/compare/compare_header.cpp pages/compare/compare_header.h
    pages/compare/compare_page.cpp pages/compare/compare_page.h
    pages/compare/compare_page_states.cpp
    pages/compare/compare_side.cpp pages/compare/compare_side.h
    pages/compare/figure_grid.cpp pages/compare/figure_grid.h
    pages/compare/pair_table.cpp pages/compare/pair_table.h
    pages/compare/divergence_text.cpp pages/compare/divergence_text.h
    pages/compare/run_picker.cpp pages/compare/run_picker.h
    pages/compare/settings_card.cpp pages/compare/settings_card.h
    pages/compare/settings_tree.cpp pages/compare/settings_tree.h
    pages/compare/summary_sentence.cpp pages/compare/summary_sentence.h
    pages/compare/weight_change.cpp pages/compare/weight_change.h
    pages/compare/weight_distance.cpp pages/compare/weight_distance.h
    pages/compare/weights_card.cpp pages/compare/weights_card.h
    pages/history/history_charts.cpp pages/history/history_charts.h
    pages/history/history_follower.cpp pages/history/history_follower.h
    pages/history/history_page.cpp pages/history/history_page.h
    pages/history/weight_curves.cpp pages/history/weight_curves.h
    pages/history/weights_button.cpp pages/history/weights_button.h
    pages/runs/best_distances.cpp pages/runs/best_distances.h
    pages/runs/choice_list.cpp pages/runs/choice_list.h
    pages/runs/run_arrangement.cpp pages/runs/run_arrangement.h
    pages/runs/run_charts.cpp pages/runs/run_charts.h
    pages/runs/run_columns.cpp pages/runs/run_columns.h
    pages/runs/relation_cards.cpp pages/runs/relation_cards.h
    pages/runs/run_notes.cpp pages/runs/run_notes.h
    pages/runs/run_relation.cpp pages/runs/run_relation.h
    pages/runs/run_row_delegate.cpp pages/runs/run_row_delegate.h
    pages/runs/run_rows.h
    pages/runs/run_table_model.cpp pages/runs/run_table_model.h
    pages/runs/runs_footer.cpp pages/runs/runs_footer.h
    pages/runs/runs_page.cpp pages/runs/runs_page.h
    pages/runs/runs_page_kept.cpp pages/runs/runs_page_parts.cpp
    pages/runs/runs_page_relation.cpp
    pages/runs/runs_page_table.cpp
    pages/runs/runs_side.cpp pages/runs/runs_side.h
)
target_link_libraries(cairn_ui PUBLIC $<TARGET_NAME_IF_EXISTS:cairn::history> $<TARGET_NAME_IF_EXISTS:cairn::run_compare> PRIVATE Qt6::Charts)
