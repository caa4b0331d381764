'use strict';
// Answers each line of JSON {"file", "fragment", "steps", "out", "width", "height", "dark", "patience"} with {"seen",
// "errors", "requests", "first", "triangles"}: a page opened from disk in a headless Chromium without a network. A step is [kind, ...words];
// what each gives back is an item of seen. first: seconds from the navigation until the model was drawn; with
// patience (seconds) it is counted from what the page draws, whoever made it, when that has not changed for so long.
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

// Runs in the page before its own scripts: triangles that each frame draws, and when the next frame begins. The same
// for every program: the first frame is the first one with as many triangles as frames have when nothing changes any more.
function count() {
  const { TRIANGLES } = WebGLRenderingContext;
  const frames = [];
  let triangles = 0, waiting = false;
  const drawn = (mode, corners, copies = 1) => {
    if (mode === TRIANGLES) triangles += (corners / 3) * copies;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      frames.push([performance.now(), triangles]);
      triangles = 0;
    });
  };
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    for (const [name, at] of [['drawElements', 1], ['drawArrays', 2], ['drawElementsInstanced', 1], ['drawArraysInstanced', 2]]) {
      const own = prototype[name];
      if (!own) continue;
      prototype[name] = function (...words) {
        drawn(words[0], words[at], name.endsWith('Instanced') ? words[words.length - 1] : 1);
        return own.apply(this, words);
      };
    }
  }
  window.framesSeen = () => {
    const last = frames[frames.length - 1];
    if (!last) return null;
    const most = Math.max(...frames.slice(-3).map(([, each]) => each));
    const first = frames.find(([, each]) => each >= most);
    return { triangles: most, first: first[0] / 1000, quiet: (performance.now() - first[0]) / 1000 };
  };
}

// Seconds to the first whole frame, and its triangles, when that has not changed for a while.
async function whole(page, patience) {
  for (let look = 0; look < 600; look += 1) {
    const seen = await page.evaluate(() => window.framesSeen());
    if (seen && seen.triangles > 0 && seen.quiet > patience) return seen;
    await new Promise((done) => { setTimeout(done, 250); });
  }
  throw new Error('no frame came to rest');
}

async function judge(browser, request) {
  // A context of its own is more processes, and no page of ours keeps anything. What is measured starts afresh.
  const context = request.patience ? await browser.createBrowserContext() : browser.defaultBrowserContext();
  const page = await context.newPage();
  if (request.patience) await page.evaluateOnNewDocument(count);
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
    let triangles = null;
    if (request.patience) ({ first, triangles } = await whole(page, request.patience));
    else {
      await page.waitForFunction('window.kinegraph && window.kinegraph.ready', { timeout: 120000 });
      first = await page.evaluate(() => window.kinegraph.ready / 1000);
    }
    seen.triangles = triangles;
    for (const [kind, ...words] of request.steps ?? []) seen.push((await steps[kind](page, ...words)) ?? null);
    if (request.out) await page.screenshot({ path: request.out });
  } catch (error) {
    errors.push(String(error));
  }
  await (request.patience ? context : page).close();
  return { seen, errors, requests: requests.slice(1), first, triangles: seen.triangles ?? null };
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
