<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>cairn::ui::About</name>
    <message>
        <source>About Cairn</source>
        <translation>Über Cairn</translation>
    </message>
    <message>
        <source>Cairn</source>
        <translation>Cairn</translation>
    </message>
    <message>
        <source>A checkpoint browser for neural network training</source>
        <translation>Ein Checkpoint-Browser für das Training neuronaler Netze</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Qt</source>
        <translation>Qt</translation>
    </message>
    <message>
        <source>libtorch module</source>
        <translation>libtorch-Modul</translation>
    </message>
    <message>
        <source>loading…</source>
        <translation>wird geladen…</translation>
    </message>
    <message>
        <source>not included in this build</source>
        <translation>nicht in diesem Build enthalten</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>window GPL-3.0-or-later, core and cairn-cli Apache-2.0</source>
        <translation>Fenster GPL-3.0-or-later, Kern und cairn-cli Apache-2.0</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::Actions</name>
    <message>
        <source>&amp;Open Folder…</source>
        <translation>&amp;Ordner öffnen…</translation>
    </message>
    <message>
        <source>Open a folder of runs, a run or a checkpoint folder</source>
        <translation>Einen Ordner mit Runs, einen Run oder einen Checkpoint-Ordner öffnen</translation>
    </message>
    <message>
        <source>Open &amp;Files…</source>
        <translation>&amp;Dateien öffnen…</translation>
    </message>
    <message>
        <source>Open single checkpoint files</source>
        <translation>Einzelne Checkpoint-Dateien öffnen</translation>
    </message>
    <message>
        <source>Open &amp;Path…</source>
        <translation>&amp;Pfad öffnen…</translation>
    </message>
    <message>
        <source>Type or paste a path</source>
        <translation>Einen Pfad eingeben oder einfügen</translation>
    </message>
    <message>
        <source>Open &amp;Sample</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open the sample experiment that comes with Cairn</source>
        <translation>Das mitgelieferte Beispielexperiment öffnen</translation>
    </message>
    <message>
        <source>&amp;Clear List</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>Clear the list of recently opened folders</source>
        <translation>Die Liste der zuletzt geöffneten Ordner leeren</translation>
    </message>
    <message>
        <source>Show in File &amp;Manager</source>
        <translation>In Datei&amp;verwaltung zeigen</translation>
    </message>
    <message>
        <source>Show the checkpoint in the file manager</source>
        <translation>Den Checkpoint in der Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Copy P&amp;ath</source>
        <translation>Pfad &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy the full path of the selected item</source>
        <translation>Den vollständigen Pfad des ausgewählten Eintrags kopieren</translation>
    </message>
    <message>
        <source>&amp;Close Folder</source>
        <translation>Ordner &amp;schließen</translation>
    </message>
    <message>
        <source>Close the experiment; no files are changed</source>
        <translation>Das Experiment schließen; keine Datei wird geändert</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>B&amp;eenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Das Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo the last change of files on the disk</source>
        <translation>Die letzte Änderung von Dateien auf dem Datenträger rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>Die ausgewählten Zeilen kopieren</translation>
    </message>
    <message>
        <source>Copy as P&amp;ython</source>
        <translation>Als P&amp;ython kopieren</translation>
    </message>
    <message>
        <source>Copy a Python snippet that loads the selected tensor</source>
        <translation>Python-Code kopieren, der den ausgewählten Tensor lädt</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>&amp;Filtern</translation>
    </message>
    <message>
        <source>Filter the list by name</source>
        <translation>Die Liste nach Namen filtern</translation>
    </message>
    <message>
        <source>C&amp;lear Filter</source>
        <translation>Filter &amp;leeren</translation>
    </message>
    <message>
        <source>Clear the filter and show all rows</source>
        <translation>Den Filter leeren und alle Zeilen zeigen</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>&amp;Inspektor</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>Den Inspektor ein- oder ausblenden</translation>
    </message>
    <message>
        <source>&amp;Navigator</source>
        <translation>&amp;Navigator</translation>
    </message>
    <message>
        <source>Show or hide the navigator</source>
        <translation>Den Navigator ein- oder ausblenden</translation>
    </message>
    <message>
        <source>&amp;Expand All</source>
        <translation>Alle a&amp;usklappen</translation>
    </message>
    <message>
        <source>Expand every row of the tree with the focus</source>
        <translation>Jede Zeile des Baums mit dem Fokus ausklappen</translation>
    </message>
    <message>
        <source>C&amp;ollapse All</source>
        <translation>Alle &amp;einklappen</translation>
    </message>
    <message>
        <source>Collapse every row of the tree with the focus</source>
        <translation>Jede Zeile des Baums mit dem Fokus einklappen</translation>
    </message>
    <message>
        <source>&amp;Refresh</source>
        <translation>&amp;Aktualisieren</translation>
    </message>
    <message>
        <source>Reload the contents from disk</source>
        <translation>Den Inhalt neu vom Datenträger lesen</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Go back to the previous view</source>
        <translation>Zur vorherigen Ansicht zurückgehen</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vor</translation>
    </message>
    <message>
        <source>Go forward to the next view</source>
        <translation>Zur nächsten Ansicht vorgehen</translation>
    </message>
    <message>
        <source>&amp;Next Checkpoint</source>
        <translation>&amp;Nächster Checkpoint</translation>
    </message>
    <message>
        <source>Go to the next checkpoint of this run</source>
        <translation>Zum nächsten Checkpoint dieses Runs gehen</translation>
    </message>
    <message>
        <source>&amp;Previous Checkpoint</source>
        <translation>V&amp;orheriger Checkpoint</translation>
    </message>
    <message>
        <source>Go to the previous checkpoint of this run</source>
        <translation>Zum vorherigen Checkpoint dieses Runs gehen</translation>
    </message>
    <message>
        <source>Ne&amp;west Complete Checkpoint</source>
        <translation>Ne&amp;uester vollständiger Checkpoint</translation>
    </message>
    <message>
        <source>Go to the newest complete checkpoint</source>
        <translation>Zum neuesten vollständigen Checkpoint gehen</translation>
    </message>
    <message>
        <source>Next &amp;Difference</source>
        <translation>Nächster Unterschie&amp;d</translation>
    </message>
    <message>
        <source>Go to the next differing tensor on the Diff page</source>
        <translation>Auf der Seite Diff zum nächsten abweichenden Tensor gehen</translation>
    </message>
    <message>
        <source>P&amp;revious Difference</source>
        <translation>Vor&amp;heriger Unterschied</translation>
    </message>
    <message>
        <source>Go to the previous differing tensor on the Diff page</source>
        <translation>Auf der Seite Diff zum vorherigen abweichenden Tensor gehen</translation>
    </message>
    <message>
        <source>Go to N&amp;avigator</source>
        <translation>Zum Navi&amp;gator</translation>
    </message>
    <message>
        <source>Move focus to the navigator</source>
        <translation>Den Fokus in den Navigator setzen</translation>
    </message>
    <message>
        <source>&amp;Go to Page</source>
        <translation>Zur &amp;Seite</translation>
    </message>
    <message>
        <source>Move focus to the page</source>
        <translation>Den Fokus in die Seite setzen</translation>
    </message>
    <message>
        <source>Consolidate for &amp;Deployment</source>
        <translation>Für Deployment &amp;konsolidieren</translation>
    </message>
    <message>
        <source>Write one verified, loadable checkpoint from all shards</source>
        <translation>Aus allen Shards einen geprüften, ladbaren Checkpoint schreiben</translation>
    </message>
    <message>
        <source>Choose &amp;Output Folder…</source>
        <translation>&amp;Ausgabeordner wählen…</translation>
    </message>
    <message>
        <source>Choose where to write the consolidated checkpoint</source>
        <translation>Wählen, wohin der konsolidierte Checkpoint geschrieben wird</translation>
    </message>
    <message>
        <source>Copy as Co&amp;mmand</source>
        <translation>Als &amp;Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the equivalent cairn-cli command</source>
        <translation>Den entsprechenden cairn-cli-Befehl kopieren</translation>
    </message>
    <message>
        <source>A&amp;verage Checkpoints…</source>
        <translation>Checkpoints &amp;mitteln…</translation>
    </message>
    <message>
        <source>Write the average of the selected checkpoints</source>
        <translation>Den Mittelwert der ausgewählten Checkpoints schreiben</translation>
    </message>
    <message>
        <source>Edit &amp;Names and Metadata…</source>
        <translation>&amp;Namen und Metadaten bearbeiten…</translation>
    </message>
    <message>
        <source>Edit names and metadata in place; tensor data does not change</source>
        <translation>Namen und Metadaten in der Datei bearbeiten; die Daten der Tensoren bleiben unverändert</translation>
    </message>
    <message>
        <source>&amp;Mark Run</source>
        <translation>&amp;Run markieren</translation>
    </message>
    <message>
        <source>Mark or unmark the selected run for comparison</source>
        <translation>Den ausgewählten Run zum Vergleichen markieren oder nicht mehr markieren</translation>
    </message>
    <message>
        <source>C&amp;lear Marks</source>
        <translation>Markierungen auf&amp;heben</translation>
    </message>
    <message>
        <source>Remove the marks of all runs</source>
        <translation>Die Markierungen aller Runs entfernen</translation>
    </message>
    <message>
        <source>Compare with Marked &amp;Run</source>
        <translation>Mit markiertem Run &amp;vergleichen</translation>
    </message>
    <message>
        <source>Compare curves, settings and weights of the marked run and this one</source>
        <translation>Kurven, Einstellungen und Gewichte des markierten und dieses Runs vergleichen</translation>
    </message>
    <message>
        <source>Di&amp;ff with Previous Checkpoint</source>
        <translation>&amp;Diff mit vorherigem Checkpoint</translation>
    </message>
    <message>
        <source>Compare with the previous checkpoint of this run</source>
        <translation>Mit dem vorherigen Checkpoint dieses Runs vergleichen</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>Read every byte: missing parts, checksums, mixed saves, NaN</source>
        <translation>Jedes Byte lesen: fehlende Teile, Prüfsummen, gemischte Speicherstände, NaN</translation>
    </message>
    <message>
        <source>Scan &amp;Pickles</source>
        <translation>P&amp;ickles untersuchen</translation>
    </message>
    <message>
        <source>Find what loading the files in Python would run; nothing is run</source>
        <translation>Finden, was beim Laden der Dateien in Python ausgeführt würde; nichts wird ausgeführt</translation>
    </message>
    <message>
        <source>&amp;Hash</source>
        <translation>&amp;Hash berechnen</translation>
    </message>
    <message>
        <source>SHA-256 of every tensor, independent of format and sharding</source>
        <translation>SHA-256 jedes Tensors, unabhängig von Format und Sharding</translation>
    </message>
    <message>
        <source>&amp;Manifest</source>
        <translation>&amp;Manifest</translation>
    </message>
    <message>
        <source>Verify the files against the manifest beside them</source>
        <translation>Die Dateien mit dem Manifest daneben vergleichen</translation>
    </message>
    <message>
        <source>Checkpoint F&amp;older…</source>
        <translation>Checkpoint-&amp;Ordner…</translation>
    </message>
    <message>
        <source>Verify that a different checkpoint has the same tensors</source>
        <translation>Prüfen, ob ein anderer Checkpoint dieselben Tensoren hat</translation>
    </message>
    <message>
        <source>Checkpoint F&amp;ile…</source>
        <translation>Checkpoint-&amp;Datei…</translation>
    </message>
    <message>
        <source>Con&amp;vert…</source>
        <translation>Kon&amp;vertieren…</translation>
    </message>
    <message>
        <source>Write all tensors and values in a different format</source>
        <translation>Alle Tensoren und Werte in einem anderen Format schreiben</translation>
    </message>
    <message>
        <source>&amp;Reshard…</source>
        <translation>&amp;Neu aufteilen…</translation>
    </message>
    <message>
        <source>Write the checkpoint for another number of ranks</source>
        <translation>Den Checkpoint für eine andere Anzahl von Ranks schreiben</translation>
    </message>
    <message>
        <source>E&amp;xport to NumPy…</source>
        <translation>Nach NumPy e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write the tensors into one .npz file</source>
        <translation>Die Tensoren in eine .npz-Datei schreiben</translation>
    </message>
    <message>
        <source>Pac&amp;k…</source>
        <translation>Pac&amp;ken…</translation>
    </message>
    <message>
        <source>Write a smaller archive (.cairnz) that Cairn opens and unpacks</source>
        <translation>Ein kleineres Archiv (.cairnz) schreiben, das Cairn öffnet und entpackt</translation>
    </message>
    <message>
        <source>Pr&amp;une Run…</source>
        <translation>R&amp;un ausdünnen…</translation>
    </message>
    <message>
        <source>See which checkpoints of the run can go, and move them to the wastebasket</source>
        <translation>Sehen, welche Checkpoints des Runs entfallen können, und sie in den Papierkorb verschieben</translation>
    </message>
    <message>
        <source>Show &amp;Jobs</source>
        <translation>&amp;Jobs zeigen</translation>
    </message>
    <message>
        <source>Show running and finished jobs</source>
        <translation>Laufende und fertige Jobs zeigen</translation>
    </message>
    <message>
        <source>&amp;Pause All</source>
        <translation>Alle &amp;pausieren</translation>
    </message>
    <message>
        <source>Pause the running jobs or resume the paused ones</source>
        <translation>Die laufenden Jobs pausieren oder die pausierten fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Cancel All</source>
        <translation>Alle &amp;abbrechen</translation>
    </message>
    <message>
        <source>Cancel the running jobs and remove their unfinished files</source>
        <translation>Die laufenden Jobs abbrechen und ihre unfertigen Dateien entfernen</translation>
    </message>
    <message>
        <source>C&amp;lear Finished</source>
        <translation>&amp;Fertige entfernen</translation>
    </message>
    <message>
        <source>Remove finished jobs from the list; their files are kept</source>
        <translation>Fertige Jobs aus der Liste entfernen; ihre Dateien bleiben</translation>
    </message>
    <message>
        <source>Job &amp;History</source>
        <translation>Job-&amp;Verlauf</translation>
    </message>
    <message>
        <source>Show running and earlier jobs</source>
        <translation>Laufende und frühere Jobs zeigen</translation>
    </message>
    <message>
        <source>&amp;Unfinished Jobs</source>
        <translation>&amp;Unfertige Jobs</translation>
    </message>
    <message>
        <source>Show interrupted jobs that can be resumed or discarded</source>
        <translation>Unterbrochene Jobs zeigen, die sich fortsetzen oder verwerfen lassen</translation>
    </message>
    <message>
        <source>Command &amp;Palette…</source>
        <translation>&amp;Befehlspalette…</translation>
    </message>
    <message>
        <source>Find an action by name</source>
        <translation>Eine Aktion nach Namen finden</translation>
    </message>
    <message>
        <source>&amp;About Cairn</source>
        <translation>Über &amp;Cairn</translation>
    </message>
    <message>
        <source>Versions and licence</source>
        <translation>Versionen und Lizenz</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>About the Qt toolkit</source>
        <translation>Über das Qt-Toolkit</translation>
    </message>
    <message>
        <source>merge convert export join gather save serve deploy</source>
        <translation>zusammenführen konvertieren exportieren merge convert export join gather save serve deploy</translation>
    </message>
    <message>
        <source>soup mean merge</source>
        <translation>mittelwert durchschnitt soup mean merge average</translation>
    </message>
    <message>
        <source>validate health corrupt damaged nan inf missing</source>
        <translation>validieren defekt beschädigt fehlend check validate health corrupt nan inf</translation>
    </message>
    <message>
        <source>security malware code unsafe</source>
        <translation>sicherheit schadcode scan security malware code unsafe</translation>
    </message>
    <message>
        <source>checksum sha256 fingerprint digest</source>
        <translation>prüfsumme fingerabdruck checksum sha256 fingerprint digest</translation>
    </message>
    <message>
        <source>compare equal same checksum</source>
        <translation>vergleichen gleich prüfsumme verify compare same checksum</translation>
    </message>
    <message>
        <source>compare equal same</source>
        <translation>vergleichen gleich verify compare same</translation>
    </message>
    <message>
        <source>ranks shards split dcp convert</source>
        <translation>reshard ranks shards teilen split dcp convert</translation>
    </message>
    <message>
        <source>npz save numpy</source>
        <translation>npz speichern export numpy</translation>
    </message>
    <message>
        <source>safetensors pt torch dcp save as export format</source>
        <translation>safetensors pt torch dcp speichern unter exportieren Format</translation>
    </message>
    <message>
        <source>compress archive zip cairnz smaller</source>
        <translation>komprimieren Archiv zip cairnz kleiner</translation>
    </message>
    <message>
        <source>delete remove clean space retention keep</source>
        <translation>löschen entfernen aufräumen Platz behalten</translation>
    </message>
    <message>
        <source>restore revert wastebasket</source>
        <translation>wiederherstellen zurücknehmen Papierkorb</translation>
    </message>
    <message>
        <source>rename keys tags</source>
        <translation>umbenennen schlüssel rename keys tags</translation>
    </message>
    <message>
        <source>search find</source>
        <translation>suchen finden search find</translation>
    </message>
    <message>
        <source>latest last</source>
        <translation>letzter latest last</translation>
    </message>
    <message>
        <source>diff versus</source>
        <translation>diff compare gegenüber</translation>
    </message>
    <message>
        <source>select overlay</source>
        <translation>auswählen überlagern mark select overlay</translation>
    </message>
    <message>
        <source>progress tasks running</source>
        <translation>fortschritt aufgaben laufend progress tasks</translation>
    </message>
    <message>
        <source>cli terminal shell</source>
        <translation>cli terminal shell kommandozeile command</translation>
    </message>
    <message>
        <source>load directory experiment</source>
        <translation>laden verzeichnis experiment load directory</translation>
    </message>
    <message>
        <source>reload rescan update</source>
        <translation>neu laden reload rescan update refresh</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Run</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
        <source>&amp;Verify Against</source>
        <translation>&amp;Vergleichen mit</translation>
    </message>
    <message>
        <source>&amp;Jobs</source>
        <translation>&amp;Jobs</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Show the page “%1”</source>
        <translation>Die Seite „%1“ zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::AttentionCard</name>
    <message>
        <source>Needs attention</source>
        <translation>Braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>Recover…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::AxisTick</name>
    <message>
        <source>%1 d</source>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1:%2 h</source>
        <translation>%1:%2 h</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ByteProgress</name>
    <message>
        <source>%1 % done</source>
        <translation>%1 % fertig</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChartControls</name>
    <message>
        <source>Log y</source>
        <translation>Log y</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>X axis</source>
        <translation>X-Achse</translation>
    </message>
    <message>
        <source>Show values on a logarithmic scale</source>
        <translation>Werte logarithmisch auftragen</translation>
    </message>
    <message>
        <source>Exponential moving average with bias correction, as in TensorBoard: each point keeps this fraction of the previous average. The raw curve is drawn faintly under it. Curves with fewer than %1 points are not smoothed.</source>
        <translation>Exponentieller gleitender Mittelwert mit Bias-Korrektur, wie in TensorBoard: Jeder Punkt behält diesen Anteil des vorherigen Mittelwerts. Die rohe Kurve liegt blass darunter. Kurven mit weniger als %1 Punkten werden nicht geglättet.</translation>
    </message>
    <message>
        <source>Logarithmic Y Axis</source>
        <translation>Logarithmische Y-Achse</translation>
    </message>
    <message>
        <source>Logarithmic X Axis</source>
        <translation>Logarithmische X-Achse</translation>
    </message>
    <message>
        <source>Show Data Tables</source>
        <translation>Datentabellen zeigen</translation>
    </message>
    <message>
        <source>Fit All</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Previous View</source>
        <translation>Vorheriger Ausschnitt</translation>
    </message>
    <message>
        <source>Next View</source>
        <translation>Nächster Ausschnitt</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Scales, smoothing, data tables and zoom history</source>
        <translation>Skalen, Glättung, Datentabellen und Zoomverlauf</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export the charts to a file</source>
        <translation>Die Diagramme in eine Datei exportieren</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Elapsed Time</source>
        <translation>Verstrichene Zeit</translation>
    </message>
    <message>
        <source>Time of Day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Relative to First Point</source>
        <translation>Relativ zum ersten Punkt</translation>
    </message>
    <message>
        <source>%1 from First</source>
        <translation>%1 ab dem ersten</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChartExport</name>
    <message>
        <source>PNG Image…</source>
        <translation>PNG-Bild…</translation>
    </message>
    <message>
        <source>SVG Image…</source>
        <translation>SVG-Bild…</translation>
    </message>
    <message>
        <source>PDF Document…</source>
        <translation>PDF-Dokument…</translation>
    </message>
    <message>
        <source>All Points as CSV…</source>
        <translation>Alle Punkte als CSV…</translation>
    </message>
    <message>
        <source>All Points as JSON…</source>
        <translation>Alle Punkte als JSON…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Exported: %1</source>
        <translation>Exportiert: %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CheckpointTable</name>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CheckpointTools</name>
    <message numerus="yes">
        <source>%Ln tensors read</source>
        <translation>
            <numerusform>%Ln Tensor gelesen</numerusform>
            <numerusform>%Ln Tensoren gelesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln stored checksums compared</source>
        <translation>
            <numerusform>%Ln gespeicherte Prüfsumme verglichen</numerusform>
            <numerusform>%Ln gespeicherte Prüfsummen verglichen</numerusform>
        </translation>
    </message>
    <message>
        <source>Problems found</source>
        <translation>Probleme gefunden</translation>
    </message>
    <message>
        <source>Warnings only</source>
        <translation>Nur Warnungen</translation>
    </message>
    <message>
        <source>No problems found</source>
        <translation>Keine Probleme gefunden</translation>
    </message>
    <message>
        <source>The files contain no pickle</source>
        <translation>Die Dateien enthalten kein Pickle</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pickles examined</source>
        <translation>
            <numerusform>%Ln Pickle untersucht</numerusform>
            <numerusform>%Ln Pickles untersucht</numerusform>
        </translation>
    </message>
    <message>
        <source>Fingerprint %1</source>
        <translation>Fingerabdruck %1</translation>
    </message>
    <message>
        <source>No fingerprint: a tensor could not be read</source>
        <translation>Kein Fingerabdruck: Ein Tensor war nicht lesbar</translation>
    </message>
    <message numerus="yes">
        <source>%Ln compared</source>
        <translation>
            <numerusform>%Ln verglichen</numerusform>
            <numerusform>%Ln verglichen</numerusform>
        </translation>
    </message>
    <message>
        <source>The same bytes</source>
        <translation>Dieselben Bytes</translation>
    </message>
    <message>
        <source>Not the same</source>
        <translation>Nicht gleich</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Pickle scan</source>
        <translation>Pickle-Untersuchung</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>Hash</translation>
    </message>
    <message>
        <source>Verify with the manifest</source>
        <translation>Vergleich mit dem Manifest</translation>
    </message>
    <message>
        <source>Verify against %1</source>
        <translation>Vergleich mit %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChecksCard</name>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Every element is present exactly once</source>
        <translation>Jedes Element ist genau einmal vorhanden</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln checks passed</source>
        <translation>
            <numerusform>%Ln Prüfung bestanden</numerusform>
            <numerusform>%Ln Prüfungen bestanden</numerusform>
        </translation>
    </message>
    <message>
        <source>Show Fewer</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Show All</source>
        <translation>Alle zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChoiceList</name>
    <message>
        <source>Filter…</source>
        <translation>Filtern…</translation>
    </message>
    <message>
        <source>Filter the names</source>
        <translation>Die Namen filtern</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CommandPalette</name>
    <message>
        <source>Search actions, runs, checkpoints, tensors…</source>
        <translation>Aktionen, Runs, Checkpoints, Tensoren suchen…</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>Alles suchen</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Nothing found for “%1” in the actions, runs, checkpoints, and tensors of the shown checkpoint</source>
        <translation>Nichts gefunden zu „%1“ in Aktionen, Runs, Checkpoints und Tensoren des gezeigten Checkpoints</translation>
    </message>
    <message>
        <source>Nothing found for “%1” in the actions, runs and checkpoints</source>
        <translation>Nichts gefunden zu „%1“ in Aktionen, Runs und Checkpoints</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ComparePage</name>
    <message>
        <source>Only in %1: %2</source>
        <translation>Nur in %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>weights: |B − A| / |A|</source>
        <translation>Gewichte: |B − A| / |A|</translation>
    </message>
    <message>
        <source> vs </source>
        <translation> vs. </translation>
    </message>
    <message>
        <source>B relative to A</source>
        <translation>B relativ zu A</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pairs of checkpoints</source>
        <translation>
            <numerusform>%Ln Paar von Checkpoints</numerusform>
            <numerusform>%Ln Paare von Checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln not comparable</source>
        <translation>
            <numerusform>%Ln nicht vergleichbar</numerusform>
            <numerusform>%Ln nicht vergleichbar</numerusform>
        </translation>
    </message>
    <message>
        <source>The two runs have no metric in common.</source>
        <translation>Die beiden Runs haben keine Metrik gemeinsam.</translation>
    </message>
    <message>
        <source>%1: no history found for this run</source>
        <translation>%1: kein Verlauf für diesen Run gefunden</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Mitlesen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Filter metrics…</source>
        <translation>Metriken filtern…</translation>
    </message>
    <message>
        <source>The runs cannot be compared</source>
        <translation>Die Runs lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln shared metrics</source>
        <translation>
            <numerusform>%Ln gemeinsame Metrik</numerusform>
            <numerusform>%Ln gemeinsame Metriken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln settings</source>
        <translation>
            <numerusform>%Ln Einstellung</numerusform>
            <numerusform>%Ln Einstellungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoint pairs</source>
        <translation>
            <numerusform>%Ln Checkpoint-Paar</numerusform>
            <numerusform>%Ln Checkpoint-Paare</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 vs %2</source>
        <translation>%1 vs. %2</translation>
    </message>
    <message>
        <source>Select two runs to compare</source>
        <translation>Zwei Runs zum Vergleichen auswählen</translation>
    </message>
    <message>
        <source>Choose the second run above, or select it on the left and press X. You can also drag one run onto the other.</source>
        <translation>Den zweiten Run oben wählen, oder links auswählen und X drücken. Ein Run lässt sich auch auf den anderen ziehen.</translation>
    </message>
    <message>
        <source>Choose both runs above, or select each on the left and press X. You can also drag one run onto the other.</source>
        <translation>Beide Runs oben wählen, oder links jeden auswählen und X drücken. Ein Run lässt sich auch auf den anderen ziehen.</translation>
    </message>
    <message>
        <source>A and B are the same run</source>
        <translation>A und B sind derselbe Run</translation>
    </message>
    <message>
        <source>Choose a different run for A or B.</source>
        <translation>Für A oder B einen anderen Run wählen.</translation>
    </message>
    <message>
        <source>The history of %1 cannot be read</source>
        <translation>Der Verlauf von %1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>Reading both histories…</source>
        <translation>Beide Verläufe werden gelesen…</translation>
    </message>
    <message>
        <source>No metric matches the filter</source>
        <translation>Keine Metrik passt zum Filter</translation>
    </message>
    <message numerus="yes">
        <source>%Ln metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln Metrik ist durch den Filter ausgeblendet.</numerusform>
            <numerusform>%Ln Metriken sind durch den Filter ausgeblendet.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show All Metrics</source>
        <translation>Alle Metriken zeigen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Following</source>
        <translation>Liest mit</translation>
    </message>
    <message>
        <source>Updates are paused; click to follow the files</source>
        <translation>Die Aktualisierung pausiert; ein Klick liest die Dateien wieder mit</translation>
    </message>
    <message>
        <source>The files are read again when they grow; click to pause</source>
        <translation>Die Dateien werden neu gelesen, wenn sie wachsen; ein Klick pausiert</translation>
    </message>
    <message>
        <source>%1 %2 against %3</source>
        <translation>%1 %2 gegenüber %3</translation>
    </message>
    <message>
        <source>B is better: %1.</source>
        <translation>B ist besser: %1.</translation>
    </message>
    <message>
        <source>B is worse: %1.</source>
        <translation>B ist schlechter: %1.</translation>
    </message>
    <message>
        <source>A and B are equal: %1 %2.</source>
        <translation>A und B sind gleich: %1 %2.</translation>
    </message>
    <message>
        <source>A and B have no metric in common.</source>
        <translation>A und B haben keine Metrik gemeinsam.</translation>
    </message>
    <message>
        <source>B compared with A: %1.</source>
        <translation>B verglichen mit A: %1.</translation>
    </message>
    <message>
        <source>No setting differs.</source>
        <translation>Keine Einstellung weicht ab.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln weitere</numerusform>
            <numerusform>%Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Differs: %1.</source>
        <translation>Abweichend: %1.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CompareSide</name>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>First divergence</source>
        <translation>Erste Divergenz</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Diff Checkpoints</source>
        <translation>Diff der Checkpoints</translation>
    </message>
    <message>
        <source>Compare the two checkpoints of the selected row</source>
        <translation>Die beiden Checkpoints der ausgewählten Zeile vergleichen</translation>
    </message>
    <message>
        <source>Metric of the summary</source>
        <translation>Metrik der Übersicht</translation>
    </message>
    <message>
        <source>Checkpoints of both runs</source>
        <translation>Checkpoints beider Runs</translation>
    </message>
    <message>
        <source>Go to Checkpoint of A</source>
        <translation>Zum Checkpoint von A</translation>
    </message>
    <message>
        <source>Go to Checkpoint of B</source>
        <translation>Zum Checkpoint von B</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln weitere</numerusform>
            <numerusform>%Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>The curves have no %1 in common.</source>
        <translation>Die Kurven haben keine gemeinsame Stelle (%1).</translation>
    </message>
    <message numerus="yes">
        <source>The curves are equal at all %Ln common points.</source>
        <translation>
            <numerusform>Die Kurven sind am %Ln gemeinsamen Punkt gleich.</numerusform>
            <numerusform>Die Kurven sind an allen %Ln gemeinsamen Punkten gleich.</numerusform>
        </translation>
    </message>
    <message>
        <source>The curves are equal up to %1.</source>
        <translation>Die Kurven sind gleich bis %1.</translation>
    </message>
    <message>
        <source>The curves differ from the first common point, %1.</source>
        <translation>Die Kurven weichen ab dem ersten gemeinsamen Punkt ab, %1.</translation>
    </message>
    <message>
        <source>They diverge by more than %1 % from %2.</source>
        <translation>Sie weichen um mehr als %1 % ab ab %2.</translation>
    </message>
    <message>
        <source>They never diverge by more than %1 %.</source>
        <translation>Sie weichen nie um mehr als %1 % ab.</translation>
    </message>
    <message>
        <source>On average B − A is %1.</source>
        <translation>Im Mittel ist B − A %1.</translation>
    </message>
    <message numerus="yes">
        <source>The weights are equal at all %Ln checkpoint pairs.</source>
        <translation>
            <numerusform>Die Gewichte sind beim %Ln Checkpoint-Paar gleich.</numerusform>
            <numerusform>Die Gewichte sind bei allen %Ln Checkpoint-Paaren gleich.</numerusform>
        </translation>
    </message>
    <message>
        <source>The weights are equal up to %1.</source>
        <translation>Die Gewichte sind gleich bis %1.</translation>
    </message>
    <message>
        <source>The weights differ from the first checkpoint pair, %1.</source>
        <translation>Die Gewichte weichen ab dem ersten Checkpoint-Paar ab, %1.</translation>
    </message>
    <message>
        <source>First layers to differ by more than %1 %: %2.</source>
        <translation>Erste Layer mit mehr als %1 % Abweichung: %2.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ConsolidatePage</name>
    <message>
        <source>Consolidate</source>
        <translation>Konsolidieren</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message numerus="yes">
        <source>Average %Ln Checkpoints</source>
        <translation>
            <numerusform>%Ln Checkpoint mitteln</numerusform>
            <numerusform>%Ln Checkpoints mitteln</numerusform>
        </translation>
    </message>
    <message>
        <source>Reshard</source>
        <translation>Neu aufteilen</translation>
    </message>
    <message>
        <source>Consolidate for Deployment</source>
        <translation>Für Deployment konsolidieren</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>Mitteln</translation>
    </message>
    <message>
        <source>Consolidate Again</source>
        <translation>Erneut konsolidieren</translation>
    </message>
    <message>
        <source>Average with equal weights</source>
        <translation>Mittel mit gleichen Gewichten</translation>
    </message>
    <message>
        <source>Average with weights %1</source>
        <translation>Mittel mit den Gewichten %1</translation>
    </message>
    <message>
        <source>Use Only the Current Checkpoint</source>
        <translation>Nur den aktuellen Checkpoint verwenden</translation>
    </message>
    <message>
        <source>Nothing is written until this is resolved.</source>
        <translation>Nichts wird geschrieben, solange das nicht gelöst ist.</translation>
    </message>
    <message>
        <source>Cast to float32</source>
        <translation>In float32 umwandeln</translation>
    </message>
    <message>
        <source>Choose Other Folder…</source>
        <translation>Anderen Ordner wählen…</translation>
    </message>
    <message>
        <source>Show Shards</source>
        <translation>Shards zeigen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CrumbBar</name>
    <message>
        <source>Shown part</source>
        <translation>Gezeigter Teil</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CurveChart</name>
    <message>
        <source>Chart of %1</source>
        <translation>Diagramm von %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln Punkt</numerusform>
            <numerusform>%Ln Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>, minimum %1, maximum %2, last %3</source>
        <translation>, Minimum %1, Maximum %2, letzter Wert %3</translation>
    </message>
    <message numerus="yes">
        <source>, %Ln non-finite</source>
        <translation>
            <numerusform>, %Ln nicht endlicher</numerusform>
            <numerusform>, %Ln nicht endliche</numerusform>
        </translation>
    </message>
    <message>
        <source>Plus and Minus zoom, the arrow keys pan, 0 fits all, Ctrl with the arrow keys moves from point to point, T moves to the next checkpoint, Enter selects it</source>
        <translation>Plus und Minus zoomen, die Pfeiltasten verschieben, 0 passt alles ein, Strg mit den Pfeiltasten geht von Punkt zu Punkt, T geht zum nächsten Checkpoint, Enter wählt ihn aus</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>geglättet %1</translation>
    </message>
    <message>
        <source>Points of %1</source>
        <translation>Punkte von %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CurveTable</name>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::Deployment</name>
    <message>
        <source>%1 (measured)</source>
        <translation>%1 (gemessen)</translation>
    </message>
    <message>
        <source>%1 (estimated)</source>
        <translation>%1 (geschätzt)</translation>
    </message>
    <message>
        <source>%1 (assumed rate)</source>
        <translation>%1 (angenommene Rate)</translation>
    </message>
    <message>
        <source>no config.json, no tokenizer</source>
        <translation>keine config.json, kein Tokenizer</translation>
    </message>
    <message>
        <source>no config.json</source>
        <translation>keine config.json</translation>
    </message>
    <message>
        <source>no tokenizer</source>
        <translation>kein Tokenizer</translation>
    </message>
    <message>
        <source>planning…</source>
        <translation>wird geplant…</translation>
    </message>
    <message>
        <source>A job is writing %1</source>
        <translation>Ein Job schreibt %1</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message numerus="yes">
        <source>%Ln shards</source>
        <translation>
            <numerusform>%Ln Shard</numerusform>
            <numerusform>%Ln Shards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln model files</source>
        <translation>
            <numerusform>%Ln Modelldatei</numerusform>
            <numerusform>%Ln Modelldateien</numerusform>
        </translation>
    </message>
    <message>
        <source> (+%L1)</source>
        <translation> (+%L1)</translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 Arbeitsspeicher</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>from_pretrained() needs the files that are missing; see the checks.</source>
        <translation>from_pretrained() braucht die fehlenden Dateien; siehe Prüfungen.</translation>
    </message>
    <message>
        <source>Wait for that job, or choose a different output.</source>
        <translation>Auf diesen Job warten oder eine andere Ausgabe wählen.</translation>
    </message>
    <message>
        <source>Average %1 of %2</source>
        <translation>Mittel aus %1 von %2</translation>
    </message>
    <message>
        <source>Consolidate %1</source>
        <translation>%1 konsolidieren</translation>
    </message>
    <message>
        <source>Reshard %1</source>
        <translation>%1 neu aufteilen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::DesktopNotices</name>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::DeviceButton</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Compute device</source>
        <translation>Rechengerät</translation>
    </message>
