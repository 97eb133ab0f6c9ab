import { Agent, request } from 'undici';
import { type GraphError, readGraphError } from './errors.ts';

/** What the Cloud API needs to act for a number. */
export type Credentials = {
  /** Base address of the Graph API, without version or trailing slash. */
  networkUrl: string;
  phoneNumberId: string;
  accessToken: string;
};

/** The part of a send that differs by type, in the network's own words. */
export type OutgoingContent = { type: 'text'; text: { body: string; preview_url?: boolean } };

/**
 * How a send ended.
 * - accepted: the network took it and named it
 * - refused: the network answered that it will not send it
 * - unreachable: the request never left, so nothing was sent
 * - unknown: the request left and no answer that can be trusted came back; it may have been sent
 */
export type SendOutcome =
  | { outcome: 'accepted'; networkId: string; waId: string | undefined }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown }
  | { outcome: 'unknown'; cause: unknown };

export type NetworkClient = ReturnType<typeof createNetworkClient>;

/**
 * A client of WhatsApp's Cloud API. It never tries a send again by itself: the API has no
 * idempotency key, so a second try could be a second message.
 */
export function createNetworkClient({
  version,
  timeoutMs,
}: {
  version: string;
  timeoutMs: number;
}) {
  const dispatcher = new Agent({
    connections: 256,
    connect: { timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: 1_000_000,
  });

  return {
    /**
     * Sends one message.
     *
     * @param to the recipient in E.164 with its `+`
     * @param reference comes back with every status callback of this message (at most 512 characters)
     */
    async sendMessage(
      credentials: Credentials,
      to: string,
      content: OutgoingContent,
      reference: string,
    ): Promise<SendOutcome> {
      const body = JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to,
        ...content,
        biz_opaque_callback_data: reference,
      });
      const { networkUrl, phoneNumberId, accessToken } = credentials;
      const url = `${networkUrl}/${version}/${encodeURIComponent(phoneNumberId)}/messages`;
      // The agent's time-outs are for silence; this one also ends an answer that only drips.
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(new Error('no answer in time')), timeoutMs);
      try {
        const response = await request(url, {
          dispatcher,
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
          body,
          signal: deadline.signal,
        });
        return readAnswer(response.statusCode, await response.body.text());
      } catch (cause) {
        return neverLeft(cause) ? { outcome: 'unreachable', cause } : { outcome: 'unknown', cause };
      } finally {
        clearTimeout(timer);
      }
    },

    close: () => dispatcher.destroy(),
  };
}

function readAnswer(status: number, text: string): SendOutcome {
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    const networkId = body?.messages?.[0]?.id;
    if (typeof networkId !== 'string' || networkId === '') {
      return { outcome: 'unknown', cause: new Error(`HTTP ${status} without a message id`) };
    }
    return { outcome: 'accepted', networkId, waId: body?.contacts?.[0]?.wa_id };
  }
  const error = readGraphError(status, body);
  // A gateway in between can fail after the network took the message, so a 5xx that is not the
  // Graph API's own word leaves it open. Any 4xx is a refusal, whoever words it.
  if (!error.fromNetwork && (status >= 500 || status < 400)) {
    return { outcome: 'unknown', cause: new Error(`HTTP ${status} without a Graph error`) };
  }
  return { outcome: 'refused', error };
}

type SendAnswer = { messages?: { id?: unknown }[]; contacts?: { wa_id?: string }[] };

function parseJson(text: string): (SendAnswer & Record<string, unknown>) | undefined {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Errors of looking up and connecting: not a byte of the request was written. */
function neverLeft(error: unknown): boolean {
  const { code, syscall } = error as { code?: string; syscall?: string };
  return (
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ECONNREFUSED' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    syscall === 'connect'
  );
}
