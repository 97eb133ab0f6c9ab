/** What can cause an outbound message, as `messages.cause` has it. A message of a token has none. */
export const storedCauses = ['member', 'bot', 'store', 'campaign', 'app', 'system'] as const;
export type StoredCause = (typeof storedCauses)[number];

/** What can cause an outbound message, as the API calls it. */
export const causeKinds = ['api', ...storedCauses] as const;
export type CauseKind = (typeof causeKinds)[number];

/** The cause of a message that no token sends. `id` is our id of the bot, the store or the campaign. */
export type AutomatedCause =
  | { kind: 'bot' | 'store' | 'campaign'; id: number }
  | { kind: 'system' };
