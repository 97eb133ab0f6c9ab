import type { ConnectedNumber, NumberFinder } from '../numbers/find-number.ts';
import { createBatch } from '../platform/batching.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { NumberReport, StatusReport } from '../whatsapp/read-callback.ts';
import { applyStatuses, type ReportedStatus } from './queries.ts';

/**
 * Stores what the network reported about messages. Resolves when it is durable. Statuses of
 * messages that are not here (sent by another program with the same number, or deleted with their
 * contact) are passed over.
 */
export function createReportApplier({
  db,
  log,
  numbers,
}: {
  db: Database;
  log: Log;
  numbers: NumberFinder;
}) {
  const apply = createBatch<ReportedStatus[], void>({
    run: async (posts) => {
      await applyStatuses(db.batched, posts.flat());
      return [];
    },
    maxSize: 100,
  });

  return async function applyReports(
    number: ConnectedNumber,
    reports: NumberReport[],
  ): Promise<void> {
    // A callback may tell of any number of the same app, but never of another tenant's.
    const foreign = reports.filter((report) => report.phoneNumberId !== number.phoneNumberId);
    if (foreign.length > 0) {
      const ours = await numbers.ownIds(
        number.tenantId,
        foreign.map((report) => report.phoneNumberId),
      );
      for (const { phoneNumberId } of foreign) {
        if (!ours.has(phoneNumberId)) {
          log.warn({ tenantId: number.tenantId, phoneNumberId }, 'callback for an unknown number');
        }
      }
      reports = reports.filter(
        (report) => report.phoneNumberId === number.phoneNumberId || ours.has(report.phoneNumberId),
      );
    }
    const statuses = reports.flatMap((report) =>
      report.statuses.map((status) => toReported(number.tenantId, status)),
    );
    if (statuses.length > 0) await apply(statuses);
  };
}

function toReported(tenantId: number, report: StatusReport): ReportedStatus {
  const { networkId, status, at, error, reference } = report;
  return {
    tenantId,
    id: idOf(reference, tenantId),
    networkId,
    status,
    at,
    error: error ?? null,
  };
}

/** Our message id out of the reference we sent along, when it is of this tenant. */
function idOf(reference: string | undefined, tenantId: number): number | null {
  const [, tenant, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(reference ?? '') ?? [];
  return Number(tenant) === tenantId ? Number(id) : null;
}
