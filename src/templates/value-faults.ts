import type { FieldErrors } from '../platform/errors/api-error.ts';
import { headerFormat } from './components.ts';
import type { FillableTemplate, Slot } from './read-slots.ts';

/** The values of a send: each `field_N` by its number, and the URL of the header's file. */
export type TemplateValues = { fields: ReadonlyMap<number, string>; headerMediaUrl?: string };

/** Returns the number of the field that fills a slot, or that is missing. */
export function fieldOf(slot: Slot, fields: ReadonlyMap<number, string>): number {
  return slot.fields.find((each) => fields.get(each)) ?? slot.fields.at(-1)!;
}

/** Finds the required values that are missing or not valid, by field. */
export function slotFaults(
  template: FillableTemplate,
  slots: Slot[],
  fields: ReadonlyMap<number, string>,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const slot of slots) {
    const field = fieldOf(slot, fields);
    const value = fields.get(field);
    const fault = value ? faultOf(value, template) : missing(slot, value);
    if (fault) errors[`field_${field}`] ??= [fault];
  }
  return errors;
}

/**
 * Finds the values that the template does not use, by field. They are refused because they would be
 * ignored silently, and a message cannot be unsent.
 */
export function surplusFaults(
  template: FillableTemplate,
  slots: Slot[],
  { fields, headerMediaUrl }: TemplateValues,
): FieldErrors {
  const errors: FieldErrors = {};
  const known = new Set(slots.flatMap((slot) => slot.fields));
  for (const [field, value] of fields) {
    if (value === '' || known.has(field)) continue;
    errors[`field_${field}`] = [`is not used by the template, which ${describeFields(known)}`];
  }
  if (headerMediaUrl && !mediaHeader(template)) {
    errors.header_media_url = ['is not used by the template, which has no media header'];
  }
  return errors;
}

/** Reports the file of the header, if the template needs one and it is missing. */
export function headerFaults(template: FillableTemplate, headerMediaUrl?: string): FieldErrors {
  const format = mediaHeader(template);
  if (!format || headerMediaUrl) return {};
  return { header_media_url: [`is required: the template has a header of type ${format}`] };
}

/**
 * Finds the values that no template accepts, by field, for a send whose template does not exist.
 */
export function faultsInAnyTemplate(fields: ReadonlyMap<number, string>): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, value] of fields) {
    const fault =
      field === 0 ? 'is not used by any template: fields count from field_1' : faultOf(value);
    if (value !== '' && fault) errors[`field_${field}`] = [fault];
  }
  return errors;
}

/** Returns the kind of file in the header of a template; undefined if the header has none. */
export function mediaHeader(template: FillableTemplate) {
  const format = headerFormat(template)?.toLowerCase();
  return (['image', 'video', 'document'] as const).find((kind) => kind === format);
}

/**
 * Checks rules whose violation the network refuses (132018; 131009 and 132007 for codes; November
 * 2026).
 */
function faultOf(value: string, template?: FillableTemplate): string | undefined {
  if (value.trim() === '') return 'must not be blank';
  if (/[\n\r\t]| {5,}/.test(value)) {
    return 'must not contain line breaks, tabs or more than four spaces in a row';
  }
  if (template?.category !== 'AUTHENTICATION') return undefined;
  if (value.length > 15) return 'must have at most 15 characters in an authentication template';
  if (/:\/\/|www\.|\p{Extended_Pictographic}/u.test(value)) {
    return 'must not contain a URL or emoji in an authentication template';
  }
  return undefined;
}

function missing(slot: Slot, value: string | undefined): string {
  const where = slot.place === 'button' ? `button ${slot.button!.index + 1}` : `the ${slot.place}`;
  const problem = value === '' ? 'must not be empty' : 'is required';
  return `${problem}: it fills {{${slot.placeholder}}} of ${where}`;
}

function describeFields(known: Set<number>): string {
  if (known.size === 0) return 'has no placeholders';
  const last = Math.max(...known);
  return last === 1 ? 'takes field_1 only' : `takes field_1 to field_${last}`;
}
