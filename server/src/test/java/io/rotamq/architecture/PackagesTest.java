package io.rotamq.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Packages are flat, few, and say why they exist. */
class PackagesTest {
    /**
     * What a reader can hold in mind; records, enums and exceptions name things and do not count.
     */
    private static final int LIMIT = 25;

    @Test
    void everyPackageSaysThatNullIsAnException() {
        assertThat(packages().filter(p -> !p.isAnnotatedWith(NullMarked.class)))
                .as("packages without a @NullMarked package-info.java")
                .isEmpty();
    }

    @Test
    void noPackageHasMoreClassesThanAReaderCanHoldInMind() {
        Map<String, Long> sizes = new TreeMap<>();
        packages().forEach(p -> sizes.put(p.getName(), actors(p.getClasses())));
        assertThat(sizes.entrySet()).allMatch(size -> size.getValue() <= LIMIT);
    }

    private static Stream<JavaPackage> packages() {
        return Production.CLASSES.stream().map(JavaClass::getPackage).distinct();
    }

    private static long actors(Collection<JavaClass> classes) {
        return classes.stream().filter(PackagesTest::acts).count();
    }

    private static boolean acts(JavaClass type) {
        return type.isTopLevelClass()
                && !type.isArray()
                && !type.getSimpleName().equals("package-info")
                && !type.isRecord()
                && !type.isEnum()
                && !type.isAnnotation()
                && !type.isAssignableTo(Throwable.class)
                && !(type.isInterface() && isSealed(type))
                && !type.getModifiers().contains(JavaModifier.SYNTHETIC);
    }

    private static boolean isSealed(JavaClass type) {
        return type.reflect().isSealed();
    }
}
