import type { Command } from 'commander';
import { type Restored, restore } from '../../../backup/restoring/restore.ts';
import { settleRecovered } from '../../../backup/restoring/settle-recovered.ts';
import type { SettledWork } from '../../../backup/settle-uncertain-work.ts';
import { openDatabaseOf } from '../../../open-services.ts';
import { closeInOrder } from '../../../platform/concurrency/close-in-order.ts';
import { checkDatabase } from '../../../platform/connections/check-database.ts';
import { createLog } from '../../../platform/log.ts';
import { checkSchema } from '../../../platform/migrating/migrate.ts';
import { CommandError, commandConfig, type Output, print, readSecretFile } from '../../command.ts';
import { catchInterrupts, orInterrupted, withInterruptMessage } from '../../interrupts.ts';
import { startProgress } from '../../progress.ts';
import { sizeOf } from './backup.ts';

type RestoreOptions = { keyFile?: string; stopped?: boolean; recovered?: boolean; json?: boolean };

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('Restore a backup into an empty database. Stop the service first.')
    .argument('[file]', 'what `parley backup` wrote')
    .option('--key-file <path>', 'what the file was encrypted with; - for standard input')
    .option(
      '--stopped',
      'the installation was stopped before the backup, and did nothing since: waiting work goes on',
    )
    .option(
      '--recovered',
      'without a file: PostgreSQL itself brought the database back to an earlier time',
    )
    .option('--json', 'print one JSON object and nothing else')
    .action(async (path: string | undefined, options: RestoreOptions) => {
      const { keyFile, stopped, recovered, json } = options;
      if ((path === undefined) !== (recovered === true)) {
        throw new CommandError('Name a file, or --recovered.');
      }
      const config = commandConfig();
      const secret = keyFile === undefined ? undefined : await readSecretFile(keyFile);
      const log = createLog(config.logLevel);
      const { interrupted, end } = catchInterrupts();
      const { db, steps } = await openDatabaseOf(config, log);
      const progress = path === undefined ? undefined : startProgress(await sizeOf(path));
      let isCommitting = false;
      const whereInterrupted = () =>
        isCommitting
          ? 'The restore was at its end: `parley tenant list` shows whether it is done.'
          : 'Nothing was restored.';
      const work = async (): Promise<Output> => {
        await checkDatabase(db.pool);
        if (path === undefined) {
          await checkSchema(db.pool);
          const done = await settleRecovered(db);
          return { json: { settled: done }, text: describeSettled(done) };
        }
        const restored = await restore(db, {
          file: { path, secret, onBytes: (done) => progress?.update(done) },
          dataDir: config.dataDir,
          masterKeys: config.masterKeys,
          isKeyLost: config.masterKeyLost,
          isStopped: stopped === true,
          cell: config.cell,
          onCommit: () => {
            isCommitting = true;
          },
        });
        const { header, rows, settled, files } = restored;
        const counts = { created_at: header.created_at, rows, settled: settled ?? null };
        const { written, replaced } = files;
        return {
          json: { ...counts, files: written, replaced_files: replaced },
          text: describe(restored),
        };
      };
      let working: Promise<unknown> = Promise.resolve();
      try {
        interrupted.throwIfAborted();
        const output = withInterruptMessage(interrupted, whereInterrupted, work());
        working = output;
        const done = await orInterrupted(output, interrupted);
        progress?.stop();
        print(done, json);
      } finally {
        progress?.stop();
        await closeInOrder(steps, log);
        await end(working);
      }
    });
}

function describe({ header, rows, settled, files }: Restored): string {
  const lines = [`Restored ${rows} rows, as of ${header.created_at}.`];
  const { written, replaced } = files;
  if (written.length > 0) lines.push(`Wrote ${written.join(', ')} into the data folder.`);
  if (replaced.length > 0) lines.push(`Kept what was there before as ${replaced.join(', ')}.`);
  if (settled) lines.push(describeSettled(settled));
  lines.push('Next: parley doctor');
  return lines.join('\n');
}

function describeSettled({ bot_answers, store_events, requests }: SettledWork): string {
  return [
    `Not done again, because it may have been done since: ${bot_answers} answers of bots, ${store_events} store events, ${requests} requests with an Idempotency-Key. Store events can be replayed.`,
    'People sign in again. Tokens and members that were removed since are back: remove them again.',
  ].join('\n');
}
