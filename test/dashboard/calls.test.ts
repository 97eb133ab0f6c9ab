import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCalls } from '../../web/dashboard/src/api/calls.ts';
import type { TenantApi } from '../../web/dashboard/src/api/client.ts';
import type { TenantPaths } from '../../web/dashboard/src/api/schema.ts';
import { untilResponse } from '../../web/dashboard/src/api/until-response.ts';
import { bulksQuery, contactsQuery } from '../../web/dashboard/src/features/contacts/queries.ts';
import { conversationsQuery } from '../../web/dashboard/src/features/messages/conversations/queries.ts';
import { messagesQuery } from '../../web/dashboard/src/features/messages/queries.ts';
import { Problem } from '../../web/parts/behaviour/problem.ts';

const preview = { topic: 'order.created' as const, action: { contact: { mode: 'fill' as const } } };

test.each<[string, (api: TenantApi, queries: QueryClient) => object]>([
  ['record', (api) => api.asked('/stores')],
  ['preview', (api) => api.askedByPost('/stores/{id}/preview', { path: { id: 1 }, body: preview })],
  ['page', (api) => contactsQuery(api, { q: 'an' })],
  ['polled list', bulksQuery],
  ['list in parts', (api) => conversationsQuery(api, { q: 'an' })],
  ['list by cursor', (api) => messagesQuery(api, {})],
])(
  'the request for a %s ends when nothing shows it any more, and is not repeated',
  async (_, of) => {
    const arrived = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    let requests = 0;
    const silent = createServer((_, response) => {
      requests++;
      response.on('close', ended.resolve);
      arrived.resolve();
    }).listen(0);
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const queries = new QueryClient();
    const api = createCalls<TenantPaths>(`http://127.0.0.1:${port}`);
    const query = of(api, queries) as never;
    const observer =
      'initialPageParam' in query
        ? new InfiniteQueryObserver(queries, query)
        : new QueryObserver(queries, query);
    const close = observer.subscribe(() => {});
    await arrived.promise;
    close();
    await ended.promise;
    const [state] = queries.getQueryCache().getAll();
    expect(state!.state).toMatchObject({ status: 'pending', fetchStatus: 'idle', error: null });
    expect(requests).toBe(1);
  },
);

test('a request with a key that gets no response is given up and made again with its key', async () => {
  const given = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => given.mockRestore());
  const keys: (string | string[] | undefined)[] = [];
  const silent = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    // The first two are on a connection that is lost without a sign, the third fails, and the others get a response.
    if (keys.length === 3) request.socket.destroy();
    if (keys.length < 3) time.abort();
    if (keys.length > 3) response.setHeader('content-type', 'application/json').end('{"data":{}}');
  }).listen(0);
  onTestFinished(() => silent.closeAllConnections());
  onTestFinished(() => void silent.close());
  let time: AbortController;
  given.mockImplementation((ms) => {
    const each = new AbortController();
    if (ms === 15_000) time = each;
    return each.signal;
  });
  const { port } = silent.address() as AddressInfo;
  const api = createCalls<TenantPaths>(`http://127.0.0.1:${port}`);
  const body = { phone_number: '+14155550123', type: 'text' as const, message: 'Hello' };
  await untilResponse((silence) => api.once('/messages/send', 'key-1', silence, { body }));
  expect(keys).toEqual(Array(4).fill('key-1'));
});

test.each([
  ['the page of a proxy', 200, '<html>', 0],
  ['a refusal without JSON', 502, '<html>', 502],
  ['a refusal', 422, '{"message":"Wrong."}', 422],
])('%s is a problem', async (_, status, body, shown) => {
  const send = async (address: unknown) => {
    expect(address).toBe('/api/stores/a%2Fb?days=7');
    return new Response(body, { status });
  };
  const api = createCalls<TenantPaths>('/api', send);
  const input = { path: { id: 'a/b' as never }, query: { days: 7 as const } };
  const problem = await api.get('/stores/{id}', input).catch((error) => error);
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: shown, ...(status === 422 && { message: 'Wrong.' }) });
});
