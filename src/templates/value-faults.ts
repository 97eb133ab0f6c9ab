import type { FieldErrors } from '../platform/errors/api-error.ts';
import { type Fault, fault } from '../platform/errors/fault.ts';
import { headerFormat } from './components.ts';
import type { FillableTemplate, Slot } from './read-slots.ts';

/**
 * The values of a send: each `field_N` by its number, and the URL of the header's file, or the network's id of it if it
 * was uploaded.
 */
export type TemplateValues = {
  fields: ReadonlyMap<number, string>;
  headerMediaUrl?: string | undefined;
  headerMediaId?: string | undefined;
  /** Only for a document. */
  headerFilename?: string | undefined;
  /** Cuts values that would make the text too long, the longest first. By default they are refused. */
  cutToFit?: boolean | undefined;
};

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
    const problem = value ? faultOf(value, template) : missing(slot, value);
    if (problem) errors[`field_${field}`] ??= [problem];
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
  { fields, headerMediaUrl, headerMediaId, headerFilename }: TemplateValues,
): FieldErrors {
  const errors: FieldErrors = {};
  const known = new Set(slots.flatMap((slot) => slot.fields));
  for (const [field, value] of fields) {
    if (value === '' || known.has(field)) continue;
    errors[`field_${field}`] = [surplus(known)];
  }
  if (!mediaHeader(template)) {
    if (headerMediaUrl) errors.header_media_url = [noMediaHeader];
    if (headerMediaId) errors.header_media_id = [noMediaHeader];
  }
  if (headerFilename && mediaHeader(template) !== 'document') {
    errors.header_filename = [noDocumentHeader];
  }
  return errors;
}

const noMediaHeader = fault(
  'no_media_header',
  'is not used by the template, which has no media header',
);

const noDocumentHeader = fault(
  'no_document_header',
  'is not used by the template, which has no document in its header',
);

/** Reports the file of the header, if the template needs one and it is missing. */
export function headerFaults(
  template: FillableTemplate,
  { headerMediaUrl, headerMediaId }: TemplateValues,
): FieldErrors {
  const format = mediaHeader(template);
  if (!format || headerMediaUrl || headerMediaId) return {};
  return {
    header_media_url: [
      fault('header_file_missing', 'is required: the template has a header of type {format}', {
        format,
      }),
    ],
  };
}

/**
 * Finds the values that no template accepts, by field, for a send whose template does not exist.
 */
export function faultsInAnyTemplate(fields: ReadonlyMap<number, string>): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, value] of fields) {
    const problem = field === 0 ? fieldZero : faultOf(value);
    if (value !== '' && problem) errors[`field_${field}`] = [problem];
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
function faultOf(value: string, template?: FillableTemplate): Fault | undefined {
  if (value.trim() === '') return fault('blank', 'must not be blank');
  if (/[\n\r\t]| {5,}/.test(value)) {
    return fault(
      'line_breaks',
      'must not contain line breaks, tabs or more than four spaces in a row',
    );
  }
  if (template?.category !== 'AUTHENTICATION') return undefined;
  if (value.length > 15)
    return fault(
      'code_too_long',
      'must have at most {max} characters in an authentication template',
      { max: 15 },
    );
  if (/:\/\/|www\.|\p{Extended_Pictographic}/u.test(value)) {
    return fault('code_shape', 'must not contain a URL or emoji in an authentication template');
  }
  return undefined;
}

function missing(slot: Slot, value: string | undefined): Fault {
  const where = slot.place === 'button' ? `button ${slot.button!.index + 1}` : `the ${slot.place}`;
  const problem = value === '' ? 'must not be empty' : 'is required';
  return fault('placeholder_missing', `${problem}: it fills {placeholder} of ${where}`, {
    placeholder: `{{${slot.placeholder}}}`,
    place: slot.place,
    button: slot.place === 'button' ? slot.button!.index + 1 : 0,
  });
}

/** @param known the fields that the template uses */
function surplus(known: Set<number>): Fault {
  const last = Math.max(0, ...known);
  const takes =
    last === 0
      ? 'has no placeholders'
      : last === 1
        ? 'takes field_1 only'
        : `takes field_1 to field_${last}`;
  return fault('value_not_used', `is not used by the template, which ${takes}`, { last });
}

const fieldZero = fault('field_zero', 'is not used by any template: fields count from field_1');
