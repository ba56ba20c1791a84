package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Fields of records whose length varies: the length, then the bytes. */
final class Fields {
    private Fields() {}

    static void blob(Batch out, byte[] bytes) {
        out.varint(bytes.length).bytes(bytes);
    }

    static void text(Batch out, String text) {
        blob(out, text.getBytes(StandardCharsets.UTF_8));
    }

    static void texts(Batch out, List<String> texts) {
        out.varint(texts.size());
        texts.forEach(text -> text(out, text));
    }

    static void flag(Batch out, boolean flag) {
        out.u8(flag ? 1 : 0);
    }
}
