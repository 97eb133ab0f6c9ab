import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../src/cli/program.ts';
import { errorCodes } from '../src/platform/errors/api-error.ts';
import { eventually } from './checks/eventually.ts';
import { copyCluster } from './database/copy-cluster.ts';
import { createPlace, type Place, startService } from './program/start-service.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'clients/typescript/README.md',
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];

/** `parley noun verb ...`, possibly over several lines that end in a backslash. */
const commandPattern =
  /\bparley (?:tenant|token|member|message|number|template|bot|webhook|event|store|contact|cell) [a-z-]+(?:\\\n|[^`\n])*/g;

/** Reads the code blocks of a page in one language. */
async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, name]) => name === language)
    .map(([, , block]) => block!);
}

describe('the commands of a guide', () => {
  let place: Place;
  let environment: Record<string, string>;
  let stop = async () => {};
  beforeAll(async () => {
    place = await createPlace();
    await copyCluster(place.dataDir, 'migrated');
    const { printed, stop: stopService } = await startService(place, 'demo');
    await replyFromThePhone(place, printed.api!, printed.token!);
    environment = {
      ...place.environment,
      API: printed.api!,
      TOKEN: printed.token!,
      SIMULATOR: `${printed.simulator}/simulator`,
      CURL_CA_BUNDLE: printed.authority!,
    };
    stop = async () => {
      await stopService();
      await place.remove();
    };
  });
  afterAll(() => stop());

  test.each([
    'docs/first-message.md',
    'docs/one-time-passwords.md',
    'docs/reading-messages.md',
    'docs/simulated-network.md',
  ])('%s works from top to bottom', async (page) => {
    const script = (await blocksOf(page, 'sh')).join('\n');
    // As shown, except that an error response ends the script.
    const strict = script.replaceAll('curl ', 'curl --silent --show-error --fail-with-body ');
    const { stdout } = await promisify(execFile)('bash', ['-euc', strict], { env: environment });
    const successes = stdout.match(/"success":true/g) ?? [];
    const calls = script.match(/(?<!=\$\()curl "?\$API/g) ?? [];
    expect(successes.length).toBeGreaterThanOrEqual(calls.length);
  });

  test.for(['python', 'php'])('the program in %s works', async (language, { skip }) => {
    const run = promisify(execFile);
    const command = language === 'python' ? 'python3' : 'php';
    // A language that is not installed is reported as skipped, so that it does not look tested.
    const isInstalled = await run(command, ['--version']).catch(() => false);
    if (!isInstalled) return skip(`${command} is missing`);
    const folder = join(place.dataDir, `program-${language}`);
    await mkdir(folder);
    const [program] = await blocksOf('docs/other-languages.md', language);
    await writeFile(join(folder, 'program'), program!);
    await writeFile(join(folder, 'invoice.pdf'), '%PDF-1.4\n');
    const authority = environment.CURL_CA_BUNDLE!;
    const args = language === 'php' ? ['-d', `openssl.cafile=${authority}`] : [];
    const env = { ...environment, SSL_CERT_FILE: authority };
    const runProgram = async () => {
      const { stdout } = await run(command, [...args, 'program'], { cwd: folder, env });
      return stdout.trim().split('\n');
    };

    const first = await runProgram();
    expect(first.map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(['sent', 'uploaded', 'contact', 'event']),
    );
    expect(first).toContain('contact +14155550123');

    // The same key sends nothing again, and the stored cursor leads to new events only.
    await replyFromThePhone(place, environment.API!, environment.TOKEN!);
    const second = await runProgram();
    expect(second[0]).toBe(first[0]);
    const events = second.filter((line) => line.startsWith('event '));
    expect(events).not.toEqual([]);
    expect(first.filter((line) => events.includes(line))).toEqual([]);
  });
});

/** Replies from the simulated phone, as the first guide asks, which creates a contact. */
async function replyFromThePhone(place: Place, api: string, token: string): Promise<void> {
  const simulator = `http://127.0.0.1:${place.simulatorPort}/simulator`;
  const { numbers } = (await (await fetch(`${simulator}/phones`)).json()) as {
    numbers: { phone_number_id: string }[];
  };
  const { phone_number_id } = numbers[0]!;
  const reply = { phone_number_id, from: '14155550123', text: 'Hello' };
  const written = await fetch(`${simulator}/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reply),
  });
  expect(written.status).toBe(200);
  const created = `${api}/contacts?search=${encodeURIComponent('+14155550123')}`;
  const authorized = ['-s', created, '-H', `Authorization: Bearer ${token}`];
  await eventually(async () => {
    const { stdout } = await promisify(execFile)('curl', ['-k', ...authorized]);
    return JSON.parse(stdout).data.length === 1;
  });
}

test('the page of errors explains every code, and no other', async () => {
  const page = await readFile(join(root, 'docs/errors.md'), 'utf8');
  const explained = [...page.matchAll(/^\| [\d, ]+ \| `(\w+)` /gm)].map(([, code]) => code);
  expect(explained.sort()).toEqual(errorCodes.toSorted());
});

test('the page of alerts explains every alert, and no other, and each alert names its section', async () => {
  const page = await readFile(join(root, 'docs/alerts.md'), 'utf8');
  const text = await readFile(join(root, 'packaging/prometheus/alerts.yml'), 'utf8');
  type Rule = { alert: string; annotations: { runbook?: string } };
  const groups: { rules: Rule[] }[] = parse(text).groups;
  const alerts = groups.flatMap(({ rules }) => rules);
  const names = new Set(alerts.map(({ alert }) => alert));
  const explained = [...page.matchAll(/^## (Parley\w+)$/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual([...names].sort());
  for (const { alert, annotations } of alerts) {
    expect(annotations.runbook, alert).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
  }
});

test('the calls that replace those of other services exist', async () => {
  const page = await readFile(join(root, 'docs/moving-from-another-service.md'), 'utf8');
  const api = JSON.parse(await readFile(join(root, 'clients/openapi.json'), 'utf8'));
  const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '{}');
  const operations = Object.entries<object>(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${shapeOf(path.replace('/api/{tenant}', ''))}`,
    ),
  );
  const ours = [...page.matchAll(/^\|[^|]+\|([^|]+)\|$/gm)].flatMap(([, cell]) => [
    ...cell!.matchAll(/\b(GET|POST|PUT|DELETE) (\/[\w/{}-]*)/g),
  ]);
  expect(ours.length).toBeGreaterThan(20);
  for (const [call, method, path] of ours) {
    expect(operations, call).toContain(`${method} ${shapeOf(path!)}`);
  }
});

