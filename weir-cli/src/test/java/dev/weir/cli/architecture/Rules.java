package dev.weir.cli.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.weir.RateLimitedException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules of the architecture. Packages of planned modules are named too. */
final class Rules {
    private static final String[] CORE = {"dev.weir", "dev.weir.store..", "dev.weir.algorithm..", "dev.weir.internal.."
    };
    private static final String[] JAVA_BASE = {
        "java.lang..",
        "java.io..",
        "java.math..",
        "java.nio..",
        "java.security..",
        "java.text..",
        "java.time..",
        "java.util.."
    };
    private static final String[] PROGRAMS = {
        "dev.weir.cli..", "dev.weir.server..", "dev.weir.benchmarks..", "dev.weir.stress.."
    };

    private static final String[] LAYERED = {"dev.weir.server..", "dev.weir.replay..", "dev.weir.cli.."};

    private Rules() {}

    static final ArchRule CORE_DEPENDS_ON_NOTHING = classes()
            .that(resideInAnyPackage(CORE))
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage(CORE).or(resideInAnyPackage(JAVA_BASE)).or(resideInAPackage("org.jspecify..")));

    static final ArchRule TESTKIT_DEPENDS_ON_CORE = classes()
            .that()
            .resideInAPackage("dev.weir.testkit..")
            .should()
            .onlyDependOnClassesThat(foreign().or(resideInAnyPackage(CORE)).or(resideInAPackage("dev.weir.testkit..")));

    static final ArchRule REPLAY_DEPENDS_ON_CORE_AND_TESTKIT = classes()
            .that()
            .resideInAPackage("dev.weir.replay..")
            .should()
            .onlyDependOnClassesThat(foreign()
                    .or(resideInAnyPackage(CORE))
                    .or(resideInAnyPackage("dev.weir.testkit..", "dev.weir.replay..")));

    static final ArchRule NOTHING_DEPENDS_ON_PROGRAMS = noClasses()
            .that(not(resideInAnyPackage(PROGRAMS)))
            .should()
            .dependOnClassesThat(resideInAnyPackage(PROGRAMS));

    static final ArchRule ALGORITHMS_ARE_FOR_THE_CORE = noClasses()
            .that(not(resideInAnyPackage(CORE)))
            .should()
            .dependOnClassesThat(resideInAPackage("dev.weir.algorithm.."));

    /** They use only limits of the other packages, and only arithmetic and collections of Java. */
    static final ArchRule ALGORITHMS_KNOW_ONLY_LIMITS = classes()
            .that()
            .resideInAPackage("dev.weir.algorithm..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.weir.algorithm..",
                            "java.lang",
                            "java.lang.invoke",
                            "java.math",
                            "java.util",
                            "java.util.function",
                            "org.jspecify..")
                    .or(limits()));

    static final ArchRule ALGORITHMS_HAVE_NO_CLOCK = noClasses()
            .that()
            .resideInAPackage("dev.weir.algorithm..")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class);

    /** A class and its nested ones are one unit. */
    static final ArchRule NO_CYCLES = slices().assignedFrom(
                    by(type -> type.getName().replaceFirst("\\$.*", ""), "classes"))
            .should()
            .beFreeOfCycles();

    /** The packages of a library for users refer to each other: {@code dev.weir} has stores, and these have requests. */
    static final ArchRule NO_CYCLES_OF_PACKAGES = slices().assignedFrom(
                    by(type -> resideInAnyPackage(LAYERED).test(type) ? type.getPackageName() : null, "packages"))
            .should()
            .beFreeOfCycles();

    static final ArchRule NO_CLASS_PRINTS = GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    /** The format of the server's log is set where its libraries log to. */
    static final ArchRule NO_CLASS_LOGS_WITH_JAVA_UTIL = noClasses()
            .that(not(describe(
                    "format or collect the log",
                    type -> type.getName().matches("dev\\.weir\\.(cli\\.ServerLog|testing\\.LogLines)(\\$.*)?"))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging..");

    static final ArchRule ONLY_MAIN_EXITS =
            noClasses().that().doNotHaveSimpleName("Weir").should().callMethod(System.class, "exit", int.class);

    static final ArchRule NO_CLASS_SLEEPS = noClasses().should().callMethod(Thread.class, "sleep", long.class);

    /** RateLimitedException has a subclass in weir-http, so that handlers of denials also handle those of outgoing calls. */
    static final ArchRule CLASSES_ARE_FINAL_OR_FOR_INHERITANCE = classes()
            .that()
            .doNotHaveFullyQualifiedName(RateLimitedException.class.getName())
            .and()
            .areNotInterfaces()
            .and()
            .areNotAnonymousClasses()
            .and()
            .areNotEnums()
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT);

    private static SliceAssignment by(Function<JavaClass, @Nullable String> name, String description) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String slice = name.apply(type);
                return slice == null ? SliceIdentifier.ignore() : SliceIdentifier.of(slice);
            }

            @Override
            public String getDescription() {
                return description;
            }
        };
    }

    private static DescribedPredicate<JavaClass> foreign() {
        return not(resideInAPackage("dev.weir..")).as("are not Weir's");
    }

    private static DescribedPredicate<JavaClass> limits() {
        return describe("are limits", type -> type.getName().matches("dev\\.weir\\.(Limit|Accounting)(\\$.*)?"));
    }
}
