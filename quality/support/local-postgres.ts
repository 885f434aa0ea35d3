import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresServer } from '#quality/faults/postgres/server.ts'
import { keepTemporaryFilesInMemory } from './keep-temporary-files-in-memory.ts'

/*
 * Raise PostgreSQL's default limit of 100 connections. Three test files run in parallel, each with several processes that have connection
 * pools of their own.
 */
const settings = `
max_connections = 200
shared_buffers = 128MB
`

export type LocalPostgres = { url: string; giveBack(): Promise<void> }

/**
 * Starts a PostgreSQL server that only this process uses. On Debian, root installs PostgreSQL if necessary. The caller stops the server
 * with `giveBack`; otherwise, it stops along with this process.
 * @throws an error with a one-line message that says what is missing
 */
export async function startLocalPostgres(): Promise<LocalPostgres> {
  keepTemporaryFilesInMemory()
  const folder = mkdtempSync(join(tmpdir(), 'fantail-postgres-'))
  // The operating system user that runs PostgreSQL must be able to access the folder.
  chmodSync(folder, 0o755)
  const [role, password] = ['fantail_test', randomBytes(16).toString('hex')]
  try {
    const server = await createPostgresServer(folder, randomBytes(16).toString('hex'), settings)
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
