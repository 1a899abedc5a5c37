import { createAnthropic } from '@ai-sdk/anthropic';

import { features } from './ai.mjs';
import { run, url } from './lib.mjs';

const provider = (apiKey) => createAnthropic({ baseURL: `${url}/v1`, apiKey });
run(['@ai-sdk/anthropic', 'ai'], features(provider, { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }));
