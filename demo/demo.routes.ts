import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { attachmentPath, type DonorTextMessage, readAttachment, readMailbox } from './mailbox.ts'
import { readFixtures } from './fixtures.ts'
import { advanceClock, type ClockContext } from './move-clock.ts'
import type { Secrets } from '#kit/server/secrets.ts'

export type DemoContext = ClockContext & {
  secrets: Secrets
  restock(): Promise<void>
  ledgers(): Promise<object>
  deskUrl: string | null
  donorTexts(): Promise<DonorTextMessage[]>
}

const advanceSchema = v.object({
  advance: v.pipe(
    v.string('Enter how far to move the clock, such as P3D.'),
    v.check(
      (text) => isForwardDuration(text),
      'Enter how far to move the clock, such as P3D (3 days), PT1H (1 hour) or P1M (1 month). It only moves forward, by ten years at most.',
    ),
  ),
})

export function demoRoutes(app: FastifyInstance, world: DemoContext): void {
  app.get('/demo/api/fixtures/', async () => {
    await world.restock()
    return readFixtures({ ...world, market: world.market.code })
  })
  app.get<{ Querystring: { to?: string | string[] } }>('/demo/api/messages/', async ({ query }) =>
    readMailbox(world.db, [query.to].flat()[0]?.replaceAll('\0', ''), {
      region: world.market.phoneRegion,
      donorTexts: await world.donorTexts(),
    }),
  )
  app.get<{ Params: { id: string } }>(attachmentPath(':id'), async ({ params }, reply) => {
    const file = await readAttachment(world.db, params.id)
    if (!file) return reply.callNotFound()
    return reply
      .type(file.contentType)
      .header('content-disposition', `inline; filename="${file.filename}"`)
      .send(Buffer.from(file.content))
  })
  app.get('/demo/api/ledgers/', () => world.ledgers())

  // Move the clock for only one request at a time; concurrent moves would skip each other's due work.
  let moving: Promise<unknown> = Promise.resolve()
  app.post('/demo/api/clock/', async (request, reply) => {
    const parsed = v.safeParse(advanceSchema, request.body)
    if (!parsed.success) return reply.status(400).send({ advance: parsed.issues.map((issue) => issue.message) })
    const moved = moving.then(() => advanceClock(world, Temporal.Duration.from(parsed.output.advance)))
    moving = moved.catch(() => {})
    return { now: (await moved).toString({ fractionalSecondDigits: 3 }) }
  })
}

function isForwardDuration(text: string): boolean {
  try {
    const duration = Temporal.Duration.from(text)
    const start = Temporal.PlainDate.from('2026-01-01')
    return duration.sign >= 0 && duration.total({ unit: 'days', relativeTo: start }) <= 3_653
  } catch {
    return false
  }
}
