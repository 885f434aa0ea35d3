import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { findFreePort, isPortFree } from '#kit/server/free-port.ts'
import { type ProductProcess, createProductProcess } from '#quality/support/product-process.ts'
import { makeCertificates } from './certificates.ts'
import { fleetKillsVariable, killRepeatedly } from './kill-processes.ts'
import { type FleetSimulators, startFleetSimulators } from './fleet-simulators.ts'
import { startTlsProxy } from './tls-proxy.ts'

/** Two web processes and two worker processes that share a database, behind the proxy from docs/going-live.md. */
export type Fleet = {
  url: string
  web: [ProductProcess, ProductProcess]
  workers: [ProductProcess, ProductProcess]
  restart(process: ProductProcess): Promise<void>
  env: Record<string, string>
  /** Stops the repeated kills that `FLEET_KILLS` asks for; null if it asks for none. */
  calm: (() => Promise<void>) | null
  /** The fleet's simulators; null if `env` points to a different gateway. */
  outside: FleetSimulators | null
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
  const seconds = Number(process.env[fleetKillsVariable] ?? 0)
  const [port, httpPort, webPorts] = [await findFreePort(), await findFreePort(), await findFreePortPrefix()]
  const url = `https://localhost:${port}`
  const fleetSimulators = besides['CARD_URL'] ? null : await startFleetSimulators(home, url)
  const env = {
    ...usual,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: aKey(),
    PUBLIC_URL: url,
    ...fleetSimulators?.env,
    ...besides,
  }
  const createProcess = (role: 'web' | 'worker', name: string, ownPort: number): ProductProcess =>
    createProductProcess({ ...env, ROLE: role, PORT: String(ownPort), DATA_DIR: join(home, name) }, { pages })
  const web: Fleet['web'] = [
    createProcess('web', 'web-1', webPorts * 100 + 1),
    createProcess('web', 'web-2', webPorts * 100 + 2),
  ]
  const workers: Fleet['workers'] = [
    createProcess('worker', 'worker-1', await findFreePort()),
    createProcess('worker', 'worker-2', await findFreePort()),
  ]
  const all = [...web, ...workers]
  // Start the first process on its own, because it has to store the demo's stock.
  await web[0].start()
  await Promise.all(all.slice(1).map((each) => each.start()))
  const proxy = await startTlsProxy({ folder: join(home, 'proxy'), certificates, port, httpPort, webPorts })
  const kills = seconds ? killRepeatedly(all, seconds) : null
  return {
    url,
    web,
    workers,
    env,
    outside: fleetSimulators,
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
      await fleetSimulators?.close()
    },
  }
}

async function findFreePortPrefix(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const portPrefix = randomInt(120, 200)
    if ((await isPortFree(portPrefix * 100 + 1)) && (await isPortFree(portPrefix * 100 + 2))) return portPrefix
  }
  throw new Error('There are no free ports.')
}
