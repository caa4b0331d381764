'use strict';
// Answers each line of JSON {"file", "fragment", "steps", "out", "width", "height", "dark"} with {"seen", "errors",
// "requests", "first"}: a page opened from disk in a headless Chromium without a network. A step is [kind, ...words];
// what each gives back is an item of seen. first: seconds from the navigation until the model was drawn.
const fs = require('fs');
const readline = require('readline');
const { pathToFileURL } = require('url');
const puppeteer = require('puppeteer-core');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const steps = {
  evaluate: (page, code) => page.evaluate(code),
  press: async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); },
  type: (page, text) => page.keyboard.type(text),
  focus: (page, selector) => page.focus(selector),
  click: (page, selector) => page.$eval(selector, (each) => each.click()),
  point: async (page, x, y) => { await page.mouse.click(x, y); },
  select: (page, selector, value) => page.select(selector, value),
  wait: (page, milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); }),
  picture: async (page, out) => { await page.screenshot({ path: out }); },
  // Rest, then one configuration after the other: world matrices of every body.
  worlds: (page, configurations, which) => page.evaluate((asked, model) => asked.map((values) => {
    window.kinegraph.state.reset();
    window.kinegraph.state.set(values);
    return window.kinegraph.worlds(model);
  }), configurations, which),
  axe: async (page) => {
    const session = await page.createCDPSession();
    await session.send('Runtime.evaluate', { expression: axe });
    const found = await session.send('Runtime.evaluate', {
      expression: 'axe.run(document, { resultTypes: ["violations"] })', awaitPromise: true, returnByValue: false,
    });
    const told = await session.send('Runtime.callFunctionOn', {
      objectId: found.result.objectId, returnByValue: true,
      functionDeclaration: 'function () { return this.violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map((each) => each.html.slice(0, 200)) })); }',
    });
    return told.result.value;
  },
};

async function judge(browser, request) {
  const page = await browser.newPage();
  const errors = [], requests = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => { if (['error', 'warn'].includes(message.type()) && !message.text().includes('GPU stall')) errors.push(message.text()); });
  page.on('request', (each) => { if (!/^(blob|data):/.test(each.url())) requests.push(each.url()); });
  page.on('dialog', (dialog) => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  let first = null;
  const seen = [];
  try {
    await page.setViewport({ width: request.width ?? 1200, height: request.height ?? 760 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: request.dark ? 'dark' : 'light' }]);
    const url = `${pathToFileURL(request.file)}${request.fragment ?? ''}`;
    await page.goto(url, { timeout: 120000 });
    await page.waitForFunction(request.ready ?? 'window.kinegraph && window.kinegraph.ready', { timeout: 120000 });
    first = await page.evaluate(() => (window.kinegraph?.ready ?? performance.now()) / 1000);
    for (const [kind, ...words] of request.steps ?? []) seen.push((await steps[kind](page, ...words)) ?? null);
    if (request.out) await page.screenshot({ path: request.out });
  } catch (error) {
    errors.push(String(error));
  }
  await page.close();
  return { seen, errors, requests: requests.slice(1), first };
}

async function main() {
  const browser = await puppeteer.launch({
    executablePath: process.argv[2],
    protocolTimeout: 240000,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--proxy-server=127.0.0.1:9'],
  });
  try {
    for await (const line of readline.createInterface({ input: process.stdin })) {
      process.stdout.write(`${JSON.stringify(await judge(browser, JSON.parse(line)))}\n`);
    }
  } finally {
    await browser.close();
  }
}

main().catch((error) => { console.error(error); process.exit(1); });
