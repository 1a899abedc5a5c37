import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.RateLimitException;
import com.openai.errors.SseException;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionContentPart;
import com.openai.models.chat.completions.ChatCompletionContentPartImage;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.completions.CompletionUsage;
import com.openai.models.embeddings.CreateEmbeddingResponse;
import com.openai.models.embeddings.Embedding;
import com.openai.models.embeddings.EmbeddingCreateParams;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The official Java SDK's program of the client matrix. */
public final class Suite {
    private static final Set<String> MODELS = Set.of(
            "breaks", "broken", "chat", "cut", "embed", "endless", "limited", "limited-once", "overloaded", "overloaded-once",
            "reasoner", "refused", "team/chat");

    /** The function that models can call: the SDK makes the schema of it. */
    @JsonTypeName("get_weather")
    @JsonClassDescription("The weather in a city.")
    static class Weather {
        public enum Unit { celsius, fahrenheit }

        public String city;
        public Unit unit;
    }

    /** A structured answer. */
    static class Answer {
        public String city;
        public int degrees;
    }

    public static void main(String[] args) throws Exception {
        System.setOut(new PrintStream(System.out, true, UTF_8));
        Report.introduce("openai-java", OpenAIClient.class.getPackage().getImplementationVersion());
        Report.feature("models", Suite::models);
        Report.feature("chat", Suite::chat);
        Report.feature("stream", () -> stream(false));
        Report.feature("stream-usage", () -> stream(true));
        Report.feature("tools", Suite::tools);
        Report.feature("parallel-tool-stream", Suite::parallelTools);
        Report.feature("structured", Suite::structured);
        Report.feature("reasoning", Suite::reasoning);
        Report.feature("image", Suite::image);
        Report.feature("cancel", Suite::cancel);
        Report.feature("embeddings-float", Suite::embeddingsAsNumbers);
        Report.feature("embeddings-base64", Suite::embeddingsAsBase64);
        Report.feature("embeddings-tokens", Suite::embeddingsOfTokens);
        Report.feature("error-400", () -> refused(BadRequestException.class, "WEIR_KEY", "refused", 400, "upstream_says_so"));
        Report.feature("error-401", () -> refused(UnauthorizedException.class, "WEIR_BAD_KEY", "chat", 401, "invalid_api_key"));
        Report.feature("error-404", () -> refused(NotFoundException.class, "WEIR_KEY", "nope", 404, "model_not_found"));
        Report.feature("error-429", () -> refused(RateLimitException.class, "WEIR_KEY", "limited", 429, "upstream_rate_limited"));
        Report.feature("error-502", () -> refused(InternalServerException.class, "WEIR_KEY", "broken", 502, "upstream_failed"));
        Report.feature("error-503", () -> refused(InternalServerException.class, "WEIR_KEY", "overloaded", 503, "upstream_overloaded"));
        Report.feature("retry-429", () -> retried("limited-once"));
        Report.feature("retry-503", () -> retried("overloaded-once"));
        Report.feature("truncated", () -> broken("cut"));
        Report.feature("error-in-stream", () -> broken("breaks"));
        System.exit(0); // the HTTP client's threads would keep the program running for a while
    }

    private static OpenAIClient client(String key, int retries) {
        return OpenAIOkHttpClient.builder()
                .baseUrl(Report.env("WEIR_BASE_URL"))
                .apiKey(Report.env(key))
                .maxRetries(retries)
                .build();
    }

    private static OpenAIClient weir() {
        return client("WEIR_KEY", 0);
    }

    private static ChatCompletionCreateParams.Builder ask(String model, String text) {
        return ChatCompletionCreateParams.builder().model(model).addUserMessage(text);
    }

    /** Asks, and checks that there is one choice and that the usage adds up. */
    private static ChatCompletion.Choice complete(ChatCompletionCreateParams params) {
        ChatCompletion got = weir().chat().completions().create(params);
        checkUsage(got.usage().orElseThrow());
        Report.check(got.choices().size() == 1, got);
        return got.choices().get(0);
    }

    private static void checkUsage(CompletionUsage usage) {
        Report.check(usage.promptTokens() > 0 && usage.completionTokens() > 0
                && usage.totalTokens() == usage.promptTokens() + usage.completionTokens(), usage);
    }

    private static void models() {
        for (Map.Entry<String, Set<String>> key : Map.of("WEIR_KEY", MODELS, "WEIR_SCOPED_KEY", Set.of("chat")).entrySet()) {
            Set<String> got = new HashSet<>();
            client(key.getKey(), 0).models().list().autoPager().forEach(model -> got.add(model.id()));
            Report.check(got.equals(key.getValue()), got);
        }
    }

