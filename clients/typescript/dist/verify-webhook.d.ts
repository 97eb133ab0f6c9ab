import type { WebhookEvent } from './schema.ts';
export type { WebhookEvent };
/** Sent when somebody asks for a test; nothing has changed. */
export type TestEvent = {
    event: 'webhook.test';
    data: Record<string, unknown>;
};
/** Why a request is not to be believed. Answer it with 401. */
export declare class WebhookVerificationError extends Error {
    readonly name = "WebhookVerificationError";
}
/** The `Headers` of a fetch-style request, or the plain object of Node's. */
export type WebhookHeaders = {
    get(name: string): string | null;
} | Record<string, string | string[] | undefined>;
/**
 * Checks that a request to your webhook was sent by Parley, a short time ago, and reads it. The
 * same event can come more than once, with the same `webhook-id`.
 *
 * Follows https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param body the body as it came: bytes or text that was not parsed and written again
 * @param secrets the webhook's secret (`whsec_...`), or both while it is being changed
 * @param options `toleranceSeconds`: how old, or early, a request may be; 300 when absent
 * @throws WebhookVerificationError
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secrets: string | readonly string[], { toleranceSeconds }?: {
    toleranceSeconds?: number;
}): Promise<WebhookEvent | TestEvent>;
