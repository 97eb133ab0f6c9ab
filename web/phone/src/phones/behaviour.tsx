import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BusinessNumber, PhoneSummary, RuleRequest } from '../../../../src/simulator/types.ts';
import { Button, IconButton } from '../../../parts/buttons/button.tsx';
import { SelectField, TextField } from '../../../parts/fields/field.tsx';
import { SwitchField } from '../../../parts/fields/switch-field.tsx';
import { showDone, showProblem } from '../../../parts/overlays/toasts.ts';
import { common } from '../../../texts/common.ts';
import { behaviour as t } from '../../../texts/phone.ts';
import {
  addBehaviour,
  type Limits,
  resetBehaviour,
  setBlocked,
  setLimits,
  setPrivacy,
} from '../network.ts';
import { changeSettings, useSettings } from '../settings.ts';
import { useStore } from '../store.ts';
import { Privacy } from './privacy.tsx';

type Amount = 'delayMs' | 'count' | 'callbackDelayMs' | 'stepMs' | 'duplicate';
type Flag = 'disorder' | 'skipDelivered' | 'autoRead';

/** Errors of the network, by code. */
const failures = [
  'none',
  '131026',
  '131042',
  '131047',
  '131049',
  '131050',
  '131053',
  '131056',
  '130429',
  '131031',
  '130497',
  '131000',
  '131016',
  '131057',
  '133010',
] as const;

const responses = [
  'normal',
  'status:401',
  'status:429',
  'status:500',
  'status:503',
  'answer:garbage',
  'answer:half',
  'answer:never',
  'answer:drop-after-accept',
  'answer:drop',
  'held:held_for_quality_assessment',
] as const;

const prices = ['usual', 'regular', 'free_customer_service', 'free_entry_point'] as const;

