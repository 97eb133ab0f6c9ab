import { parseArgs } from 'node:util';
import { attackAll } from './attack-all.ts';
import { printReport, verdict } from './report.ts';

/** A run of 100,000 inputs takes about six minutes on two cores. */
const maxMs = 40 * 60_000;

/**
 * `npm run attack` starts the service and sends it hostile input, bounded and on loopback only. It exits with
 * 1 if anything was found.
 */
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
  },
});
const inputs = Number(values.inputs);
const seed = Number(values.seed);
if (!Number.isSafeInteger(inputs) || inputs < 100 || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    'Usage: npm run attack -- [--inputs N (from 100)] [--seed N] [--only NAME,…]\n',
  );
  process.exit(1);
}
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}
const limit = setTimeout(() => stop.abort(new Error('the attack took too long')), maxMs);
process.stdout.write(`Attacking with about ${inputs} inputs, seed ${seed}.\n`);
const result = await attackAll({
  inputs,
  seed,
  only: values.only?.split(','),
  signal: stop.signal,
  onProgress: (line) => process.stdout.write(`${line}\n`),
});
clearTimeout(limit);
printReport(result, process.stdout);
process.exitCode = verdict(result).length === 0 ? 0 : 1;
