package dev.weir.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.net.OpenRequests.OpenRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenRequestsTest {
    private static final int OWN_BYTES = 4 << 10;

    private final OpenRequests requests = new OpenRequests(100_000);
    private final List<String> ended = new ArrayList<>();

    private OpenRequest add(String name) {
        return requests.add(OWN_BYTES, () -> ended.add(name));
    }

    @Test
    void received_tooMuchTogether_oldestIsEnded() {
        add("first").received(40_000);
        add("second").received(40_000);
        assertThat(ended).isEmpty();

        add("third").received(20_000);

        assertThat(ended).containsExactly("first");
    }

    @Test
    void add_tooMany_oldestAreEnded() {
        for (int i = 0; i < 30; i++) {
            add("request " + i);
        }

        assertThat(ended).hasSize(6).startsWith("request 0", "request 1");
    }

    @Test
    void complete_freesWhatTheRequestTook() {
        for (int i = 0; i < 10; i++) {
            OpenRequest request = add("request " + i);
            request.received(60_000);
            request.complete();
            request.complete();
        }

        assertThat(ended).isEmpty();
    }

    @Test
    void remove_freesWhatTheRequestTook() {
        for (int i = 0; i < 10; i++) {
            OpenRequest request = add("request " + i);
            request.received(60_000);
            request.remove();
            request.received(200_000);
        }

        assertThat(ended).isEmpty();
    }

    @Test
    void received_moreThanAllMayTake_requestItselfIsEnded() {
        add("first");
        OpenRequest large = add("large");

        large.received(200_000);
        large.received(200_000);

        assertThat(ended).containsExactly("first", "large");
    }
}
