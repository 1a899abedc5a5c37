// What people come for, from the first click to the answer.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { base, browser, key, models, open, settled, token } from "./harness.mjs";

after(() => browser.close());

/** A test in a window of its own that ends without faults. */
function journey(name, options, run) {
  test(name, async () => {
    const window = await open(options);
    await run(window.page, window.context).catch(async (error) => {
      throw new Error(`${error.message}\nfaults: ${window.faults}\nthe page: ${await window.page.locator("body").innerText()}`, { cause: error });
    });
    assert.deepEqual(window.faults, []);
    await window.context.close();
  });
}

const api = async (context, path) => (await context.request.get(path)).json();

journey("sign in and out", { signedIn: false, expected: ["401"] }, async (page) => {
  await page.goto("/usage");
  await page.getByLabel("Admin token").fill("weir-admin-wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("not the token").waitFor();
  await page.getByLabel("Admin token").fill(token);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  await page.getByText("Signed in with the admin token").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Admin token").waitFor();
  await page.reload();
  await page.getByLabel("Admin token").waitFor();
});

journey("a sign-out that fails is no sign-out", { expected: ["net::ERR_FAILED"] }, async (page, context) => {
  await page.goto("/settings");
  await settled(page);
  await page.route("**/admin/v1/session", (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You are still signed in. Weir does not answer at this address.").waitFor();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.unroute("**/admin/v1/session");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Admin token").waitFor();
  assert.equal((await context.request.get("/admin/v1/session")).status(), 401);
  await page.getByLabel("Admin token").fill(token);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  assert.equal(await page.getByText("You are still signed in").count(), 0);
});

journey("find who spent most", {}, async (page, context) => {
  await page.goto("/?since=30d");
  await settled(page);
  const { data } = await api(context, "/admin/v1/usage?by=key&top=1&since=30d");
  const first = page.getByRole("region", { name: "Keys by cost" }).locator("tbody tr").first();
  assert.equal(await first.locator("td").first().innerText(), data[0].name);
  const shown = await first.locator("td").nth(1).locator("span").getAttribute("title");
  assert.equal(Math.round(Number(shown.replace(/[$,]/g, "")) * 1e9), data[0].cost_nanodollars);
  await first.getByRole("link").click();
  await page.waitForURL(/\/requests\?since=30d&key=/);
});

journey("find out why a request was slow", {}, async (page, context) => {
  await page.goto("/requests?since=30d");
  await settled(page);
  await page.getByLabel("Slower than").fill("15s");
  await page.keyboard.press("Enter");
  await page.waitForURL(/min_took=15s/);
  await settled(page);
  const row = page.locator("tbody tr").first();
  const further = page.getByRole("button", { name: "Search further back" });
  while (true) {
    await row.or(further).first().waitFor();
    if (await row.isVisible()) break;
    await further.click();
    await settled(page);
  }
  await row.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Request" });
  await panel.getByText("first token after").first().waitFor();
  const id = new URL(page.url()).searchParams.get("request");
  const trail = await api(context, `/admin/v1/requests/${id}`);
  assert.equal(await panel.locator("section[aria-label=Calls] .panel").count(), trail.trail.length);
  await panel.getByRole("button", { name: "Explain again now" }).click();
  await panel.getByRole("group", { name: "Targets in the order of trying" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("request"));
});

// Names are as long as their makers like. They take no column out of view, and the whole of them can be read.
journey("long names", {}, async (page) => {
  const long = "a-service-of-the-department-for-the-naming-of-services".repeat(4);
  const lengthen = (row) => ({ ...row, ...Object.fromEntries(["name", "key_name", "model", "upstream"].filter((name) => row[name]).map((name) => [name, row[name] + long])) });
  await page.route(/\/admin\/v1\/(requests|usage)\?/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ json: { ...body, data: body.data.map(lengthen) } });
  });
  for (const [path, table] of [["/requests", "Requests"], ["/usage?by=model", "Sums"], ["/usage?by=key&then=model", "Sums"], ["/?by=team", "Keys by cost"]]) {
    await page.goto(path);
    await settled(page);
    const box = page.getByRole("group", { name: table, exact: true });
    const [inner, outer] = await box.evaluate((one) => [one.scrollWidth, one.clientWidth]);
    assert.ok(inner <= outer, `${path}: the table is ${inner} wide in ${outer}`);
    const name = box.locator(".name").first();
    assert.equal(await name.getAttribute("title"), await name.textContent());
    assert.ok((await name.textContent()).endsWith(long));
  }
});

