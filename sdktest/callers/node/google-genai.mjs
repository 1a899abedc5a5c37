// Google's own SDK.

import assert from 'node:assert/strict';

import { ApiError, GoogleGenAI } from '@google/genai';

import * as m from './lib.mjs';

const client = (apiKey = m.key) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: m.url, timeout: 15_000 } });
const weir = client();
const tools = [{ functionDeclarations: [{ name: m.weather.name, description: m.weather.description, parametersJsonSchema: m.weather.parameters }] }];
const user = (parts) => [{ role: 'user', parts }];
const ask = (model, config, contents = m.question) => ({ model, contents, config });
const calls = (parts) => parts.filter((p) => p.functionCall);

const loop = async (model, said, count, config) => {
  const asked = user([{ text: said }]);
  const chunks = await m.collect(await weir.models.generateContentStream(ask(model, { tools, ...config }, asked)));
  const parts = chunks.flatMap((c) => c.candidates?.[0]?.content?.parts ?? []).filter((p) => p.text !== '' || p.thoughtSignature);
  assert.equal(calls(parts).length, count);
  for (const { functionCall } of calls(parts)) m.checkArguments(functionCall.args);
  const results = calls(parts).map(({ functionCall: { id, name } }) => ({ functionResponse: { id, name, response: { output: m.toolResult } } }));
  const second = await weir.models.generateContent(ask(model, { tools, ...config }, [...asked, { role: 'model', parts }, { role: 'user', parts: results }]));
  m.saysResult(second.text);
  return parts;
};

const breaks = async (model) => {
  const err = await m.fails(async () => m.collect(await weir.models.generateContentStream(ask(model))));
  assert.ok(err.message, err);
};

m.run(['@google/genai'], {
  text: async (model) => {
    const got = await weir.models.generateContent(ask(model));
    m.saysBack(got.text);
    assert.equal(got.candidates[0].finishReason, 'STOP');
    m.checkUsage(got.usageMetadata.promptTokenCount, got.usageMetadata.candidatesTokenCount);
  },
  stream: async (model) => {
    const chunks = await m.collect(await weir.models.generateContentStream(ask(model)));
    assert.ok(chunks.length > 2);
    m.saysBack(chunks.map((c) => c.text ?? '').join(''));
    const { usageMetadata } = chunks.at(-1);
    m.checkUsage(usageMetadata.promptTokenCount, usageMetadata.candidatesTokenCount);
  },
  tools: async (model) => void (await loop(model, m.question, 1)),
  parallel: async (model) => void (await loop(model, m.parallelQuestion, 2)),
  image: async (model) => {
    const got = await weir.models.generateContent(ask(model, {}, user([{ text: m.question }, { inlineData: { mimeType: 'image/png', data: m.imageData } }])));
    m.saysBack(got.text);
  },
  structured: async (model) => {
    const got = await weir.models.generateContent(ask(model, { responseMimeType: 'application/json', responseJsonSchema: m.report }));
    m.checkReport(JSON.parse(got.text));
  },
  reasoning: async (model, target) => {
    if (target === 'chat') return m.noThoughts;
    const parts = await loop(model, m.question, 1, { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } });
    assert.ok(parts.some((p) => p.thoughtSignature), JSON.stringify(parts));
  },
  errors: async (model) => {
    const status = async (want, call) => {
      const err = await m.fails(call);
      assert.ok(err instanceof ApiError, err);
      assert.equal(err.status, want);
      return err;
    };
    assert.match((await status(400, () => weir.models.generateContent(ask(model)))).message, /The upstream's own words/);
    await status(401, () => client(m.badKey).models.generateContent(ask(model)));
    await status(404, () => weir.models.generateContent(ask('nope')));
  },
  hangup: async (model) => {
    const stop = new AbortController();
    for await (const chunk of await weir.models.generateContentStream(ask(model, { abortSignal: stop.signal }))) {
      if (chunk.text) {
        stop.abort();
        break;
      }
    }
  },
  cut: breaks,
  breaks,
});
