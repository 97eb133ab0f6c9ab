import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';

/*
 * Runs the unpacked image as a container with any user would run: its program is process 1, the root is read-only,
 * and user and group are numbers without a name. Arguments: the folder of the root, and what `buildah inspect` says.
 */
const [root = '', inspected = ''] = process.argv.slice(2);

type ImageConfig = {
  Env: string[];
  WorkingDir: string;
  Entrypoint: string[];
  Cmd: string[];
  Healthcheck: { Test: string[] };
};
const { config: image } = JSON.parse(readFileSync(inspected, 'utf8')).Docker as {
  config: ImageConfig;
};

const maxMegabytes = 250;
const id = 20_000 + Math.floor(Math.random() * 40_000);
const dataDir = mkdtempSync(join(tmpdir(), 'parley-data-'));
// As the image has it.
chmodSync(dataDir, 0o1777);
const [port, simulatorPort] = [await freePort(), await freePort()];

const running: ChildProcess[] = [];
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const bytes = Number(execFileSync('du', ['-sb', root], { encoding: 'utf8' }).split('\t')[0]);
console.log(`The root has ${Math.round(bytes / 1e6)} MB.`);
assert(bytes < maxMegabytes * 1e6, `more than ${maxMegabytes} MB`);

// The first start creates the database. The demo has the simulator, so that a message can be sent.
const demo = await start(['demo', '--json']);
const { api, token } = JSON.parse(await demo.firstLine) as { api: string; token: string };
await isHealthy();
const ca = readFileSync(join(dataDir, 'tls/authority.pem'));
const response = await fetch(`${api}/messages/template`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    phone_number: '+14155550123',
    template_name: 'hello_world',
    template_language: 'en_US',
  }),
  dispatcher: new Agent({ connect: { ca } }),
});
assert.equal(response.status, 200, await response.text());
await demo.stop();
console.log(`A message was sent by user ${id}, process 1 of a read-only root.`);

// The same data again, as in production, with the operator's command beside it.
const service = await start(['serve', '--json']);
await service.firstLine;
await isHealthy();
const listed = await runToEnd(['/opt/parley/bin/parley', 'tenant', 'list', '--json']);
assert.match(listed, /"demo"/);
await service.stop();
await assert.rejects(isHealthy(1));

const written = execFileSync('find', [root, '-newer', inspected], { encoding: 'utf8' });
assert.equal(written, '', 'something was written outside of the data folder');
const foreign = readdirSync(dataDir, { recursive: true, withFileTypes: true }).length;
console.log(`Stopped with status 0. ${foreign} files in the data folder, none elsewhere.`);

/** Starts the entrypoint of the image with a command. */
async function start(command: string[]) {
  const child = spawn('setpriv', inContainer([...image.Entrypoint, ...command], ['--as-pid-1']), {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  running.push(child);
  const exited = once(child, 'exit');
  const status = JSON.parse(await readLine(child.stdio[3] as NodeJS.ReadableStream));
  const firstLine = readLine(child.stdout!);
  return {
    firstLine: Promise.race([
      firstLine,
      exited.then(([code]) => {
        throw new Error(`the container ended with ${code}`);
      }),
    ]),
    async stop() {
      process.kill(status['child-pid'], 'SIGTERM');
      const [code] = await exited;
      assert.equal(code, 0, 'the container did not stop with status 0');
    },
  };
}

/** Runs a command in another container of the image on the same data and network. */
async function runToEnd(command: string[]): Promise<string> {
  const child = spawn('setpriv', inContainer(command), {
    stdio: ['ignore', 'pipe', 'inherit', 'ignore'],
  });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0, `${command.join(' ')} ended with ${code}`);
  return output;
}

async function isHealthy(attempts = 60): Promise<void> {
  const [kind, ...test] = image.Healthcheck.Test;
  assert.equal(kind, 'CMD');
  for (let attempt = 1; ; attempt++) {
    try {
      await runToEnd(test);
      return;
    } catch (error) {
      if (attempt >= attempts) throw error;
      await sleep(500);
    }
  }
}

/** The arguments of setpriv that run a command in the container. */
function inContainer(command: string[], options: string[] = []): string[] {
  const env = [
    ...image.Env,
    `PARLEY_PORT=${port}`,
    `PARLEY_SIMULATOR_PORT=${simulatorPort}`,
    'PARLEY_DRAIN_MS=0',
  ];
  return [
    ...[`--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--no-new-privs'],
    ...['bwrap', '--unshare-pid', '--unshare-ipc', '--die-with-parent', ...options],
    ...(options.length > 0 ? ['--json-status-fd', '3'] : []),
    ...['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--bind', dataDir, '/var/lib/parley'],
    ...['--clearenv', '--chdir', image.WorkingDir],
    ...env.flatMap((each) => {
      const at = each.indexOf('=');
      return ['--setenv', each.slice(0, at), each.slice(at + 1)];
    }),
    '--',
    ...command,
  ];
}

async function readLine(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  return new Promise((resolve) => {
    stream.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: found } = server.address() as { port: number };
  server.close();
  return found;
}
