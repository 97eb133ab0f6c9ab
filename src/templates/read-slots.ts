import {
  buttonsOf,
  componentOf,
  headerFormat,
  placeholders,
  type TemplateComponent,
} from './components.ts';

/** A template as far as filling it needs to know. */
export type FillableTemplate = {
  name: string;
  language: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: TemplateComponent[];
};

/** One place of a template that wants a value. */
export type Slot = {
  place: 'header' | 'body' | 'button';
  /** What stands between the braces. */
  placeholder: string;
  /** The numbers N of the `field_N` that can fill it; the first one given does. */
  fields: number[];
  /** Of the button, from 0. */
  button?: { index: number; kind: 'url' | 'copy_code' };
};

/**
 * The places of a template that want a value, in the order the network wants them, and which
 * `field_N` fills each:
 *
 * - `{{N}}` of the body takes field_N.
 * - A named placeholder takes the number of its first appearance, header before body.
 * - `{{1}}` in the header or in a button's address takes the next number after the body's where
 *   that is given, so that it can differ from the body's `{{1}}`; else field_1.
 * - The code of an authentication template is field_1, in the body and in the button.
 */
export function readSlots(template: FillableTemplate): Slot[] {
  return template.category === 'AUTHENTICATION' ? codeSlots(template) : textSlots(template);
}

/** Whether the network wants the names of the placeholders, which some lists call positional. */
export function isNamed(template: FillableTemplate): boolean {
  if (template.category === 'AUTHENTICATION') return false;
  const texts = [componentOf(template, 'HEADER')?.text, componentOf(template, 'BODY')?.text];
  return (
    template.parameter_format === 'NAMED' ||
    texts.some((text) => placeholders(text).some((placeholder) => !/^\d+$/.test(placeholder)))
  );
}

/** The parts of a template that this API has no field for. */
export function unsupportedPart(template: FillableTemplate): string | undefined {
  const format = headerFormat(template);
  if (format && !['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'].includes(format)) {
    return `a ${format.toLowerCase()} header`;
  }
  const part = ['CAROUSEL', 'LIMITED_TIME_OFFER'].find((type) => componentOf(template, type));
  return part && `a ${part.toLowerCase().replaceAll('_', ' ')}`;
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

/** The network writes the text of these itself, and some lists leave it out. */
function codeSlots(template: FillableTemplate): Slot[] {
  const index = buttonsOf(template).findIndex(({ type }) => /^(OTP|URL)$/i.test(type));
  const body: Slot = { place: 'body', placeholder: '1', fields: [1] };
  if (index < 0) return [body];
  return [body, { ...body, place: 'button', button: { index, kind: 'url' } }];
}
