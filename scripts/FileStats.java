import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Prints the lengths of files and methods, measured on the compiler's own syntax trees. */
public class FileStats {
    record Length(String name, long lines) {}

    public static void main(String[] arguments) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String argument : arguments) {
            try (Stream<Path> paths = Files.walk(Path.of(argument))) {
                paths.filter(p -> p.toString().endsWith(".java"))
                        .filter(p -> !p.endsWith("package-info.java"))
                        .forEach(sources::add);
            }
        }
        List<Length> files = new ArrayList<>();
        for (Path source : sources) {
            try (Stream<String> lines = Files.lines(source)) {
                files.add(new Length(source.toString(), lines.count()));
            }
        }
        print("files", files);
        print("methods", methods(sources));
    }

    private static List<Length> methods(List<Path> sources) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var fileManager = compiler.getStandardFileManager(null, null, null);
        var task =
                (JavacTask)
                        compiler.getTask(
                                null,
                                fileManager,
                                d -> {},
                                List.of("-proc:none"),
                                null,
                                fileManager.getJavaFileObjectsFromPaths(sources));
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<Length> methods = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            new MethodScanner(unit, positions, methods).scan(unit, "");
        }
        return methods;
    }

    private static void print(String what, List<Length> lengths) {
        if (lengths.isEmpty()) {
            return;
        }
        lengths.sort(Comparator.comparingLong(Length::lines));
        System.out.printf(
                "%-8s %5d   median %3d   p95 %3d   longest:%n",
                what, lengths.size(), at(lengths, 0.5), at(lengths, 0.95));
        lengths.reversed().stream()
                .limit(5)
                .forEach(l -> System.out.printf("  %4d  %s%n", l.lines(), l.name()));
    }

    private static long at(List<Length> sorted, double quantile) {
        int index = (int) Math.ceil(quantile * sorted.size()) - 1;
        return sorted.get(Math.max(index, 0)).lines();
    }

    private static final class MethodScanner extends TreeScanner<Void, String> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<Length> methods;

        MethodScanner(CompilationUnitTree unit, SourcePositions positions, List<Length> methods) {
            this.unit = unit;
            this.positions = positions;
            this.methods = methods;
        }

        @Override
        public Void visitClass(ClassTree type, String outer) {
            return super.visitClass(type, outer + type.getSimpleName() + ".");
        }

        @Override
        public Void visitMethod(MethodTree method, String type) {
            LineMap lines = unit.getLineMap();
            long end = positions.getEndPosition(unit, method);
            if (end >= 0 && method.getBody() != null) {
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                String name = type + method.getName();
                methods.add(new Length(name, lines.getLineNumber(end) - first + 1));
            }
            return super.visitMethod(method, type);
        }
    }
}