</context>
<context>
    <name>cairn::ui::DiffModel</name>
    <message>
        <source>from zero</source>
        <translation>von null</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>%1, named %2</source>
        <translation>%1, genannt %2</translation>
    </message>
    <message>
        <source>not compared</source>
        <translation>nicht verglichen</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>nur hier</translation>
    </message>
    <message>
        <source>%1 only here</source>
        <translation>%1 nur hier</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>|A − B| / |A|, of the elements' L2 norms</source>
        <translation>|A − B| / |A|, mit den L2-Normen der Elemente</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Relative change</source>
        <translation>Relative Änderung</translation>
    </message>
    <message>
        <source>Max abs</source>
        <translation>Max. abs.</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::DiffPage</name>
    <message>
        <source>previous</source>
        <translation>vorheriger</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Device for comparing values</source>
        <translation>Gerät zum Vergleichen der Werte</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Relative change by layer</source>
        <translation>Relative Änderung je Layer</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Compare A with another checkpoint</source>
        <translation>A mit einem anderen Checkpoint vergleichen</translation>
    </message>
    <message>
        <source>Rows to list</source>
        <translation>Gezeigte Zeilen</translation>
    </message>
    <message>
        <source>Table to show</source>
        <translation>Gezeigte Tabelle</translation>
    </message>
    <message>
        <source>Rename rules for A: FROM=TO, separated by semicolons, then Enter</source>
        <translation>Umbenennungsregeln für A: VON=NACH, durch Semikolon getrennt, dann Enter</translation>
    </message>
    <message>
        <source>“encoder.=enc.” replaces a prefix of A's names to match B's. With “re:” in front, FROM is a regular expression and TO may use its groups $1 …</source>
        <translation>„encoder.=enc.“ ersetzt ein Präfix in den Namen von A, damit sie zu B passen. Mit „re:“ davor ist VON ein regulärer Ausdruck, und NACH darf dessen Gruppen verwenden: $1 …</translation>
    </message>
    <message>
        <source>Rename rules from A to B</source>
        <translation>Umbenennungsregeln von A nach B</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>Diff</translation>
    </message>
    <message>
        <source>Select a tensor to see how it differs.</source>
        <translation>Einen Tensor auswählen, um seine Abweichung zu sehen.</translation>
    </message>
    <message>
        <source>No checkpoint is open</source>
        <translation>Kein Checkpoint ist geöffnet</translation>
    </message>
    <message>
        <source>Select a checkpoint on the left to compare it.</source>
        <translation>Links einen Checkpoint auswählen, um ihn zu vergleichen.</translation>
    </message>
    <message>
        <source>Choose Another Checkpoint</source>
        <translation>Anderen Checkpoint wählen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>The checkpoints cannot be compared</source>
        <translation>Die Checkpoints lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>The values cannot be compared</source>
        <translation>Die Werte lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>%1 tensors in both</source>
        <translation>%1 Tensoren in beiden</translation>
    </message>
    <message>
        <source>%1 only in A</source>
        <translation>%1 nur in A</translation>
    </message>
    <message>
        <source>%1 only in B</source>
        <translation>%1 nur in B</translation>
    </message>
    <message>
        <source>%1 renamed</source>
        <translation>%1 umbenannt</translation>
    </message>
    <message>
        <source>%1 differ</source>
        <translation>%1 abweichend</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>all equal</source>
        <translation>alle gleich</translation>
    </message>
    <message>
        <source>%1 cannot be compared</source>
        <translation>%1 nicht vergleichbar</translation>
    </message>
    <message>
        <source>%1 plain values differ</source>
        <translation>%1 einfache Werte abweichend</translation>
    </message>
