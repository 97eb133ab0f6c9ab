/**
 * Checks the alert rules and the Grafana dashboard: `promtool` (Debian: prometheus) must accept every expression, and
 * every metric of ours that they use must exist.
 *
 *     npm run check:monitoring
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const rules = join(root, 'packaging/prometheus/alerts.yml');
const promtool = (...args: string[]) => execFileSync('promtool', args, { stdio: 'inherit' });

promtool('check', 'rules', rules);
promtool('test', 'rules', join(root, 'packaging/prometheus/alerts.test.yml'));

const dashboard = JSON.parse(readFileSync(join(root, 'packaging/grafana/parley.json'), 'utf8'));
const expressions: string[] = dashboard.panels.flatMap(
  ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
);
const folder = mkdtempSync(join(tmpdir(), 'parley-promtool-'));
const asRules = expressions.map((expr, index) => ({
  record: `panel:${index}`,
  expr: expr.replaceAll('$__rate_interval', '5m'),
}));
const file = join(folder, 'dashboard.yml');
// JSON is YAML.
writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
promtool('check', 'rules', file);
rmSync(folder, { recursive: true });

const sources = ['platform/metrics.ts', 'metrics/observe-state.ts', 'metrics/observe-process.ts']
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
  .join('\n');
const used = new Set(
  `${readFileSync(rules, 'utf8')}\n${expressions.join('\n')}`.match(/\bparley_\w+/g),
);
const unknown = [...used].filter(
  (name) => !sources.includes(`'${name.replace(/_(count|bucket|sum)$/, '')}'`),
);
if (unknown.length > 0) throw new Error(`there is no metric ${unknown.join(', ')}`);
process.stdout.write(`${used.size} metrics are used, and all exist\n`);
