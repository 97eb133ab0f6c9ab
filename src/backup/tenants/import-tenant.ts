import pg from 'pg';
import about from '../../../package.json' with { type: 'json' };
import { recordAudit } from '../../audit/record-audit.ts';
import { settleSends } from '../../messages/sending/settle-abandoned.ts';
import { takeOverOutcomes } from '../../overview/take-over-outcomes.ts';
import { ArchiveProblem, readArchive } from '../../platform/archive/read-archive.ts';
import type { Services } from '../../services.ts';
import { compareRows, total } from '../compare-rows.ts';
import {
  type AppliedMigration,
  type EndRecord,
  notOfTenants,
  type TenantHeader,
} from '../format.ts';
import { type SettledWork, settleUncertainWork } from '../settle-uncertain-work.ts';
import { appliedMigrations } from '../snapshot.ts';
import { copyIn } from '../tables/copy-rows.ts';
import { describeTables } from '../tables/describe-tables.ts';
import { knownTable } from '../tables/known-table.ts';
import { keyHash, writeSecrets } from '../tables/sealed-columns.ts';
import { writeAccounts } from './accounts.ts';
import { createFileImport, type ImportedFiles } from './import-files.ts';
import { insertTenant } from './insert-tenant.ts';
import { createLinePrefixer } from './prefix-lines.ts';
import { raiseSequences } from './raise-sequences.ts';

/** This installation cannot take the tenant. Nothing was changed. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
}

export type ImportedTenant = {
  header: TenantHeader;
  tenantId: number;
  slug: string;
  rows: number;
  files: ImportedFiles;
  /** The emails of members whose accounts were here already. */
  knownAccounts: string[];
  /** Undefined if the tenant did nothing after its export. */
  settled: SettledWork | undefined;
};

/**
 * Imports the file of a tenant in one transaction, while the service runs: the tenant appears as a whole or not at
 * all. Ids within the tenant stay as they are; its own id stays if it is free.
 *
 * @param slug another slug than in the file
 * @param isStopped whether the tenant did nothing after its export, so that waiting work goes on
 * @throws ImportRefused; ArchiveProblem; WrongArchiveKey
 */
export async function importTenant(
  services: Services,
  given: {
    path: string;
    secret: string;
    slug: string | undefined;
    isStopped: boolean;
    onBytes?: (bytes: number) => void;
  },
): Promise<ImportedTenant> {
  const parts = readArchive(given.path, given.secret, given.onBytes);
  const client = await services.db.connect();
  let files: ReturnType<typeof createFileImport> | undefined;
  try {
    const { value: first } = await parts.next();
    if (!first || !('record' in first) || first.record.kind !== 'tenant') {
      throw new ArchiveProblem(`${given.path} is not the file of a tenant.`);
    }
    const header: TenantHeader = first.record;
    await refuseOtherSchema(client, header);
    await client.query('begin');
    await client.query(`set local parley.importing = 'on'`);
    // Long files may be read while the connection is idle.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const tenantId = await insertTenant(services, client, header.tenant, given.slug);
    const knownAccounts = await writeAccounts(client, services.vault, header.accounts);
    files = createFileImport(services, client, tenantId);
    const end = await writeTables(client, { path: given.path, tenantId, files }, parts);
    await writeSecrets(client, services.vault, tenantId, header.secrets);
    if (keyHash(services.vault) !== header.key_hash) await forgetFingerprints(client, tenantId);
    // From here on, changes are new and are counted.
    await client.query(`set local parley.importing = 'off'`);
    await settleSends(client, tenantId);
    const settled = given.isStopped ? undefined : await settleUncertainWork(client, tenantId);
    await raiseSequences(client, end.sequences);
    await recordAudit(client, tenantId, { action: 'tenant.imported' });
    await takeOverOutcomes(client, tenantId, header.counted_to);
    await client.query('commit');
    const slug = given.slug ?? header.tenant.slug;
    const { counts } = files;
    const rows = total(end.rows);
    return { header, tenantId, slug, rows, files: counts, knownAccounts, settled };
  } catch (error) {
    await files?.giveUp().catch(() => {});
    throw refusalOf(error) ?? error;
  } finally {
    await parts.return(undefined);
    // Without a commit, everything is rolled back.
    await client.end();
  }
}

