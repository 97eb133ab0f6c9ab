import { useQuery } from '@tanstack/react-query';
import { useIsAhead } from '../../../../parts/behaviour/use-is-ahead.ts';
import { Button } from '../../../../parts/buttons/button.tsx';
import { Notice } from '../../../../parts/page/page.tsx';
import { formatDateTime } from '../../../../texts/format.ts';
import { requests as t } from '../../../../texts/requests.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { usePolling } from '../messages/conversations/live/use-live.tsx';

const hour = 60;

/** Until when bodies are logged; null if they are not. */
function useBodyLog() {
  const { api, can } = useTenant();
  const { data } = useQuery({
    ...api.asked('/request-bodies'),
    refetchInterval: usePolling(60_000),
  });
  const until = data?.bodies_until ?? null;
  const isOn = useIsAhead(until);
  const change = useAction((minutes: number) => api.put('/request-bodies', { body: { minutes } }), {
    done: ({ bodies_until: until }) => (until ? t('bodiesOn') : t('bodiesOff')),
    refresh: [api.key('/request-bodies')],
  });
  return {
    until: isOn ? until : null,
    isKnown: data !== undefined,
    mayChange: can('api:write'),
    change,
  };
}

/** The button of an owner that starts to log bodies. */
export function LogBodies() {
  const { until, isKnown, mayChange, change } = useBodyLog();
  if (!mayChange || !isKnown || until !== null) return null;
  return (
    <Button busy={change.busy} onClick={() => change.run(hour)}>
      {t('logBodies')}
    </Button>
  );
}

/** Says until when bodies are logged. */
export function BodiesNotice() {
  const { until, mayChange, change } = useBodyLog();
  if (!until) return null;
  return (
    <Notice
      tone="warn"
      title={t('bodiesOnTitle', { time: formatDateTime(until) })}
      action={
        mayChange && (
          <Button small busy={change.busy} onClick={() => change.run(0)}>
            {t('stopBodies')}
          </Button>
        )
      }
    >
      {t('bodiesOnText')}
    </Notice>
  );
}
