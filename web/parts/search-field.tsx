import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { inputLook } from './field.tsx';

const pauseMs = 250;

/**
 * A field that searches as one types, a moment after the last key.
 *
 * @param value what is searched for now; where that is changed elsewhere, the field follows
 */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
}: {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (wanted: string) => void;
}) {
  const [text, setText] = useState(value);
  const wanted = text.trim();
  const told = useRef(value);
  // As it is when the pause ends: meanwhile a filter beside it may have been changed.
  const search = useRef(onSearch);
  search.current = onSearch;

  // Before anything is painted, so that never what was found before stands beside other words.
  useLayoutEffect(() => {
    // What comes back of one's own typing must not undo what was typed since.
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);

  // Only typing starts the pause.
  useEffect(() => {
    if (wanted === told.current) return;
    const timer = setTimeout(() => {
      told.current = wanted;
      search.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [wanted]);

  return (
    <div className="relative">
      <Search
        className="pointer-events-none absolute left-3 top-2.5 size-4 text-muted"
        aria-hidden
      />
      <input
        type="search"
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        maxLength={255}
        onChange={(event) => setText(event.target.value)}
        className={`${inputLook} h-9 pl-9`}
      />
    </div>
  );
}
