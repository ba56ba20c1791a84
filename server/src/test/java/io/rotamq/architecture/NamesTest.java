package io.rotamq.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.junit.jupiter.api.Test;

/** A name says what a thing is; these endings say only that nobody knew. */
class NamesTest {
    @Test
    void noClassIsNamedForItsLackOfAName() {
        noClasses()
                .should()
                .haveNameMatching(".*(Impl|Utils?|Helpers?|Managers?)(\\$.*)?")
                .orShould()
                .haveNameMatching(".*[.$]I[A-Z][a-z][^.$]*")
                .check(Production.CLASSES);
    }

    @Test
    void noPackageIsAPlaceForTheRest() {
        noClasses()
                .should()
                .resideInAnyPackage(
                        "..common..", "..util..", "..utils..", "..helper..", "..impl..", "..misc..")
                .check(Production.CLASSES);
    }

    @Test
    void anAbstractClassNamedSoIsExtendedInItsOwnPackage() {
        classes()
                .that()
                .haveSimpleNameStartingWith("Abstract")
                .should(
                        new ArchCondition<JavaClass>("be extended in their own package") {
                            @Override
                            public void check(JavaClass type, ConditionEvents events) {
                                boolean extended =
                                        type.getSubclasses().stream()
                                                .anyMatch(
                                                        s ->
                                                                s.getPackageName()
                                                                        .equals(
                                                                                type
                                                                                        .getPackageName()));
                                events.add(
                                        new SimpleConditionEvent(type, extended, type.getName()));
                            }
                        })
                .allowEmptyShould(true)
                .check(Production.CLASSES);
    }
}
