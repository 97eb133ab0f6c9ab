import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../../test/browser/launch-browser.ts';
import { formOf, formType, type Part } from '../../test/features/forms.ts';
import { call, testApp } from '../../test/program/app.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';
import { allEventTypes, testEvent } from '../webhooks/schema.ts';
import { describedPath } from './described-path.ts';
import type { ApiDescription } from './description.ts';

const routes = recordRoutes();
const app = testApp();
const committed = new URL('../../clients/openapi.json', import.meta.url);

describe('the description', () => {
  test('is served without a token, and is the committed file with the address of the service', async () => {
    const { status, body } = await call(app, 'GET', '/openapi.json');
    expect(status).toBe(200);
    const { servers, ...description } = JSON.parse(await readFile(committed, 'utf8'));
    expect(body).toEqual({ ...description, servers: [{ url: 'https://localhost:8443' }] });
    expect(servers[0].url).toMatch(/^https:/);
  });

  test('is the source of the types of the client', async () => {
    const script = fileURLToPath(new URL('../../scripts/write-openapi.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [script, '--check']);
  });

  test('has every public route and nothing else: no dashboard, no callbacks', () => {
    const { paths } = app.app.apiDescription();
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.length).toBeGreaterThanOrEqual(28);
    expect(described.sort()).toEqual(routes.sort());
    expect(Object.keys(paths).every((path) => path.startsWith('/api/'))).toBe(true);
  });

  test('has the abilities and every response of each operation', () => {
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

  test('has a description and an example of every field, parameter and header', () => {
    const incomplete: string[] = [];
    let seen = 0;
    const check = (place: string, field: Described) => {
      seen++;
      const hasParts = field.$ref || field.type === 'object';
      const hasEntries = field.items?.$ref || field.items?.type === 'object';
      const isConstant = field.enum?.length === 1;
      const needsExample = !hasParts && !hasEntries && !isConstant;
      const hasExample = field.examples?.length || field.example !== undefined;
      if (!field.description) incomplete.push(`${place}: no description`);
      if (needsExample && !hasExample) incomplete.push(`${place}: no example`);
    };
    const walk = (place: string, node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'example' || key === 'examples') continue;
        if (['properties', 'patternProperties', 'headers', 'parameters'].includes(key)) {
          for (const [name, field] of Object.entries<Described>(value)) {
            const isReference = key === 'headers' && field.$ref;
            if (!isReference) check(`${place}.${field.name ?? name}`, field);
          }
        }
        walk(`${place}.${key}`, value);
      }
    };
    walk('', app.app.apiDescription());
    expect(incomplete).toEqual([]);
    expect(seen).toBeGreaterThan(250);
  });

  test('has an example of every response', () => {
    const { paths, components } = app.app.apiDescription();
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses).map(([status, response]) => ({
          place: `${method} ${path} ${status}`,
          response: response as { $ref?: string },
        })),
      ),
    );
    const shared = components.responses as Record<string, object>;
    for (const { place, response } of all) {
      const { content } = (
        response.$ref ? shared[response.$ref.split('/').at(-1)!] : response
      ) as Partial<{ content: Examples }>;
      // A file has none.
      if (content && !('application/json' in content)) continue;
      expect(content?.['application/json'].example, place).toBeTypeOf('object');
    }
  });

  test('says in the responses of an operation which codes it can have, and with which header', () => {
    const { paths, components } = app.app.apiDescription();
    type Response = { $ref?: string; description: string; headers: object };
    const shared = components.responses as Record<string, Response>;
    const responseOf = (path: string, method: string, status: number): Response => {
      const { responses } = paths[`/api/{tenant}${path}`]![method]!;
      const response = (responses as Record<string, Response>)[status]!;
      return shared[response.$ref?.split('/').at(-1) ?? ''] ?? response;
    };
    for (const path of ['send', 'interactive', 'media', 'template']) {
      const { description } = responseOf(`/messages/${path}`, 'post', 422);
      expect(description).toContain('`window_closed`');
      expect(description).toContain('`network_refused`');
    }
    expect(responseOf('/contacts', 'post', 422).description).not.toContain('network_refused');
    expect(responseOf('/media', 'post', 500).description).toContain('`network_refused`');
    expect(responseOf('/media/{media_id}', 'get', 500).description).toContain('network cannot be');
    expect(responseOf('/contacts', 'get', 404).headers).toHaveProperty('Allow');
  });

  test('leaves out keywords for our own use', () => {
    expect(JSON.stringify(app.app.apiDescription())).not.toContain('x-message');
  });

  test('has patterns that every language can read, with or without flags', () => {
    const patterns = JSON.stringify(app.app.apiDescription()).match(/(?<="pattern":)"[^"]*"/g)!;
    // RE2 of Go has no lookaheads, PCRE of PHP no \u, and Python no \p.
    for (const pattern of patterns) expect(JSON.parse(pattern)).not.toMatch(/\\[uUpP]|\(\?[^:]/);
    const { properties } = app.app.apiDescription().components.schemas.NewContact as Fields;
    const { firstname, lastname } = properties;
    const good = ['Hopper', ' Cécile', '李', 'a b'];
    for (const flags of ['', 'u']) {
      const names = new RegExp(firstname!.pattern!, flags);
      for (const name of good) expect(name).toMatch(names);
      for (const bad of ['', ' ', 'a\nb', 'a\u0007', '\u0007a']) expect(bad).not.toMatch(names);
      const optional = new RegExp(lastname!.pattern!, flags);
      for (const name of ['', ' ', ...good]) expect(name).toMatch(optional);
      expect('a\nb').not.toMatch(optional);
    }
  });

  test('gives integers that can be large 64 bits, which generators do not choose themselves', () => {
    const { paths, webhooks, components } = app.app.apiDescription();
    const integers: string[] = [];
    JSON.stringify([paths, webhooks, components.schemas], (_, value) => {
      const { type, maximum = Number.POSITIVE_INFINITY, format } = value ?? {};
      const isInteger = ['integer', 'integer,null'].includes(String(type));
      if (isInteger && maximum > 2 ** 31 - 1) integers.push(format);
      return value;
    });
    expect(integers.length).toBeGreaterThan(50);
    expect(new Set(integers)).toEqual(new Set(['int64']));
  });

  test('has each event of a webhook as a component, for generators that skip webhooks', () => {
    const { webhooks, components } = app.app.apiDescription();
    const events = [...allEventTypes, testEvent].sort();
    expect(Object.keys(webhooks as object).sort()).toEqual(events);
    const { oneOf, discriminator } = components.schemas.WebhookEvent as Union;
    expect(discriminator.propertyName).toBe('event');
    expect(Object.keys(discriminator.mapping).sort()).toEqual(events);
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
    for (const [event, reference] of Object.entries(discriminator.mapping)) {
      const name = reference.split('/').at(-1)!;
      expect(components.schemas[name], event).toHaveProperty('properties.event.enum', [event]);
    }
    // One class of the message in a program, whichever way it came.
    expect(components.schemas.MessageEvent).toHaveProperty('allOf.0', {
      $ref: '#/components/schemas/Message',
    });
  });

  test('names what several operations return, and has no const, which OpenAPI 3.0 does not know', () => {
    const description = app.app.apiDescription();
    expect(JSON.stringify(description).match(/"const":/)).toBeNull();
    const named: Record<string, string> = {
      '/messages/send': 'SentMessageResponse',
      '/messages/interactive': 'SentMessageResponse',
      '/messages/media': 'SentMessageResponse',
      '/messages/template': 'SentTemplateResponse',
    };
    for (const { method, path, responses } of tenantOperations()) {
      const { schema } = responses['200']!.content['application/json'] ?? {};
      const { data } = (schema?.properties ?? {}) as Record<string, { $ref?: string }>;
      const $ref = `#/components/schemas/${named[path]}`;
      if (named[path]) expect(schema, path).toEqual({ $ref });
      if (method === 'DELETE') expect(data?.$ref, path).toBe('#/components/schemas/Deleted');
    }
    expect(description.components.schemas.SentMessageResponse).toHaveProperty(
      'properties.data.discriminator',
      {
        propertyName: 'status',
        mapping: {
          sent: '#/components/schemas/SentMessage',
          valid: '#/components/schemas/ValidMessage',
        },
      },
    );
  });

  test('names as many values of a template as templates usually have, for generated clients', () => {
    const { SendTemplate } = app.app.apiDescription().components.schemas;
    for (const name of ['field_1', 'field_10']) {
      expect(SendTemplate).toHaveProperty(`properties.${name}.type`, ['string', 'null']);
    }
  });

  test('has example bodies that the demo accepts', async () => {
    const shop = await demoShop();
    const files = await startFileServer();
    try {
      for (const { place, method, path, body, responses } of examplesOfBodies()) {
        const fields = {
          ...body,
          ...('media_url' in body && { media_url: files.url }),
        };
        const response = await shop.call(method, path, fields);
        expect(response, place).toMatchObject({ status: 200 });
        const { example } = responses['200']!.content['application/json'];
        expect(example, place).toMatchObject({ message: response.body.message });
        // The next request changes the record that this one created.
        shop.made[path] = response.body.data.id;
      }
    } finally {
      files.close();
    }
  });

  test('has the 422 responses that callers get', async () => {
    const shop = await demoShop();
    for (const { method, path, body } of examplesOfBodies()) {
      if (method === 'POST') shop.made[path] = (await shop.call(method, path, body)).body.data?.id;
    }
    const noTemplate = { template_name: 'order_updates', template_language: 'en' };
    const wrong: Record<string, object> = {
      'POST /messages/template': { phone_number: '+14155550123', ...noTemplate },
      'PUT /contacts/{id}': { phone: 'x' },
    };
    for (const labels of ['/statuses', '/sources', '/groups']) {
      const taken = { name: 'Taken' };
      await shop.call('POST', labels, taken);
      wrong[`POST ${labels}`] = taken;
      wrong[`PUT ${labels}/{id}`] = taken;
    }
    for (const { method, path, requestBody, responses } of tenantOperations()) {
      const isForm = requestBody && 'multipart/form-data' in requestBody.content;
      const example = responses['422']?.content['application/json'].example;
      if (!example) continue;
      const response =
        method === 'GET'
          ? await shop.call(method, `${path}?page=0`)
          : isForm
            ? await shop.call(method, path, formOf(), formType)
            : await shop.call(method, path, wrong[`${method} ${path}`] ?? {});
      expect(response.body, `${method} ${path}`).toEqual(example);
    }
  });
});

