// Every page in both schemes, from a phone to a wall: no error, no violation of the policy, nothing that axe finds, no scrolling sideways, lines that can be read.
// What each page says and how it looks is handed over, to be compared with what it said and looked before.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import { all, base, browser, idOf, open, settled, shots, token, violations } from "./harness.mjs";

after(() => browser.close());

/** The newest request for which a target was passed over. */
async function passing() {
  const ask = async (path) => (await fetch(`${base}/admin/v1/requests${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  for (const { request } of (await ask("?model=fast&since=24h&limit=100")).data) {
    if ((await ask(`/${request}`)).trail.some((call) => call.skipped.length > 0)) return request;
  }
  throw new Error("no target was passed over");
}

const goldens = process.env.WEIR_GOLDENS;
const views = {
  ...Object.fromEntries(process.env.WEIR_PAGES.split(" ").map((path) => [path === "/" ? "overview" : path.slice(1), path])),
  key: `/keys/${await idOf("keys", "svc-answers")}`,
  team: `/teams/${await idOf("teams", "research")}`,
  model: "/models?model=code",
  provider: "/providers?provider=groq",
  explained: "/explain?model=smart",
  request: `/requests?request=${await passing()}`,
};
const drawn = [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]];
const wide = [[1920, "light"], [3840, "dark"]];
const checked = new Set(all ? drawn.map(String) : ["1280,light", "390,dark"]);

/** What differs from run to run: ports, folders and secrets of the test, and what a real clock moves. */
const moving = ["tr:has(code:text-matches('base_url|^data$')) td:nth-child(2)", ".tile:has-text('Store')", ".meters"];

/** Waits until a change of the window is drawn, and plots are as wide as what they are in. */
async function redrawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));
  await page.waitForFunction(() => [...document.querySelectorAll(".plot > svg")].every((plot) => plot.getAttribute("width") === String(plot.parentElement.clientWidth)));
}

/** Faults of the layout, in a line each. */
const lost = (page) => page.evaluate(() => {
  const root = document.documentElement;
  const faults = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`] : [];
  if (innerWidth >= 1280) for (const box of document.querySelectorAll(".scroll")) if (box.scrollWidth > box.clientWidth) faults.push(`${box.getAttribute("aria-label")}: ${box.scrollWidth} wide in ${box.clientWidth}`);
  for (const text of document.querySelectorAll("p, .state > *, .field span, .alert > *, dd")) {
    const lines = Math.max(1, Math.round(text.getBoundingClientRect().height / parseFloat(getComputedStyle(text).lineHeight)));
    const length = text.innerText?.length ?? 0;
    if (text.checkVisibility() && text.children.length === 0 && length / lines > 120) faults.push(`a line of ${Math.round(length / lines)} characters: ${text.innerText.slice(0, 40)}`);
  }
  return faults;
});

/** The page as it is read out, without what is moving. */
async function said(page) {
  const hidden = page.locator(moving.join(", "));
  await hidden.evaluateAll((all) => all.forEach((one) => one.setAttribute("aria-hidden", "true")));
  const text = await page.locator("body").ariaSnapshot();
  await hidden.evaluateAll((all) => all.forEach((one) => one.removeAttribute("aria-hidden")));
  return text;
}

async function picture(page, name) {
  const masked = { mask: moving.map((selector) => page.locator(selector)), maskColor: "#808080" };
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  // How long a port or a folder is decides no column's width.
  await page.locator(moving[0]).evaluateAll((all) => all.forEach((cell) => [cell, ...cell.querySelectorAll("*")].forEach((one) => { one.style.fontSize = "0"; })));
  if (goldens) await page.screenshot({ path: `${goldens}/${name}.png`, ...masked });
}

for (const [name, path] of Object.entries(views)) {
  test(name, async () => {
    const { page, context, faults } = await open();
    await page.goto(path);
    await settled(page);
    assert.equal(await page.locator("h1").count(), 1);
    if (goldens) await writeFile(`${goldens}/${name}.txt`, await said(page));
    for (const [width, scheme] of [...drawn, ...wide]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : width === 3840 ? 2160 : 900 });
      await page.emulateMedia({ colorScheme: scheme });
      await redrawn(page);
      assert.deepEqual(await lost(page), [], `at ${width} in ${scheme}`);
      if (checked.has(`${width},${scheme}`)) assert.deepEqual(await violations(page), [], `at ${width} in ${scheme}`);
      if (width < 1920 || shots) await picture(page, `${name}-${width}-${scheme}`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

// Text and lines as this machine draws them: pictures are compared where this looks as it did where they were taken.
test("specimen", async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 160 } });
  await page.goto(`${base}/assets/none`);
  await page.setContent(`<body style="margin:8px;background:#fff;color:#17191c;font:400 14px/20px system-ui,sans-serif">Overview <b>$1,204.88</b> 0123456789 → ~ µs<p style="font:400 12px/16px ui-monospace,monospace">anthropic/claude</p><select><option>Last 7 days</select><svg width="99" height="40"><path d="M2 38L40 3L97 20" fill="none" stroke="#0b6470" stroke-width="1.5"/></svg>`);
  if (goldens) await page.screenshot({ path: `${goldens}/specimen.png` });
  await page.close();
});