    private static void chat() {
        ChatCompletion.Choice got = complete(ask("chat", Report.HELLO).build());
        Report.check(got.message().content().orElseThrow().contains(Report.HELLO), got);
        Report.check(got.finishReason().equals(ChatCompletion.Choice.FinishReason.STOP), got);
    }

    /** Reads a stream to its end. */
    private static List<ChatCompletionChunk> read(ChatCompletionCreateParams params) {
        try (StreamResponse<ChatCompletionChunk> stream = weir().chat().completions().createStreaming(params)) {
            return stream.stream().toList();
        }
    }

    /** What the SDK's own accumulator makes of a stream. */
    private static ChatCompletion accumulated(List<ChatCompletionChunk> chunks) {
        ChatCompletionAccumulator accumulator = ChatCompletionAccumulator.create();
        chunks.forEach(accumulator::accumulate);
        ChatCompletion whole = accumulator.chatCompletion();
        Report.check(whole.choices().size() == 1, whole);
        return whole;
    }

    private static void stream(boolean usage) {
        String whole = complete(ask("chat", Report.HELLO).build()).message().content().orElseThrow();
        ChatCompletionCreateParams.Builder params = ask("chat", Report.HELLO);
        if (usage) {
            params.streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
        }
        List<ChatCompletionChunk> chunks = read(params.build());
        ChatCompletion got = accumulated(chunks);
        Report.check(chunks.size() > 3 && got.choices().get(0).message().content().orElseThrow().equals(whole), got);
        Report.check(got.choices().get(0).finishReason().equals(ChatCompletion.Choice.FinishReason.STOP), got);
        Report.check(got.usage().isPresent() == usage, got);
        got.usage().ifPresent(Suite::checkUsage);
    }

    private static void checkCall(ChatCompletionMessageFunctionToolCall call) {
        Weather weather = call.function().arguments(Weather.class);
        Report.check(!call.id().isEmpty() && call.function().name().equals("get_weather"), call);
        Report.check(weather.city != null && weather.unit == Weather.Unit.celsius, call);
    }

    private static void tools() {
        ChatCompletionCreateParams.Builder params = ask("chat", "How is the weather?").addTool(Weather.class);
        ChatCompletion.Choice first = complete(params.build());
        List<ChatCompletionMessageToolCall> calls = first.message().toolCalls().orElse(List.of());
        Report.check(calls.size() == 1 && first.finishReason().equals(ChatCompletion.Choice.FinishReason.TOOL_CALLS), first);
        checkCall(calls.get(0).asFunction());
        params.addMessage(first.message());
        params.addMessage(ChatCompletionToolMessageParam.builder()
                .toolCallId(calls.get(0).asFunction().id())
                .content("12 °C")
                .build());
        ChatCompletion.Choice second = complete(params.build());
        Report.check(second.finishReason().equals(ChatCompletion.Choice.FinishReason.STOP), second);
        Report.check(!second.message().content().orElse("").isEmpty(), second);
    }

    private static void parallelTools() {
        ChatCompletionCreateParams params =
                ask("chat", "The weather in two cities, in parallel.").addTool(Weather.class).build();
        ChatCompletion.Choice got = accumulated(read(params)).choices().get(0);
        List<ChatCompletionMessageToolCall> calls = got.message().toolCalls().orElse(List.of());
        Report.check(calls.size() == 2 && got.finishReason().equals(ChatCompletion.Choice.FinishReason.TOOL_CALLS), got);
        Report.check(!calls.get(0).asFunction().id().equals(calls.get(1).asFunction().id()), got);
        calls.forEach(call -> checkCall(call.asFunction()));
    }

    private static void structured() {
        Answer answer = weir().chat().completions()
                .create(ask("chat", Report.HELLO).responseFormat(Answer.class).build())
                .choices().get(0).message().content().orElseThrow();
        Report.check(answer.city != null, "no city");
    }

    /** The reasoning is among the members that the SDK does not know but keeps. */
    private static void reasoning() {
        ChatCompletionCreateParams params = ask("reasoner", Report.HELLO).build();
        String whole = text(complete(params).message()._additionalProperties());
        StringBuilder streamed = new StringBuilder();
        for (ChatCompletionChunk chunk : read(params)) {
            chunk.choices().forEach(choice -> streamed.append(text(choice.delta()._additionalProperties())));
        }
        Report.check(whole.equals(Report.THOUGHT) && streamed.toString().equals(Report.THOUGHT), whole + " | " + streamed);
    }

