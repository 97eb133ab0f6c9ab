import { readFile } from 'node:fs/promises';
import { text as contentOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { actingAs } from '../audit/actor.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { beginCommand, findHold } from '../moving/holding/begin-command.ts';
import { movingFault } from '../moving/holding/tenant-holds.ts';
import { openServices } from '../open-services.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { SchemaTooOld } from '../platform/migrating/migrate.ts';
import type { Services } from '../services.ts';
import { findTenant, type Tenant } from '../tenants/queries.ts';
import { demoSettings, findSimulator, isOfDemo } from './demo-data.ts';
import { findMissing } from './find-missing.ts';
import { catchInterrupts, orInterrupted } from './interrupts.ts';

/**
 * The output of a command: one JSON object with `--json`, otherwise lines for a person, if any. A `failure`
 * is printed like any result, so that scripts can read it with `--json`, but the command exits with status 1.
 */
export type Output = { json: object; text: string; failure?: string | undefined };

/** A mistake of the user: one line on standard error, exit status 1. */
export class CommandError extends Error {}

/** The services of commands. `interrupted` aborts at Ctrl-C, before the database is closed. */
export type CommandServices = Services & { interrupted: AbortSignal };

/**
 * Adds `--json` to a command, and an action that uses the database, whether or not the service runs at the
 * same time. Prints the result of the action. Ctrl-C interrupts the action and closes the database as at its
 * end.
 *
 * @param options.creates whether the command may be the first of an installation. Others are refused if there is none
 * @param options.onOldSchema makes the error of a command that leaves an older schema as it is. Others migrate it
 */
export function withServices<Args extends unknown[]>(
  command: Command,
  action: (services: CommandServices, ...args: Args) => Promise<Output>,
  {
    creates = false,
    onOldSchema,
  }: { creates?: boolean; onOldSchema?: (error: SchemaTooOld) => Error } = {},
): Command {
  return command
    .option('--json', 'print one JSON object and nothing else')
    .action(async (...args: unknown[]) => {
      const { json } = command.opts<{ json?: boolean }>();
      const { interrupted, end } = catchInterrupts();
      const config = commandConfig();
      const missing = creates ? undefined : await findMissing(config);
      if (missing) throw new CommandError(`${missing.found} ${missing.fix}`);
      const { services, close } = await openServices(config, {
        onMigrationWait: refuseToWait,
        ...(onOldSchema && { migrates: false }),
      }).catch((error) => {
        throw onOldSchema && error instanceof SchemaTooOld ? onOldSchema(error) : error;
      });
      let acting: Promise<unknown> = Promise.resolve();
      try {
        interrupted.throwIfAborted();
        const simulatorUrl = await findSimulator(config.dataDir);
        const output = actingAs({ kind: 'operator' }, () =>
          action({ ...services, simulatorUrl, interrupted }, ...(args as Args)),
        );
        acting = output;
        // Printed before closing: a secret that is shown only once must not be lost if closing fails.
        const done = await orInterrupted(output, interrupted);
        print(done, json);
        if (done.failure !== undefined) throw new CommandError(done.failure);
      } finally {
        await close();
        await end(acting);
      }
    });
}

/** An operator who needs a command during an upgrade must not wait silently for its end. */
function refuseToWait(reason: string): never {
  throw new CommandError(
    `The database has no schema for this version yet: ${reason}. Try again when that is done.`,
  );
}

/** Reads the settings, with a log that shows only warnings by default. */
export function commandConfig(): Config {
  const quiet = { logLevel: 'warn' };
  const config = readConfig(process.env, quiet);
  return isOfDemo(config.dataDir) ? readConfig(process.env, { ...quiet, ...demoSettings }) : config;
}

export function print({ json, text }: Output, asJson: boolean | undefined): void {
  if (asJson) process.stdout.write(`${JSON.stringify(json, withoutCodes)}\n`);
  else if (text !== '') process.stdout.write(`${printable(text)}\n`);
}

/** The codes of sentences are for the dashboard, which has its own wordings. */
function withoutCodes(key: string, value: unknown): unknown {
  return key.endsWith('_says') ? undefined : value;
}

/**
 * Replaces characters that would move a terminal's cursor, change its colours or reverse its text, because
 * much of the output was written by strangers. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/**
 * Finds the tenant of a command. If it may write for the tenant, a move to another cell waits for its end.
 *
 * @param use `any` for commands that may be used while the tenant moves, `reads` for long ones that only read
 * @throws CommandError if there is no such tenant, or if it moves or has moved
 */
export async function tenantBySlug(
  services: Pick<Services, 'db'>,
  slug: string,
  use: 'writes' | 'reads' | 'any' = 'writes',
): Promise<Tenant> {
  const tenant = await findTenant(services.db, slug);
  if (!tenant) {
    throw new CommandError(`There is no tenant "${slug}". See \`parley tenant list\`.`);
  }
  if (use === 'any') return tenant;
  const find = use === 'writes' ? beginCommand : findHold;
  const hold = await find(services.db, tenant.id);
  if (!hold) return tenant;
  const says = hold.serves_reads
    ? movingFault.text
    : `${slug} has moved to another cell, or is arriving from one.`;
  throw new CommandError(`${says} See \`parley tenant move ${slug}\`.`);
}

/** Parses an id; undefined if it cannot be one. */
export function idFrom(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Parses the count of an option. @throws CommandError unless it is from 1 to `max` */
export function countFrom(option: string, text: string, max = 10_000): number {
  const count = idFrom(text);
  if (count === undefined || count < 1 || count > max) {
    throw new CommandError(`${option} must be an integer from 1 to ${max}; it is "${text}".`);
  }
  return count;
}

/** Reads a file with a secret, or standard input for `-`, and trims it. */
export async function readSecretFile(path: string): Promise<string> {
  // Not by the path `/dev/stdin`, which would be opened again: this fails for a socket or another user's
  // file.
  const reading = path === '-' ? contentOf(process.stdin) : readFile(path, 'utf8');
  const content = await reading.catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  if (content.trim() === '') throw new CommandError(`${path} is empty.`);
  return content.trim();
}

/** Formats a table with aligned columns and headings. A cell is always one line. */
export function table(headings: string[], contents: string[][]): string {
  if (contents.length === 0) return 'None.';
  const rows = contents.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Describes any error in one line. */
export function errorLine(error: unknown): string {
  if (error instanceof ApiError) {
    const fields = Object.entries(error.errors).map(
      ([field, messages]) => `${field} ${messages.join(', ')}`,
    );
    return fields.length > 0 ? fields.join('; ') : error.message;
  }
  if (error instanceof ConfigError) return error.problems.join(' ');
  if (error instanceof AggregateError) return error.errors.map(errorLine).join('; ');
  return error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
}
