import { join, raw, type Sql } from 'sql-template-tag';
import type { Columns } from '../../platform/database/rows-of.ts';
import {
  byField,
  type ContactFieldName,
  contactFieldNames,
  contactFields,
} from './contact-fields.ts';

/** The columns of the fields, by name. */
export const fieldColumns = contactFieldNames.join(', ');

type GivenTexts = { phone: string } & Partial<Record<ContactFieldName, string | null>>;

/** The columns of a list of contacts, for `rowsOf`. An empty text becomes null. */
export const fieldValues: Columns<GivenTexts> = byField(contactFieldNames, (name) => [
  contactFields[name].column,
  (contact: GivenTexts) => contact[name] || null,
]);

/** Joins an SQL expression for each of some columns with commas. */
export function eachColumn<Name extends string>(
  names: readonly Name[],
  expression: (name: Name, column: Sql) => Sql,
): Sql {
  return join(
    names.map((name) => expression(name, raw(name))),
    ', ',
  );
}
