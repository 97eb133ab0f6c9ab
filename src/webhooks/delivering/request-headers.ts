import type { OpenedSecrets } from '../secrets/open-secrets.ts';
import { signedHeaders } from '../secrets/secret.ts';

/** Builds the headers of a delivery: those of the endpoint first, then our own, which they cannot replace. */
export function requestHeaders(
  webhookId: string,
  sentAt: Date,
  body: string,
  { secrets, headers }: OpenedSecrets,
): Record<string, string> {
  return {
    ...headers,
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/2',
    ...signedHeaders(webhookId, sentAt, body, secrets),
  };
}
