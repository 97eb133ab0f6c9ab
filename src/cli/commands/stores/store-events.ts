import type { Command } from 'commander';
import { fastify } from 'fastify';
import { failureSentence } from '../../../messages/failure-message.ts';
import { automatedSenderOf } from '../../../messages/sending/automated/automated-sender-of.ts';
import { sendError } from '../../../platform/errors/send-error.ts';
import { createByteBudget } from '../../../platform/http/bodies/byte-budget.ts';
import type { Services } from '../../../services.ts';
import {
  findStoreEvent,
  listStoreEvents,
  type StoreEventRow,
  type StoreEventState,
  storeEventStates,
} from '../../../stores/activity/event-queries.ts';
import { readSearch } from '../../../stores/activity/read-search.ts';
import { nextTryOf } from '../../../stores/present-store.ts';
import type { StoreRow } from '../../../stores/queries.ts';
import { createPostReceiver } from '../../../stores/reception/receive-post.ts';
import { storeWebhookRoutes } from '../../../stores/reception/webhook-routes.ts';
import { isTopic, topics } from '../../../stores/schema.ts';
import {
  type Preview,
  previewSample,
  previewStoredEvent,
} from '../../../stores/tools/preview-event.ts';
import { replayEvent, replayFailedEvents } from '../../../stores/tools/replay-event.ts';
import { isSample } from '../../../stores/tools/sample-post.ts';
import { type PostToApp, sendSample } from '../../../stores/tools/send-sample.ts';
import type { Tenant } from '../../../tenants/queries.ts';
import { CommandError, countFrom, idFrom, table, withServices } from '../../command.ts';
import { storeOf } from './store-of.ts';

/** How long `test` waits for the running service to process its post. */
const maxWaitMs = 3_000;

export function storeEventCommands(store: Command): void {
  withServices(
    store
      .command('events')
      .description('List the posts of a store, newest first, with their results.')
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .option('--state <state>', storeEventStates.join(', '))
      .option('--search <text>', 'the number of an order, or the phone of a buyer')
      .option('--limit <number>', 'maximum number of events', '50')
      .option('--before <event>', 'only events older than this one'),
    async (services, slug: string, id: string, options: ListOptions) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      const events = await listStoreEvents(services.db, tenant.id, found.id, {
        limit: countFrom('--limit', options.limit),
        before: options.before === undefined ? undefined : eventIdFrom(options.before),
        state: stateFrom(options.state),
        search: readSearch(options.search, found.country),
      });
      return {
        json: { events: events.map(presentEvent) },
        text: table(
          ['ID', 'RECEIVED', 'TOPIC', 'NUMBER', 'PHONE', 'STATE', 'NEXT TRY', 'REASON'],
          events.map((row) => {
            const event = presentEvent(row);
            return [
              String(event.id),
              event.received_at,
              event.topic ?? '',
              event.resource_number ?? '',
              event.phone ?? '',
              event.state,
              event.next_try_at ?? '',
              event.reason ?? event.message_failure ?? '',
            ];
          }),
        ),
      };
    },
  );

  withServices(
    store
      .command('test')
      .description(
        'Post a signed sample to the store’s address. It is processed like a real post. Fails if the event fails.',
      )
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .requiredOption('--topic <topic>', topics.join(', '))
      .option('--phone <phone>', 'phone of the buyer in the sample')
      .option('--country <code>', 'country of that phone'),
    async (
      services,
      slug: string,
      id: string,
      options: { topic: string; phone?: string; country?: string },
    ) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      const [before] = await listStoreEvents(services.db, tenant.id, found.id, { limit: 1 });
      const status = await sendSample(services, found, options, await postInProcess(services));
      if (status !== 200) throw new CommandError(`The response to the post was ${status}.`);
      const event = await waitForEvent(services, tenant.id, found.id, before?.id ?? 0);
      const json = { status, event: event && presentEvent(event) };
      if (!event) return { json, text: `The response was ${status}.` };
      if (event.state === 'failed') {
        return { json, text: '', failure: `Event ${event.id} failed: ${event.reason}` };
      }
      return {
        json,
        text: `The response was ${status}; event ${event.id} is ${sentenceOf(event)}`,
      };
    },
  );

  withServices(
    store
      .command('preview')
      .description('Show what an event, or a sample of a topic, would do, without doing it.')
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .option('--event <event>', 'an event of `parley store events`')
      .option('--topic <topic>', topics.join(', ')),
    async (services, slug: string, id: string, options: { event?: string; topic?: string }) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      const preview = await previewOf(services, tenant, found, options);
      const { contact, message } = preview;
      return {
        json: { preview },
        text: [
          `${preview.state}${preview.reason ? `: ${preview.reason}` : ''}`,
          ...(contact ? [`Contact  ${contactLine(contact)}`] : []),
          ...(message
            ? [
                `Message  ${message.template} (${message.language}) to ${message.phone}: ${message.fields.join(' | ')}`,
              ]
            : []),
          ...(message?.withheld ? [`Not sent  ${message.withheld}`] : []),
          ...(message?.problem ? [`Problem  ${message.problem}`] : []),
        ].join('\n'),
      };
    },
  );

  withServices(
    store
      .command('replay')
      .description(
        'Process a stored event again, or all that failed and have sent nothing. A message that the event has sent is sent once more. An event that waits for a retry is retried now.',
      )
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .argument('[event]', 'see `parley store events`')
      .option('--failed', 'the oldest events that failed, up to 100'),
    async (
      services,
      slug: string,
      id: string,
      event: string | undefined,
      { failed }: { failed?: boolean },
    ) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      if ((event !== undefined) === (failed === true)) {
        throw new CommandError('Give either an event or --failed.');
      }
      if (event === undefined) {
        const result = await replayFailedEvents(services, tenant.id, found.id);
        const rest = result.more
          ? ' There are more: run the command again when these are done.'
          : '';
        return { json: result, text: `Events that are replayed: ${result.replayed}.${rest}` };
      }
      const { id: eventId } = await eventById(services, tenant, found, event);
      const replay = await replayEvent(services, tenant.id, found.id, eventId);
      const text =
        replay === eventId ? `Event ${event} is retried now.` : `Event ${replay} replays ${event}.`;
      return { json: { event: { id: replay } }, text };
    },
  );
}

