package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBufUtil;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The whole content of a packet as text, arrays included, so that packets can be compared. */
final class Contents {
    private Contents() {}

    static String of(Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> ByteBufUtil.hexDump(bytes);
            case List<?> list ->
                    list.stream().map(Contents::of).collect(Collectors.joining(", ", "[", "]"));
            case Record fields ->
                    Stream.of(fields.getClass().getRecordComponents())
                            .map(
                                    component ->
                                            component.getName() + "=" + of(get(component, fields)))
                            .collect(
                                    Collectors.joining(
                                            ", ", fields.getClass().getSimpleName() + "(", ")"));
            default -> value.toString();
        };
    }

    private static Object get(RecordComponent component, Record fields) {
        try {
            return component.getAccessor().invoke(fields);
        } catch (ReflectiveOperationException inaccessible) {
            throw new LinkageError(component.getName(), inaccessible);
        }
    }
}
