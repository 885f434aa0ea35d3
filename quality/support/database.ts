import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type TestDatabase = {
  url: string
  /**
   * Makes an owner role the owner of the database and its tables, and creates a separate role for Fantail, as docs/running.md describes.
   */
  makeRoles(): Promise<{ owner: string; product: string }>
  breakConnections(): Promise<void>
  /** Saves a copy of the database, which `restore` can put back later. No client may be connected while either function runs. */
  backUp(): Promise<void>
  restore(): Promise<void>
  drop(): Promise<void>
}

/**
 * Creates a new database on the server at `url`. It has tables if there is a template. The role in the URL must be allowed to create
 * databases.
 */
export async function makeDatabase(url: string, { empty = false } = {}): Promise<TestDatabase> {
  const name = `fantail_test_${randomBytes(6).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const template = empty ? undefined : process.env['TEMPLATE_DATABASE']
  await run(`create database ${name}${template ? ` template ${template}` : ''}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const roles: string[] = []
  const breakConnections = () =>
    run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename = current_user`)
  return {
    url: own.href,
    breakConnections,
    async makeRoles() {
      const [owner, product] = [`${name}_owner`, `${name}_product`]
      const password = randomBytes(16).toString('hex')
      for (const role of [owner, product]) {
        await run(`create role ${role} login password '${password}'`)
        roles.push(role)
      }
      await run(`grant ${owner} to current_user`)
      await run(`alter database ${name} owner to ${owner}`)
      const as = (role: string): string => Object.assign(new URL(own.href), { username: role, password }).href
      return { owner: as(owner), product: as(product) }
    },
    async backUp() {
      await breakConnections()
      await run(`create database ${name}_backup template ${name}`)
    },
    async restore() {
      await breakConnections()
      await run(`drop database ${name}`)
      await run(`alter database ${name}_backup rename to ${name}`)
    },
    async drop() {
      await run(`drop database if exists ${name}_backup`)
      await breakConnections()
      // Drop the database without `with (force)`, which fails while autovacuum is connected. A plain drop waits until autovacuum is done.
      await run(`drop database ${name}`)
      for (const role of roles) await run(`drop role ${role}`)
    },
  }
}