/** Describes the contact as it would be, and what would be changed. */
function contactLine({ mode, outcome, changes, ...fields }: NonNullable<Preview['contact']>) {
  const { firstname, lastname, phone, ...others } = fields;
  const name = [firstname, lastname].filter(Boolean).join(' ');
  const details = [name, phone, ...Object.values(others)].filter(Boolean).join(', ');
  const done = {
    created: 'created',
    updated: `${mode === 'fill' ? 'filled' : 'updated'}: ${changes.join(', ')}`,
    unchanged: 'unchanged',
  };
  return `${details} (${done[outcome]})`;
}

async function previewOf(
  services: Services,
  tenant: Tenant,
  store: StoreRow,
  { event, topic }: { event?: string; topic?: string },
): Promise<Preview> {
  const sender = automatedSenderOf(services);
  if (event !== undefined) {
    const { id } = await eventById(services, tenant, store, event);
    return (await previewStoredEvent({ ...services, sender }, store, id)).preview;
  }
  if (topic === undefined || !isTopic(topic)) {
    throw new CommandError(`Give --event, or --topic with one of ${topics.join(', ')}.`);
  }
  return (await previewSample({ ...services, sender }, store, topic)).preview;
}

/** Creates the route in this process, so that the service does not have to run. */
async function postInProcess(services: Services): Promise<PostToApp> {
  const app = fastify();
  app.setErrorHandler(sendError);
  storeWebhookRoutes(app, createPostReceiver(services), createByteBudget());
  return async (url, { headers, body }) => {
    const response = await app.inject({ method: 'POST', url, headers, payload: body });
    return response.statusCode;
  };
}

/** Waits for the event of the sample to be processed, up to a time limit. */
async function waitForEvent(services: Services, tenantId: number, storeId: number, after: number) {
  const until = Date.now() + maxWaitMs;
  for (;;) {
    const events = await listStoreEvents(services.db, tenantId, storeId, { limit: 20 });
    const event = events.find((each) => each.id > after && isSample(each.headers));
    if (event?.state !== 'waiting' || Date.now() > until) {
      return event && findStoreEvent(services.db, tenantId, storeId, event.id);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Most reasons already end with a full stop. */
function sentenceOf({ state, reason }: StoreEventRow): string {
  return reason === null ? `${state}.` : `${state}: ${reason.replace(/\.$/, '')}.`;
}

function presentEvent(row: StoreEventRow) {
  return {
    id: row.id,
    topic: row.topic,
    state: row.state,
    reason: row.reason,
    attempts: row.attempts,
    received_at: row.received_at.toISOString(),
    processed_at: row.processed_at?.toISOString() ?? null,
    next_try_at: nextTryOf(row)?.toISOString() ?? null,
    resource_number: row.resource_number,
    phone: row.phone,
    contact_id: row.contact_id,
    message_id: row.message_id,
    message_failure: row.message_error && failureSentence(row.message_error).text,
    sample: isSample(row.headers),
    replay_of: row.replay_of,
  };
}

async function eventById(
  { db }: Services,
  tenant: Tenant,
  store: StoreRow,
  id: string,
): Promise<StoreEventRow> {
  const eventId = idFrom(id);
  const event =
    eventId === undefined ? undefined : await findStoreEvent(db, tenant.id, store.id, eventId);
  if (!event) {
    throw new CommandError(
      `Store ${store.id} has no event ${id}. See \`parley store events ${tenant.slug} ${store.id}\`.`,
    );
  }
  return event;
}

type ListOptions = { state?: string; search?: string; limit: string; before?: string };

function stateFrom(text: string | undefined): StoreEventState | undefined {
  const state = storeEventStates.find((each) => each === text);
  if (text !== undefined && state === undefined) {
    throw new CommandError(`There is no state "${text}": use ${storeEventStates.join(', ')}.`);
  }
  return state;
}

function eventIdFrom(text: string): number {
  const id = idFrom(text);
  if (id === undefined) throw new CommandError(`"${text}" is not the id of a post.`);
  return id;
}
