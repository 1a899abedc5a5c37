import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import { z } from 'zod';

import { features } from '../ai.mjs';
import { baseURL, installed, run } from '../matrix.mjs';

// chat is for models behind /chat/completions; without it the provider calls /responses.
const provider = (apiKey) => {
  const weir = createOpenAI({ baseURL, apiKey });
  return { chat: weir.chat, embedding: weir.embeddingModel };
};

const version = `${installed('@ai-sdk/openai')}, ai ${installed('ai')}`;
await run(version, features(ai, provider, z, 'its chat models read no reasoning_content'));
