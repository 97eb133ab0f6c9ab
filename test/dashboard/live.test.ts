import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { wakeDeliverers } from '../../src/webhooks/insert-deliveries.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { sharedTls } from '../browser/certificate.ts';
import { look } from '../browser/look.ts';
import { settled, testDashboard } from '../browser/open-dashboard.ts';
import { testStore } from '../features/stores.ts';
import type { TestTenant } from '../program/app.ts';
import { control } from '../servers/control.ts';
import { startHttp1Proxy } from '../servers/http1-proxy.ts';
import { startTcpProxy } from '../servers/tcp-proxy.ts';

const app = testDashboard();
/** Far more than the six connections of HTTP/1.1 that a browser opens to an origin. */
const tabs = 20;

function receive(shop: TestTenant, from: string, text: string) {
  const { phone_number_id } = shop.number;
  return control(app, 'POST', '/simulator/inbound', { phone_number_id, from, text });
}

/** The pages that have opened a stream, the latest last. */
function noteStreams(page: Page): Page[] {
  const opened: Page[] = [];
  page.context().on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/live')) opened.push(request.frame().page());
  });
  return opened;
}

/** Notes the requests for lists and threads of conversations. */
function noteRequests(page: Page, requests: string[]): void {
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/dashboard-api\/.*\/conversations?$/.test(pathname)) requests.push(pathname + search);
  });
}

/** How many rows the list has, in the page or not. */
async function lengthOf(page: Page): Promise<number> {
  const rows = page.locator('section ul > li');
  const said = await rows.first().getAttribute('aria-setsize');
  return said === null ? rows.count() : Number(said);
}

/** Scrolls the closest element around it that scrolls to its top. */
const scrollToTop = (element: {
  closest(selector: string): { scrollTo(to: object): void } | null;
}) => element.closest('[tabindex="0"]')?.scrollTo({ top: 0 });

/** Adds conversations, each with one message with a number. The newest is the last. */
async function addConversations(shop: TestTenant, count: number): Promise<void> {
  await app.db.pool.query(
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
     select $1, $2, 'in', '+1415556' || lpad(each::text, 4, '0'), 'text',
            jsonb_build_object('text', 'Message ' || each), 'received'
     from generate_series(1, $3) as each`,
    [shop.id, shop.number.id, count],
  );
}

/** Starts an origin that offers HTTP/1.1 only. After `offerHttp2`, new connections use HTTP/2. */
async function startOrigin() {
  const http1 = await startHttp1Proxy(await sharedTls(), app.url);
  const proxy = await startTcpProxy(addressOf(http1.origin));
  onTestFinished(() => {
    proxy.close();
    http1.close();
  });
  return {
    origin: `https://localhost:${proxy.port}`,
    offerHttp2: () => proxy.passTo(addressOf(app.origin)),
    loseOpen: proxy.loseOpen,
  };
}

const addressOf = (origin: string) => ({ host: '127.0.0.1', port: Number(new URL(origin).port) });

