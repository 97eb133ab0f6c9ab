import type pg from 'pg';

const firstReportMs = 5_000;
const reportEveryMs = 60_000;

/** Gets the reason of a wait. */
export type OnWait = (reason: string) => void;

/** Measures the waits of migrations, and reports those that take long. */
export function createWaits(onWait: OnWait) {
  let reportAt = 0;
  return {
    begin(): void {
      reportAt = performance.now() + firstReportMs;
    },
    /** @param describe finds what the wait is for */
    async report(describe: () => Promise<string>): Promise<void> {
      if (performance.now() < reportAt) return;
      reportAt = performance.now() + reportEveryMs;
      onWait(await describe());
    },
  };
}

export type Waits = ReturnType<typeof createWaits>;

/** Names sessions as an operator finds them in pg_stat_activity. */
export async function describeSessions(client: pg.PoolClient, condition: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    select format('pid %s (%s, %s for %s)', pid, coalesce(nullif(application_name, ''), usename), state,
                  date_trunc('second', pg_catalog.now() - coalesce(xact_start, backend_start))) as text
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${condition}
    order by xact_start limit 3`);
  return rows.map(({ text }) => text).join(', ') || 'it has just ended';
}
