import { readFile } from 'node:fs/promises';
import { text as contentOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { ApiError } from '../errors.ts';
import { openServices } from '../open-services.ts';
import type { Services } from '../services.ts';
import { findTenant, type Tenant } from '../tenants/queries.ts';
import { demoSettings, findSimulator, isOfDemo } from './demo-data.ts';
import { catchInterrupts, orInterrupted } from './interrupts.ts';

/**
 * What a command prints: one JSON object with `--json`, else lines for a person, if any. A `failure`
 * is a result like others, that a script can read with `--json`, but ends as every failure does.
 */
export type Output = { json: object; text: string; failure?: string | undefined };

/** A mistake of the person at the keyboard: one line on standard error, exit status 1. */
export class CommandError extends Error {}

/** What commands work with; `interrupted` aborts at Ctrl-C, before the database closes. */
export type CommandServices = Services & { interrupted: AbortSignal };

/**
 * Gives a command `--json` and an action that works on the database, whether or not the service
 * runs at the same time, and prints what the action returns. At Ctrl-C the action is broken off, and
 * the database is left, and stopped where nobody else uses it, as at its end.
 */
export function withServices<Args extends unknown[]>(
  command: Command,
  action: (services: CommandServices, ...args: Args) => Promise<Output>,
): Command {
  return command
    .option('--json', 'print one JSON object and nothing else')
    .action(async (...args: unknown[]) => {
      const { json } = command.opts<{ json?: boolean }>();
      const { interrupted, endBy, release } = catchInterrupts();
      const config = commandConfig();
      const { services, close } = await openServices(config);
      let acting: Promise<unknown> = Promise.resolve();
      try {
        interrupted.throwIfAborted();
        const simulatorUrl = await findSimulator(config.dataDir);
        const output = action({ ...services, simulatorUrl, interrupted }, ...(args as Args));
        acting = output;
        // First of all: a secret that is shown once must not be lost to trouble with closing.
        const done = await orInterrupted(output, interrupted);
        print(done, json);
        if (done.failure !== undefined) throw new CommandError(done.failure);
      } finally {
        await close();
        if (interrupted.aborted) {
          // Without a database it ends, unless it waits for something else.
          await Promise.race([acting.catch(() => {}), sleep(1_000)]);
          endBy(interrupted.reason);
        }
        release();
      }
    });
}

/** The settings, with a log that keeps quiet unless something is wrong or it is asked for. */
export function commandConfig(): Config {
  const quiet = { logLevel: 'warn' };
  const config = readConfig(process.env, quiet);
  return isOfDemo(config.dataDir) ? readConfig(process.env, { ...quiet, ...demoSettings }) : config;
}

export function print({ json, text }: Output, asJson: boolean | undefined): void {
  if (asJson) process.stdout.write(`${JSON.stringify(json)}\n`);
  else if (text !== '') process.stdout.write(`${printable(text)}\n`);
}

/**
 * The text without what would move a terminal's cursor, change its colours or turn its words around:
 * much of what is shown was written by strangers. Lines and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

export async function tenantBySlug(services: Services, slug: string): Promise<Tenant> {
  const tenant = await findTenant(services.db, slug);
  if (!tenant) {
    throw new CommandError(`There is no tenant "${slug}". See \`parley tenant list\`.`);
  }
  return tenant;
}

/** An id as it was typed; undefined for what can be none. */
export function idFrom(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The content of a file with a secret, or of standard input for `-`; white space around it is cut. */
export async function readSecretFile(path: string): Promise<string> {
  // By its name, `/dev/stdin` would be opened anew: a socket cannot be, nor another user's file.
  const reading = path === '-' ? contentOf(process.stdin) : readFile(path, 'utf8');
  const content = await reading.catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  if (content.trim() === '') throw new CommandError(`${path} is empty.`);
  return content.trim();
}

/** Columns of equal width, with a heading; a cell is one line whatever is in it. */
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

/** Whatever went wrong as one line. */
export function errorLine(error: unknown): string {
  if (error instanceof ApiError) {
    const fields = Object.entries(error.errors).map(
      ([field, words]) => `${field} ${words.join(', ')}`,
    );
    return fields.length > 0 ? fields.join('; ') : error.message;
  }
  if (error instanceof ConfigError) return error.problems.join(' ');
  if (error instanceof AggregateError) return error.errors.map(errorLine).join('; ');
  return error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
}
