//! async-openai's program of the client matrix.
mod report;

use client::{
    Client,
    config::OpenAIConfig,
    error::{ApiErrorResponse, OpenAIError},
    middleware::ReqwestService,
    types::chat::*,
    types::embeddings::*,
};
use futures::StreamExt;
use report::*;
use serde_json::{Value, json};

#[tokio::main]
async fn main() {
    introduce("async-openai");
    feature("models", models()).await;
    feature("chat", chat()).await;
    feature("stream", stream(false)).await;
    feature("stream-usage", stream(true)).await;
    feature("tools", tools()).await;
    feature("parallel-tool-stream", parallel_tools()).await;
    feature("structured", structured()).await;
    feature("reasoning", reasoning()).await;
    feature("image", image()).await;
    feature("cancel", cancelled()).await;
    feature("embeddings-float", embeddings(EmbeddingInput::StringArray(vec![HELLO.into(), "two".into()]), 2)).await;
    feature("embeddings-base64", embeddings_base64()).await;
    feature("embeddings-tokens", embeddings_of_tokens()).await;
    feature("error-400", refused("WEIR_KEY", "refused", 400, "upstream_says_so")).await;
    feature("error-401", refused("WEIR_BAD_KEY", "chat", 401, "invalid_api_key")).await;
    feature("error-404", refused("WEIR_KEY", "nope", 404, "model_not_found")).await;
    feature("error-429", refused("WEIR_KEY", "limited", 429, "upstream_rate_limited")).await;
    feature("error-502", refused("WEIR_KEY", "broken", 502, "upstream_failed")).await;
    feature("error-503", refused("WEIR_KEY", "overloaded", 503, "upstream_overloaded")).await;
    feature("retry-429", retried("limited-once")).await;
    feature("retry-503", retried("overloaded-once")).await;
    feature("truncated", broken("cut")).await;
    feature("error-in-stream", broken("breaks")).await;
}

/// A client as it comes, which retries.
fn retrying(key: &str) -> Client<OpenAIConfig> {
    Client::with_config(OpenAIConfig::new().with_api_base(var("WEIR_BASE_URL")).with_api_key(var(key)))
}

/// A client whose HTTP service is the plain one.
fn weir(key: &str) -> Client<OpenAIConfig> {
    retrying(key).with_http_service(ReqwestService::default())
}

fn ask(model: &str, text: &str) -> CreateChatCompletionRequest {
    let message = ChatCompletionRequestUserMessage { content: text.into(), name: None };
    CreateChatCompletionRequest { model: model.into(), messages: vec![message.into()], ..Default::default() }
}

/// Asks, and checks that there is one choice and that the usage adds up.
async fn complete(request: CreateChatCompletionRequest) -> Outcome<ChatChoice> {
    let mut answer = weir("WEIR_KEY").chat().create(request).await?;
    let usage = answer.usage.ok_or("no usage")?;
    check_usage(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens)?;
    if answer.choices.len() != 1 {
        return wrong(answer.choices);
    }
    Ok(answer.choices.remove(0))
}

async fn models() -> Outcome {
    let all = [
        "breaks",
        "broken",
        "chat",
        "cut",
        "embed",
        "endless",
        "limited",
        "limited-once",
        "overloaded",
        "overloaded-once",
        "reasoner",
        "refused",
        "team/chat",
    ];
    for (key, want) in [("WEIR_KEY", &all[..]), ("WEIR_SCOPED_KEY", &["chat"][..])] {
        let mut got: Vec<String> = weir(key).models().list().await?.data.into_iter().map(|m| m.id).collect();
        got.sort();
        if got != want {
            return wrong(got);
        }
    }
    Ok(())
}

async fn chat() -> Outcome {
    let got = complete(ask("chat", HELLO)).await?;
    if !got.message.content.as_deref().unwrap_or_default().contains(HELLO) || got.finish_reason != Some(FinishReason::Stop) {
        return wrong(got);
    }
    Ok(())
}

/// What a stream brought; the client leaves assembling it to its caller.
#[derive(Debug, Default)]
struct Streamed {
    chunks: usize, // with text
    text: String,
    finish: Vec<FinishReason>,
    usage: Option<CompletionUsage>,
    calls: Vec<(String, String, String)>, // id, name, arguments
}

