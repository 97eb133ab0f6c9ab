/** The page's way to the simulator. */

/** Calls the control API; throws with its own words when it refuses. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `HTTP ${response.status}`);
  return answer;
}

/** Sends a file from a phone to a number. */
export async function sendFile(phone, numberId, file, caption) {
  const query = new URLSearchParams({ phone_number_id: numberId, filename: file.name ?? 'file' });
  if (caption) query.set('caption', caption);
  const response = await fetch(`/simulator/phones/${phone}/media?${query}`, {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  });
  if (!response.ok) throw new Error((await response.json()).error);
}

/** Follows what changes; `onState` hears whether the simulator can be reached. */
export function follow(onChanges, onState) {
  const source = new EventSource('/simulator/events');
  source.onmessage = (event) => onChanges(JSON.parse(event.data));
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
}
