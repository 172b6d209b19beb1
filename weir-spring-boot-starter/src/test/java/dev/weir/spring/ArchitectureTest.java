package dev.weir.spring;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/** The rules of the architecture that hold for all modules; weir-cli, which checks the others, does not depend on this one. */
class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.weir.spring");

    @Test
    void classes_haveNoCycles() {
        SlicesRuleDefinition.slices()
                .assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""));
                    }

                    @Override
                    public String getDescription() {
                        return "classes";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(OURS);
    }

    @Test
    void publicTypes_areThoseForUsers() {
        assertThat(OURS.stream()
                        .filter(type -> type.getModifiers().contains(PUBLIC))
                        .filter(type -> !type.getSimpleName().endsWith("AutoConfiguration"))
                        .filter(type -> !type.getPackageName().endsWith(".internal"))
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "RateLimiters",
                        "Plans",
                        "RateLimited",
                        "All",
                        "GatewayRateLimiter",
                        "Config",
                        "AutoConfigureManualTime",
                        "RateLimitRequestInterceptor",
                        "RateLimitExchangeFilter");
    }
}
