import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const headerBytes = 12;
const ipv4 = 1;
/** Until it is asked again, in seconds: each new connection looks up its host. */
const keptFor = 0;

/**
 * Starts a name server on port 53 of the loopback address. Every name is 127.0.0.1, and has no other address. The form
 * of the messages is that of RFC 1035, section 4.
 */
export async function startNameServer(): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const question = query.subarray(headerBytes, endOfQuestion(query));
    const isKnown = question.readUInt16BE(question.length - 4) === ipv4;
    const header = Buffer.from(query.subarray(0, headerBytes));
    // A response without an error, to one question. Further parts of the query are not repeated.
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(isKnown ? 1 : 0, 6);
    header.fill(0, 8);
    const answer = Buffer.from([
      0xc0,
      headerBytes,
      0,
      ipv4,
      0,
      1,
      0,
      0,
      0,
      keptFor,
      0,
      4,
      127,
      0,
      0,
      1,
    ]);
    socket.send(Buffer.concat([header, question, ...(isKnown ? [answer] : [])]), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
}

/** The name is labels with their lengths, ended by an empty one; type and class follow. */
function endOfQuestion(query: Buffer): number {
  let at = headerBytes;
  while (query[at]) at += query[at]! + 1;
  return at + 5;
}