/** Records the routes below `/api/` that Fastify registers, as method and path. */
function recordRoutes(): string[] {
  const recorded: string[] = [];
  const onApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (!url.startsWith('/api/') || method === 'HEAD') return;
      recorded.push(`${method} ${describedPath({ url, config })}`);
    });
  };
  beforeAll(() => subscribe('fastify.initialization', onApp));
  afterAll(() => unsubscribe('fastify.initialization', onApp));
  return recorded;
}

type Parameter = { name: string; in: string; required: boolean; example: unknown };
type TenantOperation = {
  method: string;
  path: string;
  parameters?: Parameter[];
  requestBody?: { content: Examples };
  responses: Record<string, { content: Examples }>;
};

/** Lists the operations of a tenant, with paths after `/api/{tenant}`. */
function tenantOperations(description = app.app.apiDescription()): TenantOperation[] {
  const { paths } = description as ApiDescription & {
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

/** Lists the example bodies by path, so that contacts are created before a message creates one with the same phone. */
function examplesOfBodies() {
  return tenantOperations()
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .flatMap(({ method, path: route, parameters, requestBody, responses }) => {
      if (!requestBody || !('application/json' in requestBody.content)) return [];
      const path = `${route}${queryOf(parameters?.filter(({ required }) => required))}`;
      const { example, examples } = requestBody.content['application/json'];
      const bodies = examples ? Object.values(examples).map(({ value }) => value) : [example];
      return bodies.map((body) => ({ place: `${method} ${path}`, method, path, body, responses }));
    });
}

/** Writes the examples of query parameters, of those that have one. */
function queryOf(parameters: Parameter[] = []): string {
  const query = parameters
    .filter(({ in: place, example }) => place === 'query' && example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return query.length > 0 ? `?${query.join('&')}` : '';
}

/** Creates a tenant like the demo's. `made` has the id of the last record created at each path. */
async function demoShop() {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const made: Record<string, number> = {};
  const call = (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const id = made[path.replace('/{id}', '')];
    return shop.call(method, path.replace('{id}', String(id)), body, headers);
  };
  return { made, call, number: shop.number };
}

/** Serves the example document, because tests must not call its real URL. */
async function startFileServer() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '4' });
    response.end('%PDF');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/invoice.pdf`, close: () => server.close() };
}

type Union = {
  oneOf: { $ref: string }[];
  discriminator: { propertyName: string; mapping: Record<string, string> };
};
type Fields = { properties: Record<string, { pattern?: string }> };
type Described = {
  name?: string;
  description?: string;
  $ref?: string;
  type?: unknown;
  items?: { $ref?: string; type?: unknown };
  enum?: unknown[];
  example?: unknown;
  examples?: unknown[];
};
type Examples = {
  'application/json': {
    schema?: { properties?: object };
    example: object;
    examples?: Record<string, { value: object }>;
  };
};

test('the samples of each operation have what a call needs', async () => {
  const { paths } = (await app.app.inject({ url: '/docs/description.json' })).json();
  expect(paths['/api/{tenant}/contacts/{id}'].put.description).toContain(
    [
      '```sh',
      "curl -X PUT 'https://localhost:8443/api/tenant-of-the-page/contacts/42' \\",
      '  -H "Authorization: Bearer $PARLEY_TOKEN" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"company":"Difference Engines","city":null}'`,
      '```',
      '',
      '```ts',
      "const { data, error } = await parley.PUT('/contacts/{id}', {",
      '  params: {',
      '    path: {',
      '      id: 42,',
      '    },',
      '  },',
      '  body: {',
      "    company: 'Difference Engines',",
      '    city: null,',
      '  },',
      '});',
      '```',
    ].join('\n'),
  );
  expect(paths['/api/{tenant}/groups'].get.description).toContain(
    "curl 'https://localhost:8443/api/tenant-of-the-page/groups' \\\n  -H",
  );
  // A sample must not send nothing, or as a number of somebody else.
  expect(paths['/api/{tenant}/messages/send'].post.description).not.toMatch(/dry_run|"from"/);
});