</context>
<context>
    <name>cairn::ui::DiffTables</name>
    <message>
        <source>Tensors of both checkpoints</source>
        <translation>Tensoren beider Checkpoints</translation>
    </message>
    <message>
        <source>Plain values that differ</source>
        <translation>Abweichende einfache Werte</translation>
    </message>
    <message>
        <source>All plain values are the same.</source>
        <translation>Alle einfachen Werte sind gleich.</translation>
    </message>
    <message>
        <source>No tensor that differs matches “%1”.</source>
        <translation>Kein abweichender Tensor passt zu „%1“.</translation>
    </message>
    <message>
        <source>Every tensor is identical, bit for bit.</source>
        <translation>Jeder Tensor ist Bit für Bit identisch.</translation>
    </message>
    <message>
        <source>Every tensor is equal under the selected criterion.</source>
        <translation>Jeder Tensor ist nach dem gewählten Kriterium gleich.</translation>
    </message>
    <message>
        <source>Clear Filter</source>
        <translation>Filter leeren</translation>
    </message>
</context>
<context>
    <name>cairn::ui::EqualityButton</name>
    <message>
        <source>Equality criterion</source>
        <translation>Kriterium für Gleichheit</translation>
    </message>
    <message>
        <source>Bit for bit</source>
        <translation>Bit für Bit</translation>
    </message>
    <message>
        <source>Same dtype and identical bits</source>
        <translation>Gleicher Dtype und identische Bits</translation>
    </message>
    <message>
        <source>After cast</source>
        <translation>Nach Umwandlung</translation>
    </message>
    <message>
        <source>Same values after casting the wider dtype to the narrower one</source>
        <translation>Gleiche Werte nach Umwandlung des breiteren Dtypes in den schmaleren</translation>
    </message>
    <message>
        <source>Within %1</source>
        <translation>Innerhalb %1</translation>
    </message>
    <message>
        <source>Every element: |A − B| ≤ %1 · |B|</source>
        <translation>Jedes Element: |A − B| ≤ %1 · |B|</translation>
    </message>
    <message>
        <source>Equal: %1</source>
        <translation>Gleich: %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FigureGrid</name>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>last</source>
        <translation>letzter</translation>
    </message>
    <message>
        <source>at %1 %2</source>
        <translation>bei %1 %2</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>other's best at</source>
        <translation>Bestwert des anderen bei</translation>
    </message>
    <message>
        <source>area</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>wall time</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>non-finite</source>
        <translation>nicht endlich</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FiguresSection</name>
    <message>
        <source>sampled</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Compute Exactly</source>
        <translation>Exakt berechnen</translation>
    </message>
    <message>
        <source>Reads %1</source>
        <translation>Liest %1</translation>
    </message>
    <message>
        <source>All weights</source>
        <translation>Alle Gewichte</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>std</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>min, max</source>
        <translation>Min., Max.</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2-Norm</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN, Inf</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Histogram · %1 % beyond %2 std</source>
        <translation>Histogramm · %1 % jenseits von %2 Std.-Abw.</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderChangeModel</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderEditDialog</name>
    <message>
        <source>Tensor names in the file</source>
        <translation>Tensornamen in der Datei</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Copy as Command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Apply to File</source>
        <translation>Auf Datei anwenden</translation>
    </message>
    <message>
        <source>Edit Names and Metadata</source>
        <translation>Namen und Metadaten bearbeiten</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>The old header is kept in %1.</source>
        <translation>Der alte Header bleibt in %1 erhalten.</translation>
    </message>
    <message>
        <source>The header was written and verified</source>
        <translation>Der Header wurde geschrieben und geprüft</translation>
    </message>
    <message>
        <source>No interrupted edit of this file was found.</source>
        <translation>Keine unterbrochene Bearbeitung dieser Datei gefunden.</translation>
    </message>
    <message>
        <source>The interrupted edit was undone; the file is unchanged.</source>
        <translation>Die unterbrochene Bearbeitung wurde zurückgenommen; die Datei ist unverändert.</translation>
    </message>
    <message>
        <source>The interrupted edit had already completed; nothing to recover.</source>
        <translation>Die unterbrochene Bearbeitung war schon fertig; es gibt nichts wiederherzustellen.</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Wird geschrieben…</translation>
    </message>
    <message>
        <source>These changes cannot be applied; see the message below.</source>
        <translation>Diese Änderungen lassen sich nicht anwenden; siehe die Meldung unten.</translation>
    </message>
    <message>
        <source>No changes yet. Choose a rule for the names or edit a metadata entry.</source>
        <translation>Noch keine Änderungen. Eine Regel für die Namen wählen oder einen Metadateneintrag bearbeiten.</translation>
    </message>
    <message>
        <source>These rules do not change any name.</source>
        <translation>Diese Regeln ändern keinen Namen.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln names</source>
        <translation>
            <numerusform>%Ln Name</numerusform>
            <numerusform>%Ln Namen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln metadata entries</source>
        <translation>
            <numerusform>%Ln Metadateneintrag</numerusform>
            <numerusform>%Ln Metadateneinträge</numerusform>
        </translation>
    </message>
    <message>
        <source>Changes: %1</source>
        <translation>Änderungen: %1</translation>
    </message>
    <message>
        <source>Copy the equivalent cairn-cli command</source>
        <translation>Den entsprechenden cairn-cli-Befehl kopieren</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Cannot be edited in place</source>
        <translation>Lässt sich nicht in der Datei bearbeiten</translation>
    </message>
    <message>
        <source>Consolidating writes a new file with these names.</source>
        <translation>Konsolidieren schreibt eine neue Datei mit diesen Namen.</translation>
    </message>
    <message>
        <source>Consolidate with These Names…</source>
        <translation>Mit diesen Namen konsolidieren…</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderFacts</name>
    <message>
        <source>method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>overwrites</source>
        <translation>überschreibt</translation>
    </message>
    <message>
        <source>old header</source>
        <translation>alter Header</translation>
    </message>
    <message>
        <source>Keep the old header</source>
        <translation>Den alten Header behalten</translation>
    </message>
    <message>
        <source>Edit Plan</source>
        <translation>Bearbeitungsplan</translation>
    </message>
    <message>
        <source>Kept next to the file, to inspect it or to restore it by hand</source>
        <translation>Bleibt neben der Datei, zum Ansehen oder um ihn von Hand wiederherzustellen</translation>
    </message>
    <message>
        <source>kept next to the file</source>
        <translation>bleibt neben der Datei</translation>
    </message>
    <message>
        <source>next to the file until the new header is verified</source>
        <translation>neben der Datei, bis der neue Header geprüft ist</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>the first %1 of %2</source>
        <translation>die ersten %1 von %2</translation>
    </message>
    <message>
        <source>the header only; tensor data does not change</source>
        <translation>nur der Header; die Daten der Tensoren bleiben unverändert</translation>
    </message>
    <message>
        <source>no changes</source>
        <translation>keine Änderungen</translation>
    </message>
    <message>
        <source>the header has %1</source>
        <translation>der Header hat %1</translation>
    </message>
    <message>
        <source>within the existing header</source>
        <translation>im vorhandenen Header</translation>
    </message>
    <message>
        <source>the file size does not change</source>
        <translation>die Dateigröße bleibt gleich</translation>
    </message>
    <message>
        <source>inserts %1 before the data</source>
        <translation>fügt %1 vor den Daten ein</translation>
    </message>
    <message>
        <source>programs that have the file open will see its data change</source>
        <translation>Programme, die die Datei geöffnet haben, sehen veränderte Daten</translation>
    </message>
    <message>
        <source>not possible in place</source>
        <translation>in der Datei nicht möglich</translation>
    </message>
    <message>
        <source>needs %1, but only %2 are available</source>
        <translation>braucht %1, verfügbar sind nur %2</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeatMapView</name>
    <message>
        <source>%1 · mean of %2 × %3 blocks</source>
        <translation>%1 · Mittel über %2 × %3 Blöcke</translation>
    </message>
    <message>
        <source>%1, sampled</source>
        <translation>%1, Stichprobe</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>%1 by %2 blocks, largest mean %3</source>
        <translation>%1 mal %2 Blöcke, größtes Mittel %3</translation>
    </message>
    <message>
        <source>rows %1, columns %2: mean %3</source>
        <translation>Zeilen %1, Spalten %2: Mittel %3</translation>
    </message>
    <message>
        <source>, with NaN or Inf</source>
        <translation>, mit NaN oder Inf</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistogramView</name>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>%1 bins from %2 to %3</source>
        <translation>%1 Klassen von %2 bis %3</translation>
    </message>
    <message>
        <source>%1 to %2: about %3 elements</source>
        <translation>%1 bis %2: etwa %3 Elemente</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistoryCharts</name>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln Punkt</numerusform>
            <numerusform>%Ln Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 bytes read</source>
        <translation>%1 Bytes gelesen</translation>
    </message>
    <message>
        <source>train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>held-out</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>Dashed: %1</source>
        <translation>Gestrichelt: %1</translation>
    </message>
    <message>
        <source>not on this axis</source>
        <translation>nicht auf dieser Achse</translation>
    </message>
    <message>
        <source>%1 not on this axis</source>
        <translation>%1 nicht auf dieser Achse</translation>
    </message>
    <message>
        <source>%1 has no positions for these points on this axis.</source>
        <translation>%1 hat für diese Punkte keine Stellen auf dieser Achse.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln restarts</source>
        <translation>
            <numerusform>%Ln Neustart</numerusform>
            <numerusform>%Ln Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was resumed from an earlier step. Where steps repeat, the later values are drawn.</source>
        <translation>%1 wurde ab einem früheren Schritt fortgesetzt. Wo sich Schritte wiederholen, sind die späteren Werte gezeichnet.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sources</source>
        <translation>
            <numerusform>%Ln Quelle</numerusform>
            <numerusform>%Ln Quellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Drawn from %1. Also recorded in: %2</source>
        <translation>Gezeichnet aus %1. Auch aufgezeichnet in: %2</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HistoryPage</name>
    <message>
        <source>Follow</source>
        <translation>Mitlesen</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Filter metrics…</source>
        <translation>Metriken filtern…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Following</source>
        <translation>Liest mit</translation>
    </message>
    <message>
        <source>Updates are paused; click to follow the files</source>
        <translation>Die Aktualisierung pausiert; ein Klick liest die Dateien wieder mit</translation>
    </message>
    <message>
        <source>The files are read again when they grow; click to pause</source>
        <translation>Die Dateien werden neu gelesen, wenn sie wachsen; ein Klick pausiert</translation>
    </message>
    <message numerus="yes">
        <source>%Ln metrics</source>
        <translation>
            <numerusform>%Ln Metrik</numerusform>
            <numerusform>%Ln Metriken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln Punkt</numerusform>
            <numerusform>%Ln Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln warnings about these curves</source>
        <translation>
            <numerusform>%Ln Warnung zu diesen Kurven</numerusform>
            <numerusform>%Ln Warnungen zu diesen Kurven</numerusform>
        </translation>
    </message>
    <message>
        <source>No run is selected</source>
        <translation>Kein Run ist ausgewählt</translation>
    </message>
    <message>
        <source>Select a checkpoint on the left.</source>
        <translation>Links einen Checkpoint auswählen.</translation>
    </message>
    <message>
        <source>Reading the history…</source>
        <translation>Der Verlauf wird gelesen…</translation>
    </message>
    <message>
        <source>The history cannot be read</source>
        <translation>Der Verlauf ist nicht lesbar</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>No history found for this run</source>
        <translation>Kein Verlauf für diesen Run gefunden</translation>
    </message>
    <message>
        <source>Cairn searches the run's folder and the log folders above it for: %1.</source>
        <translation>Cairn sucht im Ordner des Runs und in den Log-Ordnern darüber nach: %1.</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>No metric matches the filter</source>
        <translation>Keine Metrik passt zum Filter</translation>
    </message>
    <message numerus="yes">
        <source>%Ln metrics are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln Metrik ist durch den Filter ausgeblendet.</numerusform>
            <numerusform>%Ln Metriken sind durch den Filter ausgeblendet.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show All Metrics</source>
        <translation>Alle Metriken zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::Inspector</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>Across Checkpoints</source>
        <translation>Über die Checkpoints</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Plot these statistics for every checkpoint of the run</source>
        <translation>Diese Statistik für jeden Checkpoint des Runs auftragen</translation>
    </message>
    <message>
        <source>Location</source>
        <translation>Lage</translation>
    </message>
    <message>
        <source>Copy Name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>Als Python kopieren</translation>
    </message>
    <message>
        <source>Select a tensor to see its shape, location and first values.</source>
        <translation>Einen Tensor auswählen, um Shape, Lage und erste Werte zu sehen.</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>Dtype</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>pieces</source>
        <translation>Stücke</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>tied to</source>
        <translation>geteilt mit</translation>
    </message>
    <message>
        <source>stored as</source>
        <translation>gespeichert als</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 Dateien</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>First values %1</source>
        <translation>Erste Werte %1</translation>
    </message>
    <message>
        <source>The tensor has no elements.</source>
        <translation>Der Tensor hat keine Elemente.</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>auf Platte</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>main dtype</source>
        <translation>Haupt-Dtype</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobChip</name>
    <message>
        <source>Jobs: %1</source>
        <translation>Jobs: %1</translation>
    </message>
    <message>
        <source>Show the jobs</source>
        <translation>Die Jobs zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobDesk</name>
    <message>
        <source>Pack %1, %2</source>
        <translation>%1, %2 packen</translation>
    </message>
    <message>
        <source>Resume %1</source>
        <translation>%1 fortsetzen</translation>
    </message>
    <message>
        <source>Verify %1</source>
        <translation>%1 prüfen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobPopover</name>
    <message>
        <source>No job has run yet.</source>
        <translation>Noch kein Job ist gelaufen.</translation>
    </message>
    <message>
        <source>Clear History</source>
        <translation>Verlauf leeren</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show in Cairn</source>
        <translation>In Cairn zeigen</translation>
    </message>
    <message>
        <source>no longer there</source>
        <translation>nicht mehr da</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobRow</name>
    <message>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobView</name>
    <message>
        <source>Move Up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move Down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Job log</source>
        <translation>Job-Protokoll</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Copy as Command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Show Log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>Start before the job above</source>
        <translation>Vor dem Job darüber starten</translation>
    </message>
    <message>
        <source>Start after the job below</source>
        <translation>Nach dem Job darunter starten</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>The log is empty.</source>
        <translation>Das Protokoll ist leer.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>read %1 · written %2 · verified %3</source>
        <translation>gelesen %1 · geschrieben %2 · geprüft %3</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show in Cairn</source>
        <translation>In Cairn zeigen</translation>
    </message>
    <message>
        <source>Copy Python</source>
        <translation>Python kopieren</translation>
    </message>
    <message>
        <source>Python code copied to the clipboard</source>
        <translation>Python-Code in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Compare with Source</source>
        <translation>Mit Quelle vergleichen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Choose Other Folder…</source>
        <translation>Anderen Ordner wählen…</translation>
    </message>
    <message>
        <source>Show Shards</source>
        <translation>Shards zeigen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Verify Again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Run Again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>A job is reading or writing this output; it was not moved</source>
        <translation>Ein Job liest oder schreibt diese Ausgabe; sie wurde nicht verschoben</translation>
    </message>
    <message>
        <source>Moved to the wastebasket</source>
        <translation>In den Papierkorb verschoben</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobWords</name>
    <message numerus="yes">
        <source>%Ln tensors cast</source>
        <translation>
            <numerusform>%Ln Tensor umgewandelt</numerusform>
            <numerusform>%Ln Tensoren umgewandelt</numerusform>
        </translation>
    </message>
    <message>
        <source>largest error %1</source>
        <translation>größter Fehler %1</translation>
    </message>
    <message>
        <source>%1 overflowed</source>
        <translation>%1 übergelaufen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Wrote %1, %2, every byte compared</source>
        <translation>Geschrieben: %1, %2, jedes Byte verglichen</translation>
    </message>
    <message>
        <source>Wrote %1, %2, not verified</source>
        <translation>Geschrieben: %1, %2, nicht geprüft</translation>
    </message>
    <message numerus="yes">
        <source>manifest with %Ln SHA-256 checksums</source>
        <translation>
            <numerusform>Manifest mit %Ln SHA-256-Prüfsumme</numerusform>
            <numerusform>Manifest mit %Ln SHA-256-Prüfsummen</numerusform>
        </translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>ausgelassen: %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Verified: %1, %2; sizes and SHA-256 match the manifest</source>
        <translation>Geprüft: %1, %2; Größen und SHA-256 stimmen mit dem Manifest überein</translation>
    </message>
    <message numerus="yes">
        <source>%Ln mismatches with the manifest</source>
        <translation>
            <numerusform>%Ln Abweichung vom Manifest</numerusform>
            <numerusform>%Ln Abweichungen vom Manifest</numerusform>
        </translation>
    </message>
    <message>
        <source>queued, paused</source>
        <translation>in der Warteschlange, pausiert</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>in der Warteschlange</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <source>checking the source</source>
        <translation>Quelle wird geprüft</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>syncing to disk</source>
        <translation>wird auf die Platte gebracht</translation>
    </message>
    <message>
        <source>verifying</source>
        <translation>wird verglichen</translation>
    </message>
    <message>
        <source>finalizing</source>
        <translation>wird abgeschlossen</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>Files of an earlier attempt may remain: see Jobs &gt; Unfinished Jobs.</source>
        <translation>Dateien eines früheren Versuchs sind vielleicht noch da: siehe Jobs &gt; Unfertige Jobs.</translation>
    </message>
    <message>
        <source>No files were left on disk.</source>
        <translation>Keine Dateien blieben auf der Platte.</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
