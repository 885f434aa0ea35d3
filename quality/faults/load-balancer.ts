import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export type LoadBalancer = { port: number; close(): Promise<void> }

const readinessPollMs = 500
/** Milliseconds after which a process that does not respond to its readiness check gets no more requests. */
const readinessTimeoutMs = 2_500

/** Starts a load balancer on this port. While no process is ready, requests go to all processes in turn. */
export async function startLoadBalancer(port: number, urls: readonly string[]): Promise<LoadBalancer> {
  const ready = new Map<string, boolean>()
  const ends = new Set<Socket>()
  const abortController = new AbortController()
  let turn = 0

  async function watch(url: string): Promise<void> {
    while (!abortController.signal.aborted) {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(readinessTimeoutMs) }).catch(() => null)
      ready.set(url, answer?.status === 200)
      await answer?.body?.cancel().catch(() => {})
      await pause(readinessPollMs, undefined, { signal: abortController.signal }).catch(() => {})
    }
  }
  function next(): URL {
    const open = urls.filter((url) => ready.get(url))
    const from = open.length > 0 ? open : urls
    turn += 1
    return new URL(from[turn % from.length] ?? '')
  }
  const server = createServer((near) => {
    const far = connect(Number(next().port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => ends.delete(from) && to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const readinessPolls = urls.map(watch)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      abortController.abort()
      const closePromise = new Promise((resolve) => server.close(resolve))
      for (const end of ends) end.destroy()
      await Promise.all([closePromise, ...readinessPolls])
    },
  }
}
