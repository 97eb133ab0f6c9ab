/** How numbers, dates and times are written. */
export type Region = {
  /** A BCP 47 language tag. Without one, that of the browser. */
  locale?: string;
  /** An IANA time zone. Without one, that of the browser. */
  timeZone?: string;
};

type Formats = ReturnType<typeof createFormats>;

let region: Region = {};
let formats: Formats | undefined;

/** Sets the region of all that is formatted from now on. */
export function setRegion(wanted: Region): void {
  if (wanted.locale === region.locale && wanted.timeZone === region.timeZone) return;
  region = wanted;
  formats = undefined;
}

/** The formats of the region. Each is created once, when it is first used, because that takes longer than its use. */
export function regional(): Formats {
  formats ??= createFormats(region);
  return formats;
}

function createFormats({ locale, timeZone: wantedZone }: Region) {
  // An older browser may not know a zone that the server knows.
  const timeZone = wantedZone && isKnown(wantedZone) ? wantedZone : undefined;
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const percent = (digits: number) =>
    new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: digits });
  return createdOnce({
    number: () => new Intl.NumberFormat(locale),
    percent: () => percent(0),
    exactPercent: () => percent(1),
    dateTime: () => date({ dateStyle: 'medium', timeStyle: 'short' }),
    exactTime: () => date({ dateStyle: 'medium', timeStyle: 'medium' }),
    date: () => date({ dateStyle: 'medium' }),
    time: () => date({ hour: '2-digit', minute: '2-digit' }),
    weekday: () => date({ weekday: 'long' }),
    // A day of the service, which ends at midnight UTC.
    utcDay: () => date({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
    /** The clock of the region in digits, in one order everywhere. */
    clock: () =>
      new Intl.DateTimeFormat('en', {
        timeZone,
        calendar: 'gregory',
        numberingSystem: 'latn',
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  });
}

/** Creates each value when it is first read. */
function createdOnce<Creators extends Record<string, () => unknown>>(creators: Creators) {
  const values = {} as { readonly [Name in keyof Creators]: ReturnType<Creators[Name]> };
  for (const [name, create] of Object.entries(creators)) {
    Object.defineProperty(values, name, {
      configurable: true,
      get() {
        const value = create();
        Object.defineProperty(values, name, { value });
        return value;
      },
    });
  }
  return values;
}

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}
