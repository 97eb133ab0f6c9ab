import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerHead } from './answer-head.ts';
import { createAnswerParser } from './answer-parser.ts';

const all = () => Number.POSITIVE_INFINITY;

/** What is measured of an answer that comes in these pieces, and then ends. */
function measure(pieces: string[], enough: (head: AnswerHead) => number = all) {
  const answer = createAnswerParser(enough);
  // As reads do, each piece overwrites the one before and leaves the rest of it behind.
  const buffer = Buffer.alloc(200_000);
  for (const piece of pieces) {
    if (answer.take(buffer, buffer.write(piece, 'latin1'))) break;
  }
  answer.end();
  return { ...answer.head(), bytes: answer.bytes() };
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('the body of an answer is as long as', () => {
  test.each([
    ['its length says', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdefgh', 3],
    ['nothing, where there is none', 'HTTP/1.1 204 No Content\r\n\r\n', 0],
    [
      'its chunks, with what else is between them',
      `${chunked}3;x=1\r\nabc\r\n0A\r\n0123456789\r\n0\r\nx: y\r\n\r\n`,
      13,
    ],
    ['what comes until the connection ends', 'HTTP/1.0 200 OK\r\n\r\nabcd', 4],
    [
      'that of the answer after hints',
      `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200\r\ncontent-length: 1\r\n\r\na`,
      1,
    ],
  ])('%s', (_, text, bytes) => {
    expect(measure([text]).bytes).toBe(bytes);
    expect(measure([...text]).bytes).toBe(bytes);
  });
});

test('the head is read with its names in lower case and what is said twice together', () => {
  const text = 'HTTP/1.1 301 Moved\r\nLocation:  /a b \r\nVia: x\r\nVIA: y\r\n\r\n';
  expect(measure([text], () => 0)).toEqual({
    status: 301,
    headers: expect.objectContaining({ location: '/a b', via: 'x, y' }),
    bytes: 0,
  });
});

test.each([
  ['SSH-2.0-OpenSSH\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nno header\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n'],
  [`${chunked}x\r\n`],
  [`${chunked}3\r\nabcd\r\n`],
  [`${chunked}${'1'.repeat(2_000)}`],
  [`HTTP/1.1 200 OK\r\na: ${'x'.repeat(70_000)}`],
])('%j is not HTTP', (text) => {
  expect(() => measure([text])).toThrow(/not valid HTTP/);
});

test.each([
  ['HTTP/1.1 200 OK\r\n'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab'],
  [`${chunked}3\r\nab`],
  [`${chunked}3\r\nabc\r\n0\r\n`],
])('%j was broken off', (text) => {
  expect(() => measure([text])).toThrow(/broke the connection off/);
});

test('no more is wanted than is enough', () => {
  const answer = createAnswerParser(() => 5);
  const take = (text: string) => answer.take(Buffer.from(text), text.length);
  expect(take(`${chunked}4\r\nabcd\r\n`)).toBe(false);
  expect(take('4\r\na')).toBe(true);
  expect(answer.bytes()).toBe(5);
});

test('wherever the pieces are cut, chunks are measured the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 50 }),
      (sizes, cuts) => {
        const body = sizes
          .map((size) => `${size.toString(16)}\r\n${'\r'.repeat(size)}\r\n`)
          .join('');
        const text = `${chunked}${body}0\r\n\r\n`;
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const length = cuts[turn % cuts.length]!;
          pieces.push(text.slice(at, at + length));
          at += length;
        }
        expect(measure(pieces).bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
      },
    ),
  );
});
