import type { Command } from 'commander';
import { exportTenant } from '../../../backup/tenants/export-tenant.ts';
import { type ImportedTenant, importTenant } from '../../../backup/tenants/import-tenant.ts';
import { waitUntilIdle } from '../../../backup/tenants/wait-until-idle.ts';
import { CommandError, idFrom, readSecretFile, tenantBySlug, withServices } from '../../command.ts';
import { withInterruptMessage } from '../../interrupts.ts';
import { startProgress } from '../../progress.ts';
import { newFile, sizeOf } from '../service/backup.ts';
import { describeFiles } from './describe-files.ts';

type ExportOptions = { to: string; keyFile: string; drain?: string; withoutFiles?: boolean };
type ImportOptions = { keyFile: string; slug?: string; stopped?: boolean };

/** Adds `tenant export` and `tenant import`. */
export function tenantFileCommands(tenant: Command): void {
  withServices(
    tenant
      .command('export')
      .description('Write a whole tenant to an encrypted file, for another installation.')
      .argument('<slug>')
      .requiredOption('--to <path>', 'the new file')
      .requiredOption('--key-file <path>', 'what the file is encrypted with; - for standard input')
      .option('--without-files', 'leave out its kept files')
      .option('--drain <seconds>', 'wait so long until no work of the tenant is under way'),
    async (services, slug: string, options: ExportOptions) => {
      const { to, keyFile, drain, withoutFiles = false } = options;
      const { id } = await tenantBySlug(services, slug, 'reads');
      const secret = await readSecretFile(keyFile);
      const path = await newFile(to);
      if (drain !== undefined) {
        const seconds = idFrom(drain);
        if (seconds === undefined) throw new CommandError('--drain must be a number of seconds.');
        await waitUntilIdle(services.db, id, seconds * 1_000);
      }
      const progress = startProgress(undefined, 'rows');
      const { bytes, rows, files } = await exportTenant(services, {
        tenantId: id,
        path,
        secret,
        withoutFiles,
        onRows: (done) => progress?.update(done),
      }).finally(() => progress?.stop());
      return {
        json: { path, tenant: slug, bytes, rows, files: files ?? null },
        text: `Wrote ${path}: ${slug} with ${rows} rows${describeFiles(files)}. It has access tokens and secrets: keep its key apart.`,
      };
    },
  );

  withServices(
    tenant
      .command('import')
      .description('Import a tenant that `parley tenant export` wrote.')
      .argument('<file>')
      .requiredOption('--key-file <path>', 'what the file was encrypted with; - for stdin')
      .option('--slug <slug>', 'another slug than in the file')
      .option('--stopped', 'the tenant did nothing after the export, so waiting work goes on here'),
    async (services, path: string, { keyFile, slug, stopped }: ImportOptions) => {
      const secret = await readSecretFile(keyFile);
      const progress = startProgress(await sizeOf(path));
      const imported = await withInterruptMessage(
        services.interrupted,
        'Nothing was imported.',
        importTenant(services, {
          path,
          secret,
          slug,
          isStopped: stopped === true,
          onBytes: (done) => progress?.update(done),
        }),
      ).finally(() => progress?.stop());
      const { tenantId: id, rows, files, knownAccounts, settled } = imported;
      const json = { tenant: imported.slug, id, rows, files, known_accounts: knownAccounts };
      return { json: { ...json, settled: settled ?? null }, text: describe(imported) };
    },
    { creates: true },
  );
}

function describe(imported: ImportedTenant): string {
  const { header, slug, rows, files, settled, knownAccounts } = imported;
  const lines = [
    `Imported ${slug} with ${rows} rows${describeFiles(files)}, as of ${header.created_at}.`,
  ];
  if (knownAccounts.length > 0) {
    lines.push(`Accounts that were here already: ${knownAccounts.join(', ')}.`);
  }
  if (settled) {
    lines.push(
      `Not done again, because it may have been done after the export: ${settled.bot_answers} answers of bots, ${settled.store_events} store events, ${settled.requests} requests with an Idempotency-Key.`,
    );
  }
  lines.push(
    `Next: parley number verify ${slug}, so that WhatsApp calls this installation back. Stores must post to the host of this installation.`,
  );
  return lines.join('\n');
}
