import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, testApp } from '../../test/app.ts';
import { launchBrowser } from '../../test/browser.ts';
import type { ApiDescription } from './describe-api.ts';
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

  test('has an example of a body for each operation that takes one, and it is accepted', async () => {
    const tenant = await app.tenant();
    const { paths } = app.app.apiDescription() as ApiDescription & {
      paths: Record<string, Record<string, { requestBody?: { content: Examples } }>>;
    };
    for (const [path, methods] of Object.entries(paths)) {
      if (!path.startsWith('/api/{tenant}/') || path.includes('/messages/')) continue;
      for (const [method, { requestBody }] of Object.entries(methods)) {
        if (!requestBody) continue;
        const { example } = requestBody.content['application/json'];
        const fields = { ...example, status_id: undefined, group_ids: undefined };
        const place = path.replace('/api/{tenant}', '').replace('{id}', '999999');
        const answer = await tenant.call(method.toUpperCase(), place, fields);
        expect([200, 404], `${method} ${path}`).toContain(answer.status);
      }
    }
  });
});

type Described = {
  name?: string;
  description?: string;
  $ref?: string;
  type?: unknown;
  items?: { $ref?: string; type?: unknown };
  example?: unknown;
  examples?: unknown[];
};
type Examples = { 'application/json': { example: Record<string, unknown> } };

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
    await page.goto(`${app.url}/docs`);
    await page.getByText('Send a text message', { exact: true }).waitFor();
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(
      Object.keys(operations).length,
    );
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
