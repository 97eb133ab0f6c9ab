import { createContactIfAbsent, upsertContact } from '../../contacts/writing/upsert-contact.ts';
import type {
  AutomatedOutcome,
  AutomatedSender,
  ReadyMessage,
} from '../../messages/sending/automated/send-automated.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { type ApiError, codedProblemOf } from '../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { sentTopicOf } from '../platforms/platform.ts';
import { platforms } from '../platforms/platforms.ts';
import { resourceIdOf } from '../platforms/reading.ts';
import { defaultAction } from '../schema.ts';
import { isSample } from '../tools/sample-post.ts';
import type { ClaimedEvent } from './claim-events.ts';
import { compareWithLast } from './last-message.ts';
import {
  type Ended,
  type Plan,
  type PlannedMessage,
  type PlannedResource,
  planEvent,
} from './plan-event.ts';
import { advanceResource, copyStateWithoutShop, recordMessage } from './resource-queries.ts';
import { linkMessage } from './settle-events.ts';

/** The outcome of an attempt. `again`: a retry may succeed. */
export type Outcome = {
  state: 'done' | 'nothing_to_do' | 'skipped' | 'failed';
  reason: Fault | null;
  contactId?: number | null;
  again?: boolean;
  messageSent?: boolean;
  /** The number or id of the resource, and the buyer's phone, as far as they could be read. */
  resourceNumber?: string | undefined;
  phone?: string | undefined;
};

export type EventServices = {
  db: Database;
  clock: Clock;
  sender: AutomatedSender;
  /** Runs a transaction once the tenant has a permit for it. */
  withPermit<Result>(work: () => Promise<Result>): Promise<Result>;
};

const dayMs = 86_400_000;
const sentBefore = fault('sent_before', 'An earlier post already caused the same message.');
const messageDeleted = fault('message_deleted', 'Its message has been deleted.');
const olderThanKnown = fault('older_than_known', 'A newer post about it was already processed.');

/**
 * Carries out the actions of an event. The contact, the progress of the resource and the message commit
 * together before the message is sent. If the process dies, the next attempt finds the stored message and
 * never sends it again.
 *
 * @returns 'later' if the message of an earlier attempt is still being sent
 */
export async function processEvent(
  services: EventServices,
  event: ClaimedEvent,
): Promise<Outcome | 'later'> {
  const action = event.action ?? (event.topic === null ? undefined : defaultAction(event.topic));
  const sentTopic = sentTopicOf(platforms[event.platform], event);
  const plan = planEvent({ ...event, sentTopic }, action);
  const outcome = await carryOut(services, event, plan);
  if (outcome === 'later') return outcome;
  const { resource, phone } = plan;
  return { ...outcome, resourceNumber: resource?.number ?? resource?.id, phone };
}

async function carryOut(
  services: EventServices,
  event: ClaimedEvent,
  plan: Plan | Ended,
): Promise<Outcome | 'later'> {
  if (event.message_id !== null) {
    const earlier = await services.sender.resume(event.tenant_id, event.message_id);
    if (earlier === 'later') return 'later';
    if (earlier === 'gone') return { state: 'done', reason: messageDeleted };
    if (earlier) return outcomeOf(earlier);
  }
  if (plan.state !== 'to_do') {
    if (plan.resource) await advance(services, services.db, event, plan.resource);
    return { state: plan.state, reason: plan.reason };
  }

  // The message is filled and checked before any write. Its faults do not prevent the contact.
  const ready = plan.message && (await prepare(services, event, plan.message, plan.contact));
  const applied = await services.withPermit(() =>
    services.db.transaction((tx) => apply(services, tx, event, plan, ready)),
  );
  if (!('messageId' in applied)) return applied;
  const { contactId, messageId, message } = applied;
  const sent = await services.sender.send(event.tenant_id, messageId, message);
  return { ...outcomeOf(sent), contactId };
}

function outcomeOf(sent: AutomatedOutcome): Outcome {
  return sent.sent
    ? { state: 'done', reason: null, messageSent: true }
    : { state: 'failed', reason: sent.reason, again: sent.again };
}

/**
 * Carries out a plan in a transaction.
 *
 * @returns the stored message, which is sent after the commit; otherwise the outcome of the event
 */
