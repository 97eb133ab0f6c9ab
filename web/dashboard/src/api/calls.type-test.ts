import { auth, tenantApi } from './client.ts';

/**
 * Shows to the type check which calls do not compile: each `@ts-expect-error` is an error itself if the line
 * after it compiles. Nothing runs this.
 */
export async function wrongCalls() {
  const api = tenantApi('shop');

  // @ts-expect-error: there is no such path
  await api.get('/shops');
  // @ts-expect-error: the path does not take this method
  await api.delete('/overview');
  // @ts-expect-error: the parameter in the path is missing
  await api.get('/stores/{id}');
  // @ts-expect-error: the parameter in the path has another name
  await api.get('/stores/{id}', { path: { store: 5 } });
  // @ts-expect-error: there is no such parameter
  await api.get('/conversations', { query: { befor: 5 } });
  // @ts-expect-error: the parameter has no such value
  await api.get('/conversations', { query: { view: 'theirs' } });
  // @ts-expect-error: the parameter is required
  await api.get('/conversation', { query: {} });
  // @ts-expect-error: the body is missing
  await api.post('/tokens');
  // @ts-expect-error: the body has no such field
  await api.put('/conversation', { body: { phone: '+4915123456789', isOpen: true } });
  // @ts-expect-error: a field of the body is missing
  await api.post('/messages/send', { body: { type: 'text', message: 'Hello' } });
  // @ts-expect-error: this path takes no body
  await api.post('/webhook/secret', { body: { secret: 'x' } });
  // @ts-expect-error: the response has no such field
  (await api.get('/overview')).weeks;
  // @ts-expect-error: a field of the response has another type
  (await auth.get('/session'))?.email.toFixed();
  // @ts-expect-error: there is no such query
  api.asked('/stores', { query: { page: 2 } });
  // @ts-expect-error: no query has such a key
  api.key('/store');
}
