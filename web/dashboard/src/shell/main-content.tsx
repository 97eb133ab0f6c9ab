import { createContext, type HTMLAttributes, useContext } from 'react';

const IsInsideContext = createContext(false);

/** The landmark of the main content. Inside another one it is none: the shell has one around its pages. */
export function MainContent(props: HTMLAttributes<HTMLElement>) {
  if (useContext(IsInsideContext)) return <div {...props} />;
  return (
    <IsInsideContext value={true}>
      <main {...props} />
    </IsInsideContext>
  );
}
