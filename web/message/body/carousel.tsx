import type { MessageBody } from '../message-view.ts';
import { Buttons } from './buttons.tsx';
import { Card } from './card.tsx';
import { Paragraph } from './rich-text.tsx';

/** A text with a row of cards, which scrolls sideways. */
export function Carousel({ text, cards }: Extract<MessageBody, { kind: 'carousel' }>) {
  return (
    <>
      <Paragraph text={text} />
      <ul
        // It scrolls, so it must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="-mx-1.5 mt-2 flex snap-x gap-2 overflow-x-auto pb-1"
      >
        {cards.map(({ card, actions }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards of one message never move
          <li key={index} className="w-56 shrink-0 snap-start">
            <div className="rounded-xl border border-line bg-theirs px-3 py-2">
              <Card card={card} />
            </div>
            <Buttons actions={actions} />
          </li>
        ))}
      </ul>
    </>
  );
}
