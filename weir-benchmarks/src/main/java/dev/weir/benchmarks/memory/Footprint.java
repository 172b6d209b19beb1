package dev.weir.benchmarks.memory;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.openjdk.jol.vm.VM;

/**
 * The bytes of an object and of all that it alone leads to. JOL determines the size of each object as this JVM lays it out; the
 * walk is our own, since JOL's keeps the path to every object, which is too much for millions of them. It follows instance
 * fields and array elements, meets each object once, and passes by strings (the keys) and what belongs to the JVM: classes,
 * class loaders, threads and executors.
 */
public final class Footprint {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    private final Map<Class<?>, Long> sizes = new HashMap<>();

    private Footprint() {}

    /** The bytes from this object on. */
    public static long of(Object root) {
        return new Footprint().bytes(root);
    }

    /** The bytes of this object alone. */
    public static long ofOne(Object object) {
        return VM.current().sizeOf(object);
    }

    private long bytes(Object root) {
        meet(root);
        long bytes = 0;
        while (!open.isEmpty()) {
            Object object = open.pop();
            Class<?> type = object.getClass();
            if (type.isArray()) {
                bytes += ofOne(object);
                meetElements(object);
            } else {
                bytes += sizes.computeIfAbsent(type, unknown -> ofOne(object));
                meetFields(object);
            }
        }
        return bytes;
    }

    private void meet(Object object) {
        if (object != null && !isShared(object) && seen.add(object)) {
            open.push(object);
        }
    }

    private static boolean isShared(Object object) {
        return object instanceof String
                || object instanceof Class
                || object instanceof ClassLoader
                || object instanceof Thread
                || object instanceof ThreadGroup
                || object instanceof Executor;
    }

    private void meetElements(Object array) {
        if (array instanceof Object[] elements) {
            for (Object element : elements) {
                meet(element);
            }
        }
    }

    private void meetFields(Object object) {
        try {
            for (Field field : fields.computeIfAbsent(object.getClass(), Footprint::references)) {
                meet(field.get(object));
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError("the field was made accessible", e);
        }
    }

    private static List<Field> references(Class<?> type) {
        List<Field> references = new ArrayList<>();
        for (Class<?> part = type; part != null; part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    references.add(field);
                }
            }
        }
        return references;
    }
}
