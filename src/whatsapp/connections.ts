import { Agent, buildConnector, type Dispatcher } from 'undici';
import { OutboundFailure } from '../platform/outbound/outbound-failure.ts';
import { feedParser, onread } from '../platform/outbound/responses/feed-parser.ts';
import { measureResponse } from '../platform/outbound/responses/measure-response.ts';
import { parserHeaderBytes } from '../platform/outbound/responses/response-limits.ts';
import { createSharedLookup } from '../platform/shared-lookup.ts';
import { type SilenceWatch, watchSilence } from './watch-silence.ts';

/** How long the network may take to show that it is there. */
const probeTimeoutMs = 2_000;

const lookup = createSharedLookup();

/** Connects to the network, also while the name servers do not respond, if its host was found before. */
export function connectorOf(timeoutMs: number): buildConnector.connector {
  return buildConnector({
    allowH2: false,
    timeout: Math.min(timeoutMs, 10_000),
    onread,
    lookup,
  });
}

/**
 * Holds the connections to the network, which are given up when it goes silent.
 *
 * @param timeoutMs how long a call may take as a whole
 */
export function createConnections(timeoutMs: number) {
  const connect = connectorOf(timeoutMs);
  const probes = new Set<Dispatcher>();
  const agents = new Set<Agent>();
  let agent = openAgent();
  /** By origin. There is one network, and the simulator in a demo. */
  const watches = new Map<string, SilenceWatch>();

  function openAgent(): Agent {
    const opened = new Agent({
      connections: 256,
      allowH2: false, // HTTP/2 responses would bypass the parser and its limits
      connect: feedParser(connect),
      maxHeaderSize: parserHeaderBytes,
      // Each call has its own time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    agents.add(opened);
    return opened;
  }

  /** The calls that are under way end on the old connections. */
  function replaceAgent(): void {
    const old = agent;
    agent = openAgent();
    void old.close().finally(() => agents.delete(old));
  }

  /** Whether a host responds in any way, also with an error. */
  async function responds(origin: string): Promise<boolean> {
    const limits = { connect, clients: probes, timeoutMs: probeTimeoutMs, enough: () => 0 };
    return measureResponse(new URL(origin), limits).then(() => true, isHeard);
  }

  return {
    /** Returns the watch of a host, which every call goes through. */
    watchOf(origin: string): SilenceWatch {
      const watch = watches.get(origin) ?? watchSilence(() => responds(origin), replaceAgent);
      watches.set(origin, watch);
      return watch;
    },

    agent: () => agent,

    async close(): Promise<void> {
      for (const watch of watches.values()) watch.close();
      await Promise.all([...agents, ...probes].map((each) => each.destroy()));
    },
  };
}

/** Whether a failed call shows that the host is there: only silence does not. */
export function isHeard(error: unknown): boolean {
  return !(error instanceof OutboundFailure) || !['timeout', 'dns'].includes(error.kind);
}
