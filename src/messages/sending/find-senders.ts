import sql from 'sql-template-tag';
import type { ConnectedNumber, NumberFinder } from '../../numbers/find-number.ts';
import { matchesName, nameWithId } from '../../numbers/number-name.ts';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { ApiError, type FieldErrors, invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { latestNumber, personOf } from '../conversations/person.ts';

/**
 * The numbers that may send a message. If the latest message with the person went through one of them, that one sends
 * it, otherwise the first.
 */
export type Senders = [ConnectedNumber, ...ConnectedNumber[]];

/**
 * Finds the numbers that may send a message: the one that the request names, otherwise all of the tenant, its
 * default number first.
 *
 * @param from the network's id of a number, or its phone in E.164
 * @throws ApiError 422 on `from`, or without a number
 */
export async function findSenders(
  numbers: NumberFinder,
  tenantId: number,
  from: string | null | undefined,
): Promise<Senders> {
  const senders = await numbers.senders(tenantId);
  if (senders.length === 0) throw noNumber();
  const [first, ...others] = senders.filter((number) => matchesName(number, from));
  if (!first) throw invalid(unknownFrom(from!, senders));
  return [first, ...others];
}

/** Checks `from` of a message whose other fields are not valid, so that the response names all faults. */
export async function fromFaults(
  numbers: NumberFinder,
  tenantId: number,
  from: string | null | undefined,
): Promise<FieldErrors> {
  if (!from) return {};
  const senders = await numbers.senders(tenantId);
  const isKnown = senders.length === 0 || senders.some((number) => matchesName(number, from));
  return isKnown ? {} : unknownFrom(from, senders);
}

/**
 * Finds the number that sends to a phone. A send does not need this: the statement that stores it chooses the
 * number (`begin-sends.ts`).
 */
export async function findSender(
  db: Db,
  senders: Senders,
  phone: string,
): Promise<ConnectedNumber> {
  const [first, ...others] = senders;
  if (others.length === 0) return first;
  const ids = senders.map(({ id }) => id);
  const { tenantId } = first;
  const { rows } = await db.query<{ id: number | null }>(
    statement(
      'find-sender',
      sql`select ${latestNumber(sql`${tenantId}::bigint`, personOf(tenantId, phone), sql`${ids}::bigint[]`)} as id`,
    ),
  );
  return senders.find(({ id }) => id === rows[0]?.id) ?? first;
}

/**
 * Reduces the numbers that may send a template to those of one business account, which decides the templates that
 * exist. Only a tenant with several accounts needs a lookup for this.
 */
export async function sendersOfAccount(db: Db, senders: Senders, phone: string): Promise<Senders> {
  const accounts = new Set(senders.map(({ businessAccountId }) => businessAccountId));
  return accounts.size === 1 ? senders : [await findSender(db, senders, phone)];
}

/** 422: the tenant has no number to send from. */
export function noNumber(): ApiError {
  return new ApiError('invalid', {
    message: fault(
      'no_number',
      'This tenant has no WhatsApp number. Connect one in the dashboard or with `parley number connect`. (A number of the simulator works only while `parley demo` runs.)',
    ),
    passing: true,
  });
}

/** 422: the number that was chosen for these messages cannot send. Another one would be a stranger to the person. */
export function disconnectedNumber(): ApiError {
  return new ApiError('invalid', {
    message: fault(
      'number_disconnected',
      'The number chosen for this is no longer connected. Connect it again, or choose another.',
    ),
    passing: true,
  });
}

const maxNamed = 5;

function unknownFrom(from: string, senders: ConnectedNumber[]): FieldErrors {
  const named = senders.slice(0, maxNamed).map(nameWithId).join(', ');
  const more = senders.length > maxNamed ? ` or ${senders.length - maxNamed} more` : '';
  return {
    from: [
      fault('unknown_from', 'is not a connected number of this tenant: "{from}"; use {known}', {
        from,
        known: `${named}${more}`,
      }),
    ],
  };
}
