import { Plus, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFocusOnEntry } from '../../../parts/behaviour/use-narrow-focus.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { inputLook } from '../../../parts/fields/field.tsx';
import { phone as t } from '../../../texts/phone.ts';
import { useSettings } from '../settings.ts';
import { type State, useStore } from '../store.ts';
import { AddPhone } from './add-phone.tsx';
import { PhoneRow } from './phone-row.tsx';

/** The phones of the network, the one with the latest message first. */
export function Phones({ openPhone }: { openPhone: string | null }) {
  const state = useStore();
  const { markedUnread } = useSettings();
  const [search, setSearch] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const add = () => setIsAdding(true);
  const found = findPhones(state, search);
  const list = useRef<HTMLUListElement>(null);
  useFocusOnEntry(openPhone ?? undefined, list);
  return (
    <nav
      aria-label={t('phones')}
      className={`w-full min-w-0 flex-col border-r border-line bg-surface md:flex md:w-[19rem] md:shrink-0 lg:w-[22rem] ${
        openPhone ? 'hidden' : 'flex'
      }`}
    >
      <header className="flex min-h-14 items-center justify-between bg-band px-4 text-on-band">
        <h2 className="text-lg font-semibold text-white">{t('phones')}</h2>
        <button
          type="button"
          aria-label={t('add')}
          title={t('add')}
          className="on-band"
          onClick={add}
        >
          <Plus className="size-5" aria-hidden />
        </button>
      </header>
      {!state.isOnline && (
        <p role="status" className="flex gap-2 bg-warn-soft px-4 py-2.5 text-warn">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          {t('unreachable')}
        </p>
      )}
      {state.phones.size > 0 && (
        <search className="px-3 py-2.5">
          <input
            type="search"
            dir="auto"
            aria-label={t('search')}
            placeholder={t('searchPlaceholder')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className={`${inputLook} h-9`}
          />
        </search>
      )}
      {state.isLoaded && state.phones.size === 0 && (
        <div className="grid justify-items-start gap-3 p-4 text-muted">
          <p>{t('noPhones')}</p>
          <Button look="primary" onClick={add}>
            {t('add')}
          </Button>
        </div>
      )}
      {search && found.length === 0 && <p className="px-4 text-muted">{t('nothingFound')}</p>}
      <ul ref={list} className="min-h-0 grow overflow-y-auto px-2 pb-3">
        {found.map((phone) => (
          <li
            key={phone.phone}
            className="[contain-intrinsic-size:auto_4.25rem] [content-visibility:auto]"
          >
            <PhoneRow
              phone={phone}
              isOpen={phone.phone === openPhone}
              isMarked={markedUnread.includes(phone.phone)}
            />
          </li>
        ))}
      </ul>
      {isAdding && <AddPhone onClose={() => setIsAdding(false)} />}
    </nav>
  );
}

function findPhones({ phones }: State, search: string) {
  const words = search.trim().toLowerCase();
  const digits = words.replace(/\D/g, '');
  return [...phones.values()]
    .filter(
      ({ name, phone }) =>
        name.toLowerCase().includes(words) || (digits !== '' && phone.includes(digits)),
    )
    .sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0));
}
