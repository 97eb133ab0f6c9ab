import type { ConnectedNumber, NumberFinder } from '../../../numbers/find-number.ts';
import type { Database, Db } from '../../../platform/database/database.ts';
import { refusal } from '../../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import type { Log } from '../../../platform/log.ts';
import type { Tracing } from '../../../platform/tracing/tracing.ts';
import type { TemplateFinder } from '../../../templates/find-sendable-template.ts';
import type { TemplateValues } from '../../../templates/value-faults.ts';
import type { NetworkClient, SendOutcome } from '../../../whatsapp/client.ts';
import {
  isTransient,
  meaningOf,
  overRateLimit,
  refusalFault,
  refusalMessage,
} from '../../../whatsapp/errors.ts';
import type { AutomatedCause } from '../../record/cause.ts';
import { disconnectedNumber, findSender, findSenders } from '../find-senders.ts';
import type { MediaChecker } from '../media/check-media.ts';
import { recordNumberProblem } from '../record-number-problem.ts';
import type { MessageContent } from '../send-message.ts';
import { completionOf, fieldOf } from '../send-outcome.ts';
import { sendReference } from '../send-reference.ts';
import { textContent } from '../send-text.ts';
import { readyTemplate } from '../templates/ready-template.ts';
import type { TemplateMessage } from '../templates/send-template.ts';
import { sendersWithTemplate } from '../templates/senders-with-template.ts';
import { createSendWriter } from '../write-sends.ts';
import { findMessageState, insertAutomatedMessage } from './automated-queries.ts';

/** A message that is ready to be sent: checked, filled, and with the number that sends it. */
export type ReadyMessage = MessageContent & { number: ConnectedNumber; phone: string };

/** How a send ended. `again`: it was certainly not sent, and a retry may succeed. */
export type AutomatedOutcome =
  | { sent: true }
  /** `lost`: the network's response was lost, so the message may have been sent. */
  | { sent: false; reason: Fault; again: boolean; lost?: true };

export type AutomatedSender = ReturnType<typeof createAutomatedSender>;

/**
 * Sends messages that no API request asks for, such as the message for an order of a store. There are three
 * steps, so that the message is stored in the transaction of its cause and is sent once:
 *
 * 1. `prepareTemplate` checks and fills the template, `prepareText` takes a text;
 * 2. `store` stores the message as `accepting`, together with a reference to it in the caller's own row;
 * 3. `send` waits for the number's rate limit, calls the network and stores the outcome. If the process dies
 *    before that, the outcome is unknown, and the message is never sent again. `resume` finds the outcome then.
 *
 * No token sends these messages, so they count against no token's minute or day.
 */
