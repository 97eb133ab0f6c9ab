export type LiveListener = {
  /** Whether news come by themselves at the moment. */
  onOpen: (isOpen: boolean) => void;
  /** Phones whose conversations changed; empty when nobody knows which. */
  onChange: (phones: string[]) => void;
};

/** So long without a stream before it is said that news do not come by themselves. */
const withoutStreamMs = 4_000;
const openAgainMs = 10_000;

/** Streams end every minute and are opened again; what came between them is asked for once more. */
export function listenLive(address: string, { onOpen, onChange }: LiveListener): () => void {
  let source: EventSource;
  let closed: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  function open() {
    source = new EventSource(address);
    source.onopen = () => {
      clearTimeout(closed);
      closed = undefined;
      onOpen(true);
      onChange([]);
    };
    source.onmessage = (event) => onChange(JSON.parse(event.data).phones);
    source.onerror = () => {
      closed ??= setTimeout(() => onOpen(false), withoutStreamMs);
      // A browser does not try again by itself after an answer that is no stream, such as a proxy's.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, openAgainMs);
    };
  }

  open();
  return () => {
    clearTimeout(closed);
    clearTimeout(again);
    source.close();
  };
}
