package dev.weir.server.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;

/** Guards a connection of gRPC against frames that would use memory outside of calls. Runs on the event loop of the connection. */
final class FrameGuard extends ChannelInboundHandlerAdapter {
    /** The handler of HTTP/2 is added when a handshake has ended, so it is looked for after each read. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
        if (http2 != null) {
            http2.decoder().frameListener(new Filter(http2));
            http2.connection()
                    .addListener(new AnsweredStreams(http2, context.pipeline().context(http2)));
            context.pipeline().remove(this);
        }
        context.fireChannelReadComplete();
    }

    /** Resets streams that are answered and that the client has not ended: else they would stay, also if their call has ended. */
    private static final class AnsweredStreams extends Http2ConnectionAdapter {
        private final Http2ConnectionHandler http2;
        private final ChannelHandlerContext context;

        AnsweredStreams(Http2ConnectionHandler http2, ChannelHandlerContext context) {
            this.http2 = http2;
            this.context = context;
        }

        @Override
        public void onStreamHalfClosed(Http2Stream stream) {
            if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
                context.executor()
                        .execute(
                                () -> { // when the call has ended, too
                                    ChannelFuture unused = http2.resetStream(
                                            context, stream.id(), Http2Error.NO_ERROR.code(), context.newPromise());
                                    context.flush();
                                });
            }
        }
    }

    /** Forwards frames that are worth their memory. */
    private static final class Filter extends Http2FrameListenerDecorator {
        private final Http2ConnectionHandler http2;

        Filter(Http2ConnectionHandler http2) {
            super(http2.decoder().frameListener());
            this.http2 = http2;
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean endOfStream)
                throws Http2Exception {
            super.onHeadersRead(context, stream, headers, padding, endOfStream);
            resetIfNotTaken(context, stream);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext context,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endOfStream)
                throws Http2Exception {
            super.onHeadersRead(context, stream, headers, dependency, weight, exclusive, padding, endOfStream);
            resetIfNotTaken(context, stream);
        }

        /** Only an error of HTTP is answered with data at once. It would wait until the client takes it, and is no call. */
        private void resetIfNotTaken(ChannelHandlerContext context, int stream) {
            Http2Stream opened = http2.connection().stream(stream);
            Http2RemoteFlowController sending = http2.encoder().flowController();
            if (opened != null && sending.hasFlowControlled(opened) && !sending.isWritable(opened)) {
                ChannelFuture unused =
                        http2.resetStream(context, stream, Http2Error.CANCEL.code(), context.newPromise());
            }
        }

        /** Data that is empty and does not end the call says nothing, but gRPC would keep a buffer for it. */
        @Override
        public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean endOfStream)
                throws Http2Exception {
            return data.isReadable() || endOfStream
                    ? super.onDataRead(context, stream, data, padding, endOfStream)
                    : padding; // all of it is consumed
        }
    }
}
