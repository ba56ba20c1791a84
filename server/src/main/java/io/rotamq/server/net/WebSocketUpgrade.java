package io.rotamq.server.net;

import static io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderNames.SEC_WEBSOCKET_ACCEPT;
import static io.netty.handler.codec.http.HttpHeaderNames.SEC_WEBSOCKET_KEY;
import static io.netty.handler.codec.http.HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL;
import static io.netty.handler.codec.http.HttpHeaderNames.SEC_WEBSOCKET_VERSION;
import static io.netty.handler.codec.http.HttpHeaderNames.UPGRADE;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Answers the HTTP request that opens a WebSocket (RFC 6455, section 4.2) with the subprotocol
 * {@code mqtt} [MQTT-6.0.0-3], then leaves the pipeline together with all that speaks HTTP. Any
 * other request is refused and the connection closed. The time-out of CONNECT covers it.
 */
final class WebSocketUpgrade extends SimpleChannelInboundHandler<FullHttpRequest> {
    static final String SUBPROTOCOL = "mqtt";

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final int KEY_BYTES = 16;
    private static final int LONGEST_LINE = 4 * 1024;
    private static final int LONGEST_HEADERS = 16 * 1024;
    private static final int LONGEST_BODY = 1024;

    private final String path;
    private final TransportCounters counters;

    private WebSocketUpgrade(String path, TransportCounters counters) {
        this.path = path;
        this.counters = counters;
    }

    /** Prepares a new connection for the request. */
    static void addTo(ChannelPipeline pipeline, String path, TransportCounters counters) {
        pipeline.addLast(
                new HttpServerCodec(
                        new HttpDecoderConfig()
                                .setMaxInitialLineLength(LONGEST_LINE)
                                .setMaxHeaderSize(LONGEST_HEADERS)),
                new HttpObjectAggregator(LONGEST_BODY, true),
                new WebSocketUpgrade(path, counters));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        HttpHeaders headers = request.headers();
        if (request.decoderResult().isFailure()) {
            refuse(context, HttpResponseStatus.BAD_REQUEST, "not an HTTP request");
        } else if (!request.uri().split("\\?", 2)[0].equals(path)) {
            refuse(context, HttpResponseStatus.NOT_FOUND, "there is only " + path);
        } else if (!isUpgrade(request)) {
            refuse(context, HttpResponseStatus.BAD_REQUEST, "this is for WebSocket only");
        } else if (!headers.contains(SEC_WEBSOCKET_VERSION, VERSION, true)) {
            refuse(context, HttpResponseStatus.UPGRADE_REQUIRED, "WebSocket version must be 13");
        } else if (!headers.containsValue(SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL, false)) {
            refuse(context, HttpResponseStatus.BAD_REQUEST, "the subprotocol must be mqtt");
        } else {
            accept(context, headers.get(SEC_WEBSOCKET_KEY));
        }
    }

    private static boolean isUpgrade(FullHttpRequest request) {
        HttpHeaders headers = request.headers();
        return request.method().equals(HttpMethod.GET)
                && headers.containsValue(UPGRADE, "websocket", true)
                && headers.containsValue(CONNECTION, "upgrade", true)
                && isKey(headers.get(SEC_WEBSOCKET_KEY));
    }

    private static boolean isKey(@Nullable String text) {
        try {
            return text != null && Base64.getDecoder().decode(text).length == KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private void accept(ChannelHandlerContext context, String key) {
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers()
                .set(UPGRADE, "websocket")
                .set(CONNECTION, "upgrade")
                .set(SEC_WEBSOCKET_ACCEPT, answer(key))
                .set(SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL);
        context.writeAndFlush(response, context.voidPromise());
        // Frames that came with the request leave the codec after this, and meet their decoder.
        ChannelPipeline pipeline = context.pipeline();
        pipeline.remove(HttpObjectAggregator.class);
        pipeline.replace(HttpServerCodec.class, null, new WebSocketFrames(counters));
        pipeline.remove(this);
    }

    private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String reason) {
        counters.refusedUpgrades.increment();
        byte[] text = (reason + '\n').getBytes(StandardCharsets.UTF_8);
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, status, context.alloc().buffer().writeBytes(text));
        response.headers()
                .set(CONTENT_LENGTH, text.length)
                .set(CONNECTION, "close")
                .set(SEC_WEBSOCKET_VERSION, VERSION);
        context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }

    private static String answer(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
            throw new IllegalStateException(impossible);
        }
    }
}
