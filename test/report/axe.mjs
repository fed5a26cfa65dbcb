// SPDX-License-Identifier: MIT
// Looks at a report by hand: opens each view in Chromium, prints what axe-core finds and what the page logs, and takes pictures.
// In some folder: npm install puppeteer-core axe-core; then there
//     node .../test/report/axe.mjs FILE.html FOLDER [light|dark]
import { createRequire } from "module";
import fs from "fs";
import path from "path";

const require = createRequire(path.join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [, , file, folder, theme = "light"] = process.argv;

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setViewport({ width: 1400, height: 900 });
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
let problems = 0;
const report = (...text) => {
  ++problems;
  console.log(...text);
};
page.on("pageerror", (error) => report("error", String(error)));
page.on("console", (message) => message.type() === "error" && report("console", message.text()));
page.on("request", (request) => request.url().startsWith("file:") || report("request", request.url()));
const start = Date.now();
await page.goto(`file://${path.resolve(file)}`);
console.log(`${file}: ${Date.now() - start} ms`);
for (const view of ["overview", "code", "flow", "memory", "passes", "help"]) {
  await page.click(`#tab-${view}`);
  if (view === "code") {
    await page.keyboard.press("p");
    await page.evaluate(() => document.querySelector("details")?.setAttribute("open", ""));
  }
  await new Promise((done) => setTimeout(done, 200));
  await page.screenshot({ path: path.join(folder, `${theme}-${view}.png`) });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const rule of violations)
    report(view, rule.id, rule.impact, rule.help, rule.nodes.length, rule.nodes[0].html.slice(0, 200), rule.nodes[0].failureSummary);
}
await browser.close();
process.exit(problems ? 1 : 0);