</context>
<context>
    <name>cairn::ui::JobsWatcher</name>
    <message numerus="yes">
        <source>%Ln jobs</source>
        <translation>
            <numerusform>%Ln Job</numerusform>
            <numerusform>%Ln Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::LastChange</name>
    <message>
        <source>&amp;Undo %1</source>
        <translation>%1 &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
</context>
<context>
    <name>cairn::ui::LayerStrip</name>
    <message>
        <source>Relative change by layer</source>
        <translation>Relative Änderung je Layer</translation>
    </message>
    <message>
        <source>%1: relative change %2, %3 of %4 tensors changed</source>
        <translation>%1: relative Änderung %2, %3 von %4 Tensoren geändert</translation>
    </message>
    <message>
        <source>%1 layers, largest relative change %2</source>
        <translation>%1 Layer, größte relative Änderung %2</translation>
    </message>
</context>
<context>
    <name>cairn::ui::LossCard</name>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1 over steps · ▲ checkpoints</source>
        <translation>%1 über Schritte · ▲ Checkpoints</translation>
    </message>
    <message>
        <source>%1 over steps</source>
        <translation>%1 über Schritte</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MainWindow</name>
    <message>
        <source>No checkpoint was found in %1</source>
        <translation>Kein Checkpoint in %1 gefunden</translation>
    </message>
    <message>
        <source>Cairn searched its folders for all supported formats.</source>
        <translation>Cairn hat in den Ordnern nach allen unterstützten Formaten gesucht.</translation>
    </message>
    <message>
        <source>Open Another Folder…</source>
        <translation>Anderen Ordner öffnen…</translation>
    </message>
    <message>
        <source>Reading the index…</source>
        <translation>Der Index wird gelesen…</translation>
    </message>
    <message>
        <source>Select a checkpoint on the left</source>
        <translation>Links einen Checkpoint auswählen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Show in File Manager</source>
        <translation>In Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Path copied to the clipboard</source>
        <translation>Pfad in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Python code copied to the clipboard</source>
        <translation>Python-Code in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Filter tensors…</source>
        <translation>Tensoren filtern…</translation>
    </message>
    <message numerus="yes">
        <source>A&amp;verage %Ln Checkpoints…</source>
        <translation>
            <numerusform>%Ln Checkpoint &amp;mitteln…</numerusform>
            <numerusform>%Ln Checkpoints &amp;mitteln…</numerusform>
        </translation>
    </message>
    <message>
        <source>A&amp;verage Checkpoints…</source>
        <translation>Checkpoints &amp;mitteln…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open Files</source>
        <translation>Dateien öffnen</translation>
    </message>
    <message>
        <source>Choose Output Folder</source>
        <translation>Ausgabeordner wählen</translation>
    </message>
    <message>
        <source>No checkpoint is open</source>
        <translation>Kein Checkpoint ist geöffnet</translation>
    </message>
    <message>
        <source>This checkpoint is a folder of several files; only a single safetensors file can be edited in place</source>
        <translation>Dieser Checkpoint ist ein Ordner mit mehreren Dateien; nur eine einzelne safetensors-Datei lässt sich in der Datei bearbeiten</translation>
    </message>
    <message>
        <source>Only a safetensors file can be edited in place</source>
        <translation>Nur eine safetensors-Datei lässt sich in der Datei bearbeiten</translation>
    </message>
    <message>
        <source>Edit names and metadata in place; tensor data does not change</source>
        <translation>Namen und Metadaten in der Datei bearbeiten; die Daten der Tensoren bleiben unverändert</translation>
    </message>
    <message>
        <source>Recover…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <source>Copy chmod Command</source>
        <translation>chmod-Befehl kopieren</translation>
    </message>
    <message numerus="yes">
        <source>%Ln jobs are running.</source>
        <translation>
            <numerusform>%Ln Job läuft.</numerusform>
            <numerusform>%Ln Jobs laufen.</numerusform>
        </translation>
    </message>
    <message>
        <source>They can finish in the background: the next start shows them again. Or they stop now, and the running one can be resumed at the next start; queued jobs are cancelled.</source>
        <translation>Im Hintergrund können sie zu Ende laufen: Der nächste Start zeigt sie wieder. Oder sie halten jetzt an, und der laufende lässt sich beim nächsten Start fortsetzen; wartende Jobs werden abgebrochen.</translation>
    </message>
    <message>
        <source>Finish in Background</source>
        <translation>Im Hintergrund fertigstellen</translation>
    </message>
    <message>
        <source>Stop and Resume Later</source>
        <translation>Anhalten und später fortsetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Moved to the wastebasket: %1</source>
        <translation>In den Papierkorb verschoben: %1</translation>
    </message>
    <message>
        <source>This computer has no file manager that Cairn can open</source>
        <translation>Dieser Rechner hat keine Dateiverwaltung, die Cairn öffnen kann</translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Write one verified, loadable checkpoint from all shards</source>
        <translation>Aus allen Shards einen geprüften, ladbaren Checkpoint schreiben</translation>
    </message>
    <message numerus="yes">
        <source>%Ln jobs failed</source>
        <translation>
            <numerusform>%Ln Job gescheitert</numerusform>
            <numerusform>%Ln Jobs gescheitert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln jobs done</source>
        <translation>
            <numerusform>%Ln Job fertig</numerusform>
            <numerusform>%Ln Jobs fertig</numerusform>
        </translation>
    </message>
    <message>
        <source>Average Checkpoin&amp;ts</source>
        <translation>&amp;Checkpoints mitteln</translation>
    </message>
    <message>
        <source>Reshar&amp;d</source>
        <translation>Neu auf&amp;teilen</translation>
    </message>
    <message>
        <source>Consolidate for &amp;Deployment</source>
        <translation>Für Deployment &amp;konsolidieren</translation>
    </message>
    <message>
        <source>Finished in %1</source>
        <translation>Fertig in %1</translation>
    </message>
    <message>
        <source>This run has no earlier complete checkpoint</source>
        <translation>Dieser Run hat keinen früheren vollständigen Checkpoint</translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the last session are not responding</source>
        <translation>
            <numerusform>%Ln Ordner der letzten Sitzung antwortet nicht</numerusform>
            <numerusform>%Ln Ordner der letzten Sitzung antworten nicht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the last session cannot be opened</source>
        <translation>
            <numerusform>%Ln Ordner der letzten Sitzung kann nicht geöffnet werden</numerusform>
            <numerusform>%Ln Ordner der letzten Sitzung können nicht geöffnet werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Cairn</source>
        <translation>Cairn</translation>
    </message>
    <message>
        <source>%1 — Cairn</source>
        <translation>%1 — Cairn</translation>
    </message>
    <message>
        <source>Pack</source>
        <translation>Packen</translation>
    </message>
    <message>
        <source>Packed checkpoints (*.cairnz)</source>
        <translation>Gepackte Checkpoints (*.cairnz)</translation>
    </message>
    <message numerus="yes">
        <source>Move of %Ln Checkpoints</source>
        <translation>
            <numerusform>Verschieben von %Ln Checkpoint</numerusform>
            <numerusform>Verschieben von %Ln Checkpoints</numerusform>
        </translation>
    </message>
    <message>
        <source>A job is reading or writing this output; it was not moved</source>
        <translation>Ein Job liest oder schreibt diese Ausgabe; sie wurde nicht verschoben</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Run</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Verify Against</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Not enough memory for this operation.</source>
        <translation>Für diesen Vorgang reicht der Arbeitsspeicher nicht.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MessageStrip</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MetadataCard</name>
    <message>
        <source>Add Entry</source>
        <translation>Eintrag hinzufügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Double-click a value to edit it; the key of a new entry can be edited too</source>
        <translation>Doppelklick bearbeitet einen Wert, bei einem neuen Eintrag auch den Schlüssel</translation>
    </message>
    <message>
        <source>Add a key with a text value</source>
        <translation>Einen Schlüssel mit Textwert hinzufügen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Zurückholen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MetadataEditModel</name>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>new key</source>
        <translation>neuer Schlüssel</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MetadataPage</name>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>No checkpoint is open</source>
        <translation>Kein Checkpoint ist geöffnet</translation>
    </message>
    <message>
        <source>Select a checkpoint on the left to see its values.</source>
        <translation>Links einen Checkpoint auswählen, um seine Werte zu sehen.</translation>
    </message>
    <message>
        <source>Reading values…</source>
        <translation>Werte werden gelesen…</translation>
    </message>
    <message>
        <source>The values cannot be read</source>
        <translation>Die Werte sind nicht lesbar</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>This checkpoint has no plain values</source>
        <translation>Dieser Checkpoint hat keine einfachen Werte</translation>
    </message>
    <message>
        <source>It contains only tensors. Epoch, loss and arguments are stored only if the training script saves them.</source>
        <translation>Er enthält nur Tensoren. Epoche, Loss und Argumente sind nur gespeichert, wenn das Trainingsskript sie speichert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln keys</source>
        <translation>
            <numerusform>%Ln Schlüssel</numerusform>
            <numerusform>%Ln Schlüssel</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Nichts passt zu „%1“</translation>
    </message>
    <message>
        <source>Every word must occur in a key or value.</source>
        <translation>Jedes Wort muss in einem Schlüssel oder Wert vorkommen.</translation>
    </message>
    <message>
        <source>Clear Filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message numerus="yes">
        <source>First %Ln matches</source>
        <translation>
            <numerusform>Erster %Ln Treffer</numerusform>
            <numerusform>Erste %Ln Treffer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln matches</source>
        <translation>
            <numerusform>%Ln Treffer</numerusform>
            <numerusform>%Ln Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy Value</source>
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>Als Python kopieren</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MoreOptions</name>
    <message>
        <source>Device for casting, scaling and averaging; plain copies always use the CPU</source>
        <translation>Gerät zum Umwandeln, Skalieren und Mitteln; einfaches Kopieren nutzt immer die CPU</translation>
    </message>
    <message>
        <source>Names in the output</source>
        <translation>Namen in der Ausgabe</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Weitere Optionen</translation>
    </message>
    <message>
        <source>Names of tensors</source>
        <translation>Namen von Tensoren</translation>
    </message>
    <message>
        <source>all selected above; or *.mlp.*</source>
        <translation>alle oben gewählten; oder *.mlp.*</translation>
    </message>
    <message>
        <source>Only tensors whose full name matches: *, ?, {a,b}</source>
        <translation>Nur Tensoren, deren voller Name passt: *, ?, {a,b}</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Weight of each checkpoint</source>
        <translation>Gewicht jedes Checkpoints</translation>
    </message>
    <message>
        <source>equal; or 1, 1, 2</source>
        <translation>gleich; oder 1, 1, 2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Dtype in the output</source>
        <translation>Dtype in der Ausgabe</translation>
    </message>
    <message>
        <source>Tensors that are float32 in the output</source>
        <translation>Tensoren, die in der Ausgabe float32 sind</translation>
    </message>
    <message>
        <source>*norm*; lm_head.*</source>
        <translation>*norm*; lm_head.*</translation>
    </message>
    <message>
        <source>Norms and buffers too</source>
        <translation>Auch Normen und Buffer</translation>
    </message>
    <message>
        <source>Small tensors that lose precision when cast; otherwise they keep their dtype</source>
        <translation>Kleine Tensoren, die beim Umwandeln Genauigkeit verlieren; sonst behalten sie ihren Dtype</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>Dtype</translation>
    </message>
    <message>
        <source>float32 for</source>
        <translation>float32 für</translation>
    </message>
    <message>
        <source>Dequantize with their scales</source>
        <translation>Mit ihren Skalen dequantisieren</translation>
    </message>
    <message>
        <source>Writes plain floating-point values that every program reads; doubles their size</source>
        <translation>Schreibt gewöhnliche Gleitkommawerte, die jedes Programm liest; verdoppelt ihre Größe</translation>
    </message>
    <message>
        <source>8-bit weights</source>
        <translation>8-Bit-Gewichte</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>leave out</source>
        <translation>auslassen</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Dimension split across ranks</source>
        <translation>Auf die Ranks aufgeteilte Dimension</translation>
    </message>
    <message>
        <source>Ranks of the second axis</source>
        <translation>Ranks der zweiten Achse</translation>
    </message>
    <message>
        <source>Dimension split along the second axis</source>
        <translation>Entlang der zweiten Achse aufgeteilte Dimension</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>along dimension</source>
        <translation>entlang Dimension</translation>
    </message>
