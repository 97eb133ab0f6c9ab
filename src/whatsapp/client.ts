import type { Metrics } from '../platform/metrics.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { userIdOf } from '../platform/values/phones/recipient.ts';
import { type GraphError, meaningOf, readGraphError } from './errors.ts';
import { type Access, type Credentials, createGraph, type GraphResult } from './graph.ts';
import { list, record, string } from './json.ts';
import { type ListedTemplates, listTemplates, type NetworkTemplate } from './list-templates.ts';
import { createMediaOpener } from './media.ts';
import { inspectToken } from './numbers/inspect-token.ts';
import { listAccountNumbers } from './numbers/list-account-numbers.ts';
import { lookUpNumber } from './numbers/look-up-number.ts';
import { lookUpSendability } from './numbers/look-up-sendability.ts';
import { registerNumber } from './numbers/register-number.ts';
import { createSubscriptions } from './numbers/subscriptions.ts';
import { createRateLimiter, type LimitedNumber } from './rates/rate-limiter.ts';
import type { MoveRate } from './rates/rate-position.ts';
import { createMediaUploader } from './upload-media.ts';

export type { Credentials } from './graph.ts';
export type { LimitedNumber } from './rates/rate-limiter.ts';

/** A file, as a URL from which the network fetches it, or as the network's id of an uploaded file. */
export type MediaSource = { link: string } | { id: string };
type SentMedia = MediaSource & { caption?: string; filename?: string };

/** A text with a button with which people share their phone. */
export type ContactRequest = {
  type: 'request_contact_info';
  body: { text: string };
  action: { name: 'request_contact_info' };
};

/**
 * A part of a template with its values; parts without placeholders are not sent, except for buttons that open flows.
 */
export type TemplatePart =
  | { type: 'header' | 'body'; parameters: object[] }
  | { type: 'button'; sub_type: string; index: string; parameters?: object[] };

/** The part of a send that differs by type, in the network's format. */
export type OutgoingContent =
  | { type: 'text'; text: { body: string; preview_url?: boolean } }
  | { type: 'image'; image: SentMedia }
  | { type: 'video'; video: SentMedia }
  | { type: 'audio'; audio: SentMedia }
  | { type: 'document'; document: SentMedia }
  | { type: 'interactive'; interactive: ContactRequest }
  | {
      type: 'template';
      template: { name: string; language: { code: string }; components: TemplatePart[] };
    };

/** A message for the client. `category` is the latest known category of its template. */
export type OutgoingMessage = { content: OutgoingContent; category?: string | undefined };

/** A number for the client. Marketing templates go to the network's endpoint for them if it is switched on. */
export type SendingNumber = Credentials & LimitedNumber & { marketingEndpoint?: boolean };

/**
 * The outcome of a send.
 * - accepted: the network accepted the message and returned its id
 * - refused: the network responded that it will not send the message
 * - unreachable: the request never left, so nothing was sent
 * - unknown: the request left, but no reliable response arrived; the message may have been sent
 */
export type SendOutcome =
  | { outcome: 'accepted'; networkId: string }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown }
  | { outcome: 'unknown'; cause: unknown };

export type NetworkClient = ReturnType<typeof createNetworkClient>;

/**
 * Creates a client of WhatsApp's Cloud API. It retries a send only if the network refused it
 * because of its rate limit, which means that nothing was sent. The API has no idempotency key, so
 * a retry after any other outcome could send the message twice.
 */
