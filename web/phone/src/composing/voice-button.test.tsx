import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { VoiceButton } from './voice-button.tsx';

/** A microphone that a person allows later. */
function offerMicrophone() {
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  const asked: PromiseWithResolvers<MediaStream>[] = [];
  mediaDevices.getUserMedia = () => {
    const answer = Promise.withResolvers<MediaStream>();
    asked.push(answer);
    return answer.promise;
  };
  onTestFinished(() => {
    mediaDevices.getUserMedia = ask;
  });
  return asked;
}

test('the microphone is asked for once, and switched off if the chat was left meanwhile', async () => {
  const asked = offerMicrophone();
  const shown = await render(<VoiceButton isOffered onRecorded={() => {}} />);
  const button = page.getByRole('button', { name: 'Record a voice message' });
  await button.click();
  await button.click();
  expect(asked).toHaveLength(1);

  await shown.unmount();
  const { stream } = new AudioContext().createMediaStreamDestination();
  asked[0]!.resolve(stream);
  await expect.poll(() => stream.getTracks().map((each) => each.readyState)).toEqual(['ended']);
});

test('the focus goes to the button that ends the recording, and back', async () => {
  const asked = offerMicrophone();
  await render(<VoiceButton isOffered onRecorded={() => {}} />);
  const record = page.getByRole('button', { name: 'Record a voice message' });
  (record.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  asked[0]!.resolve(new AudioContext().createMediaStreamDestination().stream);
  await expect.element(page.getByRole('button', { name: 'Send the voice message' })).toHaveFocus();
  await page.getByRole('button', { name: 'Discard the voice message' }).click();
  await expect.element(record).toHaveFocus();
});
