import type { FastifyRequest, RequestPayload } from 'fastify';
import { type ApiError, badRequest } from '../../errors/api-error.ts';
import { fault } from '../../errors/fault.ts';

export type BodyReader = (
  request: FastifyRequest,
  payload: RequestPayload,
  done: (error: Error | null, body?: Buffer) => void,
) => void;

/**
 * What to do with a piece of a body: keep it, discard it, discard it and the rest as if the body were empty,
 * or refuse the request.
 */
export type Verdict = 'keep' | 'drop' | 'drop all' | ApiError;
export type PieceCheck = (bytes: number) => Verdict | Promise<Verdict>;

/** Each piece costs half a kilobyte besides its bytes, so this many are copied into one. */
const piecesTogether = 64;
/** A body in more pieces than this must have at least `minPieceBytes` in each, on average. */
const maxTinyPieces = 4_096;
const minPieceBytes = 32;

/**
 * Reads a whole body into memory, as Fastify does with `parseAs`, and uses little more memory than its bytes,
 * however small the pieces are in which it arrives.
 *
 * @param check decides about each piece before it is kept; reading waits for it
 */
export function readBody(
  request: FastifyRequest,
  payload: RequestPayload,
  maxBytes: number,
  done: (error: Error | null, body?: Buffer) => void,
  check?: PieceCheck,
): void {
  const gathered: Buffer[] = [];
  let latest: Buffer[] = [];
  let bytes = 0;
  let pieces = 0;

  function onData(piece: Buffer): void {
    bytes += piece.length;
    pieces += 1;
    const verdict = problemSoFar() ?? check?.(piece.length) ?? 'keep';
    if (verdict instanceof Promise) {
      payload.pause();
      verdict.then((found) => apply(found, piece), refuse).finally(() => payload.resume());
    } else apply(verdict, piece);
  }

  function problemSoFar(): ApiError | undefined {
    if (bytes > maxBytes) return tooLong(maxBytes);
    const isCrumbled = pieces > maxTinyPieces && bytes < pieces * minPieceBytes;
    return isCrumbled
      ? badRequest(fault('tiny_pieces', 'The body arrives in pieces that are too small.'))
      : undefined;
  }

  function apply(verdict: Verdict, piece: Buffer): void {
    if (verdict === 'keep') keep(piece);
    else if (verdict === 'drop all') finish(Buffer.alloc(0));
    else if (verdict !== 'drop') refuse(verdict);
  }

  function keep(piece: Buffer): void {
    latest.push(piece);
    if (latest.length < piecesTogether) return;
    gathered.push(Buffer.concat(latest));
    latest = [];
  }

  function onEnd(): void {
    finish(Buffer.concat([...gathered, ...latest]));
  }

  function finish(body: Buffer): void {
    stop();
    done(null, body);
  }

  function onError(error: Error): void {
    refuse(badRequest(fault('broke_off', 'The request broke off.'), error));
  }

  /** The rest of the body is discarded as it arrives, until the response is sent. */
  function refuse(error: Error): void {
    stop();
    done(error);
  }

  function stop(): void {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
  }

  if (Number(request.headers['content-length']) > maxBytes) done(tooLong(maxBytes));
  else payload.on('data', onData).on('end', onEnd).on('error', onError);
}

function tooLong(maxBytes: number): ApiError {
  const isMegabytes = maxBytes >= 1024 * 1024;
  const size = maxBytes / (isMegabytes ? 1024 * 1024 : 1024);
  const max = `${size.toLocaleString('en')} ${isMegabytes ? 'MB' : 'KB'}`;
  return badRequest(fault('body_too_long', 'The body is too long. The maximum is {max}.', { max }));
}
