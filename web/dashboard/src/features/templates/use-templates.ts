import { useQuery } from '@tanstack/react-query';
import type { TemplateData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

/** The templates of a number's account, by default of the default number. */
export function useTemplates(number?: number) {
  const { api } = useTenant();
  return useQuery({
    ...api.asked('/template-overview', number === undefined ? {} : { query: { number } }),
    staleTime: 15_000,
  });
}

/** Those that can go out now. */
export function sendable(templates: TemplateData[]): TemplateData[] {
  return templates.filter((each) => each.status === 'APPROVED' && !each.cannot_send);
}

/** The numbers of the fields that a template wants, and what they stand for. */
export function fieldsOf(template: TemplateData): { number: number; name: string }[] {
  const fields = new Map<number, string>();
  for (const slot of template.slots) {
    const number = slot.fields[0];
    if (number && !fields.has(number)) fields.set(number, slot.placeholder);
  }
  return [...fields]
    .map(([number, name]) => ({ number, name }))
    .sort((a, b) => a.number - b.number);
}

/** The text of a part with the values that are known, the placeholders where they are not. */
export function fillPart(
  template: TemplateData,
  place: 'header' | 'body',
  text: string,
  values: Record<number, string>,
): string {
  return text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, placeholder: string) => {
    const slot = template.slots.find(
      (each) => each.place === place && each.placeholder === placeholder,
    );
    const number = slot?.fields.find((each) => values[each]);
    return number ? (values[number] ?? whole) : whole;
  });
}

/** Returns whether the header of a template is a file that is given when it is sent. */
export function hasMedia({ header_format: format }: TemplateData): boolean {
  return format === 'IMAGE' || format === 'VIDEO' || format === 'DOCUMENT';
}
