import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { csvColumns } from '../contacts/files/csv-format.ts';
import { exportContacts } from '../contacts/files/export-contacts.ts';
import { importContacts, importedStays } from '../contacts/files/import-contacts.ts';
import { countContacts } from '../contacts/queries.ts';
import { CommandError, tenantBySlug, withServices } from './command.ts';
import { type Progress, startProgress } from './progress.ts';

const pipedReport = 'contacts.refused.csv';
const optionalColumns = csvColumns
  .filter((column) => column !== 'firstname' && column !== 'phone')
  .join(', ');

export function contactCommands(program: Command): void {
  const contact = program.command('contact').description('Import and export contacts.');

  withServices(
    contact
      .command('import')
      .description('Create or change contacts from a CSV file, by phone. Safe to run again.')
      .argument('<tenant>')
      .argument(
        '<file>',
        `CSV whose first line names the columns: firstname and phone, and any of ${optionalColumns}; - for standard input`,
      )
      .option(
        '--report <file>',
        `where refused rows go; <file>.refused.csv when left out, ${pipedReport} of what is piped in`,
      ),
    async (services, slug: string, path: string, options: { report?: string; json?: boolean }) => {
      const tenant = await tenantBySlug(services, slug);
      const isPiped = path === '-' || path.startsWith('/dev/');
      const report = options.report ?? (isPiped ? pipedReport : `${path}.refused.csv`);
      const progress = options.json ? undefined : await progressOf(path);
      let isBegun = false;
      const importing = importContacts(services.db, tenant.id, path, report, {
        onBytes: (bytes) => progress?.update(bytes),
        onImported: () => {
          isBegun = true;
        },
        signal: services.interrupted,
      });
      const result = await importing
        .finally(() => progress?.stop())
        .catch((error) => {
          if (isBegun) process.stderr.write(`${importedStays}\n`);
          throw error;
        });
      const { created, updated, unchanged, refused, ignoredColumns } = result;
      return {
        json: {
          created,
          updated,
          unchanged,
          refused,
          ignored_columns: ignoredColumns,
          report: refused > 0 ? report : null,
        },
        text: [
          `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`,
          ...(refused > 0 ? [`The refused rows and why: ${report}`] : []),
          ...(ignoredColumns.length > 0 ? [`Ignored columns: ${ignoredColumns.join(', ')}`] : []),
        ].join('\n'),
      };
    },
  );

  withServices(
    contact
      .command('export')
      .description('Write all contacts to a CSV file that import takes again.')
      .argument('<tenant>')
      .argument('<file>', '- for standard output'),
    async (services, slug: string, file: string, options: { json?: boolean }) => {
      // Opened by its name it would begin anew, and what is printed after would go over it.
      const path = file === '/dev/stdout' ? '-' : file;
      if (path === '-' && options.json) {
        throw new CommandError('Standard output takes the contacts or, with --json, what is said.');
      }
      const tenant = await tenantBySlug(services, slug);
      // Not among the contacts themselves.
      const isSeen = !options.json && !(path === '-' && process.stdout.isTTY);
      const progress = isSeen
        ? startProgress(await countContacts(services.db, tenant.id))
        : undefined;
      const count = await exportContacts(services.db, tenant.id, path, {
        onExported: (exported) => progress?.update(exported),
        signal: services.interrupted,
      }).finally(() => progress?.stop());
      return {
        json: { exported: count, file: path },
        text:
          path === '-'
            ? ''
            : `${count} ${count === 1 ? 'contact' : 'contacts'} written to ${path}.`,
      };
    },
  );
}

/** For a file, whose end is known. */
async function progressOf(path: string): Promise<Progress | undefined> {
  const file = await stat(path).catch(() => undefined);
  return file?.isFile() ? startProgress(file.size) : undefined;
}
