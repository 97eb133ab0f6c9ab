import { addUnknownContacts } from '../../contacts/writing/add-unknown-contacts.ts';
import { makeChecksDue } from '../../numbers/checking/make-checks-due.ts';
import type { ConnectedNumber, NumberFinder } from '../../numbers/find-number.ts';
import { markInApp } from '../../numbers/mark-in-app.ts';
import { recordFailures } from '../../numbers/state/record-failures.ts';
import { createHeardRecorder, type Hearing } from '../../numbers/state/record-heard.ts';
import { reportProblem } from '../../numbers/state/report-problem.ts';
import {
  countUnconnected,
  type UnconnectedReport,
} from '../../numbers/state/unconnected-numbers.ts';
import type { Database } from '../../platform/database/database.ts';
import { isLostReference } from '../../platform/database/failures/error-codes.ts';
import { createFairBatch, isLongList } from '../../platform/database/fair-batching.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { applyTemplateReports } from '../../templates/syncing/apply-template-reports.ts';
import type { WritePermits } from '../../tenants/api/limit-concurrency.ts';
import type {
  CallbackReport,
  NumberReport,
  StatusReport,
} from '../../whatsapp/callbacks/read-callback.ts';
import type { NetworkClient } from '../../whatsapp/client.ts';
import { storeAppMessages } from '../app-messages/store-app-messages.ts';
import { createStatusLinker } from '../identities/link-by-statuses.ts';
import { linkNewUserIds, mergeLinked } from '../identities/link-identities.ts';
import { retryStateRace } from '../retry-state-race.ts';
import { idOfReference } from '../sending/send-reference.ts';
import { applyStatuses, type ReportedStatus } from './apply-statuses.ts';
import { clearFailuresBefore } from './clear-failures.ts';
import type { IncomingMessage } from './insert-received.ts';
import type { MessageReceiver } from './receive-messages.ts';

/**
 * Stores the contents of a callback and resolves when they are durable. Statuses of unknown messages
 * (sent by another program with the same number, or deleted with their contact) are ignored.
 *
 * @throws ApiError 404 if the number no longer exists
 */
