import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { recordAudit } from '../../audit/record-audit.ts';
import { csvColumns } from '../../contacts/files/csv/csv-format.ts';
import { exportContacts } from '../../contacts/files/export-contacts.ts';
import {
  type ImportChoices,
  type ImportResult,
  importContacts,
  importedStays,
} from '../../contacts/files/importing/import-contacts.ts';
import type { MissingLabel } from '../../contacts/files/importing/row-labels.ts';
import { countContacts } from '../../contacts/queries.ts';
import { CommandError, tenantBySlug, withServices } from '../command.ts';
import { type Progress, startProgress } from '../progress.ts';

const pipedReport = 'contacts.refused.csv';
const optionalColumns = csvColumns.filter((column) => column !== 'phone').join(', ');

export function contactCommands(program: Command): void {
  const contact = program.command('contact').description('Import and export contacts.');

  withServices(
    contact
      .command('import')
      .description('Create or change contacts from a CSV file, by phone. Can be repeated safely.')
      .argument('<tenant>')
      .argument(
        '<file>',
        `CSV whose first line names the columns: phone, and any of ${optionalColumns}; - for standard input`,
      )
      .option(
        '--report <file>',
        `file for refused rows; default: <file>.refused.csv, or ${pipedReport} for piped input`,
      )
      .option(
        '--phones-without-plus',
        'phones of digits only begin with their country code, as WhatsApp programs write them',
      )
      .option('--create-labels', 'create the statuses, sources and groups that do not exist')
      .option('--check', 'only check the file, and write nothing but the report'),
    async (
      services,
      slug: string,
      path: string,
      options: ImportChoices & { check?: boolean; report?: string; json?: boolean },
    ) => {
      const tenant = await tenantBySlug(services, slug);
      const isPiped = path === '-' || path.startsWith('/dev/');
      const report = options.report ?? (isPiped ? pipedReport : `${path}.refused.csv`);
      const progress = options.json ? undefined : await progressOf(path);
      let isWriting = false;
      let hasStarted = false;
      // At once: the command does not wait long for a batch that is being written.
      services.interrupted.addEventListener('abort', () => {
        progress?.stop();
        if (isWriting) process.stderr.write(`${importedStays.text}\n`);
      });
      const recordImport = () =>
        recordAudit(services.db, tenant.id, {
          action: 'contacts.imported',
          subject: { name: basename(path) },
        });
      const importing = importContacts(services.db, tenant.id, path, report, {
        onBytes: (bytes) => progress?.update(bytes),
        onWriting: async () => {
          if (options.check) return;
          if (!isWriting) await recordImport();
          isWriting = true;
        },
        onImported: () => {
          hasStarted = !options.check;
        },
        signal: services.interrupted,
        phonesWithoutPlus: options.phonesWithoutPlus ?? false,
        createLabels: options.createLabels ?? false,
        onlyCheck: options.check ?? false,
      });
      const result = await importing
        .finally(() => progress?.stop())
        .catch((error) => {
          const isSaid = services.interrupted.aborted;
          if (hasStarted && !isSaid) process.stderr.write(`${importedStays.text}\n`);
          throw error;
        });
      return outcomeOf(result, report, options.check ?? false);
    },
  );

  withServices(
    contact
      .command('export')
      .description('Write all contacts to a CSV file that can be imported again.')
      .argument('<tenant>')
      .argument('<file>', '- for standard output'),
    async (services, slug: string, file: string, options: { json?: boolean }) => {
      // Opened by its path, it would start at offset 0, and later output would overwrite the contacts.
      const path = file === '/dev/stdout' ? '-' : file;
      if (path === '-' && options.json) {
        throw new CommandError(
          'Standard output cannot hold both the contacts and the result of --json. Write to a file.',
        );
      }
      const tenant = await tenantBySlug(services, slug, 'reads');
      // Progress must not be printed among the contacts.
      const showsProgress = !options.json && !(path === '-' && process.stdout.isTTY);
      const progress = showsProgress
        ? startProgress(await countContacts(services.db, tenant.id))
        : undefined;
      await recordAudit(services.db, tenant.id, { action: 'contacts.exported' });
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

/** What the command prints about an import, or about the check of a file. */
function outcomeOf(result: ImportResult, reportPath: string, isCheck: boolean) {
  const { accepted, created, updated, unchanged, refused, samePhone } = result;
  const { columns, ignoredColumns, missingLabels } = result;
  const report = refused > 0 ? reportPath : null;
  return {
    json: {
      ...(isCheck ? { accepted, columns } : { created, updated, unchanged }),
      refused,
      same_phone: samePhone,
      ignored_columns: ignoredColumns,
      missing_labels: missingLabels,
      report,
    },
    text: [
      isCheck
        ? `Nothing was imported. ${accepted} can be imported, ${refused} would be refused.`
        : `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused.`,
      ...(isCheck ? ['Columns, with the first row that can be imported:'] : []),
      ...(isCheck ? columns.map(withFirst) : []),
      samePhone > 0 &&
        `Rows with the phone of an earlier row, and so of the same contact: ${samePhone}`,
      report && `Refused rows, with the reasons: ${report}`,
      ignoredColumns.length > 0 && `Ignored columns: ${ignoredColumns.join(', ')}`,
      missingLabels.length > 0 && `Missing labels: ${missingLabels.map(withRows).join(', ')}`,
      missingLabels.length > 0 && 'Create them, or import the file again with --create-labels.',
    ]
      .filter((line) => line)
      .join('\n'),
  };
}

function withFirst({ heading, column, first }: ImportResult['columns'][number]): string {
  return `  ${heading} is ${column}${first === null ? '' : `: ${first}`}`;
}

function withRows({ label, name, rows }: MissingLabel): string {
  return `${label} "${name}" (${rows} ${rows === 1 ? 'row' : 'rows'})`;
}

/** Shows progress for a file, whose length is known. */
async function progressOf(path: string): Promise<Progress | undefined> {
  const file = await stat(path).catch(() => undefined);
  return file?.isFile() ? startProgress(file.size) : undefined;
}
