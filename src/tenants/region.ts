import { invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';

/** How the dashboard of a tenant writes numbers, dates and times. */
export type Region = {
  /** A BCP 47 language tag. */
  locale: string;
  /** An IANA time zone; null for that of each person's browser. */
  time_zone: string | null;
};

/**
 * Returns the region in canonical spelling.
 *
 * @throws for a locale or a time zone that `Intl` does not know
 */
export function checkRegion({ locale, time_zone }: Region): Region {
  const canonical = { locale: findLocale(locale), time_zone: time_zone && findZone(time_zone) };
  const errors = {
    ...(!canonical.locale && {
      locale: [fault('not_a_locale', 'must be the tag of a known language, such as en-GB or de')],
    }),
    ...(canonical.time_zone === undefined && {
      time_zone: [
        fault('not_a_time_zone', 'must be the name of a known time zone, such as Europe/Berlin'),
      ],
    }),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return canonical as Region;
}

function findLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    return undefined;
  }
}

/** An offset such as `+01:00` is not a zone: it has no daylight saving, and not every browser knows it. */
function findZone(name: string): string | undefined {
  if (!/^[A-Z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
