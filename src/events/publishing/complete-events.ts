import {
  findRecordsOfTenants,
  type RecordRow,
} from '../../messages/record/listing/find-records.ts';
import { presentRecord } from '../../messages/record/present-record.ts';
import type { RecordStatus } from '../../messages/record/record-schema.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AnyEventType } from '../../webhooks/schema.ts';
import { countEvents, type OutboxRow } from './outbox-queries.ts';
import type { RejectedEvent } from './reject-event.ts';

/** An event with everything that its receivers get. */
export type PublishedEvent = {
  tenantId: number;
  id: number;
  createdAt: Date;
  event: AnyEventType;
  /** JSON. */
  data: string;
  /** The properties by which endpoints filter message events. */
  message: EventMessage | undefined;
};

export type EventMessage = {
  person: string;
  numberId: number;
  kind: string;
  /** Null for inbound messages. */
  cause: string | null;
};

type MessageRow = OutboxRow & { message_id: number };

/**
 * Adds the data of events: the record of the message as it was in the reported state, and the number of the event
 * within its conversation. Events of messages that were deleted in the meantime are left out.
 *
 * @returns the events, and those whose record cannot be presented
 */
export async function completeEvents(
  tx: Db,
  rows: OutboxRow[],
): Promise<{ events: PublishedEvent[]; unpresentable: RejectedEvent[] }> {
  const unpresentable: RejectedEvent[] = [];
  const ofMessages = rows.filter((row): row is MessageRow => row.message_id !== null);
  const records = await findRecordsByKey(tx, ofMessages);
  const known = ofMessages.filter((row) => records.has(keyOf(row)));
  const sequences = await numberEvents(
    tx,
    known.map((row) => ({ ...row, person: records.get(keyOf(row))!.person })),
  );
  const events = rows.flatMap<PublishedEvent>((row) => {
    const { tenant_id: tenantId, id, created_at: createdAt, event } = row;
    const common = { tenantId, id, createdAt, event };
    if (row.message_id === null) return { ...common, data: row.data!, message: undefined };
    const found = records.get(keyOf(row as MessageRow));
    if (!found) return [];
    try {
      const status = event.slice('message.'.length) as RecordStatus;
      const record = presentRecord(found, { status, at: row.at! });
      const data = JSON.stringify({ ...record, sequence: sequences.get(id) });
      const { person, number_id: numberId, kind, direction } = found;
      const cause = direction === 'in' ? null : (record.cause?.kind ?? 'unknown');
      return { ...common, data, message: { person, numberId, kind, cause } };
    } catch (error) {
      // One record that cannot be presented must not hold up the events of everybody.
      unpresentable.push({ row, error });
      return [];
    }
  });
  return { events, unpresentable };
}

async function findRecordsByKey(tx: Db, rows: MessageRow[]): Promise<Map<string, RecordRow>> {
  if (rows.length === 0) return new Map();
  const wanted = new Map(
    rows.map((row) => [keyOf(row), { tenantId: row.tenant_id, id: row.message_id }]),
  );
  const found = await findRecordsOfTenants(tx, [...wanted.values()]);
  return new Map(found.map((row) => [`${row.tenant_id} ${row.id}`, row]));
}

function keyOf({ tenant_id, message_id }: MessageRow): string {
  return `${tenant_id} ${message_id}`;
}

/** Counts events within their conversations. Returns the number of each by the event's id. */
async function numberEvents(
  tx: Db,
  events: { tenant_id: number; id: number; person: string }[],
): Promise<Map<number, number>> {
  if (events.length === 0) return new Map();
  const conversations = [
    ...Map.groupBy(events, ({ tenant_id, person }) => `${tenant_id} ${person}`).values(),
  ];
  const lasts = await countEvents(
    tx,
    conversations.map((own) => ({
      tenantId: own[0]!.tenant_id,
      person: own[0]!.person,
      count: own.length,
    })),
  );
  return new Map(
    conversations.flatMap((own, index) =>
      own.map(({ id }, place) => [id, lasts[index]! - own.length + place + 1] as const),
    ),
  );
}