export function createNetworkClient(options: {
  version: string;
  timeoutMs: number;
  messagesPerSecond: number;
  moveRate: MoveRate;
  metrics: Metrics;
  tracing: Tracing;
}) {
  const { tracing } = options;
  const { sends } = options.metrics;
  const graph = createGraph(options);
  const media = createMediaOpener(graph, options.timeoutMs);
  const uploads = createMediaUploader(graph, options.timeoutMs);
  const rateLimiter = createRateLimiter(options);

  async function trySend(
    number: Credentials,
    endpoint: string,
    body: object,
  ): Promise<SendOutcome> {
    const path = `/${encodeURIComponent(number.phoneNumberId)}/${endpoint}`;
    const startedMs = performance.now();
    const sent = await tracing.span(
      'send to WhatsApp',
      { kind: 'client', attributes: { 'parley.endpoint': endpoint } },
      async () => readSendResponse(await graph.call(number, 'POST', path, body)),
      ({ outcome }) => ({ 'parley.outcome': outcome }),
    );
    sends.observe({ outcome: countedOutcome(sent) }, (performance.now() - startedMs) / 1_000);
    return sent;
  }

  return {
    rateLimiter,

    /**
     * Sends one message. Callers first acquire a reservation from `rateLimiter`. If the network
     * refuses the message because of the number's rate limit, it is sent once more about a second
     * later.
     *
     * @param to the recipient: E.164 with its `+`, or `user:` and a user id
     * @param reference is part of every status callback of this message (at most 512 characters)
     */
    async sendMessage(
      number: SendingNumber,
      to: string,
      { content, category }: OutgoingMessage,
      reference: string,
    ): Promise<SendOutcome> {
      const body = {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...recipientFields(to),
        ...content,
        biz_opaque_callback_data: reference,
      };
      const endpoint = endpointOf(number, category);
      const first = await trySend(number, endpoint, body);
      if (first.outcome !== 'refused' || !isOverThroughput(first.error)) return first;
      rateLimiter.exhaustBurst(number);
      const reservation = await rateLimiter.acquire(number, to, maxRetryWaitMs);
      if ('refusedForSeconds' in reservation) return first;
      return trySend(number, endpoint, body);
    },

    /** The longest time that `sendMessage` takes: two calls, and the wait between them. */
    maxSendMs: 2 * options.timeoutMs + maxRetryWaitMs,

    /** Passes every template of a business account to `take`, page by page. */
    listTemplates: (
      credentials: Credentials,
      businessAccountId: string,
      take: (templates: NetworkTemplate[]) => Promise<void>,
    ): Promise<ListedTemplates> => listTemplates(graph, credentials, businessAccountId, take),

    /** Looks up a number's phone and throughput at the network. */
    lookUpNumber: (credentials: Credentials) => lookUpNumber(graph, credentials),

    /** Registers a number, which must be done once before it can send, and sets its PIN if it has none. */
    registerNumber: (credentials: Credentials, pin: string) =>
      registerNumber(graph, credentials, pin),

    /** Looks up what may keep a number from sending. */
    lookUpSendability: (credentials: Credentials) => lookUpSendability(graph, credentials),

    /** Asks what an access token is for. */
    inspectToken: (access: Access) => inspectToken(graph, access),

    /** Lists the numbers of a business account. */
    listAccountNumbers: (
      access: Access,
      businessAccountId: string,
      options?: { withAddresses: boolean },
    ) => listAccountNumbers(graph, access, businessAccountId, options),

    /** The settings that decide where callbacks go. */
    subscriptions: createSubscriptions(graph),

    /** Uploads a file, which then only this number can send. */
    uploadMedia: uploads.upload,

    /** Opens a file that was sent to a number or uploaded for it, by the network's id of the file. */
    openMedia: media.open,

    async close() {
      await Promise.all([graph.close(), media.close(), uploads.close()]);
    },
  };
}

/** The network takes a phone and a user id in different fields. */
function recipientFields(identity: string): { to: string } | { recipient: string } {
  const userId = userIdOf(identity);
  return userId === undefined ? { to: identity } : { recipient: userId };
}

/** How long the retry after a rate limit refusal may wait. */
const maxRetryWaitMs = 2_000;

/**
 * The only place that decides the endpoint of a message. The one for marketing takes no other templates. If the
 * account is not onboarded to it, the network sends the message as `/messages` would.
 */
function endpointOf({ marketingEndpoint }: SendingNumber, category: string | undefined) {
  return marketingEndpoint && category === 'MARKETING' ? 'marketing_messages' : 'messages';
}

function isOverThroughput(error: GraphError): boolean {
  return error.fromNetwork && error.code === 130429;
}

/** The outcome for the metrics, where an outage of the network differs from a message that it refuses. */
function countedOutcome(sent: SendOutcome): SendOutcome['outcome'] | 'busy' {
  const isBusy = sent.outcome === 'refused' && meaningOf(sent.error).atFault === 'network';
  return isBusy ? 'busy' : sent.outcome;
}

function readSendResponse(result: GraphResult): SendOutcome {
  if (!result.received) {
    return { outcome: result.left ? 'unknown' : 'unreachable', cause: result.cause };
  }
  const { status, body } = result;
  if (status >= 200 && status < 300) {
    const networkId = string(record(list(body?.messages)[0])?.id);
    if (!networkId) {
      return { outcome: 'unknown', cause: new Error(`HTTP ${status} without a message id`) };
    }
    return { outcome: 'accepted', networkId };
  }
  const error = readGraphError(status, body);
  // A gateway in between can fail after the network accepted the message, so after a 5xx without a
  // Graph error the outcome is unknown. Any 4xx is a refusal, with or without a Graph error.
  if (!error.fromNetwork && (status >= 500 || status < 400)) {
    return { outcome: 'unknown', cause: new Error(`HTTP ${status} without a Graph error`) };
  }
  return { outcome: 'refused', error };
}
