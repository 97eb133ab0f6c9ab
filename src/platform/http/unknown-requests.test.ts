import { describe, expect, test } from 'vitest';
import { call, testApp } from '../../../test/program/app.ts';

const app = testApp();

const takesNothing = 'is not a parameter of this list, which takes none';

describe('a list refuses an unknown query parameter and lists the known ones', () => {
  test.each([
    ['/statuses', { page: [takesNothing] }],
    ['/sources', { page: [takesNothing] }],
    ['/groups', { page: [takesNothing] }],
    ['/templates', { page: ['is not a parameter of this list, which takes number'] }],
    ['/message-bots', { page: [takesNothing] }],
    ['/template-bots', { page: [takesNothing] }],
  ])('%s', async (path, errors) => {
    const shop = await app.tenant({ number: false });
    const refused = await shop.call('GET', `${path}?page=1`);
    expect([refused.status, refused.body.errors]).toEqual([422, errors]);
    expect((await shop.call('HEAD', `${path}?page=1`)).status).toBe(422);
    expect((await shop.call('GET', path)).status).toBe(200);
  });

  test('all unknown parameters of /contacts are reported together', async () => {
    const shop = await app.tenant({ number: false });
    const query = 'page=0&status=5&group%5B%5D=99&__proto__=1&constructor=2';
    const { status, body } = await shop.call('GET', `/contacts?${query}`);
    const unknown = [
      'is not a parameter of this list, which takes page, per_page, search, status_id, source_id, group_id, phone, email, external_id, updated_after, sort and after',
    ];
    expect(status).toBe(422);
    expect(body.errors.page).toEqual(['must be an integer from 1 to 9007199254740991']);
    expect(Object.entries(body.errors)).toEqual(
      expect.arrayContaining([
        ['status', unknown],
        ['group[]', unknown],
        ['constructor', unknown],
      ]),
    );
    const some = await shop.call('GET', '/contacts?page=1&per_page=10&search=a');
    expect(some.status).toBe(200);
  });

  test('an unknown parameter is reported after a missing ability, as any invalid input', async () => {
    const shop = await app.tenant({ number: false, abilities: ['contacts:read'] });
    expect((await shop.call('GET', '/groups?page=1')).status).toBe(403);
    expect((await shop.call('GET', '/contacts/1?fields=x')).status).toBe(404);
  });
});

describe('a 404 has a hint', () => {
  const get = async (method: string, path: string) => {
    const { status, headers, body } = await call(app, method, path);
    expect(status).toBe(404);
    if (method !== 'HEAD') expect(body).toMatchObject({ success: false, errors: {} });
    return { message: body.message, allow: headers.allow };
  };

  test.each([
    ['PATCH', '/api/shop/contacts/5', 'DELETE, GET, HEAD, PUT', 'DELETE, GET, HEAD and PUT'],
    ['DELETE', '/api/shop/contacts?x=/', 'GET, HEAD, POST, PUT', 'GET, HEAD, POST and PUT'],
    ['PUT', '/api/shop/messages/send', 'GET, HEAD, POST', 'GET, HEAD and POST'],
    ['PATCH', '/api/shop/messages/wamid.a/b==', 'GET, HEAD', 'GET and HEAD'],
    ['POST', '/api/shop/templates', 'GET, HEAD', 'GET and HEAD'],
    ['PUT', '/api/webhooks/abc', 'POST', 'POST'],
    ['OPTIONS', '/api/nobody/groups', 'GET, HEAD, POST', 'GET, HEAD and POST'],
  ])('by naming the methods of a path: %s %s', async (method, path, allow, names) => {
    expect(await get(method, path)).toEqual({
      message: `Not found. This path does not take ${method}; it takes ${names}.`,
      allow,
    });
  });

  test.each([
    ['/api/shop/contact', '/api/{tenant}/contacts'],
    ['/api/shop/Contacts/5', '/api/{tenant}/contacts/{id}'],
    ['/api/shop/template', '/api/{tenant}/templates'],
    ['/api/shop/message_bots', '/api/{tenant}/message-bots'],
    ['/api/shop/status/5', '/api/{tenant}/statuses/{id}'],
    ['/api/shop/message/send', '/api/{tenant}/messages/send'],
    ['/api/shop/message/wamid.a/b==', '/api/{tenant}/messages/{message_id}'],
    ['/api/contacts', '/api/{tenant}/contacts'],
    ['/api/v2/shop/contacts', '/api/{tenant}/contacts'],
  ])('by naming the path that %s comes close to', async (path, meant) => {
    for (const method of ['GET', 'POST']) {
      expect(await get(method, path)).toEqual({
        message: `Not found. Did you mean ${meant}?`,
        allow: undefined,
      });
    }
  });

  test.each([
    ['/api/shop/orders'],
    ['/api/shop/a'],
    ['/api/shop/contacts/5/6'],
    [`/api/shop/${'contacts'.repeat(500)}`],
    ['/nothing'],
  ])('unless nothing is close: %s', async (path) => {
    expect((await get('POST', path)).message).toBe('Not found.');
  });

  test('a hint does not reveal which tenants exist', async () => {
    const shop = await app.tenant({ number: false });
    for (const path of ['/contacts', '/contact']) {
      const [ours, nobodys] = await Promise.all([
        get('PATCH', `/api/${shop.slug}${path}`),
        get('PATCH', `/api/nobody-${shop.slug}${path}`),
      ]);
      expect(ours).toEqual(nobodys);
    }
    const { message } = await get('GET', '/api/nobody/contacts');
    expect(message).toBe('Not found.');
  });
});
