import { Badge } from './badge.tsx';

export const tones = (
  <p className="flex flex-wrap gap-2">
    <Badge>Neutral</Badge>
    <Badge tone="good">Delivered</Badge>
    <Badge tone="warn">Waiting</Badge>
    <Badge tone="bad">Failed</Badge>
    <Badge tone="accent">You</Badge>
  </p>
);
