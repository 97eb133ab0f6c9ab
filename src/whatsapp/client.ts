import type { Metrics } from '../platform/metrics.ts';
import { type GraphError, readGraphError } from './errors.ts';
import { type Credentials, createGraph, type GraphAnswer } from './graph.ts';
import { list, record, string } from './json.ts';
import { type ListedTemplates, listTemplates, type NetworkTemplate } from './list-templates.ts';
import { lookUpNumber } from './look-up-number.ts';
import { createMediaOpener } from './media.ts';
import { createPacer, type PacedNumber } from './pacer.ts';

export type { Credentials } from './graph.ts';
export type { PacedNumber } from './pacer.ts';

/** A file by the address that the network fetches it from. */
type MediaLink = { link: string; caption?: string; filename?: string };

/** One filled part of a template; parts without placeholders are not sent. */
export type TemplatePart =
  | { type: 'header' | 'body'; parameters: object[] }
  | { type: 'button'; sub_type: string; index: string; parameters: object[] };

/** The part of a send that differs by type, in the network's own words. */
export type OutgoingContent =
  | { type: 'text'; text: { body: string; preview_url?: boolean } }
  | { type: 'image'; image: MediaLink }
  | { type: 'video'; video: MediaLink }
  | { type: 'audio'; audio: MediaLink }
  | { type: 'document'; document: MediaLink }
  | {
      type: 'template';
      template: { name: string; language: { code: string }; components: TemplatePart[] };
    };

/**
 * How a send ended.
 * - accepted: the network took it and named it
 * - refused: the network answered that it will not send it
 * - unreachable: the request never left, so nothing was sent
 * - unknown: the request left and no answer that can be trusted came back; it may have been sent
 */
export type SendOutcome =
  | { outcome: 'accepted'; networkId: string }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown }
  | { outcome: 'unknown'; cause: unknown };

export type NetworkClient = ReturnType<typeof createNetworkClient>;

/**
 * A client of WhatsApp's Cloud API. It tries a send again by itself only where the network has refused
 * it for its rate, so that nothing was sent: the API has no idempotency key, so after any other end a
 * second try could be a second message.
 */
export function createNetworkClient(options: {
  version: string;
  timeoutMs: number;
  messagesPerSecond: number;
  processes: number;
  metrics: Metrics;
}) {
  const { sends } = options.metrics;
  const graph = createGraph(options);
  const media = createMediaOpener(graph, options.timeoutMs);
  const pacer = createPacer(options);

  async function trySend(number: Credentials, body: object): Promise<SendOutcome> {
    const path = `/${encodeURIComponent(number.phoneNumberId)}/messages`;
    const startedMs = performance.now();
    const sent = readSendAnswer(await graph.call(number, 'POST', path, body));
    sends.observe({ outcome: sent.outcome }, (performance.now() - startedMs) / 1_000);
    return sent;
  }

  return {
    pacer,

    /**
     * Sends one message; wait for its turn at the pacer first. A refusal for the number's rate is tried
     * once more a second later: nothing was sent then.
     *
     * @param to the recipient in E.164 with its `+`
     * @param reference comes back with every status callback of this message (at most 512 characters)
     */
    async sendMessage(
      number: Credentials & PacedNumber,
      to: string,
      content: OutgoingContent,
      reference: string,
    ): Promise<SendOutcome> {
      const body = {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to,
        ...content,
        biz_opaque_callback_data: reference,
      };
      const first = await trySend(number, body);
      if (first.outcome !== 'refused' || !isOverThroughput(first.error)) return first;
      pacer.slowDown(number);
      const turn = await pacer.turn(number, to, secondTryMs);
      if ('refusedForSeconds' in turn) return first;
      return trySend(number, body);
    },

    /** How long `sendMessage` takes at most: two calls, and the wait between them. */
    longestSendMs: 2 * options.timeoutMs + secondTryMs,

    /** Gives `take` every template of a business account, page by page, or says why they cannot be had. */
    listTemplates: (
      credentials: Credentials,
      businessAccountId: string,
      take: (templates: NetworkTemplate[]) => Promise<void>,
    ): Promise<ListedTemplates> => listTemplates(graph, credentials, businessAccountId, take),

    /** What the network says of a number, or why it says nothing. */
    lookUpNumber: (credentials: Credentials) => lookUpNumber(graph, credentials),

    /** A file that somebody sent to a number, by the network's id of it. */
    openMedia: media.open,

    async close() {
      await Promise.all([graph.close(), media.close()]);
    },
  };
}

/** How long a message that the network refused for its number's rate may wait for another try. */
const secondTryMs = 2_000;

function isOverThroughput(error: GraphError): boolean {
  return error.fromNetwork && error.code === 130429;
}

function readSendAnswer(answer: GraphAnswer): SendOutcome {
  if (!answer.answered) {
    return { outcome: answer.left ? 'unknown' : 'unreachable', cause: answer.cause };
  }
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    const networkId = string(record(list(body?.messages)[0])?.id);
    if (!networkId) {
      return { outcome: 'unknown', cause: new Error(`HTTP ${status} without a message id`) };
    }
    return { outcome: 'accepted', networkId };
  }
  const error = readGraphError(status, body);
  // A gateway in between can fail after the network took the message, so a 5xx that is not the
  // Graph API's own word leaves it open. Any 4xx is a refusal, whoever words it.
  if (!error.fromNetwork && (status >= 500 || status < 400)) {
    return { outcome: 'unknown', cause: new Error(`HTTP ${status} without a Graph error`) };
  }
  return { outcome: 'refused', error };
}
