// The official Node SDK against a running Weir. sdk_test.go starts both; see there for the models.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import OpenAI, { AzureOpenAI } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';

const { WEIR_BASE_URL, WEIR_KEY, WEIR_COLUMNS } = process.env;

const client = (apiKey = WEIR_KEY, options = {}) =>
  new OpenAI({ baseURL: WEIR_BASE_URL, apiKey, maxRetries: 0, timeout: 60_000, ...options });
const weir = client();

const messages = [{ role: 'user', content: 'Grüße, 世界 👋' }];

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
    strict: true,
  },
};

// each runs a test for every column: for each of what stands behind the models.
const columns = JSON.parse(WEIR_COLUMNS).map((c) => ({ ...c, model: (name) => c.prefix + name }));
const each = (name, run) => columns.forEach((c) => test(`${c.name}: ${name}`, () => run(c)));

async function collect(iterable) {
  const out = [];
  for await (const item of iterable) out.push(item);
  return out;
}

// raises checks that call fails as the SDK's own class with that status and code, and returns the error.
async function raises(kind, status, code, call) {
  let err;
  await assert.rejects(call, (e) => ((err = e), true));
  assert.equal(err.constructor, kind);
  assert.equal(err.status, status);
  assert.equal(err.code, code);
  assert.ok(err.error.message);
  assert.ok(err.requestID);
  return err;
}

// Models

each('models list', async (c) => {
  const models = new Map((await collect(weir.models.list())).map((m) => [m.id, m]));
  for (const name of ['chat', 'embed', 'team/chat'].map(c.model)) {
    assert.equal(models.get(name)?.object, 'model');
    assert.ok(Number.isInteger(models.get(name).created));
    assert.equal(typeof models.get(name).owned_by, 'string');
  }
});

each('models retrieve', async (c) => {
  for (const name of ['chat', 'team/chat'].map(c.model)) assert.equal((await weir.models.retrieve(name)).id, name);
});

each('models retrieve unknown', (c) =>
  raises(OpenAI.NotFoundError, 404, 'model_not_found', () => weir.models.retrieve('nope')));

each('scoped key', async (c) => {
  const scoped = client(c.scoped_key);
  assert.deepEqual((await collect(scoped.models.list())).map((m) => m.id), [c.model('chat')]);
  assert.ok((await scoped.chat.completions.create({ model: c.model('chat'), messages })).choices[0].message.content);
  await raises(OpenAI.NotFoundError, 404, 'model_not_found', () =>
    scoped.embeddings.create({ model: c.model('embed'), input: 'x' }));
});

// Chat

each('chat', async (c) => {
  const got = await weir.chat.completions.create({ model: c.model('chat'), messages });
  assert.equal(got.object, 'chat.completion');
  assert.equal(got.choices[0].message.role, 'assistant');
  assert.ok(got.choices[0].message.content.includes(messages[0].content));
  assert.equal(got.choices[0].finish_reason, 'stop');
  assert.equal(got.usage.total_tokens, got.usage.prompt_tokens + got.usage.completion_tokens);
  assert.ok(got._request_id);
});

each('chat headers', async (c) => {
  const { response } = await weir.chat.completions
    .create({ model: c.model('chat'), messages }, { headers: { 'X-Request-Id': 'node-1' } })
    .withResponse();
  assert.equal(response.headers.get('x-request-id'), 'node-1');
  assert.equal(response.headers.get('weir-attempts'), '1');
});

each('chat unknown parameters', async (c) => {
  // What arrives upstream is checked by sdk_test.go.
  const x_unknown = { b: 1.5, a: [null, 'ü'] };
  const got = await weir.chat.completions.create({ model: c.model('chat'), messages, temperature: 0.5, seed: 7, x_unknown });
  assert.ok(got.choices[0].message.content);
});

each('chat length', async (c) => {
  const got = await weir.chat.completions.create({ model: c.model('chat'), messages, max_completion_tokens: 3 });
  assert.equal(got.choices[0].finish_reason, 'length');
  assert.equal(got.usage.completion_tokens, 3);
});

// Streams

each('stream', async (c) => {
  const whole = (await weir.chat.completions.create({ model: c.model('chat'), messages })).choices[0].message.content;
  const chunks = await collect(await weir.chat.completions.create({ model: c.model('chat'), messages, stream: true }));
  assert.equal(chunks.map((c) => c.choices[0].delta.content ?? '').join(''), whole);
  assert.deepEqual(chunks.map((c) => c.choices[0].delta.role).filter(Boolean), ['assistant']);
  assert.deepEqual(chunks.map((c) => c.choices[0].finish_reason).filter(Boolean), ['stop']);
  assert.ok(chunks.every((c) => !('usage' in c)), 'usage was not asked for');
  assert.equal(new Set(chunks.map((c) => `${c.id} ${c.created} ${c.model}`)).size, 1);
});

