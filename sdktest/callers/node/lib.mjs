// What the programs share: the environment, what the simulated provider answers, and the report. See ../callers_test.go for what a program gets and prints.

import assert from 'node:assert/strict';
import { readFileSync, writeSync } from 'node:fs';

const env = process.env;
export const url = env.WEIR_URL;
export const [key, badKey, image] = [env.WEIR_KEY, env.WEIR_BAD_KEY, env.WEIR_IMAGE];
export const imageData = image.slice(image.indexOf(',') + 1);

export const question = 'Grüße, 世界 👋 "\\';
export const parallelQuestion = 'The weather in two cities, in parallel.';
export const toolResult = '12 °C';

// The tool that the programs offer.
export const weather = {
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    required: ['city', 'unit'],
    additionalProperties: false,
  },
};

// What they want as structured output.
export const report = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' }, sunny: { type: 'boolean' } },
  required: ['city', 'degrees', 'sunny'],
  additionalProperties: false,
};

export const saysBack = (text) => assert.ok(text.includes(`You said: ${question}`), text);
// The simulated provider says of which tool's result it speaks in one dialect only.
export const saysResult = (text) => assert.ok(text.includes(toolResult), text);

export function checkArguments(args) {
  assert.deepEqual(Object.keys(args).sort(), ['city', 'unit']);
  assert.equal(typeof args.city, 'string');
  assert.ok(['celsius', 'fahrenheit'].includes(args.unit), args.unit);
}

export function checkReport(got) {
  assert.deepEqual(Object.keys(got).sort(), ['city', 'degrees', 'sunny']);
  assert.deepEqual([typeof got.city, typeof got.degrees, typeof got.sunny], ['string', 'number', 'boolean']);
}

export function checkUsage(input, output) {
  assert.ok(Number.isInteger(input) && input > 0, `${input} tokens of input`);
  assert.ok(Number.isInteger(output) && output > 0, `${output} tokens of output`);
}

// fails calls and returns the error; not to fail is wrong.
export async function fails(call) {
  let got;
  try {
    got = await call();
  } catch (err) {
    return err;
  }
  assert.fail(`it did not fail, but gave ${JSON.stringify(got)}`);
}

export async function collect(iterable) {
  const out = [];
  for await (const item of iterable) out.push(item);
  return out;
}

// noThoughts is why there is nothing to keep where a target is asked in chats.
export const noThoughts = 'chat completions have no way to send reasoning back';

const version = (name) => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;

const patience = 20_000; // bounds a feature

// run tells what the client is, and tries its features at each target. A feature gets the name of its model and of the target; it throws if it does
// not work, and returns a text if there is no such thing.
export async function run(packages, features) {
  const client = process.argv[1].split(/[\\/]/).at(-1).replace('.mjs', '');
  print({ client, version: packages.map((p, i) => (i ? `${p} ${version(p)}` : version(p))).join(', '), language: `Node ${process.versions.node}` });
  for (const target of env.WEIR_TARGETS.split(',')) {
    for (const [feature, check] of Object.entries(features)) {
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`nothing after ${patience / 1000} s`)), patience);
      });
      try {
        const note = typeof check === 'string' ? check : await Promise.race([check(`${target}-${feature}`, target), late]);
        print({ target, feature, result: typeof note === 'string' ? 'absent' : 'ok', note: typeof note === 'string' ? note : '' });
      } catch (err) {
        console.error(target, feature, err);
        print({ target, feature, result: 'failed', note: `${err?.name}: ${err?.message}`.slice(0, 300) });
      }
      clearTimeout(timer);
      if (feature === 'cut' || feature === 'breaks') await parting();
    }
  }
  process.exit(0); // whatever a client still holds open
}

// parting waits for the end of the connection of a stream that failed, which Weir closes 250 ms later. A program that is held up would send its next
// request right into that.
const parting = () => new Promise((resolve) => setTimeout(resolve, 400));

function print(line) {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
