package dev.weir.redis;

import dev.weir.Request;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisScriptingCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Fills a key: the script that decides on a request runs in a loop on the server, which takes a tenth of the time of calls. */
final class RepeatedScript {
    private static final int LOOPS = 1_000; // of one call
    private static final String LOOP = """
            local function decide(KEYS, ARGV)
            %s
            end
            local options, time = struct.unpack('>c1I8', ARGV[1])
            for i = 1, ARGV[3] do
              time = time + ARGV[4]
              decide(KEYS, { options .. struct.pack('>I8', time) .. ARGV[1]:sub(10), ARGV[2] })
            end""";

    private RepeatedScript() {}

    /** Decides on equal requests, each the given time after the one before. Returns the time of the last one. */
    static long decide(
            RedisScriptingCommands<byte[], byte[]> redis, Request request, int count, long micros, long apartMicros) {
        List<Request> requests = List.of(request);
        byte[] text = LOOP.formatted(new String(Script.deciding(requests).text(), StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
        long time = micros;
        for (int left = count; left > 0; left -= LOOPS) {
            int loops = Math.min(left, LOOPS);
            byte[][] one =
                    PackedRequests.of(PackedRequests.time(time), List.of(List.of(JointRequest.of(requests, 0))), false);
            byte[][] values = {one[0], one[1], ascii(loops), ascii(apartMicros)};
            redis.eval(text, ScriptOutputType.VALUE, TimedScripts.KEYS.of(requests), values);
            time += loops * apartMicros;
        }
        return time;
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
