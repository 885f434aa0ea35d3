import { Counter, Gauge } from 'prom-client'
import type { ExcessFigures } from '#kit/server/overload/excess.ts'

export function excessMetrics(excess: () => ExcessFigures): (Counter | Gauge)[] {
  let told = 0
  return [
    new Counter({
      registers: [],
      name: 'fantail_requests_refused_total',
      help: 'Requests answered with 503 at once because of overload',
      collect() {
        const { refused } = excess()
        this.inc(refused - told)
        told = refused
      },
    }),
    new Gauge({
      registers: [],
      name: 'fantail_requests_at_work',
      help: 'Requests in progress, by priority; costly: requests of unknown visitors that hash a password',
      labelNames: ['rank'],
      collect() {
        for (const [rank, count] of Object.entries(excess().atWork)) this.set({ rank }, count)
      },
    }),
    new Gauge({
      registers: [],
      name: 'fantail_requests_waiting',
      help: 'Requests that wait for a free slot for a costly call or a hash',
      labelNames: ['turn'],
      collect() {
        for (const [turn, count] of Object.entries(excess().waiting)) this.set({ turn }, count)
      },
    }),
  ]
}
