/** @param share how much is done, from 0 to 1 */
export function Progress({ label, share }: { label: string; share: number }) {
  const percent = Math.min(100, Math.floor(share * 100));
  return (
    <div>
      <progress className="sr-only" max={100} value={percent} aria-label={label} />
      <div
        className="h-2 overflow-hidden rounded-full bg-line forced-color-adjust-none"
        aria-hidden
      >
        <div
          className="h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  );
}