</context>
<context>
    <name>cairn::ui::NameRulesEditor</name>
    <message>
        <source>Wrappers add prefixes such as module. and _orig_mod. to names</source>
        <translation>Wrapper setzen Präfixe wie module. und _orig_mod. vor Namen</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>without wrapper prefixes</source>
        <translation>ohne Wrapper-Präfixe</translation>
    </message>
    <message>
        <source>without wrapper prefixes and model.</source>
        <translation>ohne Wrapper-Präfixe und model.</translation>
    </message>
    <message>
        <source>custom rules…</source>
        <translation>eigene Regeln…</translation>
    </message>
    <message>
        <source>Rename rules</source>
        <translation>Umbenennungsregeln</translation>
    </message>
    <message>
        <source>encoder.=enc.; ^layers\.(\d+)=h.$1</source>
        <translation>encoder.=enc.; ^layers\.(\d+)=h.$1</translation>
    </message>
    <message>
        <source>FROM=TO; FROM is a prefix of a name or a regular expression</source>
        <translation>VON=NACH; VON ist ein Präfix eines Namens oder ein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>custom rules</source>
        <translation>eigene Regeln</translation>
    </message>
</context>
<context>
    <name>cairn::ui::Navigator</name>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Experiments, runs and checkpoints</source>
        <translation>Experimente, Runs und Checkpoints</translation>
    </message>
