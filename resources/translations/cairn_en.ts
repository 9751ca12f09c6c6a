<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>cairn::ui::ComparePage</name>
    <message numerus="yes">
        <source>%Ln checkpoint pairs</source>
        <translation>
            <numerusform>%Ln checkpoint pair</numerusform>
            <numerusform>%Ln checkpoint pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln metric is hidden by the filter.</numerusform>
            <numerusform>%Ln metrics are hidden by the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln not comparable</source>
        <translation>
            <numerusform>%Ln not comparable</numerusform>
            <numerusform>%Ln not comparable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pairs of checkpoints</source>
        <translation>
            <numerusform>%Ln pair of checkpoints</numerusform>
            <numerusform>%Ln pairs of checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln settings</source>
        <translation>
            <numerusform>%Ln setting</numerusform>
            <numerusform>%Ln settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shared metrics</source>
        <translation>
            <numerusform>%Ln shared metric</numerusform>
            <numerusform>%Ln shared metrics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CompareSide</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The curves are equal at all %Ln common points.</source>
        <translation>
            <numerusform>The curves are equal at their only common point.</numerusform>
            <numerusform>The curves are equal at all %Ln common points.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The weights are equal at all %Ln checkpoint pairs.</source>
        <translation>
            <numerusform>The weights are equal at the only checkpoint pair.</numerusform>
            <numerusform>The weights are equal at all %Ln checkpoint pairs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CurveChart</name>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln point</numerusform>
            <numerusform>%Ln points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %Ln not finite</source>
        <translation>
            <numerusform>, %Ln not finite</numerusform>
            <numerusform>, %Ln not finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::Deployment</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderEditDialog</name>
    <message numerus="yes">
        <source>%Ln metadata entries</source>
        <translation>
            <numerusform>%Ln metadata entry</numerusform>
            <numerusform>%Ln metadata entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln names</source>
        <translation>
            <numerusform>%Ln name</numerusform>
            <numerusform>%Ln names</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistoryCharts</name>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln point</numerusform>
            <numerusform>%Ln points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln restarts</source>
        <translation>
            <numerusform>%Ln restart</numerusform>
            <numerusform>%Ln restarts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sources</source>
        <translation>
            <numerusform>%Ln source</numerusform>
            <numerusform>%Ln sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistoryPage</name>
    <message numerus="yes">
        <source>%Ln metrics</source>
        <translation>
            <numerusform>%Ln metric</numerusform>
            <numerusform>%Ln metrics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln metric is hidden by the filter.</numerusform>
            <numerusform>%Ln metrics are hidden by the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln point</numerusform>
            <numerusform>%Ln points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln things to know about these curves</source>
        <translation>
            <numerusform>%Ln thing to know about these curves</numerusform>
            <numerusform>%Ln things to know about these curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobView</name>
    <message numerus="yes">
        <source>%Ln tensors cast</source>
        <translation>
            <numerusform>%Ln tensor cast</numerusform>
            <numerusform>%Ln tensors cast</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln things differ from the manifest</source>
        <translation>
            <numerusform>%Ln thing differs from the manifest</numerusform>
            <numerusform>%Ln things differ from the manifest</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>manifest with %Ln SHA-256</source>
        <translation>
            <numerusform>manifest with %Ln SHA-256</numerusform>
            <numerusform>manifest with %Ln SHA-256</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobsWatcher</name>
    <message numerus="yes">
        <source>%Ln jobs</source>
        <translation>
            <numerusform>%Ln job</numerusform>
            <numerusform>%Ln jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::MainWindow</name>
    <message numerus="yes">
        <source>A&amp;verage %Ln Checkpoints…</source>
        <translation>
            <numerusform>A&amp;verage %Ln Checkpoint…</numerusform>
            <numerusform>A&amp;verage %Ln Checkpoints…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln jobs are running.</source>
        <translation>
            <numerusform>%Ln job is running.</numerusform>
            <numerusform>%Ln jobs are running.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::NavigatorModel</name>
    <message numerus="yes">
        <source>%Ln checkpoints</source>
        <translation>
            <numerusform>%Ln checkpoint</numerusform>
            <numerusform>%Ln checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln older</source>
        <translation>
            <numerusform>%Ln older</numerusform>
            <numerusform>%Ln older</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanCards</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlotCanvas</name>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln point</numerusform>
            <numerusform>%Ln points</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunPicker</name>
    <message numerus="yes">
        <source>%Ln more: mark them on the left with X</source>
        <translation>
            <numerusform>%Ln more: mark it on the left with X</numerusform>
            <numerusform>%Ln more: mark them on the left with X</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardCard</name>
    <message numerus="yes">
        <source>%Ln files are missing</source>
        <translation>
            <numerusform>%Ln file is missing</numerusform>
            <numerusform>%Ln files are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors have holes</source>
        <translation>
            <numerusform>%Ln tensor has holes</numerusform>
            <numerusform>%Ln tensors have holes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %Ln Files</source>
        <translation>
            <numerusform>All %Ln Files</numerusform>
            <numerusform>All %Ln Files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::StartPage</name>
    <message numerus="yes">
        <source>Open ./%1: %Ln Checkpoints</source>
        <translation>
            <numerusform>Open ./%1: %Ln Checkpoint</numerusform>
            <numerusform>Open ./%1: %Ln Checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::StripRoles</name>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::SummaryPage</name>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln rank</numerusform>
            <numerusform>%Ln ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::TensorModel</name>
    <message numerus="yes">
        <source>%1, group of %Ln tensors, %2</source>
        <translation>
            <numerusform>%1, group of %Ln tensor, %2</numerusform>
            <numerusform>%1, group of %Ln tensors, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightCurves</name>
    <message numerus="yes">
        <source>%Ln checkpoints left out</source>
        <translation>
            <numerusform>%Ln checkpoint left out</numerusform>
            <numerusform>%Ln checkpoints left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightsCard</name>
    <message numerus="yes">
        <source>%Ln checkpoint pairs; reading them takes %1</source>
        <translation>
            <numerusform>%Ln checkpoint pair; reading it takes %1</numerusform>
            <numerusform>%Ln checkpoint pairs; reading them takes %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln not compared: another shape, or unreadable</source>
        <translation>
            <numerusform>%Ln not compared: another shape, or unreadable</numerusform>
            <numerusform>%Ln not compared: another shape, or unreadable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %Ln tensors are equal.</source>
        <translation>
            <numerusform>The only tensor is equal.</numerusform>
            <numerusform>All %Ln tensors are equal.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WrittenPanel</name>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… and %Ln more</numerusform>
            <numerusform>… and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::words</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::UnfinishedBar</name>
    <message numerus="yes">
        <source>%Ln more wait behind these</source>
        <translation>
            <numerusform>%Ln more waits behind these</numerusform>
            <numerusform>%Ln more wait behind these</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RecipeBar</name>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln rank</numerusform>
            <numerusform>%Ln ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Everything but %Ln roles</source>
        <translation>
            <numerusform>Everything but %Ln role</numerusform>
            <numerusform>Everything but %Ln roles</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ConsolidatePage</name>
    <message numerus="yes">
        <source>Average %Ln Checkpoints</source>
        <translation>
            <numerusform>Average %Ln Checkpoint</numerusform>
            <numerusform>Average %Ln Checkpoints</numerusform>
        </translation>
    </message>
</context>
</TS>
