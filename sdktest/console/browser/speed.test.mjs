// How fast pages are for those who look at them: when they are painted, when what they show stands, and how long a click or a key waits for its paint. Nothing here fails for being slow:
// the figures go into a file.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import { base, browser, open } from "./harness.mjs";

const rounds = Number(process.env.WEIR_ROUNDS);
const warm = rounds > 1 ? 1 : 0; // rounds that do not count: they warm Weir, the browser and the machine
const figures = { browser: browser.version(), pages: [], acts: [] };

after(async () => {
  await writeFile(process.env.WEIR_FIGURES, JSON.stringify(figures));
  await browser.close();
});

/** Runs in the page before anything of it: notes paints, long tasks, events, and the first frame after the last change of the document. */
function watch() {
  const seen = (globalThis.seen = { pending: 0, stood: 0, waits: false, largest: 0, events: [], tasks: [] });
  const observe = (type, each, more = {}) => new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  observe("largest-contentful-paint", (one) => (seen.largest = one.startTime));
  observe("longtask", (one) => seen.tasks.push([one.startTime, one.duration]));
  // An event is seen if it takes 16 ms, the first one always. Durations are in steps of 8 ms.
  for (const type of ["event", "first-input"]) observe(type, (one) => seen.events.push([one.startTime, one.duration]), { durationThreshold: 16 });
  const frame = new MessageChannel();
  frame.port1.onmessage = () => {
    seen.stood = performance.now();
    seen.waits = false;
  };
  const changed = () => {
    if (seen.waits) return;
    seen.waits = true;
    requestAnimationFrame(() => frame.port2.postMessage(0)); // it comes when the frame is made
  };
  new MutationObserver(changed).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const plain = globalThis.fetch;
  globalThis.fetch = (...asked) => {
    seen.pending++;
    return plain(...asked).finally(() => seen.pending--);
  };
}

/** Waits until nothing is asked for and nothing changes any more, and returns when the last change was painted. */
async function stood(page) {
  const still = await page.waitForFunction(() => {
    const { seen } = globalThis;
    const quiet = seen.pending === 0 && !seen.waits && performance.now() - seen.stood > 300;
    return quiet && document.querySelector("h1") !== null && document.querySelector(".loading") === null && seen.stood;
  }, null, { polling: 50 });
  return still.jsonValue();
}

async function window() {
  const opened = await open();
  await opened.page.addInitScript(watch);
  return opened;
}

/** How a page that was just opened was painted, in milliseconds from the click that opened it. */
async function painted(page) {
  const whole = await stood(page);
  const [first, largest] = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0].startTime, globalThis.seen.largest]);
  return { first, largest, whole: Math.max(whole, largest) }; // a frame is made before it is seen
}

const pages = [
  ["Overview", "/"], ["Overview, 30 days", "/?since=30d"], ["Usage", "/usage"], ["Usage by key, 30 days", "/usage?by=key&since=30d"], ["Usage by team and model, 90 days", "/usage?by=team&then=model&since=90d"],
  ["Requests", "/requests"], ["Models", "/models"], ["Providers", "/providers"], ["Explain", "/explain"], ["Playground", "/playground"], ["Keys", "/keys"], ["A key", "/keys/ONE"], ["Teams", "/teams"], ["A team", "/teams/ONE"],
  ["Settings", "/settings"], ["Manual", "/docs/"],
];

/** A path with the id of some key or team where it says ONE. */
async function real(context, path) {
  if (!path.endsWith("/ONE")) return path;
  const list = path.slice(0, -4);
  const answer = await context.request.get(`/admin/v1${list}?limit=10`);
  return `${list}/${(await answer.json()).data.at(-1).id}`;
}

for (const [name, path] of pages) {
  test(name, async () => {
    const times = { name, fresh: [], again: [] };
    for (let round = -warm; round < rounds; round++) {
      const { page, context, faults } = await window(); // with nothing in its cache
      await page.goto(await real(context, path), { waitUntil: "commit" });
      const fresh = await painted(page);
      await page.goto("about:blank");
      await page.goto(await real(context, path), { waitUntil: "commit" });
      const again = await painted(page);
      if (round >= 0) {
        times.fresh.push(fresh);
        times.again.push(again);
      }
      assert.deepEqual(faults, []);
      await context.close();
    }
    figures.pages.push(times);
  });
}

