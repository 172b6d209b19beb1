package dev.weir.replay.report;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Draws an SVG image, whose style must have no variables, as a PNG image. */
final class PngImage {
    private static final int PIXELS = 2; // for a unit of the SVG image: sharp on any screen

    private PngImage() {}

    /**
     * Returns the image.
     *
     * @throws UnsupportedOperationException if the JDK finds no font
     */
    static byte[] of(Markup svg) {
        ByteArrayInputStream in = new ByteArrayInputStream(svg.source().getBytes(StandardCharsets.UTF_8));
        SVGDocument document =
                Objects.requireNonNull(new SVGLoader().load(in, null, LoaderContext.createDefault()), "document");
        try {
            return encoded(drawn(document));
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Error e) { // the JDK throws errors of several types
            throw new UnsupportedOperationException("this Java cannot draw text, it found no fonts", e);
        }
    }

    private static BufferedImage drawn(SVGDocument document) {
        int width = (int) Math.ceil(PIXELS * document.size().width);
        int height = (int) Math.ceil(PIXELS * document.size().height);
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.scale(PIXELS, PIXELS);
        document.render(null, graphics);
        graphics.dispose();
        return image;
    }

    private static byte[] encoded(BufferedImage image) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // Without a stream of its own, ImageIO would need a file in the directory for temporary files.
        try (ImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            ImageIO.write(image, "png", stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
