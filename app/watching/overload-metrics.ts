import { Counter, Gauge } from 'prom-client'
import type { OverloadFigures } from '#kit/server/overload/overload-protection.ts'

export function createOverloadMetrics(excess: () => OverloadFigures): (Counter | Gauge)[] {
  let reportedCount = 0
  return [
    new Counter({
      registers: [],
      name: 'fantail_requests_refused_total',
      help: 'Requests answered with 503 at once because of overload',
      collect() {
        const { refused } = excess()
        this.inc(refused - reportedCount)
        reportedCount = refused
      },
    }),
    new Gauge({
      registers: [],
      name: 'fantail_requests_at_work',
      help: 'Requests in progress, by priority; costly means requests from unknown visitors that hash a password',
      labelNames: ['rank'],
      collect() {
        for (const [rank, count] of Object.entries(excess().atWork)) this.set({ rank }, count)
      },
    }),
    new Gauge({
      registers: [],
      name: 'fantail_requests_waiting',
      help: 'Requests waiting for another costly request or password hash to finish',
      labelNames: ['turn'],
      collect() {
        for (const [turn, count] of Object.entries(excess().waiting)) this.set({ turn }, count)
      },
    }),
  ]
}
