import type { Command } from 'commander';
import { cancelMove } from '../../../moving/cancel-move.ts';
import { confirmMove } from '../../../moving/confirm-move.ts';
import { describeMove } from '../../../moving/describe-move.ts';
import { markMoved } from '../../../moving/mark-moved.ts';
import type { Cells } from '../../../moving/move-session.ts';
import { type Moved, type MoveStep, moveTenant } from '../../../moving/move-tenant.ts';
import { createProxy } from '../../../moving/proxy/proxy.ts';
import {
  CommandError,
  type CommandServices,
  errorLine,
  type Output,
  tenantBySlug,
  withServices,
} from '../../command.ts';
import { withInterruptMessage } from '../../interrupts.ts';
import { openCell } from '../../open-cell.ts';
import { timeLeft } from '../../progress.ts';
import { describeFiles } from './describe-files.ts';

type Options = {
  to?: string;
  alreadyMoved?: boolean;
  confirm?: boolean;
  cancel?: boolean;
  withoutFiles?: boolean;
};

/** Printed to standard error after each step. */
const progress: Record<MoveStep, string> = {
  copying: 'Copying most rows while the tenant serves.',
  held: 'Writes are held. Copying the rest.',
  copied: 'Everything is copied and compared.',
  moved: 'The new cell has the tenant.',
  serving: 'It serves there. Changing the proxy.',
  routed: 'The proxy routes it.',
};

/** How often the number of rows is printed while most of them are copied. */
const reportEveryMs = 10_000;

/** Describes how far the copy is. The expected number is an estimate, which may be too low. */
export function describeRows(elapsedMs: number, copied: number, expected: number): string {
  if (copied >= expected) return `${copied} rows.`;
  return `${copied} of about ${expected} rows${timeLeft(elapsedMs, copied / expected)}.`;
}

/** Adds `tenant move`. */
export function tenantMoveCommand(tenant: Command): void {
  withServices(
    tenant
      .command('move')
      .description('Move a tenant to another cell, or show its move; see docs/scaling.md.')
      .argument('<slug>')
      .option('--to <cell>', 'begin or finish the move to this cell of PARLEY_CELLS_DIR')
      .option(
        '--already-moved',
        'with --to: the tenant is there, and here is what a restore brought back',
      )
      .option('--cancel', 'go back: the tenant stays here, and the copy is deleted')
      .option('--confirm', 'delete the old copy of a tenant that has moved')
      .option('--without-files', 'leave its kept files behind; --confirm deletes them'),
    async (services, slug: string, options: Options) => {
      const chosen = [options.to, options.confirm, options.cancel].filter(Boolean);
      if (chosen.length > 1) {
        throw new CommandError('Use one of --to, --cancel and --confirm.');
      }
      if (options.alreadyMoved && options.to === undefined) {
        throw new CommandError('--already-moved needs --to.');
      }
      if (services.config.cell === '') {
        throw new CommandError('This installation has no name: PARLEY_CELL.');
      }
      await tenantBySlug(services, slug, 'any');
      const move = await describeMove(services.db, slug);
      const to = options.to ?? move?.other_cell;
      if (to === services.config.cell) throw new CommandError(`${slug} is in ${to} already.`);
      if (chosen.length === 0 || to === undefined) {
        if (options.cancel || options.confirm) throw new CommandError(`${slug} does not move.`);
        return {
          json: { tenant: slug, move: move ?? null },
          text: move ? `${move.state}: ${move.text}` : `${slug} does not move.`,
        };
      }
      const { services: there, close } = await openCell(services.config, to);
      const proxy = createProxy(services.config);
      try {
        return await run({ here: services, there, proxy }, slug, options, {
          interrupted: services.interrupted,
          isProxyKnown: proxy.isKnown,
        });
      } finally {
        await close();
      }
    },
  );
}

async function run(
  cells: Cells,
  slug: string,
  { alreadyMoved, cancel, confirm, withoutFiles = false }: Options,
  { interrupted, isProxyKnown }: Pick<CommandServices, 'interrupted'> & { isProxyKnown: boolean },
): Promise<Output> {
  const from = cells.here.config.cell;
  const to = cells.there.config.cell;
  const json = { tenant: slug, from, to };
  if (cancel) {
    await cancelMove(cells, slug);
    return { json: { ...json, state: 'cancelled' }, text: `${slug} stays in ${from}.` };
  }
  if (confirm) {
    const isThere = await confirmMove(cells, slug);
    const where = isThere
      ? `It is in ${to} only.`
      : `It has moved on from ${to}, or was deleted there.`;
    return {
      json: { ...json, state: 'confirmed' },
      text: `Deleted the old copy of ${slug}. ${where}`,
    };
  }
  if (alreadyMoved) await markMoved(cells, slug);
  const moved = await withInterruptMessage(
    interrupted,
    `The move is not finished. Run the command again, or \`parley tenant move ${slug} --cancel\`.`,
    moveOrGoBack(cells, { slug, withoutFiles }, interrupted),
  );
  return {
    json: {
      ...json,
      state: 'moved',
      rows: moved.copied?.rows ?? null,
      held_rows: moved.copied?.heldRows ?? null,
      files: moved.copied?.files ?? null,
      held_ms: moved.heldMs ?? null,
    },
    text: describe(moved, { slug, from, to, isProxyKnown }),
  };
}

/** A move that fails before it is decided is cancelled, so that the tenant is not held for longer. */
async function moveOrGoBack(
  cells: Cells,
  given: { slug: string; withoutFiles: boolean },
  interrupted: AbortSignal,
): Promise<Moved> {
  const { slug } = given;
  try {
    const began = performance.now();
    const report = (text: string) => {
      const seconds = (performance.now() - began) / 1_000;
      process.stderr.write(`${seconds.toFixed(1)} s  ${text}\n`);
    };
    let reportedAt = began;
    return await moveTenant(cells, {
      ...given,
      onStep: (step) => report(progress[step]),
      onRows: (copied, expected) => {
        const now = performance.now();
        if (now - reportedAt < reportEveryMs) return;
        reportedAt = now;
        report(describeRows(now - began, copied, expected));
      },
    });
  } catch (error) {
    const move = await describeMove(cells.here.db, slug);
    const isUndecided = move?.state === 'copying' || move?.state === 'held';
    // Otherwise this command was refused because of a move that another one began.
    const isThis = move?.other_cell === cells.there.config.cell;
    if (interrupted.aborted || !isUndecided || !isThis) throw error;
    await cancelMove(cells, slug);
    const stays = `${slug} stays in ${cells.here.config.cell}.`;
    throw new CommandError(`${errorLine(error)} ${stays}`, { cause: error });
  }
}

function describe(
  { heldMs, copied }: Moved,
  at: { slug: string; from: string; to: string; isProxyKnown: boolean },
): string {
  const { slug, from, to, isProxyKnown } = at;
  const rows = copied ? ` ${copied.rows} rows${describeFiles(copied.files)} were copied.` : '';
  const held =
    copied && heldMs !== undefined
      ? ` Writes were held for ${(heldMs / 1_000).toFixed(1)} s, in which ${copied.heldRows} rows were copied.`
      : '';
  const lines = [`${slug} is in ${to}.${rows}${held}`];
  if (!isProxyKnown) {
    lines.push(
      'Change the proxy now: the command knows none (PARLEY_PROXY_MAPS, PARLEY_PROXY_HOOK). Until then, requests get a 500 with Retry-After.',
    );
  }
  lines.push(
    `Look at the tenant in ${to}. Then delete the old copy in ${from}: parley tenant move ${slug} --confirm`,
  );
  return lines.join('\n');
}
