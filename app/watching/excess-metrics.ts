import { Counter, Gauge } from 'prom-client'
import type { ExcessFigures } from '#kit/server/overload/excess.ts'

export function excessMetrics(excess: () => ExcessFigures): (Counter | Gauge)[] {
  let told = 0
  return [
    new Counter({
      registers: [],
      name: 'fantail_requests_refused_total',
      help: 'Requests that were answered with 503 at once, for more came than can be answered',
      collect() {
        const { refused } = excess()
        this.inc(refused - told)
        told = refused
      },
    }),
    new Gauge({
      registers: [],
      name: 'fantail_requests_at_work',
      help: 'Requests that are being answered, by whom is let in before whom; costly: those that hash for strangers',
      labelNames: ['rank'],
      collect() {
        for (const [rank, count] of Object.entries(excess().atWork)) this.set({ rank }, count)
      },
    }),
    new Gauge({
      registers: [],
      name: 'fantail_requests_waiting',
      help: 'Requests that wait for their turn at a costly call, or at a hash',
      labelNames: ['turn'],
      collect() {
        for (const [turn, count] of Object.entries(excess().waiting)) this.set({ turn }, count)
      },
    }),
  ]
}
