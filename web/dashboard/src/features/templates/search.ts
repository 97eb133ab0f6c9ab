import { readText, readWhole } from '../../shell/read-search.ts';

/** The search parameters of the templates page. */
export type TemplateSearch = {
  /** Our id of a number: its account has the templates. Undefined for the default number. */
  number?: number | undefined;
  q?: string | undefined;
  approved?: true | undefined;
};

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readTemplateSearch({
  number,
  q,
  approved,
}: Record<string, unknown>): TemplateSearch {
  return {
    number: readWhole(number, 1),
    q: readText(q, 255),
    approved: approved === true ? true : undefined,
  };
}
