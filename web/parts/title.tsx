import { createContext, useContext } from 'react';

/** A count of new things, which the titles of the pages below it begin with; empty if there are none. */
export const TitleCount = createContext('');

/** Names the browser's tab after the page. React puts it before the title of the served page, so it counts. */
export function Title({ children }: { children: string }) {
  const count = useContext(TitleCount);
  return <title>{`${count && `(${count}) `}${children} · Parley`}</title>;
}
