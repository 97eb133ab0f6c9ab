import { type ReactElement, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import { TextArea, TextField } from '../fields/field.tsx';
import { AskFirst } from './ask-first.tsx';
import { ChoiceMenu } from './choice-menu.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Popover } from './popover.tsx';
import { Tip } from './tip.tsx';
import { showDone } from './toasts.ts';

const ignore = () => {};

/** A button that opens something. */
function Opener({
  words,
  children: draw,
}: {
  words: string;
  children: (close: () => void) => ReactElement;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{words}</Button>
      {isOpen && draw(() => setIsOpen(false))}
    </>
  );
}

function PopoverExample() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      label="Reactions"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={<Button>React</Button>}
      className="rounded-xl p-2"
    >
      <Button look="quiet">Like</Button>
    </Popover>
  );
}

export const form = (
  <Opener words="New contact">
    {(close) => (
      <FormDialog
        title="New contact"
        description="It can be changed later."
        submit="Save"
        onSubmit={close}
        onClose={close}
      >
        <TextField label="Name" hint="As the person writes it." />
        <TextArea label="Note" optional />
      </FormDialog>
    )}
  </Opener>
);
export const question = (
  <AskFirst
    title="Delete this label?"
    description="Contacts keep their other labels. This cannot be undone."
    action="Delete"
    onConfirm={async () => {}}
  >
    {(ask) => (
      <Button look="danger" onClick={ask}>
        Delete label
      </Button>
    )}
  </AskFirst>
);
export const menu = (
  <ChoiceMenu
    choices={[
      { value: 'owner', words: 'Owner' },
      { value: 'staff', words: 'Staff' },
    ]}
    value="staff"
    busy={false}
    onChoose={ignore}
  >
    Staff
  </ChoiceMenu>
);
export const popover = <PopoverExample />;
export const tip = (
  <Tip words="Newsletter, Press, and Wholesale" opensByPress>
    <button type="button">+3</button>
  </Tip>
);
export const toast = (
  <Button onClick={() => showDone('The contact was deleted.', { words: 'Undo', run: ignore })}>
    Delete contact
  </Button>
);