test('twenty tabs are open at once over HTTP/1.1 and over h2, share one stream, and all show a message as it arrives', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  const { origin, offerHttp2 } = await startOrigin();
  const streams = noteStreams(page);
  await page.goto('about:blank');
  const opened: Page[] = [];
  const tabsLeft = () => opened.filter((tab) => !tab.isClosed());
  const openTab = async () => {
    const tab = await page.context().newPage();
    opened.push(tab);
    await tab.goto(`${origin}/t/${shop.slug}/conversations`);
    await tab.getByText('Live', { exact: true }).waitFor();
  };
  const openTabs = async () => {
    // Some at a time, because the waits of one are the work of the others.
    while (tabsLeft().length < tabs) {
      const missing = Math.min(5, tabs - tabsLeft().length);
      await Promise.all(Array.from({ length: missing }, openTab));
    }
  };
  const spokenBy = (tab: Page | undefined) =>
    tab!.evaluate<string>('performance.getEntriesByType("navigation")[0].nextHopProtocol');
  const seenByAll = async (text: string) => {
    await receive(shop, '+14155550123', text);
    await Promise.all(tabsLeft().map((tab) => tab.getByText(text).waitFor()));
  };
  /** Does something to the tab that has the stream, and waits until another tab has opened one. */
  const loseStream = async (lose: (holder: Page) => Promise<unknown>) => {
    const holder = streams.at(-1)!;
    await lose(holder);
    await expect.poll(() => streams.at(-1)).not.toBe(holder);
  };
  const goOnWithoutTheHolder = async (protocol: string) => {
    await loseStream((holder) => holder.close());
    await seenByAll(`After the tab with the stream was closed, ${protocol}`);

    await loseStream((holder) => holder.evaluate('document.dispatchEvent(new Event("freeze"))'));
    await seenByAll(`After the next one was frozen, ${protocol}`);

    // It holds the lock and replies to nobody.
    await page.goto(`${origin}/theme.js`);
    const before = streams.length;
    await page.evaluate(`navigator.locks.query().then(({ held: [{ name }] }) => {
      navigator.locks.request(name, { steal: true }, () => new Promise(() => {})).catch(() => {});
    })`);
    await expect.poll(() => streams.length).toBeGreaterThan(before);
    await seenByAll(`After the stream was taken and lost, ${protocol}`);
  };

  await openTabs();
  expect(await spokenBy(opened[0])).toBe('http/1.1');
  expect(new Set(streams).size).toBe(1);
  await seenByAll('Seen in every tab');
  await goOnWithoutTheHolder('http/1.1');

  const before = streams.length;
  offerHttp2();
  await expect.poll(() => streams.length).toBeGreaterThan(before);
  await openTabs();
  expect(await spokenBy(opened.at(-1))).toBe('h2');
  await seenByAll('Seen in every tab, h2');
  await goOnWithoutTheHolder('h2');
});

test('the list is read once, and an event costs no request, however far the list is scrolled', async () => {
  const shop = await app.tenant();
  await addConversations(shop, 600);
  const requests: string[] = [];
  const page = await app.open(shop, {
    at: '/conversations',
    before: async (page) => noteRequests(page, requests),
  });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('Message 600').waitFor();
  expect(requests).toHaveLength(1);
  const rows = page.locator('section ul > li');
  for (let loaded = 2; loaded <= 20; loaded++) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => lengthOf(page)).toBe(30 * loaded);
  }
  expect(requests).toHaveLength(20);
  // Only the rows in sight are in the page.
  expect(await rows.count()).toBeLessThan(60);
  await rows.first().evaluate(scrollToTop);
  await page.getByText('Message 600', { exact: true }).waitFor();

  await receive(shop, '+14155560001', 'From far below');
  await expect.poll(() => rows.first().innerText()).toContain('From far below');
  expect(await page.getByText('Message 1', { exact: true }).count()).toBe(0);
  await receive(shop, '+14155550000', 'From somebody new');
  await expect.poll(() => rows.first().innerText()).toContain('From somebody new');
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155560300',
    type: 'text',
    message: 'Sent by the API',
  });
  await expect.poll(() => rows.first().innerText()).toContain('Sent by the API');
  expect(await lengthOf(page)).toBe(601);
  expect(requests).toHaveLength(20);
});

