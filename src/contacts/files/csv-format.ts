import { isVisible, trimName } from '../../platform/name.ts';
import { isImpossible, withoutNationalPrefix } from '../../platform/phone.ts';
import { readWrittenPhone } from '../../platform/written-phone.ts';

/**
 * Which column of a CSV file holds what, by the names that spreadsheets and other systems give
 * them. Case, spaces, dashes and underscores do not matter.
 */
const columnNames = {
  firstname: ['firstname', 'givenname', 'name'],
  lastname: ['lastname', 'familyname', 'surname'],
  phone: ['phone', 'phonenumber', 'mobile', 'mobilephone', 'telephone', 'whatsapp'],
  email: ['email', 'emailaddress', 'mail'],
  company: ['company', 'companyname', 'organization', 'organisation'],
  city: ['city', 'town'],
  status: ['status'],
  source: ['source', 'leadsource'],
  groups: ['groups', 'group', 'tags'],
} as const;

export type CsvColumn = keyof typeof columnNames;

export const csvColumns = Object.keys(columnNames) as CsvColumn[];

/** The column that a heading means; undefined when it means none. */
export function columnOf(heading: string): CsvColumn | undefined {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return csvColumns.find((column) => (columnNames[column] as readonly string[]).includes(plain));
}

/**
 * Where a spreadsheet would see a formula, in half and full width: at the beginning of a cell, and
 * after what separates cells to a spreadsheet that is set to semicolons or tabs, for which our
 * quotes in the middle of a line are nothing special.
 */
const formula = /(^|[;\t\r\n])(?=["']*[=+\-@\t\r＝＋－＠])/g;
const inertFormula = /(^|[;\t\r\n])'(?=["']*[=+\-@\t\r＝＋－＠])/g;

/**
 * A cell for a CSV file that people open in a spreadsheet. What would run there as a formula gets
 * an apostrophe before it, which a spreadsheet takes as "this is text"; so do phones, which would
 * become numbers. {@link readCell} takes it off again.
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

/** Names in one cell, with `;` between; one that holds `;`, `|` or `\` has a `\` before it there. */
export function joinNames(names: string[]): string {
  return names.map((name) => name.replace(/[\\;|]/g, '\\$&')).join(';');
}

/**
 * The names in a cell, with `;` or `|` between. Spaces around them stay: they may belong to a name,
 * or to nobody but whoever wrote the list.
 */
export function splitNames(cell: string): string[] {
  const names = [''];
  for (const [part, escaped] of withFormulas(cell).matchAll(/\\([\\;|])|[;|]|\\|[^\\;|]+/g)) {
    if (part === ';' || part === '|') names.push('');
    else names.push(names.pop() + (escaped ?? part));
  }
  return names.filter(isVisible);
}

/** The one name in a cell, with the spaces around it; null when there is none. */
export function readName(cell: string): string | null {
  return isVisible(cell) ? withFormulas(cell) : null;
}

/** A phone as people write it, also with the 0 of their country, as in `+49 0151...`. */
export function readPhone(cell: string): string {
  const phone = readWrittenPhone(readCell(cell));
  return isImpossible(phone) ? withoutNationalPrefix(phone) : phone;
}
