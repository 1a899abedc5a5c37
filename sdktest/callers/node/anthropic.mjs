// Anthropic's own SDK.

import assert from 'node:assert/strict';

import Anthropic from '@anthropic-ai/sdk';

import * as m from './lib.mjs';

const client = (apiKey = m.key) => new Anthropic({ baseURL: m.url, apiKey, maxRetries: 0, timeout: 15_000 });
const weir = client();
const tools = [{ name: m.weather.name, description: m.weather.description, input_schema: m.weather.parameters }];
const user = (content) => [{ role: 'user', content }];
const ask = (model, more) => ({ model, max_tokens: 500, messages: user(m.question), ...more });
const text = (message) => message.content.filter((b) => b.type === 'text').map((b) => b.text).join('');
const calls = (message) => message.content.filter((b) => b.type === 'tool_use');
const results = (message) => user(calls(message).map((c) => ({ type: 'tool_result', tool_use_id: c.id, content: m.toolResult })));

const loop = async (model, said, count, more) => {
  const messages = user(said);
  const first = await weir.messages.stream(ask(model, { tools, messages, ...more })).finalMessage();
  assert.equal(first.stop_reason, 'tool_use');
  assert.equal(new Set(calls(first).map((c) => c.id)).size, count);
  for (const call of calls(first)) m.checkArguments(call.input);
  const second = await weir.messages.create(ask(model, { tools, messages: [...messages, { role: 'assistant', content: first.content }, ...results(first)], ...more }));
  m.saysResult(text(second));
  return first;
};

const breaks = async (model) => {
  const err = await m.fails(() => weir.messages.stream(ask(model)).finalMessage());
  assert.ok(err instanceof Anthropic.APIError, err);
  assert.match(err.message, /[a-z]_error/);
};

m.run(['@anthropic-ai/sdk'], {
  text: async (model) => {
    const got = await weir.messages.create(ask(model));
    m.saysBack(text(got));
    assert.equal(got.stop_reason, 'end_turn');
    m.checkUsage(got.usage.input_tokens, got.usage.output_tokens);
  },
  stream: async (model) => {
    const pieces = [];
    const got = await weir.messages.stream(ask(model)).on('text', (t) => pieces.push(t)).finalMessage();
    assert.ok(pieces.length > 1);
    assert.equal(pieces.join(''), text(got));
    m.saysBack(text(got));
    m.checkUsage(got.usage.input_tokens, got.usage.output_tokens);
  },
  tools: async (model) => void (await loop(model, m.question, 1)),
  parallel: async (model) => void (await loop(model, m.parallelQuestion, 2)),
  image: async (model) => {
    const content = [{ type: 'text', text: m.question }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: m.imageData } }];
    m.saysBack(text(await weir.messages.create(ask(model, { messages: user(content) }))));
  },
  structured: async (model) => {
    const got = await weir.messages.create(ask(model, { output_config: { format: { type: 'json_schema', schema: m.report } } }));
    m.checkReport(JSON.parse(text(got)));
  },
  reasoning: async (model, target) => {
    if (target === 'chat') return m.noThoughts;
    const first = await loop(model, m.question, 1, { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 1024 } });
    assert.ok(first.content.some((b) => b.signature || b.data), JSON.stringify(first.content));
  },
  errors: async (model) => {
    const refused = await m.fails(() => weir.messages.create(ask(model)));
    assert.ok(refused instanceof Anthropic.BadRequestError, refused);
    assert.match(refused.message, /The upstream's own words/);
    assert.ok((await m.fails(() => client(m.badKey).messages.create(ask(model)))) instanceof Anthropic.AuthenticationError);
    assert.ok((await m.fails(() => weir.messages.create(ask('nope')))) instanceof Anthropic.NotFoundError);
  },
  hangup: async (model) => {
    for await (const event of await weir.messages.create(ask(model, { stream: true }))) {
      if (event.type === 'content_block_delta') break; // which hangs up
    }
  },
  cut: breaks,
  breaks,
});
