// Keys and teams: their pages and forms in both schemes, and what is done to them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { base, browser, idOf, models, open, settled, shots, token, violations } from "./harness.mjs";

after(() => browser.close());

const ask = async (method, path, body) => {
  const answer = await fetch(base + path, { method, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.json();
};

/** The status of a call with a key. */
const said = async (key, model = "smart") => {
  const answer = await fetch(`${models}/v1/chat/completions`, { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }, body: JSON.stringify({ model, max_tokens: 64, messages: [{ role: "user", content: "Hello!" }] }) });
  await answer.text();
  return answer.status;
};

const [key, team, fileKey] = [await idOf("keys", "svc-answers"), await idOf("teams", "research"), await idOf("keys", "ci")];

const views = {
  "key-in-the-file": `/keys/${fileKey}`, "key-new": "/keys?do=create", "key-edit": `/keys/${key}?do=edit`, "key-rotate": `/keys/${key}?do=rotate`, "key-revoke": `/keys/${key}?do=revoke`,
  "team-new": "/teams?do=create", "team-edit": `/teams/${team}?do=edit`, "team-revoke": `/teams/${team}?do=revoke`,
};

for (const [name, path] of Object.entries(views)) {
  test(name, async () => {
    const { page, context, faults } = await open();
    await page.goto(path);
    await settled(page);
    if (path.includes("do=")) await page.getByRole("dialog").waitFor();
    for (const [width, scheme] of [[1280, "light"], [390, "dark"]]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      assert.deepEqual(await violations(page), []);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(inner <= outer, `it is ${inner} wide in a window of ${outer}`);
      if (shots) await page.screenshot({ path: `${shots}/${name}-${width}-${scheme}.png`, fullPage: !path.includes("do=") });
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

/** A test in a window of its own that ends without faults. */
function journey(name, options, run) {
  test(name, async () => {
    const window = await open(options);
    await run(window.page, window.context);
    assert.deepEqual(window.faults, []);
    await window.context.close();
  });
}

// A name and a model are all that is given. The call that the page shows works as it stands.
journey("first key in under a minute", {}, async (page) => {
  await page.goto("/keys");
  await settled(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.keyboard.type("first-app");
  await page.getByRole("button", { name: "smart", exact: true }).click();
  await page.getByRole("button", { name: "Create key" }).last().click();
  const dialog = page.getByRole("dialog", { name: "The secret of first-app" });
  const secret = await dialog.locator(".secret code").innerText();
  assert.match(secret, /^sk-weir-/);
  await page.keyboard.press("Escape");
  assert.ok(await dialog.isVisible());
  await dialog.getByRole("button", { name: "Copy secret" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  await dialog.getByRole("button", { name: "Copy curl" }).click();
  const { stdout } = await promisify(execFile)("sh", ["-c", await page.evaluate(() => navigator.clipboard.readText())]);
  assert.ok(JSON.parse(stdout).choices, stdout);
  await dialog.getByRole("button", { name: "Done, I have it" }).click();
  await page.getByRole("status").getByText("The key first-app works now.").waitFor();
  await page.getByRole("link", { name: "first-app" }).waitFor();
  assert.ok(!(await page.content()).includes(secret));
});

journey("raise a budget", {}, async (page) => {
  const made = await ask("POST", "/admin/v1/keys", { name: "poor-app", budgets: ["0.0001usd/day"] });
  assert.equal(await said(made.key), 200);
  assert.equal(await said(made.key), 429);
  await page.goto("/keys?q=poor");
  await settled(page);
  await page.getByRole("link", { name: "poor-app" }).click();
  await page.getByText("used up").waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("So much in a period").fill("5usd/day");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("The change holds already.").waitFor();
  const bar = page.getByRole("meter", { name: "poor-app: $5.00 a day" });
  assert.match(await bar.getAttribute("aria-valuetext"), /left of \$5\.00$/);
  assert.equal(await said(made.key), 200);
});

journey("what is wrong stands at its field", { expected: ["400", "409"] }, async (page) => {
  await page.goto("/keys?do=create");
  await settled(page);
  const wrong = async (label) => page.locator(`#${(await page.getByLabel(label, { exact: true }).getAttribute("aria-describedby")) ?? "nowhere"}`).innerText();
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("svc-search");
  await page.keyboard.press("Enter");
  await page.locator("[aria-invalid]").waitFor();
  assert.match(await wrong("Name"), /There is a key named "svc-search" already/);
  assert.ok(await name.evaluate((element) => element === document.activeElement));
  await name.fill("svc-other");
  await page.getByLabel("So much in a period").fill("50 euros");
  await page.keyboard.press("Enter");
  await page.locator("[aria-invalid]").waitFor();
  assert.match(await wrong("So much in a period"), /50 euros/);
  await page.getByLabel("So much in a period").fill("");
  await page.getByLabel("Requests a minute").fill("many");
  await page.keyboard.press("Enter");
  await page.locator("[aria-invalid]").waitFor();
  assert.match(await wrong("Requests a minute"), /whole number/);
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("do"));
});

journey("rotate and revoke", {}, async (page) => {
  const made = await ask("POST", "/admin/v1/keys", { name: "old-app" });
  await page.goto(`/keys/${made.id}`);
  await settled(page);
  const rotate = page.getByRole("button", { name: "Rotate" });
  await rotate.click();
  await page.getByLabel("How long the secret").fill("1h");
  await page.keyboard.press("Enter");
  const secret = await page.getByRole("dialog").locator(".secret code").innerText();
  assert.deepEqual([await said(made.key), await said(secret)], [200, 200]);
  await page.getByRole("button", { name: "Done, I have it" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(await rotate.evaluate((element) => element === document.activeElement), "the focus is back where it was");
  await page.getByText("The secret before the last rotation works until").waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke old-app" });
  await dialog.getByText("No request of it runs at this Weir now.").waitFor();
  const confirm = dialog.getByRole("button", { name: "Revoke" });
  await page.keyboard.type("old-ap");
  assert.ok(await confirm.isDisabled());
  await page.keyboard.type("p");
  await confirm.click();
  await page.getByRole("status").getByText("old-app is revoked.").waitFor();
  await page.getByLabel("Status").selectOption("revoked");
  await page.getByRole("link", { name: "old-app" }).click();
  await page.getByRole("heading", { level: 1, name: "old-app" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Revoke" }).count(), 0);
  assert.deepEqual([await said(made.key), await said(secret)], [401, 401]);
});

journey("a team and its first key", {}, async (page) => {
  await page.goto("/teams");
  await settled(page);
  await page.getByRole("button", { name: "Create team" }).click();
  await page.keyboard.type("billing");
  await page.getByRole("button", { name: "50usd/month" }).click();
  await page.getByRole("button", { name: "Create team" }).last().click();
  await page.getByRole("heading", { level: 1, name: "billing" }).waitFor();
  await page.getByRole("status").getByText("The team billing is made.").waitFor();
  await page.getByText("$50.00 left").waitFor();
  await page.getByRole("button", { name: "Create key" }).last().click();
  assert.equal(await page.getByLabel("Team", { exact: true }).inputValue(), "billing");
  await page.keyboard.type("invoices");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Done, I have it" }).click();
  await page.getByRole("region", { name: "Keys of the team" }).first().getByRole("link", { name: "invoices" }).waitFor();
});

journey("what is in the config file is not changed here", {}, async (page) => {
  await page.goto(`/keys/${fileKey}`);
  await page.getByText("is in the config file").waitFor();
  for (const name of ["Edit", "Rotate", "Revoke", "Change"]) assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
});

journey("who may only look has no buttons", {}, async (page) => {
  await page.route("**/admin/v1/session", async (route) => {
    const answer = await route.fetch();
    const session = await answer.json();
    await route.fulfill({ json: { ...session, permissions: session.permissions.filter((one) => !one.endsWith(".write")) } });
  });
  await page.goto("/keys");
  await settled(page);
  assert.equal(await page.getByRole("button", { name: "Create key" }).count(), 0);
  await page.goto(`/keys/${key}?do=revoke`);
  await page.getByRole("heading", { level: 1, name: "svc-answers" }).waitFor();
  await settled(page);
  assert.equal(await page.getByRole("dialog").count(), 0);
});

journey("filters are in the URL", {}, async (page) => {
  await page.goto("/keys?team=research&status=active");
  await settled(page);
  assert.deepEqual((await page.locator("tbody tr td:nth-child(2)").allInnerTexts()).filter((one) => one !== "research"), []);
  await page.getByLabel("Name, id or model").fill("eva");
  await page.waitForURL(/q=eva/);
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.getByLabel("Name, id or model").fill("nothing-like-it");
  await page.getByText("No key matches").waitFor();
});
