import type { Command } from 'commander';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { defaultEndpointOf } from '../../../webhooks/endpoint-key.ts';
import {
  type DeliveryFilter,
  type DeliveryState,
  listDeliveries,
} from '../../../webhooks/log/delivery-log-queries.ts';
import { presentDeliveries } from '../../../webhooks/log/present-deliveries.ts';
import { redeliver } from '../../../webhooks/log/redeliver.ts';
import { allEventTypes, testEvent } from '../../../webhooks/schema.ts';
import { type DeliveryId, readDeliveryId } from '../../../webhooks/webhook-id.ts';
import { CommandError, countFrom, table, tenantBySlug, withServices } from '../../command.ts';
import { withInterruptMessage } from '../../interrupts.ts';
import { timeFrom } from '../../times.ts';
import { type EndpointOption, endpointOf, webhookOf } from './webhook-of.ts';

const states = ['waiting', 'delivered', 'failed'];
const events: string[] = [...allEventTypes, testEvent];

/** Adds `deliveries` and `redeliver` to `parley webhook`. */
export function deliveryCommands(webhook: Command): void {
  withServices(
    webhook
      .command('deliveries')
      .description('List deliveries, newest first. --json includes every attempt.')
      .argument('<tenant>')
      .option('--endpoint <name>', 'another endpoint than `default`')
      .option('--id <id>', 'only the delivery with this id or webhook-id')
      .option('--event <event>', 'only this event type')
      .option('--state <state>', states.join(', '))
      .option('--since <time>', 'recorded since then: 2026-11-21T10:00Z, or 30m, 12h, 7d ago')
      .option('--until <time>', 'recorded before then')
      .option('--limit <count>', 'maximum number of deliveries', '50'),
    async (services, slug: string, options: ListOptions) => {
      const { id: tenantId } = await tenantBySlug(services, slug);
      const endpoint = options.endpoint
        ? endpointOf(await webhookOf(services, slug, options))
        : defaultEndpointOf(tenantId);
      const filter = readFilter(options);
      const limit = countFrom('--limit', options.limit);
      const found = await listDeliveries(services.db, endpoint, filter, limit);
      const deliveries = await presentDeliveries(services.db, tenantId, found);
      return {
        json: { deliveries },
        text: table(
          ['ID', 'EVENT', 'STATE', 'ATTEMPTS', 'RECORDED', 'NEXT TRY', 'REASON'],
          deliveries.map((each) => [
            String(each.id),
            each.event,
            each.state,
            String(each.attempts.length),
            each.created_at,
            each.next_try_at ?? '',
            each.reason ?? '',
          ]),
        ),
      };
    },
  );

  withServices(
    webhook
      .command('redeliver')
      .description(
        'Send deliveries again: one, those of a period, or all that failed or wait for a later attempt.',
      )
      .argument('<tenant>')
      .argument('[id]', 'the id or webhook-id of one delivery')
      .option('--endpoint <name>', 'another endpoint than `default`')
      .option('--since <time>', 'recorded since then: 2026-11-21T10:00Z, or 30m, 12h, 7d ago')
      .option('--until <time>', 'recorded before then')
      .option('--failed', 'only those that failed')
      .option(
        '--waiting',
        'only those that wait for a later attempt, such as after an outage of the receiver',
      ),
    async (services, slug: string, id: string | undefined, options: RedeliverOptions) => {
      const endpoint = endpointOf(await webhookOf(services, slug, options));
      const { failed, waiting } = options;
      if (id === undefined && !failed && !waiting && !options.since && !options.until) {
        throw new CommandError(
          'Give the id of a delivery, --since or --until, --failed, or --waiting.',
        );
      }
      const selection = {
        ...readId(id),
        since: readTime(options.since),
        until: readTime(options.until),
        failed,
        waiting,
      };
      const redelivered = await withInterruptMessage(
        services.interrupted,
        'Some deliveries are sent again, others not yet. Run the command again for the rest: with --failed or --waiting, each is sent once; without them, some are sent twice.',
        redeliver(services, endpoint, selection),
      ).catch((error) => {
        if (!(error instanceof ApiError) || error.kind !== 'not_found') throw error;
        throw new CommandError(`${slug} has no such delivery ${id}.`);
      });
      return {
        json: { redelivered },
        text: `${redelivered === 1 ? '1 delivery is' : `${redelivered} deliveries are`} sent again.`,
      };
    },
  );
}

type ListOptions = EndpointOption & {
  id?: string;
  event?: string;
  state?: string;
  since?: string;
  until?: string;
  limit: string;
};
type RedeliverOptions = EndpointOption & {
  since?: string;
  until?: string;
  failed?: boolean;
  waiting?: boolean;
};

function readFilter(options: ListOptions): DeliveryFilter {
  const { event, state } = options;
  if (state && !states.includes(state)) {
    throw new CommandError(`There is no state "${state}". The states are ${states.join(', ')}.`);
  }
  if (event && !events.includes(event)) {
    throw new CommandError(`There is no event "${event}". The events are ${events.join(', ')}.`);
  }
  return {
    ...readId(options.id),
    event,
    state: state as DeliveryState | undefined,
    since: readTime(options.since),
    until: readTime(options.until),
  };
}

function readId(text: string | undefined): DeliveryId {
  if (text === undefined) return {};
  const id = readDeliveryId(text);
  if (id === undefined) throw new CommandError(`"${text}" is not the id of a delivery.`);
  return id;
}

function readTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : timeFrom(text);
}
