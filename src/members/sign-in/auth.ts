import type { openBetterAuth } from './open-better-auth.ts';

/** Returns better-auth. */
export type Auth = () => Promise<ReturnType<typeof openBetterAuth>>;

/** Loads better-auth with the first session: it is a third of the program, and a service may have no dashboard open. */
export function createAuth(services: Parameters<typeof openBetterAuth>[0]): Auth {
  let opened: ReturnType<Auth> | undefined;
  return () => {
    opened ??= import('./open-better-auth.ts').then(({ openBetterAuth }) =>
      openBetterAuth(services),
    );
    return opened;
  };
}
