/** The attributes of a span: ids, kinds and counts. Never phones, addresses, texts or secrets. */
export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  kind: 'server' | 'client' | 'internal' | 'consumer';
  attributes?: SpanAttributes;
};

/** Measures steps of work as spans of OpenTelemetry traces. */
export type Tracing = {
  isOn: boolean;
  /**
   * Runs work as a span. Spans that it starts meanwhile become its children. An error marks the span as failed and
   * is passed on.
   *
   * @param attributesOf describes the result
   */
  span<Result>(
    name: string,
    options: SpanOptions,
    work: () => Promise<Result>,
    attributesOf?: (result: Result) => SpanAttributes,
  ): Promise<Result>;
  /**
   * Begins a span that ends with a later call, such as a request. Spans that `run` starts become its children.
   *
   * @param parent the header `traceparent` of a trusted caller
   */
  begin(
    name: string,
    options: SpanOptions,
    parent?: string,
  ): {
    run(work: () => void): void;
    end(result: { name: string; attributes: SpanAttributes; isFailure: boolean }): void;
  };
  /** Sends the spans that have ended, and stops. */
  close(): Promise<void>;
};

/** Without a collector, work runs as it is. */
export const noTracing: Tracing = {
  isOn: false,
  span: (_name, _options, work) => work(),
  begin: () => ({ run: (work) => work(), end() {} }),
  async close() {},
};
