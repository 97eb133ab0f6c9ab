import type { FieldErrors } from '../errors.ts';
import type { TemplatePart } from '../whatsapp/client.ts';
import { buttonsOf, componentOf, fillText, headerFormat } from './components.ts';
import { type FillableTemplate, isNamed, readSlots, type Slot } from './read-slots.ts';

/** The values of a send: `field_N` by its number, and the address of the header's file. */
export type TemplateValues = { fields: ReadonlyMap<number, string>; headerMediaUrl?: string };

/** The message as the phone shows it, for the conversation; a one-time password is masked. */
export type ShownTemplate = {
  template: { name: string; language: string; category: string };
  header?: { format: string; text?: string; media_url?: string };
  body: string;
  footer?: string;
  buttons?: { type: string; text: string; url?: string }[];
};

export type FilledTemplate = { parts: TemplatePart[]; shown: ShownTemplate };

const mask = '••••••';
const longestBody = 1_024;
const longestHeader = 60;

/**
 * Puts the values of a send into a template: what goes to the network, and what is kept.
 *
 * @returns the errors by field where a value is missing, unfit, or has no place in the template
 */
export function fillTemplate(
  template: FillableTemplate,
  values: TemplateValues,
): { filled: FilledTemplate } | { errors: FieldErrors } {
  const slots = readSlots(template);
  const errors: FieldErrors = {};
  const given = new Map<Slot, string>();
  for (const slot of slots) {
    const field = fieldOf(slot, values.fields);
    const value = values.fields.get(field);
    const problem = value ? unfit(template, value) : missing(slot, value);
    if (problem) errors[`field_${field}`] ??= [problem];
    else given.set(slot, value!);
  }
  refuseSurplus(slots, values.fields, errors);
  const headerProblem = checkHeaderMedia(template, values.headerMediaUrl);
  if (headerProblem) errors.header_media_url = [headerProblem];
  if (Object.keys(errors).length > 0) return { errors };

  const filled = {
    parts: partsOf(template, slots, given, values.headerMediaUrl),
    shown: show(template, slots, given, values.headerMediaUrl),
  };
  const tooLong = lengthProblem(filled.shown, slots, values.fields);
  return tooLong ? { errors: tooLong } : { filled };
}

/** The number of the field that fills a slot, or that is missing there. */
function fieldOf(slot: Slot, fields: ReadonlyMap<number, string>): number {
  return slot.fields.find((each) => fields.get(each)) ?? slot.fields.at(-1)!;
}

function missing(slot: Slot, value: string | undefined): string {
  const where = slot.place === 'button' ? `button ${slot.button!.index + 1}` : `the ${slot.place}`;
  const what = value === '' ? 'must not be empty' : 'is required';
  return `${what}: it fills {{${slot.placeholder}}} of ${where}`;
}

/** Refused by the network otherwise (132018; 131009 and 132007 for codes), read November 2026. */
function unfit(template: FillableTemplate, value: string): string | undefined {
  if (value.trim() === '') return 'must not be blank';
  if (/[\n\r\t]| {5,}/.test(value)) {
    return 'must not contain line breaks, tabs or more than four spaces in a row';
  }
  if (template.category !== 'AUTHENTICATION') return undefined;
  if (value.length > 15) return 'must have at most 15 characters in an authentication template';
  if (/:\/\/|www\.|\p{Extended_Pictographic}/u.test(value)) {
    return 'must not contain a URL or emoji in an authentication template';
  }
  return undefined;
}

/** A value without a place would be lost in silence, and a message cannot be taken back. */
function refuseSurplus(slots: Slot[], fields: ReadonlyMap<number, string>, errors: FieldErrors) {
  const known = new Set(slots.flatMap((slot) => slot.fields));
  for (const [field, value] of fields) {
    if (value === '' || known.has(field)) continue;
    errors[`field_${field}`] = [`has no place: the template ${whatItTakes(known)}`];
  }
}