</context>
<context>
    <name>cairn::ui::NavigatorModel</name>
    <message>
        <source>reading…</source>
        <translation>wird gelesen…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoints</source>
        <translation>
            <numerusform>%Ln Checkpoint</numerusform>
            <numerusform>%Ln Checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln Run</numerusform>
            <numerusform>%Ln Runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln problems</source>
        <translation>
            <numerusform>%Ln Problem</numerusform>
            <numerusform>%Ln Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>Link to %1</source>
        <translation>Link auf %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Referenced by the file %1</source>
        <translation>Genannt in der Datei %1</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Exportiert nach %1</translation>
    </message>
    <message>
        <source>Exported to %1, not verified</source>
        <translation>Exportiert nach %1, nicht geprüft</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Best checkpoint, recorded by the trainer in %1</source>
        <translation>Bester Checkpoint, vom Trainer vermerkt in %1</translation>
    </message>
    <message>
        <source>Best checkpoint by %1, recorded by the trainer in %2</source>
        <translation>Bester Checkpoint nach %1, vom Trainer vermerkt in %2</translation>
    </message>
    <message>
        <source>Best checkpoint by %1, recorded in the checkpoints</source>
        <translation>Bester Checkpoint nach %1, vermerkt in den Checkpoints</translation>
    </message>
    <message>
        <source>Best checkpoint by %1, recorded in %2</source>
        <translation>Bester Checkpoint nach %1, vermerkt in %2</translation>
    </message>
    <message>
        <source>Best checkpoint, according to the name %1</source>
        <translation>Bester Checkpoint laut Namen %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln older</source>
        <translation>
            <numerusform>%Ln älterer</numerusform>
            <numerusform>%Ln ältere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::PairDetails</name>
    <message>
        <source>Changed elements</source>
        <translation>Geänderte Elemente</translation>
    </message>
    <message>
        <source>Show More</source>
        <translation>Mehr zeigen</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Map of changes</source>
        <translation>Karte der Änderungen</translation>
    </message>
    <message>
        <source>Click to list the changes from here</source>
        <translation>Ein Klick listet die Änderungen ab hier</translation>
    </message>
    <message>
        <source>The values have not been compared yet.</source>
        <translation>Die Werte sind noch nicht verglichen.</translation>
    </message>
    <message>
        <source>The shapes differ.</source>
        <translation>Die Shapes sind verschieden.</translation>
    </message>
    <message>
        <source>These dtypes cannot be compared.</source>
        <translation>Diese Dtypes lassen sich nicht vergleichen.</translation>
    </message>
    <message>
        <source>Both are the same bytes of the same file; equal without reading.</source>
        <translation>Beide sind dieselben Bytes derselben Datei; gleich ohne zu lesen.</translation>
    </message>
    <message>
        <source>Bitwise identical.</source>
        <translation>Bitweise identisch.</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>relative L2</source>
        <translation>relative L2</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>max abs</source>
        <translation>max. abs.</translation>
    </message>
    <message>
        <source>mean abs</source>
        <translation>mittl. abs.</translation>
    </message>
    <message>
        <source>rms</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN, Inf</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 Paare</translation>
    </message>
    <message>
        <source>after a cast</source>
        <translation>nach Umwandlung</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>Bits differ, but values are equal (0 and −0, NaN).</source>
        <translation>Bits verschieden, aber Werte gleich (0 und −0, NaN).</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Show First</source>
        <translation>Ersten zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PairTable</name>
    <message>
        <source>no checkpoint</source>
        <translation>kein Checkpoint</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>A at %1, B at %2 (nearest match)</source>
        <translation>A bei %1, B bei %2 (nächstgelegen)</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>nicht vergleichbar</translation>
    </message>
    <message>
        <source>The two checkpoints have no tensor in common.</source>
        <translation>Die beiden Checkpoints haben keinen Tensor gemeinsam.</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>|B − A| / |A| over the weights: %1 of %2 tensors changed</source>
        <translation>|B − A| / |A| über die Gewichte: %1 von %2 Tensoren geändert</translation>
    </message>
    <message>
        <source>only in B: %1</source>
        <translation>nur in B: %1</translation>
    </message>
    <message>
        <source>only in A: %1</source>
        <translation>nur in A: %1</translation>
    </message>
    <message>
        <source>A vs B at %1</source>
        <translation>A vs. B bei %1</translation>
    </message>
    <message>
        <source>A %1 vs B %2</source>
        <translation>A %1 vs. B %2</translation>
    </message>
    <message>
        <source>This run has no checkpoint at this position</source>
        <translation>Dieser Run hat an dieser Stelle keinen Checkpoint</translation>
    </message>
    <message>
        <source>at</source>
        <translation>bei</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>Abstand</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PartnerChooser</name>
    <message>
        <source>The other checkpoint may have any format and sharding: tensors are compared, not files.</source>
        <translation>Der andere Checkpoint darf jedes Format und Sharding haben: Verglichen werden Tensoren, nicht Dateien.</translation>
    </message>
    <message>
        <source>Other checkpoints of this run</source>
        <translation>Andere Checkpoints dieses Runs</translation>
    </message>
    <message>
        <source>Choose a Folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
    <message>
        <source>Choose a File…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Compare %1 with…</source>
        <translation>%1 vergleichen mit…</translation>
    </message>
    <message>
        <source>This run has no other checkpoint.</source>
        <translation>Dieser Run hat keinen anderen Checkpoint.</translation>
    </message>
    <message>
        <source>Compare With</source>
        <translation>Vergleichen mit</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PathBar</name>
    <message>
        <source>Path of a folder or file</source>
        <translation>Pfad eines Ordners oder einer Datei</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PieceGrid</name>
    <message>
        <source>Pieces</source>
        <translation>Stücke</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>dim %1: %2</source>
        <translation>Dim %1: %2</translation>
    </message>
    <message>
        <source>Not covered by any piece</source>
        <translation>Von keinem Stück abgedeckt</translation>
    </message>
    <message>
        <source>%1 at byte %2</source>
        <translation>%1 ab Byte %2</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlainValuesModel</name>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanCards</name>
    <message>
        <source>measured on this disk</source>
        <translation>auf diesem Datenträger gemessen</translation>
    </message>
    <message>
        <source>estimated from other jobs</source>
        <translation>aus anderen Jobs geschätzt</translation>
    </message>
    <message>
        <source>assumed; shared data is not copied</source>
        <translation>angenommen; geteilte Daten werden nicht kopiert</translation>
    </message>
    <message>
        <source>assumed; not yet measured here</source>
        <translation>angenommen; hier noch nicht gemessen</translation>
    </message>
    <message>
        <source>weights only</source>
        <translation>nur Gewichte</translation>
    </message>
    <message>
        <source>without %1</source>
        <translation>ohne %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln other files</source>
        <translation>
            <numerusform>%Ln weitere Datei</numerusform>
            <numerusform>%Ln weitere Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>liest</translation>
    </message>
    <message numerus="yes">
        <source>%Ln shards</source>
        <translation>
            <numerusform>%Ln Shard</numerusform>
            <numerusform>%Ln Shards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>classified by name only</source>
        <translation>nur nach Namen eingeordnet</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>schreibt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln model files</source>
        <translation>
            <numerusform>%Ln Modelldatei</numerusform>
            <numerusform>%Ln Modelldateien</numerusform>
        </translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>independent of the checkpoint's size</source>
        <translation>unabhängig von der Größe des Checkpoints</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>no temporary files</source>
        <translation>keine temporären Dateien</translation>
    </message>
    <message>
        <source>%1 of temporary files</source>
        <translation>%1 temporäre Dateien</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>plain copy; a GPU has no effect</source>
        <translation>einfaches Kopieren; eine GPU ändert nichts</translation>
    </message>
    <message>
        <source>faster than the disk</source>
        <translation>schneller als der Datenträger</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanPanel</name>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Nothing is deleted: checkpoints are moved to the wastebasket, and Undo moves them back. The disk is freed when the wastebasket is emptied.</source>
        <translation>Nichts wird gelöscht: Checkpoints kommen in den Papierkorb, und Rückgängig holt sie zurück. Der Platz wird frei, wenn der Papierkorb geleert wird.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Examining the checkpoints</source>
        <translation>Die Checkpoints werden untersucht</translation>
    </message>
    <message>
        <source>freed of %1</source>
        <translation>frei von %1</translation>
    </message>
    <message>
        <source>%1; %2 are free now</source>
        <translation>%1; %2 sind jetzt frei</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>verschoben</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>not touched</source>
        <translation>nicht angerührt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders could not be searched for references.</source>
        <translation>
            <numerusform>%Ln Ordner war nicht nach Verweisen durchsuchbar.</numerusform>
            <numerusform>%Ln Ordner waren nicht nach Verweisen durchsuchbar.</numerusform>
        </translation>
    </message>
    <message>
        <source>Not touched because</source>
        <translation>Nicht angerührt, weil</translation>
    </message>
    <message>
        <source>Kept because</source>
        <translation>Behalten, weil</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlanTable</name>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Frees</source>
        <translation>Gibt frei</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>What Would Be Lost</source>
        <translation>Was verloren ginge</translation>
    </message>
    <message>
        <source>not touched</source>
        <translation>nicht angerührt</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>bleibt</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PlotCanvas</name>
    <message>
        <source>Click to select this checkpoint</source>
        <translation>Ein Klick wählt diesen Checkpoint aus</translation>
    </message>
    <message numerus="yes">
        <source>%Ln points</source>
        <translation>
            <numerusform>%Ln Punkt</numerusform>
            <numerusform>%Ln Punkte</numerusform>
        </translation>
    </message>
    <message>
        <source>positions on the axis are interpolated</source>
        <translation>Stellen auf der Achse sind interpoliert</translation>
    </message>
    <message>
        <source>steps restart too often; the points were sorted by step</source>
        <translation>Schritte beginnen zu oft neu; die Punkte wurden nach Schritt sortiert</translation>
    </message>
    <message>
        <source>Click, then scroll to zoom; drag to zoom into a range</source>
        <translation>Nach einem Klick zoomt das Mausrad; Ziehen zoomt in einen Bereich</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ReadingBar</name>
    <message>
        <source>Compare Values</source>
        <translation>Werte vergleichen</translation>
    </message>
    <message>
        <source>Structure compared; comparing values reads %1</source>
        <translation>Struktur verglichen; der Vergleich der Werte liest %1</translation>
    </message>
    <message>
        <source>Structure compared; no common values to read</source>
        <translation>Struktur verglichen; keine gemeinsamen Werte zu lesen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Comparing values: %1 of %2</source>
        <translation>Werte werden verglichen: %1 von %2</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RecipeBar</name>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging-Face-Ordner</translation>
    </message>
    <message>
        <source>torch .pt</source>
        <translation>torch .pt</translation>
    </message>
    <message>
        <source>DCP folder</source>
        <translation>DCP-Ordner</translation>
    </message>
    <message>
        <source>NumPy .npz</source>
        <translation>NumPy .npz</translation>
    </message>
    <message>
        <source>safetensors</source>
        <translation>safetensors</translation>
    </message>
    <message>
        <source>Selected tensors</source>
        <translation>Ausgewählte Tensoren</translation>
    </message>
    <message>
        <source>Weights only</source>
        <translation>Nur Gewichte</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Everything but %1</source>
        <translation>Alles außer %1</translation>
    </message>
    <message numerus="yes">
        <source>Everything but %Ln roles</source>
        <translation>
            <numerusform>Alles außer %Ln Rolle</numerusform>
            <numerusform>Alles außer %Ln Rollen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rank</numerusform>
            <numerusform>%Ln Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>One file</source>
        <translation>Eine Datei</translation>
    </message>
    <message>
        <source>One file per layer</source>
        <translation>Eine Datei je Layer</translation>
    </message>
    <message>
        <source>≤ %1 per file</source>
        <translation>≤ %1 je Datei</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>Output…</source>
        <translation>Ausgabe…</translation>
    </message>
    <message>
        <source>More Options</source>
        <translation>Weitere Optionen</translation>
    </message>
    <message>
        <source>Output format</source>
        <translation>Ausgabeformat</translation>
    </message>
    <message>
        <source>Tensors to write</source>
        <translation>Zu schreibende Tensoren</translation>
    </message>
    <message>
        <source>File size</source>
        <translation>Dateigröße</translation>
    </message>
    <message>
        <source>Choose the output folder</source>
        <translation>Ausgabeordner wählen</translation>
    </message>
    <message>
        <source>Dtype, names, tensors, roles, ranks</source>
        <translation>Dtype, Namen, Tensoren, Rollen, Ranks</translation>
    </message>
    <message>
        <source>Parameters and buffers, as needed for inference</source>
        <translation>Parameter und Buffer, wie für die Inferenz nötig</translation>
    </message>
    <message>
        <source>Includes optimizer and training state, to resume training</source>
        <translation>Mit Optimizer und Trainingszustand, um das Training fortzusetzen</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>A Hugging Face folder if config.json is next to the run, otherwise one file</source>
        <translation>Ein Hugging-Face-Ordner, wenn config.json beim Run liegt, sonst eine Datei</translation>
    </message>
    <message>
        <source>Weights, config and tokenizer as expected by from_pretrained()</source>
        <translation>Gewichte, Konfiguration und Tokenizer, wie from_pretrained() sie erwartet</translation>
    </message>
    <message>
        <source>One .safetensors file, or several of a chosen size</source>
        <translation>Eine .safetensors-Datei oder mehrere von gewählter Größe</translation>
    </message>
    <message>
        <source>One file for torch.load(weights_only=True)</source>
        <translation>Eine Datei für torch.load(weights_only=True)</translation>
    </message>
    <message>
        <source>For torch.distributed.checkpoint, resharded for another world size</source>
        <translation>Für torch.distributed.checkpoint, neu aufgeteilt für eine andere World Size</translation>
    </message>
    <message>
        <source>One archive of arrays for numpy.load()</source>
        <translation>Ein Archiv von Arrays für numpy.load()</translation>
    </message>
    <message>
        <source>≤ %1 GB per file</source>
        <translation>≤ %1 GB je Datei</translation>
    </message>
    <message>
        <source>As .safetensors; tensors outside any layer share one file</source>
        <translation>Als .safetensors; Tensoren außerhalb der Layer teilen sich eine Datei</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RowCopier</name>
    <message numerus="yes">
        <source>%Ln rows, about %1</source>
        <translation>
            <numerusform>%Ln Zeile, etwa %1</numerusform>
            <numerusform>%Ln Zeilen, etwa %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save as TSV…</source>
        <translation>Als TSV speichern…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>Copying… %1 of %Ln rows</source>
        <translation>
            <numerusform>Kopiert wird… %1 von %Ln Zeile</numerusform>
            <numerusform>Kopiert wird… %1 von %Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %Ln rows</source>
        <translation>
            <numerusform>%Ln Zeile kopiert</numerusform>
            <numerusform>%Ln Zeilen kopiert</numerusform>
        </translation>
    </message>
    <message>
        <source>Save Rows</source>
        <translation>Zeilen speichern</translation>
    </message>
    <message numerus="yes">
        <source>Saving… %1 of %Ln rows</source>
        <translation>
            <numerusform>Gespeichert wird… %1 von %Ln Zeile</numerusform>
            <numerusform>Gespeichert wird… %1 von %Ln Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %Ln rows, %1: %2</source>
        <translation>
            <numerusform>%Ln Zeile gespeichert, %1: %2</numerusform>
            <numerusform>%Ln Zeilen gespeichert, %1: %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RuleBar</name>
    <message>
        <source>No Rule for the Last</source>
        <translation>Keine Regel für die letzten</translation>
    </message>
    <message numerus="yes">
        <source>Keep the Last %Ln</source>
        <translation>
            <numerusform>Den letzten %Ln behalten</numerusform>
            <numerusform>Die letzten %Ln behalten</numerusform>
        </translation>
    </message>
    <message>
        <source>No Rule for the Best</source>
        <translation>Keine Regel für die besten</translation>
    </message>
    <message numerus="yes">
        <source>Keep the Best %Ln</source>
        <translation>
            <numerusform>Den besten %Ln behalten</numerusform>
            <numerusform>Die besten %Ln behalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Undo Move</source>
        <translation>Verschieben rückgängig</translation>
    </message>
    <message>
        <source>Move…</source>
        <translation>Verschieben…</translation>
    </message>
    <message>
        <source>The latest complete checkpoint of a run is always kept.</source>
        <translation>Der neueste vollständige Checkpoint eines Runs bleibt immer.</translation>
    </message>
    <message>
        <source>The best checkpoint of a run is always kept, by the metric that the navigator shows.</source>
        <translation>Der beste Checkpoint eines Runs bleibt immer, nach der Metrik, die der Navigator zeigt.</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Moving…</source>
        <translation>Wird verschoben…</translation>
    </message>
    <message>
        <source>Examining the run…</source>
        <translation>Der Run wird untersucht…</translation>
    </message>
    <message>
        <source>Examining run %1 of %2…</source>
        <translation>Run %1 von %2 wird untersucht…</translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln Checkpoints…</source>
        <translation>
            <numerusform>%Ln Checkpoint verschieben…</numerusform>
            <numerusform>%Ln Checkpoints verschieben…</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing to Move</source>
        <translation>Nichts zu verschieben</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 nach %2</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunCharts</name>
    <message numerus="yes">
        <source>%1, mean ± std of %Ln runs</source>
        <translation>
            <numerusform>%1, Mittel ± Std.-Abw. von %Ln Run</numerusform>
            <numerusform>%1, Mittel ± Std.-Abw. von %Ln Runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunPicker</name>
    <message>
        <source>Choose a Run</source>
        <translation>Run wählen</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Run %1: %2</translation>
    </message>
    <message>
        <source>Run %1: not chosen</source>
        <translation>Run %1: nicht gewählt</translation>
    </message>
    <message>
        <source>Run to use as %1</source>
        <translation>Run für %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more: mark them on the left with X</source>
        <translation>
            <numerusform>%Ln weiterer: links mit X markieren</numerusform>
            <numerusform>%Ln weitere: links mit X markieren</numerusform>
        </translation>
    </message>
    <message>
        <source>No runs are open</source>
        <translation>Keine Runs sind geöffnet</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunSummary</name>
    <message numerus="yes">
        <source>%Ln damaged</source>
        <translation>
            <numerusform>%Ln beschädigt</numerusform>
            <numerusform>%Ln beschädigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln incomplete</source>
        <translation>
            <numerusform>%Ln unvollständig</numerusform>
            <numerusform>%Ln unvollständig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln being written</source>
        <translation>
            <numerusform>%Ln wird geschrieben</numerusform>
            <numerusform>%Ln werden geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Checkpoints of the run</source>
        <translation>Checkpoints des Runs</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>Neuester</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Best %1</source>
        <translation>%1, bester</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunTableModel</name>
    <message>
        <source>%1, marked</source>
        <translation>%1, markiert</translation>
    </message>
    <message>
        <source>%1, partly marked</source>
        <translation>%1, teilweise markiert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunsFooter</name>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln weitere</numerusform>
            <numerusform>%Ln weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not set in %Ln runs</source>
        <translation>
            <numerusform>in %Ln Run nicht gesetzt</numerusform>
            <numerusform>in %Ln Runs nicht gesetzt</numerusform>
        </translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings · %1 of %2 vary</source>
        <translation>Einstellungen · %1 von %2 variieren</translation>
    </message>
    <message>
        <source>key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>What explains %1</source>
        <translation>Was %1 erklärt</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>effect</source>
        <translation>Effekt</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Share of the ranks' variance, p by permutation. An association, not a cause.</source>
        <translation>Anteil an der Varianz der Ränge, p durch Permutation. Ein Zusammenhang, keine Ursache.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunsPage</name>
    <message numerus="yes">
        <source>Mean and standard deviation of %Ln runs</source>
        <translation>
            <numerusform>Mittelwert und Standardabweichung von %Ln Run</numerusform>
            <numerusform>Mittelwert und Standardabweichung von %Ln Runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln values</source>
        <translation>
            <numerusform>%Ln Wert</numerusform>
            <numerusform>%Ln Werte</numerusform>
        </translation>
    </message>
    <message>
        <source>run</source>
        <translation>Run</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>started</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>neuester</translation>
    </message>
    <message>
        <source>best checkpoint</source>
        <translation>bester Checkpoint</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>%1, bester</translation>
    </message>
    <message>
        <source>last %1</source>
        <translation>%1, letzter</translation>
    </message>
    <message>
        <source>step of best %1</source>
        <translation>Schritt von %1, bester</translation>
    </message>
    <message>
        <source>last step of %1</source>
        <translation>letzter Schritt von %1</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>not examined</source>
        <translation>nicht untersucht</translation>
    </message>
    <message>
        <source>no checkpoints</source>
        <translation>keine Checkpoints</translation>
    </message>
    <message>
        <source>curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Group By</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Settings to group by</source>
        <translation>Einstellungen zum Gruppieren</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>Spalten der Tabelle</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Runs</translation>
    </message>
    <message>
        <source>Filter runs: lr &lt; 1e-3</source>
        <translation>Runs filtern: lr &lt; 1e-3</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>TSV…</source>
        <translation>TSV…</translation>
    </message>
    <message>
        <source>Markdown…</source>
        <translation>Markdown…</translation>
    </message>
    <message>
        <source>All but Seed</source>
        <translation>Alle außer Seed</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Default Columns</source>
        <translation>Standardspalten</translation>
    </message>
    <message>
        <source>No folder is open</source>
        <translation>Kein Ordner ist geöffnet</translation>
    </message>
    <message>
        <source>Open a folder of runs to list and compare them.</source>
        <translation>Einen Ordner mit Runs öffnen, um sie aufzulisten und zu vergleichen.</translation>
    </message>
    <message>
        <source>No runs were found</source>
        <translation>Keine Runs gefunden</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>The runs cannot be read</source>
        <translation>Die Runs sind nicht lesbar</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Reading the runs…</source>
        <translation>Die Runs werden gelesen…</translation>
    </message>
    <message>
        <source>No run matches the filter</source>
        <translation>Kein Run passt zum Filter</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs are hidden by the filter.</source>
        <translation>
            <numerusform>%Ln Run ist durch den Filter ausgeblendet.</numerusform>
            <numerusform>%Ln Runs sind durch den Filter ausgeblendet.</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear Filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>No logs were found for these runs. Cairn searches the run's folder and the log folders above it.</source>
        <translation>Keine Logs zu diesen Runs gefunden. Cairn sucht im Ordner des Runs und in den Log-Ordnern darüber.</translation>
    </message>
    <message>
        <source>This folder contains one run. Check its box to see its curves; open a folder of several runs to compare them.</source>
        <translation>Dieser Ordner enthält einen Run. Sein Kästchen ankreuzen, um seine Kurven zu sehen; einen Ordner mit mehreren Runs öffnen, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>Check the boxes of runs, or press X, to see their curves here.</source>
        <translation>Kästchen von Runs ankreuzen oder X drücken, um ihre Kurven hier zu sehen.</translation>
    </message>
    <message>
        <source>The marked runs have no curves.</source>
        <translation>Die markierten Runs haben keine Kurven.</translation>
    </message>
    <message>
        <source>Only the first 200 marked runs are drawn.</source>
        <translation>Nur die ersten 200 markierten Runs sind gezeichnet.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln Run</numerusform>
            <numerusform>%Ln Runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln runs</source>
        <translation>
            <numerusform>%1 von %Ln Run</numerusform>
            <numerusform>%1 von %Ln Runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln groups</source>
        <translation>
            <numerusform>%Ln Gruppe</numerusform>
            <numerusform>%Ln Gruppen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln marked</source>
        <translation>
            <numerusform>%Ln markiert</numerusform>
            <numerusform>%Ln markiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln settings</source>
        <translation>
            <numerusform>%Ln Einstellung</numerusform>
            <numerusform>%Ln Einstellungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Group By ▾</source>
        <translation>Gruppieren ▾</translation>
    </message>
    <message>
        <source>Group by %1 ▾</source>
        <translation>Gruppiert nach %1 ▾</translation>
    </message>
    <message>
        <source>Show runs with equal settings as one row</source>
        <translation>Runs mit gleichen Einstellungen als eine Zeile zeigen</translation>
    </message>
    <message>
        <source>Columns ▾</source>
        <translation>Spalten ▾</translation>
    </message>
    <message>
        <source>Exported: %1</source>
        <translation>Exportiert: %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln selected runs</source>
        <translation>
            <numerusform>%Ln ausgewählter Run</numerusform>
            <numerusform>%Ln ausgewählte Runs</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has no checkpoint</source>
        <translation>%1 hat keinen Checkpoint</translation>
    </message>
    <message>
        <source>Mark or Unmark</source>
        <translation>Markieren oder nicht</translation>
    </message>
    <message>
        <source>Open Best Checkpoint</source>
        <translation>Besten Checkpoint öffnen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunsSide</name>
    <message>
        <source>Open Best Checkpoint</source>
        <translation>Besten Checkpoint öffnen</translation>
    </message>
    <message>
        <source>Diff Best Two</source>
        <translation>Diff der zwei besten</translation>
    </message>
    <message>
        <source>Compare Best Two</source>
        <translation>Zwei beste vergleichen</translation>
    </message>
    <message>
        <source>Compare the tensors of the two best checkpoints</source>
        <translation>Die Tensoren der zwei besten Checkpoints vergleichen</translation>
    </message>
    <message>
        <source>Compare curves, settings and weights of the two best runs</source>
        <translation>Kurven, Einstellungen und Gewichte der zwei besten Runs vergleichen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Run</translation>
    </message>
    <message>
        <source>No run is selected</source>
        <translation>Kein Run ist ausgewählt</translation>
    </message>
    <message>
        <source>Select a row to see its results and its best checkpoint.</source>
        <translation>Eine Zeile auswählen, um Ergebnisse und besten Checkpoint zu sehen.</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoints</source>
        <translation>
            <numerusform>%Ln Checkpoint</numerusform>
            <numerusform>%Ln Checkpoints</numerusform>
        </translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>%1, bester</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>last %1</source>
        <translation>%1, letzter</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln Run</numerusform>
            <numerusform>%Ln Runs</numerusform>
        </translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>schlechtester</translation>
    </message>
    <message>
        <source>without a value</source>
        <translation>ohne Wert</translation>
    </message>
    <message>
        <source>Best checkpoints</source>
        <translation>Beste Checkpoints</translation>
    </message>
    <message>
        <source>Best checkpoint</source>
        <translation>Bester Checkpoint</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SettingsCard</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>Abweichende Einstellungen</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>seed, *_dir</source>
        <translation>seed, *_dir</translation>
    </message>
    <message>
        <source>Settings to ignore, separated by commas</source>
        <translation>Zu ignorierende Einstellungen, durch Komma getrennt</translation>
    </message>
    <message>
        <source>Names or patterns, separated by commas. * matches any characters. A name matches the full key or its last part.</source>
        <translation>Namen oder Muster, durch Komma getrennt. * passt auf beliebige Zeichen. Ein Name passt auf den ganzen Schlüssel oder seinen letzten Teil.</translation>
    </message>
    <message>
        <source>Settings · %1 of %2 differ</source>
        <translation>Einstellungen · %1 von %2 abweichend</translation>
    </message>
    <message>
        <source>%1 ignored</source>
        <translation>%1 ignoriert</translation>
    </message>
    <message>
        <source>first %1 only</source>
        <translation>nur erste %1</translation>
    </message>
    <message>
        <source>Neither run recorded its settings.</source>
        <translation>Keiner der Runs hat seine Einstellungen aufgezeichnet.</translation>
    </message>
    <message>
        <source>All other settings are equal.</source>
        <translation>Alle anderen Einstellungen sind gleich.</translation>
    </message>
    <message>
        <source>All %1 settings are equal.</source>
        <translation>Alle %1 Einstellungen sind gleich.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SettingsTree</name>
    <message>
        <source>not set in this run</source>
        <translation>in diesem Run nicht gesetzt</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>Einstellung</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardCard</name>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>listed in the index, but not in the folder</source>
        <translation>im Index genannt, aber nicht im Ordner</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>rank %1, part %2</source>
        <translation>Rank %1, Teil %2</translation>
    </message>
    <message>
        <source>shard %1</source>
        <translation>Shard %1</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>model, part %1</source>
        <translation>Modell, Teil %1</translation>
    </message>
    <message>
        <source>model, rank %1</source>
        <translation>Modell, Rank %1</translation>
    </message>
    <message>
        <source>optimizer, rank %1</source>
        <translation>Optimizer, Rank %1</translation>
    </message>
    <message>
        <source>experts, rank %1</source>
        <translation>Experten, Rank %1</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Layer %1</translation>
    </message>
    <message>
        <source>layer %1, expert %2</source>
        <translation>Layer %1, Experte %2</translation>
    </message>
    <message>
        <source>Bytes per shard</source>
        <translation>Bytes je Shard</translation>
    </message>
    <message numerus="yes">
        <source>Show All %Ln Files</source>
        <translation>
            <numerusform>%Ln Datei zeigen</numerusform>
            <numerusform>Alle %Ln Dateien zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files are missing</source>
        <translation>
            <numerusform>%Ln Datei fehlt</numerusform>
            <numerusform>%Ln Dateien fehlen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors are incomplete</source>
        <translation>
            <numerusform>%Ln Tensor ist unvollständig</numerusform>
            <numerusform>%Ln Tensoren sind unvollständig</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is %2 % smaller than the others</source>
        <translation>%1 ist %2 % kleiner als die anderen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardMap</name>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <source>100 % smaller than others</source>
        <translation>100 % kleiner als andere</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>no tensors</source>
        <translation>keine Tensoren</translation>
    </message>
    <message>
        <source>%1 % smaller than others</source>
        <translation>%1 % kleiner als andere</translation>
    </message>
    <message>
        <source>%1 % larger than others</source>
        <translation>%1 % größer als andere</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
