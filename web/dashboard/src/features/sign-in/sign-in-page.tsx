import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { Notice } from '../../../../parts/page.tsx';
import type { Problem } from '../../../../parts/problem.ts';
import { signIn as texts } from '../../../../texts/sign-in.ts';
import { auth } from '../../api/client.ts';
import { Door } from './door.tsx';
import { SecondStep } from './second-step.tsx';
import { useSubmit } from './use-submit.ts';

export function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const queries = useQueryClient();
  const [step, setStep] = useState<'password' | 'code'>('password');

  function enter() {
    queries.clear();
    location.assign(next);
  }

  const { onSubmit, busy, problem, setProblem } = useSubmit(async (form) => {
    const answer = await auth.post('/sign-in/email', {
      body: {
        email: String(form.get('email')).trim(),
        password: String(form.get('password')),
      },
    });
    if (answer.twoFactorRedirect) setStep('code');
    else enter();
  });

  function startOver(why?: Problem) {
    setProblem(why);
    setStep('password');
  }

  if (step === 'code') return <SecondStep onDone={enter} onBack={startOver} />;
  return (
    <Door title={texts.title}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <div role="alert">{problem && <Notice tone="bad">{problem.message}</Notice>}</div>
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