function whatItTakes(known: Set<number>): string {
  if (known.size === 0) return 'has no placeholders';
  const last = Math.max(...known);
  return last === 1 ? 'takes field_1 only' : `takes field_1 to field_${last}`;
}

function checkHeaderMedia(template: FillableTemplate, url: string | undefined) {
  const format = headerFormat(template)?.toLowerCase();
  const takesMedia = format && format !== 'text';
  if (takesMedia && !url) return `is required: the template has a header of type ${format}`;
  if (!takesMedia && url) return 'has no place: the template has no header for media';
  return undefined;
}

function partsOf(
  template: FillableTemplate,
  slots: Slot[],
  given: Map<Slot, string>,
  headerMediaUrl: string | undefined,
): TemplatePart[] {
  const named = isNamed(template);
  const parameters = (place: Slot['place']) =>
    slots
      .filter((slot) => slot.place === place)
      .map((slot) => ({
        type: 'text',
        ...(named && { parameter_name: slot.placeholder }),
        text: given.get(slot),
      }));
  const parts: TemplatePart[] = [];
  const format = headerFormat(template)?.toLowerCase();
  if (headerMediaUrl && format) {
    const media = { type: format, [format]: { link: headerMediaUrl } };
    parts.push({ type: 'header', parameters: [media] });
  } else if (parameters('header').length > 0) {
    parts.push({ type: 'header', parameters: parameters('header') });
  }
  if (parameters('body').length > 0) parts.push({ type: 'body', parameters: parameters('body') });
  for (const slot of slots) {
    if (!slot.button) continue;
    const { index, kind } = slot.button;
    const value = given.get(slot);
    parts.push({
      type: 'button',
      sub_type: kind,
      index: String(index),
      parameters: [
        kind === 'url'
          ? { type: 'text', text: value }
          : { type: 'coupon_code', coupon_code: value },
      ],
    });
  }
  return parts;
}

function show(
  template: FillableTemplate,
  slots: Slot[],
  given: Map<Slot, string>,
  headerMediaUrl: string | undefined,
): ShownTemplate {
  const isCode = template.category === 'AUTHENTICATION';
  const fill = (place: Slot['place'], text: string, button?: number) =>
    fillText(text, (placeholder) => {
      const slot = slots.find(
        (each) =>
          each.place === place && each.placeholder === placeholder && each.button?.index === button,
      );
      return slot && (isCode ? mask : given.get(slot));
    });
  const header = componentOf(template, 'HEADER');
  const format = headerFormat(template);
  const footer = componentOf(template, 'FOOTER')?.text;
  const buttons = buttonsOf(template).map(({ type, text, url }, index) => ({
    type,
    text: text ?? '',
    // The address of a code button is the network's own and no use to a reader.
    ...(url && !isCode && { url: fill('button', url, index) }),
  }));
  const { name, language, category } = template;
  const ownWords = isCode ? '*{{1}}* is your verification code.' : '';
  return {
    template: { name, language, category },
    ...(format && {
      header: headerMediaUrl
        ? { format, media_url: headerMediaUrl }
        : { format, text: fill('header', header?.text ?? '') },
    }),
    body: fill('body', componentOf(template, 'BODY')?.text ?? ownWords),
    ...(footer && { footer }),
    ...(buttons.length > 0 && { buttons }),
  };
}

/** Blames the longest value, which is the one to shorten. */
function lengthProblem(
  shown: ShownTemplate,
  slots: Slot[],
  fields: ReadonlyMap<number, string>,
): FieldErrors | undefined {
  const place =
    shown.body.length > longestBody
      ? 'body'
      : (shown.header?.text?.length ?? 0) > longestHeader
        ? 'header'
        : undefined;
  const lengthOf = (field: number) => fields.get(field)!.length;
  const [longest] = slots
    .filter((slot) => slot.place === place)
    .map((slot) => fieldOf(slot, fields))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
  if (!place || longest === undefined) return undefined;
  const limit = place === 'body' ? longestBody : longestHeader;
  return {
    [`field_${longest}`]: [
      `makes the ${place} longer than ${limit.toLocaleString('en')} characters`,
    ],
  };
}
