import type { FastifyRequest } from 'fastify';

/** Whether a send is only checked: nothing is sent, stored, or counted as sent. */
export function isDryRun({ routeOptions, body }: FastifyRequest): boolean {
  if (!routeOptions.config.sends) return false;
  return (body as { dry_run?: unknown } | undefined)?.dry_run === true;
}
