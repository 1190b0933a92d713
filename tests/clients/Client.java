import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** Runs two files of SQL, and prints the rows of a third. */
class Client {
  public static void main(String[] paths) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(Path.of(paths[0])));
      statement.execute(Files.readString(Path.of(paths[1])));
      try (ResultSet rows = statement.executeQuery(Files.readString(Path.of(paths[2])))) {
        while (rows.next()) {
          System.out.println(rows.getString(1));
        }
      }
    }
  }
}
