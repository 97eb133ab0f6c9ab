import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Services } from '../services.ts';
import {
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  type DeliveryState,
  listAttempts,
  listDeliveries,
} from '../webhooks/delivery-log-queries.ts';
import { findWebhook, switchWebhookOff, type WebhookRow } from '../webhooks/queries.ts';
import { redeliver } from '../webhooks/redeliver.ts';
import { rotateSecret } from '../webhooks/rotate-secret.ts';
import { eventTypes } from '../webhooks/schema.ts';
import { sendTestEvent } from '../webhooks/send-test-event.ts';
import { setWebhook } from '../webhooks/set-webhook.ts';
import { deliveryNumber, webhookId } from '../webhooks/webhook-id.ts';
import { CommandError, table, tenantBySlug, withServices } from './command.ts';

const states = ['waiting', 'delivered', 'failed'];

export function webhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Tell a tenant’s own server of changes, and see what became of it.');

  withServices(
    webhook
      .command('set')
      .description('Set the address that events go to, and switch the webhook on.')
      .argument('<tenant>')
      .requiredOption('--url <url>', 'an https:// address')
      .option('--events <list>', `comma-separated; all when left out: ${eventTypes.join(', ')}`),
    async (services, slug: string, options: { url: string; events?: string }) => {
      const tenant = await tenantBySlug(services, slug);
      const { webhook, secret } = await setWebhook(services, tenant.id, {
        url: options.url,
        events: options.events?.split(',').map((event) => event.trim()),
      });
      const shown = present(webhook);
      return {
        json: { webhook: shown, ...shown, secret },
        text: `${describe(shown)}\nsecret  ${secret}\nThe receiver needs the secret to check signatures. No other command shows it.`,
      };
    },
  );

  withServices(
    webhook.command('show').description('Show the webhook.').argument('<tenant>'),
    async (services, slug: string) => {
      const shown = present(await webhookOf(services, slug));
      return { json: { webhook: shown, ...shown }, text: describe(shown) };
    },
  );

  withServices(
    webhook
      .command('off')
      .description('Stop recording and sending events; `set` switches it on again.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const off = await switchWebhookOff(services.db, tenantId, 'Switched off by hand.');
      const shown = present(off!);
      return { json: { webhook: shown, ...shown }, text: describe(shown) };
    },
  );

  withServices(
    webhook
      .command('rotate-secret')
      .description('Make a new secret; for 24 hours the one before signs as well.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const { webhook, secret } = await rotateSecret(services, tenantId);
      const shown = present(webhook);
      return {
        json: { webhook: shown, ...shown, secret },
        text: `secret  ${secret}\nThe secret so far signs beside it until ${shown.previous_secret_until}.`,
      };
    },
  );

  withServices(
    webhook
      .command('deliveries')
      .description('List what was sent, the newest first, with every attempt in --json.')
      .argument('<tenant>')
      .option('--id <id>', 'only this one, by its id or webhook-id')
      .option('--event <event>', 'only this event')
      .option('--state <state>', states.join(', '))
      .option('--since <time>', 'recorded from then on: 2026-11-21T10:00Z, or 30m, 12h, 7d ago')
      .option('--until <time>', 'recorded before then')
      .option('--limit <count>', 'how many at most', '50'),
    async (services, slug: string, options: ListOptions) => {
      const { id: tenantId } = await tenantBySlug(services, slug);
      const filter = readFilter(options);
      const limit = readLimit(options.limit);
      const found = await listDeliveries(services.db, tenantId, filter, limit);
      const deliveries = await withAttempts(services, tenantId, found);
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
      .description('Send again: one delivery, those of a time, or all that failed.')
      .argument('<tenant>')
      .argument('[id]', 'the id or webhook-id of one delivery')
      .option('--since <time>', 'recorded from then on: 2026-11-21T10:00Z, or 30m, 12h, 7d ago')
      .option('--until <time>', 'recorded before then')
      .option('--failed', 'only those that failed'),
    async (services, slug: string, id: string | undefined, options: RedeliverOptions) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const redelivered = await redeliver(services, tenantId, {
        id: readId(id),
        since: readTime(options.since),
        until: readTime(options.until),
        failed: readFailed(id, options),
      });
      return {
        json: { redelivered },
        text: `${redelivered === 1 ? '1 delivery goes' : `${redelivered} deliveries go`} out again.`,
      };
    },
  );

  withServices(
    webhook
      .command('test')
      .description('Send a test event and wait a moment for the answer; the service must run.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const id = await sendTestEvent(services, tenantId);
      const delivery = await outcomeOf(services, tenantId, id);
      const answer = delivery.attempts.at(-1);
      return {
        json: { delivery, ...delivery },
        text:
          delivery.state === 'delivered'
            ? `Delivered: the receiver answered ${answer?.status} after ${answer?.duration_ms} ms.`
            : delivery.state === 'failed'
              ? `Failed: ${delivery.reason}`
              : `No answer yet. See \`parley webhook deliveries ${slug} --id ${id}\`.`,
      };
    },
  );
}