%2
%3 at byte %4 of %5</source>
        <translation>%1
%2
%3 ab Byte %4 von %5</translation>
    </message>
    <message>
        <source>listed in the index, but not in the folder</source>
        <translation>im Index genannt, aber nicht im Ordner</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardStrip</name>
    <message>
        <source>Location</source>
        <translation>Lage</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShardsPage</name>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>other</source>
        <translation>sonstige</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1   missing</source>
        <translation>%1   fehlt</translation>
    </message>
    <message>
        <source>Select a box to see how its tensor is sharded.</source>
        <translation>Ein Kästchen auswählen, um zu sehen, wie sein Tensor aufgeteilt ist.</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>No checkpoint is open</source>
        <translation>Kein Checkpoint ist geöffnet</translation>
    </message>
    <message>
        <source>Select a checkpoint on the left to see its files.</source>
        <translation>Links einen Checkpoint auswählen, um seine Dateien zu sehen.</translation>
    </message>
    <message>
        <source>Mapping files…</source>
        <translation>Dateien werden kartiert…</translation>
    </message>
    <message>
        <source>The files cannot be mapped</source>
        <translation>Die Dateien lassen sich nicht kartieren</translation>
    </message>
    <message>
        <source>This checkpoint has no files</source>
        <translation>Dieser Checkpoint hat keine Dateien</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>%1 uneven</source>
        <translation>%1 ungleich</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 · pieces: %4</source>
        <translation>%1 · %2 · %3 · Stücke: %4</translation>
    </message>
    <message>
        <source>%1 of %2 elements are not covered by any piece</source>
        <translation>%1 von %2 Elementen sind von keinem Stück abgedeckt</translation>
    </message>
    <message>
        <source>%1 elements are covered by more than one piece</source>
        <translation>%1 Elemente sind von mehr als einem Stück abgedeckt</translation>
    </message>
    <message>
        <source>%1 of %2 pieces are in missing files</source>
        <translation>%1 von %2 Stücken liegen in fehlenden Dateien</translation>
    </message>
    <message>
        <source>Sharded along more than two dimensions; drawn along %1 and %2.</source>
        <translation>Entlang von mehr als zwei Dimensionen aufgeteilt; gezeichnet entlang %1 und %2.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Offset</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SpaceLegend</name>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>other</source>
        <translation>sonstige</translation>
    </message>
    <message>
        <source>not in a checkpoint</source>
        <translation>in keinem Checkpoint</translation>
    </message>
    <message>
        <source>would be moved</source>
        <translation>würde verschoben</translation>
    </message>
    <message>
        <source>Colours: %1</source>
        <translation>Farben: %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SpacePage</name>
    <message>
        <source>Space</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>Nichts ist ausgewählt</translation>
    </message>
    <message>
        <source>Select an experiment, a run or a checkpoint on the left to see what takes the disk.</source>
        <translation>Links ein Experiment, einen Run oder einen Checkpoint auswählen, um zu sehen, was Platz belegt.</translation>
    </message>
    <message>
        <source>Measuring files…</source>
        <translation>Dateien werden gemessen…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>The files cannot be measured</source>
        <translation>Die Dateien lassen sich nicht messen</translation>
    </message>
    <message>
        <source>Arranging tensors…</source>
        <translation>Tensoren werden angeordnet…</translation>
    </message>
    <message>
        <source>The tensors cannot be arranged</source>
        <translation>Die Tensoren lassen sich nicht anordnen</translation>
    </message>
    <message>
        <source>Nothing takes space here</source>
        <translation>Hier belegt nichts Platz</translation>
    </message>
    <message>
        <source>All files are empty.</source>
        <translation>Alle Dateien sind leer.</translation>
    </message>
    <message>
        <source>All tensors are empty.</source>
        <translation>Alle Tensoren sind leer.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>area = bytes of the tensors</source>
        <translation>Fläche = Bytes der Tensoren</translation>
    </message>
    <message>
        <source>area = sizes of the files; hard links counted once</source>
        <translation>Fläche = Größe der Dateien; Hardlinks einmal gezählt</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größte</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Ten largest</source>
        <translation>Zehn größte</translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln checkpoints (%1) to the wastebasket?</source>
        <translation>
            <numerusform>%Ln Checkpoint (%1) in den Papierkorb verschieben?</numerusform>
            <numerusform>%Ln Checkpoints (%1) in den Papierkorb verschieben?</numerusform>
        </translation>
    </message>
    <message>
        <source>Each is compared with the examined files first. The disk is freed when the wastebasket is emptied.</source>
        <translation>Jeder wird vorher mit den untersuchten Dateien verglichen. Der Platz wird frei, wenn der Papierkorb geleert wird.</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>Moved %Ln checkpoints (%1) back</source>
        <translation>
            <numerusform>%Ln Checkpoint (%1) zurückverschoben</numerusform>
            <numerusform>%Ln Checkpoints (%1) zurückverschoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Moved %Ln checkpoints (%1) to the wastebasket</source>
        <translation>
            <numerusform>%Ln Checkpoint (%1) in den Papierkorb verschoben</numerusform>
            <numerusform>%Ln Checkpoints (%1) in den Papierkorb verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln were not moved</source>
        <translation>
            <numerusform>%Ln wurde nicht verschoben</numerusform>
            <numerusform>%Ln wurden nicht verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Checkpoint or File</source>
        <translation>Checkpoint oder Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SpectrumSection</name>
    <message>
        <source>Compute Singular Values</source>
        <translation>Singulärwerte berechnen</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>Reads %1 and decomposes a %2 × %3 matrix with libtorch</source>
        <translation>Liest %1 und zerlegt eine %2 × %3-Matrix mit libtorch</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>kleinster</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Kondition</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>effective rank</source>
        <translation>effektiver Rang</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>stable rank</source>
        <translation>stabiler Rang</translation>
    </message>
