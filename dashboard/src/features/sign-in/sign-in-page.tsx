import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { auth, Problem } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/page.tsx';
import { common } from '../../texts/common.ts';
import { signIn as texts } from '../../texts/sign-in.ts';
import { Door } from './door.tsx';
import { SecondStep } from './second-step.tsx';

export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const queries = useQueryClient();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  function enter() {
    queries.clear();
    location.assign(next);
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem('');
    try {
      const answer = await auth.post<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
        email: String(form.get('email')).trim(),
        password: form.get('password'),
      });
      if (answer.twoFactorRedirect) setStep('code');
      else enter();
    } catch (error) {
      setProblem(error instanceof Problem ? error.message : common.somethingWrong);
    } finally {
      setBusy(false);
    }
  }

  function startOver(why = '') {
    setProblem(why);
    setStep('password');
  }

  if (step === 'code') return <SecondStep onDone={enter} onBack={startOver} />;
  return (
    <Door title={texts.title}>
      <form onSubmit={submit} className="grid gap-4">
        <div role="alert">{problem && <Notice tone="bad">{problem}</Notice>}</div>
        <TextField
          label={texts.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextField
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Button type="submit" look="primary" busy={busy}>
          {texts.submit}
        </Button>
        <p className="text-sm text-muted">{texts.forgotten}</p>
        <p className="text-sm text-muted">{texts.noAccount}</p>
      </form>
    </Door>
  );
}
