// The features of the package openai, for all of its versions: their programs hand over the parts that differ.

import assert from 'node:assert/strict';

import * as m from './matrix.mjs';

const messages = [{ role: 'user', content: m.question }];
const tools = [{ type: 'function', function: { ...m.weather, strict: true } }];

// features are those of the class OpenAI. helpers gives of a client what has its parse and stream, and format is a
// response_format that is parsed into m.report.
export function features(OpenAI, helpers, format) {
  const client = (apiKey = m.key, maxRetries = 0) => new OpenAI({ baseURL: m.baseURL, apiKey, maxRetries, timeout: 20_000 });
  const weir = client();
  const create = (model, more) => weir.chat.completions.create({ model, messages, ...more });
  const stream = async (model, more) => m.collect(await create(model, { stream: true, ...more }));
  const embed = async (input, more) => (await weir.embeddings.create({ model: 'embed', input, ...more })).data.map((d) => d.embedding);

  const error = (kind, status, code, call) => async () => {
    const err = await m.fails(call);
    assert.equal(err.constructor, kind, err);
    assert.deepEqual([err.status, err.code], [status, code]);
    assert.ok(err.error.message && err.message.includes(err.error.message));
    return err;
  };
  const breaks = (model) => async () => {
    const chunks = await create(model, { stream: true });
    const seen = [];
    const err = await m.fails(async () => {
      for await (const chunk of chunks) seen.push(chunk);
    });
    assert.ok(err instanceof OpenAI.APIError, err);
    assert.equal(err.type, 'upstream_error');
    assert.ok(err.message);
    assert.ok(seen.length > 0 && seen.every((c) => c.choices[0].finish_reason === null));
  };
  const retry = (model) => async () => {
    const got = await client(m.key, 2).chat.completions.create({ model, messages });
    assert.equal(got.choices[0].message.content, m.answer);
  };

  return {
    models: async () => {
      const listed = async (c) => (await m.collect(c.models.list())).map((model) => model.id).sort();
      assert.deepEqual(await listed(weir), m.models);
      assert.deepEqual(await listed(client(m.scopedKey)), m.scopedModels);
    },

    chat: async () => {
      const got = await create('chat');
      assert.equal(got.choices[0].message.content, m.answer);
      assert.equal(got.choices[0].finish_reason, 'stop');
      m.checkUsage(got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.total_tokens);
    },

    stream: async () => {
      const chunks = await stream('chat');
      assert.ok(chunks.length > 3);
      assert.equal(chunks.map((c) => c.choices[0].delta.content ?? '').join(''), m.answer);
      assert.deepEqual(chunks.map((c) => c.choices[0].finish_reason).filter(Boolean), ['stop']);
      assert.ok(chunks.every((c) => !c.usage), 'usage was not asked for');
      const helped = await helpers(weir).stream({ model: 'chat', messages }).finalChatCompletion();
      assert.equal(helped.choices[0].message.content, m.answer);
    },

    'stream-usage': async () => {
      const chunks = await stream('chat', { stream_options: { include_usage: true } });
      const { choices, usage } = chunks.pop();
      assert.deepEqual(choices, []);
      assert.deepEqual(usage, (await create('chat')).usage);
      m.checkUsage(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens);
      assert.equal(chunks.map((c) => c.choices[0].delta.content ?? '').join(''), m.answer);
    },

    tools: async () => {
      const first = (await create('chat', { tools })).choices[0];
      assert.equal(first.finish_reason, 'tool_calls');
      assert.equal(first.message.tool_calls.length, 1);
      const [call] = first.message.tool_calls;
      assert.equal(call.function.name, 'get_weather');
      m.checkArguments(JSON.parse(call.function.arguments));
      const talk = [...messages, first.message, { role: 'tool', tool_call_id: call.id, content: m.toolResult }];
      const second = (await create('chat', { tools, messages: talk })).choices[0];
      assert.equal(second.finish_reason, 'stop');
      assert.equal(second.message.content, m.toolAnswer);
    },

    'parallel-tool-stream': async () => {
      const talk = [{ role: 'user', content: m.parallelQuestion }];
      const assembled = await helpers(weir).stream({ model: 'chat', messages: talk, tools }).finalChatCompletion();
      assert.equal(assembled.choices[0].finish_reason, 'tool_calls');
      const calls = assembled.choices[0].message.tool_calls;
      assert.deepEqual(calls.map((c) => c.function.name), ['get_weather', 'get_weather']);
      assert.equal(new Set(calls.map((c) => c.id)).size, 2);
      for (const call of calls) m.checkArguments(JSON.parse(call.function.arguments));
    },

    structured: async () => {
      const got = await helpers(weir).parse({ model: 'chat', messages, response_format: format });
      m.checkReport(got.choices[0].message.parsed);
    },

    reasoning: async () => {
      // Not in the types, but the whole JSON is handed over.
      const { message } = (await create('reasoner')).choices[0];
      assert.deepEqual([message.reasoning_content, message.content], [m.reasonerThought, m.reasonerText]);
      const deltas = (await stream('reasoner')).map((c) => c.choices[0].delta);
      assert.equal(deltas.map((d) => d.reasoning_content ?? '').join(''), m.reasonerThought);
      assert.equal(deltas.map((d) => d.content ?? '').join(''), m.reasonerText);
    },

    image: async () => {
      const content = [{ type: 'text', text: m.question }, { type: 'image_url', image_url: { url: m.image } }];
      const got = await create('chat', { messages: [{ role: 'user', content }] });
      assert.equal(got.choices[0].message.content, m.imageAnswer);
    },

    'embeddings-float': async () => m.checkVectors(await embed(['one', 'two'], { encoding_format: 'float' }), 2),

    'embeddings-base64': async () => {
      const numbers = await embed(['one', 'two'], { encoding_format: 'float' });
      // Without a format the client asks for base64 and decodes it.
      const decoded = (await embed(['one', 'two'])).map((vector) => [...vector]);
      m.checkVectors(decoded, 2);
      m.checkSame(decoded, numbers);
      m.checkSame((await embed(['one', 'two'], { encoding_format: 'base64' })).map(m.decode), numbers);
    },

    'embeddings-tokens': async () => {
      m.checkVectors(await embed([1, 2, 3], { encoding_format: 'float' }), 1);
      m.checkVectors(await embed([[1, 2], [3]], { encoding_format: 'float' }), 2);
    },

    cancel: async () => {
      const text = [];
      for await (const chunk of await create('endless', { stream: true })) {
        text.push(chunk.choices[0].delta.content ?? '');
        if (text.join('')) break; // which hangs up
      }
      assert.ok(m.answer.startsWith(text.join('')));
    },

    truncated: breaks('cut'),
    'error-in-stream': breaks('breaks'),

    'error-400': async () => {
      const err = await error(OpenAI.BadRequestError, 400, 'upstream_says_so', () => create('refused'))();
      assert.match(err.message, /The upstream's own words/);
    },
    'error-401': error(OpenAI.AuthenticationError, 401, 'invalid_api_key', () =>
      client(m.badKey).chat.completions.create({ model: 'chat', messages })),
    'error-404': async () => {
      await error(OpenAI.NotFoundError, 404, 'model_not_found', () => create('nope'))();
      await error(OpenAI.NotFoundError, 404, 'model_not_found', () =>
        client(m.scopedKey).chat.completions.create({ model: 'team/chat', messages }))();
    },
    'error-429': error(OpenAI.RateLimitError, 429, 'upstream_rate_limited', () => create('limited')),
    'error-502': error(OpenAI.InternalServerError, 502, 'upstream_failed', () => create('broken', { stream: true })),
    'error-503': error(OpenAI.InternalServerError, 503, 'upstream_overloaded', () => create('overloaded')),

    'retry-429': retry('limited-once'),
    'retry-503': retry('overloaded-once'),
  };
}
