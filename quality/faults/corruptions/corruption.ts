import type { Trx } from '#kit/server/db.ts'
import type { FindingKind } from '#quality/support/findings.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'
import type { AuditedWorld } from '../audited-world.ts'
import type { Books, Mailed, Promised, Texted } from '../books.ts'

export type Site = Ledgers & {
  trx: Trx
  mails: Mailed[]
  texts: Texted[]
  promised: Promised[]
  codes: AuditedWorld['codes']
  ids: Record<keyof AuditedWorld['codes'], string>
}

export type Part = keyof AuditedWorld['codes']

export type Corruption = {
  what: string
  kind: FindingKind
  /** The order concerned; null for none. */
  of: Part | null
  says: RegExp
  besides?: Part[]
  plant(site: Site): Promise<unknown> | void
}

export const paymentOf = ({ gateway, codes }: Site, part: Part): Ledgers['gateway'][number] => {
  const line = gateway.find(({ reference }) => reference === `${codes[part]}-1`)
  if (!line) throw new Error(`the gateway has no payment of ${part}`)
  return line
}
export const operationOf = ({ network, codes }: Site, part: Part, action: string): Ledgers['network'][number] => {
  const line = network.find(({ external_id: id, action: does }) => id.startsWith(`${codes[part]}-`) && does === action)
  if (!line) throw new Error(`the network has no ${action} of ${part}`)
  return line
}
export const promiseOf = ({ promised, codes }: Site, part: Part): Promised => {
  const promise = promised.find(({ order_code: code }) => code === codes[part])
  if (!promise) throw new Error(`nothing was promised of ${part}`)
  return promise
}
export const messageOf = ({ trx, ids }: Site, part: Part) =>
  trx.selectFrom('messages').selectAll().where('ref', '=', ids[part]).executeTakeFirstOrThrow()
export const setOrder = ({ trx, ids }: Site, part: Part, values: object) =>
  trx.updateTable('orders').set(values).where('id', '=', ids[part]).execute()

const takenBack = new Error('nothing of it stays')

export async function withSpoiled<T>(
  { books, codes }: AuditedWorld,
  spoil: (site: Site) => Promise<unknown> | void,
  look: (spoiled: Books) => Promise<T>,
): Promise<T> {
  const { db, since, ...copied } = books
  const seen: T[] = []
  const work = db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom('orders').select(['id', 'order_code']).execute()
    const idOf = new Map(rows.map(({ id, order_code: code }) => [code, id]))
    const ids = Object.fromEntries(
      Object.entries(codes).map(([part, code]) => [part, idOf.get(code) ?? '']),
    ) as Site['ids']
    const site: Site = { ...(structuredClone(copied) as Omit<Site, 'trx' | 'codes' | 'ids'>), trx, codes, ids }
    await spoil(site)
    seen.push(await look({ ...site, db: trx, ...(since && { since }) }))
    throw takenBack
  })
  await work.catch((error: unknown) => {
    if (error !== takenBack) throw error
  })
  return seen[0] as T
}
