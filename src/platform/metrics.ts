import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** In seconds: from a quick answer of our own to a receiver that takes all the time it may. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/**
 * What this process counts for its operator, in Prometheus' terms. No label names a tenant, a phone or
 * an address: whoever may read metrics learns nothing of anybody's business, and the series stay few.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    httpRequests: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'Time until an HTTP request was answered, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers,
    }),
    connections: new Gauge({
      name: 'parley_connections',
      help: 'Connections of clients that are open, half TLS handshakes included.',
      registers,
    }),
    refusedConnections: new Counter({
      name: 'parley_connections_refused_total',
      help: 'Connections refused because too many were open: in total, or of one address.',
      labelNames: ['limit'],
      registers,
    }),
    sends: new Histogram({
      name: 'parley_network_send_duration_seconds',
      help: 'Time the network took to answer a send: accepted, refused, unreachable or unknown.',
      labelNames: ['outcome'],
      buckets,
      registers,
    }),
    deliveryAttempts: new Histogram({
      name: 'parley_delivery_attempt_duration_seconds',
      help: 'Time a try of a webhook delivery took: delivered or failed.',
      labelNames: ['outcome'],
      buckets,
      registers,
    }),
    droppedEvents: new Counter({
      name: 'parley_webhook_events_dropped_total',
      help: 'contact.read events that were dropped because the quota of their tenant was full.',
      registers,
    }),
    storeEvents: new Counter({
      name: 'parley_store_events_total',
      help: 'Store events by how a try of them ended: done, nothing_to_do, skipped, failed or retried.',
      labelNames: ['outcome'],
      registers,
    }),
    workerRuns: new Gauge({
      name: 'parley_worker_last_success_timestamp_seconds',
      help: 'When a background job last ended well.',
      labelNames: ['worker'],
      registers,
    }),
    workerFailures: new Counter({
      name: 'parley_worker_failures_total',
      help: 'Runs of background jobs that broke off; the log says why.',
      labelNames: ['worker'],
      registers,
    }),
  };
}
