import { type Endpoint, pathOf } from '#kit/contract/endpoint.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { sendTooMuch } from '#testing/slow-sender.ts'
import { nameOf, paramsOf, type Scene } from '../scene.ts'
import { headersOf } from '../send.ts'

const megabyte = 1024 * 1024
/** An endless sender gets the answer by then, however late this thread comes to read it. */
const mostSent = 16 * megabyte

/** Bodies above the call's bound, announced and endless: refused at once, and the connection is not reset. */
export async function oversized(scene: Scene, endpoint: Endpoint): Promise<void> {
  if (endpoint.method === 'GET') return
  const params = Object.fromEntries(paramsOf(endpoint).map((name) => [name, 'text']))
  await sendBoth(scene, nameOf(endpoint), { method: endpoint.method, path: pathOf(endpoint, params) })
}

/** The same at the addresses that gateway and network call. */
export async function oversizedCallbacks(scene: Scene): Promise<void> {
  for (const path of [cardCallbackPath, '/callbacks/network/guess/', '/nowhere/'])
    await sendBoth(scene, `POST ${path}`, { method: 'POST', path })
}

async function sendBoth(
  { world, cast, tries }: Scene,
  call: string,
  request: { method: string; path: string },
): Promise<void> {
  const headers = { ...headersOf(await cast.stranger()), 'content-type': 'application/json' }
  for (const [kind, length] of [
    ['too long by its length', 2 * megabyte],
    ['endless', 'chunked'],
  ] as const) {
    tries.count(kind)
    const { status, isReset, sentBytes } = await sendTooMuch(world.url, { ...request, headers, length })
    const find = (fault: string) => tries.find({ kind, call, what: 'a body above the bound', fault })
    if (status !== 413) find(`was answered ${status}`)
    if (isReset) find('was reset')
    if (sentBytes > mostSent) find(`was read for ${Math.round(sentBytes / megabyte)} MB`)
  }
}
