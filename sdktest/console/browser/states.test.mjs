// What each page shows while it loads, when its answer is old, when the store cannot be read, when a role does not allow it, and when there is nothing yet.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { all, base, browser, idOf, open, settled, shots, violations } from "./harness.mjs";

after(() => browser.close());

const nothing = { data: [], next: null, searched_until: null, since: "2026-11-11T00:00:00Z", until: "2026-11-18T00:00:00Z", within: 1.6 };
const [key, team] = [await idOf("keys", "svc-answers"), await idOf("teams", "research")];

/** Each page: what it has when it has something, and what it says when there is nothing. */
const pages = [
  { path: "/", has: ".tiles", empty: "weir keys create my-app" },
  { path: "/usage", has: ".plot, tbody tr", empty: "weir keys create my-app" },
  { path: "/requests", has: "tbody tr", empty: "No request is like this" },
  { path: "/models", has: "tbody tr", empty: "The config has no models" },
  { path: "/providers", has: "tbody tr", empty: "The config has no providers" },
  { path: "/explain?model=smart", has: "tbody tr" },
  { path: "/keys", has: "tbody tr", empty: "weir keys create --name my-app" },
  { path: "/teams", has: "tbody tr", empty: "weir teams create --name research" },
  { path: `/keys/${key}`, has: ".tiles", empty: "No request yet", of: /\/(usage|requests)\?/ },
  { path: `/teams/${team}`, has: ".tiles, table", empty: "No key is in this team", of: /\/(usage|keys)\?/ },
  { path: "/settings", has: "tbody tr" },
];

const name = (path) => path.replace(/\/(keys|teams)\/.*/, "/$1/one");
const whole = /\/admin\/v1\/(?!session|config)/; // all answers but those that come before any page
const expected = ["403", "500", "ERR_FAILED", "made up"];
const refusal = (status) => ({ status, contentType: "application/json", body: JSON.stringify({ error: { message: `made up: ${status}`, type: "x", param: null, code: "x" } }) });

/** A window whose answers are as told: through, held, refused, aborted or empty. */
async function told() {
  const window = await open({ expected });
  const how = { is: "through", of: whole, held: [] };
  await window.page.route(whole, (route) => {
    if (how.is === "held") return how.held.push(route);
    if (how.is === "gone") return route.abort();
    if (how.is === "empty" && how.of.test(route.request().url())) return route.fulfill({ json: nothing });
    return typeof how.is === "number" ? route.fulfill(refusal(how.is)) : route.continue();
  });
  const release = () => Promise.all(how.held.splice(0).map((route) => route.continue()));
  return { ...window, how, release };
}

async function seen(page, path, state) {
  if (shots) await page.screenshot({ path: `${shots}/state-${state}-${name(path).slice(1).replace(/\W+/g, "-") || "overview"}.png` });
}

for (const { path, has, empty, of } of pages) {
  test(name(path), async () => {
    const { page, context, how, release, faults } = await told();

    how.is = "held";
    await page.goto(path);
    await page.getByText("Loading", { exact: true }).first().waitFor({ state: "attached" });
    assert.equal(await page.locator("h1").count(), 1);
    await seen(page, path, "loading");
    how.is = "through";
    await release();
    await page.locator(has).first().waitFor();
    await settled(page);

    // What is shown stays, and says from when it is.
    how.is = "gone";
    const again = page.getByRole("button", { name: /^as of/ });
    await again.click();
    await page.getByText(/^Could not refresh: this is from \d\d:\d\d/).first().waitFor();
    await page.getByText("Weir does not answer at this address.").first().waitFor();
    assert.ok(await page.locator(has).first().isVisible());
    if (all) assert.deepEqual(await violations(page), []);
    await seen(page, path, "stale");

    for (const [status, title] of [[500, "The store cannot be read"], [403, "Your role does not allow this"]]) {
      how.is = status;
      await page.reload();
      const alert = page.getByRole("alert").filter({ hasText: title });
      await alert.first().waitFor();
      await alert.getByText(`made up: ${status}`).first().waitFor();
      assert.equal(await alert.first().getByText("Requests of callers are served and journaled all the same.").count(), status === 500 ? 1 : 0);
      assert.equal(await alert.first().getByRole("button", { name: "Try again" }).count(), status === 500 ? 1 : 0);
      assert.equal(await page.locator(has).count(), 0, "there is nothing to show");
      await seen(page, path, status);
      if (status !== 500) continue;
      how.is = "through";
      await alert.getByRole("button", { name: "Try again" }).first().click();
      await page.locator(has).first().waitFor();
    }

    if (empty) {
      Object.assign(how, { is: "empty", of: of ?? whole });
      await page.reload();
      await page.getByText(empty).first().waitFor();
      await settled(page);
      if (all) assert.deepEqual(await violations(page), []);
      await seen(page, path, "empty");
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("figures beside an answer are missing", async () => {
  const { page, context, faults } = await open({ expected });
  await page.route(/\/admin\/v1\/latency/, (route) => route.fulfill(refusal(500)));
  for (const path of ["/", "/models", "/providers"]) {
    await page.goto(path);
    await page.getByText("Some figures could not be fetched.").first().waitFor();
  }
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.getByText("Some figures could not be fetched.").waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});

// A tab stays open for a day. Its session ends, and Weir is another version by then: who signs in gets its script, on the same page with the same filters.
test("a day later", async () => {
  const { page, context, faults } = await open({ expected: ["401"] });
  await page.clock.install();
  await page.goto("/usage?by=team&since=30d");
  await settled(page);
  let loads = 0;
  page.on("load", () => loads++);
  await context.clearCookies();
  await page.clock.fastForward("24:00:00");
  await page.getByLabel("Admin token").fill(process.env.WEIR_TOKEN);
  assert.equal(loads, 0);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  assert.equal(loads, 1, "the page was loaded anew");
  assert.equal(new URL(page.url()).search, "?by=team&since=30d");
  await page.getByRole("region", { name: "Sums" }).locator("tbody tr").first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

// A tab that is not seen asks for nothing, however many there are.
test("many tabs", async () => {
  const { page, context, faults } = await open();
  await page.clock.install();
  await page.goto("/");
  await settled(page);
  let asked = 0;
  page.on("request", (request) => request.url().startsWith(`${base}/admin/`) && asked++);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => true }));
  await page.clock.fastForward("01:00:00");
  assert.equal(asked, 0);
  await page.evaluate(() => delete document.hidden);
  await page.clock.runFor(61_000);
  assert.ok(asked > 0);
  assert.deepEqual(faults, []);
  await context.close();
});
