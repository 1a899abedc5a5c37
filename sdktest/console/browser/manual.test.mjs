// The manual, as Weir serves it and as files: pages of each sort in both schemes, on a phone, a tablet, a desk and a wide desk. No error, no violation of the policy, nothing
// that axe finds, no scrolling sideways. Then what readers do.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { all, base, browser, open, shots, violations } from "./harness.mjs";

after(() => browser.close());

const files = process.env.WEIR_MANUAL; // the URL of a folder
const pages = all ? process.env.WEIR_MANUAL_PAGES.split(" ") : ["index.html", "callers/python.html", "guides/deploy.html", "guides/console.html", "reference/errors.html", "how-it-works/performance.html", "decisions/index.html"];
const widths = [390, 768, 1280, 1920];
const schemes = ["light", "dark"];
const looks = all ? widths.flatMap((width) => schemes.map((scheme) => [width, scheme])) : [[390, "dark"], [768, "light"], [1280, "dark"], [1920, "light"]];
const checked = new Set(all ? looks.map(String) : ["390,dark", "768,light"]); // contrast is the scheme's

const manual = (options = {}) => open({ signedIn: false, ...options });

async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector("h1") !== null && document.querySelector(".side a[aria-current]") !== null && document.querySelector("#version").textContent !== "");
}

/** Fails if a page is wider than its window, or if a button lies over the lines that it copies. */
async function fits(page) {
  const [inner, outer, covered] = await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const covers = (block) => {
      const [text, button] = [document.createRange(), block.querySelector("button").getBoundingClientRect()];
      text.selectNodeContents(block.querySelector("code"));
      return [...text.getClientRects()].some((line) => line.right > button.left && line.bottom > button.top + 2 && line.top < button.bottom - 2);
    };
    return [document.documentElement.scrollWidth, document.documentElement.clientWidth, [...document.querySelectorAll(".code")].filter(covers).map((block) => block.innerText)];
  });
  assert.ok(inner <= outer, `${page.url()} is ${inner} wide in a window of ${outer}`);
  assert.deepEqual(covered, [], page.url());
}

for (const path of pages) {
  test(path, async () => {
    const { page, context, faults } = await manual();
    await page.goto(`/docs/${path}`);
    await settled(page);
    assert.equal(await page.locator("h1").count(), 1);
    for (const [width, scheme] of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      if (checked.has(`${width},${scheme}`)) assert.deepEqual(await violations(page), [], `at ${width} in ${scheme}`);
      await fits(page);
      if (shots) await page.screenshot({ path: `${shots}/manual-${path.replaceAll("/", "-")}-${width}-${scheme}.png`, clip: { x: 0, y: 0, width, height: 1600 }, fullPage: true });
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

/** A test in a window of its own that ends without faults. */
function journey(name, options, run) {
  test(name, async () => {
    const window = await manual(options);
    await run(window.page);
    assert.deepEqual(window.faults, []);
    await window.context.close();
  });
}

/** Finds a page by words, with the keyboard alone, and goes there. */
async function search(page, checked = violations) {
  await page.keyboard.press("/");
  await page.keyboard.type("revoke key");
  const first = page.getByRole("option").first();
  await first.waitFor();
  assert.match(await first.innerText(), /keys/i);
  if (shots) await page.screenshot({ path: `${shots}/manual-search-${page.viewportSize().width}.png` });
  assert.deepEqual(await checked(page), []);
  await page.keyboard.press("Enter");
  await page.waitForURL(/guides\/keys\.html/);
  await settled(page);
  await page.locator("input[type=search]").fill("no such word anywhere at all");
  await page.getByText("Nothing has all of these words.").waitFor();
}

journey("search finds a page", {}, async (page) => {
  await page.goto("/docs");
  assert.equal(new URL(page.url()).pathname, "/docs/");
  await settled(page);
  await search(page);
});

journey("a record of a decision, and its room", {}, async (page) => {
  await page.goto("/docs/decisions/index.html");
  await settled(page);
  await page.locator("article").getByRole("link", { name: /^210\./ }).click();
  await settled(page);
  assert.match(await page.locator(".side [aria-current]").innerText(), /^210\./);
  await page.locator("input[type=search]").fill("\"><script>alert(1)</script>");
  await page.getByText("Nothing has all of these words.").waitFor();
});

journey("what is typed is copied, and not what is answered", {}, async (page) => {
  await page.goto("/docs/guides/back-up.html");
  await settled(page);
  const block = page.locator(".code").first();
  await block.getByRole("button", { name: "Copy" }).click();
  await block.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "weir backup weir-backup.db\n");
});

journey("the scheme is kept, and the console is a link away", { expected: ["401"] }, async (page) => {
  await page.goto("/docs/guides/keys.html");
  await settled(page);
  await page.getByRole("button", { name: "Dark" }).click();
  await page.locator("a[rel=next]").click();
  await settled(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.scheme), "dark");
  await page.locator("a[rel=prev]").click();
  await page.waitForURL(/guides\/keys\.html/);
  await page.getByRole("link", { name: "Console", exact: true }).click();
  await page.getByLabel("Admin token").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.scheme), "dark");
});

journey("pictures are those of the scheme", { scheme: "dark" }, async (page) => {
  const files = () => page.locator("article img:visible").evaluateAll((images) => images.map((image) => image.getAttribute("src")));
  await page.goto("/docs/guides/console.html");
  await settled(page);
  const dark = await files();
  assert.ok(dark.length >= 6 && dark.every((file) => file.endsWith("-dark.png")), dark.join(" "));
  await page.getByRole("button", { name: "Light" }).click();
  assert.deepEqual(await files(), dark.map((file) => file.replace("-dark", "")));
  const first = page.locator("article img:visible").first();
  await first.scrollIntoViewIfNeeded();
  await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await first.elementHandle());
});

journey("on a phone the navigation is behind a button", { width: 390 }, async (page) => {
  await page.goto("/docs/guides/keys.html");
  await settled(page);
  const link = page.locator(".side").getByRole("link", { name: "Back up" });
  assert.equal(await link.isVisible(), false);
  await page.getByRole("button", { name: "Menu" }).click();
  assert.deepEqual(await violations(page), []);
  if (shots) await page.screenshot({ path: `${shots}/manual-menu-390.png` });
  await link.click();
  await page.waitForURL(/back-up/);
  await settled(page);
  await search(page);
});

test("without a session the manual is read, and nothing else", async () => {
  const { page, context } = await manual({ expected: ["401"] });
  const answer = await context.request.get("/docs/reference/config.html");
  assert.equal(answer.status(), 200);
  assert.equal((await context.request.get("/admin/v1/config")).status(), 401);
  await page.close();
  await context.close();
});

// Whatever a file asks for is a file beside it.
test("from files", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => !request.url().startsWith(files) && faults.push(`asks elsewhere: ${request.url()}`));
  await page.goto(`${files}/index.html`);
  await settled(page);
  await page.locator("article").getByRole("link", { name: /^A dashboard for Grafana/ }).click();
  await settled(page);
  assert.ok(await page.locator("article img").evaluate((image) => image.decode().then(() => image.naturalWidth > 0)));
  assert.equal(await page.getByRole("link", { name: "Console", exact: true }).count(), 0);
  await search(page, () => []); // axe fetches style sheets, which files do not allow
  for (const path of pages) {
    await page.goto(`${files}/${path}`);
    await settled(page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await fits(page);
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(!files.startsWith(base));
  await context.close();
});
