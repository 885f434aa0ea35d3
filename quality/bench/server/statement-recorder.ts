import type { ProductOptions } from '../world/product.ts'
import type { BenchWorld } from '../world/world.ts'
import type { Asked } from '../wire/client-messages.ts'
import type { RoundTripRecord } from '../wire/round-trips.ts'
import { startRecordingProxy } from '../wire/recording-proxy.ts'

export type StatementRecorder = {
  options: ProductOptions & { databaseUrl?: string }
  take(): RoundTripRecord
  close(): Promise<void>
}

export async function startStatementRecorder({ place }: BenchWorld): Promise<StatementRecorder> {
  if ('url' in place) {
    const wire = await startRecordingProxy(place.url)
    return { options: { databaseUrl: wire.url }, take: wire.take, close: wire.close }
  }
  let told: Omit<Asked, 'name'>[] = []
  return {
    options: {
      preload: 'server/report-statements.ts',
      onTold: (asked) => void told.push(asked as Omit<Asked, 'name'>),
    },
    /** Returns the recorded statements. The embedded database has only one connection, so they all run one after another. */
    take() {
      const asked = told.map((each, at) => ({ ...each, name: '', depth: at + 1 }))
      told = []
      return { asked, roundTrips: asked.length, inARow: asked.length }
    },
    close: async () => {},
  }
}
