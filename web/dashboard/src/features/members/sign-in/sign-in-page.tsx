import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Problem } from '../../../../../parts/behaviour/problem.ts';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { TextField } from '../../../../../parts/fields/field.tsx';
import { Notice } from '../../../../../parts/page/page.tsx';
import { signIn as t } from '../../../../../texts/sign-in.ts';
import { auth } from '../../../api/client.ts';
import { Faults, Form } from '../../../form/form.tsx';
import { useForm } from '../../../form/use-form.ts';
import { Door } from './door.tsx';
import { SecondStep } from './second-step.tsx';

export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const queries = useQueryClient();
  /** Why the second step ended. */
  const [why, setWhy] = useState<Problem>();
  const [step, setStep] = useState<'password' | 'code'>('password');

  function enter() {
    queries.clear();
    location.assign(next);
  }

  const form = useForm({
    values: { email: '', password: '' },
    clean: (values) => ({ ...values, email: values.email.trim() }),
    save: (_, body) => {
      setWhy(undefined);
      return auth.post('/sign-in/email', { body });
    },
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? setStep('code') : enter()),
  });

  function startOver(problem?: Problem) {
    setWhy(problem);
    setStep('password');
  }

  if (step === 'code') return <SecondStep onDone={enter} onBack={startOver} />;
  return (
    <Door title={t('title')}>
      <Form form={form} guarded={false}>
        <div role="alert" className="empty:hidden">
          {why && <Notice tone="bad">{why.message}</Notice>}
        </div>
        <TextField
          {...form.text('email')}
          label={t('email')}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextField
          {...form.text('password')}
          label={t('password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Faults form={form} />
        <Button type="submit" look="primary" busy={form.busy}>
          {t('submit')}
        </Button>
        <p className="text-sm text-muted">{t('forgotten')}</p>
        <p className="text-sm text-muted">{t('noAccount')}</p>
      </Form>
    </Door>
  );
}