export function createAutomatedSender(services: {
  db: Database;
  log: Log;
  tracing: Tracing;
  network: NetworkClient;
  numbers: NumberFinder;
  findTemplate: TemplateFinder;
  checkMedia: MediaChecker;
}) {
  const { db, network, numbers, findTemplate, checkMedia } = services;
  const { complete } = createSendWriter(services);

  async function senderOf(
    tenantId: number,
    { phone, name, language }: TemplateMessage,
    from: ConnectedNumber | number | undefined,
  ): Promise<ConnectedNumber> {
    if (typeof from === 'object') return from;
    const senders = await findSenders(numbers, tenantId, undefined);
    if (from === undefined) {
      const able = await sendersWithTemplate(findTemplate, senders, { name, language });
      return findSender(db, able, phone);
    }
    const chosen = senders.find(({ id }) => id === from);
    if (!chosen) throw disconnectedNumber();
    return chosen;
  }

  return {
    /**
     * @param from the number that sends it, or our id of it; if left out, the number of the latest message with the
     *   phone, otherwise the tenant's default, of those whose accounts have the template
     * @throws ApiError 422 with the fields at fault
     */
    async prepareTemplate(
      tenantId: number,
      message: TemplateMessage & Pick<TemplateValues, 'cutToFit'>,
      from?: ConnectedNumber | number | null,
    ): Promise<ReadyMessage> {
      const { phone, name, language, fields, headerMediaUrl, cutToFit } = message;
      const number = await senderOf(tenantId, message, from ?? undefined);
      const found = await findTemplate(number, name, language);
      const result = await readyTemplate(found, { fields, headerMediaUrl, cutToFit }, (url, kind) =>
        checkMedia(tenantId, url, kind),
      );
      if ('faults' in result) throw refusal(result.faults);
      return { number, phone, ...result.ready };
    },

    /** Prepares a text of at most 4,096 characters. The network takes it while the 24-hour window is open. */
    prepareText: (from: ConnectedNumber, phone: string, text: string): ReadyMessage => ({
      number: from,
      phone,
      ...textContent(text),
    }),

    /**
     * Stores the message before it is sent.
     *
     * @param tx the transaction of the message's cause
     * @returns the message's id
     */
    store: (
      tx: Db,
      tenantId: number,
      ready: ReadyMessage,
      cause: AutomatedCause,
    ): Promise<number> =>
      insertAutomatedMessage(tx, tenantId, {
        numberId: ready.number.id,
        phone: ready.phone,
        kind: ready.kind,
        content: ready.storedContent,
        cause,
      }),

    /** Sends the message. Call this once, after the commit of `store`. */
    async send(tenantId: number, id: number, ready: ReadyMessage): Promise<AutomatedOutcome> {
      const { number, phone, kind } = ready;
      const reservation = await network.rateLimiter.acquire(number, phone, maxWaitMs);
      const sent: SendOutcome =
        'refusedForSeconds' in reservation
          ? { outcome: 'refused', error: overRateLimit }
          : await network.sendMessage(number, phone, ready, sendReference(tenantId, id));
      await complete({ tenantId, id, ...completionOf(sent) });
      await recordNumberProblem(services, number, sent);
      return outcomeOf(sent, kind);
    },

    /**
     * Finds the outcome of a stored message, for a process that resumes the work of another one:
     * - 'later': it is being sent, or its process has just died; look again after `resumeMs`
     * - 'gone': it was deleted with its conversation
     * - undefined: it was certainly not sent
     *
     * @param on the connection to read with, if the caller has a transaction
     */
    async resume(
      tenantId: number,
      id: number,
      on: Db = db,
    ): Promise<AutomatedOutcome | 'later' | 'gone' | undefined> {
      const message = await findMessageState(on, tenantId, id);
      if (!message) return 'gone';
      if (message.network_id !== null) return { sent: true };
      switch (message.status) {
        case 'accepting':
          return 'later';
        case 'unknown':
          return lost;
        case 'failed':
          return undefined;
        default:
          return { sent: true };
      }
    },
  };
}

/** The maximum wait for the number's rate limit. No client waits, but the stored message is `accepting` meanwhile. */
export const maxWaitMs = 5_000;

/**
 * The delay before `resume` is called again for a message that is still being sent.
 *
 * @param calls how often `resume` was called for it. After ten calls the delay grows, so that a message that never gets
 *   an outcome costs less and less
 */
export const resumeMs = (calls: number) => 10_000 * Math.max(1, calls / 10);

function outcomeOf(sent: SendOutcome, kind: ReadyMessage['kind']): AutomatedOutcome {
  switch (sent.outcome) {
    case 'accepted':
      return { sent: true };
    case 'unreachable':
      return {
        sent: false,
        reason: fault('not_reached', 'The network cannot be reached.'),
        again: true,
      };
    case 'unknown':
      return lost;
    case 'refused': {
      const { atFault } = meaningOf(sent.error);
      const field = typeof atFault === 'object' ? `${fieldOf(atFault, { kind })} ` : '';
      return {
        sent: false,
        reason: refusalFault(sent.error, `${field}${refusalMessage(sent.error)}.`),
        // The tenant may repair the number before the next attempt.
        again: isTransient(sent.error.code, atFault) || atFault === 'number',
      };
    }
  }
}

const lost: AutomatedOutcome = {
  sent: false,
  reason: fault(
    'response_lost',
    'The network did not respond, so the message may have been sent. It is not sent again automatically.',
  ),
  again: false,
  lost: true,
};