async function apply(
  services: EventServices,
  tx: Db,
  event: ClaimedEvent,
  plan: Plan,
  ready: ReadyMessage | Unready | undefined,
): Promise<Outcome | { contactId: number | null; messageId: number; message: ReadyMessage }> {
  const { resource, message } = plan;
  const { isNewest, isDeleted } = await advance(services, tx, event, resource);
  const compared = message && (await compareWithLast(services, tx, event, { resource, message }));
  const isReplay = event.replay_of !== null;
  const isRepeated = isReplay || event.message_id !== null;
  // A creation is current even if an update arrived first, unless the resource has been deleted. A further attempt or a
  // replay is current as long as the buyer got no other text since.
  const isCurrent =
    isNewest || (!isDeleted && (resource.created || (isRepeated && compared?.isLast)));
  if (!isCurrent) return { state: 'skipped', reason: olderThanKnown };

  const contactId = await applyContact(services, tx, event, plan);
  if (!ready) return { state: 'done', reason: null, contactId };
  if ('problem' in ready) {
    return { state: ready.state, reason: ready.problem, contactId, again: ready.again };
  }
  const mayRepeat = isReplay && !event.only_unsent;
  if (compared?.isSent && !mayRepeat) return { state: 'done', reason: sentBefore, contactId };
  const messageId = await services.sender.store(tx, event.tenant_id, ready, {
    kind: 'store',
    id: event.store_id,
  });
  if (compared) {
    await recordMessage(tx, event, { ...compared, messageId, at: services.clock.now() });
  }
  // Thrown, so that the whole transaction is rolled back.
  if (!(await linkMessage(tx, event, { messageId, contactId }))) {
    throw new Error('another process has claimed the event');
  }
  return { contactId, messageId, message: ready };
}

/** Why a message cannot be sent, or is not to be sent, and the state of its event. */
type Unready = { problem: Fault; state: Outcome['state']; again: boolean };

/** Fills and checks the message. */
async function prepare(
  { sender }: EventServices,
  { tenant_id: tenantId, number_id: numberId }: ClaimedEvent,
  message: PlannedMessage,
  contact: Plan['contact'],
): Promise<ReadyMessage | Unready> {
  if (message.withheld) {
    const state = contact ? 'done' : 'nothing_to_do';
    return { problem: message.withheld, state, again: false };
  }
  if (message.lacking) return { problem: message.lacking, state: 'skipped', again: false };
  return sender.prepareTemplate(tenantId, message, numberId).catch((error) => ({
    problem: codedProblemOf(error),
    state: 'failed',
    again: (error as ApiError).passing,
  }));
}

/** Stores the state of the resource of an event. */
async function advance(
  { clock }: EventServices,
  db: Db,
  event: ClaimedEvent,
  resource: PlannedResource,
): ReturnType<typeof advanceResource> {
  const { kind, created, deleted } = resource;
  const id = resourceIdOf(resource);
  const changedAt = timeOf(clock, event, resource);
  const state = { kind, id, changedAt, created, deleted };
  if (id !== resource.id) {
    await copyStateWithoutShop(db, event, { kind, from: resource.id, to: id });
    // A plugin can remove the shop from the body of an order. A deletion has it in a header.
    if (deleted) await advanceResource(db, event, { ...state, id: resource.id, onlyIfKnown: true });
  }
  return advanceResource(db, event, state);
}

/** Limits the time of a store whose clock is far ahead, because it would make all later posts look old. */
function timeOf(clock: Clock, event: ClaimedEvent, { changedAt }: PlannedResource): Date {
  const time = (changedAt ?? event.received_at).getTime();
  return new Date(Math.min(time, clock.now().getTime() + dayMs));
}

/**
 * Creates the contact, or merges the known fields into it. If a newer post of the same buyer was processed
 * before, perhaps another order, an existing contact stays as it is. The same applies to a sample: its
 * phone belongs to the person who tests the store, and its buyer is made up. A retry leaves the contact alone,
 * because staff may have changed or deleted it since the first attempt.
 */
async function applyContact(
  { clock }: EventServices,
  tx: Db,
  event: ClaimedEvent,
  { resource, contact }: Plan,
): Promise<number | null> {
  if (event.contact_id !== null) return event.contact_id;
  if (!contact) return null;
  const { mode, known } = contact;
  const write = (isNewest: boolean) =>
    isNewest
      ? upsertContact(tx, event.tenant_id, known, mode)
      : createContactIfAbsent(tx, event.tenant_id, known);
  if (isSample(event.headers)) return (await write(false)).contact.id;

  const changedAt = timeOf(clock, event, resource);
  const id = known.phone;
  const buyer = { kind: 'buyer' as const, id, changedAt, created: false, deleted: false };
  const { isNewest } = await advanceResource(tx, event, buyer);
  return (await write(isNewest)).contact.id;
}
