import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

/** Compiles the catalogues of texts in the build, so that browsers need no parser of ICU MessageFormat (10 kB). */
export function compileTexts(): Plugin {
  return {
    name: 'compile-texts',
    enforce: 'pre',
    transform: {
      filter: { id: /\/texts\/[\w-]+\/[\w-]+\.json$/ },
      handler: (catalogue) => ({
        code: JSON.stringify(compiled(JSON.parse(catalogue))),
        map: null,
      }),
    },
  };
}

function compiled(texts: unknown): unknown {
  if (typeof texts === 'string') return compile(texts);
  return Object.fromEntries(
    Object.entries(texts as object).map(([key, text]) => [key, compiled(text)]),
  );
}
