import { type ForkedProgram, forkProgram } from './fork-program.ts';

/** Starts the whole service in its own process. It reports the URL of its listener, with TLS. */
export function forkService(environment: Record<string, string>): ForkedProgram<{ url: string }> {
  return forkProgram(new URL('service-main.ts', import.meta.url), {
    environment: { PARLEY_PORT: '0', ...environment },
  });
}
