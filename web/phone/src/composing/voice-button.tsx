import { Check, Mic, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Problem } from '../../../parts/behaviour/problem.ts';
import { IconButton } from '../../../parts/buttons/button.tsx';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { phone as t } from '../../../texts/phone.ts';

/** The network's own formats first. Some browsers can record none of them. */
const formats = [
  { type: 'audio/ogg;codecs=opus', name: 'voice.ogg' },
  { type: 'audio/mp4', name: 'voice.m4a' },
  { type: 'audio/webm;codecs=opus', name: 'voice.webm' },
];

/** Records a voice message with the microphone and sends it. */
export function VoiceButton({
  isOffered,
  onRecorded,
}: {
  isOffered: boolean;
  onRecorded: (file: File) => void;
}) {
  const recorder = useRef<MediaRecorder>(undefined);
  const [isRecording, setIsRecording] = useState(false);
  const start = useRef<HTMLButtonElement>(null);
  const end = useRef<HTMLButtonElement>(null);
  useFocusOnButton(isRecording ? end : start);
  /** Whether a person is asked for the microphone. */
  const isAsking = useRef(false);
  const isGone = useRef(false);
  // It may be another one when the recording ends.
  const recorded = useRef(onRecorded);
  recorded.current = onRecorded;
  useEffect(() => {
    isGone.current = false;
    // Another chat was opened meanwhile.
    return () => {
      isGone.current = true;
      discard(recorder.current);
    };
  }, []);

  async function record() {
    if (isAsking.current) return;
    isAsking.current = true;
    let stream: MediaStream | undefined;
    const format = formats.find(({ type }) => globalThis.MediaRecorder?.isTypeSupported(type));
    try {
      if (!format) throw new Error('no format');
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (isGone.current) {
        switchOff(stream);
        return;
      }
      const pieces: Blob[] = [];
      recorder.current = new MediaRecorder(stream, { mimeType: format.type });
      recorder.current.ondataavailable = ({ data }) => pieces.push(data);
      recorder.current.onstop = () => {
        const type = format.type.split(';')[0];
        recorded.current(new File(pieces, format.name, { type }));
      };
      recorder.current.start();
      setIsRecording(true);
    } catch {
      switchOff(stream);
      showProblem(new Problem(0, t('cannotRecord')));
    } finally {
      isAsking.current = false;
    }
  }

  if (!isRecording) {
    return (
      isOffered && (
        <IconButton
          ref={start}
          label={t('record')}
          className="rounded-full"
          onClick={() => void record()}
        >
          <Mic className="size-5" aria-hidden />
        </IconButton>
      )
    );
  }
  return (
    <span className="flex items-center gap-1">
      <span role="status" className="flex items-center gap-1.5 text-sm text-bad">
        <span className="typing-dot size-2.5 rounded-full bg-bad" aria-hidden />
        {t('recording')}
      </span>
      <IconButton
        label={t('cancelRecording')}
        onClick={() => {
          discard(recorder.current);
          setIsRecording(false);
        }}
      >
        <Trash2 className="size-5" aria-hidden />
      </IconButton>
      <IconButton
        ref={end}
        label={t('stopRecording')}
        onClick={() => {
          stop(recorder.current);
          setIsRecording(false);
        }}
      >
        <Check className="size-5" aria-hidden />
      </IconButton>
    </span>
  );
}

/** Moves the focus to a button that takes the place of the one that was pressed. */
function useFocusOnButton(button: RefObject<HTMLButtonElement | null>): void {
  const before = useRef(button);
  useEffect(() => {
    if (button !== before.current) button.current?.focus();
    before.current = button;
  }, [button]);
}

/** Ends the recording and switches the microphone off. */
function stop(recorder: MediaRecorder | undefined): void {
  if (recorder?.state === 'recording') recorder.stop();
  switchOff(recorder?.stream);
}

function switchOff(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function discard(recorder: MediaRecorder | undefined): void {
  if (recorder) recorder.onstop = null;
  stop(recorder);
}
