import { Count } from './count.tsx';

export const counts = (
  <p className="flex gap-2">
    <Count count={1} words="1 unread message" />
    <Count count={42} words="42 unread messages" />
    <Count count={100} words="100 unread messages" />
  </p>
);
