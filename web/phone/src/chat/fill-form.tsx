import { useState } from 'react';
import { TextArea } from '../../../parts/fields/field.tsx';
import { FormDialog } from '../../../parts/overlays/form-dialog.tsx';
import { phone as t } from '../../../texts/phone.ts';

/**
 * Asks for the answers to a form that a button opens. Its fields are in a flow, which the simulator does not have.
 *
 * @param token the name that the business gave this use of the form
 * @param onFilled gets the answers as a JSON object
 */
export function FillForm({
  token,
  onFilled,
  onClose,
}: {
  token: string;
  onFilled: (answers: string) => void;
  onClose: () => void;
}) {
  const [answers, setAnswers] = useState(() => JSON.stringify({ flow_token: token }, null, 2));
  const [problem, setProblem] = useState<string>();
  function fill() {
    if (!isObject(answers)) return setProblem(t('formNotObject', { example: '{"size": "M"}' }));
    onFilled(answers);
    onClose();
  }
  return (
    <FormDialog title={t('form')} submit={t('formSubmit')} onSubmit={fill} onClose={onClose}>
      <TextArea
        label={t('formAnswers')}
        hint={t('formHint')}
        errors={problem === undefined ? undefined : [problem]}
        dir="ltr"
        rows={6}
        spellCheck={false}
        className="font-mono text-sm"
        value={answers}
        onChange={({ target }) => setAnswers(target.value)}
      />
    </FormDialog>
  );
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
