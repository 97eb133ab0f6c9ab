/** The causes of an outbound message, as `messages.cause` has them. A message of a token has none. */
export const storedCauses = ['member', 'bot', 'store', 'campaign', 'app', 'system'] as const;
export type StoredCause = (typeof storedCauses)[number];

/** The causes of an outbound message, as the API calls them. */
export const causeKinds = ['api', ...storedCauses] as const;
export type CauseKind = (typeof causeKinds)[number];

/** Those that messages have so far. The API has the others already, so that its types need not change for them. */
export const causesInUse = ['api', 'member', 'bot', 'store', 'app'] as const satisfies CauseKind[];

/** The cause of a message that no token sends. `id` is our id of the bot or the store. */
export type AutomatedCause = { kind: 'bot' | 'store'; id: number };
