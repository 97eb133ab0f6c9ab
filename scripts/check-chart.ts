/**
 * Checks the Helm chart: `helm` must accept it, what it renders must have the types of Kubernetes, and values that
 * make no sense must be refused.
 *
 *     npm run check:chart
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '..');
const chart = join(root, 'packaging/helm/parley');
const least = ['--set', 'baseUrl=https://parley.example.com,secretName=parley'];
const most = [
  ...least,
  ...['--set', 'tlsSecretName=tls,filesConfigMapName=files,metrics.enabled=true'],
  ...['--set', 'ingress.enabled=true,ingress.host=parley.example.com,ingress.className=nginx'],
  ...[
    '--set',
    'ingress.tlsSecretName=tls,trustedProxies={10.0.0.0/8},image.pullSecrets={registry}',
  ],
  ...['--set-string', 'settings.PARLEY_MESSAGE_RETENTION_DAYS=1000000'],
  ...['--set', 'mediaBucket.url=https://files.example.com/parley'],
];
const refused = [
  ['--set', 'secretName=parley'],
  ['--set', 'baseUrl=https://parley.example.com'],
  [...least, '--set', 'replicas=0'],
  [...least, '--set', 'ingress.enabled=true'],
  [...least, '--set', 'replicaCount=2'],
  [...least, '--set-string', 'settings.PARLEY_PORT=443'],
  [...least, '--set-string', 'settings.DATABASE_URL=postgres://'],
  [...least, '--set-string', 'settings.PARLEY_MEDIA_BUCKET_SECRET=secret'],
  [...least, '--set', 'mediaBucket.url=files.example.com'],
];

execFileSync('helm', ['lint', '--strict', '--quiet', chart, ...least], { stdio: 'inherit' });
const manifests = [least, most].flatMap((values) => render(values));
checkTypes(manifests);
checkBucket(manifests);
checkServiceLinks(manifests);
for (const values of refused) {
  const { status } = spawnSync('helm', ['template', 'parley', chart, ...values]);
  if (status === 0) throw new Error(`accepted: ${values.join(' ')}`);
}
process.stdout.write(
  `${manifests.length} manifests are right, and ${refused.length} mistakes are refused\n`,
);

type Manifest = { apiVersion: string; kind: string };
type PodSpec = { enableServiceLinks?: boolean; containers: { env: { name: string }[] }[] };
type Workload = { spec: { template: { spec: PodSpec } } };

function render(values: string[]): Manifest[] {
  const args = ['template', 'parley', chart, ...values];
  const documents = parseAllDocuments(execFileSync('helm', args, { encoding: 'utf8' }));
  return documents.map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS();
  });
}

function podsOf(all: Manifest[]): PodSpec[] {
  const workloads = all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  return workloads.map((workload) => (workload as Manifest & Workload).spec.template.spec);
}

/** Kubernetes would set PARLEY_PORT in every pod, to an address, if a service is called `parley`. */
function checkServiceLinks(all: Manifest[]): void {
  const links = podsOf(all).map((pod) => pod.enableServiceLinks);
  assert.deepEqual(links, [false, false, false, false]);
}

/** Every pod of the larger chart has the bucket, and none has its secret in clear text. */
function checkBucket(all: Manifest[]): void {
  const secrets = podsOf(all).map(({ containers }) =>
    containers[0]!.env.find(({ name }) => name === 'PARLEY_MEDIA_BUCKET_SECRET'),
  );
  const expected = {
    name: 'PARLEY_MEDIA_BUCKET_SECRET',
    valueFrom: { secretKeyRef: { name: 'parley', key: 'bucket-secret' } },
  };
  assert.deepEqual(secrets, [undefined, undefined, expected, expected]);
}

/** Unlike the schemas of Kubernetes, its types in TypeScript also refuse fields that do not exist. */
function checkTypes(all: Manifest[]): void {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'chart-'));
  const lines = all.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as Type${index} } from 'kubernetes-models/${manifest.apiVersion}';
export const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 2)};`,
  );
  const file = join(folder, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'];
  const types = ['--module', 'nodenext', '--types', ''];
  execFileSync('tsc', [...options, ...types, file], { stdio: 'inherit' });
  rmSync(folder, { recursive: true });
}