/// Asks for a stream. Built for types of the caller's own, the client leaves it to the caller to say so in the request.
async fn open(request: CreateChatCompletionRequest) -> Result<ChatCompletionResponseStream, OpenAIError> {
    weir("WEIR_KEY").chat().create_stream(CreateChatCompletionRequest { stream: Some(true), ..request }).await
}

/// Reads a stream into what it brings, to its end or its first error.
async fn read(request: CreateChatCompletionRequest, into: &mut Streamed) -> Result<(), OpenAIError> {
    let mut stream = open(request).await?;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        into.usage = chunk.usage.or(into.usage.take());
        for choice in chunk.choices {
            let text = choice.delta.content.unwrap_or_default();
            into.chunks += usize::from(!text.is_empty());
            into.text += &text;
            into.finish.extend(choice.finish_reason);
            for piece in choice.delta.tool_calls.unwrap_or_default() {
                let at = piece.index as usize;
                into.calls.resize(into.calls.len().max(at + 1), Default::default());
                let function = piece.function.unwrap_or_default();
                into.calls[at].0 += &piece.id.unwrap_or_default();
                into.calls[at].1 += &function.name.unwrap_or_default();
                into.calls[at].2 += &function.arguments.unwrap_or_default();
            }
        }
    }
    Ok(())
}

async fn stream(usage: bool) -> Outcome {
    let whole = complete(ask("chat", HELLO)).await?.message.content.unwrap_or_default();
    let mut request = ask("chat", HELLO);
    if usage {
        request.stream_options = Some(ChatCompletionStreamOptions { include_usage: Some(true), include_obfuscation: None });
    }
    let mut got = Streamed::default();
    read(request, &mut got).await?;
    if got.text != whole || got.chunks < 2 || got.finish != [FinishReason::Stop] || usage != got.usage.is_some() {
        return wrong(got);
    }
    got.usage.map_or(Ok(()), |u| check_usage(u.prompt_tokens, u.completion_tokens, u.total_tokens))
}

fn with_tools(text: &str) -> CreateChatCompletionRequest {
    let function =
        FunctionObject { name: TOOL.into(), description: Some("The weather in a city.".into()), parameters: Some(tool_schema()), strict: Some(true) };
    CreateChatCompletionRequest { tools: Some(vec![ChatCompletionTools::Function(ChatCompletionTool { function })]), ..ask("chat", text) }
}

async fn tools() -> Outcome {
    let mut request = with_tools("How is the weather?");
    let first = complete(request.clone()).await?;
    let calls = first.message.tool_calls.clone().unwrap_or_default();
    let (Some(FinishReason::ToolCalls), [ChatCompletionMessageToolCalls::Function(call)]) = (first.finish_reason, &calls[..]) else {
        return wrong(first);
    };
    check_call(&call.id, &call.function.name, &call.function.arguments)?;
    let said = ChatCompletionRequestAssistantMessage { tool_calls: Some(calls.clone()), ..Default::default() };
    let result = ChatCompletionRequestToolMessage { content: "12 °C".into(), tool_call_id: call.id.clone() };
    request.messages.extend([said.into(), result.into()]);
    let second = complete(request).await?;
    if second.finish_reason != Some(FinishReason::Stop) || second.message.content.as_deref().unwrap_or_default().is_empty() {
        return wrong(second);
    }
    Ok(())
}

async fn parallel_tools() -> Outcome {
    let mut got = Streamed::default();
    read(with_tools("The weather in two cities, in parallel."), &mut got).await?;
    if got.calls.len() != 2 || got.calls[0].0 == got.calls[1].0 || got.finish != [FinishReason::ToolCalls] {
        return wrong(got);
    }
    got.calls.iter().try_for_each(|(id, name, arguments)| check_call(id, name, arguments))
}

async fn structured() -> Outcome {
    let json_schema = ResponseFormatJsonSchema { name: "answer".into(), description: None, schema: answer_schema(), strict: Some(true) };
    let request = CreateChatCompletionRequest { response_format: Some(ResponseFormat::JsonSchema { json_schema }), ..ask("chat", HELLO) };
    let text = complete(request).await?.message.content.unwrap_or_default();
    serde_json::from_str::<Answer>(&text)?;
    Ok(())
}

