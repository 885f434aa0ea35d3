/**
 * Calls the demo: GET, or POST where there is a body. Answers what it sent.
 * @throws an Error whose message can be shown, with the answer's `status`; without a status it is not known what happened
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

/** Errors are maps from a field to its sentences. */
const sentenceIn = (answer) =>
  Object.values(answer ?? {})
    .flat()
    .find((entry) => typeof entry === 'string')
