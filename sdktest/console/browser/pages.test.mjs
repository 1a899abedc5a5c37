// Every page in both schemes, on a desk and on a phone: no error, no violation of the policy, nothing that axe finds, no scrolling sideways.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { all, browser, open, settled, shots, violations } from "./harness.mjs";

after(() => browser.close());

const pages = process.env.WEIR_PAGES.split(" ");
const variants = [[1280, "light"], [390, "dark"], ...(all ? [[1280, "dark"], [390, "light"], [2560, "light"]] : [])];

for (const path of pages) {
  for (const [width, scheme] of variants) {
    test(`${path} at ${width} in ${scheme}`, async () => {
      const { page, context, faults } = await open({ width, scheme });
      await page.goto(path);
      await settled(page);
      assert.equal(await page.locator("h1").count(), 1);
      assert.deepEqual(await violations(page), []);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(inner <= outer, `it is ${inner} wide in a window of ${outer}`);
      if (shots) await page.screenshot({ path: `${shots}/${path === "/" ? "overview" : path.slice(1)}-${width}-${scheme}.png`, fullPage: true });
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}
