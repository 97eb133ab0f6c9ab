import type { FastifyInstance } from 'fastify';
import type { AutomatedSender } from '../messages/sending/automated/send-automated.ts';
import type { NumberFinder } from '../numbers/find-number.ts';
import type { Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { success } from '../platform/http/success.ts';
import { idFrom } from '../platform/values/id.ts';
import { lastDays } from '../platform/values/last-days.ts';
import { type Period, PeriodQuery } from '../platform/values/period.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { storeEventRoutes } from './activity/event-dashboard-routes.ts';
import { countsOverTime, storeActivity } from './activity/metric-queries.ts';
import {
  ChangeKeys,
  ChangeStore,
  CreateStore,
  Platforms,
  StoreDetails,
  StoreDone,
  Stores,
  StoreWithSecret,
} from './dashboard-schema.ts';
import { mapTopic } from './map-topic.ts';
import { deliveryUrl, presentCounts, presentPlatforms, presentStore } from './present-store.ts';
import { findStore, listStores, listTopicActions, type StoreRow } from './queries.ts';
import { defaultAction, TopicAction, topics } from './schema.ts';
import { changeKeys } from './setup/change-keys.ts';
import { changeStore } from './setup/change-store.ts';
import { checkStoreNumber } from './setup/check-store-number.ts';
import { hasNoBuyer } from './setup/check-topic.ts';
import { createStore } from './setup/create-store.ts';
import { removeStore } from './setup/remove-store.ts';

const defaultDays: Period = 30;

/** Routes for the store webhooks of a tenant: addresses, keys, topic actions and counts. */
export function storeDashboardRoutes(
  api: TenantApi,
  services: Services & {
    numbers: NumberFinder;
    sender: Pick<AutomatedSender, 'prepareTemplate'>;
    app: FastifyInstance;
  },
): void {
  const { db, clock, config, numbers } = services;
  const owner = { owner: true };

  const busy = { limitConcurrency: true };

  api.get(
    '/stores',
    { config: busy, schema: { response: { 200: Stores } } },
    async ({ db: reads, member }) => {
      const [rows, activity] = await Promise.all([
        listStores(reads, member.tenantId),
        storeActivity(reads, member.tenantId),
      ]);
      const data = rows.map((row) =>
        presentStore(
          services,
          row,
          activity.find((each) => each.store_id === row.id),
        ),
      );
      return success({ data });
    },
  );

  api.post(
    '/stores',
    { config: owner, schema: { body: CreateStore, response: { 200: StoreWithSecret } } },
    async ({ member, body }) => {
      const { store, secret } = await createStore(services, member.tenantId, {
        ...body,
        country: body.country || undefined,
        numberId: await checkStoreNumber(numbers, member.tenantId, body.number_id),
      });
      const url = deliveryUrl(config, store.webhook_id);
      return success({ data: { id: store.id, url, secret } });
    },
  );

  api.get('/stores/platforms', { schema: { response: { 200: Platforms } } }, async () =>
    success({ data: presentPlatforms() }),
  );

  api.get(
    '/stores/:id',
    { config: busy, schema: { querystring: PeriodQuery, response: { 200: StoreDetails } } },
    async ({ db: reads, member, params, query }) => {
      const store = await storeOf(reads, member.tenantId, params);
      const period = lastDays(query.days ?? defaultDays, clock.now());
      const since = new Date(period[0]!);
      const [[activity], set, counted] = await Promise.all([
        storeActivity(reads, member.tenantId, store.id),
        listTopicActions(reads, member.tenantId, store.id),
        countsOverTime(reads, member.tenantId, store.id, { by: 'day', since }),
      ]);
      const byDay = new Map(counted.map((each) => [each.at.toISOString().slice(0, 10), each]));
      return success({
        data: {
          store: presentStore(services, store, activity),
          topics: topics.map((topic) => {
            const action = set.find((each) => each.topic === topic)?.action;
            return {
              topic,
              action: action ?? defaultAction(topic),
              is_set: action !== undefined,
              has_no_buyer: hasNoBuyer(store, topic),
            };
          }),
          days: period.map((day) => ({ day, ...presentCounts(byDay.get(day)) })),
        },
      });
    },
  );

  api.put(
    '/stores/:id',
    { config: owner, schema: { body: ChangeStore, response: { 200: StoreDone } } },
    async ({ member: { tenantId }, params, body }) => {
      const { id } = await changeStore(services, tenantId, idFrom(params), body);
      return success({ data: { id } });
    },
  );

  api.put(
    '/stores/:id/topics/:topic',
    { config: owner, schema: { body: TopicAction, response: { 200: StoreDone } } },
    async ({ member, params, body }) => {
      const { id } = await storeOf(db, member.tenantId, params);
      await mapTopic(db, member.tenantId, id, (params as { topic: string }).topic, body);
      return success({ data: { id } });
    },
  );

  api.put(
    '/stores/:id/keys',
    { config: owner, schema: { body: ChangeKeys, response: { 200: StoreWithSecret } } },
    async ({ member, params, body }) => {
      const store = await storeOf(db, member.tenantId, params);
      const secret = await changeKeys(services, store, body);
      const url = deliveryUrl(config, store.webhook_id);
      return success({ data: { id: store.id, url, secret } });
    },
  );

  api.delete(
    '/stores/:id',
    { config: owner, schema: { response: { 200: StoreDone } } },
    async ({ member, params }) => {
      const id = idFrom(params);
      if (!(await removeStore({ db }, member.tenantId, id))) throw notFound();
      return success({ data: { id } });
    },
  );

  storeEventRoutes(api, { ...services, storeOf });

  async function storeOf(from: Db, tenantId: number, params: unknown): Promise<StoreRow> {
    const store = await findStore(from, tenantId, idFrom(params));
    if (!store) throw notFound();
    return store;
  }
}
