/** Names the browser's tab after the page. React puts it before the title of the served page, so it counts. */
export function Title({ children }: { children: string }) {
  return <title>{`${children} · Parley`}</title>;
}