test('the forms of the reference are filled in with valid requests', async () => {
  const description = (await app.app.inject({ url: '/docs/description.json' })).json();
  const shop = await app.tenant();
  for (const { method, path, parameters = [] } of tenantOperations(description)) {
    // A key in the form would make every second POST a replay.
    const headers = parameters.filter(({ in: place, example }) => place === 'header' && example);
    expect(headers, `${method} ${path}`).toEqual([]);
    if (method !== 'GET') continue;
    const filled = path.replace(/\{(\w+)\}/, (_, name) =>
      encodeURIComponent(String(parameters.find((each) => each.name === name)?.example)),
    );
    const { status, body } = await shop.call(method, `${filled}${queryOf(parameters)}`);
    expect([200, 404], `${method} ${path}: ${body.message}`).toContain(status);
  }
});

test('the samples of files work: the form has its fields, and no call reads a file as JSON', async () => {
  const { paths } = (await app.app.inject({ url: '/docs/description.json' })).json();
  const upload: string = paths['/api/{tenant}/media'].post.description;
  const parts = [...upload.matchAll(/-F '(\w+)=([^']+)'/g)].map(([, name, value]): Part => {
    const filename = value!.replace(/^@/, '');
    const bytes = Buffer.from('%PDF-1.7\n');
    return [name!, value === filename ? value : { filename, type: 'application/pdf', bytes }];
  });
  const shop = await app.tenant();
  const { status, body } = await shop.call('POST', '/media', formOf(...parts), formType);
  expect([status, body.message]).toEqual([200, 'The file was uploaded.']);
  expect(upload).toContain('await uploadMedia(parley, {');

  const download: string = paths['/api/{tenant}/media/{media_id}'].get.description;
  expect(download).toContain(
    "curl -OJ 'https://localhost:8443/api/tenant-of-the-page/media/message-42'",
  );
  expect(download).toContain("await downloadMedia(parley, 'message-42')");
  for (const { get, post } of Object.values<Record<string, Operation | undefined>>(paths)) {
    for (const { description, requestBody, responses } of [get ?? [], post ?? []].flat()) {
      const types = Object.keys({ ...responses['200']?.content, ...requestBody?.content });
      const isJson = types.every((type) => type === 'application/json');
      expect(isJson || !/parley\.(GET|POST)/.test(description), description).toBe(true);
    }
  }
});