test('after missed events only the first page is read again, and older pages stay', async () => {
  const shop = await app.tenant();
  await addConversations(shop, 90);
  const requests: string[] = [];
  const page = await app.open(shop, {
    at: '/conversations',
    before: async (page) => noteRequests(page, requests),
  });
  await page.getByText('Live', { exact: true }).waitFor();
  const rows = page.locator('section ul > li');
  for (const count of [60, 90]) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(count);
  }
  expect(requests).toHaveLength(3);
  await app.db.pool.query(
    `insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
     select $1, $2, 'in', '+14155560007', 'text', '{"text":"Not notified"}', 'received'`,
    [shop.id, shop.number.id],
  );
  // As after a lost connection to the database.
  await app.db.pool.query(`select pg_notify('conversation', '${shop.id}')`);
  await expect.poll(() => rows.first().innerText()).toContain('Not notified');
  expect(await page.getByText('Message 7', { exact: true }).count()).toBe(0);
  await page.getByText('Message 8', { exact: true }).waitFor();
  expect(requests).toHaveLength(4);
  expect(requests.at(-1)).not.toContain('before=');
});

test('a stream that is lost without a sign is opened again after a minute, and when the person comes back', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  await page.clock.install();
  const { origin, loseOpen } = await startOrigin();
  await page.goto(`${origin}/t/${shop.slug}/conversations`);
  await page.getByText('Live', { exact: true }).waitFor();
  loseOpen();
  await receive(shop, '+14155550123', 'From before the tunnel');
  // New streams may be tried on other connections that are lost too.
  const message = page.getByText('From before the tunnel');
  await expect
    .poll(async () => {
      await page.clock.fastForward(20_000);
      return message.count();
    })
    .toBe(1);
  await page.getByText('Live', { exact: true }).waitFor();

  const streams = noteStreams(page);
  await page.evaluate(`{
    const now = Date.now;
    Date.now = () => now() + 70_000;
    document.dispatchEvent(new Event('visibilitychange'));
    Date.now = now;
  }`);
  await expect.poll(() => streams.length).toBe(1);
});

test('a sign-out in one tab ends the others, and the next person gets a stream of their own', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop);
  const other = await page.context().newPage();
  await other.goto(`${app.origin}/t/${shop.slug}/conversations`);
  await other.getByText('Live', { exact: true }).waitFor();
  const account = await page.context().newPage();
  await account.goto(`${app.origin}/account`);
  await account.getByRole('heading', { name: 'Your account' }).waitFor();
  await page.getByRole('button', { name: /Ada Lovelace/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  for (const tab of [other, account]) {
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
  await receive(shop, '+14155550123', 'For nobody here');
  expect(await other.getByText('For nobody here').count()).toBe(0);
});

/** The requests for data of the dashboard, other than the stream. */
function noteReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/dashboard-api\/[^/]+\/(?!live)/.test(pathname)) reads.push(pathname);
  });
  return reads;
}

/** Waits until a page has asked for everything that it shows first, and returns the number of its requests. */
async function countWhenQuiet(reads: string[]): Promise<number> {
  let count = -1;
  while (count !== reads.length) {
    count = reads.length;
    await setTimeout(1_000);
  }
  return count;
}

test('while the stream is up, no page asks again on its own', async () => {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: 'http://127.0.0.1:9/hook' });
  const store = await testStore(app, shop);
  const page = await app.open(shop);
  await page.clock.install();
  const reads = noteReads(page);
  for (const [path, heading] of [
    ['', 'Overview'],
    ['/conversations', 'Conversations'],
    ['/contacts', 'Contacts'],
    ['/webhook', 'Webhook'],
    ['/stores', 'Stores'],
    [`/stores/${store.id}`, store.name],
    ['/usage', 'Plan and usage'],
    ['/bots', 'Bots'],
    ['/requests', 'Requests'],
  ] as const) {
    // Each with a stream of its own, which is taken for lost if it says nothing for much longer than a minute.
    const stream = page.waitForResponse('**/live*');
    await page.goto(`${app.origin}/t/${shop.slug}${path}`);
    await stream;
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await settled(page);
    const before = await countWhenQuiet(reads);
    await page.clock.runFor(62_000);
    expect(reads.slice(before), path).toEqual([]);
  }
});

