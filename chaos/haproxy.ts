import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts HAProxy, which must be on the path.
 *
 * @param folder for its configuration and its socket
 * @param sections the frontends and backends
 */
export async function startHaproxy(folder: string, sections: string) {
  const file = join(folder, 'haproxy.cfg');
  const socketPath = join(folder, 'haproxy.sock');
  await writeFile(file, `global\n  stats socket ${socketPath} level admin\n${sections}`);
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  process.once('exit', () => haproxy.kill());
  // It listens everywhere before its socket appears.
  while (!(await stat(socketPath).catch(() => undefined))) await sleep(50);
  return {
    /** Names the servers of a backend that are up. */
    async serversUp(backend: string): Promise<string[]> {
      const socket = connect(socketPath).on('error', () => {});
      socket.end('show stat\n');
      const lines = (await text(socket).catch(() => '')).split('\n');
      const isServer = new RegExp(`^${backend},(?!FRONTEND|BACKEND)[^,]*,.*,UP,`);
      return lines.filter((line) => isServer.test(line)).map((line) => line.split(',')[1]!);
    },
    async stop(): Promise<void> {
      haproxy.kill();
      await once(haproxy, 'exit');
    },
  };
}

/** The sections that spread requests over the processes of Parley that are ready. */
export function parleySections(front: number, ports: number[]): string {
  const servers = ports
    .map((port, place) => `  server parley${place + 1} 127.0.0.1:${port}`)
    .join('\n');
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  # A process on a busy machine may be slow without being down.
  timeout check 3s
  retries 0
frontend front
  bind 127.0.0.1:${front}
  # While no process is ready, as without a database, clients get the errors of Parley and not those of HAProxy.
  use_backend unready if { nbsrv(parley) eq 0 }
  default_backend parley
backend unready
  http-request set-header X-Forwarded-Proto https
  http-request set-header X-Forwarded-For %[src]
${servers}
backend parley
  option httpchk
  http-check send meth GET uri /readyz hdr X-Forwarded-Proto https
  http-request set-header X-Forwarded-Proto https
  http-request set-header X-Forwarded-For %[src]
  default-server check inter 500ms fall 2 rise 2
${servers}
`;
}
