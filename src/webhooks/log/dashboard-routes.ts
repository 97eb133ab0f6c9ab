import { findContact } from '../../contacts/find-contact.ts';
import { findPeopleOfMessage } from '../../messages/find-people-of-message.ts';
import type { Db } from '../../platform/database/database.ts';
import { badRequest } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { createCursors } from '../../platform/http/cursor.ts';
import { success } from '../../platform/http/success.ts';
import { idFrom } from '../../platform/values/id.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import {
  Deliveries,
  DeliveriesQuery,
  DeliveryRequest,
  EndpointQuery,
  Redeliver,
  Redelivered,
} from '../dashboard-schema.ts';
import { endpointFrom } from '../endpoint-key.ts';
import { readDeliveryId } from '../webhook-id.ts';
import {
  type DeliveryCursor,
  type DeliveryFilter,
  findBodies,
  listDeliveries,
} from './delivery-log-queries.ts';
import { findSubjects } from './find-subjects.ts';
import { presentDeliveries } from './present-deliveries.ts';
import { presentRequest } from './present-request.ts';
import { redeliver } from './redeliver.ts';

const deliveriesPerPage = 30;
/** Larger bodies are not read for the list. */
const maxSubjectBytes = 8_192;

/** Registers the routes of the delivery log of an endpoint, which is the default one unless the query names it. */
export function deliveryDashboardRoutes(api: TenantApi, services: Services): void {
  const cursors = createCursors(services.vault);

  api.get(
    '/webhook/deliveries',
    {
      config: { limitConcurrency: true },
      schema: { querystring: DeliveriesQuery, response: { 200: Deliveries } },
    },
    async ({ db, member: { tenantId }, query }) => {
      const { id, event, state, since, until, after } = query;
      const search = id === undefined ? {} : await readSearch(db, tenantId, id.trim());
      const filter = {
        ...search,
        event,
        state,
        since: since ? new Date(since) : undefined,
        until: until ? new Date(until) : undefined,
      };
      const endpoint = endpointFrom(tenantId, query);
      const scope = { list: 'deliveries', tenantId, filter: { ...filter, ...endpoint } };
      const from = after === undefined ? undefined : cursors.read<DeliveryCursor>(scope, after);
      const found = await listDeliveries(db, endpoint, filter, deliveriesPerPage, from);
      const last = found.at(-1);
      const ids = found.map((row) => row.id);
      const bodies = await findBodies(db, endpoint, ids, maxSubjectBytes);
      const subjects = await findSubjects(db, tenantId, found, bodies);
      const presented = await presentDeliveries(db, tenantId, found);
      return success({
        data: {
          deliveries: presented.map((delivery) => ({
            ...delivery,
            subject: subjects.get(delivery.id)!,
          })),
          after:
            found.length === deliveriesPerPage && last ? cursors.write(scope, last.cursor) : null,
        },
      });
    },
  );

  api.get(
    '/webhook/deliveries/:id',
    { schema: { querystring: EndpointQuery, response: { 200: DeliveryRequest } } },
    async ({ db, member: { tenantId }, query, params }) =>
      success({
        data: await presentRequest(
          { db, vault: services.vault },
          endpointFrom(tenantId, query),
          idFrom(params),
          services.clock.now(),
        ),
      }),
  );

  api.post(
    '/webhook/redeliver',
    { schema: { querystring: EndpointQuery, body: Redeliver, response: { 200: Redelivered } } },
    async ({ member, query, body: { id, since, until, failed, waiting } }) => {
      if (id === undefined && !since && !until && !failed && !waiting) {
        throw badRequest(
          fault(
            'no_deliveries_chosen',
            'Choose the deliveries: one by id, those of a period, or those that failed or wait.',
          ),
        );
      }
      const deliveries = await redeliver(services, endpointFrom(member.tenantId, query), {
        id,
        since: since ? new Date(since) : undefined,
        until: until ? new Date(until) : undefined,
        failed,
        waiting,
      });
      return success({ data: { deliveries } });
    },
  );
}

/** Reads what somebody searches for: a delivery, a person, a contact such as `#4711`, or a message. */
async function readSearch(db: Db, tenantId: number, text: string): Promise<DeliveryFilter> {
  const phone = text.replace(/[\s().-]/g, '');
  if (/^\+\d{4,15}$/.test(phone)) return { people: [phone] };
  const [, contactId] = /^#(\d{1,15})$/.exec(text) ?? [];
  if (contactId) {
    const contact = await findContact(db, tenantId, Number(contactId));
    return {
      people: [contact?.phone, contact?.user_id].filter((each) => typeof each === 'string'),
    };
  }
  const delivery = readDeliveryId(text);
  if (delivery) return delivery;
  if (/^[A-Z]{2}\.[A-Za-z0-9.]+$/.test(text)) return { people: [text] };
  const found = await findPeopleOfMessage(db, tenantId, text);
  const { people = [], createdAt = new Date() } = found ?? {};
  return { message: { networkId: text, people, since: createdAt } };
}
