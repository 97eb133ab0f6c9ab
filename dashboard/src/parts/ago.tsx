import { formatAgo, formatDateTime } from '../format.ts';

/** How long ago, with the exact time as its hint. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatAgo(at)}
    </time>
  );
}
