import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The longest timeout or wait that a setting accepts. */
export const maxWaitMs = 600_000;

/** Describes a setting: its variable, its default as in the environment, its documentation, and its parser. */
export function setting<Value>(
  variable: string,
  fallback: string,
  documentation: string,
  parse: (value: string) => Value,
) {
  return { variable, fallback, documentation, parse };
}
