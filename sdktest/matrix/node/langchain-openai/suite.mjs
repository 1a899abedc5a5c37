import assert from 'node:assert/strict';

import { ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';

import * as m from '../matrix.mjs';

const chat = (model, { apiKey = m.key, maxRetries = 0, ...more } = {}) =>
  new ChatOpenAI({ model, apiKey, maxRetries, configuration: { baseURL: m.baseURL }, ...more });
const embeddings = (more) =>
  new OpenAIEmbeddings({ model: 'embed', apiKey: m.key, maxRetries: 0, configuration: { baseURL: m.baseURL }, ...more });

const messages = [{ role: 'user', content: m.question }];
const tools = [{ type: 'function', function: m.weather }];

const stream = async (model, said = messages, options) => m.collect(await chat(model).stream(said, options));
const joined = (chunks) => chunks.reduce((all, chunk) => all.concat(chunk));
const checkUsage = (usage) => m.checkUsage(usage.input_tokens, usage.output_tokens, usage.total_tokens);

// The errors are those of the package openai, for some with LangChain's own code.
const error = (kind, status, code, own, call) => async () => {
  const err = await m.fails(call);
  assert.equal(err.constructor.name, kind, err);
  assert.deepEqual([err.status, err.code, err.lc_error_code], [status, code, own]);
  assert.ok(err.error.message && err.message.includes(err.error.message));
};
const breaks = (model) => async () => {
  const chunks = await chat(model).stream(messages);
  let text = '';
  const err = await m.fails(async () => {
    for await (const chunk of chunks) text += chunk.content;
  });
  assert.equal(err.constructor.name, 'APIError', err);
  assert.equal(err.type, 'upstream_error');
  assert.ok(err.message);
  assert.ok(m.answer.startsWith(text) && text);
};
const retry = (model) => async () => assert.equal((await chat(model, { maxRetries: 2 }).invoke(messages)).content, m.answer);

await m.run(m.installed('@langchain/openai'), {
  models: 'cannot list models',

  chat: async () => {
    const got = await chat('chat').invoke(messages);
    assert.equal(got.content, m.answer);
    assert.equal(got.response_metadata.finish_reason, 'stop');
    checkUsage(got.usage_metadata);
  },

  stream: async () => {
    const chunks = await stream('chat');
    assert.ok(chunks.filter((chunk) => chunk.content).length > 1);
    assert.equal(joined(chunks).content, m.answer);
    assert.equal(joined(chunks).response_metadata.finish_reason, 'stop');
  },

  'stream-usage': async () => {
    const got = joined(await stream('chat'));
    assert.equal(got.content, m.answer);
    checkUsage(got.usage_metadata);
    const { input_tokens, output_tokens } = (await chat('chat').invoke(messages)).usage_metadata;
    assert.deepEqual([got.usage_metadata.input_tokens, got.usage_metadata.output_tokens], [input_tokens, output_tokens]);
  },

  tools: async () => {
    const bound = chat('chat').bindTools(tools);
    const first = await bound.invoke(messages);
    assert.equal(first.response_metadata.finish_reason, 'tool_calls');
    assert.equal(first.tool_calls.length, 1);
    const [call] = first.tool_calls;
    assert.equal(call.name, 'get_weather');
    m.checkArguments(call.args);
    const result = new ToolMessage({ tool_call_id: call.id, content: m.toolResult });
    assert.equal((await bound.invoke([...messages, first, result])).content, m.toolAnswer);
  },

  'parallel-tool-stream': async () => {
    const bound = chat('chat').bindTools(tools);
    const { tool_calls: calls } = joined(await m.collect(await bound.stream([{ role: 'user', content: m.parallelQuestion }])));
    assert.deepEqual(calls.map((call) => call.name), ['get_weather', 'get_weather']);
    assert.equal(new Set(calls.map((call) => call.id)).size, 2);
    for (const call of calls) m.checkArguments(call.args);
  },

  structured: async () => m.checkReport(await chat('chat').withStructuredOutput(m.report(z), { method: 'jsonSchema' }).invoke(messages)),

  reasoning: async () => {
    for (const got of [await chat('reasoner').invoke(messages), joined(await stream('reasoner'))]) {
      assert.equal(got.additional_kwargs.reasoning_content, m.reasonerThought);
      assert.equal(got.content, m.reasonerText);
    }
  },

  image: async () => {
    const content = [{ type: 'text', text: m.question }, { type: 'image_url', image_url: { url: m.image } }];
    assert.equal((await chat('chat').invoke([{ role: 'user', content }])).content, m.imageAnswer);
  },

  'embeddings-float': async () => m.checkVectors(await embeddings({ encodingFormat: 'float' }).embedDocuments(['one', 'two']), 2),
  'embeddings-base64': async () => {
    // Without a format the package openai asks for base64 and decodes it.
    const decoded = (await embeddings().embedDocuments(['one', 'two'])).map((vector) => [...vector]);
    m.checkVectors(decoded, 2);
    m.checkSame(decoded, await embeddings({ encodingFormat: 'float' }).embedDocuments(['one', 'two']));
  },
  'embeddings-tokens': 'embeds only text',

  cancel: async () => {
    const stop = new AbortController();
    let text = '';
    const err = await m.fails(async () => {
      for await (const chunk of await chat('endless').stream(messages, { signal: stop.signal })) {
        text += chunk.content;
        if (text) stop.abort();
      }
    });
    assert.equal(err.name, 'AbortError', err);
    assert.ok(m.answer.startsWith(text));
  },

  truncated: breaks('cut'),
  'error-in-stream': breaks('breaks'),

  'error-400': error('BadRequestError', 400, 'upstream_says_so', undefined, () => chat('refused').invoke(messages)),
  'error-401': error('AuthenticationError', 401, 'invalid_api_key', 'MODEL_AUTHENTICATION', () =>
    chat('chat', { apiKey: m.badKey }).invoke(messages)),
  'error-404': async () => {
    await error('NotFoundError', 404, 'model_not_found', 'MODEL_NOT_FOUND', () => chat('nope').invoke(messages))();
    await error('NotFoundError', 404, 'model_not_found', 'MODEL_NOT_FOUND', () =>
      chat('team/chat', { apiKey: m.scopedKey }).invoke(messages))();
  },
  'error-429': error('RateLimitError', 429, 'upstream_rate_limited', 'MODEL_RATE_LIMIT', () => chat('limited').invoke(messages)),
  'error-502': error('InternalServerError', 502, 'upstream_failed', undefined, () => chat('broken').invoke(messages)),
  'error-503': error('InternalServerError', 503, 'upstream_overloaded', undefined, () => chat('overloaded').invoke(messages)),

  'retry-429': retry('limited-once'),
  'retry-503': retry('overloaded-once'),
});