/** What people do. Each has the page where they do it, what they do before without being measured, and what is measured. */
const choose = (label, value) => async (page) => {
  const select = page.getByLabel(label, { exact: true });
  const options = await select.locator("option").evaluateAll((all) => all.map((one) => one.value));
  const [from, to] = [options.indexOf(await select.inputValue()), options.indexOf(value)];
  await select.focus();
  assert.equal(Math.abs(to - from), 1, `${label}: ${value} is not beside what is chosen`);
  return () => page.keyboard.press(to > from ? "ArrowDown" : "ArrowUp");
};
const click = (find) => async (page) => {
  const there = find(page).first();
  await there.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await there.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  return () => page.mouse.click(x + width / 2, y + height / 2);
};
const type = (label, letter) => async (page) => {
  await page.getByLabel(label, { exact: true }).focus();
  return () => page.keyboard.press(letter);
};
const to = (name) => click((page) => page.getByRole("navigation").getByRole("link", { name, exact: true }));
const column = (table, name) => click((page) => page.getByRole("group", { name: table, exact: true }).getByRole("columnheader", { name }).getByRole("button"));

const acts = [
  ["go to Usage", "/", to("Usage")],
  ["go to Requests", "/", to("Requests")],
  ["go to Keys", "/", to("Keys")],
  ["go to Models", "/", to("Models")],
  ["go to Settings", "/", to("Settings")],
  ["period: 7 to 30 days, on Overview", "/?since=7d", choose("Period", "Last 30 days")],
  ["period: 7 to 30 days, on Usage by key", "/usage?by=key&since=7d", choose("Period", "Last 30 days")],
  ["group: by team in place of by model", "/usage?since=30d", choose("Group by", "team")],
  ["group: by key in place of by team", "/usage?by=team&since=30d", choose("Group by", "key")],
  ["figure: requests in place of cost", "/usage?by=key&since=30d", choose("Figure", "requests")],
  ["sort the sums by key", "/usage?by=key&since=30d", column("Sums", /^Key/)],
  ["sort 100 requests by cost", "/requests?since=30d", column("Requests", /^Cost/)],
  ["sort the keys by their names", "/keys", column("Keys", /^Key/)],
  ["open a request", "/requests?since=30d", click((page) => page.locator("tr.open"))],
  ["close a request", "/requests?since=30d", async (page) => {
    await page.locator("tr.open").first().click();
    await stood(page);
    return () => page.keyboard.press("Escape");
  }],
  ["type in the filter of Requests", "/requests?since=30d", type("Key", "s")],
  ["type in the filter of Keys", "/keys", type("Name, id or model", "s")],
  ["type in the filter of Models", "/models", type("Find a model or target", "m")],
  ["type in the filter of Settings", "/settings", type("Find a setting", "s")],
  ["search for a key", "/", async (page) => {
    await page.keyboard.press("/");
    await stood(page);
    return () => page.keyboard.press("s");
  }],
  ["a plot as its table", "/usage?by=key&since=7d", click((page) => page.getByRole("button", { name: "Table", exact: true }))],
  ["switch to dark, on Usage by key", "/usage?by=key&since=30d", click((page) => page.getByRole("button", { name: "Dark", exact: true }))],
];

for (const [name, path, prepare] of acts) {
  test(name, async () => {
    const times = { name, paint: [], whole: [], task: [] };
    for (let round = -warm; round < rounds; round++) {
      const { page, context, faults } = await window();
      await page.goto(base + path);
      await stood(page);
      const act = await prepare(page);
      await stood(page);
      const begun = await page.evaluate(() => performance.now());
      await act();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
      const end = await stood(page);
      const { events, tasks } = await page.evaluate(() => globalThis.seen);
      const longest = (all) => Math.max(0, ...all.filter(([at]) => at >= begun).map(([, took]) => took));
      const first = Math.min(...events.filter(([at]) => at >= begun).map(([at]) => at), end);
      if (round >= 0) {
        times.paint.push(longest(events));
        times.whole.push(Math.max(0, end - first));
        times.task.push(longest(tasks));
      }
      assert.deepEqual(faults, []);
      await context.close();
    }
    figures.acts.push(times);
  });
}
