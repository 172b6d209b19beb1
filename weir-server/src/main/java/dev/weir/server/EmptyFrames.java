package dev.weir.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;

/**
 * Drops frames of data of gRPC that are empty and do not end their call: they say nothing, but gRPC keeps a buffer for each. Runs on
 * the event loop of its connection.
 */
final class EmptyFrames extends ChannelInboundHandlerAdapter {

    /** The handler of HTTP/2 is added when a handshake has ended, so it is looked for after each read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
        if (http2 != null) {
            http2.decoder().frameListener(new Filter(http2.decoder().frameListener()));
            context.pipeline().remove(this);
        }
        context.fireChannelReadComplete();
    }

    /** Forwards all frames but those. */
    private static final class Filter extends Http2FrameListenerDecorator {
        Filter(Http2FrameListener listener) {
            super(listener);
        }

        @Override
        public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean endOfStream)
                throws Http2Exception {
            return data.isReadable() || endOfStream
                    ? super.onDataRead(context, stream, data, padding, endOfStream)
                    : padding; // all of it is consumed
        }
    }
}
