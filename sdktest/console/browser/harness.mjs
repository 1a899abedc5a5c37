// A browser on the seeded console. What a page must never do fails every test: errors on the console, violations of the policy, answers of 500.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const { WEIR_CONSOLE: base, WEIR_TOKEN: token, WEIR_URL: models, WEIR_KEY: key, WEIR_SHOTS: shots, WEIR_ALL: all, WEIR_NOW: now } = process.env;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const browser = await chromium.launch({ executablePath: process.env.WEIR_CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** A window with its own cookies. expected are texts of errors that a test provokes. */
export async function open({ width = 1280, height = 900, scheme = "light", signedIn = true, expected = [] } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce", baseURL: base, permissions: ["clipboard-read", "clipboard-write"] });
  if (signedIn) {
    const answer = await context.request.post("/admin/v1/session", { data: { token }, headers: { origin: base } });
    if (!answer.ok()) throw new Error(`login: ${answer.status()} ${await answer.text()}`);
  }
  const page = await context.newPage();
  if (now) await page.clock.setFixedTime(now); // that of the Weir under test, which stands still
  const faults = [];
  const note = (text) => expected.some((one) => text.includes(one)) || faults.push(text);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && note(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  page.on("response", (response) => response.status() >= 500 && note(`${response.status()} ${response.url()}`));
  page.on("request", (request) => !request.url().startsWith(base) && !request.url().startsWith("data:") && note(`asks elsewhere: ${request.url()}`));
  page.setDefaultTimeout(60_000); // of a machine with other work
  return { page, context, faults };
}

/** The id of a key or a team. */
export async function idOf(list, name) {
  const answer = await fetch(`${base}/admin/v1/${list}?limit=1000`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()).data.find((one) => one.name === name).id;
}

/** Waits until nothing loads. */
export async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector("h1") !== null && document.querySelector(".loading") === null);
}

/** What axe finds, in a line each. */
export async function violations(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Runtime.evaluate", { expression: axe });
  await devtools.detach();
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}