test('a change by somebody else shows on the page that lists it, with one request for a scrolled list', async () => {
  const shop = await app.tenant();
  await setWebhook(app.services, shop.id, { url: 'http://127.0.0.1:9/hook' });
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, created_at)
    -- By turns, because many alike in a row are shown as one.
    select ${shop.id}, case each % 2 when 0 then 'contact.updated' else 'contact.deleted' end, '{}',
           'delivered', now() - each * interval '1 minute'
    from generate_series(1, 90) as each`);
  const page = await app.open(shop);
  const reads = noteReads(page);
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  const rows = page.getByRole('listitem').filter({ hasText: /contact\.(updated|deleted)/ });
  for (const count of [60, 90]) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(count);
  }
  const lists = () => reads.filter((path) => path.endsWith('/webhook/deliveries')).length;
  expect(lists()).toBe(3);
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, state) values
      (${shop.id}, 'contact.created', '{}', 'delivered')
    returning ${wakeDeliverers}`);
  await page.getByRole('listitem').filter({ hasText: 'contact.created' }).waitFor();
  expect(lists()).toBe(4);
  expect(await rows.count()).toBe(90);
});

test('unread conversations are counted in the navigation and the title of every page', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/contacts' });
  expect(await page.title()).toBe('Contacts · Parley');
  const link = page.getByRole('link', { name: 'Conversations', exact: true });
  await receive(shop, '+14155550123', 'Is anybody there?');
  await expect.poll(() => page.title()).toBe('(1) Contacts · Parley');
  await expect.poll(() => link.innerText()).toMatch(/1$/);
  await page.getByRole('status').filter({ hasText: 'Unread conversations: 1' }).waitFor();
  await receive(shop, '+14155550124', 'And here?');
  await receive(shop, '+14155550124', 'Hello?');
  await expect.poll(() => page.title()).toBe('(2) Contacts · Parley');
  await look(page, 'unread-elsewhere');

  await link.click();
  await page.getByRole('link', { name: /^\+14155550124/ }).click();
  await expect.poll(() => page.title()).toMatch(/^\(1\) /);
  await page.getByRole('link', { name: /^\+14155550123/ }).click();
  await expect.poll(() => page.title()).not.toContain('(');
  await expect.poll(() => link.innerText()).toBe('Conversations');
});

test('a contact that another member deletes leaves the inbox and the open conversation', async () => {
  const shop = await app.tenant();
  const { body } = await shop.call('POST', '/contacts', {
    firstname: 'Ada',
    phone: '+14155550123',
  });
  await receive(shop, '+14155550123', 'Please delete what you have of me.');
  const page = await app.open(shop, { at: '/conversations?phone=%2B14155550123' });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('log').getByText('Please delete').waitFor();
  await shop.call('DELETE', `/contacts/${body.data.id}`);
  await page.getByText('No messages yet.').waitFor();
  await page.getByText('No conversations yet').waitFor();
});

test('a conversation that becomes part of another one leaves the inbox, and stays open with the messages of both', async () => {
  const shop = await app.tenant();
  const { phone_number_id } = shop.number;
  const hidden = { phone_number_id, from: '+14155550125', text: 'Is it there?', hide_phone: true };
  await control(app, 'POST', '/simulator/inbound', hidden);
  const page = await app.open(shop, { at: '/conversations' });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: /Is it there\?/ }).click();
  await page.getByRole('log').getByText('Is it there?').waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Not yet');
  // Its statuses name both the phone and the user id.
  await shop.call('POST', '/messages/send', {
    phone_number: '+14155550125',
    type: 'text',
    message: 'Your order has come.',
  });
  await page.getByRole('log').getByText('Your order has come.').waitFor();
  await page.getByRole('log').getByText('Is it there?').waitFor();
  await expect.poll(() => lengthOf(page)).toBe(1);
  await page.locator('section li a[aria-current=page]').click();
  await page.waitForURL('**/conversations?phone=%2B14155550125');
  await page.getByRole('log').getByText('Is it there?').waitFor();
  expect(await field.inputValue()).toBe('Not yet');
});
