import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownServer } from '#quality/faults/postgres/server.ts'
import { keepScratchInMemory } from './scratch.ts'

// A hundred are what PostgreSQL comes with; each of three files at once has a few processes with a pool each.
const settings = `
max_connections = 200
shared_buffers = 128MB
`

/** A server of our own, in a folder of its own, and the address of a database on it whose role may make more. */
export type BorrowedPostgres = { url: string; giveBack(): Promise<void> }

/**
 * Starts a PostgreSQL that is ours alone, installed where it is absent and we are root on Debian. Give it back when done: it
 * ends with this process at the latest.
 * @throws one line that says what is missing
 */
export async function borrowPostgres(): Promise<BorrowedPostgres> {
  keepScratchInMemory()
  const folder = mkdtempSync(join(tmpdir(), 'fantail-postgres-'))
  // Its own user has to get to its data.
  chmodSync(folder, 0o755)
  const [role, password] = ['fantail_test', randomBytes(16).toString('hex')]
  try {
    const server = await ownServer(folder, randomBytes(16).toString('hex'), settings)
    await server.make()
    await server.ask('postgres', `create role ${role} login createdb createrole password '${password}'`)
    await server.ask('postgres', `create database ${role} owner ${role}`)
    return {
      url: `postgres://${role}:${password}@${server.host}:${server.port}/${role}`,
      async giveBack() {
        await server.stop('fast')
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
