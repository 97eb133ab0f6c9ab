import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span } from '@opentelemetry/api';
import { noTracing, type SpanOptions, type Tracing } from './tracing.ts';

/** How long ended spans wait for others, so that they leave together. */
const sendEveryMs = 1_000;
const timeoutMs = 5_000;
/** Spans that wait for a collector; further ones are dropped, because a send must not wait for it. */
const maxWaiting = 4_096;

/**
 * Sends traces to an OpenTelemetry collector by OTLP over HTTP. The libraries are loaded only then. They read the
 * headers for the collector from `OTEL_EXPORTER_OTLP_HEADERS`.
 *
 * @param options.url the base address of the collector; empty for no traces
 * @param options.percent how many of 100 traces are kept, where the caller has not decided
 */
export async function openTracing({
  url,
  percent,
  version,
}: {
  url: string;
  percent: number;
  version: string;
}): Promise<Tracing> {
  if (!url) return noTracing;
  const [api, { parseTraceParent }, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: timeoutMs });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'parley',
      'service.version': version,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: timeoutMs,
        maxQueueSize: maxWaiting,
      }),
    ],
  });
  const tracer = provider.getTracer('parley', version);
  const current = new AsyncLocalStorage<Context>();
  const kinds = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
    consumer: api.SpanKind.CONSUMER,
  };

  function start(name: string, { kind, attributes = {} }: SpanOptions, parent: Context): Span {
    return tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
  }

  return {
    isOn: true,

    span(name, options, work, attributesOf) {
      const parent = current.getStore() ?? api.ROOT_CONTEXT;
      const span = start(name, options, parent);
      return current.run(api.trace.setSpan(parent, span), async () => {
        try {
          const result = await work();
          if (attributesOf) span.setAttributes(attributesOf(result));
          return result;
        } catch (error) {
          // Not its message, which may quote what people wrote.
          span.setAttribute('error.type', (error as Error)?.name ?? 'unknown');
          span.setStatus({ code: api.SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },

    begin(name, options, parent) {
      const caller = parent === undefined ? null : parseTraceParent(parent);
      const outer = caller
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...caller, isRemote: true })
        : api.ROOT_CONTEXT;
      const span = start(name, options, outer);
      const inner = api.trace.setSpan(outer, span);
      return {
        run: (work) => current.run(inner, work),
        end({ name: finalName, attributes, isFailure }) {
          span.updateName(finalName);
          span.setAttributes(attributes);
          if (isFailure) span.setStatus({ code: api.SpanStatusCode.ERROR });
          span.end();
        },
      };
    },

    // The collector may be away, which must not hold up a stop.
    close: () => provider.shutdown().catch(() => {}),
  };
}
