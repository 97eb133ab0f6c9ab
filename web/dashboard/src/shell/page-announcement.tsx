import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isFocusLost } from '../../../parts/behaviour/is-focus-lost.ts';

/** Announces a page that is opened to screen readers, and gives it the focus if the pressed element is gone. */
export function PageAnnouncement() {
  const router = useRouter();
  const [heading, setHeading] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const content = document.querySelector<HTMLElement>('#content');
        setHeading(content?.querySelector('h1')?.textContent ?? '');
        if (isFocusLost()) content?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <p role="status" className="sr-only">
      {heading}
    </p>
  );
}
