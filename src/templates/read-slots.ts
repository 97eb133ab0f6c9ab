import {
  buttonsOf,
  componentOf,
  headerFormat,
  placeholders,
  type TemplateComponent,
} from './components.ts';

/** The fields of a template that are needed to fill it. */
export type FillableTemplate = {
  name: string;
  language: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: TemplateComponent[];
};

/** A place of a template that needs a value. */
export type Slot = {
  place: 'header' | 'body' | 'button';
  /** The text between the braces. */
  placeholder: string;
  /** The numbers N of the `field_N` that can fill it; the first one in the request is used. */
  fields: number[];
  /** The button, with its index from 0. */
  button?: { index: number; kind: 'url' | 'copy_code' };
};

/**
 * Lists the places of a template that need a value, in the network's order, with the `field_N` that
 * fills each:
 *
 * - `{{N}}` of the body is filled by field_N.
 * - Named placeholders are numbered in order of appearance, header before body.
 * - `{{1}}` in the header or in a button's URL is filled by the next number after the body's if the
 *   request has it, so that it can differ from the body's `{{1}}`; otherwise by field_1.
 * - The code of an authentication template is field_1, in the body and in the button.
 */
export function readSlots(template: FillableTemplate): Slot[] {
  return template.category === 'AUTHENTICATION' ? codeSlots(template) : textSlots(template);
}

/**
 * Whether the network needs the names of the placeholders. Some lists call such templates
 * positional.
 */
export function isNamed(template: FillableTemplate): boolean {
  if (template.category === 'AUTHENTICATION') return false;
  const texts = [componentOf(template, 'HEADER')?.text, componentOf(template, 'BODY')?.text];
  return (
    template.parameter_format === 'NAMED' ||
    texts.some((text) => placeholders(text).some((placeholder) => !/^\d+$/.test(placeholder)))
  );
}

/** Describes the part of a template for which this API has no field; undefined if there is none. */
export function unsupportedPart(template: FillableTemplate): UnsupportedPart | undefined {
  const format = headerFormat(template);
  if (format && !['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'].includes(format)) {
    return partOf(`${format.toLowerCase()}_header`);
  }
  const type = ['CAROUSEL', 'LIMITED_TIME_OFFER'].find((each) => componentOf(template, each));
  if (type) return partOf(type.toLowerCase());
  const button = buttonsOf(template).find(({ type }) => type.toUpperCase() in unsupportedButtons);
  return button && partOf(unsupportedButtons[button.type.toUpperCase()]!);
}

/** Buttons whose values the network requires at each send, by type. */
const unsupportedButtons: Record<string, string> = {
  MPM: 'product_list_button',
  ORDER_DETAILS: 'order_details_button',
  BOOKING_CONFIRMATION: 'booking_confirmation_button',
  REMINDER: 'reminder_button',
};

/** The kind of a part, and its name in a sentence. */
type UnsupportedPart = { kind: string; part: string };

function partOf(kind: string): UnsupportedPart {
  const article = kind.startsWith('o') ? 'an' : 'a';
  return { kind, part: `${article} ${kind.replaceAll('_', ' ')}` };
}

function textSlots(template: FillableTemplate): Slot[] {
  const header =
    headerFormat(template) === 'TEXT' ? placeholders(componentOf(template, 'HEADER')?.text) : [];
  const body = placeholders(componentOf(template, 'BODY')?.text);
  const named = isNamed(template);
  const names = named ? [...new Set([...header, ...body])] : [];
  const numberOf = (placeholder: string) =>
    named ? names.indexOf(placeholder) + 1 : Number(placeholder);
  const ordered = named ? body : [...body].sort((a, b) => Number(a) - Number(b));

  let next = 1 + (named ? names.length : Math.max(0, ...body.map(Number)));
  const ownOr = (shared: number[]) => [...new Set([next++, ...shared])];

  return [
    ...header.map((placeholder): Slot => {
      const fields = named ? [numberOf(placeholder)] : ownOr([1]);
      return { place: 'header', placeholder, fields };
    }),
    ...ordered.map((placeholder): Slot => {
      return { place: 'body', placeholder, fields: [numberOf(placeholder)] };
    }),
    ...buttonsOf(template).flatMap((button, index): Slot[] => {
      const type = button.type.toUpperCase();
      const [placeholder] = type === 'URL' ? placeholders(button.url) : [];
      if (placeholder) {
        const fields = ownOr([1]);
        return [{ place: 'button', placeholder, fields, button: { index, kind: 'url' } }];
      }
      if (type !== 'COPY_CODE') return [];
      const own = { index, kind: 'copy_code' } as const;
      return [{ place: 'button', placeholder: 'code', fields: ownOr([]), button: own }];
    }),
  ];
}

/**
 * The slots of an authentication template. The network writes its text, and some lists do not
 * include it.
 */
function codeSlots(template: FillableTemplate): Slot[] {
  const index = buttonsOf(template).findIndex(({ type }) => /^(OTP|URL)$/i.test(type));
  const body: Slot = { place: 'body', placeholder: '1', fields: [1] };
  if (index < 0) return [body];
  return [body, { ...body, place: 'button', button: { index, kind: 'url' } }];
}
