package dev.weir.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Closes a connection of HTTP/1 on which many lines arrive that are not the end of a head, or of trailers. The decoder keeps each line as
 * objects, of which short lines need thirty times their bytes, and passes on the head when it is complete. Runs on the event loop.
 */
final class HeadGuard extends ChannelInboundHandlerAdapter {
    private static final int MAX_LINES = 200;

    private int lines; // since the latest message

    private HeadGuard() {}

    /** Adds a guard to a connection, unless it is of HTTP/2. */
    static void add(ChannelPipeline pipeline) {
        ChannelHandlerContext decoder = pipeline.context(HttpRequestDecoder.class);
        if (decoder != null) {
            HeadGuard guard = new HeadGuard();
            pipeline.addBefore(decoder.name(), null, guard).addAfter(decoder.name(), null, guard.new Messages());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        ByteBuf bytes = (ByteBuf) read;
        int end = bytes.writerIndex();
        int line = bytes.indexOf(bytes.readerIndex(), end, (byte) '\n');
        while (line >= 0) {
            lines++;
            line = bytes.indexOf(line + 1, end, (byte) '\n');
        }
        context.fireChannelRead(read);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (lines > MAX_LINES) {
            ChannelFuture unused = context.close();
        }
        context.fireChannelReadComplete();
    }

    /**
     * Receives the heads, and the parts of bodies, that have been decoded. Vert.x knows HTTP/1.0 and 1.1 only, and {@code close} only if it
     * is the one element of a header Connection. It does not release the parts that wait behind another request when their connection
     * is closed, so it gets copies, which the collector frees.
     */
    private final class Messages extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            lines = 0;
            if (message instanceof HttpRequest head) {
                HttpVersion version = head.protocolVersion();
                if (version.majorVersion() == 1 && version.minorVersion() > 1) {
                    head.setProtocolVersion(HttpVersion.HTTP_1_1);
                }
                if (!HttpUtil.isKeepAlive(head)) {
                    HttpUtil.setKeepAlive(head, false);
                }
            }
            context.fireChannelRead(
                    message instanceof HttpContent part && part.content().isReadable() ? copy(part) : message);
        }
    }

    private static HttpContent copy(HttpContent part) {
        try {
            return part.replace(Unpooled.copiedBuffer(part.content()));
        } finally {
            part.release();
        }
    }
}
