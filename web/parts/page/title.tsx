import { createContext, useContext } from 'react';

/** The count of new things at the start of the titles of the pages below it; empty if there are none. */
export const TitleCount = createContext('');

/** Names the browser's tab after the page. React puts it before the title of the served page, so it counts. */
export function Title({ children }: { children: string }) {
  const count = useContext(TitleCount);
  return <title>{`${count && `(${count}) `}${children} · Parley`}</title>;
}