each('stream usage', async (c) => {
  const chunks = await collect(
    await weir.chat.completions.create({ model: c.model('chat'), messages, stream: true, stream_options: { include_usage: true } }),
  );
  const last = chunks.pop();
  assert.deepEqual(last.choices, []);
  assert.ok(last.usage.completion_tokens > 0);
  assert.ok(chunks.every((c) => c.usage == null));
});

each('stream choices', async (c) => {
  const text = ['', ''];
  for await (const chunk of await weir.chat.completions.create({ model: c.model('chat'), messages, stream: true, n: 2 })) {
    for (const choice of chunk.choices) text[choice.index] += choice.delta.content ?? '';
  }
  assert.equal(text.length, 2);
  assert.ok(text.every(Boolean));
});

each('stream helper', async (c) => {
  const stream = weir.chat.completions.stream({ model: c.model('chat'), messages });
  let deltas = '';
  stream.on('content', (delta) => (deltas += delta));
  const final = await stream.finalChatCompletion();
  assert.equal(final.choices[0].message.content, deltas);
  assert.equal(final.choices[0].finish_reason, 'stop');
});

each('stream cancelled', async (c) => {
  // That the upstream notices is checked by sdk_test.go.
  const stream = await weir.chat.completions.create({ model: c.model('endless'), messages, stream: true });
  for await (const chunk of stream) {
    assert.ok(chunk.id);
    break; // which aborts the call
  }
});

// Tools

each('tools', async (c) => {
  const talk = [{ role: 'user', content: 'How is the weather?' }];
  const first = await weir.chat.completions.create({ model: c.model('chat'), messages: talk, tools: [weather] });
  assert.equal(first.choices[0].finish_reason, 'tool_calls');
  const [call] = first.choices[0].message.tool_calls;
  assert.equal(call.type, 'function');
  assert.equal(call.function.name, 'get_weather');
  assert.deepEqual(Object.keys(JSON.parse(call.function.arguments)).sort(), ['city', 'unit']);
  talk.push(first.choices[0].message, { role: 'tool', tool_call_id: call.id, content: '12 °C' });
  const second = await weir.chat.completions.create({ model: c.model('chat'), messages: talk, tools: [weather] });
  assert.equal(second.choices[0].finish_reason, 'stop');
  assert.ok(second.choices[0].message.content);
});

each('tools streamed in parallel', async (c) => {
  const talk = [{ role: 'user', content: 'The weather in two cities, in parallel.' }];
  const stream = weir.chat.completions.stream({ model: c.model('chat'), messages: talk, tools: [weather] });
  const calls = (await stream.finalChatCompletion()).choices[0].message.tool_calls;
  assert.deepEqual(calls.map((c) => c.function.name), ['get_weather', 'get_weather']);
  assert.equal(new Set(calls.map((c) => c.id)).size, 2);
  for (const c of calls) assert.deepEqual(Object.keys(JSON.parse(c.function.arguments)).sort(), ['city', 'unit']);
});

each('tools run by the SDK', async (c) => {
  const seen = [];
  const runner = weir.chat.completions.runTools({
    model: c.model('chat'),
    stream: true,
    messages: [{ role: 'user', content: 'How is the weather?' }],
    tools: [{
      type: 'function',
      function: { ...weather.function, parse: JSON.parse, function: (args) => (seen.push(args), '12 °C') },
    }],
  });
  assert.ok(await runner.finalContent());
  assert.deepEqual(Object.keys(seen[0]).sort(), ['city', 'unit']);
});

// Structured output

each('parse', async (c) => {
  const schema = z.object({ city: z.string(), degrees: z.number().int(), sunny: z.boolean() });
  const got = await weir.chat.completions.parse({
    model: c.model('chat'), messages, response_format: zodResponseFormat(schema, 'answer'),
  });
  assert.deepEqual(Object.keys(got.choices[0].message.parsed).sort(), ['city', 'degrees', 'sunny']);
});

// Embeddings

