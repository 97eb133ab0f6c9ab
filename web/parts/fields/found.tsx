import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

/** The search field above a list, for a picker and the command palette. */
export function SearchInput(props: ComponentProps<typeof Command.Input>) {
  return (
    <div className="flex items-center gap-2.5 border-b border-line px-3">
      <Search className="size-4 shrink-0 text-muted" aria-hidden />
      <Command.Input
        dir="auto"
        maxLength={255}
        className="h-10 min-w-0 grow bg-transparent outline-none placeholder:text-muted"
        {...props}
      />
    </div>
  );
}

/** Choices of a list under a heading, if there is one. */
export function FoundGroup({ heading, children }: { heading?: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      value={heading ?? '-'}
      className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

/** A choice of a list. `value` tells it from the others, and it is found by its words. */
export function Found({
  value,
  words,
  before,
  isDisabled,
  onChoose,
  children,
}: {
  value: string;
  words: string;
  before?: ReactNode;
  isDisabled?: boolean;
  onChoose: () => void;
  children?: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      keywords={[words]}
      disabled={isDisabled}
      onSelect={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 data-[disabled=true]:cursor-default data-[selected=true]:bg-sunken data-[disabled=true]:opacity-50 forced-colors:data-[selected=true]:underline"
    >
      {before}
      <span dir="auto" className="min-w-0 grow truncate">
        {words}
      </span>
      {children}
    </Command.Item>
  );
}
