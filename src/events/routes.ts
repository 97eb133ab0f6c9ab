import { success } from '../platform/http/success.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { eventIdOf } from './event-id.ts';
import type { LogEntry } from './log/queries.ts';
import type { EventReader } from './log/read-events.ts';
import { EventsQuery, EventsResponse } from './schema.ts';

/** GET events: the log of a tenant's events, for programs that fetch them (docs/events.md). */
export function eventRoutes(api: TenantApi, { readEvents }: { readEvents: EventReader }): void {
  api.get(
    '/events',
    {
      config: { ability: 'events:read', waits: true },
      schema: {
        operationId: 'listEvents',
        tags: ['Events'],
        summary: 'Read events, and wait for new ones',
        description:
          'Every event of the tenant, oldest first, from the time at which it had a token that may ' +
          'read them. Pass `pagination.next` as `after` of the next request: no event is missed and ' +
          'none comes twice. Events are kept for a week. An older cursor is refused with ' +
          '`code: "cursor_expired"`, and `data.oldest` is where to continue. A response without ' +
          'events has a `next` too. A response ends after 1 MiB of `data`, so it can have fewer ' +
          'events than `limit` although there are more.',
        querystring: EventsQuery,
        response: { 200: EventsResponse },
      },
    },
    async (request, reply) => {
      const { after, types, limit, wait } = request.query;
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const asked = { after, types, limit, waitMs: wait * 1_000, signal: gone.signal };
      const { db, caller } = request;
      const { entries, next } = await readEvents(db.batched, caller.tenantId, asked);
      return success({ data: entries.map(presentEvent), pagination: { next } });
    },
  );
}

function presentEvent({ id, created_at: createdAt, event, data }: LogEntry) {
  return {
    id: eventIdOf({ id, createdAt }),
    event,
    created_at: createdAt.toISOString(),
    data: JSON.parse(data) as object,
  };
}
