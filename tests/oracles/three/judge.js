// Requests on stdin, a line of JSON each: {file, out?, view?, width?, height?, clip?, time?, scene?, background?}; an answer each.
const fs = require('fs');
const http = require('http');
const path = require('path');
const readline = require('readline');
const puppeteer = require('puppeteer-core');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };
const served = new Map();

const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  const file = served.get(name)
    ?? (name.startsWith('/modules/') ? path.join(__dirname, 'node_modules', name.slice(9)) : path.join(__dirname, 'page.html'));
  response.setHeader('Cache-Control', name.startsWith('/modules/') ? 'max-age=3600' : 'no-store');
  response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'application/octet-stream');
  fs.createReadStream(file).on('error', () => { response.statusCode = 404; response.end(); }).pipe(response);
});

(async () => {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${server.address().port}`;
  const browser = await puppeteer.launch({
    executablePath: process.argv[2],
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    const page = await browser.newPage(); // a context of its own is more processes, and no page here keeps anything
    const errors = [];
    page.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
    page.on('pageerror', (error) => errors.push(String(error)));
    let answer = {};
    try {
      const width = request.width ?? 640, height = request.height ?? 480;
      await page.setViewport({ width, height });
      await page.goto(`${base}/page.html`);
      await page.waitForFunction('window.ready === true');
      const folder = path.dirname(request.file);
      const url = `/model/${path.basename(request.file)}`;
      served.clear();
      served.set(url, request.file);
      for (const beside of request.beside ?? []) served.set(`/model/${beside}`, path.join(folder, beside));
      answer = await page.evaluate((asked) => window.show(asked), { ...request, url, width, height });
      if (request.out) await page.screenshot({ path: request.out });
    } catch (error) {
      errors.push(String(error));
    }
    await page.close();
    process.stdout.write(JSON.stringify({ ...answer, errors }) + '\n');
  }
  await browser.close();
  server.close();
})();
