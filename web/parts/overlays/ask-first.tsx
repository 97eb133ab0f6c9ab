import { type ComponentProps, type ReactElement, useState } from 'react';
import { Confirm } from './dialog.tsx';

/**
 * Asks before it does something.
 *
 * @param children draws the button, which opens the question
 */
export function AskFirst({
  children: button,
  ...question
}: Omit<ComponentProps<typeof Confirm>, 'open' | 'onClose'> & {
  children: (ask: () => void) => ReactElement;
}) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {button(() => setAsking(true))}
      <Confirm {...question} open={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
