// The features of the package ai; the programs hand over its providers.

import assert from 'node:assert/strict';

import { APICallError, Output, generateText, jsonSchema, streamText, tool } from 'ai';

import * as m from './lib.mjs';

const messages = [{ role: 'user', content: m.question }];
const tools = { get_weather: tool({ description: m.weather.description, inputSchema: jsonSchema(m.weather.parameters) }) };

// features are those of a provider for a key; thinking are its options that make the model think.
export function features(provider, thinking) {
  const weir = provider(m.key);
  const generate = (model, more) => generateText({ model: weir(model), messages, maxRetries: 0, ...more });
  const stream = async (model, more) => m.collect(streamText({ model: weir(model), messages, maxRetries: 0, onError() {}, ...more }).stream);
  const only = (parts, type) => parts.filter((part) => part.type === type);
  const text = (parts) => only(parts, 'text-delta').map((part) => part.text).join('');

  const loop = async (model, said, count, more) => {
    const asked = [{ role: 'user', content: said }];
    const result = streamText({ model: weir(model), messages: asked, tools, maxRetries: 0, onError() {}, ...more });
    const parts = await m.collect(result.stream);
    const calls = only(parts, 'tool-call');
    assert.equal(new Set(calls.map((c) => c.toolCallId)).size, count, JSON.stringify(parts.slice(-3)));
    for (const call of calls) m.checkArguments(call.input);
    const content = calls.map(({ toolCallId, toolName }) => ({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: m.toolResult } }));
    const history = (await result.response).messages ?? (await result.responseMessages);
    const second = await generate(model, { tools, messages: [...asked, ...history, { role: 'tool', content }], ...more });
    m.saysResult(second.text);
    return parts;
  };
  const breaks = async (model) => {
    const parts = await stream(model);
    assert.equal(only(parts, 'error').length, 1, JSON.stringify(parts.slice(-3)));
    assert.ok(text(parts));
    assert.equal(parts.at(-1).finishReason, 'error');
  };
  const error = async (status, call) => {
    const err = await m.fails(call);
    assert.ok(APICallError.isInstance(err), err);
    assert.equal(err.statusCode, status);
    return err;
  };

  return {
    text: async (model) => {
      const got = await generate(model);
      m.saysBack(got.text);
      assert.equal(got.finishReason, 'stop');
      m.checkUsage(got.usage.inputTokens, got.usage.outputTokens);
    },
    stream: async (model) => {
      const parts = await stream(model);
      assert.ok(only(parts, 'text-delta').length > 1);
      m.saysBack(text(parts));
      assert.equal(parts.at(-1).finishReason, 'stop');
      m.checkUsage(parts.at(-1).totalUsage.inputTokens, parts.at(-1).totalUsage.outputTokens);
    },
    tools: async (model) => void (await loop(model, m.question, 1)),
    parallel: async (model) => void (await loop(model, m.parallelQuestion, 2)),
    image: async (model) => {
      const content = [{ type: 'text', text: m.question }, { type: 'file', mediaType: 'image/png', data: m.image }];
      m.saysBack((await generate(model, { messages: [{ role: 'user', content }] })).text);
    },
    structured: async (model) => m.checkReport((await generate(model, { output: Output.object({ schema: jsonSchema(m.report) }) })).output),
    reasoning: async (model, target) => {
      if (target === 'chat') return m.noThoughts;
      await loop(model, m.question, 1, { providerOptions: thinking });
    },
    errors: async (model) => {
      assert.match((await error(400, () => generate(model))).message, /The upstream's own words/);
      await error(401, () => generateText({ model: provider(m.badKey)(model), messages, maxRetries: 0 }));
      await error(404, () => generate('nope'));
    },
    hangup: async (model) => {
      const stop = new AbortController();
      const seen = [];
      for await (const part of streamText({ model: weir(model), messages, maxRetries: 0, abortSignal: stop.signal }).stream) {
        seen.push(part);
        if (text(seen)) stop.abort();
      }
      assert.equal(seen.at(-1).type, 'abort');
    },
    cut: breaks,
    breaks,
  };
}
