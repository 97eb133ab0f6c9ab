import { Picker, PickerButton } from './picker.tsx';
import { PickerField } from './picker-field.tsx';

const choices = [
  { value: 0, words: 'Any status' },
  { value: 1, words: 'Customer' },
  { value: 2, words: 'مجموعة (5)!' },
];
const ignore = () => {};

export const field = (
  <PickerField label="Status" choices={choices} value={1} optional onChoose={ignore} />
);
export const withAnError = (
  <PickerField
    label="Template"
    choices={choices}
    value={2}
    errors={['This was deleted meanwhile.']}
    onChoose={ignore}
  />
);
export const filter = (
  <Picker
    label="Status"
    aria-label="Status"
    choices={choices}
    value={0}
    onChoose={ignore}
    className="w-40"
  />
);
export const button = (
  <PickerButton label="Set status" choices={choices} busy={false} onChoose={ignore}>
    Set status
  </PickerButton>
);
