import { newEmail } from '#quality/support/visitor.ts'
import type { Call } from '../load/play.ts'
import { compareReads, type Pace, type ReadFigures, type Subject } from '../load/rounds.ts'
import { headersOf, reads } from '../server/reads.ts'
import { makeCustomers } from '../world/customers.ts'
import { settle } from '../world/settle.ts'
import { stockShelf } from '../world/shelf.ts'
import type { BenchWorld } from '../world/world.ts'
import { type PeerName, peerNames, type Standing } from './peer.ts'
import { peers } from './peers.ts'
import { compareSignUps, type SignUpPace } from './sign-ups.ts'
import { standUp } from './stand.ts'

export type PeerRow = { name: string; product: ReadFigures; peers: Partial<Record<PeerName, ReadFigures>> }
export type PeersResult = { rows: PeerRow[]; missing: string[] }
export type PeersPace = { reads: Pace; signUps: SignUpPace }

type Stands = Standing & { name: PeerName }

const customerCount = 16

export async function measurePeers(world: BenchWorld, pace: PeersPace): Promise<PeersResult> {
  const { standing, missing } = await standAllUp(world)
  if (standing.length === 0) return { rows: [], missing }
  const product = await world.start()
  try {
    const packs = pace.signUps.atOnce + pace.signUps.rounds * pace.signUps.count
    const shelf = await stockShelf(world, product, customerCount + packs)
    const customers = await makeCustomers(shelf, customerCount)
    await settle(product)
    const account = reads.find(({ name }) => name === 'account')
    if (!account) throw new Error('the product has no account to read')
    const calls = customers.map((customer) => ({ path: account.path(customer), headers: headersOf(account, customer) }))
    const subjects: Subject[] = [{ name: 'product', port: product.port, pid: product.pid, calls }]
    for (const { name, site, pid } of standing)
      subjects.push({ name, port: Number(new URL(site.origin).port), pid, calls: await accountsOf(name, site) })
    const looked = await compareReads(world.load, subjects, pace.reads)
    await settle(product)
    const own = { name: 'product', shelf, pid: product.pid, site: { origin: product.url, key: '' } } as const
    const signedUp = await compareSignUps([own, ...standing], pace.signUps)
    return { rows: [rowOf('account', looked), rowOf('sign-up', signedUp)], missing }
  } finally {
    await product.stop()
  }
}

async function standAllUp(world: BenchWorld): Promise<{ standing: Stands[]; missing: string[] }> {
  const [standing, missing]: [Stands[], string[]] = [[], []]
  for (const name of peerNames)
    await standUp(world, peers[name]).then(
      (stands) => void standing.push({ name, ...stands }),
      (error: Error) => void missing.push(`${name} cannot be measured: ${error.message}`),
    )
  return { standing, missing }
}

async function accountsOf(name: PeerName, site: Standing['site']): Promise<Call[]> {
  const calls: Call[] = []
  for (let nth = 0; nth < customerCount; nth++) {
    const email = newEmail()
    await peers[name].signUp(site, email)
    calls.push(await peers[name].read(site, email))
  }
  return calls
}

function rowOf(name: string, { product, ...others }: Record<string, ReadFigures>): PeerRow {
  if (!product) throw new Error('the product was not measured')
  return { name, product, peers: others }
}
