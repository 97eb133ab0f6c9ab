import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { FairClaim } from '../../platform/jobs/claim-fairly.ts';
import { fewestInFlightFirst, queueHeads } from '../../platform/jobs/queue-heads.ts';
import type { Queue } from '../../platform/jobs/renew-leases.ts';

/** A file that this process has claimed for a download. */
export type ClaimedFile = {
  tenant_id: number;
  message_id: number;
  copy_id: number;
  number_id: number;
  /** The network's id of the file. */
  network_id: string;
  created_at: Date;
  /** The number of attempts so far, including this one. */
  attempts: number;
};

export const fileQueue: Queue<ClaimedFile> = { table: 'kept_files', key: ['message_id'] };

/**
 * Claims due files, up to `maxPerTenant` of each tenant. If there is not room for all, the tenants with the fewest
 * claimed files come first. If this process dies, the files are due again when the lease expires. The claim stores
 * where the copy goes, so that it can be removed whatever happens next.
 */
export async function claimFiles(
  db: Db,
  { inFlight, maxPerTenant, limit, leaseMs }: FairClaim,
  { usesBucket }: { usesBucket: boolean },
): Promise<ClaimedFile[]> {
  const { rows } = await db.query<ClaimedFile>(
    statement(
      'claim-kept-files',
      sql`
        with recursive ${queueHeads('kept_files', sql`due_at is not null`)}, due as (
          select next.*
          from ${fewestInFlightFirst(inFlight)} as tenant
          cross join lateral (
            select tenant_id, message_id from kept_files
            where tenant_id = tenant.tenant_id and due_at <= now() and not is_removed
            order by due_at
            limit greatest(0, ${maxPerTenant}::int - tenant.in_flight)
            for no key update skip locked
          ) as next
          limit ${limit}
        )
        update kept_files
        set due_at = now() + ${leaseMs}::float8 * interval '1 ms', attempts = attempts + 1,
            in_bucket = ${usesBucket}
        from due
        where kept_files.tenant_id = due.tenant_id and kept_files.message_id = due.message_id
        returning kept_files.tenant_id, kept_files.message_id, copy_id, number_id, network_id, created_at, attempts`,
    ),
  );
  return rows;
}

/** Makes a claimed file due again after some time. */
export async function postponeFile(db: Db, claimed: ClaimedFile, delayMs: number): Promise<void> {
  await db.query(
    statement(
      'postpone-kept-file',
      sql`
        update kept_files set due_at = now() + ${delayMs}::float8 * interval '1 ms'
        where tenant_id = ${claimed.tenant_id} and message_id = ${claimed.message_id}
          and attempts = ${claimed.attempts}`,
    ),
  );
}

/** Gives up a claimed file. The worker removes what an attempt that was killed has left, and then the row. */
export async function dropFile(db: Db, claimed: ClaimedFile): Promise<void> {
  await db.query(
    statement(
      'drop-kept-file',
      sql`
        update kept_files set is_removed = true, due_at = null
        where tenant_id = ${claimed.tenant_id} and message_id = ${claimed.message_id}
          and attempts = ${claimed.attempts} and kept_at is null`,
    ),
  );
}

/** How many days a tenant keeps files, and the bytes of its copies. */
export type Allowance = { days: number; bytes: number };

/** Undefined if the tenant was deleted. */
export async function findAllowance(db: Db, tenantId: number): Promise<Allowance | undefined> {
  const { rows } = await db.query<Allowance>(
    statement(
      'find-kept-file-allowance',
      sql`
        select keep_files_days as days, coalesce(bytes, 0) as bytes
        from tenants left join kept_file_totals on tenant_id = id
        where id = ${tenantId}`,
    ),
  );
  return rows[0];
}

/**
 * Records that a claimed file is in its place.
 *
 * @returns false if the claim was lost, or the message has been deleted since
 */
export async function recordKept(
  db: Db,
  claimed: ClaimedFile,
  copy: { size: number; sha256: Buffer; mime_type: string },
): Promise<boolean> {
  const { rows } = await db.query(
    statement(
      'record-kept-file',
      sql`
        with kept as (
          update kept_files
          set due_at = null, kept_at = now(), size = ${copy.size}, sha256 = ${copy.sha256},
              mime_type = ${copy.mime_type}
          where tenant_id = ${claimed.tenant_id} and message_id = ${claimed.message_id}
            and attempts = ${claimed.attempts} and not is_removed
          returning tenant_id, size
        ), total as (
          insert into kept_file_totals as total (tenant_id, files, bytes)
          select tenant_id, 1, size from kept
          on conflict (tenant_id) do update
            set files = total.files + 1, bytes = total.bytes + excluded.bytes
        )
        select from kept`,
    ),
  );
  return rows.length === 1;
}
