package dev.weir.stress;

import dev.weir.stress.models.AdmittingModel;
import dev.weir.stress.models.GivingBackModel;
import dev.weir.stress.models.LeavingModel;
import dev.weir.stress.models.TurnsModel;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.runners.TestList;

/** What is tried on Weir as it is: every race that jcstress's annotation processor has found, and every model. */
final class Races {
    private Races() {}

    static Stream<Class<?>> all() {
        return TestList.tests().stream().sorted().map(Races::named);
    }

    static Stream<Class<?>> models() {
        return Stream.of(AdmittingModel.class, GivingBackModel.class, LeavingModel.class, TurnsModel.class);
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