journey("cut a running stream", {}, async (page) => {
  const answer = await fetch(`${models}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "local", stream: true, messages: [{ role: "user", content: "endless" }] }),
  });
  assert.equal(answer.status, 200);
  await page.goto("/requests?live=1&model=local");
  const running = page.getByRole("region", { name: "Running" });
  await running.getByRole("button", { name: "Cut the request of browser, local" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cut", exact: true }).click();
  assert.match(await answer.text(), /cut_by_operator/);
  await page.getByText("Nothing runs at this Weir").waitFor();
  await page.getByRole("region", { name: "Ended", exact: true }).getByText("browser").waitFor();
});

// The row of a call has no room for all that was passed over.
journey("see what was passed over", {}, async (page, context) => {
  const { data } = await api(context, "/admin/v1/requests?since=30d&model=code&status=ok&limit=1");
  await page.route("**/admin/v1/requests/req_*", async (route) => {
    const trail = await (await route.fetch()).json();
    trail.trail[0].skipped = ["groq/<b>big</b> model no_tools", "up/other odd_reason", "+12"];
    await route.fulfill({ json: trail });
  });
  await page.goto(`/requests?since=30d&request=${data[0].request}`);
  const passed = page.getByRole("dialog").getByRole("region", { name: "Passed over" });
  await passed.waitFor();
  assert.deepEqual(await passed.locator("dt").allInnerTexts(), ["groq/<b>big</b> model", "up/other", "others"]);
  assert.deepEqual(await passed.locator("dd").allInnerTexts(), ["it calls no tools", "odd reason", "12 more"]);
});

// What a plot says where it is pointed at stays within the window, however long the names are.
journey("point at a plot on a phone", { width: 390, height: 844 }, async (page) => {
  await page.route("**/admin/v1/usage?*", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, data: answer.data.map((row) => ({ ...row, model: row.model + "_of_a_long_name".repeat(9) })) } });
  });
  await page.goto("/");
  await settled(page);
  const plot = page.locator(".plot").first();
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width } = await plot.boundingBox();
  for (let at = 90; at < width - 24; at += 30) {
    await page.mouse.move(x + at, y + 60);
    const tip = await page.locator(".tip").boundingBox();
    const [whole, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(tip.x >= 0 && tip.x + tip.width <= window && whole <= window, `at ${at} it is from ${tip.x} to ${tip.x + tip.width}, of ${window}; the page has ${whole}`);
  }
});

journey("the parts of a cost add up to it", {}, async (page, context) => {
  const { data } = await api(context, "/admin/v1/requests?since=30d&model=code&status=ok&limit=1");
  await page.goto(`/requests?since=30d&request=${data[0].request}`);
  const charges = page.getByRole("dialog").getByRole("group", { name: /^What the call/ });
  const nano = (text) => Math.round(Number(text.replace(/[$,]/g, "")) * 1e9);
  await charges.waitFor();
  const parts = await charges.locator("tbody tr td:last-child").allInnerTexts();
  const whole = nano(await charges.locator("tfoot td:last-child").innerText());
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + nano(part), 0) - whole) <= parts.length, `${parts} are not ${whole}`);
  assert.equal(whole, data[0].cost_nanodollars);
});

journey("sums on the page are the ledger's", {}, async (page, context) => {
  await page.goto("/usage?by=team&then=model&since=30d");
  await settled(page);
  const { data } = await api(context, "/admin/v1/usage?by=model&since=30d");
  const exact = await page.locator("tfoot span").first().getAttribute("title");
  assert.equal(Math.round(Number(exact.replace(/[$,]/g, "")) * 1e9), data.reduce((sum, row) => sum + row.cost_nanodollars, 0));
});

journey("what looks like markup is text", {}, async (page) => {
  await page.goto("/usage?by=key&since=30d");
  await settled(page);
  await page.getByRole("link", { name: "<img/src=x/onerror=alert(1)>" }).waitFor();
  assert.equal(await page.locator("img").count(), 0);
});

journey("the keyboard finds a key", {}, async (page) => {
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("/");
  await page.keyboard.type("svc-a");
  await page.getByRole("option", { name: /svc-answers/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /svc-answers/ }).waitFor();
});

journey("a search goes further back", {}, async (page) => {
  await page.goto("/requests?since=30d");
  await settled(page);
  assert.equal(await page.locator("tbody tr").count(), 100);
  await page.getByRole("button", { name: "Search further back" }).click();
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 200);
});

journey("a drag over a plot is the period", {}, async (page) => {
  await page.goto("/?since=7d");
  await settled(page);
  const box = await page.locator(".plot svg").first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 90, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/since=20.*Z&until=20.*Z/);
  await settled(page);
  await page.goBack();
  await page.waitForURL(/since=7d$/);
});

// There may be thousands of keys: only the dearest are asked for, and the rest is what is left of the sum.
journey("a plot of many keys adds up", {}, async (page, context) => {
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).searchParams));
  for (const path of ["/usage?by=key&since=7d&grain=day", "/usage?by=key&since=7d&grain=day&metric=requests"]) {
    await page.goto(path);
    await settled(page);
    const plot = page.getByRole("region", { name: / per day, by key$/ });
    await plot.getByRole("button", { name: "Table" }).click();
    const shown = (await plot.locator("tbody td.num").allInnerTexts()).reduce((sum, text) => sum + Number(text.replace(/[$,–]/g, "")), 0);
    const { data } = await api(context, "/admin/v1/usage?by=day&since=7d");
    const whole = data.reduce((sum, row) => sum + (path.includes("metric") ? row.requests : row.cost_nanodollars / 1e9), 0);
    assert.ok(Math.abs(shown - whole) < 1, `${path}: ${shown} is not ${whole}`);
  }
  const plots = asked.filter((query) => query.get("by") === "key,day");
  assert.ok(plots.length === 2 && plots.every((query) => Number(query.get("top")) >= 7), plots.join(" "));
});

// The sums that a plot of many hours was filled up with are no part of the next one.
journey("a plot of a month of hours becomes one of a week", {}, async (page, context) => {
  await page.goto("/usage?by=model&since=30d&grain=hour");
  await settled(page);
  await page.evaluate(() => {
    history.pushState(null, "", "/usage?by=model&since=7d&grain=hour");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await settled(page);
  const plot = page.getByRole("region", { name: /^Cost per hour, by model$/ });
  await plot.getByRole("button", { name: "Table" }).click();
  const more = plot.getByRole("button", { name: /^Show all/ });
  if (await more.count()) await more.click();
  const shown = (await plot.locator("tbody td.num").allInnerTexts()).reduce((sum, text) => sum + Number(text.replace(/[$,–]/g, "")), 0);
  const { data } = await api(context, "/admin/v1/usage?by=hour&since=7d");
  const whole = data.reduce((sum, row) => sum + row.cost_nanodollars / 1e9, 0);
  assert.ok(Math.abs(shown - whole) < 1, `${shown} is not ${whole}`);
});

journey("a plot has its table", {}, async (page) => {
  await page.goto("/usage?since=7d&grain=day");
  await settled(page);
  const plot = page.getByRole("region", { name: "Cost per day, by model" });
  assert.match(await plot.getByRole("img").getAttribute("aria-label"), /^Cost per day, by model, \d+ \w+ to \d+ \w+, highest \$[\d,.]+ on \d+ \w+$/);
  await plot.getByRole("button", { name: "Table" }).click();
  assert.ok((await plot.locator("tbody tr").count()) >= 7);
});

journey("a list is had as CSV with the same filters", {}, async (page) => {
  await page.goto("/usage?by=team&since=30d");
  await settled(page);
  const loading = page.waitForEvent("download");
  await page.getByRole("region", { name: "Sums" }).getByRole("link", { name: "CSV" }).click();
  const text = await readFile(await (await loading).path(), "utf8");
  assert.match(text, /^team,/);
  assert.ok(text.includes("research"));
});

journey("the scheme is kept, and nothing else", {}, async (page) => {
  await page.goto("/");
  await settled(page);
  await page.getByRole("button", { name: "Dark" }).click();
  await page.reload();
  await settled(page);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(17, 20, 21)");
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), ["weir-scheme"]);
});

journey("a menu on a phone", { width: 390 }, async (page) => {
  await page.goto("/");
  await settled(page);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Requests", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Usage", exact: true }).isVisible(), false);
});

journey("a period that ends before it begins", { expected: ["400"] }, async (page) => {
  await page.goto("/usage?since=2026-02-02&until=2026-02-01");
  await page.getByText("Weir refuses this question").first().waitFor();
});

journey("find out why a request is refused", {}, async (page, context) => {
  const made = await context.request.post("/admin/v1/keys", { data: { name: "tight", models: ["smart"], budgets: ["1ktok/day"], reserve: "strict" }, headers: { origin: base } });
  const { key, id } = await made.json();
  await page.goto("/explain");
  await settled(page);
  const request = page.getByLabel("Request: a JSON body, or a pasted curl command");
  await request.fill(`curl http://127.0.0.1:8930/v1/chat/completions -H "Authorization: Bearer ${key}" \\\n  -d '{"model": "smart", "messages": [{"role": "user", "content": "It'\\''s refused"}], "max_tokens": 4000}'`);
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("It would be refused.").waitFor();
  await page.getByText("For the key tight").waitFor();
  await page.getByRole("meter", { name: /^tight/ }).waitFor();
  assert.ok(!(await request.inputValue()).includes(key), "the page has the key");
  assert.equal(new URL(page.url()).search, `?model=smart&key=${id}`);
  await request.fill('{"model": "smart", "messages": [{"role": "user", "content": "It is not"}], "max_tokens": 40}');
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("It would go to").waitFor();
  await request.fill("curl http://127.0.0.1:8930/v1/models");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("The command sends no body").waitFor();
});

journey("a model leads to its targets, and to its lines in the config", {}, async (page) => {
  await page.goto("/models?since=30d");
  await settled(page);
  await page.getByLabel("Find a model or target").fill("haiku");
  await page.getByText("No model and no target").waitFor();
  await page.getByLabel("Find a model or target").fill("opus");
  await page.getByRole("link", { name: "code" }).click();
  const panel = page.getByRole("dialog", { name: "code" });
  await panel.getByText("targets: [anthropic/claude-opus-4-5]").waitFor();
  await panel.getByRole("link", { name: "Explain" }).click();
  await page.waitForURL(/\/explain\?since=30d&model=code/);
  await page.getByText("It would go to").waitFor();
});

journey("try a model with a key", {}, async (page, context) => {
  const made = await context.request.post("/admin/v1/keys", { data: { name: "player", models: ["smart", "hello"] }, headers: { origin: base } });
  const { key } = await made.json();
  await page.goto("/playground?model=hello");
  await settled(page);
  const send = page.getByRole("button", { name: "Send" });
  assert.ok(await send.isDisabled());
  await page.getByLabel("API key").fill(key);
  await page.getByText("Those that this key may use.").waitFor();
  assert.deepEqual(await page.getByLabel("Model", { exact: true }).locator("option").allInnerTexts(), ["hello", "smart"]);
  await page.getByLabel("Message 1", { exact: true }).fill("<img src=x onerror=alert(1)><b>Rivers</b>");
  await send.click();
  await page.getByText("The answer is complete").waitFor();
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.getByText("You said: <img src=x onerror=alert(1)><b>Rivers</b>").waitFor();
  assert.equal(await answer.locator("img, b").count(), 0);
  await answer.getByText(/charged to the key|attempts/).waitFor();
  await answer.getByRole("button", { name: "Trail" }).click();
  await page.getByRole("dialog", { name: "Request" }).getByText("1 call in 1 attempt").waitFor();
  await page.keyboard.press("Escape");
  await answer.getByRole("button", { name: "Go on from here" }).click();
  await page.getByLabel("Message 3", { exact: true }).waitFor();
  assert.ok(!page.url().includes(key), "the key is in the URL");
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie]));
  assert.ok(!stored.includes(key), "the browser keeps the key");
});

