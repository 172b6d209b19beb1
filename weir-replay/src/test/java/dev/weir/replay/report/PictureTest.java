package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

final class PictureTest {
    @Test
    void svg_isOneWellFormedImageWithoutKeys() throws Exception {
        try (Trace trace = Logs.read("time,id\n" + "1,<script>\n".repeat(4), Logs.BY_ID)) {
            String svg =
                    ReportTest.report(trace, "ip", "2/1s", "fixed-window 2/1s").svg();
            Document image = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));

            assertThat(image.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(svg).doesNotContain("script").contains("fixed-window 2/1s", "2 denied, 50.0\u00a0%");
        }
    }

    @Test
    void svg_longNameOfALimit_isAboveItsBars() throws IOException {
        try (Trace trace = Logs.read("time,id\n1,a\n", Logs.BY_ID)) {
            String svg = ReportTest.report(trace, "ip", "token-bucket 100/1m burst=20")
                    .svg();
            Matcher row = Pattern.compile(
                            "y=\"(\\d+)\" class=\"b\">token-bucket 100/1m burst=20<.*?<svg x=\"296\" y=\"(\\d+)\"")
                    .matcher(svg);

            assertThat(row.find()).isTrue();
            assertThat(Integer.parseInt(row.group(1))).isLessThan(Integer.parseInt(row.group(2)));
        }
    }

    @Test
    void png_isTheSvgInTheColoursOfTheLightTheme() throws IOException {
        try (Trace trace = Logs.read("time,id\n" + "1,a\n".repeat(4), Logs.BY_ID)) {
            Report report = ReportTest.report(trace, "ip", "2/1s", "fixed-window 2/1s");
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(report.png()));
            Set<Integer> colours = new HashSet<>();
            for (int x = 0; x < image.getWidth(); x++) {
                for (int y = 0; y < image.getHeight(); y++) {
                    colours.add(image.getRGB(x, y));
                }
            }

            assertThat(report.svg()).contains("viewBox=\"0 0 960 " + image.getHeight() / 2 + "\"");
            assertThat(image.getWidth()).isEqualTo(2 * 960);
            assertThat(colours)
                    .as("allowed, denied, text, panel, outside its corners")
                    .contains(0xff6f889f, 0xffb03f08, 0xff1b1f23, 0xffffffff, 0);
            assertThat(colours).as("black, of shapes without a style").doesNotContain(0xff000000);
        }
    }

    @Test
    void png_longSentence_keepsTheMargin() throws IOException {
        try (Trace trace = ReportTest.generated(2_000, 80)) {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(
                    ReportTest.report(trace, "ip", "60/1m").png()));
            int margin = 2 * 24;

            int[] right = image.getRGB(image.getWidth() - margin, margin, margin / 2, 100, null, 0, margin / 2);
            assertThat(right).containsOnly(0xffffffff);
        }
    }
}
