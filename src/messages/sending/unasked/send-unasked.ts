import { refusal } from '../../../errors.ts';
import type { ConnectedNumber, NumberFinder } from '../../../numbers/find-number.ts';
import type { Database, Db } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { TemplateFinder } from '../../../templates/find-sendable-template.ts';
import type { NetworkClient, SendOutcome } from '../../../whatsapp/client.ts';
import { type GraphError, meaningOf, refusalWords } from '../../../whatsapp/errors.ts';
import type { MediaChecker } from '../check-media.ts';
import { noteProblem } from '../note-problem.ts';
import { readyTemplate } from '../ready-template.ts';
import { type MessageContent, noNumber } from '../send-message.ts';
import { completionOf, fieldOf } from '../send-outcome.ts';
import type { TemplateMessage } from '../send-template.ts';
import { textContent } from '../send-text.ts';
import { createSendWriter } from '../write-sends.ts';
import { insertUnaskedMessage } from './unasked-queries.ts';

/** A message that is ready to go: checked, filled, and with the number it goes out from. */
export type ReadyMessage = MessageContent & { number: ConnectedNumber; phone: string };

/** How it ended; `again` says that it surely was not sent and another try may succeed. */
export type UnaskedOutcome =
  | { sent: true }
  /** `lost`: the answer was, so it may have been sent. */
  | { sent: false; reason: string; again: boolean; lost?: true };

export type UnaskedSender = ReturnType<typeof createUnaskedSender>;

/**
 * Sends what no API request asks for, such as the message for an order of a store. In three steps,
 * so that the message is written down in the transaction of what made it, and goes out once:
 *
 * 1. `prepareTemplate` checks and fills the template, `prepareText` takes a text;
 * 2. `writeDown` keeps it as `accepting`, together with a reference to it in the caller's own row;
 * 3. `send` waits for the message's turn, calls the network (once more only where that refuses for its
 *    rate, so that nothing was sent) and writes down the outcome. A process that dies before that
 *    leaves a message whose outcome is unknown, and unknown is never sent again.
 *
 * No token sends it, so it counts against no token's minute or day.
 */
export function createUnaskedSender(services: {
  db: Database;
  log: Log;
  network: NetworkClient;
  numbers: NumberFinder;
  findTemplate: TemplateFinder;
  checkMedia: MediaChecker;
}) {
  const { network, numbers, findTemplate, checkMedia } = services;
  const { complete } = createSendWriter(services);

  return {
    /**
     * @param from the number it goes out from; the one that the tenant sends from when left out
     * @throws ApiError 422 naming what is at fault
     */
    async prepareTemplate(
      tenantId: number,
      { phone, name, language, fields, headerMediaUrl }: TemplateMessage,
      from?: ConnectedNumber,
    ): Promise<ReadyMessage> {
      const number = from ?? (await numbers.sendingNumber(tenantId));
      if (!number) throw noNumber();
      const found = await findTemplate(number, name, language);
      const result = await readyTemplate(found, { fields, headerMediaUrl }, (url, kind) =>
        checkMedia(tenantId, url, kind),
      );
      if ('faults' in result) throw refusal(result.faults);
      return { number, phone, ...result.ready };
    },

    /** A text of at most 4,096 characters; the network takes it while the 24-hour window is open. */
    prepareText: (from: ConnectedNumber, phone: string, text: string): ReadyMessage => ({
      number: from,
      phone,
      ...textContent(text),
    }),

    /**
     * @param tx the transaction of what made the message
     * @returns the message's id
     */
    writeDown: (tx: Db, tenantId: number, ready: ReadyMessage): Promise<number> =>
      insertUnaskedMessage(tx, tenantId, {
        numberId: ready.number.id,
        phone: ready.phone,
        kind: ready.kind,
        content: ready.kept,
      }),

    /** To be called once, after the commit of `writeDown`. */
    async send(tenantId: number, id: number, ready: ReadyMessage): Promise<UnaskedOutcome> {
      const { number, phone, kind, content } = ready;
      const turn = await network.pacer.turn(number, phone, longestWaitMs);
      const sent: SendOutcome =
        'refusedForSeconds' in turn
          ? { outcome: 'refused', error: overPace }
          : await network.sendMessage(number, phone, content, `${tenantId}.${id}`);
      await complete({ tenantId, id, ...completionOf(sent) });
      await noteProblem(services, number, sent);
      return outcomeOf(sent, kind);
    },
  };
}

/** Nobody waits for the answer, but the message is written down as on its way. */
export const longestWaitMs = 5_000;

const overPace: GraphError = {
  code: 130429,
  subcode: undefined,
  title: "This number has reached WhatsApp's rate limit",
  details: undefined,
  fromNetwork: false,
  status: 429,
};

/** The network lets go of a pause by itself, of the first one after three hours. */
const pausedTemplate = 132015;

function outcomeOf(sent: SendOutcome, kind: ReadyMessage['kind']): UnaskedOutcome {
  switch (sent.outcome) {
    case 'accepted':
      return { sent: true };
    case 'unreachable':
      return { sent: false, reason: 'The network cannot be reached.', again: true };
    case 'unknown':
      return { sent: false, reason: lostAnswer, again: false, lost: true };
    case 'refused': {
      const { blame } = meaningOf(sent.error);
      const subject = typeof blame === 'object' ? `${fieldOf(blame, kind)} ` : '';
      return {
        sent: false,
        reason: `${subject}${refusalWords(sent.error)}.`,
        again:
          blame === 'network' ||
          blame === 'number' ||
          blame === 'rate' ||
          sent.error.code === pausedTemplate,
      };
    }
  }
}

export const lostAnswer =
  'The network did not answer, so the message may have been sent. It is not sent again by itself.';
