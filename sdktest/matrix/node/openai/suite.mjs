import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';

import { installed, report, run } from '../matrix.mjs';
import { features } from '../openai.mjs';

await run(installed('openai'), features(OpenAI, (client) => client.chat.completions, zodResponseFormat(report(z), 'report')));
