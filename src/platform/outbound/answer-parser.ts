import type { AnswerHead } from './answer-head.ts';
import { OutboundFailure } from './outbound-failure.ts';

export type AnswerParser = {
  /** Takes the first `length` bytes, which are free again after; true once nothing more is wanted. */
  take(buffer: Buffer, length: number): boolean;
  /** The connection has ended. Throws OutboundFailure when the answer was not at its end. */
  end(): void;
  /** Absent until it has come whole. */
  head(): AnswerHead | undefined;
  /** Of the body, so far. */
  bytes(): number;
};

/** More than any server sends; Node's own limit is 16 KiB. */
const mostHeadBytes = 64 * 1024;
const mostLineBytes = 1_024;

/**
 * Reads an answer of HTTP/1.1 (RFC 9112) for its head and for how long its body is. It keeps nothing
 * of the body and copies nothing of it, which a parser that hands the body on must.
 *
 * @param enough after how many bytes of the body no more is wanted, by what the head says
 */
export function createAnswerParser(enough: (head: AnswerHead) => number): AnswerParser {
  let text = '';
  let head: AnswerHead | undefined;
  let body: Body | undefined;
  let most = 0;
  let done = false;

  return {
    take(buffer, length) {
      let at = 0;
      while (!head && at < length) at = takeHead(buffer, at, length);
      if (head && body) {
        body.take(buffer, at, length);
        done ||= body.ended || body.bytes >= most;
      }
      return done;
    },
    end() {
      if (done) return;
      if (!head || !body?.endsWithConnection) throw brokenOff(head?.status);
      done = true;
    },
    head: () => head,
    bytes: () => body?.bytes ?? 0,
  };

  /** @returns where what follows the head begins; the end while it is not whole */
  function takeHead(buffer: Buffer, from: number, to: number): number {
    const before = text.length;
    text += buffer.toString('latin1', from, to);
    const at = text.indexOf('\r\n\r\n');
    if (at < 0) {
      if (text.length > mostHeadBytes) throw notHttp('the head is too long');
      return to;
    }
    const read = readHead(text.slice(0, at));
    const rest = from + at + 4 - before;
    text = '';
    // 100 Continue and 103 Early Hints come before the answer itself.
    if (read.status >= 100 && read.status < 200 && read.status !== 101) return rest;
    head = read;
    body = bodyOf(read);
    most = enough(read);
    return rest;
  }
}

type Body = {
  bytes: number;
  ended: boolean;
  /** Its end is the end of the connection, for want of another sign. */
  endsWithConnection: boolean;
  /** Takes the bytes from `at` up to `to`. */
  take(buffer: Buffer, at: number, to: number): void;
};

function readHead(text: string): AnswerHead {
  const [first, ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})( |$)/.exec(first!)?.[1];
  if (!status) throw notHttp('it does not begin as an answer');
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (!name) throw notHttp('a header cannot be read');
    const lower = name.toLowerCase();
    headers[lower] = lower in headers ? `${headers[lower]}, ${value}` : value!;
  }
  return { status: Number(status), headers };
}

function bodyOf({ status, headers }: AnswerHead): Body {
  const length = headers['content-length'];
  const coding = headers['transfer-encoding'];
  if (status === 204 || status === 304) return bodyOfLength(0);
  if (coding !== undefined) {
    if (length !== undefined) throw notHttp('it has a length and is chunked');
    if (coding.toLowerCase() !== 'chunked') throw notHttp('its transfer coding is not known');
    return chunkedBody();
  }
  if (length === undefined) return bodyOfLength(Number.POSITIVE_INFINITY);
  if (!/^\d{1,16}$/.test(length)) throw notHttp('its length cannot be read');
  return bodyOfLength(Number(length));
}

function bodyOfLength(length: number): Body {
  return {
    bytes: 0,
    ended: length === 0,
    endsWithConnection: length === Number.POSITIVE_INFINITY,
    take(_buffer, at, to) {
      this.bytes = Math.min(length, this.bytes + to - at);
      this.ended = this.bytes === length;
    },
  };
}

function chunkedBody(): Body {
  let line = '';
  let left = 0;
  let place: 'size' | 'data' | 'after data' | 'trailers' = 'size';

  function endOfLine(): void {
    if (place === 'trailers') return;
    if (place === 'after data') {
      if (line !== '') throw notHttp('a chunk is longer than it says');
      place = 'size';
      return;
    }
    const size = /^([0-9a-f]{1,12})[ \t]*(;.*)?$/i.exec(line)?.[1];
    if (!size) throw notHttp('the size of a chunk cannot be read');
    left = Number.parseInt(size, 16);
    place = left === 0 ? 'trailers' : 'data';
  }

  return {
    bytes: 0,
    ended: false,
    endsWithConnection: false,
    take(buffer, from, to) {
      let at = from;
      while (at < to && !this.ended) {
        if (place === 'data') {
          const taken = Math.min(left, to - at);
          this.bytes += taken;
          left -= taken;
          at += taken;
          if (left === 0) place = 'after data';
          continue;
        }
        // Behind `to` may be what an earlier read left there.
        const found = buffer.indexOf(10, at);
        const end = found < 0 || found >= to ? to : found;
        line += buffer.toString('latin1', at, end);
        if (line.length > mostLineBytes) throw notHttp('a line is too long');
        if (end === to) return;
        at = end + 1;
        if (!line.endsWith('\r')) throw notHttp('a line does not end as it must');
        line = line.slice(0, -1);
        this.ended = place === 'trailers' && line === '';
        endOfLine();
        line = '';
      }
    },
  };
}

function notHttp(detail: string): OutboundFailure {
  return new OutboundFailure('protocol', `The exchange was not valid HTTP (${detail}).`);
}

function brokenOff(status: number | undefined): OutboundFailure {
  return new OutboundFailure('connection', 'The host broke the connection off.', { status });
}
