import type { Command } from 'commander';
import { eventIdOf } from '../../events/event-id.ts';
import { followLog } from '../../events/log/follow-log.ts';
import type { LogEntry } from '../../events/log/queries.ts';
import { CommandError, printable, tenantBySlug, withServices } from '../command.ts';

export function eventCommands(program: Command): void {
  const event = program.command('event').description('Watch the events of a tenant.');

  withServices(
    event
      .command('tail')
      .description('Print new events until Ctrl-C. With --json, each is an object on its own line.')
      .argument('<tenant>')
      .option('--types <list>', 'only these event types and families, such as message.*'),
    async (services, slug: string, { types, json }: { types?: string; json?: boolean }) => {
      const { id: tenantId } = await tenantBySlug(services, slug, 'reads');
      const pipe = new AbortController();
      // The reader has ended, as `head -1` does after a line.
      process.stdout.once('error', () => pipe.abort());
      const hasLog = await followLog(services, tenantId, {
        types,
        signal: AbortSignal.any([services.interrupted, pipe.signal]),
        onEvent: (entry) => {
          process.stdout.write(`${json ? JSON.stringify(presentEvent(entry)) : lineOf(entry)}\n`);
        },
      });
      if (hasLog) return { json: {}, text: '' };
      throw new CommandError(
        `${slug} has no log of events. It begins with the first token that has the ability events:read.`,
      );
    },
  );
}

function presentEvent({ id, event, created_at: createdAt, data }: LogEntry) {
  return {
    id: eventIdOf({ id, createdAt }),
    event,
    created_at: createdAt.toISOString(),
    data: JSON.parse(data) as Record<string, unknown>,
  };
}

/** The time, the event, and whom or what it is about. */
function lineOf(entry: LogEntry): string {
  const { event, created_at, data } = presentEvent(entry);
  const subject = data.phone_number ?? data.user_id ?? data.phone ?? data.name ?? data.id ?? '';
  return printable(`${created_at}  ${event.padEnd(24)}  ${subject}`);
}
