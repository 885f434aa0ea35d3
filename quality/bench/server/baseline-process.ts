import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { openEmbeddedDatabase } from '#kit/server/embedded-database.ts'
import { prepareStatements } from '#kit/server/embedded-statements.ts'
import { answerParentProcess } from '../world/child-process.ts'
import type { Place } from '../world/world.ts'
import type { Statement } from './combine-statements.ts'

export type Kept = { rows: Statement[][]; body: string; type: string }
export type BaselineRequest = { place: Place | null; paths: Record<string, Kept> }

const maxConnections = 12

/*
 * A reference server that uses nothing but Node's HTTP server. It reads no cookie, checks no user and assembles nothing, so no server that
 * runs the same statements could respond faster.
 */
answerParentProcess(async ({ place, paths }: BaselineRequest): Promise<number> => {
  const ask = place ? await createStatementRunner(place) : async () => {}
  const preparedResponses = new Map(
    Object.entries(paths).map(([path, { rows, body, type }]) => [
      path,
      { rows, type, textOf: createBodySerialiser(body, type) },
    ]),
  )
  async function sendResponse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const kept = preparedResponses.get(request.url ?? '')
    if (!kept) return void response.writeHead(404).end()
    for (const row of kept.rows) await Promise.all(row.map(ask))
    response.setHeader('content-type', kept.type)
    response.end(kept.textOf())
  }
  const server = createServer((request, response) => {
    sendResponse(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.keepAliveTimeout = 72_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})

/** Returns a function that serialises the JSON again for each response, as a server has to when it reads JSON values from rows. */
function createBodySerialiser(body: string, type: string): () => string {
  if (!type.includes('json')) return () => body
  const value: unknown = JSON.parse(body)
  return () => JSON.stringify(value)
}

async function createStatementRunner(place: Place): Promise<(statement: Statement) => Promise<unknown>> {
  if ('folder' in place) {
    const embeddedDatabase = prepareStatements((await openEmbeddedDatabase(place.folder)).pglite)
    return ({ statement, values }) => embeddedDatabase.query(statement, values)
  }
  const pool = new pg.Pool({ connectionString: place.url, max: maxConnections })
  return ({ statement: text, values, name }) => pool.query({ text, values, ...(name && { name }) })
}
