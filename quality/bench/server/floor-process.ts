import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { openEmbeddedIn } from '#kit/server/embedded.ts'
import { prepareStatements } from '#kit/server/embedded-statements.ts'
import { answerParent } from '../world/child.ts'
import type { Place } from '../world/world.ts'
import type { Statement } from './fewest.ts'

export type Kept = { rows: Statement[][]; body: string; type: string }
export type FloorWish = { place: Place | null; paths: Record<string, Kept> }

const connections = 12

// Only Node's own server: it reads no cookie, checks no user and assembles nothing. No server that sends these statements could answer
// faster.
answerParent(async ({ place, paths }: FloorWish): Promise<number> => {
  const ask = place ? await openPlace(place) : async () => {}
  const answers = new Map(
    Object.entries(paths).map(([path, { rows, body, type }]) => [path, { rows, type, textOf: textOf(body, type) }]),
  )
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const kept = answers.get(request.url ?? '')
    if (!kept) return void response.writeHead(404).end()
    for (const row of kept.rows) await Promise.all(row.map(ask))
    response.setHeader('content-type', kept.type)
    response.end(kept.textOf())
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.keepAliveTimeout = 72_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})

/** JSON is serialised anew for each answer, as code that reads it from rows must do. */
function textOf(body: string, type: string): () => string {
  if (!type.includes('json')) return () => body
  const value: unknown = JSON.parse(body)
  return () => JSON.stringify(value)
}

async function openPlace(place: Place): Promise<(statement: Statement) => Promise<unknown>> {
  if ('folder' in place) {
    const embedded = prepareStatements((await openEmbeddedIn(place.folder)).pglite)
    return ({ statement, values }) => embedded.query(statement, values)
  }
  const pool = new pg.Pool({ connectionString: place.url, max: connections })
  return ({ statement: text, values, name }) => pool.query({ text, values, ...(name && { name }) })
}
