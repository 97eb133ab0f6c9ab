/**
 * The three kinds of label by their resource in the API, which is also their table. `event` is the
 * prefix of their event types; groups have no events (docs/spec.md, section 6.1).
 */
export const labelKinds = {
  statuses: { one: 'status', event: 'status', hasColor: true },
  sources: { one: 'source', event: 'source', hasColor: false },
  groups: { one: 'group', event: undefined, hasColor: false },
} as const;

export type LabelKind = keyof typeof labelKinds;
