<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>cairn::core</name>
    <message>
        <source>Ask the host's administrator whether it has a new key; if so, `ssh-keygen -R HOST` removes the old one</source>
        <translation>Fragen Sie die Administration des Rechners, ob er einen neuen Schlüssel hat; dann entfernt `ssh-keygen -R HOST` den alten</translation>
    </message>
    <message>
        <source>Check the name and the port</source>
        <translation>Prüfen Sie Namen und Port</translation>
    </message>
    <message>
        <source>Check the name; `ssh HOST` must work in a terminal</source>
        <translation>Prüfen Sie den Namen; `ssh HOST` muss in einem Terminal gelingen</translation>
    </message>
    <message>
        <source>Check the network, or whether a jump host or VPN is needed</source>
        <translation>Prüfen Sie das Netz, und ob ein Zwischenrechner oder VPN nötig ist</translation>
    </message>
    <message>
        <source>Connect once with `ssh HOST` and compare the key that it shows</source>
        <translation>Verbinden Sie sich einmal mit `ssh HOST`, und vergleichen Sie den angezeigten Schlüssel</translation>
    </message>
    <message>
        <source>Copy the file to this machine, or run cairn-cli where it is</source>
        <translation>Kopieren Sie die Datei auf diesen Rechner, oder starten Sie cairn-cli dort, wo sie liegt</translation>
    </message>
    <message>
        <source>HDF5 of this size can only be read from local files</source>
        <translation>HDF5 dieser Größe lässt sich nur aus lokalen Dateien lesen</translation>
    </message>
    <message>
        <source>Install cairn-cli of the same version on the host, in its PATH</source>
        <translation>Installieren Sie cairn-cli derselben Version auf dem Rechner, in seinem PATH</translation>
    </message>
    <message>
        <source>Its shell must be quiet for programs; check ~/.bashrc and ~/.cshrc</source>
        <translation>Seine Shell darf für Programme nichts ausgeben; prüfen Sie ~/.bashrc und ~/.cshrc</translation>
    </message>
    <message>
        <source>Remote locations of this kind are not supported</source>
        <translation>Entfernte Orte dieser Art werden nicht unterstützt</translation>
    </message>
    <message>
        <source>Set IdentitiesOnly and IdentityFile for it in ~/.ssh/config</source>
        <translation>Setzen Sie für ihn IdentitiesOnly und IdentityFile in ~/.ssh/config</translation>
    </message>
    <message>
        <source>The configuration of ssh is invalid</source>
        <translation>Die Konfiguration von ssh ist ungültig</translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation>Die Verbindung ist abgebrochen</translation>
    </message>
    <message>
        <source>The file could not be copied into memory</source>
        <translation>Die Datei ließ sich nicht in den Arbeitsspeicher kopieren</translation>
    </message>
    <message>
        <source>The host cannot be reached</source>
        <translation>Der Rechner ist nicht erreichbar</translation>
    </message>
    <message>
        <source>The host did not report how the work ended</source>
        <translation>Der Rechner hat nicht gemeldet, wie die Arbeit endete</translation>
    </message>
    <message>
        <source>The host does not respond</source>
        <translation>Der Rechner antwortet nicht</translation>
    </message>
    <message>
        <source>The host has a different kind of processor</source>
        <translation>Der Rechner hat eine andere Art von Prozessor</translation>
    </message>
    <message>
        <source>The host has no folder for the program</source>
        <translation>Der Rechner hat keinen Ordner für das Programm</translation>
    </message>
    <message>
        <source>The host name is not usable</source>
        <translation>Der Rechnername ist nicht verwendbar</translation>
    </message>
    <message>
        <source>The host name is unknown</source>
        <translation>Der Rechnername ist unbekannt</translation>
    </message>
    <message>
        <source>The host refused to log in</source>
        <translation>Der Rechner hat die Anmeldung abgelehnt</translation>
    </message>
    <message>
        <source>The host refuses connections by ssh</source>
        <translation>Der Rechner lehnt Verbindungen mit ssh ab</translation>
    </message>
    <message>
        <source>The host sent an invalid answer</source>
        <translation>Der Rechner hat eine ungültige Antwort gesendet</translation>
    </message>
    <message>
        <source>The host sent less than was asked for</source>
        <translation>Der Rechner hat weniger gesendet als verlangt</translation>
    </message>
    <message>
        <source>The host sent more than was asked for</source>
        <translation>Der Rechner hat mehr gesendet als verlangt</translation>
    </message>
    <message>
        <source>The host's key has changed, and ssh refuses to connect</source>
        <translation>Der Schlüssel des Rechners hat sich geändert, und ssh verweigert die Verbindung</translation>
    </message>
    <message>
        <source>The host's key is unknown, and ssh refuses to connect</source>
        <translation>Der Schlüssel des Rechners ist unbekannt, und ssh verweigert die Verbindung</translation>
    </message>
    <message>
        <source>The other end of the connection sent an invalid message</source>
        <translation>Die Gegenseite der Verbindung hat eine ungültige Nachricht gesendet</translation>
    </message>
    <message>
        <source>The path on the host is not usable</source>
        <translation>Der Pfad auf dem Rechner ist nicht verwendbar</translation>
    </message>
    <message>
        <source>The port is not a number from 1 to 65535</source>
        <translation>Der Port ist keine Zahl von 1 bis 65535</translation>
    </message>
    <message>
        <source>The program could not be started on the host</source>
        <translation>Das Programm ließ sich auf dem Rechner nicht starten</translation>
    </message>
    <message>
        <source>The program on the host has a different version</source>
        <translation>Das Programm auf dem Rechner hat eine andere Version</translation>
    </message>
    <message>
        <source>The request is too long</source>
        <translation>Die Anfrage ist zu lang</translation>
    </message>
    <message>
        <source>The request is unknown to this version</source>
        <translation>Diese Version kennt die Anfrage nicht</translation>
    </message>
    <message>
        <source>The user name is not usable</source>
        <translation>Der Benutzername ist nicht verwendbar</translation>
    </message>
    <message>
        <source>This does not name a file on another machine</source>
        <translation>Das benennt keine Datei auf einem anderen Rechner</translation>
    </message>
    <message>
        <source>Try again; what was read is kept</source>
        <translation>Versuchen Sie es erneut; was gelesen wurde, bleibt erhalten</translation>
    </message>
    <message>
        <source>`ssh HOST true` must work in a terminal, and end</source>
        <translation>`ssh HOST true` muss in einem Terminal gelingen und enden</translation>
    </message>
    <message>
        <source>`ssh HOST` must work in a terminal</source>
        <translation>`ssh HOST` muss in einem Terminal gelingen</translation>
    </message>
    <message>
        <source>`ssh HOST` must work in a terminal; check the user name, and that the key is loaded (`ssh-add -l`)</source>
        <translation>`ssh HOST` muss in einem Terminal gelingen; prüfen Sie den Benutzernamen, und ob der Schlüssel geladen ist (`ssh-add -l`)</translation>
    </message>
    <message>
        <source>cairn-cli is not installed on the host</source>
        <translation>cairn-cli ist auf dem Rechner nicht installiert</translation>
    </message>
    <message>
        <source>ssh ended before the host answered</source>
        <translation>ssh endete, bevor der Rechner antwortete</translation>
    </message>
    <message>
        <source>Aim repositories are RocksDB databases, which are not read</source>
        <translation>Aim-Repositories sind RocksDB-Datenbanken, die nicht gelesen werden</translation>
    </message>
    <message>
        <source>Export the metrics of a run: aim storage --repo FOLDER reindex -y, then in Python, with import aim: for i, m in enumerate(aim.Run(HASH, repo=FOLDER, read_only=True).metrics()): steps, (values, *_) = m.data.items_list(); name = "/".join([*map(str, m.context.to_dict().values()), m.name]); open(f"{i}.csv", "w").writelines([f"step,{name}\n", *(f"{s},{v}\n" for s, v in zip(steps, values))])</source>
        <translation>Die Metriken eines Laufs exportieren: aim storage --repo FOLDER reindex -y, dann in Python, nach import aim: for i, m in enumerate(aim.Run(HASH, repo=FOLDER, read_only=True).metrics()): steps, (values, *_) = m.data.items_list(); name = "/".join([*map(str, m.context.to_dict().values()), m.name]); open(f"{i}.csv", "w").writelines([f"step,{name}\n", *(f"{s},{v}\n" for s, v in zip(steps, values))])</translation>
    </message>
    <message>
        <source>Lines that are not operations of Neptune were skipped</source>
        <translation>Zeilen, die keine Operationen von Neptune sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Operations are missing; their files may have been uploaded</source>
        <translation>Operationen fehlen; ihre Dateien wurden vielleicht hochgeladen</translation>
    </message>
    <message>
        <source>%1 of %2 operations</source>
        <translation>%1 von %2 Operationen</translation>
    </message>
    <message>
        <source>The log has too many points; the rest was not read</source>
        <translation>Das Log hat zu viele Punkte; der Rest wurde nicht gelesen</translation>
    </message>
    <message>
        <source>Name a folder with -o, or write the model with it: cairn-cli fold BASE --adapter FOLDER</source>
        <translation>Nennen Sie mit -o einen Ordner, oder schreiben Sie das Modell mit ihm: cairn-cli fold BASE --adapter FOLDER</translation>
    </message>
    <message>
        <source>An adapter cannot be averaged with other weights: the mean of its factors is not the mean of its changes</source>
        <translation>Ein Adapter kann nicht mit anderen Gewichten gemittelt werden: Der Mittelwert seiner Faktoren ist nicht der Mittelwert seiner Änderungen</translation>
    </message>
    <message>
        <source>Fold it into the base first: cairn-cli fold BASE --adapter FOLDER</source>
        <translation>Falten Sie ihn zuerst in das Basismodell: cairn-cli fold BASE --adapter FOLDER</translation>
    </message>
    <message>
        <source>Average adapters of one base</source>
        <translation>Mitteln Sie Adapter eines Basismodells</translation>
    </message>
    <message>
        <source>Fold the adapters into the base, each with its share: cairn-cli fold BASE --adapter A=0.5 --adapter B=0.5</source>
        <translation>Falten Sie die Adapter in das Basismodell, jeden mit seinem Anteil: cairn-cli fold BASE --adapter A=0.5 --adapter B=0.5</translation>
    </message>
    <message>
        <source>It specifies the class of diffusers, %1</source>
        <translation>Sie gibt die Klasse von diffusers an, %1</translation>
    </message>
    <message>
        <source>Only some of the adapters replace this tensor of the base; the others leave it as the base has it, which is not in their files</source>
        <translation>Nur einige der Adapter ersetzen diesen Tensor des Basismodells; die anderen lassen ihn, wie er im Basismodell ist, was in ihren Dateien nicht steht</translation>
    </message>
    <message>
        <source>Settings of the adapters differ, so that one adapter cannot express both</source>
        <translation>Einstellungen der Adapter unterscheiden sich, sodass ein Adapter nicht beide ausdrücken kann</translation>
    </message>
    <message>
        <source>The adapter's settings are implausibly large</source>
        <translation>Die Einstellungen des Adapters sind unplausibel groß</translation>
    </message>
    <message>
        <source>The adapters are for models of other shapes</source>
        <translation>Die Adapter sind für Modelle mit anderen Formen</translation>
    </message>
    <message>
        <source>The adapters name different bases: %1, %2</source>
        <translation>Die Adapter nennen verschiedene Basismodelle: %1, %2</translation>
    </message>
    <message>
        <source>The mean of adapters with DoRA is not an adapter: their magnitudes act on the sum of the weight and the change</source>
        <translation>Der Mittelwert von Adaptern mit DoRA ist kein Adapter: Ihre Beträge wirken auf die Summe aus Gewicht und Änderung</translation>
    </message>
    <message>
        <source>Only some of the adapters have this trained bias, or it has a negative scale</source>
        <translation>Nur einige der Adapter haben diesen trainierten Bias, oder er hat eine negative Skalierung</translation>
    </message>
    <message>
        <source>The settings of the last adapter were not found</source>
        <translation>Die Einstellungen des letzten Adapters wurden nicht gefunden</translation>
    </message>
    <message>
        <source>Which tensor of target_parameters these matrices change is not recorded, and the candidates have different ranks or alphas</source>
        <translation>Welchen Tensor von target_parameters diese Matrizen ändern, ist nicht aufgezeichnet, und die Kandidaten haben verschiedene Ränge oder Alphas</translation>
    </message>
    <message>
        <source>diffusers does not load weights with scales of this kind</source>
        <translation>diffusers lädt keine Gewichte mit solchen Skalierungen</translation>
    </message>
    <message>
        <source>Write bf16 or fp16; diffusers quantises when it loads</source>
        <translation>Schreiben Sie bf16 oder fp16; diffusers quantisiert beim Laden</translation>
    </message>
    <message>
        <source>One adapter of rank %1, whose change is the mean of their changes: the matrices of each module are joined, as PEFT's add_weighted_adapter does with combination_type "cat"</source>
        <translation>Ein Adapter vom Rang %1, dessen Änderung der Mittelwert ihrer Änderungen ist: Die Matrizen jedes Moduls werden aneinandergefügt, wie es PEFTs add_weighted_adapter mit combination_type "cat" tut</translation>
    </message>
    <message>
        <source>both matrices of each pair</source>
        <translation>beide Matrizen jedes Paars</translation>
    </message>
    <message>
        <source>a field model_type, architectures or, of diffusers, _class_name</source>
        <translation>ein Feld model_type, architectures oder, von diffusers, _class_name</translation>
    </message>
    <message>
        <source>Compute quantised weights from codes and scales: in the dtype of --dtype, else in that of their library (bf16 where it has none)</source>
        <translation>Quantisierte Gewichte aus Codes und Skalen berechnen: im dtype von --dtype, sonst in dem ihrer Bibliothek (bf16, wo sie keinen hat)</translation>
    </message>
    <message>
        <source>The weight is quantised as %1; it cannot be dequantised here: %2</source>
        <translation>Das Gewicht ist als %1 quantisiert; es kann hier nicht dequantisiert werden: %2</translation>
    </message>
    <message>
        <source>Use --dequantize: the mean of their numbers is written; or, if it does not carry out this variant, dequantise each checkpoint first, with %1</source>
        <translation>Mit --dequantize wird der Mittelwert ihrer Zahlen geschrieben; führt es diese Variante nicht aus, jeden Checkpoint zuerst mit %1 dequantisieren</translation>
    </message>
    <message>
        <source>Computed from codes and scales as the library does; %1 tensors of scales and other parts are left out</source>
        <translation>Aus Codes und Skalen berechnet wie von der Bibliothek; %1 Tensoren mit Skalen und anderen Teilen entfallen</translation>
    </message>
    <message>
        <source>No quantised weight is selected</source>
        <translation>Kein quantisiertes Gewicht ist ausgewählt</translation>
    </message>
    <message>
        <source>The files of the interrupted job are gone; all of it is written again</source>
        <translation>Die Dateien des unterbrochenen Auftrags fehlen; alles wird neu geschrieben</translation>
    </message>
    <message>
        <source>The files of the job were removed while it ran</source>
        <translation>Die Dateien des Auftrags wurden während seiner Ausführung entfernt</translation>
    </message>
    <message>
        <source>Run all parts of the job again</source>
        <translation>Alle Teile des Auftrags noch einmal ausführen</translation>
    </message>
    <message>
        <source>The output needs a name that does not exist yet</source>
        <translation>Die Ausgabe braucht einen Namen, den es noch nicht gibt</translation>
    </message>
    <message>
        <source>Use -o FOLDER/NAME</source>
        <translation>-o ORDNER/NAME verwenden</translation>
    </message>
    <message>
        <source>Make it readable, or name a folder that has it: --like FOLDER; --force continues without it</source>
        <translation>Lesbar machen oder einen Ordner nennen, der sie hat: --like ORDNER; --force fährt ohne sie fort</translation>
    </message>
    <message>
        <source>The folder contains files of two saves of the same age</source>
        <translation>Der Ordner enthält Dateien zweier gleich alter Speicherungen</translation>
    </message>
    <message>
        <source>The chunks are not named as the array's metadata states</source>
        <translation>Die Chunks heißen anders, als die Metadaten des Arrays angeben</translation>
    </message>
    <message>
        <source>--dequantize folds it into the numbers of the weights; the model that was quantised is closer to what was trained</source>
        <translation>--dequantize faltet ihn in die Zahlen der Gewichte; das Modell, das quantisiert wurde, ist näher an dem, was trainiert wurde</translation>
    </message>
    <message>
        <source>only its library can</source>
        <translation>nur ihre Bibliothek kann es</translation>
    </message>
    <message>
        <source>the config.json with its quantization_config is missing</source>
        <translation>die config.json mit ihrer quantization_config fehlt</translation>
    </message>
    <message>
        <source>the config.json with the size of its blocks is missing</source>
        <translation>die config.json mit der Größe ihrer Blöcke fehlt</translation>
    </message>
    <message>
        <source>the config.json with its bits and group_size is missing</source>
        <translation>die config.json mit bits und group_size fehlt</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>no values</source>
        <translation>keine Werte</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>A mean of %1 weights is not supported</source>
        <translation>Ein Mittelwert von %1-Gewichten wird nicht unterstützt</translation>
    </message>
    <message>
        <source>Average checkpoints of one model, or leave the tensor out with --only</source>
        <translation>Mitteln Sie Checkpoints eines Modells, oder lassen Sie den Tensor mit --only weg</translation>
    </message>
    <message>
        <source>Cast each checkpoint to a wider float first, or leave the tensor out</source>
        <translation>Wandeln Sie zuerst jeden Checkpoint in einen breiteren Gleitkommatyp um, oder lassen Sie den Tensor weg</translation>
    </message>
    <message>
        <source>Dequantise each checkpoint first, with %1</source>
        <translation>Dequantisieren Sie zuerst jeden Checkpoint, mit %1</translation>
    </message>
    <message>
        <source>It describes the tensors as they were stored</source>
        <translation>Sie beschreiben die Tensoren, wie sie gespeichert waren</translation>
    </message>
    <message>
        <source>Only %1 contains %2, not %3</source>
        <translation>Nur %1 enthält %2, nicht %3</translation>
    </message>
    <message>
        <source>Use the library that wrote it</source>
        <translation>Verwenden Sie die Bibliothek, die es geschrieben hat</translation>
    </message>
    <message>
        <source>Use the library that wrote it: %1</source>
        <translation>Verwenden Sie die Bibliothek, die es geschrieben hat: %1</translation>
    </message>
    <message>
        <source>What the source's header records beside its tensors is carried</source>
        <translation>Was im Kopf der Quelle neben ihren Tensoren steht, wird übernommen</translation>
    </message>
    <message>
        <source>The codes of %1 are not numbers of the weight: %2</source>
        <translation>Die Codes von %1 sind keine Zahlen des Gewichts: %2</translation>
    </message>
    <message>
        <source>The other checkpoint does not have the weight as numbers</source>
        <translation>Der andere Checkpoint hat das Gewicht nicht als Zahlen</translation>
    </message>
    <message>
        <source>The shapes of its parts do not match</source>
        <translation>Die Formen seiner Teile passen nicht zusammen</translation>
    </message>
    <message>
        <source>Use --dequantize to write the weights as numbers</source>
        <translation>Mit --dequantize werden die Gewichte als Zahlen geschrieben</translation>
    </message>
    <message>
        <source>%1 weights of %2 are written as parts without the attributes of their class: no loader makes weights of them</source>
        <translation>%1 Gewichte von %2 werden als Teile ohne die Attribute ihrer Klasse geschrieben: Kein Lader macht Gewichte daraus</translation>
    </message>
    <message>
        <source>Only its library computes the weight</source>
        <translation>Nur seine Bibliothek berechnet das Gewicht</translation>
    </message>
    <message>
        <source>Only its library computes the weight: %1</source>
        <translation>Nur seine Bibliothek berechnet das Gewicht: %1</translation>
    </message>
    <message>
        <source>All codes of the quantised weight are zero</source>
        <translation>Alle Codes des quantisierten Gewichts sind null</translation>
    </message>
    <message>
        <source>codes of %1</source>
        <translation>Codes von %1</translation>
    </message>
    <message>
        <source>part of %1</source>
        <translation>Teil von %1</translation>
    </message>
    <message>
        <source>dequantised, %1</source>
        <translation>dequantisiert, %1</translation>
    </message>
    <message>
        <source>a weight that is changed by more than its scales and zero points</source>
        <translation>ein Gewicht, das nicht nur durch seine Skalen und Nullpunkte verändert wird</translation>
    </message>
    <message>
        <source>other codes than int8 with zero points of int8, or float8 without</source>
        <translation>andere Codes als int8 mit Nullpunkten in int8 oder float8 ohne</translation>
    </message>
    <message>
        <source>a weight with %1</source>
        <translation>ein Gewicht mit %1</translation>
    </message>
    <message>
        <source>its description is missing</source>
        <translation>seine Beschreibung fehlt</translation>
    </message>
    <message>
        <source>other packings than of 2, 4 or 8 bits in bytes</source>
        <translation>andere Packungen als 2, 4 oder 8 Bit in Bytes</translation>
    </message>
    <message>
        <source>scales or zero points in other dtypes than it computes with</source>
        <translation>Skalen oder Nullpunkte in anderen Dtypes als dem, in dem gerechnet wird</translation>
    </message>
    <message>
        <source>a description that is not text</source>
        <translation>eine Beschreibung, die kein Text ist</translation>
    </message>
    <message>
        <source>a description that is not a number</source>
        <translation>eine Beschreibung, die keine Zahl ist</translation>
    </message>
    <message>
        <source>%1: %2 quantised weights (%3): codes and scales have no mean</source>
        <translation>%1: %2 quantisierte Gewichte (%3): Codes und Skalen haben keinen Mittelwert</translation>
    </message>
    <message>
        <source>Left out, as forced: %1 is damaged or cannot be read: %2</source>
        <translation>Weggelassen, wie erzwungen: %1 ist beschädigt oder nicht lesbar: %2</translation>
    </message>
    <message>
        <source>%1 is damaged or cannot be read: %2</source>
        <translation>%1 ist beschädigt oder nicht lesbar: %2</translation>
    </message>
    <message>
        <source>%1 stored items are damaged or cannot be read</source>
        <translation>%1 gespeicherte Einträge sind beschädigt oder nicht lesbar</translation>
    </message>
    <message>
        <source>Not checked: %1 of %2 stored items have no checksum</source>
        <translation>Nicht geprüft: %1 von %2 gespeicherten Einträgen haben keine Prüfsumme</translation>
    </message>
    <message>
        <source>Not checked: %1 of %2 stored items are in a large record, whose checksum `check` and jobs compare</source>
        <translation>Nicht geprüft: %1 von %2 gespeicherten Einträgen liegen in einem großen Datensatz, dessen Prüfsumme `check` und Jobs vergleichen</translation>
    </message>
    <message>
        <source>%1 stored items match their checksums</source>
        <translation>%1 gespeicherte Einträge stimmen mit ihren Prüfsummen überein</translation>
    </message>
    <message>
        <source>Use another copy of the checkpoint</source>
        <translation>Eine andere Kopie des Checkpoints verwenden</translation>
    </message>
    <message>
        <source>The object graph is not a valid message</source>
        <translation>Der Objektgraph ist keine gültige Nachricht</translation>
    </message>
    <message>
        <source>The object graph is too large</source>
        <translation>Der Objektgraph ist zu groß</translation>
    </message>
    <message>
        <source>The text is not stored</source>
        <translation>Der Text ist nicht gespeichert</translation>
    </message>
    <message>
        <source>Records without a stored checksum were not checked</source>
        <translation>Datensätze ohne gespeicherte Prüfsumme wurden nicht geprüft</translation>
    </message>
    <message>
        <source>The file contains different bytes</source>
        <translation>Die Datei enthält andere Bytes</translation>
    </message>
    <message>
        <source>The file is not in the output</source>
        <translation>Die Datei ist nicht in der Ausgabe</translation>
    </message>
    <message>
        <source>The file is not in the source</source>
        <translation>Die Datei ist nicht in der Quelle</translation>
    </message>
    <message>
        <source>The file is read as a part of the checkpoint, but the manifest does not list it</source>
        <translation>Die Datei wird als Teil des Checkpoints gelesen, aber das Manifest führt sie nicht auf</translation>
    </message>
    <message>
        <source>The item is neither a torch.save archive nor a pickle</source>
        <translation>Der Eintrag ist weder ein Archiv von torch.save noch ein Pickle</translation>
    </message>
    <message>
        <source>The manifest records tensors in this file, but no checksum of it</source>
        <translation>Das Manifest verzeichnet Tensoren in dieser Datei, aber keine Prüfsumme von ihr</translation>
    </message>
    <message>
        <source>The plain values</source>
        <translation>Die einfachen Werte</translation>
    </message>
    <message>
        <source>The shard was overwritten or damaged; torch cannot load the item either</source>
        <translation>Der Shard wurde überschrieben oder beschädigt; auch torch kann den Eintrag nicht laden</translation>
    </message>
    <message>
        <source>The value is not in the output</source>
        <translation>Der Wert ist nicht in der Ausgabe</translation>
    </message>
    <message>
        <source>The value is not in the source</source>
        <translation>Der Wert ist nicht in der Quelle</translation>
    </message>
    <message>
        <source>There are too many values; not all of them were compared</source>
        <translation>Es sind zu viele Werte; nicht alle wurden verglichen</translation>
    </message>
    <message>
        <source>They are damaged or cannot be read</source>
        <translation>Sie sind beschädigt oder nicht lesbar</translation>
    </message>
    <message>
        <source>Use another copy of the checkpoint, or --force leaves the item out</source>
        <translation>Verwenden Sie eine andere Kopie des Checkpoints, oder --force lässt den Eintrag weg</translation>
    </message>
    <message>
        <source>written without %1</source>
        <translation>geschrieben ohne %1</translation>
    </message>
    <message>
        <source>Damaged or unreadable in the %1: %2</source>
        <translation>Beschädigt oder nicht lesbar (%1): %2</translation>
    </message>
    <message>
        <source>%1: the manifest does not list it</source>
        <translation>%1: im Manifest nicht aufgeführt</translation>
    </message>
    <message>
        <source>files beside the tensors: not both are folders</source>
        <translation>Dateien neben den Tensoren: nicht beide sind Ordner</translation>
    </message>
    <message>
        <source>plain values and parameter groups: use --whole</source>
        <translation>einfache Werte und Parametergruppen: verwenden Sie --whole</translation>
    </message>
    <message>
        <source>files beside the tensors: use --whole</source>
        <translation>Dateien neben den Tensoren: verwenden Sie --whole</translation>
    </message>
    <message>
        <source>The file is too large for settings</source>
        <translation>Die Datei ist zu groß für Einstellungen</translation>
    </message>
    <message>
        <source>%1 in layer %2</source>
        <translation>%1 in Schicht %2</translation>
    </message>
    <message>
        <source>%1 in dimension %2</source>
        <translation>%1 in Dimension %2</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 nach %2: %3</translation>
    </message>
    <message>
        <source>%1, as %2</source>
        <translation>%1, als %2</translation>
    </message>
    <message>
        <source>%1 as in %2</source>
        <translation>%1 wie in %2</translation>
    </message>
    <message>
        <source>%1 bytes a parameter</source>
        <translation>%1 Byte je Parameter</translation>
    </message>
    <message>
        <source>%1 contains NaN</source>
        <translation>%1 enthält NaN</translation>
    </message>
    <message>
        <source>%1 contains infinities</source>
        <translation>%1 enthält unendliche Werte</translation>
    </message>
    <message>
        <source>%1 contains negative numbers</source>
        <translation>%1 enthält negative Zahlen</translation>
    </message>
    <message>
        <source>%1 differs from %2 although the config ties them: some loaders drop it; set tie_word_embeddings to false if it was trained</source>
        <translation>%1 unterscheidet sich von %2, obwohl die Konfiguration sie koppelt: manche Lader verwerfen ihn; setzen Sie tie_word_embeddings auf false, wenn er trainiert wurde</translation>
    </message>
    <message>
        <source>%1 dimensions</source>
        <translation>%1 Dimensionen</translation>
    </message>
    <message>
        <source>%1 does not match: %2</source>
        <translation>%1 passt nicht: %2</translation>
    </message>
    <message>
        <source>%1 dropped from %2</source>
        <translation>%1 aus %2 entfernt</translation>
    </message>
    <message>
        <source>%1 experts, the last one %2</source>
        <translation>%1 Experten, der letzte %2</translation>
    </message>
    <message>
        <source>%1 increased by 1</source>
        <translation>%1 um 1 erhöht</translation>
    </message>
    <message>
        <source>%1 indices from %2 by %3 in dimension %4</source>
        <translation>%1 Indizes ab %2 in Schritten von %3 in Dimension %4</translation>
    </message>
    <message>
        <source>%1 is: %2</source>
        <translation>%1 ist es: %2</translation>
    </message>
    <message>
        <source>%1 is: %2 %3 against %4, %5</source>
        <translation>%1 ist es: %2 %3 gegen %4, %5</translation>
    </message>
    <message>
        <source>%1 is: it is later in training order</source>
        <translation>%1 ist es: er liegt später in der Trainingsreihenfolge</translation>
    </message>
    <message>
        <source>%1 is: the larger, then the newer of those at one position</source>
        <translation>%1 ist es: der größere, dann der neuere von denen an einer Position</translation>
    </message>
    <message>
        <source>%1 is: the pointer file %2 names it</source>
        <translation>%1 ist es: die Zeigerdatei %2 nennt ihn</translation>
    </message>
    <message>
        <source>%1 is: this one contains no tensor of a model</source>
        <translation>%1 ist es: dieser enthält keinen Tensor eines Modells</translation>
    </message>
    <message>
        <source>%1 is: this one has no finite value of %2</source>
        <translation>%1 ist es: dieser hat keinen endlichen Wert von %2</translation>
    </message>
    <message>
        <source>%1 is: this one has no step or epoch</source>
        <translation>%1 ist es: dieser hat weder Schritt noch Epoche</translation>
    </message>
    <message>
        <source>%1 is: this one is %2</source>
        <translation>%1 ist es: dieser ist %2</translation>
    </message>
    <message>
        <source>%1 is: this one is an export or a final model, not a save of the run</source>
        <translation>%1 ist es: dieser ist ein Export oder ein fertiges Modell, keine Sicherung des Laufs</translation>
    </message>
    <message>
        <source>%1 keys, %2 tokens</source>
        <translation>%1 Schlüssel, %2 Token</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>%1 layers (num_hidden_layers)</source>
        <translation>%1 Schichten (num_hidden_layers)</translation>
    </message>
    <message>
        <source>%1 of %2 tensors changed, none lost</source>
        <translation>%1 von %2 Tensoren geändert, keiner verloren</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 of the checkpoint not compared</source>
        <translation>%1 des Checkpoints nicht verglichen</translation>
    </message>
    <message>
        <source>%1 rows for %2 columns</source>
        <translation>%1 Zeilen für %2 Spalten</translation>
    </message>
    <message>
        <source>%1 %2 of %3</source>
        <translation>%1 %2 von %3</translation>
    </message>
    <message>
        <source>%1: %2 of %3%4</source>
        <translation>%1: %2 von %3%4</translation>
    </message>
    <message>
        <source>%1: %2 changed</source>
        <translation>%1: %2 geändert</translation>
    </message>
    <message>
        <source>%1: everything in its index exists</source>
        <translation>%1: alles in seinem Index ist vorhanden</translation>
    </message>
    <message>
        <source>%1: its index was not read</source>
        <translation>%1: sein Index wurde nicht gelesen</translation>
    </message>
    <message>
        <source>%1; %2 is later but %3</source>
        <translation>%1; %2 liegt später, ist aber %3</translation>
    </message>
    <message>
        <source> x %1 layers</source>
        <translation> × %1 Schichten</translation>
    </message>
    <message>
        <source>(kv_lora_rank %1 + qk_rope_head_dim %2) x %3</source>
        <translation>(kv_lora_rank %1 + qk_rope_head_dim %2) × %3</translation>
    </message>
    <message>
        <source>, times %1</source>
        <translation>, mal %1</translation>
    </message>
    <message>
        <source>, under the names of %1</source>
        <translation>, unter den Namen von %1</translation>
    </message>
    <message>
        <source>2 (key and value) x %1 heads x head size %2 x %3</source>
        <translation>2 (Key und Value) × %1 Köpfe × Kopfgröße %2 × %3</translation>
    </message>
    <message>
        <source>a token: 2 bytes x %1 layers x (4 x hidden %2 + 2 x queries %3 + 2 x keys %4 + %5 x inner %6) + 4 bytes x vocabulary %7</source>
        <translation>je Token: 2 Byte × %1 Schichten × (4 × hidden %2 + 2 × Queries %3 + 2 × Keys %4 + %5 × inner %6) + 4 Byte × Vokabular %7</translation>
    </message>
    <message>
        <source>; expected %1</source>
        <translation>; erwartet %1</translation>
    </message>
    <message>
        <source>a class of %1</source>
        <translation>eine Klasse von %1</translation>
    </message>
    <message>
        <source>a minimum of %1</source>
        <translation>ein Minimum von %1</translation>
    </message>
    <message>
        <source>a part of %1</source>
        <translation>ein Teil von %1</translation>
    </message>
    <message>
        <source>added: %1</source>
        <translation>hinzugefügt: %1</translation>
    </message>
    <message>
        <source>architecture %1</source>
        <translation>Architektur %1</translation>
    </message>
    <message>
        <source>dtype %1, no quantization_config</source>
        <translation>Dtype %1, keine quantization_config</translation>
    </message>
    <message>
        <source>fewer than %1 (vocab_size)</source>
        <translation>weniger als %1 (vocab_size)</translation>
    </message>
    <message>
        <source>from %1, without %2 of %3</source>
        <translation>aus %1, ohne %2 von %3</translation>
    </message>
    <message>
        <source>full attention in every layer number %1</source>
        <translation>volle Attention in jeder %1. Schicht</translation>
    </message>
    <message>
        <source>it has the %1%2 of %3 with a value</source>
        <translation>er hat den %1%2 von %3 mit einem Wert</translation>
    </message>
    <message>
        <source>llama.cpp would not load this file: %1</source>
        <translation>llama.cpp würde diese Datei nicht laden: %1</translation>
    </message>
    <message>
        <source>llama.cpp's for %1: %2</source>
        <translation>die von llama.cpp für %1: %2</translation>
    </message>
    <message>
        <source>multiples of %1 elements of the last dimension</source>
        <translation>Vielfache von %1 Elementen der letzten Dimension</translation>
    </message>
    <message>
        <source>names that begin with %1</source>
        <translation>Namen, die mit %1 beginnen</translation>
    </message>
    <message>
        <source>ranks above %1</source>
        <translation>Ranks über %1</translation>
    </message>
    <message>
        <source>step %1 for %2</source>
        <translation>Schritt %1 für %2</translation>
    </message>
    <message>
        <source>step %1, as for %2</source>
        <translation>Schritt %1, wie für %2</translation>
    </message>
    <message>
        <source>steps %1 to %2</source>
        <translation>Schritte %1 bis %2</translation>
    </message>
    <message>
        <source>the names begin with %1</source>
        <translation>die Namen beginnen mit %1</translation>
    </message>
    <message>
        <source>the tensors of %1</source>
        <translation>die Tensoren von %1</translation>
    </message>
    <message>
        <source>the tensors of layer %1</source>
        <translation>die Tensoren von Schicht %1</translation>
    </message>
    <message>
        <source>token %1, %2</source>
        <translation>Token %1, %2</translation>
    </message>
    <message>
        <source>untied: %1 is written on its own</source>
        <translation>entkoppelt: %1 wird eigens geschrieben</translation>
    </message>
    <message>
        <source>vocab_size %1 as in the tokenizer</source>
        <translation>vocab_size %1 wie im Tokenizer</translation>
    </message>
    <message>
        <source>A layer has one norm for both of its parts (gpt_j_tied), which GPT-NeoX of transformers does not support</source>
        <translation>Eine Schicht hat eine gemeinsame Norm für ihre beiden Teile (gpt_j_tied), was GPT-NeoX in transformers nicht unterstützt</translation>
    </message>
    <message>
        <source>A tensor of this dtype cannot be cut at single elements</source>
        <translation>Ein Tensor dieses Dtyps kann nicht an einzelnen Elementen geteilt werden</translation>
    </message>
    <message>
        <source>Choose a folder in which you may write, or ask its owner for write access</source>
        <translation>Wählen Sie einen Ordner, in den Sie schreiben dürfen, oder bitten Sie den Besitzer um Schreibrecht</translation>
    </message>
    <message>
        <source>Each belongs to the rank that its name states; their content cannot show whether two were exchanged</source>
        <translation>Jede gehört zu dem Rank, den ihr Name nennt; ihr Inhalt kann nicht zeigen, ob zwei vertauscht wurden</translation>
    </message>
    <message>
        <source>Engines read separate scales of single matrices; models that are published with one matrix for each expert are quantised under these names (--bundle)</source>
        <translation>Serving-Programme lesen getrennte Skalen einzelner Matrizen; Modelle, die mit einer Matrix je Experte veröffentlicht werden, werden unter diesen Namen quantisiert (--bundle)</translation>
    </message>
    <message>
        <source>Heads share keys and values (num_kv_heads), which this family does not support</source>
        <translation>Köpfe teilen sich Keys und Values (num_kv_heads), was diese Familie nicht unterstützt</translation>
    </message>
    <message>
        <source>Not in the output: %1</source>
        <translation>Nicht in der Ausgabe: %1</translation>
    </message>
    <message>
        <source>Scaled outputs (use_mup) are in no setting of the output</source>
        <translation>Skalierte Ausgaben (use_mup) lassen sich in keiner Einstellung der Ausgabe angeben</translation>
    </message>
    <message>
        <source>Scaled positions (seq_len_interpolation_factor) are in no setting of the output</source>
        <translation>Skalierte Positionen (seq_len_interpolation_factor) lassen sich in keiner Einstellung der Ausgabe angeben</translation>
    </message>
    <message>
        <source>Scaled rotary embeddings (scale_factor) are in no setting of the output</source>
        <translation>Skalierte Rotary-Embeddings (scale_factor) lassen sich in keiner Einstellung der Ausgabe angeben</translation>
    </message>
    <message>
        <source>Set vocab_size in the config, or --force drops them</source>
        <translation>Setzen Sie vocab_size in der Konfiguration, sonst entfernt --force sie</translation>
    </message>
    <message>
        <source>That rotary pairs, gate and up are in the order of %1 is not visible in the weights; compare logits, or --explain-adapter beside the base</source>
        <translation>Dass Rotary-Paare, Gate und Up in der Reihenfolge von %1 liegen, ist an den Gewichten nicht zu erkennen; vergleichen Sie Logits, oder nutzen Sie --explain-adapter mit dem Basismodell</translation>
    </message>
    <message>
        <source>The activation is not GELU (activation), which this family requires</source>
        <translation>Die Aktivierung ist nicht GELU (activation), das diese Familie verlangt</translation>
    </message>
    <message>
        <source>The activation is not SiLU (activation_func), which this family requires</source>
        <translation>Die Aktivierung ist nicht SiLU (activation_func), das diese Familie verlangt</translation>
    </message>
    <message>
        <source>The config's vocabulary is smaller than that of the tokenizer, so that rows of words would be lost</source>
        <translation>Das Vokabular der Konfiguration ist kleiner als das des Tokenizers, so dass Zeilen von Wörtern verloren gingen</translation>
    </message>
    <message>
        <source>The family of the settings does not match the tensors, which are those of %1</source>
        <translation>Die Familie der Einstellungen passt nicht zu den Tensoren, die zu %1 gehören</translation>
    </message>
    <message>
        <source>The file was written by a different tensor parallel rank than its folder is of</source>
        <translation>Die Datei wurde von einem anderen Tensor-Parallel-Rank geschrieben als dem ihres Ordners</translation>
    </message>
    <message>
        <source>The job does not write this tensor of the source</source>
        <translation>Der Job schreibt diesen Tensor der Quelle nicht</translation>
    </message>
    <message>
        <source>The norms are not RMS norms (normalization), which this family requires</source>
        <translation>Die Normen sind keine RMS-Normen (normalization), die diese Familie verlangt</translation>
    </message>
    <message>
        <source>The norms are not layer norms (norm), which this family requires</source>
        <translation>Die Normen sind keine Layer-Normen (norm), die diese Familie verlangt</translation>
    </message>
    <message>
        <source>The norms are stored less 1 (layernorm_zero_centered_gamma), which is not converted</source>
        <translation>Die Normen sind um 1 vermindert gespeichert (layernorm_zero_centered_gamma), was nicht konvertiert wird</translation>
    </message>
    <message>
        <source>The positions are not encoded by rotary embeddings (pos_emb), as this family requires</source>
        <translation>Die Positionen sind nicht durch Rotary-Embeddings kodiert (pos_emb), wie diese Familie es verlangt</translation>
    </message>
    <message>
        <source>The read extends beyond the computed tensor</source>
        <translation>Der Lesezugriff reicht über den berechneten Tensor hinaus</translation>
    </message>
    <message>
        <source>The recorded job cannot be done with this source: %1</source>
        <translation>Der aufgezeichnete Job ist mit dieser Quelle nicht ausführbar: %1</translation>
    </message>
    <message>
        <source>The settings of the model name an unknown class</source>
        <translation>Die Einstellungen des Modells nennen eine unbekannte Klasse</translation>
    </message>
    <message>
        <source>The slice exceeds the tensor's shape</source>
        <translation>Der Ausschnitt überschreitet die Shape des Tensors</translation>
    </message>
    <message>
        <source>%1 %2 instead of %3 %4</source>
        <translation>%1 %2 statt %3 %4</translation>
    </message>
    <message>
        <source>`cairn-cli plan` shows the forecast</source>
        <translation>`cairn-cli plan` zeigt die Vorhersage</translation>
    </message>
    <message>
        <source>Dequantise it first: --dequantize --dtype bf16</source>
        <translation>Zuerst dequantisieren: --dequantize --dtype bf16</translation>
    </message>
    <message>
        <source>Each block of %1 elements has a scale of its own</source>
        <translation>Jeder Block von %1 Elementen hat eine eigene Skala</translation>
    </message>
    <message>
        <source>Each row has a scale of its own</source>
        <translation>Jede Zeile hat eine eigene Skala</translation>
    </message>
    <message>
        <source>Each tensor has a scale of its own</source>
        <translation>Jeder Tensor hat eine eigene Skala</translation>
    </message>
    <message>
        <source>Each square of 128 x 128 elements has a scale of its own</source>
        <translation>Jedes Quadrat von 128 x 128 Elementen hat eine eigene Skala</translation>
    </message>
    <message>
        <source>%1: %2 of %3 tensors are quantised or cast</source>
        <translation>%1: %2 von %3 Tensoren werden quantisiert oder umgewandelt</translation>
    </message>
    <message>
        <source>Leave it out, or rename it first</source>
        <translation>Ihn weglassen oder zuerst umbenennen</translation>
    </message>
    <message>
        <source>Not a multiple of 128: some programs read such squares with another size</source>
        <translation>Kein Vielfaches von 128: Manche Programme lesen solche Quadrate mit einer anderen Größe</translation>
    </message>
    <message>
        <source>Only matrices are quantised, and with separate scales only those of linear layers</source>
        <translation>Nur Matrizen werden quantisiert, mit getrennten Skalen nur die linearer Schichten</translation>
    </message>
    <message>
        <source>Quantised to a larger precision than the rest, as llama.cpp does; --cast-all quantises it like the rest</source>
        <translation>Genauer quantisiert als der Rest, wie bei llama.cpp; --cast-all quantisiert ihn wie den Rest</translation>
    </message>
    <message>
        <source>Small changes of a router choose other experts; --cast-all also quantises them</source>
        <translation>Kleine Änderungen eines Routers wählen andere Experten; --cast-all quantisiert auch sie</translation>
    </message>
    <message>
        <source>The checkpoint has a tensor with the name of new scales</source>
        <translation>Der Checkpoint hat einen Tensor mit dem Namen neuer Skalen</translation>
    </message>
    <message>
        <source>The config describes another quantisation of the model</source>
        <translation>Die Konfiguration beschreibt eine andere Quantisierung des Modells</translation>
    </message>
    <message>
        <source>The plan quantises incomplete blocks</source>
        <translation>Der Plan quantisiert unvollständige Blöcke</translation>
    </message>
    <message>
        <source>Weights cannot be folded or averaged and quantised with scales at once</source>
        <translation>Gewichte lassen sich nicht gleichzeitig falten oder mitteln und mit Skalen quantisieren</translation>
    </message>
    <message>
        <source>Weights cannot be written in this precision, only its error can be forecast: %1</source>
        <translation>Gewichte lassen sich in dieser Genauigkeit nicht schreiben, nur ihr Fehler lässt sich vorhersagen: %1</translation>
    </message>
    <message>
        <source>The model stores its matrices transposed, so that scales of rows would not be those of outputs</source>
        <translation>Das Modell speichert seine Matrizen transponiert, sodass Skalen von Zeilen nicht die der Ausgänge wären</translation>
    </message>
    <message>
        <source>Write bf16, or q8_0 as GGUF</source>
        <translation>bf16 schreiben, oder q8_0 als GGUF</translation>
    </message>
    <message>
        <source>Write them first, and quantise the result</source>
        <translation>Sie zuerst schreiben und das Ergebnis quantisieren</translation>
    </message>
    <message>
        <source>Written as float16: their rows cannot be divided into blocks</source>
        <translation>Als float16 geschrieben: Ihre Zeilen lassen sich nicht in Blöcke teilen</translation>
    </message>
    <message>
        <source>keep, bf16, fp16, fp32, float64, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz%1</source>
        <translation>keep, bf16, fp16, fp32, float64, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz%1</translation>
    </message>
    <message>
        <source>routers</source>
        <translation>Router</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>row lengths</source>
        <translation>Zeilenlängen</translation>
    </message>
    <message>
        <source>not quantised</source>
        <translation>nicht quantisiert</translation>
    </message>
    <message>
        <source>sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>adapter</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>architectures</source>
        <translation>Architekturen</translation>
    </message>
    <message>
        <source>fixed dtypes</source>
        <translation>feste dtypes</translation>
    </message>
    <message>
        <source>fold</source>
        <translation>Einrechnen</translation>
    </message>
    <message>
        <source>own code</source>
        <translation>eigener Code</translation>
    </message>
    <message>
        <source>precise parts</source>
        <translation>genaue Teile</translation>
    </message>
    <message>
        <source>wrappers</source>
        <translation>Hüllen</translation>
    </message>
    <message>
        <source>norms</source>
        <translation>Normen</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>Dtype</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>bundle</source>
        <translation>Bündel</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>delta</source>
        <translation>Delta</translation>
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
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>Aufbau</translation>
    </message>
    <message>
        <source>average</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>%n tensor</source>
        <translation>%n Tensor</translation>
    </message>
    <message>
        <source>%n tensors</source>
        <translation>%n Tensoren</translation>
    </message>
    <message>
        <source>%n file</source>
        <translation>%n Datei</translation>
    </message>
    <message>
        <source>%n files</source>
        <translation>%n Dateien</translation>
    </message>
    <message>
        <source>%n tensor is incomplete</source>
        <translation>%n Tensor ist unvollständig</translation>
    </message>
    <message>
        <source>%n tensors are incomplete</source>
        <translation>%n Tensoren sind unvollständig</translation>
    </message>
    <message>
        <source>%n value is missing</source>
        <translation>%n Wert fehlt</translation>
    </message>
    <message>
        <source>%n values are missing</source>
        <translation>%n Werte fehlen</translation>
    </message>
    <message>
        <source>%n checkpoint</source>
        <translation>%n Checkpoint</translation>
    </message>
    <message>
        <source>%n checkpoints</source>
        <translation>%n Checkpoints</translation>
    </message>
    <message>
        <source>%n element</source>
        <translation>%n Element</translation>
    </message>
    <message>
        <source>%n elements</source>
        <translation>%n Elemente</translation>
    </message>
    <message>
        <source>%n entry</source>
        <translation>%n Eintrag</translation>
    </message>
    <message>
        <source>%n entries</source>
        <translation>%n Einträge</translation>
    </message>
    <message>
        <source>A shard is missing: %1</source>
        <translation>Ein Shard fehlt: %1</translation>
    </message>
    <message>
        <source>shard %1 is missing: %2</source>
        <translation>Shard %1 fehlt: %2</translation>
    </message>
    <message>
        <source>shard %1 is truncated: %2</source>
        <translation>Shard %1 ist abgeschnitten: %2</translation>
    </message>
    <message>
        <source>Copy it from where the checkpoint was saved, then refresh</source>
        <translation>Vom Ort kopieren, an dem der Checkpoint gespeichert wurde, dann aktualisieren</translation>
    </message>
    <message>
        <source>A file of this checkpoint is missing</source>
        <translation>Eine Datei dieses Checkpoints fehlt</translation>
    </message>
    <message>
        <source>The index does not refer to this shard</source>
        <translation>Der Index verweist nicht auf diesen Shard</translation>
    </message>
    <message>
        <source>It is left over from an earlier save, or the index belongs to a different save</source>
        <translation>Er ist von einem früheren Speichern übrig, oder der Index gehört zu einem anderen Speicherstand</translation>
    </message>
    <message>
        <source>Copy the shard again; this one is incomplete</source>
        <translation>Den Shard erneut kopieren; dieser ist unvollständig</translation>
    </message>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging-Face-Ordner</translation>
    </message>
    <message>
        <source>NumPy archive</source>
        <translation>NumPy-Archiv</translation>
    </message>
    <message>
        <source>RLlib checkpoints (Ray)</source>
        <translation>RLlib-Checkpoints (Ray)</translation>
    </message>
    <message>
        <source>PyTorch (before 1.6)</source>
        <translation>PyTorch (vor 1.6)</translation>
    </message>
    <message>
        <source>Stable-Baselines3 models</source>
        <translation>Stable-Baselines3-Modelle</translation>
    </message>
    <message>
        <source>Orbax (JAX): OCDBT and Zarr folders</source>
        <translation>Orbax (JAX): OCDBT- und Zarr-Ordner</translation>
    </message>
    <message>
        <source>PyTorch Distributed Checkpoint (also Lightning and Megatron folders)</source>
        <translation>PyTorch Distributed Checkpoint (auch Ordner von Lightning und Megatron)</translation>
    </message>
    <message>
        <source>PyTorch exported program</source>
        <translation>Exportiertes PyTorch-Programm</translation>
    </message>
    <message>
        <source>PyTorch files of every rank (FSDP, verl)</source>
        <translation>PyTorch-Dateien jedes Ranks (FSDP, verl)</translation>
    </message>
    <message>
        <source>Keras and HDF5</source>
        <translation>Keras und HDF5</translation>
    </message>
    <message>
        <source>Cairn archive</source>
        <translation>Cairn-Archiv</translation>
    </message>
    <message>
        <source>PyTorch files of one save (a model with its training state)</source>
        <translation>PyTorch-Dateien eines Speicherstands (ein Modell mit seinem Trainingszustand)</translation>
    </message>
    <message>
        <source>An average needs two or more checkpoints</source>
        <translation>Ein Mittelwert braucht zwei oder mehr Checkpoints</translation>
    </message>
    <message>
        <source>A weight must be a non-negative number</source>
        <translation>Ein Gewicht muss eine nicht negative Zahl sein</translation>
    </message>
    <message>
        <source>All weights are 0</source>
        <translation>Alle Gewichte sind 0</translation>
    </message>
    <message>
        <source>Invalid weight</source>
        <translation>Ungültiges Gewicht</translation>
    </message>
    <message>
        <source>comma-separated numbers: 0.5,0.3,0.2</source>
        <translation>durch Komma getrennte Zahlen: 0.5,0.3,0.2</translation>
    </message>
    <message>
        <source>The number of weights does not match the number of checkpoints</source>
        <translation>Die Anzahl der Gewichte passt nicht zur Anzahl der Checkpoints</translation>
    </message>
    <message>
        <source>Average checkpoints of one run</source>
        <translation>Checkpoints eines Runs mitteln</translation>
    </message>
    <message>
        <source>Summed in float64 in this order, divided by the sum of the weights, then rounded</source>
        <translation>In dieser Reihenfolge in float64 summiert, durch die Summe der Gewichte geteilt, dann gerundet</translation>
    </message>
    <message>
        <source>not averaged</source>
        <translation>nicht gemittelt</translation>
    </message>
    <message>
        <source>Integers, flags and buffers are copied from the last checkpoint</source>
        <translation>Ganzzahlen, Flags und Buffer werden aus dem letzten Checkpoint kopiert</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>ausgelassen: %1</translation>
    </message>
    <message>
        <source>The format stores numbers only; `cairn-cli show` prints the strings</source>
        <translation>Das Format speichert nur Zahlen; `cairn-cli show` gibt die Strings aus</translation>
    </message>
    <message>
        <source>Parameters and buffers%1: what a model needs for inference</source>
        <translation>Parameter und Buffer%1: was ein Modell für die Inferenz braucht</translation>
    </message>
    <message>
        <source>%1, without %2</source>
        <translation>%1, ohne %2</translation>
    </message>
    <message>
        <source>Everything%1 was requested</source>
        <translation>Alles%1 wurde verlangt</translation>
    </message>
    <message>
        <source>Names that match %1%2</source>
        <translation>Namen nach dem Muster %1%2</translation>
    </message>
    <message>
        <source>No tensor was selected</source>
        <translation>Kein Tensor wurde ausgewählt</translation>
    </message>
    <message>
        <source>`cairn-cli ls` lists the tensors; --only all selects all of them</source>
        <translation>`cairn-cli ls` listet die Tensoren auf; --only all wählt alle aus</translation>
    </message>
    <message>
        <source>Some tensors are left out as %1 based on their names alone; they may belong to the model: %2</source>
        <translation>Einige Tensoren sind allein nach ihren Namen als %1 ausgelassen; sie gehören vielleicht zum Modell: %2</translation>
    </message>
    <message>
        <source>Compare them with the model's tensor names; --only all, or --only GLOB, writes them</source>
        <translation>Mit den Tensornamen des Modells vergleichen; --only all oder --only GLOB schreibt sie</translation>
    </message>
    <message>
        <source>The prefix is the position of the state dict in the training checkpoint, not part of the model's tensor names</source>
        <translation>Das Präfix ist der Ort des State Dict im Trainings-Checkpoint, nicht Teil der Tensornamen des Modells</translation>
    </message>
    <message>
        <source>This format cannot be written in such parts</source>
        <translation>Dieses Format lässt sich nicht in solchen Teilen schreiben</translation>
    </message>
    <message>
        <source>Write dcp or safetensors</source>
        <translation>dcp oder safetensors schreiben</translation>
    </message>
    <message>
        <source>one per layer</source>
        <translation>eine je Layer</translation>
    </message>
    <message>
        <source>per layer</source>
        <translation>je Layer</translation>
    </message>
    <message>
        <source>Tensors are grouped by their names up to the first number; the rest shares a file</source>
        <translation>Tensoren werden nach ihren Namen bis zur ersten Zahl gruppiert; der Rest teilt sich eine Datei</translation>
    </message>
    <message>
        <source>Each dimension is split as by torch.chunk: the last ranks may have less, or nothing; tensors without the dimension are stored on one rank</source>
        <translation>Jede Dimension wird wie von torch.chunk geteilt: Die letzten Ranks haben vielleicht weniger oder nichts; Tensoren ohne die Dimension liegen auf einem Rank</translation>
    </message>
    <message>
        <source>The format does not split tensors: each file has about the same number of bytes</source>
        <translation>Das Format teilt Tensoren nicht: Jede Datei hat etwa gleich viele Bytes</translation>
    </message>
    <message>
        <source>weights only</source>
        <translation>nur Gewichte</translation>
    </message>
    <message>
        <source>shared bytes</source>
        <translation>geteilte Bytes</translation>
    </message>
    <message>
        <source>%1 lets files share complete blocks of %2, but the output cannot share them: the data is cast, encoded or checksummed, or is at a different offset in its blocks</source>
        <translation>%1 lässt Dateien ganze Blöcke von %2 teilen, aber die Ausgabe kann sie nicht teilen: Die Daten werden umgewandelt, kodiert oder mit Prüfsummen versehen, oder sie liegen an anderer Stelle in ihren Blöcken</translation>
    </message>
    <message>
        <source>%1 lets files share blocks of %2: these are shared with the source instead of copied; later changes to one file do not affect the other</source>
        <translation>%1 lässt Dateien Blöcke von %2 teilen: Diese werden mit der Quelle geteilt statt kopiert; spätere Änderungen an einer Datei betreffen die andere nicht</translation>
    </message>
    <message>
        <source>This format cannot be written</source>
        <translation>Dieses Format lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>`cairn-cli formats` lists the formats that can be written</source>
        <translation>`cairn-cli formats` nennt die Formate, die sich schreiben lassen</translation>
    </message>
    <message>
        <source>plain values</source>
        <translation>einfache Werte</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>The output has the nesting of the checkpoint</source>
        <translation>Die Ausgabe hat die Verschachtelung des Checkpoints</translation>
    </message>
    <message>
        <source>The names do not match the nesting of the checkpoint</source>
        <translation>Die Namen passen nicht zur Verschachtelung des Checkpoints</translation>
    </message>
    <message>
        <source>The format stores tensors only</source>
        <translation>Das Format speichert nur Tensoren</translation>
    </message>
    <message>
        <source>No matching tensor</source>
        <translation>Kein passender Tensor</translation>
    </message>
    <message>
        <source>Unsupported target dtype</source>
        <translation>Nicht unterstützter Ziel-Dtype</translation>
    </message>
    <message>
        <source>Dequantised weights cannot be cast to 8 bits</source>
        <translation>Dequantisierte Gewichte lassen sich nicht in 8 Bit umwandeln</translation>
    </message>
    <message>
        <source>Dequantise to bf16; cast the result if this is intended</source>
        <translation>In bf16 dequantisieren; das Ergebnis umwandeln, falls das gewollt ist</translation>
    </message>
    <message>
        <source>The bytes are copied unchanged</source>
        <translation>Die Bytes werden unverändert kopiert</translation>
    </message>
    <message>
        <source>%1: %2 of %3 tensors are cast</source>
        <translation>%1: %2 von %3 Tensoren werden umgewandelt</translation>
    </message>
    <message>
        <source>Rounded to nearest, ties to even; the report contains the error%1</source>
        <translation>Zum Nächsten gerundet, bei Gleichstand zum Geraden; der Bericht enthält den Fehler%1</translation>
    </message>
    <message>
        <source>%1 kept: %2</source>
        <translation>%1 behalten: %2</translation>
    </message>
    <message>
        <source>integers and flags</source>
        <translation>Ganzzahlen und Flags</translation>
    </message>
    <message>
        <source>Never cast</source>
        <translation>Nie umgewandelt</translation>
    </message>
    <message>
        <source>packed elements</source>
        <translation>gepackte Elemente</translation>
    </message>
    <message>
        <source>Not numbers without their scales; see --dequantize</source>
        <translation>Ohne ihre Skalen keine Zahlen; siehe --dequantize</translation>
    </message>
    <message>
        <source>Norms are small and sensitive to rounding; --cast-all also casts them</source>
        <translation>Normen sind klein und empfindlich gegen Rundung; --cast-all wandelt auch sie um</translation>
    </message>
    <message>
        <source>Running statistics and frequencies keep their dtype; --cast-all also casts them</source>
        <translation>Laufende Statistiken und Frequenzen behalten ihren Dtype; --cast-all wandelt auch sie um</translation>
    </message>
    <message>
        <source>training state</source>
        <translation>Trainingszustand</translation>
    </message>
    <message>
        <source>Only weights are cast; --cast-all casts every float</source>
        <translation>Nur Gewichte werden umgewandelt; --cast-all wandelt jede Gleitkommazahl um</translation>
    </message>
    <message>
        <source>Selected by --keep-fp32; float32 in the output</source>
        <translation>Durch --keep-fp32 gewählt; float32 in der Ausgabe</translation>
    </message>
    <message>
        <source>The rules produce an empty name for %1</source>
        <translation>Die Regeln ergeben einen leeren Namen für %1</translation>
    </message>
    <message>
        <source>Change the rules</source>
        <translation>Die Regeln ändern</translation>
    </message>
    <message>
        <source>%1 and %2 would both be renamed to %3</source>
        <translation>%1 und %2 würden beide in %3 umbenannt</translation>
    </message>
    <message>
        <source>Change the rules so that all names stay distinct</source>
        <translation>Die Regeln so ändern, dass alle Namen verschieden bleiben</translation>
    </message>
    <message>
        <source>The rules %1</source>
        <translation>Die Regeln %1</translation>
    </message>
    <message>
        <source>The rule %1 changes no name</source>
        <translation>Die Regel %1 ändert keinen Namen</translation>
    </message>
    <message>
        <source>FROM is a prefix of a name; re:FROM=TO matches anywhere in it</source>
        <translation>VON ist ein Präfix eines Namens; re:VON=NACH passt überall darin</translation>
    </message>
    <message>
        <source>tied tensors</source>
        <translation>gekoppelte Tensoren</translation>
    </message>
    <message>
        <source>tied weights</source>
        <translation>gekoppelte Gewichte</translation>
    </message>
    <message>
        <source>written once; left out: %1</source>
        <translation>einmal geschrieben; ausgelassen: %1</translation>
    </message>
    <message>
        <source>The format cannot store shared data; the metadata maps the left-out names to the written ones, and models tie them again</source>
        <translation>Das Format kann geteilte Daten nicht speichern; die Metadaten bilden die ausgelassenen Namen auf die geschriebenen ab, und Modelle koppeln sie wieder</translation>
    </message>
    <message>
        <source>written %1 more times</source>
        <translation>%1 weitere Male geschrieben</translation>
    </message>
    <message>
        <source>The format can store several names for one tensor</source>
        <translation>Das Format kann mehrere Namen für einen Tensor speichern</translation>
    </message>
    <message>
        <source>Every name was requested</source>
        <translation>Jeder Name wurde verlangt</translation>
    </message>
    <message>
        <source>The file %1 is missing; %2 cannot be read completely</source>
        <translation>Die Datei %1 fehlt; nicht vollständig lesbar: %2</translation>
    </message>
    <message>
        <source>Copy %1 into the checkpoint's folder and try again</source>
        <translation>%1 in den Ordner des Checkpoints kopieren und erneut versuchen</translation>
    </message>
    <message>
        <source>%1 of %2 are not in any file</source>
        <translation>%1 von %2 sind in keiner Datei</translation>
    </message>
    <message>
        <source>Find the rest of the checkpoint; a part was not saved or not copied</source>
        <translation>Den Rest des Checkpoints suchen; ein Teil wurde nicht gespeichert oder nicht kopiert</translation>
    </message>
    <message>
        <source>%1 of %2 are stored more than once; it is unknown which copy is correct</source>
        <translation>%1 von %2 sind mehrfach gespeichert; welche Kopie stimmt, ist unbekannt</translation>
    </message>
    <message>
        <source>%1 has too many pieces to verify that none is stored twice</source>
        <translation>%1 hat zu viele Stücke, um zu prüfen, dass keines doppelt gespeichert ist</translation>
    </message>
    <message>
        <source>Save the checkpoint again, or leave out this tensor</source>
        <translation>Den Checkpoint erneut speichern oder diesen Tensor auslassen</translation>
    </message>
    <message>
        <source>The checkpoint is incomplete</source>
        <translation>Der Checkpoint ist unvollständig</translation>
    </message>
    <message>
        <source>The checkpoint no longer exists</source>
        <translation>Den Checkpoint gibt es nicht mehr</translation>
    </message>
    <message>
        <source>Restore it at its path, then refresh</source>
        <translation>Unter seinem Pfad wiederherstellen, dann aktualisieren</translation>
    </message>
    <message>
        <source>The output is the checkpoint itself</source>
        <translation>Die Ausgabe ist der Checkpoint selbst</translation>
    </message>
    <message>
        <source>Choose a different name</source>
        <translation>Einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>The output already exists; existing files are never replaced</source>
        <translation>Die Ausgabe gibt es schon; vorhandene Dateien werden nie ersetzt</translation>
    </message>
    <message>
        <source>Choose a different name, or move the existing output</source>
        <translation>Einen anderen Namen wählen oder die vorhandene Ausgabe verschieben</translation>
    </message>
    <message>
        <source>The output would be inside the checkpoint's folder</source>
        <translation>Die Ausgabe läge im Ordner des Checkpoints</translation>
    </message>
    <message>
        <source>Choose a location outside the folder</source>
        <translation>Einen Ort außerhalb des Ordners wählen</translation>
    </message>
    <message>
        <source>Not enough space: %1 needed, %2 free</source>
        <translation>Zu wenig Platz: %1 nötig, %2 frei</translation>
    </message>
    <message>
        <source>Free some space or choose a different folder</source>
        <translation>Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>The scales %1 do not match the weight %2</source>
        <translation>Die Skalen %1 passen nicht zum Gewicht %2</translation>
    </message>
    <message>
        <source>Leave out the tensor, or leave out --dequantize</source>
        <translation>Den Tensor auslassen oder --dequantize weglassen</translation>
    </message>
    <message>
        <source>%1 weights: %2</source>
        <translation>%1 Gewichte: %2</translation>
    </message>
    <message>
        <source>Invalid rank count</source>
        <translation>Ungültige Anzahl von Ranks</translation>
    </message>
    <message>
        <source>Invalid rank grid</source>
        <translation>Ungültiges Gitter von Ranks</translation>
    </message>
    <message>
        <source>The grid does not match the rank count</source>
        <translation>Das Gitter passt nicht zur Anzahl der Ranks</translation>
    </message>
    <message>
        <source>Missing rank count for the dimensions</source>
        <translation>Die Anzahl der Ranks für die Dimensionen fehlt</translation>
    </message>
    <message>
        <source>Invalid dimensions for the ranks</source>
        <translation>Ungültige Dimensionen für die Ranks</translation>
    </message>
    <message>
        <source>More dimensions than axes of ranks</source>
        <translation>Mehr Dimensionen als Achsen von Ranks</translation>
    </message>
    <message>
        <source>The base checkpoint must be beside the archive or below its folder</source>
        <translation>Der Basis-Checkpoint muss neben dem Archiv oder unter seinem Ordner liegen</translation>
    </message>
    <message>
        <source>Write the archive beside it; archives cannot refer to folders above them</source>
        <translation>Das Archiv daneben schreiben; Archive können nicht auf Ordner über sich verweisen</translation>
    </message>
    <message>
        <source>Too many deltas would be chained</source>
        <translation>Zu viele Deltas würden verkettet</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>Specify a base checkpoint that is not a delta</source>
        <translation>Einen Basis-Checkpoint angeben, der kein Delta ist</translation>
    </message>
    <message>
        <source>dtype %1</source>
        <translation>Dtype %1</translation>
    </message>
    <message>
        <source>set: %1</source>
        <translation>gesetzt: %1</translation>
    </message>
    <message>
        <source>Updated to describe the weights; everything else is unchanged</source>
        <translation>Angepasst, um die Gewichte zu beschreiben; alles andere ist unverändert</translation>
    </message>
    <message>
        <source>%1 tensors, every element stored exactly once</source>
        <translation>%1 Tensoren, jedes Element genau einmal gespeichert</translation>
    </message>
    <message>
        <source>They cannot be written completely; see the problems</source>
        <translation>Sie lassen sich nicht vollständig schreiben; siehe die Probleme</translation>
    </message>
    <message>
        <source>A wrapper's prefix is left in the names, so that the class's loader would initialise the weights at random</source>
        <translation>In den Namen ist das Präfix eines Wrappers übrig, sodass das Laden der Klasse die Gewichte zufällig initialisieren würde</translation>
    </message>
    <message>
        <source>All weights of the model are zero</source>
        <translation>Alle Gewichte des Modells sind null</translation>
    </message>
    <message>
        <source>Lightning puts the attribute that holds the model in front of its names. The class is unknown, so the names without it are not checked; --names keep leaves them as they are</source>
        <translation>Lightning stellt das Attribut, das das Modell enthält, vor dessen Namen. Die Klasse ist nicht bekannt, die Namen ohne es sind daher nicht geprüft; --names keep lässt sie, wie sie sind</translation>
    </message>
    <message>
        <source>No config names the class whose names they should be</source>
        <translation>Keine Konfiguration nennt die Klasse, deren Namen es sein sollen</translation>
    </message>
    <message>
        <source>Not checked yet: the verification of the output searches the weights for NaN, infinities and zeros</source>
        <translation>Noch nicht geprüft: die Verifikation der Ausgabe sucht in den Gewichten nach NaN, Unendlich und Nullen</translation>
    </message>
    <message>
        <source>Not checked: NaN, infinities and zeros are written as they are</source>
        <translation>Nicht geprüft: NaN, Unendlich und Nullen werden geschrieben, wie sie sind</translation>
    </message>
    <message>
        <source>Save the adapter alone, or merge it into the model before saving</source>
        <translation>Den Adapter allein speichern oder vor dem Speichern in das Modell einrechnen</translation>
    </message>
    <message>
        <source>Tensors do not have the shapes that the config's class has</source>
        <translation>Tensoren haben nicht die Formen der Klasse aus der Konfiguration</translation>
    </message>
    <message>
        <source>Tensors of the config's class are missing; its loader would initialise them at random</source>
        <translation>Tensoren der Klasse aus der Konfiguration fehlen; beim Laden würden sie zufällig initialisiert</translation>
    </message>
    <message>
        <source>The checkpoint has no tensors</source>
        <translation>Der Checkpoint hat keine Tensoren</translation>
    </message>
    <message>
        <source>The checkpoint has no weights</source>
        <translation>Der Checkpoint hat keine Gewichte</translation>
    </message>
    <message>
        <source>the tensors of the config's model</source>
        <translation>die Tensoren des Modells aus der Konfiguration</translation>
    </message>
    <message>
        <source>The config's class does not have all of these tensors; its loader leaves them out</source>
        <translation>Die Klasse aus der Konfiguration hat nicht alle diese Tensoren; beim Laden werden sie ausgelassen</translation>
    </message>
    <message>
        <source>The names are not those of the config's class; its loader would initialise at random what it does not find</source>
        <translation>Die Namen sind nicht die der Klasse aus der Konfiguration; was beim Laden nicht gefunden wird, würde zufällig initialisiert</translation>
    </message>
    <message>
        <source>The names begin with what the class does not have, so that its loader would initialise the weights at random</source>
        <translation>Die Namen beginnen mit etwas, das die Klasse nicht hat, sodass beim Laden die Gewichte zufällig initialisiert würden</translation>
    </message>
    <message>
        <source>The names have the prefix of the class's base twice, which only some loaders accept</source>
        <translation>Die Namen haben das Präfix der Basisklasse doppelt, was nur manche Programme laden</translation>
    </message>
    <message>
        <source>the names of %1</source>
        <translation>die Namen von %1</translation>
    </message>
    <message>
        <source>The names of %1 are unknown</source>
        <translation>Die Namen von %1 sind unbekannt</translation>
    </message>
    <message>
        <source>The save contains a model with an adapter inside, under the names that the adapter's library gives its layers</source>
        <translation>Die Speicherung enthält ein Modell mit einem Adapter darin, unter den Namen, die die Bibliothek des Adapters seinen Schichten gibt</translation>
    </message>
    <message>
        <source>The save was made while the parameters were distributed over ranks; use the shards, or save what the training framework gathers</source>
        <translation>Gespeichert wurde, während die Parameter auf Ränge verteilt waren; die Shards verwenden, oder speichern, was das Framework zusammenführt</translation>
    </message>
    <message>
        <source>The weights are finite, and not all zero</source>
        <translation>Die Gewichte sind endlich und nicht alle null</translation>
    </message>
    <message>
        <source>The weights contain NaN</source>
        <translation>Die Gewichte enthalten NaN</translation>
    </message>
    <message>
        <source>The weights contain infinities</source>
        <translation>Die Gewichte enthalten unendliche Werte</translation>
    </message>
    <message>
        <source>They are not exactly those of %1</source>
        <translation>Es sind nicht genau die von %1</translation>
    </message>
    <message>
        <source>They are those of %1</source>
        <translation>Es sind die von %1</translation>
    </message>
    <message>
        <source>They begin as those of %1</source>
        <translation>Sie beginnen wie die von %1</translation>
    </message>
    <message>
        <source>Use an earlier checkpoint; --force writes it anyway</source>
        <translation>Einen früheren Checkpoint verwenden; --force schreibt ihn trotzdem</translation>
    </message>
    <message>
        <source>`cairn-cli consolidate PATH -o OUT --bundle` drops it</source>
        <translation>`cairn-cli consolidate PATH -o OUT --bundle` entfernt es</translation>
    </message>
    <message>
        <source>`cairn-cli consolidate PATH -o OUT --bundle` writes the names of the class</source>
        <translation>`cairn-cli consolidate PATH -o OUT --bundle` schreibt die Namen der Klasse</translation>
    </message>
    <message>
        <source>%1 is published under other names than those in memory, and how they become those is unknown</source>
        <translation>%1 wird unter anderen Namen als denen im Speicher veröffentlicht, und wie sie dazu werden, ist unbekannt</translation>
    </message>
    <message>
        <source>%1 without elements</source>
        <translation>%1 ohne Elemente</translation>
    </message>
    <message>
        <source>No wrapper prefixes are left in the names</source>
        <translation>In den Namen sind keine Wrapper-Präfixe übrig</translation>
    </message>
    <message>
        <source>%1 still has a wrapper prefix; use --rename strip-wrappers</source>
        <translation>%1 hat noch ein Wrapper-Präfix; --rename strip-wrappers verwenden</translation>
    </message>
    <message>
        <source>It specifies the model's class</source>
        <translation>Sie nennt die Klasse des Modells</translation>
    </message>
    <message>
        <source>All %1 of %2 exist, none more, and their shapes fit the config%3%4</source>
        <translation>Alle %1 von %2 sind da, keine weiteren, und ihre Formen passen zur Konfiguration%3%4</translation>
    </message>
    <message>
        <source>The tensors of %1 are unknown</source>
        <translation>Die Tensoren von %1 sind nicht bekannt</translation>
    </message>
    <message>
        <source>No config describes the model</source>
        <translation>Keine Konfiguration beschreibt das Modell</translation>
    </message>
    <message>
        <source>The config contradicts itself: %1 is a class of model_type %2, not %3</source>
        <translation>Die Konfiguration widerspricht sich: %1 ist eine Klasse zum model_type %2, nicht %3</translation>
    </message>
    <message>
        <source>It has no architectures, by which vLLM and SGLang choose the class</source>
        <translation>Sie hat kein architectures, nach dem vLLM und SGLang die Klasse wählen</translation>
    </message>
    <message>
        <source>The model's library computes with them in float32 whatever the dtype of the rest; --cast-all also casts them</source>
        <translation>Die Bibliothek des Modells rechnet damit stets in float32; --cast-all wandelt auch sie um</translation>
    </message>
    <message>
        <source>It contains neither architectures nor model_type</source>
        <translation>Sie enthält weder architectures noch model_type</translation>
    </message>
    <message>
        <source>It is not a JSON object</source>
        <translation>Sie ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>Not found beside or above the checkpoint</source>
        <translation>Weder neben noch über dem Checkpoint gefunden</translation>
    </message>
    <message>
        <source>No config records the dtype of the weights</source>
        <translation>Keine Konfiguration nennt den Dtype der Gewichte</translation>
    </message>
    <message>
        <source>The config specifies %1</source>
        <translation>Die Konfiguration nennt %1</translation>
    </message>
    <message>
        <source>the quantisation</source>
        <translation>die Quantisierung</translation>
    </message>
    <message>
        <source>Quantised weights without a quantization_config: --dequantize</source>
        <translation>Quantisierte Gewichte ohne quantization_config: --dequantize</translation>
    </message>
    <message>
        <source>The config specifies a quantisation that the weights do not have</source>
        <translation>Die Konfiguration nennt eine Quantisierung, die die Gewichte nicht haben</translation>
    </message>
    <message>
        <source>Left out although the config does not tie them: %1</source>
        <translation>Ausgelassen, obwohl die Konfiguration sie nicht koppelt: %1</translation>
    </message>
    <message>
        <source>%1 rows in %2, vocab_size %3</source>
        <translation>%1 Zeilen in %2, vocab_size %3</translation>
    </message>
    <message>
        <source>Not needed for a single weight file</source>
        <translation>Für eine einzige Gewichtsdatei nicht nötig</translation>
    </message>
    <message>
        <source>%1 files, %2</source>
        <translation>%1 Dateien, %2</translation>
    </message>
    <message>
        <source>generation config</source>
        <translation>Generierungskonfiguration</translation>
    </message>
    <message>
        <source>Not found; the model's defaults apply</source>
        <translation>Nicht gefunden; es gelten die Vorgaben des Modells</translation>
    </message>
    <message>
        <source>model card</source>
        <translation>Modellkarte</translation>
    </message>
    <message>
        <source>README.md, written by this job</source>
        <translation>README.md, von diesem Job geschrieben</translation>
    </message>
    <message>
        <source>README.md, copied</source>
        <translation>README.md, kopiert</translation>
    </message>
    <message>
        <source>The job ended unexpectedly</source>
        <translation>Der Job endete unerwartet</translation>
    </message>
    <message>
        <source>Cannot open the file</source>
        <translation>Die Datei lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Not a regular file</source>
        <translation>Keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>This part is complete; the part that finishes last publishes the output</source>
        <translation>Dieser Teil ist fertig; der zuletzt fertige Teil veröffentlicht die Ausgabe</translation>
    </message>
    <message>
        <source>Wrote %1 to %2</source>
        <translation>%1 nach %2 geschrieben</translation>
    </message>
    <message>
        <source>%1 of %2 shared bytes are verified to be the source's own blocks</source>
        <translation>%1 von %2 geteilten Bytes sind als die Blöcke der Quelle geprüft</translation>
    </message>
    <message>
        <source>A table has at most two dimensions</source>
        <translation>Eine Tabelle hat höchstens zwei Dimensionen</translation>
    </message>
    <message>
        <source>Not editable in place</source>
        <translation>Nicht in der Datei bearbeitbar</translation>
    </message>
    <message>
        <source>Cannot open this path</source>
        <translation>Dieser Pfad lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>a symbolic link, whose target may be in use under its own name</source>
        <translation>ein symbolischer Link, dessen Ziel unter eigenem Namen in Gebrauch sein kann</translation>
    </message>
    <message>
        <source>a folder, whose files and index cannot be changed atomically</source>
        <translation>ein Ordner, dessen Dateien und Index sich nicht in einem Schritt ändern lassen</translation>
    </message>
    <message>
        <source>`cairn-cli rename SRC -o OUT` writes a new one</source>
        <translation>`cairn-cli rename SRC -o OUT` schreibt einen neuen</translation>
    </message>
    <message>
        <source>`cairn-cli rename SRC -o OUT` writes a new file</source>
        <translation>`cairn-cli rename SRC -o OUT` schreibt eine neue Datei</translation>
    </message>
    <message>
        <source>%1 names (hard links)</source>
        <translation>%1 Namen (Hardlinks)</translation>
    </message>
    <message>
        <source>An edit changes the file under all of its names; use --force if this is intended</source>
        <translation>Eine Bearbeitung ändert die Datei unter allen ihren Namen; --force verwenden, falls das gewollt ist</translation>
    </message>
    <message>
        <source>The file has holes (it is sparse), so an interrupted edit could not be undone</source>
        <translation>Die Datei hat Löcher (sie ist dünn besetzt), darum ließe sich eine unterbrochene Bearbeitung nicht zurücknehmen</translation>
    </message>
    <message>
        <source>The header with its padding would exceed the format's limit</source>
        <translation>Der Header mit seiner Füllung würde die Grenze des Formats überschreiten</translation>
    </message>
    <message>
        <source>The manifest beside it describes the file before the edit</source>
        <translation>Das Manifest daneben beschreibt die Datei vor der Bearbeitung</translation>
    </message>
    <message>
        <source>`verify` will report a different header; remove the manifest</source>
        <translation>`verify` wird einen anderen Header melden; das Manifest entfernen</translation>
    </message>
    <message>
        <source>Only headers of safetensors files can be edited in place; `cairn-cli rename SRC -o OUT` writes a new file</source>
        <translation>Nur Header von safetensors-Dateien lassen sich in der Datei bearbeiten; `cairn-cli rename SRC -o OUT` schreibt eine neue Datei</translation>
    </message>
    <message>
        <source>a file of the format %1</source>
        <translation>eine Datei des Formats %1</translation>
    </message>
    <message>
        <source>The file system cannot insert blocks</source>
        <translation>Das Dateisystem kann keine Blöcke einfügen</translation>
    </message>
    <message>
        <source>The file is unchanged</source>
        <translation>Die Datei ist unverändert</translation>
    </message>
    <message>
        <source>The file is unchanged, %1</source>
        <translation>Die Datei ist unverändert, %1</translation>
    </message>
    <message>
        <source>The header is being edited</source>
        <translation>Der Header wird bearbeitet</translation>
    </message>
    <message>
        <source>The file changed since it was examined</source>
        <translation>Die Datei hat sich seit der Untersuchung geändert</translation>
    </message>
    <message>
        <source>A backup of an earlier edit exists</source>
        <translation>Es gibt eine Sicherung einer früheren Bearbeitung</translation>
    </message>
    <message>
        <source>Move it elsewhere</source>
        <translation>An einen anderen Ort verschieben</translation>
    </message>
    <message>
        <source>An edit of this file is in progress</source>
        <translation>Diese Datei wird gerade bearbeitet</translation>
    </message>
    <message>
        <source>Another job is writing this output</source>
        <translation>Ein anderer Job schreibt diese Ausgabe</translation>
    </message>
    <message>
        <source>Wait for that job, or choose a different output</source>
        <translation>Auf diesen Job warten oder eine andere Ausgabe wählen</translation>
    </message>
    <message>
        <source>Another process is running this job</source>
        <translation>Ein anderer Prozess führt diesen Job aus</translation>
    </message>
    <message>
        <source>The output is not the one that this job wrote</source>
        <translation>Die Ausgabe ist nicht die, die dieser Job geschrieben hat</translation>
    </message>
    <message>
        <source>the output that %1 describes</source>
        <translation>die Ausgabe, die %1 beschreibt</translation>
    </message>
    <message>
        <source>Move it elsewhere and run the job again</source>
        <translation>An einen anderen Ort verschieben und den Job erneut ausführen</translation>
    </message>
    <message>
        <source>The interrupted job has a different plan, or its source has changed since</source>
        <translation>Der unterbrochene Job hat einen anderen Plan, oder seine Quelle hat sich seither geändert</translation>
    </message>
    <message>
        <source>Remove the interrupted job with `cairn-cli job clean` and start again</source>
        <translation>Den unterbrochenen Job mit `cairn-cli job clean` entfernen und neu beginnen</translation>
    </message>
    <message>
        <source>The disk rate could not be saved: %1</source>
        <translation>Die Rate des Datenträgers ließ sich nicht speichern: %1</translation>
    </message>
    <message>
        <source>The checkpoint changed since the plan was made</source>
        <translation>Der Checkpoint hat sich geändert, seit der Plan gemacht wurde</translation>
    </message>
    <message>
        <source>Create a new plan</source>
        <translation>Einen neuen Plan machen</translation>
    </message>
    <message>
        <source>A field of the manifest is missing</source>
        <translation>Ein Feld des Manifests fehlt</translation>
    </message>
    <message>
        <source>The manifest does not name any files</source>
        <translation>Das Manifest nennt keine Dateien</translation>
    </message>
    <message>
        <source>The manifest does not name any tensors</source>
        <translation>Das Manifest nennt keine Tensoren</translation>
    </message>
    <message>
        <source>The manifest is too large</source>
        <translation>Das Manifest ist zu groß</translation>
    </message>
    <message>
        <source>Not a readable manifest</source>
        <translation>Kein lesbares Manifest</translation>
    </message>
    <message>
        <source>The manifest does not name its output and source</source>
        <translation>Das Manifest nennt seine Ausgabe und Quelle nicht</translation>
    </message>
    <message>
        <source>The output no longer exists</source>
        <translation>Die Ausgabe gibt es nicht mehr</translation>
    </message>
    <message>
        <source>The output has changed since the job wrote it; it was not moved</source>
        <translation>Die Ausgabe hat sich geändert, seit der Job sie geschrieben hat; sie wurde nicht verschoben</translation>
    </message>
    <message>
        <source>Move it in the file manager if it is not needed</source>
        <translation>In der Dateiverwaltung verschieben, wenn sie nicht gebraucht wird</translation>
    </message>
    <message>
        <source>about %1 for %2</source>
        <translation>etwa %1 für %2</translation>
    </message>
    <message>
        <source>Samples of every tensor were packed; the rest is assumed to be similar</source>
        <translation>Stichproben jedes Tensors wurden gepackt; der Rest wird ähnlich angenommen</translation>
    </message>
    <message>
        <source>quantised tensors</source>
        <translation>quantisierte Tensoren</translation>
    </message>
    <message>
        <source>dequantised to float32</source>
        <translation>in float32 dequantisiert</translation>
    </message>
    <message>
        <source>The output does not support these blocks; their values are written as ggml computes them</source>
        <translation>Die Ausgabe unterstützt diese Blöcke nicht; ihre Werte werden geschrieben, wie ggml sie berechnet</translation>
    </message>
    <message>
        <source>No such format</source>
        <translation>Dieses Format gibt es nicht</translation>
    </message>
    <message>
        <source>No output was specified</source>
        <translation>Keine Ausgabe angegeben</translation>
    </message>
    <message>
        <source>Unknown output extension</source>
        <translation>Unbekannte Endung der Ausgabe</translation>
    </message>
    <message>
        <source>.safetensors, .npy, .npz, .pt, or .csv for one tensor of up to two dimensions</source>
        <translation>.safetensors, .npy, .npz, .pt, oder .csv für einen Tensor mit bis zu zwei Dimensionen</translation>
    </message>
    <message>
        <source>The file system does not support shared blocks; they are copied</source>
        <translation>Das Dateisystem unterstützt keine geteilten Blöcke; sie werden kopiert</translation>
    </message>
    <message>
        <source>The output's name is too long</source>
        <translation>Der Name der Ausgabe ist zu lang</translation>
    </message>
    <message>
        <source>Resuming an interrupted job: %1 pieces are already written</source>
        <translation>Ein unterbrochener Job wird fortgesetzt: %1 Stücke sind schon geschrieben</translation>
    </message>
    <message>
        <source>The file system cannot reserve space; a full disk is only detected while writing</source>
        <translation>Das Dateisystem kann keinen Platz reservieren; ein voller Datenträger zeigt sich erst beim Schreiben</translation>
    </message>
    <message>
        <source>Could not be removed: %1</source>
        <translation>Ließ sich nicht entfernen: %1</translation>
    </message>
    <message>
        <source>The stored data does not match its stored checksum</source>
        <translation>Die gespeicherten Daten passen nicht zu ihrer gespeicherten Prüfsumme</translation>
    </message>
    <message>
        <source>The file is damaged; copy it again from where it was saved</source>
        <translation>Die Datei ist beschädigt; vom Ort des Speicherns erneut kopieren</translation>
    </message>
    <message>
        <source>The elements differ from index %1 on</source>
        <translation>Die Elemente weichen ab Index %1 ab</translation>
    </message>
    <message>
        <source>The tensor is not in the source</source>
        <translation>Der Tensor ist nicht in der Quelle</translation>
    </message>
    <message>
        <source>The tensor is not in the output</source>
        <translation>Der Tensor ist nicht in der Ausgabe</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>%1 bytes instead of %2</source>
        <translation>%1 Bytes statt %2</translation>
    </message>
    <message>
        <source>The output does not contain what was written</source>
        <translation>Die Ausgabe enthält nicht, was geschrieben wurde</translation>
    </message>
    <message>
        <source>The disk or the memory may be failing; nothing was published</source>
        <translation>Datenträger oder Arbeitsspeicher sind vielleicht defekt; nichts wurde veröffentlicht</translation>
    </message>
    <message>
        <source>The output has the wrong size</source>
        <translation>Die Ausgabe hat die falsche Größe</translation>
    </message>
    <message>
        <source>This checkpoint is still being written</source>
        <translation>Dieser Checkpoint wird noch geschrieben</translation>
    </message>
    <message>
        <source>This checkpoint no longer exists</source>
        <translation>Diesen Checkpoint gibt es nicht mehr</translation>
    </message>
    <message>
        <source>It does not contain a matching tensor</source>
        <translation>Er enthält keinen passenden Tensor</translation>
    </message>
    <message>
        <source>It changed while it was being measured</source>
        <translation>Er hat sich während der Messung geändert</translation>
    </message>
    <message>
        <source>No checkpoint of the run contains a matching tensor</source>
        <translation>Kein Checkpoint des Runs enthält einen passenden Tensor</translation>
    </message>
    <message>
        <source>Tensors of different shapes cannot be compared by element</source>
        <translation>Tensoren verschiedener Shapes lassen sich nicht elementweise vergleichen</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Elements of these dtypes cannot be compared individually</source>
        <translation>Elemente dieser Dtypes lassen sich nicht einzeln vergleichen</translation>
    </message>
    <message>
        <source>The tensor changed while it was being read</source>
        <translation>Der Tensor hat sich beim Lesen geändert</translation>
    </message>
    <message>
        <source>Try again after the writer has finished</source>
        <translation>Erneut versuchen, wenn das Schreiben beendet ist</translation>
    </message>
    <message>
        <source>The checkpoint does not record whether it is complete</source>
        <translation>Der Checkpoint hält nicht fest, ob er vollständig ist</translation>
    </message>
    <message>
        <source>The file is missing</source>
        <translation>Die Datei fehlt</translation>
    </message>
    <message>
        <source>Some elements of the tensor are not in any readable shard</source>
        <translation>Einige Elemente des Tensors sind in keinem lesbaren Shard</translation>
    </message>
    <message>
        <source>%1 of %2 elements missing</source>
        <translation>%1 von %2 Elementen fehlen</translation>
    </message>
    <message>
        <source>Some elements of the tensor are in more than one shard</source>
        <translation>Einige Elemente des Tensors sind in mehr als einem Shard</translation>
    </message>
    <message>
        <source>%1 elements stored more than once</source>
        <translation>%1 Elemente mehrfach gespeichert</translation>
    </message>
    <message>
        <source>The file ends before the end of the tensor's data</source>
        <translation>Die Datei endet vor dem Ende der Daten des Tensors</translation>
    </message>
    <message>
        <source>a file of %1 bytes</source>
        <translation>eine Datei von %1 Bytes</translation>
    </message>
    <message>
        <source>The data changed after it was saved; use another copy</source>
        <translation>Die Daten haben sich nach dem Speichern geändert; eine andere Kopie verwenden</translation>
    </message>
    <message>
        <source>The stored checksum does not match the data</source>
        <translation>Die gespeicherte Prüfsumme passt nicht zu den Daten</translation>
    </message>
    <message>
        <source>The file does not match the manifest</source>
        <translation>Die Datei passt nicht zum Manifest</translation>
    </message>
    <message>
        <source>The tensor contains NaN</source>
        <translation>Der Tensor enthält NaN</translation>
    </message>
    <message>
        <source>The tensor contains infinities</source>
        <translation>Der Tensor enthält Unendlich</translation>
    </message>
    <message>
        <source>All elements of the tensor are zero</source>
        <translation>Alle Elemente des Tensors sind null</translation>
    </message>
    <message>
        <source>A heat map of this tensor is not possible</source>
        <translation>Eine Heatmap dieses Tensors ist nicht möglich</translation>
    </message>
    <message>
        <source>at least two numeric elements</source>
        <translation>mindestens zwei Zahlen</translation>
    </message>
    <message>
        <source>Tensors of different shapes cannot share a heat map</source>
        <translation>Tensoren verschiedener Shapes können keine Heatmap teilen</translation>
    </message>
    <message>
        <source>The file was changed or removed while it was being read</source>
        <translation>Die Datei wurde beim Lesen geändert oder entfernt</translation>
    </message>
    <message>
        <source>The tensor is not a numeric matrix</source>
        <translation>Der Tensor ist keine Matrix von Zahlen</translation>
    </message>
    <message>
        <source>two or more dimensions of real numbers</source>
        <translation>zwei oder mehr Dimensionen reeller Zahlen</translation>
    </message>
    <message>
        <source>The matrix is too large to compute its singular values</source>
        <translation>Die Matrix ist zu groß, um ihre Singulärwerte zu berechnen</translation>
    </message>
    <message>
        <source>Only weights of the same shape can be compared</source>
        <translation>Nur Gewichte gleicher Shape lassen sich vergleichen</translation>
    </message>
    <message>
        <source>The pattern has too many alternatives</source>
        <translation>Das Muster hat zu viele Alternativen</translation>
    </message>
    <message>
        <source>Closing brace without an opening brace</source>
        <translation>Schließende Klammer ohne öffnende</translation>
    </message>
    <message>
        <source>Opening brace without a closing brace</source>
        <translation>Öffnende Klammer ohne schließende</translation>
    </message>
    <message>
        <source>The filter has an unclosed quotation mark</source>
        <translation>Im Filter ist ein Anführungszeichen nicht geschlossen</translation>
    </message>
    <message>
        <source>at position %1</source>
        <translation>an Stelle %1</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>das Ende</translation>
    </message>
    <message>
        <source>Invalid filter</source>
        <translation>Ungültiger Filter</translation>
    </message>
    <message>
        <source>%1 at position %2</source>
        <translation>%1 an Stelle %2</translation>
    </message>
    <message>
        <source>a word or a condition</source>
        <translation>ein Wort oder eine Bedingung</translation>
    </message>
    <message>
        <source>The filter has too many conditions</source>
        <translation>Der Filter hat zu viele Bedingungen</translation>
    </message>
    <message>
        <source>one of = != &lt; &lt;= &gt; &gt;= ~ !~</source>
        <translation>eines von = != &lt; &lt;= &gt; &gt;= ~ !~</translation>
    </message>
    <message>
        <source>The read extends beyond the end of the file</source>
        <translation>Das Lesen reicht über das Ende der Datei hinaus</translation>
    </message>
    <message>
        <source>%1 bytes in the file</source>
        <translation>%1 Bytes in der Datei</translation>
    </message>
    <message>
        <source>at least %1 + %2 bytes</source>
        <translation>mindestens %1 + %2 Bytes</translation>
    </message>
    <message>
        <source>The file may still be being copied or written; compare its size with the original</source>
        <translation>Die Datei wird vielleicht noch kopiert oder geschrieben; ihre Größe mit dem Original vergleichen</translation>
    </message>
    <message>
        <source>The file became shorter while it was being read</source>
        <translation>Die Datei wurde beim Lesen kürzer</translation>
    </message>
    <message>
        <source>Refresh after the writer has finished</source>
        <translation>Aktualisieren, wenn das Schreiben beendet ist</translation>
    </message>
    <message>
        <source>Reading failed</source>
        <translation>Lesen gescheitert</translation>
    </message>
    <message>
        <source>The file changed while it was in use</source>
        <translation>Die Datei hat sich während der Benutzung geändert</translation>
    </message>
    <message>
        <source>a pipe, socket or device</source>
        <translation>eine Pipe, ein Socket oder ein Gerät</translation>
    </message>
    <message>
        <source>a regular file</source>
        <translation>eine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>Cannot open the output's folder</source>
        <translation>Der Ordner der Ausgabe lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Cannot open the folder</source>
        <translation>Der Ordner lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The name already exists</source>
        <translation>Den Namen gibt es schon</translation>
    </message>
    <message>
        <source>Cannot create the folder</source>
        <translation>Der Ordner lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>Cannot create the file</source>
        <translation>Die Datei lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>Cannot open the file for writing</source>
        <translation>Die Datei lässt sich nicht zum Schreiben öffnen</translation>
    </message>
    <message>
        <source>Cannot reserve space for the output</source>
        <translation>Für die Ausgabe lässt sich kein Platz reservieren</translation>
    </message>
    <message>
        <source>Cannot write the output</source>
        <translation>Die Ausgabe lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>Cannot lock the file</source>
        <translation>Die Datei lässt sich nicht sperren</translation>
    </message>
    <message>
        <source>Could not sync the output</source>
        <translation>Die Ausgabe ließ sich nicht auf den Datenträger bringen</translation>
    </message>
    <message>
        <source>Could not sync the folder</source>
        <translation>Der Ordner ließ sich nicht auf den Datenträger bringen</translation>
    </message>
    <message>
        <source>The output already exists; nothing was replaced</source>
        <translation>Die Ausgabe gibt es schon; nichts wurde ersetzt</translation>
    </message>
    <message>
        <source>Cannot rename across file systems or mounts</source>
        <translation>Umbenennen über Dateisysteme oder Einhängepunkte hinweg ist nicht möglich</translation>
    </message>
    <message>
        <source>Choose a folder on the same mount</source>
        <translation>Einen Ordner auf demselben Einhängepunkt wählen</translation>
    </message>
    <message>
        <source>Cannot rename the output to its final name</source>
        <translation>Die Ausgabe lässt sich nicht endgültig umbenennen</translation>
    </message>
    <message>
        <source>Cannot replace the file</source>
        <translation>Die Datei lässt sich nicht ersetzen</translation>
    </message>
    <message>
        <source>Cannot remove the file</source>
        <translation>Die Datei lässt sich nicht entfernen</translation>
    </message>
    <message>
        <source>Cannot remove the folder</source>
        <translation>Der Ordner lässt sich nicht entfernen</translation>
    </message>
    <message>
        <source>Closing the output failed</source>
        <translation>Das Schließen der Ausgabe ist gescheitert</translation>
    </message>
    <message>
        <source>Not a file name</source>
        <translation>Kein Dateiname</translation>
    </message>
    <message>
        <source>The name points outside the checkpoint's folder</source>
        <translation>Der Name führt aus dem Ordner des Checkpoints hinaus</translation>
    </message>
    <message>
        <source>Cannot list the folder</source>
        <translation>Der Ordner lässt sich nicht auflisten</translation>
    </message>
    <message>
        <source>The folder has too many entries</source>
        <translation>Der Ordner hat zu viele Einträge</translation>
    </message>
    <message>
        <source>Copy it to this machine or mount it, for example with sshfs or rclone</source>
        <translation>Auf diesen Rechner kopieren oder einhängen, zum Beispiel mit sshfs oder rclone</translation>
    </message>
    <message>
        <source>This is not a regular file</source>
        <translation>Das ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>a file or a folder</source>
        <translation>eine Datei oder ein Ordner</translation>
    </message>
    <message>
        <source>Cannot open the %1</source>
        <translation>Lässt sich nicht öffnen: %1</translation>
    </message>
    <message>
        <source>%1 cannot insert blocks into a file</source>
        <translation>%1 kann keine Blöcke in eine Datei einfügen</translation>
    </message>
    <message>
        <source>Check the path; the file system may not be mounted</source>
        <translation>Den Pfad prüfen; das Dateisystem ist vielleicht nicht eingehängt</translation>
    </message>
    <message>
        <source>Ask the owner for read access, or run as a user with read access</source>
        <translation>Den Eigentümer um Leserecht bitten oder als Benutzer mit Leserecht starten</translation>
    </message>
    <message>
        <source>Your quota on this file system is exceeded; choose a different folder</source>
        <translation>Das Kontingent auf diesem Dateisystem ist überschritten; einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>Choose a folder on a writable file system</source>
        <translation>Einen Ordner auf einem beschreibbaren Dateisystem wählen</translation>
    </message>
    <message>
        <source>A checkpoint may only name files inside its own folder</source>
        <translation>Ein Checkpoint darf nur Dateien in seinem eigenen Ordner nennen</translation>
    </message>
    <message>
        <source>too little data to be worth starting another device</source>
        <translation>zu wenig Daten, um ein anderes Gerät zu starten</translation>
    </message>
    <message>
        <source>no CUDA device on this machine</source>
        <translation>kein CUDA-Gerät auf diesem Rechner</translation>
    </message>
    <message>
        <source>CUDA devices require the libtorch module: %1</source>
        <translation>CUDA-Geräte brauchen das libtorch-Modul: %1</translation>
    </message>
    <message>
        <source>libtorch %1 has no CUDA device: %2</source>
        <translation>libtorch %1 hat kein CUDA-Gerät: %2</translation>
    </message>
    <message>
        <source>the CUDA device does not respond</source>
        <translation>das CUDA-Gerät antwortet nicht</translation>
    </message>
    <message>
        <source>data is only copied, which no device accelerates</source>
        <translation>Daten werden nur kopiert, was kein Gerät beschleunigt</translation>
    </message>
    <message>
        <source>this libtorch was built without CUDA</source>
        <translation>dieses libtorch wurde ohne CUDA gebaut</translation>
    </message>
    <message>
        <source>libtorch finds no CUDA device</source>
        <translation>libtorch findet kein CUDA-Gerät</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>der Arbeitsspeicher reicht nicht</translation>
    </message>
    <message>
        <source>Singular values cannot be computed</source>
        <translation>Singulärwerte lassen sich nicht berechnen</translation>
    </message>
    <message>
        <source>The libtorch module cannot be loaded</source>
        <translation>Das libtorch-Modul lässt sich nicht laden</translation>
    </message>
    <message>
        <source>Install the libtorch that Cairn was built with; browsing and copying work without it</source>
        <translation>Das libtorch installieren, mit dem Cairn gebaut wurde; Ansehen und Kopieren gehen ohne</translation>
    </message>
    <message>
        <source>The libtorch module is from a different version of Cairn</source>
        <translation>Das libtorch-Modul gehört zu einer anderen Version von Cairn</translation>
    </message>
    <message>
        <source>Install the module that comes with this version of Cairn</source>
        <translation>Das Modul dieser Version von Cairn installieren</translation>
    </message>
    <message>
        <source>The libtorch module is not installed</source>
        <translation>Das libtorch-Modul ist nicht installiert</translation>
    </message>
    <message>
        <source>Build Cairn where CMake finds libtorch; everything except CUDA devices, spectra and the similarity of layers works without it</source>
        <translation>Cairn dort bauen, wo CMake libtorch findet; alles außer CUDA-Geräten, Spektren und der Ähnlichkeit von Layern geht ohne</translation>
    </message>
    <message>
        <source>Its modification time is in the future</source>
        <translation>Seine Änderungszeit liegt in der Zukunft</translation>
    </message>
    <message>
        <source>It changed %1 s ago</source>
        <translation>Er hat sich vor %1 s geändert</translation>
    </message>
    <message>
        <source>The folder is too large or too deep to be listed completely</source>
        <translation>Der Ordner ist zu groß oder zu tief, um ihn vollständig aufzulisten</translation>
    </message>
    <message>
        <source>The name is temporary; the save did not finish</source>
        <translation>Der Name ist vorläufig; das Speichern wurde nicht fertig</translation>
    </message>
    <message>
        <source>According to its name, it is still being written</source>
        <translation>Nach seinem Namen wird er noch geschrieben</translation>
    </message>
    <message>
        <source>The folder contains several runs</source>
        <translation>Der Ordner enthält mehrere Runs</translation>
    </message>
    <message>
        <source>None of the checkpoints in this folder is complete</source>
        <translation>Keiner der Checkpoints in diesem Ordner ist vollständig</translation>
    </message>
    <message>
        <source>The latest of the checkpoints in this folder cannot be determined</source>
        <translation>Der neueste der Checkpoints in diesem Ordner lässt sich nicht bestimmen</translation>
    </message>
    <message>
        <source>No checkpoints in this folder</source>
        <translation>Keine Checkpoints in diesem Ordner</translation>
    </message>
    <message>
        <source>The folder is too large to be searched for references</source>
        <translation>Der Ordner ist zu groß, um nach Verweisen durchsucht zu werden</translation>
    </message>
    <message>
        <source>%1, which is kept, has less than half of its size</source>
        <translation>%1, der bleibt, ist weniger als halb so groß</translation>
    </message>
    <message>
        <source>it contains %1, which %2 does not</source>
        <translation>er enthält %1, was %2 nicht enthält</translation>
    </message>
    <message>
        <source>it contains %1 files like %2, and %3 %4</source>
        <translation>er enthält %1 Dateien wie %2, und %3 %4</translation>
    </message>
    <message>
        <source>The rules would not keep any checkpoint</source>
        <translation>Die Regeln würden keinen Checkpoint behalten</translation>
    </message>
    <message>
        <source>a number of last or of best checkpoints to keep</source>
        <translation>eine Anzahl letzter oder bester Checkpoints, die bleiben</translation>
    </message>
    <message>
        <source>No metric or record identifies the best checkpoints of this run</source>
        <translation>Keine Metrik und kein Vermerk bestimmt die besten Checkpoints dieses Runs</translation>
    </message>
    <message>
        <source>Keep the last ones instead</source>
        <translation>Stattdessen die letzten behalten</translation>
    </message>
    <message>
        <source>latest that has not changed recently</source>
        <translation>neuester, der sich nicht kürzlich geändert hat</translation>
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
        <source>Identical: %1, bit for bit</source>
        <translation>Identisch: %1, Bit für Bit</translation>
    </message>
    <message>
        <source>Equal: %1</source>
        <translation>Gleich: %1</translation>
    </message>
    <message>
        <source>%1 changed, most in %2</source>
        <translation>%1 geändert, am meisten in %2</translation>
    </message>
    <message>
        <source>%1 changed</source>
        <translation>%1 geändert</translation>
    </message>
    <message>
        <source>%n weight</source>
        <translation>%n Gewicht</translation>
    </message>
    <message>
        <source>%n weights</source>
        <translation>%n Gewichte</translation>
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
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>The two checkpoints have no tensor in common</source>
        <translation>Die beiden Checkpoints haben keinen gemeinsamen Tensor</translation>
    </message>
    <message>
        <source>Names, dtypes and shapes of %1 are equal; values not compared yet</source>
        <translation>Namen, Dtypes und Formen von %1 sind gleich; Werte noch nicht verglichen</translation>
    </message>
    <message>
        <source>%1 with a different dtype or shape; values not compared yet</source>
        <translation>%1 mit anderem Dtype oder anderer Form; Werte noch nicht verglichen</translation>
    </message>
    <message>
        <source>%1 cannot be compared</source>
        <translation>%1 nicht vergleichbar</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>the latest</source>
        <translation>der neueste</translation>
    </message>
    <message>
        <source>the best</source>
        <translation>der beste</translation>
    </message>
    <message>
        <source>no other one of the run can be resumed</source>
        <translation>kein anderer des Runs kann fortgesetzt werden</translation>
    </message>
    <message>
        <source>not a checkpoint of this run</source>
        <translation>kein Checkpoint dieses Runs</translation>
    </message>
    <message>
        <source>No rule can write these names back</source>
        <translation>Keine Regel kann diese Namen zurückschreiben</translation>
    </message>
    <message>
        <source>The checkpoint lacks no file of this name</source>
        <translation>Dem Checkpoint fehlt keine Datei dieses Namens</translation>
    </message>
    <message>
        <source>one of the last %1</source>
        <translation>einer der letzten %1</translation>
    </message>
    <message>
        <source>one of the best %1 by %2</source>
        <translation>einer der besten %1 nach %2</translation>
    </message>
    <message>
        <source>newest from which training can continue</source>
        <translation>neuester, von dem das Training weitergehen kann</translation>
    </message>
    <message>
        <source>a link to %1</source>
        <translation>ein Link auf %1</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>named by %1</source>
        <translation>genannt von %1</translation>
    </message>
    <message>
        <source>target of the link %1</source>
        <translation>Ziel des Links %1</translation>
    </message>
    <message>
        <source>exported, but the export is not verified</source>
        <translation>exportiert, aber der Export ist nicht geprüft</translation>
    </message>
    <message>
        <source>saved with %1</source>
        <translation>mit %1 gespeichert</translation>
    </message>
    <message>
        <source>a link whose target is missing</source>
        <translation>ein Link, dessen Ziel fehlt</translation>
    </message>
    <message>
        <source>whether it is complete is unknown</source>
        <translation>ob er vollständig ist, ist unbekannt</translation>
    </message>
    <message>
        <source>no other checkpoint of this run has a name like it</source>
        <translation>kein anderer Checkpoint dieses Runs heißt ähnlich</translation>
    </message>
    <message>
        <source>neither its values nor its name contain a step or an epoch</source>
        <translation>weder Werte noch Name enthalten einen Schritt oder eine Epoche</translation>
    </message>
    <message>
        <source>other checkpoints are located in it</source>
        <translation>andere Checkpoints liegen darin</translation>
    </message>
    <message>
        <source>its files could not be listed</source>
        <translation>seine Dateien ließen sich nicht auflisten</translation>
    </message>
    <message>
        <source>it contains entries that are not regular files, or spans several file systems</source>
        <translation>er enthält Einträge, die keine gewöhnlichen Dateien sind, oder liegt auf mehreren Dateisystemen</translation>
    </message>
    <message>
        <source>its modification time is in the future: the clock of the machine that wrote it is ahead</source>
        <translation>seine Änderungszeit liegt in der Zukunft: Die Uhr des schreibenden Rechners geht vor</translation>
    </message>
    <message>
        <source>it changed %1 s ago</source>
        <translation>vor %1 s geändert</translation>
    </message>
    <message>
        <source>%1, which is refused</source>
        <translation>%1, was abgelehnt wird</translation>
    </message>
    <message>
        <source>superseded by %1</source>
        <translation>ersetzt durch %1</translation>
    </message>
    <message>
        <source>no later complete checkpoint is kept</source>
        <translation>kein späterer vollständiger Checkpoint bleibt</translation>
    </message>
    <message>
        <source>The checkpoint that supersedes it has changed; nothing was moved</source>
        <translation>Der Checkpoint, der ihn ersetzt, hat sich geändert; nichts wurde verschoben</translation>
    </message>
    <message>
        <source>The checkpoint has changed since it was examined; it was not moved</source>
        <translation>Der Checkpoint hat sich seit der Untersuchung geändert; er wurde nicht verschoben</translation>
    </message>
    <message>
        <source>The wastebasket contains something else under this name; nothing was moved</source>
        <translation>Der Papierkorb enthält unter diesem Namen etwas anderes; nichts wurde verschoben</translation>
    </message>
    <message>
        <source>resuming from here; its weights are in %1</source>
        <translation>Fortsetzen ab hier; seine Gewichte sind in %1</translation>
    </message>
    <message>
        <source>nothing: its weights are in %1</source>
        <translation>nichts: seine Gewichte sind in %1</translation>
    </message>
    <message>
        <source>resuming from here</source>
        <translation>Fortsetzen ab hier</translation>
    </message>
    <message>
        <source>the weights at this position</source>
        <translation>die Gewichte an dieser Stelle</translation>
    </message>
    <message>
        <source>nothing: its files have other names, which stay</source>
        <translation>nichts: seine Dateien haben andere Namen, die bleiben</translation>
    </message>
    <message>
        <source>It has changed since the last scan</source>
        <translation>Er hat sich seit dem letzten Lesen geändert</translation>
    </message>
    <message>
        <source>It has just appeared</source>
        <translation>Er ist gerade erschienen</translation>
    </message>
    <message>
        <source>Several columns have this name</source>
        <translation>Mehrere Spalten haben diesen Namen</translation>
    </message>
    <message>
        <source>Use one of: %1</source>
        <translation>Eine davon verwenden: %1</translation>
    </message>
    <message>
        <source>Unknown column</source>
        <translation>Unbekannte Spalte</translation>
    </message>
    <message>
        <source>Columns are settings, metrics, and name, state, step, checkpoints, bytes, duration, started, newest, best</source>
        <translation>Spalten sind Einstellungen, Metriken und name, state, step, checkpoints, bytes, duration, started, newest, best</translation>
    </message>
    <message>
        <source>Similar names: %1</source>
        <translation>Ähnliche Namen: %1</translation>
    </message>
    <message>
        <source>A link that points outside the folder, or not to a checkpoint in it, is not followed</source>
        <translation>Ein Link, der aus dem Ordner hinaus oder nicht auf einen Checkpoint darin zeigt, wird nicht verfolgt</translation>
    </message>
    <message>
        <source>The target of the link is missing</source>
        <translation>Das Ziel des Links fehlt</translation>
    </message>
    <message>
        <source>A pointer file names a missing checkpoint</source>
        <translation>Eine Zeigerdatei nennt einen fehlenden Checkpoint</translation>
    </message>
    <message>
        <source>Folders are nested too deeply</source>
        <translation>Ordner sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>The wastebasket is a link or not a folder; it is not used</source>
        <translation>Der Papierkorb ist ein Link oder kein Ordner; er wird nicht verwendet</translation>
    </message>
    <message>
        <source>No location for a wastebasket</source>
        <translation>Kein Ort für einen Papierkorb</translation>
    </message>
    <message>
        <source>It no longer exists</source>
        <translation>Es gibt ihn nicht mehr</translation>
    </message>
    <message>
        <source>The wastebasket does not contain it any more</source>
        <translation>Der Papierkorb enthält ihn nicht mehr</translation>
    </message>
    <message>
        <source>It was restored or deleted by another program</source>
        <translation>Ein anderes Programm hat ihn zurückgeholt oder gelöscht</translation>
    </message>
    <message>
        <source>A file or folder with this name exists again</source>
        <translation>Eine Datei oder einen Ordner dieses Namens gibt es wieder</translation>
    </message>
    <message>
        <source>Rename it, then restore again; nothing was replaced</source>
        <translation>Umbenennen, dann erneut zurückholen; nichts wurde ersetzt</translation>
    </message>
    <message>
        <source>The zstd data is truncated</source>
        <translation>Die zstd-Daten sind abgeschnitten</translation>
    </message>
    <message>
        <source>The compressed data is damaged</source>
        <translation>Die komprimierten Daten sind beschädigt</translation>
    </message>
    <message>
        <source>A compressed byte plane is damaged</source>
        <translation>Eine komprimierte Byte-Ebene ist beschädigt</translation>
    </message>
    <message>
        <source>CRC-32C mismatch</source>
        <translation>CRC-32C stimmt nicht</translation>
    </message>
    <message>
        <source>The safetensors header is truncated</source>
        <translation>Der safetensors-Header ist abgeschnitten</translation>
    </message>
    <message>
        <source>The safetensors header is too large</source>
        <translation>Der safetensors-Header ist zu groß</translation>
    </message>
    <message>
        <source>The safetensors header is not a JSON object</source>
        <translation>Der safetensors-Header ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>The safetensors header is not UTF-8 text</source>
        <translation>Der safetensors-Header ist kein UTF-8-Text</translation>
    </message>
    <message>
        <source>The file is damaged or not a safetensors file</source>
        <translation>Die Datei ist beschädigt oder keine safetensors-Datei</translation>
    </message>
    <message>
        <source>The file is damaged or not a safetensors file; copy it again</source>
        <translation>Die Datei ist beschädigt oder keine safetensors-Datei; erneut kopieren</translation>
    </message>
    <message>
        <source>The copy or download is incomplete; fetch the file again</source>
        <translation>Die Kopie oder der Download ist unvollständig; die Datei erneut holen</translation>
    </message>
    <message>
        <source>A later save into this folder did not finish</source>
        <translation>Ein späteres Speichern in diesen Ordner wurde nicht fertig</translation>
    </message>
    <message>
        <source>The shape is too large</source>
        <translation>Die Shape ist zu groß</translation>
    </message>
    <message>
        <source>The ranks' files are from different saves</source>
        <translation>Die Dateien der Ranks stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>The fp32 master weights do not round to the model weights; the model states and the optimizer states are from different saves</source>
        <translation>Die fp32-Master-Gewichte runden nicht zu den Modellgewichten; Modell- und Optimizer-Zustände stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>The tensor's size overflows</source>
        <translation>Die Größe des Tensors läuft über</translation>
    </message>
    <message>
        <source>A piece is outside the tensor</source>
        <translation>Ein Stück liegt außerhalb des Tensors</translation>
    </message>
    <message>
        <source>origin %1, extent %2</source>
        <translation>Ursprung %1, Ausdehnung %2</translation>
    </message>
    <message>
        <source>Duplicate name; the first is shown</source>
        <translation>Doppelter Name; der erste wird gezeigt</translation>
    </message>
    <message>
        <source>Duplicate tensor names</source>
        <translation>Doppelte Tensornamen</translation>
    </message>
    <message>
        <source>Tensors do not match their metadata</source>
        <translation>Tensoren passen nicht zu ihren Metadaten</translation>
    </message>
    <message>
        <source>The file changed since the checkpoint was opened</source>
        <translation>Die Datei hat sich geändert, seit der Checkpoint geöffnet wurde</translation>
    </message>
    <message>
        <source>%1 bytes and the same time stamp</source>
        <translation>%1 Bytes und derselbe Zeitstempel</translation>
    </message>
    <message>
        <source>The file ends before the end of this tensor's data</source>
        <translation>Die Datei endet vor dem Ende der Daten dieses Tensors</translation>
    </message>
    <message>
        <source>%1 bytes from that offset</source>
        <translation>%1 Bytes ab dieser Stelle</translation>
    </message>
    <message>
        <source>Copy the file again; this one is incomplete</source>
        <translation>Die Datei erneut kopieren; diese ist unvollständig</translation>
    </message>
    <message>
        <source>Some elements of the tensor are not in any shard</source>
        <translation>Einige Elemente des Tensors sind in keinem Shard</translation>
    </message>
    <message>
        <source>Find the missing shard, or use a different checkpoint</source>
        <translation>Den fehlenden Shard suchen oder einen anderen Checkpoint verwenden</translation>
    </message>
    <message>
        <source>An edit of this file's header was interrupted or is in progress</source>
        <translation>Eine Bearbeitung des Headers dieser Datei wurde unterbrochen oder läuft</translation>
    </message>
    <message>
        <source>Use FROM=TO (a prefix of a name, or a regular expression), or strip-prefixes; separate several with ;</source>
        <translation>VON=NACH (ein Präfix eines Namens oder ein regulärer Ausdruck) oder strip-prefixes verwenden; mehrere mit ; trennen</translation>
    </message>
    <message>
        <source>A comment follows a name rule</source>
        <translation>Auf eine Namensregel folgt ein Kommentar</translation>
    </message>
    <message>
        <source>A name rule contains a NUL byte</source>
        <translation>Eine Namensregel enthält ein NUL-Byte</translation>
    </message>
    <message>
        <source>A name rule refers to a group in an unknown way</source>
        <translation>Eine Namensregel verweist auf unbekannte Weise auf eine Gruppe</translation>
    </message>
    <message>
        <source>A name rule refers to group %1</source>
        <translation>Eine Namensregel verweist auf Gruppe %1</translation>
    </message>
    <message>
        <source>The FROM of a name rule is empty</source>
        <translation>Das VON einer Namensregel ist leer</translation>
    </message>
    <message>
        <source>Change the rules so that the name of the scales still begins with that of the weight; loaders do not find them otherwise</source>
        <translation>Die Regeln so ändern, dass der Name der Skalen weiterhin mit dem des Gewichts beginnt; Ladeprogramme finden sie sonst nicht</translation>
    </message>
    <message>
        <source>The rules separate a weight from its scales: %1 and %2</source>
        <translation>Die Regeln trennen ein Gewicht von seinen Skalen: %1 und %2</translation>
    </message>
    <message>
        <source>A name rule has no FROM=TO</source>
        <translation>Einer Namensregel fehlt VON=NACH</translation>
    </message>
    <message>
        <source>The strings' lengths do not match the size of the data</source>
        <translation>Die Längen der Zeichenketten passen nicht zur Größe der Daten</translation>
    </message>
    <message>
        <source>The strings exceed the memory limit</source>
        <translation>Die Zeichenketten überschreiten die Speichergrenze</translation>
    </message>
    <message>
        <source>The tensor does not contain strings</source>
        <translation>Der Tensor enthält keine Zeichenketten</translation>
    </message>
    <message>
        <source>Tensors have no such column</source>
        <translation>Diese Spalte haben Tensoren nicht</translation>
    </message>
    <message>
        <source>The elements are strings, which can only be read one by one</source>
        <translation>Die Elemente sind Zeichenketten, die sich nur einzeln lesen lassen</translation>
    </message>
    <message>
        <source>Too few stored bytes for the tensor's shape and dtype</source>
        <translation>Zu wenige gespeicherte Bytes für Shape und Dtype des Tensors</translation>
    </message>
    <message>
        <source>The tensor is too large to be read at once</source>
        <translation>Der Tensor ist zu groß, um ihn auf einmal zu lesen</translation>
    </message>
    <message>
        <source>Too many plain values</source>
        <translation>Zu viele einfache Werte</translation>
    </message>
    <message>
        <source>The plain values are truncated</source>
        <translation>Die einfachen Werte sind abgeschnitten</translation>
    </message>
    <message>
        <source>The plain values are nested too deep</source>
        <translation>Die einfachen Werte sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>Some checkpoints have no step; they are ordered by time</source>
        <translation>Einige Checkpoints haben keinen Schritt; sie sind nach Zeit geordnet</translation>
    </message>
    <message>
        <source>Some checkpoints cannot be read and are not plotted</source>
        <translation>Einige Checkpoints sind nicht lesbar und nicht aufgetragen</translation>
    </message>
    <message>
        <source>Lines that are too long were skipped</source>
        <translation>Zu lange Zeilen wurden übersprungen</translation>
    </message>
    <message>
        <source>Rows without a step are placed at the step of the previous row</source>
        <translation>Zeilen ohne Schritt stehen beim Schritt der vorherigen Zeile</translation>
    </message>
    <message>
        <source>Rows without a step are placed at their epoch</source>
        <translation>Zeilen ohne Schritt stehen bei ihrer Epoche</translation>
    </message>
    <message>
        <source>The file contains no steps; rows are numbered from 0</source>
        <translation>Die Datei enthält keine Schritte; Zeilen sind ab 0 nummeriert</translation>
    </message>
    <message>
        <source>The source has more data than can be shown</source>
        <translation>Die Quelle hat mehr Daten, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The file is too large for its type</source>
        <translation>Die Datei ist für ihre Art zu groß</translation>
    </message>
    <message>
        <source>Several ranks write to this file; their curves are shown separately</source>
        <translation>Mehrere Ranks schreiben in diese Datei; ihre Kurven sind getrennt gezeigt</translation>
    </message>
    <message>
        <source>Times without a time zone are read as UTC</source>
        <translation>Zeiten ohne Zeitzone werden als UTC gelesen</translation>
    </message>
    <message>
        <source>The last line is incomplete and was skipped</source>
        <translation>Die letzte Zeile ist unvollständig und wurde übersprungen</translation>
    </message>
    <message>
        <source>The column names change within the file</source>
        <translation>Die Spaltennamen ändern sich in der Datei</translation>
    </message>
    <message>
        <source>Rows are longer than the header</source>
        <translation>Zeilen sind länger als der Kopf</translation>
    </message>
    <message>
        <source>Rows are shorter than the header</source>
        <translation>Zeilen sind kürzer als der Kopf</translation>
    </message>
    <message>
        <source>Rows have more cells than the limit</source>
        <translation>Zeilen haben mehr Zellen als die Grenze</translation>
    </message>
    <message>
        <source>Rows with an unterminated quote were skipped</source>
        <translation>Zeilen mit offenem Anführungszeichen wurden übersprungen</translation>
    </message>
    <message>
        <source>Cells that are not numbers were skipped</source>
        <translation>Zellen, die keine Zahlen sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>The last row is incomplete and was skipped</source>
        <translation>Die letzte Zeile ist unvollständig und wurde übersprungen</translation>
    </message>
    <message>
        <source>Too many files beside the run; some were not examined</source>
        <translation>Zu viele Dateien neben dem Run; einige wurden nicht untersucht</translation>
    </message>
    <message>
        <source>Logs beside several folders were not assigned to any of them</source>
        <translation>Logs neben mehreren Ordnern wurden keinem davon zugeordnet</translation>
    </message>
    <message>
        <source>Open this folder itself to see its curves</source>
        <translation>Diesen Ordner selbst öffnen, um seine Kurven zu sehen</translation>
    </message>
    <message>
        <source>A file of several runs was not assigned to any of them</source>
        <translation>Eine Datei mehrerer Läufe wurde keinem von ihnen zugeordnet</translation>
    </message>
    <message>
        <source>Metrics were logged without a step; their points are numbered from 0</source>
        <translation>Metriken wurden ohne Schritt aufgezeichnet; ihre Punkte sind ab 0 nummeriert</translation>
    </message>
    <message>
        <source>%1 metrics</source>
        <translation>%1 Metriken</translation>
    </message>
    <message>
        <source>Open this file itself to see its curves</source>
        <translation>Diese Datei selbst öffnen, um ihre Kurven zu sehen</translation>
    </message>
    <message>
        <source>an ordinary table, as its writer makes it</source>
        <translation>eine gewöhnliche Tabelle, wie das schreibende Programm sie anlegt</translation>
    </message>
    <message>
        <source>No named settings in the file</source>
        <translation>Keine benannten Einstellungen in der Datei</translation>
    </message>
    <message>
        <source>More settings than the limit</source>
        <translation>Mehr Einstellungen als die Grenze</translation>
    </message>
    <message>
        <source>The settings are nested too deeply</source>
        <translation>Die Einstellungen sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>The settings are invalid from here on; the preceding ones are shown</source>
        <translation>Die Einstellungen sind ab hier ungültig; die davor sind gezeigt</translation>
    </message>
    <message>
        <source>Steps were logged more than once, as after a restart; the last values are shown</source>
        <translation>Schritte wurden mehrfach aufgezeichnet, wie nach einem Neustart; die letzten Werte sind gezeigt</translation>
    </message>
    <message>
        <source>%1 replaced points</source>
        <translation>%1 ersetzte Punkte</translation>
    </message>
    <message>
        <source>its log begins at step %1, after the save of step %2</source>
        <translation>sein Log beginnt bei Schritt %1, nach dem Speichern bei Schritt %2</translation>
    </message>
    <message>
        <source>its log begins at step %1, where the other one ends</source>
        <translation>sein Log beginnt bei Schritt %1, wo das andere endet</translation>
    </message>
    <message>
        <source>Lines that are not messages were skipped</source>
        <translation>Zeilen, die keine Nachrichten sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Lines that are not lists of events were skipped</source>
        <translation>Zeilen, die keine Ereignislisten sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Not an offline experiment of Comet</source>
        <translation>Kein Offline-Experiment von Comet</translation>
    </message>
    <message>
        <source>Not an offline session of ClearML</source>
        <translation>Keine Offline-Sitzung von ClearML</translation>
    </message>
    <message>
        <source>the entries %1 and %2</source>
        <translation>die Einträge %1 und %2</translation>
    </message>
    <message>
        <source>the entry %1</source>
        <translation>der Eintrag %1</translation>
    </message>
    <message>
        <source>The index records this name and its path differently</source>
        <translation>Der Index verzeichnet diesen Namen und seinen Pfad unterschiedlich</translation>
    </message>
    <message>
        <source>Carried, as forced: a record of values does not match its checksum</source>
        <translation>Mitgenommen, wie erzwungen: Ein Datensatz mit Werten stimmt nicht mit seiner Prüfsumme überein</translation>
    </message>
    <message>
        <source>A record of values does not match its checksum</source>
        <translation>Ein Datensatz mit Werten stimmt nicht mit seiner Prüfsumme überein</translation>
    </message>
    <message>
        <source>Use another copy of the checkpoint, or --force</source>
        <translation>Eine andere Kopie des Checkpoints verwenden, oder --force</translation>
    </message>
    <message>
        <source>Lines that are not JSON objects were skipped</source>
        <translation>Zeilen, die keine JSON-Objekte sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>The last line is truncated</source>
        <translation>Die letzte Zeile ist abgeschnitten</translation>
    </message>
    <message>
        <source>Values that are not numbers were skipped</source>
        <translation>Werte, die keine Zahlen sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>The history is truncated; the complete part is shown</source>
        <translation>Der Verlauf ist abgeschnitten; der vollständige Teil ist gezeigt</translation>
    </message>
    <message>
        <source>Lines that are not points were skipped</source>
        <translation>Zeilen, die keine Punkte sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>The last line is truncated and was skipped</source>
        <translation>Die letzte Zeile ist abgeschnitten und wurde übersprungen</translation>
    </message>
    <message>
        <source>More settings than can be shown</source>
        <translation>Mehr Einstellungen, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The run exceeds the limit of points; the rest was not read</source>
        <translation>Der Run überschreitet die Grenze für Punkte; der Rest wurde nicht gelesen</translation>
    </message>
    <message>
        <source>This run is marked as deleted in MLflow</source>
        <translation>Dieser Run ist in MLflow als gelöscht markiert</translation>
    </message>
    <message>
        <source>The run did not finish, according to MLflow</source>
        <translation>Der Run wurde laut MLflow nicht fertig</translation>
    </message>
    <message>
        <source>The run has too many files; some were not read</source>
        <translation>Der Run hat zu viele Dateien; einige wurden nicht gelesen</translation>
    </message>
    <message>
        <source>MLflow run folder</source>
        <translation>MLflow-Run-Ordner</translation>
    </message>
    <message>
        <source>The run's metadata is not valid YAML</source>
        <translation>Die Metadaten des Runs sind kein gültiges YAML</translation>
    </message>
    <message>
        <source>The metadata does not describe a run</source>
        <translation>Die Metadaten beschreiben keinen Run</translation>
    </message>
    <message>
        <source>Out of memory while reading the database</source>
        <translation>Der Arbeitsspeicher reicht nicht, um die Datenbank zu lesen</translation>
    </message>
    <message>
        <source>Not an SQLite database</source>
        <translation>Keine SQLite-Datenbank</translation>
    </message>
    <message>
        <source>A transaction of the database is in progress or was interrupted</source>
        <translation>Eine Transaktion der Datenbank läuft oder wurde unterbrochen</translation>
    </message>
    <message>
        <source>The newest values may be missing or incomplete; refresh later</source>
        <translation>Die neuesten Werte fehlen vielleicht oder sind unvollständig; später aktualisieren</translation>
    </message>
    <message>
        <source>The database changed while it was being read</source>
        <translation>Die Datenbank hat sich beim Lesen geändert</translation>
    </message>
    <message>
        <source>More runs than can be shown</source>
        <translation>Mehr Runs, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The database is damaged or does not have the expected schema</source>
        <translation>Die Datenbank ist beschädigt oder hat nicht das erwartete Schema</translation>
    </message>
    <message>
        <source>Not a database of %1</source>
        <translation>Keine Datenbank von %1</translation>
    </message>
    <message>
        <source>a table named %1</source>
        <translation>eine Tabelle namens %1</translation>
    </message>
    <message>
        <source>The trial did not complete, according to Optuna</source>
        <translation>Der Versuch wurde laut Optuna nicht abgeschlossen</translation>
    </message>
    <message>
        <source>Rows that are not episodes were skipped</source>
        <translation>Zeilen, die keine Episoden sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Not the evaluations of Stable-Baselines3</source>
        <translation>Keine Auswertungen von Stable-Baselines3</translation>
    </message>
    <message>
        <source>The arrays have different numbers of evaluations</source>
        <translation>Die Arrays haben verschieden viele Auswertungen</translation>
    </message>
    <message>
        <source>The array does not contain rows of numbers</source>
        <translation>Das Array enthält keine Zeilen aus Zahlen</translation>
    </message>
    <message>
        <source>The summary is not a JSON object</source>
        <translation>Die Zusammenfassung ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>Records that are not SwanLab records were skipped</source>
        <translation>Datensätze, die nicht von SwanLab sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Lines that are not operations were skipped</source>
        <translation>Zeilen, die keine Operationen sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Rows that are not JSON objects were skipped</source>
        <translation>Zeilen, die keine JSON-Objekte sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Configurations that are not JSON were skipped</source>
        <translation>Konfigurationen, die kein JSON sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Files of one folder contain the same curves, which are shown once</source>
        <translation>Dateien eines Ordners enthalten dieselben Kurven; sie werden einmal gezeigt</translation>
    </message>
    <message>
        <source>%1 repeated curves</source>
        <translation>%1 wiederholte Kurven</translation>
    </message>
    <message>
        <source>the log records with which row each checkpoint was saved</source>
        <translation>das Log vermerkt, mit welcher Zeile jeder Checkpoint gespeichert wurde</translation>
    </message>
    <message>
        <source>the writer of the log beside it numbers saves</source>
        <translation>der Schreiber des Logs daneben nummeriert Speicherungen</translation>
    </message>
    <message>
        <source>Runs that are marked as deleted were skipped</source>
        <translation>Als gelöscht markierte Runs wurden übersprungen</translation>
    </message>
    <message>
        <source>The database contains several runs; metric names are prefixed with the run's name</source>
        <translation>Die Datenbank enthält mehrere Runs; vor Metriknamen steht der Name des Runs</translation>
    </message>
    <message>
        <source>More points than can be shown</source>
        <translation>Mehr Punkte, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The file exceeds the limit of points; the rest was not read</source>
        <translation>Die Datei überschreitet die Grenze für Punkte; der Rest wurde nicht gelesen</translation>
    </message>
    <message>
        <source>%1 bytes at the end of the file</source>
        <translation>%1 Bytes am Ende der Datei</translation>
    </message>
    <message>
        <source>The last record is truncated</source>
        <translation>Der letzte Eintrag ist abgeschnitten</translation>
    </message>
    <message>
        <source>This is normal while the run is in progress; refresh later</source>
        <translation>Das ist normal, solange der Run läuft; später aktualisieren</translation>
    </message>
    <message>
        <source>The rest of the file contains only zeros</source>
        <translation>Der Rest der Datei enthält nur Nullen</translation>
    </message>
    <message>
        <source>A record's length is damaged; the records after it cannot be read</source>
        <translation>Die Länge eines Eintrags ist beschädigt; die Einträge danach sind nicht lesbar</translation>
    </message>
    <message>
        <source>The file is empty</source>
        <translation>Die Datei ist leer</translation>
    </message>
    <message>
        <source>Records with a checksum mismatch were skipped</source>
        <translation>Einträge mit falscher Prüfsumme wurden übersprungen</translation>
    </message>
    <message>
        <source>Records that are not events were skipped</source>
        <translation>Einträge, die keine Ereignisse sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Training was restarted and continued this file</source>
        <translation>Das Training wurde neu gestartet und hat diese Datei fortgesetzt</translation>
    </message>
    <message>
        <source>TensorBoard event file</source>
        <translation>TensorBoard-Ereignisdatei</translation>
    </message>
    <message>
        <source>Not a trainer state</source>
        <translation>Kein Trainer-Zustand</translation>
    </message>
    <message>
        <source>The trainer state is truncated; the complete rows are shown</source>
        <translation>Der Trainer-Zustand ist abgeschnitten; die vollständigen Zeilen sind gezeigt</translation>
    </message>
    <message>
        <source>Some older trainer states were not examined</source>
        <translation>Einige ältere Trainer-Zustände wurden nicht untersucht</translation>
    </message>
    <message>
        <source>Hugging Face trainer state</source>
        <translation>Trainer-Zustand von Hugging Face</translation>
    </message>
    <message>
        <source>Damaged parts of the log were skipped</source>
        <translation>Beschädigte Teile des Logs wurden übersprungen</translation>
    </message>
    <message>
        <source>Parts of the log contain only zeros</source>
        <translation>Teile des Logs enthalten nur Nullen</translation>
    </message>
    <message>
        <source>Settings could not be read</source>
        <translation>Einstellungen waren nicht lesbar</translation>
    </message>
    <message>
        <source>The log does not record the end of the run</source>
        <translation>Das Log hält das Ende des Runs nicht fest</translation>
    </message>
    <message>
        <source>The run is in progress, or was killed</source>
        <translation>Der Run läuft oder wurde abgebrochen</translation>
    </message>
    <message>
        <source>The run ended with an error</source>
        <translation>Der Run endete mit einem Fehler</translation>
    </message>
    <message>
        <source>Not a W&amp;B log</source>
        <translation>Kein W&amp;B-Log</translation>
    </message>
    <message>
        <source>Unsupported log version</source>
        <translation>Nicht unterstützte Log-Version</translation>
    </message>
    <message>
        <source>W&amp;B offline log</source>
        <translation>W&amp;B-Offline-Log</translation>
    </message>
    <message>
        <source>The file was damaged after it was written; copy it again</source>
        <translation>Die Datei wurde nach dem Schreiben beschädigt; erneut kopieren</translation>
    </message>
    <message>
        <source>The base checkpoint of this delta is missing</source>
        <translation>Der Basis-Checkpoint dieses Deltas fehlt</translation>
    </message>
    <message>
        <source>Move it to where it was when the archive was packed, or beside the archive</source>
        <translation>Dorthin verschieben, wo er beim Packen des Archivs lag, oder neben das Archiv</translation>
    </message>
    <message>
        <source>Find the checkpoint that the archive was packed against</source>
        <translation>Den Checkpoint suchen, gegen den das Archiv gepackt wurde</translation>
    </message>
    <message>
        <source>A tensor's byte count does not match its dtype and shape</source>
        <translation>Die Byte-Zahl eines Tensors passt nicht zu Dtype und Shape</translation>
    </message>
    <message>
        <source>Unknown dtype or shape of a tensor</source>
        <translation>Unbekannter Dtype oder unbekannte Shape eines Tensors</translation>
    </message>
    <message>
        <source>The archive does not record whether its source was complete</source>
        <translation>Das Archiv hält nicht fest, ob seine Quelle vollständig war</translation>
    </message>
    <message>
        <source>The archive is a delta, and %1 is missing</source>
        <translation>Das Archiv ist ein Delta, und %1 fehlt</translation>
    </message>
    <message>
        <source>The archive is a delta on %1</source>
        <translation>Das Archiv ist ein Delta zu %1</translation>
    </message>
    <message>
        <source>Not examined: %1</source>
        <translation>Nicht untersucht: %1</translation>
    </message>
    <message>
        <source>Not examined: the rest, which exceeds the limit of a quick scan</source>
        <translation>Nicht untersucht: der Rest, der die Grenze einer schnellen Untersuchung überschreitet</translation>
    </message>
    <message>
        <source>Its pickles only create values</source>
        <translation>Seine Pickles erzeugen nur Werte</translation>
    </message>
    <message>
        <source>It contains a malformed pickle</source>
        <translation>Es enthält ein fehlerhaftes Pickle</translation>
    </message>
    <message>
        <source>Some of it could not be examined for code</source>
        <translation>Ein Teil ließ sich nicht auf Code untersuchen</translation>
    </message>
    <message>
        <source>It contains a pickle that readers interpret differently</source>
        <translation>Es enthält ein Pickle, das Programme verschieden lesen</translation>
    </message>
    <message>
        <source>Keras would run the bytecode of a Lambda layer</source>
        <translation>Keras würde den Bytecode eines Lambda-Layers ausführen</translation>
    </message>
    <message>
        <source>Keras would call %1.%2</source>
        <translation>Keras würde %1.%2 aufrufen</translation>
    </message>
    <message>
        <source>The class %1.%2 is unknown to Cairn</source>
        <translation>Cairn kennt die Klasse %1.%2 nicht</translation>
    </message>
    <message>
        <source>The item ends before the end of this tensor's data</source>
        <translation>Der Eintrag endet vor dem Ende der Daten dieses Tensors</translation>
    </message>
    <message>
        <source>%1 elements in %2</source>
        <translation>%1 Elemente in %2</translation>
    </message>
    <message>
        <source>A shard of this checkpoint is missing</source>
        <translation>Ein Shard dieses Checkpoints fehlt</translation>
    </message>
    <message>
        <source>Copy it from where the checkpoint was saved</source>
        <translation>Vom Ort kopieren, an dem der Checkpoint gespeichert wurde</translation>
    </message>
    <message>
        <source>The file %1 is missing</source>
        <translation>Die Datei %1 fehlt</translation>
    </message>
    <message>
        <source>A rank's file of this checkpoint is missing</source>
        <translation>Die Datei eines Ranks dieses Checkpoints fehlt</translation>
    </message>
    <message>
        <source>Parts of this tensor are not in any shard</source>
        <translation>Teile dieses Tensors sind in keinem Shard</translation>
    </message>
    <message>
        <source>Parts of %1 are not in any shard</source>
        <translation>Teile von %1 sind in keinem Shard</translation>
    </message>
    <message>
        <source>Parts of tensors are missing</source>
        <translation>Teile von Tensoren fehlen</translation>
    </message>
    <message>
        <source>Parts of tensors overlap</source>
        <translation>Teile von Tensoren überlappen</translation>
    </message>
    <message>
        <source>The ranks' files do not contain all of a tensor</source>
        <translation>Die Dateien der Ranks enthalten einen Tensor nicht ganz</translation>
    </message>
    <message>
        <source>Several ranks' files contain the same part of a tensor</source>
        <translation>Dateien mehrerer Ranks enthalten denselben Teil eines Tensors</translation>
    </message>
    <message>
        <source>The save was probably interrupted; use an older checkpoint</source>
        <translation>Das Speichern wurde wohl unterbrochen; einen älteren Checkpoint verwenden</translation>
    </message>
    <message>
        <source>A Git LFS pointer instead of the file</source>
        <translation>Ein Git-LFS-Zeiger statt der Datei</translation>
    </message>
    <message>
        <source>%1 bytes of text</source>
        <translation>%1 Bytes Text</translation>
    </message>
    <message>
        <source>Run `git lfs pull` in the repository</source>
        <translation>Im Repository `git lfs pull` ausführen</translation>
    </message>
    <message>
        <source>A web page instead of a checkpoint</source>
        <translation>Eine Webseite statt eines Checkpoints</translation>
    </message>
    <message>
        <source>The download returned a page (a login or an error); download the file itself</source>
        <translation>Der Download ergab eine Seite (Anmeldung oder Fehler); die Datei selbst herunterladen</translation>
    </message>
    <message>
        <source>The file contains only zeros</source>
        <translation>Die Datei enthält nur Nullen</translation>
    </message>
    <message>
        <source>The data was never written to the disk; use an older checkpoint or copy the file again</source>
        <translation>Die Daten kamen nie auf den Datenträger; einen älteren Checkpoint verwenden oder die Datei erneut kopieren</translation>
    </message>
    <message>
        <source>A stored array is invalid</source>
        <translation>Ein gespeichertes Array ist ungültig</translation>
    </message>
    <message>
        <source>The chunks of an array are invalid</source>
        <translation>Die Chunks eines Arrays sind ungültig</translation>
    </message>
    <message>
        <source>Unknown element type</source>
        <translation>Unbekannter Elementtyp</translation>
    </message>
    <message>
        <source>%1 bytes for %2 %3</source>
        <translation>%1 Bytes für %2 %3</translation>
    </message>
    <message>
        <source>%1 elements for shape %2</source>
        <translation>%1 Elemente für Shape %2</translation>
    </message>
    <message>
        <source>The tree is nested too deeply</source>
        <translation>Der Baum ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>Parts of the file could not be read</source>
        <translation>Teile der Datei waren nicht lesbar</translation>
    </message>
    <message>
        <source>The JSON file is too large</source>
        <translation>Die JSON-Datei ist zu groß</translation>
    </message>
    <message>
        <source>%1 is damaged or incomplete</source>
        <translation>%1 ist beschädigt oder unvollständig</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>%1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>The array's elements are truncated</source>
        <translation>Die Elemente des Arrays sind abgeschnitten</translation>
    </message>
    <message>
        <source>Elements of %1 are truncated</source>
        <translation>Elemente von %1 sind abgeschnitten</translation>
    </message>
    <message>
        <source>The array contains Python objects; its pickle is not loaded</source>
        <translation>Das Array enthält Python-Objekte; sein Pickle wird nicht geladen</translation>
    </message>
    <message>
        <source>Elements of this type are shown as raw bytes</source>
        <translation>Elemente dieses Typs sind als rohe Bytes gezeigt</translation>
    </message>
    <message>
        <source>Not a NumPy array: the magic string is missing</source>
        <translation>Kein NumPy-Array: Die Kennung fehlt</translation>
    </message>
    <message>
        <source>The array's header is truncated</source>
        <translation>Der Header des Arrays ist abgeschnitten</translation>
    </message>
    <message>
        <source>Unsupported NumPy file version</source>
        <translation>Nicht unterstützte Version der NumPy-Datei</translation>
    </message>
    <message>
        <source>The array's size overflows</source>
        <translation>Die Größe des Arrays läuft über</translation>
    </message>
    <message>
        <source>A .npy file contains exactly one tensor</source>
        <translation>Eine .npy-Datei enthält genau einen Tensor</translation>
    </message>
    <message>
        <source>Select one tensor, or use .npz or .safetensors</source>
        <translation>Einen Tensor auswählen oder .npz oder .safetensors verwenden</translation>
    </message>
    <message>
        <source>A metadata value is not a string</source>
        <translation>Ein Metadatenwert ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>Too many metadata entries</source>
        <translation>Zu viele Metadateneinträge</translation>
    </message>
    <message>
        <source>A tensor's entry is not an object</source>
        <translation>Der Eintrag eines Tensors ist kein Objekt</translation>
    </message>
    <message>
        <source>A tensor's entry is incomplete</source>
        <translation>Der Eintrag eines Tensors ist unvollständig</translation>
    </message>
    <message>
        <source>The dtype is not a string</source>
        <translation>Der Dtype ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>The shape is not a list of up to 64 non-negative integers</source>
        <translation>Die Shape ist keine Liste von bis zu 64 nicht negativen Ganzzahlen</translation>
    </message>
    <message>
        <source>The data offsets are not two non-negative integers</source>
        <translation>Die Offsets der Daten sind nicht zwei nicht negative Ganzzahlen</translation>
    </message>
    <message>
        <source>The file is still being copied or was damaged; compare its size with the original</source>
        <translation>Die Datei wird noch kopiert oder wurde beschädigt; ihre Größe mit dem Original vergleichen</translation>
    </message>
    <message>
        <source>The header contains this tensor twice; the last entry is used</source>
        <translation>Der Header enthält diesen Tensor zweimal; der letzte Eintrag gilt</translation>
    </message>
    <message>
        <source>Readers that use the first and readers that use the last one see different contents</source>
        <translation>Programme, die den ersten, und solche, die den letzten verwenden, sehen Verschiedenes</translation>
    </message>
    <message>
        <source>The tensor's byte range overlaps another tensor's</source>
        <translation>Der Bytebereich des Tensors überlappt den eines anderen</translation>
    </message>
    <message>
        <source>Unused bytes before this tensor</source>
        <translation>Ungenutzte Bytes vor diesem Tensor</translation>
    </message>
    <message>
        <source>Trailing bytes after the last tensor</source>
        <translation>Überzählige Bytes nach dem letzten Tensor</translation>
    </message>
    <message>
        <source>The reference reader rejects such a file</source>
        <translation>Das Referenzprogramm weist so eine Datei ab</translation>
    </message>
    <message>
        <source>The file ends before the end of its tensors</source>
        <translation>Die Datei endet vor dem Ende ihrer Tensoren</translation>
    </message>
    <message>
        <source>%1 bytes of tensors</source>
        <translation>%1 Bytes Tensoren</translation>
    </message>
    <message>
        <source>Unknown dtype; shown as raw bytes</source>
        <translation>Unbekannter Dtype; als rohe Bytes gezeigt</translation>
    </message>
    <message>
        <source>The tensor's byte range does not match its shape and dtype</source>
        <translation>Der Bytebereich des Tensors passt nicht zu Shape und Dtype</translation>
    </message>
    <message>
        <source>%1 bytes for %2 of %3</source>
        <translation>%1 Bytes für %2 von %3</translation>
    </message>
    <message>
        <source>The file %1 does not name a save</source>
        <translation>Die Datei %1 nennt keinen Speicherstand</translation>
    </message>
    <message>
        <source>The file %1 names a missing folder</source>
        <translation>Die Datei %1 nennt einen fehlenden Ordner</translation>
    </message>
    <message>
        <source>No such folder</source>
        <translation>Diesen Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>The save is incomplete and was skipped</source>
        <translation>Der Speicherstand ist unvollständig und wurde übersprungen</translation>
    </message>
    <message>
        <source>No save in this folder</source>
        <translation>Kein Speicherstand in diesem Ordner</translation>
    </message>
    <message>
        <source>The folder contains %1 saves; opened: %2</source>
        <translation>Der Ordner enthält %1 Speicherstände; geöffnet: %2</translation>
    </message>
    <message>
        <source>Specify one of the folders to open another save</source>
        <translation>Einen der Ordner angeben, um einen anderen Speicherstand zu öffnen</translation>
    </message>
    <message>
        <source>There is a newer save than the one that %1 names</source>
        <translation>Es gibt einen neueren Speicherstand als den, den %1 nennt</translation>
    </message>
    <message>
        <source>%1 names %2</source>
        <translation>%1 nennt %2</translation>
    </message>
    <message>
        <source>This part was saved at a different step than the rest</source>
        <translation>Dieser Teil wurde bei einem anderen Schritt gespeichert als der Rest</translation>
    </message>
    <message>
        <source>Restore the files of a single save</source>
        <translation>Die Dateien eines einzigen Speicherstands wiederherstellen</translation>
    </message>
    <message>
        <source>The folder mixes parts of different steps</source>
        <translation>Der Ordner mischt Teile verschiedener Schritte</translation>
    </message>
    <message>
        <source>The optimizer's learning rate does not match its scheduler's</source>
        <translation>Die Lernrate des Optimizers passt nicht zu der seines Schedulers</translation>
    </message>
    <message>
        <source>The checkpoint has more values than can be shown</source>
        <translation>Der Checkpoint hat mehr Werte, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The checkpoint has more tensors than can be shown</source>
        <translation>Der Checkpoint hat mehr Tensoren, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The checkpoint has more text than can be shown</source>
        <translation>Der Checkpoint hat mehr Text, als sich zeigen lässt</translation>
    </message>
    <message>
        <source>Values are nested deeper than can be shown</source>
        <translation>Werte sind tiefer verschachtelt, als sich zeigen lässt</translation>
    </message>
    <message>
        <source>Several entries have the same name when their keys are joined with dots</source>
        <translation>Mehrere Einträge heißen gleich, wenn ihre Schlüssel mit Punkten verbunden werden</translation>
    </message>
    <message>
        <source>The later ones are shown with the suffixes @2, @3 …</source>
        <translation>Die späteren sind gezeigt mit @2, @3 …</translation>
    </message>
    <message>
        <source>A persistent id does not name a storage</source>
        <translation>Eine persistente ID nennt keinen Storage</translation>
    </message>
    <message>
        <source>Unknown storage class</source>
        <translation>Unbekannte Storage-Klasse</translation>
    </message>
    <message>
        <source>The size of a storage overflows</source>
        <translation>Die Größe eines Storage läuft über</translation>
    </message>
    <message>
        <source>A storage extends beyond its data</source>
        <translation>Ein Storage reicht über seine Daten hinaus</translation>
    </message>
    <message>
        <source>%1 elements of %2 bytes</source>
        <translation>%1 Elemente mit %2 Bytes</translation>
    </message>
    <message>
        <source>The tensor is on the meta device; the file does not contain its data</source>
        <translation>Der Tensor ist auf dem Meta-Gerät; die Datei enthält seine Daten nicht</translation>
    </message>
    <message>
        <source>Save the module after its parameters are loaded</source>
        <translation>Das Modul speichern, nachdem seine Parameter geladen sind</translation>
    </message>
    <message>
        <source>A tensor extends beyond the end of its storage</source>
        <translation>Ein Tensor reicht über das Ende seines Storage hinaus</translation>
    </message>
    <message>
        <source>The file does not contain the data of some tensors</source>
        <translation>Die Datei enthält die Daten einiger Tensoren nicht</translation>
    </message>
    <message>
        <source>Some tensors are one rank's parts of larger ones</source>
        <translation>Einige Tensoren sind Teile eines Ranks von größeren</translation>
    </message>
    <message>
        <source>A .pt file cannot store this tensor's dtype</source>
        <translation>Eine .pt-Datei kann den Dtype dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>Leave out the tensor with --only, or copy the file unchanged</source>
        <translation>Den Tensor mit --only auslassen oder die Datei unverändert kopieren</translation>
    </message>
    <message>
        <source>Open the folder that contains the files of all ranks</source>
        <translation>Den Ordner öffnen, der die Dateien aller Ranks enthält</translation>
    </message>
    <message>
        <source>The archive does not contain data.pkl</source>
        <translation>Das Archiv enthält kein data.pkl</translation>
    </message>
    <message>
        <source>The data of a tensor is not in the archive</source>
        <translation>Die Daten eines Tensors sind nicht im Archiv</translation>
    </message>
    <message>
        <source>Unpack the outer archive first</source>
        <translation>Zuerst das äußere Archiv entpacken</translation>
    </message>
    <message>
        <source>A record is smaller than its storage</source>
        <translation>Ein Eintrag ist kleiner als sein Storage</translation>
    </message>
    <message>
        <source>The checkpoint has too many files</source>
        <translation>Der Checkpoint hat zu viele Dateien</translation>
    </message>
    <message>
        <source>The checkpoint has too many chunks</source>
        <translation>Der Checkpoint hat zu viele Chunks</translation>
    </message>
    <message>
        <source>A chunk is outside its array</source>
        <translation>Ein Chunk liegt außerhalb seines Arrays</translation>
    </message>
    <message>
        <source>It may be left over from another save</source>
        <translation>Er ist vielleicht von einem anderen Speicherstand übrig</translation>
    </message>
    <message>
        <source>Chunks of an array are missing</source>
        <translation>Chunks eines Arrays fehlen</translation>
    </message>
    <message>
        <source>The array %1 is incomplete or damaged</source>
        <translation>Das Array %1 ist unvollständig oder beschädigt</translation>
    </message>
    <message>
        <source>The chunk's size does not match its shape and dtype</source>
        <translation>Die Größe des Chunks passt nicht zu Shape und Dtype</translation>
    </message>
    <message>
        <source>The shard contains a different chunk than the index records</source>
        <translation>Der Shard enthält einen anderen Chunk, als der Index nennt</translation>
    </message>
    <message>
        <source>The shard ends before the end of this item</source>
        <translation>Der Shard endet vor dem Ende dieses Eintrags</translation>
    </message>
    <message>
        <source>Rename the tensor</source>
        <translation>Den Tensor umbenennen</translation>
    </message>
    <message>
        <source>Not the index of a distributed checkpoint</source>
        <translation>Nicht der Index eines verteilten Checkpoints</translation>
    </message>
    <message>
        <source>The index does not record any storage locations</source>
        <translation>Der Index nennt keine Speicherorte</translation>
    </message>
    <message>
        <source>Unknown element type of the tensor</source>
        <translation>Unbekannter Elementtyp des Tensors</translation>
    </message>
    <message>
        <source>Ranks recorded this tensor differently</source>
        <translation>Ranks haben diesen Tensor verschieden aufgezeichnet</translation>
    </message>
    <message>
        <source>A chunk is outside its tensor</source>
        <translation>Ein Chunk liegt außerhalb seines Tensors</translation>
    </message>
    <message>
        <source>offsets %1, sizes %2 in a tensor of %3</source>
        <translation>Offsets %1, Größen %2 in einem Tensor von %3</translation>
    </message>
    <message>
        <source>The index does not record where this chunk is stored</source>
        <translation>Der Index nennt nicht, wo dieser Chunk gespeichert ist</translation>
    </message>
    <message>
        <source>The index does not record where this value is stored</source>
        <translation>Der Index nennt nicht, wo dieser Wert gespeichert ist</translation>
    </message>
    <message>
        <source>The checkpoint's index is too large</source>
        <translation>Der Index des Checkpoints ist zu groß</translation>
    </message>
    <message>
        <source>The shard has a different element type than the index records</source>
        <translation>Der Shard hat einen anderen Elementtyp, als der Index nennt</translation>
    </message>
    <message>
        <source>The shard and .metadata are from different saves</source>
        <translation>Der Shard und .metadata stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>The shard contains a chunk with a different shape than the index records</source>
        <translation>Der Shard enthält einen Chunk mit anderer Shape, als der Index nennt</translation>
    </message>
    <message>
        <source>The stored elements end before the end of the tensor</source>
        <translation>Die gespeicherten Elemente enden vor dem Ende des Tensors</translation>
    </message>
    <message>
        <source>%1 elements from element %2</source>
        <translation>%1 Elemente ab Element %2</translation>
    </message>
    <message>
        <source>The item is a tensor of a custom class, such as a quantised tensor</source>
        <translation>Der Eintrag ist ein Tensor einer eigenen Klasse, etwa ein quantisierter Tensor</translation>
    </message>
    <message>
        <source>Load it with the library of that class, and save it dequantised</source>
        <translation>Mit der Bibliothek dieser Klasse laden und dequantisiert speichern</translation>
    </message>
    <message>
        <source>The shard and .metadata are from different saves, or the shard was overwritten</source>
        <translation>Der Shard und .metadata stammen aus verschiedenen Speicherständen, oder der Shard wurde überschrieben</translation>
    </message>
    <message>
        <source>A shard is missing</source>
        <translation>Ein Shard fehlt</translation>
    </message>
    <message>
        <source>The shard changed since the checkpoint was opened</source>
        <translation>Der Shard hat sich geändert, seit der Checkpoint geöffnet wurde</translation>
    </message>
    <message>
        <source>The plain values are too large</source>
        <translation>Die einfachen Werte sind zu groß</translation>
    </message>
    <message>
        <source>And %1 more of this kind</source>
        <translation>Und %1 weitere dieser Art</translation>
    </message>
    <message>
        <source>The shard is newer than the index</source>
        <translation>Der Shard ist neuer als der Index</translation>
    </message>
    <message>
        <source>A later save may have replaced it, or a copy did not preserve the time stamps</source>
        <translation>Ein späteres Speichern hat ihn vielleicht ersetzt, oder eine Kopie hat die Zeitstempel nicht erhalten</translation>
    </message>
    <message>
        <source>The chunks do not tile the tensor</source>
        <translation>Die Chunks decken den Tensor nicht genau ab</translation>
    </message>
    <message>
        <source>%1 in no chunk, %2 in more than one</source>
        <translation>%1 in keinem Chunk, %2 in mehr als einem</translation>
    </message>
    <message>
        <source>The shard ends before %1: %2</source>
        <translation>Der Shard endet vor %1: %2</translation>
    </message>
    <message>
        <source>%1 not tiled by the chunks in the index</source>
        <translation>%1 von den Chunks im Index nicht genau abgedeckt</translation>
    </message>
    <message>
        <source>The folder has shards but no index (.metadata)</source>
        <translation>Der Ordner hat Shards, aber keinen Index (.metadata)</translation>
    </message>
    <message>
        <source>The save is still running or was interrupted; use an older checkpoint</source>
        <translation>Das Speichern läuft noch oder wurde unterbrochen; einen älteren Checkpoint verwenden</translation>
    </message>
    <message>
        <source>Was the folder copied without hidden files, or is it still being written?</source>
        <translation>Wurde der Ordner ohne versteckte Dateien kopiert, oder wird er noch geschrieben?</translation>
    </message>
    <message>
        <source>The file %1 cannot be read</source>
        <translation>Die Datei %1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>A file of this Megatron checkpoint cannot be read</source>
        <translation>Eine Datei dieses Megatron-Checkpoints ist nicht lesbar</translation>
    </message>
    <message>
        <source>A file of this Megatron checkpoint is missing</source>
        <translation>Eine Datei dieses Megatron-Checkpoints fehlt</translation>
    </message>
    <message>
        <source>The files are from different saves</source>
        <translation>Die Dateien stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>Some elements of a weight are not in any rank's file</source>
        <translation>Einige Elemente eines Gewichts sind in keiner Datei eines Ranks</translation>
    </message>
    <message>
        <source>The parameters' names and shapes are missing</source>
        <translation>Namen und Shapes der Parameter fehlen</translation>
    </message>
    <message>
        <source>The flat partitions are shown as stored</source>
        <translation>Die flachen Partitionen sind gezeigt wie gespeichert</translation>
    </message>
    <message>
        <source>%1 was saved by %2</source>
        <translation>%1 wurde von %2 gespeichert</translation>
    </message>
    <message>
        <source>The file is left over from another save and is not used</source>
        <translation>Die Datei ist von einem anderen Speicherstand übrig und wird nicht verwendet</translation>
    </message>
    <message>
        <source>The optimizer state of rank %1 is missing</source>
        <translation>Der Optimizer-Zustand von Rank %1 fehlt</translation>
    </message>
    <message>
        <source>More ranks' files are missing than are listed</source>
        <translation>Es fehlen mehr Dateien von Ranks, als aufgezählt sind</translation>
    </message>
    <message>
        <source>Copy them from where the checkpoint was saved</source>
        <translation>Vom Ort kopieren, an dem der Checkpoint gespeichert wurde</translation>
    </message>
    <message>
        <source>The optimizer's step count does not match the model states</source>
        <translation>Die Schrittzahl des Optimizers passt nicht zu den Modellzuständen</translation>
    </message>
    <message>
        <source>This is normal if training was resumed from weights only; otherwise the files are from different saves</source>
        <translation>Das ist normal, wenn das Training nur mit Gewichten fortgesetzt wurde; sonst stammen die Dateien aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>The ranks' optimizer states are from different saves</source>
        <translation>Die Optimizer-Zustände der Ranks stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>The pipeline stages have different copies of a weight that they share: here and in %1</source>
        <translation>Die Pipeline-Stufen haben verschiedene Kopien eines gemeinsamen Gewichts: hier und in %1</translation>
    </message>
    <message>
        <source>Copy the files of all stages from the same save</source>
        <translation>Kopieren Sie die Dateien aller Stufen aus demselben Speicherstand</translation>
    </message>
    <message>
        <source>DeepSpeed writes latest after all ranks have saved; this save may be incomplete</source>
        <translation>DeepSpeed schreibt latest, nachdem alle Ranks gespeichert haben; dieser Speicherstand ist vielleicht unvollständig</translation>
    </message>
    <message>
        <source>There is a newer file of the same rank</source>
        <translation>Es gibt eine neuere Datei desselben Ranks</translation>
    </message>
    <message>
        <source>The file has a temporary name; its save did not finish</source>
        <translation>Die Datei hat einen vorläufigen Namen; ihr Speichern wurde nicht fertig</translation>
    </message>
    <message>
        <source>The model-parallel parts are from different saves</source>
        <translation>Die modellparallelen Teile stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>The model states are from a different save than the optimizer states and the folder</source>
        <translation>Die Modellzustände stammen aus einem anderen Speicherstand als die Optimizer-Zustände und der Ordner</translation>
    </message>
    <message>
        <source>The folder's name contains a different step than its files</source>
        <translation>Der Name des Ordners enthält einen anderen Schritt als seine Dateien</translation>
    </message>
    <message>
        <source>Copy the layers' files from where the checkpoint was saved</source>
        <translation>Die Dateien der Layer vom Ort kopieren, an dem der Checkpoint gespeichert wurde</translation>
    </message>
    <message>
        <source>The conversion did not finish; run it again</source>
        <translation>Die Umwandlung wurde nicht fertig; erneut ausführen</translation>
    </message>
    <message>
        <source>A GGML file in a format older than GGUF</source>
        <translation>Eine GGML-Datei in einem Format vor GGUF</translation>
    </message>
    <message>
        <source>Convert it with llama.cpp's convert_llama_ggml_to_gguf.py</source>
        <translation>Mit convert_llama_ggml_to_gguf.py von llama.cpp umwandeln</translation>
    </message>
    <message>
        <source>Not a GGUF file: the magic number is missing</source>
        <translation>Keine GGUF-Datei: Die Kennzahl fehlt</translation>
    </message>
    <message>
        <source>Unsupported GGUF version</source>
        <translation>Nicht unterstützte GGUF-Version</translation>
    </message>
    <message>
        <source>The counts in the header exceed the size of the file</source>
        <translation>Die Anzahlen im Header überschreiten die Größe der Datei</translation>
    </message>
    <message>
        <source>Implausible counts in the header</source>
        <translation>Unglaubwürdige Anzahlen im Header</translation>
    </message>
    <message>
        <source>Duplicate metadata key; the first value is shown</source>
        <translation>Doppelter Metadatenschlüssel; der erste Wert ist gezeigt</translation>
    </message>
    <message>
        <source>The file ends inside its header</source>
        <translation>Die Datei endet in ihrem Header</translation>
    </message>
    <message>
        <source>GGUF tensors have at most four dimensions</source>
        <translation>GGUF-Tensoren haben höchstens vier Dimensionen</translation>
    </message>
    <message>
        <source>GGUF cannot store this tensor's dtype</source>
        <translation>GGUF kann den Dtype dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>Leave out the tensor, cast it, or write a different format</source>
        <translation>Den Tensor auslassen, umwandeln oder ein anderes Format schreiben</translation>
    </message>
    <message>
        <source>GGUF cannot store this tensor's name</source>
        <translation>GGUF kann den Namen dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>Rename the tensor, or write a different format</source>
        <translation>Den Tensor umbenennen oder ein anderes Format schreiben</translation>
    </message>
    <message>
        <source>A file cannot be read: %1</source>
        <translation>Eine Datei ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>A file of this split model is missing</source>
        <translation>Eine Datei dieses geteilten Modells fehlt</translation>
    </message>
    <message>
        <source>The other files of this split model cannot be found</source>
        <translation>Die anderen Dateien dieses geteilten Modells sind nicht zu finden</translation>
    </message>
    <message>
        <source>Copy it from where the model was made</source>
        <translation>Vom Ort kopieren, an dem das Modell erzeugt wurde</translation>
    </message>
    <message>
        <source>part %1 of %2</source>
        <translation>Teil %1 von %2</translation>
    </message>
    <message>
        <source>The file violates its format; see the notices: %1</source>
        <translation>Die Datei verletzt ihr Format; siehe die Hinweise: %1</translation>
    </message>
    <message>
        <source>The file changed since it was opened</source>
        <translation>Die Datei hat sich seit dem Öffnen geändert</translation>
    </message>
    <message>
        <source>A tensor's name is not UTF-8</source>
        <translation>Der Name eines Tensors ist kein UTF-8</translation>
    </message>
    <message>
        <source>A tensor's size overflows</source>
        <translation>Die Größe eines Tensors läuft über</translation>
    </message>
    <message>
        <source>The file ends before the end of this tensor</source>
        <translation>Die Datei endet vor dem Ende dieses Tensors</translation>
    </message>
    <message>
        <source>%1 bytes of data</source>
        <translation>%1 Bytes Daten</translation>
    </message>
    <message>
        <source>Unknown tensor type; its raw bytes are shown</source>
        <translation>Unbekannter Tensortyp; seine rohen Bytes sind gezeigt</translation>
    </message>
    <message>
        <source>Two tensors overlap</source>
        <translation>Zwei Tensoren überlappen</translation>
    </message>
    <message>
        <source>Training cannot resume from %1: %2 (the weights do not need it)</source>
        <translation>Das Training kann nicht ab %1 fortgesetzt werden: %2 (die Gewichte brauchen es nicht)</translation>
    </message>
    <message>
        <source>A file that is needed to resume training is %1</source>
        <translation>Eine zum Fortsetzen des Trainings nötige Datei ist %1</translation>
    </message>
    <message>
        <source>The weights are complete without it; copy it from where the checkpoint was saved</source>
        <translation>Die Gewichte sind ohne sie vollständig; vom Ort kopieren, an dem der Checkpoint gespeichert wurde</translation>
    </message>
    <message>
        <source>No weights in this folder</source>
        <translation>Keine Gewichte in diesem Ordner</translation>
    </message>
    <message>
        <source>Training state that is not shown here</source>
        <translation>Trainingszustand, der hier nicht gezeigt ist</translation>
    </message>
    <message>
        <source>Open that folder separately</source>
        <translation>Diesen Ordner für sich öffnen</translation>
    </message>
    <message>
        <source>The index declares a different size</source>
        <translation>Der Index nennt eine andere Größe</translation>
    </message>
    <message>
        <source>The index does not list this tensor</source>
        <translation>Der Index nennt diesen Tensor nicht</translation>
    </message>
    <message>
        <source>The file's content is used and shown</source>
        <translation>Der Inhalt der Datei gilt und ist gezeigt</translation>
    </message>
    <message>
        <source>The tensor is in a different shard than the index records</source>
        <translation>Der Tensor ist in einem anderen Shard, als der Index nennt</translation>
    </message>
    <message>
        <source>The tensor is not in the shard that the index names</source>
        <translation>Der Tensor ist nicht im Shard, den der Index nennt</translation>
    </message>
    <message>
        <source>%1 tensors of the index are not in any shard</source>
        <translation>%1 Tensoren des Index sind in keinem Shard</translation>
    </message>
    <message>
        <source>Open that file separately</source>
        <translation>Diese Datei für sich öffnen</translation>
    </message>
    <message>
        <source>%1 tensors, according to the index</source>
        <translation>%1 Tensoren laut Index</translation>
    </message>
    <message>
        <source>The shard %1 is missing</source>
        <translation>Der Shard %1 fehlt</translation>
    </message>
    <message>
        <source>A part of this model is missing</source>
        <translation>Ein Teil dieses Modells fehlt</translation>
    </message>
    <message>
        <source>A part of this model has no readable weights</source>
        <translation>Ein Teil dieses Modells hat keine lesbaren Gewichte</translation>
    </message>
    <message>
        <source>Copy it from where the model was saved</source>
        <translation>Vom Ort kopieren, an dem das Modell gespeichert wurde</translation>
    </message>
    <message>
        <source>The folder also contains a save with different weights</source>
        <translation>Der Ordner enthält auch einen Speicherstand mit anderen Gewichten</translation>
    </message>
    <message>
        <source>The shard is left over from another save</source>
        <translation>Der Shard ist von einem anderen Speicherstand übrig</translation>
    </message>
    <message>
        <source>It is not read. %1</source>
        <translation>Er wird nicht gelesen. %1</translation>
    </message>
    <message>
        <source>A second copy of the same weights, which is not read</source>
        <translation>Eine zweite Kopie derselben Gewichte, die nicht gelesen wird</translation>
    </message>
    <message>
        <source>%1, which is read</source>
        <translation>%1, die gelesen wird</translation>
    </message>
    <message>
        <source>An index that is not read names files that are missing</source>
        <translation>Ein nicht gelesener Index nennt fehlende Dateien</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>An adapter in the same folder as a model's weights</source>
        <translation>Ein Adapter im selben Ordner wie die Gewichte eines Modells</translation>
    </message>
    <message>
        <source>The index has no weight_map</source>
        <translation>Der Index hat keine weight_map</translation>
    </message>
    <message>
        <source>The index does not name any files</source>
        <translation>Der Index nennt keine Dateien</translation>
    </message>
    <message>
        <source>The index names a file outside its folder</source>
        <translation>Der Index nennt eine Datei außerhalb seines Ordners</translation>
    </message>
    <message>
        <source>Do not use this checkpoint: converting it would copy unrelated files</source>
        <translation>Diesen Checkpoint nicht verwenden: Umwandeln würde fremde Dateien kopieren</translation>
    </message>
    <message>
        <source>The index lists this tensor twice</source>
        <translation>Der Index nennt diesen Tensor zweimal</translation>
    </message>
    <message>
        <source>The index contradicts itself</source>
        <translation>Der Index widerspricht sich</translation>
    </message>
    <message>
        <source>The index of these shards is missing</source>
        <translation>Der Index dieser Shards fehlt</translation>
    </message>
    <message>
        <source>All existing shards were read</source>
        <translation>Alle vorhandenen Shards wurden gelesen</translation>
    </message>
    <message>
        <source>The archive does not contain weights</source>
        <translation>Das Archiv enthält keine Gewichte</translation>
    </message>
    <message>
        <source>The index does not name any weight files</source>
        <translation>Der Index nennt keine Gewichtsdateien</translation>
    </message>
    <message>
        <source>A shard that the index names is missing</source>
        <translation>Ein im Index genannter Shard fehlt</translation>
    </message>
    <message>
        <source>A shard is missing or cannot be read: %1</source>
        <translation>Ein Shard fehlt oder ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>A Core ML package is not read</source>
        <translation>Ein Core-ML-Paket wird nicht gelesen</translation>
    </message>
    <message>
        <source>A MATLAB file of version 4 is not read</source>
        <translation>Eine MATLAB-Datei der Version 4 wird nicht gelesen</translation>
    </message>
    <message>
        <source>A file compressed with %1 is too large to be decompressed in memory</source>
        <translation>Eine mit %1 komprimierte Datei ist zu groß, um sie im Speicher zu entpacken</translation>
    </message>
    <message>
        <source>A file compressed with %1 that does not contain a checkpoint</source>
        <translation>Eine mit %1 komprimierte Datei, die keinen Checkpoint enthält</translation>
    </message>
    <message>
        <source>A file compressed with LZ4 is not read</source>
        <translation>Eine mit LZ4 komprimierte Datei wird nicht gelesen</translation>
    </message>
    <message>
        <source>A package of AOTInductor that does not store its weights as tensors</source>
        <translation>Ein Paket von AOTInductor, das seine Gewichte nicht als Tensoren speichert</translation>
    </message>
    <message>
        <source>A soft link names an object that cannot be found</source>
        <translation>Ein Soft Link nennt ein Objekt, das nicht gefunden wird</translation>
    </message>
    <message>
        <source>A soft link to a group is shown but not followed</source>
        <translation>Ein Soft Link auf eine Gruppe wird gezeigt, aber nicht verfolgt</translation>
    </message>
    <message>
        <source>An OpenVINO model is not read</source>
        <translation>Ein OpenVINO-Modell wird nicht gelesen</translation>
    </message>
    <message>
        <source>An array of joblib begins inside a frame</source>
        <translation>Ein Array von joblib beginnt innerhalb eines Rahmens</translation>
    </message>
    <message>
        <source>An array of joblib follows in the pickle</source>
        <translation>Im Pickle folgt ein Array von joblib</translation>
    </message>
    <message>
        <source>An external link is shown but not followed</source>
        <translation>Ein externer Link wird gezeigt, aber nicht verfolgt</translation>
    </message>
    <message>
        <source>Compressed file (gzip, bzip2, xz, zstd, zlib, lzma)</source>
        <translation>Komprimierte Datei (gzip, bzip2, xz, zstd, zlib, lzma)</translation>
    </message>
    <message>
        <source>Constants that the compiler folded are in the compiled library, which is not read</source>
        <translation>Konstanten, die der Compiler berechnet hat, sind in der übersetzten Bibliothek, die nicht gelesen wird</translation>
    </message>
    <message>
        <source>Decompress it: %1 FILE</source>
        <translation>Entpacken: %1 DATEI</translation>
    </message>
    <message>
        <source>Load it in a safe place, and save it without compression</source>
        <translation>An einem sicheren Ort laden und ohne Kompression speichern</translation>
    </message>
    <message>
        <source>Load it with scipy.io.loadmat, and save it with numpy.savez</source>
        <translation>Mit scipy.io.loadmat laden und mit numpy.savez speichern</translation>
    </message>
    <message>
        <source>Load it with scipy.io.loadmat, and save it with numpy.savez; files of version 7.3 are HDF5, and are read</source>
        <translation>Mit scipy.io.loadmat laden und mit numpy.savez speichern; Dateien der Version 7.3 sind HDF5 und werden gelesen</translation>
    </message>
    <message>
        <source>Open the file that it names</source>
        <translation>Die Datei öffnen, die er nennt</translation>
    </message>
    <message>
        <source>Open the model that it was converted from</source>
        <translation>Das Modell öffnen, aus dem es umgewandelt wurde</translation>
    </message>
    <message>
        <source>Read the array with its own library, and save it as numbers with zstd, gzip, blosc or without a codec</source>
        <translation>Das Array mit seiner eigenen Bibliothek lesen und als Zahlen mit zstd, gzip, blosc oder ohne Codec speichern</translation>
    </message>
    <message>
        <source>Run deepspeed.checkpoint.ds_to_universal on it, and open the result</source>
        <translation>deepspeed.checkpoint.ds_to_universal darauf anwenden und das Ergebnis öffnen</translation>
    </message>
    <message>
        <source>Run lz4 -d FILE NEW</source>
        <translation>lz4 -d DATEI NEU ausführen</translation>
    </message>
    <message>
        <source>Save it again without libver="latest", or run h5repack FILE NEW of the HDF5 that wrote it</source>
        <translation>Ohne libver="latest" neu speichern oder h5repack DATEI NEU der HDF5-Version ausführen, die sie geschrieben hat</translation>
    </message>
    <message>
        <source>Some tensors cannot be read by Cairn</source>
        <translation>Einige Tensoren kann Cairn nicht lesen</translation>
    </message>
    <message>
        <source>Tensor-parallel slices are shown per rank: the save records how they were split in a form that is not supported</source>
        <translation>Tensorparallele Scheiben werden je Rang gezeigt: Wie sie geteilt wurden, ist in einer nicht unterstützten Form gespeichert</translation>
    </message>
    <message>
        <source>The array %1 cannot be read</source>
        <translation>Das Array %1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>The file changed while it was being read</source>
        <translation>Die Datei hat sich während des Lesens geändert</translation>
    </message>
    <message>
        <source>The object has a format version that this HDF5 library does not read</source>
        <translation>Das Objekt hat eine Formatversion, die diese HDF5-Bibliothek nicht liest</translation>
    </message>
    <message>
        <source>The record of a weight is not one tensor</source>
        <translation>Der Eintrag eines Gewichts ist nicht ein einziger Tensor</translation>
    </message>
    <message>
        <source>Unpack the archive with its own program, and save it again without compression</source>
        <translation>Das Archiv mit seinem eigenen Programm entpacken und ohne Kompression neu speichern</translation>
    </message>
    <message>
        <source>Where the filter is installed, run h5repack -f GZIP=1 FILE NEW</source>
        <translation>Wo der Filter installiert ist, h5repack -f GZIP=1 DATEI NEU ausführen</translation>
    </message>
    <message>
        <source>Parts of the file cannot be read, or are stored elsewhere</source>
        <translation>Teile der Datei sind nicht lesbar oder anderswo gespeichert</translation>
    </message>
    <message>
        <source>These elements are shown as raw bytes</source>
        <translation>Diese Elemente sind als rohe Bytes gezeigt</translation>
    </message>
    <message>
        <source>The ranks' tensors cannot be merged: %1%2</source>
        <translation>Die Tensoren der Ranks lassen sich nicht zusammenführen: %1%2</translation>
    </message>
    <message>
        <source>They are shown per rank, as stored</source>
        <translation>Sie sind je Rank gezeigt, wie gespeichert</translation>
    </message>
    <message>
        <source>The tensors are shown per rank, as stored</source>
        <translation>Die Tensoren sind je Rank gezeigt, wie gespeichert</translation>
    </message>
    <message>
        <source>How these ranks were partitioned is not recorded</source>
        <translation>Wie diese Ranks aufgeteilt wurden, ist nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>The folder's name contains a different iteration than its files</source>
        <translation>Der Name des Ordners enthält eine andere Iteration als seine Dateien</translation>
    </message>
    <message>
        <source>Megatron writes the tracker file after all ranks have saved; this save may be incomplete</source>
        <translation>Megatron schreibt die Tracker-Datei, nachdem alle Ranks gespeichert haben; dieser Speicherstand ist vielleicht unvollständig</translation>
    </message>
    <message>
        <source>The save did not finish</source>
        <translation>Das Speichern wurde nicht fertig</translation>
    </message>
    <message>
        <source>Use an older checkpoint</source>
        <translation>Einen älteren Checkpoint verwenden</translation>
    </message>
    <message>
        <source>Parts of the folder could not be read</source>
        <translation>Teile des Ordners waren nicht lesbar</translation>
    </message>
    <message>
        <source>A part is missing</source>
        <translation>Ein Teil fehlt</translation>
    </message>
    <message>
        <source>%1 and others</source>
        <translation>%1 und andere</translation>
    </message>
    <message>
        <source>The tar archive has no end marker; it may be truncated</source>
        <translation>Das tar-Archiv hat keine Endmarke; es ist vielleicht abgeschnitten</translation>
    </message>
    <message>
        <source>A member cannot be read: %1</source>
        <translation>Ein Mitglied ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>A member is not an array</source>
        <translation>Ein Mitglied ist kein Array</translation>
    </message>
    <message>
        <source>No member of the archive is a readable array</source>
        <translation>Kein Mitglied des Archivs ist ein lesbares Array</translation>
    </message>
    <message>
        <source>%1 files like %2</source>
        <translation>%1 Dateien wie %2</translation>
    </message>
    <message>
        <source>The manifest cannot be read: %1</source>
        <translation>Das Manifest ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>The file's length does not match the manifest</source>
        <translation>Die Länge der Datei passt nicht zum Manifest</translation>
    </message>
    <message>
        <source>A file that the manifest names is missing: %1</source>
        <translation>Eine im Manifest genannte Datei fehlt: %1</translation>
    </message>
    <message>
        <source>The manifest does not name this file</source>
        <translation>Das Manifest nennt diese Datei nicht</translation>
    </message>
    <message>
        <source>The folder also contains shards of another step</source>
        <translation>Der Ordner enthält auch Shards eines anderen Schritts</translation>
    </message>
    <message>
        <source>NumPy cannot store this tensor's dtype</source>
        <translation>NumPy kann den Dtype dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>The tree's metadata cannot be read</source>
        <translation>Die Metadaten des Baums sind nicht lesbar</translation>
    </message>
    <message>
        <source>The parts that the processes wrote were not merged</source>
        <translation>Die von den Prozessen geschriebenen Teile wurden nicht zusammengeführt</translation>
    </message>
    <message>
        <source>The save did not finish: the manifest is missing</source>
        <translation>Das Speichern wurde nicht fertig: Das Manifest fehlt</translation>
    </message>
    <message>
        <source>An array of the tree is missing</source>
        <translation>Ein Array des Baums fehlt</translation>
    </message>
    <message>
        <source>The save was interrupted, or files were not copied</source>
        <translation>Das Speichern wurde unterbrochen, oder Dateien wurden nicht kopiert</translation>
    </message>
    <message>
        <source>%1 arrays of the tree are missing</source>
        <translation>%1 Arrays des Baums fehlen</translation>
    </message>
    <message>
        <source>A data file is missing</source>
        <translation>Eine Datendatei fehlt</translation>
    </message>
    <message>
        <source>The file is too large to be read at once</source>
        <translation>Die Datei ist zu groß, um sie auf einmal zu lesen</translation>
    </message>
    <message>
        <source>The name of %1 is the name of an unfinished save</source>
        <translation>Der Name von %1 ist der Name eines unfertigen Speicherstands</translation>
    </message>
    <message>
        <source>The save is still running or was interrupted</source>
        <translation>Das Speichern läuft noch oder wurde unterbrochen</translation>
    </message>
    <message>
        <source>Use an older checkpoint, or wait until the save has finished</source>
        <translation>Einen älteren Checkpoint verwenden oder warten, bis das Speichern fertig ist</translation>
    </message>
    <message>
        <source>Its completion time was not recorded</source>
        <translation>Sein Abschluss wurde nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>The item %1 is missing</source>
        <translation>Der Eintrag %1 fehlt</translation>
    </message>
    <message>
        <source>An item of the checkpoint is missing</source>
        <translation>Ein Eintrag des Checkpoints fehlt</translation>
    </message>
    <message>
        <source>No items in the folder</source>
        <translation>Keine Einträge im Ordner</translation>
    </message>
    <message>
        <source>Tensors that only some ranks have are shown under their ranks' names</source>
        <translation>Tensoren, die nur einige Ranks haben, sind unter den Namen ihrer Ranks gezeigt</translation>
    </message>
    <message>
        <source>No files of ranks</source>
        <translation>Keine Dateien von Ranks</translation>
    </message>
    <message>
        <source>The folder contains several saves; the newest complete one is shown</source>
        <translation>Der Ordner enthält mehrere Speicherstände; der neueste vollständige ist gezeigt</translation>
    </message>
    <message>
        <source>The folder contains several saves, all of them incomplete; the newest is shown</source>
        <translation>Der Ordner enthält mehrere Speicherstände, alle unvollständig; der neueste ist gezeigt</translation>
    </message>
    <message>
        <source>To open another, specify the prefix of its file names: %1</source>
        <translation>Um einen anderen zu öffnen, das Präfix seiner Dateinamen angeben: %1</translation>
    </message>
    <message>
        <source>Files of ranks are missing: %1%2</source>
        <translation>Dateien von Ranks fehlen: %1%2</translation>
    </message>
    <message>
        <source>Save with SHARDED_STATE_DICT or FULL_STATE_DICT instead</source>
        <translation>Stattdessen mit SHARDED_STATE_DICT oder FULL_STATE_DICT speichern</translation>
    </message>
    <message>
        <source>A rank's file is missing</source>
        <translation>Die Datei eines Ranks fehlt</translation>
    </message>
    <message>
        <source>Copy the files of all ranks into this folder</source>
        <translation>Die Dateien aller Ranks in diesen Ordner kopieren</translation>
    </message>
    <message>
        <source>Files of ranks cannot be read</source>
        <translation>Dateien von Ranks sind nicht lesbar</translation>
    </message>
    <message>
        <source>Tensors of ranks cannot be merged</source>
        <translation>Tensoren von Ranks lassen sich nicht zusammenführen</translation>
    </message>
    <message>
        <source>The ranks hold partial sums; only their sum is the tensor</source>
        <translation>Die Ranks halten Teilsummen; erst ihre Summe ist der Tensor</translation>
    </message>
    <message>
        <source>The read extends beyond the decoded elements</source>
        <translation>Das Lesen reicht über die dekodierten Elemente hinaus</translation>
    </message>
    <message>
        <source>Quantised elements can only be read in complete blocks</source>
        <translation>Quantisierte Elemente lassen sich nur in ganzen Blöcken lesen</translation>
    </message>
    <message>
        <source>extent %1</source>
        <translation>Ausdehnung %1</translation>
    </message>
    <message>
        <source>Too few stored blocks for the tensor's shape</source>
        <translation>Zu wenige gespeicherte Blöcke für die Shape des Tensors</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>The slice is outside the tensor</source>
        <translation>Der Ausschnitt liegt außerhalb des Tensors</translation>
    </message>
    <message>
        <source>The slice is too large to be shown</source>
        <translation>Der Ausschnitt ist zu groß, um ihn zu zeigen</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>Unknown digest algorithm</source>
        <translation>Unbekannter Digest-Algorithmus</translation>
    </message>
    <message>
        <source>%1 of %2 elements</source>
        <translation>%1 von %2 Elementen</translation>
    </message>
    <message>
        <source>%1 zeros</source>
        <translation>%1 Nullen</translation>
    </message>
    <message>
        <source>at most this many rows or columns: %1</source>
        <translation>höchstens so viele Zeilen oder Spalten: %1</translation>
    </message>
    <message>
        <source>The tensor is a view that repeats a few stored bytes too many times</source>
        <translation>Der Tensor ist eine Sicht, die wenige gespeicherte Bytes zu oft wiederholt</translation>
    </message>
    <message>
        <source>%1 bytes stored for %2 bytes of elements</source>
        <translation>%1 Bytes gespeichert für %2 Bytes Elemente</translation>
    </message>
    <message>
        <source>Use `cairn-cli show --slice` to see its stored elements</source>
        <translation>Die gespeicherten Elemente zeigt `cairn-cli show --slice`</translation>
    </message>
    <message>
        <source>Cairn requires a little-endian machine</source>
        <translation>Cairn braucht einen Rechner mit Little-Endian-Bytefolge</translation>
    </message>
    <message>
        <source>The filter is nested too deeply</source>
        <translation>Der Filter ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>at most %1 levels</source>
        <translation>höchstens %1 Ebenen</translation>
    </message>
    <message>
        <source>a value</source>
        <translation>ein Wert</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>Unsupported archive version</source>
        <translation>Nicht unterstützte Version des Archivs</translation>
    </message>
    <message>
        <source>A section of the archive declares an implausible size</source>
        <translation>Ein Abschnitt des Archivs nennt eine unglaubwürdige Größe</translation>
    </message>
    <message>
        <source>%1 bytes for %2</source>
        <translation>%1 Bytes für %2</translation>
    </message>
    <message>
        <source>Non-tensor data exceeds the archive's limit</source>
        <translation>Daten außerhalb der Tensoren überschreiten die Grenze des Archivs</translation>
    </message>
    <message>
        <source>Cannot compress</source>
        <translation>Komprimieren ist nicht möglich</translation>
    </message>
    <message>
        <source>The archive is truncated</source>
        <translation>Das Archiv ist abgeschnitten</translation>
    </message>
    <message>
        <source>Not a Cairn archive</source>
        <translation>Kein Cairn-Archiv</translation>
    </message>
    <message>
        <source>The archive's footer is missing: the file is truncated, or data was appended</source>
        <translation>Der Footer des Archivs fehlt: Die Datei ist abgeschnitten, oder es wurden Daten angehängt</translation>
    </message>
    <message>
        <source>Copy the file again</source>
        <translation>Die Datei erneut kopieren</translation>
    </message>
    <message>
        <source>The plain values are located outside the archive</source>
        <translation>Die einfachen Werte liegen außerhalb des Archivs</translation>
    </message>
    <message>
        <source>The index size does not match its location</source>
        <translation>Die Größe des Index passt nicht zu seiner Stelle</translation>
    </message>
    <message>
        <source>A section's length does not match its declared length</source>
        <translation>Die Länge eines Abschnitts passt nicht zu seiner angegebenen Länge</translation>
    </message>
    <message>
        <source>The chunks do not end where the plain values begin</source>
        <translation>Die Chunks enden nicht dort, wo die einfachen Werte beginnen</translation>
    </message>
    <message>
        <source>The index lists too many tensors</source>
        <translation>Der Index nennt zu viele Tensoren</translation>
    </message>
    <message>
        <source>The index's counts exceed its size</source>
        <translation>Die Anzahlen im Index überschreiten seine Größe</translation>
    </message>
    <message>
        <source>The chunk count does not match the tensors</source>
        <translation>Die Anzahl der Chunks passt nicht zu den Tensoren</translation>
    </message>
    <message>
        <source>Trailing bytes after the index</source>
        <translation>Überzählige Bytes nach dem Index</translation>
    </message>
    <message>
        <source>The index is truncated</source>
        <translation>Der Index ist abgeschnitten</translation>
    </message>
    <message>
        <source>Invalid chunk size</source>
        <translation>Ungültige Chunk-Größe</translation>
    </message>
    <message>
        <source>The index lists too many notices</source>
        <translation>Der Index nennt zu viele Hinweise</translation>
    </message>
    <message>
        <source>Unknown packing of a tensor</source>
        <translation>Unbekannte Packung eines Tensors</translation>
    </message>
    <message>
        <source>A tensor has a negative dimension</source>
        <translation>Ein Tensor hat eine negative Dimension</translation>
    </message>
    <message>
        <source>A tensor refers to the data of a missing tensor</source>
        <translation>Ein Tensor verweist auf die Daten eines fehlenden Tensors</translation>
    </message>
    <message>
        <source>A tensor's byte count is not a multiple of its element size</source>
        <translation>Die Byte-Zahl eines Tensors ist kein Vielfaches seiner Elementgröße</translation>
    </message>
    <message>
        <source>A delta does not name its base checkpoint</source>
        <translation>Ein Delta nennt seinen Basis-Checkpoint nicht</translation>
    </message>
    <message>
        <source>A tensor needs more chunks than the archive has</source>
        <translation>Ein Tensor braucht mehr Chunks, als das Archiv hat</translation>
    </message>
    <message>
        <source>A chunk is empty</source>
        <translation>Ein Chunk ist leer</translation>
    </message>
    <message>
        <source>The decompressed data exceeds the expected size</source>
        <translation>Die dekomprimierten Daten überschreiten die erwartete Größe</translation>
    </message>
    <message>
        <source>at most %1 bytes</source>
        <translation>höchstens %1 Bytes</translation>
    </message>
    <message>
        <source>The %1 data is damaged or unsupported</source>
        <translation>Die %1-Daten sind beschädigt oder nicht unterstützt</translation>
    </message>
    <message>
        <source>The %1 data is truncated</source>
        <translation>Die %1-Daten sind abgeschnitten</translation>
    </message>
    <message>
        <source>no frame</source>
        <translation>kein Frame</translation>
    </message>
    <message>
        <source>Cannot initialize decompression</source>
        <translation>Das Dekomprimieren lässt sich nicht vorbereiten</translation>
    </message>
    <message>
        <source>trailing bytes</source>
        <translation>überzählige Bytes</translation>
    </message>
    <message>
        <source>inflate failed</source>
        <translation>inflate ist gescheitert</translation>
    </message>
    <message>
        <source>%1 bytes without a valid header</source>
        <translation>%1 Bytes ohne gültigen Header</translation>
    </message>
    <message>
        <source>decompression failed</source>
        <translation>Dekomprimieren gescheitert</translation>
    </message>
    <message>
        <source>Unknown compression</source>
        <translation>Unbekannte Kompression</translation>
    </message>
    <message>
        <source>The compressed data is truncated</source>
        <translation>Die komprimierten Daten sind abgeschnitten</translation>
    </message>
    <message>
        <source>Decompression exceeds the memory limit</source>
        <translation>Das Dekomprimieren überschreitet die Speichergrenze</translation>
    </message>
    <message>
        <source>The compressed data changed while it was being read</source>
        <translation>Die komprimierten Daten haben sich beim Lesen geändert</translation>
    </message>
    <message>
        <source>The decompressed data exceeds the limit</source>
        <translation>Die dekomprimierten Daten überschreiten die Grenze</translation>
    </message>
    <message>
        <source>more than %1 bytes from %2</source>
        <translation>mehr als %1 Bytes aus %2</translation>
    </message>
    <message>
        <source>Invalid shape</source>
        <translation>Ungültige Shape</translation>
    </message>
    <message>
        <source>The string count does not match the header</source>
        <translation>Die Anzahl der Zeichenketten passt nicht zum Header</translation>
    </message>
    <message>
        <source>The element count does not match the header</source>
        <translation>Die Anzahl der Elemente passt nicht zum Header</translation>
    </message>
    <message>
        <source>The elements are located beyond the end of the file</source>
        <translation>Die Elemente liegen hinter dem Ende der Datei</translation>
    </message>
    <message>
        <source>A chunk is located beyond the end of the file</source>
        <translation>Ein Chunk liegt hinter dem Ende der Datei</translation>
    </message>
    <message>
        <source>A chunk is outside the array</source>
        <translation>Ein Chunk liegt außerhalb des Arrays</translation>
    </message>
    <message>
        <source>Reading the HDF5 index did not finish in time</source>
        <translation>Das Lesen des HDF5-Index wurde nicht rechtzeitig fertig</translation>
    </message>
    <message>
        <source>Unsupported HDF5 filter</source>
        <translation>Nicht unterstützter HDF5-Filter</translation>
    </message>
    <message>
        <source>HDF5 filter %1</source>
        <translation>HDF5-Filter %1</translation>
    </message>
    <message>
        <source>deflate, lzf, shuffle, fletcher32</source>
        <translation>deflate, lzf, shuffle, fletcher32</translation>
    </message>
    <message>
        <source>A chunk is shorter than its checksum</source>
        <translation>Ein Chunk ist kürzer als seine Prüfsumme</translation>
    </message>
    <message>
        <source>Chunk checksum mismatch</source>
        <translation>Die Prüfsumme eines Chunks stimmt nicht</translation>
    </message>
    <message>
        <source>A chunk's size does not match its shape and dtype</source>
        <translation>Die Größe eines Chunks passt nicht zu Shape und Dtype</translation>
    </message>
    <message>
        <source>The HDF5 library cannot read this file</source>
        <translation>Die HDF5-Bibliothek kann diese Datei nicht lesen</translation>
    </message>
    <message>
        <source>it crashed or violated its sandbox: signal %1</source>
        <translation>sie ist abgestürzt oder hat ihre Sandbox verletzt: Signal %1</translation>
    </message>
    <message>
        <source>it made system call %1, which its sandbox forbids</source>
        <translation>sie hat den Systemaufruf %1 gemacht, den ihre Sandbox verbietet</translation>
    </message>
    <message>
        <source>incomplete HDF5 file</source>
        <translation>unvollständige HDF5-Datei</translation>
    </message>
    <message>
        <source>it could not parse the file</source>
        <translation>sie konnte die Datei nicht auswerten</translation>
    </message>
    <message>
        <source>no result within a minute</source>
        <translation>kein Ergebnis innerhalb einer Minute</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>The file has more objects than can be shown</source>
        <translation>Die Datei hat mehr Objekte, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>The program that reads HDF5 files is missing</source>
        <translation>Das Programm, das HDF5-Dateien liest, fehlt</translation>
    </message>
    <message>
        <source>Reinstall Cairn: a file of it is missing</source>
        <translation>Cairn neu installieren: eine Datei davon fehlt</translation>
    </message>
    <message>
        <source>too many open files</source>
        <translation>zu viele offene Dateien</translation>
    </message>
    <message>
        <source>cannot start cairn-hdf5-index</source>
        <translation>cairn-hdf5-index lässt sich nicht starten</translation>
    </message>
    <message>
        <source>The type or the shape cannot be read</source>
        <translation>Typ oder Shape sind nicht lesbar</translation>
    </message>
    <message>
        <source>The location of the elements cannot be read</source>
        <translation>Der Ort der Elemente ist nicht lesbar</translation>
    </message>
    <message>
        <source>The object cannot be opened</source>
        <translation>Das Objekt lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Not all links can be read</source>
        <translation>Nicht alle Links sind lesbar</translation>
    </message>
    <message>
        <source>A chunk's LZF data is damaged</source>
        <translation>Die LZF-Daten eines Chunks sind beschädigt</translation>
    </message>
    <message>
        <source>invalid data at byte %1 of the chunk</source>
        <translation>ungültige Daten bei Byte %1 des Chunks</translation>
    </message>
    <message>
        <source>the document is empty</source>
        <translation>das Dokument ist leer</translation>
    </message>
    <message>
        <source>trailing text after the value</source>
        <translation>überzähliger Text nach dem Wert</translation>
    </message>
    <message>
        <source>The JSON document is nested too deeply</source>
        <translation>Das JSON-Dokument ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>an invalid value</source>
        <translation>ein ungültiger Wert</translation>
    </message>
    <message>
        <source>The JSON document has too many values</source>
        <translation>Das JSON-Dokument hat zu viele Werte</translation>
    </message>
    <message>
        <source>Duplicate key in a JSON object</source>
        <translation>Doppelter Schlüssel in einem JSON-Objekt</translation>
    </message>
    <message>
        <source>Invalid JSON</source>
        <translation>Ungültiges JSON</translation>
    </message>
    <message>
        <source>The JSON document is not UTF-8 text</source>
        <translation>Das JSON-Dokument ist kein UTF-8-Text</translation>
    </message>
    <message>
        <source>The JSON document is too large</source>
        <translation>Das JSON-Dokument ist zu groß</translation>
    </message>
    <message>
        <source>A JSON value has the wrong type</source>
        <translation>Ein JSON-Wert hat den falschen Typ</translation>
    </message>
    <message>
        <source>a boolean</source>
        <translation>ein Wahrheitswert</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>eine Ganzzahl</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>eine Zeichenkette</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>a 64-bit integer</source>
        <translation>eine 64-Bit-Ganzzahl</translation>
    </message>
    <message>
        <source>a non-negative integer</source>
        <translation>eine nicht negative Ganzzahl</translation>
    </message>
    <message>
        <source>The file ends inside a MessagePack value</source>
        <translation>Die Datei endet in einem MessagePack-Wert</translation>
    </message>
    <message>
        <source>A MessagePack container declares more items than the remaining bytes can hold</source>
        <translation>Ein MessagePack-Container nennt mehr Einträge, als die restlichen Bytes enthalten können</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source>at most %1 bytes in total</source>
        <translation>höchstens %1 Bytes insgesamt</translation>
    </message>
    <message>
        <source>The byte 0xc1 is not valid in MessagePack</source>
        <translation>Das Byte 0xc1 ist in MessagePack ungültig</translation>
    </message>
    <message>
        <source>A string in the file is too long</source>
        <translation>Eine Zeichenkette in der Datei ist zu lang</translation>
    </message>
    <message>
        <source>Not a file of an OCDBT store</source>
        <translation>Keine Datei eines OCDBT-Speichers</translation>
    </message>
    <message>
        <source>The length field does not match the data</source>
        <translation>Das Längenfeld passt nicht zu den Daten</translation>
    </message>
    <message>
        <source>Unsupported OCDBT version</source>
        <translation>Nicht unterstützte OCDBT-Version</translation>
    </message>
    <message>
        <source>version %1, compression %2</source>
        <translation>Version %1, Kompression %2</translation>
    </message>
    <message>
        <source>version 0, compression 0 or 1</source>
        <translation>Version 0, Kompression 0 oder 1</translation>
    </message>
    <message>
        <source>Invalid manifest</source>
        <translation>Ungültiges Manifest</translation>
    </message>
    <message>
        <source>kind %1, compression %2</source>
        <translation>Art %1, Kompression %2</translation>
    </message>
    <message>
        <source>a malformed file table</source>
        <translation>eine fehlerhafte Dateitabelle</translation>
    </message>
    <message>
        <source>a malformed version list</source>
        <translation>eine fehlerhafte Versionsliste</translation>
    </message>
    <message>
        <source>The manifest contains no version of its own</source>
        <translation>Das Manifest enthält keine eigene Version</translation>
    </message>
    <message>
        <source>a file that is not in the table</source>
        <translation>eine Datei, die nicht in der Tabelle steht</translation>
    </message>
    <message>
        <source>Invalid B-tree node</source>
        <translation>Ungültiger B-Baum-Knoten</translation>
    </message>
    <message>
        <source>a value of kind %1</source>
        <translation>ein Wert der Art %1</translation>
    </message>
    <message>
        <source>truncated columns</source>
        <translation>abgeschnittene Spalten</translation>
    </message>
    <message>
        <source>keys that are not in ascending order, or too long</source>
        <translation>Schlüssel, die nicht aufsteigend geordnet oder zu lang sind</translation>
    </message>
    <message>
        <source>a truncated value</source>
        <translation>ein abgeschnittener Wert</translation>
    </message>
    <message>
        <source>a child without a file or with a prefix longer than its key</source>
        <translation>ein Kindknoten ohne Datei oder mit einem Präfix, das länger als sein Schlüssel ist</translation>
    </message>
    <message>
        <source>height %1 where %2 was expected</source>
        <translation>Höhe %1, wo %2 erwartet wurde</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source>malformed keys</source>
        <translation>fehlerhafte Schlüssel</translation>
    </message>
    <message>
        <source>The B-tree's key count does not match the manifest</source>
        <translation>Die Anzahl der Schlüssel des B-Baums passt nicht zum Manifest</translation>
    </message>
    <message>
        <source>The numbered manifests are missing</source>
        <translation>Die nummerierten Manifeste fehlen</translation>
    </message>
    <message>
        <source>files such as manifest.0000000000000001</source>
        <translation>Dateien wie manifest.0000000000000001</translation>
    </message>
    <message>
        <source>The B-tree has too many nodes</source>
        <translation>Der B-Baum hat zu viele Knoten</translation>
    </message>
    <message>
        <source>A file of the B-tree is missing</source>
        <translation>Eine Datei des B-Baums fehlt</translation>
    </message>
    <message>
        <source>A B-tree node is referenced twice</source>
        <translation>Auf einen Knoten des B-Baums wird zweimal verwiesen</translation>
    </message>
    <message>
        <source>The file ends before the end of a B-tree node</source>
        <translation>Die Datei endet vor dem Ende eines B-Baum-Knotens</translation>
    </message>
    <message>
        <source>A B-tree node is too large</source>
        <translation>Ein B-Baum-Knoten ist zu groß</translation>
    </message>
    <message>
        <source>The store has too many keys</source>
        <translation>Der Speicher hat zu viele Schlüssel</translation>
    </message>
    <message>
        <source>The B-tree keys are not in ascending order</source>
        <translation>Die Schlüssel des B-Baums sind nicht aufsteigend geordnet</translation>
    </message>
    <message>
        <source>The pickle's containers have too many values</source>
        <translation>Die Container des Pickles haben zu viele Werte</translation>
    </message>
    <message>
        <source>A member of a set is not hashable</source>
        <translation>Ein Element einer Menge ist nicht hashbar</translation>
    </message>
    <message>
        <source>Items are added to an object that is not a container</source>
        <translation>Einträge werden einem Objekt hinzugefügt, das kein Container ist</translation>
    </message>
    <message>
        <source>A dictionary key has no value</source>
        <translation>Ein Schlüssel eines Dictionarys hat keinen Wert</translation>
    </message>
    <message>
        <source>A dictionary key is not hashable</source>
        <translation>Ein Schlüssel eines Dictionarys ist nicht hashbar</translation>
    </message>
    <message>
        <source>Keys and values are added to an object that is not a dictionary</source>
        <translation>Schlüssel und Werte werden einem Objekt hinzugefügt, das kein Dictionary ist</translation>
    </message>
    <message>
        <source>The size of an inline joblib array cannot be computed</source>
        <translation>Die Größe eines eingebetteten joblib-Arrays lässt sich nicht berechnen</translation>
    </message>
    <message>
        <source>Arrays of objects are nested too deeply</source>
        <translation>Arrays von Objekten sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>A memo index is not an integer</source>
        <translation>Ein Memo-Index ist keine Ganzzahl</translation>
    </message>
    <message>
        <source>Invalid integer</source>
        <translation>Ungültige Ganzzahl</translation>
    </message>
    <message>
        <source>An integer has more than 4300 digits</source>
        <translation>Eine Ganzzahl hat mehr als 4300 Ziffern</translation>
    </message>
    <message>
        <source>Invalid number</source>
        <translation>Ungültige Zahl</translation>
    </message>
    <message>
        <source>A string is not quoted as in Python</source>
        <translation>Eine Zeichenkette steht nicht wie in Python in Anführungszeichen</translation>
    </message>
    <message>
        <source>A string contains an invalid escape sequence</source>
        <translation>Eine Zeichenkette enthält eine ungültige Escape-Sequenz</translation>
    </message>
    <message>
        <source>An extension code is not positive</source>
        <translation>Ein Erweiterungscode ist nicht positiv</translation>
    </message>
    <message>
        <source>copyreg extension</source>
        <translation>copyreg-Erweiterung</translation>
    </message>
    <message>
        <source>The pickle is empty</source>
        <translation>Das Pickle ist leer</translation>
    </message>
    <message>
        <source>The pickle is larger than 1 TiB</source>
        <translation>Das Pickle ist größer als 1 TiB</translation>
    </message>
    <message>
        <source>Out of memory while reading this pickle</source>
        <translation>Der Arbeitsspeicher reicht nicht, um dieses Pickle zu lesen</translation>
    </message>
    <message>
        <source>Invalid pickle opcode</source>
        <translation>Ungültiger Pickle-Opcode</translation>
    </message>
    <message>
        <source>A string is not valid UTF-8</source>
        <translation>Eine Zeichenkette ist kein gültiges UTF-8</translation>
    </message>
    <message>
        <source>An integer has a negative size</source>
        <translation>Eine Ganzzahl hat eine negative Größe</translation>
    </message>
    <message>
        <source>A string has a negative length</source>
        <translation>Eine Zeichenkette hat eine negative Länge</translation>
    </message>
    <message>
        <source>The pickle protocol is newer than 5</source>
        <translation>Das Pickle-Protokoll ist neuer als 5</translation>
    </message>
    <message>
        <source>The pickle refers to too many names</source>
        <translation>Das Pickle verweist auf zu viele Namen</translation>
    </message>
    <message>
        <source>BUILD is applied to a value that is not an object</source>
        <translation>BUILD wird auf einen Wert angewendet, der kein Objekt ist</translation>
    </message>
    <message>
        <source>A value is called that is neither a class nor a function</source>
        <translation>Es wird ein Wert aufgerufen, der weder Klasse noch Funktion ist</translation>
    </message>
    <message>
        <source>The arguments of a call are not a tuple</source>
        <translation>Die Argumente eines Aufrufs sind kein Tupel</translation>
    </message>
    <message>
        <source>The name of a global is not a string</source>
        <translation>Der Name eines Globals ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>An opcode extends beyond its frame</source>
        <translation>Ein Opcode reicht über seinen Frame hinaus</translation>
    </message>
    <message>
        <source>The pickle ends without a STOP opcode</source>
        <translation>Das Pickle endet ohne STOP-Opcode</translation>
    </message>
    <message>
        <source>The pickle is truncated inside an opcode</source>
        <translation>Das Pickle ist in einem Opcode abgeschnitten</translation>
    </message>
    <message>
        <source>An opcode pops more values than the stack has</source>
        <translation>Ein Opcode nimmt mehr Werte vom Stapel, als dieser hat</translation>
    </message>
    <message>
        <source>An opcode needs a mark, but the stack has none</source>
        <translation>Ein Opcode braucht eine Marke, aber der Stapel hat keine</translation>
    </message>
    <message>
        <source>The pickle's stack is too large</source>
        <translation>Der Stapel des Pickles ist zu groß</translation>
    </message>
    <message>
        <source>The pickle has too many values</source>
        <translation>Das Pickle hat zu viele Werte</translation>
    </message>
    <message>
        <source>A memo entry is read before it is stored</source>
        <translation>Ein Memo-Eintrag wird gelesen, bevor er gespeichert ist</translation>
    </message>
    <message>
        <source>A frame begins inside another frame</source>
        <translation>Ein Frame beginnt in einem anderen Frame</translation>
    </message>
    <message>
        <source>A frame is longer than the pickle</source>
        <translation>Ein Frame ist länger als das Pickle</translation>
    </message>
    <message>
        <source>The class or name %1 is unknown to Cairn</source>
        <translation>Die Klasse oder den Namen %1 kennt Cairn nicht</translation>
    </message>
    <message>
        <source>Python would call %1</source>
        <translation>Python würde %1 aufrufen</translation>
    </message>
    <message>
        <source>Python would call an object that the pickle computes</source>
        <translation>Python würde ein Objekt aufrufen, das das Pickle berechnet</translation>
    </message>
    <message>
        <source>An instance is created of a class that is only named by a persistent id</source>
        <translation>Es wird eine Instanz einer Klasse erzeugt, die nur eine persistente ID nennt</translation>
    </message>
    <message>
        <source>An instance is created of a class that the pickle computes</source>
        <translation>Es wird eine Instanz einer Klasse erzeugt, die das Pickle berechnet</translation>
    </message>
    <message>
        <source>Python would run the codec %1</source>
        <translation>Python würde den Codec %1 ausführen</translation>
    </message>
    <message>
        <source>A state replaces the instance's attribute %1</source>
        <translation>Ein Zustand ersetzt das Attribut %1 der Instanz</translation>
    </message>
    <message>
        <source> (offset %1)</source>
        <translation> (Offset %1)</translation>
    </message>
    <message>
        <source>An opcode extends beyond its frame%1</source>
        <translation>Ein Opcode reicht über seinen Frame hinaus%1</translation>
    </message>
    <message>
        <source>A frame begins inside another frame%1</source>
        <translation>Ein Frame beginnt in einem anderen Frame%1</translation>
    </message>
    <message>
        <source>A frame is longer than the pickle%1</source>
        <translation>Ein Frame ist länger als das Pickle%1</translation>
    </message>
    <message>
        <source>The pickle modifies a class or function%1</source>
        <translation>Das Pickle verändert eine Klasse oder Funktion%1</translation>
    </message>
    <message>
        <source>The name of a global is computed%1</source>
        <translation>Der Name eines Globals wird berechnet%1</translation>
    </message>
    <message>
        <source>Whether Python would stop here depends on its version%1</source>
        <translation>Ob Python hier anhalten würde, hängt von seiner Version ab%1</translation>
    </message>
    <message>
        <source>A byte string inside the pickle is too large to be examined</source>
        <translation>Eine Byte-Zeichenkette im Pickle ist zu groß, um sie zu untersuchen</translation>
    </message>
    <message>
        <source>Python would load a nested pickle that this one computes</source>
        <translation>Python würde ein verschachteltes Pickle laden, das dieses berechnet</translation>
    </message>
    <message>
        <source>Pickles are nested too deeply inside each other</source>
        <translation>Pickles sind zu tief ineinander verschachtelt</translation>
    </message>
    <message>
        <source>%1 (offset %2)</source>
        <translation>%1 (Offset %2)</translation>
    </message>
    <message>
        <source>Too many possible pickles after the first one</source>
        <translation>Zu viele mögliche Pickles nach dem ersten</translation>
    </message>
    <message>
        <source>Cannot initialize compression</source>
        <translation>Das Komprimieren lässt sich nicht vorbereiten</translation>
    </message>
    <message>
        <source>A byte plane has the wrong length</source>
        <translation>Eine Byte-Ebene hat die falsche Länge</translation>
    </message>
    <message>
        <source>A packed chunk is shorter than its header</source>
        <translation>Ein gepackter Chunk ist kürzer als sein Header</translation>
    </message>
    <message>
        <source>Unknown packing of a byte plane</source>
        <translation>Unbekannte Packung einer Byte-Ebene</translation>
    </message>
    <message>
        <source>A byte plane extends beyond its chunk</source>
        <translation>Eine Byte-Ebene reicht über ihren Chunk hinaus</translation>
    </message>
    <message>
        <source>Trailing bytes after a packed chunk</source>
        <translation>Überzählige Bytes nach einem gepackten Chunk</translation>
    </message>
    <message>
        <source>The snappy data is damaged</source>
        <translation>Die snappy-Daten sind beschädigt</translation>
    </message>
    <message>
        <source>The snappy data declares an implausible size</source>
        <translation>Die snappy-Daten nennen eine unglaubwürdige Größe</translation>
    </message>
    <message>
        <source>%1 bytes from %2</source>
        <translation>%1 Bytes aus %2</translation>
    </message>
    <message>
        <source>A block is outside the table</source>
        <translation>Ein Block liegt außerhalb der Tabelle</translation>
    </message>
    <message>
        <source>A block is too large</source>
        <translation>Ein Block ist zu groß</translation>
    </message>
    <message>
        <source>CRC-32C mismatch in a block of the table</source>
        <translation>CRC-32C eines Blocks der Tabelle stimmt nicht</translation>
    </message>
    <message>
        <source>CRC-32C %1</source>
        <translation>CRC-32C %1</translation>
    </message>
    <message>
        <source>Unknown compression of a block</source>
        <translation>Unbekannte Kompression eines Blocks</translation>
    </message>
    <message>
        <source>type %1</source>
        <translation>Typ %1</translation>
    </message>
    <message>
        <source>0 (none) or 1 (snappy)</source>
        <translation>0 (keine) oder 1 (snappy)</translation>
    </message>
    <message>
        <source>too short for its restart points</source>
        <translation>zu kurz für seine Neustartpunkte</translation>
    </message>
    <message>
        <source>%1 restart points</source>
        <translation>%1 Neustartpunkte</translation>
    </message>
    <message>
        <source>keys that are not in ascending order</source>
        <translation>Schlüssel, die nicht aufsteigend geordnet sind</translation>
    </message>
    <message>
        <source>an entry that extends beyond the block</source>
        <translation>ein Eintrag, der über den Block hinausreicht</translation>
    </message>
    <message>
        <source>The table's keys exceed the size of the table</source>
        <translation>Die Schlüssel der Tabelle überschreiten die Größe der Tabelle</translation>
    </message>
    <message>
        <source>A block of the table is damaged</source>
        <translation>Ein Block der Tabelle ist beschädigt</translation>
    </message>
    <message>
        <source>The table is too short for its footer</source>
        <translation>Die Tabelle ist zu kurz für ihren Footer</translation>
    </message>
    <message>
        <source>The table's magic number is missing at the end of the file</source>
        <translation>Die Kennzahl der Tabelle am Ende der Datei fehlt</translation>
    </message>
    <message>
        <source>It may be truncated; copy it again</source>
        <translation>Sie ist vielleicht abgeschnitten; erneut kopieren</translation>
    </message>
    <message>
        <source>The table's footer is damaged</source>
        <translation>Der Footer der Tabelle ist beschädigt</translation>
    </message>
    <message>
        <source>The table's index is damaged</source>
        <translation>Der Index der Tabelle ist beschädigt</translation>
    </message>
    <message>
        <source>a block that does not follow the one before it</source>
        <translation>ein Block, der nicht auf den vorherigen folgt</translation>
    </message>
    <message>
        <source>Invalid header in the tar archive</source>
        <translation>Ungültiger Header im tar-Archiv</translation>
    </message>
    <message>
        <source>a checksum mismatch</source>
        <translation>eine falsche Prüfsumme</translation>
    </message>
    <message>
        <source>a size that is not a number</source>
        <translation>eine Größe, die keine Zahl ist</translation>
    </message>
    <message>
        <source>A member of the tar archive extends beyond its end</source>
        <translation>Ein Mitglied des tar-Archivs reicht über dessen Ende hinaus</translation>
    </message>
    <message>
        <source>A name in the tar archive is too long</source>
        <translation>Ein Name im tar-Archiv ist zu lang</translation>
    </message>
    <message>
        <source>malformed pax records</source>
        <translation>fehlerhafte pax-Einträge</translation>
    </message>
    <message>
        <source>Sparse members of tar archives are not supported</source>
        <translation>Dünn besetzte Mitglieder von tar-Archiven werden nicht unterstützt</translation>
    </message>
    <message>
        <source>The tar archive has too many members</source>
        <translation>Das tar-Archiv hat zu viele Mitglieder</translation>
    </message>
    <message>
        <source>%1 extents for %2 dimensions</source>
        <translation>%1 Ausdehnungen für %2 Dimensionen</translation>
    </message>
    <message>
        <source>Invalid array metadata</source>
        <translation>Ungültige Metadaten des Arrays</translation>
    </message>
    <message>
        <source>Unsupported array storage</source>
        <translation>Nicht unterstützte Speicherung des Arrays</translation>
    </message>
    <message>
        <source>The array's metadata is too long</source>
        <translation>Die Metadaten des Arrays sind zu lang</translation>
    </message>
    <message>
        <source>structured elements</source>
        <translation>strukturierte Elemente</translation>
    </message>
    <message>
        <source>a list of filters</source>
        <translation>eine Liste von Filtern</translation>
    </message>
    <message>
        <source>a transpose codec that does not reverse all dimensions</source>
        <translation>ein transpose-Codec, der nicht alle Dimensionen umkehrt</translation>
    </message>
    <message>
        <source>no codec that converts the array to bytes</source>
        <translation>kein Codec, der das Array in Bytes umwandelt</translation>
    </message>
    <message>
        <source>%1 extents</source>
        <translation>%1 Ausdehnungen</translation>
    </message>
    <message>
        <source>inner chunks that do not tile the outer chunk</source>
        <translation>innere Chunks, die den äußeren Chunk nicht genau abdecken</translation>
    </message>
    <message>
        <source>more than bytes and crc32c</source>
        <translation>mehr als bytes und crc32c</translation>
    </message>
    <message>
        <source>nested shards</source>
        <translation>verschachtelte Shards</translation>
    </message>
    <message>
        <source>a transpose codec around shards</source>
        <translation>ein transpose-Codec um Shards</translation>
    </message>
    <message>
        <source>a list of transformers</source>
        <translation>eine Liste von Transformationen</translation>
    </message>
    <message>
        <source>A shard has too many chunks</source>
        <translation>Ein Shard hat zu viele Chunks</translation>
    </message>
    <message>
        <source>A shard is shorter than its index</source>
        <translation>Ein Shard ist kürzer als sein Index</translation>
    </message>
    <message>
        <source>A shard's index refers to data beyond the shard</source>
        <translation>Der Index eines Shards verweist auf Daten hinter dem Shard</translation>
    </message>
    <message>
        <source>A chunk exceeds the size of its elements</source>
        <translation>Ein Chunk überschreitet die Größe seiner Elemente</translation>
    </message>
    <message>
        <source>A chunk has too few elements</source>
        <translation>Ein Chunk hat zu wenige Elemente</translation>
    </message>
    <message>
        <source>The read extends beyond the chunk</source>
        <translation>Das Lesen reicht über den Chunk hinaus</translation>
    </message>
    <message>
        <source>The file ends before the end of a chunk</source>
        <translation>Die Datei endet vor dem Ende eines Chunks</translation>
    </message>
    <message>
        <source>at least %1 bytes</source>
        <translation>mindestens %1 Bytes</translation>
    </message>
    <message>
        <source>The compressed data ends too early</source>
        <translation>Die komprimierten Daten enden zu früh</translation>
    </message>
    <message>
        <source>The entry contains more data than it declares</source>
        <translation>Der Eintrag enthält mehr Daten, als er angibt</translation>
    </message>
    <message>
        <source>CRC-32 mismatch in the entry</source>
        <translation>CRC-32 des Eintrags stimmt nicht</translation>
    </message>
    <message>
        <source>The entry's compressed data is damaged</source>
        <translation>Die komprimierten Daten des Eintrags sind beschädigt</translation>
    </message>
    <message>
        <source>The entry's local header contradicts the archive's directory</source>
        <translation>Der lokale Header des Eintrags widerspricht dem Verzeichnis des Archivs</translation>
    </message>
    <message>
        <source>Readers that use one and readers that use the other see different contents; do not use this archive</source>
        <translation>Programme, die den einen, und solche, die das andere verwenden, sehen Verschiedenes; dieses Archiv nicht verwenden</translation>
    </message>
    <message>
        <source>a different name</source>
        <translation>ein anderer Name</translation>
    </message>
    <message>
        <source>a different compression method</source>
        <translation>eine andere Kompressionsmethode</translation>
    </message>
    <message>
        <source>a different encryption flag</source>
        <translation>eine andere Kennzeichnung der Verschlüsselung</translation>
    </message>
    <message>
        <source>a different size</source>
        <translation>eine andere Größe</translation>
    </message>
    <message>
        <source>a different CRC-32</source>
        <translation>eine andere CRC-32</translation>
    </message>
    <message>
        <source>The archive entry is encrypted</source>
        <translation>Der Archiveintrag ist verschlüsselt</translation>
    </message>
    <message>
        <source>Decrypt the archive first</source>
        <translation>Zuerst das Archiv entschlüsseln</translation>
    </message>
    <message>
        <source>No entry at the offset that the directory records</source>
        <translation>Kein Eintrag an der Stelle, die das Verzeichnis nennt</translation>
    </message>
    <message>
        <source>the bytes PK\3\4</source>
        <translation>die Bytes PK\3\4</translation>
    </message>
    <message>
        <source>The entry's local header has a different name than the directory</source>
        <translation>Der lokale Header des Eintrags hat einen anderen Namen als das Verzeichnis</translation>
    </message>
    <message>
        <source>The entry's data overlaps the next entry</source>
        <translation>Die Daten des Eintrags überlappen den nächsten Eintrag</translation>
    </message>
    <message>
        <source>an end at or before %1</source>
        <translation>ein Ende bei oder vor %1</translation>
    </message>
    <message>
        <source>Unsupported compression of the entry</source>
        <translation>Nicht unterstützte Kompression des Eintrags</translation>
    </message>
    <message>
        <source>method %1</source>
        <translation>Methode %1</translation>
    </message>
    <message>
        <source>stored (0) or deflated (8)</source>
        <translation>unkomprimiert (0) oder deflate (8)</translation>
    </message>
    <message>
        <source>Repack the archive without compression</source>
        <translation>Das Archiv ohne Kompression neu packen</translation>
    </message>
    <message>
        <source>A stored entry has different compressed and uncompressed sizes</source>
        <translation>Ein unkomprimierter Eintrag hat verschiedene komprimierte und unkomprimierte Größen</translation>
    </message>
    <message>
        <source>The entry declares more data than its compressed bytes can contain</source>
        <translation>Der Eintrag gibt mehr Daten an, als seine komprimierten Bytes enthalten können</translation>
    </message>
    <message>
        <source>The entry is too large to be read at once</source>
        <translation>Der Eintrag ist zu groß, um ihn auf einmal zu lesen</translation>
    </message>
    <message>
        <source>The archive's directory does not contain the declared number of entries</source>
        <translation>Das Verzeichnis des Archivs enthält nicht die angegebene Anzahl von Einträgen</translation>
    </message>
    <message>
        <source>The archive's directory is damaged</source>
        <translation>Das Verzeichnis des Archivs ist beschädigt</translation>
    </message>
    <message>
        <source>entry %1 that extends beyond the directory or does not start with PK\1\2</source>
        <translation>Eintrag %1, der über das Verzeichnis hinausreicht oder nicht mit PK\1\2 beginnt</translation>
    </message>
    <message>
        <source>The archive entry has two names</source>
        <translation>Der Archiveintrag hat zwei Namen</translation>
    </message>
    <message>
        <source>The archive entry has two zip64 fields</source>
        <translation>Der Archiveintrag hat zwei zip64-Felder</translation>
    </message>
    <message>
        <source>The entry's zip64 field is too short</source>
        <translation>Das zip64-Feld des Eintrags ist zu kurz</translation>
    </message>
    <message>
        <source>An archive entry is outside the archive</source>
        <translation>Ein Archiveintrag liegt außerhalb des Archivs</translation>
    </message>
    <message>
        <source>The file is damaged or mixed from two files; copy it again</source>
        <translation>Die Datei ist beschädigt oder aus zwei Dateien gemischt; erneut kopieren</translation>
    </message>
    <message>
        <source>An archive entry has an invalid name</source>
        <translation>Ein Archiveintrag hat einen ungültigen Namen</translation>
    </message>
    <message>
        <source>an empty name</source>
        <translation>ein leerer Name</translation>
    </message>
    <message>
        <source>a zero byte in the name</source>
        <translation>ein Null-Byte im Namen</translation>
    </message>
    <message>
        <source>An archive entry is encrypted</source>
        <translation>Ein Archiveintrag ist verschlüsselt</translation>
    </message>
    <message>
        <source>Unsupported compression of an archive entry</source>
        <translation>Nicht unterstützte Kompression eines Archiveintrags</translation>
    </message>
    <message>
        <source>Two archive entries overlap</source>
        <translation>Zwei Archiveinträge überlappen</translation>
    </message>
    <message>
        <source>The archive has bytes before its first entry</source>
        <translation>Das Archiv hat Bytes vor seinem ersten Eintrag</translation>
    </message>
    <message>
        <source>Other readers may interpret this file differently</source>
        <translation>Andere Programme lesen diese Datei vielleicht anders</translation>
    </message>
    <message>
        <source>Two archive entries have the same name</source>
        <translation>Zwei Archiveinträge haben denselben Namen</translation>
    </message>
    <message>
        <source>Readers that use the first and readers that use the last one see different contents; do not use this archive</source>
        <translation>Programme, die den ersten, und solche, die den letzten verwenden, sehen Verschiedenes; dieses Archiv nicht verwenden</translation>
    </message>
    <message>
        <source>The archive has no end record</source>
        <translation>Das Archiv hat keinen Endeintrag</translation>
    </message>
    <message>
        <source>the bytes PK\5\6 within the last 65557</source>
        <translation>die Bytes PK\5\6 innerhalb der letzten 65557</translation>
    </message>
    <message>
        <source>The file is truncated or still being written; compare its size with the original</source>
        <translation>Die Datei ist abgeschnitten oder wird noch geschrieben; ihre Größe mit dem Original vergleichen</translation>
    </message>
    <message>
        <source>The archive's comment is truncated</source>
        <translation>Der Kommentar des Archivs ist abgeschnitten</translation>
    </message>
    <message>
        <source>%1 bytes in total</source>
        <translation>%1 Bytes insgesamt</translation>
    </message>
    <message>
        <source>Trailing bytes after the archive</source>
        <translation>Überzählige Bytes nach dem Archiv</translation>
    </message>
    <message>
        <source>The archive's zip64 end record is missing</source>
        <translation>Der zip64-Endeintrag des Archivs fehlt</translation>
    </message>
    <message>
        <source>The archive's zip64 end record is not before its locator</source>
        <translation>Der zip64-Endeintrag des Archivs steht nicht vor seinem Locator</translation>
    </message>
    <message>
        <source>The zip64 locator does not point to the zip64 end record</source>
        <translation>Der zip64-Locator zeigt nicht auf den zip64-Endeintrag</translation>
    </message>
    <message>
        <source>The two end records contradict each other</source>
        <translation>Die beiden Endeinträge widersprechen sich</translation>
    </message>
    <message>
        <source>The archive's directory is outside the archive</source>
        <translation>Das Verzeichnis des Archivs liegt außerhalb des Archivs</translation>
    </message>
    <message>
        <source>an end at %1</source>
        <translation>ein Ende bei %1</translation>
    </message>
    <message>
        <source>The archive's directory is not at the offset in its end record</source>
        <translation>Das Verzeichnis des Archivs liegt nicht an der Stelle, die sein Endeintrag nennt</translation>
    </message>
    <message>
        <source>%1 bytes too many</source>
        <translation>%1 Bytes zu viel</translation>
    </message>
    <message>
        <source>Bytes were inserted before or into the archive</source>
        <translation>Vor oder in das Archiv wurden Bytes eingefügt</translation>
    </message>
    <message>
        <source>The archive's directory is too large</source>
        <translation>Das Verzeichnis des Archivs ist zu groß</translation>
    </message>
    <message>
        <source>The archive declares more entries than its directory can contain</source>
        <translation>Das Archiv gibt mehr Einträge an, als sein Verzeichnis enthalten kann</translation>
    </message>
    <message>
        <source>%1 entries in %2 bytes</source>
        <translation>%1 Einträge in %2 Bytes</translation>
    </message>
    <message>
        <source>Not a complete archive, but one volume of a multi-volume archive</source>
        <translation>Kein vollständiges Archiv, sondern ein Band eines mehrteiligen Archivs</translation>
    </message>
    <message>
        <source>Join the volumes first</source>
        <translation>Zuerst die Bände zusammenfügen</translation>
    </message>
    <message>
        <source>Invalid name for a ZIP entry</source>
        <translation>Ungültiger Name für einen ZIP-Eintrag</translation>
    </message>
    <message>
        <source>bytes that are not UTF-8</source>
        <translation>Bytes, die kein UTF-8 sind</translation>
    </message>
    <message>
        <source>the same name twice</source>
        <translation>zweimal derselbe Name</translation>
    </message>
    <message>
        <source>The alignment must be a power of two up to 32768</source>
        <translation>Die Ausrichtung muss eine Zweierpotenz bis 32768 sein</translation>
    </message>
    <message>
        <source>The archive would be too large</source>
        <translation>Das Archiv würde zu groß</translation>
    </message>
    <message>
        <source>The zstd data is damaged or unsupported</source>
        <translation>Die zstd-Daten sind beschädigt oder nicht unterstützt</translation>
    </message>
    <message>
        <source>The zstd data contains fewer bytes than declared</source>
        <translation>Die zstd-Daten enthalten weniger Bytes als angegeben</translation>
    </message>
    <message>
        <source>The zstd data contains more bytes than declared</source>
        <translation>Die zstd-Daten enthalten mehr Bytes als angegeben</translation>
    </message>
    <message>
        <source>The decompressed zstd data exceeds the limit</source>
        <translation>Die dekomprimierten zstd-Daten überschreiten die Grenze</translation>
    </message>
    <message>
        <source>Not zstd data</source>
        <translation>Keine zstd-Daten</translation>
    </message>
    <message>
        <source>the bytes 28 b5 2f fd</source>
        <translation>die Bytes 28 b5 2f fd</translation>
    </message>
    <message>
        <source>The zstd data exceeds the size limit</source>
        <translation>Die zstd-Daten überschreiten die Größengrenze</translation>
    </message>
    <message>
        <source>the kernels read elements in place</source>
        <translation>die Kernel lesen Elemente an ihrem Ort</translation>
    </message>
    <message>
        <source>as requested</source>
        <translation>wie verlangt</translation>
    </message>
    <message>
        <source>complex matrices are not supported</source>
        <translation>komplexe Matrizen werden nicht unterstützt</translation>
    </message>
    <message>
        <source>the matrix has non-finite elements</source>
        <translation>die Matrix hat nicht endliche Elemente</translation>
    </message>
    <message>
        <source>a matrix without columns</source>
        <translation>eine Matrix ohne Spalten</translation>
    </message>
    <message>
        <source>a matrix without rows</source>
        <translation>eine Matrix ohne Zeilen</translation>
    </message>
    <message>
        <source>a matrix without elements</source>
        <translation>eine Matrix ohne Elemente</translation>
    </message>
    <message>
        <source>both sides must add the same number of rows</source>
        <translation>beide Seiten müssen gleich viele Zeilen hinzufügen</translation>
    </message>
    <message>
        <source>complex numbers can only be compared with complex numbers</source>
        <translation>komplexe Zahlen lassen sich nur mit komplexen Zahlen vergleichen</translation>
    </message>
    <message>
        <source>can't allocate memory</source>
        <translation>kein Speicher zu bekommen</translation>
    </message>
    <message>
        <source>libtorch threw a non-standard exception</source>
        <translation>libtorch hat eine Ausnahme geworfen, die keine gewöhnliche ist</translation>
    </message>
    <message>
        <source>The device %1 cannot be used</source>
        <translation>Das Gerät %1 lässt sich nicht verwenden</translation>
    </message>
    <message>
        <source>Elements could not be cast</source>
        <translation>Elemente ließen sich nicht umwandeln</translation>
    </message>
    <message>
        <source>Elements could not be dequantised</source>
        <translation>Elemente ließen sich nicht dequantisieren</translation>
    </message>
    <message>
        <source>Elements could not be averaged</source>
        <translation>Elemente ließen sich nicht mitteln</translation>
    </message>
    <message>
        <source>Elements could not be measured</source>
        <translation>Elemente ließen sich nicht messen</translation>
    </message>
    <message>
        <source>Elements could not be compared</source>
        <translation>Elemente ließen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>libtorch %1</source>
        <translation>libtorch %1</translation>
    </message>
    <message>
        <source>No device %1</source>
        <translation>Kein Gerät %1</translation>
    </message>
    <message>
        <source>%1 with %2 CUDA devices</source>
        <translation>%1 mit %2 CUDA-Geräten</translation>
    </message>
    <message>
        <source>cuda:0 to cuda:%1</source>
        <translation>cuda:0 bis cuda:%1</translation>
    </message>
    <message>
        <source>Use --device cpu or auto; CUDA requires a module that was built with a CUDA-enabled libtorch, and the NVIDIA driver</source>
        <translation>--device cpu oder auto verwenden; CUDA braucht ein Modul, das mit einem libtorch mit CUDA gebaut wurde, und den NVIDIA-Treiber</translation>
    </message>
    <message>
        <source>Unknown device</source>
        <translation>Unbekanntes Gerät</translation>
    </message>
    <message>
        <source>auto, cpu or cuda:0</source>
        <translation>auto, cpu oder cuda:0</translation>
    </message>
    <message>
        <source>Use --device cpu, or free memory on the device</source>
        <translation>--device cpu verwenden oder Speicher auf dem Gerät freigeben</translation>
    </message>
    <message>
        <source>Use --device cpu</source>
        <translation>--device cpu verwenden</translation>
    </message>
    <message>
        <source>The similarity cannot be computed</source>
        <translation>Die Ähnlichkeit lässt sich nicht berechnen</translation>
    </message>
    <message>
        <source>interface %1</source>
        <translation>Schnittstelle %1</translation>
    </message>
    <message>
        <source>The expression is invalid</source>
        <translation>Der Ausdruck ist ungültig</translation>
    </message>
    <message>
        <source>The expression is nested too deeply</source>
        <translation>Der Ausdruck ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>The config lacks a field</source>
        <translation>Der Konfiguration fehlt ein Feld</translation>
    </message>
    <message>
        <source>A number computed from the config is too large</source>
        <translation>Eine aus der Konfiguration berechnete Zahl ist zu groß</translation>
    </message>
    <message>
        <source>A number of the config does not divide another</source>
        <translation>Eine Zahl der Konfiguration teilt eine andere nicht</translation>
    </message>
    <message>
        <source>The operator is unknown</source>
        <translation>Der Operator ist unbekannt</translation>
    </message>
    <message>
        <source>--family names one of these; --names keep leaves the names as they are</source>
        <translation>--family nennt eine davon; --names keep lässt die Namen, wie sie sind</translation>
    </message>
    <message>
        <source>--names keep writes the tensors under the framework's own names</source>
        <translation>--names keep schreibt die Tensoren unter den eigenen Namen des Frameworks</translation>
    </message>
    <message>
        <source>the family</source>
        <translation>die Familie</translation>
    </message>
    <message>
        <source>The checkpoint does not contain the model's settings, which its conversion needs</source>
        <translation>Der Checkpoint enthält die Einstellungen des Modells nicht, die seine Umwandlung braucht</translation>
    </message>
    <message>
        <source>--like FOLDER takes the config from a Hugging Face folder; --names keep leaves the names as they are</source>
        <translation>--like FOLDER nimmt die Konfiguration aus einem Hugging-Face-Ordner; --names keep lässt die Namen, wie sie sind</translation>
    </message>
    <message>
        <source>No rule is known for a tensor of this model</source>
        <translation>Für einen Tensor dieses Modells ist keine Regel bekannt</translation>
    </message>
    <message>
        <source>--names keep leaves the names as they are; --family names another family</source>
        <translation>--names keep lässt die Namen, wie sie sind; --family nennt eine andere Familie</translation>
    </message>
    <message>
        <source>The norms are stored less 1 (apply_layernorm_1p), which is not converted</source>
        <translation>Die Norms sind um 1 vermindert gespeichert (apply_layernorm_1p), was nicht umgewandelt wird</translation>
    </message>
    <message>
        <source>Rotary embeddings are interleaved (rotary_interleaved), which is not converted</source>
        <translation>Rotary Embeddings sind verschränkt (rotary_interleaved), was nicht umgewandelt wird</translation>
    </message>
    <message>
        <source>The positions are not encoded by rotary embeddings, as this family requires</source>
        <translation>Die Positionen sind nicht durch Rotary Embeddings kodiert, wie es diese Familie verlangt</translation>
    </message>
    <message>
        <source>The positions are not encoded by learned embeddings, as this family requires</source>
        <translation>Die Positionen sind nicht durch gelernte Embeddings kodiert, wie es diese Familie verlangt</translation>
    </message>
    <message>
        <source>The feed-forward layers have no gate, which this family requires</source>
        <translation>Die Feed-Forward-Layer haben kein Gate, das diese Familie verlangt</translation>
    </message>
    <message>
        <source>The feed-forward layers have a gate, which GPT-2 has not</source>
        <translation>Die Feed-Forward-Layer haben ein Gate, das GPT-2 nicht hat</translation>
    </message>
    <message>
        <source>The activation is not SiLU, which this family requires</source>
        <translation>Die Aktivierung ist nicht SiLU, wie es diese Familie verlangt</translation>
    </message>
    <message>
        <source>Heads share keys and values, which GPT-2 does not support</source>
        <translation>Heads teilen sich Keys und Values, was GPT-2 nicht unterstützt</translation>
    </message>
    <message>
        <source>The router's softmax is before the choice of experts, which Mixtral does not support</source>
        <translation>Das Softmax des Routers liegt vor der Wahl der Experten, was Mixtral nicht unterstützt</translation>
    </message>
    <message>
        <source>The router's scores are not those of a sigmoid, which DeepSeek-V3 requires</source>
        <translation>Die Werte des Routers sind nicht die eines Sigmoids, wie es DeepSeek-V3 verlangt</translation>
    </message>
    <message>
        <source>Layers for predicting several tokens are not converted</source>
        <translation>Layer zum Vorhersagen mehrerer Token werden nicht umgewandelt</translation>
    </message>
    <message>
        <source>Experts in Mistral's own files are not converted</source>
        <translation>Experten in Mistrals eigenen Dateien werden nicht umgewandelt</translation>
    </message>
    <message>
        <source>Meta's and torchtitan's names</source>
        <translation>Namen von Meta und torchtitan</translation>
    </message>
    <message>
        <source>The operation is not allowed here</source>
        <translation>Die Operation ist hier nicht erlaubt</translation>
    </message>
    <message>
        <source>Two tensors become one</source>
        <translation>Zwei Tensoren würden zu einem</translation>
    </message>
    <message>
        <source>A tensor is missing that is joined with another</source>
        <translation>Es fehlt ein Tensor, der mit einem anderen verbunden wird</translation>
    </message>
    <message>
        <source>`cairn-cli check` reports whether the checkpoint is complete</source>
        <translation>`cairn-cli check` meldet, ob der Checkpoint vollständig ist</translation>
    </message>
    <message>
        <source>Two tensors get the same name from the conversion</source>
        <translation>Zwei Tensoren bekämen durch die Umwandlung denselben Namen</translation>
    </message>
    <message>
        <source>--names keep leaves the names as they are</source>
        <translation>--names keep lässt die Namen, wie sie sind</translation>
    </message>
    <message>
        <source>The recipe has an unknown operation</source>
        <translation>Das Rezept hat eine unbekannte Operation</translation>
    </message>
    <message>
        <source>The recipe has an invalid name</source>
        <translation>Das Rezept hat einen ungültigen Namen</translation>
    </message>
    <message>
        <source>A rule of the recipe lacks a source or a target</source>
        <translation>Einer Regel des Rezepts fehlt eine Quelle oder ein Ziel</translation>
    </message>
    <message>
        <source>A definition lacks its value</source>
        <translation>Einer Definition fehlt ihr Wert</translation>
    </message>
    <message>
        <source>The tensor has too few dimensions</source>
        <translation>Der Tensor hat zu wenige Dimensionen</translation>
    </message>
    <message>
        <source>a dimension %1</source>
        <translation>eine Dimension %1</translation>
    </message>
    <message>
        <source>The conversion cuts the tensor into too many parts</source>
        <translation>Die Umwandlung zerlegt den Tensor in zu viele Teile</translation>
    </message>
    <message>
        <source>A dimension cannot be divided as the rule requires</source>
        <translation>Eine Dimension lässt sich nicht teilen, wie es die Regel verlangt</translation>
    </message>
    <message>
        <source>%1, dimension %2</source>
        <translation>%1, Dimension %2</translation>
    </message>
    <message>
        <source>The rule takes more than the tensor has</source>
        <translation>Die Regel nimmt mehr, als der Tensor hat</translation>
    </message>
    <message>
        <source>Tensors that are joined have different shapes or dtypes</source>
        <translation>Tensoren, die verbunden werden, haben verschiedene Shapes oder Dtypes</translation>
    </message>
    <message>
        <source>Quantised or packed elements cannot be rearranged within their rows</source>
        <translation>Quantisierte oder gepackte Elemente lassen sich nicht innerhalb ihrer Zeilen umordnen</translation>
    </message>
    <message>
        <source>Keep the names, or write the checkpoint with another --dtype first</source>
        <translation>Die Namen behalten oder den Checkpoint zuerst mit einem anderen --dtype schreiben</translation>
    </message>
    <message>
        <source>The read extends beyond the tensor</source>
        <translation>Das Lesen reicht über den Tensor hinaus</translation>
    </message>
    <message>
        <source>different elements</source>
        <translation>andere Elemente</translation>
    </message>
    <message>
        <source>The earlier checkpoint is not the base of this delta</source>
        <translation>Der frühere Checkpoint ist nicht die Basis dieses Deltas</translation>
    </message>
    <message>
        <source>no tensor with this name</source>
        <translation>kein Tensor dieses Namens</translation>
    </message>
    <message>
        <source>byte planes</source>
        <translation>Byte-Ebenen</translation>
    </message>
    <message>
        <source>No tensor begins at this offset of the archive</source>
        <translation>An dieser Stelle des Archivs beginnt kein Tensor</translation>
    </message>
    <message>
        <source>The base checkpoint of this delta is above the archive's folder</source>
        <translation>Der Basis-Checkpoint dieses Deltas liegt über dem Ordner des Archivs</translation>
    </message>
    <message>
        <source>Move the archive beside or above the base checkpoint</source>
        <translation>Das Archiv neben oder über den Basis-Checkpoint verschieben</translation>
    </message>
    <message>
        <source>a size that does not overflow</source>
        <translation>eine Größe, die nicht überläuft</translation>
    </message>
    <message>
        <source>A tensor shares the data of a tensor with a different shape</source>
        <translation>Ein Tensor teilt die Daten eines Tensors mit anderer Shape</translation>
    </message>
    <message>
        <source>Too many deltas are chained</source>
        <translation>Zu viele Deltas sind verkettet</translation>
    </message>
    <message>
        <source>(fill value)</source>
        <translation>(Füllwert)</translation>
    </message>
    <message>
        <source>A member ends before its items</source>
        <translation>Ein Mitglied endet vor seinen Einträgen</translation>
    </message>
    <message>
        <source>The data of a tensor is not in this file</source>
        <translation>Die Daten eines Tensors sind nicht in dieser Datei</translation>
    </message>
    <message>
        <source>a pickle without an archive</source>
        <translation>ein Pickle ohne Archiv</translation>
    </message>
    <message>
        <source>a storage %1</source>
        <translation>ein Storage %1</translation>
    </message>
    <message>
        <source>archives are nested too deeply</source>
        <translation>Archive sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>%1 is an unsupported compression</source>
        <translation>%1 ist eine nicht unterstützte Kompression</translation>
    </message>
    <message>
        <source>the archive is too large to be decompressed</source>
        <translation>das Archiv ist zu groß, um es zu dekomprimieren</translation>
    </message>
    <message>
        <source>the record is marked as encrypted</source>
        <translation>der Eintrag ist als verschlüsselt markiert</translation>
    </message>
    <message>
        <source>the fields are too large</source>
        <translation>die Felder sind zu groß</translation>
    </message>
    <message>
        <source>The base64 text is truncated</source>
        <translation>Der base64-Text ist abgeschnitten</translation>
    </message>
    <message>
        <source>the link points outside the folder, and a loader would follow it</source>
        <translation>der Link zeigt aus dem Ordner hinaus, und ein Ladeprogramm würde ihm folgen</translation>
    </message>
    <message>
        <source>folders are nested too deeply</source>
        <translation>Ordner sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>not a file or folder</source>
        <translation>weder Datei noch Ordner</translation>
    </message>
    <message>
        <source>the configuration is too large</source>
        <translation>die Konfiguration ist zu groß</translation>
    </message>
    <message>
        <source>more than %1 pickles in one file</source>
        <translation>mehr als %1 Pickles in einer Datei</translation>
    </message>
    <message>
        <source>arrays are embedded between its opcodes, and it is too large for memory</source>
        <translation>zwischen seine Opcodes sind Arrays eingebettet, und es ist zu groß für den Arbeitsspeicher</translation>
    </message>
    <message>
        <source>its decompressed size exceeds the limit</source>
        <translation>seine dekomprimierte Größe überschreitet die Grenze</translation>
    </message>
    <message>
        <source>No record at the offset of the tensor's data</source>
        <translation>Kein Eintrag an der Stelle der Daten des Tensors</translation>
    </message>
    <message>
        <source>The flat range does not belong to this tensor</source>
        <translation>Der flache Bereich gehört nicht zu diesem Tensor</translation>
    </message>
    <message>
        <source>one dimension of %1</source>
        <translation>eine Dimension von %1</translation>
    </message>
    <message>
        <source>A flat range is shorter than its declared content</source>
        <translation>Ein flacher Bereich ist kürzer als sein angegebener Inhalt</translation>
    </message>
    <message>
        <source>elements up to %1</source>
        <translation>Elemente bis %1</translation>
    </message>
    <message>
        <source>Elements smaller than a byte cannot be sliced</source>
        <translation>Elemente, die kleiner als ein Byte sind, lassen sich nicht ausschneiden</translation>
    </message>
    <message>
        <source> elements missing</source>
        <translation> Elemente fehlen</translation>
    </message>
    <message>
        <source> elements stored more than once</source>
        <translation> Elemente mehrfach gespeichert</translation>
    </message>
    <message>
        <source>fewer parts than (shape, dtype, bytes)</source>
        <translation>weniger Teile als (shape, dtype, bytes)</translation>
    </message>
    <message>
        <source>a chunk that extends beyond the array</source>
        <translation>ein Chunk, der über das Array hinausreicht</translation>
    </message>
    <message>
        <source>no shape</source>
        <translation>keine Shape</translation>
    </message>
    <message>
        <source>an extent that is not an integer</source>
        <translation>eine Ausdehnung, die keine Ganzzahl ist</translation>
    </message>
    <message>
        <source>no (shape, dtype, bytes)</source>
        <translation>kein (shape, dtype, bytes)</translation>
    </message>
    <message>
        <source>no dtype</source>
        <translation>kein Dtype</translation>
    </message>
    <message>
        <source>no bytes</source>
        <translation>keine Bytes</translation>
    </message>
    <message>
        <source>no (real, imaginary)</source>
        <translation>kein (real, imaginary)</translation>
    </message>
    <message>
        <source>no shape or no chunks</source>
        <translation>keine Shape oder keine Chunks</translation>
    </message>
    <message>
        <source>shape %1</source>
        <translation>Shape %1</translation>
    </message>
    <message>
        <source>a chunk that is not an array</source>
        <translation>ein Chunk, der kein Array ist</translation>
    </message>
    <message>
        <source>a chunk with a different type, or more elements than the shape has</source>
        <translation>ein Chunk mit anderem Typ oder mit mehr Elementen, als die Shape hat</translation>
    </message>
    <message>
        <source>The file does not contain a tree</source>
        <translation>Die Datei enthält keinen Baum</translation>
    </message>
    <message>
        <source>a map</source>
        <translation>eine Map</translation>
    </message>
    <message>
        <source>Trailing bytes after the tree</source>
        <translation>Überzählige Bytes nach dem Baum</translation>
    </message>
    <message>
        <source>An entry is not a pair of path and leaf</source>
        <translation>Ein Eintrag ist kein Paar aus Pfad und Blatt</translation>
    </message>
    <message>
        <source>A leaf has no path</source>
        <translation>Ein Blatt hat keinen Pfad</translation>
    </message>
    <message>
        <source>A path component is not a string</source>
        <translation>Ein Teil eines Pfads ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>A leaf is not a byte string</source>
        <translation>Ein Blatt ist keine Byte-Zeichenkette</translation>
    </message>
    <message>
        <source>A leaf's length does not match its data</source>
        <translation>Die Länge eines Blatts passt nicht zu seinen Daten</translation>
    </message>
    <message>
        <source>The file contains too much text</source>
        <translation>Die Datei enthält zu viel Text</translation>
    </message>
    <message>
        <source>A map key is not a string</source>
        <translation>Ein Schlüssel einer Map ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>The tree has too many names, or too long ones</source>
        <translation>Der Baum hat zu viele oder zu lange Namen</translation>
    </message>
    <message>
        <source>Unknown MessagePack extension type</source>
        <translation>Unbekannter MessagePack-Erweiterungstyp</translation>
    </message>
    <message>
        <source>Trailing bytes after the array</source>
        <translation>Überzählige Bytes nach dem Array</translation>
    </message>
    <message>
        <source>numpy.load reads only the first array of a file</source>
        <translation>numpy.load liest nur das erste Array einer Datei</translation>
    </message>
    <message>
        <source>`cairn-cli scan` lists what loading it would run</source>
        <translation>`cairn-cli scan` nennt, was das Laden ausführen würde</translation>
    </message>
    <message>
        <source>NumPy does not record the name of this element type; read as bfloat16, the only 2-byte type that is written this way</source>
        <translation>NumPy zeichnet den Namen dieses Elementtyps nicht auf; gelesen als bfloat16, der einzige 2-Byte-Typ, der so geschrieben wird</translation>
    </message>
    <message>
        <source>NumPy did not record the name of this element type (a float8 or a small integer); shown as raw bytes</source>
        <translation>NumPy hat den Namen dieses Elementtyps nicht aufgezeichnet (ein float8 oder eine kleine Ganzzahl); als rohe Bytes gezeigt</translation>
    </message>
    <message>
        <source>A manifest beside the file can specify the dtype</source>
        <translation>Ein Manifest neben der Datei kann den Dtype angeben</translation>
    </message>
    <message>
        <source>Not a NumPy element type</source>
        <translation>Kein NumPy-Elementtyp</translation>
    </message>
    <message>
        <source>The shape of a field is not a list of sizes</source>
        <translation>Die Shape eines Felds ist keine Liste von Größen</translation>
    </message>
    <message>
        <source>A field of the record is not a pair of name and type</source>
        <translation>Ein Feld des Records ist kein Paar aus Name und Typ</translation>
    </message>
    <message>
        <source>An element of the array is too large</source>
        <translation>Ein Element des Arrays ist zu groß</translation>
    </message>
    <message>
        <source>The shape is not a tuple of sizes</source>
        <translation>Die Shape ist kein Tupel von Größen</translation>
    </message>
    <message>
        <source>The element type is neither a string nor a list of fields</source>
        <translation>Der Elementtyp ist weder eine Zeichenkette noch eine Liste von Feldern</translation>
    </message>
    <message>
        <source>at least 10 bytes</source>
        <translation>mindestens 10 Bytes</translation>
    </message>
    <message>
        <source>at least 12 bytes</source>
        <translation>mindestens 12 Bytes</translation>
    </message>
    <message>
        <source>The array's header is implausibly long</source>
        <translation>Der Header des Arrays ist unglaubwürdig lang</translation>
    </message>
    <message>
        <source>The header is not a dict of descr, fortran_order and shape</source>
        <translation>Der Header ist kein Dict aus descr, fortran_order und shape</translation>
    </message>
    <message>
        <source>The string array is too large to be decoded</source>
        <translation>Das Array von Zeichenketten ist zu groß, um es zu dekodieren</translation>
    </message>
    <message>
        <source>An element of the string array is not valid Unicode</source>
        <translation>Ein Element des Arrays von Zeichenketten ist kein gültiges Unicode</translation>
    </message>
    <message>
        <source>code %1</source>
        <translation>Code %1</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 Tensoren</translation>
    </message>
    <message>
        <source>Use .safetensors</source>
        <translation>.safetensors verwenden</translation>
    </message>
    <message>
        <source>Cannot reserve address space for this pickle</source>
        <translation>Für dieses Pickle lässt sich kein Adressraum reservieren</translation>
    </message>
    <message>
        <source>The pickle contains too much text</source>
        <translation>Das Pickle enthält zu viel Text</translation>
    </message>
    <message>
        <source>at most %1 bytes in addition to arrays</source>
        <translation>höchstens %1 Bytes zusätzlich zu Arrays</translation>
    </message>
    <message>
        <source>Pickle protocols before 3 store arrays as text; save it with a later protocol</source>
        <translation>Pickle-Protokolle vor 3 speichern Arrays als Text; mit einem neueren Protokoll speichern</translation>
    </message>
    <message>
        <source>trailing text after the literal</source>
        <translation>überzähliger Text nach dem Literal</translation>
    </message>
    <message>
        <source>The header is not a Python literal</source>
        <translation>Der Header ist kein Python-Literal</translation>
    </message>
    <message>
        <source>its end</source>
        <translation>sein Ende</translation>
    </message>
    <message>
        <source>too many values, or values nested too deeply</source>
        <translation>zu viele Werte oder zu tief verschachtelte Werte</translation>
    </message>
    <message>
        <source>a dict without a comma or an end</source>
        <translation>ein Dict ohne Komma oder ohne Ende</translation>
    </message>
    <message>
        <source>a key without a value</source>
        <translation>ein Schlüssel ohne Wert</translation>
    </message>
    <message>
        <source>values without a comma between them</source>
        <translation>Werte ohne Komma dazwischen</translation>
    </message>
    <message>
        <source>an invalid number</source>
        <translation>eine ungültige Zahl</translation>
    </message>
    <message>
        <source>a number that is not a decimal integer</source>
        <translation>eine Zahl, die keine Dezimalzahl ohne Nachkommastellen ist</translation>
    </message>
    <message>
        <source>an unexpected character</source>
        <translation>ein unerwartetes Zeichen</translation>
    </message>
    <message>
        <source>the word %1</source>
        <translation>das Wort %1</translation>
    </message>
    <message>
        <source>a string that does not end on its line</source>
        <translation>eine Zeichenkette, die nicht in ihrer Zeile endet</translation>
    </message>
    <message>
        <source>an unterminated string</source>
        <translation>eine nicht beendete Zeichenkette</translation>
    </message>
    <message>
        <source>an unknown escape sequence</source>
        <translation>eine unbekannte Escape-Sequenz</translation>
    </message>
    <message>
        <source>__metadata__ is not an object</source>
        <translation>__metadata__ ist kein Objekt</translation>
    </message>
    <message>
        <source>dtype, shape and data_offsets</source>
        <translation>dtype, shape und data_offsets</translation>
    </message>
    <message>
        <source>Duplicate field</source>
        <translation>Doppeltes Feld</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>a begin at or after %1</source>
        <translation>ein Anfang bei oder nach %1</translation>
    </message>
    <message>
        <source>The tensor ends before it begins</source>
        <translation>Der Tensor endet, bevor er beginnt</translation>
    </message>
    <message>
        <source>The elements do not fill complete bytes</source>
        <translation>Die Elemente füllen keine ganzen Bytes</translation>
    </message>
    <message>
        <source>no readable name</source>
        <translation>kein lesbarer Name</translation>
    </message>
    <message>
        <source>the name of a folder beside it</source>
        <translation>der Name eines Ordners daneben</translation>
    </message>
    <message>
        <source>What the file %1 names cannot be opened</source>
        <translation>Was die Datei %1 nennt, lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The file %1 does not name a readable save</source>
        <translation>Die Datei %1 nennt keinen lesbaren Speicherstand</translation>
    </message>
    <message>
        <source>No such folder, and no other save beside it</source>
        <translation>Diesen Ordner gibt es nicht und daneben keinen anderen Speicherstand</translation>
    </message>
    <message>
        <source>The text of tensors exceeds the limit</source>
        <translation>Der Text der Tensoren überschreitet die Grenze</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>("storage", class, key, location, count)</source>
        <translation>("storage", class, key, location, count)</translation>
    </message>
    <message>
        <source>A storage has no key or no element count</source>
        <translation>Ein Storage hat keinen Schlüssel oder keine Elementzahl</translation>
    </message>
    <message>
        <source>The view of a storage does not consist of numbers</source>
        <translation>Die Sicht auf einen Storage besteht nicht aus Zahlen</translation>
    </message>
    <message>
        <source>Keys that are enum members are shown, and written, as text</source>
        <translation>Schlüssel, die Werte einer Enum sind, werden als Text gezeigt und geschrieben</translation>
    </message>
    <message>
        <source>Keys that are objects are named by their positions</source>
        <translation>Schlüssel, die Objekte sind, werden nach ihrer Position benannt</translation>
    </message>
    <message>
        <source>a torch.save file that contains one storage</source>
        <translation>eine torch.save-Datei, die einen Storage enthält</translation>
    </message>
    <message>
        <source>The data of a storage does not begin with torch's magic number</source>
        <translation>Die Daten eines Storage beginnen nicht mit der Kennzahl von torch</translation>
    </message>
    <message>
        <source>The data of a storage does not contain exactly one storage</source>
        <translation>Die Daten eines Storage enthalten nicht genau einen Storage</translation>
    </message>
    <message>
        <source>The data of a storage ends before its elements</source>
        <translation>Die Daten eines Storage enden vor seinen Elementen</translation>
    </message>
    <message>
        <source>The data of a storage is not a byte string</source>
        <translation>Die Daten eines Storage sind keine Byte-Zeichenkette</translation>
    </message>
    <message>
        <source>The shape of a NumPy array is not a list of sizes</source>
        <translation>Die Shape eines NumPy-Arrays ist keine Liste von Größen</translation>
    </message>
    <message>
        <source>A NumPy array's byte count does not match its shape</source>
        <translation>Die Byte-Zahl eines NumPy-Arrays passt nicht zu seiner Shape</translation>
    </message>
    <message>
        <source>The tensors' names exceed the text limit</source>
        <translation>Die Namen der Tensoren überschreiten die Textgrenze</translation>
    </message>
    <message>
        <source>Tensors have more names than can be shown</source>
        <translation>Tensoren haben mehr Namen, als sich zeigen lassen</translation>
    </message>
    <message>
        <source>%1 of shape %2</source>
        <translation>%1 mit Shape %2</translation>
    </message>
    <message>
        <source>The strides of a tensor overflow</source>
        <translation>Die Strides eines Tensors laufen über</translation>
    </message>
    <message>
        <source>shape %1, strides %2</source>
        <translation>Shape %1, Strides %2</translation>
    </message>
    <message>
        <source>Views of packed elements are not supported</source>
        <translation>Sichten auf gepackte Elemente werden nicht unterstützt</translation>
    </message>
    <message>
        <source>%1 with strides %2</source>
        <translation>%1 mit Strides %2</translation>
    </message>
    <message>
        <source>a storage of %1 bytes</source>
        <translation>ein Storage von %1 Bytes</translation>
    </message>
    <message>
        <source>The file contains one rank's part of %1</source>
        <translation>Die Datei enthält den Teil eines Ranks von %1</translation>
    </message>
    <message>
        <source>A sparse tensor has no components</source>
        <translation>Ein dünn besetzter Tensor hat keine Bestandteile</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>A tensor is rebuilt from too few arguments</source>
        <translation>Ein Tensor wird aus zu wenigen Argumenten erzeugt</translation>
    </message>
    <message>
        <source>A tensor has no storage</source>
        <translation>Ein Tensor hat keinen Storage</translation>
    </message>
    <message>
        <source>The storage of a tensor is not a storage</source>
        <translation>Der Storage eines Tensors ist kein Storage</translation>
    </message>
    <message>
        <source>The offset, size or strides of a tensor are not integers</source>
        <translation>Offset, Größe oder Strides eines Tensors sind keine Ganzzahlen</translation>
    </message>
    <message>
        <source>an offset, and as many strides as sizes, at most %1</source>
        <translation>ein Offset und so viele Strides wie Größen, höchstens %1</translation>
    </message>
    <message>
        <source>The size of a tensor overflows</source>
        <translation>Die Größe eines Tensors läuft über</translation>
    </message>
    <message>
        <source>Unknown element type of a tensor</source>
        <translation>Unbekannter Elementtyp eines Tensors</translation>
    </message>
    <message>
        <source>Unknown element type or size of a tensor on the meta device</source>
        <translation>Unbekannter Elementtyp oder unbekannte Größe eines Tensors auf dem Meta-Gerät</translation>
    </message>
    <message>
        <source>The record byteorder contains neither little nor big</source>
        <translation>Der Eintrag byteorder enthält weder little noch big</translation>
    </message>
    <message>
        <source>little or big</source>
        <translation>little oder big</translation>
    </message>
    <message>
        <source>The compressed pickle declares an implausible size</source>
        <translation>Das komprimierte Pickle nennt eine unglaubwürdige Größe</translation>
    </message>
    <message>
        <source>A record is outside the archive's folder</source>
        <translation>Ein Eintrag liegt außerhalb des Ordners des Archivs</translation>
    </message>
    <message>
        <source>a name below %1</source>
        <translation>ein Name unter %1</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source>Unpack the archive: %1 in it is a separate file</source>
        <translation>Das Archiv entpacken: %1 darin ist eine eigene Datei</translation>
    </message>
    <message>
        <source>The archive has no record version</source>
        <translation>Das Archiv hat keinen Eintrag version</translation>
    </message>
    <message>
        <source>torch.load rejects such a file</source>
        <translation>torch.load weist so eine Datei ab</translation>
    </message>
    <message>
        <source>a record %1</source>
        <translation>ein Eintrag %1</translation>
    </message>
    <message>
        <source>Compressed records of a nested archive are not supported</source>
        <translation>Komprimierte Einträge eines verschachtelten Archivs werden nicht unterstützt</translation>
    </message>
    <message>
        <source>The checkpoint has too many arrays or chunks</source>
        <translation>Der Checkpoint hat zu viele Arrays oder Chunks</translation>
    </message>
    <message>
        <source>zarr shard</source>
        <translation>Zarr-Shard</translation>
    </message>
    <message>
        <source>The file ends before the end of this chunk</source>
        <translation>Die Datei endet vor dem Ende dieses Chunks</translation>
    </message>
    <message>
        <source>A chunk is too large to be decoded</source>
        <translation>Ein Chunk ist zu groß, um ihn zu dekodieren</translation>
    </message>
    <message>
        <source>An array has chunks but no metadata</source>
        <translation>Ein Array hat Chunks, aber keine Metadaten</translation>
    </message>
    <message>
        <source>.zarray or zarr.json</source>
        <translation>.zarray oder zarr.json</translation>
    </message>
    <message>
        <source>The chunks have a different number of dimensions than the array</source>
        <translation>Die Chunks haben eine andere Anzahl von Dimensionen als das Array</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>%1 Chunks</translation>
    </message>
    <message>
        <source>A file ends before the end of a chunk</source>
        <translation>Eine Datei endet vor dem Ende eines Chunks</translation>
    </message>
    <message>
        <source>Such a shard cannot contain two chunks of one tensor, or the shard and .metadata are from different saves</source>
        <translation>So ein Shard kann nicht zwei Chunks eines Tensors enthalten, oder der Shard und .metadata stammen aus verschiedenen Speicherständen</translation>
    </message>
    <message>
        <source>no item with this name in the shard</source>
        <translation>kein Eintrag dieses Namens im Shard</translation>
    </message>
    <message>
        <source>a chunk at %1</source>
        <translation>ein Chunk bei %1</translation>
    </message>
    <message>
        <source>1 to %1 in total</source>
        <translation>insgesamt 1 bis %1</translation>
    </message>
    <message>
        <source>A distributed checkpoint cannot store an entry with this name</source>
        <translation>Ein verteilter Checkpoint kann keinen Eintrag dieses Namens speichern</translation>
    </message>
    <message>
        <source>The plain values contain too many shared references to be written</source>
        <translation>Die einfachen Werte enthalten zu viele gemeinsame Verweise, um sie zu schreiben</translation>
    </message>
    <message>
        <source>more than %1 values</source>
        <translation>mehr als %1 Werte</translation>
    </message>
    <message>
        <source>Write a .pt file, or only the tensors</source>
        <translation>Eine .pt-Datei oder nur die Tensoren schreiben</translation>
    </message>
    <message>
        <source>a pickle of a different object</source>
        <translation>ein Pickle eines anderen Objekts</translation>
    </message>
    <message>
        <source>an object of class %1</source>
        <translation>ein Objekt der Klasse %1</translation>
    </message>
    <message>
        <source>torch.distributed.checkpoint.metadata.Metadata with a dict of tensors</source>
        <translation>torch.distributed.checkpoint.metadata.Metadata mit einem Dict von Tensoren</translation>
    </message>
    <message>
        <source>storage_data is not a dict</source>
        <translation>storage_data ist kein Dict</translation>
    </message>
    <message>
        <source>An entry's name is not a string, or too long</source>
        <translation>Der Name eines Eintrags ist keine Zeichenkette oder zu lang</translation>
    </message>
    <message>
        <source>The entry is neither a tensor with a size nor a byte string</source>
        <translation>Der Eintrag ist weder ein Tensor mit einer Größe noch eine Byte-Zeichenkette</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>Tensors share one chunk list</source>
        <translation>Tensoren teilen sich eine Chunk-Liste</translation>
    </message>
    <message>
        <source>A chunk's position in the tensor cannot be read</source>
        <translation>Der Ort eines Chunks im Tensor ist nicht lesbar</translation>
    </message>
    <message>
        <source>offsets %1</source>
        <translation>Offsets %1</translation>
    </message>
    <message>
        <source>A chunk's storage location cannot be read</source>
        <translation>Der Speicherort eines Chunks ist nicht lesbar</translation>
    </message>
    <message>
        <source>Items are stored with an unknown transform</source>
        <translation>Einträge sind mit einer unbekannten Transformation gespeichert</translation>
    </message>
    <message>
        <source>The archive's byte order is neither little nor big</source>
        <translation>Die Byte-Reihenfolge des Archivs ist weder little noch big</translation>
    </message>
    <message>
        <source>The item's archive has no data.pkl</source>
        <translation>Das Archiv des Eintrags hat kein data.pkl</translation>
    </message>
    <message>
        <source>The item's strides are invalid</source>
        <translation>Die Strides des Eintrags sind ungültig</translation>
    </message>
    <message>
        <source>one plain tensor, as in the index</source>
        <translation>ein einfacher Tensor, wie im Index</translation>
    </message>
    <message>
        <source>The item is not one plain tensor</source>
        <translation>Der Eintrag ist kein einfacher Tensor</translation>
    </message>
    <message>
        <source>torch._utils._rebuild_tensor_v2 or _v3</source>
        <translation>torch._utils._rebuild_tensor_v2 oder _v3</translation>
    </message>
    <message>
        <source>The item's archive has no record of its elements</source>
        <translation>Das Archiv des Eintrags enthält seine Elemente nicht</translation>
    </message>
    <message>
        <source>No stored tensor at the offset that the index records</source>
        <translation>Kein gespeicherter Tensor an der Stelle, die der Index nennt</translation>
    </message>
    <message>
        <source>a torch.save archive, which begins with PK\3\4</source>
        <translation>ein torch.save-Archiv, das mit PK\3\4 beginnt</translation>
    </message>
    <message>
        <source>The item is stored with an unknown transform</source>
        <translation>Der Eintrag ist mit einer unbekannten Transformation gespeichert</translation>
    </message>
    <message>
        <source>unreadable record</source>
        <translation>nicht lesbarer Eintrag</translation>
    </message>
    <message>
        <source>The record of a tensor's elements is missing</source>
        <translation>Der Eintrag mit den Elementen eines Tensors fehlt</translation>
    </message>
    <message>
        <source>no data/%1</source>
        <translation>kein data/%1</translation>
    </message>
    <message>
        <source>The value is nested too deeply</source>
        <translation>Der Wert ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>decoded array</source>
        <translation>dekodiertes Array</translation>
    </message>
    <message>
        <source>The value is stored with an unknown transform</source>
        <translation>Der Wert ist mit einer unbekannten Transformation gespeichert</translation>
    </message>
    <message>
        <source>Write only the tensors</source>
        <translation>Nur die Tensoren schreiben</translation>
    </message>
    <message>
        <source>%n of its items</source>
        <translation>%n seiner Einträge</translation>
    </message>
    <message>
        <source>%n tensor is</source>
        <translation>%n Tensor ist</translation>
    </message>
    <message>
        <source>%n tensors are</source>
        <translation>%n Tensoren sind</translation>
    </message>
    <message>
        <source>every element of %1 in one chunk</source>
        <translation>jedes Element von %1 in einem Chunk</translation>
    </message>
    <message>
        <source>the index is damaged; see the notices</source>
        <translation>der Index ist beschädigt; siehe die Hinweise</translation>
    </message>
    <message>
        <source>%1 .distcp files%2</source>
        <translation>%1 .distcp-Dateien%2</translation>
    </message>
    <message>
        <source> and .metadata.tmp</source>
        <translation> und .metadata.tmp</translation>
    </message>
    <message>
        <source>.metadata, which is written last</source>
        <translation>.metadata, das zuletzt geschrieben wird</translation>
    </message>
    <message>
        <source>a JSON object with sharded_backend, which megatron-core requires</source>
        <translation>ein JSON-Objekt mit sharded_backend, das megatron-core verlangt</translation>
    </message>
    <message>
        <source>the file beside .metadata; megatron-core requires it</source>
        <translation>die Datei neben .metadata; megatron-core verlangt sie</translation>
    </message>
    <message>
        <source>Shards may belong to that save instead of to the index</source>
        <translation>Shards gehören vielleicht zu jenem Speicherstand statt zum Index</translation>
    </message>
    <message>
        <source>The tensors' sizes overflow</source>
        <translation>Die Größen der Tensoren laufen über</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>Optimizer-Schritt</translation>
    </message>
    <message>
        <source>chunks of tensors of custom classes cannot be merged</source>
        <translation>Chunks von Tensoren eigener Klassen lassen sich nicht zusammenführen</translation>
    </message>
    <message>
        <source>The tensor is of a custom class and is stored in several chunks</source>
        <translation>Der Tensor gehört zu einer eigenen Klasse und ist in mehreren Chunks gespeichert</translation>
    </message>
    <message>
        <source>plain chunks</source>
        <translation>einfache Chunks</translation>
    </message>
    <message>
        <source>Load it with the library of that class, and save the tensor on one rank or dequantised</source>
        <translation>Mit der Bibliothek dieser Klasse laden und den Tensor auf einem Rank oder dequantisiert speichern</translation>
    </message>
    <message>
        <source>torch.save, flattened</source>
        <translation>torch.save, abgeflacht</translation>
    </message>
    <message>
        <source>Unknown flattened chunk</source>
        <translation>Unbekannter abgeflachter Chunk</translation>
    </message>
    <message>
        <source>Megatron stored tensors in a flattened form; shapes are as stored</source>
        <translation>Megatron hat Tensoren in abgeflachter Form gespeichert; Shapes sind wie gespeichert</translation>
    </message>
    <message>
        <source>%1 of them do not match their original shapes</source>
        <translation>%1 davon passen nicht zu ihren ursprünglichen Shapes</translation>
    </message>
    <message>
        <source>The flat weights' length does not match the sum of their parameters</source>
        <translation>Die Länge der flachen Gewichte passt nicht zur Summe ihrer Parameter</translation>
    </message>
    <message>
        <source>%1 elements in the files of all ranks</source>
        <translation>%1 Elemente in den Dateien aller Ranks</translation>
    </message>
    <message>
        <source>The length of a rank's flat weights does not match its parts of the parameters</source>
        <translation>Die Länge der flachen Gewichte eines Ranks passt nicht zu seinen Teilen der Parameter</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>The shape of a parameter cannot be read</source>
        <translation>Die Shape eines Parameters ist nicht lesbar</translation>
    </message>
    <message>
        <source>the optimizer states were saved by %1</source>
        <translation>die Optimizer-Zustände wurden von %1 gespeichert</translation>
    </message>
    <message>
        <source>there are files of %1</source>
        <translation>es gibt Dateien von %1</translation>
    </message>
    <message>
        <source>saved by %1</source>
        <translation>gespeichert von %1</translation>
    </message>
    <message>
        <source>a rank out of range</source>
        <translation>ein Rank außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>no file with the parameters' names and shapes</source>
        <translation>keine Datei mit Namen und Shapes der Parameter</translation>
    </message>
    <message>
        <source>%1 more, %2</source>
        <translation>%1 weitere, %2</translation>
    </message>
    <message>
        <source> as in the other ranks</source>
        <translation> wie in den anderen Ranks</translation>
    </message>
    <message>
        <source> as in the model states</source>
        <translation> wie in den Modellzuständen</translation>
    </message>
    <message>
        <source>a folder with *_model_states.pt or *_optim_states.pt</source>
        <translation>ein Ordner mit *_model_states.pt oder *_optim_states.pt</translation>
    </message>
    <message>
        <source>%1 of %2 compared weights differ</source>
        <translation>%1 von %2 verglichenen Gewichten weichen ab</translation>
    </message>
    <message>
        <source>the elements of %1</source>
        <translation>die Elemente von %1</translation>
    </message>
    <message>
        <source>Tensor-parallel slices are shown per rank: how they were split is unknown, or they do not match</source>
        <translation>Tensorparallele Ausschnitte sind je Rank gezeigt: Wie sie geteilt wurden, ist unbekannt, oder sie passen nicht zusammen</translation>
    </message>
    <message>
        <source>the experts are distributed over %1 ranks</source>
        <translation>die Experten sind auf %1 Ranks verteilt</translation>
    </message>
    <message>
        <source>%1 has %2 experts</source>
        <translation>%1 hat %2 Experten</translation>
    </message>
    <message>
        <source>the layer</source>
        <translation>der Layer</translation>
    </message>
    <message>
        <source>each layer</source>
        <translation>jeder Layer</translation>
    </message>
    <message>
        <source>the model was saved in %1 model parallel parts</source>
        <translation>das Modell wurde in %1 modellparallelen Teilen gespeichert</translation>
    </message>
    <message>
        <source>%1 in part %2</source>
        <translation>%1 in Teil %2</translation>
    </message>
    <message>
        <source>the optimizer has master weights of this layer</source>
        <translation>der Optimizer hat Master-Gewichte dieses Layers</translation>
    </message>
    <message>
        <source>other slices of this layer have files</source>
        <translation>andere Ausschnitte dieses Layers haben Dateien</translation>
    </message>
    <message>
        <source>A layer's file is missing: no file contains this weight that layers share</source>
        <translation>Die Datei eines Layers fehlt: Keine Datei enthält dieses Gewicht, das sich Layer teilen</translation>
    </message>
    <message>
        <source>A layer's file is missing: the optimizers have more weights than the layers' files</source>
        <translation>Die Datei eines Layers fehlt: Die Optimizer haben mehr Gewichte als die Dateien der Layer</translation>
    </message>
    <message>
        <source>%1 of shape %2 in the optimizers, %3 in the files of layers</source>
        <translation>%1 mit Shape %2 in den Optimizern, %3 in den Dateien der Layer</translation>
    </message>
    <message>
        <source>A parameter's folder does not contain a complete tensor</source>
        <translation>Der Ordner eines Parameters enthält keinen vollständigen Tensor</translation>
    </message>
    <message>
        <source>the file, which every conversion writes</source>
        <translation>die Datei, die jede Umwandlung schreibt</translation>
    </message>
    <message>
        <source>param_shapes lists the parameter</source>
        <translation>param_shapes nennt den Parameter</translation>
    </message>
    <message>
        <source>bfloat16 as float32</source>
        <translation>bfloat16 als float32</translation>
    </message>
    <message>
        <source>float16 as float32</source>
        <translation>float16 als float32</translation>
    </message>
    <message>
        <source>It is unknown which parameters the fp32 master weights belong to; they are shown by their position in the file, and the model's weights are the 16-bit ones</source>
        <translation>Es ist unbekannt, zu welchen Parametern die fp32-Master-Gewichte gehören; sie sind nach ihrer Position in der Datei gezeigt, und die Gewichte des Modells sind die mit 16 Bit</translation>
    </message>
    <message>
        <source>flat master weights that do not round to them in the module's order</source>
        <translation>flache Master-Gewichte, die in der Reihenfolge des Moduls nicht zu ihnen runden</translation>
    </message>
    <message>
        <source>%1 master weights that round to several of them, or to none</source>
        <translation>%1 Master-Gewichte, die zu mehreren davon oder zu keinem runden</translation>
    </message>
    <message>
        <source>Array files beside the file are missing</source>
        <translation>Array-Dateien neben der Datei fehlen</translation>
    </message>
    <message>
        <source>Copy the folder from where the checkpoint was saved</source>
        <translation>Den Ordner vom Ort kopieren, an dem der Checkpoint gespeichert wurde</translation>
    </message>
    <message>
        <source>The file does not record the number of leaves</source>
        <translation>Die Datei hält die Anzahl der Blätter nicht fest</translation>
    </message>
    <message>
        <source>Flax MessagePack (JAX)</source>
        <translation>Flax MessagePack (JAX)</translation>
    </message>
    <message>
        <source>Cannot open this path without its folder</source>
        <translation>Dieser Pfad lässt sich ohne seinen Ordner nicht öffnen</translation>
    </message>
    <message>
        <source>The alignment is not a power of two</source>
        <translation>Die Ausrichtung ist keine Zweierpotenz</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>A metadata key is not UTF-8</source>
        <translation>Ein Metadatenschlüssel ist kein UTF-8</translation>
    </message>
    <message>
        <source>A string in the header is too long</source>
        <translation>Eine Zeichenkette im Header ist zu lang</translation>
    </message>
    <message>
        <source>%1 bytes; ggml allows 1 to %2</source>
        <translation>%1 Bytes; ggml erlaubt 1 bis %2</translation>
    </message>
    <message>
        <source>A GGUF split has at most 65535 files</source>
        <translation>Ein geteiltes GGUF-Modell hat höchstens 65535 Dateien</translation>
    </message>
    <message>
        <source>Use larger files</source>
        <translation>Größere Dateien verwenden</translation>
    </message>
    <message>
        <source>type of a metadata value</source>
        <translation>Typ eines Metadatenwerts</translation>
    </message>
    <message>
        <source>Unknown type of a metadata value</source>
        <translation>Unbekannter Typ eines Metadatenwerts</translation>
    </message>
    <message>
        <source>length of an array</source>
        <translation>Länge eines Arrays</translation>
    </message>
    <message>
        <source>A metadata array is longer than the file</source>
        <translation>Ein Metadaten-Array ist länger als die Datei</translation>
    </message>
    <message>
        <source>length of a string</source>
        <translation>Länge einer Zeichenkette</translation>
    </message>
    <message>
        <source>Metadata arrays are nested too deeply</source>
        <translation>Metadaten-Arrays sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>metadata key</source>
        <translation>Metadatenschlüssel</translation>
    </message>
    <message>
        <source>metadata value</source>
        <translation>Metadatenwert</translation>
    </message>
    <message>
        <source>Metadata can only be read sequentially</source>
        <translation>Metadaten lassen sich nur der Reihe nach lesen</translation>
    </message>
    <message>
        <source>GGUF (llama.cpp)</source>
        <translation>GGUF (llama.cpp)</translation>
    </message>
    <message>
        <source>The folder does not contain parts of a split model</source>
        <translation>Der Ordner enthält keine Teile eines geteilten Modells</translation>
    </message>
    <message>
        <source>The file belongs to a different model or save</source>
        <translation>Die Datei gehört zu einem anderen Modell oder Speicherstand</translation>
    </message>
    <message>
        <source>The file is one of %1, and its name does not follow the pattern of a split model</source>
        <translation>Die Datei ist eine von %1, und ihr Name folgt nicht dem Muster eines geteilten Modells</translation>
    </message>
    <message>
        <source>a name such as model-00001-of-00003.gguf</source>
        <translation>ein Name wie model-00001-of-00003.gguf</translation>
    </message>
    <message>
        <source>The part number in the file does not match its name</source>
        <translation>Die Teilnummer in der Datei passt nicht zu ihrem Namen</translation>
    </message>
    <message>
        <source>The part number in a file does not match its name: %1</source>
        <translation>Die Teilnummer in einer Datei passt nicht zu ihrem Namen: %1</translation>
    </message>
    <message>
        <source>The files' tensor count does not match the first file</source>
        <translation>Die Anzahl der Tensoren in den Dateien passt nicht zur ersten Datei</translation>
    </message>
    <message>
        <source>tensor name</source>
        <translation>Tensorname</translation>
    </message>
    <message>
        <source>tensor info</source>
        <translation>Tensorangaben</translation>
    </message>
    <message>
        <source>A tensor has too many dimensions</source>
        <translation>Ein Tensor hat zu viele Dimensionen</translation>
    </message>
    <message>
        <source>at most 4</source>
        <translation>höchstens 4</translation>
    </message>
    <message>
        <source>A quantised tensor's rows are not complete blocks</source>
        <translation>Die Zeilen eines quantisierten Tensors sind keine ganzen Blöcke</translation>
    </message>
    <message>
        <source>a multiple of %1</source>
        <translation>ein Vielfaches von %1</translation>
    </message>
    <message>
        <source>A tensor has more dimensions than llama.cpp reads</source>
        <translation>Ein Tensor hat mehr Dimensionen, als llama.cpp liest</translation>
    </message>
    <message>
        <source>The tensors are stored with a different alignment than the file states; llama.cpp and gguf read them from the wrong offsets</source>
        <translation>Die Tensoren sind mit einer anderen Ausrichtung gespeichert, als die Datei angibt; llama.cpp und gguf lesen sie an falschen Stellen</translation>
    </message>
    <message>
        <source>data at multiples of %1</source>
        <translation>Daten bei Vielfachen von %1</translation>
    </message>
    <message>
        <source>The tensors are shown from their actual offsets; rewrite the file, for example by consolidating it to GGUF</source>
        <translation>Die Tensoren sind von ihren tatsächlichen Stellen gezeigt; die Datei neu schreiben, zum Beispiel durch Konsolidieren nach GGUF</translation>
    </message>
    <message>
        <source>A tensor is not aligned as the file declares</source>
        <translation>Ein Tensor ist nicht ausgerichtet, wie die Datei angibt</translation>
    </message>
    <message>
        <source>offset %1 and %2 bytes</source>
        <translation>Offset %1 und %2 Bytes</translation>
    </message>
    <message>
        <source>type %1 of shape %2</source>
        <translation>Typ %1 mit Shape %2</translation>
    </message>
    <message>
        <source>the bytes of %1</source>
        <translation>die Bytes von %1</translation>
    </message>
    <message>
        <source>More of its files are %1</source>
        <translation>Weitere ihrer Dateien sind %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>No DeepSpeed save beside it</source>
        <translation>Kein DeepSpeed-Speicherstand daneben</translation>
    </message>
    <message>
        <source>The save with the highest step is used: %1</source>
        <translation>Der Speicherstand mit dem höchsten Schritt wird verwendet: %1</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>er ist nicht lesbar</translation>
    </message>
    <message>
        <source>Weights with duplicate names: shown under %1</source>
        <translation>Gewichte mit doppelten Namen: gezeigt unter %1</translation>
    </message>
    <message>
        <source>Leave them out if they are a copy</source>
        <translation>Auslassen, falls sie eine Kopie sind</translation>
    </message>
    <message>
        <source>Weights that cannot be read, possibly a copy of others</source>
        <translation>Nicht lesbare Gewichte, vielleicht eine Kopie anderer</translation>
    </message>
    <message>
        <source>Weights that are not read and may differ from those that are: another variant</source>
        <translation>Gewichte, die nicht gelesen werden und vielleicht von den gelesenen abweichen: eine andere Variante</translation>
    </message>
    <message>
        <source>Weights that are not read: others with the same names have precedence</source>
        <translation>Gewichte, die nicht gelesen werden: Andere mit denselben Namen haben Vorrang</translation>
    </message>
    <message>
        <source>Weights that are not read: some are duplicates, the others are only in this file</source>
        <translation>Gewichte, die nicht gelesen werden: Einige sind doppelt, die anderen nur in dieser Datei</translation>
    </message>
    <message>
        <source> of a different shape</source>
        <translation> mit anderer Shape</translation>
    </message>
    <message>
        <source> only in it</source>
        <translation> nur darin</translation>
    </message>
    <message>
        <source>The part %1%2</source>
        <translation>Der Teil %1%2</translation>
    </message>
    <message>
        <source> is missing</source>
        <translation> fehlt</translation>
    </message>
    <message>
        <source> has no weights</source>
        <translation> hat keine Gewichte</translation>
    </message>
    <message>
        <source>transformers searches for model.safetensors, model.safetensors.index.json, pytorch_model.bin and pytorch_model.bin.index.json, in this order</source>
        <translation>transformers sucht nach model.safetensors, model.safetensors.index.json, pytorch_model.bin und pytorch_model.bin.index.json, in dieser Reihenfolge</translation>
    </message>
    <message>
        <source>different values</source>
        <translation>andere Werte</translation>
    </message>
    <message>
        <source>those of %1</source>
        <translation>die von %1</translation>
    </message>
    <message>
        <source>Weights that are not read: others in this folder have precedence</source>
        <translation>Gewichte, die nicht gelesen werden: Andere in diesem Ordner haben Vorrang</translation>
    </message>
    <message>
        <source>Move one of the saves away. %1</source>
        <translation>Einen der Speicherstände woandershin verschieben. %1</translation>
    </message>
    <message>
        <source>no difference in %1</source>
        <translation>kein Unterschied in %1</translation>
    </message>
    <message>
        <source>both are read, each under its own names</source>
        <translation>beide werden gelesen, jeder unter eigenen Namen</translation>
    </message>
    <message>
        <source>With PEFT installed, transformers loads the base that adapter_config.json names and adds the adapter to it; without, only the model's weights</source>
        <translation>Mit PEFT lädt transformers die Basis, die adapter_config.json nennt, und fügt ihr den Adapter hinzu; ohne PEFT nur die Gewichte des Modells</translation>
    </message>
    <message>
        <source>an object of tensor names and file names</source>
        <translation>ein Objekt aus Tensornamen und Dateinamen</translation>
    </message>
    <message>
        <source>The index does not name a file for this tensor</source>
        <translation>Der Index nennt für diesen Tensor keine Datei</translation>
    </message>
    <message>
        <source>The index contains a non-canonical file name</source>
        <translation>Der Index enthält einen nicht normalisierten Dateinamen</translation>
    </message>
    <message>
        <source>The index names too many files</source>
        <translation>Der Index nennt zu viele Dateien</translation>
    </message>
    <message>
        <source>hdf5 chunk</source>
        <translation>HDF5-Chunk</translation>
    </message>
    <message>
        <source>hdf5 filters</source>
        <translation>HDF5-Filter</translation>
    </message>
    <message>
        <source>A chunk is too large to be decompressed</source>
        <translation>Ein Chunk ist zu groß, um ihn zu dekomprimieren</translation>
    </message>
    <message>
        <source>The weights in this archive are compressed</source>
        <translation>Die Gewichte in diesem Archiv sind komprimiert</translation>
    </message>
    <message>
        <source>Keras stores them uncompressed; unpack the archive and open model.weights.h5</source>
        <translation>Keras speichert sie unkomprimiert; das Archiv entpacken und model.weights.h5 öffnen</translation>
    </message>
    <message>
        <source>hdf5 strings</source>
        <translation>HDF5-Zeichenketten</translation>
    </message>
    <message>
        <source>an unknown HDF5 type</source>
        <translation>ein unbekannter HDF5-Typ</translation>
    </message>
    <message>
        <source>The elements are in an external file, which is not read</source>
        <translation>Die Elemente sind in einer externen Datei, die nicht gelesen wird</translation>
    </message>
    <message>
        <source>References and variable-length sequences are not supported</source>
        <translation>Verweise und Folgen variabler Länge werden nicht unterstützt</translation>
    </message>
    <message>
        <source>parts with different shapes or dtypes</source>
        <translation>Teile mit verschiedenen Shapes oder Dtypes</translation>
    </message>
    <message>
        <source>rows that are neither one nor two times ffn_hidden_size</source>
        <translation>Zeilen, deren Zahl weder ein- noch zweimal ffn_hidden_size ist</translation>
    </message>
    <message>
        <source>different elements on each rank in a replicated tensor</source>
        <translation>verschiedene Elemente auf jedem Rank in einem replizierten Tensor</translation>
    </message>
    <message>
        <source>a parameter with an unknown partition dimension</source>
        <translation>ein Parameter mit unbekannter Teilungsdimension</translation>
    </message>
    <message>
        <source>one that is missing on some tensor-parallel ranks</source>
        <translation>einer, der auf einigen tensorparallelen Ranks fehlt</translation>
    </message>
    <message>
        <source>different elements in another rank's copy</source>
        <translation>andere Elemente in der Kopie eines anderen Ranks</translation>
    </message>
    <message>
        <source>%1 tensor, %2 pipeline and %3 expert parallel ranks</source>
        <translation>%1 tensor-, %2 pipeline- und %3 expertenparallele Ranks</translation>
    </message>
    <message>
        <source>args specify %1</source>
        <translation>args nennt %1</translation>
    </message>
    <message>
        <source>args with tensor_model_parallel_size</source>
        <translation>args mit tensor_model_parallel_size</translation>
    </message>
    <message>
        <source>The rank folders do not match args</source>
        <translation>Die Ordner der Ranks passen nicht zu args</translation>
    </message>
    <message>
        <source>a folder of a rank out of range</source>
        <translation>ein Ordner eines Ranks außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>args with a different layout</source>
        <translation>args mit anderem Aufbau</translation>
    </message>
    <message>
        <source>The rank folders do not contain any known file</source>
        <translation>Die Ordner der Ranks enthalten keine bekannte Datei</translation>
    </message>
    <message>
        <source>the folder of its rank exists</source>
        <translation>der Ordner seines Ranks existiert</translation>
    </message>
    <message>
        <source>%1 as in the first rank</source>
        <translation>%1 wie im ersten Rank</translation>
    </message>
    <message>
        <source>a folder iter_… or release</source>
        <translation>ein Ordner iter_… oder release</translation>
    </message>
    <message>
        <source>The pipeline stages cannot be merged</source>
        <translation>Die Pipeline-Stufen lassen sich nicht zusammenführen</translation>
    </message>
    <message>
        <source>num_layers: %1</source>
        <translation>num_layers: %1</translation>
    </message>
    <message>
        <source>layers that are not numbered from 0</source>
        <translation>Layer, die nicht ab 0 nummeriert sind</translation>
    </message>
    <message>
        <source>layer counts that do not add up</source>
        <translation>Layer-Anzahlen, die sich nicht zur Summe ergänzen</translation>
    </message>
    <message>
        <source>metadata.json, which is written last, is missing</source>
        <translation>metadata.json, das zuletzt geschrieben wird, fehlt</translation>
    </message>
    <message>
        <source>Unknown storage back end of the folder</source>
        <translation>Unbekanntes Speicherverfahren des Ordners</translation>
    </message>
    <message>
        <source>zarr, or torch_dist with .metadata and shards</source>
        <translation>zarr oder torch_dist mit .metadata und Shards</translation>
    </message>
    <message>
        <source>common.pt is missing</source>
        <translation>common.pt fehlt</translation>
    </message>
    <message>
        <source>Small objects of the ranks are listed but not read</source>
        <translation>Kleine Objekte der Ranks sind genannt, aber nicht gelesen</translation>
    </message>
    <message>
        <source>A torch file from before 0.2, not a NeMo file</source>
        <translation>Eine torch-Datei von vor 0.2, keine NeMo-Datei</translation>
    </message>
    <message>
        <source>Rename it to .pt</source>
        <translation>In .pt umbenennen</translation>
    </message>
    <message>
        <source>The tar archive does not contain known weights</source>
        <translation>Das tar-Archiv enthält keine bekannten Gewichte</translation>
    </message>
    <message>
        <source>no files</source>
        <translation>keine Dateien</translation>
    </message>
    <message>
        <source>The compressed archive is too large to be decompressed in memory</source>
        <translation>Das komprimierte Archiv ist zu groß, um es im Arbeitsspeicher zu dekomprimieren</translation>
    </message>
    <message>
        <source>at most %1 bytes, or a plain tar archive</source>
        <translation>höchstens %1 Bytes oder ein einfaches tar-Archiv</translation>
    </message>
    <message>
        <source>gunzip it first: mv x.nemo x.tar.gz &amp;&amp; gunzip x.tar.gz &amp;&amp; mv x.tar x.nemo</source>
        <translation>zuerst mit gunzip entpacken: mv x.nemo x.tar.gz &amp;&amp; gunzip x.tar.gz &amp;&amp; mv x.tar x.nemo</translation>
    </message>
    <message>
        <source>%1 bytes of gzip</source>
        <translation>%1 Bytes gzip</translation>
    </message>
    <message>
        <source>gzip of more than that</source>
        <translation>gzip von mehr als dem</translation>
    </message>
    <message>
        <source>The tar archive has no end marker</source>
        <translation>Das tar-Archiv hat keine Endmarke</translation>
    </message>
    <message>
        <source>two blocks of zeros</source>
        <translation>zwei Blöcke aus Nullen</translation>
    </message>
    <message>
        <source>Array %1 cannot be read</source>
        <translation>Array %1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>The file does not record the number of arrays</source>
        <translation>Die Datei hält die Anzahl der Arrays nicht fest</translation>
    </message>
    <message>
        <source>NumPy array</source>
        <translation>NumPy-Array</translation>
    </message>
    <message>
        <source>An .npz archive is a single file</source>
        <translation>Ein .npz-Archiv ist eine einzige Datei</translation>
    </message>
    <message>
        <source>--to numpy-shards writes several, with a manifest</source>
        <translation>--to numpy-shards schreibt mehrere, mit einem Manifest</translation>
    </message>
    <message>
        <source>Cast it with --dtype float32, or use numpy-shards, whose manifest records the dtype, or safetensors</source>
        <translation>Mit --dtype float32 umwandeln, oder numpy-shards, dessen Manifest den Dtype nennt, oder safetensors verwenden</translation>
    </message>
    <message>
        <source>A member is not a NumPy array: the magic string is missing</source>
        <translation>Ein Mitglied ist kein NumPy-Array: Die Kennung fehlt</translation>
    </message>
    <message>
        <source>%1 of %2 each</source>
        <translation>%1 mit je %2</translation>
    </message>
    <message>
        <source>%1 from %2 to %3%4</source>
        <translation>%1 von %2 bis %3%4</translation>
    </message>
    <message>
        <source>, about equal</source>
        <translation>, etwa gleich</translation>
    </message>
    <message>
        <source>, not equal</source>
        <translation>, nicht gleich</translation>
    </message>
    <message>
        <source>A file's length does not match the manifest: %1</source>
        <translation>Die Länge einer Datei passt nicht zum Manifest: %1</translation>
    </message>
    <message>
        <source>The file's size differs widely from that of its neighbours</source>
        <translation>Die Größe der Datei weicht stark von der ihrer Nachbarn ab</translation>
    </message>
    <message>
        <source>No manifest records the number of files</source>
        <translation>Kein Manifest hält die Anzahl der Dateien fest</translation>
    </message>
    <message>
        <source>Use .safetensors or torch</source>
        <translation>.safetensors oder torch verwenden</translation>
    </message>
    <message>
        <source>The manifest cannot store this name</source>
        <translation>Das Manifest kann diesen Namen nicht speichern</translation>
    </message>
    <message>
        <source>the same name twice, or bytes that are not UTF-8</source>
        <translation>zweimal derselbe Name oder Bytes, die kein UTF-8 sind</translation>
    </message>
    <message>
        <source>How the shards' arrays are combined is not recorded: %1</source>
        <translation>Wie die Arrays der Shards zusammengehören, ist nicht aufgezeichnet: %1</translation>
    </message>
    <message>
        <source>The shards contain arrays that may be parts of one, but how to combine them is not recorded; each is shown separately</source>
        <translation>Die Shards enthalten Arrays, die vielleicht Teile eines einzigen sind, aber wie sie zusammengehören, ist nicht aufgezeichnet; jedes ist für sich gezeigt</translation>
    </message>
    <message>
        <source>A manifest.json beside them can specify it, such as {"tensors": {"%1": {"axis": 0}}}</source>
        <translation>Eine manifest.json daneben kann es angeben, etwa {"tensors": {"%1": {"axis": 0}}}</translation>
    </message>
    <message>
        <source>The manifest names an array that the file does not contain</source>
        <translation>Das Manifest nennt ein Array, das die Datei nicht enthält</translation>
    </message>
    <message>
        <source>An array is missing in its file: %1</source>
        <translation>Ein Array fehlt in seiner Datei: %1</translation>
    </message>
    <message>
        <source>The manifest and the files contradict each other about %1</source>
        <translation>Das Manifest und die Dateien widersprechen sich über %1</translation>
    </message>
    <message>
        <source>It is uncertain how the parts are combined: %1</source>
        <translation>Es ist unsicher, wie die Teile zusammengehören: %1</translation>
    </message>
    <message>
        <source>The manifest's dtype does not match the file</source>
        <translation>Der Dtype des Manifests passt nicht zur Datei</translation>
    </message>
    <message>
        <source>%n shard is missing</source>
        <translation>%n Shard fehlt</translation>
    </message>
    <message>
        <source>%n shards are missing</source>
        <translation>%n Shards fehlen</translation>
    </message>
    <message>
        <source>All files of the set are missing</source>
        <translation>Alle Dateien des Satzes fehlen</translation>
    </message>
    <message>
        <source>The manifest names a file that is not a NumPy array</source>
        <translation>Das Manifest nennt eine Datei, die kein NumPy-Array ist</translation>
    </message>
    <message>
        <source>The manifest lists the same file twice</source>
        <translation>Das Manifest nennt dieselbe Datei zweimal</translation>
    </message>
    <message>
        <source>A file is damaged: %1</source>
        <translation>Eine Datei ist beschädigt: %1</translation>
    </message>
    <message>
        <source>The order of this tensor's parts is uncertain; each is shown separately</source>
        <translation>Die Reihenfolge der Teile dieses Tensors ist unsicher; jeder ist für sich gezeigt</translation>
    </message>
    <message>
        <source>Add an offset or a rank to each part</source>
        <translation>Jedem Teil einen Offset oder einen Rank hinzufügen</translation>
    </message>
    <message>
        <source>rank %1 twice</source>
        <translation>Rank %1 zweimal</translation>
    </message>
    <message>
        <source>ranks of %1 of %2 parts</source>
        <translation>Ranks von %1 von %2 Teilen</translation>
    </message>
    <message>
        <source>parts listed as %1, %2, …</source>
        <translation>Teile aufgezählt als %1, %2, …</translation>
    </message>
    <message>
        <source>NumPy shards</source>
        <translation>NumPy-Shards</translation>
    </message>
    <message>
        <source>The manifest's entry for this tensor does not match the files</source>
        <translation>Der Eintrag des Manifests für diesen Tensor passt nicht zu den Dateien</translation>
    </message>
    <message>
        <source>The manifest lists the parts of this tensor without their positions</source>
        <translation>Das Manifest nennt die Teile dieses Tensors ohne ihre Positionen</translation>
    </message>
    <message>
        <source>Add an offset to each part, or an axis to the tensor</source>
        <translation>Jedem Teil einen Offset oder dem Tensor eine Achse hinzufügen</translation>
    </message>
    <message>
        <source>a part</source>
        <translation>ein Teil</translation>
    </message>
    <message>
        <source>parts with different dtypes</source>
        <translation>Teile mit verschiedenen Dtypes</translation>
    </message>
    <message>
        <source>parts with different numbers of dimensions</source>
        <translation>Teile mit verschiedener Anzahl von Dimensionen</translation>
    </message>
    <message>
        <source>%1 contains %2 instead of %3</source>
        <translation>%1 enthält %2 statt %3</translation>
    </message>
    <message>
        <source>parts with a different number of dimensions than the tensor</source>
        <translation>Teile mit einer anderen Anzahl von Dimensionen als der Tensor</translation>
    </message>
    <message>
        <source>no part of it</source>
        <translation>kein Teil davon</translation>
    </message>
    <message>
        <source>an offset with a different number of dimensions than the part</source>
        <translation>ein Offset mit einer anderen Anzahl von Dimensionen als der Teil</translation>
    </message>
    <message>
        <source>A part is missing, and its size is not recorded</source>
        <translation>Ein Teil fehlt, und seine Größe ist nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>sizes that overflow</source>
        <translation>Größen, die überlaufen</translation>
    </message>
    <message>
        <source>a part at %1 of %2 in a tensor of %3</source>
        <translation>ein Teil bei %1 von %2 in einem Tensor von %3</translation>
    </message>
    <message>
        <source>The data that the processes wrote so far is shown</source>
        <translation>Gezeigt sind die Daten, die die Prozesse bisher geschrieben haben</translation>
    </message>
    <message>
        <source>(in the tree's nodes)</source>
        <translation>(in den Knoten des Baums)</translation>
    </message>
    <message>
        <source>The file with the small values cannot be read</source>
        <translation>Die Datei mit den kleinen Werten ist nicht lesbar</translation>
    </message>
    <message>
        <source>A key of the store does not belong to an array</source>
        <translation>Ein Schlüssel des Speichers gehört zu keinem Array</translation>
    </message>
    <message>
        <source>The metadata and small values exceed the size limit</source>
        <translation>Die Metadaten und kleinen Werte überschreiten die Größengrenze</translation>
    </message>
    <message>
        <source>The file ends before the end of an array's metadata</source>
        <translation>Die Datei endet vor dem Ende der Metadaten eines Arrays</translation>
    </message>
    <message>
        <source>a folder, as %1 lists it</source>
        <translation>ein Ordner, wie %1 ihn nennt</translation>
    </message>
    <message>
        <source>The folder does not record which arrays belong to the checkpoint</source>
        <translation>Der Ordner hält nicht fest, welche Arrays zum Checkpoint gehören</translation>
    </message>
    <message>
        <source>The item %1 is empty</source>
        <translation>Der Eintrag %1 ist leer</translation>
    </message>
    <message>
        <source>An item's folder is empty</source>
        <translation>Der Ordner eines Eintrags ist leer</translation>
    </message>
    <message>
        <source>The tree in _METADATA is invalid</source>
        <translation>Der Baum in _METADATA ist ungültig</translation>
    </message>
    <message>
        <source>not a list of keys</source>
        <translation>keine Liste von Schlüsseln</translation>
    </message>
    <message>
        <source>not an object</source>
        <translation>kein Objekt</translation>
    </message>
    <message>
        <source>Ranks have different tensors with the same name, and how to combine them is not recorded: %1%2%3</source>
        <translation>Ranks haben verschiedene Tensoren desselben Namens, und wie sie zusammengehören, ist nicht aufgezeichnet: %1%2%3</translation>
    </message>
    <message>
        <source>rank %1 and rank %2</source>
        <translation>Rank %1 und Rank %2</translation>
    </message>
    <message>
        <source>Whether the ranks' tensors are copies or parts of one is not recorded; each is shown under its rank's name</source>
        <translation>Ob die Tensoren der Ranks Kopien oder Teile eines einzigen sind, ist nicht aufgezeichnet; jeder ist unter dem Namen seines Ranks gezeigt</translation>
    </message>
    <message>
        <source>The ranks have different plain tensors with this name, and how to combine them is not recorded; each is shown under its rank's name</source>
        <translation>Die Ranks haben verschiedene einfache Tensoren dieses Namens, und wie sie zusammengehören, ist nicht aufgezeichnet; jeder ist unter dem Namen seines Ranks gezeigt</translation>
    </message>
    <message>
        <source>different shapes at %1</source>
        <translation>verschiedene Shapes bei %1</translation>
    </message>
    <message>
        <source>different elements at %1</source>
        <translation>verschiedene Elemente bei %1</translation>
    </message>
    <message>
        <source>no checksums at %1</source>
        <translation>keine Prüfsummen bei %1</translation>
    </message>
    <message>
        <source>DTensors, which record the position of their parts</source>
        <translation>DTensors, die den Ort ihrer Teile aufzeichnen</translation>
    </message>
    <message>
        <source>Only some ranks have these weights, and how to combine them is not recorded: %1%2</source>
        <translation>Nur einige Ranks haben diese Gewichte, und wie sie zusammengehören, ist nicht aufgezeichnet: %1%2</translation>
    </message>
    <message>
        <source>Several ranks have weights that others lack, and whether their names are those of the complete model is not recorded; each is shown under its rank's name</source>
        <translation>Mehrere Ranks haben Gewichte, die anderen fehlen, und ob ihre Namen die des vollständigen Modells sind, ist nicht aufgezeichnet; jedes ist unter dem Namen seines Ranks gezeigt</translation>
    </message>
    <message>
        <source>DTensors, or one rank with all weights</source>
        <translation>DTensors oder ein Rank mit allen Gewichten</translation>
    </message>
    <message>
        <source>Large tensors without stored checksums were identified as copies by samples of their data</source>
        <translation>Große Tensoren ohne gespeicherte Prüfsummen wurden durch Stichproben ihrer Daten als Kopien erkannt</translation>
    </message>
    <message>
        <source>%1 comparisons</source>
        <translation>%1 Vergleiche</translation>
    </message>
    <message>
        <source>%n ranks</source>
        <translation>%n Ranks</translation>
    </message>
    <message>
        <source>A newer save into this folder, with a different rank count, is incomplete</source>
        <translation>Ein neueres Speichern in diesen Ordner, mit anderer Rank-Anzahl, ist unvollständig</translation>
    </message>
    <message>
        <source>The file is left over from a save with a different rank count</source>
        <translation>Die Datei ist von einem Speicherstand mit anderer Rank-Anzahl übrig</translation>
    </message>
    <message>
        <source>a save with %1</source>
        <translation>ein Speicherstand mit %1</translation>
    </message>
    <message>
        <source>the save with %1, which is shown</source>
        <translation>der Speicherstand mit %1, der gezeigt ist</translation>
    </message>
    <message>
        <source>%1 saves</source>
        <translation>%1 Speicherstände</translation>
    </message>
    <message>
        <source>No files of ranks with this prefix</source>
        <translation>Keine Dateien von Ranks mit diesem Präfix</translation>
    </message>
    <message>
        <source>The rank in the file's name is out of range</source>
        <translation>Der Rank im Namen der Datei liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>a rank below %1</source>
        <translation>ein Rank unter %1</translation>
    </message>
    <message>
        <source>The FSDP flat parameter is shown flat: the files do not contain the names and shapes of its parameters</source>
        <translation>Der flache FSDP-Parameter ist flach gezeigt: Die Dateien enthalten Namen und Shapes seiner Parameter nicht</translation>
    </message>
    <message>
        <source>A rank's part has the wrong size</source>
        <translation>Der Teil eines Ranks hat die falsche Größe</translation>
    </message>
    <message>
        <source>Ranks recorded a tensor differently</source>
        <translation>Ranks haben einen Tensor verschieden aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 %2 of %3 from rank %4</source>
        <translation>%1 %2 von %3 aus Rank %4</translation>
    </message>
    <message>
        <source>The device mesh of a DTensor is not recorded</source>
        <translation>Das Device Mesh eines DTensors ist nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>no DeviceMesh</source>
        <translation>kein DeviceMesh</translation>
    </message>
    <message>
        <source>no coordinate</source>
        <translation>keine Koordinate</translation>
    </message>
    <message>
        <source>a coordinate outside the mesh</source>
        <translation>eine Koordinate außerhalb des Mesh</translation>
    </message>
    <message>
        <source>A DTensor's placements do not match the dimensions of its mesh</source>
        <translation>Die Placements eines DTensors passen nicht zu den Dimensionen seines Mesh</translation>
    </message>
    <message>
        <source>A DTensor is sharded along a dimension that it does not have</source>
        <translation>Ein DTensor ist entlang einer Dimension geteilt, die er nicht hat</translation>
    </message>
    <message>
        <source>A DTensor does not record its size or its part</source>
        <translation>Ein DTensor hält seine Größe oder seinen Teil nicht fest</translation>
    </message>
    <message>
        <source>A ShardedTensor does not record its shards</source>
        <translation>Ein ShardedTensor hält seine Shards nicht fest</translation>
    </message>
    <message>
        <source>no state</source>
        <translation>kein Zustand</translation>
    </message>
    <message>
        <source>no size</source>
        <translation>keine Größe</translation>
    </message>
    <message>
        <source>a shard without a tensor or a position</source>
        <translation>ein Shard ohne Tensor oder Position</translation>
    </message>
    <message>
        <source>a shard outside the tensor</source>
        <translation>ein Shard außerhalb des Tensors</translation>
    </message>
    <message>
        <source>a critic without its actor</source>
        <translation>ein Critic ohne seinen Actor</translation>
    </message>
    <message>
        <source>Checkpoints are nested too deeply</source>
        <translation>Checkpoints sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>The file is one of %1 according to its name, and was opened alone</source>
        <translation>Die Datei ist nach ihrem Namen eine von %1 und wurde allein geöffnet</translation>
    </message>
    <message>
        <source>The other files of this checkpoint are not read</source>
        <translation>Die anderen Dateien dieses Checkpoints sind nicht gelesen</translation>
    </message>
    <message>
        <source>Open the folder that contains all of them</source>
        <translation>Den Ordner öffnen, der alle enthält</translation>
    </message>
    <message>
        <source>Its folder is a checkpoint (format %1): open %2</source>
        <translation>Ihr Ordner ist ein Checkpoint (Format %1): %2 öffnen</translation>
    </message>
    <message>
        <source>No component in this folder has a state</source>
        <translation>Keine Komponente in diesem Ordner hat einen Zustand</translation>
    </message>
    <message>
        <source>The checkpoint has too many components</source>
        <translation>Der Checkpoint hat zu viele Komponenten</translation>
    </message>
    <message>
        <source>The component does not name its state file</source>
        <translation>Die Komponente nennt ihre Zustandsdatei nicht</translation>
    </message>
    <message>
        <source>a file of this name</source>
        <translation>eine Datei dieses Namens</translation>
    </message>
    <message>
        <source>The component's state file is not in its folder</source>
        <translation>Die Zustandsdatei der Komponente ist nicht in ihrem Ordner</translation>
    </message>
    <message>
        <source>a file's name</source>
        <translation>der Name einer Datei</translation>
    </message>
    <message>
        <source>The new header is too large for this format</source>
        <translation>Der neue Header ist zu groß für dieses Format</translation>
    </message>
    <message>
        <source>Two tensors would have the same name</source>
        <translation>Zwei Tensoren hätten denselben Namen</translation>
    </message>
    <message>
        <source>Change the rules so that the names stay distinct</source>
        <translation>Die Regeln so ändern, dass die Namen verschieden bleiben</translation>
    </message>
    <message>
        <source>The file is one rank's shard of a set, whose tensors must keep the same names</source>
        <translation>Die Datei ist der Shard eines Ranks aus einem Satz, dessen Tensoren dieselben Namen behalten müssen</translation>
    </message>
    <message>
        <source>`cairn-cli rename SRC -o OUT` on the folder writes the complete set</source>
        <translation>`cairn-cli rename SRC -o OUT` für den Ordner schreibt den ganzen Satz</translation>
    </message>
    <message>
        <source>Safetensors cannot store this tensor's name</source>
        <translation>Safetensors kann den Namen dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>Use other rules</source>
        <translation>Andere Regeln verwenden</translation>
    </message>
    <message>
        <source>No such metadata key</source>
        <translation>Diesen Metadatenschlüssel gibt es nicht</translation>
    </message>
    <message>
        <source>`cairn-cli info FILE` shows the keys</source>
        <translation>`cairn-cli info FILE` zeigt die Schlüssel</translation>
    </message>
    <message>
        <source>Safetensors metadata must be UTF-8 text</source>
        <translation>Metadaten von Safetensors müssen UTF-8-Text sein</translation>
    </message>
    <message>
        <source>Two metadata entries would have the same key</source>
        <translation>Zwei Metadateneinträge hätten denselben Schlüssel</translation>
    </message>
    <message>
        <source>The header changed while it was being read</source>
        <translation>Der Header hat sich beim Lesen geändert</translation>
    </message>
    <message>
        <source>A metadata value equals a tensor's name; it is not interpreted as an alias of that tensor</source>
        <translation>Ein Metadatenwert gleicht dem Namen eines Tensors; er wird nicht als Alias dieses Tensors verstanden</translation>
    </message>
    <message>
        <source>Safetensors cannot store this tensor's dtype</source>
        <translation>Safetensors kann den Dtype dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>a name that is reserved by the format</source>
        <translation>ein Name, den das Format reserviert</translation>
    </message>
    <message>
        <source>Too many tensors for one safetensors file</source>
        <translation>Zu viele Tensoren für eine safetensors-Datei</translation>
    </message>
    <message>
        <source>%1 bytes of header</source>
        <translation>%1 Bytes Header</translation>
    </message>
    <message>
        <source>Write several shards</source>
        <translation>Mehrere Shards schreiben</translation>
    </message>
    <message>
        <source>The file violates its format; see the notices</source>
        <translation>Die Datei verletzt ihr Format; siehe die Hinweise</translation>
    </message>
    <message>
        <source>A shard cannot be read: %1</source>
        <translation>Ein Shard ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>The file is not part of the checkpoint</source>
        <translation>Die Datei gehört nicht zum Checkpoint</translation>
    </message>
    <message>
        <source>a set of %1</source>
        <translation>ein Satz von %1</translation>
    </message>
    <message>
        <source>A shard is damaged: %1</source>
        <translation>Ein Shard ist beschädigt: %1</translation>
    </message>
    <message>
        <source>A shard does not record the position of its parts: %1</source>
        <translation>Ein Shard hält den Ort seiner Teile nicht fest: %1</translation>
    </message>
    <message>
        <source>The sharding information is not an object</source>
        <translation>Die Angaben zur Aufteilung sind kein Objekt</translation>
    </message>
    <message>
        <source>The position of this part is not a list of offsets</source>
        <translation>Der Ort dieses Teils ist keine Liste von Offsets</translation>
    </message>
    <message>
        <source>the position of the part does not match its shape</source>
        <translation>der Ort des Teils passt nicht zu seiner Shape</translation>
    </message>
    <message>
        <source>Two shards contain this tensor; the first is shown</source>
        <translation>Zwei Shards enthalten diesen Tensor; der erste ist gezeigt</translation>
    </message>
    <message>
        <source>A tensor is in two shards: %1</source>
        <translation>Ein Tensor ist in zwei Shards: %1</translation>
    </message>
    <message>
        <source>a different dtype or number of dimensions than in the other shards</source>
        <translation>ein anderer Dtype oder eine andere Anzahl von Dimensionen als in den anderen Shards</translation>
    </message>
    <message>
        <source>The shards contradict each other about this tensor</source>
        <translation>Die Shards widersprechen sich über diesen Tensor</translation>
    </message>
    <message>
        <source>The shards contradict each other about %1</source>
        <translation>Die Shards widersprechen sich über %1</translation>
    </message>
    <message>
        <source>This model has no weights</source>
        <translation>Dieses Modell hat keine Gewichte</translation>
    </message>
    <message>
        <source>The model has too many members</source>
        <translation>Das Modell hat zu viele Mitglieder</translation>
    </message>
    <message>
        <source>The members of this archive are compressed</source>
        <translation>Die Mitglieder dieses Archivs sind komprimiert</translation>
    </message>
    <message>
        <source>uncompressed members, as stable-baselines3 writes them</source>
        <translation>unkomprimierte Mitglieder, wie stable-baselines3 sie schreibt</translation>
    </message>
    <message>
        <source>Unpack the archive into an empty folder and open that folder</source>
        <translation>Das Archiv in einen leeren Ordner entpacken und diesen Ordner öffnen</translation>
    </message>
    <message>
        <source>The index is damaged: %1</source>
        <translation>Der Index ist beschädigt: %1</translation>
    </message>
    <message>
        <source>The shard %1%2</source>
        <translation>Der Shard %1%2</translation>
    </message>
    <message>
        <source> cannot be opened</source>
        <translation> lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The elements are shown as raw bytes</source>
        <translation>Die Elemente sind als rohe Bytes gezeigt</translation>
    </message>
    <message>
        <source>A tensor has an invalid shape: %1</source>
        <translation>Ein Tensor hat eine ungültige Shape: %1</translation>
    </message>
    <message>
        <source>Invalid shape of this tensor</source>
        <translation>Ungültige Shape dieses Tensors</translation>
    </message>
    <message>
        <source>unknown or negative extents</source>
        <translation>unbekannte oder negative Ausdehnungen</translation>
    </message>
    <message>
        <source>A slice does not match its variable: %1</source>
        <translation>Ein Ausschnitt passt nicht zu seiner Variablen: %1</translation>
    </message>
    <message>
        <source>A slice does not match its variable</source>
        <translation>Ein Ausschnitt passt nicht zu seiner Variablen</translation>
    </message>
    <message>
        <source>inside %1 and of its dtype</source>
        <translation>innerhalb von %1 und mit dessen Dtype</translation>
    </message>
    <message>
        <source>Slices are missing in the index: %1</source>
        <translation>Im Index fehlen Ausschnitte: %1</translation>
    </message>
    <message>
        <source>Slices of this variable are missing in the index</source>
        <translation>Ausschnitte dieser Variablen fehlen im Index</translation>
    </message>
    <message>
        <source>An entry of the index contradicts itself: %1</source>
        <translation>Ein Eintrag des Index widerspricht sich: %1</translation>
    </message>
    <message>
        <source>The entry's shard number is out of range</source>
        <translation>Die Shard-Nummer des Eintrags liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>unter %1</translation>
    </message>
    <message>
        <source>The entry's size does not match its shape and dtype</source>
        <translation>Die Größe des Eintrags passt nicht zu Shape und Dtype</translation>
    </message>
    <message>
        <source>The entry's location overflows</source>
        <translation>Der Ort des Eintrags läuft über</translation>
    </message>
    <message>
        <source>a location in a file</source>
        <translation>ein Ort in einer Datei</translation>
    </message>
    <message>
        <source>The shard %1 is truncated</source>
        <translation>Der Shard %1 ist abgeschnitten</translation>
    </message>
    <message>
        <source>The shard ends before the end of its tensors</source>
        <translation>Der Shard endet vor dem Ende seiner Tensoren</translation>
    </message>
    <message>
        <source>A save of this checkpoint was interrupted</source>
        <translation>Ein Speichern dieses Checkpoints wurde unterbrochen</translation>
    </message>
    <message>
        <source>The checkpoint requires a newer version of its format</source>
        <translation>Der Checkpoint verlangt eine neuere Version seines Formats</translation>
    </message>
    <message>
        <source>Invalid checkpoint header</source>
        <translation>Ungültiger Header des Checkpoints</translation>
    </message>
    <message>
        <source>Not the index of a TensorFlow checkpoint</source>
        <translation>Nicht der Index eines TensorFlow-Checkpoints</translation>
    </message>
    <message>
        <source>a bundle header under the empty key</source>
        <translation>ein Bundle-Header unter dem leeren Schlüssel</translation>
    </message>
    <message>
        <source>An entry of the index is damaged</source>
        <translation>Ein Eintrag des Index ist beschädigt</translation>
    </message>
    <message>
        <source>The key of a slice is damaged</source>
        <translation>Der Schlüssel eines Ausschnitts ist beschädigt</translation>
    </message>
    <message>
        <source>The state file names a missing checkpoint</source>
        <translation>Die Zustandsdatei nennt einen fehlenden Checkpoint</translation>
    </message>
    <message>
        <source>The state file does not name the newest complete checkpoint</source>
        <translation>Die Zustandsdatei nennt nicht den neuesten vollständigen Checkpoint</translation>
    </message>
    <message>
        <source>The file is left over from an unfinished save</source>
        <translation>Die Datei ist von einem unfertigen Speichern übrig</translation>
    </message>
    <message>
        <source>It is not read; it can be removed when no save is running</source>
        <translation>Sie wird nicht gelesen; sie kann entfernt werden, wenn kein Speichern läuft</translation>
    </message>
    <message>
        <source>No index of a TensorFlow checkpoint in this folder</source>
        <translation>Kein Index eines TensorFlow-Checkpoints in diesem Ordner</translation>
    </message>
    <message>
        <source>The index of a part cannot be read: %1</source>
        <translation>Der Index eines Teils ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>The parts of the workers have not been merged</source>
        <translation>Die Teile der Worker wurden nicht zusammengeführt</translation>
    </message>
    <message>
        <source>The checkpoint was being written; its parts have not been merged</source>
        <translation>Der Checkpoint wurde gerade geschrieben; seine Teile sind nicht zusammengeführt</translation>
    </message>
    <message>
        <source>If no save is running, the save was interrupted; use the previous checkpoint</source>
        <translation>Wenn kein Speichern läuft, wurde es unterbrochen; den vorherigen Checkpoint verwenden</translation>
    </message>
    <message>
        <source>The model has no variables, or they were not copied with it</source>
        <translation>Das Modell hat keine Variablen, oder sie wurden nicht mitkopiert</translation>
    </message>
    <message>
        <source>The index of this shard is missing</source>
        <translation>Der Index dieses Shards fehlt</translation>
    </message>
    <message>
        <source>%1%2 beside it</source>
        <translation>%1%2 daneben</translation>
    </message>
    <message>
        <source>A file of this checkpoint cannot be read: %1</source>
        <translation>Eine Datei dieses Checkpoints ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>A part of the file is damaged: %1</source>
        <translation>Ein Teil der Datei ist beschädigt: %1</translation>
    </message>
    <message>
        <source>Not a TensorFlow checkpoint</source>
        <translation>Kein TensorFlow-Checkpoint</translation>
    </message>
    <message>
        <source>A slice cannot be read</source>
        <translation>Ein Ausschnitt ist nicht lesbar</translation>
    </message>
    <message>
        <source>A slice is compressed</source>
        <translation>Ein Ausschnitt ist komprimiert</translation>
    </message>
    <message>
        <source>A slice does not belong to any variable</source>
        <translation>Ein Ausschnitt gehört zu keiner Variablen</translation>
    </message>
    <message>
        <source>A variable cannot be read: %1</source>
        <translation>Eine Variable ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>Invalid dtype or shape of this variable</source>
        <translation>Ungültiger Dtype oder ungültige Shape dieser Variablen</translation>
    </message>
    <message>
        <source>The length of a string is not a valid varint</source>
        <translation>Die Länge einer Zeichenkette ist kein gültiges Varint</translation>
    </message>
    <message>
        <source>The string data ends before the last string</source>
        <translation>Die Daten der Zeichenketten enden vor der letzten Zeichenkette</translation>
    </message>
    <message>
        <source>The file ends before the end of this tensor's strings</source>
        <translation>Die Datei endet vor dem Ende der Zeichenketten dieses Tensors</translation>
    </message>
    <message>
        <source>%1 bytes for %2 strings</source>
        <translation>%1 Bytes für %2 Zeichenketten</translation>
    </message>
    <message>
        <source>a length of %1 bytes</source>
        <translation>eine Länge von %1 Bytes</translation>
    </message>
    <message>
        <source>%1 bytes after the lengths</source>
        <translation>%1 Bytes nach den Längen</translation>
    </message>
    <message>
        <source>%1 and a checksum</source>
        <translation>%1 und eine Prüfsumme</translation>
    </message>
    <message>
        <source>Checksum mismatch in the strings' lengths</source>
        <translation>Die Prüfsumme der Längen der Zeichenketten stimmt nicht</translation>
    </message>
    <message>
        <source>The stored checksum does not match the strings</source>
        <translation>Die gespeicherte Prüfsumme passt nicht zu den Zeichenketten</translation>
    </message>
    <message>
        <source>The variable's message is damaged</source>
        <translation>Die Nachricht der Variablen ist beschädigt</translation>
    </message>
    <message>
        <source>A variable larger than 2 GiB cannot be a protobuf message</source>
        <translation>Eine Variable über 2 GiB kann keine protobuf-Nachricht sein</translation>
    </message>
    <message>
        <source>The pickle contains a single plain value, not a checkpoint</source>
        <translation>Das Pickle enthält einen einzigen einfachen Wert, keinen Checkpoint</translation>
    </message>
    <message>
        <source>Trailing bytes after the pickle; only its first value is shown</source>
        <translation>Überzählige Bytes nach dem Pickle; nur sein erster Wert ist gezeigt</translation>
    </message>
    <message>
        <source>The archive does not contain known weights</source>
        <translation>Das Archiv enthält keine bekannten Gewichte</translation>
    </message>
    <message>
        <source>The program's state is missing</source>
        <translation>Der Zustand des Programms fehlt</translation>
    </message>
    <message>
        <source>The data of a weight is not in the archive</source>
        <translation>Die Daten eines Gewichts sind nicht im Archiv</translation>
    </message>
    <message>
        <source>Compressed weights of a .pt2 are not supported</source>
        <translation>Komprimierte Gewichte einer .pt2 werden nicht unterstützt</translation>
    </message>
    <message>
        <source>A record is smaller than its weight</source>
        <translation>Ein Eintrag ist kleiner als sein Gewicht</translation>
    </message>
    <message>
        <source>The metadata of a weight cannot be read</source>
        <translation>Die Metadaten eines Gewichts sind nicht lesbar</translation>
    </message>
    <message>
        <source>not a number (a symbol?)</source>
        <translation>keine Zahl (ein Symbol?)</translation>
    </message>
    <message>
        <source>not a list of numbers</source>
        <translation>keine Liste von Zahlen</translation>
    </message>
    <message>
        <source>not a string</source>
        <translation>keine Zeichenkette</translation>
    </message>
    <message>
        <source>Unknown dtype of a weight</source>
        <translation>Unbekannter Dtype eines Gewichts</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1 für %2</translation>
    </message>
    <message>
        <source>model.pt + optimizer.pt</source>
        <translation>model.pt + optimizer.pt</translation>
    </message>
    <message>
        <source>No file in this folder contains tensors</source>
        <translation>Keine Datei in diesem Ordner enthält Tensoren</translation>
    </message>
    <message>
        <source>The training state of the ranks is missing</source>
        <translation>Der Trainingszustand der Ranks fehlt</translation>
    </message>
    <message>
        <source>rank0.pt and so on</source>
        <translation>rank0.pt und so weiter</translation>
    </message>
    <message>
        <source>The record of the save is incomplete</source>
        <translation>Die Aufzeichnung des Speicherns ist unvollständig</translation>
    </message>
    <message>
        <source>nothing readable</source>
        <translation>nichts Lesbares</translation>
    </message>
    <message>
        <source>lines of names and values, unixtime among them</source>
        <translation>Zeilen aus Namen und Werten, darunter unixtime</translation>
    </message>
    <message>
        <source>The files of this folder changed</source>
        <translation>Die Dateien dieses Ordners haben sich geändert</translation>
    </message>
    <message>
        <source>The list of storages is not a list</source>
        <translation>Die Liste der Storages ist keine Liste</translation>
    </message>
    <message>
        <source>The key of a storage is not a string</source>
        <translation>Der Schlüssel eines Storage ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>The file does not begin with torch's magic number</source>
        <translation>Die Datei beginnt nicht mit der Kennzahl von torch</translation>
    </message>
    <message>
        <source>Unsupported file version</source>
        <translation>Nicht unterstützte Version der Datei</translation>
    </message>
    <message>
        <source>The record of the saving system is not a dictionary</source>
        <translation>Die Angaben zum speichernden System sind kein Dictionary</translation>
    </message>
    <message>
        <source>A listed storage has an unknown size, because no tensor uses it</source>
        <translation>Ein aufgezählter Storage hat eine unbekannte Größe, weil kein Tensor ihn verwendet</translation>
    </message>
    <message>
        <source>The file ends before the last of its storages</source>
        <translation>Die Datei endet vor dem letzten ihrer Storages</translation>
    </message>
    <message>
        <source>A storage extends beyond the end of the file</source>
        <translation>Ein Storage reicht über das Ende der Datei hinaus</translation>
    </message>
    <message>
        <source>Trailing bytes after the last storage</source>
        <translation>Überzählige Bytes nach dem letzten Storage</translation>
    </message>
    <message>
        <source>The data of a tensor is not in the file</source>
        <translation>Die Daten eines Tensors sind nicht in der Datei</translation>
    </message>
    <message>
        <source>no storage %1</source>
        <translation>kein Storage %1</translation>
    </message>
    <message>
        <source>A view extends beyond the end of its storage</source>
        <translation>Eine Sicht reicht über das Ende ihres Storage hinaus</translation>
    </message>
    <message>
        <source>A member of the file is missing</source>
        <translation>Ein Mitglied der Datei fehlt</translation>
    </message>
    <message>
        <source>The pickle is too long</source>
        <translation>Das Pickle ist zu lang</translation>
    </message>
    <message>
        <source>The storage count is not a number</source>
        <translation>Die Anzahl der Storages ist keine Zahl</translation>
    </message>
    <message>
        <source>A storage is not described by key, location and class</source>
        <translation>Ein Storage ist nicht durch Schlüssel, Ort und Klasse beschrieben</translation>
    </message>
    <message>
        <source>A storage extends beyond the end of its member</source>
        <translation>Ein Storage reicht über das Ende seines Mitglieds hinaus</translation>
    </message>
    <message>
        <source>A view of a storage is not key, root, offset and count</source>
        <translation>Eine Sicht auf einen Storage besteht nicht aus Schlüssel, Wurzel, Offset und Anzahl</translation>
    </message>
    <message>
        <source>The tensor count is not a number</source>
        <translation>Die Anzahl der Tensoren ist keine Zahl</translation>
    </message>
    <message>
        <source>A tensor is not described by key, storage and class</source>
        <translation>Ein Tensor ist nicht durch Schlüssel, Storage und Klasse beschrieben</translation>
    </message>
    <message>
        <source>The file ends before the last of its tensors</source>
        <translation>Die Datei endet vor dem letzten ihrer Tensoren</translation>
    </message>
    <message>
        <source>Implausible number of dimensions of a tensor</source>
        <translation>Unglaubwürdige Anzahl von Dimensionen eines Tensors</translation>
    </message>
    <message>
        <source>A persistent id does not name a tensor of the file</source>
        <translation>Eine persistente ID nennt keinen Tensor der Datei</translation>
    </message>
    <message>
        <source>The storage of a tensor is not in the file</source>
        <translation>Der Storage eines Tensors ist nicht in der Datei</translation>
    </message>
    <message>
        <source>A tensor has a negative extent or offset</source>
        <translation>Ein Tensor hat eine negative Ausdehnung oder einen negativen Offset</translation>
    </message>
    <message>
        <source>%1%2 of a known format</source>
        <translation>%1%2 eines bekannten Formats</translation>
    </message>
    <message>
        <source>, which is not an index</source>
        <translation>, die kein Index ist</translation>
    </message>
    <message>
        <source>, none of which is an index</source>
        <translation>, von denen keine ein Index ist</translation>
    </message>
    <message>
        <source>`cairn-cli formats` lists what can be read</source>
        <translation>`cairn-cli formats` nennt, was sich lesen lässt</translation>
    </message>
    <message>
        <source>%1; %2 may be a separate checkpoint</source>
        <translation>%1; %2 ist vielleicht ein eigener Checkpoint</translation>
    </message>
    <message>
        <source>%1; %2 and %3 more may be separate checkpoints</source>
        <translation>%1; %2 und %3 weitere sind vielleicht eigene Checkpoints</translation>
    </message>
    <message>
        <source>Open one of its files; `cairn-cli runs` lists everything below a folder that can be opened</source>
        <translation>Eine seiner Dateien öffnen; `cairn-cli runs` nennt alles unter einem Ordner, das sich öffnen lässt</translation>
    </message>
    <message>
        <source>Not a checkpoint of a known format</source>
        <translation>Kein Checkpoint eines bekannten Formats</translation>
    </message>
    <message>
        <source>the file begins with "%1"</source>
        <translation>die Datei beginnt mit „%1“</translation>
    </message>
    <message>
        <source>Cannot read the file's status</source>
        <translation>Der Status der Datei ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1 bytes, a different time stamp</source>
        <translation>%1 Bytes, ein anderer Zeitstempel</translation>
    </message>
    <message>
        <source>%1 bytes, as when it was opened</source>
        <translation>%1 Bytes, wie beim Öffnen</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>ein Ordner</translation>
    </message>
    <message>
        <source>Not a file of this user's jobs</source>
        <translation>Keine Datei der Jobs dieses Benutzers</translation>
    </message>
    <message>
        <source>Only a regular file can be changed in place</source>
        <translation>Nur eine gewöhnliche Datei lässt sich an ihrem Ort ändern</translation>
    </message>
    <message>
        <source>a link</source>
        <translation>ein Link</translation>
    </message>
    <message>
        <source>a folder, pipe, socket or device</source>
        <translation>ein Ordner, eine Pipe, ein Socket oder ein Gerät</translation>
    </message>
    <message>
        <source>Cannot insert blocks into the file</source>
        <translation>In die Datei lassen sich keine Blöcke einfügen</translation>
    </message>
    <message>
        <source>Cannot remove blocks from the file</source>
        <translation>Aus der Datei lassen sich keine Blöcke entfernen</translation>
    </message>
    <message>
        <source>Cannot share the source's blocks with the output</source>
        <translation>Die Blöcke der Quelle lassen sich nicht mit der Ausgabe teilen</translation>
    </message>
    <message>
        <source>Cannot set the output's size</source>
        <translation>Die Größe der Ausgabe lässt sich nicht setzen</translation>
    </message>
    <message>
        <source>files are larger than 2 GiB</source>
        <translation>Dateien sind größer als 2 GiB</translation>
    </message>
    <message>
        <source>This file system</source>
        <translation>Dieses Dateisystem</translation>
    </message>
    <message>
        <source>The file system type cannot be read</source>
        <translation>Die Art des Dateisystems ist nicht lesbar</translation>
    </message>
    <message>
        <source>The file does not use extents (ext2, ext3), so blocks cannot be inserted</source>
        <translation>Die Datei verwendet keine Extents (ext2, ext3), darum lassen sich keine Blöcke einfügen</translation>
    </message>
    <message>
        <source>The read extends beyond the decompressed data</source>
        <translation>Das Lesen reicht über die dekomprimierten Daten hinaus</translation>
    </message>
    <message>
        <source>%1 bytes after decompression</source>
        <translation>%1 Bytes nach dem Dekomprimieren</translation>
    </message>
    <message>
        <source>a file where the path needs a folder</source>
        <translation>eine Datei, wo der Pfad einen Ordner braucht</translation>
    </message>
    <message>
        <source>The user has no folder for this data</source>
        <translation>Der Benutzer hat keinen Ordner für diese Daten</translation>
    </message>
    <message>
        <source>Too many tensors for an archive</source>
        <translation>Zu viele Tensoren für ein Archiv</translation>
    </message>
    <message>
        <source>The archive describes a tensor differently</source>
        <translation>Das Archiv beschreibt einen Tensor anders</translation>
    </message>
    <message>
        <source>The archive cannot be read back</source>
        <translation>Das Archiv lässt sich nicht zurücklesen</translation>
    </message>
    <message>
        <source>The archive contains different strings</source>
        <translation>Das Archiv enthält andere Zeichenketten</translation>
    </message>
    <message>
        <source>The archive contains different elements</source>
        <translation>Das Archiv enthält andere Elemente</translation>
    </message>
    <message>
        <source>The archive contains different plain values</source>
        <translation>Das Archiv enthält andere einfache Werte</translation>
    </message>
    <message>
        <source>The archive contains a different number of tensors</source>
        <translation>Das Archiv enthält eine andere Anzahl von Tensoren</translation>
    </message>
    <message>
        <source>no index</source>
        <translation>kein Index</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>Der Arbeitsspeicher reicht nicht</translation>
    </message>
    <message>
        <source>Cannot re-read the file</source>
        <translation>Die Datei lässt sich nicht erneut lesen</translation>
    </message>
    <message>
        <source>The file became shorter</source>
        <translation>Die Datei wurde kürzer</translation>
    </message>
    <message>
        <source>The job's journal does not match its plan</source>
        <translation>Das Journal des Jobs passt nicht zu seinem Plan</translation>
    </message>
    <message>
        <source>The plan is empty</source>
        <translation>Der Plan ist leer</translation>
    </message>
    <message>
        <source>Choose .npy or .safetensors</source>
        <translation>.npy oder .safetensors wählen</translation>
    </message>
    <message>
        <source>The elements are not numbers that a table can contain</source>
        <translation>Die Elemente sind keine Zahlen, die eine Tabelle enthalten kann</translation>
    </message>
    <message>
        <source>Specify the file itself; copy a file of a Hugging Face cache with `cairn-cli rename SRC -o OUT`</source>
        <translation>Die Datei selbst angeben; eine Datei eines Hugging-Face-Caches mit `cairn-cli rename SRC -o OUT` kopieren</translation>
    </message>
    <message>
        <source>a blob of a Hugging Face cache, which is named by the digest of its content</source>
        <translation>ein Blob eines Hugging-Face-Caches, der nach dem Digest seines Inhalts benannt ist</translation>
    </message>
    <message>
        <source>Make a copy with `cairn-cli rename SRC -o OUT`</source>
        <translation>Mit `cairn-cli rename SRC -o OUT` eine Kopie machen</translation>
    </message>
    <message>
        <source>a shard whose names %1 also lists</source>
        <translation>ein Shard, dessen Namen auch %1 nennt</translation>
    </message>
    <message>
        <source>`cairn-cli rename SRC -o OUT` on the folder renames all of them; --force leaves the index outdated</source>
        <translation>`cairn-cli rename SRC -o OUT` für den Ordner benennt alle um; --force lässt den Index veraltet</translation>
    </message>
    <message>
        <source>The edited file is not as expected</source>
        <translation>Die bearbeitete Datei ist nicht wie erwartet</translation>
    </message>
    <message>
        <source>the name %1</source>
        <translation>der Name %1</translation>
    </message>
    <message>
        <source>a different dtype, shape or location</source>
        <translation>ein anderer Dtype, eine andere Shape oder ein anderer Ort</translation>
    </message>
    <message>
        <source>a different header</source>
        <translation>ein anderer Header</translation>
    </message>
    <message>
        <source>`cairn-cli edit FILE --recover` undoes the interrupted edit</source>
        <translation>`cairn-cli edit FILE --recover` nimmt die unterbrochene Bearbeitung zurück</translation>
    </message>
    <message>
        <source>The state of the file is uncertain. Check the disk, then %1</source>
        <translation>Der Zustand der Datei ist unsicher. Den Datenträger prüfen, dann %1</translation>
    </message>
    <message>
        <source>The edit is complete; `cairn-cli edit FILE --recover` removes its backup</source>
        <translation>Die Bearbeitung ist fertig; `cairn-cli edit FILE --recover` entfernt ihre Sicherung</translation>
    </message>
    <message>
        <source>The new header does not fit into the file</source>
        <translation>Der neue Header passt nicht in die Datei</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The file is not the one that the interrupted edit left</source>
        <translation>Die Datei ist nicht die, die die unterbrochene Bearbeitung hinterlassen hat</translation>
    </message>
    <message>
        <source>If you replaced the file, remove the backup beside it</source>
        <translation>Falls die Datei ersetzt wurde, die Sicherung daneben entfernen</translation>
    </message>
    <message>
        <source>a file system that does not report holes</source>
        <translation>ein Dateisystem, das Löcher nicht meldet</translation>
    </message>
    <message>
        <source>a hole of %1 bytes at byte %2</source>
        <translation>ein Loch von %1 Bytes bei Byte %2</translation>
    </message>
    <message>
        <source>The backup of the header is damaged</source>
        <translation>Die Sicherung des Headers ist beschädigt</translation>
    </message>
    <message>
        <source>Remove it if the file itself is correct</source>
        <translation>Entfernen, falls die Datei selbst richtig ist</translation>
    </message>
    <message>
        <source>different data</source>
        <translation>andere Daten</translation>
    </message>
    <message>
        <source>The file system cannot remove the inserted blocks</source>
        <translation>Das Dateisystem kann die eingefügten Blöcke nicht entfernen</translation>
    </message>
    <message>
        <source>The old header was not restored</source>
        <translation>Der alte Header wurde nicht wiederhergestellt</translation>
    </message>
    <message>
        <source>The command line cannot express this key</source>
        <translation>Die Befehlszeile kann diesen Schlüssel nicht ausdrücken</translation>
    </message>
    <message>
        <source>a key without `=`, and text without control characters</source>
        <translation>ein Schlüssel ohne `=` und Text ohne Steuerzeichen</translation>
    </message>
    <message>
        <source>The entry is too long for a job's journal</source>
        <translation>Der Eintrag ist zu lang für das Journal eines Jobs</translation>
    </message>
    <message>
        <source>An archive is packed by a single process</source>
        <translation>Ein Archiv wird von einem einzigen Prozess gepackt</translation>
    </message>
    <message>
        <source>Run the job without --part</source>
        <translation>Den Job ohne --part ausführen</translation>
    </message>
    <message>
        <source>The model has too many files</source>
        <translation>Das Modell hat zu viele Dateien</translation>
    </message>
    <message>
        <source>The digest algorithm is not available on this machine</source>
        <translation>Der Digest-Algorithmus ist auf diesem Rechner nicht vorhanden</translation>
    </message>
    <message>
        <source>The model does not exist</source>
        <translation>Das Modell existiert nicht</translation>
    </message>
    <message>
        <source>%1 renamed</source>
        <translation>%1 umbenannt</translation>
    </message>
    <message>
        <source>, %1 cut out or rearranged</source>
        <translation>, %1 ausgeschnitten oder umgeordnet</translation>
    </message>
    <message>
        <source>, %1 left out (%2%3</source>
        <translation>, %1 ausgelassen (%2%3</translation>
    </message>
    <message>
        <source>'%1' dropped</source>
        <translation>„%1“ weggelassen</translation>
    </message>
    <message>
        <source>Without it, the names are those of the model</source>
        <translation>Ohne sie sind die Namen die des Modells</translation>
    </message>
    <message>
        <source>No config was found; the checkpoint records the model's settings</source>
        <translation>Keine Konfiguration gefunden; der Checkpoint nennt die Einstellungen des Modells</translation>
    </message>
    <message>
        <source>. They do not contain the size of the vocabulary before padding, so that all rows are kept</source>
        <translation>. Sie enthalten nicht die Größe des Vokabulars vor dem Auffüllen, sodass alle Zeilen bleiben</translation>
    </message>
    <message>
        <source>The family follows from the tensors and the config; --family names another, --names keep leaves the names as they are</source>
        <translation>Die Familie ergibt sich aus den Tensoren und der Konfiguration; --family nennt eine andere, --names keep lässt die Namen, wie sie sind</translation>
    </message>
    <message>
        <source>As requested by --family</source>
        <translation>Wie mit --family verlangt</translation>
    </message>
    <message>
        <source>as published: %1</source>
        <translation>wie veröffentlicht: %1</translation>
    </message>
    <message>
        <source>transformers 5 has other names and layouts in memory than save_pretrained writes, and other programs read the latter; --names keep leaves them as they are</source>
        <translation>transformers 5 hat im Arbeitsspeicher andere Namen und einen anderen Aufbau, als save_pretrained schreibt, und andere Programme lesen Letzteres; --names keep lässt sie, wie sie sind</translation>
    </message>
    <message>
        <source>Unknown names</source>
        <translation>Unbekannte Namen</translation>
    </message>
    <message>
        <source>Only weights can get the names of a model family</source>
        <translation>Nur Gewichte können die Namen einer Modellfamilie bekommen</translation>
    </message>
    <message>
        <source>--only %1</source>
        <translation>--only %1</translation>
    </message>
    <message>
        <source>Leave out --only, or use --names keep</source>
        <translation>--only weglassen oder --names keep verwenden</translation>
    </message>
    <message>
        <source>The archive needs a file name</source>
        <translation>Das Archiv braucht einen Dateinamen</translation>
    </message>
    <message>
        <source>%1 of %2 tensors</source>
        <translation>%1 von %2 Tensoren</translation>
    </message>
    <message>
        <source>Of these, only the difference to %1 is stored; the others take less space without a delta, or are not in it</source>
        <translation>Davon wird nur der Unterschied zu %1 gespeichert; die anderen brauchen ohne Delta weniger Platz oder sind nicht darin</translation>
    </message>
    <message>
        <source>Some blocks of the output were not filled</source>
        <translation>Einige Blöcke der Ausgabe wurden nicht gefüllt</translation>
    </message>
    <message>
        <source>The output cannot be written in small pieces</source>
        <translation>Die Ausgabe lässt sich nicht in kleinen Stücken schreiben</translation>
    </message>
    <message>
        <source>The weight has too many scales</source>
        <translation>Das Gewicht hat zu viele Skalen</translation>
    </message>
    <message>
        <source>The model has no files to sign</source>
        <translation>Das Modell hat keine Dateien zum Signieren</translation>
    </message>
    <message>
        <source>A symbolic link cannot be signed as part of the model</source>
        <translation>Ein symbolischer Link lässt sich nicht als Teil des Modells signieren</translation>
    </message>
    <message>
        <source>--follow-links signs the content of links to files in the model; --ignore leaves a path out</source>
        <translation>--follow-links signiert den Inhalt von Links auf Dateien im Modell; --ignore lässt einen Pfad aus</translation>
    </message>
    <message>
        <source>Only regular files can be signed</source>
        <translation>Nur gewöhnliche Dateien lassen sich signieren</translation>
    </message>
    <message>
        <source>--ignore leaves a path out</source>
        <translation>--ignore lässt einen Pfad aus</translation>
    </message>
    <message>
        <source>The signature file already exists</source>
        <translation>Die Signaturdatei gibt es schon</translation>
    </message>
    <message>
        <source>Remove it to sign again, or choose another with -o</source>
        <translation>Sie entfernen, um erneut zu signieren, oder mit -o eine andere wählen</translation>
    </message>
    <message>
        <source>It is not a regular file</source>
        <translation>Das ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>SHA-256 mismatch</source>
        <translation>SHA-256 stimmt nicht</translation>
    </message>
    <message>
        <source>BLAKE2b mismatch</source>
        <translation>BLAKE2b stimmt nicht</translation>
    </message>
    <message>
        <source>The file is not part of the signature</source>
        <translation>Die Datei gehört nicht zur Signatur</translation>
    </message>
    <message>
        <source>The output was not verified, so it cannot be signed</source>
        <translation>Die Ausgabe wurde nicht geprüft und lässt sich darum nicht signieren</translation>
    </message>
    <message>
        <source>at most %1 bytes%2</source>
        <translation>höchstens %1 Bytes%2</translation>
    </message>
    <message>
        <source>, because its manifest is named after it</source>
        <translation>, weil ihr Manifest nach ihr benannt ist</translation>
    </message>
    <message>
        <source>Remaining journals: %1</source>
        <translation>Verbliebene Journale: %1</translation>
    </message>
    <message>
        <source>This job was started with a different number of parts</source>
        <translation>Dieser Job wurde mit einer anderen Anzahl von Teilen begonnen</translation>
    </message>
    <message>
        <source>N of --part I/N is the same in every call; `cairn-cli job clean %1` removes what was written, to start with another</source>
        <translation>Das N von --part I/N ist in jedem Aufruf gleich; um mit einem anderen zu beginnen, entfernt `cairn-cli job clean %1` das Geschriebene</translation>
    </message>
    <message>
        <source>The format's reader found a different dtype or shape</source>
        <translation>Der Reader des Formats hat einen anderen Dtype oder eine andere Shape gefunden</translation>
    </message>
    <message>
        <source>The format's reader found this tensor at a different offset than it was written to</source>
        <translation>Der Reader des Formats hat diesen Tensor an einer anderen Stelle gefunden, als er geschrieben wurde</translation>
    </message>
    <message>
        <source>offset %1</source>
        <translation>Offset %1</translation>
    </message>
    <message>
        <source>The output's chunks do not tile this tensor</source>
        <translation>Die Chunks der Ausgabe decken diesen Tensor nicht genau ab</translation>
    </message>
    <message>
        <source>The output contains a tensor that was not requested</source>
        <translation>Die Ausgabe enthält einen Tensor, der nicht verlangt war</translation>
    </message>
    <message>
        <source>The format's reader did not find this tensor in the output</source>
        <translation>Der Reader des Formats hat diesen Tensor in der Ausgabe nicht gefunden</translation>
    </message>
    <message>
        <source>no weights</source>
        <translation>keine Gewichte</translation>
    </message>
    <message>
        <source>inside %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>the old header in %1</source>
        <translation>der alte Header in %1</translation>
    </message>
    <message>
        <source>`cairn-cli edit FILE --recover` finishes or undoes it</source>
        <translation>`cairn-cli edit FILE --recover` beendet sie oder nimmt sie zurück</translation>
    </message>
    <message>
        <source>the end of the data</source>
        <translation>das Ende der Daten</translation>
    </message>
    <message>
        <source>Invalid layout of strings</source>
        <translation>Ungültige Anordnung von Zeichenketten</translation>
    </message>
    <message>
        <source>%1 bytes for %2 elements</source>
        <translation>%1 Bytes für %2 Elemente</translation>
    </message>
    <message>
        <source>%1 bytes after the last one</source>
        <translation>%1 Bytes nach dem letzten</translation>
    </message>
    <message>
        <source>name, dtype, shape, size, elements, role, shards, pieces or dims</source>
        <translation>name, dtype, shape, size, elements, role, shards, pieces oder dims</translation>
    </message>
    <message>
        <source>Sub-byte elements can only be read from one dense piece</source>
        <translation>Elemente, die kleiner als ein Byte sind, lassen sich nur aus einem dichten Stück lesen</translation>
    </message>
    <message>
        <source>Quantised blocks can only be read when they are stored densely</source>
        <translation>Quantisierte Blöcke lassen sich nur lesen, wenn sie dicht gespeichert sind</translation>
    </message>
    <message>
        <source>multiples of %1 along the last dimension</source>
        <translation>Vielfache von %1 entlang der letzten Dimension</translation>
    </message>
    <message>
        <source>`cairn-cli show` prints them</source>
        <translation>`cairn-cli show` gibt sie aus</translation>
    </message>
    <message>
        <source>extent %1 with strides %2, %3 bytes each</source>
        <translation>Ausdehnung %1 mit Strides %2, je %3 Bytes</translation>
    </message>
    <message>
        <source>Too many plain values to be stored</source>
        <translation>Zu viele einfache Werte, um sie zu speichern</translation>
    </message>
    <message>
        <source>Unsupported version of the plain values</source>
        <translation>Nicht unterstützte Version der einfachen Werte</translation>
    </message>
    <message>
        <source>Trailing bytes after the plain values</source>
        <translation>Überzählige Bytes nach den einfachen Werten</translation>
    </message>
    <message>
        <source>Unknown type of a plain value</source>
        <translation>Unbekannter Typ eines einfachen Werts</translation>
    </message>
    <message>
        <source>A plain value refers to a missing tensor</source>
        <translation>Ein einfacher Wert verweist auf einen fehlenden Tensor</translation>
    </message>
    <message>
        <source>A plain value refers to a later one</source>
        <translation>Ein einfacher Wert verweist auf einen späteren</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1 Gewichte</translation>
    </message>
    <message>
        <source> below %1</source>
        <translation> unter %1</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>%1 dropped</source>
        <translation>%1 weggelassen</translation>
    </message>
    <message>
        <source>The plan casts a dtype that cannot be cast</source>
        <translation>Der Plan wandelt einen Dtype um, der sich nicht umwandeln lässt</translation>
    </message>
    <message>
        <source>The plan's recipe does not match its tensor</source>
        <translation>Das Rezept des Plans passt nicht zu seinem Tensor</translation>
    </message>
    <message>
        <source>The plan names a missing tensor</source>
        <translation>Der Plan nennt einen fehlenden Tensor</translation>
    </message>
    <message>
        <source>The plan's box is outside its tensor</source>
        <translation>Die Box des Plans liegt außerhalb ihres Tensors</translation>
    </message>
    <message>
        <source>The length of the plan's segment does not match its box</source>
        <translation>Die Länge des Segments im Plan passt nicht zu seiner Box</translation>
    </message>
    <message>
        <source>The plan's checksum has no location</source>
        <translation>Die Prüfsumme im Plan hat keinen Ort</translation>
    </message>
    <message>
        <source>The plan's literal is empty</source>
        <translation>Das Literal im Plan ist leer</translation>
    </message>
    <message>
        <source>The plan writes a byte twice</source>
        <translation>Der Plan schreibt ein Byte zweimal</translation>
    </message>
    <message>
        <source>The plan does not write every byte</source>
        <translation>Der Plan schreibt nicht jedes Byte</translation>
    </message>
    <message>
        <source>a segment at %1</source>
        <translation>ein Segment bei %1</translation>
    </message>
    <message>
        <source>The plan's file is too long</source>
        <translation>Die Datei des Plans ist zu lang</translation>
    </message>
    <message>
        <source>The length of the plan's file does not match its segments</source>
        <translation>Die Länge der Datei im Plan passt nicht zu ihren Segmenten</translation>
    </message>
    <message>
        <source>The plan writes several files but no folder</source>
        <translation>Der Plan schreibt mehrere Dateien, aber keinen Ordner</translation>
    </message>
    <message>
        <source>The plan's file name is invalid or duplicated</source>
        <translation>Ein Dateiname im Plan ist ungültig oder doppelt</translation>
    </message>
    <message>
        <source>The plan's output is too large</source>
        <translation>Die Ausgabe des Plans ist zu groß</translation>
    </message>
    <message>
        <source>, and %1 more</source>
        <translation>, und %1 weitere</translation>
    </message>
    <message>
        <source>. %1 significant bits are left; beyond %2 becomes %3, up to 2^%4 becomes 0. No scales are written, which some loaders expect</source>
        <translation>. %1 signifikante Bits bleiben; jenseits von %2 wird zu %3, bis 2^%4 wird zu 0. Es werden keine Skalen geschrieben, die manche Ladeprogramme erwarten</translation>
    </message>
    <message>
        <source> (and %1 more)</source>
        <translation> (und %1 weitere)</translation>
    </message>
    <message>
        <source>%1 of %2 tensors%3%4</source>
        <translation>%1 von %2 Tensoren%3%4</translation>
    </message>
    <message>
        <source>%1--force writes it anyway</source>
        <translation>%1--force schreibt sie trotzdem</translation>
    </message>
    <message>
        <source>Unknown tensor role</source>
        <translation>Unbekannte Tensorrolle</translation>
    </message>
    <message>
        <source>`cairn-cli ls PATH` shows the role of each tensor</source>
        <translation>`cairn-cli ls PATH` zeigt die Rolle jedes Tensors</translation>
    </message>
    <message>
        <source> (by name only)</source>
        <translation> (nur nach dem Namen)</translation>
    </message>
    <message>
        <source>%1 is at the same position: two runs or models share this folder</source>
        <translation>%1 steht an derselben Position: Zwei Runs oder Modelle teilen sich diesen Ordner</translation>
    </message>
    <message>
        <source>the run went back: %1 is at a later position, but was saved earlier</source>
        <translation>der Run ging zurück: %1 steht an einer späteren Position, wurde aber früher gespeichert</translation>
    </message>
    <message>
        <source>the run went back: %1 is at an earlier position, but was saved later</source>
        <translation>der Run ging zurück: %1 steht an einer früheren Position, wurde aber später gespeichert</translation>
    </message>
    <message>
        <source>its name and its values disagree about whether it precedes %1</source>
        <translation>sein Name und seine Werte widersprechen sich darin, ob er vor %1 kommt</translation>
    </message>
    <message>
        <source>a tensor</source>
        <translation>ein Tensor</translation>
    </message>
    <message>
        <source>The runs have no metric in common.</source>
        <translation>Die Runs haben keine gemeinsame Metrik.</translation>
    </message>
    <message>
        <source>%1 checkpoints</source>
        <translation>%1 Checkpoints</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>wall time</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>at most %1 points and %2 names of %3 bytes</source>
        <translation>höchstens %1 Punkte und %2 Namen mit %3 Bytes</translation>
    </message>
    <message>
        <source>Console log</source>
        <translation>Konsolenlog</translation>
    </message>
    <message>
        <source>further headers</source>
        <translation>weitere Kopfzeilen</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV-Tabelle</translation>
    </message>
    <message>
        <source>Aliases that expand too far were skipped</source>
        <translation>Aliase, die zu weit reichen, wurden übersprungen</translation>
    </message>
    <message>
        <source>%1 aliases</source>
        <translation>%1 Aliase</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>The lists have different lengths; points without epochs are numbered from 0</source>
        <translation>Die Listen sind verschieden lang; Punkte ohne Epoche sind ab 0 nummeriert</translation>
    </message>
    <message>
        <source>Keras history</source>
        <translation>Keras-Verlauf</translation>
    </message>
    <message>
        <source>The database's pages form a cycle</source>
        <translation>Die Seiten der Datenbank bilden einen Kreis</translation>
    </message>
    <message>
        <source>at most as many rows as fit its %1 bytes</source>
        <translation>höchstens so viele Zeilen, wie in ihre %1 Bytes passen</translation>
    </message>
    <message>
        <source>A value in the database exceeds the size limit</source>
        <translation>Ein Wert in der Datenbank überschreitet die Größengrenze</translation>
    </message>
    <message>
        <source>A table of the database is not an ordinary table</source>
        <translation>Eine Tabelle der Datenbank ist keine gewöhnliche Tabelle</translation>
    </message>
    <message>
        <source>A transaction of the database is not finished</source>
        <translation>Eine Transaktion der Datenbank ist nicht beendet</translation>
    </message>
    <message>
        <source>MLflow database</source>
        <translation>MLflow-Datenbank</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Runs</translation>
    </message>
    <message>
        <source>at most %1 points</source>
        <translation>höchstens %1 Punkte</translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>%1 übersprungen</translation>
    </message>
    <message>
        <source>The settings of the hparams plugin are damaged</source>
        <translation>Die Einstellungen des hparams-Plugins sind beschädigt</translation>
    </message>
    <message>
        <source>No trainer state</source>
        <translation>Kein Trainer-Zustand</translation>
    </message>
    <message>
        <source>Entries of the log that are not rows were skipped</source>
        <translation>Einträge des Logs, die keine Zeilen sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>Records without a beginning or an end were skipped</source>
        <translation>Einträge ohne Anfang oder Ende wurden übersprungen</translation>
    </message>
    <message>
        <source>Records that exceed the size limit were skipped</source>
        <translation>Einträge, die die Größengrenze überschreiten, wurden übersprungen</translation>
    </message>
    <message>
        <source>Records that are not W&amp;B records were skipped</source>
        <translation>Einträge, die keine W&amp;B-Einträge sind, wurden übersprungen</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>Exit-Code %1</translation>
    </message>
    <message>
        <source>the bytes 3a 57 26 42 e1 be</source>
        <translation>die Bytes 3a 57 26 42 e1 be</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>Version %1</translation>
    </message>
    <message>
        <source>version 0</source>
        <translation>Version 0</translation>
    </message>
    <message>
        <source>a different file</source>
        <translation>eine andere Datei</translation>
    </message>
    <message>
        <source>%n folder</source>
        <translation>%n Ordner</translation>
    </message>
    <message>
        <source>%n folders</source>
        <translation>%n Ordner</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 runs; the latest of each: %2</source>
        <translation>%1 Runs; der neueste von jedem: %2</translation>
    </message>
    <message>
        <source>one checkpoint, or one run</source>
        <translation>ein Checkpoint oder ein Run</translation>
    </message>
    <message>
        <source>Specify one of them; `cairn-cli runs` lists all</source>
        <translation>Einen davon angeben; `cairn-cli runs` nennt alle</translation>
    </message>
    <message>
        <source>%1: %2. Specify one of them to open it as it is</source>
        <translation>%1: %2. Einen davon angeben, um ihn zu öffnen, wie er ist</translation>
    </message>
    <message>
        <source>a step or an epoch in their names or values</source>
        <translation>ein Schritt oder eine Epoche in ihren Namen oder Werten</translation>
    </message>
    <message>
        <source>Specify one of them to open it</source>
        <translation>Einen davon angeben, um ihn zu öffnen</translation>
    </message>
    <message>
        <source>the one that "%1" names</source>
        <translation>der, den „%1“ nennt</translation>
    </message>
    <message>
        <source>the latest complete one</source>
        <translation>der neueste vollständige</translation>
    </message>
    <message>
        <source>The folder contains %1; %2 was opened: %3</source>
        <translation>Der Ordner enthält %1; %2 wurde geöffnet: %3</translation>
    </message>
    <message>
        <source>Specify one of them to open another</source>
        <translation>Einen davon angeben, um einen anderen zu öffnen</translation>
    </message>
    <message>
        <source>also there: %1</source>
        <translation>auch dort: %1</translation>
    </message>
    <message>
        <source>The folder itself is a checkpoint and was opened as one; it also contains %1 of other steps</source>
        <translation>Der Ordner selbst ist ein Checkpoint und wurde als solcher geöffnet; er enthält außerdem %1 anderer Schritte</translation>
    </message>
    <message>
        <source>Specify one of them; `cairn-cli runs` lists them</source>
        <translation>Einen davon angeben; `cairn-cli runs` nennt sie</translation>
    </message>
    <message>
        <source>Runs can be grouped by settings only</source>
        <translation>Runs lassen sich nur nach Einstellungen gruppieren</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Remove it, and a wastebasket will be created there</source>
        <translation>Entfernen, dann wird dort ein Papierkorb angelegt</translation>
    </message>
    <message>
        <source>Cannot restrict the wastebasket's permissions</source>
        <translation>Die Zugriffsrechte des Papierkorbs lassen sich nicht einschränken</translation>
    </message>
    <message>
        <source>Cannot read the wastebasket's status</source>
        <translation>Der Status des Papierkorbs ist nicht lesbar</translation>
    </message>
    <message>
        <source>The wastebasket is not private to this user; it is not used</source>
        <translation>Der Papierkorb gehört nicht diesem Benutzer allein; er wird nicht verwendet</translation>
    </message>
    <message>
        <source>owner %1, mode %2</source>
        <translation>Eigentümer %1, Modus %2</translation>
    </message>
    <message>
        <source>owner %1, not writable by others</source>
        <translation>Eigentümer %1, für andere nicht schreibbar</translation>
    </message>
    <message>
        <source>A shared wastebasket without the sticky bit is not used</source>
        <translation>Ein gemeinsamer Papierkorb ohne Sticky-Bit wird nicht verwendet</translation>
    </message>
    <message>
        <source>Some of its files are in the wastebasket: restore %1</source>
        <translation>Einige seiner Dateien sind im Papierkorb: %1 zurückholen</translation>
    </message>
    <message>
        <source>The wastebasket contains too many entries with this name</source>
        <translation>Der Papierkorb enthält zu viele Einträge dieses Namens</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>what is its step</source>
        <translation>welchen Schritt hat er</translation>
    </message>
    <message>
        <source>the one of %1, which it is a link to</source>
        <translation>der von %1, auf den er ein Link ist</translation>
    </message>
    <message>
        <source>unknown: neither its values nor its name contain a step or an epoch; it is ordered by the time of its last change</source>
        <translation>unbekannt: Weder seine Werte noch sein Name enthalten einen Schritt oder eine Epoche; er ist nach der Zeit seiner letzten Änderung geordnet</translation>
    </message>
    <message>
        <source>is it complete</source>
        <translation>ist er vollständig</translation>
    </message>
    <message>
        <source>the index of %1</source>
        <translation>der Index von %1</translation>
    </message>
    <message>
        <source>the listing of %1</source>
        <translation>die Auflistung von %1</translation>
    </message>
    <message>
        <source>larger is better</source>
        <translation>größer ist besser</translation>
    </message>
    <message>
        <source>lower is better</source>
        <translation>kleiner ist besser</translation>
    </message>
    <message>
        <source>which metric decides</source>
        <translation>welche Metrik entscheidet</translation>
    </message>
    <message>
        <source>the trainer's own record, which does not name its metric</source>
        <translation>der eigene Vermerk des Trainers, der seine Metrik nicht nennt</translation>
    </message>
    <message>
        <source>%1, which the trainer's own record names</source>
        <translation>%1, die der eigene Vermerk des Trainers nennt</translation>
    </message>
    <message>
        <source>A process has a file of the checkpoint open for writing; it was not moved</source>
        <translation>Ein Prozess hat eine Datei des Checkpoints zum Schreiben geöffnet; er wurde nicht verschoben</translation>
    </message>
    <message>
        <source>a process has a file of it open for writing</source>
        <translation>ein Prozess hat eine seiner Dateien zum Schreiben geöffnet</translation>
    </message>
    <message>
        <source>No checkpoint has a value of this metric</source>
        <translation>Kein Checkpoint hat einen Wert dieser Metrik</translation>
    </message>
    <message>
        <source>The newest checkpoint of the run is damaged</source>
        <translation>Der neueste Checkpoint des Laufs ist beschädigt</translation>
    </message>
    <message>
        <source>The newest checkpoint of the run is damaged; the older %1 was opened</source>
        <translation>Der neueste Checkpoint des Laufs ist beschädigt; der ältere %1 wurde geöffnet</translation>
    </message>
    <message>
        <source>The newest complete one is %1</source>
        <translation>Der neueste vollständige ist %1</translation>
    </message>
    <message>
        <source>an export of %1</source>
        <translation>ein Export von %1</translation>
    </message>
    <message>
        <source>an export or a final model, not a save of the run</source>
        <translation>ein Export oder ein fertiges Modell, keine Sicherung des Laufs</translation>
    </message>
    <message>
        <source>the best according to its name</source>
        <translation>der beste laut seinem Namen</translation>
    </message>
    <message>
        <source>which values of %1 are better is only assumed (%2)</source>
        <translation>welche Werte von %1 besser sind, ist nur angenommen (%2)</translation>
    </message>
    <message>
        <source>lower is better, assumed</source>
        <translation>kleiner ist besser, angenommen</translation>
    </message>
    <message>
        <source>larger is better, assumed</source>
        <translation>größer ist besser, angenommen</translation>
    </message>
    <message>
        <source>lower is better, as requested</source>
        <translation>kleiner ist besser, wie verlangt</translation>
    </message>
    <message>
        <source>larger is better, as requested</source>
        <translation>größer ist besser, wie verlangt</translation>
    </message>
    <message>
        <source>its step and its epoch disagree about whether it precedes %1</source>
        <translation>sein Schritt und seine Epoche widersprechen sich darin, ob er vor %1 kommt</translation>
    </message>
    <message>
        <source>the trainer's name %1 for it</source>
        <translation>der Name %1, den der Trainer ihm gab</translation>
    </message>
    <message>
        <source>it has the best %1; %2</source>
        <translation>er hat den besten Wert von %1; %2</translation>
    </message>
    <message>
        <source>undecided: %1</source>
        <translation>unentschieden: %1</translation>
    </message>
    <message>
        <source>none: the trainer's name for the best checkpoint decides</source>
        <translation>keine: Der Name, den der Trainer dem besten Checkpoint gab, entscheidet</translation>
    </message>
    <message>
        <source>the logs were not read completely: %1</source>
        <translation>die Protokolle wurden nicht vollständig gelesen: %1</translation>
    </message>
    <message>
        <source>%1, but no checkpoint has a finite value of it</source>
        <translation>%1, aber kein Checkpoint hat einen endlichen Wert davon</translation>
    </message>
    <message>
        <source>none: no record, curve, value or name identifies the best checkpoint</source>
        <translation>keine: Kein Vermerk, keine Kurve, kein Wert und kein Name bestimmt den besten Checkpoint</translation>
    </message>
    <message>
        <source>what is its value</source>
        <translation>welchen Wert hat er</translation>
    </message>
    <message>
        <source>none: the run has no metric to compare checkpoints by</source>
        <translation>keiner: Der Run hat keine Metrik, um Checkpoints zu vergleichen</translation>
    </message>
    <message>
        <source>none: %1 has no value at its position</source>
        <translation>keiner: %1 hat an seiner Position keinen Wert</translation>
    </message>
    <message>
        <source>the trainer's record in the newest checkpoint that has one names it</source>
        <translation>der Vermerk des Trainers im neuesten Checkpoint, der einen hat, nennt ihn</translation>
    </message>
    <message>
        <source>it is a link to %1</source>
        <translation>er ist ein Link auf %1</translation>
    </message>
    <message>
        <source>no checkpoint of the run is: no record, curve, value or name identifies one</source>
        <translation>kein Checkpoint des Runs ist es: Kein Vermerk, keine Kurve, kein Wert und kein Name bestimmt einen</translation>
    </message>
    <message>
        <source>the pointer file %1 names it</source>
        <translation>die Zeigerdatei %1 nennt ihn</translation>
    </message>
    <message>
        <source>it is the last in training order of %1</source>
        <translation>er ist in der Trainingsreihenfolge der letzte von %1</translation>
    </message>
    <message>
        <source>no checkpoint of the run is</source>
        <translation>kein Checkpoint des Runs ist es</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>why best</source>
        <translation>warum bester</translation>
    </message>
    <message>
        <source>why not best</source>
        <translation>warum nicht bester</translation>
    </message>
    <message>
        <source>why latest</source>
        <translation>warum neuester</translation>
    </message>
    <message>
        <source>why not latest</source>
        <translation>warum nicht neuester</translation>
    </message>
    <message>
        <source>an invalid date</source>
        <translation>ein ungültiges Datum</translation>
    </message>
    <message>
        <source>A certificate of the signature has expired</source>
        <translation>Ein Zertifikat der Signatur ist abgelaufen</translation>
    </message>
    <message>
        <source>A certificate of the signature is not yet valid</source>
        <translation>Ein Zertifikat der Signatur ist noch nicht gültig</translation>
    </message>
    <message>
        <source>No chain leads from the signer's certificate to a trusted one</source>
        <translation>Keine Kette führt vom Zertifikat des Unterzeichners zu einem vertrauenswürdigen</translation>
    </message>
    <message>
        <source>The file contains too many certificates</source>
        <translation>Die Datei enthält zu viele Zertifikate</translation>
    </message>
    <message>
        <source>The file does not contain a certificate</source>
        <translation>Die Datei enthält kein Zertifikat</translation>
    </message>
    <message>
        <source>A certificate of the file is damaged</source>
        <translation>Ein Zertifikat der Datei ist beschädigt</translation>
    </message>
    <message>
        <source>certificates in PEM</source>
        <translation>Zertifikate in PEM</translation>
    </message>
    <message>
        <source>A certificate of the signature is invalid</source>
        <translation>Ein Zertifikat der Signatur ist ungültig</translation>
    </message>
    <message>
        <source>The certificate does not contain a readable key</source>
        <translation>Das Zertifikat enthält keinen lesbaren Schlüssel</translation>
    </message>
    <message>
        <source>The certificate is not meant for signatures</source>
        <translation>Das Zertifikat ist nicht für Signaturen bestimmt</translation>
    </message>
    <message>
        <source>the key usage "digital signature" or "code signing"</source>
        <translation>die Schlüsselverwendung „digital signature“ oder „code signing“</translation>
    </message>
    <message>
        <source>The certificate has expired</source>
        <translation>Das Zertifikat ist abgelaufen</translation>
    </message>
    <message>
        <source>valid until %1</source>
        <translation>gültig bis %1</translation>
    </message>
    <message>
        <source>Sign with a certificate that is valid</source>
        <translation>Mit einem gültigen Zertifikat signieren</translation>
    </message>
    <message>
        <source>The certificate is not yet valid</source>
        <translation>Das Zertifikat ist noch nicht gültig</translation>
    </message>
    <message>
        <source>valid from %1</source>
        <translation>gültig ab %1</translation>
    </message>
    <message>
        <source>The certificate has an invalid date</source>
        <translation>Das Zertifikat hat ein ungültiges Datum</translation>
    </message>
    <message>
        <source>If it was signed while the certificate was valid, --at-issue-date checks the chain at that certificate's first day</source>
        <translation>Falls während der Gültigkeit des Zertifikats signiert wurde, prüft --at-issue-date die Kette am ersten Tag dieses Zertifikats</translation>
    </message>
    <message>
        <source>an elliptic key of P-256, P-384 or P-521 in PEM</source>
        <translation>ein elliptischer Schlüssel auf P-256, P-384 oder P-521 in PEM</translation>
    </message>
    <message>
        <source>The curve of the key is not supported</source>
        <translation>Die Kurve des Schlüssels wird nicht unterstützt</translation>
    </message>
    <message>
        <source>The key is not an elliptic key</source>
        <translation>Der Schlüssel ist kein elliptischer Schlüssel</translation>
    </message>
    <message>
        <source>a key of the type %1</source>
        <translation>ein Schlüssel der Art %1</translation>
    </message>
    <message>
        <source>a key of an unknown type</source>
        <translation>ein Schlüssel unbekannter Art</translation>
    </message>
    <message>
        <source>The private key is encrypted and the password does not open it</source>
        <translation>Der private Schlüssel ist verschlüsselt, und das Passwort öffnet ihn nicht</translation>
    </message>
    <message>
        <source>The file contains a public key; signing needs the private key</source>
        <translation>Die Datei enthält einen öffentlichen Schlüssel; Signieren braucht den privaten</translation>
    </message>
    <message>
        <source>The file does not contain a private key</source>
        <translation>Die Datei enthält keinen privaten Schlüssel</translation>
    </message>
    <message>
        <source>The file contains a certificate instead of a public key; use --cert</source>
        <translation>Die Datei enthält ein Zertifikat statt eines öffentlichen Schlüssels; --cert verwenden</translation>
    </message>
    <message>
        <source>The file contains a private key instead of a public key</source>
        <translation>Die Datei enthält einen privaten Schlüssel statt eines öffentlichen</translation>
    </message>
    <message>
        <source>The file does not contain a public key</source>
        <translation>Die Datei enthält keinen öffentlichen Schlüssel</translation>
    </message>
    <message>
        <source>The key cannot sign</source>
        <translation>Der Schlüssel kann nicht signieren</translation>
    </message>
    <message>
        <source>The signature does not match its content</source>
        <translation>Die Signatur passt nicht zu ihrem Inhalt</translation>
    </message>
    <message>
        <source>The signature file was changed, or it was signed with a different key</source>
        <translation>Die Signaturdatei wurde geändert oder mit einem anderen Schlüssel signiert</translation>
    </message>
    <message>
        <source>The signature was made with a certificate, not with a plain key</source>
        <translation>Die Signatur wurde mit einem Zertifikat gemacht, nicht mit einem bloßen Schlüssel</translation>
    </message>
    <message>
        <source>Verify it with --cert</source>
        <translation>Mit --cert prüfen</translation>
    </message>
    <message>
        <source>The signature was made with a different key</source>
        <translation>Die Signatur wurde mit einem anderen Schlüssel gemacht</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>Schlüssel %1</translation>
    </message>
    <message>
        <source>The signature was made with a plain key, not with a certificate</source>
        <translation>Die Signatur wurde mit einem bloßen Schlüssel gemacht, nicht mit einem Zertifikat</translation>
    </message>
    <message>
        <source>Verify it with --public-key</source>
        <translation>Mit --public-key prüfen</translation>
    </message>
    <message>
        <source>No certificate of the file belongs to the key</source>
        <translation>Kein Zertifikat der Datei gehört zum Schlüssel</translation>
    </message>
    <message>
        <source>The file must contain the certificate that was issued for %1</source>
        <translation>Die Datei muss das Zertifikat enthalten, das für %1 ausgestellt wurde</translation>
    </message>
    <message>
        <source>The file does not exist or cannot be opened</source>
        <translation>Die Datei existiert nicht oder lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The file is too large</source>
        <translation>Die Datei ist zu groß</translation>
    </message>
    <message>
        <source>The signature file is not valid JSON</source>
        <translation>Die Signaturdatei ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>a Sigstore bundle</source>
        <translation>ein Sigstore-Bundle</translation>
    </message>
    <message>
        <source>The file may be truncated; get another copy</source>
        <translation>Die Datei ist vielleicht abgeschnitten; eine andere Kopie beschaffen</translation>
    </message>
    <message>
        <source>The file is not a signature of a model</source>
        <translation>Die Datei ist keine Signatur eines Modells</translation>
    </message>
    <message>
        <source>The signature does not name its key</source>
        <translation>Die Signatur nennt ihren Schlüssel nicht</translation>
    </message>
    <message>
        <source>The signature is keyless (Sigstore); only signatures of keys and of certificate chains can be verified offline</source>
        <translation>Die Signatur ist schlüssellos (Sigstore); ohne Netz lassen sich nur Signaturen von Schlüsseln und Zertifikatsketten prüfen</translation>
    </message>
    <message>
        <source>publicKey or x509CertificateChain</source>
        <translation>publicKey oder x509CertificateChain</translation>
    </message>
    <message>
        <source>The signature has no envelope</source>
        <translation>Die Signatur hat keinen Umschlag</translation>
    </message>
    <message>
        <source>The signed payload has an unknown type</source>
        <translation>Der signierte Inhalt hat einen unbekannten Typ</translation>
    </message>
    <message>
        <source>The signed payload is missing or invalid</source>
        <translation>Der signierte Inhalt fehlt oder ist ungültig</translation>
    </message>
    <message>
        <source>The signature is missing or invalid</source>
        <translation>Die Signatur fehlt oder ist ungültig</translation>
    </message>
    <message>
        <source>The signed statement is not valid JSON</source>
        <translation>Die signierte Erklärung ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>The payload is not an in-toto statement</source>
        <translation>Der Inhalt ist keine in-toto-Erklärung</translation>
    </message>
    <message>
        <source>The statement is not a model signature</source>
        <translation>Die Erklärung ist keine Signatur eines Modells</translation>
    </message>
    <message>
        <source>A text field of the signed statement is missing</source>
        <translation>Ein Textfeld der signierten Erklärung fehlt</translation>
    </message>
    <message>
        <source>The signed statement does not list any files</source>
        <translation>Die signierte Erklärung nennt keine Dateien</translation>
    </message>
    <message>
        <source>The digest algorithm of the signature is not supported</source>
        <translation>Der Digest-Algorithmus der Signatur wird nicht unterstützt</translation>
    </message>
    <message>
        <source>sha256 or blake2b</source>
        <translation>sha256 oder blake2b</translation>
    </message>
    <message>
        <source>The signed statement is incomplete</source>
        <translation>Die signierte Erklärung ist unvollständig</translation>
    </message>
    <message>
        <source>The digests of the signed statement do not match its summary</source>
        <translation>Die Digests der signierten Erklärung passen nicht zu ihrer Zusammenfassung</translation>
    </message>
    <message>
        <source>The shard size of the signature is invalid</source>
        <translation>Die Shard-Größe der Signatur ist ungültig</translation>
    </message>
    <message>
        <source>The signature divides the model in an unknown way</source>
        <translation>Die Signatur teilt das Modell auf unbekannte Weise</translation>
    </message>
    <message>
        <source>files or shards</source>
        <translation>Dateien oder Shards</translation>
    </message>
    <message>
        <source>A file's digest algorithm differs from that of the signature</source>
        <translation>Der Digest-Algorithmus einer Datei weicht von dem der Signatur ab</translation>
    </message>
    <message>
        <source>A range of the signature is invalid</source>
        <translation>Ein Bereich der Signatur ist ungültig</translation>
    </message>
    <message>
        <source>The signature names a file outside the model</source>
        <translation>Die Signatur nennt eine Datei außerhalb des Modells</translation>
    </message>
    <message>
        <source>A digest of the signature is invalid</source>
        <translation>Ein Digest der Signatur ist ungültig</translation>
    </message>
    <message>
        <source>The signature names a file twice</source>
        <translation>Die Signatur nennt eine Datei zweimal</translation>
    </message>
    <message>
        <source>A file of the signature has no digest</source>
        <translation>Eine Datei der Signatur hat keinen Digest</translation>
    </message>
    <message>
        <source>A file name is not UTF-8, so that a signature cannot contain it</source>
        <translation>Ein Dateiname ist kein UTF-8, sodass ihn eine Signatur nicht enthalten kann</translation>
    </message>
    <message>
        <source>Rename the file, or leave it out with --ignore</source>
        <translation>Die Datei umbenennen oder mit --ignore auslassen</translation>
    </message>
    <message>
        <source>%1 .distcp files</source>
        <translation>%1 .distcp-Dateien</translation>
    </message>
    <message>
        <source>%1 .distcp files and .metadata.tmp</source>
        <translation>%1 .distcp-Dateien und .metadata.tmp</translation>
    </message>
    <message>
        <source>%1 after step %2</source>
        <translation>%1 nach Schritt %2</translation>
    </message>
    <message>
        <source>%1 along dimension %2</source>
        <translation>%1 entlang Dimension %2</translation>
    </message>
    <message>
        <source>%1 as in the model states</source>
        <translation>%1 wie in den Modellzuständen</translation>
    </message>
    <message>
        <source>%1 as in the other ranks</source>
        <translation>%1 wie in den anderen Ranks</translation>
    </message>
    <message>
        <source>%1 does not contain %2</source>
        <translation>%1 enthält %2 nicht</translation>
    </message>
    <message>
        <source>%1 elements missing</source>
        <translation>%1 Elemente fehlen</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 from %2 to %3, about equal</source>
        <translation>%1 von %2 bis %3, etwa gleich</translation>
    </message>
    <message>
        <source>%1 from %2 to %3, not equal</source>
        <translation>%1 von %2 bis %3, nicht gleich</translation>
    </message>
    <message>
        <source>%1 has a different shape or kind of dtype of %2</source>
        <translation>%1 hat eine andere Shape oder Art von Dtype bei %2</translation>
    </message>
    <message>
        <source>%1 of %2 tensors, …</source>
        <translation>%1 von %2 Tensoren, …</translation>
    </message>
    <message>
        <source>%1 of %2 tensors: %3</source>
        <translation>%1 von %2 Tensoren: %3</translation>
    </message>
    <message>
        <source>%1 of %2 tensors: %3, …</source>
        <translation>%1 von %2 Tensoren: %3, …</translation>
    </message>
    <message>
        <source>%n rank</source>
        <translation>%n Rank</translation>
    </message>
    <message>
        <source>%1, valid until %2</source>
        <translation>%1, gültig bis %2</translation>
    </message>
    <message>
        <source>%1: %n tensor, %2</source>
        <translation>%1: %n Tensor, %2</translation>
    </message>
    <message>
        <source>%1: %n tensor, %2 (by name only)</source>
        <translation>%1: %n Tensor, %2 (nur nach dem Namen)</translation>
    </message>
    <message>
        <source>%1: %n tensors, %2</source>
        <translation>%1: %n Tensoren, %2</translation>
    </message>
    <message>
        <source>%1: %n tensors, %2 (by name only)</source>
        <translation>%1: %n Tensoren, %2 (nur nach dem Namen)</translation>
    </message>
    <message>
        <source>%n element in no chunk, %1 element in more than one</source>
        <translation>%n Element in keinem Chunk, %1 Element in mehr als einem</translation>
    </message>
    <message>
        <source>%n element in no chunk, %1 elements in more than one</source>
        <translation>%n Element in keinem Chunk, %1 Elemente in mehr als einem</translation>
    </message>
    <message>
        <source>%n element of %1 are not in any file</source>
        <translation>%n Element von %1 ist in keiner Datei</translation>
    </message>
    <message>
        <source>%n element of %1 are stored more than once; it is unknown which copy is correct</source>
        <translation>%n Element von %1 ist mehrfach gespeichert; welche Kopie stimmt, ist unbekannt</translation>
    </message>
    <message>
        <source>%n elements in no chunk, %1 element in more than one</source>
        <translation>%n Elemente in keinem Chunk, %1 Element in mehr als einem</translation>
    </message>
    <message>
        <source>%n elements in no chunk, %1 elements in more than one</source>
        <translation>%n Elemente in keinem Chunk, %1 Elemente in mehr als einem</translation>
    </message>
    <message>
        <source>%n elements of %1 are not in any file</source>
        <translation>%n Elemente von %1 sind in keiner Datei</translation>
    </message>
    <message>
        <source>%n elements of %1 are stored more than once; it is unknown which copy is correct</source>
        <translation>%n Elemente von %1 sind mehrfach gespeichert; welche Kopie stimmt, ist unbekannt</translation>
    </message>
    <message>
        <source>%n entries, none of which is an index of a known format</source>
        <translation>%n Einträge, von denen keiner ein Index eines bekannten Formats ist</translation>
    </message>
    <message>
        <source>%n entries, which is not an index of a known format</source>
        <translation>%n Einträge, die kein Index eines bekannten Formats sind</translation>
    </message>
    <message>
        <source>%n entry, none of which is an index of a known format</source>
        <translation>%n Eintrag, der kein Index eines bekannten Formats ist</translation>
    </message>
    <message>
        <source>%n entry, which is not an index of a known format</source>
        <translation>%n Eintrag, der kein Index eines bekannten Formats ist</translation>
    </message>
    <message>
        <source>%n file more</source>
        <translation>%n weitere Datei</translation>
    </message>
    <message>
        <source>%n file of it is %1</source>
        <translation>%n Datei davon ist %1</translation>
    </message>
    <message>
        <source>%n files more</source>
        <translation>%n weitere Dateien</translation>
    </message>
    <message>
        <source>%n files of it are %1</source>
        <translation>%n Dateien davon sind %1</translation>
    </message>
    <message>
        <source>%n tensor is not tiled by the chunks in the index</source>
        <translation>%n Tensor ist von den Chunks im Index nicht genau abgedeckt</translation>
    </message>
    <message>
        <source>%n tensor of a different shape</source>
        <translation>%n Tensor mit anderer Shape</translation>
    </message>
    <message>
        <source>%n tensor only in it</source>
        <translation>%n Tensor nur darin</translation>
    </message>
    <message>
        <source>%n tensor renamed</source>
        <translation>%n Tensor umbenannt</translation>
    </message>
    <message>
        <source>%n tensors are not tiled by the chunks in the index</source>
        <translation>%n Tensoren sind von den Chunks im Index nicht genau abgedeckt</translation>
    </message>
    <message>
        <source>%n tensors of a different shape</source>
        <translation>%n Tensoren mit anderer Shape</translation>
    </message>
    <message>
        <source>%n tensors only in it</source>
        <translation>%n Tensoren nur darin</translation>
    </message>
    <message>
        <source>%n tensors renamed</source>
        <translation>%n Tensoren umbenannt</translation>
    </message>
    <message>
        <source>, %1 left out (%2)</source>
        <translation>, %1 ausgelassen (%2)</translation>
    </message>
    <message>
        <source>, %1 left out (%2, …)</source>
        <translation>, %1 ausgelassen (%2, …)</translation>
    </message>
    <message>
        <source>%1, epoch %2</source>
        <translation>%1, Epoche %2</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>It changed %1 s ago%2</source>
        <translation>Er hat sich vor %1 s geändert%2</translation>
    </message>
    <message>
        <source>Its modification time is in the future%1</source>
        <translation>Seine Änderungszeit liegt in der Zukunft%1</translation>
    </message>
    <message>
        <source>Its pickles name classes that are unknown to Cairn</source>
        <translation>Seine Pickles nennen Klassen, die Cairn nicht kennt</translation>
    </message>
    <message>
        <source>No %1 file</source>
        <translation>Keine %1-Datei</translation>
    </message>
    <message>
        <source>No %1 file yet</source>
        <translation>Noch keine %1-Datei</translation>
    </message>
    <message>
        <source>The file %1 is missing; %n tensor cannot be read completely</source>
        <translation>Die Datei %1 fehlt; %n Tensor ist nicht vollständig lesbar</translation>
    </message>
    <message>
        <source>The file %1 is missing; %n tensors cannot be read completely</source>
        <translation>Die Datei %1 fehlt; %n Tensoren sind nicht vollständig lesbar</translation>
    </message>
    <message>
        <source>The folder contains %n checkpoint; %1 was opened: %2</source>
        <translation>Der Ordner enthält %n Checkpoint; geöffnet wurde %1: %2</translation>
    </message>
    <message>
        <source>The folder contains %n checkpoints; %1 was opened: %2</source>
        <translation>Der Ordner enthält %n Checkpoints; geöffnet wurde %1: %2</translation>
    </message>
    <message>
        <source>The folder itself is a checkpoint and was opened as one; it also contains %n folder of other steps</source>
        <translation>Der Ordner selbst ist ein Checkpoint und wurde als solcher geöffnet; er enthält außerdem %n Ordner anderer Schritte</translation>
    </message>
    <message>
        <source>The folder itself is a checkpoint and was opened as one; it also contains %n folders of other steps</source>
        <translation>Der Ordner selbst ist ein Checkpoint und wurde als solcher geöffnet; er enthält außerdem %n Ordner anderer Schritte</translation>
    </message>
    <message>
        <source>The part %1 has no weights</source>
        <translation>Der Teil %1 hat keine Gewichte</translation>
    </message>
    <message>
        <source>The part %1 is missing</source>
        <translation>Der Teil %1 fehlt</translation>
    </message>
    <message>
        <source>The pickle refers to %1</source>
        <translation>Das Pickle verweist auf %1</translation>
    </message>
    <message>
        <source>The shard %1 cannot be opened</source>
        <translation>Der Shard %1 lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The shard ends before %n of its items: %1</source>
        <translation>Der Shard endet vor %n seiner Einträge: %1</translation>
    </message>
    <message>
        <source>a sample of %n tensor</source>
        <translation>eine Stichprobe von %n Tensor</translation>
    </message>
    <message>
        <source>a sample of %n tensors</source>
        <translation>eine Stichprobe von %n Tensoren</translation>
    </message>
    <message>
        <source>at most %1 bytes, because its manifest is named after it</source>
        <translation>höchstens %1 Bytes, weil ihr Manifest nach ihr benannt ist</translation>
    </message>
    <message>
        <source>every element of %n tensor</source>
        <translation>jedes Element von %n Tensor</translation>
    </message>
    <message>
        <source>every element of %n tensors</source>
        <translation>jedes Element von %n Tensoren</translation>
    </message>
    <message>
        <source>it could not be opened as a checkpoint: %1</source>
        <translation>er ließ sich nicht als Checkpoint öffnen: %1</translation>
    </message>
    <message>
        <source>it is the last in training order of %n checkpoint</source>
        <translation>er ist in der Trainingsreihenfolge der letzte von %n Checkpoint</translation>
    </message>
    <message>
        <source>it is the last in training order of %n checkpoints</source>
        <translation>er ist in der Trainingsreihenfolge der letzte von %n Checkpoints</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>fewer</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>Invalid regular expression: %1</source>
        <translation>Ungültiger regulärer Ausdruck: %1</translation>
    </message>
    <message>
        <source>Set the environment variable %1</source>
        <translation>Die Umgebungsvariable %1 setzen</translation>
    </message>
    <message>
        <source>The certificates of the signature are not accepted: %1</source>
        <translation>Die Zertifikate der Signatur werden nicht angenommen: %1</translation>
    </message>
    <message>
        <source>it has the largest %1 of %n checkpoint with a value</source>
        <translation>er hat den größten Wert von %1 aus %n Checkpoint mit einem Wert</translation>
    </message>
    <message>
        <source>it has the largest %1 of %n checkpoints with a value</source>
        <translation>er hat den größten Wert von %1 aus %n Checkpoints mit einem Wert</translation>
    </message>
    <message>
        <source>it has the lowest %1 of %n checkpoint with a value</source>
        <translation>er hat den kleinsten Wert von %1 aus %n Checkpoint mit einem Wert</translation>
    </message>
    <message>
        <source>it has the lowest %1 of %n checkpoints with a value</source>
        <translation>er hat den kleinsten Wert von %1 aus %n Checkpoints mit einem Wert</translation>
    </message>
    <message>
        <source>"%1" of shape %2</source>
        <translation>„%1“ mit Shape %2</translation>
    </message>
    <message>
        <source>&lt;out-of-band buffer&gt;</source>
        <translation>&lt;Buffer außerhalb des Pickles&gt;</translation>
    </message>
    <message>
        <source>&lt;damaged tensor&gt;</source>
        <translation>&lt;beschädigter Tensor&gt;</translation>
    </message>
    <message>
        <source>&lt;position of a tensor&gt;</source>
        <translation>&lt;Ort eines Tensors&gt;</translation>
    </message>
    <message>
        <source>&lt;tensor of several ranks&gt;</source>
        <translation>&lt;Tensor mehrerer Ranks&gt;</translation>
    </message>
    <message>
        <source>A file about an output of that name already exists; existing files are never replaced</source>
        <translation>Eine Datei zu einer Ausgabe dieses Namens gibt es schon; vorhandene Dateien werden nie ersetzt</translation>
    </message>
    <message>
        <source>Forced: %1</source>
        <translation>Erzwungen: %1</translation>
    </message>
    <message>
        <source>all but</source>
        <translation>alle außer</translation>
    </message>
    <message>
        <source>%1; no device could be faster</source>
        <translation>%1; kein Gerät könnte schneller sein</translation>
    </message>
    <message>
        <source>forecast: cpu %1 s (%2 threads, %3 GB/s)</source>
        <translation>Vorhersage: cpu %1 s (%2 Threads, %3 GB/s)</translation>
    </message>
    <message>
        <source>, cuda:0 %1 s (%2 GB/s)</source>
        <translation>, cuda:0 %1 s (%2 GB/s)</translation>
    </message>
    <message>
        <source>DeepSpeed</source>
        <translation>DeepSpeed</translation>
    </message>
    <message>
        <source>Megatron-LM</source>
        <translation>Megatron-LM</translation>
    </message>
    <message>
        <source>NeMo</source>
        <translation>NeMo</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>Safetensors</source>
        <translation>Safetensors</translation>
    </message>
    <message>
        <source>TensorFlow</source>
        <translation>TensorFlow</translation>
    </message>
    <message>
        <source>checkpoint_values</source>
        <translation>Werte der Checkpoints</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>eine neue</translation>
    </message>
    <message>
        <source>A file beside the weights cannot be read: %1</source>
        <translation>Eine Datei neben den Gewichten ist nicht lesbar: %1</translation>
    </message>
    <message>
        <source>A file beside the weights is not copied, because it is too large or there are too many: %1</source>
        <translation>Eine Datei neben den Gewichten wird nicht kopiert, weil sie zu groß ist oder es zu viele sind: %1</translation>
    </message>
    <message>
        <source>A layer lacks a tensor that others have</source>
        <translation>Einem Layer fehlt ein Tensor, den andere haben</translation>
    </message>
    <message>
        <source>A loader needs access to that repository, and trust_remote_code</source>
        <translation>Ein Ladeprogramm braucht Zugriff auf dieses Repository und trust_remote_code</translation>
    </message>
    <message>
        <source>A number of the rule is negative</source>
        <translation>Eine Zahl der Regel ist negativ</translation>
    </message>
    <message>
        <source>A pattern of the adapter cannot be used</source>
        <translation>Ein Muster des Adapters ist nicht verwendbar</translation>
    </message>
    <message>
        <source>A pattern of the adapter gives no number</source>
        <translation>Ein Muster des Adapters ergibt keine Zahl</translation>
    </message>
    <message>
        <source>A replaced tensor is stored in several parts</source>
        <translation>Ein ersetzter Tensor ist in mehreren Teilen gespeichert</translation>
    </message>
    <message>
        <source>A settings file names code of a different repository, which a loader downloads: %1</source>
        <translation>Eine Einstellungsdatei nennt Code eines anderen Repositorys, den ein Ladeprogramm herunterlädt: %1</translation>
    </message>
    <message>
        <source>A settings file or its code refers to a Python file that is missing: %1</source>
        <translation>Eine Einstellungsdatei oder ihr Code verweist auf eine Python-Datei, die fehlt: %1</translation>
    </message>
    <message>
        <source>A tensor of the adapter cannot be used</source>
        <translation>Ein Tensor des Adapters ist nicht verwendbar</translation>
    </message>
    <message>
        <source>A token's index is not a natural number</source>
        <translation>Der Index eines Tokens ist keine natürliche Zahl</translation>
    </message>
    <message>
        <source>Activations and KV cache: no config.json was found</source>
        <translation>Aktivierungen und KV-Cache: keine config.json gefunden</translation>
    </message>
    <message>
        <source>Activations: the config does not give all sizes</source>
        <translation>Aktivierungen: Die Konfiguration nennt nicht alle Größen</translation>
    </message>
    <message>
        <source>Adapters cannot be folded while checkpoints are averaged</source>
        <translation>Adapter lassen sich nicht einrechnen, während Checkpoints gemittelt werden</translation>
    </message>
    <message>
        <source>All %n tensor of %1 exist, none more, and their shapes fit the config</source>
        <translation>%n Tensor von %1 ist da, kein weiterer, und seine Shape passt zur Konfiguration</translation>
    </message>
    <message>
        <source>All %n tensor of %1 exist, none more, and their shapes fit the config, under the names of %2</source>
        <translation>%n Tensor von %1 ist da, kein weiterer, und seine Shape passt zur Konfiguration, unter den Namen von %2</translation>
    </message>
    <message>
        <source>All %n tensor of %1 exist, none more, and their shapes fit the config; quantised ones by their names only</source>
        <translation>%n Tensor von %1 ist da, kein weiterer, und seine Shape passt zur Konfiguration; quantisierte nur nach ihren Namen</translation>
    </message>
    <message>
        <source>All %n tensor of %1 exist, none more, and their shapes fit the config; quantised ones by their names only, under the names of %2</source>
        <translation>%n Tensor von %1 ist da, kein weiterer, und seine Shape passt zur Konfiguration; quantisierte nur nach ihren Namen, unter den Namen von %2</translation>
    </message>
    <message>
        <source>All %n tensors of %1 exist, none more, and their shapes fit the config</source>
        <translation>Alle %n Tensoren von %1 sind da, keine weiteren, und ihre Shapes passen zur Konfiguration</translation>
    </message>
    <message>
        <source>All %n tensors of %1 exist, none more, and their shapes fit the config, under the names of %2</source>
        <translation>Alle %n Tensoren von %1 sind da, keine weiteren, und ihre Shapes passen zur Konfiguration, unter den Namen von %2</translation>
    </message>
    <message>
        <source>All %n tensors of %1 exist, none more, and their shapes fit the config; quantised ones by their names only</source>
        <translation>Alle %n Tensoren von %1 sind da, keine weiteren, und ihre Shapes passen zur Konfiguration; quantisierte nur nach ihren Namen</translation>
    </message>
    <message>
        <source>All %n tensors of %1 exist, none more, and their shapes fit the config; quantised ones by their names only, under the names of %2</source>
        <translation>Alle %n Tensoren von %1 sind da, keine weiteren, und ihre Shapes passen zur Konfiguration; quantisierte nur nach ihren Namen, unter den Namen von %2</translation>
    </message>
    <message>
        <source>All weights are below %1, a key of the training checkpoint, which is part of the names; --bundle drops it</source>
        <translation>Alle Gewichte liegen unter %1, einem Schlüssel des Trainings-Checkpoints, der Teil der Namen ist; --bundle lässt ihn weg</translation>
    </message>
    <message>
        <source>An adapter is among the weights, which a library would load without it: %1</source>
        <translation>Unter den Gewichten ist ein Adapter, ohne den eine Bibliothek sie laden würde: %1</translation>
    </message>
    <message>
        <source>As requested by --like; copied unchanged</source>
        <translation>Wie mit --like verlangt; unverändert kopiert</translation>
    </message>
    <message>
        <source>As requested by --names; the opposite of the conversion to the library's names. Padding of a vocabulary is not added</source>
        <translation>Wie mit --names verlangt; die Umkehrung der Umwandlung in die Namen der Bibliothek. Ein Vokabular wird nicht aufgefüllt</translation>
    </message>
    <message>
        <source>Beside the weights; copied unchanged</source>
        <translation>Neben den Gewichten; unverändert kopiert</translation>
    </message>
    <message>
        <source>Computed in float32 in the order of PEFT's merge on a processor, rounded once; all other tensors are copied</source>
        <translation>In float32 in der Reihenfolge von PEFTs Zusammenführung auf einem Prozessor berechnet, einmal gerundet; alle anderen Tensoren werden kopiert</translation>
    </message>
    <message>
        <source>Contains code that a loader runs only with trust_remote_code; it was copied, not run</source>
        <translation>Enthält Code, den ein Ladeprogramm nur mit trust_remote_code ausführt; er wurde kopiert, nicht ausgeführt</translation>
    </message>
    <message>
        <source>Copy it by hand if a loader needs it</source>
        <translation>Von Hand kopieren, falls ein Ladeprogramm sie braucht</translation>
    </message>
    <message>
        <source>Copy it to the config.json</source>
        <translation>Sie neben die config.json kopieren</translation>
    </message>
    <message>
        <source>DeepSeek-V2, arXiv:2405.04434, section 2.1</source>
        <translation>DeepSeek-V2, arXiv:2405.04434, Abschnitt 2.1</translation>
    </message>
    <message>
        <source>DoRA of an embedding cannot be folded</source>
        <translation>DoRA eines Embeddings lässt sich nicht einrechnen</translation>
    </message>
    <message>
        <source>Each change is rounded to the weight's dtype before it is added, as with PEFT's safe_merge</source>
        <translation>Jede Änderung wird auf den Dtype des Gewichts gerundet, bevor sie addiert wird, wie mit safe_merge von PEFT</translation>
    </message>
    <message>
        <source>FSDP, torch.compile, activation checkpointing and similar wrappers add them; the model's own names lack them</source>
        <translation>FSDP, torch.compile, Activation Checkpointing und ähnliche Wrapper fügen sie hinzu; den eigenen Namen des Modells fehlen sie</translation>
    </message>
    <message>
        <source>Factors of the rotary embedding, computed from config.json</source>
        <translation>Faktoren der Rotary Embeddings, aus config.json berechnet</translation>
    </message>
    <message>
        <source>Files of two tokenizers are not mixed, and %1 has no vocabulary</source>
        <translation>Dateien zweier Tokenizer werden nicht gemischt, und %1 hat kein Vokabular</translation>
    </message>
    <message>
        <source>Fold into a checkpoint with the names in memory (--names keep)</source>
        <translation>In einen Checkpoint mit den Namen im Arbeitsspeicher einrechnen (--names keep)</translation>
    </message>
    <message>
        <source>Fold into the base that base_model_name_or_path in adapter_config.json names</source>
        <translation>In die Basis einrechnen, die base_model_name_or_path in adapter_config.json nennt</translation>
    </message>
    <message>
        <source>Fold it: `cairn-cli fold BASE --adapter FOLDER`, with the folder that PEFT saved</source>
        <translation>Ihn einrechnen: `cairn-cli fold BASE --adapter FOLDER`, mit dem Ordner, den PEFT gespeichert hat</translation>
    </message>
    <message>
        <source>Follows from the adapter</source>
        <translation>Ergibt sich aus dem Adapter</translation>
    </message>
    <message>
        <source>Forced: the folder may not load: %1</source>
        <translation>Erzwungen: Der Ordner lässt sich vielleicht nicht laden: %1</translation>
    </message>
    <message>
        <source>From the model's config and tokenizer files, as llama.cpp reads them</source>
        <translation>Aus den Konfigurations- und Tokenizer-Dateien des Modells, wie llama.cpp sie liest</translation>
    </message>
    <message>
        <source>Frozen parameters have none, nor those without a gradient so far</source>
        <translation>Eingefrorene Parameter haben keinen, ebenso solche, die noch keinen Gradienten hatten</translation>
    </message>
    <message>
        <source>It is all that is written; `fold BASE --adapter` writes the model with it</source>
        <translation>Nur er wird geschrieben; `fold BASE --adapter` schreibt das Modell mit ihm</translation>
    </message>
    <message>
        <source>It may be the state before training, or a save that lost its weights</source>
        <translation>Vielleicht ist es der Zustand vor dem Training oder ein Speicherstand, der seine Gewichte verloren hat</translation>
    </message>
    <message>
        <source>Its square root is NaN, and so will be the weights after the next step</source>
        <translation>Die Quadratwurzel davon ist NaN, und nach dem nächsten Schritt sind es auch die Gewichte</translation>
    </message>
    <message>
        <source>KV cache: some layers are of a kind that keeps something else</source>
        <translation>KV-Cache: Einige Layer sind von einer Art, die etwas anderes vorhält</translation>
    </message>
    <message>
        <source>KV cache: some layers are recurrent, or differ in their heads</source>
        <translation>KV-Cache: Einige Layer sind rekurrent oder unterscheiden sich in ihren Heads</translation>
    </message>
    <message>
        <source>KV cache: that of an encoder-decoder also depends on the input's length</source>
        <translation>KV-Cache: Der eines Encoder-Decoders hängt auch von der Länge der Eingabe ab</translation>
    </message>
    <message>
        <source>KV cache: the config does not give the heads, their size or the window</source>
        <translation>KV-Cache: Die Konfiguration nennt die Heads, ihre Größe oder das Fenster nicht</translation>
    </message>
    <message>
        <source>KV cache: the config does not give the number of layers</source>
        <translation>KV-Cache: Die Konfiguration nennt die Zahl der Layer nicht</translation>
    </message>
    <message>
        <source>KV cache: the config names no class that generates text</source>
        <translation>KV-Cache: Die Konfiguration nennt keine Klasse, die Text erzeugt</translation>
    </message>
    <message>
        <source>Merge it with PEFT, after tie_word_embeddings is set to false and the output is saved on its own</source>
        <translation>Mit PEFT zusammenführen, nachdem tie_word_embeddings auf false gesetzt und die Ausgabe für sich gespeichert ist</translation>
    </message>
    <message>
        <source>Merge it with PEFT, in the way it was trained</source>
        <translation>Mit PEFT zusammenführen, auf die Art, in der er trainiert wurde</translation>
    </message>
    <message>
        <source>Models of this class are not converted to llama.cpp's</source>
        <translation>Modelle dieser Klasse werden nicht in die von llama.cpp umgewandelt</translation>
    </message>
    <message>
        <source>Name the folder that PEFT wrote, with adapter_config.json and adapter_model.safetensors</source>
        <translation>Den Ordner angeben, den PEFT geschrieben hat, mit adapter_config.json und adapter_model.safetensors</translation>
    </message>
    <message>
        <source>Names of a framework are not compared with a model of the library</source>
        <translation>Namen eines Frameworks werden nicht mit einem Modell der Bibliothek verglichen</translation>
    </message>
    <message>
        <source>No config or tokenizer files were found around the checkpoint</source>
        <translation>Keine Konfigurations- oder Tokenizer-Dateien im Umkreis des Checkpoints gefunden</translation>
    </message>
    <message>
        <source>No config.json was found, which the names of a framework need</source>
        <translation>Keine config.json gefunden, die für die Namen eines Frameworks nötig ist</translation>
    </message>
    <message>
        <source>No recipe is known that converts these names to those of the model's library%1</source>
        <translation>Kein Rezept ist bekannt, das diese Namen in die der Bibliothek des Modells umwandelt%1</translation>
    </message>
    <message>
        <source>No rule is known from a tensor of this model to %1</source>
        <translation>Keine Regel ist bekannt, die von einem Tensor dieses Modells zu %1 führt</translation>
    </message>
    <message>
        <source>Not compared with a model's: transformers reads safetensors</source>
        <translation>Nicht mit denen eines Modells verglichen: transformers liest safetensors</translation>
    </message>
    <message>
        <source>Not found; PEFT cannot load the adapter without it</source>
        <translation>Nicht gefunden; PEFT kann den Adapter ohne sie nicht laden</translation>
    </message>
    <message>
        <source>Only GGUF has llama.cpp's names and metadata</source>
        <translation>Nur GGUF hat die Namen und Metadaten von llama.cpp</translation>
    </message>
    <message>
        <source>Only adapters of low-rank matrices can be folded</source>
        <translation>Nur Adapter aus Matrizen von niedrigem Rang lassen sich einrechnen</translation>
    </message>
    <message>
        <source>PATH#subtree selects one model; --names keep leaves the names as they are</source>
        <translation>PATH#subtree wählt ein Modell aus; --names keep lässt die Namen, wie sie sind</translation>
    </message>
    <message>
        <source>PEFT loads this adapter into its base</source>
        <translation>PEFT lädt diesen Adapter in seine Basis</translation>
    </message>
    <message>
        <source>PEFT's order of additions then depends on the processor, and with it the last bit of some elements</source>
        <translation>Die Reihenfolge von PEFTs Additionen hängt dann vom Prozessor ab, und mit ihr das letzte Bit einiger Elemente</translation>
    </message>
    <message>
        <source>Parameters that were frozen, or had no gradient in some steps (experts without tokens), count less; otherwise parts of different saves may be mixed</source>
        <translation>Parameter, die eingefroren waren oder in einigen Schritten keinen Gradienten hatten (Experten ohne Tokens), zählen weniger; sonst sind vielleicht Teile verschiedener Speicherstände vermischt</translation>
    </message>
    <message>
        <source>Put the model's config.json beside its weights</source>
        <translation>Die config.json des Modells neben seine Gewichte legen</translation>
    </message>
    <message>
        <source>Rotary embeddings of a part of each head (rotary_percent) are in no setting of the output</source>
        <translation>Rotary Embeddings eines Teils jedes Heads (rotary_percent) stehen in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation>SGD mit Momentum</translation>
    </message>
    <message>
        <source>Save it with PEFT's path_initial_model_for_weight_conversion, which makes an ordinary adapter of it</source>
        <translation>Mit path_initial_model_for_weight_conversion von PEFT speichern, das daraus einen gewöhnlichen Adapter macht</translation>
    </message>
    <message>
        <source>Scaled positions (rotary_seq_len_interpolation_factor) are in no setting of the output</source>
        <translation>Skalierte Positionen (rotary_seq_len_interpolation_factor) stehen in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>Scaled rotary embeddings (rope_type) are in no setting of the output</source>
        <translation>Skalierte Rotary Embeddings (rope_type) stehen in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>Scaled rotary embeddings (use_rope_scaling) are in no setting of the output</source>
        <translation>Skalierte Rotary Embeddings (use_rope_scaling) stehen in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>Scaled rotary embeddings (use_scaled_rope) are in no setting of the output</source>
        <translation>Skalierte Rotary Embeddings (use_scaled_rope) stehen in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>Second moments are stored in a dtype too narrow for them</source>
        <translation>Zweite Momente sind in einem Dtype gespeichert, der für sie zu schmal ist</translation>
    </message>
    <message>
        <source>Some parameters have no optimizer state</source>
        <translation>Einige Parameter haben keinen Optimizer-Zustand</translation>
    </message>
    <message>
        <source>Some weights have no optimizer state</source>
        <translation>Einige Gewichte haben keinen Optimizer-Zustand</translation>
    </message>
    <message>
        <source>Some weights have no optimizer state, although others of their module have</source>
        <translation>Einige Gewichte haben keinen Optimizer-Zustand, obwohl andere ihres Moduls einen haben</translation>
    </message>
    <message>
        <source>Squares of small gradients become zero, which makes updates too large</source>
        <translation>Quadrate kleiner Gradienten werden null, was zu große Updates ergibt</translation>
    </message>
    <message>
        <source>Take the file that PEFT wrote beside the adapter's weights</source>
        <translation>Die Datei nehmen, die PEFT neben die Gewichte des Adapters geschrieben hat</translation>
    </message>
    <message>
        <source>The adapter changes a bias that the base does not have</source>
        <translation>Der Adapter ändert einen Bias, den die Basis nicht hat</translation>
    </message>
    <message>
        <source>The adapter changes an embedding that may be tied to an output of the model, which would change with it</source>
        <translation>Der Adapter ändert ein Embedding, das vielleicht mit einer Ausgabe des Modells gekoppelt ist, die sich mit ihm ändern würde</translation>
    </message>
    <message>
        <source>The adapter changes nothing</source>
        <translation>Der Adapter ändert nichts</translation>
    </message>
    <message>
        <source>The adapter changes the %1 alone, while the config ties it to the other; the model with the adapter computes with both, which one tensor cannot express</source>
        <translation>Der Adapter ändert von den beiden nur %1, während die Konfiguration sie koppelt; das Modell mit dem Adapter rechnet mit beiden, was ein einziger Tensor nicht ausdrücken kann</translation>
    </message>
    <message>
        <source>The adapter contains magnitudes, but its settings exclude DoRA</source>
        <translation>Der Adapter enthält Beträge, aber seine Einstellungen schließen DoRA aus</translation>
    </message>
    <message>
        <source>The adapter has a tensor of unknown use</source>
        <translation>Der Adapter hat einen Tensor von unbekanntem Zweck</translation>
    </message>
    <message>
        <source>The adapter has a tensor whose name does not identify what it changes</source>
        <translation>Der Adapter hat einen Tensor, dessen Name nicht erkennen lässt, was er ändert</translation>
    </message>
    <message>
        <source>The adapter has no adapter_config.json, without which its scale is unknown</source>
        <translation>Der Adapter hat keine adapter_config.json, ohne die seine Skala unbekannt ist</translation>
    </message>
    <message>
        <source>The adapter has no tensors for a module that its settings name</source>
        <translation>Der Adapter hat keine Tensoren für ein Modul, das seine Einstellungen nennen</translation>
    </message>
    <message>
        <source>The adapter has only a part of the tensors for a module</source>
        <translation>Der Adapter hat nur einen Teil der Tensoren für ein Modul</translation>
    </message>
    <message>
        <source>The adapter has the same tensor twice</source>
        <translation>Der Adapter hat denselben Tensor zweimal</translation>
    </message>
    <message>
        <source>The adapter's changes to this tensor cannot be divided as the stored tensors of this model are</source>
        <translation>Die Änderungen des Adapters an diesem Tensor lassen sich nicht so teilen wie die gespeicherten Tensoren dieses Modells</translation>
    </message>
    <message>
        <source>The adapter's initialisation changed the base, so that it does not belong to the weights on the disk</source>
        <translation>Die Initialisierung des Adapters hat die Basis geändert, sodass er nicht zu den Gewichten auf dem Datenträger gehört</translation>
    </message>
    <message>
        <source>The adapter's matrix is too large</source>
        <translation>Die Matrix des Adapters ist zu groß</translation>
    </message>
    <message>
        <source>The adapter's rank is not a positive integer</source>
        <translation>Der Rang des Adapters ist keine positive Ganzzahl</translation>
    </message>
    <message>
        <source>The adapter's settings are not a JSON object</source>
        <translation>Die Einstellungen des Adapters sind kein JSON-Objekt</translation>
    </message>
    <message>
        <source>The adapter's settings lack a number</source>
        <translation>In den Einstellungen des Adapters fehlt eine Zahl</translation>
    </message>
    <message>
        <source>The attention has a window (sliding_window), which is in no setting of the output</source>
        <translation>Die Attention hat ein Fenster (sliding_window), das in keiner Einstellung der Ausgabe steht</translation>
    </message>
    <message>
        <source>The base has no tensor that this one of the adapter changes</source>
        <translation>Die Basis hat keinen Tensor, den dieser des Adapters ändert</translation>
    </message>
    <message>
        <source>The base is quantised; an adapter can only be folded into the weights in full precision</source>
        <translation>Die Basis ist quantisiert; ein Adapter lässt sich nur in die Gewichte in voller Genauigkeit einrechnen</translation>
    </message>
    <message>
        <source>The base of a class is unknown</source>
        <translation>Die Basis einer Klasse ist unbekannt</translation>
    </message>
    <message>
        <source>The checkpoint contains tensors beside the model whose names are converted</source>
        <translation>Der Checkpoint enthält Tensoren neben dem Modell, dessen Namen umgewandelt werden</translation>
    </message>
    <message>
        <source>The config contradicts the shape of the embedding</source>
        <translation>Die Konfiguration widerspricht der Shape des Embeddings</translation>
    </message>
    <message>
        <source>The config describes too many tensors</source>
        <translation>Die Konfiguration beschreibt zu viele Tensoren</translation>
    </message>
    <message>
        <source>The config does not give the extents that the rule merges</source>
        <translation>Die Konfiguration nennt die Ausdehnungen nicht, die die Regel zusammenführt</translation>
    </message>
    <message>
        <source>The config does not name the model's class</source>
        <translation>Die Konfiguration nennt die Klasse des Modells nicht</translation>
    </message>
    <message>
        <source>The config has a setting that is not supported for %1</source>
        <translation>Die Konfiguration hat eine Einstellung, die für %1 nicht unterstützt wird</translation>
    </message>
    <message>
        <source>The config lacks a size that llama.cpp needs</source>
        <translation>Der Konfiguration fehlt eine Größe, die llama.cpp braucht</translation>
    </message>
    <message>
        <source>The config names only its type, %1; the tensors are those of this class</source>
        <translation>Die Konfiguration nennt nur ihren Typ, %1; die Tensoren sind die dieser Klasse</translation>
    </message>
    <message>
        <source>The config records a quantisation; llama.cpp's blocks are others</source>
        <translation>Die Konfiguration nennt eine Quantisierung; die Blöcke von llama.cpp sind andere</translation>
    </message>
    <message>
        <source>The config ties them to tensors with the same bytes; the metadata names these, and the model ties them again</source>
        <translation>Die Konfiguration koppelt sie mit Tensoren mit denselben Bytes; die Metadaten nennen diese, und das Modell koppelt sie wieder</translation>
    </message>
    <message>
        <source>The config.json does not describe a model</source>
        <translation>Die config.json beschreibt kein Modell</translation>
    </message>
    <message>
        <source>The embedding and the head would have different numbers of rows</source>
        <translation>Das Embedding und der Head hätten verschieden viele Zeilen</translation>
    </message>
    <message>
        <source>The folder has no readable config.json</source>
        <translation>Der Ordner hat keine lesbare config.json</translation>
    </message>
    <message>
        <source>The folder has too many tensors to compare all</source>
        <translation>Der Ordner hat zu viele Tensoren, um alle zu vergleichen</translation>
    </message>
    <message>
        <source>The folder to take the config from cannot be opened</source>
        <translation>Der Ordner, aus dem die Konfiguration kommen soll, lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>The folder would not load: %1</source>
        <translation>Der Ordner ließe sich nicht laden: %1</translation>
    </message>
    <message>
        <source>The layers have tensors of different shapes</source>
        <translation>Die Layer haben Tensoren verschiedener Shapes</translation>
    </message>
    <message>
        <source>The layout of %1 quantisation is unknown</source>
        <translation>Der Aufbau der Quantisierung %1 ist unbekannt</translation>
    </message>
    <message>
        <source>The layout of the config's quantisation is unknown</source>
        <translation>Der Aufbau der Quantisierung in der Konfiguration ist unbekannt</translation>
    </message>
    <message>
        <source>The model has more layers than its config records</source>
        <translation>Das Modell hat mehr Layer, als seine Konfiguration nennt</translation>
    </message>
    <message>
        <source>The model has no embedding</source>
        <translation>Das Modell hat kein Embedding</translation>
    </message>
    <message>
        <source>The model has no last norm</source>
        <translation>Das Modell hat keine letzte Norm</translation>
    </message>
    <message>
        <source>The model has no layers</source>
        <translation>Das Modell hat keine Layer</translation>
    </message>
    <message>
        <source>The model lacks a tensor, so that it is not converted</source>
        <translation>Dem Modell fehlt ein Tensor, sodass es nicht umgewandelt wird</translation>
    </message>
    <message>
        <source>The model multiplies by 1 + weight, llama.cpp by the weight</source>
        <translation>Das Modell multipliziert mit 1 + Gewicht, llama.cpp mit dem Gewicht</translation>
    </message>
    <message>
        <source>The name that the rule gives lacks a number</source>
        <translation>Dem Namen, den die Regel ergibt, fehlt eine Zahl</translation>
    </message>
    <message>
        <source>The names of this model family cannot be converted from or to %1</source>
        <translation>Die Namen dieser Modellfamilie lassen sich nicht von oder nach %1 umwandeln</translation>
    </message>
    <message>
        <source>The names that the rule takes do not follow from those that it gives</source>
        <translation>Die Namen, die die Regel nimmt, folgen nicht aus denen, die sie ergibt</translation>
    </message>
    <message>
        <source>The nearest folder that has them; copied unchanged</source>
        <translation>Der nächstgelegene Ordner, der sie hat; unverändert kopiert</translation>
    </message>
    <message>
        <source>The norms of this tensor's rows cannot be found where it is stored in parts</source>
        <translation>Die Normen der Zeilen dieses Tensors lassen sich nicht bestimmen, wo er in Teilen gespeichert ist</translation>
    </message>
    <message>
        <source>The number of experts contradicts the config</source>
        <translation>Die Zahl der Experten widerspricht der Konfiguration</translation>
    </message>
    <message>
        <source>The number of layers contradicts the config</source>
        <translation>Die Zahl der Layer widerspricht der Konfiguration</translation>
    </message>
    <message>
        <source>The optimizer has states of parameters that are not in the checkpoint</source>
        <translation>Der Optimizer hat Zustände von Parametern, die nicht im Checkpoint sind</translation>
    </message>
    <message>
        <source>The optimizer has states of parameters that none of its groups lists</source>
        <translation>Der Optimizer hat Zustände von Parametern, die keine seiner Gruppen nennt</translation>
    </message>
    <message>
        <source>The parameter groups of an optimizer have been trained for different numbers of steps</source>
        <translation>Die Parametergruppen eines Optimizers wurden verschieden viele Schritte lang trainiert</translation>
    </message>
    <message>
        <source>The plan's file has the name of a folder</source>
        <translation>Die Datei des Plans hat den Namen eines Ordners</translation>
    </message>
    <message>
        <source>The position of the weights in the training checkpoint, not part of the model's tensor names</source>
        <translation>Der Ort der Gewichte im Trainings-Checkpoint, kein Teil der Tensornamen des Modells</translation>
    </message>
    <message>
        <source>The programs that load this format need them in this dtype</source>
        <translation>Die Programme, die dieses Format laden, brauchen sie in diesem Dtype</translation>
    </message>
    <message>
        <source>The rank of a matrix of the adapter differs from that in its settings</source>
        <translation>Der Rang einer Matrix des Adapters weicht von dem in seinen Einstellungen ab</translation>
    </message>
    <message>
        <source>The rotary factors do not match the size of a head</source>
        <translation>Die Rotary-Faktoren passen nicht zur Größe eines Heads</translation>
    </message>
    <message>
        <source>The rule gives a tensor for each index of an inner dimension</source>
        <translation>Die Regel ergibt einen Tensor für jeden Index einer inneren Dimension</translation>
    </message>
    <message>
        <source>The rule has an operation that cannot be undone</source>
        <translation>Die Regel hat eine Operation, die sich nicht umkehren lässt</translation>
    </message>
    <message>
        <source>The rule joins several tensors</source>
        <translation>Die Regel verbindet mehrere Tensoren</translation>
    </message>
    <message>
        <source>The rule leaves out a part of a tensor</source>
        <translation>Die Regel lässt einen Teil eines Tensors aus</translation>
    </message>
    <message>
        <source>The rule names a dimension that no tensor has</source>
        <translation>Die Regel nennt eine Dimension, die kein Tensor hat</translation>
    </message>
    <message>
        <source>The rule takes a part of a part, or of a merged tensor</source>
        <translation>Die Regel nimmt einen Teil eines Teils oder eines zusammengeführten Tensors</translation>
    </message>
    <message>
        <source>The settings do not contain rope_type, which is yarn by default for this family</source>
        <translation>Die Einstellungen enthalten kein rope_type, das bei dieser Familie standardmäßig yarn ist</translation>
    </message>
    <message>
        <source>The settings do not identify these rows of the embedding</source>
        <translation>Die Einstellungen lassen nicht erkennen, welche Zeilen des Embeddings das sind</translation>
    </message>
    <message>
        <source>The shape of a tensor of the base differs from that in the training of the adapter</source>
        <translation>Die Shape eines Tensors der Basis weicht von der beim Training des Adapters ab</translation>
    </message>
    <message>
        <source>The step counters of an optimizer differ between parameters of one group</source>
        <translation>Die Schrittzähler eines Optimizers unterscheiden sich zwischen Parametern einer Gruppe</translation>
    </message>
    <message>
        <source>The tensor's shape contradicts the config</source>
        <translation>Die Shape des Tensors widerspricht der Konfiguration</translation>
    </message>
    <message>
        <source>The tensors are not those of the model family %1</source>
        <translation>Die Tensoren sind nicht die der Modellfamilie %1</translation>
    </message>
    <message>
        <source>The tensors that the rule gives are not all of it</source>
        <translation>Die Tensoren, die die Regel ergibt, sind nicht das Ganze</translation>
    </message>
    <message>
        <source>The tensors that the rule gives are not all parts of one dimension, one after the other</source>
        <translation>Die Tensoren, die die Regel ergibt, sind nicht alle Teile einer Dimension, einer nach dem anderen</translation>
    </message>
    <message>
        <source>The tokenizer divides text in a way that llama.cpp does not support</source>
        <translation>Der Tokenizer teilt Text auf eine Art, die llama.cpp nicht unterstützt</translation>
    </message>
    <message>
        <source>The tokenizer has more tokens than the model</source>
        <translation>Der Tokenizer hat mehr Tokens als das Modell</translation>
    </message>
    <message>
        <source>The tokenizer is not a valid SentencePiece model</source>
        <translation>Der Tokenizer ist kein gültiges SentencePiece-Modell</translation>
    </message>
    <message>
        <source>The vocabulary is too large</source>
        <translation>Das Vokabular ist zu groß</translation>
    </message>
    <message>
        <source>The vocabulary of the weights is not that of the config</source>
        <translation>Das Vokabular der Gewichte ist nicht das der Konfiguration</translation>
    </message>
    <message>
        <source>The window of the attention (window_size) is in no setting of the output</source>
        <translation>Das Fenster der Attention (window_size) steht in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>They are those of %1; transformers and serving engines cannot load them</source>
        <translation>Es sind die von %1; transformers und Serving-Engines können sie nicht laden</translation>
    </message>
    <message>
        <source>This adapter acts only after certain tokens, which no weights express</source>
        <translation>Dieser Adapter wirkt nur nach bestimmten Tokens, was keine Gewichte ausdrücken</translation>
    </message>
    <message>
        <source>This adapter chooses among others for each token, which no weights express</source>
        <translation>Dieser Adapter wählt für jedes Token unter anderen aus, was keine Gewichte ausdrücken</translation>
    </message>
    <message>
        <source>This adapter has block-diagonal matrices (BD-LoRA), an unknown form</source>
        <translation>Dieser Adapter hat blockdiagonale Matrizen (BD-LoRA), eine unbekannte Form</translation>
    </message>
    <message>
        <source>This adapter is one for Megatron's parallel layers</source>
        <translation>Dieser Adapter ist einer für die parallelen Layer von Megatron</translation>
    </message>
    <message>
        <source>This adapter repeats layers, so that the model has others than its base</source>
        <translation>Dieser Adapter wiederholt Layer, sodass das Modell andere hat als seine Basis</translation>
    </message>
    <message>
        <source>This adapter's initialisation (CorDA) changed the base</source>
        <translation>Die Initialisierung dieses Adapters (CorDA) hat die Basis geändert</translation>
    </message>
    <message>
        <source>This adapter's method (KaSA) changes the base when it is applied</source>
        <translation>Die Methode dieses Adapters (KaSA) ändert die Basis, wenn er angewendet wird</translation>
    </message>
    <message>
        <source>This adapter's method (MonteCLoRA) draws its changes at random</source>
        <translation>Die Methode dieses Adapters (MonteCLoRA) zieht ihre Änderungen zufällig</translation>
    </message>
    <message>
        <source>This adapter's method (QA-LoRA) pools the inputs of its matrices</source>
        <translation>Die Methode dieses Adapters (QA-LoRA) fasst die Eingaben ihrer Matrizen zusammen</translation>
    </message>
    <message>
        <source>This adapter's method (VeLoRA) is unknown</source>
        <translation>Die Methode dieses Adapters (VeLoRA) ist unbekannt</translation>
    </message>
    <message>
        <source>Training and serving: the checkpoint contains no weights</source>
        <translation>Training und Serving: Der Checkpoint enthält keine Gewichte</translation>
    </message>
    <message>
        <source>Training: the weights are quantised</source>
        <translation>Training: Die Gewichte sind quantisiert</translation>
    </message>
    <message>
        <source>Two tensors of the same shape could be the one that this matrix changes</source>
        <translation>Für den Tensor, den diese Matrix ändert, kommen zwei derselben Shape in Frage</translation>
    </message>
    <message>
        <source>Use the complete files that PEFT saved</source>
        <translation>Die vollständigen Dateien verwenden, die PEFT gespeichert hat</translation>
    </message>
    <message>
        <source>Use the complete files that PEFT saved, and the base that they are for</source>
        <translation>Die vollständigen Dateien, die PEFT gespeichert hat, und die Basis verwenden, für die sie sind</translation>
    </message>
    <message>
        <source>Write a copy with --dequantize first</source>
        <translation>Zuerst eine Kopie mit --dequantize schreiben</translation>
    </message>
    <message>
        <source>`cairn-cli check` reports whether the checkpoint is complete; --names keep writes what exists</source>
        <translation>`cairn-cli check` meldet, ob der Checkpoint vollständig ist; --names keep schreibt, was da ist</translation>
    </message>
    <message>
        <source>The changes of %n tensor are %1 times what the adapter gives: another alpha, rank or scale</source>
        <translation>Änderungen von %n Tensor: das %1-Fache dessen, was der Adapter ergibt – ein anderes Alpha, ein anderer Rang oder Faktor</translation>
    </message>
    <message>
        <source>The changes of %n tensor are multiples of what the adapter gives, but not the same ones: another alpha_pattern or rank_pattern</source>
        <translation>Änderungen von %n Tensor: Vielfache dessen, was der Adapter ergibt, aber nicht dieselben – ein anderes alpha_pattern oder rank_pattern</translation>
    </message>
    <message>
        <source>The changes of %n tensor are not those of this adapter: another adapter, another base, or a change besides</source>
        <translation>Änderungen von %n Tensor: nicht die dieses Adapters – ein anderer Adapter, eine andere Basis oder eine weitere Änderung</translation>
    </message>
    <message>
        <source>The adapter was applied in part: %n tensor that it changes are as in the base</source>
        <translation>Der Adapter wurde nur zum Teil angewandt: %n Tensor von denen, die er ändert, wie in der Basis</translation>
    </message>
    <message>
        <source>Another base, or a change besides: %n tensor that the adapter does not change differ</source>
        <translation>Eine andere Basis oder eine weitere Änderung: %n Tensor verschieden, obwohl der Adapter sie nicht ändert</translation>
    </message>
    <message>
        <source>The changes of %n tensors are %1 times what the adapter gives: another alpha, rank or scale</source>
        <translation>Änderungen von %n Tensoren: das %1-Fache dessen, was der Adapter ergibt – ein anderes Alpha, ein anderer Rang oder Faktor</translation>
    </message>
    <message>
        <source>The changes of %n tensors are multiples of what the adapter gives, but not the same ones: another alpha_pattern or rank_pattern</source>
        <translation>Änderungen von %n Tensoren: Vielfache dessen, was der Adapter ergibt, aber nicht dieselben – ein anderes alpha_pattern oder rank_pattern</translation>
    </message>
    <message>
        <source>The changes of %n tensors are not those of this adapter: another adapter, another base, or a change besides</source>
        <translation>Änderungen von %n Tensoren: nicht die dieses Adapters – ein anderer Adapter, eine andere Basis oder eine weitere Änderung</translation>
    </message>
    <message>
        <source>The adapter was applied in part: %n tensors that it changes are as in the base</source>
        <translation>Der Adapter wurde nur zum Teil angewandt: %n Tensoren von denen, die er ändert, wie in der Basis</translation>
    </message>
    <message>
        <source>Another base, or a change besides: %n tensors that the adapter does not change differ</source>
        <translation>Eine andere Basis oder eine weitere Änderung: %n Tensoren verschieden, obwohl der Adapter sie nicht ändert</translation>
    </message>
    <message>
        <source>The changes of %1 are %2 times what the adapter gives: another alpha, rank or scale</source>
        <translation>Änderungen von %1: das %2-Fache dessen, was der Adapter ergibt – ein anderes Alpha, ein anderer Rang oder Faktor</translation>
    </message>
    <message>
        <source>The changes of %1 are multiples of what the adapter gives, but not the same ones: another alpha_pattern or rank_pattern</source>
        <translation>Änderungen von %1: Vielfache dessen, was der Adapter ergibt, aber nicht dieselben – ein anderes alpha_pattern oder rank_pattern</translation>
    </message>
    <message>
        <source>The changes of %1 are not those of this adapter: another adapter, another base, or a change besides</source>
        <translation>Änderungen von %1: nicht die dieses Adapters – ein anderer Adapter, eine andere Basis oder eine weitere Änderung</translation>
    </message>
    <message>
        <source>The adapter was applied in part: %1 that it changes are as in the base</source>
        <translation>Der Adapter wurde nur zum Teil angewandt: %1 von denen, die er ändert, wie in der Basis</translation>
    </message>
    <message>
        <source>Another base, or a change besides: %1 that the adapter does not change differ</source>
        <translation>Eine andere Basis oder eine weitere Änderung: %1 verschieden, obwohl der Adapter sie nicht ändert</translation>
    </message>
    <message>
        <source>The adapter was not applied: all tensors that it changes are as in the base</source>
        <translation>Der Adapter wurde nicht angewandt: Alle Tensoren, die er ändert, sind wie in der Basis</translation>
    </message>
    <message>
        <source>No adapter was specified</source>
        <translation>Kein Adapter angegeben</translation>
    </message>
    <message>
        <source>Name the folder of the same model with --like</source>
        <translation>Mit --like den Ordner desselben Modells angeben</translation>
    </message>
    <message>
        <source>That of the source describes a model with other names; its licence and base model are kept</source>
        <translation>Die der Quelle beschreibt ein Modell mit anderen Namen; ihre Lizenz und ihr Basismodell bleiben</translation>
    </message>
    <message>
        <source>The weights do not have the shapes of the config's model</source>
        <translation>Die Gewichte haben nicht die Formen des Modells der Config</translation>
    </message>
    <message>
        <source>The weights lack tensors of the config's model</source>
        <translation>Den Gewichten fehlen Tensoren des Modells der Config</translation>
    </message>
    <message>
        <source>The dtypes cannot be compared</source>
        <translation>Diese Dtypes sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>A slice of tensor parallelism lacks a tensor that others have</source>
        <translation>Einer Scheibe der Tensor-Parallelität fehlt ein Tensor, den andere haben</translation>
    </message>
    <message>
        <source>Both parts of a layer have the same input (gpt_j_residual), which this family does not support</source>
        <translation>Beide Teile einer Schicht haben dieselbe Eingabe (gpt_j_residual); diese Familie kennt das nicht</translation>
    </message>
    <message>
        <source>Convert the complete save, with the files of all ranks</source>
        <translation>Das vollständige Speicherergebnis umwandeln, mit den Dateien aller Ränge</translation>
    </message>
    <message>
        <source>Copy the missing files of this rank; `cairn-cli check` reports whether the checkpoint is complete</source>
        <translation>Die fehlenden Dateien dieses Rangs kopieren; `cairn-cli check` sagt, ob der Checkpoint vollständig ist</translation>
    </message>
    <message>
        <source>Give the files the names with which they were saved</source>
        <translation>Den Dateien die Namen geben, unter denen sie gespeichert wurden</translation>
    </message>
    <message>
        <source>Name its place with --with PATH</source>
        <translation>Seinen Ort mit --with PFAD angeben</translation>
    </message>
    <message>
        <source>No known class of %1 matches; %2, which is closest, does not: %3</source>
        <translation>Keine bekannte Klasse von %1 passt; auch die ähnlichste, %2, nicht: %3</translation>
    </message>
    <message>
        <source>Norms are averaged and biases of summed outputs added up in the order of the ranks, each result rounded to their dtype, as the framework's own converter does</source>
        <translation>Normen werden gemittelt und Biases summierter Ausgaben in der Reihenfolge der Ränge addiert, jedes Ergebnis auf ihren Dtype gerundet, wie im Konverter des Frameworks</translation>
    </message>
    <message>
        <source>Queries and keys are normalised (use_qk_layernorm), which this family does not support</source>
        <translation>Queries und Keys werden normiert (use_qk_layernorm); diese Familie kennt das nicht</translation>
    </message>
    <message>
        <source>Rotary embeddings of a part of each head (rotary_pct) are in no setting of the output</source>
        <translation>Rotary-Embeddings für einen Teil jedes Heads (rotary_pct) stehen in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>Slices whose tensors are added up are not supported here</source>
        <translation>Scheiben, deren Tensoren addiert werden, sind hier nicht möglich</translation>
    </message>
    <message>
        <source>Tensors that are added up differ in shape or dtype</source>
        <translation>Tensoren, die addiert werden, haben verschiedene Formen oder Dtypes</translation>
    </message>
    <message>
        <source>The %1 is not beside the output or the source</source>
        <translation>%1 liegt weder neben der Ausgabe noch neben der Quelle</translation>
    </message>
    <message>
        <source>The %1 is not the one of the manifest</source>
        <translation>%1 stimmt nicht mit dem Manifest überein</translation>
    </message>
    <message>
        <source>The activation is not SiLU (activation), which this family requires</source>
        <translation>Die Aktivierung ist nicht SiLU (activation), das diese Familie verlangt</translation>
    </message>
    <message>
        <source>The file was saved for another rank or layer and then renamed</source>
        <translation>Die Datei wurde für einen anderen Rang oder eine andere Schicht gespeichert und dann umbenannt</translation>
    </message>
    <message>
        <source>The job would write other bytes with this source</source>
        <translation>Der Auftrag würde mit dieser Quelle andere Bytes schreiben</translation>
    </message>
    <message>
        <source>The norms are not RMS norms (norm), which this family requires</source>
        <translation>Die Normen sind keine RMS-Normen (norm), die diese Familie verlangt</translation>
    </message>
    <message>
        <source>The number of tensor-parallel slices contradicts the settings</source>
        <translation>Die Zahl der tensorparallelen Scheiben widerspricht den Einstellungen</translation>
    </message>
    <message>
        <source>The settings contain only a part of those of scaled rotary embeddings (scale_factor, low_freq_factor, high_freq_factor, old_context_len)</source>
        <translation>Die Einstellungen enthalten nur einen Teil derer für skalierte Rotary-Embeddings (scale_factor, low_freq_factor, high_freq_factor, old_context_len)</translation>
    </message>
    <message>
        <source>The settings do not contain rms_norm_epsilon, whose default differs between the trainer and the family</source>
        <translation>Die Einstellungen enthalten rms_norm_epsilon nicht, dessen Vorgabe im Trainer und in der Familie verschieden ist</translation>
    </message>
    <message>
        <source>The settings do not contain the factor of scaled rotary embeddings (rope_scaling_factor)</source>
        <translation>Die Einstellungen enthalten den Faktor skalierter Rotary-Embeddings nicht (rope_scaling_factor)</translation>
    </message>
    <message>
        <source>The source is none of the averaged checkpoints</source>
        <translation>Die Quelle ist keiner der gemittelten Checkpoints</translation>
    </message>
    <message>
        <source>The window of the attention (sliding_window_width) is in no setting of the output</source>
        <translation>Das Fenster der Attention (sliding_window_width) steht in keiner Einstellung der Ausgabe</translation>
    </message>
    <message>
        <source>%1, inferred: %2</source>
        <translation>%1, abgeleitet: %2</translation>
    </message>
    <message>
        <source>%1; tensors of a head are missing</source>
        <translation>%1; Tensoren eines Heads fehlen</translation>
    </message>
    <message>
        <source>step %1 in the values</source>
        <translation>Schritt %1 in den Werten</translation>
    </message>
    <message>
        <source>epoch %1 in the values</source>
        <translation>Epoche %1 in den Werten</translation>
    </message>
    <message>
        <source>an epoch in the values</source>
        <translation>eine Epoche in den Werten</translation>
    </message>
    <message>
        <source>the optimizer's count is equal</source>
        <translation>der Zähler des Optimierers ist gleich</translation>
    </message>
    <message>
        <source>step %1 in the name</source>
        <translation>Schritt %1 im Namen</translation>
    </message>
    <message>
        <source>epoch %1 in the name</source>
        <translation>Epoche %1 im Namen</translation>
    </message>
    <message>
        <source>the optimizer made %1 steps until the save with number %2</source>
        <translation>der Optimierer hat bis zur Speicherung mit der Nummer %2 %1 Schritte gemacht</translation>
    </message>
    <message>
        <source>the number in the name follows the recorded epoch</source>
        <translation>die Zahl im Namen folgt der aufgezeichneten Epoche</translation>
    </message>
    <message>
        <source>the checkpoints record the batches that their loggers count</source>
        <translation>die Checkpoints enthalten die Batches, die ihre Logger zählen</translation>
    </message>
    <message>
        <source>the log records steps</source>
        <translation>das Log enthält Schritte</translation>
    </message>
    <message>
        <source>metrics in checkpoints equal the rows at their steps</source>
        <translation>Metriken in Checkpoints gleichen den Zeilen bei ihren Schritten</translation>
    </message>
    <message>
        <source>the log continues to step %1, about twice the newest checkpoint's number or more: one of them may count something else</source>
        <translation>das Log läuft bis Schritt %1 weiter, etwa bis zum Doppelten der Nummer des neuesten Checkpoints oder weiter: eines von beiden kann etwas anderes zählen</translation>
    </message>
    <message>
        <source>a metric in a checkpoint differs from the row of its step</source>
        <translation>eine Metrik in einem Checkpoint weicht von der Zeile seines Schritts ab</translation>
    </message>
    <message>
        <source>the log counts from step 0: of two rows that follow each other, either may be a checkpoint's</source>
        <translation>das Log zählt ab Schritt 0: von zwei aufeinanderfolgenden Zeilen kann jede die eines Checkpoints sein</translation>
    </message>
    <message>
        <source>the log and the checkpoints count steps and iterations, of which one step may have several</source>
        <translation>das Log und die Checkpoints zählen Schritte und Iterationen, von denen ein Schritt mehrere haben kann</translation>
    </message>
    <message>
        <source>the numbers in the names of the checkpoints may count saves</source>
        <translation>die Nummern in den Namen der Checkpoints können Speicherungen zählen</translation>
    </message>
    <message>
        <source>a checkpoint's step is beyond the end of the log</source>
        <translation>der Schritt eines Checkpoints liegt hinter dem Ende des Logs</translation>
    </message>
    <message>
        <source>the epochs of the rows at the checkpoints' steps are not those of the checkpoints</source>
        <translation>die Epochen der Zeilen bei den Schritten der Checkpoints sind nicht die der Checkpoints</translation>
    </message>
    <message>
        <source>the log's steps may be calls of a log function, row numbers or tokens</source>
        <translation>die Schritte des Logs können Aufrufe einer Log-Funktion, Zeilennummern oder Tokens sein</translation>
    </message>
    <message>
        <source>the recorded steps are in proportion to the epochs that are done</source>
        <translation>die aufgezeichneten Schritte sind proportional zu den abgeschlossenen Epochen</translation>
    </message>
    <message>
        <source>each row has its checkpoint</source>
        <translation>jede Zeile hat ihren Checkpoint</translation>
    </message>
    <message>
        <source>only one way of counting gives all checkpoints a row</source>
        <translation>nur eine Zählweise gibt allen Checkpoints eine Zeile</translation>
    </message>
    <message>
        <source>metrics in checkpoints or their names equal their rows</source>
        <translation>Metriken in Checkpoints oder ihren Namen gleichen ihren Zeilen</translation>
    </message>
    <message>
        <source>the log records no steps; its rows are numbered</source>
        <translation>das Log enthält keine Schritte; seine Zeilen sind nummeriert</translation>
    </message>
    <message>
        <source>the log and the checkpoints record nothing that both count</source>
        <translation>Log und Checkpoints enthalten nichts, was beide zählen</translation>
    </message>
    <message>
        <source>the log and the checkpoints may count from different numbers</source>
        <translation>Log und Checkpoints zählen vielleicht ab verschiedenen Zahlen</translation>
    </message>
    <message>
        <source>undecided: its sources contradict each other</source>
        <translation>unentschieden: Seine Quellen widersprechen einander</translation>
    </message>
    <message>
        <source>undecided: nothing shows which row of %1 is a checkpoint's; the curve gives no checkpoint a value</source>
        <translation>unentschieden: Nichts zeigt, welche Zeile von %1 zu einem Checkpoint gehört; die Kurve gibt keinem Checkpoint einen Wert</translation>
    </message>
    <message>
        <source>no curve is compared with the checkpoints</source>
        <translation>keine Kurve wird mit den Checkpoints verglichen</translation>
    </message>
    <message>
        <source>what the checkpoints count; %1 is matched with them</source>
        <translation>was die Checkpoints zählen; %1 wird ihnen zugeordnet</translation>
    </message>
    <message>
        <source>against it %1</source>
        <translation>dagegen %1</translation>
    </message>
    <message>
        <source>the trainer's own record names this metric</source>
        <translation>die eigene Aufzeichnung des Trainers nennt diese Metrik</translation>
    </message>
    <message>
        <source>the run's files record a goal for this metric</source>
        <translation>die Dateien des Laufs nennen ein Ziel für diese Metrik</translation>
    </message>
    <message>
        <source>by its name, the first of the curves that were measured on held-out data</source>
        <translation>ihrem Namen nach die erste der Kurven, die auf zurückgehaltenen Daten gemessen wurden</translation>
    </message>
    <message>
        <source>by its name, the first of the curves</source>
        <translation>ihrem Namen nach die erste der Kurven</translation>
    </message>
    <message>
        <source>%1 checkpoints hold a value of it</source>
        <translation>%1 Checkpoints enthalten einen Wert davon</translation>
    </message>
    <message>
        <source>the log's row at its step</source>
        <translation>die Zeile des Protokolls bei seinem Schritt</translation>
    </message>
    <message>
        <source>the log's latest row before its step</source>
        <translation>die letzte Zeile des Protokolls vor seinem Schritt</translation>
    </message>
    <message>
        <source>the optimizer's value when it was saved</source>
        <translation>der Wert des Optimizers beim Speichern</translation>
    </message>
    <message>
        <source>a value in it, assumed to be that of its step</source>
        <translation>ein Wert darin, angenommen als der seines Schritts</translation>
    </message>
    <message>
        <source>the last value of a list that is as long as the training</source>
        <translation>der letzte Wert einer Liste, die so lang wie das Training ist</translation>
    </message>
    <message>
        <source>yes: a job made it of an unknown checkpoint</source>
        <translation>ja: ein Auftrag hat ihn aus einem unbekannten Checkpoint erzeugt</translation>
    </message>
    <message>
        <source>yes: a job made it of %1</source>
        <translation>ja: ein Auftrag hat ihn aus %1 erzeugt</translation>
    </message>
    <message>
        <source>assumed: by its name, or as the final model of the run</source>
        <translation>angenommen: dem Namen nach oder als letztes Modell des Laufs</translation>
    </message>
    <message>
        <source>%1; direction %2</source>
        <translation>%1; Richtung %2</translation>
    </message>
    <message>
        <source>the log and the checkpoints record the same count, %1</source>
        <translation>das Protokoll und die Checkpoints vermerken dieselbe Zählung, %1</translation>
    </message>
    <message>
        <source>the epochs of the rows at the checkpoints' steps are those of the checkpoints</source>
        <translation>die Epochen der Zeilen bei den Schritten der Checkpoints sind die der Checkpoints</translation>
    </message>
    <message>
        <source>the job left tensors out</source>
        <translation>der Auftrag hat Tensoren weggelassen</translation>
    </message>
    <message>
        <source>the job selected %1</source>
        <translation>der Auftrag hat %1 ausgewählt</translation>
    </message>
    <message>
        <source>the job is %1</source>
        <translation>der Auftrag ist %1</translation>
    </message>
    <message>
        <source>the job wrote the dtype %1</source>
        <translation>der Auftrag hat den Dtype %1 geschrieben</translation>
    </message>
    <message>
        <source>the job wrote a model for inference</source>
        <translation>der Auftrag hat ein Modell zum Ausführen geschrieben</translation>
    </message>
    <message>
        <source>the job %1 wrote everything</source>
        <translation>der Auftrag %1 hat alles geschrieben</translation>
    </message>
    <message>
        <source>the manifest of the output has its path</source>
        <translation>das Manifest der Ausgabe enthält seinen Pfad</translation>
    </message>
    <message>
        <source>its files have the sizes and times in the manifest of the output</source>
        <translation>seine Dateien haben die Größen und Zeiten im Manifest der Ausgabe</translation>
    </message>
    <message>
        <source>named</source>
        <translation>dem Namen nach</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>vermerkt</translation>
    </message>
    <message>
        <source>proven</source>
        <translation>bewiesen</translation>
    </message>
    <message>
        <source>none: what identifies the best checkpoint contradicts itself</source>
        <translation>keine: was den besten Checkpoint bezeichnet, widerspricht sich</translation>
    </message>
    <message>
        <source>The hash of an object is computed from which %1 can be reached</source>
        <translation>Der Hash eines Objekts wird berechnet, von dem aus %1 erreichbar ist</translation>
    </message>
    <message>
        <source>A method of an object is looked up: %1</source>
        <translation>Eine Methode eines Objekts wird nachgeschlagen: %1</translation>
    </message>
    <message>
        <source>The pickle modifies %1</source>
        <translation>Das Pickle verändert %1</translation>
    </message>
    <message>
        <source>An object of %1 is filled like a list or a dict</source>
        <translation>Ein Objekt von %1 wird wie eine Liste oder ein Wörterbuch gefüllt</translation>
    </message>
    <message>
        <source>NumPy would take bytes of the pickle for pointers to objects</source>
        <translation>NumPy würde Bytes des Pickles als Zeiger auf Objekte verwenden</translation>
    </message>
    <message>
        <source>Its values contain each other in too many ways</source>
        <translation>Seine Werte enthalten einander auf zu viele Arten</translation>
    </message>
    <message>
        <source>%1 is given %2, which it may call</source>
        <translation>%1 erhält %2 und kann es aufrufen</translation>
    </message>
    <message>
        <source>%1 is given an object of %2, whose methods it may call</source>
        <translation>%1 erhält ein Objekt von %2 und kann dessen Methoden aufrufen</translation>
    </message>
    <message>
        <source>Python source, which importing it from the torch.package runs</source>
        <translation>Python-Quelltext, den der Import aus dem torch.package ausführt</translation>
    </message>
    <message>
        <source>The source is too large</source>
        <translation>Der Quelltext ist zu groß</translation>
    </message>
    <message>
        <source>a TorchScript method that loading runs</source>
        <translation>eine TorchScript-Methode, die beim Laden ausgeführt wird</translation>
    </message>
    <message>
        <source>an array of pickles, which PyTables loads</source>
        <translation>ein Array aus Pickles, das PyTables lädt</translation>
    </message>
    <message>
        <source>pickles compressed by %1</source>
        <translation>mit %1 komprimierte Pickles</translation>
    </message>
    <message>
        <source>the description of the array is too large</source>
        <translation>die Beschreibung des Arrays ist zu groß</translation>
    </message>
    <message>
        <source>a native program, which loaders of such archives run</source>
        <translation>ein Maschinenprogramm, das Lader solcher Archive ausführen</translation>
    </message>
    <message>
        <source>the text is not plain UTF-8</source>
        <translation>der Text ist kein reines UTF-8</translation>
    </message>
    <message>
        <source>a text that begins with more blanks than are read</source>
        <translation>ein Text, der mit mehr Leerzeichen beginnt, als gelesen werden</translation>
    </message>
    <message>
        <source>the rest of what its archives expand to</source>
        <translation>der Rest dessen, wozu sich seine Archive entpacken</translation>
    </message>
    <message>
        <source>gzip data that zlib refuses, of which Python may read more</source>
        <translation>gzip-Daten, die zlib ablehnt und von denen Python vielleicht mehr liest</translation>
    </message>
    <message>
        <source>it exceeded the processor time for a file of this size</source>
        <translation>es überschritt die Prozessorzeit für eine Datei dieser Größe</translation>
    </message>
    <message>
        <source>The pickle computes the arguments of %1</source>
        <translation>Das Pickle berechnet die Argumente von %1</translation>
    </message>
    <message>
        <source>more data after the last pickle than is searched</source>
        <translation>mehr Daten nach dem letzten Pickle, als durchsucht werden</translation>
    </message>
    <message>
        <source>A 7z archive is not read</source>
        <translation>Ein 7z-Archiv wird nicht gelesen</translation>
    </message>
    <message>
        <source>A CatBoost model is not read</source>
        <translation>Ein Modell von CatBoost wird nicht gelesen</translation>
    </message>
    <message>
        <source>A Core ML model is not read</source>
        <translation>Ein Core-ML-Modell wird nicht gelesen</translation>
    </message>
    <message>
        <source>A LightGBM model is not read</source>
        <translation>Ein Modell von LightGBM wird nicht gelesen</translation>
    </message>
    <message>
        <source>A MATLAB file is not read</source>
        <translation>Eine MATLAB-Datei wird nicht gelesen</translation>
    </message>
    <message>
        <source>A Parquet file contains tables, and is not read</source>
        <translation>Eine Parquet-Datei enthält Tabellen und wird nicht gelesen</translation>
    </message>
    <message>
        <source>A RAR archive is not read</source>
        <translation>Ein RAR-Archiv wird nicht gelesen</translation>
    </message>
    <message>
        <source>A TensorFlow Lite model is not read</source>
        <translation>Ein Modell von TensorFlow Lite wird nicht gelesen</translation>
    </message>
    <message>
        <source>A compressed file of joblib is not read</source>
        <translation>Eine komprimierte Datei von joblib wird nicht gelesen</translation>
    </message>
    <message>
        <source>A program of Paddle inference is not read</source>
        <translation>Ein Programm für Paddle Inference wird nicht gelesen</translation>
    </message>
    <message>
        <source>A rank lacks its slice of this tensor</source>
        <translation>Einem Rank fehlt sein Teil dieses Tensors</translation>
    </message>
    <message>
        <source>All ranks have the same elements of this tensor, but in a shape that is not that of the config's class</source>
        <translation>Alle Ranks haben dieselben Elemente dieses Tensors, aber in einer anderen Shape als die Klasse der config</translation>
    </message>
    <message>
        <source>An Arrow file contains tables, and is not read</source>
        <translation>Eine Arrow-Datei enthält Tabellen und wird nicht gelesen</translation>
    </message>
    <message>
        <source>An ONNX model is not read</source>
        <translation>Ein ONNX-Modell wird nicht gelesen</translation>
    </message>
    <message>
        <source>An XGBoost model is not read</source>
        <translation>Ein Modell von XGBoost wird nicht gelesen</translation>
    </message>
    <message>
        <source>Copy the files of all ranks into the folder</source>
        <translation>Die Dateien aller Ranks in den Ordner kopieren</translation>
    </message>
    <message>
        <source>Copy the missing checkpoint, or write the name of an existing one into the file</source>
        <translation>Den fehlenden Checkpoint kopieren oder den Namen eines vorhandenen in die Datei schreiben</translation>
    </message>
    <message>
        <source>Each rank has the complete tensor, with other elements: the files are of several models or pipeline stages</source>
        <translation>Jeder Rank hat den vollständigen Tensor, mit anderen Elementen: die Dateien gehören zu mehreren Modellen oder Pipeline-Stufen</translation>
    </message>
    <message>
        <source>If they are slices of a model's tensors, name a folder with its config.json by --like; else save DTensors instead of to_local(), or a full state dict</source>
        <translation>Sind es Teile der Tensoren eines Modells, mit --like einen Ordner mit dessen config.json angeben; sonst DTensors statt to_local() oder ein vollständiges state_dict speichern</translation>
    </message>
    <message>
        <source>In which order a rank's slice of this tensor was cut is unknown</source>
        <translation>In welcher Reihenfolge die Teile dieses Tensors geschnitten wurden, ist unbekannt</translation>
    </message>
    <message>
        <source>Load it with joblib in a safe place, and save it without compression</source>
        <translation>An einem sicheren Ort mit joblib laden und ohne Kompression speichern</translation>
    </message>
    <message>
        <source>Load the files in the program that wrote them, and save the complete model</source>
        <translation>Die Dateien in dem Programm laden, das sie geschrieben hat, und das vollständige Modell speichern</translation>
    </message>
    <message>
        <source>Name the files model_rank_0 and so on, and open their folder</source>
        <translation>Die Dateien model_rank_0 und so weiter nennen und ihren Ordner öffnen</translation>
    </message>
    <message>
        <source>Name the folder of the same model with --like, and copy all files of the ranks</source>
        <translation>Den Ordner desselben Modells mit --like angeben und alle Dateien der Ranks kopieren</translation>
    </message>
    <message>
        <source>Name the folder of the same model with --like, or load the files in the program that wrote them</source>
        <translation>Den Ordner desselben Modells mit --like angeben oder die Dateien in dem Programm laden, das sie geschrieben hat</translation>
    </message>
    <message>
        <source>Parameters of Paddle inference are stored without their names, and are not read</source>
        <translation>Parameter für Paddle Inference sind ohne ihre Namen gespeichert und werden nicht gelesen</translation>
    </message>
    <message>
        <source>Save the parameters with paddle.save(layer.state_dict(), …)</source>
        <translation>Die Parameter mit paddle.save(layer.state_dict(), …) speichern</translation>
    </message>
    <message>
        <source>Save the tensors as safetensors or with torch.save in the program that wrote the file</source>
        <translation>Die Tensoren in dem Programm, das die Datei geschrieben hat, als safetensors oder mit torch.save speichern</translation>
    </message>
    <message>
        <source>Specify the checkpoint to use. If they are slices, name them model_rank_0 and so on, and a folder with the model's config.json by --like</source>
        <translation>Den gewünschten Checkpoint angeben. Sind es Teile eines Modells, die Dateien model_rank_0 und so weiter nennen und mit --like einen Ordner mit der config.json des Modells angeben</translation>
    </message>
    <message>
        <source>What the converter that wrote these files changes in the tensors of the config's model is unknown</source>
        <translation>Was der Konverter, der diese Dateien geschrieben hat, an den Tensoren des Modells der Konfiguration ändert, ist unbekannt</translation>
    </message>
    <message>
        <source>Name the folder of the same model with --like, or convert the model again</source>
        <translation>Den Ordner desselben Modells mit --like angeben oder das Modell neu konvertieren</translation>
    </message>
    <message>
        <source>The adapter's tensors have other names than those of PEFT, diffusers and kohya</source>
        <translation>Die Tensoren des Adapters haben andere Namen als die von PEFT, diffusers und kohya</translation>
    </message>
    <message>
        <source>diffusers may merge it: pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)</source>
        <translation>diffusers fügt ihn vielleicht ein: pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)</translation>
    </message>
    <message>
        <source>Merge each into its base with the program that trained it, and average the results</source>
        <translation>Jeden mit dem Programm, das ihn trainiert hat, in seine Basis einfügen und die Ergebnisse mitteln</translation>
    </message>
    <message>
        <source>the names are those of TensorFlow in transformers 4, which converts them: from_pretrained(FOLDER, from_tf=True)</source>
        <translation>die Namen sind die von TensorFlow in transformers 4, das sie umwandelt: from_pretrained(FOLDER, from_tf=True)</translation>
    </message>
    <message>
        <source>Tensor-parallel slices of a quantised model are not joined</source>
        <translation>Tensorparallele Teile eines quantisierten Modells werden nicht zusammengefügt</translation>
    </message>
    <message>
        <source>The ZIP archive contains no checkpoint of a known format</source>
        <translation>Das ZIP-Archiv enthält keinen Checkpoint eines bekannten Formats</translation>
    </message>
    <message>
        <source>The file contains one rank's slices of the tensors of the config's class</source>
        <translation>Die Datei enthält die Teile eines Ranks von den Tensoren der Klasse der config</translation>
    </message>
    <message>
        <source>The file is one of several of a save by its name, and was opened alone; its tensors may be one rank's slices</source>
        <translation>Die Datei ist dem Namen nach eine von mehreren einer Speicherung und wurde allein geöffnet; ihre Tensoren sind vielleicht die Teile eines Ranks</translation>
    </message>
    <message>
        <source>The file is one of several of a save by its name, and was opened alone; the others contain more tensors of the model</source>
        <translation>Die Datei ist dem Namen nach eine von mehreren einer Speicherung und wurde allein geöffnet; die anderen enthalten weitere Tensoren des Modells</translation>
    </message>
    <message>
        <source>The file is one of several of a save, and was opened alone</source>
        <translation>Die Datei ist eine von mehreren einer Speicherung und wurde allein geöffnet</translation>
    </message>
    <message>
        <source>The files do not record how the tensors were cut; their shapes add up to those of %1</source>
        <translation>Die Dateien halten nicht fest, wie die Tensoren geschnitten wurden; ihre Shapes ergeben zusammen die von %1</translation>
    </message>
    <message>
        <source>The ranks have different tensors with this name, which the config's class does not have; how to join them is unknown</source>
        <translation>Die Ranks haben unter diesem Namen verschiedene Tensoren, und die Klasse der config hat keinen; wie sie zusammengehören, ist unbekannt</translation>
    </message>
    <message>
        <source>The ranks' files contain slices of tensors, and the tensors of the config's class are unknown</source>
        <translation>Die Dateien der Ranks enthalten Teile von Tensoren, und die Tensoren der Klasse der config sind unbekannt</translation>
    </message>
    <message>
        <source>The ranks' files do not contain all tensors of the config's class in its shapes</source>
        <translation>Die Dateien der Ranks enthalten nicht alle Tensoren der Klasse der config in deren Shapes</translation>
    </message>
    <message>
        <source>The ranks' slices have different dtypes</source>
        <translation>Die Teile der Ranks haben verschiedene Dtypes</translation>
    </message>
    <message>
        <source>The rows of this fused tensor are not those of the config's class, divided by the ranks</source>
        <translation>Die Zeilen dieses zusammengesetzten Tensors sind nicht die der Klasse der config, geteilt durch die Ranks</translation>
    </message>
    <message>
        <source>The shapes of the ranks' slices do not add up to that of the config's class</source>
        <translation>Die Shapes der Teile ergeben zusammen nicht die der Klasse der config</translation>
    </message>
    <message>
        <source>Unpack it, and open what it contains</source>
        <translation>Entpacken und den Inhalt öffnen</translation>
    </message>
    <message>
        <source>Whether these files are slices of one model or checkpoints of one training is not recorded</source>
        <translation>Ob diese Dateien Teile eines Modells oder Checkpoints eines Trainings sind, ist nicht festgehalten</translation>
    </message>
    <message>
        <source>%1 of %2 joined</source>
        <translation>%1 von %2 zusammengefügt</translation>
    </message>
    <message>
        <source>%1, without the padding of the vocabulary</source>
        <translation>%1, ohne die Auffüllung des Vokabulars</translation>
    </message>
    <message>
        <source>parts of %1 as in %2</source>
        <translation>Teile von %1 wie in %2</translation>
    </message>
    <message>
        <source>nothing in rank %1 of %2</source>
        <translation>nichts in Rank %1 von %2</translation>
    </message>
    <message>
        <source>one file of %1</source>
        <translation>eine Datei von %1</translation>
    </message>
    <message>
        <source>the number %1, and no file with another</source>
        <translation>die Nummer %1 und keine Datei mit einer anderen</translation>
    </message>
    <message>
        <source>one of %1 files with such names</source>
        <translation>eine von %1 Dateien mit solchen Namen</translation>
    </message>
    <message>
        <source>%1 and %2: the same tensors, some with equal elements, and no step</source>
        <translation>%1 und %2: dieselben Tensoren, manche mit gleichen Elementen, und kein Schritt</translation>
    </message>
    <message>
        <source>a step or an epoch in the files, or one of them as the source</source>
        <translation>ein Schritt oder eine Epoche in den Dateien, oder eine von ihnen als Quelle</translation>
    </message>
    <message>
        <source>%1 missing, %2 of a different shape</source>
        <translation>%1 fehlen, %2 mit anderer Shape</translation>
    </message>
    <message>
        <source>the name of a checkpoint in this folder</source>
        <translation>der Name eines Checkpoints in diesem Ordner</translation>
    </message>
    <message>
        <source>no architectures in config.json</source>
        <translation>keine architectures in config.json</translation>
    </message>
    <message>
        <source>Name a folder with the config.json of transformers by --like, or load the files in the program that wrote them and save the complete model</source>
        <translation>Mit --like einen Ordner mit der config.json von transformers angeben oder die Dateien in dem Programm laden, das sie geschrieben hat, und das vollständige Modell speichern</translation>
    </message>
    <message>
        <source>Loads with %1, %2 of %3 names</source>
        <translation>Lädt mit %1, %2 von %3 Namen</translation>
    </message>
    <message>
        <source>None; programs that serve chats need one</source>
        <translation>Keine; Programme, die Chats bedienen, brauchen eine</translation>
    </message>
    <message>
        <source>Read by %1 as tensors, without a model's config</source>
        <translation>%1 liest die Tensoren, ohne Config eines Modells</translation>
    </message>
    <message>
        <source>Would not load: %1</source>
        <translation>Würde nicht laden: %1</translation>
    </message>
    <message>
        <source>Resumes in %1 with the moments of %2 of %3 parameters</source>
        <translation>Setzt in %1 fort, mit den Momenten von %2 von %3 Parametern</translation>
    </message>
    <message>
        <source>%1, but not everything</source>
        <translation>%1, aber nicht alles</translation>
    </message>
    <message>
        <source>chat template</source>
        <translation>Chat-Vorlage</translation>
    </message>
    <message>
        <source>Unknown whether it loads</source>
        <translation>Unbekannt, ob es lädt</translation>
    </message>
    <message>
        <source>Unknown whether it loads: %1</source>
        <translation>Unbekannt, ob es lädt: %1</translation>
    </message>
    <message>
        <source>Unknown whether it loads: the names are kept as they are</source>
        <translation>Unbekannt, ob es lädt: Die Namen bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>A path of the job is in none of its volumes</source>
        <translation>Ein Pfad des Auftrags liegt in keinem seiner Volumes</translation>
    </message>
    <message>
        <source>A path of the job is not UTF-8</source>
        <translation>Ein Pfad des Auftrags ist kein UTF-8</translation>
    </message>
    <message>
        <source>A submitted job that writes this output is waiting or running</source>
        <translation>Ein abgeschickter Auftrag, der diese Ausgabe schreibt, wartet oder läuft</translation>
    </message>
    <message>
        <source>An image of cairn-cli is to contain the same version as this program</source>
        <translation>Ein Image von cairn-cli muss dieselbe Version wie dieses Programm enthalten</translation>
    </message>
    <message>
        <source>An option for the scheduler does not begin with a dash</source>
        <translation>Eine Option für den Scheduler beginnt nicht mit einem Bindestrich</translation>
    </message>
    <message>
        <source>Another process is publishing this job</source>
        <translation>Ein anderer Prozess veröffentlicht diesen Auftrag</translation>
    </message>
    <message>
        <source>Invalid number of parts</source>
        <translation>Ungültige Anzahl von Teilen</translation>
    </message>
    <message>
        <source>Name one with --logs</source>
        <translation>Mit --logs einen Ordner angeben</translation>
    </message>
    <message>
        <source>No pipe could be opened</source>
        <translation>Es konnte keine Pipe geöffnet werden</translation>
    </message>
    <message>
        <source>No such submission</source>
        <translation>Kein solcher abgeschickter Auftrag</translation>
    </message>
    <message>
        <source>Not a job plan</source>
        <translation>Kein Plan eines Auftrags</translation>
    </message>
    <message>
        <source>Not all parts of the job are complete; nothing was published</source>
        <translation>Nicht alle Teile des Auftrags sind vollständig; es wurde nichts veröffentlicht</translation>
    </message>
    <message>
        <source>Nothing is left to do for the checkpoints of this run</source>
        <translation>Für die Checkpoints dieses Laufs ist nichts mehr zu tun</translation>
    </message>
    <message>
        <source>Options for the scheduler follow after `--`: account, partition, time, memory</source>
        <translation>Optionen für den Scheduler folgen nach `--`: Konto, Partition, Zeit, Speicher</translation>
    </message>
    <message>
        <source>Run this on a login node of the cluster, or use --dry-run to print the scripts</source>
        <translation>Auf einem Login-Knoten des Clusters ausführen oder die Skripte mit --dry-run ausgeben</translation>
    </message>
    <message>
        <source>Several jobs were submitted</source>
        <translation>Mehrere Aufträge wurden abgeschickt</translation>
    </message>
    <message>
        <source>Slurm cannot use this path</source>
        <translation>Slurm kann diesen Pfad nicht verwenden</translation>
    </message>
    <message>
        <source>Submit fewer checkpoints at a time</source>
        <translation>Weniger Checkpoints auf einmal abschicken</translation>
    </message>
    <message>
        <source>The array is that of --parts</source>
        <translation>Das Array ist das von --parts</translation>
    </message>
    <message>
        <source>The image is not named by its digest</source>
        <translation>Das Image ist nicht mit seinem Digest benannt</translation>
    </message>
    <message>
        <source>The input of a program could not be stored</source>
        <translation>Die Eingabe eines Programms konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>The job is done already; the manifest matches</source>
        <translation>Der Auftrag ist schon erledigt; das Manifest stimmt überein</translation>
    </message>
    <message>
        <source>The job is too large for a ConfigMap</source>
        <translation>Der Auftrag ist zu groß für eine ConfigMap</translation>
    </message>
    <message>
        <source>The program could not be started</source>
        <translation>Das Programm konnte nicht gestartet werden</translation>
    </message>
    <message>
        <source>The program did not finish in time</source>
        <translation>Das Programm wurde nicht rechtzeitig fertig</translation>
    </message>
    <message>
        <source>The program is not installed here</source>
        <translation>Das Programm ist hier nicht installiert</translation>
    </message>
    <message>
        <source>The program wrote too much</source>
        <translation>Das Programm hat zu viel ausgegeben</translation>
    </message>
    <message>
        <source>The scheduler refused the request</source>
        <translation>Der Scheduler hat die Anfrage abgelehnt</translation>
    </message>
    <message>
        <source>The scheduler's answer has an unknown form</source>
        <translation>Die Antwort des Schedulers hat eine unbekannte Form</translation>
    </message>
    <message>
        <source>The scheduler's command is not installed here</source>
        <translation>Der Befehl des Schedulers ist hier nicht installiert</translation>
    </message>
    <message>
        <source>The scheduler's own commands show the state of the job</source>
        <translation>Die eigenen Befehle des Schedulers zeigen den Zustand des Auftrags</translation>
    </message>
    <message>
        <source>The user has no state folder for the logs</source>
        <translation>Der Benutzer hat keinen Zustandsordner für die Protokolle</translation>
    </message>
    <message>
        <source>Their logs contain the reasons. Run these parts again; those that are complete are not written again</source>
        <translation>Ihre Protokolle enthalten die Gründe. Diese Teile erneut ausführen; vollständige werden nicht noch einmal geschrieben</translation>
    </message>
    <message>
        <source>This job is done by a single process</source>
        <translation>Dieser Auftrag wird von einem einzigen Prozess erledigt</translation>
    </message>
    <message>
        <source>This option of sbatch cannot be used here</source>
        <translation>Diese Option von sbatch kann hier nicht verwendet werden</translation>
    </message>
    <message>
        <source>This part is complete; the last step publishes the output</source>
        <translation>Dieser Teil ist vollständig; der letzte Schritt veröffentlicht die Ausgabe</translation>
    </message>
    <message>
        <source>Try again later</source>
        <translation>Später erneut versuchen</translation>
    </message>
    <message>
        <source>Two checkpoints have the same output</source>
        <translation>Zwei Checkpoints haben dieselbe Ausgabe</translation>
    </message>
    <message>
        <source>Two volumes at one place</source>
        <translation>Zwei Volumes an derselben Stelle</translation>
    </message>
    <message>
        <source>Use --dry-run to print the manifest, and submit it where kubectl is</source>
        <translation>Das Manifest mit --dry-run ausgeben und dort abschicken, wo kubectl installiert ist</translation>
    </message>
    <message>
        <source>Use a link or a mount point whose name is UTF-8</source>
        <translation>Einen Link oder Einhängepunkt verwenden, dessen Name UTF-8 ist</translation>
    </message>
    <message>
        <source>`cairn-cli job status %1` shows it, `cairn-cli job cancel %1` cancels it</source>
        <translation>`cairn-cli job status %1` zeigt ihn, `cairn-cli job cancel %1` bricht ihn ab</translation>
    </message>
    <message>
        <source>`cairn-cli submit` prints the id of what it submits</source>
        <translation>`cairn-cli submit` gibt die ID dessen aus, was es abschickt</translation>
    </message>
    <message>
        <source>A training state cannot be written in part</source>
        <translation>Ein Trainingszustand kann nicht in Teilen geschrieben werden</translation>
    </message>
    <message>
        <source>A training state cannot be written without its plain values</source>
        <translation>Ein Trainingszustand kann nicht ohne seine einfachen Werte geschrieben werden</translation>
    </message>
    <message>
        <source>A checkpoint of TensorFlow does not record the classes of layers, of which the names in a file of Keras consist</source>
        <translation>Ein Checkpoint von TensorFlow enthält die Klassen der Schichten nicht, aus denen die Namen in einer Keras-Datei bestehen</translation>
    </message>
    <message>
        <source>Both must be of the same program</source>
        <translation>Beide müssen von demselben Programm sein</translation>
    </message>
    <message>
        <source>Give the layers of the program names of their own</source>
        <translation>Den Schichten des Programms eigene Namen geben</translation>
    </message>
    <message>
        <source>Keras 2 numbers the variables of its optimizers differently</source>
        <translation>Keras 2 nummeriert die Variablen seiner Optimierer anders</translation>
    </message>
    <message>
        <source>Keras' files do not have them: dropout uses new random numbers</source>
        <translation>Keras-Dateien enthalten sie nicht: Dropout verwendet neue Zufallszahlen</translation>
    </message>
    <message>
        <source>Keras' files have no place for it</source>
        <translation>Keras-Dateien haben keinen Platz dafür</translation>
    </message>
    <message>
        <source>Load it with the program that wrote it, and save it with Keras 3</source>
        <translation>Mit dem Programm laden, das sie geschrieben hat, und mit Keras 3 speichern</translation>
    </message>
    <message>
        <source>Loaded by name only: nothing relates the names to the objects of a program</source>
        <translation>Nur über Namen geladen: Nichts ordnet die Namen den Objekten eines Programms zu</translation>
    </message>
    <message>
        <source>Loaded by name only; --like CHECKPOINT takes the object graph of one that the same program saved with tf.train.Checkpoint</source>
        <translation>Nur über Namen geladen; --like CHECKPOINT übernimmt den Objektgraphen eines Checkpoints, den dasselbe Programm mit tf.train.Checkpoint gespeichert hat</translation>
    </message>
    <message>
        <source>Metrics and the number of saves start again: Keras' files do not have them</source>
        <translation>Metriken und die Anzahl der Speicherungen beginnen neu: Keras-Dateien enthalten sie nicht</translation>
    </message>
    <message>
        <source>Save it from the same program, after compile()</source>
        <translation>Aus demselben Programm speichern, nach compile()</translation>
    </message>
    <message>
        <source>Save it with save_weights() of a newer Keras 3</source>
        <translation>Mit save_weights() eines neueren Keras 3 speichern</translation>
    </message>
    <message>
        <source>Save the same model with its built optimizer, trained or not, with model.save_weights(), and name that file with --like</source>
        <translation>Dasselbe Modell mit angelegtem Optimierer, trainiert oder nicht, mit model.save_weights() speichern und diese Datei mit --like angeben</translation>
    </message>
    <message>
        <source>TensorFlow does not name the layers inside a subclassed model: such a program loads the checkpoint itself, and saves it with save_weights()</source>
        <translation>TensorFlow benennt die Schichten in abgeleiteten Modellklassen nicht: Ein solches Programm lädt den Checkpoint selbst und speichert ihn mit save_weights()</translation>
    </message>
    <message>
        <source>The checkpoint contains no state of an optimizer of Keras 3</source>
        <translation>Der Checkpoint enthält keinen Zustand eines Optimierers von Keras 3</translation>
    </message>
    <message>
        <source>The checkpoint has no object graph</source>
        <translation>Der Checkpoint hat keinen Objektgraphen</translation>
    </message>
    <message>
        <source>The checkpoint lacks variables that its optimizer lists</source>
        <translation>Dem Checkpoint fehlen Variablen, die sein Optimierer aufführt</translation>
    </message>
    <message>
        <source>The checkpoint of TensorFlow has no variable for some places of the file</source>
        <translation>Der Checkpoint von TensorFlow hat für einige Plätze der Datei keine Variable</translation>
    </message>
    <message>
        <source>The count of steps cannot be written with the bits of the other backend</source>
        <translation>Die Anzahl der Schritte kann nicht mit den Bits des anderen Backends geschrieben werden</translation>
    </message>
    <message>
        <source>The file does not record the names of its layers</source>
        <translation>Die Datei enthält die Namen ihrer Schichten nicht</translation>
    </message>
    <message>
        <source>The file has no optimizer of this name</source>
        <translation>Die Datei hat keinen Optimierer dieses Namens</translation>
    </message>
    <message>
        <source>The file has several optimizers of this name</source>
        <translation>Die Datei hat mehrere Optimierer dieses Namens</translation>
    </message>
    <message>
        <source>The file of Keras has no place for some variables of the program</source>
        <translation>Die Keras-Datei hat für einige Variablen des Programms keinen Platz</translation>
    </message>
    <message>
        <source>The layers do not have the same number of variables</source>
        <translation>Die Schichten haben nicht gleich viele Variablen</translation>
    </message>
    <message>
        <source>The names of the layers do not relate this one to one variable</source>
        <translation>Die Namen der Schichten ordnen diese keiner eindeutigen Variablen zu</translation>
    </message>
    <message>
        <source>The objects of this checkpoint are those of Keras 2, whose optimizers number their variables differently</source>
        <translation>Die Objekte dieses Checkpoints sind die von Keras 2, dessen Optimierer ihre Variablen anders nummerieren</translation>
    </message>
    <message>
        <source>The optimizers do not have the same number of variables</source>
        <translation>Die Optimierer haben nicht gleich viele Variablen</translation>
    </message>
    <message>
        <source>The program must make the same model and the same optimizers, and build these before it loads</source>
        <translation>Das Programm muss dasselbe Modell und dieselben Optimierer anlegen, letztere mit build() vor dem Laden</translation>
    </message>
    <message>
        <source>The source has the trainer's own names: nothing is taken from --like</source>
        <translation>Die Quelle hat die Namen des Trainers: Von --like wird nichts übernommen</translation>
    </message>
    <message>
        <source>The variable does not match its place in the file of Keras</source>
        <translation>Die Variable passt nicht zu ihrem Platz in der Keras-Datei</translation>
    </message>
    <message>
        <source>The variables of this layer are not numbered</source>
        <translation>Die Variablen dieser Schicht sind nicht nummeriert</translation>
    </message>
    <message>
        <source>This is not a file of Keras 3, whose names consist of places in its tree</source>
        <translation>Dies ist keine Datei von Keras 3, deren Namen aus Plätzen in ihrem Baum bestehen</translation>
    </message>
    <message>
        <source>`cairn-cli consolidate --to %1` writes the weights, with --rename under the trainer's names</source>
        <translation>`cairn-cli consolidate --to %1` schreibt die Gewichte, mit --rename unter den Namen des Trainers</translation>
    </message>
    <message>
        <source>with TensorFlow and Keras only</source>
        <translation>nur mit TensorFlow und Keras</translation>
    </message>
    <message>
        <source>the variables of an optimizer</source>
        <translation>die Variablen eines Optimierers</translation>
    </message>
    <message>
        <source>A training state is written only if all its values can be read</source>
        <translation>Ein Trainingszustand wird nur geschrieben, wenn alle seine Werte lesbar sind</translation>
    </message>
    <message>
        <source>Convert the weights alone with --names</source>
        <translation>Die Gewichte allein mit --names konvertieren</translation>
    </message>
    <message>
        <source>It contains no optimizer state of torch</source>
        <translation>Er enthält keinen Optimiererzustand von torch</translation>
    </message>
    <message>
        <source>It contains no weights</source>
        <translation>Er enthält keine Gewichte</translation>
    </message>
    <message>
        <source>It is unknown whether the checkpoint is complete</source>
        <translation>Ob der Checkpoint vollständig ist, ist unbekannt</translation>
    </message>
    <message>
        <source>JSON cannot store this value</source>
        <translation>JSON kann diesen Wert nicht speichern</translation>
    </message>
    <message>
        <source>Use --for fsdp2, torchtitan or lightning-fsdp; --force takes the stored order, and equal hyper-parameters for a group</source>
        <translation>--for fsdp2, torchtitan oder lightning-fsdp verwenden; --force nimmt die gespeicherte Reihenfolge, und gleiche Hyperparameter als Gruppe</translation>
    </message>
    <message>
        <source>Use --for torch or fsdp2</source>
        <translation>--for torch oder fsdp2 verwenden</translation>
    </message>
    <message>
        <source>`consolidate --dtype fp32` writes the weights alone, widened</source>
        <translation>`consolidate --dtype fp32` schreibt nur die Gewichte, erweitert</translation>
    </message>
    <message>
        <source>Lightning with shards</source>
        <translation>Lightning mit Shards</translation>
    </message>
    <message>
        <source>torchtitan has one schedule for all optimizers</source>
        <translation>torchtitan hat einen Zeitplan für alle Optimierer</translation>
    </message>
    <message>
        <source>schedulers at the steps %1 and %2</source>
        <translation>Scheduler an den Schritten %1 und %2</translation>
    </message>
    <message>
        <source>torchtitan reads last_epoch, which it lacks</source>
        <translation>torchtitan liest last_epoch, das hier fehlt</translation>
    </message>
    <message>
        <source>torchtitan continues at a step, and the checkpoint records none</source>
        <translation>torchtitan setzt an einem Schritt fort, und der Checkpoint enthält keinen</translation>
    </message>
    <message>
        <source>the number of tokens seen</source>
        <translation>die Zahl der gesehenen Token</translation>
    </message>
    <message>
        <source>torchtitan counts from 0</source>
        <translation>torchtitan zählt von 0 an</translation>
    </message>
    <message>
        <source>torchtitan stores its own state under this name of the model</source>
        <translation>torchtitan speichert unter diesem Namen des Modells seinen eigenen Zustand</translation>
    </message>
    <message>
        <source>the state of the data loader</source>
        <translation>der Zustand des Datenladers</translation>
    </message>
    <message>
        <source>torchtitan loads without it only with --checkpoint.exclude_from_loading dataloader</source>
        <translation>torchtitan lädt ohne ihn nur mit --checkpoint.exclude_from_loading dataloader</translation>
    </message>
    <message>
        <source>torchtitan has no place for it</source>
        <translation>torchtitan hat dafür keinen Platz</translation>
    </message>
    <message>
        <source>DeepSpeed has one optimizer</source>
        <translation>DeepSpeed hat einen Optimierer</translation>
    </message>
    <message>
        <source>DeepSpeed continues at a step, and the checkpoint records none</source>
        <translation>DeepSpeed setzt an einem Schritt fort, und der Checkpoint enthält keinen</translation>
    </message>
    <message>
        <source>DeepSpeed needs the moments of all parameters of a group</source>
        <translation>DeepSpeed braucht die Momente aller Parameter einer Gruppe</translation>
    </message>
    <message>
        <source>%1 parameters without: %2</source>
        <translation>%1 Parameter ohne: %2</translation>
    </message>
    <message>
        <source>DeepSpeed needs the same states for all parameters of a group</source>
        <translation>DeepSpeed braucht dieselben Zustände für alle Parameter einer Gruppe</translation>
    </message>
    <message>
        <source>group %1: %2, and also %3</source>
        <translation>Gruppe %1: %2, und auch %3</translation>
    </message>
    <message>
        <source>DeepSpeed has one step for all parameters of a group</source>
        <translation>DeepSpeed hat einen Schritt für alle Parameter einer Gruppe</translation>
    </message>
    <message>
        <source>moments of different steps</source>
        <translation>Momente verschiedener Schritte</translation>
    </message>
    <message>
        <source>DeepSpeed keeps parameters in fp32, and the checkpoint has no fp32 master of this one</source>
        <translation>DeepSpeed hält Parameter in fp32, und der Checkpoint hat für diesen keinen fp32-Master</translation>
    </message>
    <message>
        <source>DeepSpeed names a folder after this parameter</source>
        <translation>DeepSpeed benennt einen Ordner nach diesem Parameter</translation>
    </message>
    <message>
        <source>DeepSpeed keeps states of the parameter's shape</source>
        <translation>DeepSpeed hält Zustände von der Form des Parameters</translation>
    </message>
    <message>
        <source>DeepSpeed does not load them from a universal checkpoint: they are in `module` of mp_rank_00_model_states.pt</source>
        <translation>DeepSpeed lädt sie nicht aus einem universellen Checkpoint: Sie stehen in `module` von mp_rank_00_model_states.pt</translation>
    </message>
    <message>
        <source>for ZeRO 3 only: settings of the other groups</source>
        <translation>nur bei ZeRO 3: die Einstellungen der übrigen Gruppen</translation>
    </message>
    <message>
        <source>it gives all groups those of the first</source>
        <translation>es gibt allen Gruppen die der ersten</translation>
    </message>
    <message>
        <source>DeepSpeed has no place for it</source>
        <translation>DeepSpeed hat dafür keinen Platz</translation>
    </message>
    <message>
        <source>%1 but last_epoch</source>
        <translation>%1 außer last_epoch</translation>
    </message>
    <message>
        <source>the source keeps no more of its schedule; base_lrs and the count of steps are those of a new one</source>
        <translation>die Quelle hält nicht mehr von ihrem Zeitplan; base_lrs und die Zahl der Schritte sind die eines neuen</translation>
    </message>
    <message>
        <source>buffer or frozen parameter</source>
        <translation>Puffer oder eingefrorener Parameter</translation>
    </message>
    <message>
        <source>buffers and frozen parameters</source>
        <translation>Puffer und eingefrorene Parameter</translation>
    </message>
    <message>
        <source>Lightning counts the steps of its loops, and the checkpoint records none</source>
        <translation>Lightning zählt die Schritte seiner Schleifen, und der Checkpoint enthält keinen Schritt</translation>
    </message>
    <message>
        <source>Lightning has no place for it</source>
        <translation>Lightning hat keinen Platz dafür</translation>
    </message>
    <message>
        <source>Lightning reads this epoch from its first batch</source>
        <translation>Lightning liest diese Epoche ab ihrem ersten Batch</translation>
    </message>
    <message>
        <source>Not restored by %1: %2; %3</source>
        <translation>Von %1 nicht wiederhergestellt: %2; %3</translation>
    </message>
    <message>
        <source>Parameter %1 may be %2 or %3</source>
        <translation>Parameter %1 kann %2 oder %3 sein</translation>
    </message>
    <message>
        <source>Save an optimizer that was made from named_parameters(), which records the names, or use a trainer with numbers</source>
        <translation>Einen aus named_parameters() erzeugten Optimierer speichern, der die Namen aufzeichnet, oder einen Trainer mit Nummern wählen</translation>
    </message>
    <message>
        <source>The Trainer continues at a step, and the checkpoint records none</source>
        <translation>Der Trainer setzt bei einem Schritt fort, und der Checkpoint enthält keinen</translation>
    </message>
    <message>
        <source>The Trainer has one optimizer and one scheduler</source>
        <translation>Der Trainer hat einen Optimierer und einen Scheduler</translation>
    </message>
    <message>
        <source>The checkpoint contains no state of a torch optimizer</source>
        <translation>Der Checkpoint enthält keinen Zustand eines torch-Optimierers</translation>
    </message>
    <message>
        <source>The checkpoint contains no weights</source>
        <translation>Der Checkpoint enthält keine Gewichte</translation>
    </message>
    <message>
        <source>The checkpoint contains several models</source>
        <translation>Der Checkpoint enthält mehrere Modelle</translation>
    </message>
    <message>
        <source>The flat form of an optimizer's state does not record its groups and the order of their parameters, which numbers need</source>
        <translation>Die flache Form eines Optimiererzustands enthält weder seine Gruppen noch die Reihenfolge ihrer Parameter, die für Nummern nötig sind</translation>
    </message>
    <message>
        <source>The groups do not match the model's parameters: no division in the model's order has the shapes of the moments</source>
        <translation>Die Gruppen passen nicht zu den Parametern des Modells: Keine Aufteilung in der Reihenfolge des Modells hat die Formen der Momente</translation>
    </message>
    <message>
        <source>The groups list %1 parameters, but the model has %2</source>
        <translation>Die Gruppen nennen %1 Parameter, das Modell hat aber %2</translation>
    </message>
    <message>
        <source>The moments are of different steps: %1 to %2</source>
        <translation>Die Momente sind von verschiedenen Schritten: %1 bis %2</translation>
    </message>
    <message>
        <source>The moments of %1 have the shape %2, the parameter has %3</source>
        <translation>Die Momente von %1 haben die Form %2, der Parameter hat %3</translation>
    </message>
    <message>
        <source>The optimizer and the model are not of one training</source>
        <translation>Optimierer und Modell gehören nicht zu einem Training</translation>
    </message>
    <message>
        <source>The optimizer lists %1 twice</source>
        <translation>Der Optimierer nennt %1 zweimal</translation>
    </message>
    <message>
        <source>The optimizer lists a parameter that the model does not have: %1</source>
        <translation>Der Optimierer nennt einen Parameter, den das Modell nicht hat: %1</translation>
    </message>
    <message>
        <source>The optimizer numbers its parameters, and the file of the weights does not record the model's order</source>
        <translation>Der Optimierer nummeriert seine Parameter, und die Datei der Gewichte enthält die Reihenfolge des Modells nicht</translation>
    </message>
    <message>
        <source>The state of this trainer is not divided over ranks</source>
        <translation>Der Zustand dieses Trainers wird nicht auf Ränge verteilt</translation>
    </message>
    <message>
        <source>The states of the optimizer do not match the model's parameters</source>
        <translation>Die Zustände des Optimierers passen nicht zu den Parametern des Modells</translation>
    </message>
    <message>
        <source>The trainer must make the same model, and optimizers with the same groups in the same order</source>
        <translation>Der Trainer muss dasselbe Modell erzeugen, und Optimierer mit denselben Gruppen in derselben Reihenfolge</translation>
    </message>
    <message>
        <source>They are written as they are</source>
        <translation>Sie werden unverändert geschrieben</translation>
    </message>
    <message>
        <source>This option needs a trainer</source>
        <translation>Diese Option braucht einen Trainer</translation>
    </message>
    <message>
        <source>Too many divisions of the parameters into the groups are possible</source>
        <translation>Zu viele Aufteilungen der Parameter auf die Gruppen sind möglich</translation>
    </message>
    <message>
        <source>Use --for TRAINER</source>
        <translation>--for TRAINER verwenden</translation>
    </message>
    <message>
        <source>Use --for accelerate or torch</source>
        <translation>--for accelerate oder torch verwenden</translation>
    </message>
    <message>
        <source>Use --for accelerate, torch or lightning</source>
        <translation>--for accelerate, torch oder lightning verwenden</translation>
    </message>
    <message>
        <source>Use --for fsdp2</source>
        <translation>--for fsdp2 verwenden</translation>
    </message>
    <message>
        <source>Use --for torch</source>
        <translation>--for torch verwenden</translation>
    </message>
    <message>
        <source>Use --names hf, or the names of a framework; --for TRAINER writes a training state</source>
        <translation>--names hf verwenden, oder die Namen eines Frameworks; --for TRAINER schreibt einen Trainingszustand</translation>
    </message>
    <message>
        <source>Use convert --for TRAINER</source>
        <translation>convert --for TRAINER verwenden</translation>
    </message>
    <message>
        <source>`cairn-cli info` shows what it can do; `consolidate` writes the weights</source>
        <translation>`cairn-cli info` zeigt, was er kann; `consolidate` schreibt die Gewichte</translation>
    </message>
    <message>
        <source>`consolidate PATH#KEY` writes the weights of one</source>
        <translation>`consolidate PATH#KEY` schreibt die Gewichte eines Modells</translation>
    </message>
    <message>
        <source>Lightning counts the steps of several optimizers together, and a loop does not</source>
        <translation>Lightning zählt die Schritte mehrerer Optimierer zusammen, eine Schleife nicht</translation>
    </message>
    <message>
        <source>Two optimizers list the same parameter</source>
        <translation>Zwei Optimierer nennen denselben Parameter</translation>
    </message>
    <message>
        <source>A component has no config.json: %1</source>
        <translation>Eine Komponente hat keine config.json: %1</translation>
    </message>
    <message>
        <source>A tensor belongs to no component of the pipeline: %1</source>
        <translation>Ein Tensor gehört zu keiner Komponente der Pipeline: %1</translation>
    </message>
    <message>
        <source>An adapter becomes a folder, in which its settings are beside its weights in one file: PEFT loads no other adapter</source>
        <translation>Ein Adapter wird zu einem Ordner, in dem seine Einstellungen neben seinen Gewichten in einer Datei liegen: Einen anderen Adapter lädt PEFT nicht</translation>
    </message>
    <message>
        <source>An adapter cannot be folded into parts of a convolution's kernels</source>
        <translation>Ein Adapter kann nicht in Teile der Kerne einer Faltung eingefügt werden</translation>
    </message>
    <message>
        <source>An adapter of diffusers or kohya is one file with its scales inside, which no folder completes</source>
        <translation>Ein Adapter von diffusers oder kohya ist eine Datei mit ihren Skalierungen, die kein Ordner ergänzt</translation>
    </message>
    <message>
        <source>DoRA of a convolution cannot be folded</source>
        <translation>DoRA einer Faltung kann nicht eingefügt werden</translation>
    </message>
    <message>
        <source>Fold into a pipeline of the kind that the adapter was trained on; if it is, the adapter has the names of a different program: diffusers may merge it by pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)</source>
        <translation>In eine Pipeline der Art einfügen, auf der der Adapter trainiert wurde; ist sie es, hat der Adapter die Namen eines anderen Programms: diffusers fügt ihn vielleicht ein, mit pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)</translation>
    </message>
    <message>
        <source>Fold into the folder of the pipeline, which has all components</source>
        <translation>In den Ordner der Pipeline einfügen, der alle Komponenten hat</translation>
    </message>
    <message>
        <source>Fold into the pipeline's folder, or into that of one of its components</source>
        <translation>In den Ordner der Pipeline oder in den einer ihrer Komponenten einfügen</translation>
    </message>
    <message>
        <source>Keep its names, and write safetensors; or fold it: cairn-cli fold PIPELINE --adapter FILE</source>
        <translation>Die Namen behalten und safetensors schreiben; oder einfügen: cairn-cli fold PIPELINE --adapter FILE</translation>
    </message>
    <message>
        <source>LayerNorm.gamma and LayerNorm.beta are names of BERT's original checkpoints; transformers reads them as weight and bias, other programs do not</source>
        <translation>LayerNorm.gamma und LayerNorm.beta sind Namen der ursprünglichen Checkpoints von BERT; transformers liest sie als weight und bias, andere Programme nicht</translation>
    </message>
    <message>
        <source>Leave out --bundle; or write the model with it: cairn-cli fold PIPELINE --adapter FILE</source>
        <translation>--bundle weglassen; oder das Modell mit ihm schreiben: cairn-cli fold PIPELINE --adapter FILE</translation>
    </message>
    <message>
        <source>Leave out --to, --ranks and --per-layer; --max-shard-size splits files</source>
        <translation>--to, --ranks und --per-layer weglassen; --max-shard-size teilt Dateien</translation>
    </message>
    <message>
        <source>Name a pipeline with the component's config: --like FOLDER</source>
        <translation>Eine Pipeline mit der Konfiguration der Komponente nennen: --like FOLDER</translation>
    </message>
    <message>
        <source>Only some of the modules have an alpha: kohya's trainers take the rank for the others, and diffusers the most frequent alpha</source>
        <translation>Nur einige der Module haben ein Alpha: kohyas Trainer nehmen für die anderen den Rang, diffusers das häufigste Alpha</translation>
    </message>
    <message>
        <source>Other methods (LoHa, LoKr, DoRA of kohya) are not supported; diffusers may merge it: pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)</source>
        <translation>Andere Verfahren (LoHa, LoKr, DoRA von kohya) werden nicht unterstützt; vielleicht fügt diffusers es ein: pipeline.load_lora_weights(FILE), pipeline.fuse_lora(), pipeline.save_pretrained(FOLDER)</translation>
    </message>
    <message>
        <source>Some of the adapters are PEFT's, others are of diffusers or kohya, which name modules otherwise</source>
        <translation>Einige der Adapter sind von PEFT, andere von diffusers oder kohya, die Module anders benennen</translation>
    </message>
    <message>
        <source>Some of the adapters have kohya's names, others those of diffusers, which name modules otherwise</source>
        <translation>Einige der Adapter haben die Namen von kohya, andere die von diffusers, die Module anders benennen</translation>
    </message>
    <message>
        <source>The adapter is for a pipeline of diffusers, which the base is not</source>
        <translation>Der Adapter ist für eine Pipeline von diffusers, die Basis ist keine</translation>
    </message>
    <message>
        <source>The alpha of a module is not one number</source>
        <translation>Das Alpha eines Moduls ist nicht eine Zahl</translation>
    </message>
    <message>
        <source>The base has no module that this tensor of the adapter changes</source>
        <translation>Die Basis hat kein Modul, das dieser Tensor des Adapters ändert</translation>
    </message>
    <message>
        <source>The base lacks a component that the adapter changes</source>
        <translation>Der Basis fehlt eine Komponente, die der Adapter ändert</translation>
    </message>
    <message>
        <source>The mean of trained biases needs a scale in the settings, which a file of diffusers or kohya does not have</source>
        <translation>Das Mittel trainierter Biases braucht eine Skalierung in den Einstellungen, die eine Datei von diffusers oder kohya nicht hat</translation>
    </message>
    <message>
        <source>The scales are recorded twice, which diffusers refuses</source>
        <translation>Die Skalierungen sind zweimal verzeichnet, was diffusers ablehnt</translation>
    </message>
    <message>
        <source>The scales of the adapter are in the metadata of its file, which the output would not have</source>
        <translation>Die Skalierungen des Adapters stehen in den Metadaten seiner Datei, die die Ausgabe nicht hätte</translation>
    </message>
    <message>
        <source>The source has several components of a pipeline of diffusers, but no model_index.json</source>
        <translation>Die Quelle hat mehrere Komponenten einer Pipeline von diffusers, aber keine model_index.json</translation>
    </message>
    <message>
        <source>Two modules of the base have the name that this tensor of the adapter states with underscores</source>
        <translation>Zwei Module der Basis haben den Namen, den dieser Tensor des Adapters mit Unterstrichen nennt</translation>
    </message>
    <message>
        <source>Write the model unsharded, or cut in its first dimension</source>
        <translation>Das Modell ungeteilt schreiben oder in seiner ersten Dimension schneiden</translation>
    </message>
    <message>
        <source>Name the pipeline that was trained: --like FOLDER; or one component: --only 'unet.*'</source>
        <translation>Die trainierte Pipeline nennen: --like FOLDER; oder eine Komponente: --only 'unet.*'</translation>
    </message>
    <message>
        <source>The folder would load, but not all of it: %1</source>
        <translation>Der Ordner ließe sich laden, aber nicht vollständig: %1</translation>
    </message>
    <message>
        <source>Leave the tensors out with --only, name the folder of a model that has them with --like, or write it anyway with --force</source>
        <translation>Die Tensoren mit --only weglassen, mit --like den Ordner eines Modells angeben, das sie hat, oder mit --force trotzdem schreiben</translation>
    </message>
    <message>
        <source>The source's files differ in it</source>
        <translation>Die Dateien der Quelle unterscheiden sich darin</translation>
    </message>
    <message>
        <source>The headers of a model's parts are not carried</source>
        <translation>Die Header der Teile eines Modells werden nicht übernommen</translation>
    </message>
    <message>
        <source>Only headers of safetensors have a place for it</source>
        <translation>Nur Header von safetensors haben einen Platz dafür</translation>
    </message>
    <message>
        <source>left out: that of parts of the model</source>
        <translation>weggelassen: die der Teile des Modells</translation>
    </message>
    <message>
        <source>Two adapters add the same tensor to the model</source>
        <translation>Zwei Adapter fügen dem Modell denselben Tensor hinzu</translation>
    </message>
    <message>
        <source>Trained beside the adapter; the base has none of %1</source>
        <translation>Neben dem Adapter trainiert; die Basis hat nichts von %1</translation>
    </message>
    <message>
        <source>The adapter adds tensors to the model, and the base's names are not those of one model</source>
        <translation>Der Adapter fügt dem Modell Tensoren hinzu, und die Namen der Basis sind nicht die eines einzigen Modells</translation>
    </message>
    <message>
        <source>The output cannot be written on another machine</source>
        <translation>Die Ausgabe kann nicht auf einen anderen Rechner geschrieben werden</translation>
    </message>
    <message>
        <source>Name an output on this machine, or all inputs on the host of the output</source>
        <translation>Nennen Sie eine Ausgabe auf diesem Rechner, oder nur Eingaben auf dem Rechner der Ausgabe</translation>
    </message>
    <message>
        <source>The number of the request was used before</source>
        <translation>Die Nummer der Anfrage wurde schon verwendet</translation>
    </message>
    <message>
        <source>The other end of the connection sent an invalid frame</source>
        <translation>Die Gegenseite der Verbindung hat einen ungültigen Frame gesendet</translation>
    </message>
    <message>
        <source>The host's login output exceeds 1 MiB</source>
        <translation>Die Ausgabe bei der Anmeldung auf dem Rechner überschreitet 1 MiB</translation>
    </message>
    <message>
        <source>Shards record different counts of updates; they differ between kinds of parameters, or the shards are of different saves</source>
        <translation>Shards verzeichnen verschieden viele Aktualisierungen; diese unterscheiden sich zwischen Arten von Parametern, oder die Shards stammen aus verschiedenen Speicherungen</translation>
    </message>
    <message>
        <source>The optimizer counts one update more than global_step; the loop asked for its state before the first step, or the shards are of a later save</source>
        <translation>Der Optimierer zählt eine Aktualisierung mehr als global_step; die Schleife hat seinen Zustand vor dem ersten Schritt abgefragt, oder die Shards stammen aus einer späteren Speicherung</translation>
    </message>
    <message>
        <source>DeepSpeed has one scheduler</source>
        <translation>DeepSpeed hat einen Scheduler</translation>
    </message>
    <message>
        <source>an object that only DeepSpeed reads</source>
        <translation>ein Objekt, das nur DeepSpeed liest</translation>
    </message>
    <message>
        <source>a loop of torch</source>
        <translation>eine Schleife mit torch</translation>
    </message>
    <message>
        <source>update %1</source>
        <translation>Aktualisierung %1</translation>
    </message>
    <message>
        <source>its key has a different meaning</source>
        <translation>sein Schlüssel hat eine andere Bedeutung</translation>
    </message>
    <message>
        <source>only the trainer that wrote it reads it</source>
        <translation>nur der Trainer, der es geschrieben hat, liest es</translation>
    </message>
    <message>
        <source>A plain value has the key of tensors</source>
        <translation>Ein einfacher Wert hat den Schlüssel von Tensoren</translation>
    </message>
    <message>
        <source>A tree that is one leaf cannot be written</source>
        <translation>Ein Baum, der nur ein Blatt ist, kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>Cast it with --dtype float32, or write safetensors</source>
        <translation>Mit --dtype float32 umwandeln oder safetensors schreiben</translation>
    </message>
    <message>
        <source>CheckpointManager finds a step by its folder's name, which is a number; the program must make the same model and the same optimizer</source>
        <translation>CheckpointManager findet einen Schritt am Namen seines Ordners, der eine Zahl ist; das Programm muss dasselbe Modell und denselben Optimizer erzeugen</translation>
    </message>
    <message>
        <source>Flax writes a single file</source>
        <translation>Flax schreibt eine einzige Datei</translation>
    </message>
    <message>
        <source>Flax writes optax's named tuples without fields as empty dicts, Orbax as None</source>
        <translation>Flax schreibt benannte Tupel von optax ohne Felder als leere Dicts, Orbax als None</translation>
    </message>
    <message>
        <source>No table relates the names of this trainer's parameters and moments to a tree of JAX: only states of Orbax and Flax can be written for these</source>
        <translation>Keine Tabelle ordnet die Namen der Parameter und Momente dieses Trainers einem Baum von JAX zu: nur Zustände von Orbax und Flax können für diese geschrieben werden</translation>
    </message>
    <message>
        <source>Not an element type of NumPy and JAX</source>
        <translation>Kein Elementtyp von NumPy und JAX</translation>
    </message>
    <message>
        <source>Not an element type of Zarr</source>
        <translation>Kein Elementtyp von Zarr</translation>
    </message>
    <message>
        <source>Orbax cannot restore an empty tree</source>
        <translation>Orbax kann einen leeren Baum nicht wiederherstellen</translation>
    </message>
    <message>
        <source>Orbax names a folder after this tensor, which is not possible</source>
        <translation>Orbax benennt einen Ordner nach diesem Tensor, was nicht möglich ist</translation>
    </message>
    <message>
        <source>Orbax writes a folder for each tensor, without a limit for files</source>
        <translation>Orbax schreibt für jeden Tensor einen Ordner, ohne Obergrenze für Dateien</translation>
    </message>
    <message>
        <source>The checkpoint contains no state of an optimizer</source>
        <translation>Der Checkpoint enthält keinen Zustand eines Optimizers</translation>
    </message>
    <message>
        <source>The checkpoint contains several training states, and a file of Flax one</source>
        <translation>Der Checkpoint enthält mehrere Trainingszustände, eine Datei von Flax nur einen</translation>
    </message>
    <message>
        <source>The place of a tensor in the plain values is not its name</source>
        <translation>Der Platz eines Tensors in den einfachen Werten ist nicht sein Name</translation>
    </message>
    <message>
        <source>The plain values are nested too deeply</source>
        <translation>Die einfachen Werte sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>The plain values contain a tensor twice</source>
        <translation>Die einfachen Werte enthalten einen Tensor zweimal</translation>
    </message>
    <message>
        <source>The plain values do not contain all tensors</source>
        <translation>Die einfachen Werte enthalten nicht alle Tensoren</translation>
    </message>
    <message>
        <source>The program must make the same model and the same optimizer</source>
        <translation>Das Programm muss dasselbe Modell und denselben Optimizer erzeugen</translation>
    </message>
    <message>
        <source>The root of a Flax file is a map</source>
        <translation>Die Wurzel einer Flax-Datei ist eine Map</translation>
    </message>
    <message>
        <source>The root of the state is not a dict</source>
        <translation>Die Wurzel des Zustands ist kein Dict</translation>
    </message>
    <message>
        <source>The shape of a moment does not match its parameter</source>
        <translation>Die Form eines Moments passt nicht zu seinem Parameter</translation>
    </message>
    <message>
        <source>Two leaves of the tree have the same name, whose keys are joined with dots</source>
        <translation>Zwei Blätter des Baums haben denselben Namen, dessen Schlüssel mit Punkten verbunden sind</translation>
    </message>
    <message>
        <source>Use --for orbax, which keeps the items</source>
        <translation>--for orbax verwenden, das die Einträge behält</translation>
    </message>
    <message>
        <source>Use --rename, or --to flax</source>
        <translation>--rename oder --to flax verwenden</translation>
    </message>
    <message>
        <source>`consolidate --to %1` writes the weights</source>
        <translation>`consolidate --to %1` schreibt die Gewichte</translation>
    </message>
    <message>
        <source>`consolidate --to %1` writes the weights under their own names</source>
        <translation>`consolidate --to %1` schreibt die Gewichte unter ihren eigenen Namen</translation>
    </message>
    <message>
        <source>All variables are written as they are; the program must make the same objects</source>
        <translation>Alle Variablen werden unverändert geschrieben; das Programm muss die gleichen Objekte anlegen</translation>
    </message>
    <message>
        <source>Cast it with --dtype, or write a different format</source>
        <translation>Mit --dtype umwandeln oder ein anderes Format schreiben</translation>
    </message>
    <message>
        <source>Keras cannot store this tensor's dtype</source>
        <translation>Keras kann den Dtype dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>Keras has no variable of this name</source>
        <translation>Keras hat keine Variable dieses Namens</translation>
    </message>
    <message>
        <source>Map the names with --rename, in the order in which the layers have their variables; a .keras or .weights.h5 file of the same model shows them</source>
        <translation>Die Namen mit --rename zuordnen, in der Reihenfolge der Variablen ihrer Schichten; eine .keras- oder .weights.h5-Datei desselben Modells zeigt sie</translation>
    </message>
    <message>
        <source>Nothing relates the names of this checkpoint to the objects of the trainer</source>
        <translation>Nichts ordnet die Namen dieses Checkpoints den Objekten des Trainers zu</translation>
    </message>
    <message>
        <source>TensorFlow cannot store this tensor's dtype</source>
        <translation>TensorFlow kann den Dtype dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>TensorFlow cannot store this tensor's name</source>
        <translation>TensorFlow kann den Namen dieses Tensors nicht speichern</translation>
    </message>
    <message>
        <source>The HDF5 library did not lay out the file</source>
        <translation>Die HDF5-Bibliothek hat die Datei nicht angelegt</translation>
    </message>
    <message>
        <source>The plan's checksums do not match the kind of the file</source>
        <translation>Die Prüfsummen des Plans passen nicht zur Art der Datei</translation>
    </message>
    <message>
        <source>Too many datasets for one HDF5 file</source>
        <translation>Zu viele Datasets für eine HDF5-Datei</translation>
    </message>
    <message>
        <source>Two tensors have the same name</source>
        <translation>Zwei Tensoren haben denselben Namen</translation>
    </message>
    <message>
        <source>Without an object graph the tensors are loaded by their names (tf.train.load_checkpoint), not by tf.train.Checkpoint.restore</source>
        <translation>Ohne Objektgraph werden die Tensoren über ihre Namen geladen (tf.train.load_checkpoint), nicht mit tf.train.Checkpoint.restore</translation>
    </message>
    <message>
        <source>`cairn-cli consolidate --to %1` writes the weights</source>
        <translation>`cairn-cli consolidate --to %1` schreibt die Gewichte</translation>
    </message>
    <message>
        <source>Leave it out with --only GLOB: the output is then loaded by names</source>
        <translation>Mit --only GLOB weglassen: die Ausgabe wird dann über Namen geladen</translation>
    </message>
    <message>
        <source>The tensors are too large for one file</source>
        <translation>Die Tensoren sind zu groß für eine Datei</translation>
    </message>
    <message>
        <source>A .weights.h5 file is a single file</source>
        <translation>Eine .weights.h5-Datei ist eine einzelne Datei</translation>
    </message>
    <message>
        <source>Leave out --max-shard-size</source>
        <translation>--max-shard-size weglassen</translation>
    </message>
    <message>
        <source>Rename one of them</source>
        <translation>Einen davon umbenennen</translation>
    </message>
    <message>
        <source>The strings are different</source>
        <translation>Die Zeichenketten sind verschieden</translation>
    </message>
    <message>
        <source>the object graph, which is not that of the source</source>
        <translation>der Objektgraph, der nicht der der Quelle ist</translation>
    </message>
    <message>
        <source>the tensor of strings %1</source>
        <translation>der Zeichenketten-Tensor %1</translation>
    </message>
    <message>
        <source>another attempt of this training, after a restart, may have saved the checkpoint</source>
        <translation>ein anderer Versuch dieses Trainings, nach einem Neustart, kann den Checkpoint gespeichert haben</translation>
    </message>
    <message>
        <source>this training was restarted too often to decide which attempt saved which checkpoint</source>
        <translation>dieses Training wurde zu oft neu gestartet, um zu entscheiden, welcher Versuch welchen Checkpoint gespeichert hat</translation>
    </message>
    <message>
        <source>the checkpoint contains a different value of the metric than its row, and gets none</source>
        <translation>der Checkpoint enthält einen anderen Wert der Metrik als seine Zeile und erhält keinen</translation>
    </message>
    <message>
        <source>yes, if the model's class takes the tensors</source>
        <translation>ja, wenn die Klasse des Modells die Tensoren annimmt</translation>
    </message>
    <message>
        <source>A text is not UTF-8, and JAX's formats store no other</source>
        <translation>Ein Text ist kein UTF-8, und die Formate von JAX speichern nur solches</translation>
    </message>
    <message>
        <source>A name is not UTF-8, and JAX's formats store no other</source>
        <translation>Ein Name ist kein UTF-8, und die Formate von JAX speichern nur solches</translation>
    </message>
    <message>
        <source>An item's name is not UTF-8</source>
        <translation>Der Name eines Elements ist kein UTF-8</translation>
    </message>
    <message>
        <source>Two keys of a dict become the same text, as which keys are stored</source>
        <translation>Zwei Schlüssel eines Dicts werden derselbe Text, als welcher Schlüssel gespeichert werden</translation>
    </message>
    <message>
        <source>`consolidate --only '*'` writes the tensors without the plain values</source>
        <translation>`consolidate --only '*'` schreibt die Tensoren ohne die einfachen Werte</translation>
    </message>
    <message>
        <source>This tensor's name is a place inside a different tensor, which cannot contain it</source>
        <translation>Der Name dieses Tensors ist ein Ort in einem anderen Tensor, der ihn nicht enthalten kann</translation>
    </message>
    <message>
        <source>it could not make a file with these datasets</source>
        <translation>es konnte keine Datei mit diesen Datensätzen erzeugen</translation>
    </message>
    <message>
        <source>whether these are lists: %1</source>
        <translation>ob dies Listen sind: %1</translation>
    </message>
    <message>
        <source>Flax records lists as dicts with the keys 0, 1, …, and a model's own dicts may have these keys: they become dicts</source>
        <translation>Flax speichert Listen als Dicts mit den Schlüsseln 0, 1, …, und auch Dicts des Modells können diese Schlüssel haben: Sie werden Dicts</translation>
    </message>
    <message>
        <source>Flax writes the tuples of optax's chains as dicts with these keys; Orbax restores only into the kind that is recorded</source>
        <translation>Flax schreibt die Tupel von optax' Ketten als Dicts mit diesen Schlüsseln; Orbax stellt nur in die gespeicherte Art wieder her</translation>
    </message>
    <message>
        <source>tf.train.Checkpoint.restore finds the variables by it, and fails unless the program makes them with the new dtypes: %1 is %2</source>
        <translation>tf.train.Checkpoint.restore findet die Variablen damit und scheitert, wenn das Programm sie nicht mit den neuen Dtypes anlegt: %1 ist %2</translation>
    </message>
    <message>
        <source>An empty tree is not written to Flax</source>
        <translation>Ein leerer Baum wird nicht für Flax geschrieben</translation>
    </message>
    <message>
        <source>they were not compared with those of a class</source>
        <translation>sie wurden nicht mit denen einer Klasse verglichen</translation>
    </message>
    <message>
        <source>compared with %1 by names and shapes</source>
        <translation>nach Namen und Formen mit %1 verglichen</translation>
    </message>
    <message>
        <source>the loader of %1 leaves them out</source>
        <translation>der Lader von %1 lässt sie weg</translation>
    </message>
    <message>
        <source>Would load, but not all of it: %1</source>
        <translation>Würde geladen, aber nicht vollständig: %1</translation>
    </message>
    <message>
        <source>%1 is a name of the original checkpoint, which only diffusers converts: %2.from_single_file(FILE), then save_pretrained(FOLDER)</source>
        <translation>%1 ist ein Name des ursprünglichen Checkpoints, den nur diffusers umwandelt: %2.from_single_file(FILE), dann save_pretrained(FOLDER)</translation>
    </message>
    <message>
        <source>Ranks that should have the same heads of keys or values have different ones</source>
        <translation>Ränge, die dieselben Köpfe von Keys oder Values haben sollten, haben verschiedene</translation>
    </message>
    <message>
        <source>copies, because there are more ranks, %1, than such heads</source>
        <translation>Kopien, weil es mehr Ränge, %1, als solche Köpfe gibt</translation>
    </message>
    <message>
        <source>The names and the layout are those of TensorFlow in transformers 4; they become those of the class, with all its tensors in its shapes</source>
        <translation>Namen und Anordnung sind die von TensorFlow in transformers 4; sie werden zu denen der Klasse, mit allen ihren Tensoren in ihren Formen</translation>
    </message>
    <message>
        <source>The curve is not aggregated: its x is missing or has a different unit than in most runs</source>
        <translation>Die Kurve wird nicht zusammengefasst: ihr x fehlt oder hat eine andere Einheit als in den meisten Runs</translation>
    </message>
    <message>
        <source>Steps beyond 2^53 are rounded in aggregated curves; of those that become one, the last value is used</source>
        <translation>Schritte jenseits von 2^53 werden in zusammengefassten Kurven gerundet; von denen, die zu einem werden, gilt der letzte Wert</translation>
    </message>
    <message>
        <source>The elements of this type are not read</source>
        <translation>Die Elemente dieses Typs werden nicht gelesen</translation>
    </message>
    <message>
        <source>A moment has no parameter of its name and shape</source>
        <translation>Ein Moment hat keinen Parameter seines Namens und seiner Form</translation>
    </message>
    <message>
        <source>A parameter has one of Adam's two moments</source>
        <translation>Ein Parameter hat nur einen der zwei Momente von Adam</translation>
    </message>
    <message>
        <source>Adam has two moments for each parameter</source>
        <translation>Adam hat zwei Momente für jeden Parameter</translation>
    </message>
    <message>
        <source>Copy the folder: Megatron-core loads it at any parallelism</source>
        <translation>Den Ordner kopieren: Megatron-core lädt ihn bei jeder Parallelität</translation>
    </message>
    <message>
        <source>Megatron-LM itself converts it with --ckpt-convert-format torch_dist --ckpt-convert-save FOLDER</source>
        <translation>Megatron-LM selbst konvertiert ihn mit --ckpt-convert-format torch_dist --ckpt-convert-save ORDNER</translation>
    </message>
    <message>
        <source>Megatron-core asks for them unless they are frozen there, too</source>
        <translation>Megatron-core verlangt sie, sofern sie nicht auch dort eingefroren sind</translation>
    </message>
    <message>
        <source>Megatron-core continues at an iteration, and the checkpoint records no step</source>
        <translation>Megatron-core setzt bei einer Iteration fort, und der Checkpoint enthält keinen Schritt</translation>
    </message>
    <message>
        <source>Megatron-core does not decay parameters of one dimension</source>
        <translation>Megatron-core wendet auf Parameter mit einer Dimension keinen Weight Decay an</translation>
    </message>
    <message>
        <source>Megatron-core has no place for it</source>
        <translation>Megatron-core hat keinen Platz dafür</translation>
    </message>
    <message>
        <source>Megatron-core has one optimizer</source>
        <translation>Megatron-core hat einen Optimizer</translation>
    </message>
    <message>
        <source>Megatron-core has one step for the moments of all parameters</source>
        <translation>Megatron-core hat einen Schritt für die Momente aller Parameter</translation>
    </message>
    <message>
        <source>Megatron-core's own schedule counts samples: the current learning rate is kept, --override-opt_param-scheduler takes the run's</source>
        <translation>Der eigene Zeitplan von Megatron-core zählt Samples: Die aktuelle Lernrate bleibt, --override-opt_param-scheduler nimmt den des Laufs</translation>
    </message>
    <message>
        <source>Megatron-core's own schedule; the groups keep the learning rate</source>
        <translation>Der eigene Zeitplan von Megatron-core; die Gruppen behalten die Lernrate</translation>
    </message>
    <message>
        <source>Moments in buckets of Megatron-core's distributed optimizer have no names of parameters</source>
        <translation>Momente in Buckets des verteilten Optimizers von Megatron-core haben keine Namen von Parametern</translation>
    </message>
    <message>
        <source>No config.json was found, which Megatron-core's names and layout need</source>
        <translation>Es wurde keine config.json gefunden, die Namen und Anordnung von Megatron-core brauchen</translation>
    </message>
    <message>
        <source>No parameter has moments, which Megatron-core loads for all</source>
        <translation>Kein Parameter hat Momente, die Megatron-core für alle lädt</translation>
    </message>
    <message>
        <source>Only a part of the layers' parameters has moments</source>
        <translation>Nur ein Teil der Parameter der Schichten hat Momente</translation>
    </message>
    <message>
        <source>Only names of Megatron-core are converted by a config</source>
        <translation>Nur Namen von Megatron-core werden mit einer Konfiguration konvertiert</translation>
    </message>
    <message>
        <source>Only the moments of Adam are converted from Megatron-core</source>
        <translation>Nur die Momente von Adam werden von Megatron-core konvertiert</translation>
    </message>
    <message>
        <source>Only the moments of Adam are converted to Megatron-core</source>
        <translation>Nur die Momente von Adam werden zu Megatron-core konvertiert</translation>
    </message>
    <message>
        <source>Projections are fused and layers stacked as Megatron-core stores them, moments as their parameters</source>
        <translation>Projektionen werden verbunden und Schichten gestapelt, wie Megatron-core sie speichert, Momente wie ihre Parameter</translation>
    </message>
    <message>
        <source>Projections are split and layers taken apart, moments as their parameters; groups are those that Megatron-core makes: biases and parameters of one dimension without weight decay</source>
        <translation>Projektionen und Schichten werden getrennt, Momente wie ihre Parameter; die Gruppen sind die von Megatron-core: Biases und Parameter mit einer Dimension ohne Weight Decay</translation>
    </message>
    <message>
        <source>SGD without momentum</source>
        <translation>SGD ohne Momentum</translation>
    </message>
    <message>
        <source>The attention has biases and the feed-forward layers have none; Megatron-core has both or neither</source>
        <translation>Die Attention hat Biases und die Feed-Forward-Schichten haben keine; Megatron-core hat beide oder keine</translation>
    </message>
    <message>
        <source>The checkpoint contains no moments of Megatron-core's optimizer</source>
        <translation>Der Checkpoint enthält keine Momente des Optimizers von Megatron-core</translation>
    </message>
    <message>
        <source>The checkpoint contains no parameter groups</source>
        <translation>Der Checkpoint enthält keine Parametergruppen</translation>
    </message>
    <message>
        <source>The checkpoint does not record which parameters are in which group of the optimizer</source>
        <translation>Der Checkpoint enthält nicht, welche Parameter in welcher Gruppe des Optimizers sind</translation>
    </message>
    <message>
        <source>The checkpoint is already one of Megatron-core's dist_checkpointing</source>
        <translation>Der Checkpoint ist bereits einer von dist_checkpointing von Megatron-core</translation>
    </message>
    <message>
        <source>The checkpoint records no iteration</source>
        <translation>Der Checkpoint enthält keine Iteration</translation>
    </message>
    <message>
        <source>The checkpoint records no step of the optimizer</source>
        <translation>Der Checkpoint enthält keinen Schritt des Optimizers</translation>
    </message>
    <message>
        <source>The config ties the head to the embeddings, but they differ</source>
        <translation>Die Konfiguration koppelt den Kopf an die Embeddings, aber sie unterscheiden sich</translation>
    </message>
    <message>
        <source>The feed-forward layers have biases and the attention has none; Megatron-core has both or neither</source>
        <translation>Die Feed-Forward-Schichten haben Biases und die Attention hat keine; Megatron-core hat beide oder keine</translation>
    </message>
    <message>
        <source>The groups of the optimizer are not Megatron-core's usual ones</source>
        <translation>Die Gruppen des Optimizers sind nicht die üblichen von Megatron-core</translation>
    </message>
    <message>
        <source>The groups of the optimizer differ in a setting of which Megatron-core has one</source>
        <translation>Die Gruppen des Optimizers unterscheiden sich in einer Einstellung, von der Megatron-core eine hat</translation>
    </message>
    <message>
        <source>The master's shape does not match its parameter</source>
        <translation>Die Form des Masters passt nicht zu seinem Parameter</translation>
    </message>
    <message>
        <source>The names are not those of a model of Megatron-core</source>
        <translation>Die Namen sind nicht die eines Modells von Megatron-core</translation>
    </message>
    <message>
        <source>The optimizer's groups have no learning rate</source>
        <translation>Die Gruppen des Optimizers haben keine Lernrate</translation>
    </message>
    <message>
        <source>The order of the model's parameters is unknown</source>
        <translation>Die Reihenfolge der Parameter des Modells ist unbekannt</translation>
    </message>
    <message>
        <source>The steps of the optimizer's groups differ</source>
        <translation>Die Schritte der Gruppen des Optimizers unterscheiden sich</translation>
    </message>
    <message>
        <source>The training state of this model family cannot be converted from Megatron-core</source>
        <translation>Der Trainingszustand dieser Modellfamilie kann nicht von Megatron-core konvertiert werden</translation>
    </message>
    <message>
        <source>The training state of this model family cannot be converted to %1</source>
        <translation>Der Trainingszustand dieser Modellfamilie kann nicht zu %1 konvertiert werden</translation>
    </message>
    <message>
        <source>Their 16-bit copies are rounded from them</source>
        <translation>Ihre 16-Bit-Kopien sind aus ihnen gerundet</translation>
    </message>
    <message>
        <source>Use --for fsdp2, torchtitan, lightning-fsdp or megatron</source>
        <translation>--for fsdp2, torchtitan, lightning-fsdp oder megatron verwenden</translation>
    </message>
    <message>
        <source>The config contradicts the settings that the checkpoint records</source>
        <translation>Die Config widerspricht den Einstellungen, die der Checkpoint enthält</translation>
    </message>
    <message>
        <source>No optimizer trains all variables of %1, and it is not recorded which of those of one shape can be trained, which decides their order</source>
        <translation>Kein Optimierer trainiert alle Variablen von %1, und es ist nicht aufgezeichnet, welche von denen gleicher Form trainierbar sind, was ihre Reihenfolge bestimmt</translation>
    </message>
    <message>
        <source>weight decay as a part of the gradients</source>
        <translation>Weight Decay als Teil der Gradienten</translation>
    </message>
    <message>
        <source>Megatron-core's Adam decays the parameters themselves</source>
        <translation>Adam von Megatron-core wendet ihn auf die Parameter selbst an</translation>
    </message>
    <message>
        <source>the direction of the steps (maximize)</source>
        <translation>die Richtung der Schritte (maximize)</translation>
    </message>
    <message>
        <source>Megatron-core's Adam makes the loss smaller</source>
        <translation>Adam von Megatron-core verkleinert den Loss</translation>
    </message>
    <message>
        <source>the steps of an optimizer that is not Adam</source>
        <translation>die Schritte eines Optimierers, der nicht Adam ist</translation>
    </message>
    <message>
        <source>its groups have none of Adam's settings; Megatron-core continues with AdamW</source>
        <translation>seine Gruppen haben keine der Einstellungen von Adam; Megatron-core fährt mit AdamW fort</translation>
    </message>
    <message>
        <source>A parameter has two masters that differ</source>
        <translation>Ein Parameter hat zwei verschiedene Master</translation>
    </message>
    <message>
        <source>A master has no parameter of its name</source>
        <translation>Zu einem Master gibt es keinen Parameter dieses Namens</translation>
    </message>
    <message>
        <source>the size of the vocabulary before padding</source>
        <translation>die Größe des Vokabulars vor dem Auffüllen</translation>
    </message>
    <message>
        <source>the checkpoint does not record it, so that all rows are kept</source>
        <translation>der Checkpoint enthält sie nicht, daher bleiben alle Zeilen</translation>
    </message>
    <message>
        <source>%1 as %2</source>
        <translation>%1 wie %2</translation>
    </message>
    <message>
        <source>Tied embeddings, which Megatron-core stores once</source>
        <translation>Geteilte Embeddings, die Megatron-core nur einmal speichert</translation>
    </message>
    <message>
        <source>The checkpoint contains no head, and the config does not tie it to the embeddings</source>
        <translation>Der Checkpoint enthält keinen Kopf, und die Config verbindet ihn nicht mit den Embeddings</translation>
    </message>
    <message>
        <source>The head and the embeddings are one tensor with moments of both</source>
        <translation>Kopf und Embeddings sind ein Tensor, für den es Momente von beiden gibt</translation>
    </message>
    <message>
        <source>Megatron-core computes masks and positions itself</source>
        <translation>Megatron-core berechnet Masken und Positionen selbst</translation>
    </message>
    <message>
        <source>its variables are not numbered without a gap</source>
        <translation>seine Variablen sind nicht lückenlos nummeriert</translation>
    </message>
    <message>
        <source>moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>the file has none, as of an optimizer that was not built; only SGD without momentum needs none</source>
        <translation>die Datei hat keine, wie bei einem nicht aufgebauten Optimierer; nur SGD ohne Momentum braucht keine</translation>
    </message>
    <message>
        <source>checkpoint of --like</source>
        <translation>Checkpoint von --like</translation>
    </message>
    <message>
        <source>Not restored: %1; %2</source>
        <translation>Nicht wiederhergestellt: %1; %2</translation>
    </message>
    <message>
        <source>vLLM's tensors of all experts do not show the order of their rows; the gate first was assumed, and kernels that reorder them (FlashInfer, ROCm AITER, TensorRT-LLM) leave no trace</source>
        <translation>vLLMs Tensoren aller Experten zeigen die Reihenfolge ihrer Zeilen nicht; angenommen wurde das Gate zuerst, und Kernel, die sie umordnen (FlashInfer, ROCm AITER, TensorRT-LLM), hinterlassen keine Spur</translation>
    </message>
    <message>
        <source>%1 of heads that several ranks have could not be compared</source>
        <translation>%1 von Köpfen, die mehrere Ränge haben, nicht vergleichbar</translation>
    </message>
    <message>
        <source>%1 of those that vLLM fuses</source>
        <translation>%1 aus denen, die vLLM zusammenfasst</translation>
    </message>
    <message>
        <source>vLLM stores several layers in one tensor; their shapes are those of %1</source>
        <translation>vLLM speichert mehrere Schichten in einem Tensor; ihre Formen sind die von %1</translation>
    </message>
    <message>
        <source>%1 of heads that several ranks have were compared by samples only</source>
        <translation>%1 von Köpfen, die mehrere Ränge haben, nur in Stichproben verglichen</translation>
    </message>
    <message>
        <source>Compare what the written model answers with what the program that wrote the files answers</source>
        <translation>Vergleichen Sie die Antworten des geschriebenen Modells mit denen des Programms, das die Dateien schrieb</translation>
    </message>
    <message>
        <source>%1, if the numbers are right: %2</source>
        <translation>%1, falls die Zahlen stimmen: %2</translation>
    </message>
    <message>
        <source>The folder may not load: %1</source>
        <translation>Der Ordner lädt vielleicht nicht: %1</translation>
    </message>
    <message>
        <source>%1; these may be the names of an earlier release, which some loaders know</source>
        <translation>%1; es können Namen einer früheren Version sein, die manche Loader kennen</translation>
    </message>
    <message>
        <source>%1; whether they are parts of the config's quantised layout is unknown</source>
        <translation>%1; ob sie Teile des quantisierten Layouts der Config sind, ist unbekannt</translation>
    </message>
    <message>
        <source>The config's class does not have all of these tensors; whether they are parts of its quantised layout is unknown</source>
        <translation>Die Klasse der Config hat nicht alle diese Tensoren; ob sie Teile ihres quantisierten Layouts sind, ist unbekannt</translation>
    </message>
    <message>
        <source>The names are those of the original checkpoint, which only %1.from_single_file(FILE) of diffusers converts</source>
        <translation>Die Namen sind die des ursprünglichen Checkpoints, den nur %1.from_single_file(FILE) von diffusers umwandelt</translation>
    </message>
    <message>
        <source>The names are those of TensorFlow in transformers 4, which converts them: from_pretrained(FOLDER, from_tf=True)</source>
        <translation>Die Namen sind die von TensorFlow in transformers 4, das sie umwandelt: from_pretrained(FOLDER, from_tf=True)</translation>
    </message>
    <message>
        <source>`cairn-cli check` finds errors</source>
        <translation>`cairn-cli check` findet Fehler</translation>
    </message>
    <message>
        <source>%n tensor of the model</source>
        <translation>%n Tensor des Modells</translation>
    </message>
    <message>
        <source>%n tensors of the model</source>
        <translation>%n Tensoren des Modells</translation>
    </message>
    <message>
        <source>moments of %1 of %n parameter</source>
        <translation>Momente von %1 von %n Parameter</translation>
    </message>
    <message>
        <source>moments of %1 of %n parameters</source>
        <translation>Momente von %1 von %n Parametern</translation>
    </message>
    <message>
        <source>moments of all %n parameter of %1</source>
        <translation>Momente des einzigen Parameters (%n) von %1</translation>
    </message>
    <message>
        <source>moments of all %n parameters of %1</source>
        <translation>Momente aller %n Parameter von %1</translation>
    </message>
    <message>
        <source>moments of %1 of %n parameter: %2</source>
        <translation>Momente von %1 von %n Parameter: %2</translation>
    </message>
    <message>
        <source>moments of %1 of %n parameters: %2</source>
        <translation>Momente von %1 von %n Parametern: %2</translation>
    </message>
    <message>
        <source>%n parameter group</source>
        <translation>%n Parametergruppe</translation>
    </message>
    <message>
        <source>%n parameter groups</source>
        <translation>%n Parametergruppen</translation>
    </message>
    <message>
        <source>%n scheduler</source>
        <translation>%n Scheduler</translation>
    </message>
    <message>
        <source>%n schedulers</source>
        <translation>%n Scheduler</translation>
    </message>
    <message>
        <source>%n state of a parameter in no group: %1</source>
        <translation>%n Zustand eines Parameters ohne Gruppe: %1</translation>
    </message>
    <message>
        <source>%n states of parameters in no group: %1</source>
        <translation>%n Zustände von Parametern ohne Gruppe: %1</translation>
    </message>
    <message>
        <source>%n object, the first is %1 of class %2</source>
        <translation>%n Objekt: %1 der Klasse %2</translation>
    </message>
    <message>
        <source>%n objects, the first is %1 of class %2</source>
        <translation>%n Objekte, das erste ist %1 der Klasse %2</translation>
    </message>
    <message>
        <source>yes, with new random numbers</source>
        <translation>ja, mit neuen Zufallszahlen</translation>
    </message>
    <message>
        <source>yes, but not everything</source>
        <translation>ja, aber nicht alles</translation>
    </message>
    <message>
        <source>states of random generators</source>
        <translation>Zustände der Zufallsgeneratoren</translation>
    </message>
    <message>
        <source>dropout and shuffling use new random numbers</source>
        <translation>Dropout und Mischen verwenden neue Zufallszahlen</translation>
    </message>
    <message>
        <source>random numbers</source>
        <translation>Zufallszahlen</translation>
    </message>
    <message>
        <source>loss scaler</source>
        <translation>Loss-Scaler</translation>
    </message>
    <message>
        <source>with Orbax and Flax only</source>
        <translation>nur mit Orbax und Flax</translation>
    </message>
    <message>
        <source>step and epoch</source>
        <translation>Schritt und Epoche</translation>
    </message>
    <message>
        <source>a resumed run counts from 0</source>
        <translation>ein fortgesetzter Run zählt ab 0</translation>
    </message>
    <message>
        <source>no optimizer loads them</source>
        <translation>kein Optimizer lädt sie</translation>
    </message>
    <message>
        <source>the optimizer starts without them</source>
        <translation>der Optimizer beginnt ohne sie</translation>
    </message>
    <message>
        <source>frozen or not used so far; otherwise their moments are lost</source>
        <translation>eingefroren oder bisher unbenutzt; sonst sind ihre Momente verloren</translation>
    </message>
    <message>
        <source>written as a dict of its attributes</source>
        <translation>als Dict seiner Attribute geschrieben</translation>
    </message>
    <message>
        <source>if it is a model of GPT-2, Llama, Mistral or Qwen</source>
        <translation>wenn es ein Modell von GPT-2, Llama, Mistral oder Qwen ist</translation>
    </message>
    <message>
        <source>another trainer reads the data from the start of the epoch</source>
        <translation>ein anderer Trainer liest die Daten vom Anfang der Epoche an</translation>
    </message>
    <message>
        <source>the state of the scheduler</source>
        <translation>der Zustand des Schedulers</translation>
    </message>
    <message>
        <source>the groups have `initial_lr`, so one was used; it starts again</source>
        <translation>die Gruppen haben `initial_lr`, also gab es einen; er beginnt von vorn</translation>
    </message>
    <message>
        <source>fp32 masters of 16-bit parameters</source>
        <translation>fp32-Master von 16-Bit-Parametern</translation>
    </message>
    <message>
        <source>if the trainer kept any, training continues from rounded values</source>
        <translation>falls der Trainer welche hatte, geht das Training mit gerundeten Werten weiter</translation>
    </message>
    <message>
        <source>the values of %1 in the checkpoints may be of earlier ones: which rows of its log are theirs is undecided</source>
        <translation>die Werte von %1 in den Checkpoints können von früheren sein: welche Zeilen des Protokolls ihre sind, ist unentschieden</translation>
    </message>
    <message>
        <source>it contains a value of %1 that no row of the log confirms</source>
        <translation>er enthält einen Wert von %1, den keine Zeile des Protokolls bestätigt</translation>
    </message>
    <message>
        <source>one of the best %1 by the values of %2 in the checkpoints</source>
        <translation>einer der besten %1 nach den Werten von %2 in den Checkpoints</translation>
    </message>
    <message>
        <source>The optimizers in the folders of Megatron-LM's ranks do not record which parameter each moment is of</source>
        <translation>Die Optimierer in den Ordnern der Ränge von Megatron-LM verzeichnen nicht, zu welchem Parameter jedes Moment gehört</translation>
    </message>
    <message>
        <source>A command whose paths are all on one host runs there: `cairn-cli consolidate host:/in -o host:/out`</source>
        <translation>Ein Befehl, dessen Pfade alle auf einem Rechner liegen, läuft dort: `cairn-cli consolidate host:/in -o host:/out`</translation>
    </message>
</context>
<context>
    <name>cairn::ui::AbilitiesPane</name>
    <message>
        <source>Serve</source>
        <translation>Bereitstellen</translation>
    </message>
    <message>
        <source>Resume as it was</source>
        <translation>Fortsetzen wie bisher</translation>
    </message>
    <message>
        <source>Resume elsewhere</source>
        <translation>Anderswo fortsetzen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>without %1: %2</source>
        <translation>ohne %1: %2</translation>
    </message>
    <message>
        <source>What it can do</source>
        <translation>Was er kann</translation>
    </message>
    <message>
        <source>Deploy…</source>
        <translation>Deployen…</translation>
    </message>
    <message>
        <source>Continue Training…</source>
        <translation>Training fortsetzen…</translation>
    </message>
</context>
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
    <name>cairn::ui::Accessible</name>
    <message>
        <source>Sorted by %1, descending</source>
        <translation>Sortiert nach %1, absteigend</translation>
    </message>
    <message>
        <source>Sorted by %1, ascending</source>
        <translation>Sortiert nach %1, aufsteigend</translation>
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
        <source>&amp;Clear Recent Folders</source>
        <translation>Zuletzt geöffnete Ordner &amp;vergessen</translation>
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
        <source>Save &amp;Report…</source>
        <translation>Berich&amp;t speichern…</translation>
    </message>
    <message>
        <source>Write the comparison, the table of runs, or the health of the checkpoint, as one HTML file or as Markdown</source>
        <translation>Den Vergleich, die Tabelle der Runs oder den Zustand des Checkpoints als eine HTML-Datei oder als Markdown schreiben</translation>
    </message>
    <message>
        <source>Copy Report as Mar&amp;kdown</source>
        <translation>Bericht als &amp;Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy the comparison, the table of runs, or the health of the checkpoint, for a pull request</source>
        <translation>Den Vergleich, die Tabelle der Runs oder den Zustand des Checkpoints kopieren, für einen Pull-Request</translation>
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
        <translation>&amp;Konvertieren…</translation>
    </message>
    <message>
        <source>Write all tensors and values in a different format</source>
        <translation>Alle Tensoren und Werte in einem anderen Format schreiben</translation>
    </message>
    <message>
        <source>&amp;Reshard…</source>
        <translation>Neu auf&amp;teilen…</translation>
    </message>
    <message>
        <source>Write the checkpoint for another number of ranks</source>
        <translation>Den Checkpoint für eine andere Anzahl von Ranks schreiben</translation>
    </message>
    <message>
        <source>Continue &amp;Training…</source>
        <translation>&amp;Training fortsetzen…</translation>
    </message>
    <message>
        <source>Write the complete training state for another trainer or number of ranks, and copy the lines that resume there</source>
        <translation>Den vollständigen Trainingszustand für einen anderen Trainer oder eine andere Anzahl von Ranks schreiben, und die Zeilen kopieren, die dort fortsetzen</translation>
    </message>
    <message>
        <source>Run &amp;On…</source>
        <translation>Ausführen au&amp;f…</translation>
    </message>
    <message>
        <source>Run the planned job as an array on a cluster's scheduler, with the command shown</source>
        <translation>Den geplanten Job als Array auf dem Scheduler eines Clusters ausführen; der Befehl wird gezeigt</translation>
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
        <translation>Pa&amp;cken…</translation>
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
        <source>Move to &amp;Wastebasket…</source>
        <translation>In den Papi&amp;erkorb…</translation>
    </message>
    <message>
        <source>Move the selected checkpoints to the wastebasket, after a question</source>
        <translation>Die ausgewählten Checkpoints nach einer Rückfrage in den Papierkorb verschieben</translation>
    </message>
    <message>
        <source>P&amp;in</source>
        <translation>Anhe&amp;ften</translation>
    </message>
    <message>
        <source>Pin the selected checkpoints: no plan removes them</source>
        <translation>Die ausgewählten Checkpoints anheften: Kein Plan entfernt sie</translation>
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
        <source>&amp;Preferences…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Theme, fonts, units, cache and shortcuts</source>
        <translation>Farben, Schriften, Einheiten, Cache und Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Open the manual at the current page</source>
        <translation>Das Handbuch bei der aktuellen Seite öffnen</translation>
    </message>
    <message>
        <source>&amp;Report a Problem…</source>
        <translation>&amp;Problem melden…</translation>
    </message>
    <message>
        <source>Show a text about versions and errors, to send it yourself</source>
        <translation>Einen Text über Versionen und Fehler zeigen, zum Selbstversenden</translation>
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
        <source>merge convert export join gather save serve deploy gguf llama.cpp ollama vllm lora adapter fold sign signature quantize</source>
        <translation>zusammenführen umwandeln exportieren verbinden sammeln speichern bereitstellen deploy gguf llama.cpp ollama vllm lora adapter falten signieren unterschrift quantisieren</translation>
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
        <source>resume trainer optimizer fsdp lightning accelerate deepspeed</source>
        <translation>fortsetzen trainer optimierer optimizer fsdp lightning accelerate deepspeed</translation>
    </message>
    <message>
        <source>slurm kubernetes cluster array submit sbatch remote</source>
        <translation>slurm kubernetes cluster array abschicken sbatch entfernt</translation>
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
        <source>delete remove trash clean space</source>
        <translation>löschen entfernen müll aufräumen platz</translation>
    </message>
    <message>
        <source>keep protect retain unpin</source>
        <translation>behalten schützen aufbewahren lösen</translation>
    </message>
    <message>
        <source>load directory experiment</source>
        <translation>laden verzeichnis experiment load directory</translation>
    </message>
    <message>
        <source>share export html svg markdown publish</source>
        <translation>teilen exportieren html svg markdown veröffentlichen</translation>
    </message>
    <message>
        <source>share pull request github</source>
        <translation>teilen pull request github</translation>
    </message>
    <message>
        <source>remote ssh host server cluster url s3 hugging face</source>
        <translation>entfernt remote ssh rechner server cluster url s3 hugging face</translation>
    </message>
    <message>
        <source>compare changes difference</source>
        <translation>vergleichen änderungen unterschied</translation>
    </message>
    <message>
        <source>settings options configuration</source>
        <translation>einstellungen optionen konfiguration settings preferences</translation>
    </message>
    <message>
        <source>help documentation guide</source>
        <translation>hilfe dokumentation anleitung help manual</translation>
    </message>
    <message>
        <source>bug issue feedback support</source>
        <translation>fehler bug issue feedback report</translation>
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
    <message>
        <source>%1 Page</source>
        <translation>Seite %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::AdapterRows</name>
    <message>
        <source>%1 for %2</source>
        <translation>%1 für %2</translation>
    </message>
    <message>
        <source>Fold in adapter %1</source>
        <translation>Adapter %1 einrechnen</translation>
    </message>
    <message>
        <source>scale </source>
        <translation>Faktor </translation>
    </message>
    <message>
        <source>Scale of the adapter %1</source>
        <translation>Faktor des Adapters %1</translation>
    </message>
    <message>
        <source>Multiplies the adapter's changes, in addition to its own scale</source>
        <translation>Multipliziert die Änderungen des Adapters, zusätzlich zu seinem eigenen Faktor</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln More Adapters</source>
        <translation>
            <numerusform>%Ln weiteren Adapter anzeigen</numerusform>
            <numerusform>%Ln weitere Adapter anzeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::ArrayList</name>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 und %Ln weitere</numerusform>
            <numerusform>%1 und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2: %3</source>
        <translation>%1 %2: %3</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 laufen</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 warten</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 cancelled</source>
        <translation>%1 abgebrochen</translation>
    </message>
    <message>
        <source>%1 unknown</source>
        <translation>%1 unbekannt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln outputs published</source>
        <translation>
            <numerusform>%1 von %Ln Ausgabe veröffentlicht</numerusform>
            <numerusform>%1 von %Ln Ausgaben veröffentlicht</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>task %1</source>
        <translation>Task %1</translation>
    </message>
    <message>
        <source>last step</source>
        <translation>letzter Schritt</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Arrays on schedulers</source>
        <translation>Arrays auf Schedulern</translation>
    </message>
    <message>
        <source>On schedulers</source>
        <translation>Auf Schedulern</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln tasks done</source>
        <translation>
            <numerusform>%1 von %Ln Task fertig</numerusform>
            <numerusform>%1 von %Ln Tasks fertig</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel Array</source>
        <translation>Array abbrechen</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Copy Command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
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
    <name>cairn::ui::BestDistances</name>
    <message>
        <source>Weight distance to %1</source>
        <translation>Gewichtsabstand zu %1</translation>
    </message>
    <message>
        <source>Compare the tensors of %1 and %2</source>
        <translation>Die Tensoren von %1 und %2 vergleichen</translation>
    </message>
    <message>
        <source>|B − A| / |A| over the weights: %1 of %2 tensors changed</source>
        <translation>|B − A| / |A| über die Gewichte: %1 von %2 Tensoren geändert</translation>
    </message>
    <message>
        <source>%1 to read</source>
        <translation>%1 zu lesen</translation>
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
        <source>Logarithmic Y Axis</source>
        <translation>Logarithmische Y-Achse</translation>
    </message>
    <message>
        <source>Show values on a logarithmic scale</source>
        <translation>Werte logarithmisch auftragen</translation>
    </message>
    <message>
        <source>Show everything again</source>
        <translation>Alles wieder anzeigen</translation>
    </message>
    <message>
        <source>Smoothing as a number</source>
        <translation>Glättung als Zahl</translation>
    </message>
    <message>
        <source>Exponential moving average with bias correction, as in TensorBoard: each point keeps this fraction of the previous average. The raw curve is drawn faintly under it. Curves with fewer than %1 points are not smoothed.</source>
        <translation>Exponentieller gleitender Mittelwert mit Bias-Korrektur, wie in TensorBoard: Jeder Punkt behält diesen Anteil des vorherigen Mittelwerts. Die rohe Kurve liegt blass darunter. Kurven mit weniger als %1 Punkten werden nicht geglättet.</translation>
    </message>
    <message>
        <source>%1–%2</source>
        <comment>zoomed range</comment>
        <translation>%1–%2</translation>
    </message>
    <message>
        <source>zoomed</source>
        <translation>vergrößert</translation>
    </message>
    <message>
        <source>Zoomed to %1; show everything</source>
        <translation>Vergrößert auf %1; alles anzeigen</translation>
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
    <name>cairn::ui::ChartGrid</name>
    <message>
        <source>Single values</source>
        <translation>Einzelne Werte</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln charts</source>
        <translation>
            <numerusform>%1 von %Ln Diagramm</numerusform>
            <numerusform>%1 von %Ln Diagrammen</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy Image</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Logarithmic Y Axis</source>
        <translation>Logarithmische y-Achse</translation>
    </message>
    <message>
        <source>Fit All</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Show All Charts</source>
        <translation>Alle Diagramme zeigen</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln Hidden Charts</source>
        <translation>
            <numerusform>%Ln ausgeblendetes Diagramm zeigen</numerusform>
            <numerusform>%Ln ausgeblendete Diagramme zeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::CheckpointKeeping</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2; lost: %3</source>
        <translation>%1: %2; verloren: %3</translation>
    </message>
    <message>
        <source>%1 is not moved: %2</source>
        <translation>%1 wird nicht verschoben: %2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Examining the selected checkpoints…</source>
        <translation>Ausgewählte Checkpoints werden untersucht…</translation>
    </message>
    <message>
        <source>The selected checkpoints cannot be moved</source>
        <translation>Die ausgewählten Checkpoints können nicht verschoben werden</translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln checkpoints (%1) to the wastebasket?</source>
        <translation>
            <numerusform>%Ln Checkpoint (%1) in den Papierkorb verschieben?</numerusform>
            <numerusform>%Ln Checkpoints (%1) in den Papierkorb verschieben?</numerusform>
        </translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message numerus="yes">
        <source>%Ln checkpoints pinned; no plan removes them</source>
        <translation>
            <numerusform>%Ln Checkpoint angeheftet; kein Plan entfernt ihn</numerusform>
            <numerusform>%Ln Checkpoints angeheftet; kein Plan entfernt sie</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Removed the pins of %Ln checkpoints</source>
        <translation>
            <numerusform>%Ln Checkpoint ist nicht mehr angeheftet</numerusform>
            <numerusform>%Ln Checkpoints sind nicht mehr angeheftet</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove P&amp;in</source>
        <translation>Nicht mehr an&amp;heften</translation>
    </message>
    <message>
        <source>P&amp;in</source>
        <translation>Anhe&amp;ften</translation>
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
        <source>Will it load?</source>
        <translation>Lädt es?</translation>
    </message>
    <message>
        <source>Checking the values, %1 %</source>
        <translation>Werte werden geprüft, %1 %</translation>
    </message>
    <message numerus="yes">
        <source>No NaN or Inf in %Ln tensors of base and adapter</source>
        <translation>
            <numerusform>Kein NaN oder Inf in %Ln Tensor von Basis und Adapter</numerusform>
            <numerusform>Kein NaN oder Inf in %Ln Tensoren von Basis und Adapter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No NaN or Inf in %Ln tensors</source>
        <translation>
            <numerusform>Kein NaN oder Inf in %Ln Tensor</numerusform>
            <numerusform>Kein NaN oder Inf in %Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Values of base and adapter not checked yet</source>
        <translation>Werte von Basis und Adapter noch nicht geprüft</translation>
    </message>
    <message>
        <source>Values not checked yet</source>
        <translation>Werte noch nicht geprüft</translation>
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
    <message>
        <source>Check Values</source>
        <translation>Werte prüfen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
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
    <name>cairn::ui::ChoiceBar</name>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging-Face-Ordner</translation>
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
    <message>
        <source>≤ %1 per file</source>
        <translation>≤ %1 je Datei</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rank</numerusform>
            <numerusform>%Ln Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>One file per layer</source>
        <translation>Eine Datei je Layer</translation>
    </message>
    <message>
        <source>One file</source>
        <translation>Eine Datei</translation>
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
        <source>Dtype, names, tensors, roles, ranks, signing</source>
        <translation>Dtype, Namen, Tensoren, Rollen, Ranks, Signatur</translation>
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
        <source>≤ %1 GB per file</source>
        <translation>≤ %1 GB je Datei</translation>
    </message>
    <message>
        <source>Other size…</source>
        <translation>Andere Größe…</translation>
    </message>
    <message>
        <source>As .safetensors; tensors outside any layer share one file</source>
        <translation>Als .safetensors; Tensoren außerhalb der Layer teilen sich eine Datei</translation>
    </message>
    <message>
        <source>Maximum Size of a File</source>
        <translation>Höchstgröße einer Datei</translation>
    </message>
    <message>
        <source>In GB:</source>
        <translation>In GB:</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ChoiceButton</name>
    <message>
        <source>Other…</source>
        <translation>Anderer Wert…</translation>
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
    <name>cairn::ui::CloseGuard</name>
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
    <name>cairn::ui::CompareHeader</name>
    <message>
        <source>Show All Metrics</source>
        <translation>Alle Metriken anzeigen</translation>
    </message>
    <message numerus="yes">
        <source>No metric matches the filter; %Ln metrics are hidden</source>
        <translation>
            <numerusform>Keine Metrik passt zum Filter; %Ln Metrik ist ausgeblendet</numerusform>
            <numerusform>Keine Metrik passt zum Filter; %Ln Metriken sind ausgeblendet</numerusform>
        </translation>
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
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Mitlesen</translation>
    </message>
    <message>
        <source>Exchange A and B</source>
        <translation>A und B vertauschen</translation>
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
        <source>Neither run recorded its settings.</source>
        <translation>Keiner der Runs hat seine Einstellungen aufgezeichnet.</translation>
    </message>
    <message>
        <source>Settings of one run only: %1.</source>
        <translation>Einstellungen nur eines Runs: %1.</translation>
    </message>
    <message>
        <source>Only names and paths differ (%1 settings compared).</source>
        <translation>Nur Namen und Pfade weichen ab (%1 Einstellungen verglichen).</translation>
    </message>
    <message>
        <source>No setting differs (%1 compared).</source>
        <translation>Keine Einstellung weicht ab (%1 verglichen).</translation>
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
        <source>The curves of %1 have no %2 in common.</source>
        <translation>Die Kurven von %1 haben keine gemeinsame Stelle (%2).</translation>
    </message>
    <message numerus="yes">
        <source>The curves of %1 are equal at all %Ln common points.</source>
        <translation>
            <numerusform>Die Kurven von %1 sind am %Ln gemeinsamen Punkt gleich.</numerusform>
            <numerusform>Die Kurven von %1 sind an allen %Ln gemeinsamen Punkten gleich.</numerusform>
        </translation>
    </message>
    <message>
        <source>The curves of %1 are equal up to %2.</source>
        <translation>Die Kurven von %1 sind bis %2 gleich.</translation>
    </message>
    <message>
        <source>The curves of %1 differ from the first common point, %2.</source>
        <translation>Die Kurven von %1 weichen ab dem ersten gemeinsamen Punkt ab, %2.</translation>
    </message>
    <message>
        <source>They diverge by more than %1 % from %2.</source>
        <translation>Ab %2 weichen sie um mehr als %1 % ab.</translation>
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
        <source>Deploy</source>
        <translation>Deployen</translation>
    </message>
    <message>
        <source>Jobs and plan</source>
        <translation>Jobs und Plan</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Deploy</source>
        <comment>the page</comment>
        <translation>Deployment</translation>
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
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Consolidate for Deployment</source>
        <translation>Für Deployment konsolidieren</translation>
    </message>
    <message>
        <source>Deploy %1</source>
        <translation>%1 deployen</translation>
    </message>
    <message>
        <source>Check Failed</source>
        <translation>Prüfung fehlgeschlagen</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>Mitteln</translation>
    </message>
    <message>
        <source>Write Training State</source>
        <translation>Trainingszustand schreiben</translation>
    </message>
    <message>
        <source>Deploy Anyway</source>
        <translation>Trotzdem deployen</translation>
    </message>
    <message>
        <source>Deploy Again</source>
        <translation>Nochmals deployen</translation>
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
        <source>Resume There</source>
        <translation>Dort fortsetzen</translation>
    </message>
    <message>
        <source>Serve It</source>
        <translation>Bereitstellen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ContentsCard</name>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>mostly %1</source>
        <translation>überwiegend %1</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ContinueCard</name>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>moments of %1 of %2 parameters</source>
        <translation>Momente von %1 von %2 Parametern</translation>
    </message>
    <message numerus="yes">
        <source>%Ln parameter groups</source>
        <translation>
            <numerusform>%Ln Parametergruppe</numerusform>
            <numerusform>%Ln Parametergruppen</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Continue training</source>
        <translation>Training fortsetzen</translation>
    </message>
    <message>
        <source>Trainer that continues</source>
        <translation>Trainer, der fortsetzt</translation>
    </message>
    <message>
        <source>Only if it continues exactly</source>
        <translation>Nur wenn es exakt weitergeht</translation>
    </message>
    <message>
        <source>trainer</source>
        <translation>Trainer</translation>
    </message>
    <message>
        <source>world</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>takes along</source>
        <translation>kommt mit</translation>
    </message>
    <message>
        <source>cannot</source>
        <translation>kommt nicht mit</translation>
    </message>
    <message>
        <source>after writing, every byte is compared with the source</source>
        <translation>nach dem Schreiben wird jedes Byte mit der Quelle verglichen</translation>
    </message>
    <message>
        <source>proof</source>
        <translation>Nachweis</translation>
    </message>
    <message>
        <source>Nothing is written if something is lost but random numbers and the order of the data</source>
        <translation>Es wird nichts geschrieben, wenn mehr verloren geht als Zufallszahlen und die Reihenfolge der Daten</translation>
    </message>
    <message>
        <source>Only by force: %1</source>
        <translation>Nur erzwungen: %1</translation>
    </message>
    <message numerus="yes">
        <source>was %Ln ranks</source>
        <translation>
            <numerusform>war %Ln Rank</numerusform>
            <numerusform>waren %Ln Ranks</numerusform>
        </translation>
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
        <source>Sources of the curves</source>
        <translation>Quellen der Kurven</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Show all charts (Esc)</source>
        <translation>Alle Diagramme zeigen (Esc)</translation>
    </message>
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
        <source>Left and Right move from point to point, Up and Down from curve to curve, T moves to the next checkpoint, Enter selects it, Plus and Minus zoom, Ctrl with the arrow keys pans, 0 fits all, E enlarges, I shows the sources</source>
        <translation>Links und Rechts gehen von Punkt zu Punkt, Auf und Ab von Kurve zu Kurve, T geht zum nächsten Checkpoint, die Eingabetaste wählt ihn aus, Plus und Minus zoomen, Strg mit den Pfeiltasten verschiebt, 0 passt alles ein, E vergrößert, I zeigt die Quellen</translation>
    </message>
    <message>
        <source>Points of %1</source>
        <translation>Punkte von %1</translation>
    </message>
    <message>
        <source>last values</source>
        <translation>letzte Werte</translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation>geglättet %1</translation>
    </message>
    <message>
        <source>positions on the axis are interpolated</source>
        <translation>Positionen auf der Achse sind interpoliert</translation>
    </message>
    <message>
        <source>steps restart too often; the points were sorted by step</source>
        <translation>Schritte beginnen zu oft neu; die Punkte wurden nach Schritt sortiert</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more curves</source>
        <translation>
            <numerusform>und %Ln weitere Kurve</numerusform>
            <numerusform>und %Ln weitere Kurven</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag to zoom into a range, double-click to enlarge; after a click, scroll to zoom</source>
        <translation>Ziehen zoomt in einen Bereich, ein Doppelklick vergrößert; nach einem Klick zoomt das Mausrad</translation>
    </message>
</context>
<context>
    <name>cairn::ui::CurveList</name>
    <message numerus="yes">
        <source>%Ln more</source>
        <translation>
            <numerusform>%Ln weitere</numerusform>
            <numerusform>%Ln weitere</numerusform>
        </translation>
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
    <name>cairn::ui::CurveValues</name>
    <message>
        <source>%1 at %2</source>
        <comment>a value and its step</comment>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>last</source>
        <translation>letzter</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>NaN or infinite</source>
        <translation>NaN oder unendlich</translation>
    </message>
    <message>
        <source>The run has no curves.</source>
        <translation>Der Run hat keine Kurven.</translation>
    </message>
    <message>
        <source>curve values</source>
        <translation>Kurvenwerte</translation>
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
        <source>%1: %2</source>
        <translation>%1: %2</translation>
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
        <source>Fold %1 into %2</source>
        <translation>%1 in %2 einrechnen</translation>
    </message>
    <message>
        <source>Convert %1 for %2</source>
        <translation>%1 für %2 umwandeln</translation>
    </message>
    <message>
        <source>Reshard %1</source>
        <translation>%1 neu aufteilen</translation>
    </message>
    <message>
        <source>Consolidate %1</source>
        <translation>%1 konsolidieren</translation>
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
    <name>cairn::ui::DiffActions</name>
    <message>
        <source>This run has no earlier complete checkpoint</source>
        <translation>Dieser Run hat keinen früheren vollständigen Checkpoint</translation>
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
        <source>Details of the difference</source>
        <translation>Einzelheiten des Unterschieds</translation>
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
    <message numerus="yes">
        <source>%Ln tensors renamed</source>
        <translation>
            <numerusform>%Ln Tensor umbenannt</numerusform>
            <numerusform>%Ln Tensoren umbenannt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln plain values differ</source>
        <translation>
            <numerusform>%Ln einfacher Wert ist verschieden</numerusform>
            <numerusform>%Ln einfache Werte sind verschieden</numerusform>
        </translation>
    </message>
    <message>
        <source>not compared: %1</source>
        <translation>nicht verglichen: %1</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Compare with another checkpoint</source>
        <translation>Mit einem anderen Checkpoint vergleichen</translation>
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
    <name>cairn::ui::DifferenceMap</name>
    <message>
        <source>Map of the differences</source>
        <translation>Karte der Unterschiede</translation>
    </message>
    <message>
        <source>%1: only in A</source>
        <translation>%1: nur in A</translation>
    </message>
    <message>
        <source>%1: only in B</source>
        <translation>%1: nur in B</translation>
    </message>
    <message>
        <source>%1: relative change %2</source>
        <translation>%1: relative Änderung %2</translation>
    </message>
    <message>
        <source>%1: equal</source>
        <translation>%1: gleich</translation>
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
    <name>cairn::ui::FactsPane</name>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FieldControl</name>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>as stored</source>
        <translation>wie gespeichert</translation>
    </message>
    <message>
        <source>the model's own code</source>
        <translation>eigener Code des Modells</translation>
    </message>
    <message>
        <source>Write despite doubts</source>
        <translation>Trotz Zweifeln schreiben</translation>
    </message>
    <message>
        <source>Parts of different saves, shards that could not be merged, a bundle that its library would not load. An existing file is never replaced</source>
        <translation>Teile verschiedener Speicherstände, Shards, die sich nicht zusammenführen ließen, ein Ordner, den seine Bibliothek nicht laden würde. Eine vorhandene Datei wird nie ersetzt</translation>
    </message>
    <message>
        <source>Only if known to load</source>
        <translation>Nur wenn sicher ladbar</translation>
    </message>
    <message>
        <source>The tensors must be those of the class that config.json names</source>
        <translation>Die Tensoren müssen die der Klasse sein, die config.json nennt</translation>
    </message>
    <message>
        <source>Round the changes of adapters</source>
        <translation>Änderungen der Adapter runden</translation>
    </message>
    <message>
        <source>To the dtype of the weights before they are added, as PEFT's safe_merge</source>
        <translation>Auf den Dtype der Gewichte, bevor sie addiert werden, wie safe_merge von PEFT</translation>
    </message>
    <message>
        <source>named as in</source>
        <translation>benannt wie in</translation>
    </message>
    <message>
        <source>Names and layout of the weights; automatic: Hugging Face for its folder, llama.cpp for GGUF, otherwise as stored</source>
        <translation>Namen und Anordnung der Gewichte; automatisch: Hugging Face für dessen Ordner, llama.cpp für GGUF, sonst wie gespeichert</translation>
    </message>
    <message>
        <source>model family</source>
        <translation>Modellfamilie</translation>
    </message>
    <message>
        <source>For the names, if no config.json states it</source>
        <translation>Für die Namen, wenn keine config.json sie angibt</translation>
    </message>
    <message>
        <source>as config.json states; or llama, qwen3</source>
        <translation>wie in config.json; oder llama, qwen3</translation>
    </message>
    <message>
        <source>sign with</source>
        <translation>signieren mit</translation>
    </message>
    <message>
        <source>A private key: P-256, P-384 or P-521 as PEM; writes model.sig</source>
        <translation>Ein privater Schlüssel: P-256, P-384 oder P-521 als PEM; schreibt model.sig</translation>
    </message>
    <message>
        <source>private key; empty: not signed</source>
        <translation>privater Schlüssel; leer: nicht signiert</translation>
    </message>
    <message>
        <source>certificate</source>
        <translation>Zertifikat</translation>
    </message>
    <message>
        <source>A PEM file with the certificate of the key and its issuers</source>
        <translation>Eine PEM-Datei mit dem Zertifikat des Schlüssels und dessen Ausstellern</translation>
    </message>
    <message>
        <source>of the private key, with its issuers</source>
        <translation>des privaten Schlüssels, mit dessen Ausstellern</translation>
    </message>
    <message>
        <source>Provenance</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Writes provenance.json (SLSA v1) with the SHA-256 of every source file; reads the source again</source>
        <translation>Schreibt provenance.json (SLSA v1) mit dem SHA-256 jeder Quelldatei; liest die Quelle noch einmal</translation>
    </message>
    <message>
        <source>Bill of materials</source>
        <translation>Stückliste</translation>
    </message>
    <message>
        <source>Writes bom.cdx.json: the parts of the model (CycloneDX 1.6)</source>
        <translation>Schreibt bom.cdx.json: die Bestandteile des Modells (CycloneDX 1.6)</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
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
        <translation>Histogramm · %1 % über %2 Std.-Abw.</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FileManager</name>
    <message>
        <source>This computer has no file manager that Cairn can open</source>
        <translation>Dieser Rechner hat keine Dateiverwaltung, die Cairn öffnen kann</translation>
    </message>
    <message>
        <source>Copy Path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Path copied to the clipboard</source>
        <translation>Pfad in die Zwischenablage kopiert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FilterControl</name>
    <message>
        <source>Filter tensors…</source>
        <translation>Tensoren filtern…</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FilterField</name>
    <message>
        <source>Filter runs: lr &lt; 1e-3 and optimizer == adamw</source>
        <translation>Runs filtern: lr &lt; 1e-3 and optimizer == adamw</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Runs filtern</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FoldAnswer</name>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>within rounding</source>
        <translation>bis auf Rundung</translation>
    </message>
    <message>
        <source>not applied</source>
        <translation>nicht angewendet</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>skaliert</translation>
    </message>
    <message>
        <source>not explained</source>
        <translation>nicht erklärt</translation>
    </message>
    <message>
        <source>changed without an adapter</source>
        <translation>ohne einen Adapter geändert</translation>
    </message>
    <message>
        <source>other shape</source>
        <translation>andere Form</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugekommen</translation>
    </message>
    <message>
        <source>unread</source>
        <translation>nicht gelesen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 with adapter weights</source>
        <translation>%1 mit Gewichten eines Adapters</translation>
    </message>
    <message>
        <source>First: %1, %2</source>
        <translation>Als Erstes: %1, %2</translation>
    </message>
    <message numerus="yes">
        <source>factor %1, %Ln elements outside</source>
        <translation>
            <numerusform>Faktor %1, %Ln Element außerhalb</numerusform>
            <numerusform>Faktor %1, %Ln Elemente außerhalb</numerusform>
        </translation>
    </message>
    <message>
        <source>Explain by Adapter</source>
        <translation>Durch Adapter erklären</translation>
    </message>
    <message>
        <source>Check whether B is A with an adapter folded in</source>
        <translation>Prüfen, ob B dasselbe ist wie A mit eingerechnetem Adapter</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>After %1</source>
        <translation>Nach %1</translation>
    </message>
    <message>
        <source>Scale of %1…</source>
        <translation>Faktor von %1…</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Multiplies the changes of %1, in addition to its own scale:</source>
        <translation>Multipliziert die Änderungen von %1, zusätzlich zum eigenen Faktor:</translation>
    </message>
    <message>
        <source>Choose Adapter…</source>
        <translation>Adapter wählen…</translation>
    </message>
    <message>
        <source>Choose Adapter</source>
        <translation>Adapter wählen</translation>
    </message>
    <message>
        <source>Folding %1 and comparing: %2 of %3</source>
        <translation>%1 einrechnen und vergleichen: %2 von %3</translation>
    </message>
    <message numerus="yes">
        <source>A is B with the adapters %1 folded in</source>
        <translation>
            <numerusform>A ist B mit eingerechnetem Adapter %1</numerusform>
            <numerusform>A ist B mit eingerechneten Adaptern %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>B is A with the adapters %1 folded in</source>
        <translation>
            <numerusform>B ist A mit eingerechnetem Adapter %1</numerusform>
            <numerusform>B ist A mit eingerechneten Adaptern %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A is not B with the adapters %1 folded in</source>
        <translation>
            <numerusform>A ist nicht B mit eingerechnetem Adapter %1</numerusform>
            <numerusform>A ist nicht B mit eingerechneten Adaptern %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>B is not A with the adapters %1 folded in</source>
        <translation>
            <numerusform>B ist nicht A mit eingerechnetem Adapter %1</numerusform>
            <numerusform>B ist nicht A mit eingerechneten Adaptern %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Show Tensor</source>
        <translation>Tensor zeigen</translation>
    </message>
    <message>
        <source>Take A as the Base</source>
        <translation>A als Basis nehmen</translation>
    </message>
    <message>
        <source>Take B as the Base</source>
        <translation>B als Basis nehmen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FolderOpener</name>
    <message>
        <source>Select a checkpoint on the left</source>
        <translation>Links einen Checkpoint auswählen</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open Files</source>
        <translation>Dateien öffnen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::FormatWords</name>
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
        <source>For llama.cpp: its names, with config and tokenizer inside</source>
        <translation>Für llama.cpp: mit dessen Namen, Config und Tokenizer darin</translation>
    </message>
    <message>
        <source>A TensorFlow checkpoint: index and data in a folder, loaded by names or restored into objects</source>
        <translation>Ein TensorFlow-Checkpoint: Index und Daten in einem Ordner, über Namen geladen oder in Objekte zurückgeladen</translation>
    </message>
    <message>
        <source>One .weights.h5 file for load_weights() of Keras 3</source>
        <translation>Eine .weights.h5-Datei für load_weights() von Keras 3</translation>
    </message>
    <message>
        <source>One archive of arrays for numpy.load()</source>
        <translation>Ein Archiv von Arrays für numpy.load()</translation>
    </message>
    <message>
        <source>A folder of arrays for Orbax (JAX)</source>
        <translation>Ein Ordner mit Arrays für Orbax (JAX)</translation>
    </message>
    <message>
        <source>One MessagePack file for Flax (JAX)</source>
        <translation>Eine MessagePack-Datei für Flax (JAX)</translation>
    </message>
    <message>
        <source>Weights, config and tokenizer as expected by from_pretrained()</source>
        <translation>Gewichte, Konfiguration und Tokenizer, wie from_pretrained() sie erwartet</translation>
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
    <message>
        <source>Change %1 in %2?</source>
        <translation>%1 in %2 ändern?</translation>
    </message>
    <message>
        <source>The file itself is changed. Edit &gt; Undo restores the header.</source>
        <translation>Die Datei selbst wird geändert. Bearbeiten &gt; Rückgängig stellt den Header wieder her.</translation>
    </message>
    <message>
        <source>The file itself is changed, and Undo cannot write these names back: keep the old header.</source>
        <translation>Die Datei selbst wird geändert, und Rückgängig kann diese Namen nicht zurückschreiben: den alten Header behalten.</translation>
    </message>
    <message>
        <source>Write to File</source>
        <translation>In Datei schreiben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::HeaderEditing</name>
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
        <source>Edit of %1</source>
        <translation>Bearbeitung von %1</translation>
    </message>
    <message>
        <source>The header has its old names and entries again</source>
        <translation>Der Header hat wieder seine alten Namen und Einträge</translation>
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
        <source>recorded in the checkpoints</source>
        <translation>in den Checkpoints festgehalten</translation>
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
        <source>%1, by its name</source>
        <translation>%1, laut Namen</translation>
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
        <source>role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>%1, by its name</source>
        <translation>%1, laut Namen</translation>
    </message>
    <message>
        <source>Only the name of the tensor shows its role</source>
        <translation>Nur der Name des Tensors zeigt seine Rolle</translation>
    </message>
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
    <message numerus="yes">
        <source>%Ln tensors</source>
        <translation>
            <numerusform>%Ln Tensor</numerusform>
            <numerusform>%Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>selected</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
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
    <name>cairn::ui::JobActions</name>
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
    <name>cairn::ui::JobController</name>
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
    <name>cairn::ui::JobNotices</name>
    <message>
        <source>started</source>
        <translation>begonnen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Finished in %1</source>
        <translation>Fertig in %1</translation>
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
    <name>cairn::ui::JobResults</name>
    <message>
        <source>Moved to the wastebasket: %1</source>
        <translation>In den Papierkorb verschoben: %1</translation>
    </message>
    <message numerus="yes">
        <source>Move of %Ln Checkpoints</source>
        <translation>
            <numerusform>Verschieben von %Ln Checkpoint</numerusform>
            <numerusform>Verschieben von %Ln Checkpoints</numerusform>
        </translation>
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
    <name>cairn::ui::JobStarter</name>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Choose Output Folder</source>
        <translation>Ausgabeordner wählen</translation>
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
    <message>
        <source>Write one verified, loadable checkpoint from all shards</source>
        <translation>Aus allen Shards einen geprüften, ladbaren Checkpoint schreiben</translation>
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
        <source>Write &amp;Training State</source>
        <translation>&amp;Trainingszustand schreiben</translation>
    </message>
    <message>
        <source>&amp;Deploy Best (%1)</source>
        <translation>Besten &amp;deployen (%1)</translation>
    </message>
    <message>
        <source>Consolidate for &amp;Deployment</source>
        <translation>Für Deployment &amp;konsolidieren</translation>
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
        <source>Copy “%1”</source>
        <translation>„%1“ kopieren</translation>
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
    <message>
        <source>with %1 folded in</source>
        <translation>mit eingerechnetem %1</translation>
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
        <source>manifest with the checksums of %Ln tensors</source>
        <translation>
            <numerusform>Manifest mit der Prüfsumme von %Ln Tensor</numerusform>
            <numerusform>Manifest mit den Prüfsummen von %Ln Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>ausgelassen: %1</translation>
    </message>
    <message>
        <source>%1 is ready: %2, %3, every byte compared</source>
        <translation>%1 ist fertig: %2, %3, jedes Byte verglichen</translation>
    </message>
    <message>
        <source>%1 is written: %2, %3, not verified</source>
        <translation>%1 ist geschrieben: %2, %3, nicht verglichen</translation>
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
        <source>planned</source>
        <translation>geplant</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>planen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>read and write</source>
        <translation>lesen und schreiben</translation>
    </message>
    <message>
        <source>written %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>writing %1</source>
        <translation>schreibt %1</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>vergleichen</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>verglichen</translation>
    </message>
    <message>
        <source>verifying %1 of %2</source>
        <translation>vergleicht %1 von %2</translation>
    </message>
    <message>
        <source>describe</source>
        <translation>beschreiben</translation>
    </message>
    <message>
        <source>sign</source>
        <translation>signieren</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
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
        <source>A job is reading or writing this output; it was not moved</source>
        <translation>Ein Job liest oder schreibt diese Ausgabe; sie wurde nicht verschoben</translation>
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
    <name>cairn::ui::LoneValues</name>
    <message>
        <source>Single values</source>
        <translation>Einzelne Werte</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln values</source>
        <translation>
            <numerusform>%Ln Wert</numerusform>
            <numerusform>%Ln Werte</numerusform>
        </translation>
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
        <source>Not enough memory for this operation.</source>
        <translation>Für diesen Vorgang reicht der Arbeitsspeicher nicht.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::Manual</name>
    <message>
        <source>en</source>
        <comment>the folder of the manual in this language</comment>
        <translation>de</translation>
    </message>
    <message>
        <source>Cairn Manual</source>
        <translation>Handbuch von Cairn</translation>
    </message>
    <message>
        <source>Search the manual…</source>
        <translation>Im Handbuch suchen…</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>Pages of the manual</source>
        <translation>Seiten des Handbuchs</translation>
    </message>
    <message>
        <source>Text of the manual</source>
        <translation>Text des Handbuchs</translation>
    </message>
    <message>
        <source>| Menu | Action | Keys |</source>
        <translation>| Menü | Aktion | Tasten |</translation>
    </message>
    <message>
        <source>No page contains “%1”</source>
        <translation>Keine Seite enthält „%1“</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MarkedCurves</name>
    <message>
        <source>Scatter Plot</source>
        <translation>Streudiagramm</translation>
    </message>
    <message>
        <source>Parallel Coordinates</source>
        <translation>Parallele Koordinaten</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MemoryCard</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Token</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 with float32 copies</source>
        <translation>%1 mit float32-Kopien</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>plus activations of %1</source>
        <translation>dazu Aktivierungen für %1</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>or, with gradient checkpointing</source>
        <translation>oder, mit Gradient Checkpointing</translation>
    </message>
    <message>
        <source>the input of each layer, one layer completely, the logits</source>
        <translation>die Eingabe jedes Layers, ein Layer vollständig, die Logits</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>Betrieb</translation>
    </message>
    <message>
        <source>Weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>weights and buffers of the checkpoint</source>
        <translation>Gewichte und Puffer des Checkpoints</translation>
    </message>
    <message>
        <source>Weights as %1</source>
        <translation>Gewichte als %1</translation>
    </message>
    <message>
        <source>KV cache of a token</source>
        <translation>KV-Cache je Token</translation>
    </message>
    <message>
        <source>KV cache of %1</source>
        <translation>KV-Cache für %1</translation>
    </message>
    <message>
        <source>one sequence of the model's longest context</source>
        <translation>eine Sequenz der größten Kontextlänge des Modells</translation>
    </message>
    <message numerus="yes">
        <source>%Ln layers keep the last %1</source>
        <translation>
            <numerusform>%Ln Layer behält die letzten %1</numerusform>
            <numerusform>%Ln Layer behalten die letzten %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Sizes of the model from %1</source>
        <translation>Größen des Modells aus %1</translation>
    </message>
    <message>
        <source>Estimates for one device that holds everything; buffers of libraries and fragmentation are not included.</source>
        <translation>Schätzungen für ein Gerät, das alles aufnimmt; Puffer von Bibliotheken und Fragmentierung sind nicht enthalten.</translation>
    </message>
    <message>
        <source>Hide Formulas</source>
        <translation>Formeln ausblenden</translation>
    </message>
    <message>
        <source>Show Formulas</source>
        <translation>Formeln anzeigen</translation>
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
        <source>Value</source>
        <translation>Wert</translation>
    </message>
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
        <source>Select a value to see it in full.</source>
        <translation>Einen Wert auswählen, um ihn vollständig zu sehen.</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>in Python</source>
        <translation>in Python</translation>
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
        <source>Add Adapter…</source>
        <translation>Adapter hinzufügen…</translation>
    </message>
    <message>
        <source>Config from…</source>
        <translation>Config aus…</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
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
        <source>precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>adapters</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>trust</source>
        <translation>Vertrauen</translation>
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
        <source>cast</source>
        <translation>Umwandlung</translation>
    </message>
    <message>
        <source>float32 for</source>
        <translation>float32 für</translation>
    </message>
    <message>
        <source>Dequantize</source>
        <translation>Dequantisieren</translation>
    </message>
    <message>
        <source>Writes plain floating-point values that every program reads; they are larger</source>
        <translation>Schreibt Gleitkommazahlen, die jedes Programm liest; sie sind größer</translation>
    </message>
    <message>
        <source>Quantised weights</source>
        <translation>Quantisierte Gewichte</translation>
    </message>
    <message>
        <source>Run On…</source>
        <translation>Ausführen auf…</translation>
    </message>
    <message>
        <source>As an array on a cluster's scheduler; shows the command</source>
        <translation>Als Array auf dem Scheduler eines Clusters; zeigt den Befehl</translation>
    </message>
    <message>
        <source>run on</source>
        <translation>läuft auf</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>umbenennen</translation>
    </message>
    <message>
        <source>leave out</source>
        <translation>auslassen</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>A folder with adapter_config.json that PEFT saved; it is folded into the weights</source>
        <translation>Ein von PEFT gespeicherter Ordner mit adapter_config.json; er wird in die Gewichte eingerechnet</translation>
    </message>
    <message>
        <source>Choose Adapter</source>
        <translation>Adapter wählen</translation>
    </message>
    <message>
        <source>Takes config and tokenizer from a folder of the base model, or of an earlier export</source>
        <translation>Nimmt Config und Tokenizer aus einem Ordner des Basismodells oder einer früheren Ausgabe</translation>
    </message>
    <message>
        <source>Search config and tokenizer around the checkpoint</source>
        <translation>Config und Tokenizer um den Checkpoint herum suchen</translation>
    </message>
    <message>
        <source>Take Config and Tokenizer from</source>
        <translation>Config und Tokenizer übernehmen aus</translation>
    </message>
    <message>
        <source>further</source>
        <translation>weitere</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>error %1 of the weights (sampled)</source>
        <translation>Fehler %1 der Gewichte (Stichprobe)</translation>
    </message>
    <message>
        <source>worst tensor %1</source>
        <translation>schlechtester Tensor %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tensors cast</source>
        <translation>
            <numerusform>%Ln Tensor umgewandelt</numerusform>
            <numerusform>%Ln Tensoren umgewandelt</numerusform>
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
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 Arbeitsspeicher</translation>
    </message>
</context>
<context>
    <name>cairn::ui::MoveStrip</name>
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
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
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
    <message numerus="yes">
        <source>%Ln runs marked</source>
        <translation>
            <numerusform>%Ln Run markiert</numerusform>
            <numerusform>%Ln Runs markiert</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 marked</source>
        <translation>%1 markiert</translation>
    </message>
    <message>
        <source>%1 no longer marked</source>
        <translation>%1 nicht mehr markiert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::NavigatorActions</name>
    <message>
        <source>Path copied to the clipboard</source>
        <translation>Pfad in die Zwischenablage kopiert</translation>
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
    <message>
        <source>Exports of this run's checkpoints, and final models beside them: not counted, ranked, compared or removed as checkpoints</source>
        <translation>Exporte der Checkpoints dieses Runs und fertige Modelle daneben: nicht als Checkpoints gezählt, bewertet, verglichen oder entfernt</translation>
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
        <source>%1: connecting…</source>
        <translation>%1: wird verbunden…</translation>
    </message>
    <message>
        <source>%1: connection lost</source>
        <translation>%1: Verbindung verloren</translation>
    </message>
    <message>
        <source>Connected to %1</source>
        <translation>Mit %1 verbunden</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>geprüft</translation>
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
    <message numerus="yes">
        <source>%Ln older</source>
        <translation>
            <numerusform>%Ln älterer</numerusform>
            <numerusform>%Ln ältere</numerusform>
        </translation>
    </message>
    <message>
        <source>Exports (%1)</source>
        <translation>Exporte (%1)</translation>
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
        <source>A at %1, B at %2 (nearest match)</source>
        <translation>A bei %1, B bei %2 (nächstgelegen)</translation>
    </message>
    <message>
        <source>The two checkpoints have no tensor in common.</source>
        <translation>Die beiden Checkpoints haben keinen Tensor gemeinsam.</translation>
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
    <name>cairn::ui::PaletteContent</name>
    <message>
        <source>run</source>
        <translation>Run</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ParallelPlot</name>
    <message>
        <source>Parallel coordinates</source>
        <translation>Parallele Koordinaten</translation>
    </message>
    <message>
        <source>Left and Right go from axis to axis, Up and Down move the lower edge of its brush, with Shift the upper one, Delete removes it</source>
        <translation>Links und Rechts gehen von Achse zu Achse, Auf und Ab verschieben die untere Grenze ihres Bereichs, mit Umschalt die obere, Entf entfernt ihn</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>brushed from %1 to %2</source>
        <translation>Bereich von %1 bis %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln chosen</source>
        <translation>
            <numerusform>%1 von %Ln gewählt</numerusform>
            <numerusform>%1 von %Ln gewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag along the axis to choose a range</source>
        <translation>Entlang der Achse ziehen wählt einen Bereich</translation>
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
        <source>%1 at byte %2</source>
        <translation>%1 ab Byte %2</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
    <message>
        <source>Not covered by any piece</source>
        <translation>Von keinem Stück abgedeckt</translation>
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
        <translation>unberührt</translation>
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
        <translation>unberührt</translation>
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
    <message>
        <source>%1: no value</source>
        <translation>%1: kein Wert</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PreferencesControl</name>
    <message>
        <source>preference</source>
        <translation>Einstellung</translation>
    </message>
</context>
<context>
    <name>cairn::ui::PreferencesDialog</name>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>The cache is switched off: no cache folder.</source>
        <translation>Der Cache ist ausgeschaltet: kein Cache-Ordner.</translation>
    </message>
    <message>
        <source>Facts about checkpoints and runs take %1 in %2.</source>
        <translation>Angaben zu Checkpoints und Runs belegen %1 in %2.</translation>
    </message>
    <message>
        <source>Blocks of remote files take %1 in %2.</source>
        <translation>Blöcke entfernter Dateien belegen %1 in %2.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>dark light colors appearance night</source>
        <translation>dunkel hell farben aussehen nacht dark light</translation>
    </message>
    <message>
        <source>Font Size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>text zoom larger smaller</source>
        <translation>text zoom größer kleiner</translation>
    </message>
    <message>
        <source>Monospace Font Size</source>
        <translation>Größe der Festbreitenschrift</translation>
    </message>
    <message>
        <source>text code values paths</source>
        <translation>text code werte pfade</translation>
    </message>
    <message>
        <source>Units of Sizes</source>
        <translation>Einheiten der Größen</translation>
    </message>
    <message>
        <source>bytes decimal binary GB GiB MB MiB</source>
        <translation>bytes dezimal binär GB GiB MB MiB</translation>
    </message>
    <message>
        <source>Smoothing of Curves</source>
        <translation>Glättung der Kurven</translation>
    </message>
    <message>
        <source>charts average loss</source>
        <translation>diagramme mittel loss</translation>
    </message>
    <message>
        <source>Size of the Cache</source>
        <translation>Größe des Caches</translation>
    </message>
    <message>
        <source>disk index clear limit</source>
        <translation>platte index leeren grenze</translation>
    </message>
    <message>
        <source>Keyboard Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>keys bindings hotkeys</source>
        <translation>tasten kürzel hotkeys</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Numbers and charts</source>
        <translation>Zahlen und Diagramme</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset the monospace font size</source>
        <translation>Die Größe der Festbreitenschrift zurücksetzen</translation>
    </message>
    <message>
        <source>Reset the font size</source>
        <translation>Die Schriftgröße zurücksetzen</translation>
    </message>
    <message>
        <source>Follow the font size</source>
        <translation>Der Schriftgröße folgen</translation>
    </message>
    <message>
        <source>Use the size of the desktop</source>
        <translation>Die Größe des Desktops verwenden</translation>
    </message>
    <message>
        <source>Monospace font size</source>
        <translation>Größe der Festbreitenschrift</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>kB, MB, GB (1000)</source>
        <translation>kB, MB, GB (1000)</translation>
    </message>
    <message>
        <source>KiB, MiB, GiB (1024)</source>
        <translation>KiB, MiB, GiB (1024)</translation>
    </message>
    <message>
        <source>Units of sizes</source>
        <translation>Einheiten der Größen</translation>
    </message>
    <message>
        <source>For the pages History and Compare, until another value is chosen above their charts</source>
        <translation>Für die Seiten Verlauf und Vergleich, bis über ihren Diagrammen ein anderer Wert gewählt wird</translation>
    </message>
    <message>
        <source>Smoothing of curves</source>
        <translation>Glättung der Kurven</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear the cache</source>
        <translation>Den Cache leeren</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Size of the cache</source>
        <translation>Größe des Caches</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ProblemReport</name>
    <message>
        <source>Include paths, names and the full text of errors</source>
        <translation>Mit Pfaden, Namen und vollem Text der Fehler</translation>
    </message>
    <message>
        <source>Report a Problem</source>
        <translation>Problem melden</translation>
    </message>
    <message>
        <source>Cairn sends nothing. Copy or save this text, add what you did, what you expected and what happened, and send it to the issue tracker of the place where you got Cairn: the source repository, or the package of your system.</source>
        <translation>Cairn sendet nichts. Diesen Text kopieren oder speichern, ergänzen, was getan wurde, was erwartet war und was geschah, und an die Fehlerverwaltung senden, woher Cairn kam: das Quell-Repository oder das Paket des Systems.</translation>
    </message>
    <message>
        <source>Text of the report</source>
        <translation>Text der Meldung</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Save Report</source>
        <translation>Meldung speichern</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ProblemStrip</name>
    <message>
        <source>Nothing is written until this is resolved.</source>
        <translation>Nichts wird geschrieben, bis das behoben ist.</translation>
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
        <source>Locate…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>Show Shards</source>
        <translation>Shards zeigen</translation>
    </message>
    <message>
        <source>Open Folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RankGrid</name>
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
        <source>along dimension</source>
        <translation>entlang Dimension</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ReadFailures</name>
    <message numerus="yes">
        <source>%Ln folders of the last session cannot be opened</source>
        <translation>
            <numerusform>%Ln Ordner der letzten Sitzung lässt sich nicht öffnen</numerusform>
            <numerusform>%Ln Ordner der letzten Sitzung lassen sich nicht öffnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Open Another Folder…</source>
        <translation>Anderen Ordner öffnen…</translation>
    </message>
    <message>
        <source>Show in File Manager</source>
        <translation>In Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Folders in %1 cannot be read</source>
        <translation>Ordner in %1 können nicht gelesen werden</translation>
    </message>
    <message>
        <source>No checkpoint was found in %1</source>
        <translation>Kein Checkpoint in %1 gefunden</translation>
    </message>
    <message>
        <source>Cairn searched its folders for all supported formats.</source>
        <translation>Cairn hat in den Ordnern nach allen unterstützten Formaten gesucht.</translation>
    </message>
    <message>
        <source>%1 does not exist any more</source>
        <translation>%1 existiert nicht mehr</translation>
    </message>
    <message>
        <source>It was moved or deleted. The pages show what was read of it before.</source>
        <translation>Er wurde verschoben oder gelöscht. Die Seiten zeigen, was zuvor davon gelesen wurde.</translation>
    </message>
    <message>
        <source>Newest Complete Checkpoint</source>
        <translation>Neuester vollständiger Checkpoint</translation>
    </message>
    <message>
        <source>The connection to %1 is lost</source>
        <translation>Die Verbindung zu %1 ist verloren</translation>
    </message>
    <message>
        <source>The pages show what was read before.</source>
        <translation>Die Seiten zeigen, was zuvor gelesen wurde.</translation>
    </message>
    <message>
        <source>Recover…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <source>Copy chmod Command</source>
        <translation>chmod-Befehl kopieren</translation>
    </message>
    <message>
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
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
    <name>cairn::ui::RelationCards</name>
    <message>
        <source>Axes</source>
        <translation>Achsen</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>Skalen</translation>
    </message>
    <message>
        <source>Column of the axis</source>
        <translation>Spalte der Achse</translation>
    </message>
    <message>
        <source>Axes of the parallel coordinates</source>
        <translation>Achsen der parallelen Koordinaten</translation>
    </message>
    <message>
        <source>Default Axes</source>
        <translation>Übliche Achsen</translation>
    </message>
    <message>
        <source>against</source>
        <translation>gegen</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>Parallele Koordinaten</translation>
    </message>
    <message>
        <source>Linear or logarithmic axes</source>
        <translation>Lineare oder logarithmische Achsen</translation>
    </message>
    <message>
        <source>Horizontal axis: %1</source>
        <translation>Waagerechte Achse: %1</translation>
    </message>
    <message>
        <source>Vertical axis: %1</source>
        <translation>Senkrechte Achse: %1</translation>
    </message>
    <message>
        <source>%1 Logarithmic</source>
        <translation>%1 logarithmisch</translation>
    </message>
    <message>
        <source>A logarithmic axis needs positive numbers</source>
        <translation>Eine logarithmische Achse braucht positive Zahlen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ReportActions</name>
    <message>
        <source>%1-and-%2.html</source>
        <translation>%1-und-%2.html</translation>
    </message>
    <message>
        <source>%1-runs.html</source>
        <translation>%1-runs.html</translation>
    </message>
    <message>
        <source>%1-health.html</source>
        <translation>%1-Zustand.html</translation>
    </message>
    <message>
        <source>Save Report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML-Seite (*.html)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Making the report…</source>
        <translation>Bericht wird erstellt…</translation>
    </message>
    <message>
        <source>Report saved: %1</source>
        <translation>Bericht gespeichert: %1</translation>
    </message>
    <message>
        <source>Report copied as Markdown</source>
        <translation>Bericht als Markdown kopiert</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RetentionController</name>
    <message>
        <source>the assumed directions</source>
        <translation>die angenommenen Richtungen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RoleSwitches</name>
    <message>
        <source>Compared roles</source>
        <translation>Verglichene Rollen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Leave out these tensors</source>
        <translation>Diese Tensoren auslassen</translation>
    </message>
    <message>
        <source>Compare these tensors, too</source>
        <translation>Auch diese Tensoren vergleichen</translation>
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
            <numerusform>Den letzten behalten</numerusform>
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
            <numerusform>Den besten behalten</numerusform>
            <numerusform>Die besten %Ln behalten</numerusform>
        </translation>
    </message>
    <message>
        <source>Last: None</source>
        <translation>Letzte: keine</translation>
    </message>
    <message>
        <source>Last: %1</source>
        <translation>Letzte: %1</translation>
    </message>
    <message>
        <source>Best: None</source>
        <translation>Beste: keine</translation>
    </message>
    <message>
        <source>Best: %1</source>
        <translation>Beste: %1</translation>
    </message>
    <message>
        <source>Confirm Direction</source>
        <translation>Richtung bestätigen</translation>
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
        <source>The trainer did not record which values of the metric are better. Nothing is moved until you confirm it, or choose no rule for the best.</source>
        <translation>Der Trainer hat nicht aufgezeichnet, welche Werte der Metrik besser sind. Nichts wird verschoben, bis Sie es bestätigen oder keine Regel für die besten wählen.</translation>
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
    <message numerus="yes">
        <source>%Ln curves left out</source>
        <translation>
            <numerusform>%Ln Kurve ausgelassen</numerusform>
            <numerusform>%Ln Kurven ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>rounded steps</source>
        <translation>gerundete Schritte</translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunMarking</name>
    <message numerus="yes">
        <source>%Ln folders are not a run and cannot be compared</source>
        <translation>
            <numerusform>%Ln Ordner ist kein Lauf und kann nicht verglichen werden</numerusform>
            <numerusform>%Ln Ordner sind keine Läufe und können nicht verglichen werden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::RunOnDialog</name>
    <message>
        <source>without %1: %2</source>
        <translation>ohne %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiteres</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Each checkpoint of %1</source>
        <translation>Jeder Checkpoint von %1</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>Copy Script</source>
        <translation>Skript kopieren</translation>
    </message>
    <message>
        <source>Submit</source>
        <translation>Abschicken</translation>
    </message>
    <message>
        <source>Run On</source>
        <translation>Ausführen auf</translation>
    </message>
    <message>
        <source>Run as an array on a scheduler</source>
        <translation>Als Array auf einem Scheduler ausführen</translation>
    </message>
    <message>
        <source>Command Line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>What is submitted</source>
        <translation>Was abgeschickt wird</translation>
    </message>
    <message>
        <source>tasks each</source>
        <translation>Tasks je Job</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Tasks</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Run</translation>
    </message>
    <message>
        <source>Number of tasks</source>
        <translation>Anzahl der Tasks</translation>
    </message>
    <message>
        <source>scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Container image</source>
        <translation>Container-Image</translation>
    </message>
    <message>
        <source>Volumes</source>
        <translation>Volumes</translation>
    </message>
    <message>
        <source>CLAIM=/path of the data on this machine</source>
        <translation>CLAIM=/Pfad der Daten auf diesem Rechner</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>volumes</source>
        <translation>Volumes</translation>
    </message>
    <message>
        <source>Options for the scheduler</source>
        <translation>Optionen für den Scheduler</translation>
    </message>
    <message>
        <source>options</source>
        <translation>Optionen</translation>
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
        <source>Command copied to the clipboard</source>
        <translation>Befehl in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Copied to the clipboard</source>
        <translation>In die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>planning…</source>
        <translation>plant…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tasks</source>
        <translation>
            <numerusform>%Ln Task</numerusform>
            <numerusform>%Ln Tasks</numerusform>
        </translation>
    </message>
    <message>
        <source>at most %1 each</source>
        <translation>je höchstens %1</translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 Speicher</translation>
    </message>
    <message>
        <source>time limit %1</source>
        <translation>Zeitlimit %1</translation>
    </message>
    <message>
        <source>Submitted as %1</source>
        <translation>Abgeschickt als %1</translation>
    </message>
    <message>
        <source>Show Status</source>
        <translation>Status anzeigen</translation>
    </message>
    <message>
        <source>Copy Command</source>
        <translation>Befehl kopieren</translation>
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
        <source>Summary of the run</source>
        <translation>Übersicht des Runs</translation>
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
    <name>cairn::ui::RunsBar</name>
    <message>
        <source>Group By</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Colour By</source>
        <translation>Färben nach</translation>
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
        <source>What the colours stand for</source>
        <translation>Wofür die Farben stehen</translation>
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
    <message numerus="yes">
        <source>%Ln settings</source>
        <translation>
            <numerusform>%Ln Einstellung</numerusform>
            <numerusform>%Ln Einstellungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Group by %1</source>
        <translation>Gruppiert nach %1</translation>
    </message>
    <message>
        <source>Show runs with equal settings as one row</source>
        <translation>Runs mit gleichen Einstellungen als eine Zeile zeigen</translation>
    </message>
    <message>
        <source>Colour by %1</source>
        <translation>Färben nach %1</translation>
    </message>
    <message>
        <source>Each run has its own colour</source>
        <translation>Jeder Run hat seine eigene Farbe</translation>
    </message>
    <message>
        <source>Curves and lines are coloured by %1</source>
        <translation>Kurven und Linien sind nach %1 gefärbt</translation>
    </message>
    <message>
        <source>Columns (+%1)</source>
        <translation>Spalten (+%1)</translation>
    </message>
    <message>
        <source>Choose the columns of the table</source>
        <translation>Spalten der Tabelle wählen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln columns are hidden for lack of space</source>
        <translation>
            <numerusform>%Ln Spalte ist aus Platzmangel ausgeblendet</numerusform>
            <numerusform>%Ln Spalten sind aus Platzmangel ausgeblendet</numerusform>
        </translation>
    </message>
    <message>
        <source>Each run its own</source>
        <translation>Jeder Run seine eigene</translation>
    </message>
    <message>
        <source>Exported: %1</source>
        <translation>Exportiert: %1</translation>
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
        <source>note</source>
        <translation>Notiz</translation>
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
        <source>No run matches so far; the runs of the filter before are shown</source>
        <translation>Noch kein Run passt; gezeigt sind die Runs des Filters davor</translation>
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
        <source>Average Weights…</source>
        <translation>Gewichte mitteln…</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Write the average of these best checkpoints, as a job</source>
        <translation>Den Mittelwert dieser besten Checkpoints schreiben, als Job</translation>
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
        <source>Kept on this computer, not in the run's folder</source>
        <translation>Bleibt auf diesem Rechner, nicht im Ordner des Runs</translation>
    </message>
    <message>
        <source>Note about the run</source>
        <translation>Notiz zum Run</translation>
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
        <source>Experiment</source>
        <translation>Experiment</translation>
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
    <name>cairn::ui::RunsTable</name>
    <message>
        <source>Runs</source>
        <translation>Runs</translation>
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
    <name>cairn::ui::ScatterPlot</name>
    <message>
        <source>Scatter plot</source>
        <translation>Streudiagramm</translation>
    </message>
    <message numerus="yes">
        <source>%Ln points, %1 against %2. Arrow keys walk the points, Space chooses one</source>
        <translation>
            <numerusform>%Ln Punkt, %1 gegen %2. Pfeiltasten gehen von Punkt zu Punkt, die Leertaste wählt einen</numerusform>
            <numerusform>%Ln Punkte, %1 gegen %2. Pfeiltasten gehen von Punkt zu Punkt, die Leertaste wählt einen</numerusform>
        </translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
</context>
<context>
    <name>cairn::ui::SessionRestore</name>
    <message>
        <source>Select a checkpoint on the left</source>
        <translation>Links einen Checkpoint auswählen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln folders of the last session are not responding</source>
        <translation>
            <numerusform>%Ln Ordner der letzten Sitzung antwortet nicht</numerusform>
            <numerusform>%Ln Ordner der letzten Sitzung antworten nicht</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cairn::ui::SettingsCard</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
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
        <source>Settings</source>
        <translation>Einstellungen</translation>
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
        <source>Read from %1</source>
        <translation>Gelesen aus %1</translation>
    </message>
    <message>
        <source>A: %1
B: %2</source>
        <translation>A: %1
B: %2</translation>
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
    <name>cairn::ui::ShardLocating</name>
    <message>
        <source>Locate %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>Copy Here</source>
        <translation>Hierher kopieren</translation>
    </message>
    <message>
        <source>Copying %1…</source>
        <translation>%1 wird kopiert…</translation>
    </message>
    <message>
        <source>%1 was copied into the checkpoint</source>
        <translation>%1 wurde in den Checkpoint kopiert</translation>
    </message>
    <message>
        <source>Check reads every byte of it.</source>
        <translation>„Prüfen“ liest jedes Byte davon.</translation>
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
        <source>%1, %2; %3</source>
        <translation>%1, %2; %3</translation>
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
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
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
    <name>cairn::ui::ShortcutPage</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Reassign</source>
        <translation>Neu zuweisen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset All Shortcuts</source>
        <translation>Alle Tastenkürzel zurücksetzen</translation>
    </message>
    <message>
        <source>Filter actions or keys…</source>
        <translation>Aktionen oder Tasten filtern…</translation>
    </message>
    <message>
        <source>Filter actions</source>
        <translation>Aktionen filtern</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>New shortcut</source>
        <translation>Neues Tastenkürzel</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>%1 is the shortcut of “%2”.</source>
        <translation>%1 ist das Tastenkürzel von „%2“.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShortcutSet</name>
    <message>
        <source>A shortcut needs Ctrl, Alt or a function key.</source>
        <translation>Ein Tastenkürzel braucht Strg, Alt oder eine Funktionstaste.</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShownAdapterCard</name>
    <message>
        <source>This is an adapter: %1</source>
        <translation>Das ist ein Adapter: %1</translation>
    </message>
    <message>
        <source>This is an adapter: %1 for %2</source>
        <translation>Das ist ein Adapter: %1 für %2</translation>
    </message>
    <message>
        <source>A folder that PEFT loads beside its base</source>
        <translation>Ein Ordner, den PEFT neben seiner Basis lädt</translation>
    </message>
    <message>
        <source>Choose Base…</source>
        <translation>Basis auswählen…</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>scale </source>
        <translation>Faktor </translation>
    </message>
    <message>
        <source>Scale of this adapter</source>
        <translation>Faktor dieses Adapters</translation>
    </message>
    <message>
        <source>Fold into %1</source>
        <translation>In %1 einrechnen</translation>
    </message>
    <message>
        <source>Fold into its base, which was not found</source>
        <translation>In seine Basis einrechnen, die nicht gefunden wurde</translation>
    </message>
    <message>
        <source>Choose Base</source>
        <translation>Basis auswählen</translation>
    </message>
</context>
<context>
    <name>cairn::ui::ShownSubject</name>
    <message>
        <source>Reading the index…</source>
        <translation>Der Index wird gelesen…</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Cairn</source>
        <translation>Cairn</translation>
    </message>
    <message>
        <source>%1 — Cairn</source>
        <translation>%1 — Cairn</translation>
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
        <translation>ohne Checkpoint</translation>
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
        <translation>Belegung</translation>
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
</context>
<context>
    <name>cairn::ui::SpaceTable</name>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
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
        <source>Ten largest</source>
        <translation>Zehn größte</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
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
        <source>Open %1: %Ln Checkpoints</source>
        <translation>
            <numerusform>%1 öffnen: %Ln Checkpoint</numerusform>
            <numerusform>%1 öffnen: %Ln Checkpoints</numerusform>
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
        <source>undecided</source>
        <translation>unentschieden</translation>
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
        <source>position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
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
        <source>Summary of the checkpoint</source>
        <translation>Übersicht des Checkpoints</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Show All Metadata</source>
        <translation>Alle Metadaten zeigen</translation>
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
        <source>Parameters</source>
        <translation>Parameter</translation>
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
        <source>Health</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>Tools &gt; Check reads every byte: missing parts, checksums, NaN</source>
        <translation>Werkzeuge &gt; Prüfen liest jedes Byte: fehlende Teile, Prüfsummen, NaN</translation>
    </message>
    <message>
        <source>healthy</source>
        <translation>gesund</translation>
    </message>
    <message>
        <source>warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>Pickles %1</source>
        <translation>Pickles %1</translation>
    </message>
    <message>
        <source>Loading it in Python would run code</source>
        <translation>Das Laden in Python würde Code ausführen</translation>
    </message>
    <message>
        <source>Its pickles are not plain data</source>
        <translation>Seine Pickles sind keine einfachen Daten</translation>
    </message>
</context>
<context>
    <name>cairn::ui::TargetButton</name>
    <message>
        <source>planning…</source>
        <translation>plant…</translation>
    </message>
</context>
<context>
    <name>cairn::ui::TargetCards</name>
    <message>
        <source>✓ resumes</source>
        <translation>✓ setzt fort</translation>
    </message>
    <message>
        <source>✓ resumes, new random numbers</source>
        <translation>✓ setzt fort, neue Zufallszahlen</translation>
    </message>
    <message>
        <source>! resumes, not everything</source>
        <translation>! setzt fort, nicht alles</translation>
    </message>
    <message>
        <source>✓ loads</source>
        <translation>✓ lädt</translation>
    </message>
    <message>
        <source>✕ not possible</source>
        <translation>✕ nicht möglich</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>What for</source>
        <translation>Wofür</translation>
    </message>
</context>
<context>
    <name>cairn::ui::TargetWords</name>
    <message>
        <source>Serve</source>
        <translation>Bereitstellen</translation>
    </message>
    <message>
        <source>Run locally</source>
        <translation>Lokal ausführen</translation>
    </message>
    <message>
        <source>Continue training</source>
        <translation>Training fortsetzen</translation>
    </message>
    <message>
        <source>One file</source>
        <translation>Eine Datei</translation>
    </message>
    <message>
        <source>transformers, vLLM, SGLang</source>
        <translation>transformers, vLLM, SGLang</translation>
    </message>
    <message>
        <source>llama.cpp, Ollama, LM Studio</source>
        <translation>llama.cpp, Ollama, LM Studio</translation>
    </message>
    <message>
        <source>FSDP2, Lightning, Trainer, DeepSpeed and others</source>
        <translation>FSDP2, Lightning, Trainer, DeepSpeed und andere</translation>
    </message>
    <message>
        <source>safetensors or .pt</source>
        <translation>safetensors oder .pt</translation>
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
    <message numerus="yes">
        <source>%Ln tensors · %1</source>
        <translation>
            <numerusform>%Ln Tensor · %1</numerusform>
            <numerusform>%Ln Tensoren · %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln tensors · %2</source>
        <translation>
            <numerusform>%1 von %Ln Tensor · %2</numerusform>
            <numerusform>%1 von %Ln Tensoren · %2</numerusform>
        </translation>
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
    <name>cairn::ui::ToolActions</name>
    <message>
        <source>Verify Against</source>
        <translation>Vergleichen mit</translation>
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
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Filter tensors…</source>
        <translation>Tensoren filtern…</translation>
    </message>
    <message>
        <source>Show what prevents it, and what helps</source>
        <translation>Zeigt, was es verhindert und was hilft</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Tensoren filtern</translation>
    </message>
    <message>
        <source>Compare curves, settings and weights of two runs, or two selected checkpoints. Mark runs on the left with X or choose them on the page.</source>
        <translation>Kurven, Einstellungen und Gewichte zweier Runs oder zwei ausgewählte Checkpoints vergleichen. Runs links mit X markieren oder auf der Seite wählen.</translation>
    </message>
    <message>
        <source>There is only one run; open another folder to compare</source>
        <translation>Es gibt nur einen Run; einen weiteren Ordner öffnen, um zu vergleichen</translation>
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
    <name>cairn::ui::ViewActions</name>
    <message>
        <source>Python code copied to the clipboard</source>
        <translation>Python-Code in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
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
    <name>cairn::ui::WeightDistance</name>
    <message>
        <source>unreadable</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>nicht vergleichbar</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
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
    <message>
        <source>The weights cannot be compared.</source>
        <translation>Die Gewichte sind nicht vergleichbar.</translation>
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
        <source>What is written</source>
        <translation>Was geschrieben wird</translation>
    </message>
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
    <message>
        <source>Copy “%1”</source>
        <translation>„%1“ kopieren</translation>
    </message>
    <message>
        <source>Copied to the clipboard</source>
        <translation>In die Zwischenablage kopiert</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… und %Ln weitere</numerusform>
            <numerusform>… und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Source files and a checksum of every tensor</source>
        <translation>Quelldateien und eine Prüfsumme jedes Tensors</translation>
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
        <source>Best checkpoint: %1</source>
        <translation>Bester Checkpoint: %1</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>not examined</source>
        <translation>nicht untersucht</translation>
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
        <source>%1 (this folder)</source>
        <translation>%1 (dieser Ordner)</translation>
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
