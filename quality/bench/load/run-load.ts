import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Round } from '../load-figures.ts'

export type Call = { path: string; headers?: Record<string, string>; body?: string }

export type Load = {
  port: number
  calls: readonly Call[]
  connections: number
  ms: number
  /**
   * Requests per second, started on schedule whether or not earlier requests have been answered. If all connections are busy, a request
   * waits, and its time includes the wait. If omitted, each connection waits for a response before it sends its next request.
   */
  perSecond?: number
}

const agentsByPort = new Map<number, Agent>()

function createAgent({ port, connections }: Load): Agent {
  const agent = agentsByPort.get(port) ?? new Agent({ keepAlive: true })
  agentsByPort.set(port, agent)
  agent.maxSockets = connections
  agent.maxFreeSockets = connections
  return agent
}

/**
 * Sends read requests for the given time over the given number of connections.
 * @throws on the first response with a status other than 200
 */
export async function runLoad(load: Load): Promise<Round> {
  const times: number[] = []
  const start = performance.now()
  const readNext = createReader(load, times)
  if (load.perSecond === undefined)
    await Promise.all(
      Array.from({ length: load.connections }, async () => {
        while (performance.now() - start < load.ms) await readNext(performance.now())
      }),
    )
  else await sendReadsAtRate(load.perSecond, { start, ms: load.ms, readNext })
  return { times: Float64Array.from(times), seconds: (performance.now() - start) / 1_000 }
}

type ReadNext = (since: number) => Promise<void>

function createReader(load: Load, times: number[]): ReadNext {
  const agent = createAgent(load)
  let next = 0
  return async (since) => {
    const call = load.calls[next++ % load.calls.length]
    if (!call) throw new Error('there is nothing to read')
    await read(load.port, agent, call)
    times.push(performance.now() - since)
  }
}

/** Sends requests at a fixed rate. A late response does not hold up later requests, just as visitors don't wait for each other. */
async function sendReadsAtRate(
  perSecond: number,
  { start, ms, readNext }: { start: number; ms: number; readNext: ReadNext },
): Promise<void> {
  const under: Promise<void>[] = []
  for (let nth = 0; nth < (perSecond * ms) / 1_000; nth++) {
    const due = start + (nth * 1_000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    under.push(readNext(due))
  }
  await Promise.all(under)
}

function read(port: number, agent: Agent, { path, headers = {}, body: sent }: Call): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const method = sent === undefined ? 'GET' : 'POST'
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent,
    headers: { host: `localhost:${port}`, ...headers, ...(sent && { 'content-length': Buffer.byteLength(sent) }) },
  })
  asked.once('error', reject)
  asked.once('response', (response) => {
    if (response.statusCode === 200) {
      response.once('end', resolve).once('error', reject).resume()
      return
    }
    let body = ''
    response.setEncoding('utf8').on('data', (text: string) => (body += text))
    response.once('end', () => reject(new Error(`${path} answered ${response.statusCode}: ${body.slice(0, 300)}`)))
  })
  asked.end(sent)
  return promise
}