each('embeddings', async (c) => {
  // The SDK asks for base64 by itself and decodes it.
  const got = await weir.embeddings.create({ model: c.model('embed'), input: ['one', 'two'] });
  assert.deepEqual(got.data.map((d) => d.index), [0, 1]);
  const plain = await weir.embeddings.create({ model: c.model('embed'), input: ['one', 'two'], encoding_format: 'float' });
  got.data.forEach(({ embedding }, i) => {
    assert.ok(embedding.length > 4);
    assert.equal(embedding.length, plain.data[i].embedding.length);
    assert.ok(Math.abs(embedding.reduce((sum, x) => sum + x * x, 0) - 1) < 1e-4);
    embedding.forEach((x, j) => assert.ok(Math.abs(x - plain.data[i].embedding[j]) < 1e-6));
  });
  assert.ok(got.usage.total_tokens > 0);
});

each('embeddings of tokens', async (c) => {
  for (const [input, count] of [[[1, 2, 3], 1], [[[1, 2], [3]], 2]]) {
    const got = await weir.embeddings.create({ model: c.model('embed'), input, dimensions: 16 });
    assert.equal(got.data.length, count);
    assert.equal(got.data[0].embedding.length, 16);
  }
});

// Legacy completions

each('completion', async (c) => {
  const call = { model: c.model('chat'), prompt: 'Once upon a time' };
  const got = await weir.completions.create(call);
  assert.equal(got.object, 'text_completion');
  assert.ok(got.choices[0].text);
  const chunks = await collect(await weir.completions.create({ ...call, stream: true }));
  assert.equal(chunks.map((c) => c.choices[0].text).join(''), got.choices[0].text);
});

// Errors

each('azure client', async (c) => {
  const endpoint = WEIR_BASE_URL.replace(/\/v1$/, '');
  const azure = new AzureOpenAI({ endpoint, apiKey: WEIR_KEY, apiVersion: '2024-10-21', maxRetries: 0 });
  const got = await azure.chat.completions.create({ model: c.model('chat'), messages });
  assert.ok(got.choices[0].message.content);
  let text = '';
  for await (const chunk of await azure.chat.completions.create({ model: c.model('chat'), messages, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? '';
  }
  assert.equal(text, got.choices[0].message.content);
});

each('wrong key', async (c) => {
  const err = await raises(OpenAI.AuthenticationError, 401, 'invalid_api_key', () =>
    client('sk-weir-wrong').models.list());
  assert.ok(!err.message.includes('sk-weir-wrong'));
});

each('unknown model', async (c) => {
  const err = await raises(OpenAI.NotFoundError, 404, 'model_not_found', () =>
    weir.chat.completions.create({ model: 'nope', messages }));
  assert.equal(err.param, 'model');
});

each('bad request', async (c) => {
  const err = await raises(OpenAI.BadRequestError, 400, 'missing_required_parameter', () =>
    weir.chat.completions.create({ model: c.model('chat') }));
  assert.equal(err.param, 'messages');
});

each('bad request upstream', async (c) => {
  const err = await raises(OpenAI.BadRequestError, 400, c.refused_code, () =>
    weir.chat.completions.create({ model: c.model('refused'), messages }));
  assert.match(err.message, /The upstream's own words/);
});

each('rate limit', async (c) => {
  const err = await raises(OpenAI.RateLimitError, 429, 'upstream_rate_limited', () =>
    weir.chat.completions.create({ model: c.model('limited'), messages }));
  assert.ok(Number(err.headers.get('retry-after')) >= 1);
});

each('server error', (c) =>
  raises(OpenAI.InternalServerError, 502, 'upstream_failed', () =>
    weir.chat.completions.create({ model: c.model('broken'), messages })));

each('retry', async (c) => {
  const got = await client(WEIR_KEY, { maxRetries: 2 }).chat.completions.create({ model: c.model('limited-once'), messages });
  assert.ok(got.choices[0].message.content);
});

each('absent model', (c) =>
  raises(OpenAI.InternalServerError, 502, 'upstream_misconfigured', () =>
    client(WEIR_KEY, { maxRetries: 2 }).chat.completions.create({ model: c.model('absent'), messages })));

each('error in stream', async (c) => {
  for (const model of ['breaks', 'cut']) {
    const stream = await weir.chat.completions.create({ model: c.model(model), messages, stream: true });
    let err;
    await assert.rejects(async () => {
      for await (const chunk of stream) assert.equal(chunk.choices[0].finish_reason, null);
    }, (e) => ((err = e), true));
    assert.ok(err instanceof OpenAI.APIError, `${model}: ${err}`);
    assert.equal(err.type, 'upstream_error');
    assert.ok(err.message);
  }
});

each('error before stream', (c) =>
  raises(OpenAI.InternalServerError, 502, 'upstream_failed', () =>
    weir.chat.completions.create({ model: c.model('broken'), messages, stream: true })));