export function createReportApplier(services: {
  db: Database;
  log: Log;
  metrics: Metrics;
  network: NetworkClient;
  numbers: NumberFinder;
  receiveMessages: MessageReceiver;
  /** Statements that are not batched share the limit on connections that the tenant's other writes have. */
  writePermits: WritePermits;
}) {
  const { db, log, metrics, network, numbers, receiveMessages } = services;
  const recordHeard = createHeardRecorder(services);
  const linkByStatuses = createStatusLinker(services);
  const apply = createFairBatch<ReportedStatus[], void>({
    lanes: db.lanes.fair,
    run: (lists) => retryStateRace(() => applyStatuses(db.fair, lists.flat())),
    maxSize: 200,
    tenantOf: ([first]) => first!.tenantId,
    isLong: isLongList,
  });

  return async function applyReport(
    number: ConnectedNumber,
    { numbers: reports, templates, changedAccounts, reportedAccounts }: CallbackReport,
  ): Promise<void> {
    const { tenantId } = number;
    const withinShare = <Result>(work: () => Promise<Result>) =>
      services.writePermits.withPermit(tenantId, work);
    const hearings = await ownNumbers(number, reports);
    const idOf = new Map([...hearings].map(([phoneNumberId, { id }]) => [phoneNumberId, id]));
    const ours = reports.filter((report) => idOf.has(report.phoneNumberId));
    const unconnected = unconnectedOf(reports.filter((report) => !idOf.has(report.phoneNumberId)));
    const { statuses, messages, links, recipients } = contentsOf(ours, tenantId, idOf);
    if (links.length > 0) {
      await mergeLinked(db, await withinShare(() => linkNewUserIds(db, links)));
    }
    for (const report of ours) {
      if (!report.isInApp) continue;
      const numberId = idOf.get(report.phoneNumberId)!;
      await withinShare(() => applyAppReport(tenantId, numberId, report));
    }
    await Promise.all([
      statuses.length > 0 && apply(statuses),
      linkByStatuses(recipients),
      messages.length > 0 && receive(number, idOf, messages),
      unconnected.length > 0 && withinShare(() => countUnconnected(db, tenantId, unconnected)),
      changedAccounts.length > 0 &&
        withinShare(() => applyTemplateReports(db, tenantId, templates)),
      reportedAccounts.length > 0 &&
        withinShare(() => makeChecksDue(db, tenantId, { accounts: reportedAccounts })),
      ...ours.map(({ phoneNumberId, statuses }) =>
        withinShare(() => recordFailures(db, { tenantId, id: idOf.get(phoneNumberId)! }, statuses)),
      ),
      ...ours.map(
        ({ phoneNumberId, problem }) =>
          problem !== undefined &&
          withinShare(() =>
            reportProblem({ db, log }, { tenantId, id: idOf.get(phoneNumberId)! }, problem),
          ),
      ),
    ]).catch((error) => rejectIfDeleted(tenantId, error));
    for (const each of unconnected) metrics.lostReports.inc(each.reports);
    for (const { status } of statuses) metrics.statusReports.inc({ status });
    for (const { phoneNumberId, messages, statuses } of ours) {
      if (messages.length + statuses.length === 0) continue;
      const hearing = hearings.get(phoneNumberId)!;
      await withinShare(async () => {
        await recordHeard(tenantId, hearing, messages.length > 0);
        await clearFailuresBefore(db, tenantId, hearing, statuses);
      });
    }
  };

  /** Stores what came from the phone app, before the messages of the same callback. */
  async function applyAppReport(
    tenantId: number,
    numberId: number,
    { appContacts, appMessages }: NumberReport,
  ): Promise<void> {
    await markInApp(db, tenantId, numberId, true);
    for (let start = 0; start < appContacts.length; start += maxContactsAtOnce) {
      const some = appContacts.slice(start, start + maxContactsAtOnce);
      await addUnknownContacts(
        db,
        some.map(({ name, ...contact }) => ({ tenantId, ...contact, firstname: name })),
      );
    }
    await storeAppMessages({ db }, { tenantId, numberId }, appMessages);
  }

  /** Throws 404 if the number was deleted with its tenant, but is still in the cache. */
  async function rejectIfDeleted(tenantId: number, error: unknown): Promise<never> {
    if (isLostReference(error) && (await numbers.connected(tenantId)).length === 0) {
      throw notFound();
    }
    throw error;
  }

  /** Counts new messages, also against the rate limit of their number. Repeats were counted before. */
  async function receive(
    number: ConnectedNumber,
    idOf: Map<string, number>,
    messages: IncomingMessage[],
  ): Promise<void> {
    const received = await receiveMessages(messages);
    metrics.inboundMessages.inc(received.length);
    for (const [phoneNumberId, id] of idOf) {
      const ofNumber = received.filter(({ numberId }) => numberId === id);
      network.rateLimiter.countInbound({ ...number, phoneNumberId }, ofNumber.length);
    }
  }

  /** Finds the tenant's numbers in a callback, which may report every number of the same app. */
  async function ownNumbers(
    number: ConnectedNumber,
    reports: NumberReport[],
  ): Promise<Map<string, Hearing>> {
    const ids = new Map<string, Hearing>([[number.phoneNumberId, number]]);
    const others = reports.map((report) => report.phoneNumberId).filter((id) => !ids.has(id));
    if (others.length === 0) return ids;
    for (const [id, own] of await numbers.hearings(number.tenantId, others)) ids.set(id, own);
    const unknown = others.filter((id) => !ids.has(id));
    const [phoneNumberId] = unknown;
    if (phoneNumberId !== undefined) {
      const details = { tenantId: number.tenantId, phoneNumberId, count: unknown.length };
      log.warn(details, 'callback for an unknown number');
    }
    return ids;
  }
}

const maxContactsAtOnce = 500;

/** The number of the callback that the button "Test" of Meta's app dashboard sends. */
const sampleNumber = '123456123';

/** The messages and statuses of numbers that the tenant has not connected. */
function unconnectedOf(reports: NumberReport[]): UnconnectedReport[] {
  return reports.flatMap(
    ({ phoneNumberId, displayPhoneNumber, messages, appMessages, statuses }) => {
      const count = messages.length + appMessages.length + statuses.length;
      if (count === 0 || phoneNumberId === sampleNumber) return [];
      const phone = displayPhoneNumber?.replace(/^(?=\d)/, '+') ?? null;
      return [{ phoneNumberId, displayPhoneNumber: phone, reports: count }];
    },
  );
}

/** Joins the contents of the reports of a tenant's numbers, each with the tenant. */
function contentsOf(reports: NumberReport[], tenantId: number, idOf: Map<string, number>) {
  return {
    statuses: reports.flatMap(({ statuses }) =>
      statuses.map((status) => toReported(tenantId, status)),
    ),
    messages: reports.flatMap(({ phoneNumberId, messages }) =>
      messages.map((message) => ({ tenantId, numberId: idOf.get(phoneNumberId)!, ...message })),
    ),
    links: reports.flatMap(({ links }) =>
      links.map((link) => ({ tenantId, ...link, username: null })),
    ),
    recipients: reports.flatMap(({ recipients }) =>
      recipients.map(({ status: { networkId, reference }, ...link }) => ({
        tenantId,
        ...link,
        sentId: idOfReference(reference, tenantId),
        networkId,
      })),
    ),
  };
}

function toReported(tenantId: number, report: StatusReport): ReportedStatus {
  const { networkId, status, at, error, pricing, reference } = report;
  return {
    tenantId,
    id: idOfReference(reference, tenantId),
    networkId,
    status,
    at,
    error: error ?? null,
    pricing: pricing ?? null,
  };
}
