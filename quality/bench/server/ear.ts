import type { ProductOptions } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'
import type { Asked } from '../wire/client-messages.ts'
import type { Trips } from '../wire/trips.ts'
import { layWire } from '../wire/wire.ts'

export type Ear = {
  options: ProductOptions & { databaseUrl?: string }
  take(): Trips
  close(): Promise<void>
}

export async function openEar({ place }: BenchWorld): Promise<Ear> {
  if ('url' in place) {
    const wire = await layWire(place.url)
    return { options: { databaseUrl: wire.url }, take: wire.take, close: wire.close }
  }
  let told: Omit<Asked, 'name'>[] = []
  return {
    options: {
      preload: 'server/tell-statements.ts',
      onTold: (asked) => void told.push(asked as Omit<Asked, 'name'>),
    },
    /** The embedded database has one connection, so one statement follows the other. */
    take() {
      const asked = told.map((each, at) => ({ ...each, name: '', depth: at + 1 }))
      told = []
      return { asked, roundTrips: asked.length, inARow: asked.length }
    },
    close: async () => {},
  }
}
