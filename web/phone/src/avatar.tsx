const tints = 8;

/** Initials on a colour. The same seed always has the same colour. */
export function Avatar({ name, seed = name }: { name: string; seed?: string }) {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const initials = (words.length > 0 ? words : [...seed.slice(-2)])
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, 2);
  let tint = 0;
  for (const letter of seed) tint = (tint * 31 + (letter.codePointAt(0) ?? 0)) % tints;
  return (
    <span
      aria-hidden
      className={`avatar tint-${tint} grid size-11 shrink-0 place-items-center rounded-[0.9rem] text-sm font-semibold tracking-wide text-white`}
    >
      {initials.join('').toUpperCase()}
    </span>
  );
}
