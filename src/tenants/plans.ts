/** The limits of each plan for one token (docs/spec.md, section 8); null means unlimited. */
export const plans = {
  starter: { requestsPerMinute: 60, messagesPerDay: 1_000 },
  growth: { requestsPerMinute: 120, messagesPerDay: 5_000 },
  pro: { requestsPerMinute: 300, messagesPerDay: 15_000 },
  enterprise: { requestsPerMinute: 600, messagesPerDay: null },
} as const;

export type Plan = keyof typeof plans;

export function isPlan(text: string): text is Plan {
  return Object.hasOwn(plans, text);
}