type ListOptions = {
  id?: string;
  event?: string;
  state?: string;
  since?: string;
  until?: string;
  limit: string;
};
type RedeliverOptions = { since?: string; until?: string; failed?: boolean };

async function webhookOf(services: Services, slug: string): Promise<WebhookRow> {
  const tenant = await tenantBySlug(services, slug);
  const webhook = await findWebhook(services.db, tenant.id);
  if (!webhook) {
    throw new CommandError(`${slug} has no webhook. Set one: parley webhook set ${slug} --url U`);
  }
  return webhook;
}

function present(row: WebhookRow) {
  return {
    url: row.url,
    events: row.events,
    state: row.off_since ? 'off' : 'on',
    reason: row.off_reason,
    off_since: row.off_since?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function describe(webhook: ReturnType<typeof present>): string {
  return [
    `url     ${webhook.url}`,
    `state   ${webhook.state}${webhook.reason ? `: ${webhook.reason}` : ''}`,
    ...(webhook.failing_since ? [`failing since ${webhook.failing_since}`] : []),
    `events  ${webhook.events.join(', ')}`,
  ].join('\n');
}

async function withAttempts(services: Services, tenantId: number, found: DeliveryRow[]) {
  const attempts = await listAttempts(
    services.db,
    tenantId,
    found.map((row) => row.id),
  );
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return found.map((row) => ({
    id: row.id,
    webhook_id: webhookId(row),
    event: row.event,
    state: row.state,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    next_try_at: row.next_try_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    attempts: (byDelivery.get(row.id) ?? []).map(presentAttempt),
  }));
}

function presentAttempt(row: AttemptRow) {
  const { number, duration_ms, status, reason, answer } = row;
  return {
    number,
    started_at: row.started_at.toISOString(),
    duration_ms,
    status,
    reason,
    answer,
    next_try_at: row.next_try_at?.toISOString() ?? null,
  };
}

/** The delivery once it was tried, or as it is when nothing has happened for some seconds. */
async function outcomeOf(services: Services, tenantId: number, id: number) {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const found = await listDeliveries(services.db, tenantId, { id }, 1);
    const [delivery] = await withAttempts(services, tenantId, found);
    if (delivery!.state !== 'waiting' || waitedMs >= services.config.webhookTimeoutMs) {
      return delivery!;
    }
    await pause(100);
  }
}

function readFilter(options: ListOptions): DeliveryFilter {
  const { event, state } = options;
  if (state && !states.includes(state)) {
    throw new CommandError(`There is no state "${state}"; there are ${states.join(', ')}.`);
  }
  return {
    id: readId(options.id),
    event,
    state: state as DeliveryState | undefined,
    since: readTime(options.since),
    until: readTime(options.until),
  };
}

function readFailed(id: string | undefined, options: RedeliverOptions): boolean | undefined {
  if (id === undefined && !options.failed && !options.since && !options.until) {
    throw new CommandError('Give the id of a delivery, --since or --until, or --failed.');
  }
  return options.failed;
}

function readId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const id = deliveryNumber(text);
  if (id === undefined) throw new CommandError(`"${text}" is not the id of a delivery.`);
  return id;
}

/** A moment as it stands, or so long ago. */
function readTime(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount && unit) {
    const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    return new Date(Date.now() - Number(amount) * unitMs[unit as keyof typeof unitMs]);
  }
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new CommandError(`"${text}" is not a time such as 2026-11-21T10:00Z, or 30m, 12h, 7d.`);
  }
  return time;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    throw new CommandError('--limit must be a whole number from 1 to 10000.');
  }
  return limit;
}
