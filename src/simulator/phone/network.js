/** The page's requests to the simulator. */

/** Calls the control API. Throws its error message if the request fails. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const data = await response.json();
  if (!response.ok) throw new Error(data.error ?? `HTTP ${response.status}`);
  return data;
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

/** Subscribes to changes. `onState` is called with whether the simulator is reachable. */
export function follow(onChanges, onState) {
  const source = new EventSource('/simulator/events');
  source.onmessage = (event) => onChanges(JSON.parse(event.data));
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
}
