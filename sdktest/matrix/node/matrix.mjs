// What the programs of the Node clients share: the environment, what the simulated provider answers, and the report.
// See ../matrix_test.go for what a program gets and prints.

import assert from 'node:assert/strict';
import { readFileSync, writeSync } from 'node:fs';

const env = process.env;
export const baseURL = env.WEIR_BASE_URL;
export const [key, scopedKey, badKey] = [env.WEIR_KEY, env.WEIR_SCOPED_KEY, env.WEIR_BAD_KEY];
export const image = env.WEIR_IMAGE;

// What a key for all models lists, sorted; the scoped key lists scopedModels.
export const models = [
  'breaks', 'broken', 'chat', 'cut', 'embed', 'endless', 'limited', 'limited-once', 'overloaded', 'overloaded-once',
  'reasoner', 'refused', 'team/chat',
];
export const scopedModels = ['chat'];

export const question = 'Grüße, 世界 👋 "\\';
export const parallelQuestion = 'The weather in two cities, in parallel.';

// What the simulated provider answers: to the question, with and without the picture, and to the tool's result.
const simulated = "This is a simulated answer from Weir's built-in provider.";
export const answer = `${simulated} You said: ${question}`;
export const imageAnswer = `${answer} (with 1 image)`;
export const toolResult = '12 °C';
export const toolAnswer = `${simulated} The tool answered: ${toolResult}`;

// What the model reasoner answers.
export const reasonerThought = 'The question was read; a simulated answer will do.';
export const reasonerText = 'A simulated answer, thought over.';

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

// What they want as structured output, for the package zod and as it goes over the wire.
export const report = (z) => z.object({ city: z.string(), degrees: z.number().int(), sunny: z.boolean() });
export const reportSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'integer' }, sunny: { type: 'boolean' } },
  required: ['city', 'degrees', 'sunny'],
  additionalProperties: false,
};

// checkArguments checks arguments of weather, parsed.
export function checkArguments(args) {
  assert.deepEqual(Object.keys(args).sort(), ['city', 'unit']);
  assert.equal(typeof args.city, 'string');
  assert.ok(['celsius', 'fahrenheit'].includes(args.unit), args.unit);
}

// checkReport checks what was parsed with the schema report.
export function checkReport(got) {
  assert.deepEqual(Object.keys(got).sort(), ['city', 'degrees', 'sunny']);
  assert.deepEqual([typeof got.city, typeof got.degrees, typeof got.sunny], ['string', 'number', 'boolean']);
  assert.ok(Number.isInteger(got.degrees));
}

export function checkUsage(input, output, total) {
  assert.ok(Number.isInteger(input) && input > 0, `${input} tokens of input`);
  assert.ok(Number.isInteger(output) && output > 0, `${output} tokens of output`);
  assert.equal(total, input + output);
}

// checkVectors checks embeddings of different texts, in the simulated provider's usual length.
export function checkVectors(vectors, count) {
  assert.equal(vectors.length, count);
  for (const vector of vectors) {
    assert.equal(vector.length, 256);
    assert.ok(vector.every((x) => typeof x === 'number'), 'not numbers');
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4, `the norm is ${Math.hypot(...vector)}`);
  }
  assert.equal(new Set(vectors.map((vector) => vector[0])).size, count, 'the same vector for different inputs');
}

// checkSame checks that vectors are the same but for rounding.
export function checkSame(got, want) {
  assert.equal(got.length, want.length);
  got.forEach((vector, i) => vector.forEach((x, j) => assert.ok(Math.abs(x - want[i][j]) < 1e-6, `${x} is not ${want[i][j]}`)));
}

// decode reads an embedding in base64: little-endian floats of 32 bits.
export function decode(base64) {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
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

// installed is the version of a package in the folder of the program that runs.
export function installed(name) {
  return JSON.parse(readFileSync(new URL(`${program()}/node_modules/${name}/package.json`, import.meta.url))).version;
}

function program() {
  return process.argv[1].split(/[\\/]/).at(-2);
}

// patience bounds a feature, so that one that hangs does not keep the others from being told.
const patience = 30_000;

// run tells what the client is and runs its features one after the other. A feature is a function that throws if it
// does not work, or a text that says why the client has no such thing.
export async function run(version, features) {
  print({ client: program(), version, language: `Node ${process.versions.node}` });
  for (const [feature, check] of Object.entries(features)) {
    if (typeof check === 'string') {
      print({ feature, result: 'absent', note: check });
      continue;
    }
    try {
      await within(check());
      print({ feature, result: 'ok', note: '' });
    } catch (err) {
      console.error(feature, err);
      print({ feature, result: 'failed', note: `${err?.name}: ${err?.message}`.slice(0, 300) });
    }
  }
  process.exit(0); // whatever a client still holds open
}

async function within(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing after ${patience / 1000} s`)), patience);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function print(line) {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