/** A command brings the database to the schema of its own version first, so it is a question of versions. */
async function refuseOtherSchema(client: pg.Client, header: TenantHeader): Promise<void> {
  const own = await appliedMigrations(client);
  const inFile = lastMissing(header.migrations, own);
  const inOwn = lastMissing(own, header.migrations);
  if (inFile && inOwn) {
    throw new ImportRefused(
      `The file has the migration ${inFile}, and this installation has ${inOwn} instead. Upgrade both installations to the same version, which has both, and export the tenant again.`,
    );
  }
  if (inFile) {
    throw new ImportRefused(
      `This installation does not have the migration ${inFile} of the file. Upgrade it to Parley ${header.version}, which wrote the file, and import the file again.`,
    );
  }
  if (inOwn) {
    throw new ImportRefused(
      `The file does not have the migration ${inOwn} of this installation. Upgrade the installation that wrote it, with Parley ${header.version}, to Parley ${about.version} as this one, and export the tenant again.`,
    );
  }
}

/** Returns the last migration that is not in the others with the same checksum. */
function lastMissing(these: AppliedMigration[], others: AppliedMigration[]): string | undefined {
  const known = new Map(others.map(({ name, checksum }) => [name, checksum]));
  return these.findLast(({ name, checksum }) => known.get(name) !== checksum)?.name;
}

async function writeTables(
  client: pg.Client,
  to: { path: string; tenantId: number; files: ReturnType<typeof createFileImport> },
  parts: ReturnType<typeof readArchive>,
): Promise<EndRecord> {
  const { path, tenantId, files } = to;
  const tables = (await describeTables(client)).filter(
    ({ name }) => !Object.hasOwn(notOfTenants, name),
  );
  const rows: Record<string, number> = {};
  let copying: { name: string; copy: ReturnType<typeof copyIn> } | undefined;
  let addTenant = createLinePrefixer('');
  let end: EndRecord | undefined;
  for await (const part of parts) {
    if ('data' in part) {
      if (copying) await copying.copy.put(addTenant(part.data));
      else await files.put(part.data);
      continue;
    }
    if (copying) rows[copying.name] = await copying.copy.end();
    copying = undefined;
    const { record } = part;
    if (record.kind === 'table') {
      addTenant = createLinePrefixer(`${tenantId}\t`);
      const { name, columns } = knownTable(path, tables, record);
      const into = `${name} (${['tenant_id', ...columns].join(', ')})`;
      copying = { name, copy: copyIn(client, into) };
    } else if (record.kind === 'kept_file') {
      await files.begin(record);
    } else {
      end = record;
    }
  }
  rows.kept_files = await files.end();
  compareRows(path, rows, end);
  return end;
}

/** Fingerprints of requests are keyed with the master key. Without one, a retry still gets the first response. */
export async function forgetFingerprints(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query(
    `update idempotency_keys set fingerprint = '' where tenant_id = $1 and fingerprint <> ''`,
    [tenantId],
  );
}

const uniqueViolation = '23505';

/** What an operator can do about a row that exists already; undefined for other errors. */
function refusalOf(error: unknown): ImportRefused | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== uniqueViolation) return undefined;
  return new ImportRefused(whatExists(error), { cause: error });
}

function whatExists({ table, constraint }: pg.DatabaseError): string {
  switch (constraint) {
    case 'tenants_slug_key':
      return 'There is a tenant with this slug already. Give it another one: --slug.';
    case 'tenants_pkey':
      return 'A tenant that was created at this moment got its id. Import the file again.';
    default:
      return `A tenant of this installation has the same row of ${table} (${constraint}): the tenant is here already.`;
  }
}
