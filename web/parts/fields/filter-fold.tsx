import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { common } from '../../texts/common.ts';
import { Button } from '../buttons/button.tsx';
import { Count } from '../page/count.tsx';

/**
 * The filters of a list. On a narrow screen, where they would take half of it, they open by a button, which says how
 * many are set.
 *
 * @param values the values of the filters; undefined for those that are not set
 */
export function FilterFold({
  values,
  children,
}: {
  values: readonly unknown[];
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const count = values.filter((value) => value !== undefined).length;
  return (
    <>
      <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal className="size-4" aria-hidden />
        {common('filters')}
        {count > 0 && <Count count={count} words={common('filtersSet', { count })} />}
      </Button>
      <div className={`${isOpen ? 'contents' : 'hidden'} sm:contents`}>{children}</div>
    </>
  );
}
