import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '#kit/server/free-port.ts'
import { sealCard } from '#quality/support/cards.ts'
import { newOtherCarrierMsisdn } from '#quality/support/numbers.ts'
import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { startLoadBalancer } from './load-balancer.ts'
import type { FaultDatabase, FaultWorld, Recovery } from './injector.ts'
import { type FaultProviders, startFaultProviders } from './fault-providers.ts'
import { mountSmallDisk } from './postgres/small-disk.ts'
import { type Shelf, type SimBehaviour, stock } from './sim-stock.ts'
import { type SupervisedProcess, supervise } from './supervise.ts'
import { advanceTime } from './advance-time.ts'

export type FaultTestWorld = Omit<FaultWorld, 'processes'> & {
  processes: SupervisedProcess[]
  now: { active: string; isLivedIn: boolean }
  complaints: string[]
  recoveries: Map<string, Recovery[]>
  clock: { offsetMs: number; now(): Temporal.Instant }
  visitor(): Visitor
  card(holder?: string): string
  newSim(behaviour?: SimBehaviour): { msisdn: string; sim_serial: string; iccid: string }
  newVoucher(): string
  portableNumber(behaviour?: 'completes' | 'fails' | 'waits_for_donor'): string
  mailWith(address: string, pattern: RegExp): Promise<string | null>
  tellGateway(path: string, body: unknown): Promise<void>
  opsUrl: string
  folder: string
  close(): Promise<void>
}

type WorldOptions = {
  database: FaultDatabase | null
  processes: number
  orders: number
  signal: AbortSignal
  log(event: string): void
}

const leaseSeconds = 3
const customerTimeoutMs = 30_000

const usual = {
  MODE: 'demo',
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'warn',
  LEASE_SECONDS: String(leaseSeconds),
  DEMO_CUSTOMERS: 'none',
  // Use the same memory setting as deploy/systemd/.
  MALLOC_MMAP_THRESHOLD_: '1000000',
}

export async function startRunningWorld(wishes: WorldOptions): Promise<FaultTestWorld> {
  const { database, signal, log } = wishes
  const home = mkdtempSync(join(tmpdir(), 'fantail-faults-'))
  const balancerPort = await findFreePort()
  const url = `http://localhost:${balancerPort}`
  const simulators = await startFaultProviders(home, url)
  const folder = join(home, 'product-1')
  mkdirSync(folder)
  const disk = database ? null : mountSmallDisk(folder)
  const opsPort = await findFreePort()
  const env = {
    ...usual,
    ...simulators.env,
    PUBLIC_URL: url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    ...(database && { DATABASE_URL: database.url }),
    ...(database?.isPooled && { DATABASE_PREPARED_STATEMENTS: 'off' }),
  }
  const processes: SupervisedProcess[] = []
  for (let nth = 1; nth <= wishes.processes; nth++) {
    const [name, port] = [`product-${nth}`, await findFreePort()]
    const own = { PORT: String(port), DATA_DIR: join(home, name), ...(nth === 1 && { OPS_PORT: String(opsPort) }) }
    processes.push(supervise(name, { ...env, ...own }))
  }
  async function close(): Promise<void> {
    await Promise.all(processes.map((each) => each.end()))
    await simulators.close()
    await database?.close()
    disk?.remove()
    rmSync(home, { recursive: true, force: true })
  }
  try {
    // Start the processes one after another, because the first one has to create the tables.
    for (const each of processes) await each.begin()
    const shelf = await stock({ dataDir: folder }, simulators.network, wishes.orders)
    const urls = processes.map((each) => each.url)
    const front = await startLoadBalancer(balancerPort, urls)
    const world: FaultTestWorld = {
      ...createCustomerAccess(simulators, shelf, url),
      ...notes(),
      passTime: ({ hours }) => advanceTime(world, hours),
      processes,
      database,
      signal,
      log,
      url,
      folder,
      leaseSeconds,
      opsUrl: `http://127.0.0.1:${opsPort}`,
      close: () => front.close().then(close),
    }
    return world
  } catch (error) {
    await close()
    throw error
  }
}

function notes(): Pick<
  FaultTestWorld,
  'now' | 'complaints' | 'complain' | 'activeFaults' | 'recoveries' | 'tellRecovery'
> {
  const reportedProblems: string[] = []
  const now = { active: '', isLivedIn: false }
  const recoveries = new Map<string, Recovery[]>()
  return {
    now,
    complaints: reportedProblems,
    complain: (text) => void reportedProblems.push(text),
    activeFaults: () => now.active,
    recoveries,
    tellRecovery(fault, recovery) {
      if (now.isLivedIn) recoveries.set(fault, [...(recoveries.get(fault) ?? []), recovery])
    },
  }
}

function createCustomerAccess({ gateway, network, mail, texts, doors }: FaultProviders, shelf: Shelf, url: string) {
  const clock = { offsetMs: 0, now: () => Temporal.Now.instant().add({ milliseconds: clock.offsetMs }) }
  let visitors = 0
  return {
    gateway,
    network,
    mail,
    texts,
    clock,
    provider: doors,
    visitor() {
      visitors += 1
      const address = `100.${64 + (visitors >> 16)}.${(visitors >> 8) & 255}.${visitors & 255}`
      return newVisitor(url, '/api/account/', { 'x-forwarded-for': address }, { timeoutMs: customerTimeoutMs })
    },
    card: (holder = 'Ana Rewi') => sealCard(gateway.publicKey, clock.now(), holder),
    newSim: (behaviour: SimBehaviour = 'ok') => shelf.sim(behaviour),
    newVoucher: shelf.voucher,
    portableNumber(behaviour: 'completes' | 'fails' | 'waits_for_donor' = 'completes') {
      const msisdn = newOtherCarrierMsisdn()
      network.seed({ ports: [{ msisdn, behaviour }] })
      return msisdn
    },
    async mailWith(address: string, pattern: RegExp): Promise<string | null> {
      const lines = mail.ledger().filter(({ to }) => to.includes(address))
      for (const { id } of lines.toReversed()) {
        const source = await (await fetch(`${mail.controlUrl}/_simulator/messages/${id}`)).text()
        const found = pattern.exec(source.replaceAll('=\r\n', '').replaceAll('=3D', '='))
        if (found) return found[1] ?? found[0]
      }
      return null
    },
    async tellGateway(path: string, body: unknown): Promise<void> {
      const answer = await fetch(`${gateway.url}/_simulator/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`)
    },
  }
}
