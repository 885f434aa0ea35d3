import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type HeldRequest = {
  /** Resolves once the request has arrived: before the proxy passes it on, or after the target has responded. */
  reached: Promise<void>
  goOn(): void
  /** Closes the connection. The request is never passed on or, if it has been, its response is discarded. */
  drop(): void
}

type Proxy = {
  url: string
  /** Holds the next request with this name, either before the proxy passes it on or after the target has carried it out. */
  hold(name: string, when: 'before' | 'after'): HeldRequest
  close(): Promise<void>
}

type Call = { method: string; path: string; body: string }
type Trap = { name: string; when: 'before' | 'after'; reach(): void; verdict: Promise<'go on' | 'drop'> }

/** Starts a proxy in front of `target`. `nameOf` returns the name of a request, or null if the request must never be held. */
export async function startProxy(target: string, nameOf: (call: Call) => string | null): Promise<Proxy> {
  const traps: Trap[] = []

  async function waitAtTrap(name: string | null, when: Trap['when']): Promise<boolean> {
    const at = traps.findIndex((trap) => trap.name === name && trap.when === when)
    const [trap] = at < 0 ? [] : traps.splice(at, 1)
    trap?.reach()
    return (await trap?.verdict) !== 'drop'
  }

  async function forwardRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request
    const body = (await buffer(request)).toString()
    const name = nameOf({ method, path, body })
    if (!(await waitAtTrap(name, 'before'))) return void response.destroy()
    const answer = await fetch(target + path, { method, headers: buildHeaders(request), ...(body && { body }) })
    const text = await answer.text()
    if (!(await waitAtTrap(name, 'after'))) return void response.destroy()
    const {
      date: _,
      connection: __,
      'keep-alive': ___,
      'transfer-encoding': ____,
      ...headers
    } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, headers).end(text)
  }

  const server = createServer(
    (request, response) => void forwardRequest(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    hold(name, when) {
      const trapReached = Promise.withResolvers<void>()
      const trapDecision = Promise.withResolvers<'go on' | 'drop'>()
      traps.push({ name, when, reach: trapReached.resolve, verdict: trapDecision.promise })
      return {
        reached: trapReached.promise,
        goOn: () => trapDecision.resolve('go on'),
        drop: () => trapDecision.resolve('drop'),
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function buildHeaders({ headers }: IncomingMessage): Headers {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'])
  return new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      own.has(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )
}
