import io.trino.plugin.memory.MemoryPlugin;
import io.trino.server.testing.TestingTrinoServer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Starts a Trino of one node with tables in memory, prints its port, and stops when standard input closes. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out; // the server's log replaces it
        TestingTrinoServer server = TestingTrinoServer.builder()
            .setBaseDataDir(Optional.of(Path.of(arguments[0])))
            .setProperties(Map.of("query.client.timeout", "10m"))
            .build();
        server.installPlugin(new MemoryPlugin());
        server.createCatalog("memory", "memory", Map.of("memory.splits-per-node", "1"));
        out.println(server.getAddress().getPort());
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0); // an orderly shutdown takes five seconds
    }
}
