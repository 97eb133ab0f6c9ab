import type { FastifyInstance, InjectOptions } from 'fastify';
import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import type { Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { success } from '../../platform/http/success.ts';
import { idFrom } from '../../platform/values/id.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import {
  PreviewTopic,
  StoreDone,
  StoreEvents,
  StoreEventsQuery,
  StoreEventsReplayed,
  StorePayload,
  StoreTested,
  TestStore,
  TopicPreview,
} from '../dashboard-schema.ts';
import type { Post } from '../platforms/platform.ts';
import { presentEvent } from '../present-store.ts';
import type { StoreRow } from '../queries.ts';
import { readTopic } from '../read-topic.ts';
import { previewSample, previewStoredEvent } from '../tools/preview-event.ts';
import { replayEvent, replayFailedEvents } from '../tools/replay-event.ts';
import { sendSample } from '../tools/send-sample.ts';
import { findStoreEvent, listStoreEvents } from './event-queries.ts';
import { readSearch } from './read-search.ts';

const eventsPerPage = 30;
/** A post has at most 2 MB: reading and writing many at once would block other requests for a second. */
const posts = { limitConcurrency: true };

/** Routes for the posts of a store, their outcomes, and the tools to test a store. */
export function storeEventRoutes(
  api: TenantApi,
  services: Services & {
    sender: Pick<AutomatedSender, 'prepareTemplate'>;
    app: FastifyInstance;
    storeOf: (db: Db, tenantId: number, params: unknown) => Promise<StoreRow>;
  },
): void {
  const { app, db, storeOf } = services;

  api.get(
    '/stores/:id/events',
    {
      config: { limitConcurrency: true },
      schema: { querystring: StoreEventsQuery, response: { 200: StoreEvents } },
    },
    async ({ db: reads, member, params, query }) => {
      const store = await storeOf(reads, member.tenantId, params);
      const found = await listStoreEvents(reads, member.tenantId, store.id, {
        ...query,
        search: readSearch(query.search, store.country),
        limit: eventsPerPage,
      });
      return success({
        data: { events: found.map(presentEvent), more: found.length === eventsPerPage },
      });
    },
  );

  api.get(
    '/stores/:id/events/:event',
    { config: posts, schema: { response: { 200: StorePayload } } },
    async ({ db: reads, member, params }) => {
      const store = await storeOf(reads, member.tenantId, params);
      const event = await findStoreEvent(reads, member.tenantId, store.id, idFrom(params, 'event'));
      if (!event) throw notFound();
      return success({ data: { payload: event.body.toString('utf8') } });
    },
  );

  api.post(
    '/stores/:id/events/:event/replay',
    { schema: { response: { 200: StoreDone } } },
    async ({ member, params }) => {
      const store = await storeOf(db, member.tenantId, params);
      const id = await replayEvent(services, member.tenantId, store.id, idFrom(params, 'event'));
      return success({ data: { id } });
    },
  );

  api.post(
    '/stores/:id/events/replay-failed',
    { schema: { response: { 200: StoreEventsReplayed } } },
    async ({ member, params }) => {
      const store = await storeOf(db, member.tenantId, params);
      return success({ data: await replayFailedEvents(services, member.tenantId, store.id) });
    },
  );

  api.post(
    '/stores/:id/preview',
    { config: posts, schema: { body: PreviewTopic, response: { 200: TopicPreview } } },
    async ({ member, params, body }) => {
      const { action, event_id: eventId } = body;
      const store = await storeOf(db, member.tenantId, params);
      const topic = readTopic(body.topic);
      const data =
        eventId === undefined
          ? await previewSample(services, store, topic, action)
          : await previewStoredEvent(services, store, eventId, action);
      return success({ data });
    },
  );

  api.post(
    '/stores/:id/test',
    { schema: { body: TestStore, response: { 200: StoreTested } } },
    async ({ member, params, body }) => {
      const store = await storeOf(db, member.tenantId, params);
      const status = await sendSample(services, store, body, postToApp);
      return success({ data: { status } });
    },
  );

  /** Posts the sample to the same route that the store posts to. */
  async function postToApp(path: string, { headers, body }: Post): Promise<number> {
    const response = await app.inject({
      method: 'POST',
      url: path,
      headers: headers as InjectOptions['headers'],
      payload: body,
    });
    return response.statusCode;
  }
}
