import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TemplateData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { nameOf, useNumbers } from '../numbers/use-numbers.ts';
import { templatesQuery } from './queries.ts';

/** The templates of a number's account, by default of the default number. */
export function useTemplates(number?: number) {
  const { api } = useTenant();
  return useQuery({ ...templatesQuery(api, number), staleTime: 15_000 });
}

/** A WhatsApp account of the tenant. */
export type Account = {
  /** One of its numbers, for `useTemplates`; undefined for the account of the default number. */
  number: number | undefined;
  /** The names of all of its numbers. */
  names: string[];
};

/** The WhatsApp accounts to which the tenant's numbers belong, that of the default number first. */
export function useAccounts(): Account[] {
  const numbers = useNumbers().data?.numbers ?? [];
  const accounts = Map.groupBy(numbers, (each) => each.business_account_id);
  return [...accounts.values()]
    .map((each) => ({
      number: each.some((number) => number.default) ? undefined : each[0]!.id,
      names: each.map(nameOf),
    }))
    .sort((one, other) => Number(other.number === undefined) - Number(one.number === undefined));
}

/** The templates of all accounts that can go out now, each once. Undefined until all are loaded. */
export function useSendableTemplates(): TemplateData[] | undefined {
  const { api } = useTenant();
  const queries = useQueryClient();
  const accounts = useAccounts().map(({ number }) => number);
  const { data } = useQuery({
    queryKey: [...api.key('/template-overview'), 'all', accounts],
    queryFn: async () => {
      const found = await Promise.all(
        accounts.map((number) =>
          queries.fetchQuery({ ...templatesQuery(api, number), staleTime: 15_000 }),
        ),
      );
      const all = sendable(found.flatMap(({ templates }) => templates));
      return [...new Map(all.map((each) => [`${each.name} ${each.language}`, each])).values()];
    },
    staleTime: 15_000,
  });
  return data;
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

/** The URL of the button that ends with a field and with nothing else of the template; undefined if there is none. */
export function buttonUrlOf(template: TemplateData, number: number): string | undefined {
  const [slot, ...others] = template.slots.filter(({ fields }) => fields[0] === number);
  if (slot?.button?.kind !== 'url' || others.length > 0) return undefined;
  const buttons = template.components.flatMap((each) => each.buttons ?? []);
  return buttons[slot.button.index]?.url;
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
