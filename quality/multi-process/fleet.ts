import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { freePort, isFree } from '#kit/server/free-port.ts'
import { type ProductProcess, productProcess } from '#quality/support/product-process.ts'
import { makeCertificates } from './certificates.ts'
import { fleetKills, killInTurn } from './kills.ts'
import { type FleetOutside, startFleetOutside } from './outside.ts'
import { startTlsProxy } from './proxy.ts'

/** Two processes that serve and two that work, on one database, behind the proxy of docs/going-live.md. */
export type Fleet = {
  url: string
  web: [ProductProcess, ProductProcess]
  workers: [ProductProcess, ProductProcess]
  restart(process: ProductProcess): Promise<void>
  env: Record<string, string>
  /** Ends the kills that `FLEET_KILLS` requests; null without any. */
  calm: (() => Promise<void>) | null
  /** Null where `env` names another gateway. */
  outside: FleetOutside | null
  close(): Promise<void>
}

type Options = {
  home: string
  databaseUrl: string
  certificates: string
  env?: Record<string, string>
  pages?: boolean
}

const usual = {
  MODE: 'demo',
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'error',
  LEASE_SECONDS: '2',
  DEMO_CUSTOMERS: 'none',
}

const aKey = (): string => randomBytes(32).toString('hex')

export async function startFleet({
  home,
  databaseUrl,
  certificates,
  env: besides = {},
  pages = true,
}: Options): Promise<Fleet> {
  makeCertificates(certificates)
  const seconds = Number(process.env[fleetKills] ?? 0)
  const [port, httpPort, webPorts] = [await freePort(), await freePort(), await freeDigits()]
  const url = `https://localhost:${port}`
  const outside = besides['CARD_URL'] ? null : await startFleetOutside(home, url)
  const env = { ...usual, DATABASE_URL: databaseUrl, SECRET_KEY: aKey(), PUBLIC_URL: url, ...outside?.env, ...besides }
  const processOf = (role: 'web' | 'worker', name: string, ownPort: number): ProductProcess =>
    productProcess({ ...env, ROLE: role, PORT: String(ownPort), DATA_DIR: join(home, name) }, { pages })
  const web: Fleet['web'] = [
    processOf('web', 'web-1', webPorts * 100 + 1),
    processOf('web', 'web-2', webPorts * 100 + 2),
  ]
  const workers: Fleet['workers'] = [
    processOf('worker', 'worker-1', await freePort()),
    processOf('worker', 'worker-2', await freePort()),
  ]
  const all = [...web, ...workers]
  // The first process stores the demo's stock, so it starts alone.
  await web[0].start()
  await Promise.all(all.slice(1).map((each) => each.start()))
  const proxy = await startTlsProxy({ folder: join(home, 'proxy'), certificates, port, httpPort, webPorts })
  const kills = seconds ? killInTurn(all, seconds) : null
  return {
    url,
    web,
    workers,
    env,
    outside,
    async restart(one) {
      const at = web.indexOf(one)
      if (at >= 0) await proxy.leaveOut(webPorts * 100 + at + 1)
      await one.stop()
      await one.start()
      if (at >= 0) await proxy.leaveOut(null)
    },
    calm: kills?.stop ?? null,
    async close() {
      await kills?.stop()
      await proxy.stop()
      await Promise.all(all.map((each) => each.kill()))
      await outside?.close()
    },
  }
}

async function freeDigits(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const digits = randomInt(120, 200)
    if ((await isFree(digits * 100 + 1)) && (await isFree(digits * 100 + 2))) return digits
  }
  throw new Error('There are no free ports.')
}
