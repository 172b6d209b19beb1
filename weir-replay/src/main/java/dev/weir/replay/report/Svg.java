package dev.weir.replay.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.stream.Stream;

/** A part of an SVG image that is put together element by element. Colours come from classes, so that they follow the theme. */
final class Svg {
    private static final DecimalFormatSymbols SYMBOLS = DecimalFormatSymbols.getInstance(Locale.ROOT);

    private final StringBuilder out = new StringBuilder();

    /** Returns a coordinate with at most two decimals. */
    static String at(double value) {
        return new DecimalFormat("0.##", SYMBOLS).format(value);
    }

    /** Returns a share of the width as a coordinate. */
    static String across(double share) {
        return at(100 * share) + "%";
    }

    Svg line(String x1, double y1, String x2, double y2, String cssClass) {
        return element("line", cssClass, "x1", x1, "y1", at(y1), "x2", x2, "y2", at(y2));
    }

    /** Adds a rectangle; {@code more} are further attributes. */
    Svg rect(String x, double y, String width, double height, String cssClass, String... more) {
        String[] place = {"x", x, "y", at(y), "width", width, "height", at(height)};
        return element(
                "rect", cssClass, Stream.of(place, more).flatMap(Stream::of).toArray(String[]::new));
    }

    Svg circle(String x, double y, double radius, String cssClass) {
        return element("circle", cssClass, "cx", x, "cy", at(y), "r", at(radius));
    }

    Svg path(CharSequence steps, String cssClass) {
        return steps.isEmpty() ? this : element("path", cssClass, "d", steps.toString());
    }

    Svg text(String x, double y, String cssClass, String content) {
        out.append("<text x=\"").append(x).append("\" y=\"").append(at(y));
        out.append("\" class=\"").append(cssClass).append("\">");
        out.append(Markup.text(content).source()).append("</text>");
        return this;
    }

    /** Adds an element with attributes given as name and value, one after the other. */
    private Svg element(String name, String cssClass, String... attributes) {
        out.append('<').append(name).append(" class=\"").append(cssClass).append('"');
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(attributes[i + 1])
                    .append('"');
        }
        out.append("/>");
        return this;
    }

    Svg add(Markup part) {
        out.append(part.source());
        return this;
    }

    Markup markup() {
        return new Markup(out.toString());
    }

    /** Returns this as an image as wide as its place. */
    Markup image(double height, String label) {
        String role = label.isEmpty()
                ? "aria-hidden=\"true\""
                : "role=\"img\" aria-label=\"" + Markup.text(label).source() + "\"";
        return new Markup("<svg width=\"100%\" height=\"" + at(height) + "\" " + role + ">" + out + "</svg>");
    }

    /** Returns this as a part that is stretched from {@code width} units to the width of its place. */
    Markup stretched(double width, double height) {
        return new Markup("<svg width=\"100%\" height=\"" + at(height) + "\" viewBox=\"0 0 " + at(width) + " "
                + at(height) + "\" preserveAspectRatio=\"none\" aria-hidden=\"true\">" + out + "</svg>");
    }
}
