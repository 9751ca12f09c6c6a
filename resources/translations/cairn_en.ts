<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>cairn::ui::AdapterRows</name>
    <message numerus="yes">
        <source>Show %Ln More Adapters</source>
        <translation>
            <numerusform>Show %Ln More Adapter</numerusform>
            <numerusform>Show %Ln More Adapters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ArrayList</name>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 and %Ln more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln outputs published</source>
        <translation>
            <numerusform>%1 of %Ln output published</numerusform>
            <numerusform>%1 of %Ln outputs published</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln tasks done</source>
        <translation>
            <numerusform>%1 of %Ln task done</numerusform>
            <numerusform>%1 of %Ln tasks done</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::AttentionCard</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChartGrid</name>
    <message numerus="yes">
        <source>%1 of %Ln charts</source>
        <translation>
            <numerusform>%1 of %Ln chart</numerusform>
            <numerusform>%1 of %Ln charts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln Hidden Charts</source>
        <translation>
            <numerusform>Show %Ln Hidden Chart</numerusform>
            <numerusform>Show %Ln Hidden Charts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CheckpointKeeping</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln checkpoints (%1) to the wastebasket?</source>
        <translation>
            <numerusform>Move %Ln checkpoint (%1) to the wastebasket?</numerusform>
            <numerusform>Move %Ln checkpoints (%1) to the wastebasket?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoints pinned; no plan removes them</source>
        <translation>
            <numerusform>%Ln checkpoint pinned; no plan removes it</numerusform>
            <numerusform>%Ln checkpoints pinned; no plan removes them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Removed the pins of %Ln checkpoints</source>
        <translation>
            <numerusform>Removed the pin of %Ln checkpoint</numerusform>
            <numerusform>Removed the pins of %Ln checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CheckpointTools</name>
    <message numerus="yes">
        <source>%Ln tensors read</source>
        <translation>
            <numerusform>%Ln tensor read</numerusform>
            <numerusform>%Ln tensors read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln stored checksums compared</source>
        <translation>
            <numerusform>%Ln stored checksum compared</numerusform>
            <numerusform>%Ln stored checksums compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pickles examined</source>
        <translation>
            <numerusform>%Ln pickle examined</numerusform>
            <numerusform>%Ln pickles examined</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln compared</source>
        <translation>
            <numerusform>%Ln compared</numerusform>
            <numerusform>%Ln compared</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChecksCard</name>
    <message numerus="yes">
        <source>No NaN or Inf in %Ln tensors of base and adapter</source>
        <translation>
            <numerusform>No NaN or Inf in %Ln tensor of base and adapter</numerusform>
            <numerusform>No NaN or Inf in %Ln tensors of base and adapter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No NaN or Inf in %Ln tensors</source>
        <translation>
            <numerusform>No NaN or Inf in %Ln tensor</numerusform>
            <numerusform>No NaN or Inf in %Ln tensors</numerusform>
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
        <source>%Ln checks passed</source>
        <translation>
            <numerusform>%Ln check passed</numerusform>
            <numerusform>%Ln checks passed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChoiceBar</name>
    <message numerus="yes">
        <source>Everything but %Ln roles</source>
        <translation>
            <numerusform>Everything but %Ln role</numerusform>
            <numerusform>Everything but %Ln roles</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln rank</numerusform>
            <numerusform>%Ln ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CloseGuard</name>
    <message numerus="yes">
        <source>%Ln jobs are running.</source>
        <translation>
            <numerusform>%Ln job is running.</numerusform>
            <numerusform>%Ln jobs are running.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CompareHeader</name>
    <message numerus="yes">
        <source>No metric matches the filter; %Ln metrics are hidden</source>
        <translation>
            <numerusform>No metric matches the filter; %Ln metric is hidden</numerusform>
            <numerusform>No metric matches the filter; %Ln metrics are hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ComparePage</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
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
        <source>%Ln not comparable</source>
        <translation>
            <numerusform>%Ln not comparable</numerusform>
            <numerusform>%Ln not comparable</numerusform>
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
        <source>%Ln settings</source>
        <translation>
            <numerusform>%Ln setting</numerusform>
            <numerusform>%Ln settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoint pairs</source>
        <translation>
            <numerusform>%Ln checkpoint pair</numerusform>
            <numerusform>%Ln checkpoint pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
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
        <source>The curves of %1 are equal at all %Ln common points.</source>
        <translation>
            <numerusform>The curves of %1 are equal at the %Ln common point.</numerusform>
            <numerusform>The curves of %1 are equal at all %Ln common points.</numerusform>
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
    <name>cairn::ui::ConsolidatePage</name>
    <message numerus="yes">
        <source>Average %Ln Checkpoints</source>
        <translation>
            <numerusform>Average %Ln Checkpoint</numerusform>
            <numerusform>Average %Ln Checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ContentsCard</name>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ContinueCard</name>
    <message numerus="yes">
        <source>%Ln parameter groups</source>
        <translation>
            <numerusform>%Ln parameter group</numerusform>
            <numerusform>%Ln parameter groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>was %Ln ranks</source>
        <translation>
            <numerusform>was %Ln rank</numerusform>
            <numerusform>was %Ln ranks</numerusform>
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
        <source>, %Ln non-finite</source>
        <translation>
            <numerusform>, %Ln non-finite</numerusform>
            <numerusform>, %Ln non-finite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more curves</source>
        <translation>
            <numerusform>and %Ln more curve</numerusform>
            <numerusform>and %Ln more curves</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CurveList</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::Deployment</name>
    <message numerus="yes">
        <source>%Ln shards</source>
        <translation>
            <numerusform>%Ln shard</numerusform>
            <numerusform>%Ln shards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln model files</source>
        <translation>
            <numerusform>%Ln model file</numerusform>
            <numerusform>%Ln model files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::DiffPage</name>
    <message numerus="yes">
        <source>%Ln tensors renamed</source>
        <translation>
            <numerusform>%Ln tensor renamed</numerusform>
            <numerusform>%Ln tensors renamed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln plain values differ</source>
        <translation>
            <numerusform>%Ln plain value differs</numerusform>
            <numerusform>%Ln plain values differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::FoldAnswer</name>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>factor %1, %Ln elements outside</source>
        <translation>
            <numerusform>factor %1, %Ln element outside</numerusform>
            <numerusform>factor %1, %Ln elements outside</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A is B with the adapters %1 folded in</source>
        <translation>
            <numerusform>A is B with the adapter %1 folded in</numerusform>
            <numerusform>A is B with the adapters %1 folded in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>B is A with the adapters %1 folded in</source>
        <translation>
            <numerusform>B is A with the adapter %1 folded in</numerusform>
            <numerusform>B is A with the adapters %1 folded in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A is not B with the adapters %1 folded in</source>
        <translation>
            <numerusform>A is not B with the adapter %1 folded in</numerusform>
            <numerusform>A is not B with the adapters %1 folded in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>B is not A with the adapters %1 folded in</source>
        <translation>
            <numerusform>B is not A with the adapter %1 folded in</numerusform>
            <numerusform>B is not A with the adapters %1 folded in</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderEditDialog</name>
    <message numerus="yes">
        <source>%Ln names</source>
        <translation>
            <numerusform>%Ln name</numerusform>
            <numerusform>%Ln names</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln metadata entries</source>
        <translation>
            <numerusform>%Ln metadata entry</numerusform>
            <numerusform>%Ln metadata entries</numerusform>
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
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln point</numerusform>
            <numerusform>%Ln points</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warnings about these curves</source>
        <translation>
            <numerusform>%Ln warning about these curves</numerusform>
            <numerusform>%Ln warnings about these curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln metric is hidden by the filter.</numerusform>
            <numerusform>%Ln metrics are hidden by the filter.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::Inspector</name>
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
    <name>cairn::ui::JobActions</name>
    <message numerus="yes">
        <source>%Ln jobs failed</source>
        <translation>
            <numerusform>%Ln job failed</numerusform>
            <numerusform>%Ln jobs failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln jobs done</source>
        <translation>
            <numerusform>%Ln job done</numerusform>
            <numerusform>%Ln jobs done</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobResults</name>
    <message numerus="yes">
        <source>Move of %Ln Checkpoints</source>
        <translation>
            <numerusform>Move of %Ln Checkpoint</numerusform>
            <numerusform>Move of %Ln Checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobStarter</name>
    <message numerus="yes">
        <source>A&amp;verage %Ln Checkpoints…</source>
        <translation>
            <numerusform>A&amp;verage %Ln Checkpoint…</numerusform>
            <numerusform>A&amp;verage %Ln Checkpoints…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobWords</name>
    <message numerus="yes">
        <source>%Ln tensors cast</source>
        <translation>
            <numerusform>%Ln tensor cast</numerusform>
            <numerusform>%Ln tensors cast</numerusform>
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
        <source>manifest with the checksums of %Ln tensors</source>
        <translation>
            <numerusform>manifest with the checksum of %Ln tensor</numerusform>
            <numerusform>manifest with the checksums of %Ln tensors</numerusform>
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
        <source>%Ln mismatches with the manifest</source>
        <translation>
            <numerusform>%Ln mismatch with the manifest</numerusform>
            <numerusform>%Ln mismatches with the manifest</numerusform>
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
    <name>cairn::ui::LoneValues</name>
    <message numerus="yes">
        <source>%Ln values</source>
        <translation>
            <numerusform>%Ln value</numerusform>
            <numerusform>%Ln values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::MainWindow</name>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
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
    <name>cairn::ui::MemoryCard</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln layers keep the last %1</source>
        <translation>
            <numerusform>%Ln layer keeps the last %1</numerusform>
            <numerusform>%Ln layers keep the last %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::MetadataPage</name>
    <message numerus="yes">
        <source>%Ln keys</source>
        <translation>
            <numerusform>%Ln key</numerusform>
            <numerusform>%Ln keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>First %Ln matches</source>
        <translation>
            <numerusform>First %Ln match</numerusform>
            <numerusform>First %Ln matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln matches</source>
        <translation>
            <numerusform>%Ln match</numerusform>
            <numerusform>%Ln matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::MoreOptions</name>
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
</context>
<context>
    <name>cairn::ui::MoveStrip</name>
    <message numerus="yes">
        <source>Moved %Ln checkpoints (%1) back</source>
        <translation>
            <numerusform>Moved %Ln checkpoint (%1) back</numerusform>
            <numerusform>Moved %Ln checkpoints (%1) back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moved %Ln checkpoints (%1) to the wastebasket</source>
        <translation>
            <numerusform>Moved %Ln checkpoint (%1) to the wastebasket</numerusform>
            <numerusform>Moved %Ln checkpoints (%1) to the wastebasket</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln were not moved</source>
        <translation>
            <numerusform>%Ln was not moved</numerusform>
            <numerusform>%Ln were not moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln checkpoints (%1) to the wastebasket?</source>
        <translation>
            <numerusform>Move %Ln checkpoint (%1) to the wastebasket?</numerusform>
            <numerusform>Move %Ln checkpoints (%1) to the wastebasket?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::Navigator</name>
    <message numerus="yes">
        <source>%Ln runs marked</source>
        <translation>
            <numerusform>%Ln run marked</numerusform>
            <numerusform>%Ln runs marked</numerusform>
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
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln problems</source>
        <translation>
            <numerusform>%Ln problem</numerusform>
            <numerusform>%Ln problems</numerusform>
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
        <source>%Ln older</source>
        <translation>
            <numerusform>%Ln older</numerusform>
            <numerusform>%Ln older</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ParallelPlot</name>
    <message numerus="yes">
        <source>%1 of %Ln chosen</source>
        <translation>
            <numerusform>%1 of %Ln chosen</numerusform>
            <numerusform>%1 of %Ln chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanCards</name>
    <message numerus="yes">
        <source>%Ln other files</source>
        <translation>
            <numerusform>%Ln other file</numerusform>
            <numerusform>%Ln other files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shards</source>
        <translation>
            <numerusform>%Ln shard</numerusform>
            <numerusform>%Ln shards</numerusform>
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
        <source>%Ln model files</source>
        <translation>
            <numerusform>%Ln model file</numerusform>
            <numerusform>%Ln model files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanPanel</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders could not be searched for references.</source>
        <translation>
            <numerusform>%Ln folder could not be searched for references.</numerusform>
            <numerusform>%Ln folders could not be searched for references.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ReadFailures</name>
    <message numerus="yes">
        <source>%Ln folders of the last session cannot be opened</source>
        <translation>
            <numerusform>%Ln folder of the last session cannot be opened</numerusform>
            <numerusform>%Ln folders of the last session cannot be opened</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RowCopier</name>
    <message numerus="yes">
        <source>%Ln rows, about %1</source>
        <translation>
            <numerusform>%Ln row, about %1</numerusform>
            <numerusform>%Ln rows, about %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copying… %1 of %Ln rows</source>
        <translation>
            <numerusform>Copying… %1 of %Ln row</numerusform>
            <numerusform>Copying… %1 of %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %Ln rows</source>
        <translation>
            <numerusform>Copied %Ln row</numerusform>
            <numerusform>Copied %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saving… %1 of %Ln rows</source>
        <translation>
            <numerusform>Saving… %1 of %Ln row</numerusform>
            <numerusform>Saving… %1 of %Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln rows, %1: %2</source>
        <translation>
            <numerusform>Saved %Ln row, %1: %2</numerusform>
            <numerusform>Saved %Ln rows, %1: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RuleBar</name>
    <message numerus="yes">
        <source>Keep the Last %Ln</source>
        <translation>
            <numerusform>Keep the Last %Ln</numerusform>
            <numerusform>Keep the Last %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Keep the Best %Ln</source>
        <translation>
            <numerusform>Keep the Best %Ln</numerusform>
            <numerusform>Keep the Best %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln Checkpoints…</source>
        <translation>
            <numerusform>Move %Ln Checkpoint…</numerusform>
            <numerusform>Move %Ln Checkpoints…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunCharts</name>
    <message numerus="yes">
        <source>%1, mean ± std of %Ln runs</source>
        <translation>
            <numerusform>%1, %Ln run</numerusform>
            <numerusform>%1, mean ± std of %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln curves left out</source>
        <translation>
            <numerusform>%Ln curve left out</numerusform>
            <numerusform>%Ln curves left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunMarking</name>
    <message numerus="yes">
        <source>%Ln folders are not a run and cannot be compared</source>
        <translation>
            <numerusform>%Ln folder is not a run and cannot be compared</numerusform>
            <numerusform>%Ln folders are not runs and cannot be compared</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunOnDialog</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tasks</source>
        <translation>
            <numerusform>%Ln task</numerusform>
            <numerusform>%Ln tasks</numerusform>
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
    <name>cairn::ui::RunSummary</name>
    <message numerus="yes">
        <source>%Ln damaged</source>
        <translation>
            <numerusform>%Ln damaged</numerusform>
            <numerusform>%Ln damaged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln incomplete</source>
        <translation>
            <numerusform>%Ln incomplete</numerusform>
            <numerusform>%Ln incomplete</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln being written</source>
        <translation>
            <numerusform>%Ln being written</numerusform>
            <numerusform>%Ln being written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunsBar</name>
    <message numerus="yes">
        <source>%Ln settings</source>
        <translation>
            <numerusform>%Ln setting</numerusform>
            <numerusform>%Ln settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln columns are hidden for lack of space</source>
        <translation>
            <numerusform>%Ln column is hidden for lack of space</numerusform>
            <numerusform>%Ln columns are left out because there is no room</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunsFooter</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln more</numerusform>
            <numerusform>%Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not set in %Ln runs</source>
        <translation>
            <numerusform>not set in %Ln run</numerusform>
            <numerusform>not set in %Ln runs</numerusform>
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
    <name>cairn::ui::RunsPage</name>
    <message numerus="yes">
        <source>Mean and standard deviation of %Ln runs</source>
        <translation>
            <numerusform>One run</numerusform>
            <numerusform>Mean and standard deviation of %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln values</source>
        <translation>
            <numerusform>%Ln value</numerusform>
            <numerusform>%Ln values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln selected runs</source>
        <translation>
            <numerusform>%Ln selected run</numerusform>
            <numerusform>%Ln selected runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln run is hidden by the filter.</numerusform>
            <numerusform>%Ln runs are hidden by the filter.</numerusform>
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
        <source>%1 of %Ln runs</source>
        <translation>
            <numerusform>%1 of %Ln run</numerusform>
            <numerusform>%1 of %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln groups</source>
        <translation>
            <numerusform>%Ln group</numerusform>
            <numerusform>%Ln groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln marked</source>
        <translation>
            <numerusform>%Ln marked</numerusform>
            <numerusform>%Ln marked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunsSide</name>
    <message numerus="yes">
        <source>%Ln checkpoints</source>
        <translation>
            <numerusform>%Ln checkpoint</numerusform>
            <numerusform>%Ln checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ScatterPlot</name>
    <message numerus="yes">
        <source>%Ln points, %1 against %2. Arrow keys walk the points, Space chooses one</source>
        <translation>
            <numerusform>%Ln point, %1 against %2. Arrow keys walk the points, Space chooses one</numerusform>
            <numerusform>%Ln points, %1 against %2. Arrow keys walk the points, Space chooses one</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::SessionRestore</name>
    <message numerus="yes">
        <source>%Ln folders of the last session are not responding</source>
        <translation>
            <numerusform>%Ln folder of the last session is not responding</numerusform>
            <numerusform>%Ln folders of the last session are not responding</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardCard</name>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show All %Ln Files</source>
        <translation>
            <numerusform>Show All %Ln Files</numerusform>
            <numerusform>Show All %Ln Files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files are missing</source>
        <translation>
            <numerusform>%Ln file is missing</numerusform>
            <numerusform>%Ln files are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors are incomplete</source>
        <translation>
            <numerusform>%Ln tensor is incomplete</numerusform>
            <numerusform>%Ln tensors are incomplete</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardMap</name>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln tensor</numerusform>
            <numerusform>%Ln tensors</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardsPage</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
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
    <name>cairn::ui::SpacePage</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::StartPage</name>
    <message numerus="yes">
        <source>Open %1: %Ln Checkpoints</source>
        <translation>
            <numerusform>Open %1: %Ln Checkpoint</numerusform>
            <numerusform>Open %1: %Ln Checkpoints</numerusform>
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
    <name>cairn::ui::SubjectFacts</name>
    <message numerus="yes">
        <source>%Ln links</source>
        <translation>
            <numerusform>%Ln link</numerusform>
            <numerusform>%Ln links</numerusform>
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
</context>
<context>
    <name>cairn::ui::TensorModel</name>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, group of %Ln tensors, %2</source>
        <translation>
            <numerusform>%1, group of %Ln tensor, %2</numerusform>
            <numerusform>%1, group of %Ln tensors, %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::TensorsPage</name>
    <message numerus="yes">
        <source>%Ln tensors · %1</source>
        <translation>
            <numerusform>%Ln tensor · %1</numerusform>
            <numerusform>%Ln tensors · %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln tensors · %2</source>
        <translation>
            <numerusform>%1 of %Ln tensor · %2</numerusform>
            <numerusform>%1 of %Ln tensors · %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ToolCard</name>
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
        <source>%Ln more unfinished jobs</source>
        <translation>
            <numerusform>%Ln more unfinished job</numerusform>
            <numerusform>%Ln more unfinished jobs</numerusform>
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
    <name>cairn::ui::WeightCurves</name>
    <message numerus="yes">
        <source>%Ln checkpoints skipped</source>
        <translation>
            <numerusform>%Ln checkpoint skipped</numerusform>
            <numerusform>%Ln checkpoints skipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightsCard</name>
    <message numerus="yes">
        <source>All %Ln tensors are equal.</source>
        <translation>
            <numerusform>The only tensor is equal.</numerusform>
            <numerusform>All %Ln tensors are equal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln not compared: different shape or unreadable</source>
        <translation>
            <numerusform>%Ln not compared: different shape or unreadable</numerusform>
            <numerusform>%Ln not compared: different shape or unreadable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoint pairs; %1 to read</source>
        <translation>
            <numerusform>%Ln checkpoint pair; %1 to read</numerusform>
            <numerusform>%Ln checkpoint pairs; %1 to read</numerusform>
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
    <message numerus="yes">
        <source>%Ln items</source>
        <translation>
            <numerusform>%Ln item</numerusform>
            <numerusform>%Ln items</numerusform>
        </translation>
    </message>
</context>
</TS>
