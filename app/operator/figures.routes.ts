import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { audit } from '#kit/server/audit.ts'
import { rebuildDailyFigures } from '#desk/features/today/server/daily-figures.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor } from './request.ts'

const figureRebuildSchema = v.object({
  from: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d$/),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        try {
          return Temporal.PlainDate.from(dataset.value, { overflow: 'reject' })
        } catch {
          addIssue()
          return NEVER
        }
      }),
    ),
  ),
})

export type RebuiltFigures = { days: number }

export function figureRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, market } = deps
  app.post('/figures/rebuild', async (request, reply): Promise<RebuiltFigures> => {
    const parsed = v.safeParse(figureRebuildSchema, request.body ?? {})
    if (!parsed.success) return reply.status(400).send({ why: 'Write a day like 2026-12-01.' })
    const { from = null } = parsed.output
    const days = await rebuildDailyFigures({ db, clock, market }, from)
    if (days > 0)
      await audit(db, clock, {
        event: 'figures_rebuilt',
        actor: getRequestActor(request),
        details: { days, ...(from && { from: from.toString() }) },
      })
    return { days }
  })
}
