import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, testApp } from '../../test/app.ts';
import { launchBrowser } from '../../test/browser.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';
import type { ApiDescription } from './description.ts';
import { operations } from './operations/operations.ts';

const app = testApp();
const kept = new URL('../../clients/openapi.json', import.meta.url);

describe('the description', () => {
  test('is served without a token, and is the one that is kept', async () => {
    const { status, body } = await call(app, 'GET', '/openapi.json');
    expect(status).toBe(200);
    const { servers, ...description } = JSON.parse(await readFile(kept, 'utf8'));
    expect(body).toEqual({ ...description, servers: [{ url: '/' }] });
    expect(servers[0].url).toMatch(/^https:/);
  });

  test('is what the types of the client are made from', async () => {
    const script = fileURLToPath(new URL('../../scripts/write-openapi.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [script, '--check']);
  });

  test('has every public route and nothing else: no dashboard, no callbacks', () => {
    const { paths } = app.app.apiDescription();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(Object.keys(operations).sort());
    expect(Object.keys(paths).every((path) => path.startsWith('/api/'))).toBe(true);
  });

  test('tells of each operation who may do it, and every answer it can give', () => {
    for (const [path, methods] of Object.entries(app.app.apiDescription().paths)) {
      if (!path.startsWith('/api/{tenant}/')) continue;
      for (const [method, operation] of Object.entries(methods)) {
        const place = `${method} ${path}`;
        expect(operation['x-abilities'], place).not.toEqual([]);
        const always = ['200', '400', '401', '403', '404', '429', '500'];
        expect(Object.keys(operation.responses), place).toEqual(expect.arrayContaining(always));
        if (operation.requestBody) expect(operation.responses, place).toHaveProperty('422');
      }
    }
  });

  test('says of each field, parameter and header what it is, and shows an example', () => {
    const bare: string[] = [];
    let seen = 0;
    const look = (place: string, field: Described) => {
      seen++;
      const isWhole = field.$ref || field.type === 'object' || 'const' in field;
      const isOfWholes = field.items?.$ref || field.items?.type === 'object';
      const hasExample = field.examples?.length || field.example !== undefined;
      if (!field.description) bare.push(`${place}: no description`);
      if (!isWhole && !isOfWholes && !hasExample) bare.push(`${place}: no example`);
    };
    const walk = (place: string, node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'example' || key === 'examples') continue;
        if (['properties', 'patternProperties', 'headers', 'parameters'].includes(key)) {
          for (const [name, field] of Object.entries<Described>(value)) {
            const isReference = key === 'headers' && field.$ref;
            if (!isReference) look(`${place}.${field.name ?? name}`, field);
          }
        }
        walk(`${place}.${key}`, value);
      }
    };
    walk('', app.app.apiDescription());
    expect(bare).toEqual([]);
    expect(seen).toBeGreaterThan(250);
  });

  test('shows an example of each answer', () => {
    const { paths, components } = app.app.apiDescription();
    const answers = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses).map(([status, answer]) => ({
          place: `${method} ${path} ${status}`,
          answer: answer as { $ref?: string },
        })),
      ),
    );
    const shared = components.responses as Record<string, object>;
    for (const { place, answer } of answers) {
      const { content } = (
        answer.$ref ? shared[answer.$ref.split('/').at(-1)!] : answer
      ) as Partial<{ content: Examples }>;
      expect(content?.['application/json'].example, place).toBeTypeOf('object');
    }
  });

  test('keeps words for our own use to itself', () => {
    expect(JSON.stringify(app.app.apiDescription())).not.toContain('x-message');
  });

  test('has patterns that every language reads, with and without the flags of its own', async () => {
    const text = await readFile(kept, 'utf8');
    expect(text).not.toMatch(/"pattern": ".*\\\\[pP]\{/);
    const { pattern } = JSON.parse(text).components.schemas.NewContact.properties.firstname;
    for (const flags of ['', 'u']) {
      const names = new RegExp(pattern, flags);
      for (const good of ['Hopper', 'Cécile', '李']) expect(good).toMatch(names);
      for (const bad of ['', ' ', 'a\nb', 'a\u0007', 'a\u0085']) expect(bad).not.toMatch(names);
    }
  });

  test('shows bodies that a shop of the demo accepts as they are', async () => {
    const shop = await demoShop();
    const files = await startFileServer();
    try {
      for (const { place, method, path, body } of examplesOfBodies()) {
        const fields = 'media_url' in body ? { ...body, media_url: files.url } : body;
        const answer = await shop.call(method, path, fields);
        expect(answer, place).toMatchObject({ status: 200 });
        // What a person makes is what the next request changes.
        shop.made[path] = answer.body.data.id;
      }
    } finally {
      files.close();
    }
  });

  test('shows the refusals that one gets', async () => {
    const shop = await demoShop();
    for (const { method, path, body } of examplesOfBodies()) {
      if (method === 'POST') shop.made[path] = (await shop.call(method, path, body)).body.data?.id;
    }
    const noTemplate = { template_name: 'order_updates', template_language: 'en' };
    const wrong: Record<string, object> = {
      'POST /messages/template': { phone_number: '+14155550123', ...noTemplate },
      'PUT /contacts/{id}': { email: 'x' },
    };
    for (const labels of ['/statuses', '/sources', '/groups']) {
      const taken = { name: 'Taken' };
      await shop.call('POST', labels, taken);
      wrong[`POST ${labels}`] = taken;
      wrong[`PUT ${labels}/{id}`] = taken;
    }
    for (const { method, path, responses } of tenantOperations()) {
      const example = responses['422']?.content['application/json'].example;
      if (!example) continue;
      const answer =
        method === 'GET'
          ? await shop.call(method, `${path}?page=0`)
          : await shop.call(method, path, wrong[`${method} ${path}`] ?? {});
      expect(answer.body, `${method} ${path}`).toEqual(example);
    }
  });
});

