import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ListenAddress } from './file-schemas.ts'

export type Listener = {
  url: string
  close(): Promise<void>
}

const maxBodyBytes = 1_000_000

/**
 * Starts a server that receives callbacks from an external service. `hear` is passed each parsed body (`undefined` if
 * it is not JSON) and returns the response.
 */
export async function listen(
  { host, port }: ListenAddress,
  hear: (heard: { path: string; body: unknown }) => { status: number; text: string },
): Promise<Listener> {
  const server = createServer(async (request, response) => {
    const text = request.method === 'POST' ? await readBody(request) : null
    if (text === null) return void response.writeHead(request.method === 'POST' ? 413 : 405).end()
    const answer = hear({ path: request.url ?? '', body: tryParseJson(text) })
    response.writeHead(answer.status).end(answer.text)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: at } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${at}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length
      if (length > maxBodyBytes) return null
      parts.push(part)
    }
  } catch {
    return null
  }
  return Buffer.concat(parts).toString()
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
