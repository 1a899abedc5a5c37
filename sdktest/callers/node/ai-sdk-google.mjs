import { createGoogleGenerativeAI } from '@ai-sdk/google';

import { features } from './ai.mjs';
import { run, url } from './lib.mjs';

const provider = (apiKey) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey });
run(['@ai-sdk/google', 'ai'], features(provider, { google: { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } } }));
