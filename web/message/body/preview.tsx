import type { MessageAction, MessageBody } from '../message-view.ts';
import { Body } from './body.tsx';
import { Buttons } from './buttons.tsx';

/** A message that has not been sent yet, as it will look on a phone. */
export function MessagePreview({
  body,
  actions = [],
}: {
  body: MessageBody;
  actions?: MessageAction[];
}) {
  return (
    <div className="w-full max-w-sm">
      <div className="min-w-0 rounded-2xl rounded-es-md border border-line bg-theirs px-3 py-2 shadow-card">
        <Body body={body} />
      </div>
      <Buttons actions={actions} />
    </div>
  );
}
