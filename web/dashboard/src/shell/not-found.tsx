import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { buttonLook } from '../../../parts/buttons/button.tsx';
import { EmptyState } from '../../../parts/page/page.tsx';
import { shell } from '../../../texts/shell.ts';
import { MainContent } from './main-content.tsx';

export function NotFound() {
  return <Nothing title={shell('notFoundTitle')} text={shell('notFoundText')} />;
}

/** In place of a tenant that a person has seen a moment ago. */
export function NoMemberAnyMore({ tenant }: { tenant: string }) {
  return <Nothing title={shell('removedTitle', { tenant })} text={shell('removedText')} />;
}

function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <MainContent className="grid min-h-[60dvh] place-items-center">
      <EmptyState
        icon={Compass}
        title={title}
        heading="h1"
        action={
          <Link to="/" className={buttonLook('primary')}>
            {shell('notFoundAction')}
          </Link>
        }
      >
        {text}
      </EmptyState>
    </MainContent>
  );
}
