import type pg from 'pg';

export type TenantRow = { id: number; slug: string } & Record<string, unknown>;

export async function readTenant(client: pg.ClientBase, tenantId: number): Promise<TenantRow> {
  const { rows } = await client.query<{ tenant: TenantRow }>(
    'select to_jsonb(tenants) as tenant from tenants where id = $1',
    [tenantId],
  );
  return rows[0]!.tenant;
}

/** Settings of the tenant may have changed since its row was copied. */
export async function updateTenantRow(
  client: pg.ClientBase,
  id: number,
  row: TenantRow,
): Promise<void> {
  const columns = Object.keys(row).filter((column) => column !== 'id');
  await client.query(
    `update tenants set (${columns.join(', ')}) = (
       select ${columns.join(', ')} from jsonb_populate_record(null::tenants, $2))
     where id = $1`,
    [id, JSON.stringify(row)],
  );
}
