import { Button } from '../../../../parts/buttons/button.tsx';
import { Dialog, DialogActions } from '../../../../parts/overlays/dialog.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { common } from '../../../../texts/common.ts';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { BodyFor, CheckedNumberData, VisibleNumberData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { connectedText } from './connected-text.ts';

/** Lets a person choose one of the numbers that the access token sees. */
export function ChooseNumber({
  numbers,
  body,
  onConnected,
  onClose,
}: {
  numbers: VisibleNumberData[];
  body: BodyFor<'/numbers', 'post'>;
  onConnected: (number: CheckedNumberData) => void;
  onClose: () => void;
}) {
  const { api } = useTenant();
  const connect = useAction(
    ({ phone_number_id, business_account_id }: VisibleNumberData) =>
      api.post('/numbers', { body: { ...body, phone_number_id, business_account_id } }),
    { done: connectedText, refresh: [api.allKeys], onDone: onConnected },
  );
  return (
    <Dialog open title={t('chooseTitle')} description={t('chooseText')} onClose={onClose}>
      <ul className="grid gap-2">
        {numbers.map((number) => {
          const phone = number.display_phone_number ?? number.phone_number_id;
          return (
            <li
              key={number.phone_number_id}
              className="flex flex-wrap items-center gap-3 rounded-lg border border-line px-4 py-3"
            >
              <div className="min-w-0 grow">
                <p className="figures font-medium">{phone}</p>
                {number.verified_name && (
                  <p dir="auto" className="truncate text-sm text-muted">
                    {number.verified_name}
                  </p>
                )}
              </div>
              {number.connected && <Badge>{t('isConnected')}</Badge>}
              <Button
                small
                busy={connect.busy}
                aria-label={t('connectNamed', { phone })}
                onClick={() => connect.run(number)}
              >
                {t('connectThis')}
              </Button>
            </li>
          );
        })}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>{common('cancel')}</Button>
      </DialogActions>
    </Dialog>
  );
}
