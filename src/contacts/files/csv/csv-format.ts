import { isImpossible, withoutNationalPrefix } from '../../../platform/values/phones/phone.ts';
import { readWrittenPhone } from '../../../platform/values/phones/written-phone.ts';
import { isVisible, trimName } from '../../../platform/values/texts/name.ts';
import {
  type ContactFieldName,
  contactFieldNames,
  contactFields,
} from '../../fields/contact-fields.ts';

/** The columns of a CSV file that hold labels by name, and the other names that systems give them. */
const labelColumns = { status: [], source: ['leadsource'], groups: ['group', 'tags'] };

/** One entry of the metadata in a column of its own, as `metadata.plan`. */
type MetadataColumn = `metadata.${string}`;

export type CsvColumn = ContactFieldName | keyof typeof labelColumns | 'metadata' | MetadataColumn;

const namedColumns = [
  ...contactFieldNames,
  ...(Object.keys(labelColumns) as (keyof typeof labelColumns)[]),
];

/** The columns of an exported file. The metadata is the text of a JSON object. */
export const csvColumns = [...namedColumns, 'metadata'] as const;

/** The column of each heading, in lower case and without spaces. */
const columnsByHeading = new Map<string, CsvColumn>(
  namedColumns.flatMap((column) => {
    const others: readonly string[] =
      column in contactFields
        ? contactFields[column as ContactFieldName].csvNames
        : labelColumns[column as keyof typeof labelColumns];
    return [column, ...others].map((heading): [string, CsvColumn] => [heading, column]);
  }),
);

/**
 * Finds the column that a heading means; undefined if it means none. Case, spaces, dashes and underscores do
 * not matter, except in the name of an entry of the metadata.
 */
export function columnOf(heading: string): CsvColumn | undefined {
  const [whole, entry] = /^metadata(?:\.(.+))?$/is.exec(trimName(heading)) ?? [];
  if (whole) return entry ? `metadata.${entry}` : 'metadata';
  return columnsByHeading.get(heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
}

/**
 * The places where a spreadsheet would see a formula, in half and full width: at the beginning of a cell, and
 * after a separator of cells. A spreadsheet that is set to semicolons or tabs separates cells there even
 * inside our quotes.
 */
const formula = /(^|[;\t\r\n])(?=["']*[=+\-@\t\r＝＋－＠])/g;
const inertFormula = /(^|[;\t\r\n])'(?=["']*[=+\-@\t\r＝＋－＠])/g;

/**
 * Writes a cell of a CSV file that people open in a spreadsheet. Formulas, and phones, which would become
 * numbers, get an apostrophe before them, which marks a text in a spreadsheet. {@link readCell} removes it
 * again.
 */
export function writeCell(value: string | number | null): string {
  const inert = String(value ?? '').replace(formula, "$1'");
  return /[",;\r\n\t]|^\s|\s$/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

export function writeLine(cells: (string | number | null)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

export function readCell(cell: string): string {
  return withFormulas(trimName(cell));
}

function withFormulas(cell: string): string {
  return cell.replace(inertFormula, '$1');
}

/** Joins names to one cell, separated by `;`. A `;`, `|`, `,` or `\` in a name is escaped by a `\`. */
export function joinNames(names: string[]): string {
  return names.map((name) => name.replace(/[\\;|,]/g, '\\$&')).join(';');
}

/**
 * Splits a cell into names at `;` or `|`. Spaces around a name are kept, because they may belong to it.
 *
 * @returns also the parts between commas, if nothing else separates names. Whether they are names is up to the caller.
 */
export function splitNames(cell: string): { names: string[]; byCommas: string[] } {
  const names = splitAt(cell, ';|');
  return {
    names: names.filter(isVisible),
    byCommas: names.length === 1 ? splitAt(cell, ',').filter(isVisible) : [],
  };
}

function splitAt(cell: string, separators: string): string[] {
  const names = [''];
  for (const [part, escaped] of withFormulas(cell).matchAll(/\\([\\;|,])|[;|,]|\\|[^\\;|,]+/g)) {
    if (separators.includes(part)) names.push('');
    else names.push(names.pop() + (escaped ?? part));
  }
  return names;
}

/** Reads the one name in a cell, with the spaces around it; null if there is none. */
export function readName(cell: string): string | null {
  return isVisible(cell) ? withFormulas(cell) : null;
}

/** Reads an id. Shopify puts an apostrophe before one of digits only, which marks a text in a spreadsheet. */
export function readId(cell: string): string {
  return readCell(cell).replace(/^'(?=\d+$)/, '');
}

/**
 * Reads a phone as people and WhatsApp programs write it: also with a national prefix, such as `+49 0151...`, after
 * `whatsapp:`, `tel:` or the `p:` of lead ads, and before `@c.us` or `@s.whatsapp.net`.
 *
 * @param withoutPlus whether digits only are a phone that begins with its country code
 */
export function readPhone(cell: string, withoutPlus = false): string {
  const text = readCell(cell)
    .replace(/^'|^(?:whatsapp|tel|p):\s*(?=\+)/i, '')
    .replace(/^(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/, '+$1');
  const written = readWrittenPhone(text);
  const phone = withoutPlus ? written.replace(/^(?=[1-9]\d*$)/, '+') : written;
  return isImpossible(phone) ? withoutNationalPrefix(phone) : phone;
}
