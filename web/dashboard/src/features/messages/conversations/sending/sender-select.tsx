import { useRoomFor } from '../../../../../../parts/behaviour/use-room-for.ts';
import { FilterChoice } from '../../../../../../parts/fields/filter-choice.tsx';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import type { NumberData } from '../../../../api/records.ts';
import { useTenant } from '../../../../session.ts';
import { nameOf } from '../../../numbers/use-numbers.ts';

/**
 * Shows which of several numbers sends, and lets one switch.
 *
 * @param numbers undefined while they are loading
 */
export function SenderSelect({
  numbers,
  sender,
  onChange,
}: {
  numbers: NumberData[] | undefined;
  sender: NumberData | undefined;
  onChange: (id: number) => void;
}) {
  const { slug } = useTenant();
  const isThere = numbers && numbers.length > 1 && sender !== undefined;
  if (!useRoomFor(`parley-senders ${slug}`, isThere)) return null;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: it is in FilterChoice
    <label className="mb-2 flex h-9 items-center gap-2 text-sm text-muted">
      {isThere && (
        <>
          {t('sendsFrom')}
          <FilterChoice
            label={t('sendsFrom')}
            value={sender.id}
            choices={numbers.map((number) => ({
              value: number.id,
              words: number.simulator
                ? t('simulatedName', { phone: nameOf(number) })
                : nameOf(number),
            }))}
            onChoose={(id) => id !== undefined && onChange(id)}
            className="figures min-w-0"
          />
        </>
      )}
    </label>
  );
}
