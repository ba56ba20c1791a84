package io.rotamq.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

/**
 * The core decides and does nothing else, so that a simulator can replay it from a seed: what would
 * reach the world, or give another answer the next time, comes through a port.
 */
class CorePurityTest {
    @Test
    void theCoreOpensNoSocketAndNoFile() {
        bans(
                resideInAnyPackage(
                                "java.net..",
                                "javax.net..",
                                "java.nio.channels..",
                                "java.nio.file..")
                        .or(resideInAPackage("java.io").and(isNoSerializationMarker()))
                        .as("sockets, files and streams"));
    }

    @Test
    void theCoreStartsNoThreadAndWaitsForNone() {
        bans(
                nameMatching(
                                "java\\.lang\\.(Thread|ThreadGroup|Runtime|Process.*)(\\$.*)?"
                                    + "|java\\.util\\.Timer.*"
                                    + "|java\\.util\\.concurrent\\.(.*Executor.*|.*Future.*|ForkJoin.*|CountDownLatch"
                                    + "|CyclicBarrier|Phaser|Exchanger|Semaphore|Flow.*|.*Blocking.*|TimeUnit|Delay.*)"
                                    + "|java\\.util\\.concurrent\\.locks\\..*")
                        .as("threads, executors, timers and locks"));
        bansCalls("java\\.lang\\.Object", "wait|notify|notifyAll");
    }

    @Test
    void theCoreReadsNoClock() {
        bansCalls("java\\.lang\\.System", "currentTimeMillis|nanoTime");
        bansCalls("java\\.time\\.Clock", "system.*|tick.*");
        bansCalls("java\\.time\\..*", "now");
        bansCalls("java\\.util\\.(Date|Calendar|GregorianCalendar)", "<init>|getInstance");
    }

    @Test
    void theCoreDrawsNoLotThatASeedCannotRepeat() {
        bansCalls("java\\.lang\\.Math", "random");
        bansCalls("java\\.util\\.UUID", "randomUUID");
        bans(
                nameMatching(
                                "java\\.util\\.concurrent\\.ThreadLocalRandom"
                                        + "|java\\.security\\.SecureRandom")
                        .as("unseeded randomness"));
        noClasses()
                .that()
                .resideInAPackage("io.rotamq.core..")
                .should()
                .callConstructor(java.util.Random.class)
                .check(Production.CLASSES);
    }

    @Test
    void theCoreReadsNoPropertyAndNoEnvironment() {
        bansCalls(
                "java\\.lang\\.(System|Integer|Long|Boolean)",
                "getenv|getProperty|getProperties|setProperty|getInteger|getLong|getBoolean|exit");
    }

    private static void bans(DescribedPredicate<? super JavaClass> what) {
        noClasses()
                .that()
                .resideInAPackage("io.rotamq.core..")
                .should()
                .dependOnClassesThat(what)
                .check(Production.CLASSES);
    }

    private static void bansCalls(String owner, String methods) {
        noClasses()
                .that()
                .resideInAPackage("io.rotamq.core..")
                .should()
                .accessTargetWhere(calls(owner, methods))
                .check(Production.CLASSES);
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String owner, String methods) {
        return DescribedPredicate.describe(
                owner + " (" + methods + ")",
                access -> {
                    AccessTarget target = access.getTarget();
                    return target.getOwner().getName().matches(owner)
                            && target.getName().matches(methods);
                });
    }

    private static DescribedPredicate<JavaClass> isNoSerializationMarker() {
        return DescribedPredicate.describe(
                "no marker of serialization",
                type -> !type.getName().equals("java.io.Serializable"));
    }
}
