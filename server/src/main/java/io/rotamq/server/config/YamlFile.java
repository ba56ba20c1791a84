package io.rotamq.server.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A configuration file: nested mappings, flattened to dotted keys, each with its line. It is read
 * as nodes and not as objects, because objects have forgotten their lines.
 */
final class YamlFile {
    /** Lenient about keys, because the complaint about one shall have its line. */
    private static final LoadSettings LENIENT =
            LoadSettings.builder().setAllowNonScalarKeys(true).build();

    private final Path file;

    private YamlFile(Path file) {
        this.file = file;
    }

    /** The settings that the file assigns. */
    static Map<Setting<?>, Raw> read(Path file, Catalogue catalogue) throws ConfigurationException {
        return new YamlFile(file).assigned(catalogue);
    }

    private Map<Setting<?>, Raw> assigned(Catalogue catalogue) throws ConfigurationException {
        Map<Setting<?>, Raw> assigned = new LinkedHashMap<>();
        Optional<Node> root = compose(text());
        if (root.isPresent() && !isNull(root.get())) {
            if (!(root.get() instanceof MappingNode mapping)) {
                throw new ConfigurationException(
                        at(root.get()).describe() + ": the file is not a mapping of settings");
            }
            collect("", "", mapping, catalogue, assigned);
        }
        return assigned;
    }

    private String text() throws ConfigurationException {
        try {
            byte[] bytes = Files.readAllBytes(file);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(file + ": the file is not UTF-8 text");
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(
                    file + ": cannot read the file: there is no such file");
        } catch (IOException e) {
            throw new ConfigurationException(file + ": cannot read the file: " + reason(e));
        }
    }

    private String reason(IOException e) {
        if (Files.isDirectory(file)) {
            return "it is a directory";
        }
        return Files.isReadable(file) ? String.valueOf(e.getMessage()) : "permission denied";
    }

    private Optional<Node> compose(String text) throws ConfigurationException {
        try {
            return new Compose(LENIENT).composeString(text);
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
            String where = mark.map(m -> ":" + (m.getLine() + 1)).orElse("");
            throw new ConfigurationException(file + where + ": not valid YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new ConfigurationException(
                    file + ": not valid YAML: " + firstLine(String.valueOf(e.getMessage())));
        }
    }

    /**
     * Adds what a mapping assigns.
     *
     * @param shown what precedes the keys in messages: empty, or {@code sharing.rules[2].}
     * @param prefix what precedes the keys in the catalogue: empty, or {@code backlog.}
     */
    private void collect(
            String shown,
            String prefix,
            MappingNode mapping,
            Catalogue catalogue,
            Map<Setting<?>, Raw> assigned)
            throws ConfigurationException {
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
                throw new ConfigurationException(
                        at(tuple.getKeyNode()).describe() + ": a key must be a plain name");
            }
            String key = prefix + name.getValue();
            Setting<?> setting = catalogue.find(key);
            if (setting != null) {
                Raw raw = value(setting, shown + key, at(name), tuple.getValueNode());
                Raw earlier = assigned.put(setting, raw);
                if (earlier != null) {
                    throw ConfigurationException.at(
                            at(name),
                            shown + key,
                            "set twice, first at " + earlier.origin().describe());
                }
            } else if (catalogue.isSection(key)) {
                section(shown, key, name, tuple.getValueNode(), catalogue, assigned);
            } else {
                throw ConfigurationException.at(at(name), shown + key, catalogue.unknown(key));
            }
        }
    }

    private void section(
            String shown,
            String key,
            ScalarNode name,
            Node value,
            Catalogue catalogue,
            Map<Setting<?>, Raw> assigned)
            throws ConfigurationException {
        if (value instanceof MappingNode mapping) {
            collect(shown, key + ".", mapping, catalogue, assigned);
        } else if (!isNull(value)) { // a section whose lines are all comments says nothing
            throw ConfigurationException.at(
                    at(name), shown + key, "is a section with settings below it, not a value");
        }
    }

    private Raw value(Setting<?> setting, String shown, Origin origin, Node node)
            throws ConfigurationException {
        if (setting.kind() instanceof EntryList list) {
            return table(list, shown, origin, node);
        }
        if (isNull(node)) {
            throw wrongType(setting, shown, origin, "has no value");
        }
        return switch (node) {
            case ScalarNode scalar -> new Raw.Scalar(shown, scalar.getValue(), origin);
            case SequenceNode sequence when setting.kind().list() ->
                    new Raw.Scalar(shown, joined(setting, shown, sequence), origin);
            case SequenceNode sequence -> throw wrongType(setting, shown, origin, "is a list");
            default -> throw wrongType(setting, shown, origin, "is a mapping");
        };
    }

    private String joined(Setting<?> setting, String shown, SequenceNode sequence)
            throws ConfigurationException {
        List<String> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            if (!(item instanceof ScalarNode scalar)) {
                throw wrongType(setting, shown, at(item), "has an item that is not a plain value");
            }
            items.add(scalar.getValue());
        }
        return String.join(",", items);
    }

    private Raw table(EntryList list, String shown, Origin origin, Node node)
            throws ConfigurationException {
        List<Raw.Entry> entries = new ArrayList<>();
        if (isNull(node)) {
            return new Raw.Table(shown, entries, origin);
        }
        if (!(node instanceof SequenceNode sequence)) {
            throw ConfigurationException.at(
                    origin, shown, "is not a list; allowed: " + list.allowed());
        }
        for (Node item : sequence.getValue()) {
            String name = shown + "[" + (entries.size() + 1) + "]";
            if (!(item instanceof MappingNode mapping)) {
                throw ConfigurationException.at(
                        at(item), name, "is not a mapping; allowed: " + list.allowed());
            }
            Map<Setting<?>, Raw> assigned = new LinkedHashMap<>();
            collect(name + ".", "", mapping, list.entry(), assigned);
            entries.add(new Raw.Entry(name, at(item), assigned));
        }
        return new Raw.Table(shown, entries, origin);
    }

    private static ConfigurationException wrongType(
            Setting<?> setting, String shown, Origin origin, String problem) {
        return ConfigurationException.at(
                origin, shown, problem + "; allowed: " + setting.kind().allowed());
    }

    private static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    private Origin at(Node node) {
        return new Origin.FileLine(file, node.getStartMark().map(Mark::getLine).orElse(0) + 1);
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }
}
