import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the program prints, and what it expects of Weir's answers. The protocol is the package comment of sdktest/matrix. */
final class Report {
    static final String HELLO = "Grüße, 世界 👋";
    static final String THOUGHT = "The question was read; a simulated answer will do.";

    /** What tries a feature: it throws if that does not work. */
    interface Feature {
        void run() throws Exception;
    }

    private Report() {}

    static void introduce(String client, String version) throws Exception {
        print("client", client, "version", version, "language", "Java " + Runtime.version().feature());
    }

    static void feature(String name, Feature feature) throws Exception {
        String result = "ok";
        String note = "";
        try {
            feature.run();
        } catch (Exception | Error e) {
            result = "failed";
            note = e.toString();
        }
        print("feature", name, "result", result, "note", note);
    }

    /** Members keep their order. */
    private static void print(String... members) throws Exception {
        Map<String, String> line = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            line.put(members[i], members[i + 1]);
        }
        System.out.println(new JsonMapper().writeValueAsString(line));
        System.out.flush();
    }

    static void check(boolean right, Object what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }

    static String env(String name) {
        String value = System.getenv(name);
        check(value != null && !value.isEmpty(), name + " is not set: run this through go test ./sdktest/matrix");
        return value;
    }

    /** The simulated provider's vectors have 256 dimensions and length 1. */
    static void checkVector(List<Float> vector) {
        double sum = 0;
        for (float x : vector) {
            sum += x * x;
        }
        check(vector.size() == 256 && Math.abs(sum - 1) < 1e-3, vector.size() + " dimensions, squares add up to " + sum);
    }
}
