import about from '../../../package.json' with { type: 'json' };
import { recordAudit } from '../../audit/record-audit.ts';
import { findCountedTo } from '../../overview/take-over-outcomes.ts';
import { writeArchive } from '../../platform/archive/write-archive.ts';
import type { Services } from '../../services.ts';
import { total } from '../compare-rows.ts';
import { type EndRecord, notOfTenants, type TableRecord, type TenantHeader } from '../format.ts';
import { appliedMigrations, beginSnapshot, sequencesOf } from '../snapshot.ts';
import { copyOut } from '../tables/copy-rows.ts';
import { columnOf, keyHash, readSecrets } from '../tables/sealed-columns.ts';
import { readAccounts } from './accounts.ts';
import { type ExportedFiles, exportFiles } from './export-files.ts';

/**
 * Writes everything that a tenant owns to an encrypted file, as it is at one moment, while the service runs. The rows
 * have no tenant id, so that the tenant can get another one where it is imported.
 *
 * @param secret encrypts the file
 * @param withoutFiles leaves out its kept files
 * @param onRows is called with the number of rows so far
 */
export async function exportTenant(
  { db, vault, storage }: Services,
  given: {
    tenantId: number;
    path: string;
    secret: string;
    withoutFiles: boolean;
    onRows?: (rows: number) => void;
  },
): Promise<{ bytes: number; rows: number; files: ExportedFiles | undefined }> {
  const { tenantId } = given;
  // Before the snapshot, so that the file has the entry too.
  await recordAudit(db, tenantId, { action: 'tenant.exported' });
  const client = await db.connect();
  const rows: EndRecord['rows'] = {};
  let files: ExportedFiles | undefined;
  try {
    const tables = (await beginSnapshot(client)).filter(
      ({ name }) => !Object.hasOwn(notOfTenants, name),
    );
    // Long files may be written while the connection is idle.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const ofTenant = await client.query(
      'select to_jsonb(tenants) as tenant from tenants where id = $1',
      [tenantId],
    );
    const header: TenantHeader = {
      kind: 'tenant',
      version: about.version,
      created_at: new Date().toISOString(),
      migrations: await appliedMigrations(client),
      key_hash: keyHash(vault),
      tenant: ofTenant.rows[0].tenant,
      accounts: await readAccounts(client, vault, tenantId),
      secrets: await readSecrets(client, vault, tenantId),
      counted_to: await findCountedTo(client, tenantId),
    };
    const bytes = await writeArchive(given.path, given.secret, async (archive) => {
      await archive.record(header);
      for (const { name, columns: all } of tables) {
        const columns = all.filter((column) => column !== 'tenant_id');
        await archive.record({ kind: 'table', name, columns } satisfies TableRecord);
        const read = columns.map((column) => columnOf(name, column)).join(', ');
        // An integer from the database. COPY takes no parameters.
        const query = `(select ${read} from ${name} where tenant_id = ${tenantId})`;
        rows[name] = await copyOut(client, query, archive.data);
        given.onRows?.(total(rows));
      }
      if (!given.withoutFiles) {
        files = await exportFiles({ client, storage, archive }, tenantId);
        rows.kept_files = files.rows;
      }
      const sequences = await sequencesOf(client);
      await archive.record({ kind: 'end', rows, sequences } satisfies EndRecord);
    });
    await client.query('commit');
    return { bytes, rows: total(rows), files };
  } finally {
    await client.end();
  }
}
