package io.rotamq.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** {@code mqtt <- core <- {storage, cluster} <- server}, and nothing else. */
class ModulesTest {
    @Test
    void theRulesSeeEveryModule() {
        for (String module : new String[] {"mqtt", "core", "storage", "server"}) {
            assertThat(Production.CLASSES.stream())
                    .as(module)
                    .anyMatch(c -> c.getPackageName().startsWith("io.rotamq." + module));
        }
    }

    @Test
    void mqttKnowsOnlyItselfAndBuffers() {
        classes()
                .that()
                .resideInAPackage("io.rotamq.mqtt..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.rotamq.mqtt..",
                        "java..",
                        "org.jspecify..",
                        "io.netty.buffer..",
                        "io.netty.util..")
                .check(Production.CLASSES);
    }

    @Test
    void coreKnowsOnlyItselfAndMqtt() {
        classes()
                .that()
                .resideInAPackage("io.rotamq.core..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.rotamq.core..",
                        "io.rotamq.mqtt..",
                        "java..",
                        "org.jspecify..",
                        "org.jctools..")
                .because(
                        "the core is reached through its ports and knows neither buffers nor"
                                + " channels")
                .check(Production.CLASSES);
    }

    @Test
    void onlyTheTransportKnowsHowPacketsLookAsBytes() {
        noClasses()
                .that()
                .resideInAnyPackage("io.rotamq.mqtt", "io.rotamq.mqtt.topic", "io.rotamq.core..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.rotamq.mqtt.codec")
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.rotamq.mqtt.topic")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.rotamq.mqtt")
                .because("packets have topics, and topics come without packets")
                .check(Production.CLASSES);
    }

    @Test
    void storageKnowsOnlyThePortsOfTheCoreAndRocksDb() {
        classes()
                .that()
                .resideInAPackage("io.rotamq.storage..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.rotamq.storage..",
                        "io.rotamq.core.port",
                        "java..",
                        "org.jspecify..",
                        "org.rocksdb..",
                        "org.slf4j..")
                .check(Production.CLASSES);
    }

    @Test
    void onlyStorageKnowsRocksDb() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.rotamq.storage..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(Production.CLASSES);
    }

    @Test
    void storageAndClusterDoNotKnowEachOtherNorTheServer() {
        noClasses()
                .that()
                .resideInAPackage("io.rotamq.storage..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.rotamq.cluster..", "io.rotamq.server..")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.rotamq.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.rotamq.storage..", "io.rotamq.server..")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
    }

    @Test
    void nobodyDependsOnTheBenchmarksOrTheWorkerLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.rotamq.bench..", "io.rotamq.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.rotamq.bench..", "io.rotamq.worker..")
                .check(Production.CLASSES);
    }

    @Test
    void packagesDependOnEachOtherInOneDirection() {
        slices().assignedFrom(new EachPackage())
                .should()
                .beFreeOfCycles()
                .check(Production.CLASSES);
    }

    private static final class EachPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
