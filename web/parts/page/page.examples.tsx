import { Bot } from 'lucide-react';
import { Button } from '../buttons/button.tsx';
import { Card, EmptyState, Notice, Skeleton } from './page.tsx';

export const card = (
  <Card title="Webhook" intro="Where events are sent." actions={<Button small>Edit</Button>}>
    https://shop.example/events
  </Card>
);
export const notices = (
  <div className="grid gap-2">
    <Notice title="The window is open">Free text can be sent until 18:00.</Notice>
    <Notice tone="good" title="Connected" />
    <Notice tone="warn" title="Deliveries are failing" action={<Button small>Look</Button>}>
      The last 12 deliveries failed.
    </Notice>
    <Notice tone="bad" title="The token was rejected">
      Enter a new one.
    </Notice>
  </div>
);
export const empty = (
  <EmptyState icon={Bot} title="No bots yet" action={<Button look="primary">Add a bot</Button>}>
    A bot replies automatically to what customers write.
  </EmptyState>
);
export const skeleton = <Skeleton />;
