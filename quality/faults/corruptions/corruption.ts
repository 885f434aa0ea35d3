import type { Trx } from '#kit/server/db.ts'
import type { FindingKind } from '#quality/support/findings.ts'
import type { Ledgers } from '#quality/support/ledgers.ts'
import type { AuditWorld } from '../audited-world.ts'
import type { AuditRecords, DeliveredEmail, CustomerPromise, DeliveredSms } from '../audit-records.ts'

export type CorruptionTarget = Ledgers & {
  trx: Trx
  mails: DeliveredEmail[]
  texts: DeliveredSms[]
  promised: CustomerPromise[]
  codes: AuditWorld['codes']
  ids: Record<keyof AuditWorld['codes'], string>
}

export type Part = keyof AuditWorld['codes']

export type Corruption = {
  what: string
  kind: FindingKind
  /** The order affected by the corruption; null if no order is. */
  of: Part | null
  says: RegExp
  besides?: Part[]
  plant(site: CorruptionTarget): Promise<unknown> | void
}

export const findPayment = ({ gateway, codes }: CorruptionTarget, part: Part): Ledgers['gateway'][number] => {
  const line = gateway.find(({ reference }) => reference === `${codes[part]}-1`)
  if (!line) throw new Error(`the gateway has no payment of ${part}`)
  return line
}
export const findOperation = (
  { network, codes }: CorruptionTarget,
  part: Part,
  action: string,
): Ledgers['network'][number] => {
  const line = network.find(({ external_id: id, action: does }) => id.startsWith(`${codes[part]}-`) && does === action)
  if (!line) throw new Error(`the network has no ${action} of ${part}`)
  return line
}
export const findCustomerPromise = ({ promised, codes }: CorruptionTarget, part: Part): CustomerPromise => {
  const customerPromise = promised.find(({ order_code: code }) => code === codes[part])
  if (!customerPromise) throw new Error(`nothing was promised of ${part}`)
  return customerPromise
}
export const findMessage = ({ trx, ids }: CorruptionTarget, part: Part) =>
  trx.selectFrom('messages').selectAll().where('ref', '=', ids[part]).executeTakeFirstOrThrow()
export const updateOrder = ({ trx, ids }: CorruptionTarget, part: Part, values: object) =>
  trx.updateTable('orders').set(values).where('id', '=', ids[part]).execute()

const rollbackError = new Error('nothing of it stays')

export async function withCorruption<T>(
  { books, codes }: AuditWorld,
  spoil: (site: CorruptionTarget) => Promise<unknown> | void,
  look: (spoiled: AuditRecords) => Promise<T>,
): Promise<T> {
  const { db, since, ...copied } = books
  const seen: T[] = []
  const work = db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom('orders').select(['id', 'order_code']).execute()
    const idOf = new Map(rows.map(({ id, order_code: code }) => [code, id]))
    const ids = Object.fromEntries(
      Object.entries(codes).map(([part, code]) => [part, idOf.get(code) ?? '']),
    ) as CorruptionTarget['ids']
    const site: CorruptionTarget = {
      ...(structuredClone(copied) as Omit<CorruptionTarget, 'trx' | 'codes' | 'ids'>),
      trx,
      codes,
      ids,
    }
    await spoil(site)
    seen.push(await look({ ...site, db: trx, ...(since && { since }) }))
    throw rollbackError
  })
  await work.catch((error: unknown) => {
    if (error !== rollbackError) throw error
  })
  return seen[0] as T
}
