package dev.weir.browser;

import java.util.List;

/** The contrast of text and marks, as the accessibility guidelines define it, with the opacity and the filters that the page has. */
final class Contrast {
    private static final String SCRIPT = """
            const parsed = colour => {
              const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
              return { rgb: [r, g, b], a };
            };
            const up = element => {
              const found = [];
              for (let e = element; e; e = e.parentElement) found.push(getComputedStyle(e));
              return found;
            };
            const mixed = (front, back, a) => front.map((c, i) => a * c + (1 - a) * back[i]);
            const grey = ([r, g, b]) => new Array(3).fill(0.2126 * r + 0.7152 * g + 0.0722 * b);
            const light = colour => {
              const [r, g, b] = colour.map(c => c / 255).map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const found = mark => {
              const [property, selector] = mark.split(' of ');
              return { property, element: document.querySelector(selector) };
            };
            return arguments[0].map(mark => {
              const [front, behind] = mark.split(' on ').map(found);
              const border = front.property.startsWith('border');
              const background = behind
                ? getComputedStyle(behind.element)[behind.property]
                : up(border ? front.element.parentElement : front.element).map(style => style.backgroundColor)
                  .find(colour => parsed(colour).a === 1);
              const styles = up(front.element);
              const opacity = styles.reduce((product, style) => product * style.opacity, 1);
              const back = parsed(background).rgb;
              const colours = [mixed(parsed(styles[0][front.property]).rgb, back, opacity), back];
              const shown = styles.some(style => style.filter.includes('grayscale')) ? colours.map(grey) : colours;
              return ratio(...shown.map(light));
            });
            """;

    private Contrast() {}

    /**
     * Returns the contrasts of properties of elements, such as {@code color of #id}, with the background of the element, or with a
     * property of another one: {@code fill of .a on fill of .b}.
     */
    static List<Double> of(Browser browser, String... marks) {
        List<?> contrasts = (List<?>) browser.value("(function() {" + SCRIPT + "})(arguments[0])", List.of(marks));
        return contrasts.stream()
                .map(contrast -> ((Number) contrast).doubleValue())
                .toList();
    }
}
