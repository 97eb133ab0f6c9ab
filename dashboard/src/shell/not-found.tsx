import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonLook } from '../parts/button.tsx';
import { EmptyState } from '../parts/page.tsx';
import { shell } from '../texts/shell.ts';

export function NotFound() {
  return (
    <main className="grid min-h-[60dvh] place-items-center">
      <EmptyState
        icon={Compass}
        title={shell.notFoundTitle}
        action={
          <Link to="/" className={buttonLook('primary')}>
            {shell.notFoundAction}
          </Link>
        }
      >
        {shell.notFoundText}
      </EmptyState>
    </main>
  );
}
