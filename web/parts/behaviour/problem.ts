import { common } from '../../texts/common.ts';

/** A request that failed, with a message for a person, and sentences about single fields of a form. */
export class Problem extends Error {
  readonly status: number;
  readonly errors: Record<string, string[]>;
  /** The machine-readable code of the error. */
  readonly code: string | undefined;

  constructor(
    status: number,
    message: string,
    errors: Record<string, string[]> = {},
    code?: string,
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.code = code;
  }
}

/** Something got no response. */
export class Unreachable extends Problem {
  constructor(cause: unknown) {
    super(0, common('unreachable'));
    this.cause = cause;
  }
}
