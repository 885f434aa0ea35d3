/**
 * Calls the demo with POST if there is a body, otherwise with GET. Returns the parsed response.
 * @throws an Error whose message can be shown. Its `status` is the HTTP status; without a status the outcome is unknown.
 */
export async function call(path, { body, seconds = 20 } = {}) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  let response
  try {
    response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(seconds * 1000), ...(body && post) })
  } catch {
    throw new Error('The demo isn’t answering. Is it still running?')
  }
  const answer = await response.json().catch(() => null)
  if (response.ok && answer !== null) return answer
  throw Object.assign(new Error(sentenceIn(answer) ?? `The demo answered with an error (${response.status}).`), {
    status: response.status,
  })
}

/** Returns the first sentence of an error response, which maps fields to sentences. */
const sentenceIn = (answer) =>
  Object.values(answer ?? {})
    .flat()
    .find((entry) => typeof entry === 'string')
