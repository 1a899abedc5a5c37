// The features of the package ai with two of its providers: their programs hand over the parts that differ.

import assert from 'node:assert/strict';

import * as m from './matrix.mjs';

const messages = [{ role: 'user', content: m.question }];

// features are those of the package ai. provider makes the provider for a key, and has chat and embedding, which make a
// model of it. reasoning is a feature of its own, because only one provider has it.
export function features(ai, provider, z, reasoning) {
  const { APICallError, Output, embedMany, generateText, jsonSchema, streamText, tool } = ai;
  const model = (name, key = m.key) => provider(key).chat(name);
  const generate = (name, more) => generateText({ model: model(name), messages, maxRetries: 0, ...more });
  const tools = { get_weather: tool({ description: m.weather.description, inputSchema: jsonSchema(m.weather.parameters) }) };

  // stream gives the parts of a stream, the last after an error too.
  const stream = async (name, more) => {
    const result = streamText({ model: model(name), messages, maxRetries: 0, onError() {}, ...more });
    return m.collect(result.stream);
  };
  const only = (parts, type) => parts.filter((part) => part.type === type);
  const text = (parts) => only(parts, 'text-delta').map((part) => part.text).join('');
  const checkUsage = (usage) => m.checkUsage(usage.inputTokens, usage.outputTokens, usage.totalTokens);

  const error = (status, code, call) => async () => {
    const err = await m.fails(call);
    assert.ok(APICallError.isInstance(err), err);
    assert.deepEqual([err.statusCode, err.data.error.code], [status, code]);
    assert.ok(err.message && err.message === err.data.error.message);
    assert.equal(err.isRetryable, status === 429 || status >= 500);
    return err;
  };
  const breaks = (name) => async () => {
    const parts = await stream(name);
    const [error, ...more] = only(parts, 'error').map((part) => part.error.data ?? part.error); // one provider wraps it
    assert.equal(more.length, 0);
    assert.equal(error.type, 'upstream_error');
    assert.ok(error.message);
    assert.ok(m.answer.startsWith(text(parts)) && text(parts));
    assert.equal(parts.at(-1).finishReason, 'error');
  };
  const retry = (name) => async () => assert.equal((await generate(name, { maxRetries: 2 })).text, m.answer);

  return {
    models: 'cannot list models',

    chat: async () => {
      const got = await generate('chat');
      assert.equal(got.text, m.answer);
      assert.equal(got.finishReason, 'stop');
      checkUsage(got.usage);
    },

    stream: async () => {
      const parts = await stream('chat');
      assert.ok(only(parts, 'text-delta').length > 1);
      assert.equal(text(parts), m.answer);
      assert.equal(parts.at(-1).finishReason, 'stop');
    },

    'stream-usage': async () => {
      const parts = await stream('chat');
      assert.equal(text(parts), m.answer);
      checkUsage(parts.at(-1).totalUsage);
      const { inputTokens, outputTokens } = (await generate('chat')).usage;
      assert.deepEqual([parts.at(-1).totalUsage.inputTokens, parts.at(-1).totalUsage.outputTokens], [inputTokens, outputTokens]);
    },

    tools: async () => {
      const first = await generate('chat', { tools });
      assert.equal(first.finishReason, 'tool-calls');
      assert.equal(first.toolCalls.length, 1);
      const { toolCallId, toolName, input } = first.toolCalls[0];
      assert.equal(toolName, 'get_weather');
      m.checkArguments(input);
      const content = [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: m.toolResult } }];
      const second = await generate('chat', { tools, messages: [...messages, ...first.responseMessages, { role: 'tool', content }] });
      assert.equal(second.finishReason, 'stop');
      assert.equal(second.text, m.toolAnswer);
    },

    'parallel-tool-stream': async () => {
      const parts = await stream('chat', { tools, messages: [{ role: 'user', content: m.parallelQuestion }] });
      const calls = only(parts, 'tool-call');
      assert.deepEqual(calls.map((call) => call.toolName), ['get_weather', 'get_weather']);
      assert.equal(new Set(calls.map((call) => call.toolCallId)).size, 2);
      for (const call of calls) m.checkArguments(call.input);
      assert.equal(parts.at(-1).finishReason, 'tool-calls');
    },

    structured: async () => {
      const got = await generate('chat', { output: Output.object({ schema: m.report(z) }) });
      m.checkReport(got.output);
    },

    reasoning,

    image: async () => {
      const content = [{ type: 'text', text: m.question }, { type: 'file', mediaType: 'image/png', data: m.image }];
      assert.equal((await generate('chat', { messages: [{ role: 'user', content }] })).text, m.imageAnswer);
    },

    'embeddings-float': async () => {
      const got = await embedMany({ model: provider(m.key).embedding('embed'), values: ['one', 'two'], maxRetries: 0 });
      m.checkVectors(got.embeddings, 2);
      assert.ok(got.usage.tokens > 0);
    },
    'embeddings-base64': 'always asks for numbers: encoding_format float',
    'embeddings-tokens': 'embeds only text',

    cancel: async () => {
      const stop = new AbortController();
      const seen = [];
      const result = streamText({ model: model('endless'), messages, maxRetries: 0, abortSignal: stop.signal });
      for await (const part of result.stream) {
        seen.push(part);
        if (text(seen)) stop.abort();
      }
      assert.equal(seen.at(-1).type, 'abort');
      assert.ok(m.answer.startsWith(text(seen)));
    },

    truncated: breaks('cut'),
    'error-in-stream': breaks('breaks'),

    'error-400': async () => {
      const err = await error(400, 'upstream_says_so', () => generate('refused'))();
      assert.equal(err.message, "The upstream's own words.");
    },
    'error-401': error(401, 'invalid_api_key', () => generate('chat', { model: model('chat', m.badKey) })),
    'error-404': async () => {
      await error(404, 'model_not_found', () => generate('nope'))();
      await error(404, 'model_not_found', () => generate('chat', { model: model('team/chat', m.scopedKey) }))();
    },
    'error-429': error(429, 'upstream_rate_limited', () => generate('limited')),
    'error-502': error(502, 'upstream_failed', () => generate('broken')),
    'error-503': error(503, 'upstream_overloaded', () => generate('overloaded')),

    'retry-429': retry('limited-once'),
    'retry-503': retry('overloaded-once'),
  };
}
