import { Type } from 'typebox';

/** How many days a chart of the dashboard can show. */
const periods = [7, 14, 30, 90] as const;

export type Period = (typeof periods)[number];

/** The longest period that a chart shows. Counts are kept for longer. */
export const longestPeriod: Period = 90;

/** The query of a page with a chart. Its last day is today. */
export const PeriodQuery = Type.Object({
  days: Type.Optional(Type.Unsafe<Period>({ type: 'integer', enum: [...periods] })),
});
