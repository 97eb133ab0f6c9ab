/** The search parameters of the templates page. */
export type TemplateSearch = { q?: string | undefined; approved?: true | undefined };

/** Omitted parameters are set to undefined, because the router would keep them. */
export function readTemplateSearch({ q, approved }: Record<string, unknown>): TemplateSearch {
  return {
    // The router may have parsed a text as a number.
    q: q === undefined || q === '' ? undefined : String(q).slice(0, 255),
    approved: approved === true ? true : undefined,
  };
}
