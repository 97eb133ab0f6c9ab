import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { inputLook } from './field.tsx';

const pauseMs = 250;

/**
 * A field that searches during the typing, a moment after the last key.
 *
 * @param value the current search text; if it is changed elsewhere, the field shows the new one
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
  const reported = useRef(value);
  // The latest function, because a filter may change during the pause.
  const search = useRef(onSearch);
  search.current = onSearch;

  // Before the next paint, so that old results are never shown beside a new search text.
  useLayoutEffect(() => {
    // A value that was typed here and comes back must not replace later input.
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);

  // Only typing starts the pause.
  useEffect(() => {
    if (wanted === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = wanted;
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
        // It searches anyway. Within a form, Enter would submit it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className={`${inputLook} h-9 pl-9`}
      />
    </div>
  );
}
