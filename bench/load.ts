import autocannon from 'autocannon';

/**
 * The load generator, a process of its own: sends the requests of `BENCH_LOAD` in rotation over so
 * many connections for so many seconds, and reports what came back.
 */
const { url, connections, seconds, requests } = JSON.parse(process.env.BENCH_LOAD!) as {
  url: string;
  connections: number;
  seconds: number;
  requests: object[];
};

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  requests,
  tlsOptions: { rejectUnauthorized: false },
} as autocannon.Options);
process.send?.({
  requests: result['2xx'],
  failures: result.non2xx + result.errors,
  seconds: result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
});
