export const periods = [7, 14, 30, 90] as const;

/** How many days a chart shows, up to today. */
export type Period = (typeof periods)[number];

/** The search parameters of a page whose charts have a period. */
export type PeriodSearch = { days?: Period | undefined };

/** Reads a period of the address; undefined if there is none, which means the usual one of the page. */
export function readPeriod(days: unknown): Period | undefined {
  return periods.find((each) => String(each) === String(days));
}

export function readPeriodSearch({ days }: Record<string, unknown>): PeriodSearch {
  return { days: readPeriod(days) };
}
