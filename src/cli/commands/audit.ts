import type { Command } from 'commander';
import {
  type AuditAction,
  type AuditKind,
  allAuditActions,
  auditKinds,
} from '../../audit/actions.ts';
import { presentEntry } from '../../audit/present-entry.ts';
import { type EntryFilter, listEntries } from '../../audit/queries.ts';
import type { AuditChange } from '../../audit/record-audit.ts';
import { CommandError, countFrom, table, tenantBySlug, withServices } from '../command.ts';
import { timeFrom } from '../times.ts';

type Options = { since?: string; until?: string; action?: string; limit: string };
type Entry = ReturnType<typeof presentEntry>;

export function auditCommand(program: Command): void {
  withServices(
    program
      .command('audit')
      .description('List who changed what of a tenant and when, newest first.')
      .argument('<tenant>')
      .option('--action <action>', 'only this action or family, such as token.revoked or token.*')
      .option('--since <time>', 'since then: 2026-11-21T10:00Z, or 30m, 12h, 7d ago')
      .option('--until <time>', 'before then')
      .option('--limit <count>', 'maximum number of entries', '50'),
    async ({ db }, slug: string, { since, until, action, limit }: Options) => {
      const filter = {
        ...actionFrom(action),
        since: since === undefined ? undefined : timeFrom(since),
        until: until === undefined ? undefined : timeFrom(until),
      };
      const { id } = await tenantBySlug({ db }, slug, 'any');
      const rows = await listEntries(db, id, filter, { limit: countFrom('--limit', limit) });
      const entries = rows.map(presentEntry);
      return {
        json: { entries },
        text: table(
          ['TIME', 'WHO', 'ACTION', 'SUBJECT', 'CHANGES'],
          entries.map((entry) => [
            entry.at,
            nameOf(entry.actor),
            entry.action,
            entry.subject?.name ?? entry.subject?.id ?? '',
            entry.changes.map(describeChange).join(', '),
          ]),
        ),
      };
    },
  );
}

/** @throws CommandError unless it is a known action, or a family such as `token.*` */
function actionFrom(text: string | undefined): Pick<EntryFilter, 'action' | 'kind'> {
  if (text === undefined) return {};
  const kind = auditKinds.find((each) => text === `${each}.*`);
  if (kind) return { kind };
  const action = allAuditActions.find((each) => each === text);
  // The index is by kind.
  if (action) return { action, kind: kindOf(action) };
  throw new CommandError(
    `--action must be one of ${allAuditActions.join(', ')}, or a family such as token.*; it is "${text}".`,
  );
}

function kindOf(action: AuditAction): AuditKind | undefined {
  return auditKinds.find((each) => action.startsWith(`${each}.`));
}

function nameOf({ kind, id, name, email }: Entry['actor']): string {
  if (kind === 'member') return `${name ?? id} <${email ?? ''}>`;
  if (kind === 'token') return `token ${name ?? id}`;
  return kind;
}

function describeChange({ field, before, after, after_name: name }: AuditChange): string {
  if (before === undefined && after === undefined) return field;
  const shown = [before, name ?? after].filter((value) => value !== undefined).map(describeValue);
  return `${field}: ${shown.join(' → ')}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'none';
  return Array.isArray(value) ? value.join(' ') : String(value);
}
