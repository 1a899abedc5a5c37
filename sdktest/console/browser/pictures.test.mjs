// The pictures of docs/guides/console.md.
import { after, test } from "node:test";
import { browser, key, open, settled, shots } from "./harness.mjs";

after(() => browser.close());

const pictures = [
  { name: "overview", path: "/", height: 1010 },
  { name: "usage", path: "/usage?by=team&then=model&since=14d" },
  { name: "requests", path: "/requests?model=smart&since=7d" },
  { name: "request", path: "/requests?model=fast&flag=retry&since=14d", then: (page) => page.locator("tbody tr").first().click() },
  { name: "keys", path: "/keys", height: 718 },
  { name: "playground", path: "/playground?model=hello", then: play },
];

/** Has a model answer. */
async function play(page) {
  await page.getByLabel("API key").fill(key);
  await page.getByText("Those that this key may use.").waitFor();
  await page.getByLabel("Message 1", { exact: true }).fill("Which rivers run through Berlin?");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The answer is complete").waitFor();
  await page.getByRole("region", { name: "Answer" }).getByText(/charged to the key|attempts/).waitFor();
}

for (const { name, path, width, height = 800, then } of pictures) {
  for (const scheme of ["light", "dark"]) {
    const file = scheme === "dark" ? `${name}-dark` : name;
    test(`the picture ${file}`, async () => {
      const { page, context } = await open({ width, height, scheme });
      await page.goto(path);
      await settled(page);
      if (then) {
        await then(page);
        await settled(page);
      }
      await page.screenshot({ path: `${shots}/${file}.png` });
      await context.close();
    });
  }
}
