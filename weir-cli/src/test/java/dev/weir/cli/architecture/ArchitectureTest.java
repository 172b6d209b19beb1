package dev.weir.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.algorithm.offender.ReadsTheClock;
import dev.weir.algorithm.offender.WaitsForItsTurn;
import dev.weir.replay.offender.SeesTheCli;
import dev.weir.replay.offender.east.East;
import dev.weir.replay.offender.west.West;
import dev.weir.store.offender.UsesALibrary;
import dev.weir.testkit.offender.SeesReplay;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every rule holds for every module, and every rule can fail: an offender beside these tests breaks it.
 *
 * <p>These tests are in weir-cli because it is the only module with all published modules on its class path.
 */
final class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.weir");

    @ParameterizedTest
    @MethodSource("offences")
    void rule_ourClasses_holds(ArchRule rule) {
        rule.check(OURS);
    }

    @ParameterizedTest
    @MethodSource("offences")
    void rule_offender_isBroken(ArchRule rule, List<Class<?>> offenders) {
        JavaClasses classes = new ClassFileImporter().importClasses(offenders);

        assertThat(rule.evaluate(classes).hasViolation()).isTrue();
    }

    @Test
    void rules_allOfThem_areTried() {
        long rules = Arrays.stream(Rules.class.getDeclaredFields())
                .filter(field -> field.getType() == ArchRule.class)
                .count();

        assertThat(offences()).hasSize((int) rules);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void classes_everyModule_isChecked(String packageName) {
        assertThat(OURS.containPackage(packageName)).isTrue();
    }

    static Stream<String> modules() {
        return Stream.of(
                "dev.weir",
                "dev.weir.store",
                "dev.weir.algorithm",
                "dev.weir.testkit",
                "dev.weir.redis",
                "dev.weir.http",
                "dev.weir.micrometer",
                "dev.weir.replay",
                "dev.weir.server",
                "dev.weir.cli",
                "dev.weir.cli.terminal");
    }

    static Stream<Arguments> offences() {
        return Stream.of(
                offence(Rules.CORE_DEPENDS_ON_NOTHING, UsesALibrary.class),
                offence(Rules.TESTKIT_DEPENDS_ON_CORE, SeesReplay.class),
                offence(Rules.REPLAY_DEPENDS_ON_CORE_AND_TESTKIT, SeesTheCli.class),
                offence(Rules.NOTHING_DEPENDS_ON_PROGRAMS, SeesTheCli.class),
                offence(Rules.ALGORITHMS_ARE_FOR_THE_CORE, CallsAnAlgorithm.class),
                offence(Rules.ALGORITHMS_KNOW_ONLY_LIMITS, WaitsForItsTurn.class),
                offence(Rules.ALGORITHMS_HAVE_NO_CLOCK, ReadsTheClock.class),
                offence(Rules.NO_CYCLES, East.class, West.class),
                offence(Rules.NO_CYCLES_OF_PACKAGES, East.class, West.class),
                offence(Rules.NO_CLASS_PRINTS, CallsAnAlgorithm.class),
                offence(
                        Rules.NO_CLASS_LOGS_WITH_JAVA_UTIL,
                        library("org.junit.platform.commons.logging.LoggerFactory$DelegatingLogger")),
                offence(Rules.ONLY_MAIN_EXITS, SeesTheCli.class),
                offence(Rules.NO_CLASS_SLEEPS, WaitsForItsTurn.class),
                offence(Rules.CLASSES_ARE_FINAL_OR_FOR_INHERITANCE, SeesReplay.class));
    }

    private static Arguments offence(ArchRule rule, Class<?>... offenders) {
        return arguments(rule, List.of(offenders));
    }

    /** Our modules cannot even be compiled against some packages; a library can. */
    private static Class<?> library(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
