import { join } from 'node:path'
import { sql } from 'kysely'
import { createClock } from '#kit/server/clock.ts'
import type { Config } from '#kit/server/config.ts'
import { freePort } from '#kit/server/free-port.ts'
import { createSmtpSender } from '#providers/mail/smtp.ts'
import { createSmsSender } from '#providers/sms/tmf681.ts'
import { defaultMapping } from '#providers/network/mapping.ts'
import { openAccess } from '#providers/tmf/access.ts'
import { startWithCatalogue } from '#features/plans/server/catalogue.ts'
import { importDonors } from '#features/porting/server/porting.store.ts'
import { startDemo } from '#demo/demo.ts'
import { openPrepared } from './prepare-database.ts'
import { type RunningProduct, startProduct } from './product.ts'
import { type Provider, readProvider } from './provider/read-provider.ts'

/** Whose portal the demo is, unless it is told of another. */
const demoProvider = join(import.meta.dirname, '../demo/providers/fantail')

/** Starts the whole thing as configured: database, the demo's world when it is the demo, and the product. */
export async function start(
  config: Config,
  { pages = 'built' }: { pages?: 'built' | 'dev' | 'none' } = {},
): Promise<RunningProduct> {
  const folder = config.providerDir ?? demoProvider
  const provider = readProvider(folder, config.market)
  const database = await openPrepared(config)
  await importDonors(database.db, provider.donors)

  // Links in mails need it before we listen.
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const offset = await sql<{ offset_ms: string }>`select offset_ms from clock`.execute(database.db)
  const clock = createClock(config.mode === 'demo' ? Number(offset.rows[0]?.offset_ms ?? 0) : 0)
  const standing = await startWithCatalogue({ db: database.db, clock }, provider.catalogue)
  const shared = {
    database,
    clock,
    provider,
    pages,
    readCatalogue: () => readProvider(folder, config.market).catalogue,
    standingCatalogue: standing?.number ?? null,
  }

  if (config.mode === 'production') {
    const { secretKey, card, network, mail, sms } = config
    if (!secretKey || !card || !network || !mail || !sms) throw new Error('the configuration was not checked')
    const product = await startProduct({
      ...shared,
      config: { ...config, port, publicUrl, secretKey, card, network },
      mail: { sender: createSmtpSender({ url: mail.smtpUrl }), from: mail.from },
      sms: createSmsSender({ ...sms, access: openAccess(sms.access), timeoutMs: 15_000 }),
    })
    return { ...product, close: () => product.close().finally(() => database.close()) }
  }

  const demo = await startDemo(config, database.db, clock, {
    port,
    market: config.market,
    catalogue: provider.catalogue,
  })
  const product = await startProduct({
    ...shared,
    // The demo's own network speaks as all do; one that it is told of may be the carrier of the folder.
    provider: config.network ? provider : { ...provider, network: defaultMapping },
    config: { ...config, port, publicUrl, ...demo.settings },
    mail: { sender: demo.mailbox.mail, from: demoSender(provider) },
    sms: demo.mailbox.sms,
    extend: demo.extend,
  })
  await demo.open()
  return {
    ...product,
    async close() {
      await product.close()
      await demo.close()
      await database.close()
    },
  }
}

/** The demo has no MAIL_FROM: it writes in its provider's name, from an address without an owner. */
function demoSender({ brand }: Provider): string {
  const domain = brand.shortName
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  return `${JSON.stringify(brand.name)} <hello@${domain || 'demo'}.example>`
}