journey("a call that fails in the playground", { expected: ["502"] }, async (page, context) => {
  const made = await context.request.post("/admin/v1/keys", { data: { name: "unlucky", models: ["lost"] }, headers: { origin: base } });
  await page.goto("/playground?model=lost");
  await settled(page);
  await page.getByLabel("API key").fill((await made.json()).key);
  await page.getByRole("button", { name: "JSON" }).click();
  await page.getByLabel("Body of POST /v1/chat/completions").fill('{"model": "lost", "messages": [{"role": "user", "content": "Hello"}]}');
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The call was refused with 502").waitFor();
  await page.getByText("upstream_misconfigured").waitFor();
});

journey("a key that is wrong in the playground", { expected: ["400"] }, async (page) => {
  await page.goto("/playground");
  await settled(page);
  await page.getByLabel("API key").fill("not-a-key");
  await page.getByLabel("Message 1", { exact: true }).fill("Hello");
  await page.keyboard.press("Control+Enter");
  await page.getByText("No call can be made with the API key").waitFor();
  await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
});

journey("find where a setting is from, and reload", {}, async (page) => {
  await page.goto("/settings");
  await settled(page);
  const rows = page.locator("tbody tr");
  const some = await rows.count();
  await page.getByLabel("Find a setting").fill("timezone");
  assert.match(await rows.first().innerText(), /Europe\/Berlin\s+\S*weir\.yaml:1:11/);
  await page.getByLabel("Find a setting").fill("");
  await page.getByRole("button", { name: "All, with defaults" }).click();
  await page.waitForURL(/show=all/);
  assert.ok((await rows.count()) > some);
  assert.ok(!(await page.locator("main").innerText()).includes(token), "a secret is shown");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText(/Nothing has changed|The new config is in force/).waitFor();
});

journey("have a provider tried again", {}, async (page) => {
  await page.goto("/providers");
  await settled(page);
  await page.getByRole("img", { name: /^anthropic, last 24 hours: [\d,]+ calls/ }).waitFor();
  await page.getByRole("button", { name: "Table" }).click();
  await page.getByRole("group", { name: "Calls and failures of each target in five minutes" }).waitFor();
  await page.getByRole("button", { name: "Strips" }).click();
  await page.getByRole("link", { name: "anthropic" }).click();
  const panel = page.getByRole("dialog", { name: "anthropic" });
  await panel.getByRole("group", { name: "Credentials, without their values" }).waitFor();
  await panel.getByRole("button", { name: "Reset" }).click();
  await panel.getByText("It is tried again with the next request.").waitFor();
});
