import { createContext, useContext } from 'react';

/** Answers a message with one of its buttons or rows. Undefined if nobody can answer here. */
type Choose = ((key: string) => void) | undefined;

const Choosing = createContext<Choose>(undefined);

export const ChoosingProvider = Choosing.Provider;

export function useChoose(): Choose {
  return useContext(Choosing);
}
