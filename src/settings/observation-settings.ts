import * as parse from './parse-setting.ts';
import { setting } from './setting.ts';

export const observationSettings = {
  metricsPort: setting(
    'PARLEY_METRICS_PORT',
    '',
    'TCP port of /metrics (Prometheus) and /health, in plain HTTP for your own machines; none if empty. Each further process uses the next port.',
    parse.portOrNone,
  ),
  metricsHost: setting(
    'PARLEY_METRICS_HOST',
    '127.0.0.1',
    'Address to listen on for PARLEY_METRICS_PORT; :: for every interface, IPv6 and IPv4.',
    parse.address,
  ),
  tracesUrl: setting(
    'PARLEY_TRACES_URL',
    '',
    'Base address of an OpenTelemetry collector that accepts OTLP over HTTP, such as http://127.0.0.1:4318; no traces if empty.',
    parse.urlOrNone,
  ),
  tracesPercent: setting(
    'PARLEY_TRACES_PERCENT',
    '100',
    'Percentage of traces that are kept.',
    parse.wholeNumber(1, 100),
  ),
  requestLog: setting(
    'PARLEY_REQUEST_LOG',
    'off',
    'Which requests are logged, one line each with id, route, status, duration and tenant: off, errors (5xx), all, or a share of them such as 1%, with all errors.',
    parse.requestLog,
  ),
  logLevel: setting(
    'PARLEY_LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug or trace.',
    parse.logLevel,
  ),
};