/** Sets how the network treats messages to one phone, and how this page reads them. */
export function Behaviour({
  phone,
  number,
  onClose,
}: {
  phone: PhoneSummary;
  number: BusinessNumber | undefined;
  onClose: () => void;
}) {
  const { rules } = useStore();
  const { readsOnOpen } = useSettings();
  // Only changes are kept, because the rule ends when its last message is sent.
  const [changes, setChanges] = useState<RuleRequest>({});
  const rule = { ...ruleOf(rules, phone.phone), ...changes };
  const [reads, setReads] = useState(readsOnOpen);
  const [limits, setLimitsChoice] = useState(number && limitsOf(number));
  const [isBlocked, setIsBlocked] = useState(number?.blocked ?? false);
  const [privacy, setPrivacyChoice] = useState({
    username: phone.username ?? '',
    hidden: phone.hidden,
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector('select')?.focus();
    // The button that opened it keeps the focus when it closes.
    return () => document.getElementById('tune')?.focus();
  }, []);
  const change = (more: RuleRequest) => setChanges((before) => ({ ...before, ...more }));

  async function apply(wanted: RuleRequest) {
    changeSettings({ readsOnOpen: reads });
    const knobs = Object.entries(wanted).filter(([, value]) => value !== undefined);
    try {
      if (number && limits && !isSame(limits, limitsOf(number))) {
        await setLimits(number.phone_number_id, limits);
      }
      if (number && isBlocked !== number.blocked) {
        await setBlocked(number.phone_number_id, isBlocked);
      }
      const { hidden } = privacy;
      const username = privacy.username || null;
      if (username !== phone.username || hidden !== phone.hidden) {
        await setPrivacy(phone.phone, { username, hidden });
      }
      const isNormal = knobs.every(([name]) => name === 'count');
      // The simulator adds a rule to the earlier one.
      await resetBehaviour(phone.phone);
      if (!isNormal) await addBehaviour({ ...Object.fromEntries(knobs), phone: phone.phone });
      showDone(isNormal ? t('isNormal') : t('applied'));
      onClose();
    } catch (error) {
      showProblem(error);
    }
  }

  const amount = (name: Amount, label: string, hint?: string, placeholder = '0') => (
    <TextField
      label={label}
      hint={hint}
      type="number"
      min={name === 'count' ? 1 : 0}
      placeholder={placeholder}
      value={rule[name] ?? ''}
      onChange={({ target }) =>
        change({ [name]: target.value === '' ? undefined : Number(target.value) })
      }
    />
  );
  const flag = (name: Flag, label: string, hint: string) => (
    <SwitchField
      label={label}
      hint={hint}
      value={rule[name] === true}
      onChange={(isOn) => change({ [name]: isOn || undefined })}
    />
  );

  return (
    <aside
      aria-labelledby="behaviour-title"
      className="fixed inset-y-0 right-0 z-20 flex w-[min(22rem,100vw)] flex-col border-l border-line bg-surface shadow-pop xl:static xl:shadow-none"
    >
      <header className="flex min-h-14 items-center justify-between gap-2 border-b border-line py-2 pl-5 pr-3">
        <div className="min-w-0">
          <h2 id="behaviour-title" className="text-lg font-semibold leading-tight">
            {t('title')}
          </h2>
          <p dir="auto" className="truncate text-sm text-muted">
            {t('intro', { name: phone.name })}
          </p>
        </div>
        <IconButton label={common('close')} onClick={onClose}>
          <X className="size-5" aria-hidden />
        </IconButton>
      </header>
      <form
        ref={form}
        className="flex min-h-0 grow flex-col"
        onSubmit={(event) => {
          event.preventDefault();
          void apply(rule);
        }}
      >
        <div className="min-h-0 grow overflow-y-auto px-5 py-4">
          <Group title={t('sending')}>
            <SelectField
              label={t('messages')}
              value={String(rule.failWith ?? '')}
              onChange={({ target }) => change({ failWith: Number(target.value) || undefined })}
            >
              <Options values={failures} textOf={(value) => t(`failures.${value}`)} />
            </SelectField>
            <SelectField
              label={t('response')}
              value={responseOf(rule)}
              onChange={({ target }) => change(knobsOf(target.value))}
            >
              <Options values={responses} textOf={(value) => t(`responses.${value}`)} />
            </SelectField>
            {amount('delayMs', t('delay'))}
            {amount('count', t('count'), t('countHint'), '')}
          </Group>
          {number && limits && (
            <Group title={t('business', { phone: number.display_phone_number })}>
              {(['window', 'us_marketing', 'public_links'] as const).map((name) => (
                <SwitchField
                  key={name}
                  label={t(`limits.${name}`)}
                  hint={t(`limitHints.${name}`)}
                  value={limits[name]}
                  onChange={(isOn) => setLimitsChoice({ ...limits, [name]: isOn })}
                />
              ))}
              <SwitchField
                label={t('blocked')}
                hint={t('blockedHint')}
                value={isBlocked}
                onChange={setIsBlocked}
              />
            </Group>
          )}
          <Group title={t('callbacks')}>
            {amount('callbackDelayMs', t('callbackDelay'))}
            {amount('stepMs', t('step'), undefined, '150')}
            {amount('duplicate', t('duplicate'), t('duplicateHint'))}
            <SelectField
              label={t('price')}
              value={rule.pricingType ?? ''}
              onChange={({ target }) =>
                change({ pricingType: (target.value as RuleRequest['pricingType']) || undefined })
              }
            >
              <Options values={prices} textOf={(value) => t(`prices.${value}`)} />
            </SelectField>
            {flag('disorder', t('disorder'), t('disorderHint'))}
            {flag('skipDelivered', t('skipDelivered'), t('skipDeliveredHint'))}
            {flag('autoRead', t('autoRead'), t('autoReadHint'))}
            <SwitchField
              label={t('silent')}
              hint={t('silentHint')}
              value={rule.callbacks === false}
              onChange={(isSilent) => change({ callbacks: isSilent ? false : undefined })}
            />
          </Group>
          <Group title={t('privacy')}>
            <Privacy choice={privacy} onChange={setPrivacyChoice} />
          </Group>
          <Group title={t('page')}>
            <SwitchField
              label={t('readsOnOpen')}
              hint={t('readsOnOpenHint')}
              value={reads}
              onChange={setReads}
            />
          </Group>
        </div>
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button onClick={() => void apply({})}>{t('normal')}</Button>
          <Button type="submit" look="primary">
            {t('apply')}
          </Button>
        </div>
      </form>
    </aside>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="mb-6 grid gap-3">
      <legend className="mb-2 text-xs font-semibold uppercase tracking-wide text-muted">
        {title}
      </legend>
      {children}
    </fieldset>
  );
}

/** The options of a choice. The first one stands for nothing. */
function Options<Value extends string>({
  values,
  textOf,
}: {
  values: readonly Value[];
  textOf: (value: Value) => string;
}) {
  return values.map((value, index) => (
    <option key={value} value={index === 0 ? '' : value}>
      {textOf(value)}
    </option>
  ));
}

function limitsOf({ window, us_marketing, public_links }: BusinessNumber): Limits {
  return { window, us_marketing, public_links };
}

function isSame(one: Limits, other: Limits): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The knobs for all messages to a phone, whichever number sends them. */
function ruleOf(rules: RuleRequest[], phone: string): RuleRequest {
  const found = rules.find((rule) => rule.phone === phone && !rule.phone_number_id);
  const { phone: _, phone_number_id: __, ...knobs } = found ?? {};
  return knobs;
}

function responseOf({ status, answer, messageStatus }: RuleRequest): string {
  if (status) return `status:${status}`;
  if (messageStatus) return `held:${messageStatus}`;
  return answer ? `answer:${answer}` : '';
}

function knobsOf(response: string): RuleRequest {
  const [kind, value] = response.split(':');
  return {
    status: kind === 'status' ? Number(value) : undefined,
    answer: kind === 'answer' ? (value as RuleRequest['answer']) : undefined,
    messageStatus: kind === 'held' ? (value as RuleRequest['messageStatus']) : undefined,
  };
}
