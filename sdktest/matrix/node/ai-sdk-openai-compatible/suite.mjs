import assert from 'node:assert/strict';

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as ai from 'ai';
import { z } from 'zod';

import { features } from '../ai.mjs';
import * as m from '../matrix.mjs';

const provider = (apiKey) => {
  const weir = createOpenAICompatible({
    name: 'weir', baseURL: m.baseURL, apiKey, includeUsage: true, supportsStructuredOutputs: true,
  });
  return { chat: weir.chatModel, embedding: weir.embeddingModel };
};

async function reasoning() {
  const call = { model: provider(m.key).chat('reasoner'), prompt: m.question, maxRetries: 0 };
  const got = await ai.generateText(call);
  assert.deepEqual([got.finalStep.reasoningText, got.text], [m.reasonerThought, m.reasonerText]);
  const parts = await m.collect(ai.streamText(call).stream);
  const joined = (type) => parts.filter((part) => part.type === type).map((part) => part.text).join('');
  assert.deepEqual([joined('reasoning-delta'), joined('text-delta')], [m.reasonerThought, m.reasonerText]);
}

const version = `${m.installed('@ai-sdk/openai-compatible')}, ai ${m.installed('ai')}`;
await m.run(version, features(ai, provider, z, reasoning));
