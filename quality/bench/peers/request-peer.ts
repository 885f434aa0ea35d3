export type Told = { body: any; headers: Headers } // oxlint-disable-line typescript/no-explicit-any

/**
 * Sends a request to one of the platforms that Fantail is compared with.
 * @throws an error that contains the response if its status is not 200
 */
export async function ask(url: string, { body, headers }: { body?: object; headers?: object } = {}): Promise<Told> {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`)
  return { body: JSON.parse(text), headers: answer.headers }
}
