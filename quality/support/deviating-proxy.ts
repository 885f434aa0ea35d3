import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request on its way to a server. Bodies have been parsed; null means that there is no body. */
export type ProxiedRequest = { method: string; path: string; headers: Record<string, string>; body: unknown }
export type ProxiedResponse = { status: number; headers: Record<string, string>; body: unknown }

export type Deviation = {
  call?(call: ProxiedRequest): ProxiedRequest | ProxiedResponse
  answer?(call: ProxiedRequest, answer: ProxiedResponse): ProxiedResponse
}

export async function startDeviatingProxy(
  target: string,
  deviation: Deviation,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await forwardCall(target, await readCall(request), deviation)
    const text = body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readCall(request: IncomingMessage): Promise<ProxiedRequest> {
  const text = Buffer.concat(await request.toArray()).toString()
  const { host: _, connection: _c, 'content-length': _l, ...headers } = request.headers as Record<string, string>
  return { method: request.method ?? 'GET', path: request.url ?? '/', headers, body: tryParseJson(text) }
}

async function forwardCall(target: string, call: ProxiedRequest, deviation: Deviation): Promise<ProxiedResponse> {
  const changedRequest = deviation.call?.(call) ?? call
  if ('status' in changedRequest) return changedRequest
  const answer = await fetch(target + changedRequest.path, {
    method: changedRequest.method,
    headers: changedRequest.headers,
    ...(changedRequest.body === null ? {} : { body: JSON.stringify(changedRequest.body) }),
  })
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !['content-length', 'connection', 'keep-alive', 'date'].includes(name)),
  )
  const proxiedResponse = { status: answer.status, headers, body: tryParseJson(await answer.text()) }
  return deviation.answer?.(changedRequest, proxiedResponse) ?? proxiedResponse
}

function tryParseJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

export function mapStrings(body: unknown, change: (text: string) => string): unknown {
  if (typeof body === 'string') return change(body)
  if (Array.isArray(body)) return body.map((item) => mapStrings(item, change))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, mapStrings(value, change)]))
}
