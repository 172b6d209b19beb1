package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of the limits that requests bring. */
final class InternedTest {
    private final Interned<List<String>, Limits> interned = new Interned<>(this::create);
    private int created;

    private Limits create(List<String> texts) {
        Limits limits = Limits.parse(texts.toArray(String[]::new));
        created++;
        return limits;
    }

    private Limits get(int permits) {
        return interned.get(List.of(permits + "/1h"));
    }

    @Test
    void get_equalKey_isTheSameValue() {
        assertThat(get(5)).isSameAs(get(5)).isEqualTo(Limits.parse("5/1h"));
        assertThat(get(6)).isEqualTo(Limits.parse("6/1h"));
    }

    @Test
    void get_valueCannotBeCreated_isNotKept() {
        assertThatIllegalArgumentException().isThrownBy(() -> get(0));
        assertThatIllegalArgumentException().isThrownBy(() -> get(0));
    }

    @Test
    void get_manyKeys_atMost1024AreKept() {
        for (int i = 1; i <= 1_024; i++) {
            get(i);
        }
        get(1);
        assertThat(created).isEqualTo(1_024);

        get(2_000);
        get(1);
        assertThat(created).as("all were forgotten").isEqualTo(1_026);
    }
}
