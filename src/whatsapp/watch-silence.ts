import { setTimeout as sleep } from 'node:timers/promises';

/** After this time without any response, the network is asked whether it is there. */
const suspiciousMs = 5_000;
const askAgainMs = 1_000;
/** How long a call waits for a silent network. */
const maxWaitMs = 2_000;

export type SilenceWatch = ReturnType<typeof watchSilence>;

/**
 * Notices that a host has stopped to respond, as when packets are dropped on the way. Without this, every call
 * would wait for its whole time limit, and a send that had left would be of unknown outcome. Calls that are under
 * way go on, but later ones end before anything is sent, until the host responds again.
 *
 * @param probe asks the host for any response, on a connection of its own
 * @param onSilent called when the silence begins: open connections cannot be relied on
 */
export function watchSilence(probe: () => Promise<boolean>, onSilent: () => void) {
  let underWay = 0;
  let quietSince = 0;
  let isWatching = false;
  let closed = false;
  let silence: PromiseWithResolvers<void> | undefined;

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (underWay > 0 && !closed) {
      await pause(Math.max(0, suspiciousMs - quietForMs()));
      if (underWay === 0 || quietForMs() < suspiciousMs) continue;
      if (await probe()) quietSince = performance.now();
      else await waitForEnd();
    }
    isWatching = false;
  }

  async function waitForEnd(): Promise<void> {
    silence = Promise.withResolvers();
    onSilent();
    do await pause(askAgainMs);
    while (!closed && !(await probe()));
    quietSince = performance.now();
    silence.resolve();
    silence = undefined;
  }

  const quietForMs = () => performance.now() - quietSince;

  return {
    /** Waits for the end of the silence, if there is one. Resolves with false if it lasts too long. */
    async mayCall(): Promise<boolean> {
      if (!silence) return true;
      const ended = silence.promise.then(() => true);
      return Promise.race([ended, pause(maxWaitMs).then(() => false)]);
    },

    /**
     * Records that a call begins.
     *
     * @returns records its end, and whether anything was heard from the host
     */
    begin(): (heard: boolean) => void {
      if (underWay++ === 0) {
        quietSince = performance.now();
        void watch();
      }
      return (heard) => {
        underWay--;
        if (heard) quietSince = performance.now();
      };
    },

    close(): void {
      closed = true;
    },
  };
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