type Operation = {
  description: string;
  requestBody?: { content: object };
  responses: Record<string, { content?: object }>;
};

describe('the reference at /docs', () => {
  let page: Page;
  const otherHosts: string[] = [];
  const browserErrors: string[] = [];
  beforeAll(async () => {
    page = await (await sharedBrowser()).newPage();
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(app.url) && !url.startsWith('data:')) otherHosts.push(url);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') browserErrors.push(message.text());
    });
    page.on('pageerror', (error) => browserErrors.push(error.message));
  });
  afterAll(() => page.close());

  test('is sent compressed, and only once to a client that keeps it', async () => {
    const get = async (url: string, headers: Record<string, string>) => {
      const { statusCode, headers: given, rawPayload } = await app.app.inject({ url, headers });
      return { status: statusCode, ...given, bytes: rawPayload };
    };
    for (const path of [
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
      '/docs/description.json',
      '/openapi.json',
    ]) {
      const plain = await get(path, {});
      expect(plain, path).not.toHaveProperty('content-encoding');
      for (const [coding, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await get(path, { 'accept-encoding': coding });
        expect(packed, path).toMatchObject({
          'content-encoding': coding,
          vary: 'accept-encoding',
          'content-type': plain['content-type'],
        });
        expect(packed.bytes.length * 3, path).toBeLessThan(plain.bytes.length);
        expect(unpack(packed.bytes).equals(plain.bytes), path).toBe(true);
        const etag = String(packed.etag);
        const again = await get(path, { 'accept-encoding': coding, 'if-none-match': etag });
        expect([again.status, again.bytes.length, again.etag], path).toEqual([304, 0, etag]);
      }
      expect(await get(path, { 'if-none-match': 'W/"other"' }), path).toMatchObject({
        status: 200,
      });
    }
    // Made once for all tenants: otherwise, anybody could have a new one made with each request.
    const etags = ['acme', 'other'].map(
      async (tenant) => (await get(`/docs/description.json?tenant=${tenant}`, {})).etag,
    );
    expect(await etags[0]).toBe(await etags[1]);
  });

  test('shows and finds every operation, and how to call it for a tenant, within its own policy', async () => {
    await page.goto(`${app.url}/docs?tenant=acme`);
    await page.locator('#operations-Groups-listGroups').waitFor();
    const blocks = page.locator('.opblock');
    await expect.poll(() => blocks.count()).toBeGreaterThanOrEqual(routes.length);
    await page.locator('.operation-filter-input').fill('text message');
    await page.locator('#operations-Groups-listGroups').waitFor({ state: 'detached' });
    await page.getByText('Send a text message', { exact: true }).click();
    await page.getByText('Needs the ability').first().waitFor();
    await page.getByText("curl -X POST 'https://localhost:8443/api/acme/messages/send'").waitFor();
    await page.getByText("await parley.POST('/messages/send', {").waitFor();
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBe('rgb(28, 32, 34)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe(light);
    expect(otherHosts).toEqual([]);
    expect(browserErrors).toEqual([]);
    expect((await fetch(`${app.url}/docs/`)).status).toBe(200);
  });

  test('calls the API with an entered token', async () => {
    const tenant = await app.tenant();
    await page.goto(`${app.url}/docs?tenant=%3Cscript%3E#/Groups/listGroups`);
    await page.getByText("curl 'https://localhost:8443/api/demo/groups'").waitFor();
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByLabel('auth-bearer-value').fill(tenant.token);
    await page
      .locator('.auth-btn-wrapper')
      .getByRole('button', { name: /^Apply/ })
      .click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByPlaceholder('tenant').fill(tenant.slug);
    const response = page.waitForResponse((each) => each.url().includes('/groups'));
    await page.getByRole('button', { name: 'Execute' }).click();
    expect((await response).status()).toBe(200);
    expect(otherHosts).toEqual([]);
    expect(browserErrors).toEqual([]);
  });
});
