import type { FastifyContextConfig } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the parameter for the `*` at the end of the path. */
    wildcard?: string;
  }
}

/** Converts the path of a route to OpenAPI's form, such as `/api/{tenant}/messages/{message_id}`. */
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
