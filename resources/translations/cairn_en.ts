<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>cairn::ui::ComparePage</name>
    <message numerus="yes">
        <source>%n checkpoint pairs</source>
        <translation>
            <numerusform>%n checkpoint pair</numerusform>
            <numerusform>%n checkpoint pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%n metric is hidden by the filter.</numerusform>
            <numerusform>%n metrics are hidden by the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not comparable</source>
        <translation>
            <numerusform>%n not comparable</numerusform>
            <numerusform>%n not comparable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs of checkpoints</source>
        <translation>
            <numerusform>%n pair of checkpoints</numerusform>
            <numerusform>%n pairs of checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n settings</source>
        <translation>
            <numerusform>%n setting</numerusform>
            <numerusform>%n settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n shared metrics</source>
        <translation>
            <numerusform>%n shared metric</numerusform>
            <numerusform>%n shared metrics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CompareSide</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The curves are equal at all %n common points.</source>
        <translation>
            <numerusform>The curves are equal at their only common point.</numerusform>
            <numerusform>The curves are equal at all %n common points.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The weights are equal at all %n checkpoint pairs.</source>
        <translation>
            <numerusform>The weights are equal at the only checkpoint pair.</numerusform>
            <numerusform>The weights are equal at all %n checkpoint pairs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CurveChart</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n not finite</source>
        <translation>
            <numerusform>, %n not finite</numerusform>
            <numerusform>, %n not finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::Deployment</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderEditDialog</name>
    <message numerus="yes">
        <source>%n metadata entries</source>
        <translation>
            <numerusform>%n metadata entry</numerusform>
            <numerusform>%n metadata entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n names</source>
        <translation>
            <numerusform>%n name</numerusform>
            <numerusform>%n names</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistoryCharts</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>%n restart</numerusform>
            <numerusform>%n restarts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n source</numerusform>
            <numerusform>%n sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistoryPage</name>
    <message numerus="yes">
        <source>%n metrics</source>
        <translation>
            <numerusform>%n metric</numerusform>
            <numerusform>%n metrics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%n metric is hidden by the filter.</numerusform>
            <numerusform>%n metrics are hidden by the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things to know about these curves</source>
        <translation>
            <numerusform>%n thing to know about these curves</numerusform>
            <numerusform>%n things to know about these curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobView</name>
    <message numerus="yes">
        <source>%n tensors cast</source>
        <translation>
            <numerusform>%n tensor cast</numerusform>
            <numerusform>%n tensors cast</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things differ from the manifest</source>
        <translation>
            <numerusform>%n thing differs from the manifest</numerusform>
            <numerusform>%n things differ from the manifest</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>manifest with %n SHA-256</source>
        <translation>
            <numerusform>manifest with %n SHA-256</numerusform>
            <numerusform>manifest with %n SHA-256</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobsWatcher</name>
    <message numerus="yes">
        <source>%n jobs</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::MainWindow</name>
    <message numerus="yes">
        <source>A&amp;verage %n Checkpoints…</source>
        <translation>
            <numerusform>A&amp;verage %n Checkpoint…</numerusform>
            <numerusform>A&amp;verage %n Checkpoints…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n jobs are running.</source>
        <translation>
            <numerusform>%n job is running.</numerusform>
            <numerusform>%n jobs are running.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::NavigatorModel</name>
    <message numerus="yes">
        <source>%n checkpoints</source>
        <translation>
            <numerusform>%n checkpoint</numerusform>
            <numerusform>%n checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n older</source>
        <translation>
            <numerusform>%n older</numerusform>
            <numerusform>%n older</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanCards</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlotCanvas</name>
    <message numerus="yes">
        <source>%n points</source>
        <translation>
            <numerusform>%n point</numerusform>
            <numerusform>%n points</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunPicker</name>
    <message numerus="yes">
        <source>%n more: mark them on the left with X</source>
        <translation>
            <numerusform>%n more: mark it on the left with X</numerusform>
            <numerusform>%n more: mark them on the left with X</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardCard</name>
    <message numerus="yes">
        <source>%n files are missing</source>
        <translation>
            <numerusform>%n file is missing</numerusform>
            <numerusform>%n files are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors have holes</source>
        <translation>
            <numerusform>%n tensor has holes</numerusform>
            <numerusform>%n tensors have holes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n Files</source>
        <translation>
            <numerusform>All %n Files</numerusform>
            <numerusform>All %n Files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::StartPage</name>
    <message numerus="yes">
        <source>Open ./%1: %n Checkpoints</source>
        <translation>
            <numerusform>Open ./%1: %n Checkpoint</numerusform>
            <numerusform>Open ./%1: %n Checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::StripRoles</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::SummaryPage</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::TensorModel</name>
    <message numerus="yes">
        <source>%1, group of %n tensors, %2</source>
        <translation>
            <numerusform>%1, group of %n tensor, %2</numerusform>
            <numerusform>%1, group of %n tensors, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightCurves</name>
    <message numerus="yes">
        <source>%n checkpoints left out</source>
        <translation>
            <numerusform>%n checkpoint left out</numerusform>
            <numerusform>%n checkpoints left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightsCard</name>
    <message numerus="yes">
        <source>%n checkpoint pairs; reading them takes %1</source>
        <translation>
            <numerusform>%n checkpoint pair; reading it takes %1</numerusform>
            <numerusform>%n checkpoint pairs; reading them takes %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not compared: another shape, or unreadable</source>
        <translation>
            <numerusform>%n not compared: another shape, or unreadable</numerusform>
            <numerusform>%n not compared: another shape, or unreadable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n tensors are equal.</source>
        <translation>
            <numerusform>The only tensor is equal.</numerusform>
            <numerusform>All %n tensors are equal.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WrittenPanel</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::words</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::UnfinishedBar</name>
    <message numerus="yes">
        <source>%n more wait behind these</source>
        <translation>
            <numerusform>%n more waits behind these</numerusform>
            <numerusform>%n more wait behind these</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RecipeBar</name>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Everything but %n roles</source>
        <translation>
            <numerusform>Everything but %n role</numerusform>
            <numerusform>Everything but %n roles</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ConsolidatePage</name>
    <message numerus="yes">
        <source>Average %n Checkpoints</source>
        <translation>
            <numerusform>Average %n Checkpoint</numerusform>
            <numerusform>Average %n Checkpoints</numerusform>
        </translation>
    </message>
</context>
</TS>
