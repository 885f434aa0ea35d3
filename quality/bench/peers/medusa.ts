import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { password } from '#quality/support/activation-journey.ts'
import { ask } from './request-peer.ts'
import { waitForUrl, waitForExit } from './process-group.ts'
import { maxConnections, maxStartMs, type Peer, type Site } from './peer.ts'

/*
 * The configuration follows Medusa's guide but leaves out the admin pages. Events, caches and workflows are kept in memory, which is the
 * default.
 */
const configText = `const { defineConfig } = require('@medusajs/framework/utils')
const nobody = 'http://localhost'
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseLogging: false,
    databaseDriverOptions: { pool: { min: 2, max: ${maxConnections} } },
    http: {
      storeCors: nobody,
      adminCors: nobody,
      authCors: nobody,
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
})
`
const medusaCliPath = 'node_modules/@medusajs/cli/cli.js'

export const medusa: Peer = {
  name: 'Medusa',
  packages: { '@medusajs/cli': '2.21.2', '@medusajs/framework': '2.21.2', '@medusajs/medusa': '2.21.2' },

  async start({ folder, databaseUrl, port, begin }) {
    writeFileSync(join(folder, 'medusa-config.js'), configText)
    const env = {
      MEDUSA_DISABLE_TELEMETRY: 'true',
      LOG_LEVEL: 'error',
      JWT_SECRET: randomBytes(16).toString('hex'),
      COOKIE_SECRET: randomBytes(16).toString('hex'),
    }
    await waitForExit(begin([medusaCliPath, 'db:migrate'], env), maxStartMs)
    const args = [medusaCliPath, 'start', '--host', '127.0.0.1', '--port', String(port), '--types', 'false']
    const group = begin(args, env)
    const origin = `http://127.0.0.1:${port}`
    await waitForUrl(group, `${origin}/health`, maxStartMs)
    return { pid: group.pid, site: { origin, key: await keyIn(databaseUrl) } }
  },

  async signUp(site, email) {
    const told = await ask(`${site.origin}/auth/customer/emailpass/register`, { body: { email, password } })
    const headers = buildHeaders(site, told.body.token)
    await ask(`${site.origin}/store/customers`, { body: { email, first_name: 'Ana', last_name: 'Rewi' }, headers })
  },

  async read(site, email) {
    const { body } = await ask(`${site.origin}/auth/customer/emailpass`, { body: { email, password } })
    const call = { path: '/store/customers/me', headers: buildHeaders(site, body.token) }
    const { customer } = (await ask(site.origin + call.path, call)).body
    if (customer?.email !== email) throw new Error('Medusa does not know who asks')
    return call
  },
}

const buildHeaders = ({ key }: Site, token: string): Record<string, string> => ({
  'x-publishable-api-key': key,
  authorization: `Bearer ${token}`,
})

/** Returns the API key that Medusa creates when it first starts. */
async function keyIn(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(`select token from api_key where type = 'publishable'`)
    if (!rows[0]) throw new Error('it has made no key for its shop')
    return rows[0].token
  } finally {
    await client.end()
  }
}
