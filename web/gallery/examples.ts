import type { ReactElement } from 'react';

/** The examples of a file `*.examples.tsx`. Each of its exports is an element, named by what it shows. */
export type ExampleFile = { name: string; examples: { name: string; element: ReactElement }[] };

const modules = import.meta.glob<Record<string, ReactElement>>(
  ['../parts/**/*.examples.tsx', '../message/*.examples.tsx', '../dashboard/src/**/*.examples.tsx'],
  { eager: true },
);

export const exampleFiles: ExampleFile[] = Object.entries(modules).map(([path, exported]) => ({
  name: path.replace(/^..\/(dashboard\/src\/features\/)?/, '').replace('.examples.tsx', ''),
  examples: Object.entries(exported).map(([name, element]) => ({ name: inWords(name), element })),
}));

/** `withAHint` as `With a hint`. */
function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
