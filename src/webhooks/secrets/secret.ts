import { createHmac, randomBytes } from 'node:crypto';
import { defaultEndpoint, type Endpoint } from '../endpoint-key.ts';

const prefix = 'whsec_';

/** Creates a secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Returns the encryption context of an endpoint's secret, which ties it to the endpoint's row. */
export function secretContext({ tenantId, webhookId }: Endpoint): string {
  // The default endpoint was the only one in earlier versions.
  if (webhookId === defaultEndpoint) return `tenant ${tenantId} webhook-secret`;
  return `tenant ${tenantId} webhook ${webhookId} secret`;
}

/** Returns the encryption context of an endpoint's additional headers. */
export function headersContext({ tenantId, webhookId }: Endpoint): string {
  return `tenant ${tenantId} webhook ${webhookId} headers`;
}

/**
 * Builds the headers with which a receiver verifies that a delivery is authentic and recent. Every secret signs,
 * so that receivers can switch to a new secret at any time.
 *
 * See https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md:
 * HMAC-SHA256 over `id.timestamp.body`. The key is the decoded part after the prefix.
 */
export function signedHeaders(
  webhookId: string,
  sentAt: Date,
  body: string,
  secrets: string[],
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    const mac = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
