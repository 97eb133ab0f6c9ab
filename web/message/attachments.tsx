import { MapPin, ShoppingBag, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { message as texts } from '../texts/message.ts';
import type { MessageBody, PlaceView } from './message-view.ts';
import { OutsideLink } from './outside-link.tsx';
import { Paragraph } from './rich-text.tsx';

const card =
  '-mx-1 mb-1 flex min-w-[min(15rem,60vw)] items-center gap-3 rounded-xl bg-ink/5 p-2 text-left';

function Sign({ children }: { children: ReactNode }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent">
      {children}
    </span>
  );
}

/** A place. With coordinates it leads to a map of another site, which nothing is loaded from. */
export function Place({ place }: { place: PlaceView }) {
  const { latitude, longitude, name, address } = place;
  const point =
    latitude === undefined || longitude === undefined ? '' : `${latitude}, ${longitude}`;
  const words = (
    <>
      <Sign>
        <MapPin className="size-5" aria-hidden />
      </Sign>
      <span className="grid min-w-0 text-sm">
        <strong dir="auto" className="break-words font-semibold">
          {name || texts.kinds.place}
        </strong>
        <span dir="auto" className="break-words text-muted">
          {address || point}
        </span>
      </span>
    </>
  );
  if (!point) return <div className={card}>{words}</div>;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;
  return (
    <OutsideLink href={map} className={`${card} hover:bg-ink/10`}>
      {words}
    </OutsideLink>
  );
}

/** People whose cards were shared. */
export function Contacts({ people }: Extract<MessageBody, { kind: 'contacts' }>) {
  return (
    <ul>
      {people.map(({ name, phone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the people of a message never move
        <li key={index} className={card}>
          <Sign>
            <UserRound className="size-5" aria-hidden />
          </Sign>
          <span className="grid min-w-0 text-sm">
            <strong dir="auto" className="break-words font-semibold">
              {name || texts.contact}
            </strong>
            <span className="text-muted">{phone}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** An order from the business's catalogue. */
export function Order({ items, text }: Extract<MessageBody, { kind: 'order' }>) {
  return (
    <>
      <div className={`${card} items-start`}>
        <Sign>
          <ShoppingBag className="size-5" aria-hidden />
        </Sign>
        <div className="min-w-0 grow text-sm">
          <strong className="font-semibold">{texts.items(items.length)}</strong>
          <ul>
            {items.map(({ name, quantity, price }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a message never move
              <li key={index} className="flex justify-between gap-3 text-muted">
                <span dir="auto" className="min-w-0 break-words">
                  {quantity} × {name}
                </span>
                <span className="figures shrink-0">{price}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {text && <Paragraph text={text} />}
    </>
  );
}
