import { createOpenAI } from '@ai-sdk/openai';

import { features } from './ai.mjs';
import { run, url } from './lib.mjs';

const provider = (apiKey) => createOpenAI({ baseURL: `${url}/v1`, apiKey });
const thinking = { openai: { store: false, forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto', include: ['reasoning.encrypted_content'] } };
run(['@ai-sdk/openai', 'ai'], features(provider, thinking));
