/** The name of a person, if there is one, and the phone or user id. */
export function Person({ name, identity }: { name: string | null; identity: string }) {
  if (!name || name === identity) return <span className="figures font-medium">{identity}</span>;
  return (
    <span className="min-w-0 wrap-anywhere">
      <bdi className="font-medium">{name}</bdi>{' '}
      <span className="figures text-sm text-muted">{identity}</span>
    </span>
  );
}
