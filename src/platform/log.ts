import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON line per entry, on standard error, so that a command's standard output stays its own.
 * Header and body never reach it: what is logged of a request is its method, path and outcome.
 */
export function createLog(level: string, to: DestinationStream = destination(2)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: { paths: ['*.authorization', '*.accessToken', '*.appSecret'], censor: '[hidden]' },
    },
    to,
  );
}

type DescribedError = {
  type: string;
  message: string;
  code?: unknown;
  stack?: string;
  cause?: unknown;
};

/**
 * What of an error may be logged: by name, because drivers hang whole connections, and rows with
 * customers' data (PostgreSQL's `detail`), on theirs.
 */
function describeError(error: unknown): DescribedError | object | string {
  if (!(error instanceof Error)) return isObject(error) ? numbersOf(error) : String(error);
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;

/** Of what another service answered: its sentences may repeat a secret or a customer's data. */
function numbersOf(answer: object): object {
  const { status, code, subcode } = answer as Record<string, unknown>;
  const numbers = Object.entries({ status, code, subcode });
  return Object.fromEntries(numbers.filter(([, value]) => typeof value === 'number'));
}