test('the move to another database has Parley stopped from the backup to the end of the restore', async () => {
  const moves = (await blocksOf('docs/operating.md', 'console')).filter((block) =>
    /move|pg_dump/.test(block),
  );
  const steps = ['systemctl stop', 'backup --to', 'restore --stopped', 'doctor', 'systemctl start'];
  expect(moves).toHaveLength(1);
  const places = steps.map((step) => moves[0]!.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('every command in the pages exists, with its options and all its arguments', async () => {
  const commands = new Set<string>();
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [command] of text.matchAll(commandPattern)) {
      commands.add(command.replaceAll('\\\n', ' '));
    }
  }
  expect(commands.size).toBeGreaterThan(20);
  const program = await createProgram();
  for (const command of commands) {
    const [, noun, verb, ...words] = command.match(/"[^"]*"|'[^']*'|[^\s;]+|;/g)!;
    const found = program.commands
      .find((each) => each.name() === noun)
      ?.commands.find((each) => each.name() === verb);
    expect(found, command).toBeDefined();
    const options = found!.options.map(({ long }) => long);
    for (const [, option] of words.join(' ').matchAll(/(?:^| )(--[a-z-]+)/g)) {
      expect(options, command).toContain(option);
    }
    // A command that is only named, as `parley number verify`, has none.
    const given = argumentsOf(found!, words);
    if (given.length === 0) continue;
    const { registeredArguments: known } = found!;
    const needed = known.filter(({ required }) => required);
    expect(given.length, command).toBeGreaterThanOrEqual(needed.length);
    const atMost = known.some(({ variadic }) => variadic) ? given.length : known.length;
    expect(given.length, command).toBeLessThanOrEqual(atMost);
  }
});

/** The words of a command that are neither options nor their values. */
function argumentsOf({ options }: Command, words: string[]): string[] {
  const end = words.findIndex((word) => /^[|<>&;#]/.test(word));
  const own = end === -1 ? words : words.slice(0, end);
  return own.filter((word, index) => {
    const before = options.find(({ long }) => long === own[index - 1]);
    return word !== '...' && !word.startsWith('--') && !before?.required && !before?.optional;
  });
}

/** Files and folders that a recipe creates. */
const created = /bigcommerce|send-location/;

test.each([
  ['ARCHITECTURE.md', 40],
  ['docs/how-to-add.md', 30],
])('every file and folder that %s names exists', async (page, atLeast) => {
  const text = await readFile(join(root, page), 'utf8');
  const top = 'bin migrations src clients web test bench attack chaos packaging scripts docs'.split(
    ' ',
  );
  const below = top.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((path) => `${folder}/${path}`),
  );
  const files = [...top, ...(await Promise.all(below)).flat()];
  const mapped = [...text.matchAll(/^((?:src|[a-z]+)\/[\w./-]*)(?= {2})/gm)];
  const inline = [...text.matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g)];
  const named = [...mapped, ...inline].map(([, path]) => path!.replace(/\/$/, ''));
  expect(named.length).toBeGreaterThan(atLeast);
  for (const path of named.filter((each) => !created.test(each))) {
    const found = files.some((each) => each === path || each.endsWith(`/${path}`));
    expect(found, path).toBe(true);
  }
});

describe('a page', () => {
  test.each(pages)('%s links only to existing pages and headings', async (page) => {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      const path = join(root, dirname(page), target!);
      await expect(
        readFile(path).catch(() => readdir(path)),
        target,
      ).resolves.toBeDefined();
    }
  });

  test.each(pages)('%s makes no file with secrets readable for all users', async (page) => {
    const text = await readFile(join(root, page), 'utf8');
    expect(text.match(/chmod \S*(?:644|[ao]\+r)\S* \S*\.(?:pem|env|key|yml)/g)).toBe(null);
  });

  test.each(pages)('%s names only existing settings', async (page) => {
    const known = await readFile(join(root, '.env.example'), 'utf8');
    const text = (await readFile(join(root, page), 'utf8')).replaceAll('PARLEY_*', '');
    for (const [name] of text.matchAll(/\bPARLEY_[A-Z_]+\b/g)) {
      // Names that the reader's own programs have in the examples.
      if (/^PARLEY_(URL|TENANT|TOKEN|WEBHOOK_SECRET)$/.test(name)) continue;
      expect(known, `${page}: ${name}`).toContain(`${name}=`);
    }
  });
});
