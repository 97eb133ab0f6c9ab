import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A new secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** What a webhook's secret is sealed for, so that it cannot be moved to another tenant's row. */
export function secretContext(tenantId: number): string {
  return `tenant ${tenantId} webhook-secret`;
}

/**
 * The headers by which a receiver knows that a delivery is ours and new. Every secret signs, so
 * that receivers can change from one to the next at their own time.
 *
 * After https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md:
 * HMAC-SHA256 over `id.timestamp.body`, the key being the decoded part after the prefix.
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
