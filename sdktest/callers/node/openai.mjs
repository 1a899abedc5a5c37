// The package openai, with its Responses API.

import assert from 'node:assert/strict';

import OpenAI from 'openai';

import * as m from './lib.mjs';

const client = (apiKey = m.key) => new OpenAI({ baseURL: `${m.url}/v1`, apiKey, maxRetries: 0, timeout: 15_000 });
const weir = client();
const tools = [{ type: 'function', strict: true, ...m.weather }];
const ask = (model, more) => ({ model, input: m.question, store: false, ...more });
const calls = (response) => response.output.filter((item) => item.type === 'function_call');

const loop = async (model, said, count, more) => {
  const input = [{ role: 'user', content: said }];
  const first = await weir.responses.stream(ask(model, { tools, input, ...more })).finalResponse();
  assert.equal(new Set(calls(first).map((c) => c.call_id)).size, count);
  for (const call of calls(first)) m.checkArguments(JSON.parse(call.arguments));
  const history = first.output.map(({ parsed_arguments, ...item }) => item); // which the helper adds, and the API refuses
  const results = calls(first).map((c) => ({ type: 'function_call_output', call_id: c.call_id, output: m.toolResult }));
  const second = await weir.responses.create(ask(model, { tools, input: [...input, ...history, ...results], ...more }));
  m.saysResult(second.output_text);
  return first;
};

const breaks = async (model) => {
  const seen = [];
  const err = await m.fails(async () => {
    for await (const event of await weir.responses.create(ask(model, { stream: true }))) {
      seen.push(event.type);
      if (event.type === 'response.failed') throw new Error(event.response.error.message);
    }
  });
  assert.ok(err.message && seen.includes('response.output_text.delta') && !seen.includes('response.completed'), err);
};

m.run(['openai'], {
  text: async (model) => {
    const got = await weir.responses.create(ask(model));
    m.saysBack(got.output_text);
    assert.equal(got.status, 'completed');
    m.checkUsage(got.usage.input_tokens, got.usage.output_tokens);
  },
  stream: async (model) => {
    const events = await m.collect(await weir.responses.create(ask(model, { stream: true })));
    const said = events.filter((e) => e.type === 'response.output_text.delta').map((e) => e.delta);
    assert.ok(said.length > 1);
    const { response } = events.at(-1);
    assert.equal(said.join(''), response.output.find((i) => i.type === 'message').content[0].text);
    m.saysBack(said.join(''));
    m.checkUsage(response.usage.input_tokens, response.usage.output_tokens);
  },
  tools: async (model) => void (await loop(model, m.question, 1)),
  parallel: async (model) => void (await loop(model, m.parallelQuestion, 2)),
  image: async (model) => {
    const content = [{ type: 'input_text', text: m.question }, { type: 'input_image', image_url: m.image, detail: 'auto' }];
    m.saysBack((await weir.responses.create(ask(model, { input: [{ role: 'user', content }] }))).output_text);
  },
  structured: async (model) => {
    const got = await weir.responses.create(ask(model, { text: { format: { type: 'json_schema', name: 'report', schema: m.report, strict: true } } }));
    m.checkReport(JSON.parse(got.output_text));
  },
  reasoning: async (model, target) => {
    if (target === 'chat') return m.noThoughts;
    const first = await loop(model, m.question, 1, { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] });
    // One vendor signs the call, and the signature is in its id.
    assert.ok(first.output.some((i) => i.encrypted_content || i.call_id?.includes('__')), JSON.stringify(first.output));
  },
  errors: async (model) => {
    const refused = await m.fails(() => weir.responses.create(ask(model)));
    assert.ok(refused instanceof OpenAI.BadRequestError, refused);
    assert.match(refused.message, /The upstream's own words/);
    assert.ok((await m.fails(() => client(m.badKey).responses.create(ask(model)))) instanceof OpenAI.AuthenticationError);
    assert.ok((await m.fails(() => weir.responses.create(ask('nope')))) instanceof OpenAI.NotFoundError);
  },
  hangup: async (model) => {
    for await (const event of await weir.responses.create(ask(model, { stream: true }))) {
      if (event.type === 'response.output_text.delta') break; // which hangs up
    }
  },
  cut: breaks,
  breaks,
});
