import type { FieldErrors } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { cutText } from '../platform/values/texts/cut-text.ts';
import type { TemplatePart } from '../whatsapp/client.ts';
import { buttonsOf, componentOf, fillText, headerFormat } from './components.ts';
import { type FillableTemplate, isNamed, readSlots, type Slot } from './read-slots.ts';
import type { ShownTemplate } from './shown-template.ts';
import {
  fieldOf,
  headerFaults,
  slotFaults,
  surplusFaults,
  type TemplateValues,
} from './value-faults.ts';

export type FilledTemplate = { parts: TemplatePart[]; shown: ShownTemplate };

const mask = '••••••';

/**
 * Fills a template with the values of a send, for the network and for our conversation.
 *
 * @returns the errors by field if values are missing, not accepted, or not used by the template
 */
export function fillTemplate(
  template: FillableTemplate,
  values: TemplateValues,
): { filled: FilledTemplate } | { errors: FieldErrors } {
  const slots = readSlots(template);
  const fields = new Map(values.fields);
  const slotErrors = slotFaults(template, slots, fields);
  const errors = {
    ...slotErrors,
    ...surplusFaults(template, slots, values),
    ...headerFaults(template, values),
  };
  // The length of the text is known only if each placeholder has a value.
  if (Object.keys(slotErrors).length > 0) return { errors };
  const fill = () => {
    const given = new Map(slots.map((slot) => [slot, fields.get(fieldOf(slot, fields))!]));
    const shown = show(template, slots, given, values);
    return { given, shown, excess: excessOf(shown, slots, fields) };
  };
  let { given, shown, excess } = fill();
  while (excess && values.cutToFit && cutField(fields, excess)) {
    ({ given, shown, excess } = fill());
  }
  if (excess) Object.assign(errors, lengthFault(excess));
  if (Object.keys(errors).length > 0) return { errors };
  return { filled: { parts: partsOf(template, slots, given, values), shown } };
}

function partsOf(
  template: FillableTemplate,
  slots: Slot[],
  given: Map<Slot, string>,
  { headerMediaUrl, headerMediaId, headerFilename }: TemplateValues,
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
  const file = headerMediaId ? { id: headerMediaId } : headerMediaUrl && { link: headerMediaUrl };
  if (file && format) {
    const filename = headerFilename && { filename: headerFilename };
    const media = { type: format, [format]: { ...file, ...filename } };
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
  for (const [index, { type }] of buttonsOf(template).entries()) {
    // The network refuses a template with 131009 if such a button is not named.
    if (type.toUpperCase() !== 'FLOW') continue;
    parts.push({ type: 'button', sub_type: 'flow', index: String(index) });
  }
  return parts;
}

function show(
  template: FillableTemplate,
  slots: Slot[],
  given: Map<Slot, string>,
  { headerMediaUrl, headerMediaId, headerFilename }: TemplateValues,
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
    // The URL of a code button is internal to the network and useless to a reader.
    ...(url && !isCode && { url: fill('button', url, index) }),
  }));
  const { name, language, category } = template;
  const defaultBody = isCode ? '*{{1}}* is your verification code.' : '';
  return {
    template: { name, language, category },
    ...(format && {
      header: {
        format,
        ...(headerMediaId
          ? { media_id: headerMediaId }
          : headerMediaUrl
            ? { media_url: headerMediaUrl }
            : { text: fill('header', header?.text ?? '') }),
        ...(headerFilename && { filename: headerFilename }),
      },
    }),
    body: fill('body', componentOf(template, 'BODY')?.text ?? defaultBody),
    ...(footer && { footer }),
    ...(buttons.length > 0 && { buttons }),
  };
}

/** A text that is too long, and the field with its longest value, which is the one to shorten. */
type Excess = { place: 'body' | 'header'; field: number; characters: number };

const maxLengths = { body: 1_024, header: 60 };

function excessOf(
  shown: ShownTemplate,
  slots: Slot[],
  fields: ReadonlyMap<number, string>,
): Excess | undefined {
  const lengths = { body: shown.body.length, header: shown.header?.text?.length ?? 0 };
  const place = (['body', 'header'] as const).find((each) => lengths[each] > maxLengths[each]);
  const lengthOf = (field: number) => fields.get(field)!.length;
  const [longest] = slots
    .filter((slot) => slot.place === place)
    .map((slot) => fieldOf(slot, fields))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
  if (!place || longest === undefined) return undefined;
  return { place, field: longest, characters: lengths[place] - maxLengths[place] };
}

/** @returns false if the value is too short to be cut */
function cutField(fields: Map<number, string>, { field, characters }: Excess): boolean {
  const value = fields.get(field)!;
  if (value.length < 3) return false;
  fields.set(field, cutText(value, Math.max(2, value.length - characters)));
  return true;
}

function lengthFault({ place, field }: Excess): FieldErrors {
  return {
    [`field_${field}`]: [
      fault('makes_too_long', 'makes the {place} longer than {max} characters', {
        place,
        max: maxLengths[place],
      }),
    ],
  };
}
