import type { Command } from 'commander';
import { findIdByNetworkId } from '../../messages/queries.ts';
import { type CauseKind, causesInUse } from '../../messages/record/cause.ts';
import { findRecords, type RecordRow } from '../../messages/record/listing/find-records.ts';
import { listRecords } from '../../messages/record/listing/list-records.ts';
import { readFilter } from '../../messages/record/listing/read-filter.ts';
import type { RecordFilter } from '../../messages/record/listing/record-filter.ts';
import type { RecordPosition } from '../../messages/record/listing/scan-messages.ts';
import { presentRecord } from '../../messages/record/present-record.ts';
import {
  type MessageRecord,
  type RecordStatus,
  recordStatuses,
} from '../../messages/record/record-schema.ts';
import type { Db } from '../../platform/database/database.ts';
import { CommandError, countFrom, idFrom, table, tenantBySlug, withServices } from '../command.ts';
import { timeFrom } from '../times.ts';

export function messageCommands(program: Command): void {
  const message = program.command('message').description('See what was sent and received.');
  list(message);
  show(message);
}

type ListOptions = {
  phone?: string;
  contact?: string;
  number?: string;
  direction?: string;
  status?: string;
  errorCode?: string;
  type?: string;
  cause?: string;
  reference?: string;
  since?: string;
  until?: string;
  limit: string;
};

function list(message: Command): void {
  withServices(
    message
      .command('list')
      .description('List messages, newest first.')
      .argument('<tenant>')
      .option('--phone <phone>', 'only with this phone or user id')
      .option('--contact <id>', 'only with this contact')
      .option('--number <number>', 'only of this number: its phone, or the network’s id of it')
      .option('--direction <direction>', directions.join(', '))
      .option('--status <status>', recordStatuses.join(', '))
      .option('--error-code <code>', 'only failed with this code of the network, or none')
      .option('--type <type>', 'only of this type, such as text or template')
      .option('--cause <cause>', causesInUse.join(', '))
      .option('--reference <text>', 'only with exactly this reference')
      .option('--since <time>', 'since then: 2026-11-21T10:00Z, or 30m, 12h, 7d ago')
      .option('--until <time>', 'before then')
      .option('--limit <count>', 'maximum number of messages', '50'),
    async ({ db }, slug: string, options: ListOptions) => {
      const { id: tenantId } = await tenantBySlug({ db }, slug, 'reads');
      const filter = await readFilter(db, tenantId, queryOf(options));
      const found = filter
        ? await take(db, tenantId, filter, countFrom('--limit', options.limit))
        : [];
      const messages = found.map((row) => presentRecord(row));
      return { json: { messages }, text: tableOf(messages) };
    },
  );
}

function show(message: Command): void {
  withServices(
    message
      .command('show')
      .description('Show a message by its id, or by the network’s id.')
      .argument('<tenant>')
      .argument('<id>'),
    async ({ db }, slug: string, name: string) => {
      const { id: tenantId } = await tenantBySlug({ db }, slug, 'reads');
      const id = messageIdFrom(name) ?? (await findIdByNetworkId(db, tenantId, name));
      const [row] = id === undefined ? [] : await findRecords(db, tenantId, [id]);
      if (!row) throw new CommandError(`${slug} has no message ${name}.`);
      const record = presentRecord(row);
      return { json: { message: record, ...record }, text: JSON.stringify(record, null, 2) };
    },
  );
}

/** Parses our id of a message, which is negative for imported ones. */
function messageIdFrom(text: string): number | undefined {
  const id = /^-?\d+$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** Reads pages until there are enough. A page can have few messages before the end. */
async function take(
  db: Db,
  tenantId: number,
  filter: RecordFilter,
  limit: number,
): Promise<RecordRow[]> {
  const found: RecordRow[] = [];
  let after: RecordPosition | undefined;
  do {
    const page = { after, limit: Math.min(500, limit - found.length) };
    const { records, next } = await listRecords(db, tenantId, filter, page);
    found.push(...records);
    after = next;
  } while (after && found.length < limit);
  return found;
}

const directions = ['out', 'in'] as const;

function queryOf({ phone, contact, since, until, ...options }: ListOptions) {
  const contactId = contact === undefined ? undefined : idFrom(contact);
  if (contact !== undefined && !contactId) {
    throw new CommandError(`"${contact}" is not the id of a contact.`);
  }
  return {
    phone_number: phone,
    contact_id: contactId,
    number: options.number,
    direction: oneOf('--direction', directions, options.direction),
    status: oneOf<RecordStatus>('--status', recordStatuses, options.status),
    error_code: errorCodeFrom(options.errorCode),
    type: options.type,
    cause: oneOf<CauseKind>('--cause', causesInUse, options.cause),
    reference: options.reference,
    from_time: since === undefined ? undefined : timeFrom(since).toISOString(),
    to_time: until === undefined ? undefined : timeFrom(until).toISOString(),
  };
}

function errorCodeFrom(text: string | undefined): number | 'none' | undefined {
  if (text === undefined || text === 'none') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(
    `--error-code must be an error code of the network, or none; it is "${text}".`,
  );
}

function oneOf<Name extends string>(
  option: string,
  names: readonly Name[],
  text: string | undefined,
): Name | undefined {
  const name = names.find((each) => each === text);
  if (text !== undefined && name === undefined) {
    throw new CommandError(`${option} must be one of ${names.join(', ')}; it is "${text}".`);
  }
  return name;
}

function tableOf(messages: MessageRecord[]): string {
  return table(
    ['ID', 'TIME', '', 'PERSON', 'TYPE', 'STATUS', 'CAUSE', 'REFERENCE', 'TEXT'],
    messages.map((each) => [
      String(each.id),
      each.created_at,
      each.direction,
      each.phone_number ?? each.user_id ?? '',
      each.type,
      each.status,
      each.cause?.name ?? each.cause?.kind ?? '',
      each.reference ?? '',
      textOf(each).slice(0, 60),
    ]),
  );
}

function textOf({ content: { text, caption, body }, error }: MessageRecord): string {
  return error?.message ?? [text, caption, body].find((each) => typeof each === 'string') ?? '';
}
