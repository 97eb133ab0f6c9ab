import type { FastifyContextConfig } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parameter that a `*` at the end of the path stands for. */
    wildcard?: string;
  }
}

/** The path of a route as the description writes it, such as `/api/{tenant}/messages/{message_id}`. */
export function describedPath({
  url = '',
  config,
}: {
  url?: string;
  config?: FastifyContextConfig;
}): string {
  return url
    .replace(/:(\w+)/g, (_, name) => `{${inSnakeCase(name)}}`)
    .replace(/\*$/, `{${config?.wildcard}}`);
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
