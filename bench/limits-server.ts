import sql from 'sql-template-tag';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { conversationsOfSent } from '../src/messages/conversations/person.ts';
import { messageRoutes } from '../src/messages/routes.ts';
import type { MessageSender, Outgoing } from '../src/messages/sending/send-message.ts';
import type { Completion } from '../src/messages/sending/send-outcome.ts';
import { completionOf } from '../src/messages/sending/send-outcome.ts';
import { completeSends } from '../src/messages/sending/write-sends.ts';
import { createNumberFinder } from '../src/numbers/find-number.ts';
import { openServices } from '../src/open-services.ts';
import { createBatch } from '../src/platform/database/batching.ts';
import { rowsOf } from '../src/platform/database/rows-of.ts';
import { statement } from '../src/platform/database/statement.ts';
import { listen } from '../src/platform/listener/listen.ts';
import { loadTls } from '../src/platform/tls/load-tls.ts';
import type { TenantApi } from '../src/tenants/api/tenant-api.ts';

/**
 * The service and, under `/bench/`, the same sends without token, limits, idempotency and usage: validated,
 * stored, sent and completed in the same batches, but not counted.
 */
const config = readConfig();
const { services, close } = await openServices(config);
const { db, network } = services;
const numbers = createNumberFinder(services);
const tenant = {
  tenantId: Number(process.env.BENCH_TENANT),
  tokenId: Number(process.env.BENCH_TOKEN),
};

type Item = { numberId: number; outgoing: Outgoing };
const begin = createBatch<Item, number>({
  run: async (items) => {
    const { rows } = await db.batched.query<{ id: number }>(
      statement(
        'bench-begin-sends',
        sql`
          with item as materialized (
            select ${tenant.tenantId}::bigint as tenant_id, nextval('messages_id_seq') as id,
                   phone_identity(phone) as person, item.*
            from ${rowsOf('item', items, {
              number_id: ['bigint', ({ numberId }) => numberId],
              phone: ['text', ({ outgoing }) => outgoing.phone],
              kind: ['text', ({ outgoing }) => outgoing.kind],
              content: ['jsonb', ({ outgoing }) => JSON.stringify(outgoing.storedContent)],
              position: ['int', (_, index) => index],
            })}
          ), conversation as (
            ${conversationsOfSent(sql`item`, sql`false`)}
          )
          insert into messages (tenant_id, id, token_id, number_id, direction, person, phone, kind,
                                content, created_at)
          select tenant_id, id, ${tenant.tokenId}::bigint, number_id, 'out', person,
                 nullif(phone, person), kind, content, now()
          from item order by position
          returning id`,
      ),
    );
    return rows.map((row) => row.id);
  },
  maxSize: 500,
});
const complete = createBatch<Completion, void>({
  run: (completed) => completeSends(db.batched, completed),
  maxSize: 500,
});

const sendUncounted: MessageSender = async (caller, outgoing) => {
  const { tenantId } = caller;
  const number = await numbers.defaultNumber(tenantId);
  if (!number) throw new Error('no number');
  await network.rateLimiter.acquire(number, outgoing.phone, 2_000);
  const id = await begin({ numberId: number.id, outgoing });
  const sent = await network.sendMessage(number, outgoing.phone, outgoing, `${tenantId}.${id}`);
  await complete({ tenantId, id, ...completionOf(sent) });
  if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
  return { id, messageId: sent.networkId, phone: outgoing.phone, status: 'sent', reference: null };
};

const app = await buildApp(services);
app.register(
  async (scope) => {
    scope.addHook('onRequest', async (request) => {
      request.caller = { ...tenant, slug: 'bench', plan: 'enterprise', abilities: new Set() };
    });
    const textOnly = () => Promise.reject(new Error('only text is sent here'));
    messageRoutes(scope.withTypeProvider() as TenantApi, {
      ...services,
      sendMessage: sendUncounted,
      numbers,
      findTemplate: textOnly,
      checkMedia: textOnly,
      countRequest: textOnly,
    });
  },
  { prefix: '/bench/:tenant' },
);
const tls = await loadTls({ dataDir: config.dataDir, names: [] });
const listener = await listen(app, {
  host: config.host,
  port: 0,
  tls,
  trustedProxies: [],
  log: services.log,
});
process.on('SIGTERM', () =>
  listener
    .close()
    .then(() => app.close())
    .then(close)
    .then(() => process.exit(0)),
);
process.send?.({ port: listener.port });
