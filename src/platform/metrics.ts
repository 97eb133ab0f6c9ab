import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Seconds, from a quick response of our own to the timeout of a webhook receiver. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/**
 * Creates the Prometheus metrics of this process. No label holds a tenant, phone or address: metrics must not
 * reveal anybody's business, and the number of series stays small.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const metrics = {
    registry,
    httpRequests: new Histogram({
      name: 'parley_http_request_duration_seconds',
      help: 'Time from an HTTP request to its response, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers,
    }),
    httpErrors: new Counter({
      name: 'parley_http_errors_total',
      help: 'Responses with 5xx, by the code of the error.',
      labelNames: ['code'],
      registers,
    }),
    httpLimited: new Counter({
      name: 'parley_http_limited_total',
      help: 'Responses with 429, by the reason.',
      labelNames: ['reason'],
      registers,
    }),
    connections: new Gauge({
      name: 'parley_connections',
      help: 'Open client connections, including those still in the TLS handshake.',
      registers,
    }),
    refusedConnections: new Counter({
      name: 'parley_connections_refused_total',
      help: 'Connections refused because too many were open: in total, or from one address.',
      labelNames: ['limit'],
      registers,
    }),
    sends: new Histogram({
      name: 'parley_network_send_duration_seconds',
      help: 'Time the network took to respond to a send, by outcome: accepted, refused, busy, unreachable or unknown.',
      labelNames: ['outcome'],
      buckets,
      registers,
    }),
    statusReports: new Counter({
      name: 'parley_status_reports_total',
      help: 'Reports of the network about sent messages, by status: sent, delivered, read or failed.',
      labelNames: ['status'],
      registers,
    }),
    inboundMessages: new Counter({
      name: 'parley_inbound_messages_total',
      help: 'Messages of people that arrived and were stored.',
      registers,
    }),
    lostReports: new Counter({
      name: 'parley_lost_reports_total',
      help: 'Messages and statuses of numbers that their tenant has not connected, which are lost.',
      registers,
    }),
    deliveryAttempts: new Histogram({
      name: 'parley_delivery_attempt_duration_seconds',
      help: 'Time of a webhook delivery attempt, by outcome: delivered or failed.',
      labelNames: ['outcome'],
      buckets,
      registers,
    }),
    droppedEvents: new Counter({
      name: 'parley_webhook_events_dropped_total',
      help: 'contact.read events dropped because the quota of their tenant was full.',
      registers,
    }),
    rejectedEvents: new Counter({
      name: 'parley_events_rejected_total',
      help: 'Events that could not be published and are kept in the table rejected_events.',
      registers,
    }),
    storeEvents: new Counter({
      name: 'parley_store_events_total',
      help: 'Attempts to process store events, by outcome: done, nothing_to_do, skipped, failed or retried.',
      labelNames: ['outcome'],
      registers,
    }),
    keptFiles: new Counter({
      name: 'parley_kept_files_total',
      help: 'Attempts to keep inbound files, by outcome: kept, gone, unwanted, full, unavailable or failed.',
      labelNames: ['outcome'],
      registers,
    }),
    abandonedSends: new Counter({
      name: 'parley_abandoned_sends_total',
      help: 'Sends of processes that died before they stored the outcome, which is unknown.',
      registers,
    }),
    certificateExpiry: new Gauge({
      name: 'parley_certificate_expiry_timestamp_seconds',
      help: 'When the certificate of the listener ends. Absent in a process without one.',
      registers,
    }),
    workerRuns: new Gauge({
      name: 'parley_worker_last_success_timestamp_seconds',
      help: 'When a background job last succeeded; before that, when it began.',
      labelNames: ['worker'],
      registers,
    }),
    workerFailures: new Counter({
      name: 'parley_worker_failures_total',
      help: 'Failed runs of background jobs, except while the database is lost. The log has the reasons.',
      labelNames: ['worker'],
      registers,
    }),
  };
  beginAtZero(metrics);
  // A gauge begins at 0, which would be a certificate that ended in 1970.
  metrics.certificateExpiry.remove();
  return metrics;
}

/**
 * Creates the series whose labels are known. Prometheus sees no increase in a series that begins with its first
 * event, so the first one would cause no alert.
 */
function beginAtZero({
  sends,
  statusReports,
  deliveryAttempts,
  refusedConnections,
  storeEvents,
  keptFiles,
}: {
  sends: Histogram;
  statusReports: Counter;
  deliveryAttempts: Histogram;
  refusedConnections: Counter;
  storeEvents: Counter;
  keptFiles: Counter;
}): void {
  for (const outcome of ['accepted', 'refused', 'busy', 'unreachable', 'unknown']) {
    sends.zero({ outcome });
  }
  for (const status of ['sent', 'delivered', 'read', 'failed']) statusReports.inc({ status }, 0);
  for (const outcome of ['delivered', 'failed']) deliveryAttempts.zero({ outcome });
  for (const limit of ['total', 'address']) refusedConnections.inc({ limit }, 0);
  for (const outcome of ['done', 'nothing_to_do', 'skipped', 'failed', 'retried']) {
    storeEvents.inc({ outcome }, 0);
  }
  for (const outcome of ['kept', 'gone', 'unwanted', 'full', 'unavailable', 'failed']) {
    keptFiles.inc({ outcome }, 0);
  }
}
