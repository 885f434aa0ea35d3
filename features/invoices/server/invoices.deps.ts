import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'

export type InvoiceDeps = { db: Db; clock: Clock; market: Market; brandName: string; colours: Colours }
