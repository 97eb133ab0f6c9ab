import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { contacts as t } from '../../../../texts/contacts.ts';

export function Pager({
  page,
  pages,
  onPage,
}: {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}) {
  return (
    <nav aria-label={t('pages')} className="flex items-center justify-between gap-3">
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="size-4" aria-hidden />
        {t('previous')}
      </Button>
      <span className="figures text-muted">{t('page', { page, pages })}</span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t('next')}
        <ChevronRight className="size-4" aria-hidden />
      </Button>
    </nav>
  );
}
