import type pg from 'pg';
import { secretContext as numberContext } from '../../numbers/find-number.ts';
import { sha256, type Vault } from '../../platform/secrets/crypto.ts';
import { tryOpen } from '../../platform/secrets/try-open.ts';
import { storeContext } from '../../stores/setup/store-keys.ts';
import { headersContext, secretContext as webhookContext } from '../../webhooks/secrets/secret.ts';
import type { Secret } from '../format.ts';

type SealedColumn = {
  table: string;
  column: string;
  contextOf: (tenantId: number, id: number) => string;
};

/** Every column that is encrypted with the master key, with the context that a row's value is sealed for. */
export const sealedColumns: SealedColumn[] = [
  {
    table: 'numbers',
    column: 'access_token',
    contextOf: (tenantId) => numberContext(tenantId, 'access-token'),
  },
  {
    table: 'numbers',
    column: 'app_secret',
    contextOf: (tenantId) => numberContext(tenantId, 'app-secret'),
  },
  {
    table: 'webhooks',
    column: 'secret',
    contextOf: (tenantId, webhookId) => webhookContext({ tenantId, webhookId }),
  },
  {
    table: 'webhooks',
    column: 'previous_secret',
    contextOf: (tenantId, webhookId) => webhookContext({ tenantId, webhookId }),
  },
  {
    table: 'webhooks',
    column: 'headers',
    contextOf: (tenantId, webhookId) => headersContext({ tenantId, webhookId }),
  },
  {
    table: 'stores',
    column: 'secret',
    contextOf: (tenantId) => storeContext(tenantId, 'store-secret'),
  },
  {
    table: 'stores',
    column: 'previous_secret',
    contextOf: (tenantId) => storeContext(tenantId, 'store-secret'),
  },
  {
    table: 'stores',
    column: 'authentication',
    contextOf: (tenantId) => storeContext(tenantId, 'store-authentication'),
  },
];

/** Other binary columns, which are copied as they are: hashes, and what stores posted. */
export const plainBinaryColumns = [
  'tokens.hash',
  'kept_files.sha256',
  'media_uploads.sha256',
  'idempotency_keys.fingerprint',
  'store_events.dedup_key',
  'store_events.body',
  'invitations.token_hash',
];

/** The placeholder of a sealed value in a copied row, until the import seals it again. */
const placeholder = `''::bytea`;

/** The expression that reads a column for a tenant's file. */
export function columnOf(table: string, column: string): string {
  const isSealed = sealedColumns.some((each) => each.table === table && each.column === column);
  return isSealed ? `case when ${column} is not null then ${placeholder} end` : column;
}

/** By this hash, two installations with the same master keys recognise each other. */
export function keyHash(vault: Vault): string {
  return sha256(vault.deriveAll('tenant files').join(' ')).toString('hex');
}

/** Decrypts every sealed value of a tenant. */
export async function readSecrets(
  client: pg.ClientBase,
  vault: Vault,
  tenantId: number,
): Promise<Secret[]> {
  const secrets: Secret[] = [];
  for (const sealedColumn of sealedColumns) {
    const { table, column, contextOf } = sealedColumn;
    for (const { id, sealed } of await readSealed(client, sealedColumn, tenantId)) {
      secrets.push({ table, column, id, value: vault.open(sealed, contextOf(tenantId, id)) });
    }
  }
  return secrets;
}

/** Reads the encrypted values of a column. A copy of a tenant that is still arriving has none. */
async function readSealed(
  client: pg.ClientBase | pg.Pool,
  { table, column }: SealedColumn,
  tenantId: number,
): Promise<{ id: number; sealed: Buffer }[]> {
  const { rows } = await client.query<{ id: number; sealed: Buffer }>(
    `select id, ${column} as sealed from ${table}
     where tenant_id = $1 and ${column} <> ${placeholder}`,
    [tenantId],
  );
  return rows;
}

/** A value that is not encrypted with the first master key. */
export type OutdatedSecret = {
  /** Encrypts it with the first key, unless another value has replaced it since. */
  reseal(): Promise<void>;
};

/**
 * Finds the values of a tenant that are not encrypted with the first master key.
 *
 * @returns them, and how many values are encrypted with the first key, and how many no key decrypts
 */
export async function findOutdated(
  pool: pg.Pool,
  vault: Vault,
  tenantId: number,
): Promise<{ outdated: OutdatedSecret[]; current: number; unreadable: number }> {
  const outdated: OutdatedSecret[] = [];
  let current = 0;
  let unreadable = 0;
  for (const sealedColumn of sealedColumns) {
    const { table, column, contextOf } = sealedColumn;
    for (const { id, sealed } of await readSealed(pool, sealedColumn, tenantId)) {
      const context = contextOf(tenantId, id);
      if (tryOpen(vault, sealed, context) === undefined) {
        unreadable++;
        continue;
      }
      const resealed = vault.reseal(sealed, context);
      if (!resealed) {
        current++;
        continue;
      }
      outdated.push({
        reseal: async () => {
          await pool.query(
            `update ${table} set ${column} = $4 where tenant_id = $1 and id = $2 and ${column} = $3`,
            [tenantId, id, sealed, resealed],
          );
        },
      });
    }
  }
  return { outdated, current, unreadable };
}

/**
 * Seals the secrets of a tenant with the master key of this installation.
 *
 * @throws Error if a secret is missing
 */
export async function writeSecrets(
  client: pg.ClientBase,
  vault: Vault,
  tenantId: number,
  secrets: Secret[],
): Promise<void> {
  for (const { table, column, contextOf } of sealedColumns) {
    for (const { id, value } of secrets.filter(
      (each) => each.table === table && each.column === column,
    )) {
      const sealed = vault.seal(value, contextOf(tenantId, id));
      await client.query(
        `update ${table} set ${column} = $3 where tenant_id = $1 and id = $2 and ${column} = ${placeholder}`,
        [tenantId, id, sealed],
      );
    }
    const { rows } = await client.query(
      `select from ${table} where tenant_id = $1 and ${column} = ${placeholder}`,
      [tenantId],
    );
    if (rows.length > 0) throw new Error(`The file lacks a secret of ${table}.`);
  }
}
