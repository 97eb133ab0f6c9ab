import { encode } from 'uqr';

/** Modules of white around the code, without which many cameras do not find it. */
const quiet = 4;

/** A text as a QR code, dark on white also where the page is dark: many readers know no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const side = size + 2 * quiet;
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x + quiet} ${y + quiet}h1v1h-1z` : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className="w-52 max-w-full justify-self-center rounded-lg border border-line"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
