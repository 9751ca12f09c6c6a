<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
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
    <name>cairn::ui::JobView</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>manifest with %n SHA-256</source>
        <translation>
            <numerusform>manifest with %n SHA-256</numerusform>
            <numerusform>manifest with %n SHA-256</numerusform>
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
        <source>%n things differ from the manifest</source>
        <translation>
            <numerusform>%n thing differs from the manifest</numerusform>
            <numerusform>%n things differ from the manifest</numerusform>
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
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::NavigatorModel</name>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
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
    <name>cairn::ui::ShardCard</name>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n tensor</numerusform>
            <numerusform>%n tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n Files</source>
        <translation>
            <numerusform>All %n Files</numerusform>
            <numerusform>All %n Files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files are missing</source>
        <translation>
            <numerusform>%n file is missing</numerusform>
            <numerusform>%n files are missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensors have holes</source>
        <translation>
            <numerusform>%n tensor has holes</numerusform>
            <numerusform>%n tensors have holes</numerusform>
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
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, group of %n tensors, %2</source>
        <translation>
            <numerusform>%1, group of %n tensor, %2</numerusform>
            <numerusform>%1, group of %n tensors, %2</numerusform>
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
</TS>