/// The client's types have no reasoning; with types of the caller's own, which it offers for that, it is there.
async fn reasoning() -> Outcome {
    let api = weir("WEIR_KEY");
    let mut body = json!({"model": "reasoner", "messages": [{"role": "user", "content": HELLO}]});
    let whole: Value = api.chat().create_byot(&body).await?;
    body["stream"] = json!(true);
    let mut stream = api.chat().create_stream_byot::<_, Value>(&body).await?;
    let mut streamed = String::new();
    while let Some(chunk) = stream.next().await {
        streamed += chunk?["choices"][0]["delta"]["reasoning_content"].as_str().unwrap_or_default();
    }
    if whole["choices"][0]["message"]["reasoning_content"] != THOUGHT || streamed != THOUGHT {
        return wrong((whole, streamed));
    }
    Ok(())
}

async fn image() -> Outcome {
    let image_url = ImageUrl { url: var("WEIR_IMAGE"), detail: None };
    let parts = vec![
        ChatCompletionRequestMessageContentPartText { text: HELLO.into(), ..Default::default() }.into(),
        ChatCompletionRequestMessageContentPartImage { image_url, prompt_cache_breakpoint: None }.into(),
    ];
    let message = ChatCompletionRequestUserMessage { content: ChatCompletionRequestUserMessageContent::Array(parts), name: None };
    let got = complete(CreateChatCompletionRequest { messages: vec![message.into()], ..ask("chat", "") }).await?;
    if !got.message.content.as_deref().unwrap_or_default().contains(HELLO) {
        return wrong(got);
    }
    Ok(())
}

fn embed(input: EmbeddingInput, encoding_format: EncodingFormat) -> CreateEmbeddingRequest {
    CreateEmbeddingRequest { model: "embed".into(), input, encoding_format: Some(encoding_format), ..Default::default() }
}

async fn embeddings(input: EmbeddingInput, count: usize) -> Outcome {
    let got = weir("WEIR_KEY").embeddings().create(embed(input, EncodingFormat::Float)).await?;
    if got.data.len() != count || got.usage.total_tokens == 0 || got.data.iter().enumerate().any(|(i, d)| d.index as usize != i) {
        return wrong((got.data.len(), got.usage));
    }
    got.data.iter().try_for_each(|d| check_vector(&d.embedding))
}

async fn embeddings_base64() -> Outcome {
    let input = EmbeddingInput::StringArray(vec![HELLO.into(), "two".into()]);
    let got = weir("WEIR_KEY").embeddings().create_base64(embed(input, EncodingFormat::Base64)).await?;
    if got.data.len() != 2 || got.usage.total_tokens == 0 {
        return wrong((got.data.len(), got.usage));
    }
    got.data.into_iter().try_for_each(|d| check_vector(&Vec::<f32>::from(d.embedding)))
}

async fn embeddings_of_tokens() -> Outcome {
    embeddings(EmbeddingInput::IntegerArray(vec![1, 2, 3]), 1).await?;
    embeddings(EmbeddingInput::ArrayOfIntegerArray(vec![vec![1, 2], vec![3]]), 2).await
}

/// Of what failed on the server's side the client gives the status, and the body unread as the message.
async fn refused(key: &str, model: &str, status: u16, code: &str) -> Outcome {
    match weir(key).chat().create(ask(model, HELLO)).await {
        Err(OpenAIError::ApiError(ApiErrorResponse { status_code, api_error })) => {
            let coded = api_error.code.as_deref() == Some(code) || status >= 500 && api_error.message.contains(code);
            if status_code.as_u16() != status || !coded || api_error.message.is_empty() {
                return wrong((status_code, api_error));
            }
            Ok(())
        }
        other => wrong(other),
    }
}

async fn retried(model: &str) -> Outcome {
    let got = retrying("WEIR_KEY").chat().create(ask(model, HELLO)).await?;
    match got.choices[0].message.content.as_deref() {
        Some(text) if text.contains(HELLO) => Ok(()),
        _ => wrong(got),
    }
}

/// A stream is left by dropping it.
async fn cancelled() -> Outcome {
    let mut stream = open(ask("endless", HELLO)).await?;
    stream.next().await.ok_or("nothing came")??;
    Ok(())
}

/// An error event is none of the client's chunks, so that reading it as one fails and shows it.
async fn broken(model: &str) -> Outcome {
    let mut got = Streamed::default();
    match read(ask(model, HELLO), &mut got).await {
        Err(OpenAIError::JSONDeserialize(_, content)) if content.contains("upstream_error") && !got.text.is_empty() && got.finish.is_empty() => {
            Ok(())
        }
        other => wrong((other, got)),
    }
}
