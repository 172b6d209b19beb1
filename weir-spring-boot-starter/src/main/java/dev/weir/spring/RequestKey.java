package dev.weir.spring;

import dev.weir.http.ClientAddress;
import dev.weir.internal.KeyBytes;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key of a request. Thread-safe.
 *
 * <p>Guarantee: every request has a key, so that leaving something out is no way around a limit. If what the key is made of is
 * missing, or is no key (empty, above 1,024 bytes, or like one of these), the key is {@code ip:} and the address of the client.
 */
final class RequestKey {
    private static final String FALLBACK = "ip:";
    private static final Pattern HEADER = Pattern.compile("header:\\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)");

    private final String text;
    private final ClientAddress address;
    private final Function<LimitedRequest, @Nullable String> source;

    private RequestKey(String text, ClientAddress address, Function<LimitedRequest, @Nullable String> source) {
        this.text = text;
        this.address = address;
        this.source = source;
    }

    /**
     * Parses the text of a key.
     *
     * @param property the name of the property, for messages
     * @param text ip, user, global, header:NAME or an expression
     * @throws IllegalArgumentException if it is none of these
     */
    static RequestKey parse(String property, String text, ClientAddress address) {
        return new RequestKey(text, address, source(property, text.strip(), address));
    }

    private static Function<LimitedRequest, @Nullable String> source(
            String property, String text, ClientAddress address) {
        if (text.startsWith("header:")) {
            var name = HEADER.matcher(text);
            if (!name.matches()) {
                throw new IllegalArgumentException("must be like header:X-Api-Key, was '" + text + "'");
            }
            return request -> first(request.headers(name.group(1)));
        }
        return switch (text) {
            case "ip" -> request -> request.client(address);
            case "user" -> LimitedRequest::user;
            case "global" -> request -> "global";
            default -> expression(property, text, address);
        };
    }

    private static Function<LimitedRequest, @Nullable String> expression(
            String property, String text, ClientAddress address) {
        try {
            return RequestExpression.parse(property, text, String.class, address)::evaluate;
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "must be ip, user, global, header:NAME or an expression: " + invalid.getMessage(), invalid);
        }
    }

    private static @Nullable String first(List<String> values) {
        return values.isEmpty() ? null : values.get(0);
    }

    /** Returns the key of a request. */
    String of(LimitedRequest request) {
        String found = source.apply(request);
        return found != null && isKey(found) ? found : FALLBACK + request.client(address);
    }

    private static boolean isKey(String found) {
        return KeyBytes.isKey(found) && !found.startsWith(FALLBACK);
    }

    /** Whether it needs to know the user. */
    boolean needsUser() {
        return text.strip().equals("user");
    }

    /** Whether it may read the user: expressions may. */
    boolean mayReadUser() {
        return !text.strip().equals("ip")
                && !text.strip().equals("global")
                && !text.strip().startsWith("header:");
    }

    @Override
    public String toString() {
        return text;
    }
}
