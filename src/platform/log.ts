import { destination, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON line per entry, on standard error, so that a command's standard output stays its own.
 * Header and body never reach it: what is logged of a request is its method, path and outcome.
 */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.authorization', '*.accessToken', '*.appSecret'], censor: '[hidden]' },
    },
    destination(2),
  );
}
