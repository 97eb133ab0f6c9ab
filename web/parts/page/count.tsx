const max = 99;

/** A count of new things in a few characters. */
export function shortCount(count: number): string {
  return count > max ? `${max}+` : String(count);
}

/** A count of new things, with words for screen readers. */
export function Count({ count, words }: { count: number; words?: string }) {
  return (
    <span className="figures shrink-0 rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent">
      <span aria-hidden>{shortCount(count)}</span>
      {words && <span className="sr-only">{words}</span>}
    </span>
  );
}
