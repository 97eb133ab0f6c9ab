import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** HAProxy responds at once. A socket that accepts and stays silent belongs to a process that hangs. */
const maxWaitMs = 10_000;

/**
 * Sends a command to the socket of a running HAProxy.
 *
 * @param socket a path, or `host:port`
 * @returns its response
 */
export async function sendHaproxyCommand(socket: string, command: string): Promise<string> {
  const [host, port] = socket.split(':');
  const connection = port === undefined ? connect(socket) : connect(Number(port), host);
  connection.setTimeout(maxWaitMs, () =>
    connection.destroy(new Error(`HAProxy does not respond at ${socket}.`)),
  );
  connection.end(`${command}\n`);
  return (await text(connection)).trim();
}
