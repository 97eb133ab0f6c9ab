import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A clone of github.com/standard-webhooks/standard-webhooks, which contains the libraries. */
const clone = process.env.STANDARD_WEBHOOKS ?? '';
const library = 'the library: set STANDARD_WEBHOOKS to a clone of standard-webhooks';

export type Program = {
  name: string;
  /** By name: the guide's code with another port, and the parts that the guide leaves to its reader. */
  files(port: number): Promise<Record<string, string>>;
  build?: string[];
  run(port: number): string[];
  environment?: Record<string, string>;
  /** A command that succeeds if the program can run, and what is missing if it fails. */
  needs: { command: string[]; missing: string };
};

/** Every receiver in the guide, as a program that writes the events that it accepts to `stored`. */
export const programs: Program[] = [
  {
    name: 'Express with the library',
    files: async (port) => ({ 'receiver.mts': onPort(port, await shown('js', 0), storing.ts) }),
    run: () => [process.execPath, 'receiver.mts'],
    needs: { command: [process.execPath, '-e', "require.resolve('express')"], missing: 'express' },
  },
  {
    name: 'Fastify with the library',
    files: async (port) => ({ 'receiver.mts': onPort(port, await shown('js', 1), storing.ts) }),
    run: () => [process.execPath, 'receiver.mts'],
    needs: { command: [process.execPath, '--version'], missing: 'Node.js' },
  },
  {
    name: 'TypeScript with the library',
    files: async (port) => ({ 'receiver.ts': onPort(port, await shown('ts', 0), storing.ts) }),
    run: () => [process.execPath, 'receiver.ts'],
    needs: { command: [process.execPath, '--version'], missing: 'Node.js' },
  },
  {
    name: 'Python with the library',
    files: async () => ({ 'receiver.py': (await shown('python', 0)) + storing.python }),
    run: (port) => ['python3', '-m', 'flask', '--app', 'receiver', 'run', '--port', `${port}`],
    environment: { PYTHONPATH: join(clone, 'libraries/python') },
    needs: {
      command: ['python3', '-c', 'import flask, standardwebhooks'],
      missing: `python3, flask or ${library}`,
    },
  },
  {
    name: 'Python without a library',
    files: async (port) => ({
      'receiver.py': onPort(port, await shown('python', 1), storing.python, await around('py')),
    }),
    run: () => ['python3', 'receiver.py'],
    needs: { command: ['python3', '--version'], missing: 'python3' },
  },
  {
    name: 'PHP with the library',
    files: async () => ({
      'receiver.php': (await shown('php', 0)) + storing.php,
      'vendor/autoload.php': `<?php spl_autoload_register(fn ($name) => include '${clone}/libraries/php/src/'
        . str_replace(['StandardWebhooks\\\\', '\\\\'], ['', '/'], $name) . '.php');`,
    }),
    run: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    needs: {
      command: ['php', '-r', `(include '${clone}/libraries/php/src/Webhook.php') or exit(1);`],
      missing: `php or ${library}`,
    },
  },
  {
    name: 'PHP without a library',
    files: async () => ({
      'receiver.php': `<?php\n${await shown('php', 1)}${await around('php')}${storing.php}`,
    }),
    run: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
    needs: { command: ['php', '--version'], missing: 'php' },
  },
  {
    name: 'Go with the library',
    files: async (port) => ({
      'receiver.go': onPort(port, await shown('go', 0)),
      'store.go': storing.go,
      'go.mod': `module receiver\n\ngo 1.18\n\nrequire ${goModule} v1.0.0\n\nreplace ${goModule} => ${clone}/libraries\n`,
    }),
    build: ['go', 'build', '-mod=mod', '-o', 'receiver', '.'],
    run: () => ['./receiver'],
    needs: {
      command: ['go', 'vet', `${clone}/libraries/go/webhook.go`],
      missing: `go from 1.21 up, or ${library}`,
    },
  },
  {
    name: 'Go without a library',
    files: async (port) => ({
      'verify.go': `package main\n\n${await shown('go', 1)}`,
      'main.go': onPort(port, await around('go')),
      'store.go': storing.go,
      'go.mod': 'module receiver\n\ngo 1.18\n',
    }),
    build: ['go', 'build', '-o', 'receiver', '.'],
    run: () => ['./receiver'],
    needs: { command: ['go', 'version'], missing: 'go' },
  },
];

const goModule = 'github.com/standard-webhooks/standard-webhooks/libraries';

/** The part that the guide leaves to its reader: it appends a line to the file `stored` for each event. */
const storing = {
  ts: `
    import { appendFileSync } from 'node:fs';
    async function store(id: string, event: unknown) {
      appendFileSync('stored', id + ' ' + JSON.stringify(event) + '\\n');
    }`,
  python: `
def store(id, event):
    import json
    with open("stored", "a") as file:
        file.write(id + " " + json.dumps(event) + "\\n")
`,
  php: `
function store($id, $event) {
    file_put_contents('stored', $id . ' ' . json_encode($event) . "\\n", FILE_APPEND);
}`,
  go: `package main

import "os"

func store(id string, body []byte) {
	file, err := os.OpenFile("stored", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	file.WriteString(id + " " + string(body) + "\\n")
}
`,
};

function onPort(port: number, ...parts: string[]): string {
  return parts.join('\n').replace('3000', String(port));
}

/** Reads the guide's code blocks in one language: with the library and, if there is one, without. */
async function shown(language: string, index: number): Promise<string> {
  const guide = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(
    ([, name]) => name === language,
  );
  return blocks[index]![2]!;
}

function around(ending: string): Promise<string> {
  return readFile(join(import.meta.dirname, `around.${ending}`), 'utf8');
}
