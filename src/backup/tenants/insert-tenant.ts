import type pg from 'pg';
import { tenantIdOffset, tenantsPerCell } from '../../platform/values/cell.ts';
import type { Services } from '../../services.ts';
import { checkSlug } from '../../tenants/create-tenant.ts';
import type { TenantHeader } from '../format.ts';
import { describeTables } from '../tables/describe-tables.ts';

/** The name of connections that write a tenant of another installation, and nothing for the tenants that are here. */
export const arrivalName = 'parley arrival';

/**
 * Inserts the row of a tenant of another installation. It keeps its id, if no tenant has this one here or will get it.
 *
 * @returns the id of the tenant
 */
export async function insertTenant(
  { config }: Pick<Services, 'config'>,
  client: pg.ClientBase,
  tenant: TenantHeader['tenant'],
  slug = tenant.slug,
): Promise<number> {
  checkSlug(slug);
  await client.query(`select set_config('application_name', $1, false)`, [arrivalName]);
  const id = (await canKeepId(client, tenant.id, config.cell))
    ? tenant.id
    : tenantIdOffset(config.cell) + (await drawNumber(client));
  const { columns } = (await describeTables(client)).find(({ name }) => name === 'tenants')!;
  const names = columns.join(', ');
  await client.query(
    `insert into tenants (${names}) overriding system value
     select ${names} from jsonb_populate_record(null::tenants, $1)`,
    [JSON.stringify({ ...tenant, id, slug })],
  );
  // If the tenant was here before, changes of counts are left from its deletion, and would count for it again.
  await client.query('delete from message_outcome_changes where tenant_id = $1', [id]);
  return id;
}

/** Whether no tenant of this installation has an id, or will get it. */
async function canKeepId(client: pg.ClientBase, id: number, cell: string): Promise<boolean> {
  const { rows } = await client.query<{ is_taken: boolean; last: number }>(
    `select exists (select from tenants where id = $1) as is_taken,
            (select case when is_called then last_value else last_value - 1 end from tenants_id_seq) as last`,
    [id],
  );
  const { is_taken, last } = rows[0]!;
  const number = id - tenantIdOffset(cell);
  const isOwn = number > 0 && number < tenantsPerCell;
  return !is_taken && !(isOwn && number > last);
}

async function drawNumber(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    `select nextval('tenants_id_seq') as number`,
  );
  return rows[0]!.number;
}
