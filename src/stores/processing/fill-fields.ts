import type { KnownContact } from '../../contacts/writing/known-contact.ts';
import { expandPath, firstText, type Payload, textAt } from '../platforms/read-payload.ts';
import type { FieldSource } from '../schema.ts';

/** In characters. WhatsApp allows 1,024 for the whole body of a template. */
const maxListLength = 300;
/** Formatting an amount or a day takes tens of microseconds. The texts of more items rarely fit. */
const maxListItems = 100;

/**
 * Reads the values of a template's fields from a payload, by their number.
 *
 * @param language the template's language, which also decides how money and dates are written
 * @returns also the paths that have neither a value nor a default
 */
export function fillFields(
  payload: Payload,
  sources: FieldSource[],
  language: string,
): { fields: Map<number, string>; empty: string[] } {
  const fields = new Map<number, string>();
  const empty: string[] = [];
  sources.forEach((source, index) => {
    const paths = expandPath(payload, source.path).slice(0, maxListItems);
    const texts = paths.flatMap((path) => {
      const found = textAt(payload, path);
      return found === undefined ? [] : format(found, { ...source, path }, payload, language);
    });
    const value = texts.length === 0 ? source.default : joinItems(texts);
    if (value) fields.set(index + 1, value);
    else empty.push(source.path);
  });
  return { fields, empty };
}

/**
 * Makes the recipient of a message available as fields of the payload, such as `buyer.first_name`, whichever
 * part of the payload names them. A payload that has a `buyer` keeps it.
 */
export function buyerFields(
  payload: Payload,
  { phone, firstname, lastname, email, company, city }: KnownContact,
): { buyer?: Record<string, string> } {
  if (Object.hasOwn(payload, 'buyer')) return {};
  const fields = { first_name: firstname, last_name: lastname, email, company, city, phone };
  const filled = Object.entries(fields).filter(([, value]) => value);
  return { buyer: Object.fromEntries(filled) as Record<string, string> };
}

/** Joins texts of a list, each once. A long list is cut after a whole item, because a message has a maximum length. */
function joinItems(texts: string[]): string {
  const [first = '', ...others] = new Set(texts);
  let joined = first;
  for (const each of others) {
    if (joined.length + each.length + 5 > maxListLength) return `${joined}, …`;
    joined += `, ${each}`;
  }
  return joined;
}

function format(text: string, source: FieldSource, payload: Payload, language: string): string {
  switch (source.format) {
    case 'money':
      return formatMoney(text, currencyOf(payload, source.path), language);
    case 'date':
      return formatDate(text, language);
    case 'first_word':
      return text.split(' ')[0]!;
    case undefined:
      return text;
  }
}

/**
 * Finds the currency of an amount: the one beside it, such as the buyer's in Shopify's `presentment_money`,
 * otherwise that of the payload.
 */
function currencyOf(payload: Payload, path: string): string | undefined {
  const beside = path.slice(0, path.lastIndexOf('.') + 1);
  return firstText(payload, `${beside}currency_code`, `${beside}currency`, 'currency');
}

/** Formats an amount in its currency. A text that is no amount stays unchanged. */
function formatMoney(text: string, currency: string | undefined, language: string): string {
  if (!/^-?\d{1,30}(\.\d{1,20})?$/.test(text)) return text;
  const isCurrency = currency !== undefined && /^[A-Za-z]{3}$/.test(currency);
  const amount = new Intl.NumberFormat(localeOf(language), {
    ...(isCurrency ? { style: 'currency', currency } : { minimumFractionDigits: 2 }),
  }).format(text as Intl.StringNumericLiteral);
  return plainSpaces(amount);
}

/** Formats the day as the store wrote it: the time zone of the buyer is not known. */
function formatDate(text: string, language: string): string {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]|$)/.exec(text) ?? [];
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return text;
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return plainSpaces(new Intl.DateTimeFormat(localeOf(language), options).format(date));
}

/** The network writes `pt_BR` instead of `pt-BR`. */
function localeOf(language: string): string {
  const locale = language.replaceAll('_', '-');
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}
