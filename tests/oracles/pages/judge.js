'use strict';
// Answers each line of JSON {"url", "steps", "out"} with {"seen", "errors"}: a page opened from disk in a headless
// Chromium without a network, and what it shows after each step. A step is [kind, selector, text].
const readline = require('readline');
const puppeteer = require('puppeteer-core');

const steps = {
  type: async (page, selector, text) => {
    await page.$eval(selector, box => { box.value = ''; });
    await page.type(selector, text);
    if (!text) await page.$eval(selector, box => box.dispatchEvent(new Event('input')));
  },
  click: (page, selector) => page.click(selector),
  open: (page, selector) => page.$eval(selector, each => { each.open = true; }),
  choose: (page, selector, text) => page.select(selector, text),
  follow: (page, selector) => Promise.all([page.waitForNavigation(), page.click(selector)]),
  wait: page => page.waitForNetworkIdle({ idleTime: 300 }),
};

async function look(page) {
  return page.evaluate(() => ({
    title: document.title,
    text: document.body.innerText.slice(0, 2000),
    shown: [...document.querySelectorAll('article h3')].filter(each => each.offsetParent).map(each => each.textContent),
    pictures: [...document.images].filter(each => each.naturalWidth).length,
    links: [...document.querySelectorAll('a')].map(each => each.href),
  }));
}

async function judge(browser, request) {
  const page = await browser.newPage(); // a context of its own is more processes, and no page here keeps anything
  const errors = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
  page.on('requestfailed', failed => errors.push(`${failed.url()}: ${failed.failure().errorText}`));
  page.on('dialog', dialog => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  await page.setViewport({ width: 1200, height: 1000 });
  await page.goto(request.url);
  const seen = [await look(page)];
  for (const [kind, selector, text] of request.steps) {
    await steps[kind](page, selector, text);
    seen.push(await look(page));
  }
  if (request.out) await page.screenshot({ path: request.out });
  await page.close();
  return { seen, errors };
}

async function main() {
  const flags = ['--no-sandbox', '--disable-gpu', '--proxy-server=127.0.0.1:9'];
  const browser = await puppeteer.launch({ executablePath: process.argv[2], args: flags });
  try {
    for await (const line of readline.createInterface({ input: process.stdin })) {
      process.stdout.write(`${JSON.stringify(await judge(browser, JSON.parse(line)))}\n`);
    }
  } finally {
    await browser.close();
  }
}

main().catch(error => { console.error(error); process.exit(1); });
