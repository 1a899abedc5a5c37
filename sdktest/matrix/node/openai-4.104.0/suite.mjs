import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';

import { installed, report, run } from '../matrix.mjs';
import { features } from '../openai.mjs';

// This version has its helpers below beta.
await run(installed('openai'), features(OpenAI, (client) => client.beta.chat.completions, zodResponseFormat(report(z), 'report')));
