/** How a series is filled. Two series differ in lightness or texture, for people who do not see their hues. */
export type Series = {
  key: string;
  label: string;
  /** A CSS color. */
  color: string;
  texture?: 'stripes' | 'dots';
};

/** The fill of a series: its color, or the texture with this id. */
export function fillOf({ key, color, texture }: Series, id: string): string {
  return texture ? `url(#${id}-${key})` : color;
}

/** The patterns of a chart or of its legend. Each is for the elements of one SVG. */
export function Patterns({ series, id }: { series: readonly Series[]; id: string }) {
  return (
    <defs>
      {series.map(
        ({ key, color, texture }) =>
          texture && (
            <pattern
              key={key}
              id={`${id}-${key}`}
              width={6}
              height={6}
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width={6} height={6} style={{ fill: color }} />
              {texture === 'stripes' ? (
                <rect width={2} height={6} style={{ fill: 'var(--surface)' }} />
              ) : (
                <circle cx={3} cy={3} r={1.4} style={{ fill: 'var(--surface)' }} />
              )}
            </pattern>
          ),
      )}
    </defs>
  );
}

/** A square in the fill of a series. */
export function Swatch({ series, id }: { series: Series; id: string }) {
  const own = `${id}-swatch`;
  return (
    <svg className="size-2.5 shrink-0 rounded-sm forced-color-adjust-none" aria-hidden>
      <Patterns series={[series]} id={own} />
      <rect width="100%" height="100%" style={{ fill: fillOf(series, own) }} />
    </svg>
  );
}
