import { Button } from '../../../../../../parts/buttons/button.tsx';
import { PickerButton } from '../../../../../../parts/fields/picker.tsx';
import { showDone } from '../../../../../../parts/overlays/toasts.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import type { ThreadData } from '../../../../api/records.ts';
import { useAction } from '../../../../api/use-action.ts';
import { useTenant } from '../../../../session.ts';
import { useMemberNames } from '../../../members/use-members.ts';
import { useRefresh } from '../live/use-live.tsx';

const nobody = '';

/** Closes or reopens a conversation, and assigns it to a member. */
export function ThreadActions({ thread }: { thread: ThreadData }) {
  const { phone, is_open, assignee } = thread;
  const { api } = useTenant();
  const members = useMemberNames() ?? [];
  const refresh = useRefresh(phone);
  const setOpen = useAction(
    async (isOpen: boolean) => {
      await api.put('/conversation', { body: { phone, is_open: isOpen } });
      if (isOpen) showDone(t('reopened'));
      else showDone(t('closed'), { words: t('undo'), run: () => setOpen.run(true) });
    },
    { refresh },
  );
  const assign = useAction(
    async (to: string) => {
      await api.put('/conversation', { body: { phone, assignee: to === nobody ? null : to } });
      if (to !== nobody) showDone(t('botsLeaveIt'));
    },
    { refresh },
  );
  const choices = members
    .toSorted((one, other) => Number(other.is_you) - Number(one.is_you))
    .map(({ user_id, name, is_you }) => ({
      value: user_id,
      words: is_you ? t('yourself', { name }) : name,
    }));
  const assigned = choices.find(({ value }) => value === assignee);
  return (
    <>
      <PickerButton
        label={t('assignTo')}
        choices={[{ value: nobody, words: t('nobody') }, ...choices]}
        value={assignee ?? nobody}
        busy={assign.busy}
        onChoose={assign.run}
      >
        <span className="sr-only">{t('assignedTo')}</span>
        <span dir="auto" className="max-w-40 truncate">
          {assignee === null ? t('unassigned') : (assigned?.words ?? t('member'))}
        </span>
      </PickerButton>
      <Button small busy={setOpen.busy} onClick={() => setOpen.run(!is_open)}>
        {is_open ? t('close') : t('reopen')}
      </Button>
    </>
  );
}
