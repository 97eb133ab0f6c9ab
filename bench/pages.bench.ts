import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { loadTls } from '../src/platform/tls/load-tls.ts';
import { trustFlag } from '../test/browser/certificate.ts';
import { launchBrowser } from '../test/browser/launch-browser.ts';
import { buildApp } from '../web/build.ts';
import { openPlace } from './open-place.ts';
import { delayConnections } from './pages/delay-connections.ts';
import { multiplyConversations, noteDrawing } from './pages/note-drawing.ts';
import { seedShop } from './pages/seed-shop.ts';
import { median, startServer } from './processes.ts';

/**
 * Measures when pages of the built dashboard show their content: from the navigation to the frame in which nothing
 * is still being loaded. Each with an empty cache and with a full one, on loopback and with a round trip of 50 ms.
 * The aims are 0.35 s and 0.6 s. Then the same for a list of 100,000 conversations, from when it was read. The aim
 * is 0.5 s.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string', default: '9' },
    latency: { type: 'string', default: '50' },
    rows: { type: 'string', default: '100000' },
    /** One page only. */
    page: { type: 'string' },
  },
});
const [rounds, latencyMs, rows] = [values.rounds, values.latency, values.rows].map(Number) as [
  number,
  number,
  number,
];

/** Each with what its content has. */
const pages = [
  { name: 'Overview', path: '', content: 'main svg' },
  { name: 'Contacts', path: '/contacts', content: 'main tbody tr' },
  { name: 'Conversations', path: '/conversations', content: 'main li a' },
  { name: 'Webhook', path: '/webhook', content: 'main li summary' },
].filter(({ name }) => !values.page || name.toLowerCase() === values.page.toLowerCase());
type Page = (typeof pages)[number];

/**
 * In ms, since the navigation; and the CPU of the page's main thread, which other work on the machine hardly changes.
 */
type Times = { paint: number; content: number; cpu: number };

await buildApp('dashboard');
const place = await openPlace();
const cookie = await seedShop(place);
const parley = await startServer('bench/parley.ts', {
  ...place.environment,
  PARLEY_PORT: '0',
  PARLEY_ROLES: 'api',
});
const far = await delayConnections(parley.port, latencyMs);
// As a person has it: with its optimizing compilers, and with a cache.
const tls = await loadTls({ dataDir: place.dataDir, names: [] });
const browser = await launchBrowser(['--js-flags=--opt', trustFlag(tls)]);
try {
  // The first visit loads the sign-in and compiles schemas.
  const first = await newContext(parley.port);
  for (const page of pages) await visit(first, parley.port, page);
  await first.close();
  for (const { port, aim, where } of [
    { port: parley.port, aim: 350, where: 'loopback' },
    { port: far.port, aim: 600, where: `${latencyMs} ms` },
  ]) {
    for (const page of pages) await measurePage(port, page, where, aim);
  }
  await measureLongList(pages.find(({ name }) => name === 'Conversations'));
} finally {
  await browser.close();
  far.close();
  await parley.stop();
  await place.close();
}

async function measurePage(port: number, page: Page, where: string, aim: number): Promise<void> {
  const cold: Times[] = [];
  const warm: Times[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await newContext(port);
    cold.push(await visit(context, port, page));
    // The cache is written after the response was used.
    await visit(context, port, page);
    warm.push(await visit(context, port, page));
    await context.close();
  }
  for (const [cache, times] of [
    ['empty', cold],
    ['full', warm],
  ] as const) {
    const contents = times.map(({ content }) => content);
    console.log(
      `${page.name.padEnd(14)}${where.padEnd(9)} ${cache.padEnd(5)} cache: content ${seconds(median(contents))}` +
        ` (${seconds(Math.min(...contents))} to ${seconds(Math.max(...contents))}, aim ${seconds(aim)}),` +
        ` first paint ${seconds(median(times.map(({ paint }) => paint)))},` +
        ` main thread ${seconds(median(times.map(({ cpu }) => cpu)))}`,
    );
  }
}

async function measureLongList(conversations: Page | undefined): Promise<void> {
  if (!conversations) return;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await newContext(parley.port);
    await context.addInitScript(multiplyConversations(rows));
    times.push((await visit(context, parley.port, conversations)).sinceArrival);
    await context.close();
  }
  console.log(
    `${rows} rows: drawn ${seconds(median(times))} after they arrived` +
      ` (${seconds(Math.min(...times))} to ${seconds(Math.max(...times))}, aim 0.50 s)`,
  );
}

async function newContext(port: number): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  // Keeps the process that draws: a person's browser has one ready, and this one would start it after the navigation.
  await context.newPage();
  const [name, value] = cookie.split('=') as [string, string];
  const url = `https://localhost:${port}`;
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true }]);
  return context;
}

/** Opens a page in a new window, and waits until it is drawn and stays so. */
async function visit(context: BrowserContext, port: number, { path, content }: Page) {
  const page = await context.newPage();
  await page.addInitScript(noteDrawing(content));
  const tools = await context.newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`https://localhost:${port}/t/shop${path}`, { waitUntil: 'commit' });
  const times = await page.evaluate<
    Omit<Times, 'cpu'> & { sinceArrival: number }
  >(`new Promise((resolve) => {
    let last;
    const check = () => {
      const { drawnAt } = globalThis;
      if (drawnAt === undefined || drawnAt !== last) {
        last = drawnAt;
        setTimeout(check, 400);
        return;
      }
      const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      const arrived = performance.getEntriesByName('arrived').at(-1)?.startTime ?? 0;
      // The browser shows a frame later than it is made, and nothing before the first one.
      resolve({ paint, content: Math.max(drawnAt, paint), sinceArrival: drawnAt - arrived });
    };
    check();
  })`);
  const { metrics } = await tools.send('Performance.getMetrics');
  const cpu = 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  await page.close();
  return { ...times, cpu };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
