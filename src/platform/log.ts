import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Creates a log of one JSON line per entry on standard error, so that standard output belongs to the
 * commands. Headers and bodies of requests are never logged, only method, path and outcome.
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
 * Picks the fields of an error that may be logged. Drivers attach whole connections and rows with customers'
 * data (PostgreSQL's `detail`) to their errors.
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

/**
 * Keeps only the numbers of another service's error, because its messages may repeat a secret or a customer's
 * data.
 */
function numbersOf(error: object): object {
  const { status, code, subcode } = error as Record<string, unknown>;
  const numbers = Object.entries({ status, code, subcode });
  return Object.fromEntries(numbers.filter(([, value]) => typeof value === 'number'));
}
