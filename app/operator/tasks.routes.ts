import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { nameOf } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { codesOf } from '#features/orders/server/orders.store.ts'
import { endTask, listOpenTasks, taskKinds } from '#features/operator-tasks/server/operator-tasks.store.ts'
import type { Deps } from '../deps.ts'
import { actorOf, isUuid } from './request.ts'

export type TaskView = {
  id: string
  kind: string
  order_code: string | null
  subject: string | null
  reason: string
  created: string
  due: string | null
}

const doneWith = v.object({ note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500))) })

/** As many as anybody wants to read. */
const mostTasks = 1_000

export function taskRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  app.get<{ Querystring: { kind?: string } }>('/tasks', async ({ query: { kind } }, reply) => {
    if (kind !== undefined && !taskKinds.some((known) => known === kind))
      return reply.status(400).send({ why: `Tasks are of one of these kinds: ${taskKinds.join(', ')}.` })
    const tasks = await listOpenTasks(db, { ...(kind !== undefined && { kind }), limit: mostTasks })
    const codes = await codesOf(
      db,
      tasks.flatMap(({ order_id }) => order_id ?? []),
    )
    return tasks.map(({ id, kind, order_id, subject, reason, created_at, due_at }): TaskView => ({
      id,
      kind,
      order_code: order_id ? (codes.get(order_id) ?? null) : null,
      subject,
      reason,
      created: created_at.toISOString(),
      due: due_at?.toISOString() ?? null,
    }))
  })
  app.post<{ Params: { id: string } }>('/tasks/:id/done', async (request, reply) => {
    const { id } = request.params
    const said = v.safeParse(doneWith, request.body ?? {})
    if (!said.success) return reply.status(400).send({ why: 'A note has at most 500 characters.' })
    const actor = actorOf(request)
    const by = { name: nameOf(actor) ?? '', note: said.output.note ?? null }
    const isEnded = await transact(db, async (trx) => {
      if (!isUuid(id) || !(await endTask(trx, id, by))) return false
      await audit(trx, clock, { event: 'operator_task_done', actor, details: { task: id } })
      return true
    })
    return isEnded ? {} : reply.status(404).send({ why: 'There is no such open task.' })
  })
}
