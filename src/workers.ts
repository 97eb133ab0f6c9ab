import { pruneAudit } from './audit/prune-audit.ts';
import { pruneOldAnswers } from './bots/answering/prune-answers.ts';
import { startAnswering } from './bots/answering/start-answering.ts';
import { removeLeftovers } from './contacts/files/remove-leftovers.ts';
import { forgetOldWork } from './contacts/forget-old-work.ts';
import { changeAllContacts } from './contacts/many/change-all-contacts.ts';
import { indexSearchTexts } from './contacts/searching/index-search-texts.ts';
import { pruneEvents } from './events/log/prune-events.ts';
import { startPublishing } from './events/publishing/start-publishing.ts';
import { deleteExpiredKeys } from './idempotency/queries.ts';
import { unsetLabels } from './labels/unset-labels.ts';
import { deleteOldCounts } from './limits/queries.ts';
import { deleteOldRates } from './limits/rate-queries.ts';
import { announceFolder } from './media/kept/media-folders.ts';
import { removeKeptFiles } from './media/kept/remove-kept-files.ts';
import { startKeeping } from './media/kept/start-keeping.ts';
import { deleteExpiredUploads } from './media/queries.ts';
import { pruneSignIns } from './members/sign-in/account-queries.ts';
import { pruneMessages } from './messages/conversations/prune-messages.ts';
import { purgeConversations } from './messages/erasing/purge-conversations.ts';
import { checkNewAliases } from './messages/identities/check-new-aliases.ts';
import { forgetFormerPhones } from './messages/identities/forget-identities.ts';
import { automatedSenderOf } from './messages/sending/automated/automated-sender-of.ts';
import { maxWaitMs } from './messages/sending/automated/send-automated.ts';
import { settleAbandoned } from './messages/sending/settle-abandoned.ts';
import { checkDueNumbers } from './numbers/checking/check-due-numbers.ts';
import { createNumberFinder } from './numbers/find-number.ts';
import { recordStateChanges } from './numbers/state/record-state-changes.ts';
import { rollUpMessages } from './overview/roll-up-messages.ts';
import { deleteOldOutcomes } from './overview/roll-up-queries.ts';
import { pruneInChunks } from './platform/jobs/prune-in-chunks.ts';
import { repeat } from './platform/jobs/repeat.ts';
import { pruneRequests } from './requests/prune-requests.ts';
import type { Services } from './services.ts';
import { pruneOldStoreEvents } from './stores/activity/prune-events.ts';
import { startProcessing } from './stores/processing/start-processing.ts';
import { syncDueTemplates } from './templates/syncing/sync-due-templates.ts';
import { startDelivering } from './webhooks/delivering/start-delivering.ts';
import { pruneOldDeliveries } from './webhooks/log/prune-deliveries.ts';
import { createMeasurer } from './webhooks/quota/create-measurer.ts';

/** The daily counts and usage of tokens are kept a little longer than a year. */
const countRetentionDays = 400;

/** The maximum time that a slow database may take to store a send and its outcome. */
const maxStatementsMs = 30_000;

/**
 * Starts every background job of this process.
 *
 * @returns stops them, and waits for steps in progress
 */
export function startWorkers(services: Services): () => Promise<void> {
  const { db, log, network } = services;
  const sender = automatedSenderOf(services);
  const measurer = createMeasurer(services);
  const stops = [
    repeat('settle abandoned sends', 10_000, services, async (isStopping) => {
      // An automated send takes the longest, because it waits for the rate limit after it was stored.
      const maxSendMs = maxWaitMs + network.maxSendMs;
      const count = await settleAbandoned(db, maxSendMs + maxStatementsMs, isStopping);
      services.metrics.abandonedSends.inc(count);
      if (count > 0) log.warn({ count }, 'sends were interrupted; their outcome is unknown');
    }),
    repeat('purge conversations', 5_000, services, (isStopping) =>
      purgeConversations(db, isStopping),
    ),
    repeat('check new aliases', 10_000, services, (isStopping) =>
      checkNewAliases(services, isStopping),
    ),
    repeat('forget former phones', 3_600_000, services, async (isStopping) => {
      await pruneInChunks((limit) => forgetFormerPhones(db, limit), isStopping);
    }),
    repeat('roll up messages', 10_000, services, (isStopping) =>
      rollUpMessages(db, { isStopping }),
    ),
    repeat('prune messages', 3_600_000, services, (isStopping) =>
      pruneMessages(services, isStopping),
    ),
    repeat('sync templates', 5_000, services, (isStopping) =>
      syncDueTemplates(services, isStopping),
    ),
    repeat('check numbers', 60_000, services, (isStopping) =>
      checkDueNumbers(services, isStopping),
    ),
    repeat('compare states of numbers', 5_000, services, () =>
      recordStateChanges(db, services.config.silenceMinutes),
    ),
    repeat('index search texts', 1_000, services, (isStopping) => indexSearchTexts(db, isStopping)),
    repeat('change all contacts', 1_000, services, (isStopping) =>
      changeAllContacts(services, isStopping),
    ),
    repeat('remove leftovers', 600_000, services, () => removeLeftovers(services)),
    repeat('forget old work on contacts', 3_600_000, services, () => forgetOldWork(db)),
    repeat('unset deleted labels', 5_000, services, (isStopping) =>
      unsetLabels(services, { isStopping }),
    ),
    repeat('forget expired uploads', 3_600_000, services, async (isStopping) => {
      await pruneInChunks((limit) => deleteExpiredUploads(db, limit), isStopping);
    }),
    startKeeping({ ...services, numbers: createNumberFinder(services) }),
    repeat('remove kept files', 10_000, services, async (isStopping) => {
      await removeKeptFiles(services, isStopping);
    }),
    repeat('announce media folder', 60_000, services, () => announceFolder(services)),
    repeat('remove leftover downloads', 3_600_000, services, async () => {
      await services.storage.incoming.removeLeftovers();
    }),
    repeat('prune sign-ins', 3_600_000, services, () => pruneSignIns(db)),
    repeat('prune limits', 600_000, services, async (isStopping) => {
      await pruneInChunks((limit) => deleteExpiredKeys(db, limit), isStopping);
      await deleteOldRates(db);
    }),
    // These read whole tables.
    repeat('prune counts', 14_400_000, services, async () => {
      await deleteOldCounts(db, countRetentionDays);
      await deleteOldOutcomes(db);
    }),
    repeat('prune requests', 600_000, services, (isStopping) =>
      pruneRequests(services, isStopping),
    ),
    startPublishing(services),
    repeat('prune events', 300_000, services, (isStopping) => pruneEvents(services, isStopping)),
    startDelivering(services),
    startProcessing({ ...services, sender }),
    startAnswering({ ...services, sender }),
    repeat('prune bot answers', 3_600_000, services, (isStopping) =>
      pruneOldAnswers(services, isStopping),
    ),
    repeat('prune store events', 3_600_000, services, (isStopping) =>
      pruneOldStoreEvents(services, isStopping),
    ),
    repeat('measure deliveries', 5_000, services, measurer.measure),
    measurer.stop,
    repeat('prune audit log', 3_600_000, services, (isStopping) =>
      pruneAudit(services, isStopping),
    ),
    repeat('prune deliveries', 300_000, services, (isStopping) =>
      pruneOldDeliveries(services, isStopping),
    ),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