</context>
<context>
    <name>cairn::ui::StartPage</name>
    <message>
        <source>Open a folder with training runs</source>
        <translation>Einen Ordner mit Trainings-Runs öffnen</translation>
    </message>
    <message>
        <source>Cairn shows the contents of any checkpoint, whatever its format and sharding, without running any code from it, and consolidates it into one verified file that loads anywhere.</source>
        <translation>Cairn zeigt den Inhalt jedes Checkpoints, gleich in welchem Format und Sharding, ohne Code daraus auszuführen, und konsolidiert ihn zu einer geprüften Datei, die sich überall laden lässt.</translation>
    </message>
    <message>
        <source>Reads %1.</source>
        <translation>Liest %1.</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>or drop a folder or files anywhere in this window</source>
        <translation>oder einen Ordner oder Dateien in dieses Fenster ziehen</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message numerus="yes">
        <source>Open ./%1: %Ln Checkpoints</source>
        <translation>
            <numerusform>./%1 öffnen: %Ln Checkpoint</numerusform>
            <numerusform>./%1 öffnen: %Ln Checkpoints</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::StripRoles</name>
    <message>
        <source>plain values</source>
        <translation>einfache Werte</translation>
    </message>
    <message>
        <source>none in this checkpoint</source>
        <translation>keine in diesem Checkpoint</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Buffer</translation>
    </message>
    <message>
        <source>Excluded by “Weights only”; choose “Everything” to include it</source>
        <translation>Durch „Nur Gewichte“ ausgeschlossen; „Alles“ schließt es ein</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SubjectFacts</name>
    <message numerus="yes">
        <source>%Ln links</source>
        <translation>
            <numerusform>%Ln Link</numerusform>
            <numerusform>%Ln Links</numerusform>
        </translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>latest</source>
        <translation>neuester</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>best value</source>
        <translation>bester Wert</translation>
    </message>
    <message>
        <source>according to</source>
        <translation>laut</translation>
    </message>
    <message>
        <source>resume from</source>
        <translation>fortsetzen ab</translation>
    </message>
    <message>
        <source>format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Runs</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::SummaryPage</name>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rank</numerusform>
            <numerusform>%Ln Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Pickles %1</source>
        <translation>Pickles %1</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>written %1</source>
        <translation>geschrieben %1</translation>
    </message>
    <message>
        <source>written %1 by %2</source>
        <translation>geschrieben %1 von %2</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>mostly %1</source>
        <translation>überwiegend %1</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Show All Metadata</source>
        <translation>Alle Metadaten zeigen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::TensorModel</name>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>file missing</source>
        <translation>Datei fehlt</translation>
    </message>
    <message>
        <source>%1 of %2 missing</source>
        <translation>%1 von %2 fehlen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>gemischt</translation>
    </message>
    <message numerus="yes">
        <source>%1, group of %Ln tensors, %2</source>
        <translation>
            <numerusform>%1, Gruppe mit %Ln Tensor, %2</numerusform>
            <numerusform>%1, Gruppe mit %Ln Tensoren, %2</numerusform>
        </translation>
    </message>
    <message>
        <source>by</source>
        <translation>mal</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4</source>
        <translation>%1, %2, %3, %4</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>Dtype</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Shape</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>Stücke</translation>
    </message>
</context>
<context>
    <name>cairn::ui::TensorsPage</name>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>View mode</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Choose columns</source>
        <translation>Spalten wählen</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>No checkpoint is open</source>
        <translation>Kein Checkpoint ist geöffnet</translation>
    </message>
    <message>
        <source>Select a checkpoint on the left to see its tensors.</source>
        <translation>Links einen Checkpoint auswählen, um seine Tensoren zu sehen.</translation>
    </message>
    <message>
        <source>Listing tensors…</source>
        <translation>Tensoren werden aufgelistet…</translation>
    </message>
    <message>
        <source>The tensors cannot be listed</source>
        <translation>Die Tensoren lassen sich nicht auflisten</translation>
    </message>
    <message>
        <source>%1 tensors · %2</source>
        <translation>%1 Tensoren · %2</translation>
    </message>
    <message>
        <source>%1 of %2 tensors · %3</source>
        <translation>%1 von %2 Tensoren · %3</translation>
    </message>
    <message>
        <source>This checkpoint has no tensors</source>
        <translation>Dieser Checkpoint hat keine Tensoren</translation>
    </message>
    <message>
        <source>Its plain values are on the Metadata page.</source>
        <translation>Seine einfachen Werte stehen auf der Seite Metadaten.</translation>
    </message>
    <message>
        <source>No tensor matches “%1”</source>
        <translation>Kein Tensor passt zu „%1“</translation>
    </message>
    <message>
        <source>Words match in any order. * and ? are wildcards, -word excludes, /…/ is a regular expression. Columns: size &gt; 100MB, dtype == bf16, shape ~ 4096, role:weight</source>
        <translation>Wörter passen in jeder Reihenfolge. * und ? sind Platzhalter, -wort schließt aus, /…/ ist ein regulärer Ausdruck. Spalten: size &gt; 100MB, dtype == bf16, shape ~ 4096, role:weight</translation>
    </message>
    <message>
        <source>Clear Filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy Name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy as Python</source>
        <translation>Als Python kopieren</translation>
    </message>
    <message>
        <source>Expand All Below</source>
        <translation>Alles darunter ausklappen</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Einklappen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ToolCard</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::TopBar</name>
    <message>
        <source>Filter tensors…</source>
        <translation>Tensoren filtern…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Compare curves, settings and weights of two runs. Mark them on the left with X or choose them on the page.</source>
        <translation>Kurven, Einstellungen und Gewichte zweier Runs vergleichen. Links mit X markieren oder auf der Seite wählen.</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Tensoren filtern</translation>
    </message>
</context>
<context>
    <name>cairn::ui::TreemapView</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Treemap</source>
        <translation>Treemap</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1; %2 %3</source>
        <translation>%1; %2 %3</translation>
    </message>
    <message>
        <source>%1; %2 more in files that count elsewhere</source>
        <translation>%1; %2 weitere in Dateien, die anderswo zählen</translation>
    </message>
    <message>
        <source>%1; would be moved</source>
        <translation>%1; würde verschoben</translation>
    </message>
</context>
<context>
    <name>cairn::ui::UnfinishedBar</name>
    <message>
        <source>%1 written</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>%1 of %2 written</source>
        <translation>%1 von %2 geschrieben</translation>
    </message>
    <message>
        <source>Unfinished jobs</source>
        <translation>Unfertige Jobs</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more unfinished jobs</source>
        <translation>
            <numerusform>%Ln weiterer unfertiger Job</numerusform>
            <numerusform>%Ln weitere unfertige Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is unfinished</source>
        <translation>„%1“ ist unfertig</translation>
    </message>
    <message>
        <source>started %1</source>
        <translation>begonnen %1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>Verwerfen…</translation>
    </message>
    <message>
        <source>Decide Later</source>
        <translation>Später entscheiden</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove %1 of unfinished files from %2?</source>
        <translation>%1 unfertiger Dateien aus %2 entfernen?</translation>
    </message>
    <message>
        <source>— no other files are affected. The job cannot be resumed afterwards.</source>
        <translation>– andere Dateien sind nicht betroffen. Der Job lässt sich danach nicht mehr fortsetzen.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>cairn::ui::UnfinishedJobs</name>
    <message>
        <source>%1 freed</source>
        <translation>%1 freigegeben</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ValueGrid</name>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ValueModel</name>
    <message>
        <source>tensors (%1)</source>
        <translation>Tensoren (%1)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightCurves</name>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>std</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>L1 norm</source>
        <translation>L1-Norm</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2-Norm</translation>
    </message>
    <message>
        <source>largest magnitude</source>
        <translation>größter Betrag</translation>
    </message>
    <message>
        <source>min</source>
        <translation>Min.</translation>
    </message>
    <message>
        <source>max</source>
        <translation>Max.</translation>
    </message>
    <message>
        <source>share of zeros</source>
        <translation>Anteil Nullen</translation>
    </message>
    <message>
        <source>share of NaN and Inf</source>
        <translation>Anteil NaN und Inf</translation>
    </message>
    <message>
        <source>change from previous checkpoint</source>
        <translation>Änderung zum vorherigen Checkpoint</translation>
    </message>
    <message>
        <source>all weights</source>
        <translation>alle Gewichte</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoints skipped</source>
        <translation>
            <numerusform>%Ln Checkpoint übersprungen</numerusform>
            <numerusform>%Ln Checkpoints übersprungen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightsButton</name>
    <message>
        <source>Weight statistics for every checkpoint of the run. For one tensor or layer, use “Across Checkpoints” in the inspector</source>
        <translation>Statistik der Gewichte für jeden Checkpoint des Runs. Für einen Tensor oder Layer: „Über die Checkpoints“ im Inspektor</translation>
    </message>
    <message>
        <source>&amp;All Weights</source>
        <translation>&amp;Alle Gewichte</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Remove These Curves</source>
        <translation>Diese Kurven &amp;entfernen</translation>
    </message>
    <message>
        <source>Measuring %1 of %2</source>
        <translation>Gemessen wird %1 von %2</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
</context>
<context>
    <name>cairn::ui::WeightsCard</name>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Weights · %1</source>
        <translation>Gewichte · %1</translation>
    </message>
    <message>
        <source>The runs have no matching pair of complete checkpoints.</source>
        <translation>Die Runs haben kein passendes Paar vollständiger Checkpoints.</translation>
    </message>
    <message>
        <source>One of these checkpoints is incomplete, or the pair is not among the %1 pairs that were read.</source>
        <translation>Einer dieser Checkpoints ist unvollständig, oder das Paar ist nicht unter den %1 gelesenen.</translation>
    </message>
    <message>
        <source>The two checkpoints have no tensor in common.</source>
        <translation>Die beiden Checkpoints haben keinen Tensor gemeinsam.</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln tensors are equal.</source>
        <translation>
            <numerusform>Der %Ln Tensor ist gleich.</numerusform>
            <numerusform>Alle %Ln Tensoren sind gleich.</numerusform>
        </translation>
    </message>
    <message>
        <source>Relative change |B − A| / |A| by layer; %1 in all, %2 of %3 tensors changed</source>
        <translation>Relative Änderung |B − A| / |A| je Layer; insgesamt %1, %2 von %3 Tensoren geändert</translation>
    </message>
    <message>
        <source>%1 only in A, %2 only in B</source>
        <translation>%1 nur in A, %2 nur in B</translation>
    </message>
    <message numerus="yes">
        <source>%Ln not compared: different shape or unreadable</source>
        <translation>
            <numerusform>%Ln nicht verglichen: andere Shape oder nicht lesbar</numerusform>
            <numerusform>%Ln nicht verglichen: andere Shape oder nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>largest change</source>
        <translation>größte Änderung</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>relativ</translation>
    </message>
    <message>
        <source>max abs</source>
        <translation>max. abs.</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Compare Weights</source>
        <translation>Gewichte vergleichen</translation>
    </message>
    <message>
        <source>Reading the indices…</source>
        <translation>Die Indizes werden gelesen…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoint pairs; %1 to read</source>
        <translation>
            <numerusform>%Ln Checkpoint-Paar; %1 zu lesen</numerusform>
            <numerusform>%Ln Checkpoint-Paare; %1 zu lesen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 pairs · %3 of %4</source>
        <translation>%1 von %2 Paaren · %3 von %4</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 pairs</source>
        <translation>Angehalten nach %1 von %2 Paaren</translation>
    </message>
</context>
<context>
    <name>cairn::ui::Workspace</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>cairn::ui::WrittenPanel</name>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Command Line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Copy as Command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… und %Ln weitere</numerusform>
            <numerusform>… und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Source files and the SHA-256 of every tensor</source>
        <translation>Quelldateien und SHA-256 jedes Tensors</translation>
    </message>
</context>
<context>
    <name>cairn::ui::text</name>
    <message>
        <source>tensor %1</source>
        <translation>Tensor %1</translation>
    </message>
    <message>
        <source>field %1</source>
        <translation>Feld %1</translation>
    </message>
    <message>
        <source>at byte %1</source>
        <translation>bei Byte %1</translation>
    </message>
    <message>
        <source>Found %1, expected %2.</source>
        <translation>Gefunden: %1, erwartet: %2.</translation>
    </message>
    <message>
        <source>Found %1.</source>
        <translation>Gefunden: %1.</translation>
    </message>
    <message>
        <source>Expected %1.</source>
        <translation>Erwartet: %1.</translation>
    </message>
    <message>
        <source>Tensors stored in it are incomplete; everything else can be read.</source>
        <translation>Darin gespeicherte Tensoren sind unvollständig; alles andere ist lesbar.</translation>
    </message>
    <message>
        <source>It is still being written, or it was copied without hidden files.</source>
        <translation>Er wird noch geschrieben, oder er wurde ohne versteckte Dateien kopiert.</translation>
    </message>
    <message>
        <source>The usual cause is a full disk or a killed job.</source>
        <translation>Die übliche Ursache ist ein voller Datenträger oder ein abgebrochener Job.</translation>
    </message>
    <message>
        <source>It is shown as data only; no code was run.</source>
        <translation>Gezeigt werden nur Daten; kein Code wurde ausgeführt.</translation>
    </message>
    <message>
        <source>The data was never downloaded: this is a Git LFS pointer file.</source>
        <translation>Die Daten wurden nie heruntergeladen: Dies ist eine Git-LFS-Zeigerdatei.</translation>
    </message>
    <message>
        <source>The download saved an error or login page instead of the file.</source>
        <translation>Beim Herunterladen wurde statt der Datei eine Fehler- oder Anmeldeseite gespeichert.</translation>
    </message>
    <message>
        <source>It can be opened once the training job has finished saving it.</source>
        <translation>Er lässt sich öffnen, sobald der Trainings-Job ihn fertig gespeichert hat.</translation>
    </message>
    <message>
        <source>The data read before is out of date; refresh to read it again.</source>
        <translation>Die zuvor gelesenen Daten sind veraltet; Aktualisieren liest sie neu.</translation>
    </message>
    <message>
        <source>An edit of its header was interrupted; the backup next to the file can restore it.</source>
        <translation>Eine Bearbeitung des Headers wurde unterbrochen; die Sicherung neben der Datei kann ihn wiederherstellen.</translation>
    </message>
    <message>
        <source>The output was removed; the source is untouched.</source>
        <translation>Die Ausgabe wurde entfernt; die Quelle ist unberührt.</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>unter 1 s</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
</context>
<context>
    <name>cairn::ui::words</name>
    <message>
        <source>elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>Dim %1</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>Buffer</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>EMA</source>
        <translation>EMA</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>random state</source>
        <translation>Zufallszustand</translation>
    </message>
    <message>
        <source>training state</source>
        <translation>Trainingszustand</translation>
    </message>
    <message>
        <source>other</source>
        <translation>sonstige</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1, covering only part</source>
        <translation>%1, deckt nur einen Teil ab</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, each a full copy</source>
        <translation>%1, je eine vollständige Kopie</translation>
    </message>
    <message>
        <source>%1, %2 each</source>
        <translation>%1, je %2</translation>
    </message>
    <message>
        <source>%1, uneven %2</source>
        <translation>%1, ungleich %2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
    <message>
        <source>%1 %2-%3</source>
        <translation>%1 %2-%3</translation>
    </message>
    <message>
        <source>entire tensor</source>
        <translation>ganzer Tensor</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message numerus="yes">
        <source>%Ln items</source>
        <translation>
            <numerusform>%Ln Eintrag</numerusform>
            <numerusform>%Ln Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>shard %1 missing</source>
        <translation>Shard %1 fehlt</translation>
    </message>
    <message>
        <source>shard %1 of %2 missing</source>
        <translation>Shard %1 von %2 fehlt</translation>
    </message>
    <message>
        <source>broken link</source>
        <translation>defekter Link</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>%1, bester</translation>
    </message>
    <message>
        <source>latest</source>
        <translation>neuester</translation>
    </message>
    <message>
        <source>exported</source>
        <translation>exportiert</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>readable</source>
        <translation>lesbar</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>contain plain values only</source>
        <translation>enthalten nur einfache Werte</translation>
    </message>
    <message>
        <source>reference unknown classes</source>
        <translation>verweisen auf unbekannte Klassen</translation>
    </message>
    <message>
        <source>reference the unknown class %1</source>
        <translation>verweisen auf die unbekannte Klasse %1</translation>
    </message>
    <message>
        <source>are malformed</source>
        <translation>sind fehlerhaft</translation>
    </message>
    <message>
        <source>were not fully examined</source>
        <translation>wurden nicht vollständig untersucht</translation>
    </message>
    <message>
        <source>are ambiguous: readers interpret them differently</source>
        <translation>sind mehrdeutig: Programme lesen sie verschieden</translation>
    </message>
    <message>
        <source>request code execution; nothing was run</source>
        <translation>verlangen Code auszuführen; nichts wurde ausgeführt</translation>
    </message>
    <message>
        <source>request to run %1; nothing was run</source>
        <translation>verlangen %1 auszuführen; nichts wurde ausgeführt</translation>
    </message>
</context>
</TS>
