package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MarkupTest {
    @Test
    void text_markup_isEscaped() {
        assertThat(Markup.text("<b a=\"1\" c='2'>&").source())
                .isEqualTo("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
    }

    @Test
    void text_charactersThatDirectOrHide_areSpelledOut() {
        assertThat(Markup.text("a\u202eb\u2066\u0000\n\u2028\ufeff\u200d").source())
                .isEqualTo("aU+202EbU+2066U+0000U+000AU+2028U+FEFFU+200D");
        assertThat(Markup.text("\ud800x").source()).isEqualTo("U+D800x");
    }

    @Test
    void text_otherAlphabets_stay() {
        assertThat(Markup.text("änn 日本 😀 שלום").source()).isEqualTo("änn 日本 😀 שלום");
    }

    @Test
    void key_isIsolated_andMarksWhatIsSpelledOut() {
        assertThat(Markup.key("a\u202e<").source())
                .isEqualTo("<bdi class=\"k\">a<span class=\"ctl\">U+202E</span>&lt;</bdi>");
    }

    @Test
    void key_spacesThatAreNotSeen_areSpelledOut() {
        String space = "<span class=\"ctl\">U+0020</span>";
        assertThat(Markup.key(" a b  ").source()).isEqualTo("<bdi class=\"k\">" + space + "a b " + space + "</bdi>");
        assertThat(Markup.key("a\u00a0b\u3000").source())
                .isEqualTo("<bdi class=\"k\">a<span class=\"ctl\">U+00A0</span>b"
                        + "<span class=\"ctl\">U+3000</span></bdi>");
    }

    @Test
    void key_long_isCutAndWholeInItsTitle() {
        String key = "\"😀".repeat(30);

        assertThat(Markup.key(key).source())
                .startsWith("<bdi class=\"k\" title=\"" + "&quot;😀".repeat(30) + "\">&quot;😀")
                .endsWith("&quot;…</bdi>");
    }
}
