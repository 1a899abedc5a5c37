import assert from 'node:assert/strict';

import { constructLlmApi } from '@continuedev/openai-adapters';

import * as m from '../matrix.mjs';

const client = (apiKey = m.key) => constructLlmApi({ provider: 'openai', apiKey, apiBase: `${m.baseURL}/` });
const weir = client();

const messages = [{ role: 'user', content: m.question }];
const tools = [{ type: 'function', function: m.weather }];

const { signal } = new AbortController();
const complete = (model, more, api = weir) => api.chatCompletionNonStream({ model, messages, stream: false, ...more }, signal);
const stream = (model, more) => m.collect(weir.chatCompletionStream({ model, messages, stream: true, ...more }, signal));
const embed = async (input, more) => (await weir.embed({ model: 'embed', input, ...more })).data.map((d) => d.embedding);
const text = (chunks) => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

// The errors are those of the package openai. Its retries are on and cannot be turned off.
const error = (kind, status, code, call) => async () => {
  const err = await m.fails(call);
  assert.equal(err.constructor.name, kind, err);
  assert.deepEqual([err.status, err.code], [status, code]);
  assert.ok(err.error.message && err.message.includes(err.error.message));
};
const breaks = (model) => async () => {
  const seen = [];
  const err = await m.fails(async () => {
    for await (const chunk of weir.chatCompletionStream({ model, messages, stream: true }, signal)) seen.push(chunk);
  });
  assert.equal(err.constructor.name, 'APIError', err);
  assert.equal(err.type, 'upstream_error');
  assert.ok(err.message);
  assert.ok(m.answer.startsWith(text(seen)) && text(seen));
};
const retry = (model) => async () => assert.equal((await complete(model)).choices[0].message.content, m.answer);

// assemble puts the pieces of streamed tool calls together, which this client leaves to its caller.
function assemble(chunks) {
  const calls = [];
  for (const piece of chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])) {
    const call = (calls[piece.index] ??= { id: '', name: '', args: '' });
    call.id += piece.id ?? '';
    call.name += piece.function?.name ?? '';
    call.args += piece.function?.arguments ?? '';
  }
  return calls;
}

await m.run(`${m.installed('@continuedev/openai-adapters')}, openai ${m.installed('openai')}`, {
  models: async () => {
    const listed = async (api) => (await api.list()).map((model) => model.id).sort();
    assert.deepEqual(await listed(weir), m.models);
    assert.deepEqual(await listed(client(m.scopedKey)), m.scopedModels);
  },

  chat: async () => {
    const { choices, usage } = await complete('chat');
    assert.equal(choices[0].message.content, m.answer);
    assert.equal(choices[0].finish_reason, 'stop');
    m.checkUsage(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens);
  },

  stream: async () => {
    const chunks = await stream('chat');
    assert.ok(chunks.length > 3);
    assert.equal(text(chunks), m.answer);
    assert.deepEqual(chunks.map((chunk) => chunk.choices[0]?.finish_reason).filter(Boolean), ['stop']);
  },

  'stream-usage': async () => {
    const chunks = await stream('chat'); // it always asks for usage
    const { usage } = chunks.at(-1);
    m.checkUsage(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens);
    assert.deepEqual(usage, (await complete('chat')).usage);
    assert.equal(text(chunks), m.answer);
  },

  tools: async () => {
    const first = (await complete('chat', { tools })).choices[0];
    assert.equal(first.finish_reason, 'tool_calls');
    assert.equal(first.message.tool_calls.length, 1);
    const [call] = first.message.tool_calls;
    assert.equal(call.function.name, 'get_weather');
    m.checkArguments(JSON.parse(call.function.arguments));
    const talk = [...messages, first.message, { role: 'tool', tool_call_id: call.id, content: m.toolResult }];
    assert.equal((await complete('chat', { tools, messages: talk })).choices[0].message.content, m.toolAnswer);
  },

  'parallel-tool-stream': async () => {
    const chunks = await stream('chat', { tools, messages: [{ role: 'user', content: m.parallelQuestion }] });
    const calls = assemble(chunks);
    assert.deepEqual(calls.map((call) => call.name), ['get_weather', 'get_weather']);
    assert.equal(new Set(calls.map((call) => call.id)).size, 2);
    for (const call of calls) m.checkArguments(JSON.parse(call.args));
    assert.deepEqual(chunks.map((chunk) => chunk.choices[0]?.finish_reason).filter(Boolean), ['tool_calls']);
  },

  structured: async () => {
    const json_schema = { name: 'report', strict: true, schema: m.reportSchema };
    const got = await complete('chat', { response_format: { type: 'json_schema', json_schema } });
    m.checkReport(JSON.parse(got.choices[0].message.content));
  },

  reasoning: async () => {
    const { message } = (await complete('reasoner')).choices[0];
    assert.deepEqual([message.reasoning_content, message.content], [m.reasonerThought, m.reasonerText]);
    const chunks = await stream('reasoner');
    assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.reasoning_content ?? '').join(''), m.reasonerThought);
    assert.equal(text(chunks), m.reasonerText);
  },

  image: async () => {
    const content = [{ type: 'text', text: m.question }, { type: 'image_url', image_url: { url: m.image } }];
    assert.equal((await complete('chat', { messages: [{ role: 'user', content }] })).choices[0].message.content, m.imageAnswer);
  },

  'embeddings-float': async () => m.checkVectors(await embed(['one', 'two'], { encoding_format: 'float' }), 2),
  'embeddings-base64': async () => {
    // Without a format the package openai asks for base64 and decodes it.
    const decoded = (await embed(['one', 'two'])).map((vector) => [...vector]);
    m.checkVectors(decoded, 2);
    m.checkSame(decoded, await embed(['one', 'two'], { encoding_format: 'float' }));
  },
  'embeddings-tokens': async () => {
    m.checkVectors(await embed([1, 2, 3]), 1);
    m.checkVectors(await embed([[1, 2], [3]]), 2);
  },

  cancel: async () => {
    const stop = new AbortController();
    const seen = [];
    for await (const chunk of weir.chatCompletionStream({ model: 'endless', messages, stream: true }, stop.signal)) {
      seen.push(chunk);
      if (text(seen)) stop.abort();
    }
    assert.ok(m.answer.startsWith(text(seen)) && text(seen));
  },

  truncated: breaks('cut'),
  'error-in-stream': breaks('breaks'),

  'error-400': error('BadRequestError', 400, 'upstream_says_so', () => complete('refused')),
  'error-401': error('AuthenticationError', 401, 'invalid_api_key', () => complete('chat', {}, client(m.badKey))),
  'error-404': async () => {
    await error('NotFoundError', 404, 'model_not_found', () => complete('nope'))();
    await error('NotFoundError', 404, 'model_not_found', () => complete('team/chat', {}, client(m.scopedKey)))();
  },
  'error-429': error('RateLimitError', 429, 'upstream_rate_limited', () => complete('limited')),
  'error-502': error('InternalServerError', 502, 'upstream_failed', () => complete('broken')),
  'error-503': error('InternalServerError', 503, 'upstream_overloaded', () => complete('overloaded')),

  'retry-429': retry('limited-once'),
  'retry-503': retry('overloaded-once'),
});
