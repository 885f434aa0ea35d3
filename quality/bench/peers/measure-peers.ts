import { newEmail } from '#quality/support/visitor.ts'
import type { Call } from '../load/run-load.ts'
import { compareReads, type Pace, type ReadSummary, type ReadTarget } from '../load/compare-reads.ts'
import { buildHeaders, reads } from '../server/reads.ts'
import { makeCustomers } from '../world/customers.ts'
import { waitForWorkers } from '../world/wait-for-workers.ts'
import { loadSimStock } from '../world/sim-stock.ts'
import type { BenchWorld } from '../world/world.ts'
import { type PeerName, peerNames, type RunningSite } from './peer.ts'
import { peers } from './peers.ts'
import { compareSignUps, type SignUpLoad } from './compare-sign-ups.ts'
import { startPeer } from './start-peer.ts'

export type PeerRow = { name: string; product: ReadSummary; peers: Partial<Record<PeerName, ReadSummary>> }
export type PeersResult = { rows: PeerRow[]; missing: string[] }
export type PeersLoad = { reads: Pace; signUps: SignUpLoad }

type RunningPeer = RunningSite & { name: PeerName }

const customerCount = 16

export async function measurePeers(world: BenchWorld, pace: PeersLoad): Promise<PeersResult> {
  const { standing, missing } = await startPeers(world)
  if (standing.length === 0) return { rows: [], missing }
  const product = await world.start()
  try {
    const packs = pace.signUps.atOnce + pace.signUps.rounds * pace.signUps.count
    const shelf = await loadSimStock(world, product, customerCount + packs)
    const customers = await makeCustomers(shelf, customerCount)
    await waitForWorkers(product)
    const account = reads.find(({ name }) => name === 'account')
    if (!account) throw new Error('the product has no account to read')
    const calls = customers.map((customer) => ({
      path: account.path(customer),
      headers: buildHeaders(account, customer),
    }))
    const subjects: ReadTarget[] = [{ name: 'product', port: product.port, pid: product.pid, calls }]
    for (const { name, site, pid } of standing)
      subjects.push({ name, port: Number(new URL(site.origin).port), pid, calls: await createAccounts(name, site) })
    const readResults = await compareReads(world.load, subjects, pace.reads)
    await waitForWorkers(product)
    const own = { name: 'product', shelf, pid: product.pid, site: { origin: product.url, key: '' } } as const
    const signUpResults = await compareSignUps([own, ...standing], pace.signUps)
    return { rows: [rowOf('account', readResults), rowOf('sign-up', signUpResults)], missing }
  } finally {
    await product.stop()
  }
}

async function startPeers(world: BenchWorld): Promise<{ standing: RunningPeer[]; missing: string[] }> {
  const [standing, missing]: [RunningPeer[], string[]] = [[], []]
  for (const name of peerNames)
    await startPeer(world, peers[name]).then(
      (stands) => void standing.push({ name, ...stands }),
      (error: Error) => void missing.push(`${name} cannot be measured: ${error.message}`),
    )
  return { standing, missing }
}

async function createAccounts(name: PeerName, site: RunningSite['site']): Promise<Call[]> {
  const calls: Call[] = []
  for (let nth = 0; nth < customerCount; nth++) {
    const email = newEmail()
    await peers[name].signUp(site, email)
    calls.push(await peers[name].read(site, email))
  }
  return calls
}

function rowOf(name: string, { product, ...others }: Record<string, ReadSummary>): PeerRow {
  if (!product) throw new Error('the product was not measured')
  return { name, product, peers: others }
}
