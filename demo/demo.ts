import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { MovableClock } from '#kit/server/clock.ts'
import type { CardConfig, Config, NetworkConfig } from '#kit/server/config.ts'
import type { Db } from '#kit/server/db.ts'
import { migrate } from '#kit/server/migrate.ts'
import { createSecrets } from '#kit/server/secrets.ts'
import type { MailSender } from '#providers/mail/mail.port.ts'
import type { Deps } from '#app/deps.ts'
import { deadlines } from '#app/worker.ts'
import { demoRoutes } from './demo.routes.ts'
import { guideRoutes } from './guide.routes.ts'
import { createMailbox } from './mailbox.ts'
import { type Outside, joinSimulators, startSimulators } from './outside.ts'
import { restock } from './stock.ts'

export type Demo = {
  settings: { secretKey: string; card: CardConfig; network: NetworkConfig }
  mailbox: MailSender
  extend(app: FastifyInstance, deps: Deps): void
  close(): Promise<void>
}

/** The one-command world around the product: simulators, mailbox, stock, clock and guide. */
export async function startDemo(config: Config, db: Db, clock: MovableClock, { port, market }: { port: number; market: Market }): Promise<Demo> {
  await migrate(db, join(import.meta.dirname, 'migrations'))
  const secretKey = config.secretKey ?? keptSecret(config.dataDir)
  const secrets = createSecrets(secretKey)
  const outside: Outside =
    config.card && config.network ? joinSimulators(config.card, config.network) : await startSimulators(config.dataDir, secrets, port)
  await outside.setClock(clock.offset())
  await outside.announcePorts(market.code)
  const shelf = { db, secrets, clock, market, tellNetwork: outside.announceSims }
  await restock(shelf)
  return {
    settings: { secretKey, card: outside.card, network: outside.network },
    mailbox: createMailbox(db, clock),
    extend(app, deps) {
      demoRoutes(app, {
        db,
        clock,
        market,
        secrets,
        jobs: deps.jobs,
        deadlines: deadlines(deps),
        tellSimulators: outside.setClock,
        restock: () => restock(shelf),
        ledgers: outside.ledgers,
      })
      guideRoutes(app)
    },
    close: outside.close,
  }
}

/** The demo makes its own secret and keeps it beside its data, so that a restart reads what it sealed. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8')
}