    private static String text(Map<String, JsonValue> additional) {
        JsonValue value = additional.get("reasoning_content");
        return value == null ? "" : value.convert(String.class);
    }

    private static void image() {
        List<ChatCompletionContentPart> parts = List.of(
                ChatCompletionContentPart.ofText(ChatCompletionContentPartText.builder().text(Report.HELLO).build()),
                ChatCompletionContentPart.ofImageUrl(ChatCompletionContentPartImage.builder()
                        .imageUrl(ChatCompletionContentPartImage.ImageUrl.builder().url(Report.env("WEIR_IMAGE")).build())
                        .build()));
        ChatCompletion.Choice got = complete(
                ChatCompletionCreateParams.builder().model("chat").addUserMessageOfArrayOfContentParts(parts).build());
        Report.check(got.message().content().orElseThrow().contains(Report.HELLO), got);
    }

    private static EmbeddingCreateParams.Builder embed() {
        return EmbeddingCreateParams.builder().model("embed");
    }

    private static List<Embedding> embeddings(EmbeddingCreateParams.Builder params, int count) {
        CreateEmbeddingResponse got = weir().embeddings().create(params.build());
        Report.check(got.data().size() == count && got.usage().totalTokens() > 0, got.usage());
        for (int i = 0; i < count; i++) {
            Report.check(got.data().get(i).index() == i, "index " + got.data().get(i).index());
        }
        return got.data();
    }

    private static void embeddingsAsNumbers() {
        EmbeddingCreateParams.Builder params =
                embed().inputOfArrayOfStrings(List.of(Report.HELLO, "two")).encodingFormat(EmbeddingCreateParams.EncodingFormat.FLOAT);
        embeddings(params, 2).forEach(e -> Report.checkVector(e.embedding()));
    }

    /** The SDK hands out both the text and, decoded, the numbers. */
    private static void embeddingsAsBase64() {
        EmbeddingCreateParams.Builder params =
                embed().inputOfArrayOfStrings(List.of(Report.HELLO, "two")).encodingFormat(EmbeddingCreateParams.EncodingFormat.BASE64);
        for (Embedding e : embeddings(params, 2)) {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(e.embeddingValue().asBase64())).order(ByteOrder.LITTLE_ENDIAN);
            List<Float> vector = new ArrayList<>();
            while (bytes.hasRemaining()) {
                vector.add(bytes.getFloat());
            }
            Report.checkVector(vector);
            Report.check(vector.equals(e.embedding()), "the SDK decodes other numbers");
        }
    }

    private static void embeddingsOfTokens() {
        embeddings(embed().inputOfArrayOfTokens(List.of(1L, 2L, 3L)), 1).forEach(e -> Report.checkVector(e.embedding()));
        embeddings(embed().inputOfArrayOfTokenArrays(List.of(List.of(1L, 2L), List.of(3L))), 2)
                .forEach(e -> Report.checkVector(e.embedding()));
    }

    private static void refused(Class<? extends OpenAIServiceException> type, String key, String model, int status, String code) {
        try {
            client(key, 0).chat().completions().create(ask(model, Report.HELLO).build());
        } catch (OpenAIServiceException e) {
            Report.check(type.isInstance(e) && e.statusCode() == status && e.code().orElse("").equals(code), e);
            Report.check(!e.getMessage().isEmpty(), "no message");
            return;
        }
        throw new AssertionError("no error");
    }

    private static void retried(String model) {
        ChatCompletion got = client("WEIR_KEY", 2).chat().completions().create(ask(model, Report.HELLO).build());
        Report.check(got.choices().get(0).message().content().orElseThrow().contains(Report.HELLO), got);
    }

    /** A stream is left by closing it. */
    private static void cancel() {
        try (StreamResponse<ChatCompletionChunk> stream =
                weir().chat().completions().createStreaming(ask("endless", Report.HELLO).build())) {
            Report.check(stream.stream().iterator().hasNext(), "nothing came");
        }
    }

    private static void broken(String model) {
        int chunks = 0;
        try (StreamResponse<ChatCompletionChunk> stream =
                weir().chat().completions().createStreaming(ask(model, Report.HELLO).build())) {
            for (Iterator<ChatCompletionChunk> i = stream.stream().iterator(); i.hasNext(); chunks++) {
                i.next().choices().forEach(choice -> Report.check(choice.finishReason().isEmpty(), choice));
            }
        } catch (SseException e) {
            Report.check(chunks > 0 && e.type().orElse("").equals("upstream_error"), e);
            return;
        }
        throw new AssertionError("taken for whole after " + chunks + " chunks");
    }
}
