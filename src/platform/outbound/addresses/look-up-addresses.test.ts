import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { lookUpAddresses } from './look-up-addresses.ts';

const closers: (() => unknown)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

test('localhost and addresses need no name server', async () => {
  const nobody = ['127.0.0.1:1'];
  expect(await lookUpAddresses('localhost', nobody)).toEqual(['127.0.0.1', '::1']);
  expect(await lookUpAddresses('hooks.LocalHost', nobody)).toEqual(['127.0.0.1', '::1']);
  expect(await lookUpAddresses('93.184.216.34', nobody)).toEqual(['93.184.216.34']);
  expect(await lookUpAddresses('2606:4700::1', nobody)).toEqual(['2606:4700::1']);
});

test('all addresses of both kinds are found, IPv4 first', async () => {
  const v6 = Buffer.from('20010db8000000000000000000000007', 'hex');
  const server = await nameServer((type) =>
    type === 1 ? [Buffer.from([192, 0, 2, 1]), Buffer.from([10, 0, 0, 1])] : [v6],
  );
  const found = await lookUpAddresses('hooks.example', [server]);
  expect(found.slice(0, 2).sort()).toEqual(['10.0.0.1', '192.0.2.1']);
  expect(found.slice(2)).toEqual(['2001:db8::7']);
});

test('one kind of address is enough', async () => {
  const server = await nameServer((type) => (type === 1 ? [Buffer.from([192, 0, 2, 1])] : []));
  expect(await lookUpAddresses('hooks.example', [server])).toEqual(['192.0.2.1']);
});

test('failing name servers are reported, and the system is not asked instead', async () => {
  const server = await nameServer(() => 'failure');
  await expect(lookUpAddresses('localhost.example', [server])).rejects.toMatchObject({
    kind: 'dns',
    message: 'The name servers did not respond for localhost.example.',
  });
});

/** Runs a name server that answers every question by its type (1: IPv4, 28: IPv6). RFC 1035, 4.1. */
async function nameServer(answer: (type: number) => Buffer[] | 'failure'): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const nameEnd = query.indexOf(0, 12) + 1;
    const type = query.readUInt16BE(nameEnd);
    const result = answer(type);
    const addresses = result === 'failure' ? [] : result;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(result === 'failure' ? 0x8182 : 0x8180, 2);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    const records = addresses.map((bytes) => {
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
      return Buffer.concat([record, bytes]);
    });
    const question = query.subarray(12, nameEnd + 4);
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.push(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