type TenantOperation = {
  method: string;
  path: string;
  requestBody?: { content: Examples };
  responses: Record<string, { content: Examples }>;
};

/** Every operation of a tenant; the path starts after `/api/{tenant}`. */
function tenantOperations(): TenantOperation[] {
  const { paths } = app.app.apiDescription() as ApiDescription & {
    paths: Record<string, Record<string, Omit<TenantOperation, 'method' | 'path'>>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/{tenant}/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path: path.replace('/api/{tenant}', ''),
      })),
    );
}

/** Every example of a body, by path: contacts are made before a message makes one of the same phone. */
function examplesOfBodies() {
  return tenantOperations()
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ method, path, requestBody }) => {
      if (!requestBody) return [];
      const { example, examples } = requestBody.content['application/json'];
      const bodies = examples ? Object.values(examples).map(({ value }) => value) : [example];
      return bodies.map((body) => ({ place: `${method} ${path}`, method, path, body }));
    });
}

/** A tenant as the demo has one; `made` has the id of what was last made at each path. */
async function demoShop() {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const made: Record<string, number> = {};
  const call = (method: string, path: string, body?: object) => {
    const id = made[path.replace('/{id}', '')];
    return shop.call(method, path.replace('{id}', String(id)), body);
  };
  return { made, call };
}

/** The document of the example, which is at no address that a test may call. */
async function startFileServer() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '4' });
    response.end('%PDF');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/invoice.pdf`, close: () => server.close() };
}

type Described = {
  name?: string;
  description?: string;
  $ref?: string;
  type?: unknown;
  items?: { $ref?: string; type?: unknown };
  example?: unknown;
  examples?: unknown[];
};
type Examples = {
  'application/json': { example: object; examples?: Record<string, { value: object }> };
};

describe('the reference at /docs', () => {
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(app.url) && !url.startsWith('data:')) elsewhere.push(url);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterAll(() => browser.close());

  test('shows every operation, asks no other host, and keeps to its own policy', async () => {
    await page.goto(`${app.url}/docs/`);
    await page.getByText('Send a text message', { exact: true }).waitFor();
    const shown = Object.keys(operations).length;
    await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThanOrEqual(shown);
    await page.getByText('Send a text message', { exact: true }).click();
    await page.getByText('Needs the ability').first().waitFor();
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('calls the API with a token that is typed in', async () => {
    const tenant = await app.tenant();
    await page.goto(`${app.url}/docs?fresh#/Groups/listGroups`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByLabel('auth-bearer-value').fill(tenant.token);
    await page
      .locator('.auth-btn-wrapper')
      .getByRole('button', { name: /^Apply/ })
      .click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByPlaceholder('tenant').fill(tenant.slug);
    const answer = page.waitForResponse((response) => response.url().includes('/groups'));
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await answer).status()).toBe(200);
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
