import { Link } from '@tanstack/react-router';
import { Check, ChevronRight } from 'lucide-react';
import { Card } from '../../../../parts/page/page.tsx';
import { Row } from '../../../../parts/page/row.tsx';
import { overview as t } from '../../../../texts/overview.ts';
import type { OverviewData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';

const paths = {
  number: '/t/$tenant/numbers',
  token: '/t/$tenant/api',
  message: '/t/$tenant/conversations',
} as const;

/** The first steps of a new tenant, until all are done. */
export function FirstSteps({ steps }: { steps: OverviewData['steps'] }) {
  const { slug } = useTenant();
  return (
    <Card title={t('stepsTitle')} intro={t('stepsIntro')} flush>
      <ol className="border-t border-line">
        {(['number', 'token', 'message'] as const).map((step, index) => (
          <Row key={step}>
            <Link
              to={paths[step]}
              params={{ tenant: slug }}
              className="flex items-center gap-3.5 px-5 py-3 hover:bg-sunken"
            >
              <span
                className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-medium ${steps[step] ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-strong'}`}
              >
                {steps[step] ? <Check className="size-4" aria-hidden /> : index + 1}
              </span>
              <span className="min-w-0 grow">
                <span className="block font-semibold">
                  {t(`steps.${step}.title`)}
                  {steps[step] && <span className="sr-only"> ({t('stepDone')})</span>}
                </span>
                <span className="block text-sm text-muted">{t(`steps.${step}.text`)}</span>
              </span>
              <ChevronRight className="size-5 shrink-0 text-muted" aria-hidden />
            </Link>
          </Row>
        ))}
      </ol>
    </Card>
  );
}
