// OpenAI's agents SDK. It runs loops of tools itself.

import assert from 'node:assert/strict';

import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

import * as m from './lib.mjs';

setTracingDisabled(true);
const runner = (apiKey = m.key) =>
  new Runner({ modelProvider: new OpenAIProvider({ openAIClient: new OpenAI({ baseURL: `${m.url}/v1`, apiKey, maxRetries: 0, timeout: 15_000 }), useResponses: true }) });
const weir = runner();
const asked = [];
const weather = tool({
  name: m.weather.name,
  description: m.weather.description,
  parameters: z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
  execute: async (args) => {
    asked.push(args);
    return m.toolResult;
  },
});
const agent = (model, more) => new Agent({ name: 'Caller', instructions: 'Be brief.', model, modelSettings: { store: false }, ...more });

const loop = async (model, said, count, settings) => {
  asked.length = 0;
  const result = await weir.run(agent(model, { tools: [weather], modelSettings: { store: false, ...settings } }), said, { stream: true });
  await result.completed;
  assert.equal(asked.length, count);
  for (const args of asked) m.checkArguments(args);
  m.saysResult(result.finalOutput);
};

const breaks = async (model) => {
  const pieces = [];
  const err = await m.fails(async () => {
    const result = await weir.run(agent(model), m.question, { stream: true });
    for await (const piece of result.toTextStream()) pieces.push(piece);
    await result.completed;
    if (result.error) throw result.error;
    return result.finalOutput;
  });
  assert.ok(err.message && pieces.length > 0, err);
};

m.run(['@openai/agents', 'openai'], {
  text: async (model) => m.saysBack((await weir.run(agent(model), m.question)).finalOutput),
  stream: async (model) => {
    const result = await weir.run(agent(model), m.question, { stream: true });
    const pieces = await m.collect(result.toTextStream());
    await result.completed;
    assert.ok(pieces.length > 1);
    assert.equal(pieces.join(''), result.finalOutput);
    m.saysBack(result.finalOutput);
  },
  tools: (model) => loop(model, m.question, 1),
  parallel: (model) => loop(model, m.parallelQuestion, 2),
  image: async (model) => {
    const content = [{ type: 'input_text', text: m.question }, { type: 'input_image', image: m.image }];
    m.saysBack((await weir.run(agent(model), [{ role: 'user', content }])).finalOutput);
  },
  structured: async (model) => {
    const outputType = z.object({ city: z.string(), degrees: z.number().int(), sunny: z.boolean() });
    m.checkReport((await weir.run(agent(model, { outputType }), m.question)).finalOutput);
  },
  reasoning: async (model, target) => {
    if (target === 'chat') return m.noThoughts;
    await loop(model, m.question, 1, { reasoning: { effort: 'low', summary: 'auto' }, providerData: { include: ['reasoning.encrypted_content'] } });
  },
  errors: async (model) => {
    const refused = await m.fails(() => weir.run(agent(model), m.question));
    assert.equal(refused.status, 400);
    assert.match(refused.message, /The upstream's own words/);
    assert.equal((await m.fails(() => runner(m.badKey).run(agent(model), m.question))).status, 401);
    assert.equal((await m.fails(() => weir.run(agent('nope'), m.question))).status, 404);
  },
  hangup: async (model) => {
    const stop = new AbortController();
    const result = await weir.run(agent(model), m.question, { stream: true, signal: stop.signal });
    for await (const piece of result.toTextStream()) {
      if (piece) break;
    }
    stop.abort();
  },
  cut: breaks,
  breaks,
});
