import { once } from 'node:events';
import { get } from 'node:http';
import { onTestFinished } from 'vitest';
import type { LiveEvent } from '../../src/messages/conversations/dashboard-schema.ts';
import { eventually } from '../checks/eventually.ts';
import type { TestApp, TestTenant } from '../program/app.ts';
import { sameOrigin, type TestMember } from './sign-in.ts';

export type ReceivedEvent = LiveEvent & { id: string };

/** Opens the live stream of a tenant for a member, after the event with an id if one is given. */
export async function openLiveStream(
  app: TestApp,
  tenant: TestTenant,
  { cookie }: TestMember,
  after?: string,
) {
  const request = get(`${app.url}/dashboard-api/${tenant.slug}/live`, {
    agent: false,
    headers: { ...sameOrigin, cookie, ...(after && { 'last-event-id': after }) },
  }).on('error', () => {});
  onTestFinished(() => void request.destroy());
  const [response] = await once(request, 'response');
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  const events = (): ReceivedEvent[] =>
    [...text.matchAll(/id: (.*)\ndata: (.*)\n\n/g)].map(([, id, data]) => ({
      id,
      ...JSON.parse(data!),
    }));
  await eventually(async () => events().length > 0);
  return { events, close: () => request.destroy() };
}
