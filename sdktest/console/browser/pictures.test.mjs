// The pictures of docs/guides/console.md.
import { after, test } from "node:test";
import { browser, open, settled, shots } from "./harness.mjs";

after(() => browser.close());

const pictures = [
  { name: "overview", path: "/", height: 1010 },
  { name: "request", path: "/requests?model=fast&flag=retry&since=14d", height: 800, scheme: "dark", then: (page) => page.locator("tbody tr").first().click() },
];

for (const { name, path, width, height, scheme, then } of pictures) {
  test(`the picture ${name}`, async () => {
    const { page, context } = await open({ width, height, scheme });
    await page.goto(path);
    await settled(page);
    if (then) {
      await then(page);
      await settled(page);
    }
    await page.screenshot({ path: `${shots}/${name}.png` });
    await context.close();
  });
}
